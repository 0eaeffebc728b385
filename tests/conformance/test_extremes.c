/* Inputs made to break readers: a clear error or success, memory in proportion to the input, no stack. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support.h"
#include "weir/weir.h"

/* Sanitizers make everything ten times as slow and large. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SCALE 10
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SCALE 10
#endif
#endif
#ifndef SCALE
#define SCALE (sizeof(void *) == 4 ? 4 : 1)
#endif

#define DEEP ((size_t)10000000 / SCALE)

static const weir_format *const formats[] = {weir_json, weir_cbor, weir_msgpack};

struct pieces {
    const char *data;
    size_t len;
};

static ptrdiff_t read_piece(void *context, void *out, size_t size)
{
    struct pieces *from = context;
    size = size < 60000 ? size : 60000;
    size = size < from->len ? size : from->len;
    memcpy(out, from->data, size);
    from->data += size;
    from->len -= size;
    return (ptrdiff_t)size;
}

/* What the exact reader says, fed in pieces; events are counted. */
static weir_code read_events(const weir_format *format, const char *data, size_t len,
                             const weir_options *options, uint64_t *events)
{
    struct pieces pieces = {data, len};
    weir_error error;
    weir_reader *reader =
        weir_reader_open_source(format, (weir_source){read_piece, &pieces}, options, &error);
    assert_non_null(reader);
    const weir_event *event;
    *events = 0;
    while ((event = weir_reader_next(reader)) && event->kind != WEIR_KIND_END_STREAM) {
        ++*events;
    }
    weir_code code = weir_reader_error(reader)->code;
    weir_reader_close(reader);
    return code;
}

static weir_code parse(const weir_format *format, const char *data, size_t len, const weir_options *options,
                       weir_doc **doc)
{
    weir_error error;
    weir_doc *result = weir_parse(format, data, len, options, &error);
    if (doc) {
        *doc = result;
    } else {
        weir_doc_free(result);
    }
    return error.code;
}

/* `depth` nested arrays; the innermost is empty. */
static char *nested(const weir_format *format, size_t depth, size_t *len)
{
    if (format == weir_json) {
        char *text = malloc(2 * depth);
        memset(text, '[', depth);
        memset(text + depth, ']', depth);
        *len = 2 * depth;
        return text;
    }
    char *bytes = malloc(depth);
    memset(bytes, format == weir_cbor ? 0x81 : 0x91, depth - 1);
    bytes[depth - 1] = (char)(format == weir_cbor ? 0x80 : 0x90);
    *len = depth;
    return bytes;
}

static void test_deep_nesting(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        const weir_format *format = formats[i];
        size_t len;
        uint64_t events;
        char *data = nested(format, DEEP, &len);
        weir_options unlimited = WEIR_OPTIONS_DEFAULT;
        unlimited.limits = weir_unlimited;
        /* refused by default, at the level that is too deep */
        weir_error error;
        assert_null(weir_parse(format, data, len, NULL, &error));
        assert_int_equal(error.code, WEIR_E_LIMIT_DEPTH);
        assert_int_equal(error.offset, 1024);
        assert_int_equal(read_events(format, data, len, NULL, &events), WEIR_E_LIMIT_DEPTH);
        /* accepted when asked for */
        assert_int_equal(read_events(format, data, len, &unlimited, &events), WEIR_E_NONE);
        assert_int_equal(events, 2 * DEEP + 1);
        weir_doc *doc;
        assert_int_equal(parse(format, data, len, &unlimited, &doc), WEIR_E_NONE);
        assert_int_equal(weir_doc_nodes(doc), DEEP);
        /* and through every other format */
        for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
            weir_buffer out = {0};
            assert_true(weir_write_val(formats[k], weir_doc_root(doc), &unlimited, &out, &error));
            size_t expected;
            char *same = nested(formats[k], DEEP, &expected);
            assert_int_equal(out.len, expected);
            assert_memory_equal(out.data, same, expected);
            free(same);
            weir_buffer_free(&out);
            assert_false(weir_write_val(formats[k], weir_doc_root(doc), NULL, &out, &error));
            assert_int_equal(error.code, WEIR_E_LIMIT_DEPTH);
            assert_int_equal(out.len, 0);
            weir_buffer_free(&out);
        }
        weir_doc_free(doc);
        /* cut open */
        size_t cut = format == weir_json ? DEEP : DEEP - 1;
        weir_code incomplete = parse(format, data, cut, &unlimited, NULL);
        assert_int_equal(weir_code_category(incomplete), WEIR_CATEGORY_INCOMPLETE);
        assert_int_equal(read_events(format, data, cut, &unlimited, &events), incomplete);
        free(data);
    }
}

