/* The allocator hook over malloc, realloc and free, and checked growth of arrays. */
#include "base/memory.h"

#include <stdlib.h>

static void *standard_resize(void *context, void *ptr, size_t old_size, size_t new_size)
{
    (void)context;
    (void)old_size;
    if (new_size == 0) {
        free(ptr);
        return NULL;
    }
    return realloc(ptr, new_size);
}

const weir_allocator memory_standard = {standard_resize, NULL};

bool memory_grow_array(const weir_allocator *allocator, void *array_slot, size_t *cap, size_t need,
                       size_t item)
{
    if (need <= *cap) {
        return true;
    }
    size_t next = *cap < 16 ? 16 : *cap;
    while (next < need) {
        if (__builtin_mul_overflow(next, (size_t)2, &next)) {
            return false;
        }
    }
    size_t bytes;
    if (__builtin_mul_overflow(next, item, &bytes)) {
        return false;
    }
    void *old;
    memcpy(&old, array_slot, sizeof old);
    void *grown = memory_resize(allocator, old, *cap * item, bytes);
    if (!grown) {
        return false;
    }
    memcpy(array_slot, &grown, sizeof grown);
    *cap = next;
    return true;
}
