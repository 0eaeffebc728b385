/* Decimal texts taken apart and put together again. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "text/decimal.h"

static void parts(void **state)
{
    (void)state;
    static const struct {
        const char *text, *digits;
        int64_t exponent;
        bool negative, integer, huge;
    } rows[] = {
        {"0", "0", 0, false, true, false},
        {"-0", "0", 0, true, true, false},
        {"120", "120", 0, false, true, false},
        {"1.50", "150", -2, false, false, false},
        {"-0.0012e5", "12", 1, true, false, false},
        {"0.000", "0", -3, false, false, false},
        {"1e400", "1", 400, false, false, false},
        {"1E+05", "1", 5, false, false, false},
        {"1.25e-3", "125", -5, false, false, false},
        {"1e9223372036854775807", "1", INT64_MAX, false, false, false},
        {"1e-9223372036854775808", "1", INT64_MIN, false, false, false},
        {"1e9223372036854775808", "1", 0, false, false, true},
        {"0.1e-9223372036854775808", "1", 0, false, false, true},
        {"1e-99999999999999999999", "1", 0, false, false, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        weir_buffer digits = {0};
        struct decimal out;
        assert_true(decimal_split(rows[i].text, strlen(rows[i].text), &digits, &out));
        assert_int_equal(out.negative, rows[i].negative);
        assert_int_equal(out.integer, rows[i].integer);
        assert_int_equal(out.huge, rows[i].huge);
        assert_int_equal(out.size, strlen(rows[i].digits));
        assert_memory_equal(digits.data, rows[i].digits, out.size);
        if (!out.huge) {
            assert_int_equal(out.exponent, rows[i].exponent);
        }
        weir_buffer_free(&digits);
    }
}

/* The text, and that its parts are what it was made of. */
static void texts(void **state)
{
    (void)state;
    static const struct {
        const char *digits;
        int64_t exponent;
        const char *text;
    } rows[] = {
        {"1", 400, "1e400"},
        {"15", 399, "1.5e400"},
        {"5", 0, "5e0"},
        {"50", 0, "5.0e1"},
        {"12345", -2, "123.45"},
        {"12345", -5, "0.12345"},
        {"1", -6, "0.000001"},
        {"12", -7, "0.0000012"},
        {"1", -7, "1e-7"},
        {"12", -8, "1.2e-7"},
        {"100", 5, "1.00e7"},
        {"0", -2, "0.00"},
        {"0", 2, "0e2"},
        {"12", INT64_MAX, "12e9223372036854775807"},
        {"12", INT64_MIN, "1.2e-9223372036854775807"},
        {"1", INT64_MIN, "1e-9223372036854775808"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int negative = 0; negative < 2; negative++) {
            weir_buffer text = {0}, digits = {0};
            struct decimal out;
            assert_true(
                decimal_join(negative, rows[i].digits, strlen(rows[i].digits), rows[i].exponent, &text));
            assert_string_equal(text.data + negative, rows[i].text);
            assert_true(decimal_split(text.data, text.len, &digits, &out));
            assert_false(out.integer || out.huge);
            assert_int_equal(out.negative, negative);
            assert_int_equal(out.exponent, rows[i].exponent);
            assert_int_equal(out.size, strlen(rows[i].digits));
            assert_memory_equal(digits.data, rows[i].digits, out.size);
            weir_buffer_free(&text);
            weir_buffer_free(&digits);
        }
    }
}

static void doubles(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_double;
    } rows[] = {
        {"0.1", true},
        {"0.10", true},
        {"1e300", true},
        {"273.15", true},
        {"1e400", false},
        {"1e-400", false},
        {"5e-324", true},
        {"4.9e-324", false},
        {"0.1000000000000000055511151231257827", false},
        {"9007199254740993.0", false},
        {"9007199254740992.0", true},
        {"-0.0", true},
        {"0e99999999", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (decimal_is_double(rows[i].text, strlen(rows[i].text)) != rows[i].is_double) {
            fail_msg("%s", rows[i].text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts), cmocka_unit_test(texts),
                                       cmocka_unit_test(doubles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
