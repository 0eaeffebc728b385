/* weir_read_doc: streams of documents, bad records, duplicates, limits, its place among events. */
#include "value/notation.h"
#include "value/tape.h"

static void assert_next(weir_reader *r, const char *expected)
{
    weir_error error;
    weir_doc *doc = weir_read_doc(r, &error);
    if (!doc) {
        fail_msg("%s: %s", expected, weir_code_name(error.code));
    }
    assert_int_equal(error.code, WEIR_E_NONE);
    assert_shows(weir_doc_root(doc), expected);
    weir_doc_free(doc);
}

static void assert_end(weir_reader *r, weir_code code)
{
    weir_error error = {.code = WEIR_E_ARGUMENT};
    assert_null(weir_read_doc(r, &error));
    assert_int_equal(error.code, code);
}

static weir_reader *open_json(const weir_format *format, const char *text, const weir_options *options)
{
    weir_error error;
    weir_reader *r = weir_reader_open(format, text, strlen(text), options, &error);
    assert_non_null(r);
    return r;
}

static void one_after_the_other(void **state)
{
    (void)state;
    weir_reader *r = open_json(weir_ndjson, "{\"a\":[1,2]}\n\"x\"\n7\n", NULL);
    assert_next(r, "{'a':[1,2]}");
    assert_next(r, "'x'");
    assert_next(r, "7");
    assert_end(r, WEIR_E_NONE);
    assert_end(r, WEIR_E_NONE);
    weir_reader_close(r);
}

static void errors(void **state)
{
    (void)state;
    weir_reader *r = open_json(weir_ndjson, "1\n[\n3\n", NULL);
    assert_next(r, "1");
    weir_error error;
    assert_null(weir_read_doc(r, &error));
    assert_int_not_equal(error.code, WEIR_E_NONE);
    assert_int_equal(error.document, 1);
    weir_code code = error.code;
    assert_end(r, code); /* sticky */
    weir_reader_close(r);
    assert_end(NULL, WEIR_E_ARGUMENT);
}

/* Documents and events may alternate, but only between documents. */
static void among_events(void **state)
{
    (void)state;
    weir_reader *r = open_json(weir_ndjson, "[1]\n2\n3\n4\n", NULL);
    assert_int_equal(weir_reader_next(r)->kind, WEIR_KIND_ARRAY);
    assert_end(r, WEIR_E_PROTOCOL);
    assert_int_equal(weir_reader_next(r)->kind, WEIR_KIND_UINT); /* the reader is as it was */
    assert_int_equal(weir_reader_next(r)->kind, WEIR_KIND_END);
    assert_next(r, "2"); /* END_DOCUMENT of the first is passed over */
    assert_int_equal(weir_reader_next(r)->kind, WEIR_KIND_UINT);
    assert_int_equal(weir_reader_next(r)->kind, WEIR_KIND_END_DOCUMENT);
    assert_next(r, "4");
    assert_end(r, WEIR_E_NONE);
    weir_reader_close(r);
}

struct bad_records {
    size_t count;
    weir_code codes[8];
    uint64_t documents[8];
};

static void note_bad(void *context, const weir_error *error)
{
    struct bad_records *bad = context;
    assert_true(bad->count < 8);
    bad->codes[bad->count] = error->code;
    bad->documents[bad->count++] = error->document;
}

