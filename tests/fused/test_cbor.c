/* The fused CBOR parser and writer against the general reader and writer. */
#define FORMAT weir_cbor
#define PARSE cbor_parse
#define WRITE cbor_write_val
#define WITH (WITH_BYTES | WITH_TAGS | WITH_ANY_KEY | WITH_WIDTHS | WITH_NONFINITE)

#include "fused/cbor_parse.h"
#include "fused/cbor_write.h"

#include "binary_cases.h"

static void test_refused_values(void **state)
{
    (void)state;
    static const char *const cases[] = {"#1e999#", "t12", "@'undefined' null", "s'key'", "[1,[#5#]]"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_write_refused(cases[i]);
    }
}

static void test_claims(void **state)
{
    (void)state;
    static const char *const hex[] = {
        "9affffffff",
        "9bffffffffffffffff",
        "9b7fffffffffffffff00",
        "bbffffffffffffffff",
        "bb80000000000000000101",
        "bb00000001000000000101",
        "7bffffffffffffffff61",
        "5b7fffffffffffffff",
        "9bffffffffffffffff9bffffffffffffffff00",
        "1c",
        "3f",
        "5c",
        "7e",
        "9d",
        "bd",
        "de",
        "f7",
        "f8ff",
        "f800",
        "fc",
        "ff",
        "9f",
        "bf",
        "9fff01",
        "bf01ff",
        "81ff",
        "8201ff",
        "a1ff",
        "c1ff",
        "c1",
        "61ff",
        "62c380c3",
        "3bffffffffffffffff",
        "c249010000000000000000",
        "9f81ff",
        "bf0102ff01",
        "9fc1ff",
        "ff01",
        "7f6161ff",
        "5f4161ff",
        "c48221196ab3",
    };
    check_claims(hex, sizeof hex / sizeof hex[0]);
}

/* Heads longer than need be, NaNs with their bits, keys of all kinds, tags in tags. */
static void test_long_forms(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t len;
    } cases[] = {
        {"\x18\x01", 2},
        {"\x19\x00\x01", 3},
        {"\x1A\x00\x00\x00\x01", 5},
        {"\x1B\x00\x00\x00\x00\x00\x00\x00\x01", 9},
        {"\x38\x01", 2},
        {"\x3B\x7F\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 9},
        {"\x78\x01x", 3},
        {"\x79\x00\x01x", 4},
        {"\x7A\x00\x00\x00\x01x", 6},
        {"\x7B\x00\x00\x00\x00\x00\x00\x00\x01x", 10},
        {"\x59\x00\x01x", 4},
        {"\x98\x01\x01", 3},
        {"\x9B\x00\x00\x00\x00\x00\x00\x00\x00", 9},
        {"\xB9\x00\x01\x01\x02", 5},
        {"\xD8\x01\x01", 3},
        {"\xDB\x00\x00\x00\x00\x00\x00\x00\x05\x01", 10},
        {"\xD9\xD9\xF7\x81\xC0\x60", 6},
        {"\xC1\xC5\xC6\x80", 4},
        {"\xF9\x7C\x01", 3},
        {"\xF9\xFE\x12", 3},
        {"\xFA\x7F\x80\x00\x01", 5},
        {"\xFB\x7F\xF0\x00\x00\x00\x00\x00\x01", 9},
        {"\xF9\x00\x01", 3},
        {"\xF9\x80\x00", 3},
        {"\x9F\xFF", 2},
        {"\xBF\xFF", 2},
        {"\x9F\x01\xFF", 3},
        {"\xBF\x01\x02\xFF", 4},
        {"\xBF\x01\x9F\xFF\x03\xBF\xFF\xFF", 8},
        {"\x82\x9F\x01\x02\x03\xFF\xBF\x61\x61\x82\x01\x02\xFF", 13},
        {"\x9F\x82\x9F\xFF\x81\x9F\xFF\x80\xFF", 9},
        {"\xC6\x9F\xC5\x01\x02\xFF", 6},
        {"\xA1\x81\x01\xF6", 4},
        {"\xA1\x9F\x01\xFF\xF6", 5},
        {"\xA1\xC5\x01\xF6", 4},
    };
    enum { CONTAINER_KEYS = 3 }; /* at the end: left to the reader where there are limits */
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        weir_options options = unlimited_options();
        weir_doc *doc = general_parse(FORMAT, cases[i].bytes, cases[i].len, &options, NULL);
        assert_non_null(doc);
        weir_doc_free(doc);
        struct growth growth = {.limit = SIZE_MAX};
        struct parse_job job = {0};
        assert_int_equal(parse_bytes(&job, &growth, cases[i].bytes, cases[i].len, true), FUSED_OK);
        free(job.block);
        assert_true(
            check_bytes(cases[i].bytes, cases[i].len, i + CONTAINER_KEYS < sizeof cases / sizeof cases[0]));
    }
}

