/*
 * Numbers: hard cases of reading and printing, then random ones against the C library (C locale), CPython's
 * repr and Node's Number.prototype.toString. The vector paths and the portable ones are the same tests in two
 * builds.
 */
#define _DEFAULT_SOURCE
#include "base/number.h"
#include "base/number_inline.h"
#include "test_random.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#ifndef ORACLES
#define ORACLES "tests/base" /* where oracle_number.py and oracle_ecma.js are */
#endif

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t float_bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/*
 * A short number with room behind it takes another path than one at the end of its buffer: both must say the
 * same. What follows is `filler`, which belongs to no number.
 */
static void check_with_room(const char *text, size_t n, bool ok, const num_token *want, char filler)
{
    char padded[200];
    num_token got;
    if (n + 64 > sizeof padded)
        return;
    memset(padded, filler, sizeof padded);
    memcpy(padded, text, n);
    bool found = num_scan_json(padded, padded + sizeof padded, &got);
    if (found != ok || got.end - padded != want->end - text || got.digits != want->digits ||
        got.exponent != want->exponent || got.dropped != want->dropped || got.negative != want->negative ||
        got.is_integer != want->is_integer || got.truncated != want->truncated)
        fail_msg("%.*s with room behind it", (int)n, text);
}

static num_token scan(const char *text, size_t n)
{
    num_token token;
    if (!num_scan_json(text, text + n, &token) || token.end != text + n)
        fail_msg("not taken for a number: %.60s", text);
    check_with_room(text, n, true, &token, ',');
    return token;
}

static double read_double(const char *text, size_t n)
{
    num_token token = scan(text, n);
    return num_token_to_double(&token, text);
}

static float read_float(const char *text, size_t n)
{
    num_token token = scan(text, n);
    return num_token_to_float(&token, text);
}

/* ---- the table of powers ---- */

