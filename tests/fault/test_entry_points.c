/* Every public entry point under an allocator whose n-th request fails, for every n until nothing fails any
 * more: the call reports memory/exhausted, leaks nothing and leaves nothing half-made. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support.h"
#include "weir/weir.h"

static const char sample[] =
    "{\"id\":7,\"name\":\"a long enough name \\u00e9 with an escape\",\"list\":[1,2.5,-3,true,null,\"x\"],"
    "\"deep\":[[[[[[[[[[[[[[[[[[[[{\"a\":{\"b\":[]}}]]]]]]]]]]]]]]]]]]]],\"id\":8,\"big\":"
    "18446744073709551615}";
static const char records[] = "{\"a\":1}\n{\"a\":2,\"b\":[1,2,3]}\n\n[\"c\"]\n";

typedef bool scenario(const weir_options *options, weir_error *error);

struct memory_source {
    const char *data;
    size_t len, piece;
};

static ptrdiff_t read_memory(void *context, void *out, size_t size)
{
    struct memory_source *from = context;
    size = size < from->piece ? size : from->piece;
    size = size < from->len ? size : from->len;
    memcpy(out, from->data, size);
    from->data += size;
    from->len -= size;
    return (ptrdiff_t)size;
}

static ptrdiff_t sink_write(void *context, const void *bytes, size_t size)
{
    (void)bytes;
    *(size_t *)context += size;
    return (ptrdiff_t)size;
}

static weir_doc *sample_doc(void)
{
    weir_error error;
    weir_doc *doc = weir_parse(weir_json, sample, sizeof sample - 1, NULL, &error);
    assert_non_null(doc);
    return doc;
}

/* ---- reading ---- */

static bool parses(const weir_options *options, weir_error *error)
{
    weir_doc *doc = weir_parse(weir_json, sample, sizeof sample - 1, options, error);
    weir_doc_free(doc);
    return doc != NULL;
}

static bool parses_with_spans(const weir_options *options, weir_error *error)
{
    weir_options spans = *options;
    spans.flags |= WEIR_KEEP_SPANS | WEIR_DETAIL;
    return parses(&spans, error);
}

static bool keeps_first(const weir_options *options, weir_error *error)
{
    weir_options first = *options;
    first.duplicates = WEIR_DUPLICATES_FIRST;
    return parses(&first, error);
}

static bool keeps_last(const weir_options *options, weir_error *error)
{
    weir_options last = *options;
    last.duplicates = WEIR_DUPLICATES_LAST;
    return parses(&last, error);
}

static bool parses_binary(const weir_format *format, const weir_options *options, weir_error *error)
{
    weir_doc *doc = sample_doc();
    weir_buffer bytes = {0};
    weir_error ignored;
    assert_true(weir_write_val(format, weir_doc_root(doc), NULL, &bytes, &ignored));
    weir_doc *again = weir_parse(format, bytes.data, bytes.len, options, error);
    weir_doc_free(again);
    weir_doc_free(doc);
    weir_buffer_free(&bytes);
    return again != NULL;
}

static bool parses_cbor(const weir_options *options, weir_error *error)
{
    return parses_binary(weir_cbor, options, error);
}

static bool parses_msgpack(const weir_options *options, weir_error *error)
{
    return parses_binary(weir_msgpack, options, error);
}

static bool parses_diag(const weir_options *options, weir_error *error)
{
    return parses_binary(weir_cbor_diag, options, error);
}

static bool reuses_parser(const weir_options *options, weir_error *error)
{
    weir_parser *parser = weir_parser_new(options, error);
    bool done = parser != NULL;
    for (int i = 0; i < 3 && done; i++) {
        done = weir_parser_parse(parser, weir_json, sample, sizeof sample - 1, NULL, error) != NULL;
    }
    weir_parser_free(parser);
    return done;
}

static bool pulls_events(const weir_options *options, weir_error *error)
{
    struct memory_source memory = {sample, sizeof sample - 1, 7};
    weir_source source = {read_memory, &memory};
    weir_options reject = *options;
    reject.duplicates = WEIR_DUPLICATES_FIRST;
    reject.flags |= WEIR_DETAIL;
    weir_reader *reader = weir_reader_open_source(weir_json, source, &reject, error);
    if (!reader) {
        return false;
    }
    const weir_event *event;
    while ((event = weir_reader_next(reader)) && event->kind != WEIR_KIND_END_STREAM) {
    }
    *error = *weir_reader_error(reader);
    weir_reader_close(reader);
    return event != NULL;
}

