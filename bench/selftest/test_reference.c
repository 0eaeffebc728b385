/* The reference readers and writers agree with published bytes and with each
 * other, refuse what is not JSON, and notice every kind of difference. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixtures.h"
#include "reference.h"
#include "sha256.h"
#include "stats.h"
#include "usage.h"

#include <stdio.h>
#include <string.h>

static bool read_text(const char *json, struct trace *trace)
{
    size_t fault;
    return reference_read_json(json, strlen(json), false, trace, &fault);
}

static void json_grammar_is_rfc_8259(void **state)
{
    static const struct {
        const char *text;
        bool ok;
    } cases[] = {
        {"0", true},
        {"-0", true},
        {"10", true},
        {"1.5e-3", true},
        {"1E+2", true},
        {"01", false},
        {"+1", false},
        {"1.", false},
        {".5", false},
        {"1e", false},
        {"-", false},
        {"0x10", false},
        {"NaN", false},
        {"Infinity", false},
        {"1_0", false},
        {"\"\"", true},
        {"\"a\\nb\"", true},
        {"\"\\u00e9\"", true},
        {"\"\\ud83d\\ude00\"", true},
        {"\"", false},
        {"\"\\x\"", false},
        {"\"\\ud800\"", false},
        {"\"\\udc00\"", false},
        {"\"\\u12\"", false},
        {"\"\t\"", false},
        {"[]", true},
        {"{}", true},
        {"[1,2]", true},
        {"{\"a\":1}", true},
        {" [ ] ", true},
        {"[1,]", false},
        {"[,1]", false},
        {"[1 2]", false},
        {"[1:2]", false},
        {"{\"a\"}", false},
        {"{\"a\",1}", false},
        {"{a:1}", false},
        {"{\"a\":1,}", false},
        {"{1:2}", false},
        {"[", false},
        {"]", false},
        {"[}", false},
        {"", false},
        {"1 2", false},
        {"truf", false},
        {"true", true},
        {"null", true},
        {"falsey", false},
        {"[[1],{\"a\":[{}]}]", true},
        {"\f1", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct trace trace = {0};
        if (read_text(cases[i].text, &trace) != cases[i].ok)
            fail_msg("%s should be %s", cases[i].text, cases[i].ok ? "accepted" : "refused");
        trace_free(&trace);
    }
}

/* Tokens in order, counts on the containers. */
static void json_gives_the_tokens(void **state)
{
    struct trace t = {0};
    (void)state;
    assert_true(read_text("{\"k\":[null,true,-2,2.5,\"a\\u00e9\\\"\"],\"e\":{}}", &t));
    static const enum token_kind kinds[] = {
        TOKEN_BEGIN_MAP, TOKEN_STRING, TOKEN_BEGIN_ARRAY, TOKEN_NULL,      TOKEN_TRUE, TOKEN_INT, TOKEN_REAL,
        TOKEN_STRING,    TOKEN_END,    TOKEN_STRING,      TOKEN_BEGIN_MAP, TOKEN_END,  TOKEN_END};
    assert_int_equal(t.count, sizeof kinds / sizeof kinds[0]);
    for (size_t i = 0; i < t.count; i++)
        assert_int_equal(token_kind_of(&t.tokens[i]), kinds[i]);
    assert_int_equal(token_size(&t.tokens[0]), 2);
    assert_int_equal(token_size(&t.tokens[2]), 5);
    assert_int_equal(token_size(&t.tokens[10]), 0);
    assert_true(t.tokens[5].v.i == -2);
    assert_true(t.tokens[6].v.d == 2.5);
    assert_int_equal(token_size(&t.tokens[7]), 4);
    assert_memory_equal(t.tokens[7].v.s, "a\xc3\xa9\"", 4);
    trace_free(&t);
}

/* Each second document differs from the first in one respect that must be seen. */
static void comparing_sees_every_difference(void **state)
{
    static const struct {
        const char *one, *other;
        bool equal, equal_approximately;
    } cases[] = {
        {"[1,\"a\",null]", " [ 1 , \"\\u0061\" , null ] ", true, true},
        {"[1]", "[2]", false, false},
        {"[1]", "[1.0]", false, true},
        {"[0.1]", "[0.10000000000000002]", false, true},
        {"[0.1]", "[0.1000001]", false, false},
        {"[0.0]", "[-0.0]", false, true},
        {"[\"a\"]", "[\"b\"]", false, false},
        {"[\"a\"]", "[\"a\\u0000\"]", false, false},
        {"[true]", "[false]", false, false},
        {"[1,2]", "[1]", false, false},
        {"[1]", "[1,2]", false, false},
        {"[[],[]]", "[[[]]]", false, false},
        {"[]", "{}", false, false},
        {"{\"a\":1,\"b\":2}", "{\"b\":2,\"a\":1}", false, false},
        {"[18446744073709551615]", "[18446744073709551614]", false, true},
        {"[-9223372036854775808]", "[-9223372036854775808]", true, true},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct trace model = {0}, exact, approximate;
        assert_true(read_text(cases[i].one, &model));
        trace_compare_with(&exact, &model, false);
        if (read_text(cases[i].other, &exact) != cases[i].equal)
            fail_msg("%s against %s", cases[i].one, cases[i].other);
        trace_compare_with(&approximate, &model, true);
        if (read_text(cases[i].other, &approximate) != cases[i].equal_approximately)
            fail_msg("%s against %s, approximately", cases[i].one, cases[i].other);
        trace_free(&exact);
        trace_free(&approximate);
        trace_free(&model);
    }
}

