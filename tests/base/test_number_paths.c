/*
 * The vector layout of printed doubles against the portable one, byte for byte. The portable code is compiled
 * in here a second time under other names; where there is no SSE2, both are the same code.
 */
#include "base/number.h"
#include "base/number_inline.h"
#include "test_random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#undef __SSE2__
#define num_print_u64 portable_print_u64
#define num_print_i64 portable_print_i64
#define num_print_double portable_print_double
#define num_print_float portable_print_float
#define num_print_ecma portable_print_ecma
#define num_shortest_double portable_shortest_double
#define num_shortest_float portable_shortest_float
size_t portable_print_u64(char *out, uint64_t value);
size_t portable_print_i64(char *out, int64_t value);
size_t portable_print_double(char *out, double value);
size_t portable_print_float(char *out, float value);
size_t portable_print_ecma(char *out, double value);
void portable_shortest_double(double value, uint64_t *digits, int *exponent);
void portable_shortest_float(float value, uint64_t *digits, int *exponent);
#include "../../src/base/number_print.c"
#undef num_print_double

static void check(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    if (!isfinite(value))
        return;
    char vector[NUM_DOUBLE_SIZE], portable[NUM_DOUBLE_SIZE];
    size_t n = num_print_double(vector, value);
    assert_int_equal(portable_print_double(portable, value), n);
    assert_memory_equal(vector, portable, n);
}

static void compare(uint64_t random, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        uint64_t r = random_next(&random);
        check(r);
        check((r & UINT64_MAX >> 2) | 0x3C00000000000000u); /* near 1: plain digits */
        double decimal = (double)(int64_t)(r >> (r % 54)) / (double)(1 + r % 7 * 1000);
        uint64_t bits;
        memcpy(&bits, &decimal, sizeof bits);
        check(bits);
    }
}

static void test_fixed_seed(void **state)
{
    (void)state;
    compare(FIXED_SEED, 1000000);
}

static void test_random_seed(void **state)
{
    (void)state;
    compare(random_seed(), 300000);
}

/* Each number of digits with the point in each place. */
static void test_all_layouts(void **state)
{
    (void)state;
    for (int exponent = -25; exponent <= 25; exponent++)
        for (uint64_t digits = 1; digits < 100000000000000000u; digits = digits * 10 + digits % 9 + 1) {
            double value = num_decimal_to_double(digits, exponent, false, NULL, 0);
            uint64_t bits;
            memcpy(&bits, &value, sizeof bits);
            for (int step = -2; step <= 2; step++)
                check(bits + (uint64_t)step);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_layouts),
        cmocka_unit_test(test_fixed_seed),
        cmocka_unit_test(test_random_seed),
    };
    return cmocka_run_group_tests_name("number paths", tests, NULL, NULL);
}
