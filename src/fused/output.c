/* The growing output of the fused writers. */
#include "fused/output.h"

/* Bytes that the value may take, from up to 64 of its nodes. */
static uint64_t guess_size(const weir_val *val, uint64_t span, unsigned scalar)
{
    enum { SAMPLES = 64 };
    uint64_t step = span / SAMPLES + 1, sum = 0, taken = 0, total;
    for (uint64_t i = 0; i < span; i += step, taken++) {
        const weir_val *node = val + i;
        sum += tape_is_text(tape_kind(node)) ? tape_length(node) + 3 : scalar;
    }
    return __builtin_mul_overflow(sum / (taken ? taken : 1) + 1, span, &total) ? 0 : total;
}

bool output_begin(struct output *out, unsigned scalar)
{
    uint64_t guess = guess_size(out->first, out->span, scalar);
    guess = guess > out->max ? out->max : guess;
    return (guess <= SIZE_MAX / 2 && weir_buffer_reserve(out->buffer, (size_t)guess + OUTPUT_SLACK)) ||
           weir_buffer_reserve(out->buffer, OUTPUT_SLACK);
}

/* Bytes of this document before `at`. */
static uint64_t written(const struct output *out, const char *at)
{
    return (uint64_t)(at - out->buffer->data) - out->start;
}

char *output_grow(struct output *out, char *at, uint64_t need, const weir_val *now)
{
    weir_buffer *buffer = out->buffer;
    uint64_t have = written(out, at);
    out->over = have > out->max || need > out->max - have;
    if (out->over || need > SIZE_MAX / 2) {
        return NULL;
    }
    /* What is left, at the density so far; half of what there is at least; nothing beyond the limit. */
    uint64_t done = (uint64_t)(now - out->first) + 1,
             left = out->span - (done < out->span ? done : out->span);
    double guess = (double)have / (double)done * (double)left * 1.0625;
    double more = guess < (double)have / 2 + 64 ? (double)have / 2 + 64 : guess;
    more = more > (double)(out->max - have) ? (double)(out->max - have) : more;
    size_t len = (size_t)(at - buffer->data), least = (size_t)need + OUTPUT_SLACK, wanted;
    buffer->len = len;
    bool ok = more < (double)(SIZE_MAX / 4) && !__builtin_add_overflow(least, (size_t)more, &wanted) &&
              weir_buffer_reserve(buffer, wanted);
    ok = ok || weir_buffer_reserve(buffer, least);
    buffer->len = out->start;
    if (!ok) {
        return NULL;
    }
    output_set_soft(out);
    return buffer->data + len;
}

enum fused_result output_refuse(struct output *out)
{
    out->buffer->data[out->start] = '\0';
    return FUSED_REFUSED;
}

enum fused_result output_fail(struct output *out)
{
    output_refuse(out);
    return out->over ? FUSED_REFUSED : FUSED_MEMORY;
}
