/* weir_parse, weir_parse_prefix and the reusable parser.
 *
 * A fused parser only decides "valid and within limits" or "not". When it says not, the exact reader goes
 * over the same bytes: it finds the first failing event, or knows the rare thing that the fused parser leaves
 * to it. */
#include "fused/parse.h"

#include "flow/path.h"
#include "flow/reader_priv.h"
#include "fused/json_parse.h"
#include "value/dedupe.h"
#include "value/doc.h"

struct weir_parser {
    weir_options options;
    struct parse_memory memory;
    struct json_scratch *scratch;
    json_parse_limits json_limits;
    size_t json_least;
    weir_doc *slow; /* the last document, if the exact reader made it */
};

/* Less than this much unused memory is not given back. */
#define TRIM_MIN ((size_t)4096)

void *parse_memory_grow(void *context, void *block, size_t keep, size_t old_size, size_t new_size)
{
    struct parse_memory *memory = context;
    if (new_size > memory->limit) {
        memory->limited = true;
        return NULL;
    }
    void *grown;
    if (keep < old_size / 4) {
        /* Most of the block is of no use: don't have it copied. */
        grown = memory_get(memory->allocator, new_size);
        if (!grown) {
            return NULL;
        }
        if (keep) {
            memcpy(grown, block, keep);
        }
        memory_put(memory->allocator, block, old_size);
    } else {
        grown = memory_resize(memory->allocator, block, old_size, new_size);
        if (!grown) {
            return NULL;
        }
    }
    memory->block = grown;
    memory->size = new_size;
    return grown;
}

bool fused_parse_fits(const weir_options *options)
{
    return !(options->flags & WEIR_KEEP_SPANS) && !(options->allow & WEIR_ALLOW_BOM) &&
           options->limits.documents > 0;
}

/* Where the error goes: the caller's, or one that nobody looks at, of which only the code counts. */
static inline weir_error *begin_error(weir_error *error, weir_error *ignored)
{
    if (!error) {
        ignored->code = WEIR_E_NONE;
        return ignored;
    }
    error_set(error, WEIR_E_NONE);
    return error;
}

/* Turns the block into a document. */
static weir_doc *adopt_block(const struct parse_request *request)
{
    const struct parse_memory *memory = request->memory;
    weir_doc *doc = memory->block;
    doc->allocator = *memory_allocator(memory->allocator);
    doc->block_size = memory->size;
    doc->nodes_offset = request->nodes_offset;
    doc->node_count = request->node_count;
    doc->text_offset = request->text_offset;
    doc->text_length = request->text_length;
    doc->spans = NULL;
    doc->text_is_input = !request->borrowed;
    return doc;
}

/* The limit is the document's; while it is made the block also holds the frames of open containers, half a
 * node each. */
static uint64_t block_limit(uint64_t limit)
{
    return limit > UINT64_MAX / 2 ? limit : limit + limit / 2 + 4096;
}

/* Field by field, here and below: results need no clearing, which would cost small documents more than the
 * rest. */
static void request_fill(struct parse_request *request, const void *data, size_t len, bool many,
                         const weir_options *options, struct parse_memory *memory, weir_error *error)
{
    request->data = data;
    request->len = len;
    request->many = many;
    request->options = options;
    request->memory = memory;
    request->scratch = NULL;
    request->json_limits = NULL;
    request->json_least = 0;
    request->error = error;
    request->borrowed = false;
}

/* The fused way. NULL: not taken, or *error says why there is no document. */
static weir_doc *parse_fused(fused_parse *parse, struct parse_request *request, weir_error *error)
{
    error->code = WEIR_E_NONE;
    uint64_t limit = account_memory(&request->options->limits, request->len);
    request->memory->limit = block_limit(limit);
    request->memory->limited = false;
    enum fused_result result = parse(request);
    if (result == FUSED_OK) {
        return request->nodes_offset + request->node_count * sizeof(weir_val) <= limit ? adopt_block(request)
                                                                                       : NULL;
    }
    if (result == FUSED_MEMORY && !request->memory->limited) {
        error_set(error, WEIR_E_MEMORY);
    }
    return NULL;
}

