/* A JSON number token to a node, inline for the document parser's loop.
 *
 * Common tokens are settled here: integers of up to 19 digits, decimals of up to 19 significant digits. All
 * else (and every doubtful case) goes to json_number_slow. Decimals: Clinger's exact division for short ones,
 * else the algorithm of Eisel and Lemire ("Number parsing at a gigabyte per second", 2021), which needs no
 * fallback for exact 64-bit digits (Mushtak and Lemire, 2023). A token must be followed by a readable byte
 * that no number contains, and 40 readable bytes must follow its start. */
#ifndef FUSED_JSON_NUMBER_H
#define FUSED_JSON_NUMBER_H

#include "fused/json_parse.h"

#include "value/tape.h"

#include <float.h>
#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "base/pow10_table.h"

/* The whole grammar and every policy; NULL = not a number, longer than max, or refused by the policy. */
const uint8_t *json_number_slow(const uint8_t *p, weir_val *out, json_number_policy policy, uint64_t max);

#define JSON_REAL_INFINITE 0x7ff0000000000000u

static inline unsigned num_clz64(uint64_t x)
{
    return (unsigned)__builtin_clzll(x);
}

static inline void num_mul64(uint64_t a, uint64_t b, uint64_t *hi, uint64_t *lo)
{
#if defined(__SIZEOF_INT128__)
    unsigned __int128 p = (unsigned __int128)a * b;
    *hi = (uint64_t)(p >> 64);
    *lo = (uint64_t)p;
#else
    uint64_t al = (uint32_t)a, ah = a >> 32, bl = (uint32_t)b, bh = b >> 32;
    uint64_t low = al * bl, mid = ah * bl + (low >> 32), mid2 = al * bh + (uint32_t)mid;
    *hi = ah * bh + (mid >> 32) + (mid2 >> 32);
    *lo = mid2 << 32 | (uint32_t)low;
#endif
}

/* Bits of the double nearest to w * 10^q; w != 0, -342 <= q <= 308. A call costs the parser's loop less than
 * the registers would. */
static __attribute__((noinline)) uint64_t json_scale10(uint64_t w, int64_t q)
{
    unsigned lz = num_clz64(w);
    const uint64_t *power = num_pow10_128[q - NUM_POW10_MIN];
    uint64_t hi, lo;
    w <<= lz;
    num_mul64(w, power[0], &hi, &lo);
    if (__builtin_expect((hi & 0x1ff) == 0x1ff,
                         0)) { /* the low half of the power may carry into the 55 bits needed */
        uint64_t hi2, lo2;
        num_mul64(w, power[1], &hi2, &lo2);
        lo += hi2;
        hi += lo < hi2;
    }
    unsigned top = (unsigned)(hi >> 63);
    uint64_t m = hi >> (top + 9);
    int64_t e =
        ((217706 * q) >> 16) + 1024 + 63 - (int64_t)lz - (int64_t)(1 ^ top); /* floor(q * log2(10)) + bias */
    if (__builtin_expect(e <= 0, 0)) {
        if (e <= -63) {
            return 0;
        }
        m >>= 1 - e;
        m += m & 1;
        return m >> 1; /* a carry into bit 52 is the smallest normal number */
    }
    if (__builtin_expect(lo <= 1 && q >= -4 && q <= 23 && (m & 3) == 1, 0) && m << (top + 9) == hi) {
        m &= ~(uint64_t)1; /* exactly half way: to even */
    }
    m += m & 1;
    m >>= 1;
    if (m >= UINT64_C(1) << 53) {
        m = UINT64_C(1) << 52;
        e++;
    }
    if (__builtin_expect(e > 2046, 0)) {
        return JSON_REAL_INFINITE;
    }
    return (m & ~(UINT64_C(1) << 52)) | (uint64_t)e << 52;
}

static const uint64_t json_pow10_int[20] = {UINT64_C(1),
                                            UINT64_C(10),
                                            UINT64_C(100),
                                            UINT64_C(1000),
                                            UINT64_C(10000),
                                            UINT64_C(100000),
                                            UINT64_C(1000000),
                                            UINT64_C(10000000),
                                            UINT64_C(100000000),
                                            UINT64_C(1000000000),
                                            UINT64_C(10000000000),
                                            UINT64_C(100000000000),
                                            UINT64_C(1000000000000),
                                            UINT64_C(10000000000000),
                                            UINT64_C(100000000000000),
                                            UINT64_C(1000000000000000),
                                            UINT64_C(10000000000000000),
                                            UINT64_C(100000000000000000),
                                            UINT64_C(1000000000000000000),
                                            UINT64_C(10000000000000000000)};
