/* The reference writers: a recorded trace to CBOR (RFC 8949 preferred
 * serialization, but every real as 64 bits) and to MessagePack (shortest
 * forms, non-negative integers unsigned). */
#include "reference.h"

#include <string.h>

static void put_be(struct text *out, uint8_t head, uint64_t value, unsigned width)
{
    char bytes[9] = {(char)head};
    for (unsigned i = 0; i < width; i++)
        bytes[1 + i] = (char)(value >> (8 * (width - 1 - i)));
    text_put(out, bytes, 1 + width);
}

static void cbor_head(struct text *out, unsigned major, uint64_t value)
{
    uint8_t head = (uint8_t)(major << 5);
    if (value < 24)
        put_be(out, (uint8_t)(head | value), 0, 0);
    else if (value <= UINT8_MAX)
        put_be(out, head | 24, value, 1);
    else if (value <= UINT16_MAX)
        put_be(out, head | 25, value, 2);
    else if (value <= UINT32_MAX)
        put_be(out, head | 26, value, 4);
    else
        put_be(out, head | 27, value, 8);
}

bool reference_write_cbor(const struct trace *trace, struct text *out)
{
    for (size_t i = 0; i < trace->count; i++) {
        const struct token *t = &trace->tokens[i];
        switch (token_kind_of(t)) {
        case TOKEN_NULL:
            put_be(out, 0xf6, 0, 0);
            break;
        case TOKEN_FALSE:
            put_be(out, 0xf4, 0, 0);
            break;
        case TOKEN_TRUE:
            put_be(out, 0xf5, 0, 0);
            break;
        case TOKEN_UINT:
            cbor_head(out, 0, t->v.u);
            break;
        case TOKEN_INT:
            cbor_head(out, 1, ~t->v.u);
            break;
        case TOKEN_REAL:
            put_be(out, 0xfb, t->v.u, 8);
            break;
        case TOKEN_STRING:
            cbor_head(out, 3, token_size(t));
            text_put(out, t->v.s, token_size(t));
            break;
        case TOKEN_BEGIN_ARRAY:
            cbor_head(out, 4, token_size(t));
            break;
        case TOKEN_BEGIN_MAP:
            cbor_head(out, 5, token_size(t));
            break;
        case TOKEN_END:
            break;
        }
    }
    return !out->failed;
}

static void msgpack_uint(struct text *out, uint64_t value)
{
    if (value < 0x80)
        put_be(out, (uint8_t)value, 0, 0);
    else if (value <= UINT8_MAX)
        put_be(out, 0xcc, value, 1);
    else if (value <= UINT16_MAX)
        put_be(out, 0xcd, value, 2);
    else if (value <= UINT32_MAX)
        put_be(out, 0xce, value, 4);
    else
        put_be(out, 0xcf, value, 8);
}

static void msgpack_negative(struct text *out, int64_t value)
{
    if (value >= -32)
        put_be(out, (uint8_t)value, 0, 0);
    else if (value >= INT8_MIN)
        put_be(out, 0xd0, (uint64_t)value, 1);
    else if (value >= INT16_MIN)
        put_be(out, 0xd1, (uint64_t)value, 2);
    else if (value >= INT32_MIN)
        put_be(out, 0xd2, (uint64_t)value, 4);
    else
        put_be(out, 0xd3, (uint64_t)value, 8);
}

/* `fix` holds counts up to `fix_max`, `head16` and the type after it the larger ones. */
static void msgpack_head(struct text *out, uint8_t fix, size_t fix_max, uint8_t head16, size_t size)
{
    if (size <= fix_max)
        put_be(out, (uint8_t)(fix | size), 0, 0);
    else if (size <= UINT16_MAX)
        put_be(out, head16, size, 2);
    else if (size <= UINT32_MAX)
        put_be(out, (uint8_t)(head16 + 1), size, 4);
    else
        out->failed = true;
}

bool reference_write_msgpack(const struct trace *trace, struct text *out)
{
    for (size_t i = 0; i < trace->count; i++) {
        const struct token *t = &trace->tokens[i];
        size_t size = token_size(t);
        switch (token_kind_of(t)) {
        case TOKEN_NULL:
            put_be(out, 0xc0, 0, 0);
            break;
        case TOKEN_FALSE:
            put_be(out, 0xc2, 0, 0);
            break;
        case TOKEN_TRUE:
            put_be(out, 0xc3, 0, 0);
            break;
        case TOKEN_UINT:
            msgpack_uint(out, t->v.u);
            break;
        case TOKEN_INT:
            msgpack_negative(out, t->v.i);
            break;
        case TOKEN_REAL:
            put_be(out, 0xcb, t->v.u, 8);
            break;
        case TOKEN_STRING:
            if (size > 31 && size <= UINT8_MAX)
                put_be(out, 0xd9, size, 1);
            else
                msgpack_head(out, 0xa0, 31, 0xda, size);
            text_put(out, t->v.s, size);
            break;
        case TOKEN_BEGIN_ARRAY:
            msgpack_head(out, 0x90, 15, 0xdc, size);
            break;
        case TOKEN_BEGIN_MAP:
            msgpack_head(out, 0x80, 15, 0xde, size);
            break;
        case TOKEN_END:
            break;
        }
    }
    return !out->failed;
}
