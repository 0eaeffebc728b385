/* The generic reader: documents and frames around a format's events, duplicate keys, and errors with their
 * place. */
#include "flow/reader_priv.h"

#include <stdio.h>

#include "flow/keyset.h"
#include "flow/path.h"

weir_reader *reader_new(const weir_format *format, const struct reader_ops *ops, const weir_options *options,
                        weir_error *error)
{
    weir_options resolved;
    options_resolve(&resolved, options);
    size_t size = sizeof(weir_reader) + ops->state_size;
    weir_reader *r = memory_get(resolved.allocator, size);
    if (!r) {
        error_set(error, WEIR_E_MEMORY);
        return NULL;
    }
    memset(r, 0, size);
    r->format = format;
    r->ops = ops;
    r->options = resolved;
    account_init(&r->account, &resolved.limits);
    r->text.allocator = r->path.allocator = resolved.allocator;
    r->state = r + 1;
    r->in.account = &r->account;
    r->in.error = &r->failure;
    r->in.allocator = resolved.allocator;
    r->in.text = format && (format->caps & WEIR_CAP_TEXT);
    if (resolved.duplicates == WEIR_DUPLICATES_FIRST || resolved.duplicates == WEIR_DUPLICATES_REJECT) {
        r->keys = keyset_new(resolved.allocator);
        if (!r->keys) {
            error_set(error, WEIR_E_MEMORY);
            weir_reader_close(r);
            return NULL;
        }
    }
    return r;
}

static weir_reader *open_common(const weir_format *format, const weir_options *options, weir_error *error)
{
    if (!format || !format->reader) {
        error_set(error, format ? WEIR_E_UNSUPPORTED : WEIR_E_ARGUMENT);
        return NULL;
    }
    return reader_new(format, format->reader, options, error);
}

static weir_reader *open_finish(weir_reader *r, weir_error *error)
{
    if (r->error.code == WEIR_E_NONE && r->ops->open && !r->ops->open(r) && r->error.code == WEIR_E_NONE) {
        r->error.code = WEIR_E_MEMORY;
    }
    if (r->error.code != WEIR_E_NONE) {
        if (error) {
            *error = r->error;
        }
        weir_reader_close(r);
        return NULL;
    }
    return r;
}

weir_reader *reader_open_memory(const weir_format *format, const void *data, size_t len,
                                const weir_options *options, weir_error *error)
{
    weir_reader *r = open_common(format, options, error);
    if (!r) {
        return NULL;
    }
    input_from_memory(&r->in, data, len);
    if (!account_charge(&r->account.input, r->account.limit.input, len)) {
        account_sum_error(&r->error, WEIR_RESOURCE_INPUT, r->account.limit.input, 0, len);
    }
    return open_finish(r, error);
}

weir_reader *reader_open_stream(const weir_format *format, weir_source source, const weir_options *options,
                                weir_error *error)
{
    weir_reader *r = open_common(format, options, error);
    if (!r) {
        return NULL;
    }
    if (!source.read) {
        r->error.code = WEIR_E_ARGUMENT;
    }
    input_from_source(&r->in, source);
    return open_finish(r, error);
}

/* Which entry of a map is the last is known at its end only: a document can keep that one, a stream of events
 * can't. */
static bool gives_events(const weir_options *options, weir_error *error)
{
    if (options && options->duplicates == WEIR_DUPLICATES_LAST) {
        error_set(error, WEIR_E_UNSUPPORTED);
        return false;
    }
    return true;
}

weir_reader *weir_reader_open(const weir_format *format, const void *data, size_t len,
                              const weir_options *options, weir_error *error)
{
    return gives_events(options, error) ? reader_open_memory(format, data, len, options, error) : NULL;
}

weir_reader *weir_reader_open_source(const weir_format *format, weir_source source,
                                     const weir_options *options, weir_error *error)
{
    return gives_events(options, error) ? reader_open_stream(format, source, options, error) : NULL;
}

void weir_reader_close(weir_reader *r)
{
    if (!r) {
        return;
    }
    if (r->ops->close) {
        r->ops->close(r);
    }
    input_close(&r->in);
    keyset_free(r->keys);
    weir_buffer_free(&r->text);
    weir_buffer_free(&r->path);
    const weir_allocator *allocator = r->options.allocator;
    memory_put(allocator, r->stack.base, r->stack.cap * sizeof(struct frame));
    memory_put(allocator, r, sizeof *r + r->ops->state_size);
}

const weir_error *weir_reader_error(const weir_reader *r)
{
    return &r->error;
}

uint64_t weir_reader_offset(const weir_reader *r)
{
    return input_offset(&r->in);
}

/* ---- failing ---- */

static bool fail_here(weir_reader *r, uint64_t offset)
{
    weir_error *error = &r->error;
    error->offset = offset;
    error->document = r->documents;
    if (r->in.text) {
        input_position(&r->in, offset, &error->line, &error->column);
    }
    path_of_frames(&r->stack, r->options.flags & WEIR_DETAIL ? &r->path : NULL, error->path);
    return false;
}

