/* Work for callgrind: each case once with n and once with four times n. run.sh counts the instructions of the
 * calls of shape_measured and compares.
 *
 * Cases are the shapes that make a careless implementation quadratic: depth, width, keys, escapes, many tiny
 * documents in a large window, one document over many windows, digits, bad records, chunks. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "weir/weir.h"

typedef void work(const weir_format *format, const weir_buffer *input, const weir_options *options);

struct shape {
    const char *name;
    const weir_format *format;
    void (*make)(weir_buffer *out, size_t n);
    work *work;
    size_t n;
    uint32_t flags, allow;
    weir_duplicates duplicates;
    weir_numbers numbers;
};

static void put(weir_buffer *out, const char *bytes, size_t len)
{
    if (!weir_buffer_append(out, bytes, len)) {
        abort();
    }
}

static void repeat(weir_buffer *out, const char *bytes, size_t len, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        put(out, bytes, len);
    }
}

/* ---- inputs ---- */

static void escapes(weir_buffer *out, size_t n)
{
    put(out, "\"", 1);
    repeat(out, "\\n\\u00e9", 8, n);
    put(out, "\"", 1);
}

static void deep_json(weir_buffer *out, size_t n)
{
    repeat(out, "[", 1, n);
    repeat(out, "]", 1, n);
}

static void deep_maps(weir_buffer *out, size_t n)
{
    repeat(out, "{\"k\":", 5, n);
    put(out, "1", 1);
    repeat(out, "}", 1, n);
}

static void wide_json(weir_buffer *out, size_t n)
{
    put(out, "[1", 2);
    repeat(out, ",-123,4.5,\"abc\"", 15, n);
    put(out, "]", 1);
}

static void keys(weir_buffer *out, size_t n)
{
    char text[40];
    put(out, "{", 1);
    for (size_t i = 0; i < n; i++) {
        put(out, text,
            (size_t)snprintf(text, sizeof text, "%s\"key%zu\":1", i ? "," : "",
                             i * 2654435761u % 100000007u));
    }
    put(out, "}", 1);
}

static void same_keys(weir_buffer *out, size_t n)
{
    put(out, "{\"k\":[1]", 8);
    repeat(out, ",\"k\":[1]", 8, n);
    put(out, "}", 1);
}

static void digits(weir_buffer *out, size_t n)
{
    put(out, "7.", 2);
    repeat(out, "37", 2, n);
}

static void short_lines(weir_buffer *out, size_t n)
{
    repeat(out, "{\"a\":1}\n", 8, n);
}

static void bad_lines(weir_buffer *out, size_t n)
{
    repeat(out, "x\n", 2, n);
}

static void blank_lines(weir_buffer *out, size_t n)
{
    repeat(out, " \n", 2, n);
    put(out, "1", 1);
}

static void tiny_items(weir_buffer *out, size_t n)
{
    repeat(out, "\x07", 1, n);
}

static void tiny_values(weir_buffer *out, size_t n)
{
    repeat(out, "7 ", 2, n);
}

static void tiny_texts(weir_buffer *out, size_t n)
{
    repeat(out, "\x1e[7]\n", 5, n);
}

static void long_bytes(weir_buffer *out, size_t n)
{
    char head[5] = {'\x5A', (char)(n >> 24), (char)(n >> 16), (char)(n >> 8), (char)n};
    put(out, head, 5);
    repeat(out, "b", 1, n);
}

static void chunks(weir_buffer *out, size_t n)
{
    put(out, "\x7F", 1);
    repeat(out, "\x61z", 2, n);
    put(out, "\xFF", 1);
}

static void open_ended(weir_buffer *out, size_t n)
{
    put(out, "\x9F", 1);
    repeat(out, "\x01", 1, n);
    put(out, "\xFF", 1);
}

static void deep_open_ended(weir_buffer *out, size_t n)
{
    repeat(out, "\x9F", 1, n);
    repeat(out, "\xFF", 1, n);
}

static void deep_tags(weir_buffer *out, size_t n)
{
    repeat(out, "\xC6", 1, n);
    put(out, "\x01", 1);
}

static void deep_msgpack(weir_buffer *out, size_t n)
{
    repeat(out, "\x91", 1, n);
    put(out, "\x01", 1);
}

static void notation(weir_buffer *out, size_t n)
{
    put(out, "[1", 2);
    static const char items[] = ", h'0102', /c/ 'ab', \"t\", 1.5_1, 7(1)";
    repeat(out, items, sizeof items - 1, n);
    put(out, "]", 1);
}

