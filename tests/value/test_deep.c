/* Ten million nested arrays, a million nested maps and tags: every tree function, without recursion, in
 * linear time. */
#include "value/dedupe.h"
#include "value/notation.h"
#include "value/sort.h"
#include "value/tape.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif

#ifdef SANITIZED /* which make it ten times slower */
enum { ARRAYS = 1000000, MAPS = 100000 };
#else
enum { ARRAYS = 10000000, MAPS = 1000000 };
#endif

static weir_doc *finish(weir_writer *w)
{
    assert_true(weir_writer_finish(w));
    weir_doc *doc = weir_writer_take_doc(w);
    weir_writer_close(w);
    return doc;
}

static void every_function(weir_doc *doc, size_t depth, const weir_options *options)
{
    const weir_val *root = weir_doc_root(doc);
    size_t nodes = weir_doc_nodes(doc);
    weir_doc *copy = weir_doc_copy(root, options, NULL);
    assert_non_null(copy);
    assert_true(weir_equal(root, weir_doc_root(copy), 0, NULL));
    assert_true(weir_equal(root, weir_doc_root(copy), WEIR_EQ_NUMERIC | WEIR_EQ_UNORDERED, NULL));

    bool duplicates = true;
    weir_doc *sorted = doc_sorted(root, SORT_CBOR, options, &duplicates, NULL);
    assert_int_equal(weir_doc_nodes(sorted), nodes);
    assert_false(duplicates);
    assert_true(weir_equal(root, weir_doc_root(sorted), WEIR_EQ_UNORDERED, NULL));
    assert_int_equal(doc_dedupe(copy, WEIR_DUPLICATES_LAST), WEIR_E_NONE);
    assert_int_equal(weir_doc_nodes(copy), nodes);
    weir_doc_free(copy);

    weir_writer *w = weir_writer_open_doc(options, NULL);
    assert_true(weir_writer_put(w, weir_doc_root(sorted)));
    weir_doc *put = finish(w);
    weir_doc_free(sorted);

    weir_reader *r = weir_reader_open_val(weir_doc_root(put), options, NULL);
    weir_doc *read = weir_read_doc(r, NULL);
    assert_true(weir_equal(weir_doc_root(put), weir_doc_root(read), 0, NULL));
    weir_reader_close(r);
    weir_doc_free(put);
    weir_doc_free(read);

    weir_index *index = weir_index_new(doc, options, NULL);
    assert_non_null(index);
    const weir_val *val = root;
    size_t levels = 0;
    for (; val; levels++) {
        val = weir_val_is(val, WEIR_KIND_ARRAY) ? weir_index_at(index, val, 0)
              : weir_val_is(val, WEIR_KIND_MAP) ? weir_index_get(index, val, "k", 1)
                                                : weir_val_tagged(val);
    }
    assert_int_equal(levels, depth);
    weir_index_free(index);
}

static weir_options unlimited(void)
{
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.limits = weir_unlimited;
    return options;
}

static void arrays(void **state)
{
    (void)state;
    weir_options options = unlimited();
    weir_writer *w = weir_writer_open_doc(&options, NULL);
    for (int i = 0; i < ARRAYS; i++) {
        weir_write_array(w, 1 - (i == ARRAYS - 1));
    }
    for (int i = 0; i < ARRAYS; i++) {
        weir_write_end(w);
    }
    weir_doc *doc = finish(w);
    assert_int_equal(weir_doc_nodes(doc), ARRAYS);
    every_function(doc, ARRAYS, &options);
    weir_doc_free(doc);
}

static void maps(void **state)
{
    (void)state;
    weir_options options = unlimited();
    weir_writer *w = weir_writer_open_doc(&options, NULL);
    for (int i = 0; i < MAPS; i++) {
        weir_write_map(w, 2);
        weir_write_key(w, "k", 1);
    }
    weir_write_null(w);
    for (int i = 0; i < MAPS; i++) { /* out of order at every level */
        weir_write_key(w, "a", 1);
        weir_write_uint(w, 1);
        weir_write_end(w);
    }
    weir_doc *doc = finish(w);
    every_function(doc, MAPS + 1, &options);
    weir_doc_free(doc);
}

static void tags(void **state)
{
    (void)state;
    weir_options options = unlimited();
    weir_writer *w = weir_writer_open_doc(&options, NULL);
    for (int i = 0; i < MAPS; i++) {
        weir_write_tag(w, (uint64_t)i);
    }
    weir_write_null(w);
    weir_doc *doc = finish(w);
    every_function(doc, MAPS + 1, &options);
    weir_doc_free(doc);
}

/* Keys in keys, two entries at every level whose keys are containers: they are compared, hashed, sorted. */
static void keys(void **state)
{
    (void)state;
    weir_options options = unlimited();
    weir_writer *w = weir_writer_open_doc(&options, NULL);
    weir_event map = {.kind = WEIR_KIND_MAP, .count = 2}, end = {.kind = WEIR_KIND_END};
    weir_event array = {.kind = WEIR_KIND_ARRAY, .is_key = true};
    for (int i = 0; i < MAPS; i++) {
        map.is_key = i > 0;
        weir_write_event(w, &map);
    }
    weir_write_key(w, "k", 1);
    for (int i = 0; i < MAPS; i++) {
        weir_write_null(w); /* of the key that just ended */
        weir_write_event(w, &array);
        weir_write_end(w);
        weir_write_null(w);
        weir_write_event(w, &end);
    }
    weir_doc *doc = finish(w);
    every_function(doc, 1, &options);
    weir_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(arrays), cmocka_unit_test(maps),
                                       cmocka_unit_test(tags), cmocka_unit_test(keys)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