bool reader_fail(weir_reader *r, weir_code code, uint64_t offset)
{
    if (r->error.code == WEIR_E_NONE) {
        r->error.code = code;
        fail_here(r, offset);
    }
    return false;
}

bool reader_fail_hint(weir_reader *r, weir_code code, uint64_t offset, const char *hint)
{
    if (r->error.code == WEIR_E_NONE) {
        snprintf(r->error.detail, sizeof r->error.detail, "%s", hint);
        reader_fail(r, code, offset);
    }
    return false;
}

bool reader_fail_point(weir_reader *r, weir_resource resource, uint64_t maximum, uint64_t observed,
                       uint64_t offset)
{
    if (r->error.code == WEIR_E_NONE) {
        account_point_error(&r->error, resource, maximum, observed);
        fail_here(r, offset);
    }
    return false;
}

bool reader_fail_sum(weir_reader *r, weir_resource resource, uint64_t maximum, uint64_t used,
                     uint64_t requested, uint64_t offset)
{
    if (r->error.code == WEIR_E_NONE) {
        account_sum_error(&r->error, resource, maximum, used, requested);
        fail_here(r, offset);
    }
    return false;
}

bool reader_fail_short(weir_reader *r, weir_code code)
{
    uint64_t end = r->in.base + (uint64_t)(r->in.end - r->in.start);
    if (r->in.failed && r->error.code == WEIR_E_NONE) {
        r->error = r->failure;
        return fail_here(r, end);
    }
    return reader_fail(r, code, end);
}

/* ---- events of containers ---- */

bool reader_begin(weir_reader *r, weir_kind kind, uint64_t count, uint64_t offset)
{
    weir_event *event = reader_event(r, kind, offset);
    event->count = count;
    return event->is_key || reader_nodes(r, offset);
}

bool reader_tag(weir_reader *r, uint64_t number, const char *name, size_t len, uint64_t offset)
{
    weir_event *event = reader_event(r, WEIR_KIND_TAGGED, offset);
    event->v.u = number;
    event->text = name;
    event->len = len;
    return event->is_key || reader_nodes(r, offset);
}

void reader_end(weir_reader *r, uint64_t offset)
{
    reader_event(r, WEIR_KIND_END, offset)->is_key = false;
}

/* ---- frames ---- */

/* A value (or a key that was a container) is complete: closes the tags around it and moves its container on.
 */
static void value_done(weir_reader *r)
{
    struct frame *top;
    while ((top = frames_top(&r->stack)) && frame_kind(top) == WEIR_KIND_TAGGED) {
        bool was_key = top->flags & FRAME_IS_KEY;
        r->stack.size--;
        if (was_key) {
            frames_top(&r->stack)->flags |= FRAME_VALUE;
            return;
        }
    }
    if (!top) {
        r->phase = READER_ROOT_DONE;
    } else {
        top->flags &= ~(uint64_t)FRAME_VALUE & 0xFF;
    }
}

/* Remembers the keys of open maps, for paths that may quote the input. */
static bool note_key(weir_reader *r)
{
    if (!(r->options.flags & WEIR_DETAIL)) {
        return true;
    }
    return path_note_key(&r->stack, &r->path, &r->event) || reader_fail(r, WEIR_E_MEMORY, r->event.offset);
}

static bool push(weir_reader *r, const weir_event *event)
{
    unsigned flags = event->kind | (event->is_key ? FRAME_IS_KEY : 0u);
    uint64_t expected = event->kind == WEIR_KIND_TAGGED ? 1 : event->count;
    if (!frames_push(&r->stack, r->options.allocator, flags, expected)) {
        return reader_fail(r, WEIR_E_MEMORY, event->offset);
    }
    if (event->kind == WEIR_KIND_MAP && r->keys && !keyset_open(r->keys)) {
        return reader_fail(r, WEIR_E_MEMORY, event->offset);
    }
    return true;
}

static void pop(weir_reader *r)
{
    struct frame *top = frames_top(&r->stack);
    bool was_key = top->flags & FRAME_IS_KEY;
    if (frame_kind(top) == WEIR_KIND_MAP && r->keys) {
        keyset_close(r->keys);
    }
    r->stack.size--;
    if (was_key) {
        frames_top(&r->stack)->flags |= FRAME_VALUE;
    } else {
        value_done(r);
    }
}

/* Keeps the frames in step with the event that a format gave. */
static bool follow(weir_reader *r)
{
    const weir_event *event = &r->event;
    switch (event->kind) {
    case WEIR_KIND_ARRAY:
    case WEIR_KIND_MAP:
    case WEIR_KIND_TAGGED:
        return (!event->is_key || note_key(r)) && push(r, event);
    case WEIR_KIND_END:
        pop(r);
        return true;
    default:
        if (event->is_key) {
            frames_top(&r->stack)->flags |= FRAME_VALUE;
            return note_key(r);
        }
        value_done(r);
        return true;
    }
}

static const weir_event *give(weir_reader *r, weir_kind kind)
{
    reader_event(r, kind, input_offset(&r->in))->is_key = false;
    return &r->event;
}

