/* CBOR writer: preferred and deterministic serialization, numbers beyond 64 bits, timestamps, tags, losses.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "event_text.h"

static weir_options exact(void)
{
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.numbers = WEIR_NUMBERS_EXACT;
    return options;
}

static void shortest_heads(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"1b0000000000000017", "17"},
        {"1b0000000000000018", "1818"},
        {"1b00000000000000ff", "18ff"},
        {"1b0000000000000100", "190100"},
        {"1b000000000000ffff", "19ffff"},
        {"1b0000000000010000", "1a00010000"},
        {"1b00000000ffffffff", "1affffffff"},
        {"1b0000000100000000", "1b0000000100000000"},
        {"3b0000000000000017", "37"},
        {"3b0000000000000018", "3818"},
        {"3b7fffffffffffffff", "3b7fffffffffffffff"},
        {"5b0000000000000001aa", "41aa"},
        {"7b000000000000000161", "6161"},
        {"9b000000000000000101", "8101"},
        {"bb00000000000000010102", "a10102"},
        {"db0000000000000001f6", "c1f6"},
        {"f8ff", "f8ff"},
        {"e0", "e0"},
        {"f3", "f3"},
        /* a count that is not known stays so */
        {"9f01bf0203ffff", "9f01bf0203ffff"},
        {"7f61616162ff", "626162"},
        /* bignums lose zeros, and their tag where 64 bits are enough */
        {"c24a00010000000000000000", "c249010000000000000000"},
        {"c24401020304", "1a01020304"},
        {"c34401020304", "3a01020304"},
        {"c348ffffffffffffffff", "3bffffffffffffffff"},
        {"c34900ffffffffffffffff", "3bffffffffffffffff"},
        {"c349010000000000000000", "c349010000000000000000"},
        {"c34affffffffffffffffffff", "c34affffffffffffffffffff"},
        /* decimal fractions */
        {"c48219019001", "c48219019001"},
        {"c482390c1b20", "c482390c1b20"},
        {"c48220c249010000000000000000", "c48220c249010000000000000000"},
        {"c48200c249010000000000000001", "c48200c249010000000000000001"},
        {"c4823b7fffffffffffffff03", "c4823b7fffffffffffffff03"},
        {"c4821b7fffffffffffffff1863", "c4821b7fffffffffffffff1863"},
        {"c4821b7ffffffffffffff019ffff", "c4821b7ffffffffffffff019ffff"},
        {"c48221196ab3", "c48221196ab3"},
        /* sequences follow each other directly */
        {"0102f7", "0102f7"},
    };
    weir_options options = exact();
    EXPECT_REWRITES(weir_cbor, weir_cbor, rows, &options);
}

/* RFC 8949 section 4.2.1, and its examples of key order (4.2.1, the bytewise one). */
static void deterministic(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"9f01bf0203ffff", "8201a10203"},
        {"fb3ff8000000000000", "f93e00"},
        {"fb40f86a0000000000", "fa47c35000"},
        {"fb3ff199999999999a", "fb3ff199999999999a"},
        {"fa3f800000", "f93c00"},
        {"fb7ff8000000000001", "f97e00"},
        {"fbfff8000000000000", "f97e00"},
        {"fbfff0000000000000", "f9fc00"},
        {"fb8000000000000000", "f98000"},
        {"fb3e70000000000000", "f90001"},
        {"fb3e60000000000000", "fa33000000"},
        {"fb36a0000000000000", "fa00000001"},
        {"fb3690000000000000", "fb3690000000000000"},
        {"fb40effc0000000000", "f97bff"},
        {"fb40f0000000000000", "fa47800000"},
        {"a3616203626161020001", "a3000161620362616102"},
    };
    weir_options options = exact();
    options.flags = WEIR_CANONICAL;
    EXPECT_REWRITES(weir_cbor, weir_cbor, rows, &options);
    expect_rewrite(weir_cbor_diag, "{false: 7, [-1]: 6, [100]: 5, \"aa\": 4, \"z\": 3, -1: 2, 100: 1, 10: 0}",
                   weir_cbor, &options, "a80a001864012002617a036261610481186405812006f407");
}