static void bad_records(void **state)
{
    (void)state;
    struct bad_records bad = {0};
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.flags = WEIR_SKIP_BAD;
    options.on_bad_record = note_bad;
    options.context = &bad;
    options.duplicates = WEIR_DUPLICATES_REJECT;
    options.limits.depth = 3;
    options.limits.memory = 1000;
    weir_reader *r = open_json(
        weir_ndjson,
        "1\n"
        "[1,}\n"
        "[2]\n"
        "[[[[1]]]]\n"
        "{\"a\":1,\"a\":2}\n"
        "[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31,32,33,34,"
        "35,36,37,38,39,40,41,42,43,44,45,46,47,48,49,50,51,52,53,54,55,56,57,58,59]\n"
        "{\"a\":1}\n"
        "tru\n",
        &options);
    assert_next(r, "1");
    assert_next(r, "[2]");
    assert_next(r, "{'a':1}");
    assert_end(r, WEIR_E_NONE);
    weir_reader_close(r);
    static const weir_code codes[] = {WEIR_E_JSON_UNEXPECTED_BYTE, WEIR_E_LIMIT_DEPTH,
                                      WEIR_E_JSON_DUPLICATE_KEY, WEIR_E_LIMIT_MEMORY};
    static const uint64_t documents[] = {1, 3, 4, 5, 7};
    assert_int_equal(bad.count, 5);
    assert_memory_equal(bad.codes, codes, sizeof codes);
    assert_memory_equal(bad.documents, documents, sizeof documents);
}

/* Without records there is nothing to skip to. */
static void no_records(void **state)
{
    (void)state;
    struct bad_records bad = {0};
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.flags = WEIR_SKIP_BAD;
    options.on_bad_record = note_bad;
    options.context = &bad;
    weir_reader *r = open_json(weir_json, "[1,}", &options);
    assert_end(r, WEIR_E_JSON_UNEXPECTED_BYTE);
    weir_reader_close(r);
    options.limits.documents = 1; /* and a limit of the whole stream ends it */
    r = open_json(weir_ndjson, "1\n2\n", &options);
    assert_next(r, "1");
    assert_end(r, WEIR_E_LIMIT_DOCUMENTS);
    weir_reader_close(r);
    assert_int_equal(bad.count, 0);
}

/* Policies through a reader over values, with scalar keys (the reader's part) and keys that are containers.
 */
