/* Every path to a document and from one does the same: the fused parsers, the exact reader over memory and
 * over a source cut anywhere, prefixes, streams and conversion accept the same inputs, make the same
 * documents, and refuse with the same error at the same place; the fused writers, the generic writer and
 * events give the same bytes.
 *
 * Inputs are generated for each format, then often damaged; options and limits are drawn too. WEIR_SEED and
 * WEIR_ROUNDS make longer and other runs of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "event_text.h"
#include "flow/reader_priv.h"
#include "generate.h"
#include "support.h"

static unsigned rounds(unsigned normal)
{
    const char *text = getenv("WEIR_ROUNDS");
    return text && *text ? (unsigned)strtoul(text, NULL, 0) : normal;
}

/* ---- showing what differs ---- */

struct sample {
    const weir_format *format;
    const char *data;
    size_t len, step;
    weir_options options;
    uint64_t seed;
};

static _Noreturn void differ(const struct sample *s, const char *what, const char *a, const char *b)
{
    weir_buffer hex = {0};
    text_hex(&hex, s->data, s->len < 4000 ? s->len : 4000);
    const weir_limits *l = &s->options.limits;
    size_t at = 0;
    while (a[at] && a[at] == b[at]) {
        at++;
    }
    at = at < 60 ? 0 : at - 60;
    fprintf(stderr,
            "%s: %s\n input %s\n text  %.*s\n step %zu numbers %d duplicates %d flags %x allow %x indent %u\n"
            " limits input %" PRId64 " output %" PRId64 " depth %" PRId64 " nodes %" PRId64 " items %" PRId64
            " entries %" PRId64 " key %" PRId64 " string %" PRId64 " number %" PRId64 " payload %" PRId64
            " memory %" PRId64 " documents %" PRId64 "\n one:   … %.300s\n other: … %.300s\n seed %" PRIu64
            "\n",
            weir_format_name(s->format), what, hex.data ? hex.data : "",
            weir_format_caps(s->format) & WEIR_CAP_TEXT ? (int)(s->len < 2000 ? s->len : 2000) : 0, s->data,
            s->step, (int)s->options.numbers, (int)s->options.duplicates, s->options.flags, s->options.allow,
            s->options.indent, (int64_t)l->input, (int64_t)l->output, (int64_t)l->depth, (int64_t)l->nodes,
            (int64_t)l->items, (int64_t)l->entries, (int64_t)l->key, (int64_t)l->string, (int64_t)l->number,
            (int64_t)l->payload, (int64_t)l->memory, (int64_t)l->documents, a + at, b + at, s->seed);
    weir_buffer_free(&hex);
    fail();
    abort();
}

static void error_text(weir_buffer *out, const weir_error *e)
{
    char text[600];
    if (e->code == WEIR_E_NONE) {
        text_puts(out, "the end");
        return;
    }
    snprintf(text, sizeof text,
             "!%s offset %" PRId64 " at %" PRIu64 ":%" PRIu64 " document %" PRIu64 " path '%s'",
             weir_code_name(e->code), (int64_t)e->offset, e->line, e->column, e->document, e->path);
    text_puts(out, text);
    if (e->resource != WEIR_RESOURCE_NONE) {
        snprintf(text, sizeof text, " %s maximum %" PRId64 " remaining %" PRId64 " requested %" PRId64,
                 weir_resource_name(e->resource), (int64_t)e->maximum, (int64_t)e->remaining,
                 (int64_t)e->requested);
        text_puts(out, text);
    }
}

/* A document as its events, which say everything but where the text is; checks what text and its node
 * promise. */
static void doc_text(weir_buffer *out, const weir_val *root, bool owned)
{
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.limits = weir_unlimited;
    weir_reader *reader = weir_reader_open_val(root, &options, NULL);
    const weir_event *event;
    while ((event = weir_reader_next(reader)) && event->kind != WEIR_KIND_END_STREAM) {
        text_event(out, event);
        for (size_t i = 0; event->plain && i < event->len; i++) {
            assert_true((unsigned char)event->text[i] >= 0x20 && event->text[i] != '"' &&
                        event->text[i] != '\\');
        }
        if (owned && event->kind == WEIR_KIND_STRING) {
            assert_int_equal(event->text[event->len], 0);
        }
    }
    assert_non_null(event);
    weir_reader_close(reader);
    for (size_t i = 0; i < out->len; i++) { /* NULs in text, so that it can be compared and shown */
        out->data[i] = out->data[i] ? out->data[i] : '@';
    }
}

static const char *text_of(const weir_buffer *buffer)
{
    return buffer->data ? buffer->data : "";
}

static void same(const struct sample *s, const char *what, const weir_buffer *one, const weir_buffer *other)
{
    if (strcmp(text_of(one), text_of(other)) != 0) {
        differ(s, what, text_of(one), text_of(other));
    }
}

