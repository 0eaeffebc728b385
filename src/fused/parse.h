/* From bytes to documents: the fused pair of a format when it has one, else its reader and the document
 * builder. */
#ifndef FUSED_PARSE_H
#define FUSED_PARSE_H

#include "flow/account.h"
#include "fused/fused.h"
#include "value/tape.h"

struct json_scratch;
struct json_parse_limits;

/* The block that a fused parser fills: taken, grown and refused here. */
struct parse_memory {
    const weir_allocator *allocator;
    void *block;
    size_t size;
    uint64_t limit; /* of the block's size */
    bool limited;   /* the limit, not the allocator, refused */
};

/* realloc-like, keeps the first `keep` bytes; context is a struct parse_memory. */
void *parse_memory_grow(void *context, void *block, size_t keep, size_t old_size, size_t new_size);

struct parse_request {
    const uint8_t *data;
    size_t len;
    bool many;                   /* one document at the beginning; consumed tells where it ends */
    const weir_options *options; /* resolved */
    struct parse_memory *memory;
    struct json_scratch *scratch;                /* may be NULL */
    const struct json_parse_limits *json_limits; /* those of the options, or NULL */
    size_t json_least;                           /* json_parse_job's least */
    weir_error *error; /* a refusal whose reason is known says it here; NULL: don't look for it */
    /* results */
    size_t nodes_offset, node_count, text_offset, text_length, consumed;
    bool borrowed; /* the text is the caller's input */
};

typedef enum fused_result fused_parse(struct parse_request *request);

/* The fused parser of a format, or NULL. */
fused_parse *fused_parser_of(const weir_format *format);

/* Can the fused parser honour these options? */
bool fused_parse_fits(const weir_options *options);

/* The same limits as the fused loops take them. */
static inline struct fused_limits fused_limits_of(const weir_limits *limits)
{
    struct fused_limits out = {
        .depth = limits->depth,
        .nodes = limits->nodes,
        .items = limits->items,
        .entries = limits->entries,
        .key = limits->key,
        .string = limits->string,
        .number = limits->number,
        .payload = limits->payload,
        .output = limits->output,
    };
    return out;
}

#endif
