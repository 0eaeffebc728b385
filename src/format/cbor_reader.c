/* CBOR reader: RFC 8949 with sequences (RFC 8742), as events.
 *
 * Heads may be longer than necessary. undefined and simple(n) are named tags over NULL and UINT, the tags 2
 * and 3 are integers, tag 4 is a NUMBER where the policy for numbers keeps what a double does not; all other
 * tags stay tags, and what they tag is not judged. Strings in chunks are put together; chunks are definite
 * strings of the same kind. */
#include "base/bignum.h"
#include "format/cbor.h"
#include "text/binary.h"
#include "text/decimal.h"
#include "text/integer.h"

/* What the named tag given before is about to tag. */
enum { DUE_NOTHING, DUE_UNDEFINED, DUE_SIMPLE };

struct state {
    uint8_t due;
    uint8_t simple;
    weir_buffer work; /* magnitudes, digits */
};

struct head {
    uint8_t major, info;
    uint64_t argument;
    uint64_t offset;
};

static bool short_input(weir_reader *r)
{
    return reader_fail_short(r, WEIR_E_CBOR_INCOMPLETE);
}

/* Consumes the next head. Reserved ones are refused by their first byte. */
static bool read_head(weir_reader *r, struct head *head)
{
    struct input *in = &r->in;
    int first = input_peek(in);
    if (unlikely(first < 0)) {
        return short_input(r);
    }
    head->offset = input_offset(in);
    head->major = (uint8_t)(first >> 5);
    head->info = first & 0x1F;
    size_t size = cbor_head_size(head->info);
    if (unlikely(size == 0)) {
        return reader_fail(r, WEIR_E_CBOR_RESERVED, head->offset);
    }
    if (unlikely(input_need(in, size) < size)) {
        return short_input(r);
    }
    head->argument = cbor_head_argument(in->p, head->info);
    in->p += size;
    return true;
}

/* ---- strings ---- */

/* Sums of chunk lengths that pass their limit; a bignum's bytes count as the digits that they are at least.
 */
static bool too_long(weir_reader *r, weir_resource resource, uint64_t limit, uint64_t length, uint64_t offset)
{
    return resource == WEIR_RESOURCE_NUMBER
               ? reader_fail_point(r, resource, r->account.limit.number, bignum_least_digits(length), offset)
               : reader_fail_point(r, resource, limit, length, offset);
}

/* Appends the chunks of an indefinite-length string to *out; the limit counts them together. */
static bool read_chunks(weir_reader *r, const struct head *string, uint64_t limit, weir_resource resource,
                        weir_buffer *out)
{
    for (;;) {
        struct head chunk = {0};
        if (input_peek(&r->in) == CBOR_BREAK) {
            r->in.p++;
            return true;
        }
        if (!read_head(r, &chunk)) {
            return false;
        }
        if (chunk.major != string->major) {
            return reader_fail(r, WEIR_E_CBOR_CHUNK, chunk.offset);
        }
        if (chunk.info == CBOR_INFO_INDEFINITE) {
            return reader_fail(r, WEIR_E_CBOR_INDEFINITE, chunk.offset);
        }
        if (chunk.argument > limit || out->len > limit - chunk.argument) {
            uint64_t total;
            bool over = __builtin_add_overflow(chunk.argument, (uint64_t)out->len, &total);
            return too_long(r, resource, limit, over ? UINT64_MAX : total, chunk.offset);
        }
        if (!binary_body(r, chunk.argument, string->major == CBOR_TEXT, WEIR_E_CBOR_INCOMPLETE,
                         WEIR_E_CBOR_INVALID_UTF8)) {
            return false;
        }
        if (!weir_buffer_append(out, r->in.p, (size_t)chunk.argument)) {
            return reader_fail(r, WEIR_E_MEMORY, chunk.offset);
        }
        r->in.p += (size_t)chunk.argument;
    }
}

