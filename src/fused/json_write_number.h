/* Numbers as JSON text, inlined into the writers' loops: integers, and doubles as the shortest text that
 * reads back.
 *
 * Doubles: the one-product variant of Schubfach (Giulietti, "The Schubfach way to render doubles", 2021), as
 * in base/number_print.c and with its texts. In the usual range nothing branches on the digits: a point is
 * put between them by a shuffle, and the length is computed. What is rare is left to num_print_double: zero,
 * subnormals, fractions that are powers of two, and results too close to call. */
#ifndef FUSED_JSON_WRITE_NUMBER_H
#define FUSED_JSON_WRITE_NUMBER_H

#include "base/config.h"
#include "base/number.h"
#include "base/number_inline.h"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

/* ---- integers ---- */

static const char number_pairs[201] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
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

/* The text of 16 digits: two times 8. */
#if defined(__AVX512IFMA__) && defined(__AVX512VBMI__)

/* n / 10^8 … n / 10 as fractions of 52 bits, ten times of which have the digits as integer part (Lemire and
 * Muła, "Converting integers to decimal strings faster with AVX-512", 2022). Right for all n < 10^8. */
ALWAYS_INLINE __m128i number_digits_16(uint32_t high, uint32_t low)
{
    const __m512i powers = _mm512_setr_epi64(0x2AF31DC, 0x1AD7F29B, 0x10C6F7A0C, 0xA7C5AC472, 0x68DB8BAC72,
                                             0x4189374BC6B, 0x28F5C28F5C29, 0x199999999999A);
    const __m512i correction = _mm512_setr_epi64(0x1A1A400, 0, 0, 0, 0, 0, 0, 0);
    const __m512i zero = _mm512_set1_epi64('0'), ten = _mm512_set1_epi64(10);
    const __m512i lowest_bytes = _mm512_castsi128_si512(
        _mm_setr_epi8(0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120));
    __m512i first = _mm512_madd52lo_epu64(correction, _mm512_set1_epi64(high), powers);
    __m512i second = _mm512_madd52lo_epu64(correction, _mm512_set1_epi64(low), powers);
    first = _mm512_madd52hi_epu64(zero, ten, first);
    second = _mm512_madd52hi_epu64(zero, ten, second);
    return _mm512_castsi512_si128(_mm512_permutex2var_epi8(first, lowest_bytes, second));
}

#else

/* Splits by 10^4, 100 and 10, all groups at once. */
ALWAYS_INLINE __m128i number_digits_16(uint32_t high, uint32_t low)
{
    __m128i hundred = _mm_set1_epi16(100), ten = _mm_set1_epi16(10);
    __asm__("" : "+x"(hundred), "+x"(ten)); /* or GCC multiplies by long chains of shifts and additions */
    __m128i x = _mm_set_epi64x((int64_t)low, (int64_t)high);
    __m128i q = _mm_srli_epi64(_mm_mul_epu32(x, _mm_set1_epi64x(0xD1B71759)), 45);
    __m128i r = _mm_sub_epi32(x, _mm_mul_epu32(q, _mm_set1_epi64x(10000)));
    x = _mm_or_si128(q, _mm_slli_epi64(r, 32));
    q = _mm_srli_epi16(_mm_mulhi_epu16(x, _mm_set1_epi16(5243)), 3);
    r = _mm_sub_epi16(x, _mm_mullo_epi16(q, hundred));
    x = _mm_or_si128(q, _mm_slli_epi32(r, 16));
    q = _mm_mulhi_epu16(x, _mm_set1_epi16(6554));
    r = _mm_sub_epi16(x, _mm_mullo_epi16(q, ten));
    return _mm_add_epi8(_mm_or_si128(q, _mm_slli_epi16(r, 8)), _mm_set1_epi8('0'));
}

#endif

/* Windows at 16 - p. Added to 0, 1, 2 …: the shuffle that opens a gap at p; and the point to put there. */
static const uint8_t number_gap[33] = {0,   0,   0,   0,   0,   0,    0,   0,   0,   0,   0,
                                       0,   0,   0,   0,   0,   0x80, 255, 255, 255, 255, 255,
                                       255, 255, 255, 255, 255, 255,  255, 255, 255, 255, 255};
static const char number_point[33] = "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0.\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

ALWAYS_INLINE __m128i number_window(const void *table, size_t at)
{
    return _mm_loadu_si128((const __m128i *)(const void *)((const char *)table + at));
}

/* A decimal of 16 or 17 digits in parts. */
struct number_digits {
    __m128i text; /* the last 16 */
    size_t last;  /* how many of these up to the last that isn't 0 */
    size_t seventeen;
    char lead; /* the first of 17 */
};

