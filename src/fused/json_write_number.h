/* Numbers as JSON text, inlined into the writers' loops: integers, and doubles as the shortest text that reads back.
 *
 * Doubles: the one-product variant of Schubfach (Giulietti, "The Schubfach way to render doubles", 2021), as in
 * base/number_print.c and with its texts. Here the usual cases have no branch that depends on the value: a point
 * is put between the digits by a shuffle, and the length is computed. What is rare is left to num_print_double:
 * zeros, subnormals, scientific notation, results too close to call. */
#ifndef FUSED_JSON_WRITE_NUMBER_H
#define FUSED_JSON_WRITE_NUMBER_H

#include "base/config.h"
#include "base/number.h"
#include "base/number_inline.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

/* ---- integers ---- */

static const char number_pairs[201] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
                                      "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
                                      "8081828384858687888990919293949596979899";

ALWAYS_INLINE char *number_put_2(char *o, uint32_t v)
{
    memcpy(o, number_pairs + 2 * v, 2);
    return o + 2;
}

ALWAYS_INLINE char *number_put_4(char *o, uint32_t v)
{
    uint32_t high = v * 5243 >> 19; /* v / 100 */
    number_put_2(o, high);
    return number_put_2(o + 2, v - high * 100);
}

ALWAYS_INLINE char *number_put_8(char *o, uint32_t v)
{
    number_put_4(o, v / 10000);
    return number_put_4(o + 4, v % 10000);
}

/* 1 to 4 digits. */
ALWAYS_INLINE char *number_put_up_to_4(char *o, uint32_t v)
{
    if (v < 100) {
        if (v < 10) {
            *o = (char)('0' + v);
            return o + 1;
        }
        return number_put_2(o, v);
    }
    uint32_t high = v * 5243 >> 19;
    if (v < 1000) {
        *o = (char)('0' + high);
        return number_put_2(o + 1, v - high * 100);
    }
    number_put_2(o, high);
    return number_put_2(o + 2, v - high * 100);
}

ALWAYS_INLINE char *number_put_up_to_8(char *o, uint32_t v)
{
    if (v < 10000) {
        return number_put_up_to_4(o, v);
    }
    o = number_put_up_to_4(o, v / 10000);
    return number_put_4(o, v % 10000);
}

ALWAYS_INLINE char *number_put_u64(char *o, uint64_t v)
{
    if (v < 100000000) {
        return number_put_up_to_8(o, (uint32_t)v);
    }
    uint64_t high = v / 100000000;
    uint32_t low = (uint32_t)(v - high * 100000000);
    if (high < 100000000) {
        o = number_put_up_to_8(o, (uint32_t)high);
        return number_put_8(o, low);
    }
    uint32_t top = (uint32_t)(high / 100000000);
    o = number_put_up_to_4(o, top);
    o = number_put_8(o, (uint32_t)(high - (uint64_t)top * 100000000));
    return number_put_8(o, low);
}

ALWAYS_INLINE char *number_put_negative(char *o, int64_t v)
{
    *o = '-';
    return number_put_u64(o + 1, 0 - (uint64_t)v);
}

/* ---- doubles ---- */

static NEVER_INLINE char *number_put_rare(char *o, uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return o + num_print_double(o, value);
}

ALWAYS_INLINE bool number_is_finite(uint64_t bits)
{
    return (~bits & UINT64_C(0x7FF0000000000000)) != 0;
}

#if defined(__SSSE3__)

/* The 16 digits of v < 10^16, one a byte, the first one lowest: splits by 10^8, 10^4, 100 and 10, all at once. */
ALWAYS_INLINE __m128i number_digits_16(uint32_t high, uint32_t low)
{
    __m128i x = _mm_set_epi64x((int64_t)low, (int64_t)high);
    __m128i q = _mm_srli_epi64(_mm_mul_epu32(x, _mm_set1_epi64x(0xD1B71759)), 45);
    __m128i r = _mm_sub_epi32(x, _mm_mul_epu32(q, _mm_set1_epi64x(10000)));
    x = _mm_or_si128(q, _mm_slli_epi64(r, 32));
    q = _mm_srli_epi16(_mm_mulhi_epu16(x, _mm_set1_epi16(5243)), 3);
    r = _mm_sub_epi16(x, _mm_mullo_epi16(q, _mm_set1_epi16(100)));
    x = _mm_or_si128(q, _mm_slli_epi32(r, 16));
    q = _mm_mulhi_epu16(x, _mm_set1_epi16(6554));
    r = _mm_sub_epi16(x, _mm_mullo_epi16(q, _mm_set1_epi16(10)));
    return _mm_or_si128(q, _mm_slli_epi16(r, 8));
}