static bool read_string(weir_reader *r, const struct head *head, bool is_key)
{
    weir_kind kind = head->major == CBOR_TEXT ? WEIR_KIND_STRING : WEIR_KIND_BYTES;
    if (likely(head->info != CBOR_INFO_INDEFINITE)) {
        return binary_string(r, kind, head->argument, is_key, head->offset, WEIR_E_CBOR_INCOMPLETE,
                             WEIR_E_CBOR_INVALID_UTF8);
    }
    weir_buffer_clear(&r->text);
    if (!read_chunks(r, head, reader_text_limit(r, is_key), is_key ? WEIR_RESOURCE_KEY : WEIR_RESOURCE_STRING,
                     &r->text) ||
        !(is_key ? reader_key(r, r->text.len, head->offset) : reader_string(r, r->text.len, head->offset))) {
        return false;
    }
    weir_event *event = reader_event(r, kind, head->offset);
    event->text = r->text.len ? r->text.data : "";
    event->len = r->text.len;
    return true;
}

/* ---- numbers ---- */

static bool read_integer(weir_reader *r, const struct head *head, bool is_key)
{
    if (unlikely(head->info == CBOR_INFO_INDEFINITE)) {
        return reader_fail(r, WEIR_E_CBOR_INDEFINITE, head->offset);
    }
    if (head->major == CBOR_NEGATIVE && unlikely(head->argument > INT64_MAX)) {
        uint8_t magnitude[9] = {head->argument == UINT64_MAX};
        store_be64(magnitude + 1, head->argument + 1);
        return integer_event(r, true, magnitude, sizeof magnitude, is_key, head->offset,
                             WEIR_E_CBOR_INTEGER_RANGE);
    }
    if (!binary_scalar(r, is_key, head->offset)) {
        return false;
    }
    if (head->major == CBOR_NEGATIVE) {
        reader_event(r, WEIR_KIND_INT, head->offset)->v.i = -1 - (int64_t)head->argument;
    } else {
        reader_event(r, WEIR_KIND_UINT, head->offset)->v.u = head->argument;
    }
    return true;
}

/* Reads the byte string of a bignum into state->work, made the magnitude: of -1 - n it is n + 1. What has
 * more digits than a number may have fails at the head. */
static bool read_magnitude(weir_reader *r, const struct head *tag, bool is_key)
{
    struct state *state = r->state;
    weir_buffer *work = &state->work;
    struct head head = {0};
    uint64_t limit = r->account.limit.number, byte_limit = UINT64_MAX;
    if (!read_head(r, &head)) {
        return false;
    }
    if (head.major != CBOR_BYTES) {
        return reader_fail(r, WEIR_E_CBOR_TAG_CONTENT, head.offset);
    }
    if (limit < UINT64_MAX / 2) {
        /* No number within the limit needs more bytes; zeros before it are not worth the memory either. */
        byte_limit = limit + 64;
    }
    weir_buffer_clear(work);
    if (!weir_buffer_append(work, "", 1)) {
        return reader_fail(r, WEIR_E_MEMORY, tag->offset);
    }
    if (head.info == CBOR_INFO_INDEFINITE) {
        if (!read_chunks(r, &head, byte_limit, WEIR_RESOURCE_NUMBER, work)) {
            return false;
        }
    } else {
        if (head.argument > byte_limit) {
            return integer_admit(r, bignum_least_digits(head.argument), is_key, tag->offset);
        }
        if (!binary_body(r, head.argument, false, WEIR_E_CBOR_INCOMPLETE, WEIR_E_CBOR_INCOMPLETE)) {
            return false;
        }
        if (!weir_buffer_append(work, r->in.p, (size_t)head.argument)) {
            return reader_fail(r, WEIR_E_MEMORY, tag->offset);
        }
        r->in.p += (size_t)head.argument;
    }
    if (tag->argument == CBOR_TAG_NEGATIVE_BIGNUM) {
        /* The byte before the magnitude takes the last carry. */
        for (size_t i = work->len; i-- > 0 && ++*(unsigned char *)(work->data + i) == 0;) {
        }
    }
    return true;
}

