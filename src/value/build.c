/* The document builder, and the writer whose output is a document. */
#include "value/build.h"

#include "flow/writer_priv.h"

void builder_init(struct builder *b, const weir_allocator *allocator, uint32_t flags, uint64_t limit)
{
    memset(b, 0, sizeof *b);
    b->allocator = allocator;
    b->text_end = DOC_TEXT;
    b->parent = BUILDER_NONE;
    b->limit = limit;
    b->borrow = flags & WEIR_BORROW;
    b->keep_spans = flags & WEIR_KEEP_SPANS;
}

void builder_reset(struct builder *b)
{
    b->count = 0;
    b->text_end = DOC_TEXT;
    b->parent = BUILDER_NONE;
    b->container_keys = false;
    b->failure = WEIR_E_NONE;
}

void builder_free(struct builder *b)
{
    memory_put(b->allocator, b->nodes, b->cap * sizeof *b->nodes);
    memory_put(b->allocator, b->spans, b->spans_cap * sizeof *b->spans);
    memory_put(b->allocator, b->block, b->block_cap);
    builder_init(b, b->allocator, 0, b->limit);
}

/* ---- room ---- */

static COLD bool fail(struct builder *b, weir_code code, uint64_t needed)
{
    b->failure = code;
    b->needed = needed;
    return false;
}

/* Twice the capacity, but no more than the limit lets the document use. */
static bool grow(struct builder *b, void *slot, size_t *cap, size_t need, size_t first, size_t item)
{
    size_t next = *cap < first ? first : *cap;
    while (next < need) {
        next += next < SIZE_MAX / 2 ? next : SIZE_MAX - next;
    }
    if (next > b->limit / item) {
        next = (size_t)(b->limit / item) > need ? (size_t)(b->limit / item) : need;
    }
    size_t size;
    if (__builtin_mul_overflow(next, item, &size) || size > PTRDIFF_MAX) {
        return fail(b, WEIR_E_MEMORY, 0);
    }
    void *old;
    memcpy(&old, slot, sizeof old);
    void *grown = memory_resize(b->allocator, old, *cap * item, size);
    if (!grown) {
        return fail(b, WEIR_E_MEMORY, 0);
    }
    memcpy(slot, &grown, sizeof grown);
    *cap = next;
    return true;
}

/* Would the document stay within its limit if it filled all memory that it has? */
static bool is_roomy(const struct builder *b)
{
    uint64_t nodes_offset, size;
    size_t text = b->block_cap > DOC_TEXT ? b->block_cap - DOC_TEXT : 0;
    return (!b->keep_spans || b->spans_cap >= b->cap) &&
           doc_layout(text, b->cap, b->keep_spans, &nodes_offset, &size) && size <= b->limit;
}

/* Holds the size that the document would have with so many more nodes and bytes of text against the limit,
 * then makes room for them. */
static NEVER_INLINE bool make_room(struct builder *b, size_t nodes, size_t text)
{
    uint64_t nodes_offset, size;
    if (!doc_layout((uint64_t)b->text_end - DOC_TEXT + text, (uint64_t)b->count + nodes, b->keep_spans,
                    &nodes_offset, &size)) {
        return fail(b, WEIR_E_MEMORY, 0);
    }
    if (size > b->limit) {
        if (b->allowance) {
            b->limit = b->allowance(b->context);
        }
        if (size > b->limit) {
            return fail(b, WEIR_E_LIMIT_MEMORY, size);
        }
    }
    size_t count = b->count + nodes;
    if ((count > b->cap && !grow(b, &b->nodes, &b->cap, count, 32, sizeof *b->nodes)) ||
        (b->keep_spans && count > b->spans_cap &&
         !grow(b, &b->spans, &b->spans_cap, count, 32, sizeof *b->spans)) ||
        (text && b->text_end + text > b->block_cap &&
         !grow(b, &b->block, &b->block_cap, b->text_end + text, 512, 1))) {
        return false;
    }
    b->roomy = is_roomy(b);
    return true;
}

static inline bool admit(struct builder *b, size_t nodes, size_t text)
{
    return (likely(b->roomy) && b->count + nodes <= b->cap &&
            (text == 0 || b->text_end + text <= b->block_cap)) ||
           make_room(b, nodes, text);
}

/* ---- events ---- */

static inline void put_node(struct builder *b, uint64_t tag, uint64_t word, uint64_t offset)
{
    if (b->keep_spans) {
        b->spans[b->count] = offset;
    }
    weir_val *node = b->nodes + b->count++;
    node->tag = tag;
    node->v.u = word;
}

