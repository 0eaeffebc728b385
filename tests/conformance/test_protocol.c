/* Writers refuse every wrong order of calls in every format, make no broken output, keep the output limit to
 * the byte, and cope with sinks that take little, fail anywhere or can't flush. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>

#include "event_text.h"
#include "support.h"

/* ---- a language for calls: one character a call ----
 *   n null   s string   k key   [ array   { map   ] end   t tag   T named tag   2 array of two   3 map of two
 *   0 array of none   K a null as a key   A an array as a key   b binary   f finish   | END_DOCUMENT as an
 * event */
static bool call(weir_writer *w, char c)
{
    weir_event event = {.kind = WEIR_KIND_NULL, .is_key = true, .count = 0};
    switch (c) {
    case 'n':
        return weir_write_null(w);
    case 's':
        return weir_write_str(w, "s", 1);
    case 'k':
        return weir_write_key(w, "k", 1);
    case '[':
        return weir_write_array(w, WEIR_UNKNOWN);
    case '{':
        return weir_write_map(w, WEIR_UNKNOWN);
    case '2':
        return weir_write_array(w, 2);
    case '3':
        return weir_write_map(w, 2);
    case '0':
        return weir_write_array(w, 0);
    case ']':
        return weir_write_end(w);
    case 't':
        return weir_write_tag(w, 100);
    case 'T':
        return weir_write_tag_name(w, "name", 4);
    case 'b':
        return weir_write_bytes(w, "\x80", 1);
    case 'K':
        return weir_write_event(w, &event);
    case 'A':
        event.kind = WEIR_KIND_ARRAY;
        return weir_write_event(w, &event);
    case '|':
        event.kind = WEIR_KIND_END_DOCUMENT;
        event.is_key = false;
        return weir_write_event(w, &event);
    default:
        return weir_writer_finish(w);
    }
}

struct protocol_row {
    const char *calls; /* the last one must fail, all before it succeed */
    weir_code code;
    bool complete; /* a document was complete before */
};

static const struct protocol_row rows[] = {
    {"]", WEIR_E_PROTOCOL, false},          {"k", WEIR_E_PROTOCOL, false},
    {"K", WEIR_E_PROTOCOL, false},          {"[k", WEIR_E_PROTOCOL, false},
    {"[K", WEIR_E_PROTOCOL, false},         {"[A", WEIR_E_PROTOCOL, false},
    {"{n", WEIR_E_PROTOCOL_KEY, false},     {"{s", WEIR_E_PROTOCOL_KEY, false},
    {"{[", WEIR_E_PROTOCOL_KEY, false},     {"{t", WEIR_E_PROTOCOL_KEY, false},
    {"{kk", WEIR_E_PROTOCOL, false},        {"{kK", WEIR_E_PROTOCOL, false},
    {"{k]", WEIR_E_PROTOCOL, false},        {"{knn", WEIR_E_PROTOCOL_KEY, false},
    {"{kn]]", WEIR_E_PROTOCOL, true},       {"[]]", WEIR_E_PROTOCOL, true},
    {"[f", WEIR_E_PROTOCOL_OPEN, false},    {"{f", WEIR_E_PROTOCOL_OPEN, false},
    {"{kf", WEIR_E_PROTOCOL_OPEN, false},   {"[|", WEIR_E_PROTOCOL, false},
    {"2]", WEIR_E_PROTOCOL_COUNT, false},   {"2n]", WEIR_E_PROTOCOL_COUNT, false},
    {"2nnn", WEIR_E_PROTOCOL_COUNT, false}, {"2nn[", WEIR_E_PROTOCOL_COUNT, false},
    {"0n", WEIR_E_PROTOCOL_COUNT, false},   {"3]", WEIR_E_PROTOCOL_COUNT, false},
    {"3kn]", WEIR_E_PROTOCOL_COUNT, false}, {"3knknk", WEIR_E_PROTOCOL_COUNT, false},
    {"3kn[", WEIR_E_PROTOCOL_KEY, false},   {"tf", WEIR_E_PROTOCOL_OPEN, false},
    {"t]", WEIR_E_PROTOCOL, false},         {"[t]", WEIR_E_PROTOCOL, false},
    {"[tk", WEIR_E_PROTOCOL, false},        {"[ttt]", WEIR_E_PROTOCOL, false},
    {"{kt]", WEIR_E_PROTOCOL, false},       {"{ktk", WEIR_E_PROTOCOL, false},
    {"2ntn]", WEIR_E_NONE, false},          {"2ntnt", WEIR_E_PROTOCOL_COUNT, false},
};

static weir_options lenient(void)
{
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.allow = WEIR_ALLOW_ALL;
    return options;
}

