/* CBOR writer: RFC 8949, preferred serialization; with WEIR_CANONICAL also its floats (section 4.2.1).
 *
 * Heads are the shortest, lengths definite where the count is known. Floats keep their width. Numbers beyond
 * 64 bits become bignums or, with a point or an exponent, decimal fractions (tag 4). Instants become tag 1 if
 * they are whole seconds of UTC, else tag 0; dates tag 1004. The named tags "undefined" and "simple" wait for
 * their value. */
#include <math.h>

#include "base/bignum.h"
#include "flow/time_text.h"
#include "format/cbor.h"
#include "text/binary.h"
#include "text/decimal.h"

enum { TAG_NONE, TAG_UNDEFINED, TAG_SIMPLE };

struct state {
    uint8_t tag; /* given by the event before this one */
    weir_buffer work;
};

static bool allows(const weir_writer *w, uint32_t what)
{
    return w->options.allow & what;
}

static bool put_head(weir_writer *w, unsigned major, uint64_t argument)
{
    char *to = writer_room(w, 9);
    if (!to) {
        return false;
    }
    unsigned info = argument < CBOR_INFO_1   ? (unsigned)argument
                    : argument <= UINT8_MAX  ? CBOR_INFO_1
                    : argument <= UINT16_MAX ? CBOR_INFO_2
                    : argument <= UINT32_MAX ? CBOR_INFO_4
                                             : CBOR_INFO_8;
    size_t size = cbor_head_size(info);
    to[0] = (char)(major << 5 | info);
    store_be64(to + 1, size > 1 ? argument << (64 - 8 * (size - 1)) : 0);
    writer_advance(w, size);
    return true;
}

static bool put_byte(weir_writer *w, unsigned byte)
{
    char one = (char)byte;
    return writer_append(w, &one, 1);
}

static bool put_string(weir_writer *w, unsigned major, const char *text, size_t len)
{
    return put_head(w, major, len) && writer_append(w, text, len);
}

/* ---- floats ---- */

static bool put_half(weir_writer *w, uint16_t bits)
{
    char out[3] = {(char)(CBOR_SIMPLE << 5 | CBOR_INFO_2)};
    store_be16(out + 1, bits);
    return writer_append(w, out, sizeof out);
}

/* At the width asked for, or the next wider one that has the value. */
static bool put_real(weir_writer *w, uint64_t bits, weir_width width)
{
    uint16_t half;
    uint32_t single;
    if (w->options.flags & WEIR_CANONICAL) {
        if (isnan(binary_double(bits))) {
            return put_half(w, 0x7E00);
        }
        width = WEIR_WIDTH_16;
    }
    if (width == WEIR_WIDTH_16 && binary_half_of(bits, &half)) {
        return put_half(w, half);
    }
    char out[9];
    if (width != WEIR_WIDTH_64 && binary_float_of(bits, &single)) {
        out[0] = (char)(CBOR_SIMPLE << 5 | CBOR_INFO_4);
        store_be32(out + 1, single);
        return writer_append(w, out, 5);
    }
    out[0] = (char)(CBOR_SIMPLE << 5 | CBOR_INFO_8);
    store_be64(out + 1, bits);
    return writer_append(w, out, 9);
}

/* ---- numbers beyond 64 bits ---- */

/* The integer whose magnitude is n big-endian bytes without leading zeros. */
static bool put_magnitude(weir_writer *w, bool negative, uint8_t *magnitude, size_t n)
{
    if (negative) {
        /* what is written is -1 - value */
        for (size_t i = n; i-- > 0 && magnitude[i]-- == 0;) {
        }
        if (n && magnitude[0] == 0) {
            magnitude++;
            n--;
        }
    }
    if (n <= 8) {
        uint64_t value = 0;
        for (size_t i = 0; i < n; i++) {
            value = value << 8 | magnitude[i];
        }
        return put_head(w, negative ? CBOR_NEGATIVE : CBOR_UINT, value);
    }
    return put_head(w, CBOR_TAG, negative ? CBOR_TAG_NEGATIVE_BIGNUM : CBOR_TAG_BIGNUM) &&
           put_string(w, CBOR_BYTES, (const char *)magnitude, n);
}

static bool put_number(weir_writer *w, struct state *state, const char *text, size_t len)
{
    weir_buffer *work = &state->work;
    struct decimal parts;
    weir_buffer_clear(work);
    if (!decimal_split(text, len, work, &parts)) {
        return writer_fail(w, WEIR_E_MEMORY);
    }
    bool zero = work->data[0] == '0';
    if (parts.negative && zero) {
        return put_real(w, binary_double_bits(-0.0), WEIR_WIDTH_64); /* no integer has this sign */
    }
    if (!parts.integer) {
        if (parts.huge) {
            return writer_fail(w, WEIR_E_LOSS_BIGINT);
        }
        uint64_t power = parts.exponent < 0 ? (uint64_t)(-1 - parts.exponent) : (uint64_t)parts.exponent;
        if (!put_head(w, CBOR_TAG, CBOR_TAG_DECIMAL) || !put_head(w, CBOR_ARRAY, 2) ||
            !put_head(w, parts.exponent < 0 ? CBOR_NEGATIVE : CBOR_UINT, power)) {
            return false;
        }
    }
    /* The bytes are appended behind the digits, which may move them: so room comes first. */
    size_t digits = work->len;
    if (!weir_buffer_reserve(work, digits + 4) || !bignum_from_decimal(work->data, digits, work)) {
        return writer_fail(w, WEIR_E_MEMORY);
    }
    return put_magnitude(w, parts.negative, (uint8_t *)work->data + digits, work->len - digits);
}

