/* The exact JSON reader: input -> events, or the first fault with its code and place. */
#include "events.h"

struct row {
    const char *input, *expected;
};

static void check(const struct row *rows, size_t n, const weir_options *options)
{
    for (size_t i = 0; i < n; i++) {
        expect(weir_json, rows[i].input, options, rows[i].expected);
    }
}

#define CHECK(rows, options) check(rows, sizeof(rows) / sizeof *(rows), options)

static void values(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"null", "n ; $"},
        {" true ", "t ; $"},
        {"\t\r\nfalse\n", "f ; $"},
        {"\"\"", "\"\" ; $"},
        {"[]", "[ . ; $"},
        {"{}", "{ . ; $"},
        {"[ ]", "[ . ; $"},
        {"{ }", "{ . ; $"},
        {"[1,[2,{}],\"x\"]", "[ u1 [ u2 { . . \"x\" . ; $"},
        {"{\"a\":1,\"b\":[true,false,null],\"a\":{\"c\":\"d\"}}",
         "{ k\"a\" u1 k\"b\" [ t f n . k\"a\" { k\"c\" \"d\" . . ; $"},
        {" { \"a\" : 1 , \"b\" : [ 2 , 3 ] } ", "{ k\"a\" u1 k\"b\" [ u2 u3 . . ; $"},
        {"{\"\":0}", "{ k\"\" u0 . ; $"},
    };
    CHECK(rows, NULL);
}

static void strings(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"\"a\\\"\\\\\\/\\b\\f\\n\\r\\tz\"", "\"a\\x22\\x5C/\\x08\\x0C\\x0A\\x0D\\x09z\" ; $"},
        {"\"\\u0041\\u00e9\\u4E2d\"", "\"A\\xC3\\xA9\\xE4\\xB8\\xAD\" ; $"},
        {"\"\\u0000\"", "\"\\x00\" ; $"},
        {"\"\\ud83d\\uDE00\"", "\"\\xF0\\x9F\\x98\\x80\" ; $"},
        {"\"\\uffff\"", "\"\\xEF\\xBF\\xBF\" ; $"},
        {"\"\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80\"", "\"\\xC3\\xA9\\xE4\\xB8\\xAD\\xF0\\x9F\\x98\\x80\" ; $"},
        {"\"\x7F\"", "\"\\x7F\" ; $"}, /* DEL may stand as it is */
        {"{\"\\u006b\":1}", "{ k\"k\" u1 . ; $"},
        {"\"0123456789012345678901234567890123456789\\n012345678901234567890123456789012345678901234567890123"
         "4567890"
         "1234567890123456789\"",
         "\"0123456789012345678901234567890123456789\\x0A0123456789012345678901234567890123456789012345678901"
         "2345678"
         "901234567890123456789\" ; $"},
        /* faults: place of the offending byte, for a surrogate the place behind the digits that broke the
           pair */
        {"\"\\x\"", "!json/invalid-escape@2 1:3"},
        {"\"\\'\"", "!json/invalid-escape@2 1:3"},
        {"\"\\u12G4\"", "!json/invalid-unicode-escape@5 1:6"},
        {"\"\\ud800\"", "!json/unpaired-surrogate@7 1:8"},
        {"\"\\udc00\"", "!json/unpaired-surrogate@7 1:8"},
        {"\"\\ud800a\"", "!json/unpaired-surrogate@7 1:8"},
        {"\"\\ud800\\n\"", "!json/unpaired-surrogate@7 1:8"},
        {"\"\\ud83d\\u0041\"", "!json/unpaired-surrogate@13 1:14"},
        {"\"\\ud83d\\ud83d\"", "!json/unpaired-surrogate@13 1:14"},
        {"\"\\ud83d\\u00g\"", "!json/invalid-unicode-escape@11 1:12"},
        {"\"a\nb\"", "!json/control-character@2 1:3"},
        {"\"a\x1F\"", "!json/control-character@2 1:3"},
        {"\"\xC3\x28\"", "!json/invalid-utf8@1 1:2"},
        {"\"a\x80\"", "!json/invalid-utf8@2 1:3"},
        {"\"\xC0\x80\"", "!json/invalid-utf8@1 1:2"},
        {"\"\xED\xA0\x80\"", "!json/invalid-utf8@1 1:2"},
        {"\"\xF4\x90\x80\x80\"", "!json/invalid-utf8@1 1:2"},
        {"\"\xE4\xB8\"", "!json/invalid-utf8@1 1:2"}, /* cut by the quote */
        {"\"\\n\xE4\xB8\\n\"", "!json/invalid-utf8@3 1:4"},
        {"\"\xF0\x9F\x98\x80\xFF\"", "!json/invalid-utf8@5 1:3"},
    };
    CHECK(rows, NULL);
}

