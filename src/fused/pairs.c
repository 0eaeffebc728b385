/* Which formats have a fused parser or writer, and the adapters between them and the generic request. */
#include <stdatomic.h>

#include "base/simd.h"
#include "fused/cbor_parse.h"
#include "fused/cbor_write.h"
#include "fused/json_locate.h"
#include "fused/json_parse.h"
#include "fused/json_write.h"
#include "fused/msgpack_parse.h"
#include "fused/msgpack_write.h"
#include "fused/parse.h"
#include "fused/write.h"

#ifndef WEIR_WITHOUT_JSON

static json_parse_kernel *choose_json_kernel(void)
{
#if defined(__x86_64__)
    if (simd_kernels_named("avx512")) {
        return json_parse_avx512;
    }
    if (simd_kernels_named("avx2")) {
        return json_parse_avx2;
    }
#endif
    return json_parse_base;
}

/* Chosen once; every thread that comes first stores the same. */
static json_parse_kernel *json_kernel(void)
{
    static _Atomic(json_parse_kernel *) slot;
    json_parse_kernel *kernel = atomic_load_explicit(&slot, memory_order_relaxed);
    if (unlikely(!kernel)) {
        kernel = choose_json_kernel();
        atomic_store_explicit(&slot, kernel, memory_order_relaxed);
    }
    return kernel;
}

_Static_assert((int)JSON_NUM_DOUBLE == (int)WEIR_NUMBERS_DOUBLE &&
                   (int)JSON_NUM_EXACT == (int)WEIR_NUMBERS_EXACT,
               "both name the policies in one order");

/* A number or a word that another token follows at once is for the exact reader to judge. */
static bool ends_well(const struct parse_request *request)
{
    const weir_val *root =
        (const weir_val *)(const void *)((const char *)request->memory->block + request->nodes_offset);
    if (!request->many || request->consumed == request->len || tape_kind(root) > WEIR_KIND_NUMBER) {
        return true;
    }
    switch (request->data[request->consumed]) {
    case ' ':
    case '\t':
    case '\n':
    case '\r':
    case ',':
    case ']':
    case '}':
        return true;
    default:
        return false;
    }
}

static enum fused_result parse_json(struct parse_request *request)
{
    json_parse_limits limits;
    json_parse_job job;
    job.src = request->data;
    job.len = request->len;
    job.limits = request->json_limits;
    job.least = request->json_least;
    if (!job.limits) {
        limits = json_limits_of(&request->options->limits);
        job.limits = &limits;
    }
    job.numbers = (json_number_policy)request->options->numbers;
    job.many = request->many;
    job.block = request->memory->block;
    job.block_size = request->memory->size;
    job.grow = parse_memory_grow;
    job.grow_ctx = request->memory;
    job.scratch = request->scratch;
    job.stop = JSON_STOP_UNKNOWN;
    json_parse_result result = json_kernel()(&job);
    request->memory->block = job.block;
    request->memory->size = job.block_size;
    if (result == JSON_PARSE_REFUSED && request->error) {
        json_locate(&job, request->options, request->error);
    }
    if (result != JSON_PARSE_OK) {
        return result == JSON_PARSE_MEMORY ? FUSED_MEMORY : FUSED_REFUSED;
    }
    request->nodes_offset = job.nodes_offset;
    request->node_count = job.node_count;
    request->text_offset = job.text_offset;
    request->text_length = job.text_length;
    request->consumed = job.consumed;
    return ends_well(request) ? FUSED_OK : FUSED_REFUSED;
}

/* A record of NDJSON is JSON on one line: neither LF nor, except before it, CR may stand in it. */
static enum fused_result parse_ndjson(struct parse_request *request)
{
    size_t whole = request->len;
    const uint8_t *line_end = whole ? memchr(request->data, '\n', whole) : NULL;
    size_t len = line_end ? (size_t)(line_end - request->data) : whole;
    size_t text = len && request->data[len - 1] == '\r' ? len - 1 : len;
    bool more = line_end && len + 1 != whole;
    if ((more && !request->many) || (text && memchr(request->data, '\r', text))) {
        return FUSED_REFUSED; /* the exact reader tells what it is */
    }
    struct parse_request record = *request;
    record.len = text;
    record.many = false;
    record.error = NULL; /* an error of a record has a code of its own where the line cuts it */
    enum fused_result result = parse_json(&record);
    record.len = whole;
    record.many = request->many;
    record.consumed = len + (line_end ? 1 : 0);
    *request = record;
    return result;
}