static void check_row(const weir_format *format, const struct protocol_row *row, const weir_options *options)
{
    weir_buffer out = {0};
    if (!weir_buffer_append(&out, "before", 6)) {
        abort();
    }
    weir_writer *w =
        format ? weir_writer_open(format, &out, options, NULL) : weir_writer_open_doc(options, NULL);
    assert_non_null(w);
    size_t n = strlen(row->calls);
    for (size_t i = 0; i < n; i++) {
        bool ok = call(w, row->calls[i]);
        bool expected = i + 1 < n || row->code == WEIR_E_NONE;
        if (ok != expected) {
            fail_msg("%s: %s: call %zu %s (%s)", format ? weir_format_name(format) : "document", row->calls,
                     i, ok ? "is let through" : "fails", weir_code_name(weir_writer_error(w)->code));
        }
    }
    if (weir_writer_error(w)->code != row->code) {
        fail_msg("%s: %s: %s instead of %s", format ? weir_format_name(format) : "document", row->calls,
                 weir_code_name(weir_writer_error(w)->code), weir_code_name(row->code));
    }
    if (row->code != WEIR_E_NONE) { /* sticky, and nothing of the document stays */
        assert_false(call(w, 'n'));
        assert_false(call(w, 'f'));
        assert_false(call(w, ']'));
        assert_int_equal(weir_writer_error(w)->code, row->code);
        assert_true(row->complete || out.len == 6);
        assert_memory_equal(out.data, "before", 6);
    }
    weir_writer_close(w);
    weir_buffer_free(&out);
}

/* In every format, whatever way its writer works: directly, collecting, sorting; tags that are dropped count
 * too. */
static void wrong_orders_are_refused(void **state)
{
    (void)state;
    static const uint32_t flags[] = {0, WEIR_SORT_KEYS, WEIR_DETAIL, WEIR_MULTI};
    for (size_t f = 0; f < sizeof flags / sizeof *flags; f++) {
        weir_options options = lenient();
        options.flags = flags[f];
        for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
            const weir_format *format;
            for (size_t j = 0; (format = weir_format_at(j)); j++) {
                check_row(format, &rows[i], &options);
            }
            check_row(NULL, &rows[i], &options);
        }
    }
}

/* One document is one: a second root, and a finish without one. */
static void roots_are_counted(void **state)
{
    (void)state;
    const weir_format *format;
    for (size_t j = 0; (format = weir_format_at(j)); j++) {
        bool many = weir_format_caps(format) & WEIR_CAP_STREAM;
        weir_options options = lenient();
        struct protocol_row none = {"f", many ? WEIR_E_NONE : WEIR_E_PROTOCOL_OPEN, false};
        struct protocol_row two = {"nnf", WEIR_E_NONE, false}, second = {"nn", WEIR_E_PROTOCOL_ROOTS, false};
        struct protocol_row after = {"nfn", WEIR_E_PROTOCOL, true}, key = {"nfk", WEIR_E_PROTOCOL, true};
        check_row(format, &none, &options);
        check_row(format, &after, &options);
        check_row(format, &key, &options);
        if (many) {
            check_row(format, &two, &options);
            continue;
        }
        weir_buffer out = {0};
        weir_writer *w = weir_writer_open(format, &out, &options, NULL);
        assert_true(call(w, 'n'));
        assert_false(call(w, 'n'));
        assert_int_equal(weir_writer_error(w)->code, second.code);
        assert_string_equal(out.data, "null"); /* the first one was complete */
        weir_writer_close(w);
        weir_buffer_free(&out);
    }
}

static void finish_may_be_called_again(void **state)
{
    (void)state;
    const weir_format *format;
    for (size_t j = 0; (format = weir_format_at(j)); j++) {
        weir_buffer out = {0};
        weir_writer *w = weir_writer_open(format, &out, NULL, NULL);
        assert_true(call(w, 'n') && call(w, 'f'));
        size_t len = out.len;
        assert_true(call(w, 'f'));
        assert_int_equal(out.len, len);
        assert_int_equal(weir_writer_offset(w), len);
        weir_writer_close(w);
        weir_buffer_free(&out);
    }
}

