/* Memory that the caller controls: the allocator hook, a growing byte buffer, an arena. */
#ifndef WEIR_MEMORY_H
#define WEIR_MEMORY_H

#include "weir/export.h"

WEIR_BEGIN_DECLS

/* One function does it all, as realloc does, but knows the old size:
 *   ptr == NULL           allocate new_size bytes
 *   new_size == 0         free ptr (result ignored)
 *   otherwise             resize, keeping the first min(old_size, new_size) bytes
 * It returns NULL on failure and then leaves ptr as it was. Results are aligned for any type (at least 16
 * bytes). It must be thread-safe if objects that use it live in several threads. */
typedef struct weir_allocator {
    void *(*resize)(void *context, void *ptr, size_t old_size, size_t new_size);
    void *context;
} weir_allocator;

/* A growing byte buffer. All zero is a valid empty buffer on the standard allocator. The bytes belong to the
 * buffer; data is followed by a NUL that len does not count, once anything was appended. Not thread-safe. */
typedef struct weir_buffer {
    char *data;
    size_t len;
    size_t cap;
    const weir_allocator *allocator; /* NULL: malloc and free */
} weir_buffer;

/* Makes room for `more` bytes after len (plus the NUL). false: out of memory or size overflow; the buffer is
 * unchanged. Amortized O(1) per byte. */
WEIR_API WEIR_WARN_UNUSED bool weir_buffer_reserve(weir_buffer *buffer, size_t more);
/* Appends size bytes. false as above. */
WEIR_API WEIR_WARN_UNUSED bool weir_buffer_append(weir_buffer *buffer, const void *bytes, size_t size);
/* Forgets the content, keeps the memory. */
WEIR_API void weir_buffer_clear(weir_buffer *buffer);
/* Frees the memory; the buffer is empty and usable again. */
WEIR_API void weir_buffer_free(weir_buffer *buffer);

/* An arena: allocations that are freed together, or back to a mark. Not thread-safe. */
typedef struct weir_arena weir_arena;
typedef struct weir_arena_mark {
    void *block;
    size_t used;
} weir_arena_mark;

/* allocator may be NULL. Returns NULL when out of memory. O(1). */
WEIR_API weir_arena *weir_arena_new(const weir_allocator *allocator);
/* size bytes, 16-aligned, not zeroed; NULL when out of memory. A size of 0 gives a unique pointer. Amortized
 * O(1). */
WEIR_API void *weir_arena_alloc(weir_arena *arena, size_t size);
/* A copy of len bytes with a NUL behind; NULL when out of memory. */
WEIR_API char *weir_arena_copy(weir_arena *arena, const void *bytes, size_t len);
WEIR_API weir_arena_mark weir_arena_get_mark(const weir_arena *arena);
/* Frees everything that was allocated after the mark was taken. */
WEIR_API void weir_arena_rewind(weir_arena *arena, weir_arena_mark mark);
/* Forgets all allocations, keeps the largest block for reuse. */
WEIR_API void weir_arena_reset(weir_arena *arena);
/* NULL is allowed. */
WEIR_API void weir_arena_free(weir_arena *arena);

WEIR_END_DECLS

#endif
