/* Memory that the caller controls: the allocator hook, a growing byte buffer, an arena. */
#ifndef WEIR_MEMORY_H
#define WEIR_MEMORY_H

#include "weir/export.h"

WEIR_BEGIN_DECLS

/* One function does it all, as realloc does, but knows the old size:
 *   ptr == NULL           allocate new_size bytes
 *   new_size == 0         free ptr (result ignored)
 *   otherwise             resize, keeping the first min(old_size, new_size) bytes
 * Sizes are in bytes. It returns NULL on failure and then leaves ptr as it was. Results are aligned for any
 * type (at least 16 bytes). It must be thread-safe if objects that use it live in several threads, and must
 * live, as this structure must, until the last object that was made with it is freed. */
typedef struct weir_allocator {
    void *(*resize)(void *context, void *ptr, size_t old_size, size_t new_size);
    void *context;
} weir_allocator;

/* A growing byte buffer. All zero is a valid empty buffer on the standard allocator. The bytes belong to the
 * buffer, and data may move whenever it grows; it is followed by a NUL that len does not count, once anything
 * was appended or reserved. cap counts bytes, the NUL's included. Not thread-safe. */
typedef struct weir_buffer {
    char *data;
    size_t len;
    size_t cap;
    const weir_allocator *allocator; /* NULL: malloc and free */
} weir_buffer;

/* Makes room for `more` bytes after len (plus the NUL). false: out of memory or size overflow; the buffer is
 * unchanged. Amortized O(1) per byte. */
WEIR_API WEIR_WARN_UNUSED bool weir_buffer_reserve(weir_buffer *buffer, size_t more);
/* Appends size bytes, which must not lie in the buffer; bytes may be NULL if size is 0. false as above.
 * O(size), amortized. */
WEIR_API WEIR_WARN_UNUSED bool weir_buffer_append(weir_buffer *buffer, const void *bytes, size_t size);
/* Forgets the content, keeps the memory. O(1). */
WEIR_API void weir_buffer_clear(weir_buffer *buffer);
/* Frees the memory; the buffer is empty and usable again, with the same allocator. */
WEIR_API void weir_buffer_free(weir_buffer *buffer);

/* An arena: allocations that are freed together, or back to a mark. Not thread-safe. */
typedef struct weir_arena weir_arena;
/* A place in an arena, to rewind to. Its members are private. */
typedef struct weir_arena_mark {
    void *block;
    size_t used;
} weir_arena_mark;

/* A new arena, to be freed by the caller. allocator may be NULL (malloc and free); the structure is copied,
 * its context is not. Returns NULL when out of memory. O(1). */
WEIR_API weir_arena *weir_arena_new(const weir_allocator *allocator);
/* size bytes, 16-aligned, not zeroed, the arena's until it is rewound, reset or freed; NULL when out of
 * memory. A size of 0 gives a unique pointer. Amortized O(1). */
WEIR_API void *weir_arena_alloc(weir_arena *arena, size_t size);
/* A copy of len bytes with a NUL behind, as long-lived as any allocation here; NULL when out of memory.
 * O(len). */
WEIR_API char *weir_arena_copy(weir_arena *arena, const void *bytes, size_t len);
/* The present place. A mark is good until the arena is rewound before it, reset or freed. O(1). */
WEIR_API weir_arena_mark weir_arena_get_mark(const weir_arena *arena);
/* Frees everything that was allocated after the mark was taken. O(blocks freed). */
WEIR_API void weir_arena_rewind(weir_arena *arena, weir_arena_mark mark);
/* Forgets all allocations, keeps the largest block for reuse. O(blocks). */
WEIR_API void weir_arena_reset(weir_arena *arena);
/* Frees the arena and all its allocations. NULL is allowed. O(blocks). */
WEIR_API void weir_arena_free(weir_arena *arena);

WEIR_END_DECLS

#endif
