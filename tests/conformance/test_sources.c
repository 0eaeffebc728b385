/* weir_stream as a table: what comes out of records and concatenated documents, where each error lies, what
 * happens when the source fails, and that all of it is the same however the source cuts its bytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>

#include "event_text.h"
#include "support.h"

struct source {
    const char *data;
    size_t left, step;
    bool fails;    /* at the end */
    unsigned ends; /* times that the end was told */
};

static ptrdiff_t source_read(void *context, void *out, size_t size)
{
    struct source *source = context;
    size_t n = size < source->step ? size : source->step;
    n = n < source->left ? n : source->left;
    if (n == 0) {
        source->ends++;
        errno = EIO;
        return source->fails ? -1 : 0;
    }
    memcpy(out, source->data, n);
    source->data += n;
    source->left -= n;
    return (ptrdiff_t)n;
}

static void place(weir_buffer *out, const char *mark, const weir_error *error)
{
    char text[200];
    snprintf(text, sizeof text, "%s%s@%" PRIu64 " %" PRIu64 ":%" PRIu64 " #%" PRIu64 " ", mark,
             weir_code_name(error->code), error->offset, error->line, error->column, error->document);
    text_puts(out, text);
}

static void bad_record(void *context, const weir_error *error)
{
    place(context, "?", error);
}

/* Documents as events, each with bytes and lines behind it in parentheses; ?bad records, then !the error. */
static void stream_text(weir_buffer *out, const weir_format *format, struct source source,
                        weir_options options)
{
    weir_error error;
    char text[60];
    options.on_bad_record = bad_record;
    options.context = out;
    weir_stream *stream = weir_stream_open(format, (weir_source){source_read, &source}, &options, &error);
    assert_non_null(stream);
    const weir_doc *doc;
    while ((doc = weir_stream_next(stream, &error))) {
        weir_reader *reader = weir_reader_open_val(weir_doc_root(doc), NULL, NULL);
        const weir_event *event;
        while ((event = weir_reader_next(reader)) && event->kind < WEIR_KIND_END_DOCUMENT) {
            text_event(out, event);
        }
        weir_reader_close(reader);
        snprintf(text, sizeof text, "(%" PRIu64 " %" PRIu64 ") ", weir_stream_offset(stream),
                 weir_stream_lines(stream));
        text_puts(out, text);
    }
    if (error.code != WEIR_E_NONE) {
        place(out, "!", &error);
        assert_int_equal(error.system, error.code == WEIR_E_READ ? EIO : 0);
    }
    for (int i = 0; i < 2; i++) {
        weir_error again;
        assert_null(weir_stream_next(stream, &again));
        assert_int_equal(again.code, error.code);
        assert_int_equal(again.offset, error.offset);
    }
    assert_in_range(source.ends, 0, 1); /* an end is an end */
    weir_stream_close(stream);
    if (out->len) {
        out->data[--out->len] = '\0';
    }
}

enum { SKIP = 1, MULTI = 2, BOM = 4, FAILS = 8, TWO = 16, TEN = 32, SPANS = 64 };

struct stream_row {
    const char *input;
    unsigned how;
    const char *expected;
};

static void check_rows(const weir_format *format, const struct stream_row *rows, size_t n, unsigned more)
{
    for (size_t i = 0; i < n; i++) {
        for (size_t step = 1; step < 200; step = step < 5 ? step + 1 : step * 4) {
            weir_options options = WEIR_OPTIONS_DEFAULT;
            unsigned how = rows[i].how | more;
            options.flags = (how & SKIP ? (unsigned)WEIR_SKIP_BAD : 0) |
                            (how & MULTI ? (unsigned)WEIR_MULTI : 0) |
                            (how & SPANS ? (unsigned)WEIR_KEEP_SPANS : 0);
            options.allow = how & BOM ? WEIR_ALLOW_BOM : 0;
            options.limits.documents = how & TWO ? 2 : WEIR_UNSET;
            options.limits.input = how & TEN ? 10 : WEIR_UNSET;
            weir_buffer out = {0};
            struct source source = {rows[i].input, strlen(rows[i].input), step, how & FAILS, 0};
            stream_text(&out, format, source, options);
            if (strcmp(out.data ? out.data : "", rows[i].expected) != 0) {
                fail_msg("row %zu (%s), %zu bytes at a time%s:\n %s instead of\n %s", i, rows[i].input, step,
                         more ? ", exact reader" : "", out.data ? out.data : "", rows[i].expected);
            }
            weir_buffer_free(&out);
        }
    }
}

