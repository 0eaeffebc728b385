/* What a format sees of a reader: its input, the admissions that enforce limits, and how to fail.
 *
 * A format implements struct reader_ops. Its `next` sets r->event for exactly one event and calls, in this
 * order: reader_child  when an element or entry begins (arrays: before its first byte is looked at; maps:
 * when the key begins) reader_value  when the value is known to begin (not for keys): depth reader_key /
 * reader_string / reader_number / reader_scalar   once its size is known: the point limit, nodes, payload
 *   reader_begin / reader_tag / reader_end   instead, for containers and tags; they set the event too
 * reader_child counts the child (call it once for each, also under a tag). The generic reader keeps the
 * frames; formats read r->stack and never change it. */
#ifndef FLOW_READER_PRIV_H
#define FLOW_READER_PRIV_H

#include "flow/format_priv.h"
#include "flow/frames.h"
#include "flow/input.h"
#include "weir/reader.h"

enum reader_start { READER_START_ERROR, READER_START_DOCUMENT, READER_START_END };

struct reader_ops {
    size_t state_size;            /* zeroed bytes at r->state */
    bool (*open)(weir_reader *r); /* may be NULL */
    /* Before each document: skips what may stand between documents; is there another one? */
    enum reader_start (*start)(weir_reader *r);
    bool (*next)(weir_reader *r);
    /* After the root value: consumes what belongs to the document's end (white space, a line end). */
    bool (*finish)(weir_reader *r);
    /* After a failed record: moves to where the next one begins. NULL: not possible. */
    bool (*resync)(weir_reader *r);
    void (*close)(weir_reader *r); /* may be NULL */
};

enum reader_phase { READER_BETWEEN, READER_INSIDE, READER_ROOT_DONE, READER_ENDED };

struct keyset;

struct weir_reader {
    const weir_format *format;
    const struct reader_ops *ops;
    weir_options options;
    weir_error error;
    weir_error failure; /* of the input: told by reader_fail_short, when its bytes are used up */
    struct account account;
    struct input in;
    struct frames stack;
    weir_event event;
    weir_buffer text; /* decoded strings; belongs to the current event */
    enum reader_phase phase;
    uint64_t documents;                /* completed */
    uint64_t mark_nodes, mark_payload; /* account at the document's begin */
    struct keyset *keys;               /* duplicates other than keep */
    weir_buffer path;                  /* under WEIR_DETAIL: the current key of each open map */
    void *state;
};

/* Records the error (the first one stays) with position and path; returns false. offset is in the input. */
COLD bool reader_fail(weir_reader *r, weir_code code, uint64_t offset);
/* The same with a fixed explanation (a usual mistake and its way out); no input text. */
COLD bool reader_fail_hint(weir_reader *r, weir_code code, uint64_t offset, const char *hint);
COLD bool reader_fail_point(weir_reader *r, weir_resource resource, uint64_t maximum, uint64_t observed,
                            uint64_t offset);
COLD bool reader_fail_sum(weir_reader *r, weir_resource resource, uint64_t maximum, uint64_t used,
                          uint64_t requested, uint64_t offset);
/* For when input_need gave too little: io and limit errors of the input first, else code at the input's end.
 */
COLD bool reader_fail_short(weir_reader *r, weir_code code);

static inline bool reader_is_key(const weir_reader *r)
{
    return frames_want_key(&r->stack);
}

ALWAYS_INLINE bool reader_child(weir_reader *r, uint64_t offset)
{
    struct frame *top = frames_top(&r->stack);
    if (top) {
        weir_kind kind = frame_kind(top);
        uint64_t limit = kind == WEIR_KIND_ARRAY ? r->account.limit.items
                         : kind == WEIR_KIND_MAP ? r->account.limit.entries
                                                 : WEIR_UNSET;
        if (unlikely(top->count >= limit)) {
            return reader_fail_point(r, kind == WEIR_KIND_ARRAY ? WEIR_RESOURCE_ITEMS : WEIR_RESOURCE_ENTRIES,
                                     limit, top->count + 1, offset);
        }
        top->count++;
        if (kind == WEIR_KIND_ARRAY) {
            top->flags |= FRAME_VALUE; /* the path of an error leads to this element */
        }
    }
    return true;
}

