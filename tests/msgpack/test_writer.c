/* MessagePack writer: always the smallest encoding; ext and timestamps out of tags; what it can't carry. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "event_text.h"
#include "flow/writer_priv.h"

static void smallest(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"cf0000000000000000", "00"},
        {"cf000000000000007f", "7f"},
        {"cf0000000000000080", "cc80"},
        {"d100c8", "ccc8"}, /* what is not negative is unsigned */
        {"cf00000000000000ff", "ccff"},
        {"cf0000000000000100", "cd0100"},
        {"cf000000000000ffff", "cdffff"},
        {"cf0000000000010000", "ce00010000"},
        {"cf00000000ffffffff", "ceffffffff"},
        {"cf0000000100000000", "cf0000000100000000"},
        {"d3ffffffffffffffff", "ff"},
        {"d3ffffffffffffffe0", "e0"},
        {"d3ffffffffffffffdf", "d0df"},
        {"d3ffffffffffffff80", "d080"},
        {"d3ffffffffffffff7f", "d1ff7f"},
        {"d3ffffffffffff8000", "d18000"},
        {"d3ffffffffffff7fff", "d2ffff7fff"},
        {"d3ffffffff80000000", "d280000000"},
        {"d3ffffffff7fffffff", "d3ffffffff7fffffff"},
        {"cb3ff8000000000000", "cb3ff8000000000000"}, /* widths are kept */
        {"ca3fc00000", "ca3fc00000"},
        {"ca7f800001", "ca7f800001"},
        {"db000000026869", "a26869"},
        {"c60000000101", "c40101"},
        {"dd00000000", "90"},
        {"df00000000", "80"},
        {"c900000001 0510", "d40510"},
        {"c9000000020510 11", "d5051011"},
        {"c9000000030510 1112", "c70305101112"},
        {"c9000000040510 111213", "d60510111213"},
        {"c900000008050001020304050607", "d7050001020304050607"},
        {"c90000001005000102030405060708090a0b0c0d0e0f", "d805000102030405060708090a0b0c0d0e0f"},
        {"c9000000000 5", "c70005"},
        {"c70cff00000000000000005a4af6a5", "d6ff5a4af6a5"},
        {"d7ff000000005a4af6a5", "d6ff5a4af6a5"},
        {"c70cff00000001000000005a4af6a5", "d7ff000000045a4af6a5"},
        {"c70cff00000000000000 03ffffffff", "d7ff00000003ffffffff"},
        {"c70cff000000000000000400000000", "c70cff000000000000000400000000"},
        {"c70cff00000000ffffffffffffffff", "c70cff00000000ffffffffffffffff"},
        {"8192c0c3c2", "8192c0c3c2"},
        {"0102c0", "0102c0"},
    };
    EXPECT_REWRITES(weir_msgpack, weir_msgpack, rows, NULL);
}

/* The edges of str, bin, array, map and ext, and that they read back. */
static void long_ones(void **state)
{
    (void)state;
    static const struct {
        size_t n;
        uint8_t str, bin, array, map, ext;
    } rows[] = {
        {31, 0xBF, 0xC4, 0xDC, 0xDE, 0xC7},    {32, 0xD9, 0xC4, 0xDC, 0xDE, 0xC7},
        {15, 0xAF, 0xC4, 0x9F, 0x8F, 0xC7},    {16, 0xB0, 0xC4, 0xDC, 0xDE, 0xD8},
        {255, 0xD9, 0xC4, 0xDC, 0xDE, 0xC7},   {256, 0xDA, 0xC5, 0xDC, 0xDE, 0xC8},
        {65535, 0xDA, 0xC5, 0xDC, 0xDE, 0xC8}, {65536, 0xDB, 0xC6, 0xDD, 0xDF, 0xC9},
    };
    char *data = calloc(65536, 1);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t n = rows[i].n;
        for (int what = 0; what < 5; what++) {
            weir_buffer out = {0};
            weir_writer *w = weir_writer_open(weir_msgpack, &out, NULL, NULL);
            if (what == 0) {
                assert_true(weir_write_str(w, data, n));
            } else if (what == 1) {
                assert_true(weir_write_bytes(w, data, n));
            } else if (what == 4) {
                assert_true(weir_write_tag_name(w, "ext:9", 5) && weir_write_bytes(w, data, n));
            } else {
                assert_true(what == 2 ? weir_write_array(w, WEIR_UNKNOWN) : weir_write_map(w, n));
                for (size_t k = 0; k < n; k++) {
                    weir_event key = {.kind = WEIR_KIND_UINT, .is_key = true, .v.u = k};
                    assert_true(what == 2 || weir_write_event(w, &key));
                    assert_true(weir_write_null(w));
                }
                assert_true(weir_write_end(w));
            }
            assert_true(weir_writer_finish(w));
            weir_writer_close(w);
            const uint8_t heads[5] = {rows[i].str, rows[i].bin, rows[i].array, rows[i].map, rows[i].ext};
            assert_int_equal((uint8_t)out.data[0], heads[what]);
            weir_buffer again = {0};
            assert_true(weir_convert(weir_msgpack, out.data, out.len, weir_msgpack, NULL, &again, NULL));
            assert_int_equal(again.len, out.len);
            assert_memory_equal(again.data, out.data, out.len);
            weir_buffer_free(&out);
            weir_buffer_free(&again);
        }
    }
    free(data);
}