static void expect_hex(const struct text *text, const char *hex)
{
    struct text got = {0};
    for (size_t i = 0; i < text->len; i++)
        text_printf(&got, "%02x", (unsigned)(unsigned char)text->data[i]);
    assert_string_equal(got.data, hex);
    text_free(&got);
}

/* Wire bytes of the `config` document that NextJson's benchmark documents. */
static void writers_give_the_published_bytes(void **state)
{
    static const char json[] =
        "{\"title\":\"NextJson benchmark\",\"owner\":{\"name\":\"blueokanna\",\"id\":42},"
        "\"tags\":[\"json\",\"zero-copy\",\"benchmark\"],\"retries\":3}";
    static const char msgpack[] =
        "84a57469746c65b24e6578744a736f6e2062656e63686d61726ba56f776e657282a46e616d65aa626c75656f6b616e6e61a2"
        "69642aa4"
        "7461677393a46a736f6ea97a65726f2d636f7079a962656e63686d61726ba77265747269657303";
    static const char cbor[] =
        "a4657469746c65724e6578744a736f6e2062656e63686d61726b656f776e6572a2646e616d656a626c75656f6b616e6e6162"
        "69641"
        "82a647461677383646a736f6e697a65726f2d636f70796962656e63686d61726b677265747269657303";
    struct trace trace = {0};
    struct text out = {0};
    (void)state;
    assert_true(read_text(json, &trace));
    assert_true(reference_write_msgpack(&trace, &out));
    expect_hex(&out, msgpack);
    text_free(&out);
    assert_true(reference_write_cbor(&trace, &out));
    expect_hex(&out, cbor);
    text_free(&out);
    trace_free(&trace);
}

/* The leading digits of published digests: 256 records, integers, numbers, labels, as CBOR. */
static void cbor_fixtures_have_the_published_digests(void **state)
{
    static const struct {
        const char *fixture, *digest;
    } cases[] = {
        {"records", "0fe9516881f9407f"},
        {"integers", "dd99b48d363a7f1e"},
        {"numbers-64", "90c47dbd77aa19f1"},
        {"unicode", "e602daefa7a3cea2"},
    };
    struct fixture_list list;
    size_t files, fault;
    (void)state;
    assert_true(fixture_list_make("/nonexistent", &list, &files));
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct text json = {0}, cbor = {0};
        struct trace trace = {0};
        char digest[65];
        assert_true(fixture_make(fixture_find(&list, cases[i].fixture), &json));
        assert_true(reference_read_json(json.data, json.len, false, &trace, &fault));
        assert_true(reference_write_cbor(&trace, &cbor));
        sha256_hex(cbor.data, cbor.len, digest);
        if (strncmp(digest, cases[i].digest, 16) != 0)
            fail_msg("%s has digest %s", cases[i].fixture, digest);
        text_free(&cbor);
        text_free(&json);
        trace_free(&trace);
    }
    fixture_list_free(&list);
}

/* Every integer width's edges, string and container sizes of every form, and what the formats share with
 * JSON. */
