/* Diagnostic notation, writing: RFC 8949 section 8; what is written reads back as the same items. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "event_text.h"

static const struct row from_cbor[] = {
    {"00", "0"},
    {"3b7fffffffffffffff", "-9223372036854775808"},
    {"3bffffffffffffffff", "-18446744073709551616"},
    {"c249010000000000000000", "18446744073709551616"},
    {"c48219019001", "4([400, 1])"},
    {"c48220c249010000000000000000", "4([-1, 18446744073709551616])"},
    {"c482382f20", "4([-48, -1])"},
    {"c48221196ab3", "4([-2, 27315])"},
    {"f93e00", "1.5_1"},
    {"fa3dcccccd", "0.10000000149011612_2"},
    {"fb3fb999999999999a", "0.1"},
    {"f90000", "0.0_1"},
    {"fb8000000000000000", "-0.0"},
    {"fb7e37e43c8800759c", "1e300"},
    {"f97e00", "NaN_1"},
    {"fa7f800000", "Infinity_2"},
    {"fbfff0000000000000", "-Infinity"},
    {"f4f5f6f7", "false,\ntrue,\nnull,\nundefined"},
    {"f0", "simple(16)"},
    {"f8ff", "simple(255)"},
    {"40", "h''"},
    {"4401020aff", "h'01020aff'"},
    {"60", "\"\""},
    {"62225c", "\"\\\"\\\\\""},
    {"66080c0a0d0901", "\"\\b\\f\\n\\r\\t\\u0001\""},
    {"62c3bc", "\"\303\274\""},
    {"80", "[]"},
    {"a0", "{}"},
    {"8301820203820405", "[1, [2, 3], [4, 5]]"},
    {"a26161016162820203", "{\"a\": 1, \"b\": [2, 3]}"},
    {"bf6161019fffa0ff", "{\"a\": 1, []: {}}"},
    {"a1820102a10304", "{[1, 2]: {3: 4}}"},
    {"c11a514b67b0", "1(1363896240)"},
    {"d818456449455446", "24(h'6449455446')"},
    {"c5c68201c78102", "5(6([1, 7([2])]))"},
    {"82c5f7c6f0", "[5(undefined), 6(simple(16))]"},
    {"a1c5810102", "{5([1]): 2}"},
    {"a1f7c1f7", "{undefined: 1(undefined)}"},
    {"a2c50102c503c6a0", "{5(1): 2, 5(3): 6({})}"},
};

static void compact(void **state)
{
    (void)state;
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.numbers = WEIR_NUMBERS_EXACT;
    EXPECT_REWRITES(weir_cbor, weir_cbor_diag, from_cbor, &options);
}

/* CBOR -> notation -> CBOR gives the same bytes, in one line and indented. */
static void round_trip(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof from_cbor / sizeof *from_cbor; i++) {
        for (uint32_t indent = 0; indent <= 3; indent += 3) {
            weir_buffer bytes = {0}, text = {0}, again = {0}, first = {0};
            weir_options options = WEIR_OPTIONS_DEFAULT;
            weir_error error;
            options.numbers = WEIR_NUMBERS_EXACT;
            unhex(&bytes, from_cbor[i].input, strlen(from_cbor[i].input));
            options.indent = indent;
            assert_true(
                weir_convert(weir_cbor, bytes.data, bytes.len, weir_cbor_diag, &options, &text, &error));
            if (!weir_convert(weir_cbor_diag, text.data, text.len, weir_cbor, &options, &again, &error)) {
                fail_msg("%s: %s", text.data, weir_code_name(error.code));
            }
            /* counts are not known from text, so both are compared as documents are written */
            options.flags = WEIR_SORT_KEYS;
            weir_buffer other = {0};
            assert_true(weir_convert(weir_cbor, bytes.data, bytes.len, weir_cbor, &options, &first, &error));
            assert_true(weir_convert(weir_cbor, again.data, again.len, weir_cbor, &options, &other, &error));
            assert_int_equal(first.len, other.len);
            assert_memory_equal(first.data, other.data, first.len);
            weir_buffer_free(&bytes);
            weir_buffer_free(&text);
            weir_buffer_free(&again);
            weir_buffer_free(&first);
            weir_buffer_free(&other);
        }
    }
}

static void layout(void **state)
{
    (void)state;
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.indent = 2;
    expect_rewrite(weir_cbor, "80", weir_cbor_diag, &options, "[]");
    expect_rewrite(weir_cbor, "820180", weir_cbor_diag, &options, "[\n  1,\n  []\n]");
    expect_rewrite(weir_cbor, "bf0102ff", weir_cbor_diag, &options, "{\n  1: 2\n}");
    expect_rewrite(weir_cbor, "a201c581f70381a0", weir_cbor_diag, &options,
                   "{\n  1: 5([\n    undefined\n  ]),\n  3: [\n    {}\n  ]\n}");
    expect_rewrite(weir_cbor, "a1810203", weir_cbor_diag, &options, "{\n  [\n    2\n  ]: 3\n}");
    expect_rewrite(weir_cbor, "8101f6", weir_cbor_diag, &options, "[\n  1\n],\nnull");
    options.indent = 0;
    options.flags = WEIR_ASCII;
    expect_rewrite(weir_cbor, "66c3bcf0908591", weir_cbor_diag, &options, "\"\\u00fc\\ud800\\udd51\"");
}

