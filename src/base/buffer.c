/* weir_buffer: a byte buffer with checked, amortized growth. */
#include "base/memory.h"

bool weir_buffer_reserve(weir_buffer *buffer, size_t more)
{
    size_t need;
    if (__builtin_add_overflow(buffer->len, more, &need) || __builtin_add_overflow(need, (size_t)1, &need)) {
        return false;
    }
    if (need <= buffer->cap) {
        return true;
    }
    size_t cap = buffer->cap < 256 ? 256 : buffer->cap;
    while (cap < need) {
        if (__builtin_add_overflow(cap, cap / 2 + 64, &cap)) {
            cap = need;
        }
    }
    char *data = memory_resize(buffer->allocator, buffer->data, buffer->cap, cap);
    if (!data) {
        return false;
    }
    buffer->data = data;
    buffer->cap = cap;
    buffer->data[buffer->len] = '\0';
    return true;
}

bool weir_buffer_append(weir_buffer *buffer, const void *bytes, size_t size)
{
    if (!weir_buffer_reserve(buffer, size)) {
        return false;
    }
    if (size) {
        memcpy(buffer->data + buffer->len, bytes, size);
    }
    buffer->len += size;
    buffer->data[buffer->len] = '\0';
    return true;
}

void weir_buffer_clear(weir_buffer *buffer)
{
    buffer->len = 0;
    if (buffer->data) {
        buffer->data[0] = '\0';
    }
}

void weir_buffer_free(weir_buffer *buffer)
{
    memory_put(buffer->allocator, buffer->data, buffer->cap);
    buffer->data = NULL;
    buffer->len = buffer->cap = 0;
}