/* Text stays where it is if it may: its node then holds its address instead of an offset into the block. */
static inline bool stays(const struct builder *b, const weir_event *event)
{
    return b->borrow && event->borrowed && event->len > 0;
}

static inline size_t text_size(const struct builder *b, const weir_event *event)
{
    return stays(b, event) ? 0 : event->len + 1;
}

static void put_text(struct builder *b, weir_kind kind, const weir_event *event)
{
    unsigned sub = kind == WEIR_KIND_STRING && event->plain ? TAPE_PLAIN : 0;
    if (stays(b, event)) {
        put_node(b, tape_tag(kind, sub | TAPE_UNTERMINATED, event->len), (uintptr_t)event->text,
                 event->offset);
        return;
    }
    char *to = b->block + b->text_end;
    if (event->len) {
        memcpy(to, event->text, event->len);
    }
    to[event->len] = 0;
    put_node(b, tape_tag(kind, sub, event->len), b->text_end, event->offset);
    b->text_end += event->len + 1;
}

static inline void close_container(struct builder *b, weir_val *node)
{
    size_t at = b->parent;
    b->parent = (size_t)node->v.u;
    node->v.u = b->count - at;
}

/* A value is complete: it counts in its container, and a tag around it is complete too. */
static inline void value_done(struct builder *b)
{
    while (b->parent != BUILDER_NONE) {
        weir_val *parent = b->nodes + b->parent;
        if (tape_kind(parent) != WEIR_KIND_TAGGED) {
            parent->tag += 1u << 8;
            return;
        }
        close_container(b, parent);
    }
}

static inline void open_container(struct builder *b, const weir_event *event)
{
    size_t at = b->count;
    b->container_keys |= event->is_key;
    put_node(b, tape_tag((weir_kind)event->kind, 0, 0), b->parent, event->offset);
    b->parent = at;
}

static void end_container(struct builder *b)
{
    weir_val *node = b->nodes + b->parent;
    if (tape_kind(node) == WEIR_KIND_MAP) { /* keys were counted too */
        node->tag = tape_tag(WEIR_KIND_MAP, 0, tape_length(node) / 2);
    }
    close_container(b, node);
    value_done(b);
}

static inline uint64_t real_tag(const weir_event *event)
{
    unsigned sub = event->width == WEIR_WIDTH_32 ? TAPE_F32 : event->width == WEIR_WIDTH_16 ? TAPE_F16 : 0;
    return tape_tag(WEIR_KIND_REAL, sub, 0);
}

static bool put_tag(struct builder *b, const weir_event *event)
{
    if (!admit(b, 2, event->text ? text_size(b, event) : 0)) {
        return false;
    }
    open_container(b, event);
    if (event->text) {
        put_text(b, WEIR_KIND_STRING, event);
    } else {
        put_node(b, tape_tag(WEIR_KIND_UINT, 0, 0), event->v.u, event->offset);
    }
    return true;
}

bool builder_event(struct builder *b, const weir_event *event)
{
    weir_kind kind = (weir_kind)event->kind;
    weir_val time;
    switch (kind) {
    case WEIR_KIND_END:
        end_container(b);
        return true;
    case WEIR_KIND_TAGGED:
        return put_tag(b, event);
    case WEIR_KIND_STRING:
    case WEIR_KIND_BYTES:
    case WEIR_KIND_NUMBER:
    case WEIR_KIND_SECRET:
        if (!admit(b, 1, text_size(b, event))) {
            return false;
        }
        put_text(b, kind, event);
        break;
    default:
        if (!admit(b, 1, 0)) {
            return false;
        }
        switch (kind) {
        case WEIR_KIND_ARRAY:
        case WEIR_KIND_MAP:
            open_container(b, event);
            return true;
        case WEIR_KIND_UINT:
            put_node(b, tape_tag(kind, 0, 0), event->v.u, event->offset);
            break;
        case WEIR_KIND_INT:
            put_node(b, tape_tag(event->v.i < 0 ? WEIR_KIND_INT : WEIR_KIND_UINT, 0, 0), event->v.u,
                     event->offset);
            break;
        case WEIR_KIND_REAL:
            put_node(b, real_tag(event), event->v.u, event->offset);
            break;
        case WEIR_KIND_TIMESTAMP:
            time = tape_from_timestamp(event->v.time);
            put_node(b, time.tag, time.v.u, event->offset);
            break;
        default:
            put_node(b, tape_tag(kind, 0, 0), 0, event->offset);
        }
    }
    value_done(b);
    return true;
}

/* ---- the document ---- */

