/* The fused JSON writer: choice of the kernel, and the growing output. */
#include "fused/json_write_kernel.h"

#include "base/simd.h"

#include <string.h>

/* ---- output ---- */

/* Bytes that a value of this many nodes may take: from up to 64 of its nodes. */
static uint64_t guess_size(const weir_val *val, uint64_t span)
{
    enum { SAMPLES = 64, SCALAR = 8 };
    uint64_t step = span / SAMPLES + 1, sum = 0, taken = 0;
    for (uint64_t i = 0; i < span; i += step, taken++) {
        const weir_val *node = val + i;
        sum += tape_is_text(tape_kind(node)) ? tape_length(node) + 3 : SCALAR;
    }
    uint64_t mean = sum / taken + 1;
    return mean > UINT64_MAX / 2 / span ? 0 : mean * span + span / 8;
}

bool json_out_open(struct json_out *out, const weir_val *val, uint64_t max_output, weir_buffer *buffer)
{
    out->buffer = buffer;
    out->start = buffer->len;
    out->max_output = max_output;
    out->first = val;
    out->span = tape_span(val);
    out->over_limit = false;
    size_t room = buffer->cap - buffer->len;
    if (room <= JSON_WRITE_SLACK) {
        uint64_t guess = guess_size(val, out->span);
        guess = guess > max_output ? max_output : guess;
        if (guess > SIZE_MAX / 2 || !weir_buffer_reserve(buffer, (size_t)guess + JSON_WRITE_SLACK)) {
            if (!weir_buffer_reserve(buffer, JSON_WRITE_SLACK)) {
                return false;
            }
        }
    }
    out->soft = buffer->data + buffer->cap - 1 - JSON_WRITE_SLACK;
    return true;
}

char *json_out_grow(struct json_out *out, char *at, uint64_t need, const weir_val *now)
{
    weir_buffer *buffer = out->buffer;
    size_t len = (size_t)(at - buffer->data);
    uint64_t written = len - out->start, done = (uint64_t)(now - out->first) + 1;
    if (written + need > out->max_output && (written > out->max_output || need > out->max_output - written)) {
        out->over_limit = true;
        return NULL;
    }
    /* What is left, at the density so far; at least half of what there is. */
    uint64_t left = out->span - (done < out->span ? done : out->span);
    double guess = (double)written / (double)done * (double)left * 1.0625;
    uint64_t more = guess < (double)(written / 2 + 64) ? written / 2 + 64 : (uint64_t)guess;
    more = more > out->max_output - written - need ? out->max_output - written - need : more;
    size_t least, wanted;
    if (need > SIZE_MAX / 2) {
        return NULL;
    }
    least = (size_t)need + JSON_WRITE_SLACK;
    buffer->len = len;
    bool ok = more < SIZE_MAX / 2 && !__builtin_add_overflow(least, (size_t)more, &wanted) &&
              weir_buffer_reserve(buffer, wanted);
    ok = ok || weir_buffer_reserve(buffer, least);
    buffer->len = out->start;
    if (!ok) {
        return NULL;
    }
    out->soft = buffer->data + buffer->cap - 1 - JSON_WRITE_SLACK;
    return buffer->data + len;
}

enum fused_result json_out_fail(struct json_out *out)
{
    if (out->buffer->data) {
        out->buffer->data[out->start] = '\0';
    }
    return out->over_limit ? FUSED_REFUSED : FUSED_MEMORY;
}

enum fused_result json_out_close(struct json_out *out, char *at)
{
    weir_buffer *buffer = out->buffer;
    size_t len = (size_t)(at - buffer->data);
    if (len - out->start > out->max_output) {
        buffer->data[out->start] = '\0';
        return FUSED_REFUSED;
    }
    *at = '\0';
    buffer->len = len;
    return FUSED_OK;
}

/* ---- kernels ---- */

json_write_kernel *json_write_kernel_named(const char *name)
{
    if (strcmp(name, "base") == 0) {
        return json_write_base;
    }
    if (!simd_kernels_named(name)) {
        return NULL;
    }
    return strcmp(name, "avx2") == 0 ? json_write_avx2 : strcmp(name, "avx512") == 0 ? json_write_avx512 : NULL;
}

enum fused_result json_write_val(const weir_val *val, const struct fused_limits *limits, unsigned indent,
                                 weir_buffer *out)
{
    const char *name = simd_kernels()->name;
    json_write_kernel *kernel = json_write_base;
    if (name[0] == 'a' && name[1] == 'v') {
        kernel = name[3] == '5' ? json_write_avx512 : json_write_avx2;
    }
    return (kernel ? kernel : json_write_base)(val, limits, indent, out);
}