/* ---- reading ---- */

static weir_reader *open_reader(const struct sample *s, struct drip *drip, size_t step, weir_error *error)
{
    *drip = (struct drip){s->data, s->len, step};
    return step ? reader_open_stream(s->format, (weir_source){drip_read, drip}, &s->options, error)
                : reader_open_memory(s->format, s->data, s->len, &s->options, error);
}

/* Exactly one document by the exact reader. */
static void read_exactly_one(weir_buffer *out, const struct sample *s, size_t step)
{
    weir_error error;
    struct drip drip;
    weir_reader *reader = open_reader(s, &drip, step, &error);
    weir_doc *doc = reader ? weir_read_doc(reader, &error) : NULL;
    if (reader && !doc && error.code == WEIR_E_NONE) {
        error.code = WEIR_E_EMPTY;
        error.offset = weir_reader_offset(reader);
    }
    if (doc) {
        const weir_event *event = weir_reader_next(reader);
        if (!event) {
            error = *weir_reader_error(reader);
        } else if (event->kind != WEIR_KIND_END_STREAM) {
            error.code = WEIR_E_TRAILING;
        }
    }
    if (error.code == WEIR_E_TRAILING || error.code == WEIR_E_EMPTY) {
        text_puts(out, weir_code_name(error.code)); /* the place: see below */
    } else if (error.code != WEIR_E_NONE) {
        error_text(out, &error);
    } else {
        doc_text(out, weir_doc_root(doc), !(s->options.flags & WEIR_BORROW) || step);
    }
    weir_doc_free(doc);
    weir_reader_close(reader);
}

static void result_text(weir_buffer *out, const struct sample *s, const weir_doc *doc,
                        const weir_error *error)
{
    if (doc) {
        doc_text(out, weir_doc_root(doc), !(s->options.flags & WEIR_BORROW));
    } else if (error->code == WEIR_E_TRAILING || error->code == WEIR_E_EMPTY) {
        text_puts(out, weir_code_name(error->code));
    } else {
        error_text(out, error);
    }
}

static void check_one_document(const struct sample *s, weir_doc **kept)
{
    weir_buffer exact = {0}, source = {0}, fused = {0};
    weir_error error;
    read_exactly_one(&exact, s, 0);
    if (s->options.limits.input >= s->len && s->options.limits.memory == WEIR_MEMORY_AUTO) {
        read_exactly_one(&source, s, s->step);
        same(s, "reader from memory / from a source", &exact, &source);
    }
    weir_doc *doc = weir_parse(s->format, s->data, s->len, &s->options, &error);
    result_text(&fused, s, doc, &error);
    same(s, "reader / weir_parse", &exact, &fused);
    weir_parser *parser = weir_parser_new(&s->options, &error);
    for (int i = 0; i < 2; i++) {
        weir_buffer again = {0};
        const weir_doc *lent = weir_parser_parse(parser, s->format, s->data, s->len, NULL, &error);
        result_text(&again, s, lent, &error);
        same(s, "weir_parse / weir_parser_parse", &fused, &again);
        weir_buffer_free(&again);
    }
    weir_parser_free(parser);
    if (doc && !(s->options.flags & WEIR_SKIP_BAD)) { /* the memory that a document holds is enough to make
                                                         it, a hundred bytes are not */
        weir_options options = s->options;
        options.limits.memory = weir_doc_memory(doc);
        weir_doc *other = weir_parse(s->format, s->data, s->len, &options, &error);
        if (!other || weir_doc_memory(other) > options.limits.memory) {
            differ(s, "the memory that it takes as limit", weir_code_name(error.code), "");
        }
        weir_doc_free(other);
        options.limits.memory = 100;
        other = weir_parse(s->format, s->data, s->len, &options, &error);
        if (other || error.code != WEIR_E_LIMIT_MEMORY || error.resource != WEIR_RESOURCE_MEMORY ||
            error.maximum != 100) {
            differ(s, "too little memory", weir_code_name(error.code), "");
        }
    }
    if (doc && kept) {
        *kept = doc;
    } else {
        weir_doc_free(doc);
    }
    weir_buffer_free(&exact);
    weir_buffer_free(&source);
    weir_buffer_free(&fused);
}

static void bad_record(void *context, const weir_error *error)
{
    text_puts(context, "bad ");
    error_text(context, error);
    text_puts(context, "\n");
}

static void note_end(weir_buffer *out, uint64_t offset)
{
    char text[40];
    snprintf(text, sizeof text, "@%" PRIu64 "\n", offset);
    text_puts(out, text);
}