/* ---- timestamps ---- */

static bool put_timestamp(weir_writer *w, const weir_timestamp *time)
{
    char text[TIME_TEXT_SIZE];
    if (time->shape == WEIR_TIME_OFFSET && !time->nanoseconds && !time->digits && !time->offset_minutes) {
        return put_head(w, CBOR_TAG, 1) &&
               (time->seconds < 0 ? put_head(w, CBOR_NEGATIVE, (uint64_t)(-1 - time->seconds))
                                  : put_head(w, CBOR_UINT, (uint64_t)time->seconds));
    }
    size_t len = time_text_print(text, time);
    bool tagged = time->shape == WEIR_TIME_OFFSET || time->shape == WEIR_TIME_DATE;
    if (len == 0 || (!tagged && !allows(w, WEIR_ALLOW_TIMESTAMP))) {
        return writer_fail(w, WEIR_E_LOSS_TIMESTAMP);
    }
    return (!tagged || put_head(w, CBOR_TAG, time->shape == WEIR_TIME_DATE ? CBOR_TAG_DATE : 0)) &&
           put_string(w, CBOR_TEXT, text, len);
}

/* ---- containers, tags ---- */

static bool put_container(weir_writer *w, unsigned major, uint64_t count)
{
    if (count != WEIR_UNKNOWN) {
        return put_head(w, major, count);
    }
    if (w->options.flags & WEIR_CANONICAL) {
        return writer_fail(w, WEIR_E_UNSUPPORTED);
    }
    return put_byte(w, major << 5 | CBOR_INFO_INDEFINITE);
}

static bool is_name(const weir_event *event, const char *name)
{
    return event->len == strlen(name) && memcmp(event->text, name, event->len) == 0;
}

static bool put_tag(weir_writer *w, struct state *state, const weir_event *event)
{
    if (!event->text) {
        return put_head(w, CBOR_TAG, event->v.u);
    }
    state->tag = is_name(event, "undefined") ? TAG_UNDEFINED
                 : is_name(event, "simple")  ? TAG_SIMPLE
                                             : TAG_NONE;
    return state->tag != TAG_NONE || allows(w, WEIR_ALLOW_TAG) || writer_fail(w, WEIR_E_LOSS_TAG);
}

/* Simple values that are not false, true, null, undefined or reserved. */
static bool is_simple(const weir_event *event)
{
    return event->kind == WEIR_KIND_UINT &&
           (event->v.u < CBOR_FALSE || (event->v.u >= 32 && event->v.u <= 255));
}

static bool write_event(weir_writer *w, const weir_event *event)
{
    struct state *state = w->state;
    if (unlikely(state->tag != TAG_NONE)) {
        uint8_t tag = state->tag;
        state->tag = TAG_NONE;
        if (tag == TAG_UNDEFINED && event->kind == WEIR_KIND_NULL) {
            return put_byte(w, CBOR_SIMPLE << 5 | CBOR_UNDEFINED);
        }
        if (tag == TAG_SIMPLE && is_simple(event)) {
            return put_head(w, CBOR_SIMPLE, event->v.u);
        }
        if (!allows(w, WEIR_ALLOW_TAG)) {
            return writer_fail(w, WEIR_E_LOSS_TAG);
        }
    }
    switch (event->kind) {
    case WEIR_KIND_NULL:
        return put_byte(w, CBOR_SIMPLE << 5 | CBOR_NULL);
    case WEIR_KIND_FALSE:
        return put_byte(w, CBOR_SIMPLE << 5 | CBOR_FALSE);
    case WEIR_KIND_TRUE:
        return put_byte(w, CBOR_SIMPLE << 5 | CBOR_TRUE);
    case WEIR_KIND_UINT:
        return put_head(w, CBOR_UINT, event->v.u);
    case WEIR_KIND_INT:
        return put_head(w, CBOR_NEGATIVE, (uint64_t)(-1 - event->v.i));
    case WEIR_KIND_REAL:
        return put_real(w, event->v.u, (weir_width)event->width);
    case WEIR_KIND_NUMBER:
        return put_number(w, state, event->text, event->len);
    case WEIR_KIND_STRING:
        return put_string(w, CBOR_TEXT, event->text, event->len);
    case WEIR_KIND_BYTES:
        return put_string(w, CBOR_BYTES, event->text, event->len);
    case WEIR_KIND_TIMESTAMP:
        return put_timestamp(w, &event->v.time);
    case WEIR_KIND_ARRAY:
    case WEIR_KIND_MAP:
        return put_container(w, event->kind == WEIR_KIND_MAP ? CBOR_MAP : CBOR_ARRAY, event->count);
    case WEIR_KIND_TAGGED:
        return put_tag(w, state, event);
    case WEIR_KIND_END:
        return frames_top(&w->stack)->expected != WEIR_UNKNOWN || put_byte(w, CBOR_BREAK);
    default:
        return writer_fail(w, WEIR_E_LOSS_SECRET);
    }
}

static bool open_writer(weir_writer *w)
{
    struct state *state = w->state;
    state->work.allocator = w->options.allocator;
    return true;
}

static bool begin_document(weir_writer *w)
{
    struct state *state = w->state;
    state->tag = TAG_NONE;
    return true;
}

static void close_writer(weir_writer *w)
{
    struct state *state = w->state;
    weir_buffer_free(&state->work);
}

const struct writer_ops cbor_writer = {
    .state_size = sizeof(struct state),
    .open = open_writer,
    .event = write_event,
    .begin_document = begin_document,
    .close = close_writer,
};