/* CBOR's tags become what MessagePack has for them, or nothing. */
static void tags(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"c11a5a4af6a5", "d6ff5a4af6a5"},
        {"c120", "c70cff00000000ffffffffffffffff"},
        {"c1fb41d452d9ec200000", "d7ff77359400514b67b0"},
        {"c1fbbfe0000000000000", "c70cff1dcd6500ffffffffffffffff"},
        {"c1f93800", "d7ff7735940000000000"},
        {"c1f91800", "d7ff0077359400000000"},
        {"c1fb3fb999999999999a", "!loss/tag@0"}, /* 0.1 is no whole number of nanoseconds */
        {"c1fb7ff0000000000000", "!loss/tag@0"},
        {"c1fb7ff8000000000000", "!loss/tag@0"},
        {"c11bffffffffffffffff", "!loss/tag@0"},
        {"c16161", "!loss/tag@0"},
        {"c1c100", "!loss/tag@0"},
        {"c074323031332d30332d32315432303a30343a30305a", "d6ff514b67b0"},
        {"c076323031332d30332d32315432303a30343a30302e355a", "d7ff77359400514b67b0"},
        {"c07819323031332d30332d32315432303a30343a30302b30313a3030", "!loss/tag@0"},
        {"c074323031362d31322d33315432333a35393a36305a", "!loss/tag@0"}, /* a leap second */
        {"c06a323031332d30332d3231", "!loss/tag@0"},
        {"c000", "!loss/tag@0"},
        {"c200", "!cbor/invalid-tag-content@1"},
        {"c500", "!loss/tag@0"},
        {"f7", "!loss/tag@0"},
        {"8101", "9101"},
    };
    EXPECT_REWRITES(weir_cbor, weir_msgpack, rows, NULL);
    static const struct row allowed[] = {
        {"c1fb3fb999999999999a", "cb3fb999999999999a"},
        {"c500", "00"},
        {"f7", "c0"},
        {"82c5810102", "92910102"},
        {"c1c11a5a4af6a5", "d6ff5a4af6a5"},
        {"a1c50102", "810102"},
    };
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.allow = WEIR_ALLOW_TAG;
    EXPECT_REWRITES(weir_cbor, weir_msgpack, allowed, &options);
}

static const char *name_is_ext(const char *name)
{
    static char shown[64];
    weir_buffer out = {0}, hex = {0};
    weir_writer *w = weir_writer_open(weir_msgpack, &out, NULL, NULL);
    bool ok =
        weir_write_tag_name(w, name, strlen(name)) && weir_write_bytes(w, "\x42", 1) && weir_writer_finish(w);
    if (ok) {
        text_hex(&hex, out.data, out.len);
    } else {
        text_puts(&hex, weir_code_name(weir_writer_error(w)->code));
    }
    snprintf(shown, sizeof shown, "%s", hex.data);
    weir_writer_close(w);
    weir_buffer_free(&out);
    weir_buffer_free(&hex);
    return shown;
}

