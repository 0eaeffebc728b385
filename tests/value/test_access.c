/* Accessors: every kind, NULL, and values of the wrong kind; children by position, key and iteration. */
#include "value/notation.h"

static const char *const every_kind[] = {
    "null",   "false", "true", "7",       "-7",      "1.5",    "#1e400#",
    "'text'", "x'by'", "t12",  "[1,[2]]", "{'a':1}", "@5 'v'", "s'x'",
};

static void kinds(void **state)
{
    (void)state;
    for (int kind = 0; kind <= WEIR_KIND_SECRET; kind++) {
        weir_doc *doc = notation_doc(every_kind[kind]);
        const weir_val *val = weir_doc_root(doc);
        assert_int_equal(weir_val_kind(val), kind);
        for (int other = 0; other <= WEIR_KIND_SECRET; other++) {
            assert_int_equal(weir_val_is(val, (weir_kind)other), kind == other);
        }
        assert_shows(val, every_kind[kind]);
        weir_doc_free(doc);
    }
}

/* Answers of each accessor: a value of the wrong kind and NULL give the same, and outputs stay as they were.
 */
static void wrong_kinds(void **state)
{
    (void)state;
    for (int kind = -1; kind <= WEIR_KIND_SECRET; kind++) {
        weir_doc *doc = kind < 0 ? NULL : notation_doc(every_kind[kind]);
        const weir_val *val = weir_doc_root(doc);
        uint64_t u = 99;
        int64_t i = 99;
        double d = 99;
        size_t len = 99;
        weir_timestamp time = {.seconds = 99};
        bool text = kind == WEIR_KIND_STRING || kind == WEIR_KIND_BYTES || kind == WEIR_KIND_NUMBER ||
                    kind == WEIR_KIND_SECRET;
        assert_int_equal(weir_val_bool(val), kind == WEIR_KIND_TRUE);
        assert_int_equal(weir_val_u64(val, &u), kind == WEIR_KIND_UINT);
        assert_int_equal(u, kind == WEIR_KIND_UINT ? 7 : 99);
        assert_int_equal(weir_val_i64(val, &i), kind == WEIR_KIND_UINT || kind == WEIR_KIND_INT);
        assert_int_equal(i, kind == WEIR_KIND_UINT ? 7 : kind == WEIR_KIND_INT ? -7 : 99);
        assert_int_equal(weir_val_f64(val, &d), kind >= WEIR_KIND_UINT && kind <= WEIR_KIND_NUMBER);
        assert_int_equal(weir_val_width(val), WEIR_WIDTH_64);
        assert_int_equal(weir_val_str(val, &len) != NULL, text);
        assert_int_equal(len > 0, text);
        assert_int_equal(weir_val_cstr(val) != NULL, kind == WEIR_KIND_STRING);
        assert_int_equal(weir_val_timestamp(val, &time), kind == WEIR_KIND_TIMESTAMP);
        assert_int_equal(time.seconds, kind == WEIR_KIND_TIMESTAMP ? 12 : 99);
        assert_int_equal(weir_val_count(val), kind == WEIR_KIND_ARRAY ? 2 : kind == WEIR_KIND_MAP);
        assert_int_equal(weir_val_tag(val) != NULL, kind == WEIR_KIND_TAGGED);
        assert_int_equal(weir_val_tagged(val) != NULL, kind == WEIR_KIND_TAGGED);
        assert_int_equal(weir_at(val, 0) != NULL, kind == WEIR_KIND_ARRAY);
        assert_int_equal(weir_get(val, "a") != NULL, kind == WEIR_KIND_MAP);
        weir_iter it = weir_iter_of(val);
        assert_int_equal(weir_iter_next(&it), kind == WEIR_KIND_ARRAY || kind == WEIR_KIND_MAP);
        weir_doc_free(doc);
    }
    assert_false(weir_val_is(NULL, WEIR_KIND_NULL));
    assert_int_equal(weir_doc_nodes(NULL), 0);
    assert_int_equal(weir_doc_memory(NULL), 0);
}

