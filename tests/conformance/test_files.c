/* Real files through every path: the fused parsers, the exact readers fed in pieces and byte by byte, and the
 * chain JSON -> CBOR -> MessagePack -> JSON must give equal documents (kinds, order, bits of doubles). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>

#include "support.h"
#include "weir/weir.h"

struct pieces {
    const char *data;
    size_t len, piece;
};

static ptrdiff_t read_piece(void *context, void *out, size_t size)
{
    struct pieces *from = context;
    size = size < from->piece ? size : from->piece;
    size = size < from->len ? size : from->len;
    memcpy(out, from->data, size);
    from->data += size;
    from->len -= size;
    return (ptrdiff_t)size;
}

static weir_options exact(void)
{
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.numbers = WEIR_NUMBERS_EXACT;
    return options;
}

static void assert_same(const weir_doc *a, const weir_doc *b, const char *name, const char *path)
{
    if (!a || !b || !weir_equal(weir_doc_root(a), weir_doc_root(b), 0, NULL)) {
        fail_msg("%s: %s gives another document", name, path);
    }
}

static weir_doc *by_reader(const weir_format *format, const char *data, size_t len, size_t piece)
{
    weir_options options = exact();
    struct pieces pieces = {data, len, piece};
    weir_error error;
    weir_reader *reader =
        weir_reader_open_source(format, (weir_source){read_piece, &pieces}, &options, &error);
    weir_doc *doc = weir_read_doc(reader, &error);
    weir_reader_close(reader);
    return doc;
}

static void check_reading(const weir_format *format, const char *data, size_t len, const weir_doc *doc,
                          const char *name)
{
    weir_doc *pieces = by_reader(format, data, len, 4093);
    assert_same(doc, pieces, name, "the reader fed in pieces");
    weir_doc_free(pieces);
    if (len < 600000) {
        weir_doc *bytes = by_reader(format, data, len, 1);
        assert_same(doc, bytes, name, "the reader fed byte by byte");
        weir_doc_free(bytes);
    }
}

/* One document through all formats and back. */
static void check_chain(const char *data, size_t len, const char *name)
{
    weir_options options = exact();
    weir_error error;
    weir_doc *doc = weir_parse(weir_json, data, len, &options, &error);
    if (!doc) {
        fail_msg("%s: %s at %d", name, weir_code_name(error.code), (int)error.offset);
        return;
    }
    check_reading(weir_json, data, len, doc, name);
    const weir_format *const stations[] = {weir_cbor, weir_msgpack, weir_cbor_diag, weir_json};
    const weir_format *from = weir_json;
    weir_buffer at = {0};
    assert_true(weir_buffer_append(&at, data, len));
    for (size_t i = 0; i < sizeof stations / sizeof *stations; i++) {
        weir_buffer next = {0};
        if (!weir_convert(from, at.data, at.len, stations[i], &options, &next, &error)) {
            fail_msg("%s: into %s: %s %s", name, weir_format_name(stations[i]), weir_code_name(error.code),
                     error.path);
        }
        weir_doc *again = weir_parse(stations[i], next.data, next.len, &options, &error);
        assert_same(doc, again, name, weir_format_name(stations[i]));
        check_reading(stations[i], next.data, next.len, doc, name);
        weir_doc_free(again);
        weir_buffer_free(&at);
        at = next;
        from = stations[i];
    }
    weir_buffer_free(&at);
    weir_doc_free(doc);
}

static void test_own_documents(void **state)
{
    (void)state;
    static const char *const documents[] = {
        "null",
        "true",
        "0",
        "-0",
        "-0.0",
        "0.1",
        "1e23",
        "5e-324",
        "1.7976931348623157e308",
        "-9223372036854775808",
        "18446744073709551615",
        "\"\"",
        "\"\\u0000\\ud83d\\ude00 \\\" \\\\ \\n\"",
        "[]",
        "{}",
        "[[],{},[[]]]",
        "{\"\":0,\"a\":{\"b\":[1,-1,2.5,null,false]},\"a\":1}",
        "[255,256,65535,65536,4294967295,4294967296,-32,-33,-128,-129,-32768,-32769,-2147483648,-2147483649]",
        "[23,24,-24,-25,-256,-257,-65536,-65537,-4294967296,-4294967297]",
        "\"a text of more than thirty-one bytes, so that its head is longer\"",
    };
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++) {
        check_chain(documents[i], strlen(documents[i]), documents[i]);
    }
}