/* The exact way: events into the builder. With many, bytes after the first document are left alone. */
static weir_doc *parse_exact(const weir_format *format, const void *data, size_t len, size_t *consumed,
                             const weir_options *options, weir_error *error)
{
    weir_reader *reader = reader_open_memory(format, data, len, options, error);
    if (!reader) {
        return NULL;
    }
    weir_doc *doc = weir_read_doc(reader, error);
    if (!doc && error->code == WEIR_E_NONE) {
        error_set(error, WEIR_E_EMPTY);
        error->offset = weir_reader_offset(reader);
    }
    if (doc && consumed) {
        *consumed = (size_t)weir_reader_offset(reader);
    } else if (doc) {
        const weir_event *event = weir_reader_next(reader);
        if (!event || event->kind != WEIR_KIND_END_STREAM) {
            if (event) {
                error_set(error, WEIR_E_TRAILING);
                error->offset = event->offset;
                if (reader->in.text) {
                    input_position(&reader->in, error->offset, &error->line, &error->column);
                }
            } else {
                *error = *weir_reader_error(reader);
            }
            weir_doc_free(doc);
            doc = NULL;
        }
    }
    weir_reader_close(reader);
    return doc;
}

/* Applies the duplicates policy to a document of the fused parser. false: the exact way has to find the
 * place. */
static bool settle_duplicates(weir_doc *doc, const weir_options *options, weir_error *error)
{
    const weir_val *second = NULL;
    weir_code code = WEIR_E_NONE;
    switch (options->duplicates) {
    case WEIR_DUPLICATES_FIRST:
    case WEIR_DUPLICATES_LAST:
        code = doc_dedupe(doc, options->duplicates);
        break;
    case WEIR_DUPLICATES_REJECT:
        code = doc_find_duplicate(doc, &second);
        break;
    default:
        break;
    }
    if (code != WEIR_E_NONE) {
        error_set(error, code);
    }
    return code == WEIR_E_NONE && !second;
}

static bool charge_input(size_t len, const weir_options *options, weir_error *error)
{
    if (len > options->limits.input) {
        error_set(error, WEIR_E_NONE);
        account_sum_error(error, WEIR_RESOURCE_INPUT, options->limits.input, 0, len);
        return false;
    }
    return true;
}

/* Gives back what the first guess took too much. */
static weir_doc *trim(weir_doc *doc, uint64_t limit)
{
    size_t used = doc->nodes_offset + doc->node_count * sizeof(weir_val), unused = doc->block_size - used;
    if ((unused < TRIM_MIN || unused < doc->block_size / 4) && doc->block_size <= limit) {
        return doc;
    }
    weir_allocator allocator = doc->allocator;
    uintptr_t before = (uintptr_t)doc;
    weir_doc *smaller = memory_resize(&allocator, doc, doc->block_size, used);
    if (!smaller) {
        return doc;
    }
    smaller->block_size = used;
    uintptr_t moved = (uintptr_t)smaller - before;
    weir_val *nodes = doc_nodes(smaller);
    for (size_t i = 0; !smaller->text_is_input && moved != 0 && i < smaller->node_count; i++) {
        if (tape_is_text(tape_kind(nodes + i))) { /* borrowed text stays where it is */
            nodes[i].v.u = (uint64_t)((uintptr_t)nodes[i].v.u - moved);
        }
    }
    return smaller;
}

