/* What text formats share about strings in JSON's manner (RFC 8259 section 7): finding the byte that ends a
 * plain run, and escapes in both directions.
 *
 * Nothing here knows readers, writers or positions. */
#ifndef TEXT_JSON_TEXT_H
#define TEXT_JSON_TEXT_H

#include "base/config.h"
#include "base/simd.h"
#include "weir/memory.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Runs longer than this are left to the kernel of the CPU at hand. */
#define TEXT_RUN_INLINE 64

static inline bool text_is_special(uint8_t c)
{
    return c < 0x20 || c == '"' || c == '\\';
}

/* The index of the first quote, backslash or control character in p[0..n), or n. *ascii: no byte before it is
 * 0x80 or above (false may also mean that it was not looked at). */
ALWAYS_INLINE size_t text_plain_run(const struct simd_kernels *kernels, const uint8_t *p, size_t n,
                                    bool *ascii)
{
    size_t i = 0;
#ifdef __SSE2__
    const __m128i quote = _mm_set1_epi8('"'), escape = _mm_set1_epi8('\\'), control = _mm_set1_epi8(0x1F);
    unsigned high = 0;
    while (n - i >= 16) {
        __m128i v = _mm_loadu_si128((const __m128i *)(const void *)(p + i));
        __m128i hit = _mm_or_si128(_mm_cmpeq_epi8(v, quote), _mm_cmpeq_epi8(v, escape));
        hit = _mm_or_si128(hit, _mm_cmpeq_epi8(_mm_min_epu8(v, control), v));
        unsigned mask = (unsigned)_mm_movemask_epi8(hit), top = (unsigned)_mm_movemask_epi8(v);
        if (mask) {
            unsigned first = (unsigned)__builtin_ctz(mask);
            *ascii = !(high | (top & ((1u << first) - 1)));
            return i + first;
        }
        high |= top;
        i += 16;
        if (i == TEXT_RUN_INLINE) {
            *ascii = false;
            return i + kernels->find_quote_escape_control(p + i, n - i);
        }
    }
#else
    const uint64_t ones = UINT64_MAX / 255, tops = ones << 7;
    uint64_t high = 0;
    while (n - i >= 8) {
        uint64_t v = __builtin_bswap64(load_be64(p + i)); /* little-endian: the first byte is the lowest */
        uint64_t quote = v ^ ones * '"', escape = v ^ ones * '\\';
        uint64_t hit = ((quote - ones) & ~quote) | ((escape - ones) & ~escape) | ((v - ones * 0x20) & ~v);
        hit &= tops;
        if (hit) { /* borrows disturb bytes above the first hit only */
            unsigned first = (unsigned)__builtin_ctzll(hit) & ~7u;
            *ascii = !((high | (v & (((uint64_t)1 << first) - 1))) & tops);
            return i + first / 8;
        }
        high |= v & tops;
        i += 8;
        if (i == TEXT_RUN_INLINE) {
            *ascii = false;
            return i + kernels->find_quote_escape_control(p + i, n - i);
        }
    }
#endif
    bool any = high != 0;
    while (i < n && !text_is_special(p[i])) {
        any |= p[i++] >= 0x80;
    }
    *ascii = !any;
    return i;
}

/* Appends to a buffer that serves as scratch: without the NUL behind. false: out of memory. */
ALWAYS_INLINE bool text_append(weir_buffer *buffer, const void *bytes, size_t n)
{
    if (unlikely(buffer->cap - buffer->len <= n) && !weir_buffer_reserve(buffer, n)) {
        return false;
    }
    memcpy(buffer->data + buffer->len, bytes, n);
    buffer->len += n;
    return true;
}

/* The value of a hexadecimal digit of either case, or -1. */
int text_hex_digit(uint8_t c);

/* What `\c` stands for, c being one of `" \ / b f n r t`; else 0. */
uint8_t text_simple_escape(uint8_t c);

static inline bool text_is_high_surrogate(uint32_t unit)
{
    return (unit & 0xFC00) == 0xD800;
}

static inline bool text_is_low_surrogate(uint32_t unit)
{
    return (unit & 0xFC00) == 0xDC00;
}

static inline uint32_t text_join_surrogates(uint32_t high, uint32_t low)
{
    return 0x10000 + ((high & 0x3FF) << 10) + (low & 0x3FF);
}

/* Room that escaping n bytes needs at most; whole vectors are stored over it. */
#define TEXT_ESCAPED_SIZE(n) (6 * (n) + 16)

/* Writes n bytes of valid UTF-8 as the inside of a JSON string and returns the end. ascii: everything beyond
 * ASCII becomes \u escapes, with surrogate pairs. Otherwise only what must be escaped is: short forms where
 * there are some, else \u00xx. */
char *text_escape_json(char *to, const uint8_t *p, size_t n, bool ascii);

#endif
