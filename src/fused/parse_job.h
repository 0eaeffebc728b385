/* What a fused parser is asked to do, and how its memory works: bytes -> one block with the document.
 *
 *   owned     [ header, the caller's | zeros | input, strings NUL-terminated in it | padding | node node node
 * … ] borrowed  [ header, the caller's | node node node … ]    text stays in the input */
#ifndef FUSED_PARSE_JOB_H
#define FUSED_PARSE_JOB_H

#include "fused/fused.h"

struct parse_job {
    const uint8_t *src; /* no byte beyond src[len - 1] is read */
    size_t len;
    const struct fused_limits *limits; /* NULL: none. output is ignored */
    bool many;   /* stop after one value and report `consumed`; what follows is not looked at */
    bool borrow; /* text stays in src, marked TAPE_UNTERMINATED */
    void *block; /* in: memory to reuse, or NULL; out: the block, possibly moved; the caller frees it in every
                    case */
    size_t block_size;
    /* Like realloc: the new block keeps the first `keep` bytes. NULL = refused; the old block is then still
     * valid. */
    void *(*grow)(void *context, void *block, size_t keep, size_t old_size, size_t new_size);
    void *grow_context;
    /* Results, valid after FUSED_OK. Offsets are in the block. A string at text_offset + n stood at src + n.
     */
    size_t nodes_offset, node_count;
    size_t text_offset, text_length; /* 0 if borrowed */
    size_t consumed;
};

#endif
