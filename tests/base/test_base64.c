/* RFC 4648: its test vectors (section 10), strictness (sections 3.2, 3.3, 3.5), and all texts of two
 * characters. */
#include "base/base64.h"
#include "test_random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

struct vector {
    base_code code;
    base_padding padding;
    const char *data, *text;
};

static const struct vector vectors[] = {
    {BASE_64, BASE_PADDED, "", ""},
    {BASE_64, BASE_PADDED, "f", "Zg=="},
    {BASE_64, BASE_PADDED, "fo", "Zm8="},
    {BASE_64, BASE_PADDED, "foo", "Zm9v"},
    {BASE_64, BASE_PADDED, "foob", "Zm9vYg=="},
    {BASE_64, BASE_PADDED, "fooba", "Zm9vYmE="},
    {BASE_64, BASE_PADDED, "foobar", "Zm9vYmFy"},
    {BASE_64, BASE_UNPADDED, "fooba", "Zm9vYmE"},
    {BASE_64, BASE_EITHER, "f", "Zg=="},
    {BASE_64, BASE_PADDED, "\xFB\xEF\xFF", "++//"},
    {BASE_64_URL, BASE_PADDED, "\xFB\xEF\xFF", "--__"},
    {BASE_64_URL, BASE_UNPADDED, "\xFB\xEF", "--8"},
    {BASE_32, BASE_PADDED, "", ""},
    {BASE_32, BASE_PADDED, "f", "MY======"},
    {BASE_32, BASE_PADDED, "fo", "MZXQ===="},
    {BASE_32, BASE_PADDED, "foo", "MZXW6==="},
    {BASE_32, BASE_PADDED, "foob", "MZXW6YQ="},
    {BASE_32, BASE_PADDED, "fooba", "MZXW6YTB"},
    {BASE_32, BASE_PADDED, "foobar", "MZXW6YTBOI======"},
    {BASE_32, BASE_UNPADDED, "foobar", "MZXW6YTBOI"},
    {BASE_32_HEX, BASE_PADDED, "f", "CO======"},
    {BASE_32_HEX, BASE_PADDED, "fo", "CPNG===="},
    {BASE_32_HEX, BASE_PADDED, "foo", "CPNMU==="},
    {BASE_32_HEX, BASE_PADDED, "foob", "CPNMUOG="},
    {BASE_32_HEX, BASE_PADDED, "fooba", "CPNMUOJ1"},
    {BASE_32_HEX, BASE_PADDED, "foobar", "CPNMUOJ1E8======"},
    {BASE_16, BASE_UNPADDED, "foobar", "666F6F626172"},
    {BASE_16_LOWER, BASE_PADDED, "foobar", "666f6f626172"},
};

static void test_vectors(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        const struct vector *v = &vectors[i];
        char text[64];
        uint8_t data[64];
        size_t size, n = strlen(v->data), length = strlen(v->text);
        assert_true(base_encoded_size(v->code, v->padding, n, &size));
        assert_int_equal(size, length);
        assert_int_equal(base_encode(v->code, v->padding, v->data, n, text), length);
        assert_memory_equal(text, v->text, length);
        assert_true(base_decoded_bound(v->code, length) >= n);
        assert_true(base_decode(v->code, v->padding, v->text, length, data, &size));
        assert_int_equal(size, n);
        assert_memory_equal(data, v->data, n);
    }
}

struct refusal {
    const char *rule;
    base_code code;
    base_padding padding;
    const char *text;
    size_t at;
};

