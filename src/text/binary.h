/* What the binary formats share: strings whose length stands before them, and the bits of floats.
 *
 * A string is admitted when its length is known, before a byte of it is asked for, so that a head that claims
 * gigabytes costs nothing. Floats are widened and narrowed by their bits: a NaN keeps its payload. */
#ifndef TEXT_BINARY_H
#define TEXT_BINARY_H

#include "base/utf8.h"
#include "flow/reader_priv.h"

/* The error for a body that is not all there: invalid UTF-8 in the bytes that are, else what ended the input.
 */
COLD bool binary_short(weir_reader *r, bool utf8, weir_code incomplete, weir_code invalid_utf8);
/* Invalid UTF-8 at its first wrong byte in the next len bytes. */
COLD bool binary_invalid(weir_reader *r, size_t len, weir_code invalid_utf8);

/* Most strings are short and ASCII: this decides them without a call. */
ALWAYS_INLINE bool binary_utf8(const uint8_t *p, size_t len)
{
    uint64_t seen = 0;
    if (len > 64) {
        return utf8_valid(p, len);
    }
    size_t i = 0;
    for (; i + 8 <= len; i += 8) {
        uint64_t word;
        memcpy(&word, p + i, 8);
        seen |= word;
    }
    for (; i < len; i++) {
        seen |= p[i];
    }
    return likely(!(seen & 0x8080808080808080u)) || utf8_valid(p, len);
}

/* Has the next len bytes in the window, valid UTF-8 if asked for. Does not consume them. */
ALWAYS_INLINE bool binary_body(weir_reader *r, uint64_t len, bool utf8, weir_code incomplete,
                               weir_code invalid_utf8)
{
    size_t need = len > SIZE_MAX ? SIZE_MAX : (size_t)len;
    if (unlikely(input_need(&r->in, need) < len)) {
        return binary_short(r, utf8, incomplete, invalid_utf8);
    }
    if (utf8 && unlikely(!binary_utf8(r->in.p, need))) {
        return binary_invalid(r, need, invalid_utf8);
    }
    return true;
}

/* Reads a STRING or BYTES of len bytes, which begin at the next byte; offset is where its head begins. */
ALWAYS_INLINE bool binary_string(weir_reader *r, weir_kind kind, uint64_t len, bool is_key, uint64_t offset,
                                 weir_code incomplete, weir_code invalid_utf8)
{
    if (!(is_key ? reader_key(r, len, offset) : reader_string(r, len, offset)) ||
        !binary_body(r, len, kind == WEIR_KIND_STRING, incomplete, invalid_utf8)) {
        return false;
    }
    weir_event *event = reader_event(r, kind, offset);
    event->text = (const char *)r->in.p;
    event->len = (size_t)len;
    event->borrowed = r->in.memory;
    r->in.p += (size_t)len;
    return true;
}

/* A scalar without text: keys are no nodes. */
ALWAYS_INLINE bool binary_scalar(weir_reader *r, bool is_key, uint64_t offset)
{
    return is_key || reader_scalar(r, offset);
}

/* Skips nothing: binary documents follow each other directly. */
enum reader_start binary_start(weir_reader *r, weir_code incomplete);
bool binary_finish(weir_reader *r);

static inline uint64_t binary_double_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double binary_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The bits of the double that has a float's or a half's value. */
uint64_t binary_widen_float(uint32_t bits);
uint64_t binary_widen_half(uint16_t bits);
/* The bits of the float or half that has exactly the value (and NaN payload) of a double, given by its bits:
 * passed as a double, a signaling NaN does not survive everywhere. false: there is none. */
bool binary_float_of(uint64_t wide, uint32_t *bits);
bool binary_half_of(uint64_t wide, uint16_t *bits);

/* A bounded look at the first bytes of an input, for detection: the stack of counts that a binary format's
 * structure needs. Deeper inputs are judged by what was seen so far. */
#define BINARY_LOOK_DEPTH 64

enum binary_look {
    BINARY_LOOK_WRONG, /* not this format */
    BINARY_LOOK_CUT,   /* right as far as the bytes go, in the middle of a value */
    BINARY_LOOK_WHOLE  /* ends where a value ends */
};

/* Bytes that are all printable ASCII or white space: no binary format claims them. */
bool binary_looks_like_text(const uint8_t *p, size_t n);

#endif