static void literals(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"truex", "!json/unexpected-byte@4 1:5"},
        {"trux", "!json/unexpected-byte@0 1:1"},
        {"[nulll]", "[ !json/unexpected-byte@5 1:6"},
        {"[True]", "[ !json/unexpected-byte@1 1:2"},
        {"[fals]", "[ !json/unexpected-byte@1 1:2"},
        {"[true\"a\"]", "[ !json/unexpected-byte@5 1:6"},
        {"tru", "!json/incomplete@3 1:4"},
        {"[NaN]", "[ !json/unexpected-byte@1 1:2"},
        {"[true]", "[ t . ; $"},
    };
    CHECK(rows, NULL);
}

static void numbers(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"0", "u0 ; $"},
        {"-0", "d-0 ; $"},
        {"-0.0", "d-0 ; $"},
        {"-0e0", "d-0 ; $"},
        {"-1", "i-1 ; $"},
        {"1.0", "d1 ; $"}, /* by spelling, not by value */
        {"1e3", "d1000 ; $"},
        {"1E+3", "d1000 ; $"},
        {"123456789012345678", "u123456789012345678 ; $"},
        {"1234567890123456789", "u1234567890123456789 ; $"},
        {"18446744073709551615", "u18446744073709551615 ; $"},
        {"-9223372036854775808", "i-9223372036854775808 ; $"},
        {"9223372036854775808", "u9223372036854775808 ; $"},
        {"1e-400", "d0 ; $"},
        {"-1e-400", "d-0 ; $"},
        {"1.7976931348623157e308", "d1.7976931348623157e+308 ; $"},
        {"5e-324", "d5e-324 ; $"}, /* the smallest */
        {"0.1", "d0.1 ; $"},
        {"[1,2]", "[ u1 u2 . ; $"},
        {"{\"a\":-12}", "{ k\"a\" i-12 . ; $"},
        /* range faults stand at the token's first byte */
        {" 18446744073709551616", "!json/integer-out-of-range@1 1:2"},
        {"[-9223372036854775809]", "[ !json/integer-out-of-range@1 1:2"},
        {"[1, 100000000000000000000]", "[ u1 !json/integer-out-of-range@4 1:5"},
        {"1e400", "!json/float-out-of-range@0 1:1"},
        {"-1e400", "!json/float-out-of-range@0 1:1"},
        /* grammar faults where scanning stopped */
        {"01", "!json/invalid-number@1 1:2"},
        {"-01", "!json/invalid-number@2 1:3"},
        {"1:2", "!json/invalid-number@1 1:2"},
        {"1\xC2\xA0", "!json/invalid-number@1 1:2"},
        {"[1a]", "[ !json/invalid-number@2 1:3"},
        {"[1.]", "[ !json/invalid-number@3 1:4"},
        {"[.5]", "[ !json/unexpected-byte@1 1:2"},
        {"[+1]", "[ !json/unexpected-byte@1 1:2"},
        {"[1e]", "[ !json/invalid-number@3 1:4"},
        {"[1e+]", "[ !json/invalid-number@4 1:5"},
        {"[-]", "[ !json/invalid-number@2 1:3"},
        {"[-a]", "[ !json/invalid-number@2 1:3"},
        {"[1.2.3]", "[ !json/invalid-number@4 1:5"},
        {"[0x1]", "[ !json/invalid-number@2 1:3"},
        {"[1_000]", "[ !json/invalid-number@2 1:3"},
        {"1\"\"", "!json/invalid-number@1 1:2"},
        {"1,", "u1 ; !json/trailing-characters@1 1:2"},
        {"1]", "u1 ; !json/trailing-characters@1 1:2"},
        {"-", "!json/incomplete@1 1:2"},
        {"1.", "!json/incomplete@2 1:3"},
        {"1e", "!json/incomplete@2 1:3"},
        {"1e-", "!json/incomplete@3 1:4"},
    };
    CHECK(rows, NULL);
}

