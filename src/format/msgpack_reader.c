/* MessagePack reader: every type of the specification, as events.
 *
 * A count or length is never believed: memory follows the bytes that arrive. Integers of every family become
 * UINT or INT by their sign, float 32 keeps its width. 0xC1 is refused. */
#include <stdio.h>

#include "base/number.h"
#include "format/msgpack.h"
#include "text/binary.h"

struct state {
    bool body; /* the tag "ext:N" was given, its bytes are due */
    uint32_t body_len;
    char name[16];
};

static bool short_input(weir_reader *r)
{
    return reader_fail_short(r, WEIR_E_MSGPACK_INCOMPLETE);
}

static bool string(weir_reader *r, weir_kind kind, uint64_t len, bool is_key, uint64_t offset)
{
    return binary_string(r, kind, len, is_key, offset, WEIR_E_MSGPACK_INCOMPLETE,
                         WEIR_E_MSGPACK_INVALID_UTF8);
}

/* Keys that are containers nest as values do. */
static bool container(weir_reader *r, weir_kind kind, uint64_t count, bool is_key, uint64_t offset)
{
    return (!is_key || reader_value(r, offset)) && reader_begin(r, kind, count, offset);
}

static bool unsigned_value(weir_reader *r, uint64_t value, bool is_key, uint64_t offset)
{
    if (!binary_scalar(r, is_key, offset)) {
        return false;
    }
    reader_event(r, WEIR_KIND_UINT, offset)->v.u = value;
    return true;
}

static bool signed_value(weir_reader *r, int64_t value, bool is_key, uint64_t offset)
{
    if (value >= 0) {
        return unsigned_value(r, (uint64_t)value, is_key, offset);
    }
    if (!binary_scalar(r, is_key, offset)) {
        return false;
    }
    reader_event(r, WEIR_KIND_INT, offset)->v.i = value;
    return true;
}

static bool real(weir_reader *r, uint64_t bits, weir_width width, bool is_key, uint64_t offset)
{
    if (!binary_scalar(r, is_key, offset)) {
        return false;
    }
    weir_event *event = reader_event(r, WEIR_KIND_REAL, offset);
    event->v.u = bits;
    event->width = (uint8_t)width;
    return true;
}

static bool simple(weir_reader *r, weir_kind kind, bool is_key, uint64_t offset)
{
    if (!binary_scalar(r, is_key, offset)) {
        return false;
    }
    reader_event(r, kind, offset);
    return true;
}

/* The fewest digits that show all of the fraction. */
static uint8_t fraction_digits(uint32_t nanoseconds)
{
    uint8_t digits = nanoseconds ? 9 : 0;
    for (; nanoseconds && nanoseconds % 10 == 0; nanoseconds /= 10) {
        digits--;
    }
    return digits;
}

static bool timestamp(weir_reader *r, uint32_t len, bool is_key, uint64_t offset)
{
    struct input *in = &r->in;
    if (len != 4 && len != 8 && len != 12) {
        return reader_fail(r, WEIR_E_MSGPACK_TIMESTAMP, offset);
    }
    if (input_need(in, len) < len) {
        return short_input(r);
    }
    weir_timestamp time = {.shape = WEIR_TIME_OFFSET};
    if (len == 4) {
        time.seconds = (int64_t)load_be32(in->p);
    } else if (len == 8) {
        uint64_t both = load_be64(in->p);
        time.nanoseconds = (uint32_t)(both >> 34);
        time.seconds = (int64_t)(both & 0x3FFFFFFFFu);
    } else {
        uint64_t seconds = load_be64(in->p + 4);
        time.nanoseconds = load_be32(in->p);
        memcpy(&time.seconds, &seconds, sizeof seconds);
    }
    if (time.nanoseconds > 999999999) {
        return reader_fail(r, WEIR_E_MSGPACK_TIMESTAMP, offset);
    }
    time.digits = fraction_digits(time.nanoseconds);
    if (!binary_scalar(r, is_key, offset)) {
        return false;
    }
    in->p += len;
    reader_event(r, WEIR_KIND_TIMESTAMP, offset)->v.time = time;
    return true;
}

static bool extension(weir_reader *r, uint8_t type_byte, uint32_t len, bool is_key, uint64_t offset)
{
    struct state *state = r->state;
    int type = type_byte < 0x80 ? type_byte : (int)type_byte - 256;
    if (type == -1) {
        return timestamp(r, len, is_key, offset);
    }
    int size = snprintf(state->name, sizeof state->name, "ext:%d", type);
    state->body = true;
    state->body_len = len;
    return (!is_key || reader_value(r, offset)) && reader_tag(r, 0, state->name, (size_t)size, offset);
}

static bool extension_body(weir_reader *r, struct state *state)
{
    uint64_t offset = input_offset(&r->in);
    state->body = false;
    return reader_child(r, offset) && reader_value(r, offset) &&
           string(r, WEIR_KIND_BYTES, state->body_len, false, offset);
}