static void numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text, *hex;
    } rows[] = {
        {"0", "00"},
        {"23", "17"},
        {"18446744073709551615", "1bffffffffffffffff"},
        {"18446744073709551616", "c249010000000000000000"},
        {"-1", "20"},
        {"-18446744073709551616", "3bffffffffffffffff"},
        {"-18446744073709551617", "c349010000000000000000"},
        {"340282366920938463463374607431768211455", "c250ffffffffffffffffffffffffffffffff"},
        {"-340282366920938463463374607431768211456", "c350ffffffffffffffffffffffffffffffff"},
        {"1e400", "c48219019001"},
        {"1E+400", "c48219019001"},
        {"10e399", "c48219018f0a"},
        {"1.50", "c482211896"},
        {"-273.15", "c48221396ab2"},
        {"0.001", "c4822201"},
        {"0.0", "c4822000"},
        {"-0", "fb8000000000000000"},
        {"-0.0e5", "fb8000000000000000"},
        {"1e9223372036854775807", "c4821b7fffffffffffffff01"},
        {"1e-9223372036854775808", "c4823b7fffffffffffffff01"},
        {"1e9223372036854775808", "!loss/bigint"},
        {"0.1e-9223372036854775808", "!loss/bigint"},
        {"1e99999999999999999999999", "!loss/bigint"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        weir_buffer out = {0}, shown = {0}, expected = {0};
        weir_writer *writer = weir_writer_open(weir_cbor, &out, NULL, NULL);
        bool ok = weir_write_number(writer, rows[i].text, strlen(rows[i].text)) && weir_writer_finish(writer);
        if (ok) {
            unhex(&expected, rows[i].hex, strlen(rows[i].hex));
            text_hex(&shown, out.data, out.len);
            if (out.len != expected.len || memcmp(out.data, expected.data, out.len) != 0) {
                fail_msg("%s: %s instead of %s", rows[i].text, shown.data, rows[i].hex);
            }
        } else {
            assert_string_equal(weir_code_name(weir_writer_error(writer)->code), rows[i].hex + 1);
            assert_int_equal(out.len, 0);
        }
        weir_writer_close(writer);
        weir_buffer_free(&out);
        weir_buffer_free(&shown);
        weir_buffer_free(&expected);
    }
}

/* A number's text survives as it is, but for '+', capital E, zeros of the exponent and where its point
 * stands. */
static void numbers_survive(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "1e400",
        "1.5e400",
        "-1.5e-400",
        "123456789012345678901234567890",
        "-0.1000000000000000055511151231257827",
        "12345678901234567890.123",
        "0.000001000000000000000000001",
        "1.00e400",
        "100e400",
        "1e-99999999999",
    };
    static const char *const back[] = {
        "1e400",
        "1.5e400",
        "-1.5e-400",
        "123456789012345678901234567890",
        "-0.1000000000000000055511151231257827",
        "12345678901234567890.123",
        "0.000001000000000000000000001",
        "1.00e400",
        "1.00e402",
        "1e-99999999999",
    };
    weir_options options = exact();
    options.numbers = WEIR_NUMBERS_DECIMAL;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        weir_buffer out = {0}, again = {0};
        assert_true(weir_convert(weir_json, texts[i], strlen(texts[i]), weir_cbor, &options, &out, NULL));
        assert_true(weir_convert(weir_cbor, out.data, out.len, weir_json, &options, &again, NULL));
        assert_string_equal(again.data, back[i]);
        weir_buffer_free(&out);
        weir_buffer_free(&again);
    }
}

