/* Copies of values as documents of their own: the nodes at one stroke, then the text, node by node. */
#include "value/doc.h"

/* Bytes of the text of a tree, a NUL behind each. false: beyond 64 bits. */
static bool text_bytes(const weir_val *root, uint64_t *bytes)
{
    uint64_t span = tape_span(root);
    *bytes = 0;
    for (uint64_t i = 0; i < span; i++) {
        if (tape_is_text(tape_kind(root + i)) &&
            __builtin_add_overflow(*bytes, tape_length(root + i) + 1, bytes)) {
            return false;
        }
    }
    return true;
}

weir_doc *doc_for_tree(const weir_val *root, const weir_options *options, weir_error *error)
{
    uint64_t text, span = tape_span(root), input;
    if (!text_bytes(root, &text) || span > PTRDIFF_MAX / sizeof *root || text > PTRDIFF_MAX ||
        __builtin_add_overflow(text, span * sizeof *root, &input)) {
        return doc_fail(error, WEIR_E_MEMORY);
    }
    return doc_new(options, input, (size_t)text, (size_t)span, false, error);
}

char *doc_copy_node(weir_val *to, const weir_val *from, char *text)
{
    *to = *from;
    if (!tape_is_text(tape_kind(from))) {
        return text;
    }
    size_t len = (size_t)tape_length(from);
    memcpy(text, tape_text(from), len);
    text[len] = 0;
    to->tag &= ~(uint64_t)TAPE_UNTERMINATED;
    tape_point(to, text);
    return text + len + 1;
}

weir_doc *weir_doc_copy(const weir_val *val, const weir_options *options, weir_error *error)
{
    weir_options resolved;
    options_resolve(&resolved, options);
    doc_fail(error, WEIR_E_NONE);
    if (!val) {
        return doc_fail(error, WEIR_E_ARGUMENT);
    }
    weir_doc *doc = doc_for_tree(val, &resolved, error);
    if (!doc) {
        return NULL;
    }
    char *text = doc_text(doc);
    weir_val *nodes = doc_nodes(doc);
    for (size_t i = 0; i < doc->node_count; i++) {
        text = doc_copy_node(nodes + i, val + i, text);
    }
    return doc;
}
