/* A short notation for documents, so that tests can be tables: read through the document writer's events, and
 * written with the public accessors.
 *
 *   null true false 7 -7 1.5 1.5f 1.5h nan inf -inf  #12e3# (a NUMBER)  'text'  x'bytes'  s'secret'  t12 (a
 * timestamp, seconds)  @5 value  @'name' value  [1,2]  {'key':value, 5:value}
 *
 * In quotes a backslash takes the next byte as it is, \z is a NUL. */
#ifndef TESTS_VALUE_NOTATION_H
#define TESTS_VALUE_NOTATION_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "flow/frames.h"
#include "flow/writer_priv.h"
#include "support.h"
#include "weir/weir.h"

/* The text up to the closing quote; p stands behind the opening one. */
static inline const char *notation_quoted(const char *p, char quote, char *out, size_t *len)
{
    *len = 0;
    for (; *p != quote; p++) {
        if (*p == '\\') {
            p++;
        }
        out[(*len)++] = p[0] == 'z' && p[-1] == '\\' ? '\0' : *p;
    }
    return p + 1;
}

static inline const char *notation_number(const char *p, weir_event *event)
{
    char *end;
    size_t digits = strspn(p, "+-0123456789");
    bool real = strchr(".enihf", p[digits]) && p[digits];
    if (!real) {
        event->kind = *p == '-' ? WEIR_KIND_INT : WEIR_KIND_UINT;
        event->v.u = *p == '-' ? (uint64_t)strtoll(p, &end, 10) : strtoull(p, &end, 10);
        return end;
    }
    event->kind = WEIR_KIND_REAL;
    event->v.d = strtod(p, &end);
    if (*end == 'f' || *end == 'h') {
        event->width = *end == 'f' ? WEIR_WIDTH_32 : WEIR_WIDTH_16;
        end++;
    }
    return end;
}

/* The next token as an event; false at the end. */
static inline bool notation_next(const char **at, weir_event *event, char *scratch)
{
    const char *p = *at + strspn(*at, " ,:");
    memset(event, 0, sizeof *event);
    event->text = scratch;
    event->offset = (uint64_t)(p - *at);
    switch (*p) {
    case '\0':
        return false;
    case '[':
    case '{':
        event->kind = *p++ == '[' ? WEIR_KIND_ARRAY : WEIR_KIND_MAP;
        event->count = WEIR_UNKNOWN;
        break;
    case ']':
    case '}':
        event->kind = WEIR_KIND_END;
        p++;
        break;
    case '\'':
        event->kind = WEIR_KIND_STRING;
        p = notation_quoted(p + 1, '\'', scratch, &event->len);
        break;
    case '#':
        event->kind = WEIR_KIND_NUMBER;
        p = notation_quoted(p + 1, '#', scratch, &event->len);
        break;
    case 'x':
    case 's':
        event->kind = *p == 'x' ? WEIR_KIND_BYTES : WEIR_KIND_SECRET;
        p = notation_quoted(p + 2, '\'', scratch, &event->len);
        break;
    case '@':
        event->kind = WEIR_KIND_TAGGED;
        if (p[1] == '\'') {
            p = notation_quoted(p + 2, '\'', scratch, &event->len);
        } else {
            event->text = NULL;
            event->v.u = strtoull(p + 1, (char **)&p, 10);
        }
        break;
    case 'n':
        if (p[1] == 'u') {
            event->kind = WEIR_KIND_NULL;
            p += 4;
            break;
        }
        p = notation_number(p, event);
        break;
    case 't':
        if (p[1] == 'r') {
            event->kind = WEIR_KIND_TRUE;
            p += 4;
            break;
        }
        event->kind = WEIR_KIND_TIMESTAMP;
        event->v.time = (weir_timestamp){.seconds = strtoll(p + 1, (char **)&p, 10)};
        break;
    case 'f':
        event->kind = WEIR_KIND_FALSE;
        p += 5;
        break;
    default:
        p = notation_number(p, event);
    }
    *at = p;
    return true;
}

/* Writes a notation into a writer; false after an error. Event offsets are those in the notation. */
static inline bool notation_write(weir_writer *w, const char *notation)
{
    char *scratch = malloc(strlen(notation) + 1);
    const char *p = notation;
    weir_event event;
    bool ok = true;
    while (ok) {
        const char *before = p;
        if (!notation_next(&p, &event, scratch)) {
            break;
        }
        event.offset += (uint64_t)(before - notation);
        event.is_key = event.kind != WEIR_KIND_END && frames_want_key(&w->stack);
        ok = weir_write_event(w, &event);
    }
    free(scratch);
    return ok;
}

static inline weir_doc *notation_doc_with(const char *notation, const weir_options *options,
                                          weir_error *error)
{
    weir_writer *w = weir_writer_open_doc(options, error);
    if (!w) {
        return NULL;
    }
    weir_doc *doc = NULL;
    if (notation_write(w, notation) && weir_writer_finish(w)) {
        doc = weir_writer_take_doc(w);
    } else if (error) {
        *error = *weir_writer_error(w);
    }
    weir_writer_close(w);
    return doc;
}

