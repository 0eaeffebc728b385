/* MessagePack writer: always the smallest encoding.
 *
 * What is not negative uses the unsigned families. A tag "ext:N" over BYTES becomes an ext; the tags 0 and 1
 * of CBOR (date-times) become the timestamp extension if the instant is kept exactly. A tag is written
 * together with its value, so it waits in the state for the next event. Other tags are losses. */
#include "flow/time_text.h"
#include "format/msgpack.h"
#include "text/binary.h"

enum { TAG_NONE, TAG_EXT, TAG_TEXT_TIME, TAG_EPOCH_TIME };

struct state {
    uint8_t tag; /* given by the event before this one */
    int8_t ext;
};

static bool allows(const weir_writer *w, uint32_t what)
{
    return w->options.allow & what;
}

/* A head and its argument in 0, 1, 2, 4 or 8 bytes, big-endian. */
static bool put(weir_writer *w, uint8_t head, uint64_t arg, size_t size)
{
    char *to = writer_room(w, 9);
    if (!to) {
        return false;
    }
    uint8_t *out = (uint8_t *)to;
    out[0] = head;
    store_be64(out + 1, size ? arg << (64 - 8 * size) : 0);
    writer_advance(w, size + 1);
    return true;
}

static bool put_unsigned(weir_writer *w, uint64_t value)
{
    if (value < 0x80) {
        return put(w, (uint8_t)value, 0, 0);
    }
    return value <= UINT8_MAX    ? put(w, 0xCC, value, 1)
           : value <= UINT16_MAX ? put(w, 0xCD, value, 2)
           : value <= UINT32_MAX ? put(w, 0xCE, value, 4)
                                 : put(w, 0xCF, value, 8);
}

static bool put_signed(weir_writer *w, int64_t value)
{
    uint64_t bits = (uint64_t)value;
    if (value >= 0) {
        return put_unsigned(w, bits);
    }
    if (value >= -32) {
        return put(w, (uint8_t)bits, 0, 0);
    }
    return value >= INT8_MIN    ? put(w, 0xD0, bits, 1)
           : value >= INT16_MIN ? put(w, 0xD1, bits, 2)
           : value >= INT32_MIN ? put(w, 0xD2, bits, 4)
                                : put(w, 0xD3, bits, 8);
}

static bool put_real(weir_writer *w, uint64_t bits, weir_width width)
{
    uint32_t narrow;
    if (width != WEIR_WIDTH_64 && binary_float_of(bits, &narrow)) {
        return put(w, 0xCA, narrow, 4);
    }
    return put(w, 0xCB, bits, 8);
}

static bool put_string(weir_writer *w, const char *text, size_t len)
{
    if (len > UINT32_MAX) {
        return writer_fail(w, WEIR_E_LOSS_LENGTH);
    }
    return (len < 32            ? put(w, (uint8_t)(0xA0 | len), 0, 0)
            : len <= UINT8_MAX  ? put(w, 0xD9, len, 1)
            : len <= UINT16_MAX ? put(w, 0xDA, len, 2)
                                : put(w, 0xDB, len, 4)) &&
           writer_append(w, text, len);
}

static bool put_bytes(weir_writer *w, const char *bytes, size_t len)
{
    if (len > UINT32_MAX) {
        return writer_fail(w, WEIR_E_LOSS_LENGTH);
    }
    return (len <= UINT8_MAX    ? put(w, 0xC4, len, 1)
            : len <= UINT16_MAX ? put(w, 0xC5, len, 2)
                                : put(w, 0xC6, len, 4)) &&
           writer_append(w, bytes, len);
}

static bool put_container(weir_writer *w, uint64_t count, bool map)
{
    if (count > UINT32_MAX) {
        return writer_fail(w, count == WEIR_UNKNOWN ? WEIR_E_UNSUPPORTED : WEIR_E_LOSS_LENGTH);
    }
    if (count < 16) {
        return put(w, (uint8_t)((map ? 0x80u : 0x90u) | count), 0, 0);
    }
    return count <= UINT16_MAX ? put(w, map ? 0xDE : 0xDC, count, 2) : put(w, map ? 0xDF : 0xDD, count, 4);
}

/* ---- extensions ---- */

static bool put_ext(weir_writer *w, int8_t type, const char *bytes, size_t len)
{
    uint8_t code = (uint8_t)type;
    if (len > UINT32_MAX) {
        return writer_fail(w, WEIR_E_LOSS_LENGTH);
    }
    bool head = len == 1            ? put(w, 0xD4, 0, 0)
                : len == 2          ? put(w, 0xD5, 0, 0)
                : len == 4          ? put(w, 0xD6, 0, 0)
                : len == 8          ? put(w, 0xD7, 0, 0)
                : len == 16         ? put(w, 0xD8, 0, 0)
                : len <= UINT8_MAX  ? put(w, 0xC7, len, 1)
                : len <= UINT16_MAX ? put(w, 0xC8, len, 2)
                                    : put(w, 0xC9, len, 4);
    return head && writer_append(w, &code, 1) && writer_append(w, bytes, len);
}

/* Can the extension carry it? It knows instants, without an offset. */
static bool fits_time(const weir_timestamp *time)
{
    return time->shape == WEIR_TIME_OFFSET && time->offset_minutes == 0 && time->nanoseconds < 1000000000;
}

static bool put_time(weir_writer *w, const weir_timestamp *time)
{
    char bytes[12];
    if (time->seconds < 0 || time->seconds >> 34) {
        store_be32(bytes, time->nanoseconds);
        store_be64(bytes + 4, (uint64_t)time->seconds);
        return put_ext(w, -1, bytes, 12);
    }
    if (time->nanoseconds || time->seconds > UINT32_MAX) {
        store_be64(bytes, (uint64_t)time->nanoseconds << 34 | (uint64_t)time->seconds);
        return put_ext(w, -1, bytes, 8);
    }
    store_be32(bytes, (uint32_t)time->seconds);
    return put_ext(w, -1, bytes, 4);
}