/* All 667 entries from powers of five built step by step, independent of the generator's arithmetic. */
static void test_powers_of_ten(void **state)
{
    (void)state;
    /* Positive powers: multiply by 5, keeping every bit (5^324 has 753). */
    enum { WORDS = 26 };
    uint32_t power[WORDS] = {1};
    for (int q = 0; q <= NUM_POW10_MAX; q++) {
        int top = WORDS * 32 - 1;
        while ((power[top / 32] >> top % 32 & 1) == 0)
            top--;
        uint64_t want[2] = {0, 0};
        for (int i = 0; i < 128 && top - i >= 0; i++)
            want[i / 64] |= (uint64_t)(power[(top - i) / 32] >> (top - i) % 32 & 1) << (63 - i % 64);
        assert_true(num_pow10_128[q - NUM_POW10_MIN][0] == want[0] &&
                    num_pow10_128[q - NUM_POW10_MIN][1] == want[1]);
        uint64_t carry = 0;
        for (int i = 0; i < WORDS; i++) {
            carry += (uint64_t)power[i] * 5;
            power[i] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    /* Negative powers: long division of 2^... by 5^-q, one quotient bit at a time. */
    for (int q = -1; q >= NUM_POW10_MIN; q--) {
        uint32_t divisor[WORDS] = {1}, rest[WORDS] = {1};
        for (int i = 0; i < -q; i++) {
            uint64_t carry = 0;
            for (int j = 0; j < WORDS; j++) {
                carry += (uint64_t)divisor[j] * 5;
                divisor[j] = (uint32_t)carry;
                carry >>= 32;
            }
        }
        uint64_t quotient[2] = {0, 0};
        for (int taken = 0; taken < 128;) {
            uint32_t carry = 0; /* rest *= 2 */
            for (int j = 0; j < WORDS; j++) {
                uint32_t next = rest[j] >> 31;
                rest[j] = rest[j] << 1 | carry;
                carry = next;
            }
            int order = 0;
            for (int j = WORDS - 1; j >= 0 && order == 0; j--)
                order = (rest[j] > divisor[j]) - (rest[j] < divisor[j]);
            if (order >= 0) {
                int64_t borrow = 0;
                for (int j = 0; j < WORDS; j++) {
                    borrow += (int64_t)rest[j] - divisor[j];
                    rest[j] = (uint32_t)borrow;
                    borrow >>= 32;
                }
                quotient[taken / 64] |= (uint64_t)1 << (63 - taken % 64);
            }
            taken += order >= 0 || taken > 0;
        }
        if (q >= NUM_POW10_CEIL_FIRST && ++quotient[1] == 0)
            quotient[0]++;
        assert_true(num_pow10_128[q - NUM_POW10_MIN][0] == quotient[0] &&
                    num_pow10_128[q - NUM_POW10_MIN][1] == quotient[1]);
    }
}

/* ---- scanning ---- */

struct scan_case {
    const char *text;
    bool ok;
    size_t end;
    uint64_t digits;
    int64_t exponent;
    bool negative, is_integer, truncated;
};

static const struct scan_case scan_cases[] = {
    {"0", true, 1, 0, 0, false, true, false},
    {"-0", true, 2, 0, 0, true, true, false},
    {"7,", true, 1, 7, 0, false, true, false},
    {"120", true, 3, 120, 0, false, true, false},
    {"-12.50e+3x", true, 9, 1250, 1, true, false, false},
    {"0.00120", true, 7, 120, -5, false, false, false},
    {"1E5", true, 3, 1, 5, false, false, false},
    {"1e-05", true, 5, 1, -5, false, false, false},
    {"1e0", true, 3, 1, 0, false, false, false},
    {"1234567890123456789", true, 19, 1234567890123456789, 0, false, true, false},
    {"12345678901234567890", true, 20, 1234567890123456789, 1, false, true, false},
    {"12345678901234567891", true, 20, 1234567890123456789, 1, false, true, true},
    {"1234567890123456789.5", true, 21, 1234567890123456789, 0, false, false, true},
    {"123456789012345678.95", true, 21, 1234567890123456789, -1, false, false, true},
    {"12345678901234567.8900", true, 22, 1234567890123456789, -2, false, false, false},
    {"0.00000000000000000000123456789012345678901", true, 43, 1234567890123456789, -39, false, false, true},
    {"1e999999999999999999999", true, 23, 1, 1000000000000000000, false, false, false},
    {"1e-999999999999999999999", true, 24, 1, -1000000000000000000, false, false, false},
    {"", false, 0, 0, 0, false, false, false},
    {"-", false, 1, 0, 0, false, false, false},
    {"-a", false, 1, 0, 0, false, false, false},
    {"+1", false, 0, 0, 0, false, false, false},
    {".5", false, 0, 0, 0, false, false, false},
    {"01", false, 1, 0, 0, false, false, false},
    {"-00", false, 2, 0, 0, false, false, false},
    {"1.", false, 2, 0, 0, false, false, false},
    {"1.e5", false, 2, 0, 0, false, false, false},
    {"1e", false, 2, 0, 0, false, false, false},
    {"1e+", false, 3, 0, 0, false, false, false},
    {"1e-x", false, 3, 0, 0, false, false, false},
    {"0x10", true, 1, 0, 0, false, true, false},
    {"NaN", false, 0, 0, 0, false, false, false},
    {"Infinity", false, 0, 0, 0, false, false, false},
};

static void test_scan(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(scan_cases); i++) {
        const struct scan_case *c = &scan_cases[i];
        size_t n = strlen(c->text);
        char *exact = malloc(n + 1); /* so that the sanitizers see any byte read beyond the text */
        assert_non_null(exact);
        memcpy(exact, c->text, n);
        num_token t;
        bool ok = num_scan_json(exact, exact + n, &t);
        if (ok != c->ok || (size_t)(t.end - exact) != c->end ||
            (ok && (t.digits != c->digits || t.exponent != c->exponent || t.negative != c->negative ||
                    t.is_integer != c->is_integer || t.truncated != c->truncated)))
            fail_msg("%s: ok %d, end %zu, %llu e %lld", c->text, ok, (size_t)(t.end - exact),
                     (unsigned long long)t.digits, (long long)t.exponent);
        check_with_room(exact, n, ok, &t, ' ');
        free(exact);
    }
}

static void test_magnitude(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool ok;
        uint64_t value;
    } cases[] = {
        {"0", true, 0},
        {"-1", true, 1},
        {"9223372036854775808", true, 9223372036854775808u},
        {"9999999999999999999", true, 9999999999999999999u},
        {"10000000000000000000", true, 10000000000000000000u},
        {"18446744073709551615", true, UINT64_MAX},
        {"18446744073709551616", false, 0},
        {"18446744073709551620", false, 0},
        {"99999999999999999999", false, 0},
        {"100000000000000000000", false, 0},
        {"184467440737095516150", false, 0},
        {"1.0", false, 0},
        {"1e2", false, 0},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        num_token t = scan(cases[i].text, strlen(cases[i].text));
        uint64_t value = 0;
        if (num_token_magnitude(&t, &value) != cases[i].ok || (cases[i].ok && value != cases[i].value))
            fail_msg("%s", cases[i].text);
    }
}

/* ---- reading ---- */

struct read_case {
    const char *text;
    double value;
};

