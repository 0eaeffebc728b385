/* Integers of any size between bytes and decimal digits, against long multiplication and division done digit
 * by digit here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/bignum.h"
#include "support.h"

/* The schoolbook: digits in base 10, most significant first. */
static char *slow_decimal(const uint8_t *bytes, size_t n)
{
    size_t size = n * 3 + 2, len = 1;
    uint8_t *digits = calloc(size, 1); /* least significant first */
    for (size_t i = 0; i < n; i++) {
        unsigned carry = bytes[i];
        for (size_t k = 0; k < len; k++) {
            carry += digits[k] * 256u;
            digits[k] = (uint8_t)(carry % 10);
            carry /= 10;
        }
        for (; carry; carry /= 10) {
            digits[len++] = (uint8_t)(carry % 10);
        }
    }
    char *text = malloc(len + 1);
    for (size_t k = 0; k < len; k++) {
        text[k] = (char)('0' + digits[len - 1 - k]);
    }
    text[len] = '\0';
    free(digits);
    return text;
}

static void check(const uint8_t *bytes, size_t n, bool slow)
{
    weir_buffer text = {0}, back = {0};
    assert_true(bignum_to_decimal(bytes, n, &text));
    assert_true(bignum_from_decimal(text.data, text.len, &back));
    size_t zeros = 0;
    while (zeros < n && !bytes[zeros]) {
        zeros++;
    }
    assert_int_equal(back.len, n - zeros);
    if (back.len) {
        assert_memory_equal(back.data, bytes + zeros, back.len);
    }
    assert_true(bignum_least_digits(n - zeros) <= text.len);
    if (slow) {
        char *expected = slow_decimal(bytes, n);
        assert_string_equal(text.data, expected);
        free(expected);
    }
    weir_buffer_free(&text);
    weir_buffer_free(&back);
}

/* Every length around the edges of words, blocks and joins, with the bytes that carry most and least. */
static void all_lengths(void **state)
{
    (void)state;
    rng random = rng_new(11);
    static uint8_t bytes[4200];
    for (size_t n = 0; n < 4200; n = n < 40 ? n + 1 : n < 1100 ? n + 29 : n * 2 + 1) {
        memset(bytes, 0xFF, n);
        check(bytes, n, true);
        memset(bytes, 0, n);
        check(bytes, n, true);
        if (n) {
            bytes[0] = 1;
            check(bytes, n, true);
        }
        rng_fill(&random, bytes, n);
        check(bytes, n, true);
    }
    for (size_t n = 250; n < 260; n++) {
        rng_fill(&random, bytes, n);
        check(bytes, n, true);
    }
}

static void powers_of_ten(void **state)
{
    (void)state;
    for (size_t n = 1; n < 3000; n += n < 700 ? 1 : 97) {
        weir_buffer bytes = {0}, text = {0};
        char *digits = malloc(n + 1);
        memset(digits, '0', n);
        digits[0] = '1';
        digits[n] = '\0';
        assert_true(bignum_from_decimal(digits, n, &bytes));
        assert_true(bignum_to_decimal((const uint8_t *)bytes.data, bytes.len, &text));
        assert_string_equal(text.data, digits);
        free(digits);
        weir_buffer_free(&bytes);
        weir_buffer_free(&text);
    }
}

static void large(void **state)
{
    (void)state;
    rng random = rng_new(12);
    uint8_t *bytes = malloc(100000);
    rng_fill(&random, bytes, 100000);
    check(bytes, 100000, false);
    memset(bytes, 0xFF, 100000);
    check(bytes, 100000, false);
    free(bytes);
}

static void appends_and_zeros(void **state)
{
    (void)state;
    weir_buffer out = {0};
    assert_true(weir_buffer_append(&out, "-", 1));
    assert_true(bignum_to_decimal((const uint8_t *)"\0\0\1\0", 4, &out));
    assert_string_equal(out.data, "-256");
    weir_buffer_clear(&out);
    assert_true(bignum_to_decimal(NULL, 0, &out));
    assert_string_equal(out.data, "0");
    weir_buffer_clear(&out);
    assert_true(bignum_from_decimal("000000000000", 12, &out));
    assert_int_equal(out.len, 0);
    weir_buffer_free(&out);
}

static void out_of_memory(void **state)
{
    (void)state;
    uint8_t bytes[1000];
    memset(bytes, 0xAB, sizeof bytes);
    for (uint64_t at = 1;; at++) {
        fault_allocator fault = {.fail_at = at};
        weir_allocator hook = fault_hook(&fault);
        weir_buffer out = {.allocator = &hook};
        bool ok = bignum_to_decimal(bytes, sizeof bytes, &out);
        assert_true(ok || out.len == 0);
        weir_buffer_free(&out);
        assert_int_equal(fault.live_blocks, 0);
        assert_int_equal(fault.wrong_sizes, 0);
        if (ok) {
            assert_true(at > 1);
            break;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_lengths),       cmocka_unit_test(powers_of_ten), cmocka_unit_test(large),
        cmocka_unit_test(appends_and_zeros), cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