/* The same document with open-ended containers at random. */
static const weir_val *put_open_ended(rng *r, const weir_val *node, weir_buffer *out)
{
    weir_kind kind = tape_kind(node);
    uint64_t children = tape_length(node) << (kind == WEIR_KIND_MAP);
    if ((kind == WEIR_KIND_ARRAY || kind == WEIR_KIND_MAP) && rng_below(r, 3)) {
        assert_true(weir_buffer_append(out, kind == WEIR_KIND_MAP ? "\xBF" : "\x9F", 1));
        node++;
        for (uint64_t i = 0; i < children; i++) {
            node = put_open_ended(r, node, out);
        }
        assert_true(weir_buffer_append(out, "\xFF", 1));
        return node;
    }
    if (kind == WEIR_KIND_ARRAY || kind == WEIR_KIND_MAP) {
        char head[9] = {(char)(kind == WEIR_KIND_MAP ? 0xBB : 0x9B)};
        store_be64(head + 1, tape_length(node));
        assert_true(weir_buffer_append(out, head, sizeof head));
        node++;
        for (uint64_t i = 0; i < children; i++) {
            node = put_open_ended(r, node, out);
        }
        return node;
    }
    assert_int_equal(WRITE(node, NULL, out), FUSED_OK);
    return node + tape_span(node);
}

static void test_open_ended(void **state)
{
    (void)state;
    rng r = rng_new(31);
    for (int round = 0; round < 1500; round++) {
        weir_doc *doc = random_doc(&r, WITH, 1 + rng_below(&r, round % 50 ? 60 : 3000));
        weir_buffer out = {0};
        put_open_ended(&r, weir_doc_root(doc), &out);
        assert_true(check_bytes(out.data, out.len, true));
        const struct fused_limits exact = usage(weir_doc_root(doc), false, WEIR_UNSET);
        for (unsigned i = 0; i < LIMITS - 1; i++) {
            struct fused_limits limits = exact, used = exact;
            for (uint64_t less = 0; less < 2 && less <= *limit_at(&used, i); less++) {
                *limit_at(&limits, i) -= less;
                struct growth growth = {.limit = SIZE_MAX};
                struct parse_job job = {.limits = &limits};
                assert_int_equal(parse_bytes(&job, &growth, out.data, out.len, round % 2),
                                 less ? FUSED_REFUSED : FUSED_OK);
                free(job.block);
            }
        }
        weir_buffer_free(&out);
        weir_doc_free(doc);
    }
}

static void test_deep(void **state)
{
    (void)state;
    check_deep(0x81, (const uint8_t *)"\x01", 1, 1000000, 1000001);
    check_deep(0xC6, (const uint8_t *)"\x01", 1, 1000000, 1000001);
    const size_t depth = 300000;
    uint8_t *stops = malloc(depth);
    memset(stops, 0xFF, depth);
    check_deep(0x9F, stops, depth, depth, depth);
    free(stops);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long_forms), cmocka_unit_test(test_refused_values),
        cmocka_unit_test(test_claims),     cmocka_unit_test(test_random_documents),
        cmocka_unit_test(test_open_ended), cmocka_unit_test(test_cut),
        cmocka_unit_test(test_many),       cmocka_unit_test(test_memory),
        cmocka_unit_test(test_limits),     cmocka_unit_test(test_deep),
        cmocka_unit_test(test_mutations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
