/*
 * RFC 4648 encodings. Whole groups (3 bytes as 4 characters, 5 as 8, 1 as 2) take the short loops; the last
 * partial group is treated bit by bit, where strictness is decided.
 */
#include "base64.h"

#include <string.h>

struct alphabet {
    const char *characters;
    const uint8_t *values; /* 0xFF: foreign */
    uint8_t bits;          /* per character */
    uint8_t group_bytes, group_characters;
};

#define X 0xFF
#define X8 X, X, X, X, X, X, X, X
#define X16 X8, X8
#define X32 X16, X16
#define X128 X32, X32, X32, X32
#define DIGITS(first)                                                                                 \
    first, (first) + 1, (first) + 2, (first) + 3, (first) + 4, (first) + 5, (first) + 6, (first) + 7, \
        (first) + 8, (first) + 9
#define A_TO_Z(first)                                                                            \
    DIGITS(first), DIGITS((first) + 10), (first) + 20, (first) + 21, (first) + 22, (first) + 23, \
        (first) + 24, (first) + 25

static const uint8_t values_64[256] = {
    X32, X8,        X, X, X, 62, X, X, X,          63, DIGITS(52), X, X, X, X,   X, X, /* + / 0-9 */
    X,   A_TO_Z(0), X, X, X, X,  X, X, A_TO_Z(26), X,  X,          X, X, X, X128};
static const uint8_t values_64_url[256] = {
    X32, X8,        X, X, X, X, X,  62, X,          X, DIGITS(52), X, X, X, X,   X, X, /* - 0-9 */
    X,   A_TO_Z(0), X, X, X, X, 63, X,  A_TO_Z(26), X, X,          X, X, X, X128};
static const uint8_t values_32[256] = {X32, X16,       X, X,   26, 27, 28, 29, 30,        31, X8, /* 2-7 */
                                       X,   A_TO_Z(0), X, X,   X,  X,  X,  X,  A_TO_Z(0), X,  X,
                                       X,   X,         X, X128};
#define A_TO_V(first) DIGITS(first), DIGITS((first) + 10), (first) + 20, (first) + 21
static const uint8_t values_32_hex[256] = {X32, X16, DIGITS(0), X, X, X, X, X, X, X,   A_TO_V(10),
                                           X,   X,   X,         X, X, X, X, X, X, X,   A_TO_V(10),
                                           X,   X,   X,         X, X, X, X, X, X, X128};
#define A_TO_F 10, 11, 12, 13, 14, 15
static const uint8_t values_16[256] = {X32,    X16, DIGITS(0), X,   X, X,      X, X,  X,   X,
                                       A_TO_F, X,   X8,        X16, X, A_TO_F, X, X8, X16, X128};

static const struct alphabet alphabets[] = {
    [BASE_64] = {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", values_64, 6, 3, 4},
    [BASE_64_URL] = {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", values_64_url, 6, 3,
                     4},
    [BASE_32] = {"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", values_32, 5, 5, 8},
    [BASE_32_HEX] = {"0123456789ABCDEFGHIJKLMNOPQRSTUV", values_32_hex, 5, 5, 8},
    [BASE_16] = {"0123456789ABCDEF", values_16, 4, 1, 2},
    [BASE_16_LOWER] = {"0123456789abcdef", values_16, 4, 1, 2},
};

bool base_encoded_size(base_code code, base_padding padding, size_t n, size_t *size)
{
    const struct alphabet *a = &alphabets[code];
    size_t rest = n % a->group_bytes, whole;
    if (__builtin_mul_overflow(n / a->group_bytes, (size_t)a->group_characters, &whole))
        return false;
    size_t last = 0;
    if (rest > 0)
        last = padding == BASE_UNPADDED ? (rest * 8 + a->bits - 1) / a->bits : a->group_characters;
    return !__builtin_add_overflow(whole, last, size);
}

/* The last, partial group: its bits, filled with zeros, then padding. */
static char *encode_rest(const struct alphabet *a, bool padded, const uint8_t *p, size_t n, char *out)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < n; i++)
        bits = bits << 8 | p[i];
    size_t characters = (n * 8 + a->bits - 1) / a->bits;
    bits <<= characters * a->bits - n * 8;
    for (size_t i = characters; i > 0; i--)
        *out++ = a->characters[bits >> (i - 1) * a->bits & ((1u << a->bits) - 1)];
    for (size_t i = characters; padded && i < a->group_characters; i++)
        *out++ = '=';
    return out;
}

