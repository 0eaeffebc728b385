/* Copies of values, values as events into writers, readers over values. */
#include "flow/reader_priv.h"
#include "value/notation.h"
#include "value/tape.h"

static const char everything[] = "{'a':[null,true,false,0,-1,1.5,2.5f,-0.5h],'':'','n':[#1e400#,x'\\z',s'"
                                 "hidden',t-5],[1,{2:3}]:@5 @'name' [@1 2],"
                                 "@7 'k':{},{'m':[]}:[[],{}],'':'again'}";

/* Any subtree, by its node: the copy shows the same and does not need the original. */
static void subtrees(void **state)
{
    (void)state;
    weir_doc *doc = notation_doc(everything);
    for (size_t i = 0; i < weir_doc_nodes(doc); i++) {
        const weir_val *val = weir_doc_root(doc) + i;
        weir_buffer expected = {0};
        show_into(&expected, val);
        weir_error error;
        weir_doc *copy = weir_doc_copy(val, NULL, &error);
        assert_int_equal(error.code, WEIR_E_NONE);
        assert_int_equal(weir_doc_nodes(copy), tape_span(val));
        assert_true(weir_equal(val, weir_doc_root(copy), 0, NULL));
        weir_doc *moved = malloc(weir_doc_memory(copy)); /* nothing in it is an absolute pointer */
        memcpy(moved, copy, weir_doc_memory(copy));
        weir_doc_free(copy);
        assert_shows(weir_doc_root(moved), expected.data);
        weir_doc_free(moved);
        weir_buffer_free(&expected);
    }
    weir_doc_free(doc);
}

static void copy_failures(void **state)
{
    (void)state;
    weir_error error;
    assert_null(weir_doc_copy(NULL, NULL, &error));
    assert_int_equal(error.code, WEIR_E_ARGUMENT);
    weir_doc *doc = notation_doc(everything);
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.limits.memory = weir_doc_memory(doc);
    weir_doc *copy = weir_doc_copy(weir_doc_root(doc), &options, &error);
    assert_non_null(copy);
    weir_doc_free(copy);
    options.limits.memory--;
    assert_null(weir_doc_copy(weir_doc_root(doc), &options, &error));
    assert_int_equal(error.code, WEIR_E_LIMIT_MEMORY);
    assert_int_equal(error.requested, weir_doc_memory(doc));
    weir_doc_free(doc);
}

/* At any position of a writer: as root, element, key, value, under a tag. */
static void put(void **state)
{
    static const char *const values[] = {"1", "'text'", "[1,[2]]", "{'a':{}}", "@5 [@'x' 1]", everything};
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        weir_doc *doc = notation_doc(values[i]);
        const weir_val *val = weir_doc_root(doc);
        weir_writer *w = weir_writer_open_doc(NULL, NULL);
        assert_true(weir_write_array(w, 3) && weir_writer_put(w, val));
        assert_true(weir_write_map(w, 1) && weir_writer_put(w, val) && weir_writer_put(w, val) &&
                    weir_write_end(w));
        assert_true(weir_write_tag(w, 9) && weir_writer_put(w, val) && weir_write_end(w) &&
                    weir_writer_finish(w));
        weir_doc *whole = weir_writer_take_doc(w);
        weir_writer_close(w);
        const weir_val *root = weir_doc_root(whole);
        weir_iter it = weir_iter_of(weir_at(root, 1));
        assert_true(weir_iter_next(&it));
        assert_true(weir_equal(weir_at(root, 0), val, 0, NULL));
        assert_true(weir_equal(it.key, val, 0, NULL));
        assert_true(weir_equal(it.val, val, 0, NULL));
        assert_true(weir_equal(weir_val_tagged(weir_at(root, 2)), val, 0, NULL));
        weir_doc_free(whole);
        weir_doc_free(doc);
    }
}

static void reader_gives_all(void **state)
{
    (void)state;
    weir_doc *doc = notation_doc(everything);
    weir_reader *r = weir_reader_open_val(weir_doc_root(doc), NULL, NULL);
    weir_error error;
    weir_doc *copy = weir_read_doc(r, &error);
    assert_shows(weir_doc_root(copy), everything);
    assert_null(weir_read_doc(r, &error));
    assert_int_equal(error.code, WEIR_E_NONE);
    weir_doc_free(copy);
    weir_reader_close(r);

    r = weir_reader_open_val(weir_val_tagged(NULL), NULL, &error);
    assert_null(r);
    assert_int_equal(error.code, WEIR_E_ARGUMENT);
    weir_doc_free(doc);
}