/* Windows at 16 - p. Added to 0, 1, 2 …: the shuffle that opens a gap at p; and the point to put there. */
static const uint8_t number_gap[33] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255,
    255, 255, 255, 255};
static const char number_point[33] = "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0.\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

ALWAYS_INLINE __m128i number_window(const void *table, size_t at)
{
    return _mm_loadu_si128((const __m128i *)(const void *)((const char *)table + at));
}

/* A finite double; writes up to 40 bytes. */
ALWAYS_INLINE char *number_put_double(char *o, uint64_t bits)
{
    uint64_t magnitude = bits & INT64_MAX, fraction = magnitude & 0xFFFFFFFFFFFFFu;
    int q = (int)(magnitude >> 52) - 1075;
    if (unlikely(magnitude >> 52 == 0)) {
        if (magnitude == 0) {
            memcpy(o, bits ? "-0.0" : "0.0\0", 4);
            return o + (bits ? 4 : 3);
        }
        return number_put_rare(o, bits);
    }
    uint64_t c = fraction | (uint64_t)1 << 52;
    /* x = c * 2^q / 10^k, an integer of 16 or 17 digits and a fraction of 64 bits. */
    int k = (q * 1262611) >> 22;                /* floor(log10(2^q)) */
    int h = q + num_log2_pow10(-k);             /* 0 … 3 */
    const uint64_t *entry = num_pow10_128[-k - NUM_POW10_MIN];
    unsigned beyond = (unsigned)(-k - NUM_POW10_CEIL_FIRST) > NUM_POW10_CEIL_LAST - NUM_POW10_CEIL_FIRST;
    num_u128 x = num_multiply(c << (h + 1), entry[0]);
    uint64_t low = num_multiply(c << (h + 1), entry[1] + beyond).high;
    x.low += low;
    x.high += x.low < low;
    /* Distances to the tens below and above in 4.60 fixed point, each within one unit of the truth. A power of two
     * has half the interval below itself, and only a multiple of ten is sure to be the shortest then. */
    uint64_t half = entry[0] >> (4 - h), half_below = half >> (fraction == 0);
    uint64_t tens = x.high / 10 * 10;
    uint64_t down = (x.high - tens) << 60 | x.low >> 4;
    uint64_t up = ((uint64_t)10 << 60) - down;
    bool is_tens = down < half_below || up < half;
    if (unlikely((down - half_below + 2 <= 4) | (up - half + 2 <= 4) | (x.low - 0x7FFFFFFFFFFFFFF0u <= 0x20) |
                 (fraction == 0 && !is_tens))) {
        return number_put_rare(o, bits);
    }
    uint64_t digits = x.high + (x.low >> 63);
    digits = down < half_below ? tens : digits;
    digits = up < half ? tens + 10 : digits;
    /* A leading digit if there are 17, and 16 more. */
    uint32_t high = (uint32_t)(digits / 100000000), tail = (uint32_t)(digits - (uint64_t)high * 100000000);
    uint32_t lead = high / 100000000;
    size_t seventeen = lead != 0;
    __m128i text = number_digits_16(high - lead * 100000000, tail);
    unsigned zeros = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(text, _mm_setzero_si128()));
    size_t last = 31 - (size_t)__builtin_clz((~zeros << 1 & 0x1FFFE) | 1); /* up to the last digit that isn't 0 */
    text = _mm_add_epi8(text, _mm_set1_epi8('0'));
    int point = 16 + (int)seventeen + k;
    if (unlikely((unsigned)(16 + k + 4) > 19)) { /* the point is among the 16, or at most four zeros before */
        return number_put_rare(o, bits);
    }
    *o = '-';
    o += bits >> 63;
    bool below_one = point <= 0;
    memcpy(o, "0.000000", 8);
    o += below_one ? 2 - point : 0;
    *o = (char)('0' + lead);
    o += seventeen;
    size_t p = below_one ? 16 : (size_t)point - seventeen;
    __m128i order = _mm_add_epi8(number_window(number_gap, 16 - p),
                                 _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    __m128i with_point = _mm_or_si128(_mm_shuffle_epi8(text, order), number_window(number_point, 16 - p));
    _mm_storeu_si128((__m128i *)(void *)(o + 1), text);
    _mm_storeu_si128((__m128i *)(void *)o, with_point);
    size_t len = last > p + 1 ? last : p + 1; /* at least one digit behind the point */
    return o + (below_one ? last : len + 1);
}

#else

ALWAYS_INLINE char *number_put_double(char *o, uint64_t bits)
{
    return number_put_rare(o, bits);
}

#endif

#endif
