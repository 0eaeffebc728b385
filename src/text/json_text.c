/* Escapes of JSON strings (RFC 8259 section 7). */
#include "text/json_text.h"

#include "base/utf8.h"

int text_hex_digit(uint8_t c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

uint8_t text_simple_escape(uint8_t c)
{
    switch (c) {
    case '"':
    case '\\':
    case '/':
        return c;
    case 'b':
        return '\b';
    case 'f':
        return '\f';
    case 'n':
        return '\n';
    case 'r':
        return '\r';
    case 't':
        return '\t';
    default:
        return 0;
    }
}

static char *put_unit(char *to, uint32_t unit)
{
    static const char digits[] = "0123456789abcdef";
    *to++ = '\\';
    *to++ = 'u';
    *to++ = digits[unit >> 12 & 15];
    *to++ = digits[unit >> 8 & 15];
    *to++ = digits[unit >> 4 & 15];
    *to++ = digits[unit & 15];
    return to;
}

static char *put_escape(char *to, uint8_t c)
{
    static const char letters[0x20] = {['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't'};
    char letter = c < 0x20 ? letters[c] : (char)c;
    if (!letter) {
        return put_unit(to, c);
    }
    *to++ = '\\';
    *to++ = letter;
    return to;
}

static char *escape_ascii(char *to, const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n;) {
        uint8_t c = p[i];
        if (c < 0x80) {
            if (text_is_special(c)) {
                to = put_escape(to, c);
            } else {
                *to++ = (char)c;
            }
            i++;
            continue;
        }
        uint32_t scalar = 0xFFFD;
        int size = utf8_decode(p + i, n - i, &scalar);
        i += size > 0 ? (size_t)size : 1;
        if (scalar > 0xFFFF) {
            to = put_unit(to, 0xD800 + ((scalar - 0x10000) >> 10));
            scalar = 0xDC00 + (scalar & 0x3FF);
        }
        to = put_unit(to, scalar);
    }
    return to;
}

char *text_escape_json(char *to, const uint8_t *p, size_t n, bool ascii)
{
    if (ascii) {
        return escape_ascii(to, p, n);
    }
    size_t i = 0;
#ifdef __SSE2__
    const __m128i quote = _mm_set1_epi8('"'), escape = _mm_set1_epi8('\\'), control = _mm_set1_epi8(0x1F);
    while (n - i >= 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        __m128i hit = _mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, escape));
        hit = _mm_or_si128(hit, _mm_cmpeq_epi8(_mm_min_epu8(v, control), v));
        unsigned mask = (unsigned)_mm_movemask_epi8(hit);
        _mm_storeu_si128((__m128i *)(void *)to, v);
        if (!mask) {
            to += 16;
            i += 16;
            continue;
        }
        unsigned first = (unsigned)__builtin_ctz(mask);
        to = put_escape(to + first, p[i + first]);
        i += first + 1;
    }
#endif
    for (; i < n; i++) {
        if (unlikely(text_is_special(p[i]))) {
            to = put_escape(to, p[i]);
        } else {
            *to++ = (char)p[i];
        }
    }
    return to;
}