/* Heads 0xC0 … 0xDF: their arguments have fixed sizes, which are asked for before they are looked at. */
static bool long_head(weir_reader *r, uint8_t head, bool is_key, uint64_t offset)
{
    static const uint8_t sizes[32] = {0, 0, 0, 0, 1, 2, 4, 2, 3, 5, 4, 8, 1, 2, 4, 8,
                                      1, 2, 4, 8, 1, 1, 1, 1, 1, 1, 2, 4, 2, 4, 2, 4};
    size_t size = sizes[head - 0xC0];
    if (input_need(&r->in, size + 1) < size + 1) {
        return short_input(r);
    }
    const uint8_t *arg = r->in.p + 1;
    r->in.p += size + 1;
    switch (head) {
    case 0xC0:
        return simple(r, WEIR_KIND_NULL, is_key, offset);
    case 0xC2:
        return simple(r, WEIR_KIND_FALSE, is_key, offset);
    case 0xC3:
        return simple(r, WEIR_KIND_TRUE, is_key, offset);
    case 0xC4:
        return string(r, WEIR_KIND_BYTES, *arg, is_key, offset);
    case 0xC5:
        return string(r, WEIR_KIND_BYTES, load_be16(arg), is_key, offset);
    case 0xC6:
        return string(r, WEIR_KIND_BYTES, load_be32(arg), is_key, offset);
    case 0xC7:
        return extension(r, arg[1], arg[0], is_key, offset);
    case 0xC8:
        return extension(r, arg[2], load_be16(arg), is_key, offset);
    case 0xC9:
        return extension(r, arg[4], load_be32(arg), is_key, offset);
    case 0xCA:
        return real(r, binary_widen_float(load_be32(arg)), WEIR_WIDTH_32, is_key, offset);
    case 0xCB:
        return real(r, load_be64(arg), WEIR_WIDTH_64, is_key, offset);
    case 0xCC:
        return unsigned_value(r, *arg, is_key, offset);
    case 0xCD:
        return unsigned_value(r, load_be16(arg), is_key, offset);
    case 0xCE:
        return unsigned_value(r, load_be32(arg), is_key, offset);
    case 0xCF:
        return unsigned_value(r, load_be64(arg), is_key, offset);
    case 0xD0:
        return signed_value(r, (int8_t)*arg, is_key, offset);
    case 0xD1:
        return signed_value(r, (int16_t)load_be16(arg), is_key, offset);
    case 0xD2:
        return signed_value(r, (int32_t)load_be32(arg), is_key, offset);
    case 0xD3:
        return signed_value(r, (int64_t)load_be64(arg), is_key, offset);
    case 0xD4:
    case 0xD5:
    case 0xD6:
    case 0xD7:
    case 0xD8:
        return extension(r, *arg, 1u << (head - 0xD4), is_key, offset);
    case 0xD9:
        return string(r, WEIR_KIND_STRING, *arg, is_key, offset);
    case 0xDA:
        return string(r, WEIR_KIND_STRING, load_be16(arg), is_key, offset);
    case 0xDB:
        return string(r, WEIR_KIND_STRING, load_be32(arg), is_key, offset);
    case 0xDC:
        return container(r, WEIR_KIND_ARRAY, load_be16(arg), is_key, offset);
    case 0xDD:
        return container(r, WEIR_KIND_ARRAY, load_be32(arg), is_key, offset);
    case 0xDE:
        return container(r, WEIR_KIND_MAP, load_be16(arg), is_key, offset);
    case 0xDF:
        return container(r, WEIR_KIND_MAP, load_be32(arg), is_key, offset);
    default:
        return reader_fail(r, WEIR_E_MSGPACK_RESERVED, offset);
    }
}

static bool next(weir_reader *r)
{
    struct state *state = r->state;
    struct input *in = &r->in;
    struct frame *top = frames_top(&r->stack);
    uint64_t offset = input_offset(in);
    bool is_key = false;
    if (unlikely(state->body)) {
        return extension_body(r, state);
    }
    if (top && !(top->flags & FRAME_VALUE)) {
        if (top->count == top->expected) {
            reader_end(r, offset);
            return true;
        }
        is_key = frame_kind(top) == WEIR_KIND_MAP;
        if (!reader_child(r, offset)) {
            return false;
        }
    }
    int head = input_peek(in);
    if (unlikely(head < 0)) {
        return short_input(r);
    }
    if (!is_key && !reader_value(r, offset)) {
        return false;
    }
    if (head >= 0xC0 && head < 0xE0) {
        return long_head(r, (uint8_t)head, is_key, offset);
    }
    in->p++;
    if (head < 0x80) {
        return unsigned_value(r, (uint64_t)head, is_key, offset);
    }
    if (head >= 0xE0) {
        return signed_value(r, head - 256, is_key, offset);
    }
    if (head >= 0xA0) {
        return string(r, WEIR_KIND_STRING, (uint64_t)(head & 0x1F), is_key, offset);
    }
    return container(r, head >= 0x90 ? WEIR_KIND_ARRAY : WEIR_KIND_MAP, (uint64_t)(head & 0x0F), is_key,
                     offset);
}

static enum reader_start start(weir_reader *r)
{
    return binary_start(r, WEIR_E_MSGPACK_INCOMPLETE);
}

const struct reader_ops msgpack_reader = {
    .state_size = sizeof(struct state),
    .start = start,
    .next = next,
    .finish = binary_finish,
};
