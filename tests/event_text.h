/* Events as one line of text, so that tests read as tables of input -> events.
 *
 *   null true false 7 -7 1.5 (f64) 1.5_2 (f32) 1.5_1 (f16) number(1e400) "text" h'0102'
 *   time(seconds nanoseconds offset digits shape) [count … ] {count … } [_ … ] {_ … } #5 #name
 *
 * A colon behind the first token marks a key; | is the end of a document, $ of the stream; an error is
 * !code@offset. */
#ifndef TESTS_EVENT_TEXT_H
#define TESTS_EVENT_TEXT_H

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "weir/weir.h"

/* A source that gives at most `step` bytes at a time. */
struct drip {
    const char *data;
    size_t left, step;
};

static inline ptrdiff_t drip_read(void *context, void *out, size_t size)
{
    struct drip *drip = context;
    size_t n = size < drip->step ? size : drip->step;
    n = n < drip->left ? n : drip->left;
    memcpy(out, drip->data, n);
    drip->data += n;
    drip->left -= n;
    return (ptrdiff_t)n;
}

static inline void text_add(weir_buffer *out, const char *text, size_t len)
{
    if (!weir_buffer_append(out, text, len)) {
        abort();
    }
}

static inline void text_puts(weir_buffer *out, const char *text)
{
    text_add(out, text, strlen(text));
}

static inline void text_hex(weir_buffer *out, const void *bytes, size_t n)
{
    char two[3];
    for (size_t i = 0; i < n; i++) {
        snprintf(two, sizeof two, "%02x", ((const unsigned char *)bytes)[i]);
        text_puts(out, two);
    }
}

static inline void text_count(weir_buffer *out, const char *open, uint64_t count)
{
    char text[32];
    snprintf(text, sizeof text, count == WEIR_UNKNOWN ? "%s_" : "%s%" PRIu64, open, count);
    text_puts(out, text);
}

static inline void text_real(weir_buffer *out, const weir_event *event)
{
    char text[NUM_DOUBLE_SIZE + 8];
    uint64_t bits;
    memcpy(&bits, &event->v.d, sizeof bits);
    if (isnan(event->v.d)) {
        snprintf(text, sizeof text, "nan:%" PRIx64, bits);
    } else if (isinf(event->v.d)) {
        snprintf(text, sizeof text, "%sinf", event->v.d < 0 ? "-" : "");
    } else {
        text[num_print_double(text, event->v.d)] = '\0';
    }
    text_puts(out, text);
    text_puts(out, event->width == WEIR_WIDTH_16 ? "_1" : event->width == WEIR_WIDTH_32 ? "_2" : "");
}

static inline void text_event(weir_buffer *out, const weir_event *event)
{
    char text[160];
    switch (event->kind) {
    case WEIR_KIND_NULL:
        text_puts(out, "null");
        break;
    case WEIR_KIND_FALSE:
        text_puts(out, "false");
        break;
    case WEIR_KIND_TRUE:
        text_puts(out, "true");
        break;
    case WEIR_KIND_UINT:
        text_add(out, text, num_print_u64(text, event->v.u));
        break;
    case WEIR_KIND_INT:
        text_add(out, text, num_print_i64(text, event->v.i));
        break;
    case WEIR_KIND_REAL:
        text_real(out, event);
        break;
    case WEIR_KIND_NUMBER:
        text_puts(out, "number(");
        text_add(out, event->text, event->len);
        text_puts(out, ")");
        break;
    case WEIR_KIND_STRING:
        text_puts(out, "\"");
        text_add(out, event->text, event->len);
        text_puts(out, "\"");
        break;
    case WEIR_KIND_BYTES:
        text_puts(out, "h'");
        text_hex(out, event->text, event->len);
        text_puts(out, "'");
        break;
    case WEIR_KIND_TIMESTAMP:
        snprintf(text, sizeof text, "time(%" PRId64 " %" PRIu32 " %d %d %d)", event->v.time.seconds,
                 event->v.time.nanoseconds, event->v.time.offset_minutes, event->v.time.digits,
                 event->v.time.shape);
        text_puts(out, text);
        break;
    case WEIR_KIND_ARRAY:
        text_count(out, "[", event->count);
        break;
    case WEIR_KIND_MAP:
        text_count(out, "{", event->count);
        break;
    case WEIR_KIND_TAGGED:
        if (event->text) {
            text_puts(out, "#");
            text_add(out, event->text, event->len);
        } else {
            text[0] = '#';
            text_add(out, text, 1 + num_print_u64(text + 1, event->v.u));
        }
        break;
    case WEIR_KIND_END:
        text_puts(out, "end");
        break;
    case WEIR_KIND_END_DOCUMENT:
        text_puts(out, "|");
        break;
    default:
        text_puts(out, "$");
        break;
    }
    text_puts(out, event->is_key ? ": " : " ");
}