/* All documents by the exact reader: their events and where each ends. */
static void read_all(weir_buffer *out, struct sample s, size_t step, bool places)
{
    weir_error error;
    struct drip drip;
    s.options.on_bad_record = bad_record;
    s.options.context = out;
    weir_reader *reader = open_reader(&s, &drip, step, &error);
    weir_doc *doc;
    while (reader && (doc = weir_read_doc(reader, &error))) {
        doc_text(out, weir_doc_root(doc), false);
        if (places) {
            note_end(out, weir_reader_offset(reader));
        }
        weir_doc_free(doc);
    }
    error_text(out, &error);
    weir_reader_close(reader);
}

static void stream_all(weir_buffer *out, struct sample s, size_t step, bool places)
{
    weir_error error, sticky;
    struct drip drip = {s.data, s.len, step};
    s.options.on_bad_record = bad_record;
    s.options.context = out;
    weir_stream *stream = weir_stream_open(s.format, (weir_source){drip_read, &drip}, &s.options, &error);
    assert_non_null(stream);
    const weir_doc *doc;
    while ((doc = weir_stream_next(stream, &error))) {
        doc_text(out, weir_doc_root(doc), true);
        if (places) {
            note_end(out, weir_stream_offset(stream));
        }
    }
    error_text(out, &error);
    assert_null(weir_stream_next(stream, &sticky));
    assert_int_equal(sticky.code, error.code);
    weir_stream_close(stream);
}

/* Documents one behind the other by weir_parse_prefix, as far as limits let them be compared. */
static void check_prefixes(const struct sample *s)
{
    if ((s->options.flags & WEIR_SKIP_BAD) || s->options.limits.nodes != WEIR_UNSET ||
        s->options.limits.payload != WEIR_UNSET || s->options.limits.documents != WEIR_UNSET ||
        (s->options.allow & WEIR_ALLOW_BOM) || s->options.limits.memory != WEIR_MEMORY_AUTO ||
        s->options.limits.input < s->len) {
        return;
    }
    weir_buffer all = {0}, parts = {0};
    weir_error error;
    struct drip drip;
    weir_reader *reader = open_reader(s, &drip, 0, &error);
    size_t at = 0, consumed;
    for (;;) {
        weir_error cause;
        weir_doc *one = weir_read_doc(reader, &error);
        weir_doc *other =
            weir_parse_prefix(s->format, s->data + at, s->len - at, &consumed, &s->options, &cause);
        weir_buffer_clear(&all);
        weir_buffer_clear(&parts);
        if (!one || !other) {
            weir_code code = error.code == WEIR_E_NONE && !one ? WEIR_E_EMPTY : error.code;
            /* A reader that knows of one document only takes what follows for trailing. */
            bool single = !(weir_format_caps(s->format) & WEIR_CAP_STREAM) && at > 0;
            /* A comma belongs to the document before it: it is forgotten that something has to follow. */
            single |= s->format == weir_cbor_diag && at > 0;
            if (!single && (one || other || cause.code != code ||
                            (code != WEIR_E_EMPTY && cause.offset + at != error.offset))) {
                char a[200], b[200];
                snprintf(a, sizeof a, "%s @%" PRIu64, weir_code_name(code), error.offset);
                snprintf(b, sizeof b, "%s @%" PRIu64, weir_code_name(cause.code), cause.offset + at);
                differ(s, "reader / weir_parse_prefix", a, b);
            }
            weir_doc_free(one);
            weir_doc_free(other);
            break;
        }
        doc_text(&all, weir_doc_root(one), false);
        doc_text(&parts, weir_doc_root(other), !(s->options.flags & WEIR_BORROW));
        weir_doc_free(one);
        weir_doc_free(other);
        struct sample spans = *s; /* by the exact reader */
        spans.options.flags |= WEIR_KEEP_SPANS;
        size_t consumed_exactly;
        other = weir_parse_prefix(s->format, s->data + at, s->len - at, &consumed_exactly, &spans.options,
                                  &cause);
        weir_doc_free(other);
        assert_non_null(other);
        at += consumed;
        note_end(&all, weir_reader_offset(reader));
        assert_int_equal(consumed_exactly, consumed);
        note_end(&parts, at);
        same(s, "reader / weir_parse_prefix", &all, &parts);
    }
    weir_reader_close(reader);
    weir_buffer_free(&all);
    weir_buffer_free(&parts);
}

static void check_streams(const struct sample *s)
{
    weir_buffer memory = {0}, source = {0}, stream = {0};
    if (s->options.limits.memory == WEIR_MEMORY_AUTO) {
        if (s->options.limits.input >= s->len) {
            read_all(&memory, *s, 0, true);
            read_all(&source, *s, s->step, true);
            same(s, "all documents: reader from memory / from a source", &memory, &source);
        } else {
            read_all(&source, *s, s->step, true);
        }
        stream_all(&stream, *s, s->step, true);
        same(s, "reader from a source / weir_stream", &source, &stream);
    }
    weir_buffer_free(&memory);
    weir_buffer_free(&source);
    weir_buffer_free(&stream);
}

