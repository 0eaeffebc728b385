/*
 * Binary numbers to decimal text: integers two digits at a time; doubles and floats as the shortest digits
 * that read back, the closest of those.
 *
 * After Giulietti, "The Schubfach way to render doubles" (2021), with 128-bit powers. Most values take one
 * product instead of three: x = c * 2^q / 10^k is computed once as an integer and a 64-bit fraction, and the
 * distances to the neighbouring multiples of ten are compared with half the rounding interval. A comparison
 * too close for the fraction's precision, a tie, or a power of two takes Schubfach's full test.
 */
#include "number.h"
#include "number_inline.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)

#define TEN_TO_15 1000000000000000u
#define TEN_TO_16 10000000000000000u

static const char pairs[201] =
    "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
    "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
    "8081828384858687888990919293949596979899";

/* ---- integers ---- */

static char *put_2(char *out, uint32_t value)
{
    memcpy(out, pairs + 2 * value, 2);
    return out + 2;
}

static char *put_4(char *out, uint32_t value)
{
    put_2(out, value / 100);
    return put_2(out + 2, value % 100);
}

static char *put_8(char *out, uint32_t value)
{
    put_4(out, value / 10000);
    return put_4(out + 4, value % 10000);
}

/* 1 to 4 digits. */
static char *put_up_to_4(char *out, uint32_t value)
{
    if (value < 100) {
        if (value < 10) {
            *out = (char)('0' + value);
            return out + 1;
        }
        return put_2(out, value);
    }
    if (value < 1000) {
        *out = (char)('0' + value / 100);
        return put_2(out + 1, value % 100);
    }
    return put_4(out, value);
}

/* 1 to 8 digits, without a branch on how many. */
static char *put_up_to_8(char *out, uint32_t value)
{
    uint64_t high = ((uint64_t)value * 3518437209u) >> 45; /* / 10000 */
    uint64_t word = high | (value - high * 10000) << 32;
    high = (word * 10486 >> 20) & 0x0000007F0000007Fu; /* / 100 */
    word = high | (word - high * 100) << 16;
    high = (word * 103 >> 10) & 0x000F000F000F000Fu; /* / 10 */
    word = high | (word - high * 10) << 8;
    int zeros = __builtin_ctzll(word | (uint64_t)1 << 56) & ~7;
    word = (word | 0x3030303030303030u) >> zeros;
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    word = __builtin_bswap64(word);
#endif
    memcpy(out, &word, sizeof word);
    return out + 8 - zeros / 8;
}

static char *put_u64(char *out, uint64_t value)
{
    if (value < 10000)
        return put_up_to_4(out, (uint32_t)value);
    if (value < 100000000) {
        out = put_up_to_4(out, (uint32_t)value / 10000);
        return put_4(out, (uint32_t)value % 10000);
    }
    uint64_t high = value / 100000000;
    uint32_t low = (uint32_t)(value - high * 100000000);
    if (high < 100000000) {
        out = put_up_to_8(out, (uint32_t)high);
        return put_8(out, low);
    }
    uint32_t top = (uint32_t)(high / 100000000);
    out = put_up_to_4(out, top);
    out = put_8(out, (uint32_t)(high - (uint64_t)top * 100000000));
    return put_8(out, low);
}

size_t num_print_u64(char *out, uint64_t value)
{
    return (size_t)(put_u64(out, value) - out);
}

size_t num_print_i64(char *out, int64_t value)
{
    char *p = out;
    uint64_t magnitude = (uint64_t)value;
    if (value < 0) {
        *p++ = '-';
        magnitude = 0 - magnitude;
    }
    return (size_t)(put_u64(p, magnitude) - out);
}

/* ---- shortest digits ---- */

/* value = c * 2^q; `lopsided` if the neighbour below is only half as far (c is the smallest of its binade).
 */
struct binary {
    uint64_t c;
    int q;
    bool lopsided;
};

struct decimal {
    uint64_t digits;
    int exponent;
};

static inline int shift_down(int value, int bits)
{
    return value >> bits; /* arithmetic in every supported compiler */
}

/* floor(log10(2^e)) and floor(log10(3/4 * 2^e)) for |e| <= 1650; floor(log2(10^e)) for |e| <= 1233. */
static inline int log10_pow2(int e)
{
    return shift_down(e * 1262611, 22);
}

static inline int log10_three_quarters_pow2(int e)
{
    return shift_down(e * 1262611 - 524031, 22);
}