static bool streams(const weir_options *options, weir_error *error)
{
    struct memory_source memory = {records, sizeof records - 1, 5};
    weir_source source = {read_memory, &memory};
    weir_stream *stream = weir_stream_open(weir_ndjson, source, options, error);
    if (!stream) {
        return false;
    }
    int count = 0;
    while (weir_stream_next(stream, error)) {
        count++;
    }
    weir_stream_close(stream);
    assert_true(count == 3 || error->code != WEIR_E_NONE);
    return error->code == WEIR_E_NONE;
}

/* ---- writing ---- */

static bool writes(const weir_format *format, uint32_t flags, const weir_options *options, weir_error *error)
{
    weir_doc *doc = sample_doc();
    weir_options chosen = *options;
    chosen.flags |= flags;
    chosen.indent = 2;
    weir_buffer out = {.allocator = options->allocator};
    bool done = weir_write_val(format, weir_doc_root(doc), &chosen, &out, error);
    assert_true(done || out.len == 0);
    weir_buffer_free(&out);
    weir_doc_free(doc);
    return done;
}

static bool writes_json(const weir_options *options, weir_error *error)
{
    return writes(weir_json, 0, options, error);
}

static bool writes_ascii(const weir_options *options, weir_error *error)
{
    return writes(weir_json, WEIR_ASCII | WEIR_DETAIL, options, error);
}

static bool writes_sorted(const weir_options *options, weir_error *error)
{
    return writes(weir_json, WEIR_SORT_KEYS, options, error);
}

static bool writes_cbor(const weir_options *options, weir_error *error)
{
    return writes(weir_cbor, 0, options, error);
}

static bool writes_msgpack(const weir_options *options, weir_error *error)
{
    return writes(weir_msgpack, 0, options, error);
}

static bool writes_diag(const weir_options *options, weir_error *error)
{
    return writes(weir_cbor_diag, 0, options, error);
}

static bool pushes_events(const weir_format *format, const weir_options *options, weir_error *error)
{
    size_t written = 0;
    weir_sink sink = {sink_write, NULL, &written};
    weir_options mapped = *options;
    mapped.allow = WEIR_ALLOW_ALL;
    weir_writer *writer = weir_writer_open_sink(format, sink, &mapped, error);
    if (!writer) {
        return false;
    }
    weir_write_map(writer, WEIR_UNKNOWN);
    weir_write_key(writer, "bytes", 5);
    weir_write_bytes(writer, "\1\2\3", 3);
    weir_write_key(writer, "list", 4);
    weir_write_array(writer, WEIR_UNKNOWN);
    for (int i = 0; i < 40; i++) {
        weir_write_array(writer, 1);
    }
    weir_write_double(writer, 0.1);
    for (int i = 0; i < 41; i++) {
        weir_write_end(writer);
    }
    weir_write_end(writer);
    bool done = weir_writer_finish(writer);
    *error = *weir_writer_error(writer);
    weir_writer_close(writer);
    return done;
}

static bool pushes_json(const weir_options *options, weir_error *error)
{
    return pushes_events(weir_json, options, error);
}

static bool pushes_msgpack(const weir_options *options, weir_error *error)
{
    return pushes_events(weir_msgpack, options, error);
}

static bool converts(const weir_options *options, weir_error *error)
{
    weir_buffer out = {.allocator = options->allocator};
    bool done = weir_convert(weir_ndjson, records, sizeof records - 1, weir_msgpack, options, &out, error);
    assert_true(done || out.len == 0);
    weir_buffer_free(&out);
    return done;
}

/* ---- documents ---- */

static bool builds(const weir_options *options, weir_error *error)
{
    weir_writer *writer = weir_writer_open_doc(options, error);
    if (!writer) {
        return false;
    }
    weir_write_array(writer, 2);
    weir_write_str(writer, sample, sizeof sample - 1);
    weir_write_tag(writer, 1);
    weir_write_uint(writer, 5);
    weir_write_end(writer);
    weir_doc *doc = weir_writer_finish(writer) ? weir_writer_take_doc(writer) : NULL;
    *error = *weir_writer_error(writer);
    weir_writer_close(writer);
    weir_doc_free(doc);
    return doc != NULL;
}