/* The bytes may differ: a writer that is told no counts leaves containers open-ended where it can. */
static bool same_documents(const weir_format *format, const weir_buffer *a, const weir_buffer *b)
{
    weir_buffer text[2] = {{0}};
    const weir_buffer *bytes[2] = {a, b};
    for (int i = 0; i < 2; i++) {
        struct sample s = {.format = format,
                           .data = text_of(bytes[i]),
                           .len = bytes[i]->len,
                           .options = WEIR_OPTIONS_DEFAULT};
        s.options.limits = weir_unlimited;
        s.options.numbers = WEIR_NUMBERS_EXACT;
        s.options.flags = WEIR_MULTI;
        read_all(&text[i], s, 0, false);
    }
    bool equal = strcmp(text_of(&text[0]), text_of(&text[1])) == 0;
    weir_buffer_free(&text[0]);
    weir_buffer_free(&text[1]);
    return equal;
}

/* weir_convert, weir_transcode, documents into a writer: equal documents, or each refuses. */
static void check_conversion(const struct sample *s, const weir_format *to)
{
    weir_buffer quick = {0}, pumped = {0};
    weir_error error, cause;
    struct drip drip;
    bool ok = weir_convert(s->format, s->data, s->len, to, &s->options, &quick, &error);
    /* Keys that are containers are compared in documents only. */
    bool by_events =
        s->options.duplicates == WEIR_DUPLICATES_KEEP ||
        (s->options.duplicates != WEIR_DUPLICATES_LAST && !(weir_format_caps(s->format) & WEIR_CAP_ANY_KEY));
    if (by_events && s->options.limits.memory == WEIR_MEMORY_AUTO) {
        weir_reader *reader = open_reader(s, &drip, 0, &cause);
        weir_writer *writer = weir_writer_open(to, &pumped, &s->options, NULL);
        bool done = reader && weir_transcode(reader, writer, &cause);
        if (done != ok || (ok && !same_documents(to, &quick, &pumped))) {
            weir_buffer a = {0}, b = {0};
            error_text(&a, &error);
            text_hex(&a, text_of(&quick), quick.len);
            if (!done) {
                error_text(&b, &cause);
            }
            text_hex(&b, text_of(&pumped), pumped.len);
            fprintf(stderr, "to %s\n", weir_format_name(to));
            differ(s, "weir_convert / weir_transcode", text_of(&a), text_of(&b));
        }
        assert_true(ok || quick.len == 0);
        weir_reader_close(reader);
        weir_writer_close(writer);
    }
    weir_buffer_free(&quick);
    weir_buffer_free(&pumped);
}

/* ---- writing ---- */

struct small_sink {
    weir_buffer bytes;
    size_t step;
};

static ptrdiff_t sink_write(void *context, const void *bytes, size_t size)
{
    struct small_sink *sink = context;
    size = size < sink->step ? size : sink->step;
    return weir_buffer_append(&sink->bytes, bytes, size) ? (ptrdiff_t)size : -1;
}

static bool write_events(weir_writer *writer, const weir_val *val)
{
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.limits = weir_unlimited;
    weir_reader *reader = weir_reader_open_val(val, &options, NULL);
    const weir_event *event;
    bool ok = true;
    while (ok && (event = weir_reader_next(reader)) && event->kind != WEIR_KIND_END_DOCUMENT) {
        ok = weir_write_event(writer, event);
    }
    weir_reader_close(reader);
    return ok;
}

enum way { WAY_FUSED, WAY_PUT, WAY_EVENTS, WAY_SINK, WAY_COUNT };

/* One document in `to`, as hexadecimal digits or the error. */
static void write_by(enum way way, weir_buffer *out, const weir_val *val, const weir_format *to,
                     const weir_options *options)
{
    weir_error error;
    weir_buffer bytes = {0};
    struct small_sink sink = {{0}, 1};
    bool ok;
    if (way == WAY_FUSED) {
        ok = weir_write_val(to, val, options, &bytes, &error);
        assert_true(ok || bytes.len == 0);
    } else {
        weir_writer *writer =
            way == WAY_SINK ? weir_writer_open_sink(to, (weir_sink){sink_write, NULL, &sink}, options, &error)
                            : weir_writer_open(to, &bytes, options, &error);
        assert_non_null(writer);
        ok = (way == WAY_PUT ? weir_writer_put(writer, val) : write_events(writer, val)) &&
             weir_writer_finish(writer);
        error = *weir_writer_error(writer);
        if (ok) {
            assert_int_equal(weir_writer_offset(writer), way == WAY_SINK ? sink.bytes.len : bytes.len);
        }
        assert_true(ok || bytes.len == 0);
        weir_writer_close(writer);
    }
    const weir_buffer *made = way == WAY_SINK ? &sink.bytes : &bytes;
    if (ok) {
        text_hex(out, text_of(made), made->len);
    } else {
        error.offset = 0; /* how far the output had come differs */
        if (error.resource == WEIR_RESOURCE_OUTPUT) {
            error.requested = error.remaining = 0; /* and so does what was left, and wanted */
            error.path[0] = 0;
        }
        error_text(out, &error);
    }
    weir_buffer_free(&bytes);
    weir_buffer_free(&sink.bytes);
}