/* -0 comes back as -0.0, and numbers beyond 64 bits and doubles pass through CBOR. */
static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *in, *out;
    } rows[] = {
        {"-0", "-0.0"},
        {"1E400", "1e400"},
        {"123456789012345678901234567890", "123456789012345678901234567890"},
        {"-18446744073709551616", "-18446744073709551616"},
        {"-18446744073709551617", "-18446744073709551617"},
        {"18446744073709551616", "18446744073709551616"},
    };
    weir_options options = exact();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        weir_buffer cbor = {0}, json = {0};
        weir_error error;
        assert_true(
            weir_convert(weir_json, rows[i].in, strlen(rows[i].in), weir_cbor, &options, &cbor, &error));
        assert_true(weir_convert(weir_cbor, cbor.data, cbor.len, weir_json, &options, &json, &error));
        assert_string_equal(json.data, rows[i].out);
        weir_buffer_free(&cbor);
        weir_buffer_free(&json);
    }
}

static int ends_in(const char *name, const char *end)
{
    size_t a = strlen(name), b = strlen(end);
    return a > b && strcmp(name + a - b, end) == 0;
}

static void test_bench_files(void **state)
{
    (void)state;
    char folder[4096], path[8192];
    if (!corpora_path(folder, sizeof folder, "bench")) {
        print_message("the corpora are not here: real files are not tried\n");
        skip();
    }
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    int files = 0;
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (!ends_in(entry->d_name, ".json")) {
            continue;
        }
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        size_t len;
        char *data = read_file(path, &len);
        assert_non_null(data);
        check_chain(data, len, entry->d_name);
        free(data);
        files++;
    }
    closedir(dir);
    assert_true(files > 10);
}

/* Records, through the stream and back. */
static void test_record_file(void **state)
{
    (void)state;
    char path[4096];
    if (!corpora_path(path, sizeof path, "bench/amazon_cellphones.ndjson")) {
        print_message("the corpora are not here: real records are not tried\n");
        skip();
    }
    size_t len;
    char *data = read_file(path, &len);
    weir_options options = exact();
    weir_error error;
    weir_buffer cbor = {0}, msgpack = {0}, back = {0};
    assert_true(weir_convert(weir_ndjson, data, len, weir_cbor, &options, &cbor, &error));
    assert_true(weir_convert(weir_cbor, cbor.data, cbor.len, weir_msgpack, &options, &msgpack, &error));
    assert_true(weir_convert(weir_msgpack, msgpack.data, msgpack.len, weir_ndjson, &options, &back, &error));
    struct pieces a = {data, len, 4093}, b = {back.data, back.len, 1};
    weir_stream *left = weir_stream_open(weir_ndjson, (weir_source){read_piece, &a}, &options, &error);
    weir_stream *right = weir_stream_open(weir_ndjson, (weir_source){read_piece, &b}, &options, &error);
    int records = 0;
    const weir_doc *doc;
    while ((doc = weir_stream_next(left, &error))) {
        assert_same(doc, weir_stream_next(right, &error), "amazon_cellphones", "the stream");
        records++;
    }
    assert_int_equal(error.code, WEIR_E_NONE);
    assert_null(weir_stream_next(right, &error));
    assert_int_equal(error.code, WEIR_E_NONE);
    assert_int_equal(records, weir_stream_lines(left));
    weir_stream_close(left);
    weir_stream_close(right);
    weir_buffer_free(&cbor);
    weir_buffer_free(&msgpack);
    weir_buffer_free(&back);
    free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_documents),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_bench_files),
        cmocka_unit_test(test_record_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
