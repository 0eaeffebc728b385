/* The document writer: every kind, how a document lies in memory, borrowed text, limits, spans, the protocol.
 */
#include "value/doc.h"
#include "value/notation.h"

static const char everything[] =
    "{'a':[null,true,false,0,18446744073709551615,-1,-9223372036854775808,1.5,2.5f,-0.5h,nan,inf,-inf],'':'',"
    "'n':[#1e400#,x'',x'\\z\\z',s'hidden',t-5],[1,{2:3}]:@5 @'name' [@1 2],@7 "
    "'k':{},{'m':[]}:[[],{}],'':'again'}";

static void every_kind(void **state)
{
    (void)state;
    weir_doc *doc = notation_doc(everything);
    assert_shows(weir_doc_root(doc), everything);
    weir_doc_free(doc);
}

static void roots(void **state)
{
    static const char *const table[] = {"null", "1", "''", "[]", "{}", "@1 @2 @'x' 3", "[[[]]]", "x'y'"};
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        weir_doc *doc = notation_doc(table[i]);
        assert_shows(weir_doc_root(doc), table[i]);
        weir_doc_free(doc);
    }
}

/* One block: header, zeros, text with NULs, readable padding, nodes; spans count nodes, lengths count
 * children. */
static void layout(void **state)
{
    (void)state;
    weir_doc *doc = notation_doc("[{'key':'text', 1:[2]}, @3 4, 'x']");
    const char *block = (const char *)doc;
    const weir_val *nodes = weir_doc_root(doc);
    assert_int_equal(weir_doc_nodes(doc), 11);
    assert_int_equal(weir_doc_memory(doc), doc->nodes_offset + 11 * 16);
    assert_ptr_equal(nodes, block + doc->nodes_offset);
    assert_int_equal((uintptr_t)nodes % 16, 0);
    assert_int_equal(doc->text_offset, DOC_TEXT);
    assert_int_equal(doc->text_length, 4 + 5 + 2);
    assert_memory_equal(block + DOC_TEXT, "key\0text\0x\0", 11);
    for (size_t i = 1; i <= DOC_ZEROS; i++) {
        assert_int_equal(block[DOC_TEXT - i], 0);
    }
    assert_true(doc->nodes_offset >= DOC_TEXT + doc->text_length + TAPE_PADDING);
    static const struct {
        weir_kind kind;
        uint64_t length, span;
    } table[] = {
        {WEIR_KIND_ARRAY, 3, 11}, {WEIR_KIND_MAP, 2, 6},   {WEIR_KIND_STRING, 3, 1}, {WEIR_KIND_STRING, 4, 1},
        {WEIR_KIND_UINT, 0, 1},   {WEIR_KIND_ARRAY, 1, 2}, {WEIR_KIND_UINT, 0, 1},   {WEIR_KIND_TAGGED, 0, 3},
        {WEIR_KIND_UINT, 0, 1},   {WEIR_KIND_UINT, 0, 1},  {WEIR_KIND_STRING, 1, 1},
    };
    for (size_t i = 0; i < 11; i++) {
        assert_int_equal(tape_kind(nodes + i), table[i].kind);
        assert_int_equal(tape_length(nodes + i), table[i].length);
        assert_int_equal(tape_span(nodes + i), table[i].span);
    }
    weir_doc_free(doc);
}

static weir_doc *write_event(const weir_event *event, uint32_t flags)
{
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.flags = flags;
    weir_writer *w = weir_writer_open_doc(&options, NULL);
    assert_true(weir_write_event(w, event) && weir_writer_finish(w));
    weir_doc *doc = weir_writer_take_doc(w);
    weir_writer_close(w);
    return doc;
}