static void test_one_long_string(void **state)
{
    (void)state;
    size_t n = (size_t)100000000 / SCALE;
    char *text = malloc(n + 2);
    memset(text, 'x', n + 2);
    text[0] = text[n + 1] = '"';
    weir_doc *doc;
    assert_int_equal(parse(weir_json, text, n + 2, NULL, &doc), WEIR_E_NONE);
    size_t len;
    weir_val_str(weir_doc_root(doc), &len);
    assert_int_equal(len, n);
    for (size_t k = 0; k < sizeof formats / sizeof *formats; k++) {
        weir_buffer out = {0};
        weir_error error;
        uint64_t events;
        assert_true(weir_write_val(formats[k], weir_doc_root(doc), NULL, &out, &error));
        weir_doc *again;
        assert_int_equal(parse(formats[k], out.data, out.len, NULL, &again), WEIR_E_NONE);
        assert_true(weir_equal(weir_doc_root(doc), weir_doc_root(again), 0, NULL));
        assert_int_equal(read_events(formats[k], out.data, out.len, NULL, &events), WEIR_E_NONE);
        weir_doc_free(again);
        weir_buffer_free(&out);
    }
    weir_doc_free(doc);
    /* An open string over its limit needs no memory for all of it. */
    fault_allocator books = {0};
    weir_allocator hook = fault_hook(&books);
    weir_options limited = WEIR_OPTIONS_DEFAULT;
    limited.allocator = &hook;
    limited.limits.string = 1000;
    uint64_t events;
    assert_int_equal(read_events(weir_json, text, n, &limited, &events), WEIR_E_LIMIT_STRING);
    assert_true(books.peak_bytes < (1u << 20));
    assert_int_equal(books.live_blocks, 0);
    free(text);
}

/* Heads that claim more than there is: no memory is taken on their word. */
static void test_huge_claims(void **state)
{
    (void)state;
    static const struct {
        int format;
        const char *bytes;
        size_t len;
    } rows[] = {
        {1, "\x9b\x80\0\0\0\0\0\0\0", 9},                    /* CBOR: 2^63 items */
        {1, "\x9b\xff\xff\xff\xff\xff\xff\xff\xff\x01", 10}, /* 2^64 - 1 items, one there */
        {1, "\xbb\x80\0\0\0\0\0\0\0\x01", 10},               /* 2^63 entries */
        {1, "\xbb\xff\xff\xff\xff\xff\xff\xff\xff", 9},
        {1, "\x5b\x80\0\0\0\0\0\0\0\x01", 10},          /* 2^63 bytes */
        {1, "\x7b\xff\xff\xff\xff\xff\xff\xff\xff", 9}, /* 2^64 - 1 bytes of text */
        {1, "\x9f\x9b\x80\0\0\0\0\0\0\0", 10},
        {2, "\xdd\xff\xff\xff\xff", 5}, /* MessagePack: 2^32 - 1 items */
        {2, "\xdf\xff\xff\xff\xff\x01", 6},
        {2, "\xdb\xff\xff\xff\xff x", 7},
        {2, "\xc6\xff\xff\xff\xff", 5},
        {2, "\xc9\xff\xff\xff\xff\x01", 6},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const weir_format *format = formats[rows[i].format];
        fault_allocator books = {0};
        weir_allocator hook = fault_hook(&books);
        weir_options options = WEIR_OPTIONS_DEFAULT;
        options.allocator = &hook;
        uint64_t events;
        weir_code code = parse(format, rows[i].bytes, rows[i].len, &options, NULL);
        assert_int_equal(weir_code_category(code), WEIR_CATEGORY_INCOMPLETE);
        assert_int_equal(read_events(format, rows[i].bytes, rows[i].len, &options, &events), code);
        assert_true(books.peak_bytes < (1u << 20));
        assert_int_equal(books.live_blocks, 0);
    }
}