static bool timestamp(weir_writer *w, const weir_timestamp *time)
{
    char text[TIME_TEXT_SIZE];
    if (fits_time(time)) {
        return put_time(w, time);
    }
    size_t len = allows(w, WEIR_ALLOW_TIMESTAMP) ? time_text_print(text, time) : 0;
    return len ? put_string(w, text, len) : writer_fail(w, WEIR_E_LOSS_TIMESTAMP);
}

/* The content of tag 1: seconds since the epoch, where a fraction must be whole nanoseconds. Since 10^9 is
 * 2^9 * 5^9, these are the multiples of 1/512. */
static bool epoch_time(const weir_event *event, weir_timestamp *time)
{
    if (event->kind == WEIR_KIND_UINT && event->v.u <= INT64_MAX) {
        time->seconds = (int64_t)event->v.u;
        return true;
    }
    if (event->kind == WEIR_KIND_INT) {
        time->seconds = event->v.i;
        return true;
    }
    double value = event->v.d;
    if (event->kind != WEIR_KIND_REAL || !(value >= -0x1p52 && value <= 0x1p52)) {
        return false;
    }
    int64_t seconds = (int64_t)value;
    seconds -= (double)seconds > value;
    double parts = (value - (double)seconds) * 512;
    time->seconds = seconds;
    time->nanoseconds = (uint32_t)parts * 1953125u;
    return parts == (double)(uint32_t)parts;
}

static bool tagged_time(uint8_t tag, const weir_event *event, weir_timestamp *time)
{
    memset(time, 0, sizeof *time);
    if (tag == TAG_EPOCH_TIME) {
        return epoch_time(event, time);
    }
    if (event->kind != WEIR_KIND_STRING || !time_text_parse(event->text, event->len, time) ||
        !fits_time(time)) {
        return false;
    }
    return memcmp(event->text + 17, "60", 2) != 0; /* a leap second is no instant of its own here */
}

/* "ext:N" with N as printed, -128 … 127; -1 belongs to timestamps. */
static bool ext_name(const char *name, size_t len, int8_t *type)
{
    if (len < 5 || len > 8 || memcmp(name, "ext:", 4) != 0) {
        return false;
    }
    bool negative = name[4] == '-';
    size_t first = 4 + negative;
    int value = 0;
    for (size_t i = first; i < len; i++) {
        if (name[i] < '0' || name[i] > '9') {
            return false;
        }
        value = value * 10 + (name[i] - '0');
    }
    if (first == len || (name[first] == '0' && (len > first + 1 || negative)) || value > 127 + negative) {
        return false;
    }
    *type = (int8_t)(negative ? -value : value);
    return *type != -1;
}

static bool tag_event(weir_writer *w, struct state *state, const weir_event *event)
{
    if (event->text) {
        state->tag = ext_name(event->text, event->len, &state->ext) ? TAG_EXT : TAG_NONE;
    } else {
        state->tag = event->v.u == 0 ? TAG_TEXT_TIME : event->v.u == 1 ? TAG_EPOCH_TIME : TAG_NONE;
    }
    return state->tag != TAG_NONE || allows(w, WEIR_ALLOW_TAG) || writer_fail(w, WEIR_E_LOSS_TAG);
}

static bool write_event(weir_writer *w, const weir_event *event)
{
    struct state *state = w->state;
    if (unlikely(state->tag != TAG_NONE)) {
        uint8_t tag = state->tag;
        weir_timestamp time;
        state->tag = TAG_NONE;
        if (tag == TAG_EXT && event->kind == WEIR_KIND_BYTES) {
            return put_ext(w, state->ext, event->text, event->len);
        }
        if (tag != TAG_EXT && tagged_time(tag, event, &time)) {
            return put_time(w, &time);
        }
        if (!allows(w, WEIR_ALLOW_TAG)) {
            return writer_fail(w, WEIR_E_LOSS_TAG);
        }
    }
    switch (event->kind) {
    case WEIR_KIND_NULL:
        return put(w, 0xC0, 0, 0);
    case WEIR_KIND_FALSE:
        return put(w, 0xC2, 0, 0);
    case WEIR_KIND_TRUE:
        return put(w, 0xC3, 0, 0);
    case WEIR_KIND_UINT:
        return put_unsigned(w, event->v.u);
    case WEIR_KIND_INT:
        return put_signed(w, event->v.i);
    case WEIR_KIND_REAL:
        return put_real(w, event->v.u, (weir_width)event->width);
    case WEIR_KIND_STRING:
        return put_string(w, event->text, event->len);
    case WEIR_KIND_BYTES:
        return put_bytes(w, event->text, event->len);
    case WEIR_KIND_TIMESTAMP:
        return timestamp(w, &event->v.time);
    case WEIR_KIND_ARRAY:
    case WEIR_KIND_MAP:
        return put_container(w, event->count, event->kind == WEIR_KIND_MAP);
    case WEIR_KIND_TAGGED:
        return tag_event(w, state, event);
    case WEIR_KIND_END:
        return true;
    case WEIR_KIND_SECRET:
        return writer_fail(w, WEIR_E_LOSS_SECRET);
    default:
        return writer_fail(w, WEIR_E_LOSS_BIGINT);
    }
}

static bool begin_document(weir_writer *w)
{
    struct state *state = w->state;
    state->tag = TAG_NONE;
    return true;
}

const struct writer_ops msgpack_writer = {
    .state_size = sizeof(struct state),
    .event = write_event,
    .begin_document = begin_document,
};