ALWAYS_INLINE bool reader_value(weir_reader *r, uint64_t offset)
{
    if (unlikely(r->stack.size >= r->account.limit.depth)) {
        return reader_fail_point(r, WEIR_RESOURCE_DEPTH, r->account.limit.depth, r->stack.size + 1, offset);
    }
    return true;
}

ALWAYS_INLINE bool reader_nodes(weir_reader *r, uint64_t offset)
{
    if (unlikely(!account_charge(&r->account.nodes, r->account.limit.nodes, 1))) {
        return reader_fail_sum(r, WEIR_RESOURCE_NODES, r->account.limit.nodes, r->account.nodes, 1, offset);
    }
    return true;
}

ALWAYS_INLINE bool reader_payload(weir_reader *r, uint64_t len, uint64_t offset)
{
    if (unlikely(!account_charge(&r->account.payload, r->account.limit.payload, len))) {
        return reader_fail_sum(r, WEIR_RESOURCE_PAYLOAD, r->account.limit.payload, r->account.payload, len,
                               offset);
    }
    return true;
}

/* Null, booleans, timestamps, and numbers that have no text. */
ALWAYS_INLINE bool reader_scalar(weir_reader *r, uint64_t offset)
{
    return reader_nodes(r, offset);
}

/* A number of len bytes of text. */
ALWAYS_INLINE bool reader_number(weir_reader *r, uint64_t len, uint64_t offset)
{
    if (unlikely(len > r->account.limit.number)) {
        return reader_fail_point(r, WEIR_RESOURCE_NUMBER, r->account.limit.number, len, offset);
    }
    return reader_nodes(r, offset) && reader_payload(r, len, offset);
}

/* A string or byte string of len decoded bytes; as a key (of any scalar kind: its text or 0) and as a value.
 */
ALWAYS_INLINE bool reader_string(weir_reader *r, uint64_t len, uint64_t offset)
{
    if (unlikely(len > r->account.limit.string)) {
        return reader_fail_point(r, WEIR_RESOURCE_STRING, r->account.limit.string, len, offset);
    }
    return reader_nodes(r, offset) && reader_payload(r, len, offset);
}

ALWAYS_INLINE bool reader_key(weir_reader *r, uint64_t len, uint64_t offset)
{
    if (unlikely(len > r->account.limit.key)) {
        return reader_fail_point(r, WEIR_RESOURCE_KEY, r->account.limit.key, len, offset);
    }
    return reader_payload(r, len, offset);
}

/* How long a key or string may become while it is scanned. */
static inline uint64_t reader_text_limit(const weir_reader *r, bool is_key)
{
    return is_key ? r->account.limit.key : r->account.limit.string;
}

/* Set the event of a container, a tag (name NULL: number), an end. The first two charge a node (not if
 * is_key). */
bool reader_begin(weir_reader *r, weir_kind kind, uint64_t count, uint64_t offset);
bool reader_tag(weir_reader *r, uint64_t number, const char *name, size_t len, uint64_t offset);
void reader_end(weir_reader *r, uint64_t offset);

/* Sets the event to a scalar of this kind; the caller fills in its value. */
ALWAYS_INLINE weir_event *reader_event(weir_reader *r, weir_kind kind, uint64_t offset)
{
    weir_event *event = &r->event;
    event->kind = (uint8_t)kind;
    event->width = 0;
    event->is_key = reader_is_key(r);
    event->borrowed = false;
    event->plain = false;
    event->len = 0;
    event->text = NULL;
    event->offset = offset;
    return event;
}

/* Opens a reader without input; the caller sets it up. Used by readers over values. */
weir_reader *reader_new(const weir_format *format, const struct reader_ops *ops, const weir_options *options,
                        weir_error *error);

/* As weir_reader_open and weir_reader_open_source, for callers who take whole documents: every policy for
 * duplicates is allowed, weir_read_doc applies it. */
weir_reader *reader_open_memory(const weir_format *format, const void *data, size_t len,
                                const weir_options *options, weir_error *error);
weir_reader *reader_open_stream(const weir_format *format, weir_source source, const weir_options *options,
                                weir_error *error);

/* After an error in one record of a stream: forgets it and moves to the next record. false: not possible. */
bool reader_resync(weir_reader *r);

#endif