static bool copies(const weir_options *options, weir_error *error)
{
    weir_doc *doc = sample_doc();
    weir_doc *copy = weir_doc_copy(weir_get(weir_doc_root(doc), "deep"), options, error);
    weir_doc_free(copy);
    weir_doc_free(doc);
    return copy != NULL;
}

static bool indexes(const weir_options *options, weir_error *error)
{
    weir_doc *doc = sample_doc();
    weir_index *index = weir_index_new(doc, options, error);
    weir_index_free(index);
    weir_doc_free(doc);
    return index != NULL;
}

static bool reads_values(const weir_options *options, weir_error *error)
{
    weir_doc *doc = sample_doc();
    weir_reader *reader = weir_reader_open_val(weir_doc_root(doc), options, error);
    weir_doc *copy = reader ? weir_read_doc(reader, error) : NULL;
    weir_reader_close(reader);
    weir_doc_free(copy);
    weir_doc_free(doc);
    return copy != NULL;
}

#define ROW(name)   \
    {               \
#name, name \
    }

static const struct {
    const char *name;
    scenario *run;
} scenarios[] = {
    ROW(parses),         ROW(parses_with_spans), ROW(keeps_first),    ROW(keeps_last),   ROW(parses_cbor),
    ROW(parses_msgpack), ROW(parses_diag),       ROW(reuses_parser),  ROW(pulls_events), ROW(streams),
    ROW(writes_json),    ROW(writes_ascii),      ROW(writes_sorted),  ROW(writes_cbor),  ROW(writes_msgpack),
    ROW(writes_diag),    ROW(pushes_json),       ROW(pushes_msgpack), ROW(converts),     ROW(builds),
    ROW(copies),         ROW(indexes),           ROW(reads_values),
};

/* Runs until a run sees no failure; that one must succeed. */
static void sweep(const char *name, scenario *run, bool forever)
{
    for (uint64_t n = 1;; n++) {
        fault_allocator fault = {.fail_at = n, .forever = forever};
        weir_allocator hook = fault_hook(&fault);
        weir_options options = WEIR_OPTIONS_DEFAULT;
        options.allocator = &hook;
        weir_error error = {.code = WEIR_E_NONE};
        bool done = run(&options, &error);
        if (fault.live_blocks != 0 || fault.wrong_sizes != 0) {
            fail_msg("%s: request %d: %d blocks leaked, %d wrong sizes", name, (int)n, (int)fault.live_blocks,
                     (int)fault.wrong_sizes);
        }
        if (fault.failures == 0) {
            if (!done) {
                fail_msg("%s: fails without a failing request: %s", name, weir_code_name(error.code));
            }
            assert_true(n > 1); /* the sweep has met at least one request */
            return;
        }
        if (!done && error.code != WEIR_E_MEMORY) {
            fail_msg("%s: request %d gives %s", name, (int)n, weir_code_name(error.code));
        }
    }
}

static void test_each_request_fails(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scenarios / sizeof *scenarios; i++) {
        sweep(scenarios[i].name, scenarios[i].run, false);
        sweep(scenarios[i].name, scenarios[i].run, true);
    }
}

/* Unordered comparison needs memory too, and has no document to hold an allocator: it uses the standard one.
 */
static void test_arena(void **state)
{
    (void)state;
    for (uint64_t n = 1; n < 4; n++) {
        fault_allocator fault = {.fail_at = n};
        weir_allocator hook = fault_hook(&fault);
        weir_arena *arena = weir_arena_new(&hook);
        if (n == 1) {
            assert_null(arena);
            continue;
        }
        char *small = weir_arena_alloc(arena, 100);
        weir_arena_mark mark = weir_arena_get_mark(arena);
        char *large = weir_arena_alloc(arena, 100000);
        assert_true((small == NULL) == (n == 2));
        assert_true((large == NULL) == (n == 3));
        if (small) {
            weir_arena_rewind(arena, mark);
            assert_string_equal(weir_arena_copy(arena, "text", 4), "text");
        }
        weir_arena_reset(arena);
        weir_arena_free(arena);
        assert_int_equal(fault.live_blocks, 0);
        assert_int_equal(fault.wrong_sizes, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_request_fails),
        cmocka_unit_test(test_arena),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