/* 10^q rounded up to 128 bits. */
static inline num_u128 power_up(int q)
{
    const uint64_t *entry = num_pow10_128[q - NUM_POW10_MIN];
    unsigned beyond = (unsigned)(q - NUM_POW10_CEIL_FIRST) > NUM_POW10_CEIL_LAST - NUM_POW10_CEIL_FIRST;
    return (num_u128){entry[0], entry[1] + beyond};
}

/* The top word of c * power, rounded to odd: inexactness survives in the last bit. */
static uint64_t round_to_odd(num_u128 power, uint64_t c)
{
    num_u128 high = num_multiply(power.high, c);
    uint64_t low = num_multiply(power.low, c).high;
    uint64_t middle = high.low + low;
    return (high.high + (middle < low)) | (middle > 1);
}

/* Schubfach, complete: four times x and both ends of its interval, exact as far as comparisons go. */
static __attribute__((noinline)) struct decimal shortest_exact(struct binary v)
{
    int k = v.lopsided ? log10_three_quarters_pow2(v.q) : log10_pow2(v.q);
    int shift = v.q + num_log2_pow10(-k) + 1;
    num_u128 power = power_up(-k);
    uint64_t odd = v.c & 1;
    uint64_t low = round_to_odd(power, (4 * v.c - 2 + v.lopsided) << shift) + odd;
    uint64_t x = round_to_odd(power, (4 * v.c) << shift);
    uint64_t high = round_to_odd(power, (4 * v.c + 2) << shift) - odd;
    uint64_t s = x >> 2;
    if (s >= 10) {
        uint64_t tens = s / 10;
        bool below = low <= 40 * tens, above = 40 * tens + 40 <= high;
        if (below != above)
            return (struct decimal){tens + above, k + 1};
    }
    bool below = low <= 4 * s, above = 4 * s + 4 <= high;
    if (below != above)
        return (struct decimal){s + above, k};
    uint64_t middle = 4 * s + 2;
    return (struct decimal){s + (x > middle || (x == middle && (s & 1))), k};
}

/* The shortest digits, possibly with trailing zeros (a multiple of ten stays one). */
static inline struct decimal shortest(struct binary v)
{
    if (UNLIKELY(v.lopsided))
        return shortest_exact(v);
    int k = log10_pow2(v.q);
    int h = v.q + num_log2_pow10(-k); /* 0..3 */
    num_u128 power = power_up(-k);
    uint64_t c = v.c << (h + 1);
    num_u128 x = num_multiply(c, power.high); /* becomes integer part : fraction */
    uint64_t low = num_multiply(c, power.low).high;
    x.low += low;
    x.high += x.low < low;
    /* Distances in 4.60 fixed point, each within one unit of the truth. */
    uint64_t half = power.high >> (4 - h);
    uint64_t tens = x.high / 10 * 10;
    uint64_t down = (x.high - tens) << 60 | x.low >> 4;
    uint64_t up = ((uint64_t)10 << 60) - down;
    if (UNLIKELY(down - half + 2 <= 4 || up - half + 2 <= 4 || x.low - 0x7FFFFFFFFFFFFFF0u <= 0x20))
        return shortest_exact(v);
    uint64_t digits = x.high + (x.low >> 63);
    digits = down < half ? tens : digits;
    digits = up < half ? tens + 10 : digits;
    return (struct decimal){digits, k};
}

static inline struct binary double_parts(uint64_t magnitude)
{
    int field = (int)(magnitude >> 52);
    uint64_t fraction = magnitude & 0xFFFFFFFFFFFFFu;
    if (field == 0)
        return (struct binary){fraction, -1074, false};
    return (struct binary){fraction | (uint64_t)1 << 52, field - 1075, fraction == 0 && field > 1};
}

static inline struct binary float_parts(uint32_t magnitude)
{
    int field = (int)(magnitude >> 23);
    uint32_t fraction = magnitude & 0x7FFFFF;
    if (field == 0)
        return (struct binary){fraction, -149, false};
    return (struct binary){fraction | 1u << 23, field - 150, fraction == 0 && field > 1};
}

static uint64_t bits_of_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static uint32_t bits_of_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static struct decimal without_trailing_zeros(struct decimal d)
{
    while (d.digits % 100000000 == 0) {
        d.digits /= 100000000;
        d.exponent += 8;
    }
    while (d.digits % 10 == 0) {
        d.digits /= 10;
        d.exponent++;
    }
    return d;
}