static const double json_pow10_real[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                           1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                           1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static inline bool json_is_digit(uint8_t c)
{
    return (uint8_t)(c - '0') < 10;
}

/* Little-endian load of eight bytes on any machine. */
static inline uint64_t json_load64(const uint8_t *p)
{
    uint64_t w;
    memcpy(&w, p, 8);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    w = __builtin_bswap64(w);
#endif
    return w;
}

/* Digits of a fraction at f: their count, and their value; 16 = sixteen or more, of which the first sixteen
 * are read. */
#if defined(__AVX2__)
static const uint8_t json_align_right[32] = {0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
                                             0x80, 0x80, 0x80, 0x80, 0x80, 0,    1,    2,    3,    4,    5,
                                             6,    7,    8,    9,    10,   11,   12,   13,   14,   15};

static inline unsigned json_fraction(const uint8_t *f, uint64_t *value)
{
    __m128i d = _mm_sub_epi8(_mm_loadu_si128((const __m128i *)(const void *)f), _mm_set1_epi8('0'));
    unsigned m = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(d, _mm_set1_epi8(9)), d));
    unsigned n = (unsigned)__builtin_ctz(~m);
    const void *order = json_align_right + n;
    d = _mm_shuffle_epi8(d, _mm_loadu_si128((const __m128i *)order));
    d = _mm_maddubs_epi16(d, _mm_set1_epi16(0x010A));
    d = _mm_madd_epi16(d, _mm_set1_epi32(0x00010064));
    d = _mm_packus_epi32(d, d);
    d = _mm_madd_epi16(d, _mm_set1_epi32(0x00012710));
    uint64_t r = (uint64_t)_mm_cvtsi128_si64(d);
    *value = (uint64_t)(uint32_t)r * 100000000u + (r >> 32);
    return n;
}
#else
static inline bool json_eight_digits(uint64_t w)
{
    return ((w & UINT64_C(0xf0f0f0f0f0f0f0f0)) |
            ((w + UINT64_C(0x0606060606060606)) & UINT64_C(0xf0f0f0f0f0f0f0f0)) >> 4) ==
           UINT64_C(0x3333333333333333);
}

static inline uint64_t json_eight_value(uint64_t w)
{
    w -= UINT64_C(0x3030303030303030);
    w = w * 10 + (w >> 8);
    return ((w & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x000f424000000064) +
            (w >> 16 & UINT64_C(0x000000ff000000ff)) * UINT64_C(0x0000271000000001)) >>
           32;
}

static inline unsigned json_fraction(const uint8_t *f, uint64_t *value)
{
    uint64_t v = 0, w = json_load64(f);
    const uint8_t *s = f;
    if (json_eight_digits(w)) {
        v = json_eight_value(w);
        s += 8;
    }
    while (json_is_digit(*s) && s < f + 16) {
        v = v * 10 + (uint64_t)(*s++ - '0');
    }
    *value = v;
    return (unsigned)(s - f);
}
#endif

/* Adds the exponent at e (its 'e') to *q; NULL when there is no digit. */
static inline const uint8_t *json_exponent(const uint8_t *e, int64_t *q)
{
    bool negative = *++e == '-';
    e += negative || *e == '+';
    if (!json_is_digit(*e)) {
        return NULL;
    }
    int64_t x = *e++ - '0';
    while (json_is_digit(*e)) {
        if (x < 1000000000000) {
            x = x * 10 + (*e - '0');
        }
        e++;
    }
    *q += negative ? -x : x;
    return e;
}

/* Significant digits up to which a decimal text surely needs no look at the policy. */
static inline unsigned json_digits_free(json_number_policy policy)
{
    return policy == JSON_NUM_DECIMAL ? 15 : 19;
}

/* p is at '-' or a digit; `free_digits` is the policy's. The token's end, or NULL. Tokens longer than 80
 * bytes always come from json_number_slow, which keeps to max. */