static void number_policies(void **state)
{
    (void)state;
    weir_options options = WEIR_OPTIONS_DEFAULT;
    static const struct row exact[] = {
        {"18446744073709551616", "#18446744073709551616 ; $"},
        {"[-9223372036854775809, 1]", "[ #-9223372036854775809 u1 . ; $"},
        {"1e400", "#1e400 ; $"},
        {"0.1000000000000000000001", "d0.1 ; $"},
        {"1e-400", "d0 ; $"},
        {"-0", "d-0 ; $"},
        {"7", "u7 ; $"},
    };
    options.numbers = WEIR_NUMBERS_EXACT;
    CHECK(exact, &options);
    static const struct row decimal[] = {
        {"18446744073709551616", "#18446744073709551616 ; $"},
        {"1e400", "#1e400 ; $"},
        {"0.1", "d0.1 ; $"},
        {"0.10", "d0.1 ; $"}, /* by value, not by spelling */
        {"0.1000000000000000000001", "#0.1000000000000000000001 ; $"},
        {"0.1000000000000000000000", "d0.1 ; $"},
        {"0.30000000000000004", "d0.30000000000000004 ; $"},
        {"0.30000000000000003", "#0.30000000000000003 ; $"},
        {"1e-400", "#1e-400 ; $"},
        {"0e-400", "d0 ; $"},
        {"-0", "d-0 ; $"},
        {"5e-324", "d5e-324 ; $"},
        {"4.9e-324", "#4.9e-324 ; $"},
        {"9007199254740993", "u9007199254740993 ; $"},
        {"9007199254740993.0", "#9007199254740993.0 ; $"},
        {"9007199254740992.0", "d9007199254740992 ; $"},
    };
    options.numbers = WEIR_NUMBERS_DECIMAL;
    CHECK(decimal, &options);
    static const struct row nearest[] = {
        {"18446744073709551616", "d1.8446744073709552e+19 ; $"},
        {"-9223372036854775809", "d-9.223372036854776e+18 ; $"},
        {"18446744073709551615", "u18446744073709551615 ; $"},
        {"1e400", "!json/float-out-of-range@0 1:1"},
    };
    options.numbers = WEIR_NUMBERS_DOUBLE;
    CHECK(nearest, &options);
    char big[402]; /* an integer beyond every double */
    memset(big, '9', 401);
    big[401] = '\0';
    expect(weir_json, big, &options, "!json/float-out-of-range@0 1:1");
    options.numbers = WEIR_NUMBERS_EXACT;
    char *events = events_of(weir_json, big, 401, &options);
    assert_memory_equal(events, "#999", 4);
    assert_int_equal(strlen(events), 401 + 5);
    free(events);
}