static const struct read_case read_cases[] = {
    {"0", 0.0},
    {"0e999999999999", 0.0},
    {"0.1", 0x1.999999999999ap-4},
    {"0.30000000000000004", 0x1.3333333333334p-2},
    /* 2^53 and its neighbours: halfway goes to even, a hair more goes up */
    {"9007199254740991", 0x1.fffffffffffffp+52},
    {"9007199254740992", 0x1p+53},
    {"9007199254740993", 0x1p+53},
    {"9007199254740993.0000000000000000000000000000000001", 0x1.0000000000001p+53},
    {"9007199254740994", 0x1.0000000000001p+53},
    {"9007199254740995", 0x1.0000000000002p+53},
    {"9007199254740993e-0", 0x1p+53},
    {"900719925474099300e-2", 0x1p+53},
    {"4503599627370496.5", 0x1p+52},
    {"4503599627370497.5", 0x1.0000000000002p+52},
    {"18446744073709551615", 0x1p+64},
    {"18446744073709550591", 0x1.fffffffffffffp+63},
    {"18446744073709550592", 0x1p+64},
    /* exact products at the edge of Clinger's range */
    {"1e22", 1e22},
    {"1e23", 0x1.52d02c7e14af6p+76},
    {"8.5e22", 0x1.1ffdbf6b2b2ebp+76},
    /* powers of ten that lie almost halfway, and other published hard cases */
    {"9.5e-324", 0x0.0000000000002p-1022},
    {"6929495644600919.5", 0x1.89e56ee5e7a58p+52},
    {"3.518437208883201171875e13", 0x1.0000000000002p+45},
    {"62.5364939768271845828", 0x1.f44abd5aa7ca4p+5},
    {"8.10109172351e-10", 0x1.bd5cbaef0fd0cp-31},
    {"1.50000000000000011102230246251565", 0x1.8p+0},
    {"7.2057594037927933e16", 0x1p+56},
    {"72057594037927933", 0x1p+56},
    {"89255e-22", 0x1.494af6ce5221fp-57},
    {"104110013277974872254e-225", 0x1.0b661a31987aep-681},
    {"2.2250738585072011e-308", 0x0.fffffffffffffp-1022},
    {"2.2250738585072012e-308", 0x1p-1022},
    {"2.2250738585072014e-308", 0x1p-1022},
    {"5e-324", 0x0.0000000000001p-1022},
    {"4.9406564584124654e-324", 0x0.0000000000001p-1022},
    {"2.4703282292062327e-324", 0.0},
    {"2.4703282292062328e-324", 0x0.0000000000001p-1022},
    {"2.47e-324", 0.0},
    {"1e-400", 0.0},
    {"1e-99999999999999999999", 0.0},
    {"1.7976931348623157e308", DBL_MAX},
    {"1.7976931348623158e308", DBL_MAX},
    {"1.797693134862315807e308", DBL_MAX},
    {"1.797693134862315808e308", INFINITY},
    {"1.8e308", INFINITY},
    {"1e309", INFINITY},
    {"1e99999999999999999999", INFINITY},
    /* the exponent makes up for the zeros */
    {"0.0000000000000000000000000000000000000000000000001e49", 1.0},
    {"100000000000000000000000000000000000000000000000000e-50", 1.0},
};

/* The values above are from exact rational arithmetic; the C library must agree. */
static void test_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(read_cases); i++) {
        const char *text = read_cases[i].text;
        double got = read_double(text, strlen(text)), c = strtod(text, NULL);
        if (bits_of(got) != bits_of(c))
            fail_msg("%s: %a, the C library says %a", text, got, c);
        if (bits_of(got) != bits_of(read_cases[i].value))
            fail_msg("%s: %a", text, got);
        char negative[80];
        int n = snprintf(negative, sizeof negative, "-%s", text);
        assert_true(bits_of(read_double(negative, (size_t)n)) == bits_of(-got));
    }
}

static void test_read_float(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        float value;
    } cases[] = {
        {"0.1", 0x1.99999ap-4f},
        {"16777217", 0x1p24f},
        {"16777217.000000000000000000001", 0x1.000002p24f},
        {"16777219", 0x1.000004p24f},
        /* rounding to double first would make a tie of this and go to even */
        {"1.00000005960464477539062500000000001", 0x1.000002p0f},
        {"1.000000059604644775390625", 1.0f},
        {"1.00000017881393432617187499", 0x1.000002p0f},
        {"3.4028234663852886e38", FLT_MAX},
        {"340282356779733661637539395458142568447", FLT_MAX},
        {"340282356779733661637539395458142568448", INFINITY},
        {"1e39", INFINITY},
        {"1.401298464324817e-45", 0x1p-149f},
        {"7.006492321624085e-46", 0.0f},
        {"7.006492321624086e-46", 0x1p-149f},
        {"1.1754943508222875e-38", 0x1p-126f},
        {"1.1754942807573642e-38", 0x0.fffffep-126f},
        {"1.1754942807573643e-38", 0x1p-126f},
        {"1e-60", 0.0f},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        float got = read_float(cases[i].text, strlen(cases[i].text)), c = strtof(cases[i].text, NULL);
        if (float_bits_of(got) != float_bits_of(c) || float_bits_of(got) != float_bits_of(cases[i].value))
            fail_msg("%s: %a, the C library says %a", cases[i].text, (double)got, (double)c);
    }
}

/* m * 2^e in decimal digits; e < 0 is written as m * 5^-e over 10^-e, so that `*tens` decimals follow the
 * point. */
static int exact_decimal(char *text, uint64_t m, int e, int *tens)
{
    uint32_t group[160]; /* of nine digits, lowest first */
    int groups = 0;
    for (uint64_t rest = m; rest != 0; rest /= 1000000000)
        group[groups++] = (uint32_t)(rest % 1000000000);
    for (int i = e < 0 ? -e : e; i > 0; i--) {
        uint64_t carry = 0;
        for (int j = 0; j < groups; j++) {
            carry += (uint64_t)group[j] * (e < 0 ? 5 : 2);
            group[j] = (uint32_t)(carry % 1000000000);
            carry /= 1000000000;
        }
        if (carry != 0)
            group[groups++] = (uint32_t)carry;
    }
    int n = sprintf(text, "%u", (unsigned)group[groups - 1]);
    for (int j = groups - 2; j >= 0; j--)
        n += sprintf(text + n, "%09u", (unsigned)group[j]);
    *tens = e < 0 ? -e : 0;
    return n;
}