static inline __attribute__((always_inline)) const uint8_t *json_number_read(const uint8_t *p, weir_val *out,
                                                                             json_number_policy policy,
                                                                             unsigned free_digits,
                                                                             uint64_t max)
{
    uint64_t negative = *p == '-', v, digit;
    const uint8_t *s = p + negative, *z = s + 1;
    v = (uint64_t)*s - '0';
    if (__builtin_expect(v > 9, 0)) {
        return NULL;
    }
    if (__builtin_expect(v != 0, 1)) {
        do { /* unrolled: z comes out of predicted branches, not out of a count */
#define NEXT_DIGIT(k)                         \
    if ((digit = (uint64_t)s[k] - '0') > 9) { \
        z = s + (k);                          \
        break;                                \
    }                                         \
    v = v * 10 + digit;
            NEXT_DIGIT(1)
            NEXT_DIGIT(2)
            NEXT_DIGIT(3)
            NEXT_DIGIT(4)
            NEXT_DIGIT(5)
            NEXT_DIGIT(6)
            NEXT_DIGIT(7)
            NEXT_DIGIT(8)
#undef NEXT_DIGIT
            for (z = s + 9; (digit = (uint64_t)*z - '0') < 10; z++) {
                v = v * 10 + digit;
            }
            if (__builtin_expect(z - s > 19, 0)) {
                return json_number_slow(p, out, policy, max);
            }
        } while (0);
    } else if (__builtin_expect(json_is_digit(*z), 0)) {
        return NULL;
    }
    uint8_t c = *z;
    if (c != '.' && (c | 0x20) != 'e') {
        if (negative && __builtin_expect(v - 1 >= UINT64_C(1) << 63, 0)) {
            return json_number_slow(p, out, policy,
                                    max); /* -0 is a real; below INT64_MIN the policy decides */
        }
        out->tag = WEIR_KIND_UINT + negative;
        out->v.u = negative ? 0 - v : v;
        return z;
    }
    int64_t q = 0;
    if (__builtin_expect(c == '.', 1)) {
        uint64_t fraction;
        unsigned n;
        if (__builtin_expect(json_is_digit(z[3]), 1)) {
            n = json_fraction(z + 1, &fraction);
            if (__builtin_expect(n == 0, 0)) {
                return NULL;
            }
        } else { /* one or two digits, or none: common, and no work for vectors */
            fraction = (uint64_t)z[1] - '0';
            if (__builtin_expect(fraction > 9, 0)) {
                return NULL;
            }
            n = 1;
            if ((digit = (uint64_t)z[2] - '0') < 10) {
                fraction = fraction * 10 + digit;
                n = 2;
            }
        }
        if (__builtin_expect(n == 16, 0)) {
            for (; (digit = (uint64_t)z[1 + n] - '0') < 10 && n < 20; n++) {
                fraction = fraction * 10 + digit;
            }
        }
        if (__builtin_expect((size_t)(z - s) + n > free_digits, 0) && (v != 0 || n > free_digits)) {
            return json_number_slow(p, out, policy, max);
        }
        v = v * json_pow10_int[n] + fraction;
        q = -(int64_t)n;
        z += 1 + n;
        c = *z;
    }
    if (__builtin_expect((c | 0x20) == 'e', 0)) {
        if (free_digits < 19) {
            return json_number_slow(p, out, policy, max);
        }
        const uint8_t *e = z;
        z = json_exponent(z, &q);
        if (__builtin_expect(z == NULL || z - e > 20, 0)) {
            return json_number_slow(p, out, policy, max);
        }
    }
    uint64_t bits;
    if (FLT_EVAL_METHOD == 0 && v < UINT64_C(1000000000000000) && q >= -22 && q <= 22) {
        double d =
            (double)(int64_t)v; /* both operands are exact: one rounding, unless registers are wider (x87) */
        d = q < 0 ? d / json_pow10_real[-q] : d * json_pow10_real[q];
        memcpy(&bits, &d, 8);
    } else if (v == 0 || q < -342) {
        bits = 0;
    } else {
        bits = q > 308 ? JSON_REAL_INFINITE : json_scale10(v, q);
        if (__builtin_expect(bits == JSON_REAL_INFINITE, 0)) {
            return json_number_slow(p, out, policy, max);
        }
    }
    out->tag = WEIR_KIND_REAL;
    out->v.u = bits | negative << 63;
    return z;
}

#endif