static void borrowed_text(void **state)
{
    static const char input[] = "borrowed";
    static const struct {
        bool borrowed;
        uint32_t flags;
        size_t len;
        bool stays;
    } table[] = {
        {true, WEIR_BORROW, 8, true},
        {true, 0, 8, false},
        {false, WEIR_BORROW, 8, false},
        {true, WEIR_BORROW, 0, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        weir_event event = {
            .kind = WEIR_KIND_STRING, .borrowed = table[i].borrowed, .len = table[i].len, .text = input};
        weir_doc *doc = write_event(&event, table[i].flags);
        size_t len;
        const char *text = weir_val_str(weir_doc_root(doc), &len);
        assert_int_equal(len, table[i].len);
        assert_memory_equal(text, input, len);
        assert_int_equal(text == input, table[i].stays);
        assert_int_equal(weir_val_cstr(weir_doc_root(doc)) == NULL, table[i].stays);
        weir_doc *copy = weir_doc_copy(weir_doc_root(doc), NULL, NULL);
        assert_ptr_not_equal(weir_val_str(weir_doc_root(copy), NULL), input);
        assert_non_null(weir_val_cstr(weir_doc_root(copy)));
        weir_doc_free(copy);
        weir_doc_free(doc);
    }
}

/* Readers know which text needs no escape, and documents keep that; callers of writers are not believed. */
static void plain_text(void **state)
{
    (void)state;
    weir_event event = {.kind = WEIR_KIND_STRING, .plain = true, .len = 3, .text = "abc"};
    weir_doc *doc = write_event(&event, 0);
    assert_false(weir_doc_root(doc)->tag & TAPE_PLAIN);
    weir_doc_free(doc);
    static const char *const texts[] = {"\"abc\"", "\"ab\\n\""};
    for (int i = 0; i < 2; i++) {
        weir_reader *reader = weir_reader_open(weir_json, texts[i], strlen(texts[i]), NULL, NULL);
        doc = weir_read_doc(reader, NULL);
        assert_int_equal(!(weir_doc_root(doc)->tag & TAPE_PLAIN), i);
        weir_doc_free(doc);
        weir_reader_close(reader);
    }
}

/* The limit is exact, and what passes it is refused before memory is asked for. */
static void memory_limit(void **state)
{
    (void)state;
    weir_doc *doc = notation_doc(everything);
    uint64_t size = weir_doc_memory(doc);
    weir_doc_free(doc);
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.limits.memory = size;
    doc = notation_doc_with(everything, &options, NULL);
    assert_non_null(doc);
    weir_doc_free(doc);
    weir_error error;
    options.limits.memory = size - 1;
    assert_null(notation_doc_with(everything, &options, &error));
    assert_int_equal(error.code, WEIR_E_LIMIT_MEMORY);
    assert_int_equal(error.resource, WEIR_RESOURCE_MEMORY);
    assert_int_equal(error.maximum, size - 1);
    assert_int_equal(error.requested, size);

    fault_allocator fault = {0};
    weir_allocator hook = fault_hook(&fault);
    options.allocator = &hook;
    options.limits.memory = 10000;
    weir_writer *w = weir_writer_open_doc(&options, &error);
    char *large = calloc(1, 1 << 20);
    assert_true(weir_write_array(w, WEIR_UNKNOWN) && weir_write_str(w, large, 9000));
    assert_false(weir_write_str(w, large, 1 << 20));
    assert_int_equal(weir_writer_error(w)->code, WEIR_E_LIMIT_MEMORY);
    assert_true(fault.peak_bytes < 32000);
    weir_writer_close(w);
    free(large);
    assert_int_equal(fault.live_blocks, 0);
}

static void spans(void **state)
{
    static const char notation[] = "{'a':[1, 22],  'b' :@5 'x'}";
    static const uint64_t expected[] = {0, 1, 5, 6, 9, 15, 20, 20, 23};
    (void)state;
    weir_options options = WEIR_OPTIONS_DEFAULT;
    weir_doc *doc = notation_doc_with(notation, &options, NULL);
    uint64_t offset = 99;
    assert_false(weir_doc_span(doc, weir_doc_root(doc), &offset));
    weir_doc *with = NULL;
    options.flags = WEIR_KEEP_SPANS;
    with = notation_doc_with(notation, &options, NULL);
    assert_int_equal(weir_doc_nodes(with), 9);
    for (size_t i = 0; i < 9; i++) {
        assert_true(weir_doc_span(with, weir_doc_root(with) + i, &offset));
        assert_int_equal(offset, expected[i]);
    }
    offset = 99;
    assert_false(weir_doc_span(with, weir_doc_root(doc), &offset)); /* another document's */
    assert_false(weir_doc_span(with, NULL, &offset));
    assert_false(weir_doc_span(NULL, weir_doc_root(doc), &offset));
    assert_int_equal(offset, 99);
    weir_doc_free(doc);
    weir_doc_free(with);
}

static void taking(void **state)
{
    (void)state;
    weir_writer *w = weir_writer_open_doc(NULL, NULL);
    assert_null(weir_writer_take_doc(w));
    assert_true(weir_write_null(w));
    assert_null(weir_writer_take_doc(w));
    assert_true(weir_writer_finish(w));
    weir_doc *doc = weir_writer_take_doc(w);
    assert_non_null(doc);
    assert_null(weir_writer_take_doc(w));
    weir_writer_close(w);
    assert_shows(weir_doc_root(doc), "null"); /* it does not need its writer */
    weir_doc_free(doc);
    assert_null(weir_writer_take_doc(NULL));
    weir_buffer out = {0};
    w = weir_writer_open(weir_json, &out, NULL, NULL);
    assert_true(weir_write_null(w) && weir_writer_finish(w));
    assert_null(weir_writer_take_doc(w));
    weir_writer_close(w);
    weir_buffer_free(&out);
    weir_doc_free(NULL);
}

static void protocol(void **state)
{
    static const struct {
        const char *notation;
        weir_code code;
    } table[] = {
        {"", WEIR_E_PROTOCOL_OPEN},     {"[1", WEIR_E_PROTOCOL_OPEN}, {"@1", WEIR_E_PROTOCOL_OPEN},
        {"1 2", WEIR_E_PROTOCOL_ROOTS}, {"]", WEIR_E_PROTOCOL},       {"{1}", WEIR_E_PROTOCOL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        weir_error error;
        assert_null(notation_doc_with(table[i].notation, NULL, &error));
        assert_int_equal(error.code, table[i].code);
    }
}

static bool build_everything(const weir_options *options, void *data)
{
    weir_options own = *options;
    own.flags = *(uint32_t *)data;
    weir_error error = {.code = WEIR_E_NONE};
    weir_doc *doc = notation_doc_with(everything, &own, &error);
    assert_int_equal(error.code, doc ? WEIR_E_NONE : WEIR_E_MEMORY);
    weir_doc_free(doc);
    return doc != NULL;
}

static void every_fault(void **state)
{
    uint32_t flags = 0, with_spans = WEIR_KEEP_SPANS;
    (void)state;
    with_every_fault(build_everything, &flags);
    with_every_fault(build_everything, &with_spans);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind),    cmocka_unit_test(roots),      cmocka_unit_test(layout),
        cmocka_unit_test(borrowed_text), cmocka_unit_test(plain_text), cmocka_unit_test(memory_limit),
        cmocka_unit_test(spans),         cmocka_unit_test(taking),     cmocka_unit_test(protocol),
        cmocka_unit_test(every_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
