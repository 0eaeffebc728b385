/* The allocator hook inside the library: sizes are checked here, once. */
#ifndef BASE_MEMORY_H
#define BASE_MEMORY_H

#include "base/config.h"
#include "weir/memory.h"

/* malloc, realloc and free behind the hook; what a NULL allocator means. */
extern const weir_allocator memory_standard;

static inline const weir_allocator *memory_allocator(const weir_allocator *allocator)
{
    return allocator ? allocator : &memory_standard;
}

static inline void *memory_get(const weir_allocator *allocator, size_t size)
{
    allocator = memory_allocator(allocator);
    return allocator->resize(allocator->context, NULL, 0, size);
}

static inline void *memory_resize(const weir_allocator *allocator, void *ptr, size_t old_size,
                                  size_t new_size)
{
    allocator = memory_allocator(allocator);
    return allocator->resize(allocator->context, ptr, old_size, new_size);
}

static inline void memory_put(const weir_allocator *allocator, void *ptr, size_t size)
{
    allocator = memory_allocator(allocator);
    if (ptr) {
        (void)allocator->resize(allocator->context, ptr, size, 0);
    }
}

/* Grows an array of `item` bytes each so that it holds at least `need` items; capacity doubles. false:
 * unchanged. */
bool memory_grow_array(const weir_allocator *allocator, void *array_slot, size_t *cap, size_t need,
                       size_t item);

#endif