static void check_ways(const struct sample *s, const weir_val *val, const weir_format *to,
                       const weir_options *options)
{
    weir_buffer text[WAY_COUNT] = {{0}};
    for (int way = 0; way < WAY_COUNT; way++) {
        write_by((enum way)way, &text[way], val, to, options);
        if (way && strcmp(text_of(&text[0]), text_of(&text[way])) != 0) {
            struct sample shown = *s;
            shown.options = *options;
            fprintf(stderr, "writing %s\n", weir_format_name(to));
            differ(&shown,
                   way == WAY_PUT      ? "weir_write_val / weir_writer_put"
                   : way == WAY_EVENTS ? "weir_write_val / events"
                                       : "weir_write_val / sink",
                   text_of(&text[0]), text_of(&text[way]));
        }
    }
    for (int way = 0; way < WAY_COUNT; way++) {
        weir_buffer_free(&text[way]);
    }
}

/* ---- exact limits ---- */

static uint64_t *limit_of(weir_limits *limits, weir_resource resource)
{
    switch (resource) {
    case WEIR_RESOURCE_INPUT:
        return &limits->input;
    case WEIR_RESOURCE_OUTPUT:
        return &limits->output;
    case WEIR_RESOURCE_DEPTH:
        return &limits->depth;
    case WEIR_RESOURCE_NODES:
        return &limits->nodes;
    case WEIR_RESOURCE_ITEMS:
        return &limits->items;
    case WEIR_RESOURCE_ENTRIES:
        return &limits->entries;
    case WEIR_RESOURCE_KEY:
        return &limits->key;
    case WEIR_RESOURCE_STRING:
        return &limits->string;
    case WEIR_RESOURCE_NUMBER:
        return &limits->number;
    case WEIR_RESOURCE_PAYLOAD:
        return &limits->payload;
    default:
        return &limits->documents;
    }
}

/* What a document uses by the rules, from its events. Numbers are left out: their text isn't in the document.
 */
static void usage_of(const weir_val *val, weir_limits *used)
{
    memset(used, 0, sizeof *used);
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.limits = weir_unlimited;
    weir_reader *reader = weir_reader_open_val(val, &options, NULL);
    const weir_event *event;
    size_t open = 0; /* containers and tags around the event */
    while ((event = weir_reader_next(reader)) && event->kind != WEIR_KIND_END_DOCUMENT) {
        if (event->kind == WEIR_KIND_END) {
            open = reader->stack.size;
            continue;
        }
        uint64_t depth = open + 1;
        open = reader->stack.size;
        bool text = event->kind == WEIR_KIND_STRING || event->kind == WEIR_KIND_BYTES;
        if (!event->is_key) {
            used->nodes++;
            used->depth = depth > used->depth ? depth : used->depth;
        }
        if (event->kind == WEIR_KIND_ARRAY && event->count > used->items) {
            used->items = event->count;
        }
        if (event->kind == WEIR_KIND_MAP && event->count > used->entries) {
            used->entries = event->count;
        }
        if (text && event->is_key && event->len > used->key) {
            used->key = event->len;
        }
        if (text && !event->is_key && event->len > used->string) {
            used->string = event->len;
        }
    }
    weir_reader_close(reader);
}

static weir_code try_parse(const struct sample *s, const weir_options *options)
{
    weir_error error;
    weir_doc *doc = weir_parse(s->format, s->data, s->len, options, &error);
    weir_doc_free(doc);
    return doc ? WEIR_E_NONE : error.code;
}

static const weir_resource counted[] = {WEIR_RESOURCE_INPUT,  WEIR_RESOURCE_DEPTH,   WEIR_RESOURCE_NODES,
                                        WEIR_RESOURCE_ITEMS,  WEIR_RESOURCE_ENTRIES, WEIR_RESOURCE_KEY,
                                        WEIR_RESOURCE_STRING, WEIR_RESOURCE_NUMBER,  WEIR_RESOURCE_PAYLOAD};

static weir_code code_of(weir_resource resource)
{
    return (weir_code)((int)WEIR_E_LIMIT_INPUT + (int)resource - (int)WEIR_RESOURCE_INPUT);
}

