/* MessagePack reader: every head of the specification, faults with their places, limits, streams. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "event_text.h"

static const struct row values[] = {
    {"c0", "null |"},
    {"c2", "false |"},
    {"c3", "true |"},
    {"00", "0 |"},
    {"7f", "127 |"},
    {"ff", "-1 |"},
    {"e0", "-32 |"},
    {"ccff", "255 |"},
    {"cdffff", "65535 |"},
    {"ceffffffff", "4294967295 |"},
    {"cfffffffffffffffff", "18446744073709551615 |"},
    {"d080", "-128 |"},
    {"d07f", "127 |"},
    {"d18000", "-32768 |"},
    {"d280000000", "-2147483648 |"},
    {"d38000000000000000", "-9223372036854775808 |"},
    {"d37fffffffffffffff", "9223372036854775807 |"},
    {"ca3fc00000", "1.5_2 |"},
    {"ca7f800000", "inf_2 |"},
    {"cb3ff8000000000000", "1.5 |"},
    {"cb7ff8000000000001", "nan:7ff8000000000001 |"},
    {"ca7f800001", "nan:7ff0000020000000_2 |"},
    {"a0", "\"\" |"},
    {"a26869", "\"hi\" |"},
    {"d9026869", "\"hi\" |"},
    {"da00026869", "\"hi\" |"},
    {"db000000026869", "\"hi\" |"},
    {"c400", "h'' |"},
    {"c402c328", "h'c328' |"},
    {"c5000101", "h'01' |"},
    {"c60000000101", "h'01' |"},
    {"90", "[0 end |"},
    {"9301a16180", "[3 1 \"a\" {0 end end |"},
    {"dc000101", "[1 1 end |"},
    {"dd0000000101", "[1 1 end |"},
    {"80", "{0 end |"},
    {"82a3666f6f2aa3626172a362617a", "{2 \"foo\": 42 \"bar\": \"baz\" end |"},
    {"84a46c69737493010203a173a178a16ec0a162c3",
     "{4 \"list\": [3 1 2 3 end \"s\": \"x\" \"n\": null \"b\": true end |"},
    {"de00010102", "{1 1: 2 end |"},
    {"df000000010102", "{1 1: 2 end |"},
    /* ext */
    {"d40510", "#ext:5 h'10' |"},
    {"d5fe1011", "#ext:-2 h'1011' |"},
    {"d68000010203", "#ext:-128 h'00010203' |"},
    {"d77f0001020304050607", "#ext:127 h'0001020304050607' |"},
    {"d800000102030405060708090a0b0c0d0e0f", "#ext:0 h'000102030405060708090a0b0c0d0e0f' |"},
    {"c70006", "#ext:6 h'' |"},
    {"c80003070a0b0c", "#ext:7 h'0a0b0c' |"},
    {"c9000000010742", "#ext:7 h'42' |"},
    /* timestamps */
    {"d6ff5a4af6a5", "time(1514862245 0 0 0 0) |"},
    {"d7ffa1dcd7c85a4af6a5", "time(1514862245 678901234 0 9 0) |"},
    {"d7ff773594005a4af6a5", "time(1514862245 500000000 0 1 0) |"},
    {"c70cff0000000 1ffffffffffffffff", "time(-1 1 0 9 0) |"},
    {"c70cff000000008000000000000000", "time(-9223372036854775808 0 0 0 0) |"},
    {"c80004ff5a4af6a5", "time(1514862245 0 0 0 0) |"},
    /* keys of any kind */
    {"8101 02", "{1 1: 2 end |"},
    {"81c0c0", "{1 null: null end |"},
    {"81920102c3", "{1 [2: 1 2 end true end |"},
    {"8181010203", "{1 {1: 1: 2 end 3 end |"},
    {"81d4051002", "{1 #ext:5: h'10' 2 end |"},
    {"81d6ff00000000c0", "{1 time(0 0 0 0 0): null end |"},
    {"81cb3ff800000000000001", "{1 1.5: 1 end |"},
    {"82a16101a16102", "{2 \"a\": 1 \"a\": 2 end |"},
};

static void all_types(void **state)
{
    (void)state;
    EXPECT_EVENTS(weir_msgpack, values, NULL);
}

static void cut_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        expect_cuts(weir_msgpack, values[i].input, NULL);
    }
}

static void faults(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"c1", "!msgpack/reserved-byte@0"},
        {"9301c1", "[3 1 !msgpack/reserved-byte@2"},
        {"81c1", "{1 !msgpack/reserved-byte@1"},
        {"a1ff", "!msgpack/invalid-utf8@1"},
        {"a361c328", "!msgpack/invalid-utf8@2"},
        {"a2c3", "!msgpack/incomplete@2"},
        {"a3c328", "!msgpack/invalid-utf8@1"},
        {"81a1ff01", "{1 !msgpack/invalid-utf8@2"},
        {"da010061", "!msgpack/incomplete@4"},
        {"ddffffffff", "[4294967295 !msgpack/incomplete@5"},
        {"dfffffffff01", "{4294967295 1: !msgpack/incomplete@6"},
        {"dbffffffff61", "!msgpack/incomplete@6"},
        {"c6ffffffff", "!msgpack/incomplete@5"},
        {"c9ffffffff01", "#ext:1 !msgpack/incomplete@6"},
        {"d7ffee6b2800 00000000", "!msgpack/invalid-timestamp@0"},
        {"c70cff3b9aca000000000000000000", "!msgpack/invalid-timestamp@0"},
        {"d4ff00", "!msgpack/invalid-timestamp@0"},
        {"d5ff0000", "!msgpack/invalid-timestamp@0"},
        {"c700ff", "!msgpack/invalid-timestamp@0"},
        {"c70dff", "!msgpack/invalid-timestamp@0"},
        {"d8ff00", "!msgpack/invalid-timestamp@0"},
    };
    EXPECT_EVENTS(weir_msgpack, rows, NULL);
}

