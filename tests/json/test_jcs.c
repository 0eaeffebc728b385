/* RFC 8785, the JSON Canonicalization Scheme: its own examples byte for byte, numbers, key order, refusals.
 */
#include "events.h"

#include <math.h>

#include "support.h"

static char *canonical(const char *input, size_t len, weir_numbers numbers)
{
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.numbers = numbers;
    weir_buffer out = {0};
    weir_reader *reader = weir_reader_open(weir_json, input, len, &options, NULL);
    options.flags = WEIR_CANONICAL;
    options.indent = 2; /* a canonical text has no layout */
    weir_writer *writer = weir_writer_open(weir_json, &out, &options, NULL);
    assert_non_null(reader);
    assert_non_null(writer);
    const weir_event *event;
    while ((event = weir_reader_next(reader)) && event->kind != WEIR_KIND_END_DOCUMENT &&
           weir_write_event(writer, event)) {
    }
    assert_non_null(event);
    if (!weir_writer_finish(writer)) {
        weir_buffer_clear(&out);
        put(&out, "!%s", weir_code_name(weir_writer_error(writer)->code));
    }
    weir_reader_close(reader);
    weir_writer_close(writer);
    return out.data;
}

static void check(const char *input, const char *expected)
{
    char *out = canonical(input, strlen(input), WEIR_NUMBERS_EXACT);
    assert_string_equal(out, expected);
    free(out);
}

/* Section 3.2.2.3: numbers are doubles, printed as ECMAScript does. */
static void numbers(void **state)
{
    (void)state;
    check("[0,-0,-0.0,1.0,1e3,4.50,2e-3]", "[0,0,0,1,1000,4.5,0.002]");
    check("333333333.33333329", "333333333.3333333");
    check("1e30", "1e+30");
    check("0.000000000000000000000000001", "1e-27");
    check("1e21", "1e+21");
    check("1e20", "100000000000000000000");
    check("9007199254740992", "9007199254740992");
    check("-9007199254740994", "-9007199254740994");
    check("18446744073709549568", "18446744073709550000"); /* a double, 2^64 - 2^11, in its shortest text */
    check("9223372036854775808", "9223372036854776000");
    /* an integer that no double holds */
    check("9007199254740993", "!loss/bigint");
    check("-9007199254740993", "!loss/bigint");
    check("18446744073709551615", "!loss/bigint");
    check("123456789012345678901234567890", "!loss/bigint");
}

