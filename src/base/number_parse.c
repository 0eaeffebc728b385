/*
 * Decimal to binary floating point, correctly rounded for every input.
 *
 * Clinger's exact cases (one multiplication or division), then Eisel and Lemire's product (number_inline.h).
 * When more than 19 digits leave two neighbours possible, the whole text is compared with the point halfway
 * between them in integers of fixed size: 768 digits and a sticky bit decide every case (no halfway point of
 * a double has more).
 */
#include "number.h"
#define NUM_POW10_DEFINE
#include "number_inline.h"

#include <float.h>
#include <string.h>

/* Results are exact only if the compiler evaluates in the type itself (not on the x87). */
#define EXACT_DOUBLE_ARITHMETIC (FLT_EVAL_METHOD == 0)

/* Exact up to 2^53; a power of ten makes the branch depend on the number of digits, which predicts better. */
#define CLINGER_LIMIT 1000000000000000u

static const double exact_powers[23] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                        1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                        1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static uint64_t double_bits(uint64_t w, int64_t q)
{
    if (w == 0 || q < NUM_DOUBLE_Q_MIN)
        return 0;
    if (q > NUM_DOUBLE_Q_MAX)
        return NUM_DOUBLE_INFINITY_BITS;
    return num_double_bits_inline(w, (int)q);
}

static uint32_t float_bits(uint64_t w, int64_t q)
{
    if (w == 0 || q < NUM_FLOAT_Q_MIN)
        return 0;
    if (q > NUM_FLOAT_Q_MAX)
        return NUM_FLOAT_INFINITY_BITS;
    return num_float_bits_inline(w, (int)q);
}

/* ---- integers of fixed size, for the exact comparison ---- */

#define MAX_DIGITS 768
#define LIMBS 128 /* 4096 bits: 769 digits are 2555 bits, 5^1112 with a significand 2636 */

struct big {
    uint32_t limb[LIMBS];
    int n;
};

static void big_multiply_add(struct big *b, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (int i = 0; i < b->n; i++) {
        carry += (uint64_t)b->limb[i] * factor;
        b->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry != 0)
        b->limb[b->n++] = (uint32_t)carry;
}

static void big_multiply_pow5(struct big *b, int64_t power)
{
    for (; power >= 13; power -= 13)
        big_multiply_add(b, 1220703125u, 0); /* 5^13 */
    uint32_t rest = 1;
    for (; power > 0; power--)
        rest *= 5;
    big_multiply_add(b, rest, 0);
}

static void big_shift_left(struct big *b, int64_t bits)
{
    int words = (int)(bits / 32), shift = (int)(bits % 32);
    if (words > 0) {
        memmove(b->limb + words, b->limb, (size_t)b->n * sizeof b->limb[0]);
        memset(b->limb, 0, (size_t)words * sizeof b->limb[0]);
        b->n += words;
    }
    if (shift > 0)
        big_multiply_add(b, (uint32_t)1 << shift, 0);
}

static int big_compare(const struct big *a, const struct big *b)
{
    if (a->n != b->n)
        return a->n > b->n ? 1 : -1;
    for (int i = a->n - 1; i >= 0; i--)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] > b->limb[i] ? 1 : -1;
    return 0;
}

/*
 * Reads the significant digits of a text up to its exponent: at most MAX_DIGITS into b, and `*sticky` if a
 * digit other than 0 follows them. Returns how many digits b holds.
 */
static int big_read_digits(struct big *b, const char *text, size_t len, bool *sticky)
{
    static const uint32_t powers[10] = {1,      10,      100,      1000,      10000,
                                        100000, 1000000, 10000000, 100000000, 1000000000};
    int digits = 0, pending = 0;
    uint32_t group = 0;
    *sticky = false;
    for (size_t i = 0; i < len && (text[i] | 0x20) != 'e'; i++) {
        uint32_t digit = (unsigned char)(text[i] - '0');
        if (digit > 9 || (digits == 0 && digit == 0))
            continue;
        if (digits == MAX_DIGITS) {
            if (digit != 0) {
                *sticky = true;
                break;
            }
            continue;
        }
        group = group * 10 + digit;
        digits++;
        if (++pending == 9) {
            big_multiply_add(b, powers[9], group);
            pending = 0;
            group = 0;
        }
    }
    big_multiply_add(b, powers[pending], group);
    return digits;
}

/* The decimal of `text`, whose first 19 digits end at 10^q, against (2 * significand + 1) * 2^(exponent - 1).
 */
static int compare_with_halfway(const char *text, size_t len, int64_t q, uint64_t significand, int exponent)
{
    struct big decimal = {.n = 0}, halfway = {.n = 0};
    bool sticky;
    int digits = big_read_digits(&decimal, text, len, &sticky);
    int64_t e10 = q + 19 - digits;
    int64_t e2 = exponent - 1;
    uint64_t m = 2 * significand + 1;
    halfway.limb[0] = (uint32_t)m;
    halfway.limb[1] = (uint32_t)(m >> 32);
    halfway.n = m >> 32 ? 2 : 1;
    if (e10 >= 0)
        big_multiply_pow5(&decimal, e10);
    else
        big_multiply_pow5(&halfway, -e10);
    if (e10 >= e2)
        big_shift_left(&decimal, e10 - e2);
    else
        big_shift_left(&halfway, e2 - e10);
    int order = big_compare(&decimal, &halfway);
    return order == 0 && sticky ? 1 : order;
}

/*
 * Chooses between two neighbours, given as bit patterns without sign (the upper one may be infinity, which
 * then stands for the power of two it replaces).
 */
static uint64_t round_exactly(uint64_t lower, int64_t q, const char *text, size_t len, int bits, int bias)
{
    uint64_t fraction = lower & (((uint64_t)1 << bits) - 1);
    int field = (int)(lower >> bits);
    uint64_t significand = field != 0 ? fraction | (uint64_t)1 << bits : fraction;
    int exponent = (field != 0 ? field : 1) - bias - bits;
    int order = compare_with_halfway(text, len, q, significand, exponent);
    return lower + (order > 0 || (order == 0 && (lower & 1)));
}

double num_decimal_to_double(uint64_t w, int64_t q, bool truncated, const char *text, size_t len)
{
    double value;
    if (EXACT_DOUBLE_ARITHMETIC && w < CLINGER_LIMIT && q >= -22 && q <= 22 && !truncated) {
        value = (double)(int64_t)w;
        return q < 0 ? value / exact_powers[-q] : value * exact_powers[q];
    }
    uint64_t bits = double_bits(w, q);
    if (truncated && bits != double_bits(w + 1, q))
        bits = round_exactly(bits, q, text, len, 52, 1023);
    memcpy(&value, &bits, sizeof value);
    return value;
}

float num_decimal_to_float(uint64_t w, int64_t q, bool truncated, const char *text, size_t len)
{
    uint32_t bits = float_bits(w, q);
    if (truncated && bits != float_bits(w + 1, q))
        bits = (uint32_t)round_exactly(bits, q, text, len, 23, 127);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

double num_token_to_double(const num_token *token, const char *text)
{
    double value = num_decimal_to_double(token->digits, token->exponent, token->truncated, text,
                                         (size_t)(token->end - text));
    return token->negative ? -value : value;
}

float num_token_to_float(const num_token *token, const char *text)
{
    float value = num_decimal_to_float(token->digits, token->exponent, token->truncated, text,
                                       (size_t)(token->end - text));
    return token->negative ? -value : value;
}