static void duplicates(void **state)
{
    static const struct {
        const char *notation;
        weir_duplicates policy;
        const char *expected; /* NULL: refused */
    } table[] = {
        {"{'a':1,'a':2,[1]:3,[1]:4}", WEIR_DUPLICATES_KEEP, "{'a':1,'a':2,[1]:3,[1]:4}"},
        {"{'a':1,'a':2,[1]:3,[1]:4}", WEIR_DUPLICATES_FIRST, "{'a':1,[1]:3}"},
        {"{'a':1,'a':2}", WEIR_DUPLICATES_REJECT, NULL},
        {"{[1]:3,[1]:4}", WEIR_DUPLICATES_REJECT, NULL},
        {"{[1]:3,[2]:4,1:5}", WEIR_DUPLICATES_REJECT, "{[1]:3,[2]:4,1:5}"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        weir_doc *doc = notation_doc(table[i].notation);
        weir_options options = WEIR_OPTIONS_DEFAULT;
        options.duplicates = table[i].policy;
        weir_reader *r = weir_reader_open_val(weir_doc_root(doc), &options, NULL);
        if (table[i].expected) {
            assert_next(r, table[i].expected);
        } else {
            assert_end(r, WEIR_E_LOSS_DUPLICATE);
            assert_int_equal(weir_reader_error(r)->document, 0);
        }
        weir_reader_close(r);
        options.duplicates = WEIR_DUPLICATES_LAST;
        weir_error error;
        assert_null(weir_reader_open_val(weir_doc_root(doc), &options, &error));
        assert_int_equal(error.code, WEIR_E_UNSUPPORTED);
        weir_doc_free(doc);
    }
}

/* The whole document decides which entry is the last: weir_parse, also where it takes the way through a
 * reader. */
static void the_last_one(void **state)
{
    static const char json[] = "{\"a\":1,\"b\":{\"c\":2,\"c\":3},\"a\":\"x\"}";
    (void)state;
    for (uint32_t flags = 0; flags <= WEIR_KEEP_SPANS; flags += WEIR_KEEP_SPANS) {
        weir_options options = WEIR_OPTIONS_DEFAULT;
        options.duplicates = WEIR_DUPLICATES_LAST;
        options.flags = flags;
        weir_doc *doc = weir_parse(weir_json, json, sizeof json - 1, &options, NULL);
        assert_shows(weir_doc_root(doc), "{'b':{'c':3},'a':'x'}");
        uint64_t offset = 0;
        assert_int_equal(weir_doc_span(doc, weir_get(weir_doc_root(doc), "a"), &offset), flags != 0);
        assert_int_equal(offset, flags ? 29 : 0);
        weir_doc_free(doc);
    }
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.duplicates = WEIR_DUPLICATES_LAST;
    weir_error error;
    assert_null(weir_reader_open(weir_json, json, sizeof json - 1, &options, &error));
    assert_int_equal(error.code, WEIR_E_UNSUPPORTED);
}

static void borrow_and_spans(void **state)
{
    (void)state;
    static const char json[] = "{\"key\": [\"text\", 22], \"k2\": \"a\\nb\"}";
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.flags = WEIR_BORROW | WEIR_KEEP_SPANS;
    weir_reader *r = open_json(weir_json, json, &options);
    weir_doc *doc = weir_read_doc(r, NULL);
    weir_reader_close(r);
    const weir_val *text = weir_at(weir_get(weir_doc_root(doc), "key"), 0);
    assert_ptr_equal(weir_val_str(text, NULL), strstr(json, "text"));
    assert_null(weir_val_cstr(text));
    assert_string_equal(weir_val_cstr(weir_get(weir_doc_root(doc), "k2")), "a\nb"); /* had to be decoded */
    static const uint64_t expected[] = {0, 1, 8, 9, 17, 22, 28};
    for (size_t i = 0; i < 7; i++) {
        uint64_t offset = 99;
        assert_true(weir_doc_span(doc, weir_doc_root(doc) + i, &offset));
        assert_int_equal(offset, expected[i]);
    }
    weir_doc_free(doc);
}

/* Automatic limit: 32 times the input and 64 MiB; a value that is in memory already may always be read. */
static void automatic_memory(void **state)
{
    (void)state;
    size_t len = (size_t)70 << 20;
    char *text = malloc(len);
    assert_non_null(text);
    memset(text, 'x', len);
    weir_writer *w = weir_writer_open_doc(NULL, NULL);
    assert_true(weir_write_str(w, text, len) && weir_writer_finish(w));
    weir_doc *doc = weir_writer_take_doc(w);
    weir_writer_close(w);
    free(text);
    weir_reader *r = weir_reader_open_val(weir_doc_root(doc), NULL, NULL);
    weir_doc *read = weir_read_doc(r, NULL);
    assert_non_null(read);
    weir_doc_free(read);
    weir_reader_close(r);
    weir_doc_free(doc);
}

static bool read_it(const weir_options *options, void *data)
{
    weir_error error;
    weir_options own = *options;
    own.duplicates = WEIR_DUPLICATES_FIRST;
    weir_reader *r = weir_reader_open(weir_ndjson, data, strlen(data), &own, &error);
    bool done = false;
    while (r) {
        weir_doc *doc = weir_read_doc(r, &error);
        weir_doc_free(doc);
        if (!doc) {
            done = error.code == WEIR_E_NONE;
            break;
        }
    }
    assert_true(done || error.code == WEIR_E_MEMORY);
    weir_reader_close(r);
    return done;
}

static void every_fault(void **state)
{
    static char json[] = "{\"a\":[1,\"\\u0041b\",[[]]],\"a\":2}\n[1,2,3]\n";
    (void)state;
    with_every_fault(read_it, json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_after_the_other), cmocka_unit_test(errors),
        cmocka_unit_test(among_events),        cmocka_unit_test(bad_records),
        cmocka_unit_test(no_records),          cmocka_unit_test(duplicates),
        cmocka_unit_test(the_last_one),        cmocka_unit_test(borrow_and_spans),
        cmocka_unit_test(automatic_memory),    cmocka_unit_test(every_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