static void long_notation(weir_buffer *out, size_t n)
{
    put(out, "h'", 2);
    repeat(out, "0 a ", 4, n);
    put(out, "'", 1);
}

static void long_comment(weir_buffer *out, size_t n)
{
    put(out, "/", 1);
    repeat(out, "c\n", 2, n);
    put(out, "/ 1", 3);
}

/* ---- work ---- */

static void check(bool ok, const weir_error *error)
{
    if (!ok) {
        fprintf(stderr, "shape: %s\n", weir_code_name(error->code));
        exit(1);
    }
}

static void parse(const weir_format *format, const weir_buffer *input, const weir_options *options)
{
    weir_error error;
    weir_doc *doc = weir_parse(format, input->data, input->len, options, &error);
    check(doc, &error);
    weir_doc_free(doc);
}

static void parse_exactly(const weir_format *format, const weir_buffer *input, const weir_options *options)
{
    weir_options spans = *options;
    spans.flags |= WEIR_KEEP_SPANS; /* by the exact reader */
    parse(format, input, &spans);
}

static void parse_prefixes(const weir_format *format, const weir_buffer *input, const weir_options *options)
{
    weir_error error;
    size_t consumed;
    for (size_t at = 0; at + 1 < input->len; at += consumed) {
        weir_doc *doc =
            weir_parse_prefix(format, input->data + at, input->len - at, &consumed, options, &error);
        check(doc, &error);
        weir_doc_free(doc);
    }
}

struct pieces {
    const char *data;
    size_t left;
};

static ptrdiff_t read_piece(void *context, void *out, size_t size)
{
    struct pieces *from = context;
    size = size < 1000 ? size : 1000;
    size = size < from->left ? size : from->left;
    memcpy(out, from->data, size);
    from->data += size;
    from->left -= size;
    return (ptrdiff_t)size;
}

static void stream(const weir_format *format, const weir_buffer *input, const weir_options *options)
{
    weir_error error;
    struct pieces pieces = {input->data, input->len};
    weir_stream *s = weir_stream_open(format, (weir_source){read_piece, &pieces}, options, &error);
    while (weir_stream_next(s, &error)) {
        (void)weir_stream_lines(s);
    }
    check(error.code == WEIR_E_NONE, &error);
    weir_stream_close(s);
}

static void read_docs(const weir_format *format, const weir_buffer *input, const weir_options *options)
{
    weir_error error;
    weir_reader *reader = weir_reader_open(format, input->data, input->len, options, &error);
    weir_doc *doc;
    while ((doc = weir_read_doc(reader, &error))) {
        weir_doc_free(doc);
    }
    check(error.code == WEIR_E_NONE, &error);
    weir_reader_close(reader);
}

static void read_source(const weir_format *format, const weir_buffer *input, const weir_options *options)
{
    weir_error error;
    struct pieces pieces = {input->data, input->len};
    weir_reader *reader =
        weir_reader_open_source(format, (weir_source){read_piece, &pieces}, options, &error);
    const weir_event *event;
    while ((event = weir_reader_next(reader)) && event->kind != WEIR_KIND_END_STREAM) {
    }
    check(event, weir_reader_error(reader));
    weir_reader_close(reader);
}

static void convert(const weir_format *format, const weir_buffer *input, const weir_options *options,
                    const weir_format *to)
{
    weir_error error;
    weir_buffer out = {0};
    check(weir_convert(format, input->data, input->len, to, options, &out, &error), &error);
    weir_buffer_free(&out);
}

static void to_json(const weir_format *format, const weir_buffer *input, const weir_options *options)
{
    convert(format, input, options, weir_json);
}

static void to_notation(const weir_format *format, const weir_buffer *input, const weir_options *options)
{
    convert(format, input, options, weir_cbor_diag);
}

/* By events: collected, since MessagePack needs the counts. */
static void pump_to_msgpack(const weir_format *format, const weir_buffer *input, const weir_options *options)
{
    weir_error error;
    weir_buffer out = {0};
    weir_reader *reader = weir_reader_open(format, input->data, input->len, options, &error);
    weir_writer *writer = weir_writer_open(weir_msgpack, &out, options, &error);
    check(weir_transcode(reader, writer, &error), &error);
    weir_reader_close(reader);
    weir_writer_close(writer);
    weir_buffer_free(&out);
}

