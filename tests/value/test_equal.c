/* Equality: the tables of what is equal by default, by exact numeric value, and without regard to order. */
#include "value/equal.h"
#include "value/notation.h"

enum { N = WEIR_EQ_NUMERIC, U = WEIR_EQ_UNORDERED };

static void assert_equality(const char *a, const char *b, uint32_t flags, bool expected)
{
    weir_doc *x = notation_doc(a), *y = notation_doc(b);
    const weir_val *rx = weir_doc_root(x), *ry = weir_doc_root(y);
    if (weir_equal(rx, ry, flags, NULL) != expected || weir_equal(ry, rx, flags, NULL) != expected) {
        fail_msg("%s and %s with flags %u: expected %d", a, b, (unsigned)flags, expected);
    }
    if (expected) { /* equal values hash alike */
        uint64_t *hx = tape_hashes(rx, flags, 42, NULL), *hy = tape_hashes(ry, flags, 42, NULL);
        assert_true(hx[0] == hy[0]);
        memory_put(NULL, hx, weir_doc_nodes(x) * sizeof *hx);
        memory_put(NULL, hy, weir_doc_nodes(y) * sizeof *hy);
    }
    weir_doc_free(x);
    weir_doc_free(y);
}

static void table(void **state)
{
    static const struct {
        const char *a, *b;
        bool plain, numeric, unordered, both;
    } rows[] = {
        /* kinds and values */
        {"null", "null", 1, 1, 1, 1},
        {"null", "false", 0, 0, 0, 0},
        {"true", "false", 0, 0, 0, 0},
        {"'a'", "'a'", 1, 1, 1, 1},
        {"'a'", "'b'", 0, 0, 0, 0},
        {"'a'", "'ab'", 0, 0, 0, 0},
        {"'a'", "x'a'", 0, 0, 0, 0},
        {"'a'", "s'a'", 0, 0, 0, 0},
        {"x'a'", "s'a'", 0, 0, 0, 0},
        {"t5", "t5", 1, 1, 1, 1},
        {"t5", "t6", 0, 0, 0, 0},
        {"t5", "5", 0, 0, 0, 0},
        {"'1'", "1", 0, 0, 0, 0},
        {"@5 1", "@5 1", 1, 1, 1, 1},
        {"@5 1", "@6 1", 0, 0, 0, 0},
        {"@'5' 1", "@5 1", 0, 0, 0, 0},
        {"@'a' 1", "@'a' 1", 1, 1, 1, 1},
        /* numbers */
        {"1", "1", 1, 1, 1, 1},
        {"1", "2", 0, 0, 0, 0},
        {"1", "1.0", 0, 1, 0, 1},
        {"1", "#1#", 0, 1, 0, 1},
        {"1.0", "#1#", 0, 1, 0, 1},
        {"1", "-1", 0, 0, 0, 0},
        {"18446744073709551615", "-1", 0, 0, 0, 0},
        {"-1", "-1.0", 0, 1, 0, 1},
        {"-1", "#-10e-1#", 0, 1, 0, 1},
        {"#1#", "#1.0#", 0, 1, 0, 1},
        {"#100#", "#1e2#", 0, 1, 0, 1},
        {"#0.00012300#", "#12.3E-5#", 0, 1, 0, 1},
        {"#0#", "#-0.0e99#", 0, 1, 0, 1},
        {"#1e99999999999999999999#", "#10e99999999999999999998#", 0, 1, 0, 1},
        {"#1e99999999999999999999#", "#1e99999999999999999998#", 0, 0, 0, 0},
        {"#1e400#", "inf", 0, 0, 0, 0},
        {"#1e400#", "#1e401#", 0, 0, 0, 0},
        {"#-1e400#", "#1e400#", 0, 0, 0, 0},
        {"0", "-0.0", 0, 1, 0, 1},
        {"0.0", "-0.0", 0, 1, 0, 1},
        {"nan", "nan", 1, 1, 1, 1},
        {"nan", "0.0", 0, 0, 0, 0},
        {"nan", "#1#", 0, 0, 0, 0},
        {"inf", "inf", 1, 1, 1, 1},
        {"inf", "-inf", 0, 0, 0, 0},
        {"1.5", "1.5f", 1, 1, 1, 1}, /* widths do not count */
        {"1.5", "1.5h", 1, 1, 1, 1},
        {"1.5", "#1.5#", 0, 1, 0, 1},
        {"0.1", "#0.1#", 0, 0, 0, 0}, /* a double holds no tenth */
        {"0.1", "#0.1000000000000000055511151231257827021181583404541015625#", 0, 1, 0, 1},
        {"5e-324", "#4.9e-324#", 0, 0, 0, 0},
        {"1e300", "#1e300#", 0, 0, 0, 0},
        {"1e22", "#10000000000000000000000#", 0, 1, 0, 1},
        {"9007199254740992", "9007199254740992.0", 0, 1, 0, 1},
        {"9007199254740993", "9007199254740992.0", 0, 0, 0, 0}, /* 2^53 + 1 is not 2^53 */
        {"#9007199254740993#", "9007199254740992.0", 0, 0, 0, 0},
        {"18446744073709551615", "18446744073709551616.0", 0, 0, 0, 0},
        {"#18446744073709551616#", "18446744073709551616.0", 0, 1, 0, 1},
        {"-9223372036854775808", "-9223372036854775808.0", 0, 1, 0, 1},
        {"-9223372036854775807", "-9223372036854775808.0", 0, 0, 0, 0},
        {"18446744073709551615", "#18446744073709551615#", 0, 1, 0, 1},
        /* containers */
        {"[]", "[]", 1, 1, 1, 1},
        {"[]", "{}", 0, 0, 0, 0},
        {"[1,2]", "[2,1]", 0, 0, 0, 0},
        {"[[1],2]", "[1,[2]]", 0, 0, 0, 0},
        {"[[],[]]", "[[[]]]", 0, 0, 0, 0},
        {"[1,[2.0]]", "[1.0,[2]]", 0, 1, 0, 1},
        {"{'a':1,'b':2}", "{'b':2,'a':1}", 0, 0, 1, 1},
        {"{'a':1,'b':2}", "{'b':2.0,'a':#1#}", 0, 0, 0, 1},
        {"{'a':1,'b':2}", "{'a':2,'b':1}", 0, 0, 0, 0},
        {"{'a':1}", "{'a':1,'a':1}", 0, 0, 0, 0},
        /* duplicates are multisets */
        {"{'a':1,'a':2}", "{'a':2,'a':1}", 0, 0, 1, 1},
        {"{'a':1,'a':1,'a':2}", "{'a':1,'a':2,'a':2}", 0, 0, 0, 0},
        {"{'a':1,'a':1,'a':2}", "{'a':2,'a':1,'a':1}", 0, 0, 1, 1},
        /* at every level, in keys and under tags too */
        {"[{'x':{'a':1,'b':[]},'y':0}]", "[{'y':0,'x':{'b':[],'a':1}}]", 0, 0, 1, 1},
        {"{{1:2,3:4}:5}", "{{3:4,1:2}:5}", 0, 0, 1, 1},
        {"@1 {1:2,3:4}", "@1 {3:4,1:2}", 0, 0, 1, 1},
        {"{1:0,2:0}", "{2.0:0,1.0:0}", 0, 0, 0, 1},
        {"{0.5:0,#1e400#:0}", "{#10e399#:0,#5e-1#:0}", 0, 0, 0, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_equality(rows[i].a, rows[i].b, 0, rows[i].plain);
        assert_equality(rows[i].a, rows[i].b, N, rows[i].numeric);
        assert_equality(rows[i].a, rows[i].b, U, rows[i].unordered);
        assert_equality(rows[i].a, rows[i].b, N | U, rows[i].both);
    }
}

static void nulls(void **state)
{
    (void)state;
    weir_doc *doc = notation_doc("null");
    assert_true(weir_equal(NULL, NULL, 0, NULL));
    assert_false(weir_equal(NULL, weir_doc_root(doc), 0, NULL));
    assert_false(weir_equal(weir_doc_root(doc), NULL, N | U, NULL));
    weir_doc_free(doc);
}

/* Instants with different offsets or precision; how text is stored. */
static void what_is_ignored(void **state)
{
    (void)state;
    static const weir_timestamp times[] = {
        {5, 120000000, 60, WEIR_TIME_OFFSET, 3}, {5, 120000000, 60, WEIR_TIME_OFFSET, 9},
        {5, 120000000, 0, WEIR_TIME_OFFSET, 3},  {5, 120000001, 60, WEIR_TIME_OFFSET, 3},
        {5, 120000000, 60, WEIR_TIME_LOCAL, 3},
    };
    weir_doc *docs[5];
    for (size_t i = 0; i < 5; i++) {
        weir_writer *w = weir_writer_open_doc(NULL, NULL);
        assert_true(weir_write_timestamp(w, times[i]) && weir_writer_finish(w));
        docs[i] = weir_writer_take_doc(w);
        weir_writer_close(w);
        assert_int_equal(weir_equal(weir_doc_root(docs[0]), weir_doc_root(docs[i]), 0, NULL), i <= 1);
        assert_int_equal(weir_equal(weir_doc_root(docs[0]), weir_doc_root(docs[i]), U | N, NULL), i <= 1);
    }
    for (size_t i = 0; i < 5; i++) {
        weir_doc_free(docs[i]);
    }
    weir_error error;
    static const char json[] = "[\"abc\"]";
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.flags = WEIR_BORROW;
    weir_doc *borrowed = weir_parse(weir_json, json, sizeof json - 1, &options, &error);
    weir_doc *owned = notation_doc("['abc']");
    assert_true(weir_equal(weir_doc_root(borrowed), weir_doc_root(owned), 0, NULL));
    weir_doc_free(borrowed);
    weir_doc_free(owned);
}

/* Exact comparison against an independent oracle: printf writes doubles out in full. */
static void exact_values(void **state)
{
    (void)state;
    rng r = rng_new(20261130);
    char real[64], exact[1500], off[1500];
    for (int round = 0; round < 5000; round++) {
        uint64_t bits = rng_next(&r) & ~(UINT64_C(1) << 63);
        if (round % 2) {
            bits = (bits >> 12) | (uint64_t)(1023 - 60 + (int)rng_below(&r, 130)) << 52; /* near 1 */
        }
        double d;
        memcpy(&d, &bits, sizeof d);
        if (d != d || d * 0 != 0) {
            continue;
        }
        snprintf(real, sizeof real, "%.17e", d);
        snprintf(exact, sizeof exact, "#%.1074f#", d);
        assert_equality(real, exact, N, true);
        memcpy(off, exact, sizeof off);
        size_t last = strlen(off) - 2;
        off[last] = off[last] == '9' ? '8' : (char)(off[last] + 1);
        assert_equality(real, off, N, false);
    }
}

/* "Unequal" is an answer, not an error. */
static void no_error(void **state)
{
    (void)state;
    weir_doc *a = notation_doc("{'a':1,'b':2}"), *b = notation_doc("{'b':2,'a':1}");
    weir_error error = {.code = WEIR_E_MEMORY};
    assert_true(weir_equal(weir_doc_root(a), weir_doc_root(b), U, &error));
    assert_int_equal(error.code, WEIR_E_NONE);
    error.code = WEIR_E_MEMORY;
    assert_false(weir_equal(weir_doc_root(a), weir_doc_root(b), 0, &error));
    assert_int_equal(error.code, WEIR_E_NONE);
    weir_doc_free(a);
    weir_doc_free(b);
}

static bool compare_it(const weir_options *options, void *data)
{
    weir_doc **docs = data;
    bool equal;
    weir_code code =
        tape_equal_unordered(weir_doc_root(docs[0]), weir_doc_root(docs[1]), U, options->allocator, &equal);
    assert_int_equal(equal, code == WEIR_E_NONE);
    assert_true(equal || code == WEIR_E_MEMORY);
    return equal;
}

static void every_fault(void **state)
{
    (void)state;
    weir_doc *docs[2] = {notation_doc("{'a':1,'b':[{'x':1,'y':2}]}"),
                         notation_doc("{'b':[{'y':2,'x':1}],'a':1}")};
    with_every_fault(compare_it, docs);
    weir_doc_free(docs[0]);
    weir_doc_free(docs[1]);
}

/* Any shuffle of the entries of random maps is equal; one changed scalar is not. */
static void shuffled(void **state)
{
    (void)state;
    rng r = rng_new(7);
    for (int round = 0; round < 300; round++) {
        enum { COUNT = 40 };
        unsigned order[COUNT], values[COUNT];
        for (unsigned i = 0; i < COUNT; i++) {
            order[i] = i;
            values[i] = (unsigned)rng_below(&r, 5);
        }
        char a[4096] = "{", b[4096] = "{", c[4096] = "{";
        for (unsigned i = COUNT; i-- > 0;) {
            unsigned j = (unsigned)rng_below(&r, i + 1), swap = order[i];
            order[i] = order[j];
            order[j] = swap;
        }
        unsigned changed = (unsigned)rng_below(&r, COUNT);
        for (unsigned i = 0; i < COUNT; i++) {
            unsigned j = order[i];
            sprintf(a + strlen(a), "%u:{'k':%u,'l':[%u]},", i / 3, values[i], i / 2);
            sprintf(b + strlen(b), "%u:{'l':[%u],'k':%u},", j / 3, j / 2, values[j]);
            sprintf(c + strlen(c), "%u:{'l':[%u],'k':%u},", j / 3, j / 2,
                    values[j] + (j == changed ? 100u : 0u));
        }
        strcat(a, "}");
        strcat(b, "}");
        strcat(c, "}");
        assert_equality(a, b, U, true);
        assert_equality(a, c, U, false);
        assert_equality(a, b, U | N, true);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table),        cmocka_unit_test(nulls),    cmocka_unit_test(what_is_ignored),
        cmocka_unit_test(exact_values), cmocka_unit_test(no_error), cmocka_unit_test(shuffled),
        cmocka_unit_test(every_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
