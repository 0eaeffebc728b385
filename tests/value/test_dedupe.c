/* Duplicate keys of documents: which entry stays, which one is reported, keys of any kind, linear time. */
#include "value/dedupe.h"
#include "value/doc.h"
#include "value/notation.h"

static void table(void **state)
{
    static const struct {
        const char *notation, *first, *last;
        int second; /* node of the first key that was there before, or -1 */
    } rows[] = {
        {"1", "1", "1", -1},
        {"{}", "{}", "{}", -1},
        {"{'a':1,'b':2}", "{'a':1,'b':2}", "{'a':1,'b':2}", -1},
        {"{'a':1,'a':2}", "{'a':1}", "{'a':2}", 3},
        {"{'a':1,'b':2,'a':3}", "{'a':1,'b':2}", "{'b':2,'a':3}",
         5}, /* the last one stays at its own place */
        {"{'a':1,'a':2,'a':3,'b':4,'b':5}", "{'a':1,'b':4}", "{'a':3,'b':5}", 3},
        {"[{'a':[1,{'x':'y'}],'b':'c','a':[[]]},'t']", "[{'a':[1,{'x':'y'}],'b':'c'},'t']",
         "[{'b':'c','a':[[]]},'t']", 10},
        /* inner maps, also in entries that stay and that go */
        {"{'a':{'x':1,'x':2},'a':{'y':3,'y':4}}", "{'a':{'x':1}}", "{'a':{'y':4}}", 5},
        {"{'a':1,'k':{'x':1,'x':2},'k':3}", "{'a':1,'k':{'x':1}}", "{'a':1,'k':3}", 7},
        {"@5 {'a':@1 'x','a':@2 'y'}", "@5 {'a':@1 'x'}", "@5 {'a':@2 'y'}", 7},
        /* keys of any kind, by kind and value */
        {"{1:1,'1':2,x'1':3,1.0:4,#1#:5,s'1':6}", "{1:1,'1':2,x'1':3,1.0:4,#1#:5,s'1':6}",
         "{1:1,'1':2,x'1':3,1.0:4,#1#:5,s'1':6}", -1},
        {"{1.5:1,1.5h:2}", "{1.5:1}", "{1.5h:2}", 3},
        {"{0.0:1,-0.0:2}", "{0.0:1,-0.0:2}", "{0.0:1,-0.0:2}", -1},
        {"{nan:1,nan:2}", "{nan:1}", "{nan:2}", 3},
        {"{t1:1,t1:2,null:3,null:4,true:5,false:6,true:7}", "{t1:1,null:3,true:5,false:6}",
         "{t1:2,null:4,false:6,true:7}", 3},
        {"{[1,'a']:1,[1,'b']:2,[1,'a']:3}", "{[1,'a']:1,[1,'b']:2}", "{[1,'b']:2,[1,'a']:3}", 9},
        {"{{'a':1}:'x',{'a':1}:'y'}", "{{'a':1}:'x'}", "{{'a':1}:'y'}", 5},
        {"{@5 1:1,@6 1:2,@5 1:3,@'5' 1:4}", "{@5 1:1,@6 1:2,@'5' 1:4}", "{@6 1:2,@5 1:3,@'5' 1:4}", 9},
        {"{{'a':1,'a':2}:0}", "{{'a':1}:0}", "{{'a':2}:0}", 4},
        /* more entries than are compared one by one */
        {"{0:0,1:1,2:2,3:3,4:4,5:5,6:6,7:7,8:8,9:9,'a':10,5:11,[1]:12,[1]:13,5:14,'a':15}",
         "{0:0,1:1,2:2,3:3,4:4,5:5,6:6,7:7,8:8,9:9,'a':10,[1]:12}",
         "{0:0,1:1,2:2,3:3,4:4,6:6,7:7,8:8,9:9,[1]:13,5:14,'a':15}", 23},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int last = 0; last < 2; last++) {
            weir_doc *doc = notation_doc(rows[i].notation);
            const weir_val *second;
            assert_int_equal(doc_find_duplicate(doc, &second), WEIR_E_NONE);
            assert_int_equal(second ? second - weir_doc_root(doc) : -1, rows[i].second);
            assert_int_equal(doc_dedupe(doc, last ? WEIR_DUPLICATES_LAST : WEIR_DUPLICATES_FIRST),
                             WEIR_E_NONE);
            assert_shows(weir_doc_root(doc), last ? rows[i].last : rows[i].first);
            assert_int_equal(weir_doc_nodes(doc), tape_span(weir_doc_root(doc)));
            assert_int_equal(doc_find_duplicate(doc, &second), WEIR_E_NONE);
            assert_null(second);
            weir_doc_free(doc);
        }
    }
}

static void spans_follow(void **state)
{
    (void)state;
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.flags = WEIR_KEEP_SPANS;
    weir_doc *doc = notation_doc_with("{'a':1,'b':[2],'a':3,'c':4}", &options, NULL);
    assert_int_equal(doc_dedupe(doc, WEIR_DUPLICATES_LAST), WEIR_E_NONE);
    static const uint64_t expected[] = {0, 7, 11, 12, 15, 19, 21, 25};
    for (size_t i = 0; i < weir_doc_nodes(doc); i++) {
        uint64_t offset = 0;
        assert_true(weir_doc_span(doc, weir_doc_root(doc) + i, &offset));
        assert_int_equal(offset, expected[i]);
    }
    weir_doc_free(doc);
}