static void ext_names(void **state)
{
    (void)state;
    assert_string_equal(name_is_ext("ext:0"), "d40042");
    assert_string_equal(name_is_ext("ext:127"), "d47f42");
    assert_string_equal(name_is_ext("ext:-128"), "d48042");
    assert_string_equal(name_is_ext("ext:-2"), "d4fe42");
    static const char *const others[] = {"ext:-1", "ext:128", "ext:-129", "ext:",     "ext:-",
                                         "ext:00", "ext:-0",  "ext:1 ",   "ext:+1",   "ext:x",
                                         "exT:1",  "ext",     "",         "undefined"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_string_equal(name_is_ext(others[i]), "loss/tag");
    }
}

static void losses(void **state)
{
    (void)state;
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.numbers = WEIR_NUMBERS_EXACT;
    expect_rewrite(weir_cbor, "c249010000000000000000", weir_msgpack, &options, "!loss/bigint@0");
    options.allow = WEIR_ALLOW_BIGINT;
    expect_rewrite(weir_cbor, "c249010000000000000000", weir_msgpack, &options,
                   "b43138343436373434303733373039353531363136");
    weir_buffer out = {0};
    weir_writer *w = weir_writer_open(weir_msgpack, &out, NULL, NULL);
    assert_false(weir_write_timestamp(w, (weir_timestamp){0, 0, 60, WEIR_TIME_OFFSET, 0}) &&
                 weir_writer_finish(w));
    assert_int_equal(weir_writer_error(w)->code, WEIR_E_LOSS_TIMESTAMP);
    weir_writer_close(w);
    options.allow = WEIR_ALLOW_TIMESTAMP;
    w = weir_writer_open(weir_msgpack, &out, &options, NULL);
    assert_true(weir_write_timestamp(w, (weir_timestamp){0, 0, 60, WEIR_TIME_OFFSET, 0}) &&
                weir_writer_finish(w));
    assert_int_equal(out.len, 26);
    assert_memory_equal(out.data,
                        "\xb9"
                        "1970-01-01T01:00:00+01:00",
                        26);
    weir_writer_close(w);
    weir_buffer_free(&out);
}

/* Lengths and counts beyond 32 bits are refused before a byte of them is looked at. */
static void lengths(void **state)
{
    (void)state;
    static const struct {
        uint64_t count;
        weir_code code;
    } rows[] = {{UINT64_C(1) << 32, WEIR_E_LOSS_LENGTH}, {WEIR_UNKNOWN, WEIR_E_UNSUPPORTED}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int map = 0; map < 2; map++) {
            weir_buffer out = {0};
            weir_writer *w = writer_open_direct(weir_msgpack, &out, NULL, NULL, NULL);
            assert_false(map ? weir_write_map(w, rows[i].count) : weir_write_array(w, rows[i].count));
            assert_int_equal(weir_writer_error(w)->code, rows[i].code);
            weir_writer_close(w);
            weir_buffer_free(&out);
        }
    }
#if SIZE_MAX > UINT32_MAX
    for (int ext = 0; ext < 2; ext++) {
        weir_buffer out = {0};
        weir_writer *w = writer_open_direct(weir_msgpack, &out, NULL, NULL, NULL);
        assert_true(!ext || weir_write_tag_name(w, "ext:1", 5));
        assert_false(weir_write_bytes(w, "", (size_t)1 << 32));
        assert_int_equal(weir_writer_error(w)->code, WEIR_E_LOSS_LENGTH);
        weir_writer_close(w);
        weir_buffer_free(&out);
    }
#endif
}

/* Documents are collected before they are written; positions are those of the real output all the same. */
static void offsets(void **state)
{
    (void)state;
    weir_buffer out = {0};
    weir_writer *w = weir_writer_open(weir_msgpack, &out, NULL, NULL);
    assert_true(weir_write_array(w, WEIR_UNKNOWN) && weir_write_uint(w, 1));
    assert_int_equal(weir_writer_offset(w), 0);
    assert_true(weir_write_end(w));
    assert_int_equal(weir_writer_offset(w), 2);
    assert_true(weir_write_str(w, "abc", 3) && weir_writer_finish(w));
    assert_int_equal(weir_writer_offset(w), 6);
    assert_int_equal(out.len, 6);
    weir_writer_close(w);
    weir_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smallest),  cmocka_unit_test(long_ones), cmocka_unit_test(tags),
        cmocka_unit_test(ext_names), cmocka_unit_test(losses),    cmocka_unit_test(lengths),
        cmocka_unit_test(offsets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