/* A document that was accepted without limits: each limit at what it uses, and at one less. */
static void check_exact_reading(const struct sample *s, const weir_val *val)
{
    weir_limits used;
    usage_of(val, &used);
    bool any_key = weir_format_caps(s->format) & WEIR_CAP_ANY_KEY;
    bool keep =
        s->options.duplicates == WEIR_DUPLICATES_KEEP || s->options.duplicates == WEIR_DUPLICATES_REJECT;
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
        struct sample limited = *s;
        uint64_t *limit = limit_of(&limited.options.limits, counted[i]);
        uint64_t low = 0, high = (uint64_t)s->len * 2 + 64;
        while (low < high) { /* the least that is enough */
            *limit = low + (high - low) / 2;
            if (try_parse(&limited, &limited.options) == WEIR_E_NONE) {
                high = *limit;
            } else {
                low = *limit + 1;
            }
        }
        uint64_t expected = counted[i] == WEIR_RESOURCE_INPUT ? s->len : *limit_of(&used, counted[i]);
        bool known = counted[i] != WEIR_RESOURCE_NUMBER && counted[i] != WEIR_RESOURCE_PAYLOAD &&
                     (counted[i] == WEIR_RESOURCE_INPUT || keep) &&
                     (!any_key || counted[i] != WEIR_RESOURCE_KEY);
        if (known && low != expected) {
            char a[64], b[64];
            snprintf(a, sizeof a, "least that is enough: %" PRIu64, low);
            snprintf(b, sizeof b, "used: %" PRIu64, expected);
            differ(&limited, weir_resource_name(counted[i]), a, b);
        }
        *limit = low;
        check_one_document(&limited, NULL);
        if (low > 0) {
            *limit = low - 1;
            check_one_document(&limited, NULL);
            if (try_parse(&limited, &limited.options) != code_of(counted[i])) {
                differ(&limited, weir_resource_name(counted[i]), "refused for another reason", "");
            }
        }
    }
}

static bool try_write(const weir_val *val, const weir_format *to, const weir_options *options)
{
    weir_buffer bytes = {0};
    weir_writer *writer = weir_writer_open(to, &bytes, options, NULL);
    bool ok = write_events(writer, val) && weir_writer_finish(writer);
    weir_writer_close(writer);
    weir_buffer_free(&bytes);
    return ok;
}

static void check_exact_writing(const struct sample *s, const weir_val *val, const weir_format *to,
                                const weir_options *given)
{
    for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
        weir_options options = *given;
        weir_resource resource = i ? counted[i] : WEIR_RESOURCE_OUTPUT;
        uint64_t *limit = limit_of(&options.limits, resource);
        uint64_t low = 0, high = (uint64_t)s->len * 64 + 4096;
        while (low < high) {
            *limit = low + (high - low) / 2;
            if (try_write(val, to, &options)) {
                high = *limit;
            } else {
                low = *limit + 1;
            }
        }
        *limit = low;
        check_ways(s, val, to, &options);
        if (low > 0) {
            *limit = low - 1;
            check_ways(s, val, to, &options);
        }
    }
}

/* ---- events ---- */

/* What a reader gives is what a writer takes: order, keys, counts, UTF-8, numbers. Values skipped now and
 * then change nothing of what follows. */