/* Appendix B: bit patterns and their texts. */
static void appendix_b(void **state)
{
    (void)state;
    static const struct {
        uint64_t bits;
        const char *text;
    } rows[] = {
        {0x0000000000000000, "0"},
        {0x8000000000000000, "0"},
        {0x0000000000000001, "5e-324"},
        {0x8000000000000001, "-5e-324"},
        {0x7fefffffffffffff, "1.7976931348623157e+308"},
        {0xffefffffffffffff, "-1.7976931348623157e+308"},
        {0x4340000000000000, "9007199254740992"},
        {0xc340000000000000, "-9007199254740992"},
        {0x4430000000000000, "295147905179352830000"},
        {0x44b52d02c7e14af5, "9.999999999999997e+22"},
        {0x44b52d02c7e14af6, "1e+23"},
        {0x44b52d02c7e14af7, "1.0000000000000001e+23"},
        {0x444b1ae4d6e2ef4e, "999999999999999700000"},
        {0x444b1ae4d6e2ef4f, "999999999999999900000"},
        {0x444b1ae4d6e2ef50, "1e+21"},
        {0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
        {0x3eb0c6f7a0b5ed8d, "0.000001"},
        {0x41b3de4355555553, "333333333.3333332"},
        {0x41b3de4355555554, "333333333.33333325"},
        {0x41b3de4355555555, "333333333.3333333"},
        {0x41b3de4355555556, "333333333.3333334"},
        {0x41b3de4355555557, "333333333.33333343"},
        {0xbecbf647612f3696, "-0.0000033333333333333333"},
        {0x43143ff3c1cb0959, "1424953923781206.2"},
        {0x7fffffffffffffff, "!loss/nonfinite"},
        {0x7ff0000000000000, "!loss/nonfinite"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        weir_options options = WEIR_OPTIONS_DEFAULT;
        options.flags = WEIR_CANONICAL;
        double value;
        memcpy(&value, &rows[i].bits, sizeof value);
        weir_buffer out = {0};
        weir_writer *writer = weir_writer_open(weir_json, &out, &options, NULL);
        weir_write_double(writer, value);
        if (!weir_writer_finish(writer)) {
            put(&out, "!%s", weir_code_name(weir_writer_error(writer)->code));
        }
        weir_writer_close(writer);
        assert_string_equal(out.data, rows[i].text);
        weir_buffer_free(&out);
    }
}

/* Section 3.2.2.2: short escapes, \u00xx in lower case, everything else as it is. */
static void strings(void **state)
{
    (void)state;
    check("\"\\u20ac$\\u000F\\u000aA'\\u0042\\u0022\\u005c\\\\\\\"\\/\"",
          "\"\xE2\x82\xAC$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"");
}

/* Section 3.2.3: keys in the order of their UTF-16 code units, at every level. */
static void order(void **state)
{
    (void)state;
    check("{\"b\":1,\"a\":[{\"d\":1,\"c\":2}],\"\":0,\"aa\":3}",
          "{\"\":0,\"a\":[{\"c\":2,\"d\":1}],\"aa\":3,\"b\":1}");
    check("{\"\\u20ac\":\"Euro Sign\",\"\\r\":\"Carriage Return\",\"\\ufb33\":\"Hebrew Letter Dalet With "
          "Dagesh\","
          "\"1\":\"One\",\"\\ud83d\\ude00\":\"Emoji: Grinning Face\",\"\\u0080\":\"Control\","
          "\"\\u00f6\":\"Latin Small Letter O With Diaeresis\"}",
          "{\"\\r\":\"Carriage Return\",\"1\":\"One\",\"\xC2\x80\":\"Control\","
          "\"\xC3\xB6\":\"Latin Small Letter O With Diaeresis\",\"\xE2\x82\xAC\":\"Euro Sign\","
          "\"\xF0\x9F\x98\x80\":\"Emoji: Grinning Face\",\"\xEF\xAC\xB3\":\"Hebrew Letter Dalet With "
          "Dagesh\"}");
    check("{\"a\":1,\"b\":2,\"a\":3}", "!loss/duplicate-key");
}

/* Ascending by UTF-16: what lies beyond the basic plane comes before the end of that plane. */
static void order_of_planes(void **state)
{
    (void)state;
    static const char *const keys[] = {
        "",
        "\r",
        "1",
        "A",
        "AA",
        "a",
        "\xC2\x80",
        "\xC3\xB6",
        "\xE2\x82\xAC",
        "\xED\x9F\xBF",
        "\xF0\x90\x80\x80",
        "\xF0\x9F\x98\x80",
        "\xF0\x9F\x98\x80x",
        "\xF4\x8F\xBF\xBF",
        "\xEE\x80\x80",
        "\xEF\xAC\xB3",
        "\xEF\xBF\xBD",
        "\xEF\xBF\xBD\xEE\x80\x80",
        "\xEF\xBF\xBF",
    };
    size_t n = sizeof keys / sizeof *keys;
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.flags = WEIR_CANONICAL;
    weir_buffer out = {0};
    weir_writer *writer = weir_writer_open(weir_json, &out, &options, NULL);
    weir_write_map(writer, WEIR_UNKNOWN);
    for (size_t i = 0; i < n; i++) {
        const char *key = keys[i * 7 % n]; /* 19 keys in a mixed order */
        weir_write_key(writer, key, strlen(key));
        weir_write_null(writer);
    }
    weir_write_end(writer);
    assert_true(weir_writer_finish(writer));
    weir_writer_close(writer);
    weir_reader *reader = weir_reader_open(weir_json, out.data, out.len, NULL, NULL);
    assert_int_equal(weir_reader_next(reader)->kind, WEIR_KIND_MAP);
    for (size_t i = 0; i < n; i++) {
        const weir_event *key = weir_reader_next(reader);
        assert_int_equal(key->len, strlen(keys[i]));
        assert_memory_equal(key->text, keys[i], key->len);
        assert_int_equal(weir_reader_next(reader)->kind, WEIR_KIND_NULL);
    }
    weir_reader_close(reader);
    weir_buffer_free(&out);
}

static void official_examples(void **state)
{
    (void)state;
    static const char *const names[] = {"arrays", "french", "structures", "unicode", "values", "weird"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char relative[64], path[512];
        size_t len, expected_len;
        snprintf(relative, sizeof relative, "jcs/input/%s.json", names[i]);
        if (!corpora_path(path, sizeof path, relative)) {
            print_message("the examples of RFC 8785 are not here\n");
            skip();
        }
        char *input = read_file(path, &len);
        snprintf(relative, sizeof relative, "jcs/output/%s.json", names[i]);
        assert_non_null(corpora_path(path, sizeof path, relative));
        char *expected = read_file(path, &expected_len);
        assert_non_null(input);
        assert_non_null(expected);
        char *out = canonical(input, len, WEIR_NUMBERS_STRICT);
        assert_string_equal(out, expected);
        free(out);
        free(input);
        free(expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers), cmocka_unit_test(appendix_b),      cmocka_unit_test(strings),
        cmocka_unit_test(order),   cmocka_unit_test(order_of_planes), cmocka_unit_test(official_examples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