static uint64_t least_of(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The length up to which a text of JSON meets no limit but those of depth and of long numbers. */
static size_t json_limits_least(const weir_limits *given)
{
    uint64_t least =
        least_of(least_of(least_of(given->nodes, given->items), least_of(given->entries, given->key)),
                 least_of(given->string, given->payload));
    if (given->number < JSON_NUMBER_UNCHECKED) {
        least = least_of(least, given->number);
    }
    return least < SIZE_MAX ? (size_t)least : SIZE_MAX;
}

static weir_doc *parse_one(const weir_format *format, const void *data, size_t len, size_t *consumed,
                           const weir_options *given, weir_error *error)
{
    weir_error ignored;
    error = begin_error(error, &ignored);
    if (!format || (!data && len)) {
        error_set(error, WEIR_E_ARGUMENT);
        return NULL;
    }
    weir_options storage;
    const weir_options *options = options_view(given, &storage);
    if (!charge_input(len, options, error)) {
        return NULL;
    }
    fused_parse *fused = fused_parser_of(format);
    if (fused && fused_parse_fits(options)) {
        struct parse_memory memory = {.allocator = options->allocator};
        struct parse_request request;
        request_fill(&request, data, len, consumed != NULL, options, &memory, error);
        request.json_least = json_limits_least(&options->limits);
        weir_doc *doc = parse_fused(fused, &request, error);
        if (doc && settle_duplicates(doc, options, error)) {
            if (consumed) {
                *consumed = request.consumed;
            }
            return trim(doc, account_memory(&options->limits, len));
        }
        memory_put(options->allocator, memory.block, memory.size);
        if (error->code != WEIR_E_NONE) {
            return NULL;
        }
    }
    return parse_exact(format, data, len, consumed, options, error);
}

weir_doc *weir_parse(const weir_format *format, const void *data, size_t len, const weir_options *options,
                     weir_error *error)
{
    return parse_one(format, data, len, NULL, options, error);
}

weir_doc *weir_parse_prefix(const weir_format *format, const void *data, size_t len, size_t *consumed,
                            const weir_options *options, weir_error *error)
{
    size_t ignored;
    return parse_one(format, data, len, consumed ? consumed : &ignored, options, error);
}

/* ---- the reusable parser ---- */

weir_parser *weir_parser_new(const weir_options *options, weir_error *error)
{
    weir_options resolved;
    options_resolve(&resolved, options);
    weir_parser *parser = memory_get(resolved.allocator, sizeof *parser);
    struct json_scratch *scratch = memory_get(resolved.allocator, sizeof *scratch);
    if (!parser || !scratch) {
        memory_put(resolved.allocator, parser, sizeof *parser);
        memory_put(resolved.allocator, scratch, sizeof *scratch);
        error_set(error, WEIR_E_MEMORY);
        return NULL;
    }
    memset(parser, 0, sizeof *parser);
    parser->options = resolved;
    parser->memory.allocator = resolved.allocator;
    parser->scratch = scratch;
    parser->json_limits = json_limits_of(&resolved.limits);
    parser->json_least = json_limits_least(&resolved.limits);
    return parser;
}

const weir_doc *weir_parser_parse(weir_parser *parser, const weir_format *format, const void *data,
                                  size_t len, size_t *consumed, weir_error *error)
{
    weir_error ignored;
    error = begin_error(error, &ignored);
    if (unlikely(parser->slow)) {
        weir_doc_free(parser->slow);
        parser->slow = NULL;
    }
    if (!format || (!data && len)) {
        error_set(error, WEIR_E_ARGUMENT);
        return NULL;
    }
    const weir_options *options = &parser->options;
    if (!charge_input(len, options, error)) {
        return NULL;
    }
    fused_parse *fused = fused_parser_of(format);
    if (fused && fused_parse_fits(options)) {
        struct parse_request request;
        request_fill(&request, data, len, consumed != NULL, options, &parser->memory, error);
        request.scratch = parser->scratch;
        request.json_limits = &parser->json_limits;
        request.json_least = parser->json_least;
        weir_doc *doc = parse_fused(fused, &request, error);
        if (doc && settle_duplicates(doc, options, error)) {
            if (consumed) {
                *consumed = request.consumed;
            }
            return doc;
        }
        if (error->code != WEIR_E_NONE) {
            return NULL;
        }
    }
    parser->slow = parse_exact(format, data, len, consumed, options, error);
    return parser->slow;
}

void weir_parser_free(weir_parser *parser)
{
    if (parser) {
        const weir_allocator *allocator = parser->options.allocator;
        weir_doc_free(parser->slow);
        memory_put(allocator, parser->memory.block, parser->memory.size);
        memory_put(allocator, parser->scratch, sizeof *parser->scratch);
        memory_put(allocator, parser, sizeof *parser);
    }
}