static const struct stream_row lines[] = {
    {"", 0, ""},
    {"1\n2\n", 0, "1 (2 1) 2 (4 2)"},
    {"1\n2", 0, "1 (2 1) 2 (3 1)"},
    {"1\r\n2\r\n", 0, "1 (3 1) 2 (6 2)"},
    {"1\r\n2\r", 0, "1 (3 1) 2 (5 2)"},
    {"\n\n1\n \t\n\r\n2\n\n", 0, "1 (4 3) 2 (11 6)"},
    {"\r1\n", 0, "1 (3 2)"},
    {"1\r2\n", 0, "!ndjson/line-break@1 1:2 #0"},
    {"[1,\n2]\n", 0, "!ndjson/line-break@3 1:4 #0"},
    {"[1,\r2]\n", 0, "!ndjson/line-break@3 1:4 #0"},
    {"1 2\n", 0, "!json/trailing-characters@2 1:3 #0"},
    {"1\n{\"a\":\n3\n", 0, "1 (2 1) !ndjson/line-break@7 2:6 #1"},
    {"1\n[1", 0, "1 (2 1) !json/incomplete@4 2:3 #1"},
    {"\xEF\xBB\xBF"
     "1\n",
     0, "!json/byte-order-mark@0 1:1 #0"},
    {"\xEF\xBB\xBF"
     "1\n2",
     BOM, "1 (5 1) 2 (6 1)"},
    {"1\n\xEF\xBB\xBF"
     "2\n",
     0, "1 (2 1) !json/unexpected-byte@2 2:1 #1"},
    {"1\n\xEF\xBB\xBF"
     "2\n",
     BOM, "1 (2 1) !json/unexpected-byte@2 2:1 #1"},
    {"1\nx\n\n2\n[\n\"\xC3\xA9\",]\n3", SKIP,
     "1 (2 1) ?json/unexpected-byte@2 2:1 #1 2 (7 4) ?ndjson/line-break@8 5:2 #3 "
     "?json/trailing-characters@13 6:4 #4 "
     "3 (17 6)"},
    {"x\ny\nz", SKIP,
     "?json/unexpected-byte@0 1:1 #0 ?json/unexpected-byte@2 2:1 #1 ?json/unexpected-byte@4 3:1 #2"},
    {"\rx\n1\n", SKIP, "?json/unexpected-byte@1 2:1 #0 1 (5 3)"},
    {"1\n2\n3\n", TWO, "1 (2 1) 2 (4 2) !limit/documents@4 3:1 #2"},
    {"1\n2\n \n", TWO, "1 (2 1) 2 (4 2)"},
    {"1\n2\n\n x", TWO, "1 (2 1) 2 (4 2) !limit/documents@6 4:2 #2"},
    {"x\n2\n3\n", TWO | SKIP, "?json/unexpected-byte@0 1:1 #0 2 (4 2) !limit/documents@4 3:1 #2"},
    {"1\n2\n", FAILS, "1 (2 1) 2 (4 2) !io/read@4 3:1 #2"},
    {"1\n[2,", FAILS, "1 (2 1) !io/read@5 2:4 #1"},
    {"1\n22", FAILS, "1 (2 1) !io/read@4 2:3 #1"},
    {"1\n[x", FAILS, "1 (2 1) !json/unexpected-byte@3 2:2 #1"},
    {"1\n[x", FAILS | SKIP, "1 (2 1) ?json/unexpected-byte@3 2:2 #1 !io/read@4 2:3 #2"},
    {"12345678\n1", TEN, "12345678 (9 1) 1 (10 1)"},
    {"12345678\n12", TEN, "12345678 (9 1) !limit/input@10 2:2 #1"},
    {"12345678\n1\n", TEN, "12345678 (9 1) !limit/input@10 2:2 #1"},
    {"123456789\n1\n", TEN, "123456789 (10 1) !limit/input@10 2:1 #1"},
    {"12345678912", TEN, "!limit/input@10 1:11 #0"},
};

static void records(void **state)
{
    (void)state;
    check_rows(weir_ndjson, lines, sizeof lines / sizeof *lines, 0);
    check_rows(weir_ndjson, lines, sizeof lines / sizeof *lines, SPANS);
}

static const struct stream_row values[] = {
    {"", 0, "!input/empty@0 1:1 #0"},
    {" \n", 0, "!input/empty@2 2:1 #0"},
    {"", MULTI, ""},
    {" [1]\n", 0, "[1 1 end (4 0)"},
    {"[1]\n x", 0, "[1 1 end (3 0) !json/trailing-characters@5 2:2 #1"},
    {"[1]\n x", MULTI, "[1 1 end (3 0) !json/unexpected-byte@5 2:2 #1"},
    {"1 2\n{}[]\"a\" 3", MULTI, "1 (1 0) 2 (3 0) {0 end (6 1) [0 end (8 1) \"a\" (11 1) 3 (13 1)"},
    {"[1,\n x]", 0, "!json/unexpected-byte@5 2:2 #0"},
    {"1 [1,\n \"\xC3\xA9\", x]", MULTI, "1 (1 0) !json/unexpected-byte@13 2:7 #1"},
    {"1 2 3", MULTI | TWO, "1 (1 0) 2 (3 0) !limit/documents@4 1:5 #2"},
    {"1 x", MULTI | TWO, "1 (1 0) !json/unexpected-byte@2 1:3 #1"},
    {"1 2 x", MULTI | TWO, "1 (1 0) 2 (3 0) !limit/documents@4 1:5 #2"},
    {"[1", FAILS, "!io/read@2 1:3 #0"},
    {"[x", FAILS, "!json/unexpected-byte@1 1:2 #0"},
    {"1", FAILS, "!io/read@1 1:2 #0"},
    {"12345678901234", FAILS | TEN, "!limit/input@10 1:11 #0"},
    {"1234567890", TEN, "1234567890 (10 0)"},
    {"-", FAILS, "!io/read@1 1:2 #0"},
    {"1e999", FAILS, "!io/read@5 1:6 #0"},
    {"1e999", 0, "!json/float-out-of-range@0 1:1 #0"},
};

