/* Sorted documents: the three orders, stability, every level, duplicates. */
#include "value/notation.h"
#include "value/sort.h"

static void assert_sorted(const char *notation, enum sort_order order, const char *expected, bool duplicates)
{
    weir_doc *doc = notation_doc(notation);
    bool found = !duplicates;
    weir_error error;
    weir_doc *sorted = doc_sorted(weir_doc_root(doc), order, NULL, &found, &error);
    assert_non_null(sorted);
    weir_doc_free(doc);
    assert_shows(weir_doc_root(sorted), expected);
    assert_int_equal(found, duplicates);
    weir_doc_free(sorted);
}

static void table(void **state)
{
    static const struct {
        const char *notation;
        enum sort_order order;
        const char *expected;
        bool duplicates;
    } rows[] = {
        {"7", SORT_BYTES, "7", false},
        {"{}", SORT_BYTES, "{}", false},
        {"{'b':1,'a':2}", SORT_BYTES, "{'a':2,'b':1}", false},
        {"{'b':1,'a':2,'':3,'ab':4,'aa':5}", SORT_BYTES, "{'':3,'a':2,'aa':5,'ab':4,'b':1}", false},
        {"{'a':1,'a\\z':2,'a\x01':3}", SORT_BYTES, "{'a':1,'a\\z':2,'a\x01':3}", false},
        /* stable: equal keys keep their order, side by side */
        {"{'b':1,'a':2,'b':3,'a':4}", SORT_BYTES, "{'a':2,'a':4,'b':1,'b':3}", true},
        {"{'a':2,'a':4}", SORT_UTF16, "{'a':2,'a':4}", true},
        /* every level, wide values, tags, keys that are containers */
        {"[{'b':[{'z':1,'y':{'d':0,'c':0}}],'a':@1 {'q':1,'p':2}}]", SORT_BYTES,
         "[{'a':@1 {'p':2,'q':1},'b':[{'y':{'c':0,'d':0},'z':1}]}]", false},
        {"{{'b':1,'a':2}:1,{'a':2,'b':0}:2}", SORT_BYTES, "{{'a':2,'b':0}:2,{'a':2,'b':1}:1}", false},
        {"{{'b':1,'a':2}:1,{'a':2,'b':1}:2}", SORT_BYTES, "{{'a':2,'b':1}:1,{'a':2,'b':1}:2}", true},
        {"{[2]:1,[1,5]:2,[1]:3,[[]]:4}", SORT_BYTES, "{[1]:3,[2]:1,[[]]:4,[1,5]:2}", false},
        /* other kinds: by kind, then by value */
        {"{'a':0,t5:0,x'z':0,#1#:0,-1.5:0,-0.0:0,0.0:0,nan:0,-inf:0,-1:0,-2:0,7:0,true:0,false:0,null:0}",
         SORT_BYTES,
         "{null:0,false:0,true:0,7:0,-2:0,-1:0,-inf:0,-1.5:0,-0.0:0,0.0:0,nan:0,#1#:0,'a':0,x'z':0,t5:0}",
         false},
        /* U+FF61 and U+1F600: by code point, by code unit (RFC 8785 section 3.2.3: D83D sorts before FF61) */
        {"{'\xF0\x9F\x98\x80':1,'\xEF\xBD\xA1':2,'\xEE\x80\x80':3,'\xED\x9F\xBF':4}", SORT_BYTES,
         "{'\xED\x9F\xBF':4,'\xEE\x80\x80':3,'\xEF\xBD\xA1':2,'\xF0\x9F\x98\x80':1}", false},
        {"{'\xF0\x9F\x98\x80':1,'\xEF\xBD\xA1':2,'\xEE\x80\x80':3,'\xED\x9F\xBF':4}", SORT_UTF16,
         "{'\xED\x9F\xBF':4,'\xF0\x9F\x98\x80':1,'\xEE\x80\x80':3,'\xEF\xBD\xA1':2}", false},
        /* RFC 8785 section 3.2.3 */
        {"{'\xE2\x82\xAC':1,'\r':2,'\xEF\xAC\xB3':3,'1':4,'\xF0\x9F\x98\x80':5,'\xC2\x80':6,'\xC3\xB6':7}",
         SORT_UTF16,
         "{'\r':2,'1':4,'\xC2\x80':6,'\xC3\xB6':7,'\xE2\x82\xAC':1,'\xF0\x9F\x98\x80':5,'\xEF\xAC\xB3':3}",
         false},
        /* RFC 8949 section 4.2.1 */
        {"{false:1,[-1]:2,[100]:3,'aa':4,'z':5,-1:6,100:7,10:8}", SORT_CBOR,
         "{10:8,100:7,-1:6,'z':5,'aa':4,[100]:3,[-1]:2,false:1}", false},
        {"{x'':1,300:2,24:3,23:4,-500:5,-24:6,-25:7,65536:8}", SORT_CBOR,
         "{23:4,24:3,300:2,65536:8,-24:6,-25:7,-500:5,x'':1}", false},
        /* F4, F5, F6, then reals in their shortest widths: F9 of 1.0 and of -2.0, FA of 100000.0, FB of 0.1
         */
        {"{0.1:1,100000.0:2,-2.0:3,1.0:4,null:5,true:6,false:7,nan:8}", SORT_CBOR,
         "{false:7,true:6,null:5,1.0:4,nan:8,-2.0:3,100000.0:2,0.10000000000000001:1}", false},
        {"{1.0:1,1.0f:2}", SORT_CBOR, "{1.0:1,1.0f:2}", true}, /* the same bytes */
        {"{@5 'a':1,@4 'b':2,@4 'a':3}", SORT_CBOR, "{@4 'a':3,@4 'b':2,@5 'a':1}", false},
        {"{#36893488147419103232#:1,#18446744073709551616#:2,#-18446744073709551617#:3}", SORT_CBOR,
         "{#18446744073709551616#:2,#36893488147419103232#:1,#-18446744073709551617#:3}", false},
        {"{{'bb':1,'a':2}:1,{'a':2}:2}", SORT_CBOR, "{{'a':2}:2,{'a':2,'bb':1}:1}", false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_sorted(rows[i].notation, rows[i].order, rows[i].expected, rows[i].duplicates);
    }
}

static void failures(void **state)
{
    (void)state;
    weir_error error;
    assert_null(doc_sorted(NULL, SORT_BYTES, NULL, NULL, &error));
    assert_int_equal(error.code, WEIR_E_ARGUMENT);
    weir_doc *doc = notation_doc("{'b':1,'a':2}");
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.limits.memory = 100;
    assert_null(doc_sorted(weir_doc_root(doc), SORT_BYTES, &options, NULL, &error));
    assert_int_equal(error.code, WEIR_E_LIMIT_MEMORY);
    weir_doc_free(doc);
}

static bool sort_it(const weir_options *options, void *data)
{
    weir_error error;
    weir_doc *sorted = doc_sorted(weir_doc_root(data), SORT_CBOR, options, NULL, &error);
    assert_int_equal(error.code, sorted ? WEIR_E_NONE : WEIR_E_MEMORY);
    weir_doc_free(sorted);
    return sorted != NULL;
}

static void every_fault(void **state)
{
    (void)state;
    weir_doc *doc = notation_doc("{'b':1,'a':{{'z':1,'y':[1]}:2,{'y':[1],'z':0}:3,[[1]]:1}}");
    with_every_fault(sort_it, doc);
    weir_doc_free(doc);
}

static int compare_strings(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* Random keys against qsort; the second sort finds everything in order. */
static void random_keys(void **state)
{
    static char names[1000][8];
    (void)state;
    rng r = rng_new(3);
    for (size_t count = 0; count < 1000; count = count * 3 / 2 + 1) {
        weir_writer *w = weir_writer_open_doc(NULL, NULL);
        assert_true(weir_write_map(w, count));
        for (size_t i = 0; i < count; i++) {
            snprintf(names[i], sizeof names[i], "%llu", (unsigned long long)rng_below(&r, 5000));
            assert_true(weir_write_key(w, names[i], strlen(names[i])));
            assert_true(weir_write_array(w, 1) && weir_write_str(w, names[i], strlen(names[i])) &&
                        weir_write_end(w));
        }
        assert_true(weir_write_end(w) && weir_writer_finish(w));
        weir_doc *doc = weir_writer_take_doc(w);
        weir_writer_close(w);
        weir_doc *sorted = doc_sorted(weir_doc_root(doc), SORT_BYTES, NULL, NULL, NULL);
        weir_doc *again = doc_sorted(weir_doc_root(sorted), SORT_BYTES, NULL, NULL, NULL);
        qsort(names, count, sizeof *names, compare_strings);
        weir_iter it = weir_iter_of(weir_doc_root(sorted));
        while (weir_iter_next(&it)) {
            assert_string_equal(weir_val_cstr(it.key), names[it.index]);
            assert_string_equal(weir_val_cstr(weir_at(it.val, 0)), names[it.index]);
        }
        assert_true(weir_equal(weir_doc_root(sorted), weir_doc_root(again), 0, NULL));
        assert_true(weir_equal(weir_doc_root(sorted), weir_doc_root(doc), WEIR_EQ_UNORDERED, NULL));
        weir_doc_free(doc);
        weir_doc_free(sorted);
        weir_doc_free(again);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table),
        cmocka_unit_test(failures),
        cmocka_unit_test(every_fault),
        cmocka_unit_test(random_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