static void malformed_events_are_refused(void **state)
{
    (void)state;
    weir_event events[] = {
        {.kind = WEIR_KIND_STRING, .text = "\xFF", .len = 1},
        {.kind = WEIR_KIND_STRING, .text = NULL, .len = 1},
        {.kind = WEIR_KIND_BYTES, .text = NULL, .len = 1},
        {.kind = WEIR_KIND_TAGGED, .text = "\xC0\x80", .len = 2},
        {.kind = WEIR_KIND_NUMBER, .text = "", .len = 0},
        {.kind = WEIR_KIND_NUMBER, .text = NULL, .len = 0},
        {.kind = WEIR_KIND_NUMBER, .text = "01", .len = 2},
        {.kind = WEIR_KIND_NUMBER, .text = "1e", .len = 2},
        {.kind = WEIR_KIND_NUMBER, .text = "1 ", .len = 2},
        {.kind = WEIR_KIND_NUMBER, .text = "NaN", .len = 3},
        {.kind = WEIR_KIND_INT, .v.i = 0},
        {.kind = WEIR_KIND_REAL, .width = 3},
        {.kind = WEIR_KIND_TIMESTAMP, .v.time = {0, 1000000000, 0, 0, 0}},
        {.kind = WEIR_KIND_TIMESTAMP, .v.time = {0, 0, 1440, 0, 0}},
        {.kind = WEIR_KIND_TIMESTAMP, .v.time = {0, 0, 0, 4, 0}},
        {.kind = WEIR_KIND_TIMESTAMP, .v.time = {0, 0, 0, 0, 10}},
        {.kind = 14},
        {.kind = 15},
        {.kind = WEIR_KIND_END_STREAM},
        {.kind = 200},
    };
    const weir_format *format;
    weir_options options = lenient();
    for (size_t j = 0; j == 0 || weir_format_at(j - 1); j++) {
        format = weir_format_at(j);
        for (size_t i = 0; i < sizeof events / sizeof *events; i++) {
            weir_buffer out = {0};
            weir_writer *w = format ? weir_writer_open(format, &out, &options, NULL)
                                    : weir_writer_open_doc(&options, NULL);
            if (weir_write_event(w, &events[i]) || weir_writer_error(w)->code != WEIR_E_ARGUMENT) {
                fail_msg("%s: event %zu: %s", format ? weir_format_name(format) : "document", i,
                         weir_code_name(weir_writer_error(w)->code));
            }
            weir_writer_close(w);
            weir_buffer_free(&out);
        }
    }
}

/* ---- sinks ---- */

struct sink {
    weir_buffer taken;
    size_t step, fail_at; /* bytes it takes at once, and before it fails */
    bool fail_flush, zero;
    unsigned flushes;
};

static ptrdiff_t sink_write(void *context, const void *bytes, size_t size)
{
    struct sink *sink = context;
    size_t left = sink->fail_at - sink->taken.len;
    if (left == 0) {
        errno = ENOSPC;
        return sink->zero ? 0 : -1;
    }
    size = size < sink->step ? size : sink->step;
    size = size < left ? size : left;
    return weir_buffer_append(&sink->taken, bytes, size) ? (ptrdiff_t)size : -1;
}

static bool sink_flush(void *context)
{
    struct sink *sink = context;
    sink->flushes++;
    errno = EIO;
    return !sink->fail_flush;
}

static bool write_documents(weir_writer *w, unsigned documents)
{
    bool ok = true;
    for (unsigned i = 0; ok && i < documents; i++) {
        ok = weir_write_map(w, 2) && weir_write_key(w, "name", 4) && weir_write_str(w, "value of it", 11) &&
             weir_write_key(w, "list", 4) && weir_write_array(w, 3) && weir_write_uint(w, i) &&
             weir_write_int(w, -7) && weir_write_bool(w, true) && weir_write_end(w) && weir_write_end(w);
    }
    return ok && weir_writer_finish(w);
}