static const struct refusal refusals[] = {
    {"white space", BASE_64, BASE_PADDED, "Zm9v\nZm9v", 4},
    {"white space at the end", BASE_64, BASE_EITHER, "Zm9v ", 4},
    {"foreign byte", BASE_64, BASE_PADDED, "Zm*v", 2},
    {"byte above ASCII", BASE_64, BASE_PADDED, "Zm9\xFF", 3},
    {"the other alphabet", BASE_64, BASE_PADDED, "--__", 0},
    {"the other alphabet", BASE_64_URL, BASE_PADDED, "Zm+v", 2},
    {"bits left over, 2", BASE_64, BASE_PADDED, "Zm9=", 2},
    {"bits left over, 4", BASE_64, BASE_PADDED, "Zh==", 1},
    {"bits left over, no padding", BASE_64, BASE_UNPADDED, "Zh", 1},
    {"padding missing", BASE_64, BASE_PADDED, "Zg", 2},
    {"padding incomplete", BASE_64, BASE_PADDED, "Zg=", 3},
    {"padding incomplete", BASE_64, BASE_EITHER, "Zg=", 3},
    {"padding too long", BASE_64, BASE_PADDED, "Zm8==", 4},
    {"padding after a whole group", BASE_64, BASE_PADDED, "Zm9v=", 4},
    {"padding after a whole group", BASE_64, BASE_PADDED, "Zm9v====", 4},
    {"padding alone", BASE_64, BASE_PADDED, "====", 0},
    {"padding in the middle", BASE_64, BASE_PADDED, "Zg==Zg==", 2},
    {"padding unwanted", BASE_64, BASE_UNPADDED, "Zg==", 2},
    {"one character is no byte", BASE_64, BASE_UNPADDED, "Z", 1},
    {"one character is no byte", BASE_64, BASE_PADDED, "Zm9vZ===", 5},
    {"1, 3 or 6 characters are no bytes", BASE_32, BASE_UNPADDED, "M", 1},
    {"1, 3 or 6 characters are no bytes", BASE_32, BASE_UNPADDED, "MZX", 3},
    {"1, 3 or 6 characters are no bytes", BASE_32, BASE_PADDED, "MZXW6A==", 6},
    {"bits left over", BASE_32, BASE_PADDED, "MZ======", 1},
    {"digit 1 is not base32", BASE_32, BASE_PADDED, "MZXW6YT1", 7},
    {"W is not base32hex", BASE_32_HEX, BASE_PADDED, "CPNMUOJW", 7},
    {"odd length", BASE_16, BASE_PADDED, "666", 3},
    {"foreign byte", BASE_16, BASE_PADDED, "6g", 1},
    {"no padding in base16", BASE_16, BASE_EITHER, "66==", 2},
};

static void test_refusals(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        const struct refusal *r = &refusals[i];
        uint8_t data[64];
        size_t size;
        if (base_decode(r->code, r->padding, r->text, strlen(r->text), data, &size) || size != r->at)
            fail_msg("%s: %s, at %zu instead of %zu", r->rule, r->text, size, r->at);
    }
}

static void test_either_case_and_padding(void **state)
{
    (void)state;
    uint8_t data[64];
    size_t size;
    assert_true(base_decode(BASE_32, BASE_PADDED, "mzxw6ytb", 8, data, &size));
    assert_memory_equal(data, "fooba", 5);
    assert_true(base_decode(BASE_32_HEX, BASE_PADDED, "cpnmuoj1", 8, data, &size));
    assert_memory_equal(data, "fooba", 5);
    assert_true(base_decode(BASE_16, BASE_PADDED, "aAfF", 4, data, &size));
    assert_memory_equal(data, "\xAA\xFF", 2);
    assert_true(base_decode(BASE_64, BASE_EITHER, "Zg", 2, data, &size));
    assert_int_equal(size, 1);
    assert_true(base_decode(BASE_64, BASE_EITHER, "Zg==", 4, data, &size));
    assert_int_equal(size, 1);
}