static void structure(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"[,1]", "[ !json/unexpected-byte@1 1:2"},
        {"[1,]", "[ u1 !json/unexpected-byte@3 1:4"},
        {"[1,,2]", "[ u1 !json/unexpected-byte@3 1:4"},
        {"[1 2]", "[ u1 !json/expected-comma-or-array-end@3 1:4"},
        {"[1}", "[ u1 !json/expected-comma-or-array-end@2 1:3"},
        {"[\"a\" \"b\"]", "[ \"a\" !json/expected-comma-or-array-end@5 1:6"},
        {"{\"a\" 1}", "{ k\"a\" !json/expected-colon@5 1:6"},
        {"{\"a\":}", "{ k\"a\" !json/unexpected-byte@5 1:6"},
        {"{\"a\":1,}", "{ k\"a\" u1 !json/expected-key@7 1:8"},
        {"{\"a\":1 \"b\":2}", "{ k\"a\" u1 !json/expected-comma-or-object-end@7 1:8"},
        {"{\"a\":1]", "{ k\"a\" u1 !json/expected-comma-or-object-end@6 1:7"},
        {"{a:1}", "{ !json/expected-key@1 1:2"},
        {"{'a':1}", "{ !json/expected-key@1 1:2"},
        {"{1:1}", "{ !json/expected-key@1 1:2"},
        {"{,}", "{ !json/expected-key@1 1:2"},
        {"{]", "{ !json/expected-key@1 1:2"},
        {"]", "!json/unexpected-byte@0 1:1"},
        {"@", "!json/unexpected-byte@0 1:1"},
        {"[1]x", "[ u1 . ; !json/trailing-characters@3 1:4"},
        {"true false", "t ; !json/trailing-characters@5 1:6"},
        {"null,", "n ; !json/trailing-characters@4 1:5"},
        {"\"a\"b", "\"a\" ; !json/trailing-characters@3 1:4"},
        {"{} {}", "{ . ; !json/trailing-characters@3 1:4"},
        {"[1]//", "[ u1 . ; !json/trailing-characters@3 1:4"},
        {"\x0C[]", "!json/unexpected-byte@0 1:1"}, /* form feed is no white space */
        {"[\xC2\xA0]", "[ !json/unexpected-byte@1 1:2"},
        /* lines: LF, CR and CRLF end one each; columns count characters */
        {"{\r\n  \"\xE4\xB8\xAD\" 1}", "{ k\"\\xE4\\xB8\\xAD\" !json/expected-colon@11 2:7"},
        {"[\n\n\r@", "[ !json/unexpected-byte@4 4:1"},
        {"[\r\r\n\n@", "[ !json/unexpected-byte@5 4:1"},
    };
    CHECK(rows, NULL);
}

static void ends_too_early(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"", "!input/empty@0 1:1"},
        {" \n ", "!input/empty@3 2:2"},
        {"[", "[ !json/incomplete@1 1:2"},
        {"[1", "[ u1 !json/incomplete@2 1:3"}, /* the end of the input ends a number too */
        {"[1,", "[ u1 !json/incomplete@3 1:4"},
        {"[1 ", "[ u1 !json/incomplete@3 1:4"},
        {"{", "{ !json/incomplete@1 1:2"},
        {"{\"a\":1,", "{ k\"a\" u1 !json/incomplete@7 1:8"},
        {"{\"a\"", "{ k\"a\" !json/incomplete@4 1:5"},
        {"{\"a\":", "{ k\"a\" !json/incomplete@5 1:6"},
        {"\"abc", "!json/incomplete@4 1:5"},
        {"\"abc\\", "!json/incomplete@5 1:6"},
        {"\"\\u12", "!json/incomplete@5 1:6"},
        {"\"\\uD800", "!json/incomplete@7 1:8"},
        {"\"\\uD800\\", "!json/incomplete@8 1:9"},
        {"\"\\uD83D\\uDE", "!json/incomplete@11 1:12"},
        {"\"\xE4\xB8", "!json/incomplete@3 1:4"},
        {"\"\xF0", "!json/incomplete@2 1:3"},
    };
    CHECK(rows, NULL);
}

static void categories(void **state)
{
    (void)state;
    assert_int_equal(weir_code_category(WEIR_E_JSON_INCOMPLETE), WEIR_CATEGORY_INCOMPLETE);
    assert_int_equal(weir_code_category(WEIR_E_EMPTY), WEIR_CATEGORY_INCOMPLETE);
    assert_int_equal(weir_code_category(WEIR_E_JSON_INVALID_NUMBER), WEIR_CATEGORY_SYNTAX);
}