static bool dedupe_it(const weir_options *options, void *data)
{
    weir_error error;
    weir_doc *doc = notation_doc_with(data, options, &error);
    if (!doc) {
        return false;
    }
    const weir_val *second;
    weir_code found = doc_find_duplicate(doc, &second);
    weir_code code = doc_dedupe(doc, WEIR_DUPLICATES_LAST);
    weir_doc_free(doc);
    assert_true(found == WEIR_E_NONE || found == WEIR_E_MEMORY);
    assert_true(code == WEIR_E_NONE || code == WEIR_E_MEMORY);
    return found == WEIR_E_NONE && code == WEIR_E_NONE;
}

static void every_fault(void **state)
{
    static char notation[] = "{1:1,2:2,3:3,4:4,5:5,6:6,7:7,8:8,9:9,[1]:10,1:1,[1]:2}";
    (void)state;
    with_every_fault(dedupe_it, notation);
}

/* Random maps against the plain definition: an entry stays if no entry before (behind) it has its key. */
static void random_maps(void **state)
{
    static const char *const shapes[] = {"%u",    "'%u'",       "x'%u'", "[%u]",    "{'k':%u}",
                                         "@%u 1", "@'%u' [[]]", "%u.5",  "[[%u],1]"};
    enum { MOST = 60 };
    static char keys[MOST][24];
    (void)state;
    rng r = rng_new(5);
    for (int round = 0; round < 2000; round++) {
        unsigned count = (unsigned)rng_below(&r, round % 2 ? MOST : 12);
        char notation[4096] = "{", expected[4096] = "{";
        bool last = rng_below(&r, 2);
        for (unsigned i = 0; i < count; i++) {
            const char *shape = shapes[rng_below(&r, sizeof shapes / sizeof *shapes)];
            sprintf(keys[i], shape, (unsigned)rng_below(&r, 3));
            sprintf(notation + strlen(notation), "%s%s:[%u,'v']", i ? "," : "", keys[i], i);
        }
        for (unsigned i = 0; i < count; i++) {
            bool stays = true;
            for (unsigned j = last ? i + 1 : 0; j < (last ? count : i); j++) {
                stays = stays && strcmp(keys[i], keys[j]) != 0;
            }
            if (stays) {
                sprintf(expected + strlen(expected), "%s%s:[%u,'v']", expected[1] ? "," : "", keys[i], i);
            }
        }
        strcat(notation, "}");
        strcat(expected, "}");
        weir_doc *doc = notation_doc(notation);
        const weir_val *second;
        assert_int_equal(doc_find_duplicate(doc, &second), WEIR_E_NONE);
        assert_int_equal(second == NULL, strcmp(notation, expected) == 0);
        assert_int_equal(doc_dedupe(doc, last ? WEIR_DUPLICATES_LAST : WEIR_DUPLICATES_FIRST), WEIR_E_NONE);
        assert_shows(weir_doc_root(doc), expected);
        weir_doc_free(doc);
    }
}

/* A million entries with one key, and with as many keys, twice each. */
static void million(void **state)
{
    enum { COUNT = 1000000 };
    (void)state;
    for (int distinct = 0; distinct < 2; distinct++) {
        weir_writer *w = weir_writer_open_doc(NULL, NULL);
        assert_true(weir_write_map(w, COUNT));
        for (unsigned i = 0; i < COUNT; i++) {
            char key[16];
            int len = snprintf(key, sizeof key, "key %u", distinct ? i % (COUNT / 2) : 0);
            weir_write_key(w, key, (size_t)len);
            weir_write_uint(w, i);
        }
        assert_true(weir_write_end(w) && weir_writer_finish(w));
        weir_doc *doc = weir_writer_take_doc(w);
        weir_writer_close(w);
        const weir_val *second;
        assert_int_equal(doc_find_duplicate(doc, &second), WEIR_E_NONE);
        assert_int_equal(second - weir_doc_root(doc), distinct ? COUNT + 1 : 3);
        assert_int_equal(doc_dedupe(doc, WEIR_DUPLICATES_LAST), WEIR_E_NONE);
        assert_int_equal(weir_val_count(weir_doc_root(doc)), distinct ? COUNT / 2 : 1);
        assert_shows(weir_get(weir_doc_root(doc), "key 0"), distinct ? "500000" : "999999");
        weir_doc_free(doc);
    }
}

/* Keys in keys: each map's key is the map of the level below it, twice. */
static void nested_keys(void **state)
{
    enum { DEPTH = 100000 };
    (void)state;
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.limits = weir_unlimited;
    weir_writer *w = weir_writer_open_doc(&options, NULL);
    weir_event map = {.kind = WEIR_KIND_MAP, .count = WEIR_UNKNOWN}, end = {.kind = WEIR_KIND_END};
    weir_event null = {.kind = WEIR_KIND_NULL}, key = {.kind = WEIR_KIND_UINT, .is_key = true};
    for (int i = 0; i < DEPTH; i++) {
        map.is_key = i > 0;
        weir_write_event(w, &map);
    }
    for (int i = 0; i < DEPTH; i++) { /* 0: null, then (closing) the map as a key: null; two more entries */
        if (i > 0) {
            weir_write_event(w, &null);
        }
        for (int twice = 0; twice < 2; twice++) {
            weir_write_event(w, &key);
            weir_write_event(w, &null);
        }
        weir_write_event(w, &end);
    }
    assert_true(weir_writer_finish(w));
    weir_doc *doc = weir_writer_take_doc(w);
    weir_writer_close(w);
    assert_int_equal(doc_dedupe(doc, WEIR_DUPLICATES_FIRST), WEIR_E_NONE);
    assert_int_equal(weir_doc_nodes(doc), 4 * DEPTH - 1);
    weir_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table),       cmocka_unit_test(spans_follow), cmocka_unit_test(every_fault),
        cmocka_unit_test(random_maps), cmocka_unit_test(million),      cmocka_unit_test(nested_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