static void test_million_digits(void **state)
{
    (void)state;
    size_t n = 1000000 / (SCALE > 4 ? SCALE : 1);
    char *text = malloc(n + 3);
    memset(text, '7', n);
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.numbers = WEIR_NUMBERS_EXACT;
    uint64_t events;
    assert_int_equal(parse(weir_json, text, n, &options, NULL), WEIR_E_LIMIT_NUMBER);
    assert_int_equal(read_events(weir_json, text, n, &options, &events), WEIR_E_LIMIT_NUMBER);
    options.limits = weir_unlimited;
    weir_doc *doc;
    assert_int_equal(parse(weir_json, text, n, &options, &doc), WEIR_E_NONE);
    size_t len;
    assert_int_equal(weir_val_kind(weir_doc_root(doc)), WEIR_KIND_NUMBER);
    assert_memory_equal(weir_val_str(weir_doc_root(doc), &len), text, n);
    assert_int_equal(len, n);
    double value;
    assert_true(weir_val_f64(weir_doc_root(doc), &value));
    assert_true(value > 1.7976931348623157e308);
    weir_doc_free(doc);
    options.numbers = WEIR_NUMBERS_STRICT;
    assert_int_equal(parse(weir_json, text, n, &options, NULL), WEIR_E_JSON_INTEGER_RANGE);
    assert_int_equal(read_events(weir_json, text, n, &options, &events), WEIR_E_JSON_INTEGER_RANGE);
    /* as many fraction digits are an ordinary double */
    text[1] = '.';
    assert_int_equal(parse(weir_json, text, n, &options, &doc), WEIR_E_NONE);
    assert_true(weir_val_f64(weir_doc_root(doc), &value));
    assert_true(value == 7.777777777777778);
    weir_doc_free(doc);
    free(text);
}

static void test_million_keys(void **state)
{
    (void)state;
    size_t n = 1000000 / (SCALE > 4 ? SCALE : 1);
    char *same = malloc(n * 7 + 2), *other = malloc(n * 16 + 2), *p = same, *q = other;
    *p++ = *q++ = '{';
    for (size_t i = 0; i < n; i++) {
        p += sprintf(p, "%s\"k\":1", i ? "," : "");
        q += sprintf(q, "%s\"k%d\":1", i ? "," : "", (int)i);
    }
    *p++ = *q++ = '}';
    size_t same_len = (size_t)(p - same), other_len = (size_t)(q - other);
    weir_options options = WEIR_OPTIONS_DEFAULT;
    uint64_t events;
    weir_doc *doc;
    options.duplicates = WEIR_DUPLICATES_REJECT;
    assert_int_equal(parse(weir_json, same, same_len, &options, NULL), WEIR_E_JSON_DUPLICATE_KEY);
    assert_int_equal(read_events(weir_json, same, same_len, &options, &events), WEIR_E_JSON_DUPLICATE_KEY);
    assert_int_equal(parse(weir_json, other, other_len, &options, NULL), WEIR_E_NONE);
    assert_int_equal(read_events(weir_json, other, other_len, &options, &events), WEIR_E_NONE);
    assert_int_equal(events, 2 * n + 3);
    options.duplicates = WEIR_DUPLICATES_FIRST;
    assert_int_equal(parse(weir_json, same, same_len, &options, &doc), WEIR_E_NONE);
    assert_int_equal(weir_val_count(weir_doc_root(doc)), 1);
    weir_doc_free(doc);
    assert_int_equal(read_events(weir_json, same, same_len, &options, &events), WEIR_E_NONE);
    assert_int_equal(events, 5);
    options.duplicates = WEIR_DUPLICATES_LAST;
    assert_int_equal(parse(weir_json, other, other_len, &options, &doc), WEIR_E_NONE);
    assert_int_equal(weir_val_count(weir_doc_root(doc)), n);
    weir_doc_free(doc);
    free(same);
    free(other);
}

/* A document's memory grows with its input: 17 bytes of it for each byte at the very most, and a page. */
static void test_memory_in_proportion(void **state)
{
    (void)state;
    for (size_t n = 1000; n <= 1000000; n *= 10) {
        char *text = malloc(2 * n + 2), *p = text;
        *p++ = '[';
        for (size_t i = 0; i < n; i++) {
            *p++ = '1';
            *p++ = i + 1 < n ? ',' : ']';
        }
        fault_allocator books = {0};
        weir_allocator hook = fault_hook(&books);
        weir_options options = WEIR_OPTIONS_DEFAULT;
        options.allocator = &hook;
        weir_doc *doc;
        assert_int_equal(parse(weir_json, text, (size_t)(p - text), &options, &doc), WEIR_E_NONE);
        assert_true(weir_doc_memory(doc) < 16 * 2 * n + 4096);
        /* growing takes the old block and the new one */
        assert_true(books.peak_bytes < 2 * 17 * 2 * n + (1u << 18));
        weir_doc_free(doc);
        assert_int_equal(books.live_blocks, 0);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_deep_nesting), cmocka_unit_test(test_one_long_string),
        cmocka_unit_test(test_huge_claims),  cmocka_unit_test(test_million_digits),
        cmocka_unit_test(test_million_keys), cmocka_unit_test(test_memory_in_proportion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