static void sinks_may_fail_anywhere(void **state)
{
    (void)state;
    const weir_format *format;
    static const uint32_t flags[] = {0, WEIR_BUFFERED, WEIR_SORT_KEYS, WEIR_BUFFERED | WEIR_SORT_KEYS};
    for (size_t j = 0; (format = weir_format_at(j)); j++) {
        unsigned documents = weir_format_caps(format) & WEIR_CAP_STREAM ? 3 : 1;
        for (size_t f = 0; f < sizeof flags / sizeof *flags; f++) {
            weir_options options = WEIR_OPTIONS_DEFAULT;
            options.flags = flags[f];
            weir_buffer whole = {0};
            weir_writer *w = weir_writer_open(format, &whole, &options, NULL);
            assert_true(write_documents(w, documents));
            weir_writer_close(w);
            for (size_t fail_at = 0; fail_at <= whole.len; fail_at++) {
                for (size_t step = 1; step <= 7; step += 6) {
                    struct sink sink = {.step = step, .fail_at = fail_at, .zero = fail_at % 2};
                    w = weir_writer_open_sink(format, (weir_sink){sink_write, sink_flush, &sink}, &options,
                                              NULL);
                    bool ok = write_documents(w, documents);
                    assert_int_equal(ok, fail_at == whole.len);
                    assert_int_equal(sink.taken.len, fail_at);
                    assert_memory_equal(sink.taken.data ? sink.taken.data : "", whole.data, fail_at);
                    assert_int_equal(sink.flushes, ok);
                    if (!ok) {
                        const weir_error *error = weir_writer_error(w);
                        assert_int_equal(error->code, WEIR_E_WRITE);
                        assert_int_equal(error->system, sink.zero ? 0 : ENOSPC);
                        assert_in_range(error->offset, fail_at, whole.len);
                        assert_false(weir_writer_finish(w));
                        assert_int_equal(sink.taken.len, fail_at);
                    }
                    weir_writer_close(w);
                    weir_buffer_free(&sink.taken);
                }
            }
            struct sink sink = {.step = 100, .fail_at = SIZE_MAX, .fail_flush = true};
            w = weir_writer_open_sink(format, (weir_sink){sink_write, sink_flush, &sink}, &options, NULL);
            assert_false(write_documents(w, documents));
            assert_int_equal(weir_writer_error(w)->code, WEIR_E_WRITE);
            assert_int_equal(weir_writer_error(w)->system, EIO);
            weir_writer_close(w);
            weir_buffer_free(&sink.taken);
            weir_buffer_free(&whole);
        }
    }
}

/* n bytes are allowed, n - 1 are not; what a sink gets is never more, and in memory only whole documents
 * stay. */
static void the_output_limit_is_exact(void **state)
{
    (void)state;
    const weir_format *format;
    for (size_t j = 0; (format = weir_format_at(j)); j++) {
        unsigned documents = weir_format_caps(format) & WEIR_CAP_STREAM ? 3 : 1;
        weir_options options = WEIR_OPTIONS_DEFAULT;
        weir_buffer whole = {0};
        weir_writer *w = weir_writer_open(format, &whole, &options, NULL);
        assert_true(write_documents(w, documents));
        weir_writer_close(w);
        for (size_t limit = 0; limit <= whole.len; limit++) {
            options.limits.output = limit;
            for (unsigned way = 0; way < 3; way++) {
                weir_buffer out = {0};
                struct sink sink = {.step = 100, .fail_at = SIZE_MAX};
                options.flags = way == 2 ? WEIR_BUFFERED : 0;
                w = way ? weir_writer_open_sink(format, (weir_sink){sink_write, sink_flush, &sink}, &options,
                                                NULL)
                        : weir_writer_open(format, &out, &options, NULL);
                bool ok = write_documents(w, documents);
                assert_int_equal(ok, limit == whole.len);
                const weir_buffer *got = way ? &sink.taken : &out;
                assert_in_range(got->len, 0, limit);
                assert_memory_equal(got->data ? got->data : "", whole.data, got->len);
                if (!ok) {
                    assert_int_equal(weir_writer_error(w)->code, WEIR_E_LIMIT_OUTPUT);
                    assert_int_equal(weir_writer_error(w)->resource, WEIR_RESOURCE_OUTPUT);
                    assert_int_equal(weir_writer_error(w)->maximum, limit);
                }
                weir_writer_close(w);
                weir_buffer_free(&out);
                weir_buffer_free(&sink.taken);
            }
        }
        weir_buffer_free(&whole);
    }
}

/* A buffered sink sees nothing of a document that fails in its middle. */
static void a_buffered_sink_sees_whole_documents(void **state)
{
    (void)state;
    const weir_format *format;
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.flags = WEIR_BUFFERED;
    char *text = calloc(1, 100000); /* more than a piece */
    memset(text, 'x', 100000);
    for (size_t j = 0; (format = weir_format_at(j)); j++) {
        struct sink sink = {.step = 100000, .fail_at = SIZE_MAX};
        weir_writer *w =
            weir_writer_open_sink(format, (weir_sink){sink_write, sink_flush, &sink}, &options, NULL);
        assert_true(weir_write_array(w, 2) && weir_write_str(w, text, 100000));
        assert_int_equal(sink.taken.len, 0);
        assert_false(weir_write_str(w, "\xFF", 1));
        assert_false(weir_writer_finish(w));
        assert_int_equal(sink.taken.len, 0);
        weir_writer_close(w);
        weir_buffer_free(&sink.taken);
    }
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_orders_are_refused),
        cmocka_unit_test(roots_are_counted),
        cmocka_unit_test(finish_may_be_called_again),
        cmocka_unit_test(malformed_events_are_refused),
        cmocka_unit_test(sinks_may_fail_anywhere),
        cmocka_unit_test(the_output_limit_is_exact),
        cmocka_unit_test(a_buffered_sink_sees_whole_documents),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
