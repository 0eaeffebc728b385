/* Input of a reader: a window of bytes, either the caller's whole memory or a bounded piece of a stream.
 *
 *    start        hold (or p)         p                         end
 *      |  may go    |   must stay     |   unread, readable       |  eof: nothing follows
 *
 * input_need moves the window: pointers into it other than p, hold and end are void after it. */
#ifndef FLOW_INPUT_H
#define FLOW_INPUT_H

#include "flow/account.h"
#include "weir/reader.h"

struct input {
    const uint8_t *p, *end, *start;
    const uint8_t *hold; /* earliest byte to keep, or NULL */
    uint64_t base;       /* offset of start in the input */
    bool eof;
    bool memory;   /* the window is the caller's memory */
    bool text;     /* keep line and column of start */
    bool after_cr; /* the byte before start was CR */
    bool over;     /* the source has given a byte more than the input limit allows */
    bool failed;   /* the source failed, or the input limit was hit: error says which */
    bool has_source;
    uint64_t line, column; /* of start, from 1 */
    weir_source source;
    struct account *account;
    weir_error *error;
    const weir_allocator *allocator;
    uint8_t *buffer;
    size_t capacity;
};

void input_from_memory(struct input *in, const void *data, size_t len);
void input_from_source(struct input *in, weir_source source);
void input_close(struct input *in);

/* Tries to have at least n unread bytes; returns how many there are (less than n: the input ended or failed).
 */
size_t input_more(struct input *in, size_t n);

ALWAYS_INLINE size_t input_need(struct input *in, size_t n)
{
    size_t have = (size_t)(in->end - in->p);
    return likely(have >= n) ? have : input_more(in, n);
}

/* The next byte without consuming it, or -1 at the end. */
ALWAYS_INLINE int input_peek(struct input *in)
{
    if (likely(in->p < in->end)) {
        return *in->p;
    }
    return input_more(in, 1) ? *in->p : -1;
}

ALWAYS_INLINE uint64_t input_offset(const struct input *in)
{
    return in->base + (uint64_t)(in->p - in->start);
}

/* Lets the window begin at hold (or p): what is before it costs nothing any more when a position is asked
 * for. */
void input_forget(struct input *in);

/* Line and column of an offset that is in the window (or at its end). */
void input_position(const struct input *in, uint64_t offset, uint64_t *line, uint64_t *column);

#endif
