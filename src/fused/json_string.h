/* Escapes of JSON strings (RFC 8259, section 7), for the document parser's kernels. Text is rewritten in
 * place: what an escape stands for is never longer than the escape. Lone surrogates are refused. */
#ifndef FUSED_JSON_STRING_H
#define FUSED_JSON_STRING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define INLINE static inline __attribute__((always_inline))
#define NOINLINE static __attribute__((noinline))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

/* Values of hex digits in each of the four places; negative: not a digit. */
#define HEX_ROW(shift)                                                                               \
    {                                                                                                \
        ['0'] = 0x10000, ['1'] = 0x10000 | 1 << shift, ['2'] = 0x10000 | 2 << shift,                 \
        ['3'] = 0x10000 | 3 << shift, ['4'] = 0x10000 | 4 << shift, ['5'] = 0x10000 | 5 << shift,    \
        ['6'] = 0x10000 | 6 << shift, ['7'] = 0x10000 | 7 << shift, ['8'] = 0x10000 | 8 << shift,    \
        ['9'] = 0x10000 | 9 << shift, ['A'] = 0x10000 | 10 << shift, ['B'] = 0x10000 | 11 << shift,  \
        ['C'] = 0x10000 | 12 << shift, ['D'] = 0x10000 | 13 << shift, ['E'] = 0x10000 | 14 << shift, \
        ['F'] = 0x10000 | 15 << shift, ['a'] = 0x10000 | 10 << shift, ['b'] = 0x10000 | 11 << shift, \
        ['c'] = 0x10000 | 12 << shift, ['d'] = 0x10000 | 13 << shift, ['e'] = 0x10000 | 14 << shift, \
        ['f'] = 0x10000 | 15 << shift                                                                \
    }
/* 0x10000 in every row survives "and" only if all four are digits. */
static const uint32_t hex_place[4][256] = {HEX_ROW(12), HEX_ROW(8), HEX_ROW(4), HEX_ROW(0)};

/* The four digits' value; 0x10000 or more: not four digits. */
INLINE uint32_t hex_four(const uint8_t *p)
{
    uint32_t a = hex_place[0][p[0]], b = hex_place[1][p[1]], c = hex_place[2][p[2]], d = hex_place[3][p[3]];
    return ((a | b | c | d) & 0xFFFF) | (~(a & b & c & d) & 0x10000);
}

/* What a backslash and this byte stand for; 0: nothing, or 'u'. */
static const uint8_t escape_value[256] = {['"'] = '"',  ['\\'] = '\\', ['/'] = '/',  ['b'] = '\b',
                                          ['f'] = '\f', ['n'] = '\n',  ['r'] = '\r', ['t'] = '\t'};

/* \\uXXXX at r, and all that follow it at once. `end` is the string's closing quote. False: not an escape. */
INLINE bool string_unicode(const uint8_t **from, uint8_t **to, const uint8_t *end)
{
    const uint8_t *r = *from;
    uint8_t *w = *to;
    do {
        uint32_t u = hex_four(r + 2);
        r += 6;
        if (likely(u >= 0x800 && (u & 0xF800) != 0xD800)) {
            if (unlikely(u > 0xFFFF)) {
                return false;
            }
            w[0] = (uint8_t)(0xE0 | u >> 12);
            w[1] = (uint8_t)(0x80 | (u >> 6 & 0x3F));
            w[2] = (uint8_t)(0x80 | (u & 0x3F));
            w += 3;
        } else if (u < 0x80) {
            *w++ = (uint8_t)u;
        } else if (u < 0x800) {
            w[0] = (uint8_t)(0xC0 | u >> 6);
            w[1] = (uint8_t)(0x80 | (u & 0x3F));
            w += 2;
        } else {
            if (u >= 0xDC00 || r + 6 > end || r[0] != '\\' || r[1] != 'u') {
                return false;
            }
            uint32_t v = hex_four(r + 2);
            if ((v & 0x1FC00) != 0xDC00) {
                return false;
            }
            r += 6;
            u = 0x10000 + ((u & 0x3FF) << 10) + (v & 0x3FF);
            w[0] = (uint8_t)(0xF0 | u >> 18);
            w[1] = (uint8_t)(0x80 | (u >> 12 & 0x3F));
            w[2] = (uint8_t)(0x80 | (u >> 6 & 0x3F));
            w[3] = (uint8_t)(0x80 | (u & 0x3F));
            w += 4;
        }
    } while (r[0] == '\\' && r[1] == 'u' && r < end);
    *from = r;
    *to = w;
    return true;
}

/* The general way to unescape, for kernels with string_find_escape and string_copy_run. */
#define DEFINE_STRING_UNESCAPE                                              \
    NOINLINE ptrdiff_t string_unescape(uint8_t *text, const uint8_t *end)   \
    {                                                                       \
        const uint8_t *r = string_find_escape(text);                        \
        uint8_t *w = text + (r - text);                                     \
        while (r < end) {                                                   \
            do {                                                            \
                if (r[1] == 'u') {                                          \
                    if (!string_unicode(&r, &w, end)) {                     \
                        return -1;                                          \
                    }                                                       \
                } else {                                                    \
                    uint8_t value = escape_value[r[1]];                     \
                    if (unlikely(value == 0)) {                             \
                        return -1;                                          \
                    }                                                       \
                    *w++ = value;                                           \
                    r += 2;                                                 \
                }                                                           \
            } while (*r == '\\' && r < end);                                \
            if (r > end) { /* an escape that the closing quote cut short */ \
                return -1;                                                  \
            }                                                               \
            r = string_copy_run(w, r, end, &w);                             \
        }                                                                   \
        *w = 0;                                                             \
        return w - text;                                                    \
    }

#endif