static bool read_bignum(weir_reader *r, const struct head *tag, bool is_key)
{
    struct state *state = r->state;
    return read_magnitude(r, tag, is_key) &&
           integer_event(r, tag->argument == CBOR_TAG_NEGATIVE_BIGNUM, (const uint8_t *)state->work.data,
                         state->work.len, is_key, tag->offset, WEIR_E_CBOR_INTEGER_RANGE);
}

/* ---- decimal fractions ---- */

enum fraction { FRACTION_NUMBER, FRACTION_TAG, FRACTION_FAILED };

static enum fraction fraction_failed(weir_reader *r, weir_code code, uint64_t offset)
{
    (void)reader_fail(r, code, offset);
    return FRACTION_FAILED;
}

/* The second item of a decimal fraction, its magnitude into state->work. */
static enum fraction read_mantissa(weir_reader *r, bool is_key, bool *negative)
{
    struct state *state = r->state;
    struct head head = {0};
    if (!read_head(r, &head)) {
        return FRACTION_FAILED;
    }
    if (head.info == CBOR_INFO_INDEFINITE) {
        return FRACTION_TAG;
    }
    if (head.major == CBOR_TAG &&
        (head.argument == CBOR_TAG_BIGNUM || head.argument == CBOR_TAG_NEGATIVE_BIGNUM)) {
        *negative = head.argument == CBOR_TAG_NEGATIVE_BIGNUM;
        return read_magnitude(r, &head, is_key) ? FRACTION_NUMBER : FRACTION_FAILED;
    }
    if (head.major > CBOR_NEGATIVE) {
        return FRACTION_TAG;
    }
    *negative = head.major == CBOR_NEGATIVE;
    uint8_t magnitude[9] = {*negative && head.argument == UINT64_MAX};
    store_be64(magnitude + 1, head.argument + *negative);
    weir_buffer_clear(&state->work);
    return weir_buffer_append(&state->work, magnitude, sizeof magnitude)
               ? FRACTION_NUMBER
               : fraction_failed(r, WEIR_E_MEMORY, head.offset);
}

/* From the magnitude in state->work to the fraction's text there. */
static enum fraction fraction_text(weir_reader *r, bool negative, int64_t exponent, bool is_key,
                                   uint64_t offset)
{
    struct state *state = r->state;
    weir_buffer *work = &state->work;
    const uint8_t *magnitude = (const uint8_t *)work->data;
    size_t n = work->len;
    for (; n && !*magnitude; n--) {
        magnitude++;
    }
    if (bignum_least_digits(n) > r->account.limit.number) {
        (void)integer_admit(r, bignum_least_digits(n), is_key, offset);
        return FRACTION_FAILED;
    }
    weir_buffer_clear(&r->text);
    if (!bignum_to_decimal(magnitude, n, &r->text)) {
        return fraction_failed(r, WEIR_E_MEMORY, offset);
    }
    weir_buffer_clear(work);
    if (!decimal_join(negative, r->text.data, r->text.len, exponent, work)) {
        return fraction_failed(r, WEIR_E_MEMORY, offset);
    }
    bool number = (r->options.allow & WEIR_ALLOW_TAG) || !decimal_is_double(work->data, work->len);
    return number ? FRACTION_NUMBER : FRACTION_TAG;
}

/* Looks ahead at the content of tag 4: an array of an integer and an integer of any size. */
static enum fraction read_fraction(weir_reader *r, bool is_key, uint64_t offset)
{
    struct head head = {0}, exponent = {0};
    bool negative;
    if (!read_head(r, &head)) {
        return FRACTION_FAILED;
    }
    if (head.major != CBOR_ARRAY || head.info == CBOR_INFO_INDEFINITE || head.argument != 2) {
        return FRACTION_TAG;
    }
    if (!read_head(r, &exponent)) {
        return FRACTION_FAILED;
    }
    if (exponent.major > CBOR_NEGATIVE || exponent.info == CBOR_INFO_INDEFINITE ||
        exponent.argument > INT64_MAX) {
        return FRACTION_TAG;
    }
    enum fraction mantissa = read_mantissa(r, is_key, &negative);
    if (mantissa != FRACTION_NUMBER) {
        return mantissa;
    }
    int64_t power = (int64_t)exponent.argument;
    return fraction_text(r, negative, exponent.major == CBOR_NEGATIVE ? -1 - power : power, is_key, offset);
}