/*
 * The point halfway between a double and the next, written out in full (up to 767 digits), rounds to even;
 * one unit in its last digit less, or a 1 any number of zeros behind it, decides.
 */
static void check_halfway(uint64_t bits, int zeros)
{
    static char text[4096];
    uint64_t fraction = bits & 0xFFFFFFFFFFFFFu;
    int field = (int)(bits >> 52), tens;
    uint64_t c = field == 0 ? fraction : fraction | (uint64_t)1 << 52;
    int digits = exact_decimal(text, 2 * c + 1, (field == 0 ? 1 : field) - 1076, &tens);
    int n = digits + sprintf(text + digits, "e-%d", tens);
    assert_true(bits_of(read_double(text, (size_t)n)) == bits + (bits & 1));
    char last = text[digits - 1];
    if (last != '0') {
        text[digits - 1] = (char)(last - 1);
        assert_true(bits_of(read_double(text, (size_t)n)) == bits);
        text[digits - 1] = last;
    }
    text[digits] = '.';
    memset(text + digits + 1, '0', (size_t)zeros);
    n = digits + 1 + zeros;
    n += sprintf(text + n, "1e-%d", tens);
    assert_true(bits_of(read_double(text, (size_t)n)) == bits + 1);
}

static void halfway_points(uint64_t random, int rounds)
{
    for (int round = 0; round < rounds; round++) {
        uint64_t bits = random_next(&random) & INT64_MAX;
        int zeros = (int)(random_next(&random) % 1500);
        check_halfway(bits % 0x7FF0000000000000u, zeros);
        check_halfway(bits >> 12, zeros);                       /* subnormal */
        check_halfway(bits >> 12 | 0x7FE0000000000000u, zeros); /* the topmost binade */
        check_halfway((uint64_t)round, zeros);                  /* the smallest of all */
        check_halfway(0x0010000000000000u - 50 + (uint64_t)round % 100, zeros);
        check_halfway(0x7FEFFFFFFFFFFFFFu - (uint64_t)round % 100, zeros); /* up to infinity */
    }
}

static void test_halfway_points(void **state)
{
    (void)state;
    halfway_points(FIXED_SEED, 1500);
    halfway_points(random_seed(), 500);
}

/* Up to a million digits: the C library's value. (A reader quadratic in the digits would not come back.) */
static void test_long_texts(void **state)
{
    (void)state;
    static const size_t lengths[] = {1000, 5000, 100000, 1000000};
    for (size_t i = 0; i < COUNT(lengths); i++) {
        size_t n = lengths[i];
        char *text = malloc(n + 32);
        assert_non_null(text);
        for (size_t j = 0; j < n; j++)
            text[j] = (char)('1' + j * 7 % 9);
        int tail = sprintf(text + n, "e-%zu", n - 5);
        assert_true(bits_of(read_double(text, n + (size_t)tail)) == bits_of(strtod(text, NULL)));
        text[1] = '.';
        memset(text + 2, '0', n - 3); /* 1.000...0d */
        text[n] = 0;
        assert_true(read_double(text, n) == 1.0);
        memcpy(text, "9007199254740993.", 17);
        assert_true(read_double(text, n) == 9007199254740994.0);
        memset(text, '0', n);
        text[1] = '.';
        text[n - 1] = '5';
        tail = sprintf(text + n, "e%zu", n);
        assert_true(read_double(text, n + (size_t)tail) == 500.0);
        free(text);
    }
}

/* Texts of all shapes around the representable range. */
static void read_random_texts(uint64_t random, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        char text[128];
        uint64_t r = random_next(&random);
        int n = 0, digits = 1 + (int)(r % 40), point = (int)(r >> 8) % (digits + 1);
        text[n++] = (char)('1' + random_next(&random) % 9);
        for (int d = 1; d < digits; d++) {
            if (d == point)
                text[n++] = '.';
            text[n++] = (char)('0' + random_next(&random) % 10);
        }
        if (r >> 16 & 1)
            n += sprintf(text + n, "e%d",
                         (int)(random_next(&random) % (r >> 17 & 1 ? 700 : 60)) - (r >> 17 & 1 ? 370 : 35));
        text[n] = 0;
        double got = read_double(text, (size_t)n);
        float got_float = read_float(text, (size_t)n);
        if (bits_of(got) != bits_of(strtod(text, NULL)) ||
            float_bits_of(got_float) != float_bits_of(strtof(text, NULL)))
            fail_msg("%s", text);
    }
}

static void test_read_random_texts(void **state)
{
    (void)state;
    read_random_texts(FIXED_SEED, 2000000);
    read_random_texts(random_seed(), 500000);
}

/* ---- printing ---- */

static const char *print_double(double value)
{
    static char out[NUM_DOUBLE_SIZE + 1];
    size_t n = num_print_double(out, value);
    assert_true(n <= 24);
    out[n] = 0;
    return out;
}

static const char *print_ecma(double value)
{
    static char out[NUM_DOUBLE_SIZE + 1];
    size_t n = num_print_ecma(out, value);
    assert_true(n <= 25);
    out[n] = 0;
    return out;
}

