/* Diagnostic notation, reading: RFC 8949 section 8, RFC 8610 appendix G. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "event_text.h"

static weir_options options_with(weir_numbers numbers)
{
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.numbers = numbers;
    return options;
}

static const struct row values[] = {
    {"null", "null |"},
    {"true", "true |"},
    {"false", "false |"},
    {"undefined", "#undefined null |"},
    {"simple(0)", "#simple 0 |"},
    {"simple( 255 )", "#simple 255 |"},
    {"simple(20)", "false |"},
    {"simple(21)", "true |"},
    {"simple(22)", "null |"},
    {"simple(23)", "#undefined null |"},
    {"0", "0 |"},
    {"-1", "-1 |"},
    {"18446744073709551615", "18446744073709551615 |"},
    {"-9223372036854775808", "-9223372036854775808 |"},
    {"-0", "-0.0 |"},
    {"0x1F", "31 |"},
    {"-0x8000000000000000", "-9223372036854775808 |"},
    {"0o17", "15 |"},
    {"0b101", "5 |"},
    {"1.5", "1.5 |"},
    {"-4.1", "-4.1 |"},
    {"1.0e+300", "1e300 |"},
    {"5.960464477539063e-8", "5.960464477539063e-8 |"},
    {"NaN", "nan:7ff8000000000000 |"},
    {"Infinity", "inf |"},
    {"-Infinity", "-inf |"},
    {"[]", "[_ end |"},
    {"{}", "{_ end |"},
    {"[1, [2, 3], [4, 5]]", "[_ 1 [_ 2 3 end [_ 4 5 end end |"},
    {"{1: 2, \"a\": [], [1]: {}, h'00': -1}", "{_ 1: 2 \"a\": [_ end [_: 1 end {_ end h'00': -1 end |"},
    {"1(1363896240.5)", "#1 1363896240.5 |"},
    {"32(\"http://www.example.com\")", "#32 \"http://www.example.com\" |"},
    {"18446744073709551615(0)", "#18446744073709551615 0 |"},
    {"5(6([7(8), 9(10)]))", "#5 #6 [_ #7 8 #9 10 end |"},
    {"[1(2), 3]", "[_ #1 2 3 end |"},
    {"{1(2): 6(4)}", "{_ #1: 2 #6 4 end |"},
    {"{1([2]): 3}", "{_ #1: [_ 2 end 3 end |"},
    {"{undefined: undefined}", "{_ #undefined: null #undefined null end |"},
    {"5(undefined)", "#5 #undefined null |"},
    {"5( simple(7) )", "#5 #simple 7 |"},
    /* encoding indicators */
    {"1.5_1", "1.5_1 |"},
    {"1.5_2", "1.5_2 |"},
    {"1.5_3", "1.5 |"},
    {"0.10000000149011612_2", "0.10000000149011612_2 |"},
    {"NaN_1", "nan:7ff8000000000000_1 |"},
    {"-Infinity_2", "-inf_2 |"},
    {"1_0", "1 |"},
    {"23_i", "23 |"},
    {"-256_0", "-256 |"},
    {"65535_1", "65535 |"},
    {"4294967295_2", "4294967295 |"},
    {"4294967296_3", "4294967296 |"},
    {"[_ 1, 2]", "[_ 1 2 end |"},
    {"[_1 1, 2]", "[_ 1 2 end |"},
    {"{_ 1: 2}", "{_ 1: 2 end |"},
    {"1_1(4)", "#1 4 |"},
    {"\"a\"_1", "\"a\" |"},
    {"h'00'_0", "h'00' |"},
    {"\"\"_", "\"\" |"},
    {"''_", "h'' |"},
    {"(_ \"strea\", \"ming\")", "\"streaming\" |"},
    {"(_ h'0102' , h'030405')", "h'0102030405' |"},
    {"(_ \"a\"_0, \"b\" \"c\")", "\"abc\" |"},
    /* byte strings */
    {"h''", "h'' |"},
    {"h'01020304'", "h'01020304' |"},
    {"h'AB cd\n/ two / 12 # three\n34'", "h'abcd1234' |"},
    {"b64'AQIDBA=='", "h'01020304' |"},
    {"b64'AQIDBA'", "h'01020304' |"},
    {"b64'-_-_ +/+/'", "h'fbffbffbffbf' |"},
    {"b64'AQ # / \n ID'", "h'010203' |"},
    {"b32'AEBAGBA='", "h'01020304' |"},
    {"b32'AEBAGBA'", "h'01020304' |"},
    {"h32'0410610='", "h'01020304' |"},
    {"'hello world'", "h'68656c6c6f20776f726c64' |"},
    {"'\"'", "h'22' |"},
    {"'it\\'s'", "h'69742773' |"},
    {"'\\u00fc'", "h'c3bc' |"},
    /* joined strings (RFC 8610 G.4) */
    {"\"Hello \" \"world\"", "\"Hello world\" |"},
    {"\"Hello \" h'776f726c64'", "\"Hello world\" |"},
    {"'Hello ' 'world'", "h'48656c6c6f20776f726c64' |"},
    {"'Hello ' h'776f726c64'", "h'48656c6c6f20776f726c64' |"},
    {"h'48' b64'aQ' \"!\"", "h'486921' |"},
    {"\"\\u00c3\" # as text\n \"b\"", "\"Ãb\" |"},
    {"\"\" ''", "\"\" |"},
    {"'' \"\"", "h'' |"},
    {"\"\" h'c3' h'bc'", "\"ü\" |"},
    {"[\"a\" \"b\", \"c\"]", "[_ \"ab\" \"c\" end |"},
    /* embedded CBOR (RFC 8610 G.3) */
    {"<<1>>", "h'01' |"},
    {"<<>>", "h'' |"},
    {"<<1, 2>>", "h'0102' |"},
    {"<<[1, 2]>>", "h'820102' |"},
    {"<<[_ 1, {_ 2: [3]}], {}>>", "h'9f01bf028103ffffa0' |"},
    {"<<{\"a\": [1, [2]]}>>", "h'a1616182018102' |"},
    {"<<1(2), undefined, simple(9), 1.5_1, \"x\", h'00', -1>>", "h'c102f7e9f93e0061784100 20' |"},
    {"<< <<1>>, <<[<<2>>]>> >>", "h'41014381 4102' |"},
    {"{<<1>>: <<2>>}", "{_ h'01': h'02' end |"},
    {"24(<<1>>)", "#24 h'01' |"},
    {"<<{[1]: 2, {3: 4}: 5}>>", "h'a2810102a1030405' |"},
    {"<<24([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 0])>>",
     "h'd8189818 0102030405060708090a0b0c0d0e0f101112131415161700' |"},
    /* text */
    {"\"\"", "\"\" |"},
    {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\"\\/\b\f\n\r\t\" |"},
    {"\"\\ud800\\udd51\"", "\"\360\220\205\221\" |"},
    {"\"\303\274 \346\260\264 \360\220\205\221\"", "\"\303\274 \346\260\264 \360\220\205\221\" |"},
    /* white space, comments, sequences */
    {" \t\r\n1 ", "1 |"},
    {"/ one / 1 # two", "1 |"},
    {"[1 / a /, # b\n 2]", "[_ 1 2 end |"},
    {"{/k/ 1 /v/ : # c\n 2}", "{_ 1: 2 end |"},
    {"1(/x/ 2 /y/)", "#1 2 |"},
    {"", ""},
    {"# nothing", ""},
    {"1, [2], \"3\"", "1 | [_ 2 end | \"3\" |"},
    {"1 ,\n2\n", "1 | 2 |"},
};