static void concatenated_documents(void **state)
{
    (void)state;
    check_rows(weir_json, values, sizeof values / sizeof *values, 0);
    check_rows(weir_json, values, sizeof values / sizeof *values, SPANS);
}

/* Longer than any window, and all but one byte of it in one call or byte by byte. */
static void a_line_of_ten_megabytes(void **state)
{
    (void)state;
    enum { SIZE = 10 << 20 };
    char *line = malloc(SIZE + 8);
    line[0] = '"';
    memset(line + 1, 'x', SIZE - 2);
    memcpy(line + SIZE - 1, "\"\n7\n", 4);
    for (size_t step = 1; step <= SIZE; step = step == 1 ? 100000 : SIZE * 2) {
        struct source source = {line, SIZE + 3, step, false, 0};
        weir_error error;
        weir_stream *stream =
            weir_stream_open(weir_ndjson, (weir_source){source_read, &source}, NULL, &error);
        const weir_doc *doc = weir_stream_next(stream, &error);
        size_t len;
        assert_non_null(weir_val_str(weir_doc_root(doc), &len));
        assert_int_equal(len, SIZE - 2);
        assert_int_equal(weir_stream_lines(stream), 1);
        doc = weir_stream_next(stream, &error);
        assert_true(weir_val_is(weir_doc_root(doc), WEIR_KIND_UINT));
        assert_int_equal(weir_stream_lines(stream), 2);
        assert_null(weir_stream_next(stream, &error));
        assert_int_equal(error.code, WEIR_E_NONE);
        weir_stream_close(stream);
    }
    free(line);
}

/* Items of one byte in a window of many: each costs what it is, not what is behind it. */
static void many_tiny_items(void **state)
{
    (void)state;
    enum { COUNT = 3000000 };
    char *items = malloc(COUNT);
    memset(items, 7, COUNT);
    const weir_format *formats[] = {weir_cbor, weir_msgpack};
    for (size_t i = 0; i < 2; i++) {
        struct source source = {items, COUNT, COUNT, false, 0};
        weir_error error;
        weir_stream *stream = weir_stream_open(formats[i], (weir_source){source_read, &source}, NULL, &error);
        size_t count = 0;
        while (weir_stream_next(stream, &error)) {
            count++;
        }
        assert_int_equal(error.code, WEIR_E_NONE);
        assert_int_equal(count, COUNT);
        assert_int_equal(weir_stream_lines(stream), 0);
        weir_stream_close(stream);
    }
    free(items);
}

/* A document is given as soon as its last byte has come: who answers each document before the next is sent,
 * and sends it in any pieces, waits for nothing. */
static void no_more_is_read_than_a_document_needs(void **state)
{
    (void)state;
    char large[70000]; /* more than a window */
    memset(large, 'x', sizeof large);
    memcpy(large, "\x5A\x00\x01\x11\x6B", 5);
    const struct {
        const weir_format *format;
        const char *bytes;
        size_t len;
    } documents[] = {
        {weir_cbor, "\x83\x01\x62zz\xF6", 6},
        {weir_cbor, "\x07", 1},
        {weir_cbor, large, sizeof large},
        {weir_cbor, "\xBF\x01\x02\xFF", 4},
        {weir_msgpack, "\x82\x01\x02\xA1k\xC0", 6},
        {weir_msgpack, "\x07", 1},
        {weir_json, "{\"a\":[1,2]}", 11},
        {weir_json, "\"text\"", 6},
        {weir_ndjson, "[1]\n", 4},
        {weir_ndjson, "7\r\n", 3},
    };
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        enum { COUNT = 4 };
        size_t len = documents[i].len, all = len * COUNT;
        char *bytes = malloc(all);
        for (size_t k = 0; k < COUNT; k++) {
            memcpy(bytes + k * len, documents[i].bytes, len);
        }
        for (unsigned exact = 0; exact < 2; exact++) {
            struct source source = {bytes, all, 1, false, 0};
            weir_options options = WEIR_OPTIONS_DEFAULT;
            options.flags = WEIR_MULTI | (exact ? (unsigned)WEIR_KEEP_SPANS : 0);
            weir_stream *stream =
                weir_stream_open(documents[i].format, (weir_source){source_read, &source}, &options, NULL);
            for (size_t k = 1; k <= COUNT; k++) {
                assert_non_null(weir_stream_next(stream, NULL));
                assert_int_equal(all - source.left, k * len);
            }
            assert_null(weir_stream_next(stream, NULL));
            weir_stream_close(stream);
        }
        free(bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records),
        cmocka_unit_test(concatenated_documents),
        cmocka_unit_test(a_line_of_ten_megabytes),
        cmocka_unit_test(many_tiny_items),
        cmocka_unit_test(no_more_is_read_than_a_document_needs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
