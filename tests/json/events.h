/* What a reader gives, as one line of text, for tables of input -> expected.
 *
 *   null n · true t · false f · UINT u7 · INT i-7 · REAL d1.5 (shortest text, width f as 'f') · NUMBER #1e999
 *   STRING "text" (bytes outside printable ASCII as \xHH, also quote and backslash) · a key has a k before it
 *   ARRAY [ · MAP { · END . · END_DOCUMENT ; · END_STREAM $ · error !code@offset line:column */
#ifndef TESTS_JSON_EVENTS_H
#define TESTS_JSON_EVENTS_H

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "weir/weir.h"

static inline void put(weir_buffer *out, const char *format, ...)
{
    char piece[256];
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(piece, sizeof piece, format, arguments);
    va_end(arguments);
    assert_true(n >= 0 && (size_t)n < sizeof piece && weir_buffer_append(out, piece, (size_t)n));
}

static inline void put_text(weir_buffer *out, const char *text, size_t len)
{
    put(out, "\"");
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < 0x20 || c > 0x7E || c == '"' || c == '\\') {
            put(out, "\\x%02X", c);
        } else {
            put(out, "%c", c);
        }
    }
    put(out, "\"");
}

static inline void put_real(weir_buffer *out, double value)
{
    char text[40];
    if (value > -1e15 && value < 1e15 && value != 0 && value == (double)(int64_t)value) {
        put(out, "d%.0f", value);
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    put(out, "d%s", text);
}

static inline void put_event(weir_buffer *out, const weir_event *e)
{
    if (e->is_key) {
        put(out, "k");
    }
    switch (e->kind) {
    case WEIR_KIND_NULL:
        put(out, "n ");
        break;
    case WEIR_KIND_FALSE:
        put(out, "f ");
        break;
    case WEIR_KIND_TRUE:
        put(out, "t ");
        break;
    case WEIR_KIND_UINT:
        put(out, "u%" PRIu64 " ", e->v.u);
        break;
    case WEIR_KIND_INT:
        put(out, "i%" PRId64 " ", e->v.i);
        break;
    case WEIR_KIND_REAL:
        put_real(out, e->v.d);
        put(out, " ");
        break;
    case WEIR_KIND_NUMBER:
        put(out, "#");
        assert_true(weir_buffer_append(out, e->text, e->len));
        put(out, " ");
        break;
    case WEIR_KIND_STRING:
        put_text(out, e->text, e->len);
        put(out, " ");
        break;
    case WEIR_KIND_ARRAY:
        put(out, "[ ");
        break;
    case WEIR_KIND_MAP:
        put(out, "{ ");
        break;
    case WEIR_KIND_END:
        put(out, ". ");
        break;
    case WEIR_KIND_END_DOCUMENT:
        put(out, "; ");
        break;
    case WEIR_KIND_END_STREAM:
        put(out, "$");
        break;
    default:
        put(out, "?%u ", e->kind);
    }
}

static inline void put_error(weir_buffer *out, const weir_error *error)
{
    put(out, "!%s@%" PRIu64 " %" PRIu64 ":%" PRIu64, weir_code_name(error->code), error->offset, error->line,
        error->column);
}

/* All events of a reader, then its end or its error. Closes it. */
static inline void put_events(weir_buffer *out, weir_reader *reader)
{
    const weir_event *event;
    assert_non_null(reader);
    while ((event = weir_reader_next(reader))) {
        put_event(out, event);
        if (event->kind == WEIR_KIND_END_STREAM) {
            weir_reader_close(reader);
            return;
        }
    }
    put_error(out, weir_reader_error(reader));
    weir_reader_close(reader);
}

static inline char *events_of(const weir_format *format, const void *data, size_t len,
                              const weir_options *options)
{
    weir_buffer out = {0};
    weir_error error;
    /* A copy without slack, so that a tool that watches memory sees every byte read beyond the input. */
    char *copy = malloc(len ? len : 1);
    assert_non_null(copy);
    if (len) {
        memcpy(copy, data, len);
    }
    weir_reader *reader = weir_reader_open(format, copy, len, options, &error);
    if (reader) {
        put_events(&out, reader);
    } else {
        put_error(&out, &error);
    }
    free(copy);
    return out.data;
}

/* A source that gives the input in pieces of at most `step` bytes. */
struct pieces {
    const char *data;
    size_t len, at, step;
};

static inline ptrdiff_t read_piece(void *context, void *out, size_t size)
{
    struct pieces *pieces = context;
    size_t left = pieces->len - pieces->at, n = pieces->step < left ? pieces->step : left;
    n = n < size ? n : size;
    if (n) {
        memcpy(out, pieces->data + pieces->at, n);
    }
    pieces->at += n;
    return (ptrdiff_t)n;
}

static inline char *events_of_pieces(const weir_format *format, const void *data, size_t len, size_t step,
                                     const weir_options *options)
{
    struct pieces pieces = {data, len, 0, step};
    weir_source source = {read_piece, &pieces};
    weir_buffer out = {0};
    put_events(&out, weir_reader_open_source(format, source, options, NULL));
    return out.data;
}

/* All documents of a reader, each as its events, then the stream's end or the error. Closes it. */
static inline void put_documents(weir_buffer *out, weir_reader *reader)
{
    weir_error error;
    weir_doc *doc;
    assert_non_null(reader);
    while ((doc = weir_read_doc(reader, &error))) {
        weir_reader *values = weir_reader_open_val(weir_doc_root(doc), NULL, NULL);
        const weir_event *event;
        assert_non_null(values);
        while ((event = weir_reader_next(values)) && event->kind != WEIR_KIND_END_STREAM) {
            put_event(out, event);
        }
        assert_non_null(event);
        weir_reader_close(values);
        weir_doc_free(doc);
    }
    if (error.code == WEIR_E_NONE) {
        put(out, "$");
    } else {
        put_error(out, &error);
    }
    weir_reader_close(reader);
}

/* One row: this input gives this line, from memory and byte by byte. */
static inline void expect_bytes(const weir_format *format, const char *input, size_t len,
                                const weir_options *options, const char *expected)
{
    char *whole = events_of(format, input, len, options);
    if (strcmp(whole, expected) != 0) {
        print_message("input: %.*s\n", (int)len, input);
    }
    assert_string_equal(whole, expected);
    free(whole);
    char *pieces = events_of_pieces(format, input, len, 1, options);
    if (strcmp(pieces, expected) != 0) {
        print_message("byte by byte: %.*s\n", (int)len, input);
    }
    assert_string_equal(pieces, expected);
    free(pieces);
}

static inline void expect(const weir_format *format, const char *input, const weir_options *options,
                          const char *expected)
{
    expect_bytes(format, input, strlen(input), options, expected);
}

#endif