static void integers(void **state)
{
    static const struct {
        const char *notation;
        bool fits_u, fits_i;
        uint64_t u;
        int64_t i;
    } table[] = {
        {"0", true, true, 0, 0},
        {"9223372036854775807", true, true, INT64_MAX, INT64_MAX},
        {"9223372036854775808", true, false, (uint64_t)INT64_MAX + 1, 0},
        {"18446744073709551615", true, false, UINT64_MAX, 0},
        {"-1", false, true, 0, -1},
        {"-9223372036854775808", false, true, 0, INT64_MIN},
        {"1.0", false, false, 0, 0},
        {"#12#", true, true, 12, 12},
        {"#-12#", false, true, 0, -12},
        {"#-0#", true, true, 0, 0},
        {"#-9223372036854775808#", false, true, 0, INT64_MIN},
        {"#-9223372036854775809#", false, false, 0, 0},
        {"#18446744073709551615#", true, false, UINT64_MAX, 0},
        {"#18446744073709551616#", false, false, 0, 0},
        {"#1e2#", false, false, 0, 0},
    };
    (void)state;
    for (size_t n = 0; n < sizeof table / sizeof *table; n++) {
        weir_doc *doc = notation_doc(table[n].notation);
        uint64_t u = 0;
        int64_t i = 0;
        assert_int_equal(weir_val_u64(weir_doc_root(doc), &u), table[n].fits_u);
        assert_int_equal(weir_val_i64(weir_doc_root(doc), &i), table[n].fits_i);
        assert_int_equal(u, table[n].u);
        assert_int_equal(i, table[n].i);
        weir_doc_free(doc);
    }
}

static void reals(void **state)
{
    static const struct {
        const char *notation;
        double value;
        weir_width width;
    } table[] = {
        {"1.5", 1.5, WEIR_WIDTH_64},
        {"1.5f", 1.5, WEIR_WIDTH_32},
        {"1.5h", 1.5, WEIR_WIDTH_16},
        {"-3", -3, WEIR_WIDTH_64},
        {"18446744073709551615", 0x1p64, WEIR_WIDTH_64},
        {"#0.1#", 0.1, WEIR_WIDTH_64},
        {"#1e400#", 1e308 * 10, WEIR_WIDTH_64},
        {"#-1e-400#", -0.0, WEIR_WIDTH_64},
    };
    (void)state;
    for (size_t n = 0; n < sizeof table / sizeof *table; n++) {
        weir_doc *doc = notation_doc(table[n].notation);
        double d = 7;
        assert_true(weir_val_f64(weir_doc_root(doc), &d));
        assert_memory_equal(&d, &table[n].value, sizeof d);
        assert_int_equal(weir_val_width(weir_doc_root(doc)), table[n].width);
        weir_doc_free(doc);
    }
}

static void timestamps(void **state)
{
    static const weir_timestamp table[] = {
        {0, 0, 0, WEIR_TIME_OFFSET, 0},
        {INT64_MIN, 999999999, -1439, WEIR_TIME_CLOCK, 9},
        {INT64_MAX, 1, 1439, WEIR_TIME_LOCAL, 1},
        {-1, 500000000, 60, WEIR_TIME_DATE, 3},
    };
    (void)state;
    for (size_t n = 0; n < sizeof table / sizeof *table; n++) {
        weir_writer *w = weir_writer_open_doc(NULL, NULL);
        assert_true(weir_write_timestamp(w, table[n]) && weir_writer_finish(w));
        weir_doc *doc = weir_writer_take_doc(w);
        weir_writer_close(w);
        weir_timestamp got;
        assert_true(weir_val_timestamp(weir_doc_root(doc), &got));
        assert_int_equal(got.seconds, table[n].seconds);
        assert_int_equal(got.nanoseconds, table[n].nanoseconds);
        assert_int_equal(got.offset_minutes, table[n].offset_minutes);
        assert_int_equal(got.shape, table[n].shape);
        assert_int_equal(got.digits, table[n].digits);
        weir_doc_free(doc);
    }
}

static void text(void **state)
{
    (void)state;
    weir_doc *doc = notation_doc("['', 'a\\zb', 'plain', x'', s'key']");
    const weir_val *root = weir_doc_root(doc);
    size_t len = 9;
    const char *empty = weir_val_str(weir_at(root, 0), &len);
    assert_non_null(empty);
    assert_int_equal(len, 0);
    assert_string_equal(weir_val_cstr(weir_at(root, 0)), "");
    assert_memory_equal(weir_val_str(weir_at(root, 1), &len), "a\0b", 4); /* with the NUL behind */
    assert_int_equal(len, 3);
    assert_null(weir_val_cstr(weir_at(root, 1)));
    assert_string_equal(weir_val_cstr(weir_at(root, 2)), "plain");
    assert_non_null(weir_val_str(weir_at(root, 3), NULL));
    assert_null(weir_val_cstr(weir_at(root, 3)));
    assert_null(weir_val_cstr(weir_at(root, 4)));
    assert_memory_equal(weir_val_str(weir_at(root, 4), &len), "key", 3);
    weir_doc_free(doc);
}