static void compare_unordered(const weir_format *format, const weir_buffer *input,
                              const weir_options *options)
{
    weir_error error;
    weir_doc *a = weir_parse(format, input->data, input->len, options, &error);
    check(a, &error);
    check(weir_equal(weir_doc_root(a), weir_doc_root(a), WEIR_EQ_UNORDERED, &error), &error);
    weir_doc_free(a);
}

static const struct shape shapes[] = {
    {.name = "json escapes", .format = weir_json, .make = escapes, .work = parse, .n = 8000},
    {.name = "json escapes to json", .format = weir_json, .make = escapes, .work = to_json, .n = 8000},
    {.name = "json deep", .format = weir_json, .make = deep_json, .work = parse, .n = 8000},
    {.name = "json deep, exactly", .format = weir_json, .make = deep_json, .work = parse_exactly, .n = 2000},
    {.name = "json deep, indented", .format = weir_json, .make = deep_maps, .work = to_notation, .n = 2000},
    {.name = "json deep maps to json", .format = weir_json, .make = deep_maps, .work = to_json, .n = 8000},
    {.name = "json deep, reject",
     .format = weir_json,
     .make = deep_maps,
     .work = parse_exactly,
     .n = 2000,
     .duplicates = WEIR_DUPLICATES_REJECT},
    {.name = "json wide", .format = weir_json, .make = wide_json, .work = parse, .n = 2000},
    {.name = "json in pieces", .format = weir_json, .make = wide_json, .work = stream, .n = 8000},
    {.name = "json in pieces, events",
     .format = weir_json,
     .make = wide_json,
     .work = read_source,
     .n = 2000},
    {.name = "keys, reject",
     .format = weir_json,
     .make = keys,
     .work = parse,
     .n = 2000,
     .duplicates = WEIR_DUPLICATES_REJECT},
    {.name = "keys, reject, events",
     .format = weir_json,
     .make = keys,
     .work = read_source,
     .n = 2000,
     .duplicates = WEIR_DUPLICATES_REJECT},
    {.name = "keys, first",
     .format = weir_json,
     .make = keys,
     .work = parse,
     .n = 2000,
     .duplicates = WEIR_DUPLICATES_FIRST},
    {.name = "keys, last",
     .format = weir_json,
     .make = keys,
     .work = parse,
     .n = 2000,
     .duplicates = WEIR_DUPLICATES_LAST},
    {.name = "same keys, first",
     .format = weir_json,
     .make = same_keys,
     .work = parse,
     .n = 2000,
     .duplicates = WEIR_DUPLICATES_FIRST},
    {.name = "same keys, last",
     .format = weir_json,
     .make = same_keys,
     .work = parse,
     .n = 2000,
     .duplicates = WEIR_DUPLICATES_LAST},
    {.name = "same keys, first, events",
     .format = weir_json,
     .make = same_keys,
     .work = read_source,
     .n = 2000,
     .duplicates = WEIR_DUPLICATES_FIRST},
    {.name = "keys, sorted",
     .format = weir_json,
     .make = keys,
     .work = to_json,
     .n = 4000,
     .flags = WEIR_SORT_KEYS},
    {.name = "same keys, sorted",
     .format = weir_json,
     .make = same_keys,
     .work = to_json,
     .n = 4000,
     .flags = WEIR_SORT_KEYS},
    {.name = "keys, unordered", .format = weir_json, .make = keys, .work = compare_unordered, .n = 1500},
    {.name = "same keys, unordered",
     .format = weir_json,
     .make = same_keys,
     .work = compare_unordered,
     .n = 1500},
    {.name = "keys, paths",
     .format = weir_json,
     .make = keys,
     .work = read_source,
     .n = 2000,
     .flags = WEIR_DETAIL},
    {.name = "digits to a double", .format = weir_json, .make = digits, .work = parse, .n = 40000},
    {.name = "digits kept",
     .format = weir_json,
     .make = digits,
     .work = parse,
     .n = 40000,
     .numbers = WEIR_NUMBERS_DECIMAL},
    {.name = "ndjson, lines", .format = weir_ndjson, .make = short_lines, .work = stream, .n = 2000},
    {.name = "ndjson, lines, exactly",
     .format = weir_ndjson,
     .make = short_lines,
     .work = stream,
     .n = 2000,
     .flags = WEIR_KEEP_SPANS},
    {.name = "ndjson, blank lines", .format = weir_ndjson, .make = blank_lines, .work = stream, .n = 8000},
    {.name = "ndjson, bad lines",
     .format = weir_ndjson,
     .make = bad_lines,
     .work = stream,
     .n = 1500,
     .flags = WEIR_SKIP_BAD},
    {.name = "ndjson, bad lines, memory",
     .format = weir_ndjson,
     .make = bad_lines,
     .work = read_docs,
     .n = 1500,
     .flags = WEIR_SKIP_BAD},
    {.name = "json-seq, records", .format = weir_json_seq, .make = tiny_texts, .work = stream, .n = 1500},
    {.name = "json, many",
     .format = weir_json,
     .make = tiny_values,
     .work = stream,
     .n = 1500,
     .flags = WEIR_MULTI},
    {.name = "json, prefixes", .format = weir_json, .make = tiny_values, .work = parse_prefixes, .n = 1500},
    {.name = "cbor, tiny items", .format = weir_cbor, .make = tiny_items, .work = stream, .n = 2000},
    {.name = "cbor, tiny items, exactly",
     .format = weir_cbor,
     .make = tiny_items,
     .work = stream,
     .n = 1500,
     .flags = WEIR_KEEP_SPANS},
    {.name = "cbor, prefixes", .format = weir_cbor, .make = tiny_items, .work = parse_prefixes, .n = 2000},
    {.name = "cbor, one long item", .format = weir_cbor, .make = long_bytes, .work = stream, .n = 1000000},
    {.name = "cbor, chunks", .format = weir_cbor, .make = chunks, .work = parse, .n = 8000},
    {.name = "cbor, chunks in pieces", .format = weir_cbor, .make = chunks, .work = read_source, .n = 8000},
    {.name = "cbor, open-ended", .format = weir_cbor, .make = open_ended, .work = parse, .n = 8000},
    {.name = "cbor, open-ended, deep",
     .format = weir_cbor,
     .make = deep_open_ended,
     .work = parse,
     .n = 8000},
    {.name = "cbor, deep tags", .format = weir_cbor, .make = deep_tags, .work = parse, .n = 8000},
    {.name = "cbor, deep tags left out",
     .format = weir_cbor,
     .make = deep_tags,
     .work = to_json,
     .n = 8000,
     .allow = WEIR_ALLOW_TAG},
    {.name = "cbor, deep, to notation",
     .format = weir_cbor,
     .make = deep_open_ended,
     .work = to_notation,
     .n = 10000},
    {.name = "msgpack, deep", .format = weir_msgpack, .make = deep_msgpack, .work = parse, .n = 8000},
    {.name = "msgpack, tiny items", .format = weir_msgpack, .make = tiny_items, .work = stream, .n = 2000},
    {.name = "to msgpack, collected",
     .format = weir_json,
     .make = wide_json,
     .work = pump_to_msgpack,
     .n = 1500},
    {.name = "to msgpack, lines",
     .format = weir_ndjson,
     .make = short_lines,
     .work = pump_to_msgpack,
     .n = 2000},
    {.name = "notation", .format = weir_cbor_diag, .make = notation, .work = parse, .n = 1000},
    {.name = "notation, long bytes",
     .format = weir_cbor_diag,
     .make = long_notation,
     .work = parse,
     .n = 8000},
    {.name = "notation, long comment",
     .format = weir_cbor_diag,
     .make = long_comment,
     .work = parse,
     .n = 8000},
    {.name = "notation, comment in pieces",
     .format = weir_cbor_diag,
     .make = long_comment,
     .work = read_source,
     .n = 8000},
};

/* Callgrind counts in here. */
__attribute__((noinline)) void shape_measured(const struct shape *shape, const weir_buffer *input,
                                              const weir_options *options);

void shape_measured(const struct shape *shape, const weir_buffer *input, const weir_options *options)
{
    shape->work(shape->format, input, options);
}

int main(void)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        weir_options options = WEIR_OPTIONS_DEFAULT;
        options.limits = weir_unlimited;
        options.flags = shapes[i].flags;
        options.allow = shapes[i].allow;
        options.duplicates = shapes[i].duplicates;
        options.numbers = shapes[i].numbers;
        puts(shapes[i].name);
        for (size_t times = 1; times <= 4; times += 3) {
            weir_buffer input = {0};
            shapes[i].make(&input, shapes[i].n * times);
            shape_measured(&shapes[i], &input, &options);
            weir_buffer_free(&input);
        }
    }
    return 0;
}