static inline void text_error(weir_buffer *out, const weir_error *error)
{
    char text[128];
    snprintf(text, sizeof text, "!%s@%" PRIu64 " ", weir_code_name(error->code), error->offset);
    text_puts(out, text);
}

/* All events of the input, read from memory (step 0) or step bytes at a time. Free *out. */
static inline weir_reader *events_open(const weir_format *format, struct drip *drip,
                                       const weir_options *options, weir_error *error)
{
    weir_source source = {drip_read, drip};
    return drip->step ? weir_reader_open_source(format, source, options, error)
                      : weir_reader_open(format, drip->data, drip->left, options, error);
}

static inline void events_of(weir_buffer *out, const weir_format *format, const void *data, size_t n,
                             const weir_options *options, size_t step)
{
    weir_error error;
    struct drip drip = {data, n, step};
    const weir_event *event;
    weir_reader *reader = events_open(format, &drip, options, &error);
    if (!reader) {
        text_error(out, &error);
    } else {
        while ((event = weir_reader_next(reader)) && event->kind != WEIR_KIND_END_STREAM) {
            text_event(out, event);
        }
        if (!event) {
            text_error(out, weir_reader_error(reader));
        }
    }
    weir_reader_close(reader);
    if (out->len && out->data[out->len - 1] == ' ') {
        out->data[--out->len] = '\0';
    }
}

/* Reads in one format and writes in another, event by event; false: text_error in *out. */
static inline bool rewrite(weir_buffer *out, const weir_format *from, const void *data, size_t n,
                           const weir_format *to, const weir_options *options)
{
    weir_error error;
    const weir_event *event = NULL;
    weir_buffer bytes = {0};
    weir_reader *reader = weir_reader_open(from, data, n, options, &error);
    weir_writer *writer = weir_writer_open(to, &bytes, options, &error);
    if (!reader || !writer) {
        abort();
    }
    while ((event = weir_reader_next(reader)) && event->kind != WEIR_KIND_END_STREAM) {
        if (event->kind != WEIR_KIND_END_DOCUMENT && !weir_write_event(writer, event)) {
            break;
        }
    }
    bool ok = event && event->kind == WEIR_KIND_END_STREAM && weir_writer_finish(writer);
    if (ok) {
        text_add(out, bytes.data ? bytes.data : "", bytes.len);
    } else {
        text_error(out, event ? weir_writer_error(writer) : weir_reader_error(reader));
        out->data[--out->len] = '\0';
    }
    weir_reader_close(reader);
    weir_writer_close(writer);
    weir_buffer_free(&bytes);
    return ok;
}

/* Hexadecimal digits (blanks and '-' between them are skipped) as bytes appended to *out. */
static inline void unhex(weir_buffer *out, const char *hex, size_t n)
{
    int high = -1;
    for (size_t i = 0; i < n; i++) {
        int digit = hex[i] >= '0' && hex[i] <= '9'   ? hex[i] - '0'
                    : hex[i] >= 'a' && hex[i] <= 'f' ? hex[i] - 'a' + 10
                    : hex[i] >= 'A' && hex[i] <= 'F' ? hex[i] - 'A' + 10
                                                     : -1;
        if (digit >= 0 && high >= 0) {
            char byte = (char)(high << 4 | digit);
            text_add(out, &byte, 1);
            high = -1;
        } else if (digit >= 0) {
            high = digit;
        }
    }
}

/* ---- tables; for programs that include <cmocka.h> before this ---- */
#ifdef CMOCKA_H_

struct row {
    const char *input, *expected; /* input: hexadecimal digits for binary formats, text for the others */
};