static void check_events(const struct sample *s, rng *r)
{
    if (s->options.duplicates == WEIR_DUPLICATES_LAST) {
        return;
    }
    struct drip drip, other_drip;
    weir_error error;
    weir_options none = WEIR_OPTIONS_DEFAULT;
    none.limits = weir_unlimited;
    weir_reader *whole = open_reader(s, &drip, 0, &error),
                *skipping = open_reader(s, &other_drip, s->step, &error);
    weir_writer *writer = weir_writer_open_doc(&none, NULL);
    const weir_event *event, *other = NULL;
    bool complete = false;
    while (whole && skipping && (event = weir_reader_next(whole)) && event->kind != WEIR_KIND_END_STREAM) {
        weir_kind kind = (weir_kind)event->kind;
        if (!complete && !weir_write_event(writer, event)) {
            differ(s, "an event that a writer refuses", weir_code_name(weir_writer_error(writer)->code), "");
        }
        complete |= kind == WEIR_KIND_END_DOCUMENT;
        other = weir_reader_next(skipping);
        if (!other || other->kind != event->kind || other->offset != event->offset ||
            other->is_key != event->is_key) {
            differ(s, "events after a skip", weir_kind_name(kind),
                   other ? weir_kind_name((weir_kind)other->kind) : "none");
        }
        if (rng_below(r, 6) == 0 && kind < WEIR_KIND_END) {
            size_t depth = whole->stack.size;
            bool skipped = weir_reader_skip(skipping);
            bool container = kind == WEIR_KIND_ARRAY || kind == WEIR_KIND_MAP;
            if (kind == WEIR_KIND_TAGGED) {
                do { /* tags, then a scalar or a container */
                    event = weir_reader_next(whole);
                    if (event && !complete && !weir_write_event(writer, event)) {
                        differ(s, "an event that a writer refuses",
                               weir_code_name(weir_writer_error(writer)->code), "");
                    }
                } while (event && event->kind == WEIR_KIND_TAGGED);
                container = event && (event->kind == WEIR_KIND_ARRAY || event->kind == WEIR_KIND_MAP);
                depth = whole->stack.size;
            }
            while (container && whole->stack.size >= depth && (event = weir_reader_next(whole))) {
                if (!complete && !weir_write_event(writer, event)) {
                    differ(s, "an event that a writer refuses",
                           weir_code_name(weir_writer_error(writer)->code), "");
                }
            }
            if (skipped != (weir_reader_error(whole)->code == WEIR_E_NONE)) {
                differ(s, "a skip", weir_code_name(weir_reader_error(skipping)->code),
                       weir_code_name(weir_reader_error(whole)->code));
            }
            if (!skipped) {
                break;
            }
        }
    }
    if (whole && skipping && s->options.limits.input >= s->len) {
        assert_int_equal(weir_reader_error(whole)->code != WEIR_E_NONE, !weir_reader_next(whole));
        if (weir_reader_error(whole)->code != WEIR_E_NONE) {
            (void)weir_reader_next(skipping);
            assert_int_equal(weir_reader_error(whole)->code, weir_reader_error(skipping)->code);
            assert_int_equal(weir_reader_error(whole)->offset, weir_reader_error(skipping)->offset);
        }
    }
    if (complete) {
        assert_true(weir_writer_finish(writer));
        weir_doc_free(weir_writer_take_doc(writer));
    }
    weir_writer_close(writer);
    weir_reader_close(whole);
    weir_reader_close(skipping);
    weir_candidate found[3];
    size_t n = weir_format_detect(s->data, s->len, rng_below(r, 2), found, 3);
    for (size_t i = 0; i < n; i++) {
        assert_in_range(found[i].score, 1, 100);
        assert_true(i == 0 || found[i].score <= found[i - 1].score);
    }
}

/* ---- samples ---- */

static void draw_options(rng *r, weir_options *options, size_t len)
{
    *options = (weir_options)WEIR_OPTIONS_DEFAULT;
    options->numbers = (weir_numbers)rng_below(r, 4);
    options->duplicates = rng_below(r, 2) ? WEIR_DUPLICATES_KEEP : (weir_duplicates)rng_below(r, 4);
    options->limits.depth = rng_below(r, 4) ? 1024 : rng_below(r, 6);
    if (rng_below(r, 3) == 0) {
        for (int i = 0; i < 2; i++) {
            weir_resource resource = counted[rng_below(r, sizeof counted / sizeof *counted)];
            *limit_of(&options->limits, resource) =
                rng_below(r, resource == WEIR_RESOURCE_INPUT ? len + 2 : 12);
        }
    }
    if (rng_below(r, 8) == 0) {
        options->limits.documents = rng_below(r, 4);
    }
    options->flags |= rng_below(r, 4) ? 0 : WEIR_DETAIL;
    options->flags |= rng_below(r, 4) ? 0 : WEIR_BORROW;
    options->flags |= rng_below(r, 4) ? 0 : WEIR_MULTI;
    options->flags |= rng_below(r, 4) ? 0 : WEIR_SKIP_BAD;
    options->flags |= rng_below(r, 8) ? 0 : WEIR_KEEP_SPANS;
    options->allow |= rng_below(r, 6) ? 0 : WEIR_ALLOW_BOM;
}

static void draw_writing(rng *r, weir_options *options)
{
    options->flags &= ~(uint32_t)(WEIR_SKIP_BAD);
    options->flags |= rng_below(r, 6) ? 0 : WEIR_SORT_KEYS;
    options->flags |= rng_below(r, 8) ? 0 : WEIR_CANONICAL;
    options->flags |= rng_below(r, 8) ? 0 : WEIR_ASCII;
    options->flags |= rng_below(r, 4) ? 0 : WEIR_BUFFERED;
    options->allow |=
        rng_below(r, 2) ? WEIR_ALLOW_ALL & ~(uint32_t)(WEIR_ALLOW_BOM) : (uint32_t)rng_below(r, 128);
    options->indent = rng_below(r, 3) ? 0 : (uint32_t)rng_below(r, 9);
}

static const weir_format *draw_format(rng *r)
{
    size_t count = 0;
    while (weir_format_at(count)) {
        count++;
    }
    return weir_format_at((size_t)rng_below(r, count));
}