ALWAYS_INLINE struct number_digits number_digits_of(uint64_t digits)
{
    struct number_digits out;
    uint32_t high = (uint32_t)(digits / 100000000), low = (uint32_t)(digits - (uint64_t)high * 100000000);
    uint32_t lead = high / 100000000;
    out.text = number_digits_16(high - lead * 100000000, low);
    unsigned zeros = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(out.text, _mm_set1_epi8('0')));
    out.last = 31 - (size_t)__builtin_clz((~zeros << 1 & 0x1FFFE) | 1);
    out.seventeen = lead != 0;
    out.lead = (char)('0' + lead);
    return out;
}

/* With a point behind the first p of the 16; at least one digit follows it. */
ALWAYS_INLINE char *number_put_point(char *o, struct number_digits d, size_t p)
{
    __m128i order = _mm_add_epi8(number_window(number_gap, 16 - p),
                                 _mm_setr_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
    __m128i with_point = _mm_or_si128(_mm_shuffle_epi8(d.text, order), number_window(number_point, 16 - p));
    *o = d.lead;
    o += d.seventeen;
    _mm_storeu_si128((__m128i *)(void *)(o + 1), d.text);
    _mm_storeu_si128((__m128i *)(void *)o, with_point);
    return o + (d.last > p + 1 ? d.last : p + 1) + 1;
}

/* Zeros before the digits, all 16 digits before the point, or scientific. */
static NEVER_INLINE char *number_put_outside(char *o, uint64_t digits, int k)
{
    struct number_digits d = number_digits_of(digits);
    int point = 16 + (int)d.seventeen + k;
    if (point <= 0 && point >= -4) {
        memcpy(o, "0.000000", 8);
        o += 2 - point;
        *o = d.lead;
        o += d.seventeen;
        _mm_storeu_si128((__m128i *)(void *)o, d.text);
        return o + d.last;
    }
    if (k == 0 && !d.seventeen) {
        _mm_storeu_si128((__m128i *)(void *)o, d.text);
        memcpy(o + 16, ".0", 2);
        return o + 18;
    }
    char *end = number_put_point(o, d, 1 - d.seventeen);
    if (d.last <= 1 - d.seventeen) {
        end -= 2; /* one digit has no point */
    }
    int exponent = point - 1;
    *end++ = 'e';
    *end = '-';
    end += exponent < 0;
    return number_put_up_to_4(end, (uint32_t)(exponent < 0 ? -exponent : exponent));
}

/* A finite double; writes up to 40 bytes. */
ALWAYS_INLINE char *number_put_double(char *o, uint64_t bits)
{
    uint64_t fraction = bits & 0xFFFFFFFFFFFFFu, c = fraction | (uint64_t)1 << 52;
    int field = (int)(bits >> 52 & 0x7FF), q = field - 1075, zeros = __builtin_ctzll(c);
    if (q + zeros >= 0 && q <= 0) {
        *o = '-';
        o = number_put_u64(o + (bits >> 63), c >> -q);
        memcpy(o, ".0", 2);
        return o + 2;
    }
    if (unlikely(fraction == 0 || field == 0)) {
        return number_put_rare(o, bits);
    }
    /* x = c * 2^q / 10^k, an integer of 16 or 17 digits and a fraction of 64 bits. */
    int k = (q * 1262611) >> 22;    /* floor(log10(2^q)) */
    int h = q + num_log2_pow10(-k); /* 0 … 3 */
    const uint64_t *power = num_pow10_128[-k - NUM_POW10_MIN];
    num_u128 x = num_multiply(c << (h + 1), power[0]);
    uint64_t low = num_multiply(c << (h + 1), power[1]).high;
    x.low += low;
    x.high += x.low < low;
    /* Distances to the tens below and above, and half the interval, in 4.60 fixed point, each within two
     * units of the truth; the power may be rounded either way. */
    uint64_t half = power[0] >> (4 - h);
    uint64_t tens = x.high / 10 * 10;
    uint64_t down = (x.high - tens) << 60 | x.low >> 4;
    uint64_t up = ((uint64_t)10 << 60) - down;
    if (unlikely(down - half + 4 <= 8)) {
        return number_put_rare(o, bits);
    }
    if (unlikely(up - half + 4 <= 8)) {
        return number_put_rare(o, bits);
    }
    if (unlikely(x.low - 0x7FFFFFFFFFFFFFE0u <= 0x40)) {
        return number_put_rare(o, bits);
    }
    uint64_t digits = x.high + (x.low >> 63);
    digits = down < half ? tens : digits;
    digits = up < half ? tens + 10 : digits;
    *o = '-';
    o += bits >> 63;
    if (unlikely((unsigned)(16 + k) > 15)) {
        return number_put_outside(o, digits, k);
    }
    struct number_digits d = number_digits_of(digits);
    d.seventeen |= k == -16; /* "0." comes before all 16 then */
    int point = 16 + k;
    return number_put_point(o, d, (size_t)point);
}

#else

ALWAYS_INLINE char *number_put_double(char *o, uint64_t bits)
{
    return number_put_rare(o, bits);
}

#endif

#endif
