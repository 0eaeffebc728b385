/* What a format sees of a writer: room for its bytes, where it stands, and how to fail.
 *
 * The generic writer has checked protocol, limits and what the format can carry before it calls ops->event;
 * frames describe the state before the event: w->stack top: the container around the event, its count =
 * children begun before this one, event->is_key: this is a key. A format appends with writer_room /
 * writer_advance or writer_append. */
#ifndef FLOW_WRITER_PRIV_H
#define FLOW_WRITER_PRIV_H

#include "flow/account.h"
#include "flow/format_priv.h"
#include "flow/frames.h"
#include "weir/writer.h"

struct writer_ops {
    size_t state_size;            /* zeroed bytes at w->state */
    bool (*open)(weir_writer *w); /* may be NULL */
    /* Any event of a value. For END, the top frame is still the container that ends. */
    bool (*event)(weir_writer *w, const weir_event *event);
    /* Before a root value and after it: separators between documents; w->documents is the number of complete
     * ones. */
    bool (*begin_document)(weir_writer *w); /* may be NULL */
    bool (*end_document)(weir_writer *w);   /* may be NULL */
    bool (*finish)(weir_writer *w);         /* may be NULL; the end of the stream */
    void (*close)(weir_writer *w);          /* may be NULL */
};

/* Where a writer stands. */
enum writer_phase { WRITER_BETWEEN, WRITER_INSIDE, WRITER_FINISHED };

/* A tag that was left out since the format can't carry it: what stood under it is due, as a value or as a
 * key. */
enum writer_dropped { DROPPED_NONE, DROPPED_VALUE, DROPPED_KEY };

struct weir_writer {
    const weir_format *format;
    const struct writer_ops *ops;
    weir_options options;
    weir_error error;
    struct account account;
    struct frames stack;
    weir_buffer *out; /* the caller's, or &own */
    weir_buffer own;
    size_t document_start; /* out->len at the document's begin: where a failure cuts back to */
    uint64_t flushed;      /* bytes passed on to the sink */
    weir_sink sink;
    bool has_sink;
    enum writer_phase phase;
    enum writer_dropped dropped;
    uint64_t documents;
    uint64_t mark_nodes, mark_payload;
    weir_buffer scratch; /* mapped text */
    weir_buffer path;    /* under WEIR_DETAIL: the current key of each open map */
    weir_writer *target; /* of a collecting writer: the real one */
    void *state;
};

COLD bool writer_fail(weir_writer *w, weir_code code);
COLD bool writer_fail_point(weir_writer *w, weir_resource resource, uint64_t maximum, uint64_t observed);
COLD bool writer_fail_sum(weir_writer *w, weir_resource resource, uint64_t maximum, uint64_t used,
                          uint64_t requested);

/* n writable bytes at the end of the output, or NULL after recording an error. */
COLD char *writer_more_room(weir_writer *w, size_t n);

ALWAYS_INLINE char *writer_room(weir_writer *w, size_t n)
{
    weir_buffer *out = w->out;
    if (likely(out->cap - out->len > n)) { /* one byte is kept for the NUL */
        return out->data + out->len;
    }
    return writer_more_room(w, n);
}

ALWAYS_INLINE void writer_advance(weir_writer *w, size_t n)
{
    w->out->len += n;
}

static inline bool writer_append(weir_writer *w, const void *bytes, size_t n)
{
    char *to = writer_room(w, n);
    if (!to) {
        return false;
    }
    if (n) {
        memcpy(to, bytes, n);
    }
    writer_advance(w, n);
    return true;
}

/* Opens a writer without output; the caller sets it up. Used by the document writer. */
weir_writer *writer_new(const weir_format *format, const struct writer_ops *ops, const weir_options *options,
                        weir_error *error);
/* Opens a writer that passes events straight to its format (weir_writer_open collects documents where the
 * format needs counts or order). Exactly one of out and sink is given. */
weir_writer *writer_open_direct(const weir_format *format, weir_buffer *out, const weir_sink *sink,
                                const weir_options *options, weir_error *error);

/* An event whose text is known to be well-formed: strings are UTF-8, numbers are in the grammar. */
bool writer_put_event(weir_writer *w, const weir_event *event);

/* For a whole root value that is appended to w->out directly: before it (nothing may be open), and after it.
 */
bool writer_begin_whole(weir_writer *w);
bool writer_end_whole(weir_writer *w);

/* Takes back an unfinished document. false: a part of it has left already. */
bool writer_abandon(weir_writer *w);

/* Takes over another object's error (the first one stays); returns false. */
bool writer_adopt_error(weir_writer *w, const weir_error *error);

/* Can the format carry this event as it is? If an allowed mapping helps, *event is changed (text in
 * w->scratch) and *drop tells that nothing is to be written. false: recorded as an error. */
bool writer_map_event(weir_writer *w, weir_event *event, bool *drop);

#endif