/* Blanks in the expected bytes are for the eye. */
static void all_values(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char expected[256];
        size_t n = 0;
        bool bytes =
            strncmp(values[i].expected, "h'", 2) == 0 || strncmp(values[i].expected, "#24 h'", 6) == 0;
        for (const char *p = values[i].expected; *p; p++) {
            if (!(bytes && *p == ' ' && p[1] != '|' && p[1] != 'h')) {
                expected[n++] = *p;
            }
        }
        expected[n] = '\0';
        expect_events(weir_cbor_diag, values[i].input, NULL, expected);
    }
}

/* Containers that are not closed are incomplete wherever they are cut. */
static void cut_values(void **state)
{
    (void)state;
    static const char *const inputs[] = {
        "[true, undefined, simple(5), -Infinity, NaN_1]",
        "{\"k\\u00e9\\ud800\\udd51\": 'b\\'', h'00 ff': b64'AQID'}",
        "[(_ \"a\", \"\303\274\"), \"b\" h'43']",
        "<<1, [2, {\"a\": <<3>>}], 4(5)>>",
        "[1(5(6)), 4([-2, 27315]), 2(h'010000000000000000')]",
        "[1 / comment /, # another\n 1.5e+3, 0x1F, 7_0]",
    };
    weir_options exact = options_with(WEIR_NUMBERS_EXACT);
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        expect_cuts(weir_cbor_diag, inputs[i], &exact);
    }
    /* also a value that could still go on */
    static const char *const beginnings[] = {"tru", "-",      "-Inf",    "1.", "1e", "1e+",
                                             "h",   "b6",     "h'0",     "(",  "(_", "\"a",
                                             "<",   "simple", "simple(", "0x", "1(", "/ c"};
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        weir_error error;
        assert_null(weir_parse(weir_cbor_diag, beginnings[i], strlen(beginnings[i]), NULL, &error));
        if (weir_code_category(error.code) != WEIR_CATEGORY_INCOMPLETE) {
            fail_msg("%s: %s", beginnings[i], weir_code_name(error.code));
        }
    }
}