static bool plain_tag(weir_reader *r, const struct head *head, bool is_key)
{
    return (!is_key || reader_value(r, head->offset)) && reader_tag(r, head->argument, NULL, 0, head->offset);
}

/* The head of tag 4 is consumed; what follows it stays in the window until its fate is known. */
static bool read_decimal(weir_reader *r, const struct head *head, bool is_key)
{
    struct state *state = r->state;
    struct input *in = &r->in;
    in->hold = in->p;
    enum fraction found = read_fraction(r, is_key, head->offset);
    const uint8_t *content = in->hold;
    in->hold = NULL;
    if (found == FRACTION_FAILED) {
        return false;
    }
    if (found == FRACTION_TAG) {
        in->p = content;
        return plain_tag(r, head, is_key);
    }
    if (!integer_admit(r, state->work.len, is_key, head->offset)) {
        return false;
    }
    weir_event *event = reader_event(r, WEIR_KIND_NUMBER, head->offset);
    event->text = state->work.data;
    event->len = state->work.len;
    return true;
}

static bool read_tag(weir_reader *r, const struct head *head, bool is_key)
{
    weir_numbers policy = r->options.numbers;
    if (unlikely(head->info == CBOR_INFO_INDEFINITE)) {
        return reader_fail(r, WEIR_E_CBOR_INDEFINITE, head->offset);
    }
    if (head->argument == CBOR_TAG_BIGNUM || head->argument == CBOR_TAG_NEGATIVE_BIGNUM) {
        return read_bignum(r, head, is_key);
    }
    if (head->argument == CBOR_TAG_DECIMAL &&
        (policy == WEIR_NUMBERS_EXACT || policy == WEIR_NUMBERS_DECIMAL ||
         (r->options.allow & WEIR_ALLOW_TAG))) {
        return read_decimal(r, head, is_key);
    }
    return plain_tag(r, head, is_key);
}

/* ---- containers, simple values ---- */

static bool read_container(weir_reader *r, const struct head *head, bool is_key)
{
    uint64_t count = head->info == CBOR_INFO_INDEFINITE ? WEIR_UNKNOWN
                     : head->argument == WEIR_UNKNOWN   ? WEIR_UNKNOWN - 1 /* as unreachable as one more */
                                                        : head->argument;
    return (!is_key || reader_value(r, head->offset)) &&
           reader_begin(r, head->major == CBOR_ARRAY ? WEIR_KIND_ARRAY : WEIR_KIND_MAP, count, head->offset);
}

static bool named_tag(weir_reader *r, const char *name, size_t len, uint8_t due, bool is_key, uint64_t offset)
{
    struct state *state = r->state;
    state->due = due;
    return (!is_key || reader_value(r, offset)) && reader_tag(r, 0, name, len, offset);
}

static bool read_float(weir_reader *r, uint64_t bits, weir_width width, bool is_key, uint64_t offset)
{
    if (!binary_scalar(r, is_key, offset)) {
        return false;
    }
    weir_event *event = reader_event(r, WEIR_KIND_REAL, offset);
    event->v.u = bits;
    event->width = (uint8_t)width;
    return true;
}

