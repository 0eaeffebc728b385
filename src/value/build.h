/* The document builder: events in, a document out. It trusts the order of the events: readers and writers
 * check it.
 *
 * While a document grows its text stands in the block that it will keep, behind room for the header, and its
 * nodes in an array of their own; text nodes hold offsets into the block. A container that is still open is
 * its own stack frame: its word holds the index of the container around it, its length the children so far.
 */
#ifndef VALUE_BUILD_H
#define VALUE_BUILD_H

#include "value/doc.h"

struct builder {
    const weir_allocator *allocator;
    weir_val *nodes;
    uint64_t *spans; /* of each node, with WEIR_KEEP_SPANS */
    size_t count, cap, spans_cap;
    char *block;
    size_t text_end, block_cap; /* bytes of the block in use, allocated */
    size_t parent;              /* index of the innermost open container, or BUILDER_NONE */
    uint64_t limit;             /* bytes that the document may hold */
    /* May raise the limit when it is reached (a stream's grows with its input); may be NULL. */
    uint64_t (*allowance)(void *context);
    void *context;
    bool borrow, keep_spans;
    bool roomy;          /* all memory that is allocated may be filled without passing the limit */
    bool container_keys; /* some key is an array, a map or tagged */
    weir_code failure;   /* WEIR_E_MEMORY or WEIR_E_LIMIT_MEMORY */
    uint64_t needed;     /* the size that was refused */
};

#define BUILDER_NONE SIZE_MAX

/* flags: WEIR_BORROW, WEIR_KEEP_SPANS. Nothing is allocated yet. */
void builder_init(struct builder *b, const weir_allocator *allocator, uint32_t flags, uint64_t limit);
/* Appends one event of a value (END included). false: see failure. */
bool builder_event(struct builder *b, const weir_event *event);
/* The document, after the root is complete; the builder is empty again and keeps its node memory. NULL: see
 * failure. */
weir_doc *builder_finish(struct builder *b);
/* Forgets the document in progress and a failure. */
void builder_reset(struct builder *b);
void builder_free(struct builder *b);

#endif