/* May the input hold any number of documents? */
static bool reader_streams(const weir_reader *r)
{
    return (r->format->caps & WEIR_CAP_STREAM) || (r->options.flags & WEIR_MULTI);
}

/* Between documents: the next one, or the end. */
static bool begin_document(weir_reader *r)
{
    uint64_t at;
    switch (r->ops->start(r)) {
    case READER_START_ERROR:
        return reader_fail_short(r, WEIR_E_EMPTY);
    case READER_START_END:
        if (r->in.failed) {
            return reader_fail_short(r, WEIR_E_READ);
        }
        if (r->documents == 0 && !reader_streams(r)) {
            return reader_fail(r, WEIR_E_EMPTY, input_offset(&r->in));
        }
        r->phase = READER_ENDED;
        return true;
    default:
        at = input_offset(&r->in);
        if (r->documents > 0 && !reader_streams(r)) {
            return reader_fail(r, r->format == weir_json ? WEIR_E_JSON_TRAILING : WEIR_E_TRAILING, at);
        }
        if (!account_charge(&r->account.documents, r->account.limit.documents, 1)) {
            return reader_fail_sum(r, WEIR_RESOURCE_DOCUMENTS, r->account.limit.documents,
                                   r->account.documents, 1, at);
        }
        r->mark_nodes = r->account.nodes;
        r->mark_payload = r->account.payload;
        r->phase = READER_INSIDE;
        return true;
    }
}

/* One event of the format, before duplicates are looked at. */
static bool step(weir_reader *r)
{
    return (r->ops->next(r) && follow(r)) || reader_fail_short(r, WEIR_E_READ);
}

/* Reads on until the value that is due next is complete. */
static bool skip_value(weir_reader *r)
{
    size_t depth = r->stack.size;
    do {
        if (!step(r)) {
            return false;
        }
    } while (r->stack.size > depth);
    return true;
}

/* After a key: is it a new one? FIRST skips the entry, REJECT refuses it. *skipped tells that there is no
 * event. */
static bool check_key(weir_reader *r, bool *skipped)
{
    *skipped = false;
    if (!r->keys || !r->event.is_key || !keyset_takes(&r->event)) {
        return true;
    }
    switch (keyset_add(r->keys, &r->event)) {
    case KEYSET_NEW:
        return true;
    case KEYSET_MEMORY:
        return reader_fail(r, WEIR_E_MEMORY, r->event.offset);
    default:
        if (r->options.duplicates == WEIR_DUPLICATES_REJECT) {
            return reader_fail(r, r->format ? r->format->duplicate_key : WEIR_E_JSON_DUPLICATE_KEY,
                               r->event.offset);
        }
        *skipped = true;
        return skip_value(r);
    }
}

const weir_event *weir_reader_next(weir_reader *r)
{
    if (r->error.code != WEIR_E_NONE) {
        return NULL;
    }
    if (r->phase == READER_ROOT_DONE) {
        if (!r->ops->finish(r)) {
            reader_fail_short(r, WEIR_E_READ);
            return NULL;
        }
        r->phase = READER_BETWEEN;
        r->documents++;
        return give(r, WEIR_KIND_END_DOCUMENT);
    }
    if (r->phase == READER_BETWEEN && !begin_document(r)) {
        return NULL;
    }
    if (r->phase == READER_ENDED) {
        return give(r, WEIR_KIND_END_STREAM);
    }
    bool skipped;
    do {
        if (!step(r) || !check_key(r, &skipped)) {
            return NULL;
        }
    } while (skipped);
    if (r->keys && r->event.kind == WEIR_KIND_MAP) {
        r->event.count = WEIR_UNKNOWN; /* entries may be left out */
    }
    return &r->event;
}

bool weir_reader_skip(weir_reader *r)
{
    while (r->event.kind == WEIR_KIND_TAGGED) {
        if (!weir_reader_next(r)) {
            return false;
        }
    }
    if (r->event.kind == WEIR_KIND_ARRAY || r->event.kind == WEIR_KIND_MAP) {
        for (size_t depth = r->stack.size; r->stack.size >= depth;) {
            if (!weir_reader_next(r)) {
                return false;
            }
        }
    }
    return r->error.code == WEIR_E_NONE;
}

bool reader_resync(weir_reader *r)
{
    weir_category category = weir_code_category(r->error.code);
    if (!r->ops->resync || category == WEIR_CATEGORY_MEMORY || category == WEIR_CATEGORY_IO) {
        return false;
    }
    memset(&r->error, 0, sizeof r->error);
    r->account.nodes = r->mark_nodes;
    r->account.payload = r->mark_payload;
    r->stack.size = 0;
    r->path.len = 0;
    r->in.hold = NULL;
    if (r->keys) {
        keyset_reset(r->keys);
    }
    r->documents++;
    r->phase = READER_BETWEEN;
    bool found = r->ops->resync(r);
    input_forget(&r->in); /* many bad records must not look for their place from the beginning each */
    return found;
}