size_t base_encode(base_code code, base_padding padding, const void *data, size_t n, char *out)
{
    const struct alphabet *a = &alphabets[code];
    const uint8_t *p = data;
    const char *c = a->characters;
    char *start = out;
    switch (a->group_bytes) {
    case 3:
        for (; n >= 3; n -= 3, p += 3, out += 4) {
            uint32_t v = (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
            out[0] = c[v >> 18];
            out[1] = c[v >> 12 & 63];
            out[2] = c[v >> 6 & 63];
            out[3] = c[v & 63];
        }
        break;
    case 5:
        for (; n >= 5; n -= 5, p += 5) {
            uint64_t v = (uint64_t)p[0] << 32 | (uint64_t)p[1] << 24 | (uint64_t)p[2] << 16 |
                         (uint64_t)p[3] << 8 | p[4];
            for (int shift = 35; shift >= 0; shift -= 5)
                *out++ = c[v >> shift & 31];
        }
        break;
    default:
        for (; n > 0; n--, p++, out += 2) {
            out[0] = c[*p >> 4];
            out[1] = c[*p & 15];
        }
    }
    if (n > 0)
        out = encode_rest(a, padding != BASE_UNPADDED, p, n, out);
    return (size_t)(out - start);
}

size_t base_decoded_bound(base_code code, size_t n)
{
    const struct alphabet *a = &alphabets[code];
    return n / a->group_characters * a->group_bytes + a->group_bytes;
}

/* Takes the padding off the end; false if it is missing, unwanted or incomplete (*offence says where). */
static bool strip_padding(const struct alphabet *a, base_padding padding, const char *text, size_t *n,
                          size_t *offence)
{
    size_t end = *n, marks = 0;
    while (marks < end && marks < a->group_characters && text[end - 1 - marks] == '=')
        marks++;
    size_t group = a->group_characters ? a->group_characters : 1, rest = (end - marks) % group;
    *n = end - marks;
    if (marks == 0) {
        *offence = end;
        return rest == 0 || padding != BASE_PADDED;
    }
    *offence = end - marks;
    if (padding == BASE_UNPADDED || rest == 0)
        return false;
    if (rest + marks == a->group_characters)
        return true;
    *offence = rest + marks < a->group_characters ? end : end - marks + (a->group_characters - rest);
    return false;
}

static size_t first_foreign(const struct alphabet *a, const char *text, size_t from)
{
    while (a->values[(uint8_t)text[from]] != 0xFF)
        from++;
    return from;
}

/* Whole groups of `text` up to n; returns the characters taken, or the start of a group with a foreign one.
 */
static size_t decode_groups(const struct alphabet *a, const char *text, size_t n, uint8_t **out,
                            bool *foreign)
{
    const uint8_t *v = a->values;
    const uint8_t *t = (const uint8_t *)text;
    uint8_t *o = *out, bad = 0;
    size_t i = 0;
    switch (a->group_bytes) {
    case 3:
        for (; n - i >= 4; i += 4, o += 3) {
            uint8_t v0 = v[t[i]], v1 = v[t[i + 1]], v2 = v[t[i + 2]], v3 = v[t[i + 3]];
            bad = (uint8_t)(v0 | v1 | v2 | v3);
            if (bad & 0x80)
                break;
            uint32_t w = (uint32_t)v0 << 18 | (uint32_t)v1 << 12 | (uint32_t)v2 << 6 | v3;
            o[0] = (uint8_t)(w >> 16);
            o[1] = (uint8_t)(w >> 8);
            o[2] = (uint8_t)w;
        }
        break;
    case 5:
        for (; n - i >= 8; i += 8, o += 5) {
            uint64_t w = 0;
            bad = 0;
            for (size_t j = 0; j < 8; j++) {
                bad |= v[t[i + j]];
                w = w << 5 | (v[t[i + j]] & 31);
            }
            if (bad & 0x80)
                break;
            for (size_t j = 0; j < 5; j++)
                o[j] = (uint8_t)(w >> (32 - 8 * j));
        }
        break;
    default:
        for (; n - i >= 2; i += 2) {
            bad = v[t[i]] | v[t[i + 1]];
            if (bad & 0x80)
                break;
            *o++ = (uint8_t)(v[t[i]] << 4 | v[t[i + 1]]);
        }
    }
    *out = o;
    *foreign = bad >> 7;
    return i;
}

bool base_decode(base_code code, base_padding padding, const char *text, size_t n, uint8_t *out, size_t *size)
{
    const struct alphabet *a = &alphabets[code];
    uint8_t *o = out;
    size_t offence;
    /* base16 has no padding to speak of: a '=' there is foreign like any other. */
    bool well_padded = a->group_bytes == 1 || strip_padding(a, padding, text, &n, &offence);
    bool foreign;
    size_t i = decode_groups(a, text, n, &o, &foreign);
    if (foreign) {
        *size = first_foreign(a, text, i);
        return false;
    }
    uint64_t bits = 0;
    size_t rest = n - i;
    for (size_t j = i; j < n; j++) {
        if (a->values[(uint8_t)text[j]] == 0xFF) {
            *size = j;
            return false;
        }
        bits = bits << a->bits | a->values[(uint8_t)text[j]];
    }
    if (!well_padded) {
        *size = offence;
        return false;
    }
    size_t spare = rest * a->bits % 8;
    if (spare >= a->bits) { /* a character that adds no whole byte */
        *size = n;
        return false;
    }
    if (bits & (((uint64_t)1 << spare) - 1)) {
        *size = n - 1;
        return false;
    }
    bits >>= spare;
    for (size_t j = rest * a->bits / 8; j > 0; j--)
        *o++ = (uint8_t)(bits >> 8 * (j - 1));
    *size = (size_t)(o - out);
    return true;
}