static enum fused_result write_json(const weir_val *val, const weir_options *options,
                                    const struct fused_limits *limits, weir_buffer *out)
{
    return json_write_val(val, limits, options->indent, out);
}

/* Records stand on one line. */
static enum fused_result write_json_line(const weir_val *val, const weir_options *options,
                                         const struct fused_limits *limits, weir_buffer *out)
{
    (void)options;
    return json_write_val(val, limits, 0, out);
}

#endif

#if !defined(WEIR_WITHOUT_CBOR) || !defined(WEIR_WITHOUT_MSGPACK)

static enum fused_result parse_binary(struct parse_request *request,
                                      enum fused_result (*parse)(struct parse_job *))
{
    struct fused_limits limits = fused_limits_of(&request->options->limits);
    struct parse_job job = {
        .src = request->data,
        .len = request->len,
        .limits = &limits,
        .many = request->many,
        .borrow = request->options->flags & WEIR_BORROW,
        .block = request->memory->block,
        .block_size = request->memory->size,
        .grow = parse_memory_grow,
        .grow_context = request->memory,
    };
    enum fused_result result = parse(&job);
    request->memory->block = job.block;
    request->memory->size = job.block_size;
    request->nodes_offset = job.nodes_offset;
    request->node_count = job.node_count;
    request->text_offset = job.text_offset;
    request->text_length = job.text_length;
    request->consumed = job.consumed;
    request->borrowed = job.borrow;
    return result;
}

#endif

#ifndef WEIR_WITHOUT_CBOR

static enum fused_result parse_cbor(struct parse_request *request)
{
    return parse_binary(request, cbor_parse);
}

static enum fused_result write_cbor(const weir_val *val, const weir_options *options,
                                    const struct fused_limits *limits, weir_buffer *out)
{
    (void)options;
    return cbor_write_val(val, limits, out);
}

#endif

#ifndef WEIR_WITHOUT_MSGPACK

static enum fused_result parse_msgpack(struct parse_request *request)
{
    return parse_binary(request, msgpack_parse);
}

static enum fused_result write_msgpack(const weir_val *val, const weir_options *options,
                                       const struct fused_limits *limits, weir_buffer *out)
{
    (void)options;
    return msgpack_write_val(val, limits, out);
}

#endif

fused_parse *fused_parser_of(const weir_format *format)
{
#ifndef WEIR_WITHOUT_JSON
    if (format == weir_json) {
        return parse_json;
    }
    if (format == weir_ndjson) {
        return parse_ndjson;
    }
#endif
#ifndef WEIR_WITHOUT_CBOR
    if (format == weir_cbor) {
        return parse_cbor;
    }
#endif
#ifndef WEIR_WITHOUT_MSGPACK
    if (format == weir_msgpack) {
        return parse_msgpack;
    }
#endif
    return NULL;
}

fused_write *fused_writer_of(const weir_format *format, const weir_options *options)
{
#ifndef WEIR_WITHOUT_JSON
    bool plain = !(options->flags & (WEIR_ASCII | WEIR_CANONICAL));
    if (plain && (format == weir_json || format == weir_json_seq)) {
        return write_json;
    }
    if (plain && format == weir_ndjson) {
        return write_json_line;
    }
#endif
#ifndef WEIR_WITHOUT_CBOR
    if (format == weir_cbor && !(options->flags & WEIR_CANONICAL)) {
        return write_cbor;
    }
#endif
#ifndef WEIR_WITHOUT_MSGPACK
    if (format == weir_msgpack) {
        return write_msgpack;
    }
#endif
    return NULL;
}