static void timestamps(void **state)
{
    (void)state;
    static const struct {
        weir_timestamp time;
        const char *hex;
    } rows[] = {
        {{1363896240, 0, 0, WEIR_TIME_OFFSET, 0}, "c11a514b67b0"},
        {{-1, 0, 0, WEIR_TIME_OFFSET, 0}, "c120"},
        {{INT64_MIN, 0, 0, WEIR_TIME_OFFSET, 0}, "c13b7fffffffffffffff"},
        {{1363896240, 500000000, 0, WEIR_TIME_OFFSET, 1}, "c076323031332d30332d32315432303a30343a30302e355a"},
        {{1363896240, 0, 60, WEIR_TIME_OFFSET, 0},
         "c07819323031332d30332d32315432313a30343a30302b30313a3030"},
        {{1363824000, 0, 0, WEIR_TIME_DATE, 0}, "d903ec6a323031332d30332d3231"},
        {{1363896240, 0, 0, WEIR_TIME_LOCAL, 0}, "!loss/timestamp"},
        {{3600, 0, 0, WEIR_TIME_CLOCK, 0}, "!loss/timestamp"},
        {{INT64_MAX, 1, 0, WEIR_TIME_OFFSET, 9}, "!loss/timestamp"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        weir_buffer out = {0}, shown = {0};
        weir_writer *writer = weir_writer_open(weir_cbor, &out, NULL, NULL);
        if (weir_write_timestamp(writer, rows[i].time) && weir_writer_finish(writer)) {
            text_hex(&shown, out.data, out.len);
            assert_string_equal(shown.data, rows[i].hex);
        } else {
            assert_string_equal(weir_code_name(weir_writer_error(writer)->code), rows[i].hex + 1);
        }
        weir_writer_close(writer);
        weir_buffer_free(&out);
        weir_buffer_free(&shown);
    }
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.allow = WEIR_ALLOW_TIMESTAMP;
    weir_buffer out = {0};
    weir_writer *writer = weir_writer_open(weir_cbor, &out, &options, NULL);
    assert_true(weir_write_timestamp(writer, (weir_timestamp){3600, 0, 0, WEIR_TIME_CLOCK, 0}));
    assert_true(weir_writer_finish(writer));
    assert_int_equal(out.len, 9);
    assert_memory_equal(out.data,
                        "\x68"
                        "01:00:00",
                        9);
    weir_writer_close(writer);
    weir_buffer_free(&out);
}

/* Writes a named tag over a value that a function writes. */
static void named(const char *name, bool (*value)(weir_writer *), uint32_t allow, const char *expected)
{
    weir_options options = WEIR_OPTIONS_DEFAULT;
    weir_buffer out = {0}, shown = {0};
    options.allow = allow;
    weir_writer *writer = weir_writer_open(weir_cbor, &out, &options, NULL);
    bool ok = weir_write_array(writer, 2) && weir_write_tag_name(writer, name, strlen(name)) &&
              value(writer) && weir_write_null(writer) && weir_write_end(writer) &&
              weir_writer_finish(writer);
    if (ok) {
        text_hex(&shown, out.data, out.len);
    } else {
        text_puts(&shown, weir_code_name(weir_writer_error(writer)->code));
    }
    assert_string_equal(shown.data, expected);
    weir_writer_close(writer);
    weir_buffer_free(&out);
    weir_buffer_free(&shown);
}

static bool write_16(weir_writer *writer)
{
    return weir_write_uint(writer, 16);
}

static bool write_20(weir_writer *writer)
{
    return weir_write_uint(writer, 20);
}

static bool write_24(weir_writer *writer)
{
    return weir_write_uint(writer, 24);
}

static bool write_255(weir_writer *writer)
{
    return weir_write_uint(writer, 255);
}

static bool write_256(weir_writer *writer)
{
    return weir_write_uint(writer, 256);
}

static void named_tags(void **state)
{
    (void)state;
    named("undefined", weir_write_null, 0, "82f7f6");
    named("simple", write_16, 0, "82f0f6");
    named("simple", write_255, 0, "82f8fff6");
    named("simple", write_20, 0, "loss/tag");
    named("simple", write_24, 0, "loss/tag");
    named("simple", write_256, 0, "loss/tag");
    named("simple", weir_write_null, 0, "loss/tag");
    named("undefined", write_16, 0, "loss/tag");
    named("set", write_16, 0, "loss/tag");
    named("ext:5", write_16, 0, "loss/tag");
    named("set", write_16, WEIR_ALLOW_TAG, "8210f6");
    named("undefined", write_16, WEIR_ALLOW_TAG, "8210f6");
    named("simple", weir_write_null, WEIR_ALLOW_TAG, "82f6f6");
}

/* A tag that the target has not is left out if that is allowed; what it tagged stays a key. */
static void dropped_tags(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"c5820102", "[1,2]"},
        {"a1c1616102", "{\"a\":2}"},
        {"a2c5c661610261620 3", "{\"a\":2,\"b\":3}"},
        {"a1c58101f6", "!loss/key@1"},
        {"a1c50102", "!loss/key@1"},
        {"a16161c1c2410 5", "{\"a\":5}"},
    };
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.allow = WEIR_ALLOW_TAG;
    EXPECT_REWRITES(weir_cbor, weir_json, rows, &options);
    options.allow = WEIR_ALLOW_TAG | WEIR_ALLOW_KEY;
    expect_rewrite(weir_cbor, "a1c50102", weir_json, &options, "{\"1\":2}");
    expect_rewrite(weir_cbor, "a1c5616102", weir_json, NULL, "!loss/tag@1");
}

/* 1 MB of digits goes both ways in the time that n log n takes; a quadratic way would need hours. */
static void long_numbers(void **state)
{
    (void)state;
    weir_options options = exact();
    options.limits = weir_unlimited;
    for (size_t n = 1; n <= 1000000; n = n * 7 + 3) {
        weir_buffer out = {0}, again = {0};
        char *text = malloc(n + 1);
        for (size_t i = 0; i < n; i++) {
            text[i] = (char)('0' + (i * i + 7 * i + n) % 10);
        }
        text[0] = '9';
        text[n] = '\0';
        assert_true(weir_convert(weir_json, text, n, weir_cbor, &options, &out, NULL));
        assert_true(weir_convert(weir_cbor, out.data, out.len, weir_json, &options, &again, NULL));
        assert_string_equal(again.data, text);
        free(text);
        weir_buffer_free(&out);
        weir_buffer_free(&again);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shortest_heads),  cmocka_unit_test(deterministic), cmocka_unit_test(numbers),
        cmocka_unit_test(numbers_survive), cmocka_unit_test(timestamps),    cmocka_unit_test(named_tags),
        cmocka_unit_test(long_numbers),    cmocka_unit_test(dropped_tags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