static void faults(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"x", "!cbor-diag/syntax@0"},
        {"hello", "!cbor-diag/syntax@0"},
        {"truex", "!cbor-diag/syntax@0"},
        {"nulll", "!cbor-diag/syntax@0"},
        {"+1", "!cbor-diag/syntax@0"},
        {".5", "!cbor-diag/syntax@0"},
        {"averyveryverylongwordthatisnoname", "!cbor-diag/syntax@0"},
        {"]", "!cbor-diag/syntax@0"},
        {"[1,]", "[_ 1 !cbor-diag/syntax@3"},
        {"[,1]", "[_ !cbor-diag/syntax@1"},
        {"[1 2]", "[_ 1 !cbor-diag/syntax@3"},
        {"[1}", "[_ 1 !cbor-diag/syntax@2"},
        {"{1}", "{_ 1: !cbor-diag/syntax@2"},
        {"{1:}", "{_ 1: !cbor-diag/syntax@3"},
        {"{1:2 3:4}", "{_ 1: 2 !cbor-diag/syntax@5"},
        {"{1:2,}", "{_ 1: 2 !cbor-diag/syntax@5"},
        {"{1:2]", "{_ 1: 2 !cbor-diag/syntax@4"},
        {"1 2", "1 !cbor-diag/syntax@2"},
        {"1,", "1 | !cbor-diag/incomplete@2"},
        {"1,,2", "1 | !cbor-diag/syntax@2"},
        {"1 (2)", "1 !cbor-diag/syntax@2"},
        {"1(2 3)", "#1 !cbor-diag/syntax@4"},
        {"1()", "#1 !cbor-diag/syntax@2"},
        {"-1(2)", "!cbor-diag/invalid-number@0"},
        {"18446744073709551616(1)", "!cbor-diag/invalid-number@0"},
        {"01", "!cbor-diag/invalid-number@1"},
        {"1.e5", "!cbor-diag/invalid-number@2"},
        {"1x", "!cbor-diag/invalid-number@1"},
        {"--1", "!cbor-diag/invalid-number@1"},
        {"0xG", "!cbor-diag/invalid-number@2"},
        {"0b12", "!cbor-diag/invalid-number@3"},
        {"0x10000000000000000", "!cbor-diag/number-out-of-range@0"},
        {"18446744073709551616", "!cbor-diag/number-out-of-range@0"},
        {"1e400", "!cbor-diag/number-out-of-range@0"},
        /* encoding indicators */
        {"24_i", "!cbor-diag/invalid-encoding-indicator@0"},
        {"256_0", "!cbor-diag/invalid-encoding-indicator@0"},
        {"-257_0", "!cbor-diag/invalid-encoding-indicator@0"},
        {"[1_]", "[_ !cbor-diag/invalid-encoding-indicator@1"},
        {"1_", "!cbor-diag/incomplete@2"},
        {"1_4", "!cbor-diag/invalid-encoding-indicator@1"},
        {"1_00", "!cbor-diag/invalid-encoding-indicator@1"},
        {"1.1_1", "!cbor-diag/invalid-encoding-indicator@0"},
        {"1.1_2", "!cbor-diag/invalid-encoding-indicator@0"},
        {"1.5_0", "!cbor-diag/invalid-encoding-indicator@0"},
        {"1e400_3", "!cbor-diag/invalid-encoding-indicator@0"},
        {"NaN_0", "!cbor-diag/invalid-encoding-indicator@0"},
        {"[\"abc\"_]", "[_ !cbor-diag/invalid-encoding-indicator@1"},
        {"[_5 1]", "!cbor-diag/invalid-encoding-indicator@1"},
        /* strings */
        {"\"\\x\"", "!cbor-diag/invalid-string@1"},
        {"\"\\'\"", "!cbor-diag/invalid-string@1"},
        {"'\\\"'", "h'22' |"},
        {"\"\\u12G4\"", "!cbor-diag/invalid-string@1"},
        {"\"a\\ud800\"", "!cbor-diag/invalid-string@2"},
        {"\"\\ud800\\n\"", "!cbor-diag/invalid-string@1"},
        {"\"\\ud800\\u0041\"", "!cbor-diag/invalid-string@1"},
        {"\"\\udc00\"", "!cbor-diag/invalid-string@1"},
        {"\"a\nb\"", "!cbor-diag/invalid-string@2"},
        {"\"a\377\"", "!cbor-diag/invalid-utf8@2"},
        {"\"a\303\"", "!cbor-diag/invalid-utf8@2"},
        {"'a\303'", "!cbor-diag/invalid-utf8@2"},
        {"\"\" h'ff'", "!cbor-diag/invalid-utf8@0"},
        {"h'0g'", "!cbor-diag/invalid-bytes@3"},
        {"h'012'", "!cbor-diag/invalid-bytes@5"},
        {"b64'A'", "!cbor-diag/invalid-bytes@5"},
        {"b64'AB=='", "!cbor-diag/invalid-bytes@8"},
        {"b64'A!'", "!cbor-diag/invalid-bytes@5"},
        {"b32'A1'", "!cbor-diag/invalid-bytes@6"},
        {"h32'0W'", "!cbor-diag/invalid-bytes@6"},
        {"h \"00\"", "!cbor-diag/syntax@0"},
        {"b16'00'", "!cbor-diag/syntax@0"},
        {"(_ )", "!cbor-diag/invalid-string@3"},
        {"(_ 1)", "!cbor-diag/invalid-string@3"},
        {"(_ \"a\", h'00')", "!cbor-diag/invalid-string@8"},
        {"(_ \"a\" 1)", "!cbor-diag/syntax@7"},
        {"(\"a\")", "!cbor-diag/syntax@1"},
        /* embedded */
        {"<1>", "!cbor-diag/syntax@0"},
        {"<<1>", "!cbor-diag/incomplete@4"},
        {"<<1> >", "!cbor-diag/syntax@4"},
        {"<<1 2>>", "!cbor-diag/syntax@4"},
        {"<<1,>>", "!cbor-diag/syntax@4"},
        {"<<[1>>", "!cbor-diag/syntax@4"},
        {"<<1e400>>", "!cbor-diag/number-out-of-range@2"},
        /* simple values, bignums */
        {"simple(24)", "!cbor/invalid-simple@7"},
        {"simple(31)", "!cbor/invalid-simple@7"},
        {"simple(256)", "!cbor/invalid-simple@7"},
        {"simple(-1)", "!cbor/invalid-simple@7"},
        {"simple(x)", "!cbor-diag/invalid-number@7"},
        {"simple()", "!cbor-diag/syntax@7"},
        {"2(5)", "!cbor/invalid-tag-content@2"},
        {"2(\"a\")", "!cbor/invalid-tag-content@0"},
        {"/ open", "!cbor-diag/unclosed-comment@0"},
        {"\357\273\2771", "!cbor-diag/syntax@0"},
    };
    EXPECT_EVENTS(weir_cbor_diag, rows, NULL);
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.allow = WEIR_ALLOW_BOM;
    expect_events(weir_cbor_diag, "\357\273\2771", &options, "1 |");
}

