/* The fused MessagePack parser and writer against the general reader and writer. */
#define FORMAT weir_msgpack
#define PARSE msgpack_parse
#define WRITE msgpack_write_val
#define WITH (WITH_BYTES | WITH_ANY_KEY | WITH_WIDTHS | WITH_NONFINITE)

#include "fused/msgpack_parse.h"
#include "fused/msgpack_write.h"

#include "binary_cases.h"

static void test_refused_values(void **state)
{
    (void)state;
    static const char *const cases[] = {"#1e999#", "t12", "@5 1", "@'ext:1' x'00'", "s'key'", "[1,[#5#]]"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_write_refused(cases[i]);
    }
}

static void test_claims(void **state)
{
    (void)state;
    static const char *const hex[] = {
        "ddffffffff", "dfffffffff", "dfffffffff0101", "dbffffffff61",
        "c6ffffffff", "dcffff01",   "deffff0101",     "ddffffffffddffffffff00",
        "c1",         "d400",       "c70000",         "a1ff",
        "a2c380c3",   "93c1",       "81a161",         "9f0000",
        "d9",         "da00",       "cd00",           "cb00000000000000",
        "dd80000000", "df80000000",
    };
    check_claims(hex, sizeof hex / sizeof hex[0]);
}

/* Heads longer than need be, and every integer form of a value that is not negative. */
static void test_long_forms(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t len;
    } cases[] = {
        {"\xCC\x01", 2},
        {"\xCD\x00\x01", 3},
        {"\xCE\x00\x00\x00\x01", 5},
        {"\xCF\x00\x00\x00\x00\x00\x00\x00\x01", 9},
        {"\xD0\x01", 2},
        {"\xD1\x00\x01", 3},
        {"\xD2\x00\x00\x00\x01", 5},
        {"\xD3\x00\x00\x00\x00\x00\x00\x00\x01", 9},
        {"\xD0\xFF", 2},
        {"\xD3\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 9},
        {"\xD3\x80\x00\x00\x00\x00\x00\x00\x00", 9},
        {"\xD9\x01x", 3},
        {"\xDA\x00\x01x", 4},
        {"\xDB\x00\x00\x00\x01x", 6},
        {"\xC5\x00\x01x", 4},
        {"\xC6\x00\x00\x00\x01x", 6},
        {"\xDC\x00\x01\x01", 4},
        {"\xDD\x00\x00\x00\x01\x01", 6},
        {"\xDD\x00\x00\x00\x00", 5},
        {"\xDE\x00\x01\x01\x02", 5},
        {"\xDF\x00\x00\x00\x01\x01\x02", 7},
        {"\xCA\x7F\xA0\x00\x01", 5}, /* NaNs keep their bits */
        {"\xCA\xFF\xC1\x23\x45", 5},
        {"\xCB\x7F\xF0\x00\x00\x00\x00\x00\x01", 9},
        {"\x81\x91\x01\xC0", 4}, /* an array as a key */
        {"\x81\x81\x01\x02\xC0", 5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        weir_options options = unlimited_options();
        weir_doc *doc = general_parse(FORMAT, cases[i].bytes, cases[i].len, &options, NULL);
        assert_non_null(doc);
        weir_doc_free(doc);
        struct growth growth = {.limit = SIZE_MAX};
        struct parse_job job = {0};
        assert_int_equal(parse_bytes(&job, &growth, cases[i].bytes, cases[i].len, true), FUSED_OK);
        free(job.block);
        assert_true(check_bytes(cases[i].bytes, cases[i].len, i + 2 < sizeof cases / sizeof cases[0]));
    }
}

static void test_deep(void **state)
{
    (void)state;
    check_deep(0x91, (const uint8_t *)"\x01", 1, 1000000, 1000001);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_long_forms), cmocka_unit_test(test_refused_values),
        cmocka_unit_test(test_claims),     cmocka_unit_test(test_random_documents),
        cmocka_unit_test(test_cut),        cmocka_unit_test(test_many),
        cmocka_unit_test(test_memory),     cmocka_unit_test(test_limits),
        cmocka_unit_test(test_deep),       cmocka_unit_test(test_mutations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