static bool read_simple(weir_reader *r, const struct head *head, bool is_key)
{
    struct state *state = r->state;
    uint64_t offset = head->offset;
    switch (head->info) {
    case CBOR_FALSE:
    case CBOR_TRUE:
    case CBOR_NULL: {
        if (!binary_scalar(r, is_key, offset)) {
            return false;
        }
        weir_kind kind = head->info == CBOR_NULL   ? WEIR_KIND_NULL
                         : head->info == CBOR_TRUE ? WEIR_KIND_TRUE
                                                   : WEIR_KIND_FALSE;
        reader_event(r, kind, offset);
        return true;
    }
    case CBOR_UNDEFINED:
        return named_tag(r, "undefined", 9, DUE_UNDEFINED, is_key, offset);
    case CBOR_INFO_2:
        return read_float(r, binary_widen_half((uint16_t)head->argument), WEIR_WIDTH_16, is_key, offset);
    case CBOR_INFO_4:
        return read_float(r, binary_widen_float((uint32_t)head->argument), WEIR_WIDTH_32, is_key, offset);
    case CBOR_INFO_8:
        return read_float(r, head->argument, WEIR_WIDTH_64, is_key, offset);
    case CBOR_INFO_INDEFINITE:
        return reader_fail(r, WEIR_E_CBOR_BREAK, offset);
    default:
        if (head->info == CBOR_INFO_1 && head->argument < 32) {
            return reader_fail(r, WEIR_E_CBOR_SIMPLE, offset);
        }
        state->simple = (uint8_t)head->argument;
        return named_tag(r, "simple", 6, DUE_SIMPLE, is_key, offset);
    }
}

/* The value under "undefined" or "simple"; its byte was the tag's. */
static bool read_due(weir_reader *r, struct state *state)
{
    uint64_t offset = r->event.offset;
    bool undefined = state->due == DUE_UNDEFINED;
    state->due = DUE_NOTHING;
    if (!reader_child(r, offset) || !reader_value(r, offset) || !reader_scalar(r, offset)) {
        return false;
    }
    reader_event(r, undefined ? WEIR_KIND_NULL : WEIR_KIND_UINT, offset)->v.u = undefined ? 0 : state->simple;
    return true;
}

/* ---- events ---- */

/* In an open container: ends it, or begins its next child. *done tells that an end was given. */
static bool step_container(weir_reader *r, struct frame *top, bool *done)
{
    uint64_t offset = input_offset(&r->in);
    if (top->expected == WEIR_UNKNOWN && frame_kind(top) != WEIR_KIND_TAGGED) {
        int first = input_peek(&r->in);
        if (first < 0) {
            return short_input(r);
        }
        if (first == CBOR_BREAK) {
            r->in.p++;
            *done = true;
        }
    } else {
        *done = frame_kind(top) != WEIR_KIND_TAGGED && top->count == top->expected;
    }
    if (*done) {
        reader_end(r, offset);
        return true;
    }
    return reader_child(r, offset);
}

static bool next(weir_reader *r)
{
    struct state *state = r->state;
    struct frame *top = frames_top(&r->stack);
    bool is_key = false, done = false;
    struct head head = {0};
    if (unlikely(state->due != DUE_NOTHING)) {
        return read_due(r, state);
    }
    if (top && !(top->flags & FRAME_VALUE)) {
        is_key = frame_kind(top) == WEIR_KIND_MAP;
        if (!step_container(r, top, &done) || done) {
            return done;
        }
    } else if (top && top->expected == WEIR_UNKNOWN && input_peek(&r->in) == CBOR_BREAK) {
        return reader_fail(r, WEIR_E_CBOR_ODD_MAP, input_offset(&r->in));
    }
    if (!read_head(r, &head) || (!is_key && !reader_value(r, head.offset))) {
        return false;
    }
    switch (head.major) {
    case CBOR_UINT:
    case CBOR_NEGATIVE:
        return read_integer(r, &head, is_key);
    case CBOR_BYTES:
    case CBOR_TEXT:
        return read_string(r, &head, is_key);
    case CBOR_ARRAY:
    case CBOR_MAP:
        return read_container(r, &head, is_key);
    case CBOR_TAG:
        return read_tag(r, &head, is_key);
    default:
        return read_simple(r, &head, is_key);
    }
}

static bool open_reader(weir_reader *r)
{
    struct state *state = r->state;
    state->work.allocator = r->options.allocator;
    return true;
}

static void close_reader(weir_reader *r)
{
    struct state *state = r->state;
    weir_buffer_free(&state->work);
}

static enum reader_start start(weir_reader *r)
{
    return binary_start(r, WEIR_E_CBOR_INCOMPLETE);
}

const struct reader_ops cbor_reader = {
    .state_size = sizeof(struct state),
    .open = open_reader,
    .start = start,
    .next = next,
    .finish = binary_finish,
    .close = close_reader,
};