static void streams(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"", ""},
        {"2a2b", "42 | 43 |"},
        {"9080c0", "[0 end | {0 end | null |"},
        {"01c1", "1 | !msgpack/reserved-byte@1"},
        {"0191", "1 | [1 !msgpack/incomplete@2"},
    };
    EXPECT_EVENTS(weir_msgpack, rows, NULL);
    /* as one document, a second one is too much */
    weir_error error;
    assert_null(weir_parse(weir_msgpack, "\x2a\x2b", 2, NULL, &error));
    assert_int_equal(error.code, WEIR_E_TRAILING);
    assert_int_equal(error.offset, 1);
}

static void limits(void **state)
{
    (void)state;
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.limits.string = 3;
    options.limits.key = 2;
    expect_events(weir_msgpack, "91a3616263", &options, "[1 \"abc\" end |");
    expect_events(weir_msgpack, "91dbffffffff", &options, "[1 !limit/string@1");
    expect_events(weir_msgpack, "c6ffffffff", &options, "!limit/string@0");
    expect_events(weir_msgpack, "81a3616263", &options, "{1 !limit/key@1");
    expect_events(weir_msgpack, "c70405 01020304", &options, "#ext:5 !limit/string@3");
    options = (weir_options)WEIR_OPTIONS_DEFAULT;
    options.limits.items = 2;
    options.limits.entries = 1;
    expect_events(weir_msgpack, "93010203", &options, "[3 1 2 !limit/items@3");
    expect_events(weir_msgpack, "8201020304", &options, "{2 1: 2 !limit/entries@3");
    options = (weir_options)WEIR_OPTIONS_DEFAULT;
    options.limits.depth = 2;
    expect_events(weir_msgpack, "919101", &options, "[1 [1 !limit/depth@2");
    expect_events(weir_msgpack, "91d40500", &options, "[1 #ext:5 !limit/depth@3");
    expect_events(weir_msgpack, "818181 0000", &options, "{1 {1: !limit/depth@2");
    options = (weir_options)WEIR_OPTIONS_DEFAULT;
    options.limits.nodes = 3;
    expect_events(weir_msgpack, "93010203", &options, "[3 1 2 !limit/nodes@3");
    options = (weir_options)WEIR_OPTIONS_DEFAULT;
    options.limits.payload = 5;
    expect_events(weir_msgpack, "81a26162a3616263", &options, "{1 \"ab\": \"abc\" end |");
    expect_events(weir_msgpack, "81a26162a461626364", &options, "{1 \"ab\": !limit/payload@4");
    options = (weir_options)WEIR_OPTIONS_DEFAULT;
    options.duplicates = WEIR_DUPLICATES_REJECT;
    expect_events(weir_msgpack, "82a16101a16102", &options, "{_ \"a\": 1 !msgpack/duplicate-key@4");
}

/* Nesting never uses the C stack and ends at the limit. */
static void deep(void **state)
{
    (void)state;
    static const uint8_t heads[] = {0x91, 0x81, 0xdd};
    size_t n = 2000000;
    char *bytes = malloc(n);
    for (size_t i = 0; i < sizeof heads; i++) {
        for (int unbounded = 0; unbounded < 2; unbounded++) {
            weir_options options = WEIR_OPTIONS_DEFAULT;
            if (unbounded) {
                options.limits = weir_unlimited;
            }
            memset(bytes, heads[i], n);
            weir_reader *reader = weir_reader_open(weir_msgpack, bytes, n, &options, NULL);
            while (weir_reader_next(reader)) {
            }
            assert_int_equal(weir_reader_error(reader)->code,
                             unbounded ? WEIR_E_MSGPACK_INCOMPLETE : WEIR_E_LIMIT_DEPTH);
            weir_reader_close(reader);
        }
    }
    free(bytes);
}

static void detection(void **state)
{
    (void)state;
    static const struct {
        const char *hex;
        bool certain;
    } rows[] = {
        {"82a3666f6f2aa3626172a362617a", true},
        {"84a57469746c65b24e6578744a736f6e2062656e63686d61726ba56f776e657282a46e616d65aa626c75656f6b616e6e61a"
         "269642aa47461677390"
         "a77265747269657303",
         true},
        {"de0001a16101", true},
        {"a2616161 6161", false},
        {"7b2261223a317d", false},
        {"c1", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        weir_buffer bytes = {0};
        unhex(&bytes, rows[i].hex, strlen(rows[i].hex));
        if ((weir_format_guess(bytes.data, bytes.len, true) == weir_msgpack) != rows[i].certain) {
            fail_msg("%s", rows[i].hex);
        }
        weir_buffer_free(&bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_types), cmocka_unit_test(cut_values), cmocka_unit_test(faults),
        cmocka_unit_test(streams),   cmocka_unit_test(limits),     cmocka_unit_test(deep),
        cmocka_unit_test(detection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