void num_shortest_double(double value, uint64_t *digits, int *exponent)
{
    struct decimal d = without_trailing_zeros(shortest(double_parts(bits_of_double(value) & INT64_MAX)));
    *digits = d.digits;
    *exponent = d.exponent;
}

void num_shortest_float(float value, uint64_t *digits, int *exponent)
{
    struct decimal d = without_trailing_zeros(shortest(float_parts(bits_of_float(value) & INT32_MAX)));
    *digits = d.digits;
    *exponent = d.exponent;
}

/* ---- layout ---- */

static char *put_exponent(char *out, int exponent)
{
    *out++ = 'e';
    if (exponent < 0) {
        *out++ = '-';
        exponent = -exponent;
    }
    return put_up_to_4(out, (uint32_t)exponent);
}

/* n digits with the point after the first `point` of them, -4 <= point <= 16, else scientific. */
static char *put_layout(char *out, const char *digits, int n, int point)
{
    if (point < -4 || point > 16) {
        *out++ = digits[0];
        if (n > 1) {
            *out++ = '.';
            memcpy(out, digits + 1, (size_t)(n - 1));
            out += n - 1;
        }
        return put_exponent(out, point - 1);
    }
    if (point <= 0) {
        memcpy(out, "0.000000", 8);
        out += 2 - point;
        memcpy(out, digits, (size_t)n);
        return out + n;
    }
    if (n <= point) {
        memcpy(out, digits, (size_t)n);
        memset(out + n, '0', (size_t)(point - n));
        out += point;
        memcpy(out, ".0", 2);
        return out + 2;
    }
    memcpy(out, digits, (size_t)point);
    out[point] = '.';
    memcpy(out + point + 1, digits + point, (size_t)(n - point));
    return out + n + 1;
}

static __attribute__((noinline)) char *put_decimal(char *out, struct decimal d)
{
    char digits[NUM_U64_SIZE];
    d = without_trailing_zeros(d);
    int n = (int)num_print_u64(digits, d.digits);
    return put_layout(out, digits, n, n + d.exponent);
}

#ifdef __SSE2__

/* 16 digits of value < 10^16 as digit values, most significant first: splits by 10^8, 10^4, 100 and 10 in
 * parallel. */
static inline __m128i digits_16(uint64_t value)
{
    uint64_t high = value / 100000000, low = value - high * 100000000;
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

/* A window at 16 - p selects the bytes below p; at 15 - p, those up to p. */
static const unsigned char below[48] = {255, 255, 255, 255, 255, 255, 255, 255,
                                        255, 255, 255, 255, 255, 255, 255, 255};
static const char points[33] = "\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0.\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0";

static inline __m128i window(const void *table, int at)
{
    return _mm_loadu_si128((const __m128i *)(const void *)((const char *)table + at));
}

/*
 * The layout above for 16 or 17 digits, in vectors: the first of 17 is stored alone, the other 16 as one
 * block, and a point is put between by keeping the bytes below it, moving those above it by one, and merging
 * it in.
 */
static inline char *put_long_decimal(char *out, struct decimal d)
{
    uint64_t lead = 0;
    int long_one = d.digits >= TEN_TO_16;
    if (long_one) {
        lead = d.digits / TEN_TO_16;
        d.digits -= lead * TEN_TO_16;
    }
    __m128i digits = digits_16(d.digits);
    unsigned zero = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(digits, _mm_setzero_si128()));
    int last = 32 - __builtin_clz((~zero << 1 & 0x1FFFE) | 1) - 1; /* digits up to the last that is not 0 */
    digits = _mm_add_epi8(digits, _mm_set1_epi8('0'));
    int point = 16 + long_one + d.exponent;
    *out = (char)('0' + lead);
    if (LIKELY(point > 0 && point <= 16)) {
        out += long_one;
        point -= long_one;
        if (UNLIKELY(last <= point)) {
            _mm_storeu_si128((__m128i *)(void *)out, digits);
            memcpy(out + point, ".0", 2);
            return out + point + 2;
        }
        __m128i left = window(below, 16 - point), right = window(below, 15 - point);
        __m128i with_point = _mm_or_si128(_mm_and_si128(digits, left), window(points, 16 - point));
        with_point = _mm_or_si128(with_point, _mm_andnot_si128(right, _mm_slli_si128(digits, 1)));
        _mm_storeu_si128((__m128i *)(void *)(out + 1), digits);
        _mm_storeu_si128((__m128i *)(void *)out, with_point);
        return out + last + 1;
    }
    if (point <= 0 && point >= -4) {
        memcpy(out, "0.000000", 8);
        out += 2 - point;
        *out = (char)('0' + lead);
        out += long_one;
        _mm_storeu_si128((__m128i *)(void *)out, digits);
        return out + last;
    }
    if (long_one) {
        _mm_storeu_si128((__m128i *)(void *)(out + 2), digits);
        out[1] = '.';
        out += last > 0 ? last + 2 : 1;
    } else {
        _mm_storeu_si128((__m128i *)(void *)(out + 1), digits);
        out[0] = (char)('0' + d.digits / TEN_TO_15);
        out[1] = '.';
        out += last > 1 ? last + 1 : 1;
    }
    return put_exponent(out, point - 1);
}

