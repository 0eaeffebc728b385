/* The JSON writer: layout, escapes, numbers, refusals; and that what it writes is read back as the same
 * events. */
#include "events.h"

#include <math.h>

#include "support.h"

/* Reads JSON and writes it again with these options, event by event; the error's name on failure. */
static char *rewrite(const weir_format *to, const char *input, size_t len, const weir_options *options)
{
    weir_buffer out = {0};
    weir_options reading = WEIR_OPTIONS_DEFAULT;
    reading.numbers = WEIR_NUMBERS_EXACT;
    reading.limits = weir_unlimited;
    weir_reader *reader = weir_reader_open(weir_json, input, len, &reading, NULL);
    weir_writer *writer = weir_writer_open(to, &out, options, NULL);
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

static void check(const char *input, const weir_options *options, const char *expected)
{
    char *out = rewrite(weir_json, input, strlen(input), options);
    assert_string_equal(out, expected);
    free(out);
}

static void compact(void **state)
{
    (void)state;
    static const char *const same[] = {
        "null",
        "true",
        "false",
        "\"\"",
        "[]",
        "{}",
        "[[],{}]",
        "[1,[2,[3]],{\"a\":[]}]",
        "{\"a\":{\"b\":{\"c\":[1,2,{\"d\":null}]}},\"e\":[]}",
        "{\"\":\"\"}",
        "{\"a\":1,\"a\":2}",
    };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        check(same[i], NULL, same[i]);
    }
    check(" { \"a\" : [ 1 , 2 ] , \"b\" : { } } ", NULL, "{\"a\":[1,2],\"b\":{}}");
}

static void indented(void **state)
{
    (void)state;
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.indent = 2;
    check("[]", &options, "[]");
    check("{}", &options, "{}");
    check("7", &options, "7");
    check("[1,[],{},[2]]", &options, "[\n  1,\n  [],\n  {},\n  [\n    2\n  ]\n]");
    check("{\"a\":1,\"b\":{\"c\":[]}}", &options, "{\n  \"a\": 1,\n  \"b\": {\n    \"c\": []\n  }\n}");
    options.indent = 4;
    check("{\"a\":[true]}", &options, "{\n    \"a\": [\n        true\n    ]\n}");
}

