/* Documents as memory: making the block, freeing it, and what its header knows. */
#include "value/doc.h"

#include "flow/path.h"

void *doc_fail(weir_error *error, weir_code code)
{
    error_set(error, code);
    return NULL;
}

void *doc_fail_memory_limit(weir_error *error, uint64_t maximum, uint64_t needed)
{
    if (error) {
        memset(error, 0, sizeof *error);
        account_point_error(error, WEIR_RESOURCE_MEMORY, maximum, needed);
    }
    return NULL;
}

weir_doc *doc_init(void *block, const weir_allocator *allocator, size_t text, size_t nodes, bool spans)
{
    uint64_t nodes_offset, size;
    if (!doc_layout(text, nodes, spans, &nodes_offset, &size)) {
        return NULL;
    }
    memset(block, 0, DOC_TEXT);
    weir_doc *doc = block;
    doc->allocator = *memory_allocator(allocator);
    doc->block_size = (size_t)size;
    doc->nodes_offset = (size_t)nodes_offset;
    doc->node_count = nodes;
    doc->text_offset = DOC_TEXT;
    doc->text_length = text;
    memset(doc_text(doc) + text, 0, doc->nodes_offset - DOC_TEXT - text);
    if (spans) {
        doc->spans = (uint64_t *)(void *)(doc_nodes(doc) + nodes);
    }
    return doc;
}

weir_doc *doc_new(const weir_options *options, uint64_t input, size_t text, size_t nodes, bool spans,
                  weir_error *error)
{
    uint64_t nodes_offset, size;
    if (!doc_layout(text, nodes, spans, &nodes_offset, &size)) {
        return doc_fail(error, WEIR_E_MEMORY);
    }
    uint64_t limit = account_memory(&options->limits, input);
    if (size > limit) {
        return doc_fail_memory_limit(error, limit, size);
    }
    void *block = memory_get(options->allocator, (size_t)size);
    return block ? doc_init(block, options->allocator, text, nodes, spans) : doc_fail(error, WEIR_E_MEMORY);
}

void weir_doc_free(weir_doc *doc)
{
    if (doc) {
        weir_allocator allocator = doc->allocator;
        memory_put(&allocator, doc, doc->block_size);
    }
}

const weir_val *weir_doc_root(const weir_doc *doc)
{
    return doc && doc->node_count ? doc_nodes(doc) : NULL;
}

size_t weir_doc_nodes(const weir_doc *doc)
{
    return doc ? doc->node_count : 0;
}

size_t weir_doc_memory(const weir_doc *doc)
{
    return doc ? doc->block_size : 0;
}

bool weir_doc_span(const weir_doc *doc, const weir_val *val, uint64_t *offset)
{
    if (!doc || !val || !doc->spans) {
        return false;
    }
    uintptr_t distance = (uintptr_t)val - (uintptr_t)doc_nodes(doc);
    size_t index = distance / sizeof(weir_val);
    if (distance % sizeof(weir_val) || index >= doc->node_count || doc->spans[index] == UINT64_MAX) {
        return false;
    }
    *offset = doc->spans[index];
    return true;
}