static void test_print(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text, *ecma;
    } cases[] = {
        {0.0, "0.0", "0"},
        {-0.0, "-0.0", "0"},
        {1.0, "1.0", "1"},
        {-1.5, "-1.5", "-1.5"},
        {100.0, "100.0", "100"},
        {0.1, "0.1", "0.1"},
        {0.30000000000000004, "0.30000000000000004", "0.30000000000000004"},
        {0x1.5555555555555p-2, "0.3333333333333333", "0.3333333333333333"},
        {0x1.5555555555555p-1, "0.6666666666666666", "0.6666666666666666"},
        {123456.789, "123456.789", "123456.789"},
        {9007199254740993.0, "9007199254740992.0", "9007199254740992"},
        {999999999999999.9, "999999999999999.9", "999999999999999.9"},
        {1e15, "1000000000000000.0", "1000000000000000"},
        {9999999999999998.0, "9999999999999998.0", "9999999999999998"},
        {1e16, "1e16", "10000000000000000"},
        {12345678901234567.0, "1.2345678901234568e16", "12345678901234568"},
        {1e20, "1e20", "100000000000000000000"},
        {1e21, "1e21", "1e+21"},
        {1.5e300, "1.5e300", "1.5e+300"},
        {0.0001, "0.0001", "0.0001"},
        {0.00001, "0.00001", "0.00001"},
        {0.000012345678901234567, "0.000012345678901234568", "0.000012345678901234568"},
        {1e-6, "1e-6", "0.000001"},
        {1.5e-6, "1.5e-6", "0.0000015"},
        {1e-7, "1e-7", "1e-7"},
        {-1.2345e-67, "-1.2345e-67", "-1.2345e-67"},
        {5e-324, "5e-324", "5e-324"},
        {1e-323, "1e-323", "1e-323"},
        {2.2250738585072014e-308, "2.2250738585072014e-308", "2.2250738585072014e-308"},
        {2.225073858507201e-308, "2.225073858507201e-308", "2.225073858507201e-308"},
        {DBL_MAX, "1.7976931348623157e308", "1.7976931348623157e+308"},
        {-DBL_MAX, "-1.7976931348623157e308", "-1.7976931348623157e+308"},
        {0x1p-44, "5.684341886080802e-14", "5.684341886080802e-14"},
        {9.5367431640625e-07, "9.5367431640625e-7", "9.5367431640625e-7"},
        /* published cases in which shortest and closest compete */
        {2e23, "2e23", "2e+23"},
        {9e23, "9e23", "9e+23"},
        {1e23, "1e23", "1e+23"},
        {4.94e-322, "4.94e-322", "4.94e-322"},
        {4.4501477170144023e-308, "4.4501477170144023e-308", "4.4501477170144023e-308"},
        {2.98023223876953125e-8, "2.9802322387695312e-8", "2.9802322387695312e-8"},
        {2251799813685249.5, "2251799813685249.5", "2251799813685249.5"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        if (strcmp(print_double(cases[i].value), cases[i].text) != 0)
            fail_msg("%s printed as %s", cases[i].text, print_double(cases[i].value));
        if (strcmp(print_ecma(cases[i].value), cases[i].ecma) != 0)
            fail_msg("%s printed as %s", cases[i].ecma, print_ecma(cases[i].value));
    }
}

