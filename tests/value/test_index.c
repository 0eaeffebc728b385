/* The index against linear lookup: hand-made documents, random ones, values of other documents, failures. */
#include "value/notation.h"
#include "value/tape.h"

static void assert_same_answers(const weir_doc *doc)
{
    weir_error error;
    weir_index *index = weir_index_new(doc, NULL, &error);
    assert_non_null(index);
    for (size_t i = 0; i < weir_doc_nodes(doc); i++) {
        const weir_val *val = weir_doc_root(doc) + i;
        size_t count = weir_val_count(val);
        for (size_t n = 0; n < count + 2; n++) {
            assert_ptr_equal(weir_index_at(index, val, n), weir_at(val, n));
        }
        assert_null(weir_index_at(index, val, SIZE_MAX));
        weir_iter it = weir_iter_of(val);
        while (weir_iter_next(&it)) {
            size_t len;
            const char *key = weir_val_str(it.key, &len);
            if (key) {
                assert_ptr_equal(weir_index_get(index, val, key, len), weir_getn(val, key, len));
            }
        }
        assert_null(weir_index_get(index, val, "not there", 9));
        assert_ptr_equal(weir_index_get(index, val, "", 0), weir_getn(val, "", 0));
        assert_ptr_equal(weir_index_get(index, val, NULL, 0), weir_getn(val, "", 0));
        assert_null(weir_index_get(index, val, NULL, 1));
    }
    weir_index_free(index);
}

static void by_hand(void **state)
{
    static const char *const table[] = {
        "1",
        "[]",
        "{}",
        "[1,2,3]",
        "[[1],2,[3,[4]],5]",
        "{'a':1,'b':{'c':[1,[2]]},'a':3}",
        "{1:1,'1':2,x'1':3,'':4,[1]:5,@5 'x':6,'x':7,'y':8,'z':9,'1':10,'w':[]}",
        "@5 [[],{'0':0,'1':1,'2':2,'3':3,'4':4,'5':5,'6':6,'7':7,'8':8,'9':9,'5':[]}]",
    };
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        weir_doc *doc = notation_doc(table[i]);
        assert_same_answers(doc);
        weir_doc_free(doc);
    }
}

/* A random tree: depth bounded, keys from a small set, so that there are duplicates. */
static weir_doc *random_doc(rng *r)
{
    weir_writer *w = weir_writer_open_doc(NULL, NULL);
    size_t open[8], depth = 0, budget = 400;
    bool map[8];
    weir_write_array(w, WEIR_UNKNOWN);
    open[0] = 1 + rng_below(r, 30);
    map[0] = false;
    depth = 1;
    while (depth) {
        if (open[depth - 1]-- == 0 || budget-- == 0) {
            budget += budget == SIZE_MAX;
            open[depth - 1] = 0;
            assert_true(weir_write_end(w));
            depth--;
            continue;
        }
        if (map[depth - 1]) {
            char key[40];
            int len =
                snprintf(key, sizeof key, rng_below(r, 4) ? "%llu" : "a key of more than sixteen bytes %llu",
                         (unsigned long long)rng_below(r, 60));
            assert_true(weir_write_key(w, key, (size_t)len));
        }
        uint64_t choice = depth < 8 ? rng_below(r, 6) : 5;
        if (choice < 2) {
            map[depth] = choice == 0;
            open[depth++] = rng_below(r, 40);
            assert_true(choice ? weir_write_array(w, WEIR_UNKNOWN) : weir_write_map(w, WEIR_UNKNOWN));
        } else {
            assert_true(weir_write_uint(w, budget));
        }
    }
    assert_true(weir_writer_finish(w));
    weir_doc *doc = weir_writer_take_doc(w);
    weir_writer_close(w);
    return doc;
}

static void random_documents(void **state)
{
    (void)state;
    rng r = rng_new(11);
    for (int round = 0; round < 300; round++) {
        weir_doc *doc = random_doc(&r);
        assert_same_answers(doc);
        weir_doc_free(doc);
    }
}

/* Values that the index does not know are looked into as they are. */
static void other_documents(void **state)
{
    (void)state;
    weir_doc *doc = notation_doc("[[1],2]");
    weir_doc *other = notation_doc("{'a':[[1],'x'],'b':2}");
    weir_index *index = weir_index_new(doc, NULL, NULL);
    const weir_val *list = weir_index_get(index, weir_doc_root(other), "a", 1);
    assert_shows(weir_index_at(index, list, 1), "'x'");
    assert_null(weir_index_at(index, NULL, 0));
    assert_null(weir_index_get(index, NULL, "a", 1));
    assert_shows(weir_index_get(NULL, weir_doc_root(other), "b", 1), "2");
    weir_index_free(index);
    weir_index_free(NULL);
    weir_doc_free(doc);
    weir_doc_free(other);
}

static bool index_it(const weir_options *options, void *data)
{
    weir_error error;
    weir_index *index = weir_index_new(data, options, &error);
    assert_int_equal(error.code, index ? WEIR_E_NONE : WEIR_E_MEMORY);
    weir_index_free(index);
    return index != NULL;
}

static void failures(void **state)
{
    (void)state;
    weir_error error;
    assert_null(weir_index_new(NULL, NULL, &error));
    assert_int_equal(error.code, WEIR_E_ARGUMENT);
    weir_doc *doc = notation_doc("[[1],2]");
    with_every_fault(index_it, doc);
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.limits.memory = 10;
    assert_null(weir_index_new(doc, &options, &error));
    assert_int_equal(error.code, WEIR_E_LIMIT_MEMORY);
    weir_doc_free(doc);
}

/* A map of 200,000 entries is asked for each: linear lookup would take hours under the sanitizers. */
static void large_map(void **state)
{
    enum { COUNT = 200000 };
    (void)state;
    weir_writer *w = weir_writer_open_doc(NULL, NULL);
    char key[16];
    assert_true(weir_write_map(w, COUNT));
    for (unsigned i = 0; i < COUNT; i++) {
        int len = snprintf(key, sizeof key, "%u", i);
        assert_true(weir_write_key(w, key, (size_t)len) && weir_write_uint(w, i));
    }
    assert_true(weir_write_end(w) && weir_writer_finish(w));
    weir_doc *doc = weir_writer_take_doc(w);
    weir_writer_close(w);
    weir_index *index = weir_index_new(doc, NULL, NULL);
    for (unsigned i = 0; i < COUNT; i++) {
        uint64_t got = COUNT;
        int len = snprintf(key, sizeof key, "%u", i);
        assert_true(weir_val_u64(weir_index_get(index, weir_doc_root(doc), key, (size_t)len), &got));
        assert_int_equal(got, i);
    }
    weir_index_free(index);
    weir_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),  cmocka_unit_test(random_documents), cmocka_unit_test(other_documents),
        cmocka_unit_test(failures), cmocka_unit_test(large_map),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