/* Copies the nodes to their place, offsets and addresses of text made relative to them. */
static void place_nodes(const struct builder *b, weir_doc *doc)
{
    weir_val *to = doc_nodes(doc);
    for (size_t i = 0; i < b->count; i++) {
        to[i] = b->nodes[i];
        if (tape_is_text(tape_kind(to + i))) {
            uintptr_t word = (uintptr_t)to[i].v.u;
            tape_point(to + i, to[i].tag & TAPE_UNTERMINATED ? (char *)word : (char *)doc + word);
        }
    }
    if (b->keep_spans) {
        memcpy(doc->spans, b->spans, b->count * sizeof *b->spans);
    }
}

weir_doc *builder_finish(struct builder *b)
{
    uint64_t nodes_offset, size;
    size_t text = b->text_end - DOC_TEXT;
    if (!doc_layout(text, b->count, b->keep_spans, &nodes_offset, &size)) {
        fail(b, WEIR_E_MEMORY, 0);
        return NULL;
    }
    char *block = b->block;
    if (b->block_cap != size) {
        block = memory_resize(b->allocator, b->block, b->block_cap, (size_t)size);
        if (!block) {
            fail(b, WEIR_E_MEMORY, 0);
            return NULL;
        }
    }
    weir_doc *doc = doc_init(block, b->allocator, text, b->count, b->keep_spans);
    place_nodes(b, doc);
    b->block = NULL;
    b->block_cap = 0; /* what is left is less, so that a roomy builder still is */
    builder_reset(b);
    return doc;
}

/* ---- the document writer ---- */

struct doc_writer {
    struct builder builder;
    weir_doc *doc;
};

static bool fail_writer(weir_writer *w, const struct builder *b)
{
    return b->failure == WEIR_E_LIMIT_MEMORY ? writer_fail_point(w, WEIR_RESOURCE_MEMORY, b->limit, b->needed)
                                             : writer_fail(w, WEIR_E_MEMORY);
}

static bool doc_writer_begin(weir_writer *w)
{
    struct doc_writer *state = w->state;
    builder_reset(&state->builder); /* an abandoned document may be in it */
    return true;
}

static bool doc_writer_event(weir_writer *w, const weir_event *event)
{
    struct doc_writer *state = w->state;
    return builder_event(&state->builder, event) || fail_writer(w, &state->builder);
}

static bool doc_writer_end(weir_writer *w)
{
    struct doc_writer *state = w->state;
    state->doc = builder_finish(&state->builder);
    return state->doc || fail_writer(w, &state->builder);
}

static void doc_writer_close(weir_writer *w)
{
    struct doc_writer *state = w->state;
    builder_free(&state->builder);
    weir_doc_free(state->doc);
}

static const struct writer_ops doc_writer_ops = {
    .state_size = sizeof(struct doc_writer),
    .event = doc_writer_event,
    .begin_document = doc_writer_begin,
    .end_document = doc_writer_end,
    .close = doc_writer_close,
};

static const weir_format doc_writer_format = {
    .name = "document",
    .summary = "a document in memory",
    .caps = WEIR_CAP_WRITE | WEIR_CAP_ANY_ROOT | WEIR_CAP_BYTES | WEIR_CAP_TIMESTAMP | WEIR_CAP_NONFINITE |
            WEIR_CAP_ANY_KEY | WEIR_CAP_NUMBER | WEIR_CAP_TAG_NUMBER | WEIR_CAP_TAG_NAME | WEIR_CAP_NULL |
            WEIR_CAP_DUPLICATES | WEIR_CAP_WIDTHS | WEIR_CAP_SECRET,
    .writer = &doc_writer_ops,
    .duplicate_key = WEIR_E_LOSS_DUPLICATE,
};

weir_writer *weir_writer_open_doc(const weir_options *options, weir_error *error)
{
    weir_writer *w = writer_new(&doc_writer_format, &doc_writer_ops, options, error);
    if (w) {
        struct doc_writer *state = w->state;
        /* There is no input that an automatic limit could be a multiple of: what is asked for is what is
         * made. */
        uint64_t limit = w->options.limits.memory;
        builder_init(&state->builder, w->options.allocator, w->options.flags,
                     limit == WEIR_MEMORY_AUTO ? WEIR_UNSET : limit);
    }
    return w;
}

weir_doc *weir_writer_take_doc(weir_writer *w)
{
    if (!w || w->ops != &doc_writer_ops || w->phase != WRITER_FINISHED || w->error.code != WEIR_E_NONE) {
        return NULL;
    }
    struct doc_writer *state = w->state;
    weir_doc *doc = state->doc;
    state->doc = NULL;
    return doc;
}
