/* The reference readers of CBOR (RFC 8949; definite lengths, no tags, no byte
 * strings) and MessagePack (no bin, no ext): what JSON's data model needs, in
 * any width. They read back what writers made. */
#include "reference.h"

#include <math.h>
#include <string.h>

struct cursor {
    const unsigned char *p, *end;
    struct trace *trace;
    size_t depth;
    uint64_t left[TRACE_MAX_DEPTH]; /* values still to come in each open container */
};

static bool take(struct cursor *c, unsigned width, uint64_t *value)
{
    if ((size_t)(c->end - c->p) < width)
        return false;
    *value = 0;
    for (unsigned i = 0; i < width; i++)
        *value = *value << 8 | *c->p++;
    return true;
}

static bool take_string(struct cursor *c, uint64_t len)
{
    if (len > (uint64_t)(c->end - c->p))
        return false;
    trace_string(c->trace, (const char *)c->p, (size_t)len);
    c->p += len;
    return true;
}

/* `size` counts values: twice the entries of a map. */
static bool open_container(struct cursor *c, bool map, uint64_t size)
{
    if (c->depth == TRACE_MAX_DEPTH || size > (uint64_t)(c->end - c->p))
        return false;
    if (map)
        trace_begin_map(c->trace);
    else
        trace_begin_array(c->trace);
    c->left[c->depth++] = map ? size * 2 : size;
    return true;
}

static double half_to_double(uint64_t bits)
{
    int exponent = (int)(bits >> 10 & 31);
    double mantissa = (double)(bits & 1023);
    double value = exponent == 0    ? ldexp(mantissa, -24)
                   : exponent != 31 ? ldexp(mantissa + 1024, exponent - 25)
                   : mantissa == 0  ? (double)INFINITY
                                    : (double)NAN;
    return bits & 0x8000 ? -value : value;
}

static bool take_real(struct cursor *c, unsigned width)
{
    uint64_t bits;
    if (!take(c, width, &bits))
        return false;
    double value;
    if (width == 2) {
        value = half_to_double(bits);
    } else if (width == 4) {
        uint32_t low = (uint32_t)bits;
        float single;
        memcpy(&single, &low, sizeof single);
        value = (double)single;
    } else {
        memcpy(&value, &bits, sizeof value);
    }
    trace_real(c->trace, value);
    return true;
}

static bool cbor_value(struct cursor *c)
{
    uint64_t head, arg;
    if (!take(c, 1, &head))
        return false;
    unsigned major = (unsigned)(head >> 5), info = (unsigned)(head & 31);
    if (major == 7 && info >= 25 && info <= 27)
        return take_real(c, 2u << (info - 25));
    if (info < 24)
        arg = info;
    else if (info > 27 || !take(c, 1u << (info - 24), &arg))
        return false;
    switch (major) {
    case 0:
        trace_uint(c->trace, arg);
        return true;
    case 1:
        trace_int(c->trace, -1 - (int64_t)arg);
        return arg <= INT64_MAX;
    case 3:
        return take_string(c, arg);
    case 4:
        return open_container(c, false, arg);
    case 5:
        return open_container(c, true, arg);
    case 7:
        if (arg == 22)
            trace_null(c->trace);
        else
            trace_bool(c->trace, arg == 21);
        return arg >= 20 && arg <= 22;
    default:
        return false;
    }
}

static bool msgpack_sized(struct cursor *c, unsigned width, bool (*then)(struct cursor *, uint64_t))
{
    uint64_t size;
    return take(c, width, &size) && then(c, size);
}

static bool open_array(struct cursor *c, uint64_t size)
{
    return open_container(c, false, size);
}

static bool open_map(struct cursor *c, uint64_t size)
{
    return open_container(c, true, size);
}

static bool msgpack_number(struct cursor *c, unsigned head)
{
    unsigned width = 1u << (head & 3); /* cc..cf and d0..d3 */
    uint64_t bits;
    if (!take(c, width, &bits))
        return false;
    if (head < 0xd0) {
        trace_uint(c->trace, bits);
    } else {
        uint64_t sign = (uint64_t)1 << (8 * width - 1);
        trace_int(c->trace, (int64_t)((bits ^ sign) - sign));
    }
    return true;
}

static bool msgpack_value(struct cursor *c)
{
    uint64_t head;
    if (!take(c, 1, &head))
        return false;
    if (head < 0x80)
        trace_uint(c->trace, head);
    else if (head < 0x90)
        return open_map(c, head & 15);
    else if (head < 0xa0)
        return open_array(c, head & 15);
    else if (head < 0xc0)
        return take_string(c, head & 31);
    else if (head == 0xc0)
        trace_null(c->trace);
    else if (head == 0xc2 || head == 0xc3)
        trace_bool(c->trace, head == 0xc3);
    else if (head == 0xca || head == 0xcb)
        return take_real(c, head == 0xca ? 4 : 8);
    else if (head >= 0xcc && head <= 0xd3)
        return msgpack_number(c, (unsigned)head);
    else if (head >= 0xd9 && head <= 0xdb)
        return msgpack_sized(c, 1u << (head - 0xd9), take_string);
    else if (head == 0xdc || head == 0xdd)
        return msgpack_sized(c, head == 0xdc ? 2 : 4, open_array);
    else if (head == 0xde || head == 0xdf)
        return msgpack_sized(c, head == 0xde ? 2 : 4, open_map);
    else if (head >= 0xe0)
        trace_int(c->trace, (int64_t)head - 256);
    else
        return false;
    return true;
}

static bool read_one(const char *data, size_t len, struct trace *trace, bool (*value)(struct cursor *))
{
    struct cursor c = {
        .p = (const unsigned char *)data, .end = (const unsigned char *)data + len, .trace = trace};
    do {
        while (c.depth > 0 && c.left[c.depth - 1] == 0) {
            trace_end(trace);
            c.depth--;
        }
        if (c.depth > 0)
            c.left[c.depth - 1]--;
        else if (c.p != (const unsigned char *)data)
            break;
        if (!value(&c))
            return false;
    } while (true);
    return c.p == c.end && trace_complete(trace);
}

bool reference_read_cbor(const char *data, size_t len, struct trace *trace)
{
    return read_one(data, len, trace, cbor_value);
}

bool reference_read_msgpack(const char *data, size_t len, struct trace *trace)
{
    return read_one(data, len, trace, msgpack_value);
}