/* RFC 8785, appendix B. */
static void test_print_rfc8785(void **state)
{
    (void)state;
    static const struct {
        uint64_t bits;
        const char *text;
    } cases[] = {
        {0x0000000000000000u, "0"},
        {0x8000000000000000u, "0"},
        {0x0000000000000001u, "5e-324"},
        {0x8000000000000001u, "-5e-324"},
        {0x7fefffffffffffffu, "1.7976931348623157e+308"},
        {0xffefffffffffffffu, "-1.7976931348623157e+308"},
        {0x4340000000000000u, "9007199254740992"},
        {0xc340000000000000u, "-9007199254740992"},
        {0x4430000000000000u, "295147905179352830000"},
        {0x44b52d02c7e14af5u, "9.999999999999997e+22"},
        {0x44b52d02c7e14af6u, "1e+23"},
        {0x44b52d02c7e14af7u, "1.0000000000000001e+23"},
        {0x444b1ae4d6e2ef4eu, "999999999999999700000"},
        {0x444b1ae4d6e2ef4fu, "999999999999999900000"},
        {0x444b1ae4d6e2ef50u, "1e+21"},
        {0x3eb0c6f7a0b5ed8cu, "9.999999999999997e-7"},
        {0x3eb0c6f7a0b5ed8du, "0.000001"},
        {0x41b3de4355555553u, "333333333.3333332"},
        {0x41b3de4355555554u, "333333333.33333325"},
        {0x41b3de4355555555u, "333333333.3333333"},
        {0x41b3de4355555556u, "333333333.3333334"},
        {0x41b3de4355555557u, "333333333.33333343"},
        {0xbecbf647612f3696u, "-0.0000033333333333333333"},
        {0x43143ff3c1cb0959u, "1424953923781206.2"},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        if (strcmp(print_ecma(double_of(cases[i].bits)), cases[i].text) != 0)
            fail_msg("%s printed as %s", cases[i].text, print_ecma(double_of(cases[i].bits)));
}

static void test_print_float(void **state)
{
    (void)state;
    static const struct {
        float value;
        const char *text;
    } cases[] = {
        {0.1f, "0.1"},
        {-0.0f, "-0.0"},
        {1.0f, "1.0"},
        {0.3f, "0.3"},
        {16777216.0f, "16777216.0"},
        {3.4028235e38f, "3.4028235e38"},
        {1e-45f, "1e-45"},
        {1.1754944e-38f, "1.1754944e-38"},
        {1e16f, "1e16"},
        {-2.5e-5f, "-0.000025"},
        {33554432.0f, "33554432.0"},
        {8589934592.0f, "8589935000.0"},
        {5e15f, "5000000000000000.0"},
        {9.8e-7f, "9.8e-7"},
        {1.2345678e10f, "12345678000.0"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        char out[NUM_DOUBLE_SIZE + 1];
        out[num_print_float(out, cases[i].value)] = 0;
        if (strcmp(out, cases[i].text) != 0)
            fail_msg("%s printed as %s", cases[i].text, out);
    }
}

static void check_integer(uint64_t value)
{
    char out[NUM_U64_SIZE], want[32];
    size_t n = num_print_u64(out, value);
    assert_int_equal(n, sprintf(want, "%llu", (unsigned long long)value));
    assert_memory_equal(out, want, n);
    int64_t number = (int64_t)value;
    n = num_print_i64(out, number);
    assert_int_equal(n, sprintf(want, "%lld", (long long)number));
    assert_memory_equal(out, want, n);
}

static void test_print_integers(void **state)
{
    (void)state;
    for (uint64_t power = 1; power <= 10000000000000000000u; power *= 10) {
        for (uint64_t i = 1; i <= 9; i++) {
            check_integer(power * i);
            check_integer(power * i - 1);
            check_integer(power * i + 1);
            check_integer(0 - power * i);
        }
        if (power == 10000000000000000000u)
            break;
    }
    check_integer(0);
    check_integer(UINT64_MAX);
    check_integer((uint64_t)INT64_MIN);
    uint64_t random = FIXED_SEED;
    for (int i = 0; i < 1000000; i++)
        check_integer(random_next(&random) >> (random % 64));
}

/* No text with one digit less reads back: the C library's best of that length does not. */
static bool is_shortest(double value, int digits)
{
    char text[40];
    if (digits == 1)
        return true;
    sprintf(text, "%.*e", digits - 2, value);
    return strtod(text, NULL) != value;
}

static int significant_digits(const char *text)
{
    int digits = 0, zeros = 0;
    for (; *text != 0 && *text != 'e'; text++) {
        if (*text < '0' || *text > '9' || (digits == 0 && *text == '0'))
            continue;
        digits++;
        zeros = *text == '0' ? zeros + 1 : 0;
    }
    return digits - zeros;
}

static void print_random_doubles(uint64_t random, int rounds)
{
    static char out[NUM_DOUBLE_SIZE + 1];
    for (int i = 0; i < rounds; i++) {
        uint64_t bits = random_next(&random);
        if (i % 4 == 1)
            bits = bits_of((double)(int64_t)(bits >> (bits % 64)) / 1000); /* decimals as people write them */
        if (i % 16 == 2)
            bits &= ~(uint64_t)0 << (random % 53); /* few bits: powers of two and ties */
        double value = double_of(bits);
        if (!isfinite(value))
            continue;
        size_t n = num_print_double(out, value);
        out[n] = 0;
        if (bits_of(read_double(out, n)) != bits || (i % 8 == 0 && bits_of(strtod(out, NULL)) != bits))
            fail_msg("%a printed as %s", value, out);
        if (i % 16 == 0 && !is_shortest(value, significant_digits(out)))
            fail_msg("%a printed as %s, which is not the shortest", value, out);
        uint64_t digits;
        int exponent;
        if (value != 0) {
            num_shortest_double(value, &digits, &exponent);
            assert_true(digits % 10 != 0 && digits < 100000000000000000u);
            assert_true(bits_of(num_decimal_to_double(digits, exponent, false, NULL, 0)) ==
                        (bits & INT64_MAX));
        }
    }
}

static void test_round_trip_fixed_seed(void **state)
{
    (void)state;
    print_random_doubles(FIXED_SEED, 10000000);
}

static void test_round_trip_random_seed(void **state)
{
    (void)state;
    print_random_doubles(random_seed(), 1000000);
}

/* Every power of two, with both neighbours: where the interval is lopsided. */
static void test_powers_of_two(void **state)
{
    (void)state;
    for (int e = -1074; e < 1024; e++)
        for (int step = -1; step <= 1; step++) {
            double value = double_of(bits_of(ldexp(1.0, e)) + (uint64_t)step);
            const char *text = print_double(value);
            if (strtod(text, NULL) != value || (value != 0 && !is_shortest(value, significant_digits(text))))
                fail_msg("%a printed as %s", value, text);
        }
}

static void test_round_trip_floats(void **state)
{
    (void)state;
    uint64_t random = FIXED_SEED;
    for (int i = 0; i < 2000000; i++) {
        uint32_t bits = (uint32_t)(random_next(&random) >> 32);
        float value = float_of(bits);
        if (!isfinite(value))
            continue;
        char out[NUM_DOUBLE_SIZE + 1];
        size_t n = num_print_float(out, value);
        out[n] = 0;
        if (float_bits_of(read_float(out, n)) != bits || float_bits_of(strtof(out, NULL)) != bits)
            fail_msg("%a printed as %s", (double)value, out);
        int digits = significant_digits(out);
        if (i % 4 == 1 && value != 0) { /* the closest of that length, if it reads back at all */
            char closest[40];
            sprintf(closest, "%.*e", digits - 1, (double)value);
            assert_true(strtof(closest, NULL) != value || strtod(closest, NULL) == strtod(out, NULL));
        }
        if (i % 4 == 0 && digits > 1) {
            char shorter[40];
            sprintf(shorter, "%.*e", digits - 2, (double)value);
            assert_true(strtof(shorter, NULL) != value);
        }
    }
}

/* ---- other languages as oracles ---- */

/* Writes `bits text` lines to a checker's standard input; its exit status is its verdict. */
static void ask_oracle(const char *program, const char *script, size_t (*print)(char *, double))
{
    char command[512];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", program);
    if (system(command) != 0) {
        print_message("%s is missing: skipped\n", program);
        skip();
    }
    snprintf(command, sizeof command, "%s %s/%s", program, ORACLES, script);
    FILE *checker = popen(command, "w");
    assert_non_null(checker);
    uint64_t random = FIXED_SEED + 4;
    for (int i = 0; i < 1000000; i++) {
        uint64_t bits = random_next(&random);
        if (i % 3 == 1)
            bits = bits_of((double)(int64_t)(bits >> (bits % 64)) / 1000);
        if (i % 3 == 2)
            bits = (bits & ~(uint64_t)0 >> 2) |
                   0x3C00000000000000u; /* exponents in which plain digits are used */
        if (!isfinite(double_of(bits)))
            bits &= 0x800FFFFFFFFFFFFFu;
        char out[NUM_DOUBLE_SIZE];
        size_t n = print(out, double_of(bits));
        fprintf(checker, "%016llx %.*s\n", (unsigned long long)bits, (int)n, out);
    }
    assert_int_equal(pclose(checker), 0);
}

static void test_against_python(void **state)
{
    (void)state;
    ask_oracle("python3", "oracle_number.py", num_print_double);
}

static void test_against_node(void **state)
{
    (void)state;
    ask_oracle("node", "oracle_ecma.js", num_print_ecma);
}

/* ---- comparison ---- */

static void test_compare(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        int order;
    } cases[] = {
        {"0", "-0", 0},
        {"0", "0.000e99", 0},
        {"0e5", "0e-5", 0},
        {"1", "1.0", 0},
        {"1", "10e-1", 0},
        {"100", "1e2", 0},
        {"0.001", "1e-3", 0},
        {"-2.50", "-25e-1", 0},
        {"1", "2", -1},
        {"-1", "-2", 1},
        {"-1", "1", -1},
        {"0", "1e-999999999999", -1},
        {"0", "-1e-999999999999", 1},
        {"9", "10", -1},
        {"0.9", "1", -1},
        {"0.09", "0.1", -1},
        {"9007199254740993", "9007199254740992", 1},
        {"0.1", "0.1000000000000000055511151231257827", -1},
        {"1e400", "1e401", -1},
        {"1e400", "10e399", 0},
        {"1e99999999999999999999999", "1e99999999999999999999998", 1},
        {"1e99999999999999999999999", "10e99999999999999999999998", 0},
        {"1e-99999999999999999999999", "0.1e-99999999999999999999998", 0},
        {"1e-99999999999999999999999", "1e-99999999999999999999998", -1},
        {"1e100000000000000000000000", "10e99999999999999999999999", 0},
        {"1e99999999999999999999999", "1e-99999999999999999999999", 1},
        {"-1e99999999999999999999999", "-1e-99999999999999999999999", -1},
        {"1e00000000000000000000000000002", "100", 0},
        {"1e+2", "1E2", 0},
        {"5e1", "50.000000000000000000000000000000000000000000000000001", -1},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        int order = num_compare_decimal(cases[i].a, strlen(cases[i].a), cases[i].b, strlen(cases[i].b));
        int mirrored = num_compare_decimal(cases[i].b, strlen(cases[i].b), cases[i].a, strlen(cases[i].a));
        if (order != cases[i].order || mirrored != -cases[i].order)
            fail_msg("%s, %s: %d, %d", cases[i].a, cases[i].b, order, mirrored);
    }
}

/* The same number written in two ways is equal; changing one digit orders it. */
static void test_compare_random(void **state)
{
    (void)state;
    uint64_t random = FIXED_SEED;
    for (int i = 0; i < 300000; i++) {
        char digits[64], a[160], b[160];
        int n = 1 + (int)(random_next(&random) % 40);
        for (int d = 0; d < n; d++)
            digits[d] = (char)('0' + random_next(&random) % 10);
        digits[0] = (char)('1' + random_next(&random) % 9);
        digits[n] = 0;
        int e = (int)(random_next(&random) % 100) - 50, shift = (int)(random_next(&random) % 20);
        /* 0.digits * 10^e, and with zeros on both ends */
        int a_n = sprintf(a, "0.%se%d", digits, e);
        int b_n = sprintf(b, "0.%0*d%s%0*de%d", shift + 1, 0, digits, 1 + shift / 2, 0, e + shift + 1);
        assert_int_equal(num_compare_decimal(a, (size_t)a_n, b, (size_t)b_n), 0);
        int at = (int)(random_next(&random) % (uint64_t)n);
        char *changed = &a[2 + at];
        char old = *changed;
        *changed = (char)('1' + random_next(&random) % 9);
        int want = (*changed > old) - (*changed < old);
        assert_int_equal(num_compare_decimal(a, (size_t)a_n, b, (size_t)b_n), want);
    }
}

/* ---- widths ---- */

/* Value by the definition of binary16. */
static double half_by_definition(uint16_t half)
{
    int exponent = half >> 10 & 31, fraction = half & 1023;
    double value = exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25);
    return half & 0x8000 ? -value : value;
}