/* Each character decodes to its place in the alphabet, and every other byte is refused. */
static void test_alphabets(void **state)
{
    (void)state;
    for (int code = BASE_64; code <= BASE_16_LOWER; code++) {
        size_t group = code <= BASE_64_URL ? 4 : code <= BASE_32_HEX ? 8 : 2, accepted = 0;
        for (int byte = 0; byte < 256; byte++) {
            char text[8], again[8];
            uint8_t data[8];
            size_t size;
            memset(text, code == BASE_32_HEX || code >= BASE_16 ? '0' : 'A', sizeof text);
            text[group - 1] = (char)byte;
            if (!base_decode((base_code)code, BASE_UNPADDED, text, group, data, &size))
                continue;
            accepted++;
            assert_int_equal(base_encode((base_code)code, BASE_UNPADDED, data, size, again), group);
            char expected = text[group - 1];
            if (code >= BASE_32 && expected >= 'a')
                expected = (char)(expected - 32);
            if (code == BASE_16_LOWER && expected >= 'A')
                expected = (char)(expected + 32);
            assert_int_equal(again[group - 1], expected);
        }
        static const size_t counts[] = {64, 64, 32 + 26, 32 + 22, 22, 22};
        assert_int_equal(accepted, counts[code]);
    }
}

/* Strict decoding is injective: a text that is accepted is the one that encoding gives. */
static void test_all_short_texts(void **state)
{
    (void)state;
    for (uint32_t t = 0; t < 1u << 16; t++) {
        char text[4] = {(char)(t >> 8), (char)t, '=', '='}, again[4];
        uint8_t data[4];
        size_t size;
        if (!base_decode(BASE_64, BASE_PADDED, text, 4, data, &size))
            continue;
        assert_int_equal(size, 1);
        base_encode(BASE_64, BASE_PADDED, data, size, again);
        assert_memory_equal(text, again, 4);
    }
}

static void round_trips(uint64_t random, int rounds)
{
    for (int round = 0; round < rounds; round++) {
        uint8_t data[300], back[310];
        size_t n = random_next(&random) % sizeof data, size, length;
        for (size_t i = 0; i < n; i++)
            data[i] = (uint8_t)(random_next(&random) >> 24);
        base_code code = (base_code)(random_next(&random) % 6);
        base_padding padding = (base_padding)(random_next(&random) % 3);
        assert_true(base_encoded_size(code, padding, n, &length));
        char *text = malloc(length + 1); /* exactly as large as promised: the sanitizers watch the edge */
        assert_non_null(text);
        assert_int_equal(base_encode(code, padding, data, n, text), length);
        assert_true(base_decode(code, padding, text, length, back, &size));
        assert_int_equal(size, n);
        assert_memory_equal(back, data, n);
        uint8_t *in_place = (uint8_t *)text;
        assert_true(base_decode(code, padding, text, length, in_place, &size));
        assert_memory_equal(in_place, data, n);
        free(text);
    }
}

static void test_round_trip_fixed_seed(void **state)
{
    (void)state;
    round_trips(FIXED_SEED, 20000);
}

static void test_round_trip_random_seed(void **state)
{
    (void)state;
    round_trips(random_seed(), 5000);
}

static void test_sizes_do_not_overflow(void **state)
{
    (void)state;
    size_t size;
    assert_false(base_encoded_size(BASE_64, BASE_PADDED, SIZE_MAX, &size));
    assert_false(base_encoded_size(BASE_16, BASE_PADDED, SIZE_MAX / 2 + 1, &size));
    assert_true(base_encoded_size(BASE_16, BASE_PADDED, SIZE_MAX / 2, &size));
    assert_int_equal(size, SIZE_MAX - 1);
    assert_false(base_encoded_size(BASE_32, BASE_PADDED, SIZE_MAX / 8 * 5 + 1, &size));
    assert_true(base_decoded_bound(BASE_16, SIZE_MAX) > SIZE_MAX / 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_either_case_and_padding),
        cmocka_unit_test(test_alphabets),
        cmocka_unit_test(test_all_short_texts),
        cmocka_unit_test(test_round_trip_fixed_seed),
        cmocka_unit_test(test_round_trip_random_seed),
        cmocka_unit_test(test_sizes_do_not_overflow),
    };
    return cmocka_run_group_tests_name("base64", tests, NULL, NULL);
}