static void numbers(void **state)
{
    (void)state;
    static const struct row exact[] = {
        {"18446744073709551616", "number(18446744073709551616) |"},
        {"-9223372036854775809", "number(-9223372036854775809) |"},
        {"1e400", "number(1e400) |"},
        {"0.1000000000000000055511151231257827", "0.1 |"},
        {"2(h'010000000000000000')", "number(18446744073709551616) |"},
        {"3(h'010000000000000000')", "number(-18446744073709551617) |"},
        {"[2(h'05'), 3('\\u0000')]", "[_ 5 -1 end |"},
        {"5(2(h'ff'))", "#5 255 |"},
        {"4([400, 1])", "number(1e400) |"},
        {"4( [ -20 , 12345678901234567890123 ] )", "number(123.45678901234567890123) |"},
        {"4([-2, 27315])", "#4 [_ -2 27315 end |"},
        {"4([1, 2, 3])", "#4 [_ 1 2 3 end |"},
        {"4([_ 1, 2])", "#4 [_ 1 2 end |"},
        {"4([1.5, 2])", "#4 [_ 1.5 2 end |"},
        {"4(\"x\")", "#4 \"x\" |"},
        {"[5(4([400, 1])), 2]", "[_ #5 number(1e400) 2 end |"},
        {"{4([400, 1]): 2}", "{_ number(1e400): 2 end |"},
        {"<<4([400, 1]), 18446744073709551616>>", "h'c48219019001c249010000000000000000' |"},
    };
    weir_options options = options_with(WEIR_NUMBERS_EXACT);
    EXPECT_EVENTS(weir_cbor_diag, exact, &options);
    options = options_with(WEIR_NUMBERS_DECIMAL);
    expect_events(weir_cbor_diag, "[0.1000000000000000055511151231257827, 0.10, 1.5_1]", &options,
                  "[_ number(0.1000000000000000055511151231257827) 0.1 1.5_1 end |");
    options = options_with(WEIR_NUMBERS_DOUBLE);
    expect_events(weir_cbor_diag, "18446744073709551616", &options, "1.8446744073709552e19 |");
    expect_events(weir_cbor_diag, "1e400", &options, "!cbor-diag/number-out-of-range@0");
    options = options_with(WEIR_NUMBERS_STRICT);
    expect_events(weir_cbor_diag, "4([400, 1])", &options, "#4 [_ 400 1 end |");
    options.allow = WEIR_ALLOW_TAG;
    expect_events(weir_cbor_diag, "4([-2, 27315])", &options, "number(273.15) |");
}

