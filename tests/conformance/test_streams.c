/* weir_stream tells the same of an input whichever way it reads: by the fused parsers, or by the exact reader
 * (which limits that sum up over documents ask for), in pieces of any size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support.h"
#include "weir/weir.h"

struct pieces {
    const char *p;
    size_t left, piece;
};

static ptrdiff_t read_piece(void *context, void *out, size_t size)
{
    struct pieces *from = context;
    size = size < from->piece ? size : from->piece;
    size = size < from->left ? size : from->left;
    memcpy(out, from->p, size);
    from->p += size;
    from->left -= size;
    return (ptrdiff_t)size;
}

static const struct row {
    const weir_format *format;
    uint32_t flags;
    const char *input;
    size_t len;
    int documents; /* before the end or the error */
    weir_code code;
    uint64_t offset; /* of the error */
} rows[] = {
#define TEXT(text) text, sizeof text - 1
    /* a format of one document holds one */
    {weir_json, 0, TEXT(" [1] \n"), 1, WEIR_E_NONE, 0},
    {weir_json, 0, TEXT(""), 0, WEIR_E_EMPTY, 0},
    {weir_json, 0, TEXT("1 2"), 1, WEIR_E_JSON_TRAILING, 2},
    {weir_json, 0, TEXT("[1]\n]"), 1, WEIR_E_JSON_TRAILING, 4},
    {weir_json, 0, TEXT("[1, 2"), 0, WEIR_E_JSON_INCOMPLETE, 5},
    /* unless several are asked for */
    {weir_json, WEIR_MULTI, TEXT("1 2\n[3]"), 3, WEIR_E_NONE, 0},
    {weir_json, WEIR_MULTI, TEXT(" \n"), 0, WEIR_E_NONE, 0},
    {weir_json, WEIR_MULTI, TEXT("1\n]"), 1, WEIR_E_JSON_UNEXPECTED_BYTE, 2},
    {weir_ndjson, 0, TEXT("1\n\n[2]"), 2, WEIR_E_NONE, 0},
    {weir_ndjson, 0, TEXT("1\n]\n2\n"), 1, WEIR_E_JSON_UNEXPECTED_BYTE, 2},
    {weir_ndjson, 0, TEXT("1 2\n"), 0, WEIR_E_JSON_TRAILING, 2},
    {weir_json_seq, 0,
     TEXT("\x1E"
          "1\n\x1E[2]"),
     2, WEIR_E_NONE, 0},
    {weir_json_seq, 0, TEXT("\x1E[1]\n[2]"), 0, WEIR_E_JSON_TRAILING, 5},
    {weir_cbor, 0, TEXT("\x01\x82\x01\x02"), 2, WEIR_E_NONE, 0},
    {weir_cbor, 0, TEXT("\x01\x82\x01"), 1, WEIR_E_CBOR_INCOMPLETE, 3},
    {weir_cbor_diag, 0, TEXT("1, [2]"), 2, WEIR_E_NONE, 0},
    {weir_msgpack, 0, TEXT(""), 0, WEIR_E_NONE, 0},
    {weir_msgpack, 0, TEXT("\x01\x92\x01"), 1, WEIR_E_MSGPACK_INCOMPLETE, 3},
    {weir_msgpack, 0, TEXT("\x01\xC1"), 1, WEIR_E_MSGPACK_RESERVED, 1},
};

static void check(const struct row *row, size_t piece, uint64_t nodes)
{
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.flags = row->flags;
    options.limits.nodes = nodes;
    struct pieces from = {row->input, row->len, piece};
    weir_error error;
    weir_stream *stream = weir_stream_open(row->format, (weir_source){read_piece, &from}, &options, &error);
    assert_non_null(stream);
    int documents = 0;
    while (weir_stream_next(stream, &error)) {
        documents++;
    }
    if (documents != row->documents || error.code != row->code ||
        (error.code && error.offset != row->offset) ||
        (error.code && error.document != (uint64_t)row->documents)) {
        fail_msg("%s '%s' in pieces of %zu%s: %d documents, %s at %" PRIu64 " of document %" PRIu64,
                 weir_format_name(row->format), row->input, piece, nodes == WEIR_UNSET ? "" : ", exact",
                 documents, weir_code_name(error.code), error.offset, error.document);
    }
    weir_code first = error.code; /* the end and errors are sticky */
    assert_null(weir_stream_next(stream, &error));
    assert_int_equal(error.code, first);
    weir_stream_close(stream);
}

static void every_way(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (size_t piece = 1; piece < 8; piece++) {
            check(&rows[i], piece, WEIR_UNSET);
            check(&rows[i], piece, 1000);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_way)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