static void byte_order_mark(void **state)
{
    (void)state;
    weir_options options = WEIR_OPTIONS_DEFAULT;
    expect(weir_json, "\xEF\xBB\xBF{}", &options, "!json/byte-order-mark@0 1:1");
    expect(weir_json, "\xEF\xBB", &options, "!json/unexpected-byte@0 1:1");
    expect(weir_json, "\xEF\xBB\x41", &options, "!json/unexpected-byte@0 1:1");
    expect(weir_json, " \xEF\xBB\xBF{}", &options, "!json/unexpected-byte@1 1:2");
    options.allow = WEIR_ALLOW_BOM;
    expect(weir_json, "\xEF\xBB\xBF{}", &options, "{ . ; $");
    expect(weir_json, "\xEF\xBB\xBF", &options, "!input/empty@3 1:2");
    expect(weir_json, "\xEF\xBB", &options, "!json/incomplete@2 1:3");
    expect(weir_json, "\xEF\xBB\xBF\xEF\xBB\xBF{}", &options, "!json/unexpected-byte@3 1:2");
    expect(weir_json, "{}\xEF\xBB\xBF", &options, "{ . ; !json/trailing-characters@2 1:3");
}

/* A usual mistake is named, without a byte of the input. */
static void hints(void **state)
{
    (void)state;
    static const struct {
        const char *input, *word;
    } rows[] = {
        {"// x\n{}", "comments"},
        {"[1, /* x */ 2]", "comments"},
        {"{} # x", NULL},
        {"{\"a\":1 // x\n}", "comments"},
        {"['a']", "double quotes"},
        {"{'a':1}", "single quotes"},
        {"{a:1}", "without quotes"},
        {"[1,]", "trailing comma"},
        {"{\"a\":1,}", "trailing comma"},
        {"[NaN]", "NaN"},
        {"[Infinity]", "infinities"},
        {"[-Infinity]", "infinities"},
        {"[None]", "None"},
        {"[True]", "lower case"},
        {"[undefined]", "undefined"},
        {"[+1]", "plus"},
        {"[.5]", "digit"},
        {"[1 2]", "comma is missing"},
        {"{\"a\":1 \"b\":2}", "comma is missing"},
        {"{\"a\"=1}", "colon"},
        {"\xEF\xBB\xBF{}", NULL},
        {"\xFF\xFE{", "UTF-16"},
        {"[\xE2\x80\x9C]", "straight"},
        {"[@]", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        weir_reader *reader = weir_reader_open(weir_json, rows[i].input, strlen(rows[i].input), NULL, NULL);
        assert_non_null(reader);
        while (weir_reader_next(reader)) {
        }
        const weir_error *error = weir_reader_error(reader);
        assert_int_not_equal(error->code, WEIR_E_NONE);
        if (rows[i].word) {
            if (!strstr(error->detail, rows[i].word)) {
                print_message("%s: \"%s\" lacks \"%s\"\n", rows[i].input, error->detail, rows[i].word);
            }
            assert_non_null(strstr(error->detail, rows[i].word));
        } else {
            assert_string_equal(error->detail, "");
        }
        weir_reader_close(reader);
    }
}

static void borrowing(void **state)
{
    (void)state;
    const char *input = "[\"plain\",\"esc\\n\",\"\xC3\xA9\",123456789012345678901234567890]";
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.numbers = WEIR_NUMBERS_EXACT;
    weir_reader *reader = weir_reader_open(weir_json, input, strlen(input), &options, NULL);
    assert_int_equal(weir_reader_next(reader)->kind, WEIR_KIND_ARRAY);
    const weir_event *e = weir_reader_next(reader);
    assert_true(e->borrowed && e->plain && e->text == input + 2 && e->len == 5 && e->offset == 1);
    e = weir_reader_next(reader);
    assert_true(!e->borrowed && !e->plain && e->len == 4 && e->offset == 9);
    e = weir_reader_next(reader);
    assert_true(e->borrowed && e->plain && e->len == 2 && e->offset == 17);
    e = weir_reader_next(reader);
    assert_true(e->kind == WEIR_KIND_NUMBER && e->borrowed && e->len == 30 && e->offset == 22);
    weir_reader_close(reader);

    struct pieces pieces = {input, strlen(input), 0, 3};
    reader = weir_reader_open_source(weir_json, (weir_source){read_piece, &pieces}, &options, NULL);
    assert_int_equal(weir_reader_next(reader)->kind, WEIR_KIND_ARRAY);
    e = weir_reader_next(reader);
    assert_true(!e->borrowed && e->plain && e->len == 5 && memcmp(e->text, "plain", 5) == 0);
    weir_reader_close(reader);
}

static void duplicates(void **state)
{
    (void)state;
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.duplicates = WEIR_DUPLICATES_REJECT;
    expect(weir_json, "{\"a\":1,\"\\u0061\":2}", &options, "{ k\"a\" u1 !json/duplicate-key@7 1:8");
    expect(weir_json, "{\"a\":{\"a\":1},\"b\":2}", &options, "{ k\"a\" { k\"a\" u1 . k\"b\" u2 . ; $");
    options.duplicates = WEIR_DUPLICATES_FIRST;
    expect(weir_json, "{\"a\":1,\"a\":[2],\"b\":3}", &options, "{ k\"a\" u1 k\"b\" u3 . ; $");
}

/* Every length and place of what ends a run of plain text, around the widths of vectors. */
static void run_lengths(void **state)
{
    (void)state;
    char input[400], expected[1200];
    for (size_t len = 0; len < 200; len++) {
        static const char *const ends[][2] = {
            {"\"", "\" ; $"}, {"\\n\"", "\\x0A\" ; $"}, {"\xC3\xA9\"", "\\xC3\\xA9\" ; $"}};
        for (size_t e = 0; e < 3; e++) {
            input[0] = '"';
            memset(input + 1, 'x', len);
            strcpy(input + 1 + len, ends[e][0]);
            expected[0] = '"';
            memset(expected + 1, 'x', len);
            strcpy(expected + 1 + len, ends[e][1]);
            expect(weir_json, input, NULL, expected);
        }
        input[0] = '"';
        memset(input + 1, 'x', len);
        strcpy(input + 1 + len, "\x01");
        snprintf(expected, sizeof expected, "!json/control-character@%zu 1:%zu", len + 1, len + 2);
        expect(weir_json, input, NULL, expected);
        strcpy(input + 1 + len, "\xFFxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"");
        snprintf(expected, sizeof expected, "!json/invalid-utf8@%zu 1:%zu", len + 1, len + 2);
        expect(weir_json, input, NULL, expected);
    }
}

/* Depth lives on the heap: millions of levels are read, or refused by the limit. */
static void depth(void **state)
{
    (void)state;
    size_t n = 1000000;
    char *input = malloc(2 * n);
    assert_non_null(input);
    memset(input, '[', n);
    memset(input + n, ']', n);
    weir_options options = WEIR_OPTIONS_DEFAULT;
    weir_reader *reader = weir_reader_open(weir_json, input, 2 * n, &options, NULL);
    while (weir_reader_next(reader)) {
    }
    assert_int_equal(weir_reader_error(reader)->code, WEIR_E_LIMIT_DEPTH);
    assert_int_equal(weir_reader_error(reader)->offset, 1024);
    weir_reader_close(reader);
    options.limits = weir_unlimited;
    reader = weir_reader_open(weir_json, input, 2 * n, &options, NULL);
    const weir_event *event;
    size_t events = 0;
    while ((event = weir_reader_next(reader)) && event->kind != WEIR_KIND_END_STREAM) {
        events++;
    }
    assert_non_null(event);
    assert_int_equal(events, 2 * n + 1);
    weir_reader_close(reader);
    free(input);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values),          cmocka_unit_test(strings),
        cmocka_unit_test(literals),        cmocka_unit_test(numbers),
        cmocka_unit_test(number_policies), cmocka_unit_test(structure),
        cmocka_unit_test(ends_too_early),  cmocka_unit_test(categories),
        cmocka_unit_test(byte_order_mark), cmocka_unit_test(hints),
        cmocka_unit_test(borrowing),       cmocka_unit_test(duplicates),
        cmocka_unit_test(run_lengths),     cmocka_unit_test(depth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