static void lines_and_columns(void **state)
{
    (void)state;
    static const struct {
        const char *input;
        uint64_t line, column;
    } rows[] = {
        {"[1,\n 2,\n  x]", 3, 3},
        {"[\"\303\274\303\274\", x]", 1, 8},
        {"# comment\r\n[\r1 x]", 3, 3},
        {"[1, / a\n b /\n ]", 3, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        weir_error error;
        assert_null(weir_parse(weir_cbor_diag, rows[i].input, strlen(rows[i].input), NULL, &error));
        assert_int_equal(error.line, rows[i].line);
        assert_int_equal(error.column, rows[i].column);
    }
}

static void limits(void **state)
{
    (void)state;
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.limits.string = 3;
    options.limits.key = 2;
    expect_events(weir_cbor_diag, "[\"abc\", h'010203', <<1, 2, 3>>, 'a' \"bc\"]", &options,
                  "[_ \"abc\" h'010203' h'010203' h'616263' end |");
    expect_events(weir_cbor_diag, "h'01020304'", &options, "!limit/string@8");
    expect_events(weir_cbor_diag, "[\"abcd\"]", &options, "[_ !limit/string@5");
    expect_events(weir_cbor_diag, "b64'AQID'", &options, "h'010203' |");
    expect_events(weir_cbor_diag, "b64'AQIDBA=='", &options, "!limit/string@8");
    expect_events(weir_cbor_diag, "<<1, 2, 3, 4>>", &options, "!limit/string@0");
    expect_events(weir_cbor_diag, "(_ \"ab\", \"cd\")", &options, "!limit/string@11");
    expect_events(weir_cbor_diag, "{\"ab\": 1, \"\\u0061bc\": 2}", &options, "{_ \"ab\": 1 !limit/key@18");
    options = (weir_options)WEIR_OPTIONS_DEFAULT;
    options.limits.depth = 3;
    expect_events(weir_cbor_diag, "[[1]]", &options, "[_ [_ 1 end end |");
    expect_events(weir_cbor_diag, "[[[1]]]", &options, "[_ [_ [_ !limit/depth@3");
    expect_events(weir_cbor_diag, "1(5(6(4)))", &options, "#1 #5 #6 !limit/depth@6");
    expect_events(weir_cbor_diag, "<<[1]>>", &options, "h'8101' |");
    expect_events(weir_cbor_diag, "<<[[1]]>>", &options, "!limit/depth@4");
    expect_events(weir_cbor_diag, "<<<<<<<<1>>>>>>>>", &options, "!limit/depth@6");
    options = (weir_options)WEIR_OPTIONS_DEFAULT;
    options.limits.nodes = 2;
    expect_events(weir_cbor_diag, "[<<1>>]", &options, "[_ h'01' end |");
    expect_events(weir_cbor_diag, "[1, 2]", &options, "[_ 1 !limit/nodes@4");
    options = (weir_options)WEIR_OPTIONS_DEFAULT;
    options.limits.number = 5;
    options.numbers = WEIR_NUMBERS_EXACT;
    expect_events(weir_cbor_diag, "[12345, 1234567]", &options, "[_ 12345 !limit/number@13");
    options.limits.number = 20;
    expect_events(weir_cbor_diag, "2(h'010000000000000000')", &options, "number(18446744073709551616) |");
    expect_events(weir_cbor_diag, "3(h'010000000000000000')", &options, "!limit/number@0");
    options = (weir_options)WEIR_OPTIONS_DEFAULT;
    options.limits.items = 1;
    options.limits.entries = 1;
    expect_events(weir_cbor_diag, "[1, 2]", &options, "[_ 1 !limit/items@4");
    expect_events(weir_cbor_diag, "{1: 2, 3: 4}", &options, "{_ 1: 2 !limit/entries@7");
    options = (weir_options)WEIR_OPTIONS_DEFAULT;
    options.duplicates = WEIR_DUPLICATES_REJECT;
    expect_events(weir_cbor_diag, "{\"a\": 1, \"a\": 2}", &options, "{_ \"a\": 1 !cbor-diag/duplicate-key@9");
}

/* Nesting of every kind takes heap only. */
static void deep(void **state)
{
    (void)state;
    static const struct {
        const char *piece;
        size_t count;
    } rows[] = {{"[", 1000000}, {"{1:", 300000}, {"{[", 300000}, {"1(", 500000}, {"<<", 20000}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        weir_buffer text = {0};
        weir_options options = WEIR_OPTIONS_DEFAULT;
        for (size_t k = 0; k < rows[i].count; k++) {
            text_puts(&text, rows[i].piece);
        }
        for (int unbounded = 0; unbounded < 2; unbounded++) {
            if (unbounded) {
                options.limits = weir_unlimited;
            }
            weir_reader *reader = weir_reader_open(weir_cbor_diag, text.data, text.len, &options, NULL);
            while (weir_reader_next(reader)) {
            }
            assert_int_equal(weir_reader_error(reader)->code,
                             unbounded ? WEIR_E_DIAG_INCOMPLETE : WEIR_E_LIMIT_DEPTH);
            weir_reader_close(reader);
        }
        weir_buffer_free(&text);
    }
}

/* The path inside embedded CBOR, and with quoted keys around it. */
static void paths(void **state)
{
    (void)state;
    weir_options options = WEIR_OPTIONS_DEFAULT;
    weir_error error;
    options.flags = WEIR_DETAIL;
    const char *text = "{\"a\": [0, <<{\"b\": [1, x]}>>]}";
    assert_null(weir_parse(weir_cbor_diag, text, strlen(text), &options, &error));
    assert_int_equal(error.code, WEIR_E_DIAG_SYNTAX);
    assert_int_equal(error.offset, 22);
    text = "{\"a\": [<<{\"b\": 1}>>, {\"c\": x}]}";
    assert_null(weir_parse(weir_cbor_diag, text, strlen(text), &options, &error));
    assert_string_equal(error.path, "/a/1/c");
}

static void detection(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool certain;
    } rows[] = {
        {"{1: h'00'}", true},  {"1(1363896240)", true}, {"[undefined, 1]", true}, {"[_ h'00', 2]", true},
        {"{\"a\": 1}", false}, {"[1, 2]", false},       {"hello", false},         {"", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const weir_format *guess = weir_format_guess(rows[i].text, strlen(rows[i].text), true);
        if ((guess == weir_cbor_diag) != rows[i].certain) {
            fail_msg("%s", rows[i].text);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_values), cmocka_unit_test(cut_values), cmocka_unit_test(faults),
        cmocka_unit_test(numbers),    cmocka_unit_test(limits),     cmocka_unit_test(lines_and_columns),
        cmocka_unit_test(deep),       cmocka_unit_test(paths),      cmocka_unit_test(detection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