/* Each event with what belongs to it. */
static void reader_events(void **state)
{
    static const struct {
        weir_kind kind;
        bool key;
        uint64_t count;
    } table[] = {
        {WEIR_KIND_MAP, false, 2},        {WEIR_KIND_ARRAY, true, 1},
        {WEIR_KIND_UINT, false, 0},       {WEIR_KIND_END, false, 0},
        {WEIR_KIND_TAGGED, false, 0},     {WEIR_KIND_STRING, false, 0},
        {WEIR_KIND_TAGGED, true, 0},      {WEIR_KIND_MAP, false, 0},
        {WEIR_KIND_END, false, 0},        {WEIR_KIND_REAL, false, 0},
        {WEIR_KIND_END, false, 0},        {WEIR_KIND_END_DOCUMENT, false, 0},
        {WEIR_KIND_END_STREAM, false, 0}, {WEIR_KIND_END_STREAM, false, 0},
    };
    (void)state;
    weir_doc *doc = notation_doc("{[7]:@5 'x',@'n' {}:1.5f}");
    weir_reader *r = weir_reader_open_val(weir_doc_root(doc), NULL, NULL);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const weir_event *event = weir_reader_next(r);
        assert_non_null(event);
        assert_int_equal(event->kind, table[i].kind);
        assert_int_equal(event->is_key, table[i].key);
        if (event->kind == WEIR_KIND_MAP || event->kind == WEIR_KIND_ARRAY) {
            assert_int_equal(event->count, table[i].count);
        }
        if (event->kind == WEIR_KIND_STRING) {
            assert_true(event->borrowed);
        }
        if (event->kind == WEIR_KIND_REAL) {
            assert_int_equal(event->width, WEIR_WIDTH_32);
        }
    }
    weir_reader_close(r);
    weir_doc_free(doc);
}

static void reader_limits(void **state)
{
    static const struct {
        size_t limit; /* offset in weir_limits */
        uint64_t enough;
        weir_code code;
    } table[] = {
        {offsetof(weir_limits, depth), 5, WEIR_E_LIMIT_DEPTH},
        {offsetof(weir_limits, nodes), 8, WEIR_E_LIMIT_NODES},
        {offsetof(weir_limits, items), 3, WEIR_E_LIMIT_ITEMS},
        {offsetof(weir_limits, entries), 2, WEIR_E_LIMIT_ENTRIES},
        {offsetof(weir_limits, key), 4, WEIR_E_LIMIT_KEY},
        {offsetof(weir_limits, string), 5, WEIR_E_LIMIT_STRING},
        {offsetof(weir_limits, number), 6, WEIR_E_LIMIT_NUMBER},
        {offsetof(weir_limits, payload), 16, WEIR_E_LIMIT_PAYLOAD},
    };
    (void)state;
    weir_doc *doc = notation_doc("{'k':['abcde',@5 [1],#1e4000#],'long':true}");
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        for (uint64_t less = 0; less < 2; less++) {
            weir_options options = WEIR_OPTIONS_DEFAULT;
            uint64_t limit = table[i].enough - less;
            memcpy((char *)&options.limits + table[i].limit, &limit, sizeof limit);
            weir_reader *r = weir_reader_open_val(weir_doc_root(doc), &options, NULL);
            weir_error error;
            weir_doc *copy = weir_read_doc(r, &error);
            assert_int_equal(copy == NULL, less);
            assert_int_equal(error.code, less ? table[i].code : WEIR_E_NONE);
            weir_doc_free(copy);
            weir_reader_close(r);
        }
    }
    weir_doc_free(doc);
}

static bool copy_it(const weir_options *options, void *data)
{
    weir_error error;
    weir_doc *copy = weir_doc_copy(weir_doc_root(data), options, &error);
    weir_reader *r = copy ? weir_reader_open_val(weir_doc_root(copy), options, &error) : NULL;
    weir_doc *read = r ? weir_read_doc(r, &error) : NULL;
    assert_int_equal(error.code, read ? WEIR_E_NONE : WEIR_E_MEMORY);
    bool done = false;
    if (read) {
        weir_writer *w = weir_writer_open_doc(options, &error);
        done = w && weir_writer_put(w, weir_doc_root(read)) && weir_writer_finish(w);
        assert_true(done || !w || weir_writer_error(w)->code == WEIR_E_MEMORY);
        weir_writer_close(w);
    }
    weir_reader_close(r);
    weir_doc_free(copy);
    weir_doc_free(read);
    return done;
}

static void every_fault(void **state)
{
    (void)state;
    weir_doc *doc = notation_doc(everything);
    with_every_fault(copy_it, doc);
    weir_doc_free(doc);
    doc = notation_doc("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]");
    with_every_fault(copy_it, doc);
    weir_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(subtrees),         cmocka_unit_test(copy_failures), cmocka_unit_test(put),
        cmocka_unit_test(reader_gives_all), cmocka_unit_test(reader_events), cmocka_unit_test(reader_limits),
        cmocka_unit_test(every_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