static inline void input_of(weir_buffer *out, const weir_format *format, const char *input)
{
    if (weir_format_caps(format) & WEIR_CAP_TEXT) {
        text_puts(out, input);
    } else {
        unhex(out, input, strlen(input));
    }
}

/* One row: the events from memory, and the same ones from streams that give 1, 2, 3 and 7 bytes at a time. */
static inline void expect_events(const weir_format *format, const char *input, const weir_options *options,
                                 const char *expected)
{
    static const size_t steps[] = {0, 1, 2, 3, 7};
    weir_buffer bytes = {0};
    input_of(&bytes, format, input);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        weir_buffer events = {0};
        /* A copy of exactly this size: a byte read beyond it is seen by the sanitizers. */
        char *copy = malloc(bytes.len ? bytes.len : 1);
        if (bytes.len) {
            memcpy(copy, bytes.data, bytes.len);
        }
        events_of(&events, format, copy, bytes.len, options, steps[i]);
        if (strcmp(events.data ? events.data : "", expected) != 0) {
            fail_msg("%s, %zu bytes at a time: %s instead of %s", input, steps[i],
                     events.data ? events.data : "nothing", expected);
        }
        free(copy);
        weir_buffer_free(&events);
    }
    weir_buffer_free(&bytes);
}

static inline void expect_rows(const weir_format *format, const struct row *rows, size_t n,
                               const weir_options *options)
{
    for (size_t i = 0; i < n; i++) {
        expect_events(format, rows[i].input, options, rows[i].expected);
    }
}

#define EXPECT_EVENTS(format, rows, options) expect_rows(format, rows, sizeof(rows) / sizeof *(rows), options)

/* Reads `input` and writes its events in another format: hexadecimal digits of a binary one, text, or
 * !code@offset. */
static inline void expect_rewrite(const weir_format *from, const char *input, const weir_format *to,
                                  const weir_options *options, const char *expected)
{
    weir_buffer bytes = {0}, out = {0}, shown = {0};
    input_of(&bytes, from, input);
    bool ok = rewrite(&out, from, bytes.data ? bytes.data : "", bytes.len, to, options);
    if (ok && !(weir_format_caps(to) & WEIR_CAP_TEXT)) {
        text_hex(&shown, out.data ? out.data : "", out.len);
    } else {
        text_add(&shown, out.data ? out.data : "", out.len);
    }
    if (strcmp(shown.data ? shown.data : "", expected) != 0) {
        fail_msg("%s: %s instead of %s", input, shown.data ? shown.data : "nothing", expected);
    }
    weir_buffer_free(&bytes);
    weir_buffer_free(&out);
    weir_buffer_free(&shown);
}

static inline void expect_rewrites(const weir_format *from, const weir_format *to, const struct row *rows,
                                   size_t n, const weir_options *options)
{
    for (size_t i = 0; i < n; i++) {
        expect_rewrite(from, rows[i].input, to, options, rows[i].expected);
    }
}

#define EXPECT_REWRITES(from, to, rows, options) \
    expect_rewrites(from, to, rows, sizeof(rows) / sizeof *(rows), options)

/* Cuts a document that is right at every byte: what is left must be incomplete, never right and never wrong.
 * From memory and from a stream. */
static inline void expect_cuts(const weir_format *format, const char *input, const weir_options *options)
{
    weir_buffer bytes = {0};
    input_of(&bytes, format, input);
    for (size_t n = 1; n < bytes.len; n++) {
        for (size_t step = 0; step < 2; step++) {
            weir_error error;
            struct drip drip = {bytes.data, n, step};
            weir_reader *reader = events_open(format, &drip, options, &error);
            const weir_event *event;
            while ((event = weir_reader_next(reader)) && event->kind != WEIR_KIND_END_STREAM) {
            }
            weir_category category = weir_code_category(weir_reader_error(reader)->code);
            if (event || category != WEIR_CATEGORY_INCOMPLETE) {
                fail_msg("%s cut at %zu: %s", input, n, weir_code_name(weir_reader_error(reader)->code));
            }
            weir_reader_close(reader);
        }
    }
    weir_buffer_free(&bytes);
}

#endif
#endif