static void binary_writers_are_read_back(void **state)
{
    struct text json = {0}, binary = {0};
    struct trace model = {0}, told;
    size_t fault;
    (void)state;
    text_puts(
        &json,
        "[null,true,false,1.5,-0.0,1e300,0,1,23,24,31,32,127,128,255,256,65535,65536,4294967295,4294967296,"
        "9223372036854775807,9223372036854775808,18446744073709551615,-1,-24,-25,-32,-33,-127,-128,-129,"
        "-256,-257,-32768,-32769,-65536,-65537,-2147483648,-2147483649,-9223372036854775808,{},[]");
    static const size_t sizes[] = {0, 1, 15, 16, 23, 24, 31, 32, 255, 256, 65535, 65536};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        text_puts(&json, ",\"");
        text_fill(&json, 'x', sizes[i]);
        text_puts(&json, "\",[");
        for (size_t k = 0; k < sizes[i]; k++)
            text_puts(&json, k ? ",7" : "7");
        text_puts(&json, "],{");
        for (size_t k = 0; k < sizes[i]; k++)
            text_printf(&json, "%s\"%zu\":%zu", k ? "," : "", k, k);
        text_puts(&json, "}");
    }
    text_puts(&json, "]");
    assert_true(reference_read_json(json.data, json.len, false, &model, &fault));

    assert_true(reference_write_cbor(&model, &binary));
    trace_compare_with(&told, &model, false);
    assert_true(reference_read_cbor(binary.data, binary.len, &told));
    trace_compare_with(&told, &model, false);
    assert_false(reference_read_cbor(binary.data, binary.len - 1, &told));
    text_free(&binary);

    assert_true(reference_write_msgpack(&model, &binary));
    trace_compare_with(&told, &model, false);
    assert_true(reference_read_msgpack(binary.data, binary.len, &told));
    trace_compare_with(&told, &model, false);
    assert_false(reference_read_msgpack(binary.data, binary.len - 1, &told));
    text_free(&binary);
    text_free(&json);
    trace_free(&model);
}

/* RFC 8949 appendix A: reals in their short widths, which the writer never makes but the reader takes. */
static void cbor_short_reals_are_read(void **state)
{
    static const struct {
        const char *bytes;
        size_t len;
        double value;
    } cases[] = {
        {"\xf9\x3c\x00", 3, 1.0},
        {"\xf9\x00\x01", 3, 5.960464477539063e-8},
        {"\xf9\xc4\x00", 3, -4.0},
        {"\xf9\x7b\xff", 3, 65504.0},
        {"\xfa\x47\xc3\x50\x00", 5, 100000.0},
        {"\xf9\x04\x00", 3, 6.103515625e-5},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct trace trace = {0};
        assert_true(reference_read_cbor(cases[i].bytes, cases[i].len, &trace));
        assert_true(trace.tokens[0].v.d == cases[i].value);
        trace_free(&trace);
    }
}

static void broken_documents_are_refused_at_the_fault(void **state)
{
    static const struct {
        const char *text;
        size_t from, at;
        bool found;
    } cases[] = {
        {"{\"a\":1,\"b\":2}", 0, 4, true},
        {"{\"a\":1,\"b\":2}", 5, 6, true},
        {"[\",:\",\"\\\",\",3]", 0, 5, true},
        {"[\",:\",\"\\\",\",3]", 6, 11, true},
        {"[1]", 0, 0, false},
        {"[1,2]", 3, 0, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char broken[64] = {0};
        size_t at = 0, fault, len = strlen(cases[i].text);
        struct trace trace = {0};
        assert_int_equal(reference_break_json(cases[i].text, len, cases[i].from, broken, &at),
                         cases[i].found);
        if (!cases[i].found)
            continue;
        assert_int_equal(at, cases[i].at);
        assert_false(reference_read_json(broken, len, false, &trace, &fault));
        assert_int_equal(fault, at);
        trace_free(&trace);
    }
}

static void usage_counts_by_the_rules_of_limits(void **state)
{
    static const char json[] = "{\"key\":[1,-2.5e3,\"text\",{\"k\":{}}],\"longer\":true}";
    struct trace trace = {0};
    (void)state;
    assert_true(read_text(json, &trace));
    struct usage u = usage_of(&trace, json, sizeof json - 1);
    assert_true(u.depth == 4);
    assert_true(u.nodes == 8);
    assert_true(u.items == 4);
    assert_true(u.entries == 2);
    assert_true(u.key == 6);
    assert_true(u.string == 4);
    assert_true(u.number == 6);
    assert_true(u.payload == 3 + 6 + 1 + 4 + 1 + 6); /* keys, text, numbers */
    trace_free(&trace);
}

static void statistics_are_of_the_order(void **state)
{
    double odd[] = {3, 1, 2}, even[] = {4, 1, 3, 2};
    (void)state;
    assert_true(stats_median(odd, 3) == 2);
    assert_true(stats_spread(odd, 3) == 1);
    assert_true(stats_median(even, 4) == 2.5);
    assert_true(stats_spread(even, 4) == 1.2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json_grammar_is_rfc_8259),
        cmocka_unit_test(json_gives_the_tokens),
        cmocka_unit_test(comparing_sees_every_difference),
        cmocka_unit_test(writers_give_the_published_bytes),
        cmocka_unit_test(cbor_fixtures_have_the_published_digests),
        cmocka_unit_test(binary_writers_are_read_back),
        cmocka_unit_test(cbor_short_reals_are_read),
        cmocka_unit_test(broken_documents_are_refused_at_the_fault),
        cmocka_unit_test(usage_counts_by_the_rules_of_limits),
        cmocka_unit_test(statistics_are_of_the_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