/* Long strings are written in pieces that never cut a character. */
static void long_strings(void **state)
{
    (void)state;
    static const char *const units[] = {"a", "\303\274", "\346\260\264", "\360\220\205\221", "\n"};
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        for (size_t shift = 0; shift < 4; shift++) {
            weir_buffer text = {0}, out = {0}, back = {0};
            text_add(&text, "xxxx", shift);
            while (text.len < 20000) {
                text_puts(&text, units[u]);
            }
            weir_writer *w = weir_writer_open(weir_cbor_diag, &out, NULL, NULL);
            assert_true(weir_write_array(w, 2) && weir_write_str(w, text.data, text.len) &&
                        weir_write_bytes(w, text.data, text.len) && weir_write_end(w) &&
                        weir_writer_finish(w));
            weir_writer_close(w);
            weir_doc *doc = weir_parse(weir_cbor_diag, out.data, out.len, NULL, NULL);
            assert_non_null(doc);
            for (size_t i = 0; i < 2; i++) {
                size_t len;
                const char *got = weir_val_str(weir_at(weir_doc_root(doc), i), &len);
                assert_int_equal(len, text.len);
                assert_memory_equal(got, text.data, len);
            }
            weir_doc_free(doc);
            weir_buffer_free(&text);
            weir_buffer_free(&out);
            weir_buffer_free(&back);
        }
    }
}

static const char *timestamp_text(weir_timestamp time, uint32_t allow)
{
    static char shown[64];
    weir_options options = WEIR_OPTIONS_DEFAULT;
    weir_buffer out = {0};
    options.allow = allow;
    weir_writer *w = weir_writer_open(weir_cbor_diag, &out, &options, NULL);
    bool ok = weir_write_timestamp(w, time) && weir_writer_finish(w);
    snprintf(shown, sizeof shown, "%s", ok ? out.data : weir_code_name(weir_writer_error(w)->code));
    weir_writer_close(w);
    weir_buffer_free(&out);
    return shown;
}

static void timestamps(void **state)
{
    (void)state;
    weir_timestamp time = {1363896240, 0, 0, WEIR_TIME_OFFSET, 0};
    assert_string_equal(timestamp_text(time, 0), "1(1363896240)");
    time.nanoseconds = 250000000;
    assert_string_equal(timestamp_text(time, 0), "0(\"2013-03-21T20:04:00.25Z\")");
    time = (weir_timestamp){1363824000, 0, 0, WEIR_TIME_DATE, 0};
    assert_string_equal(timestamp_text(time, 0), "1004(\"2013-03-21\")");
    time.shape = WEIR_TIME_LOCAL;
    assert_string_equal(timestamp_text(time, 0), "loss/timestamp");
    assert_string_equal(timestamp_text(time, WEIR_ALLOW_TIMESTAMP), "\"2013-03-21T00:00:00\"");
}

static void tags(void **state)
{
    (void)state;
    weir_options options = WEIR_OPTIONS_DEFAULT;
    expect_rewrite(weir_msgpack, "92d4054201", weir_cbor_diag, &options, "!loss/tag@1");
    options.allow = WEIR_ALLOW_TAG;
    expect_rewrite(weir_msgpack, "92d4054201", weir_cbor_diag, &options, "[h'42', 1]");
    expect_rewrite(weir_msgpack, "81d4054201", weir_cbor_diag, &options, "{h'42': 1}");
}

/* What JSON writes is diagnostic notation too, with the same values. */
static void json_is_a_subset(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "[1,-2,3.5,1e300,\"a\\u00e9\\n\",true,false,null,{\"k\":{}}]",
        " { \"a\" : [ ] , \"b\" : \"\\ud834\\udd1e\" } ",
        "18446744073709551616",
        "1e400",
        "-0",
        "-0.0",
    };
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.numbers = WEIR_NUMBERS_EXACT;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        weir_doc *json = weir_parse(weir_json, texts[i], strlen(texts[i]), &options, NULL);
        weir_doc *diag = weir_parse(weir_cbor_diag, texts[i], strlen(texts[i]), &options, NULL);
        assert_true(json && diag && weir_equal(weir_doc_root(json), weir_doc_root(diag), 0, NULL));
        weir_doc_free(json);
        weir_doc_free(diag);
    }
}

/* An exponent beyond 64 bits fits no tag 4; the notation can still say the number. CBOR can't. */
static void exponents_beyond_tag_4(void **state)
{
    (void)state;
    static const char text[] = "[1e41844415039038444150000,-1.25E-41844415039038444150000]";
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.numbers = WEIR_NUMBERS_DECIMAL;
    weir_doc *doc = weir_parse(weir_json, text, sizeof text - 1, &options, NULL);
    assert_non_null(doc);
    weir_buffer out = {0};
    weir_error error;
    assert_true(weir_write_val(weir_cbor_diag, weir_doc_root(doc), &options, &out, &error));
    weir_doc *again = weir_parse(weir_cbor_diag, out.data, out.len, &options, &error);
    assert_true(again && weir_equal(weir_doc_root(doc), weir_doc_root(again), 0, NULL));
    assert_false(weir_write_val(weir_cbor, weir_doc_root(doc), &options, &out, &error));
    assert_int_equal(error.code, WEIR_E_LOSS_BIGINT);
    weir_doc_free(doc);
    weir_doc_free(again);
    weir_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compact),          cmocka_unit_test(round_trip),
        cmocka_unit_test(layout),           cmocka_unit_test(long_strings),
        cmocka_unit_test(timestamps),       cmocka_unit_test(tags),
        cmocka_unit_test(json_is_a_subset), cmocka_unit_test(exponents_beyond_tag_4),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