#else

static char *put_long_decimal(char *out, struct decimal d)
{
    char digits[17];
    int n = 16;
    char *p = digits;
    if (d.digits >= TEN_TO_16) {
        *p++ = (char)('0' + d.digits / TEN_TO_16);
        d.digits %= TEN_TO_16;
        n = 17;
    }
    put_8(p, (uint32_t)(d.digits / 100000000));
    put_8(p + 8, (uint32_t)(d.digits % 100000000));
    int point = n + d.exponent;
    while (digits[n - 1] == '0')
        n--;
    return put_layout(out, digits, n, point);
}

#endif

size_t num_print_double(char *out, double value)
{
    char *p = out;
    uint64_t bits = bits_of_double(value), magnitude = bits & INT64_MAX;
    *p = '-';
    p += bits >> 63;
    struct binary v = double_parts(magnitude);
    if (v.q <= 0 && v.q >= -52 && (v.c & (((uint64_t)1 << -v.q) - 1)) == 0) {
        p = put_u64(p, v.c >> -v.q);
        memcpy(p, ".0", 2);
        return (size_t)(p + 2 - out);
    }
    if (UNLIKELY(magnitude == 0)) {
        memcpy(p, "0.0", 3);
        return (size_t)(p + 3 - out);
    }
    struct decimal d = shortest(v);
    p = LIKELY(d.digits >= TEN_TO_15) ? put_long_decimal(p, d) : put_decimal(p, d);
    return (size_t)(p - out);
}

size_t num_print_float(char *out, float value)
{
    char *p = out;
    uint32_t bits = bits_of_float(value), magnitude = bits & INT32_MAX;
    *p = '-';
    p += bits >> 31;
    if (magnitude == 0) {
        memcpy(p, "0.0", 3);
        return (size_t)(p + 3 - out);
    }
    return (size_t)(put_decimal(p, shortest(float_parts(magnitude))) - out);
}

size_t num_print_ecma(char *out, double value)
{
    char *p = out;
    uint64_t bits = bits_of_double(value), magnitude = bits & INT64_MAX;
    if (magnitude == 0) {
        *p = '0';
        return 1;
    }
    *p = '-';
    p += bits >> 63;
    struct decimal d = without_trailing_zeros(shortest(double_parts(magnitude)));
    char digits[NUM_U64_SIZE];
    int n = (int)num_print_u64(digits, d.digits);
    int point = n + d.exponent;
    if (n <= point && point <= 21) {
        memcpy(p, digits, (size_t)n);
        memset(p + n, '0', (size_t)(point - n));
        return (size_t)(p + point - out);
    }
    if (point > 0 && point <= 21) {
        memcpy(p, digits, (size_t)point);
        p[point] = '.';
        memcpy(p + point + 1, digits + point, (size_t)(n - point));
        return (size_t)(p + n + 1 - out);
    }
    if (point > -6 && point <= 0) {
        memcpy(p, "0.000000", 8);
        p += 2 - point;
        memcpy(p, digits, (size_t)n);
        return (size_t)(p + n - out);
    }
    *p++ = digits[0];
    if (n > 1) {
        *p++ = '.';
        memcpy(p, digits + 1, (size_t)(n - 1));
        p += n - 1;
    }
    *p++ = 'e';
    *p++ = point > 0 ? '+' : '-';
    return (size_t)(put_up_to_4(p, (uint32_t)(point > 0 ? point - 1 : 1 - point)) - out);
}