static void positions(void **state)
{
    (void)state;
    weir_doc *doc = notation_doc("[[10,11,12],[[1],2,{'a':3},@4 5,6]]");
    const weir_val *flat = weir_at(weir_doc_root(doc), 0), *deep = weir_at(weir_doc_root(doc), 1);
    assert_shows(weir_at(flat, 0), "10");
    assert_shows(weir_at(flat, 2), "12");
    assert_null(weir_at(flat, 3));
    assert_null(weir_at(flat, SIZE_MAX));
    assert_shows(weir_at(deep, 0), "[1]");
    assert_shows(weir_at(deep, 2), "{'a':3}");
    assert_shows(weir_at(deep, 3), "@4 5");
    assert_shows(weir_at(deep, 4), "6");
    assert_null(weir_at(deep, 5));
    weir_doc_free(doc);
}

static void keys(void **state)
{
    /* Lengths around the 16 bytes that are compared at once; values flat and not. */
    static const char names[][20] = {"",
                                     "a",
                                     "abcdefg",
                                     "abcdefgh",
                                     "abcdefghi",
                                     "abcdefghijklmno",
                                     "abcdefghijklmnop",
                                     "abcdefghijklmnopq",
                                     "abcdefghijklmnoq"};
    (void)state;
    for (int nested = 0; nested < 2; nested++) {
        weir_writer *w = weir_writer_open_doc(NULL, NULL);
        assert_true(weir_write_map(w, WEIR_UNKNOWN));
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            assert_true(weir_write_key(w, names[n], strlen(names[n])));
            assert_true(!nested || weir_write_array(w, 1));
            assert_true(weir_write_uint(w, n));
            assert_true(!nested || weir_write_end(w));
        }
        assert_true(weir_write_key(w, "a", 1) && weir_write_null(w) && weir_write_end(w) &&
                    weir_writer_finish(w));
        weir_doc *doc = weir_writer_take_doc(w);
        weir_writer_close(w);
        const weir_val *map = weir_doc_root(doc);
        for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
            const weir_val *val = weir_get(map, names[n]);
            uint64_t u = 99;
            assert_true(weir_val_u64(nested ? weir_at(val, 0) : val, &u)); /* of "a" the first entry */
            assert_int_equal(u, n);
        }
        assert_null(weir_get(map, "b"));
        assert_null(weir_get(map, "abcdefghijklmnox"));
        assert_null(weir_get(map, "abcdefghijklmnopx"));
        assert_null(weir_getn(map, "a\0", 2));
        assert_null(weir_get(map, NULL));
        assert_null(weir_getn(map, NULL, 1));
        assert_non_null(weir_getn(map, NULL, 0));
        weir_doc_free(doc);
    }
}

/* Only strings are found by name, whatever else stands as a key. */
static void keys_of_other_kinds(void **state)
{
    (void)state;
    weir_doc *doc = notation_doc("{x'a':1, [1,'a']:2, #1#:3, @5 'a':4, {'a':0}:5, 'a':6, s'b':7}");
    const weir_val *map = weir_doc_root(doc);
    assert_int_equal(weir_val_count(map), 7);
    assert_shows(weir_get(map, "a"), "6");
    assert_null(weir_get(map, "1"));
    assert_null(weir_get(map, "b"));
    weir_doc_free(doc);
}

static void iteration(void **state)
{
    (void)state;
    weir_doc *doc = notation_doc("{'a':[1],[2]:{}}");
    weir_iter it = weir_iter_of(weir_doc_root(doc));
    assert_true(weir_iter_next(&it));
    assert_shows(it.key, "'a'");
    assert_shows(it.val, "[1]");
    assert_int_equal(it.index, 0);
    assert_true(weir_iter_next(&it));
    assert_shows(it.key, "[2]");
    assert_shows(it.val, "{}");
    assert_int_equal(it.index, 1);
    assert_false(weir_iter_next(&it));
    assert_false(weir_iter_next(&it));
    weir_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds),     cmocka_unit_test(wrong_kinds), cmocka_unit_test(integers),
        cmocka_unit_test(reals),     cmocka_unit_test(timestamps),  cmocka_unit_test(text),
        cmocka_unit_test(positions), cmocka_unit_test(keys),        cmocka_unit_test(keys_of_other_kinds),
        cmocka_unit_test(iteration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
