/*
 * The inner steps of reading decimals, for loops that cannot afford a call: eight digits to an integer, and w
 * * 10^q to binary, correctly rounded, after Lemire, "Number parsing at a gigabyte per second" (2021), and
 * Mushtak and Lemire, "Fast number parsing without fallback" (2023), which proves that the 128-bit product
 * always decides.
 */
#ifndef WEIR_BASE_NUMBER_INLINE_H
#define WEIR_BASE_NUMBER_INLINE_H

#include "pow10_table.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Decimal exponents outside which a 64-bit significand is surely 0 or infinite. */
#define NUM_DOUBLE_Q_MIN (-342)
#define NUM_DOUBLE_Q_MAX 308
#define NUM_FLOAT_Q_MIN (-65)
#define NUM_FLOAT_Q_MAX 38

#define NUM_DOUBLE_INFINITY_BITS 0x7FF0000000000000u
#define NUM_FLOAT_INFINITY_BITS 0x7F800000u

/* The value of the eight bytes at p, if all are digits: in one word, by pairs, fours and all. */
static inline bool num_eight_digits(const char *p, uint64_t *value)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    if (((word & 0xF0F0F0F0F0F0F0F0u) | ((word + 0x0606060606060606u) & 0xF0F0F0F0F0F0F0F0u) >> 4) !=
        0x3333333333333333u)
        return false;
    word -= 0x3030303030303030u;
    word = word * 10 + (word >> 8);
    *value = ((word & 0x000000FF000000FFu) * (100 + ((uint64_t)1000000 << 32)) +
              (word >> 16 & 0x000000FF000000FFu) * (1 + ((uint64_t)10000 << 32))) >>
             32;
    return true;
}

typedef struct num_u128 {
    uint64_t high, low;
} num_u128;

static inline num_u128 num_multiply(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;
    return (num_u128){(uint64_t)(product >> 64), (uint64_t)product};
#else
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t low = a0 * b0, mid1 = a1 * b0, mid2 = a0 * b1;
    uint64_t mid = (low >> 32) + (uint32_t)mid1 + (uint32_t)mid2;
    return (num_u128){a1 * b1 + (mid1 >> 32) + (mid2 >> 32) + (mid >> 32), (mid << 32) | (uint32_t)low};
#endif
}

/* floor(log2(10^q)) for |q| <= 1233. */
static inline int num_log2_pow10(int q)
{
    return (q * 217706) >> 16;
}

/*
 * The shared body. bits = explicit significand bits, bias = exponent bias, tie_min..tie_max = the decimal
 * exponents for which w * 10^q can lie exactly halfway. All but w and q are constants where this is inlined.
 */
static inline uint64_t num_eisel_lemire(uint64_t w, int q, int bits, int bias, int tie_min, int tie_max)
{
    int zeros = __builtin_clzll(w);
    w <<= zeros;
    const uint64_t *power = num_pow10_128[q - NUM_POW10_MIN];
    num_u128 product = num_multiply(w, power[0]);
    uint64_t undecided = UINT64_MAX >> (bits + 3);
    if (__builtin_expect((product.high & undecided) == undecided, 0)) {
        uint64_t more = num_multiply(w, power[1]).high;
        product.low += more;
        product.high += product.low < more;
    }
    int top = (int)(product.high >> 63);
    int shift = top + 64 - bits - 3;
    uint64_t m = product.high >> shift;
    int exponent = num_log2_pow10(q) + 63 + top - zeros + bias;
    if (__builtin_expect(exponent <= 0, 0)) {
        if (exponent <= -63)
            return 0;
        m >>= 1 - exponent;
        m += m & 1;
        return m >> 1; /* reaching 2^bits makes the smallest normal number, whose encoding it is */
    }
    if (__builtin_expect(product.low <= 1 && (m & 3) == 1 && q >= tie_min && q <= tie_max, 0))
        if (m << shift == product.high)
            m &= ~(uint64_t)1;
    m += m & 1;
    m >>= 1;
    /* The hidden bit, and a carry out of the rounding, add themselves to the exponent field. */
    uint64_t result = ((uint64_t)(exponent - 1) << bits) + m;
    uint64_t infinity = (uint64_t)(2 * bias + 1) << bits;
    return result < infinity ? result : infinity;
}

/* Bits of the double nearest to w * 10^q; w != 0, NUM_DOUBLE_Q_MIN <= q <= NUM_DOUBLE_Q_MAX. */
static inline uint64_t num_double_bits_inline(uint64_t w, int q)
{
    return num_eisel_lemire(w, q, 52, 1023, -4, 23);
}

/* Bits of the float nearest to w * 10^q; w != 0, NUM_FLOAT_Q_MIN <= q <= NUM_FLOAT_Q_MAX. */
static inline uint32_t num_float_bits_inline(uint64_t w, int q)
{
    return (uint32_t)num_eisel_lemire(w, q, 23, 127, -17, 10);
}

#endif