static void test_half(void **state)
{
    (void)state;
    double previous = 0;
    for (uint32_t h = 0; h < 0x10000; h++) {
        uint16_t half = (uint16_t)h, back;
        double value = num_half_to_double(half);
        if ((half & 0x7C00) == 0x7C00) {
            assert_true(half & 0x3FF ? isnan(value) : isinf(value));
            assert_true(num_double_to_half(value, &back));
            uint16_t quiet =
                half & 0x3FF ? 0x200 : 0; /* a register of the x87 makes a signalling NaN quiet */
            assert_int_equal(back | quiet, half | quiet);
            continue;
        }
        assert_true(bits_of(value) == bits_of(half_by_definition(half)));
        assert_true(num_double_to_half(value, &back));
        assert_int_equal(back, half);
        assert_true(num_double_fits_float(value));
        if (half > 0 && half < 0x7C00) { /* halfway to the one below: to even; a hair off: to the nearer */
            double middle = (previous + value) / 2;
            assert_false(num_double_to_half(middle, &back));
            assert_int_equal(back, half & 1 ? half - 1 : half);
            assert_false(num_double_to_half(double_of(bits_of(middle) + 1), &back));
            assert_int_equal(back, half);
            assert_false(num_double_to_half(double_of(bits_of(middle) - 1), &back));
            assert_int_equal(back, half - 1);
        }
        previous = value;
    }
    uint16_t half;
    static const struct {
        double value;
        uint16_t half;
        bool exact;
    } cases[] = {
        {65504, 0x7BFF, true},    {65519.999, 0x7BFF, false}, {65520, 0x7C00, false},
        {1e300, 0x7C00, false},   {-1e300, 0xFC00, false},    {5e-324, 0, false},
        {-5e-324, 0x8000, false}, {0x1p-25, 0, false},        {0x1.8p-25, 0x0001, false},
        {INFINITY, 0x7C00, true}, {-0.0, 0x8000, true},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        assert_int_equal(num_double_to_half(cases[i].value, &half), cases[i].exact);
        assert_int_equal(half, cases[i].half);
    }
}