static inline weir_doc *notation_doc(const char *notation)
{
    weir_doc *doc = notation_doc_with(notation, NULL, NULL);
    if (!doc) {
        fail_msg("no document: %s", notation);
    }
    return doc;
}

/* ---- back to notation ---- */

static inline void show_quoted(weir_buffer *out, const weir_val *val, const char *open, char close)
{
    size_t len;
    const char *text = weir_val_str(val, &len);
    assert_true(weir_buffer_append(out, open, strlen(open)));
    for (size_t i = 0; i < len; i++) {
        if (text[i] == close || text[i] == '\\' || !text[i]) {
            assert_true(weir_buffer_append(out, "\\", 1));
        }
        assert_true(weir_buffer_append(out, text[i] ? text + i : "z", 1));
    }
    assert_true(weir_buffer_append(out, &close, 1));
}

static inline void show_real(char *text, size_t size, const weir_val *val)
{
    double d = 0;
    assert_true(weir_val_f64(val, &d));
    snprintf(text, size, "%.17g", d);
    if (d != d) {
        snprintf(text, size, "nan");
    } else if (!strpbrk(text, ".enif")) {
        strcat(text, ".0");
    }
    strcat(text, weir_val_width(val) == WEIR_WIDTH_32   ? "f"
                 : weir_val_width(val) == WEIR_WIDTH_16 ? "h"
                                                        : "");
}

static inline void show_into(weir_buffer *out, const weir_val *val);

static inline void show_children(weir_buffer *out, const weir_val *val, const char *brackets)
{
    weir_iter it = weir_iter_of(val);
    size_t count = 0;
    assert_true(weir_buffer_append(out, brackets, 1));
    while (weir_iter_next(&it)) {
        assert_int_equal(it.index, count);
        if (count++) {
            assert_true(weir_buffer_append(out, ",", 1));
        }
        if (it.key) {
            show_into(out, it.key);
            assert_true(weir_buffer_append(out, ":", 1));
        }
        show_into(out, it.val);
    }
    assert_int_equal(count, weir_val_count(val));
    assert_true(weir_buffer_append(out, brackets + 1, 1));
}

static inline void show_into(weir_buffer *out, const weir_val *val)
{
    char text[64];
    uint64_t u = 0;
    int64_t i = 0;
    weir_timestamp time;
    switch (weir_val_kind(val)) {
    case WEIR_KIND_NULL:
        snprintf(text, sizeof text, "null");
        break;
    case WEIR_KIND_FALSE:
    case WEIR_KIND_TRUE:
        snprintf(text, sizeof text, weir_val_bool(val) ? "true" : "false");
        break;
    case WEIR_KIND_UINT:
        assert_true(weir_val_u64(val, &u));
        snprintf(text, sizeof text, "%llu", (unsigned long long)u);
        break;
    case WEIR_KIND_INT:
        assert_true(weir_val_i64(val, &i));
        snprintf(text, sizeof text, "%lld", (long long)i);
        break;
    case WEIR_KIND_REAL:
        show_real(text, sizeof text, val);
        break;
    case WEIR_KIND_TIMESTAMP:
        assert_true(weir_val_timestamp(val, &time));
        snprintf(text, sizeof text, "t%lld", (long long)time.seconds);
        break;
    case WEIR_KIND_STRING:
        show_quoted(out, val, "'", '\'');
        return;
    case WEIR_KIND_BYTES:
        show_quoted(out, val, "x'", '\'');
        return;
    case WEIR_KIND_SECRET:
        show_quoted(out, val, "s'", '\'');
        return;
    case WEIR_KIND_NUMBER:
        show_quoted(out, val, "#", '#');
        return;
    case WEIR_KIND_ARRAY:
        show_children(out, val, "[]");
        return;
    case WEIR_KIND_MAP:
        show_children(out, val, "{}");
        return;
    case WEIR_KIND_TAGGED:
        assert_true(weir_buffer_append(out, "@", 1));
        show_into(out, weir_val_tag(val));
        assert_true(weir_buffer_append(out, " ", 1));
        show_into(out, weir_val_tagged(val));
        return;
    default:
        fail_msg("kind %d", (int)weir_val_kind(val));
    }
    assert_true(weir_buffer_append(out, text, strlen(text)));
}

static inline void assert_shows(const weir_val *val, const char *expected)
{
    weir_buffer out = {0};
    show_into(&out, val);
    assert_string_equal(out.data, expected);
    weir_buffer_free(&out);
}

/* Runs body(options, data) with its n-th request for memory refused, for n = 1, 2, … until it succeeds. body
 * returns true on success and must otherwise have seen a memory error; nothing may be left behind. */
static inline void with_every_fault(bool (*body)(const weir_options *options, void *data), void *data)
{
    bool done = false;
    for (uint64_t n = 1; !done; n++) {
        fault_allocator fault = {.fail_at = n};
        weir_allocator hook = fault_hook(&fault);
        weir_options options = WEIR_OPTIONS_DEFAULT;
        options.allocator = &hook;
        done = body(&options, data);
        assert_int_equal(done, fault.failures == 0);
        assert_int_equal(fault.live_blocks, 0);
        assert_int_equal(fault.wrong_sizes, 0);
        assert_true(n < 10000);
    }
}

#endif
