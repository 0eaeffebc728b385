/* The tape: how a document lies in memory.
 *
 *   tag   63                                    8 7   5 4    0
 *        | byte length, or number of children    | sub | kind |
 *   word  UINT, INT, REAL: the value · STRING, BYTES, NUMBER, SECRET: signed distance from the node to the
 * bytes ARRAY, MAP, TAGGED: span in nodes, itself included · TIMESTAMP: seconds
 *
 *   [ struct weir_doc, 128 bytes | zeros | text … | padding | node node node … | spans, if kept ]   one block
 *
 * Children follow their container in pre-order; map children alternate key and value. Nothing here is an
 * absolute pointer, so an owned document can be moved. */
#ifndef VALUE_TAPE_H
#define VALUE_TAPE_H

#include "base/memory.h"
#include "weir/value.h"

struct weir_val {
    uint64_t tag;
    union {
        uint64_t u;
        int64_t i;
        double d;
    } v;
};

enum {
    TAPE_KIND = 0x1F,
    TAPE_SUB = 0xE0,
    TAPE_PLAIN =
        0x20, /* STRING: no byte below 0x20, no quote, no backslash: JSON writers copy it unchecked */
    TAPE_UNTERMINATED = 0x40, /* STRING, BYTES, NUMBER, SECRET: no NUL behind */
    TAPE_F32 = 0x20,          /* REAL */
    TAPE_F16 = 0x40,
    TAPE_PADDING = 64 /* readable bytes behind the text of an owned document */
};

#define TAPE_MAX_LENGTH (UINT64_MAX >> 8)

struct weir_doc {
    weir_allocator allocator;
    size_t block_size;   /* bytes of the block, this header included */
    size_t nodes_offset; /* from the header */
    size_t node_count;
    size_t text_offset; /* of the text; a string's place in the input is its place here minus this … */
    size_t text_length; /* … if text_is_input */
    uint64_t *spans;    /* with WEIR_KEEP_SPANS: the offset of each node in the input */
    bool text_is_input;
};

#define TAPE_HEADER 128
_Static_assert(sizeof(struct weir_doc) <= TAPE_HEADER, "the header must fit its place");
_Static_assert(sizeof(struct weir_val) == 16, "a node is 16 bytes");

static inline weir_kind tape_kind(const weir_val *node)
{
    return (weir_kind)(node->tag & TAPE_KIND);
}

static inline uint64_t tape_length(const weir_val *node)
{
    return node->tag >> 8;
}

static inline uint64_t tape_tag(weir_kind kind, unsigned sub, uint64_t length)
{
    return (uint64_t)kind | sub | length << 8;
}

static inline bool tape_is_text(weir_kind kind)
{
    return kind == WEIR_KIND_STRING || kind == WEIR_KIND_BYTES || kind == WEIR_KIND_NUMBER ||
           kind == WEIR_KIND_SECRET;
}

static inline bool tape_is_container(weir_kind kind)
{
    return kind == WEIR_KIND_ARRAY || kind == WEIR_KIND_MAP || kind == WEIR_KIND_TAGGED;
}

static inline const char *tape_text(const weir_val *node)
{
    return (const char *)((uintptr_t)node + (uintptr_t)node->v.u); /* may lie in another object: wraps */
}

/* Nodes that a value takes, itself included. */
static inline uint64_t tape_span(const weir_val *node)
{
    return tape_is_container(tape_kind(node)) ? node->v.u : 1;
}

static inline weir_val *doc_nodes(const weir_doc *doc)
{
    return (weir_val *)((char *)(uintptr_t)doc + doc->nodes_offset);
}

/* TIMESTAMP: seconds in the word; in the length bits nanoseconds (30), offset + 2048 (12), digits (4), shape
 * (2). */
weir_val tape_from_timestamp(weir_timestamp time);
weir_timestamp tape_timestamp(const weir_val *node);

#endif