static void escapes(void **state)
{
    (void)state;
    weir_options ascii = WEIR_OPTIONS_DEFAULT;
    ascii.flags = WEIR_ASCII;
    static const struct {
        const char *input, *raw, *ascii;
    } rows[] = {
        {"\"\\\"\\\\\\/\"", "\"\\\"\\\\/\"", "\"\\\"\\\\/\""},
        {"\"\\b\\f\\n\\r\\t\"", "\"\\b\\f\\n\\r\\t\"", "\"\\b\\f\\n\\r\\t\""},
        {"\"\\u0000\\u001f\\u000b\"", "\"\\u0000\\u001f\\u000b\"", "\"\\u0000\\u001f\\u000b\""},
        {"\"\x7F\"", "\"\x7F\"", "\"\x7F\""},
        {"\"\\u00e9\\u4E2D\"", "\"\xC3\xA9\xE4\xB8\xAD\"", "\"\\u00e9\\u4e2d\""},
        {"\"\\uD83D\\uDE00\"", "\"\xF0\x9F\x98\x80\"", "\"\\ud83d\\ude00\""},
        {"\"\\u2028\\uffff\"", "\"\xE2\x80\xA8\xEF\xBF\xBF\"", "\"\\u2028\\uffff\""},
        {"\"\xF4\x8F\xBF\xBF\"", "\"\xF4\x8F\xBF\xBF\"", "\"\\udbff\\udfff\""},
        {"{\"\\n\xC3\xA9\":1}", "{\"\\n\xC3\xA9\":1}", "{\"\\n\\u00e9\":1}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check(rows[i].input, NULL, rows[i].raw);
        check(rows[i].input, &ascii, rows[i].ascii);
    }
}

/* A byte that needs an escape at every place of texts around the widths of vectors, and long mixed ones. */
static void escape_places(void **state)
{
    (void)state;
    char text[80], expected[120];
    for (size_t len = 1; len < 70; len++) {
        for (size_t at = 0; at < len; at++) {
            memset(text, 'x', len);
            text[at] = '\n';
            weir_buffer out = {0};
            weir_writer *writer = weir_writer_open(weir_json, &out, NULL, NULL);
            weir_write_str(writer, text, len);
            assert_true(weir_writer_finish(writer));
            weir_writer_close(writer);
            snprintf(expected, sizeof expected, "\"%.*s\\n%.*s\"", (int)at, text, (int)(len - at - 1),
                     text + at + 1);
            assert_int_equal(out.len, strlen(expected));
            assert_memory_equal(out.data, expected, out.len);
            weir_buffer_free(&out);
        }
    }
}

static void long_texts_come_back(void **state)
{
    (void)state;
    rng random = rng_new(11);
    static const char *const parts[] = {"x",
                                        "\n",
                                        "\"",
                                        "\\",
                                        "\x01",
                                        "\xC3\xA9",
                                        "\xE4\xB8\xAD",
                                        "\xF0\x9F\x98\x80",
                                        "plain text of some length "};
    for (size_t round = 0; round < 60; round++) {
        weir_buffer text = {0};
        size_t target = rng_below(&random, 9000);
        while (text.len <= target) {
            put(&text, "%s", parts[rng_below(&random, 9)]);
        }
        for (uint32_t flags = 0; flags <= WEIR_ASCII; flags += WEIR_ASCII) {
            weir_options options = WEIR_OPTIONS_DEFAULT;
            options.flags = flags;
            weir_buffer out = {0};
            weir_writer *writer = weir_writer_open(weir_json, &out, &options, NULL);
            weir_write_str(writer, text.data, text.len);
            assert_true(weir_writer_finish(writer));
            weir_writer_close(writer);
            if (flags) {
                for (size_t i = 0; i < out.len; i++) {
                    assert_true((unsigned char)out.data[i] < 0x80);
                }
            }
            weir_reader *reader = weir_reader_open(weir_json, out.data, out.len, NULL, NULL);
            const weir_event *event = weir_reader_next(reader);
            assert_non_null(event);
            assert_int_equal(event->len, text.len);
            assert_memory_equal(event->text, text.data, text.len);
            weir_reader_close(reader);
            weir_buffer_free(&out);
        }
        weir_buffer_free(&text);
    }
}

static void numbers(void **state)
{
    (void)state;
    static const struct {
        const char *input, *output;
    } rows[] = {
        {"0", "0"},
        {"18446744073709551615", "18446744073709551615"},
        {"-9223372036854775808", "-9223372036854775808"},
        {"-0", "-0.0"},
        {"1.0", "1.0"},
        {"1e3", "1000.0"},
        {"0.1", "0.1"},
        {"1e15", "1000000000000000.0"},
        {"1e16", "1e16"},
        {"0.00001", "0.00001"},
        {"0.000001", "1e-6"},
        {"1.5e300", "1.5e300"},
        {"123456789012345678901234567890", "123456789012345678901234567890"},
        {"1E+400", "1E+400"}, /* a number keeps its text */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check(rows[i].input, NULL, rows[i].output);
    }
}

/* What a call for one event writes, or the error's name. */
static void check_event(const weir_format *format, weir_event event, const weir_options *options,
                        const char *expected)
{
    weir_buffer out = {0};
    weir_writer *writer = weir_writer_open(format, &out, options, NULL);
    weir_write_event(writer, &event);
    if (!weir_writer_finish(writer)) {
        put(&out, "!%s", weir_code_name(weir_writer_error(writer)->code));
    }
    weir_writer_close(writer);
    assert_string_equal(out.data, expected);
    weir_buffer_free(&out);
}

static weir_event real(double value, weir_width width)
{
    weir_event event = {.kind = WEIR_KIND_REAL, .width = (uint8_t)width, .v.d = value};
    return event;
}

/* A float is written as a float: the shortest text that gives the same float again. */
static void widths(void **state)
{
    (void)state;
    check_event(weir_json, real((double)0.1f, WEIR_WIDTH_32), NULL, "0.1");
    check_event(weir_json, real((double)0.1f, WEIR_WIDTH_64), NULL, "0.10000000149011612");
    check_event(weir_json, real(1.5, WEIR_WIDTH_16), NULL, "1.5");
    check_event(weir_json, real(0.0999755859375, WEIR_WIDTH_16), NULL, "0.0999755859375");
}

/* What a number costs is the text that is written for it. */
static void number_limit(void **state)
{
    (void)state;
    static const struct {
        double value;
        weir_width width;
        const char *text;
    } rows[] = {
        {(double)0.1f, WEIR_WIDTH_32, "0.1"},
        {0.0999755859375, WEIR_WIDTH_16, "0.0999755859375"},
        {1e300, WEIR_WIDTH_64, "1e300"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        weir_options options = WEIR_OPTIONS_DEFAULT;
        options.limits.number = strlen(rows[i].text);
        check_event(weir_json, real(rows[i].value, rows[i].width), &options, rows[i].text);
        options.limits.number--;
        check_event(weir_json, real(rows[i].value, rows[i].width), &options, "!limit/number");
    }
}

static void refusals(void **state)
{
    (void)state;
    weir_options allow = WEIR_OPTIONS_DEFAULT;
    allow.allow = WEIR_ALLOW_NONFINITE | WEIR_ALLOW_BYTES;
    check_event(weir_json, real(NAN, WEIR_WIDTH_64), NULL, "!loss/nonfinite");
    check_event(weir_json, real(-INFINITY, WEIR_WIDTH_64), NULL, "!loss/nonfinite");
    check_event(weir_json, real(INFINITY, WEIR_WIDTH_64), &allow, "null");
    weir_event bytes = {.kind = WEIR_KIND_BYTES, .text = "\x01\x02", .len = 2};
    check_event(weir_json, bytes, NULL, "!loss/bytes");
    check_event(weir_json, bytes, &allow, "\"AQI=\"");
    weir_event bad = {.kind = WEIR_KIND_STRING, .text = "\xFF", .len = 1};
    check_event(weir_json, bad, NULL, "!usage/argument");
}

/* An event that claims to need no escape is escaped all the same: output can't be broken from outside. */
static void plain_is_not_believed(void **state)
{
    (void)state;
    weir_event liar = {.kind = WEIR_KIND_STRING, .text = "a\",\n", .len = 4, .plain = true};
    check_event(weir_json, liar, NULL, "\"a\\\",\\n\"");
    weir_writer *writer = weir_writer_open_doc(NULL, NULL);
    assert_true(weir_write_event(writer, &liar) && weir_writer_finish(writer));
    weir_doc *doc = weir_writer_take_doc(writer);
    weir_writer_close(writer);
    weir_buffer out = {0};
    assert_true(weir_write_val(weir_json, weir_doc_root(doc), NULL, &out, NULL));
    assert_string_equal(out.data, "\"a\\\",\\n\"");
    weir_buffer_free(&out);
    weir_doc_free(doc);
}

/* A failed document leaves nothing in the buffer. */
static void failure_leaves_nothing(void **state)
{
    (void)state;
    weir_buffer out = {0};
    put(&out, "before");
    weir_writer *writer = weir_writer_open(weir_json, &out, NULL, NULL);
    weir_write_array(writer, WEIR_UNKNOWN);
    weir_write_uint(writer, 1);
    weir_write_double(writer, NAN);
    assert_false(weir_writer_finish(writer));
    weir_writer_close(writer);
    assert_string_equal(out.data, "before");
    weir_buffer_free(&out);
}

/* Open containers need no C stack. */
static void depth(void **state)
{
    (void)state;
    size_t levels = 200000;
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.limits = weir_unlimited;
    weir_buffer out = {0};
    weir_writer *writer = weir_writer_open(weir_json, &out, &options, NULL);
    for (size_t i = 0; i < levels; i++) {
        assert_true(weir_write_array(writer, WEIR_UNKNOWN));
    }
    for (size_t i = 0; i < levels; i++) {
        assert_true(weir_write_end(writer));
    }
    assert_true(weir_writer_finish(writer));
    weir_writer_close(writer);
    assert_int_equal(out.len, 2 * levels);
    weir_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compact),
        cmocka_unit_test(indented),
        cmocka_unit_test(escapes),
        cmocka_unit_test(escape_places),
        cmocka_unit_test(long_texts_come_back),
        cmocka_unit_test(numbers),
        cmocka_unit_test(widths),
        cmocka_unit_test(number_limit),
        cmocka_unit_test(refusals),
        cmocka_unit_test(plain_is_not_believed),
        cmocka_unit_test(failure_leaves_nothing),
        cmocka_unit_test(depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