static void test_fits_float(void **state)
{
    (void)state;
    uint64_t random = FIXED_SEED;
    for (int i = 0; i < 3000000; i++) {
        uint64_t bits = random_next(&random);
        if (i % 2)
            bits = (bits & 0x800FFFFFFFFFFFFFu) | (uint64_t)(1023 - 160 + (int)(random % 300)) << 52;
        bits &= ~(uint64_t)0 << (random >> 8) % 60;
        double value = double_of(bits);
        volatile float narrow = (float)value;
        bool fits = isnan(value) || (double)narrow == value;
        if (num_double_fits_float(value) != fits)
            fail_msg("%a", value);
    }
    assert_true(num_double_fits_float(0.0) && num_double_fits_float(INFINITY) &&
                num_double_fits_float(0x1p-149));
    assert_false(num_double_fits_float(0x1p-150) || num_double_fits_float(0x1p128) ||
                 num_double_fits_float(0.1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_powers_of_ten),
        cmocka_unit_test(test_scan),
        cmocka_unit_test(test_magnitude),
        cmocka_unit_test(test_read),
        cmocka_unit_test(test_read_float),
        cmocka_unit_test(test_halfway_points),
        cmocka_unit_test(test_long_texts),
        cmocka_unit_test(test_read_random_texts),
        cmocka_unit_test(test_print),
        cmocka_unit_test(test_print_rfc8785),
        cmocka_unit_test(test_print_float),
        cmocka_unit_test(test_print_integers),
        cmocka_unit_test(test_powers_of_two),
        cmocka_unit_test(test_round_trip_fixed_seed),
        cmocka_unit_test(test_round_trip_random_seed),
        cmocka_unit_test(test_round_trip_floats),
        cmocka_unit_test(test_against_python),
        cmocka_unit_test(test_against_node),
        cmocka_unit_test(test_compare),
        cmocka_unit_test(test_compare_random),
        cmocka_unit_test(test_half),
        cmocka_unit_test(test_fits_float),
    };
    return cmocka_run_group_tests_name("number", tests, NULL, NULL);
}