/* One round: an input, options, and all paths. */
static void round_of(uint64_t seed, bool damaged)
{
    rng r = {seed};
    weir_buffer input = {0};
    struct sample s = {.format = draw_format(&r), .seed = seed};
    generate(&r, s.format, &input);
    if (damaged) {
        damage(&r, &input);
    }
    char *copy =
        malloc(input.len ? input.len : 1); /* of exactly this size: sanitizers see what is read beyond */
    if (input.len) {
        memcpy(copy, input.data, input.len);
    }
    s.data = copy;
    s.len = input.len;
    s.step = 1 + (size_t)rng_below(&r, rng_below(&r, 2) ? 3 : 40);
    draw_options(&r, &s.options, s.len);
    weir_doc *doc = NULL;
    check_one_document(&s, &doc);
    check_prefixes(&s);
    check_streams(&s);
    if (s.options.limits.input >= s.len) {
        check_events(&s, &r);
    }
    struct sample plain = s;
    plain.options.limits = (weir_limits)WEIR_LIMITS_DEFAULT;
    plain.options.limits.number = 100000;
    weir_error error;
    weir_doc *whole = weir_parse(plain.format, plain.data, plain.len, &plain.options, &error);
    if (whole) {
        if (!(s.options.flags & WEIR_SKIP_BAD)) {
            check_exact_reading(&plain, weir_doc_root(whole));
        }
        const weir_format *to = draw_format(&r);
        weir_options writing = s.options;
        draw_writing(&r, &writing);
        check_ways(&s, weir_doc_root(whole), to, &writing);
        writing.limits = (weir_limits)WEIR_LIMITS_DEFAULT;
        writing.limits.number = 100000;
        check_ways(&s, weir_doc_root(whole), to, &writing);
        if (try_write(weir_doc_root(whole), to, &writing)) {
            check_exact_writing(&s, weir_doc_root(whole), to, &writing);
        }
    }
    struct sample converted = s;
    draw_writing(&r, &converted.options);
    check_conversion(&converted, draw_format(&r));
    weir_doc_free(doc);
    weir_doc_free(whole);
    weir_buffer_free(&input);
    free(copy);
}

static void all_paths_agree_on_generated_inputs(void **state)
{
    (void)state;
    rng r = rng_new(20260504);
    for (unsigned i = rounds(400); i > 0; i--) {
        round_of(rng_next(&r), false);
    }
}

static void all_paths_agree_on_damaged_inputs(void **state)
{
    (void)state;
    rng r = rng_new(4052026);
    for (unsigned i = rounds(800); i > 0; i--) {
        round_of(rng_next(&r), true);
    }
}

/* Cut at every byte: all paths tell the same, for each format. */
static void all_paths_agree_on_cut_inputs(void **state)
{
    (void)state;
    rng r = rng_new(777);
    for (unsigned i = rounds(40); i > 0; i--) {
        weir_buffer input = {0};
        struct sample s = {.format = draw_format(&r), .seed = i, .step = 1 + (size_t)rng_below(&r, 3)};
        generate(&r, s.format, &input);
        draw_options(&r, &s.options, input.len);
        for (s.len = 0; s.len < input.len && s.len < 300; s.len++) {
            char *copy = malloc(s.len ? s.len : 1);
            memcpy(copy, input.data, s.len);
            s.data = copy;
            check_one_document(&s, NULL);
            check_prefixes(&s);
            check_streams(&s);
            free(copy);
        }
        weir_buffer_free(&input);
    }
}

/* What a document took too much is given back, whereby its block may move away from borrowed text. */
static void a_borrowed_document_survives_that_its_block_moves(void **state)
{
    (void)state;
    enum { SIZE = 40000 };
    char *cbor = malloc(SIZE + 9);
    memcpy(cbor, "\x82\x61z\x59\x9C\x40", 6);
    memset(cbor + 6, 'b', SIZE);
    fault_allocator fault = {0}; /* moves every block */
    weir_allocator allocator = fault_hook(&fault);
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.allocator = &allocator;
    options.flags = WEIR_BORROW;
    weir_doc *doc = weir_parse(weir_cbor, cbor, 6 + SIZE, &options, NULL);
    assert_non_null(doc);
    size_t len;
    assert_ptr_equal(weir_val_str(weir_at(weir_doc_root(doc), 0), &len), cbor + 2);
    assert_ptr_equal(weir_val_str(weir_at(weir_doc_root(doc), 1), &len), cbor + 6);
    assert_int_equal(len, SIZE);
    assert_in_range(weir_doc_memory(doc), 1, 4096);
    weir_doc_free(doc);
    assert_int_equal(fault.live_blocks, 0);
    assert_int_equal(fault.wrong_sizes, 0);
    free(cbor);
}

int main(void)
{
    const char *one = getenv("WEIR_ONE");
    if (one) { /* the round that a failure named */
        round_of(strtoull(one, NULL, 0), getenv("WEIR_DAMAGED") != NULL);
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_paths_agree_on_generated_inputs),
        cmocka_unit_test(all_paths_agree_on_damaged_inputs),
        cmocka_unit_test(all_paths_agree_on_cut_inputs),
        cmocka_unit_test(a_borrowed_document_survives_that_its_block_moves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
