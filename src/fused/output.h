/* The output of a fused writer while it is written: the caller's buffer, with room that needs no test.
 *
 * Between two nodes there are OUTPUT_SLACK bytes of room at least, so that short text and numbers are stored
 * without asking, whole vectors at a time. Until the end the buffer's own length stays what it was. */
#ifndef FUSED_OUTPUT_H
#define FUSED_OUTPUT_H

#include "fused/fused.h"

/* A JSON entry whose key and string are of 64 bytes each, all of them escaped, and what vectors store beyond.
 */
enum { OUTPUT_SLACK = 1280 };

struct output {
    weir_buffer *buffer;
    char *soft;            /* OUTPUT_SLACK bytes before the buffer's end */
    size_t start;          /* the buffer's length before this document */
    uint64_t max;          /* bytes of this document */
    const weir_val *first; /* of the value */
    uint64_t span;         /* its nodes */
    bool over;             /* growing would have passed max */
};

ALWAYS_INLINE void output_set_soft(struct output *out)
{
    out->soft = out->buffer->data + out->buffer->cap - 1 - OUTPUT_SLACK;
}

/* Takes room in a buffer that lacks the slack: for what the value may take. false: no memory. */
bool output_begin(struct output *out, unsigned scalar);

/* scalar: bytes that a value without text may take. false: no memory. */
ALWAYS_INLINE bool output_open(struct output *out, const weir_val *val, unsigned scalar, uint64_t max,
                               weir_buffer *buffer)
{
    out->buffer = buffer;
    out->start = buffer->len;
    out->max = max;
    out->first = val;
    out->span = tape_span(val);
    out->over = false;
    if (unlikely(buffer->cap - buffer->len <= OUTPUT_SLACK) && !output_begin(out, scalar)) {
        return false;
    }
    output_set_soft(out);
    return true;
}

/* Room for `need` bytes and the slack after `at`, with a guess for what follows node `now`. NULL: there is
 * none. */
char *output_grow(struct output *out, char *at, uint64_t need, const weir_val *now);

/* After output_grow gave NULL. */
enum fused_result output_fail(struct output *out);
enum fused_result output_refuse(struct output *out);

/* The value ends at `at`. */
ALWAYS_INLINE enum fused_result output_close(struct output *out, char *at)
{
    weir_buffer *buffer = out->buffer;
    size_t len = (size_t)(at - buffer->data);
    if (unlikely(len - out->start > out->max)) {
        return output_refuse(out);
    }
    *at = '\0';
    buffer->len = len;
    return FUSED_OK;
}

/* The soft end is passed, or less than `need` bytes are left before it. */
ALWAYS_INLINE bool output_is_short(const struct output *out, const char *at, uint64_t need)
{
    return at > out->soft || need > (uint64_t)(out->soft - at);
}

#endif
