/* Documents as memory: the sizes of their one block, allocation, errors without a position. */
#ifndef VALUE_DOC_H
#define VALUE_DOC_H

#include "flow/account.h"
#include "value/tape.h"

/* Zero bytes between header and text: a scan backwards from the text stops in them. */
#define DOC_ZEROS 16
/* Where the text begins in the block. */
#define DOC_TEXT (TAPE_HEADER + DOC_ZEROS)

/* The size of the block for `text` bytes of text (NULs included) and `nodes` nodes, and where the nodes begin
 * in it. false: beyond size_t. */
static inline bool doc_layout(uint64_t text, uint64_t nodes, bool spans, uint64_t *nodes_offset,
                              uint64_t *size)
{
    uint64_t node_bytes;
    if (__builtin_add_overflow(text, (uint64_t)(DOC_TEXT + TAPE_PADDING + 15), nodes_offset) ||
        __builtin_mul_overflow(nodes, (uint64_t)(sizeof(weir_val) + (spans ? sizeof(uint64_t) : 0)),
                               &node_bytes)) {
        return false;
    }
    *nodes_offset &= ~(uint64_t)15;
    return !__builtin_add_overflow(*nodes_offset, node_bytes, size) && *size <= PTRDIFF_MAX;
}

/* Fills in the header of a block of doc_layout's size; the nodes follow the text's padding, which is zeroed.
 */
weir_doc *doc_init(void *block, const weir_allocator *allocator, size_t text, size_t nodes, bool spans);

/* A document with room for `text` bytes and `nodes` nodes, both still to be filled in; its size is held
 * against the memory limit first. NULL: *error (may be NULL) says why. */
weir_doc *doc_new(const weir_options *options, uint64_t input, size_t text, size_t nodes, bool spans,
                  weir_error *error);

/* A document with room for all nodes and the text of a tree, still to be filled in with doc_copy_node. */
weir_doc *doc_for_tree(const weir_val *root, const weir_options *options, weir_error *error);
/* Copies one node, and its bytes with a NUL to `text`; returns where the next text goes. */
char *doc_copy_node(weir_val *to, const weir_val *from, char *text);

static inline char *doc_text(const weir_doc *doc)
{
    return (char *)(uintptr_t)doc + doc->text_offset;
}

/* Points a text node at its bytes. Both may lie anywhere. */
static inline void tape_point(weir_val *node, const void *bytes)
{
    node->v.i = (intptr_t)((uintptr_t)bytes - (uintptr_t)node);
}

/* *error (may be NULL) becomes a plain error of this code at offset 0; returns NULL. */
void *doc_fail(weir_error *error, weir_code code);
/* The same for the memory limit. */
void *doc_fail_memory_limit(weir_error *error, uint64_t maximum, uint64_t needed);

#endif
