/* The generic writer: protocol, limits, output to a buffer or a sink. Formats only turn events into bytes. */
#include "flow/writer_priv.h"

#include <errno.h>
#include <math.h>
#include <unistd.h>

#include "base/number.h"
#include "base/utf8.h"
#include "flow/path.h"

#define SINK_PIECE ((size_t)64 << 10)

weir_writer *writer_new(const weir_format *format, const struct writer_ops *ops, const weir_options *options,
                        weir_error *error)
{
    weir_options resolved;
    options_resolve(&resolved, options);
    size_t size = sizeof(weir_writer) + ops->state_size;
    weir_writer *w = memory_get(resolved.allocator, size);
    if (!w) {
        error_set(error, WEIR_E_MEMORY);
        return NULL;
    }
    memset(w, 0, size);
    w->format = format;
    w->ops = ops;
    w->options = resolved;
    account_init(&w->account, &resolved.limits);
    w->own.allocator = w->scratch.allocator = w->path.allocator = resolved.allocator;
    w->out = &w->own;
    w->state = w + 1;
    return w;
}

weir_writer *writer_open_direct(const weir_format *format, weir_buffer *out, const weir_sink *sink,
                                const weir_options *options, weir_error *error)
{
    if (!format || !format->writer) {
        error_set(error, format ? WEIR_E_UNSUPPORTED : WEIR_E_ARGUMENT);
        return NULL;
    }
    weir_writer *w = writer_new(format, format->writer, options, error);
    if (!w) {
        return NULL;
    }
    if (sink) {
        w->sink = *sink;
        w->has_sink = true;
    } else {
        w->out = out;
    }
    w->document_start = w->out->len;
    if (w->ops->open && !w->ops->open(w)) {
        writer_fail(w, WEIR_E_MEMORY);
        if (error) {
            *error = w->error;
        }
        weir_writer_close(w);
        return NULL;
    }
    return w;
}

void weir_writer_close(weir_writer *w)
{
    if (!w) {
        return;
    }
    if (w->ops->close) {
        w->ops->close(w);
    }
    weir_buffer_free(&w->own);
    weir_buffer_free(&w->scratch);
    weir_buffer_free(&w->path);
    const weir_allocator *allocator = w->options.allocator;
    memory_put(allocator, w->stack.base, w->stack.cap * sizeof(struct frame));
    memory_put(allocator, w, sizeof *w + w->ops->state_size);
}

const weir_error *weir_writer_error(const weir_writer *w)
{
    return &w->error;
}

uint64_t weir_writer_offset(const weir_writer *w)
{
    w = w->target ? w->target : w;
    return w->flushed + w->out->len;
}

/* ---- failing ---- */

static bool fail_here(weir_writer *w)
{
    w->error.offset = weir_writer_offset(w);
    w->error.document = w->documents;
    path_of_frames(&w->stack, w->options.flags & WEIR_DETAIL ? &w->path : NULL, w->error.path);
    /* What is in memory goes back to the last complete document. */
    if (!w->has_sink && w->out->data && w->out->len > w->document_start) {
        w->out->len = w->document_start;
        w->out->data[w->out->len] = '\0';
    }
    return false;
}

bool writer_fail(weir_writer *w, weir_code code)
{
    if (w->error.code == WEIR_E_NONE) {
        error_set(&w->error, code);
        fail_here(w);
    }
    return false;
}

bool writer_fail_point(weir_writer *w, weir_resource resource, uint64_t maximum, uint64_t observed)
{
    if (w->error.code == WEIR_E_NONE) {
        account_point_error(&w->error, resource, maximum, observed);
        fail_here(w);
    }
    return false;
}

bool writer_fail_sum(weir_writer *w, weir_resource resource, uint64_t maximum, uint64_t used,
                     uint64_t requested)
{
    if (w->error.code == WEIR_E_NONE) {
        account_sum_error(&w->error, resource, maximum, used, requested);
        fail_here(w);
    }
    return false;
}

bool writer_adopt_error(weir_writer *w, const weir_error *error)
{
    if (w->error.code == WEIR_E_NONE) {
        w->error = *error;
    }
    return false;
}

/* ---- output ---- */

static uint64_t output_left(const weir_writer *w)
{
    return w->account.limit.output == WEIR_UNSET ? WEIR_UNSET : w->account.limit.output - w->account.output;
}

/* What the sink took leaves the buffer and stays charged. */
static void drop_taken(weir_writer *w, size_t taken)
{
    w->account.output += taken;
    w->flushed += taken;
    w->out->len -= taken;
    w->document_start = 0;
    if (taken && w->out->len) {
        memmove(w->out->data, w->out->data + taken, w->out->len);
    }
}

/* Passes on what is buffered: interrupted writes are the sink's to retry, short ones are continued here. */
static bool flush_out(weir_writer *w)
{
    size_t done = 0, len = w->out->len;
    if (len > output_left(w)) {
        return writer_fail_sum(w, WEIR_RESOURCE_OUTPUT, w->account.limit.output, w->account.output, len);
    }
    while (done < len) {
        errno = 0;
        ptrdiff_t took = w->sink.write(w->sink.context, w->out->data + done, len - done);
        if (took <= 0 || (size_t)took > len - done) {
            int system = took < 0 ? errno : 0;
            drop_taken(w, done);
            writer_fail(w, WEIR_E_WRITE);
            w->error.system = system;
            return false;
        }
        done += (size_t)took;
    }
    drop_taken(w, done);
    return true;
}

char *writer_more_room(weir_writer *w, size_t n)
{
    size_t written = w->out->len - w->document_start;
    if (written > output_left(w)) {
        writer_fail_sum(w, WEIR_RESOURCE_OUTPUT, w->account.limit.output, w->account.output, written);
        return NULL;
    }
    if (!weir_buffer_reserve(w->out, n)) {
        writer_fail(w, WEIR_E_MEMORY);
        return NULL;
    }
    return w->out->data + w->out->len;
}

/* At a document's end: the output limit is exact here, and a buffered sink gets its bytes. */
static bool settle_document(weir_writer *w)
{
    size_t written = w->out->len - w->document_start;
    if (w->has_sink) {
        if (w->out->len > output_left(w)) {
            return writer_fail_sum(w, WEIR_RESOURCE_OUTPUT, w->account.limit.output, w->account.output,
                                   w->out->len);
        }
        return (w->out->len < SINK_PIECE && !(w->options.flags & WEIR_BUFFERED)) || flush_out(w);
    }
    if (!account_charge(&w->account.output, w->account.limit.output, written)) {
        return writer_fail_sum(w, WEIR_RESOURCE_OUTPUT, w->account.limit.output, w->account.output, written);
    }
    w->document_start = w->out->len;
    if (w->out->data) {
        w->out->data[w->out->len] = '\0';
    }
    return true;
}

/* ---- protocol ---- */

/* May the output hold any number of documents? */
static bool writer_streams(const weir_writer *w)
{
    return (w->format->caps & WEIR_CAP_STREAM) || (w->options.flags & WEIR_MULTI);
}

static bool check_protocol(weir_writer *w, const weir_event *event)
{
    struct frame *top = frames_top(&w->stack);
    if (w->phase == WRITER_FINISHED) {
        return writer_fail(w, WEIR_E_PROTOCOL);
    }
    if (w->dropped != DROPPED_NONE) { /* a tag that is not written still wants its value */
        return (event->kind <= WEIR_KIND_SECRET && !event->is_key) || writer_fail(w, WEIR_E_PROTOCOL);
    }
    if (event->kind == WEIR_KIND_END) {
        if (!top || frame_kind(top) == WEIR_KIND_TAGGED ||
            (frame_kind(top) == WEIR_KIND_MAP && (top->flags & FRAME_VALUE))) {
            return writer_fail(w, WEIR_E_PROTOCOL);
        }
        if (top->expected != WEIR_UNKNOWN && top->count != top->expected) {
            return writer_fail(w, WEIR_E_PROTOCOL_COUNT);
        }
        return true;
    }
    if (event->kind > WEIR_KIND_SECRET) {
        return writer_fail(w, WEIR_E_ARGUMENT);
    }
    if (!top) {
        if (event->is_key) {
            return writer_fail(w, WEIR_E_PROTOCOL);
        }
        if (w->documents > 0 && !writer_streams(w)) {
            return writer_fail(w, WEIR_E_PROTOCOL_ROOTS);
        }
        return true;
    }
    bool want_key = frames_want_key(&w->stack);
    if (event->is_key != want_key) {
        return writer_fail(w, want_key ? WEIR_E_PROTOCOL_KEY : WEIR_E_PROTOCOL);
    }
    if (top->expected != WEIR_UNKNOWN && top->count >= top->expected &&
        (want_key || frame_kind(top) != WEIR_KIND_MAP)) {
        return writer_fail(w, WEIR_E_PROTOCOL_COUNT);
    }
    return true;
}

/* ---- limits ---- */

/* Bytes of a number's text: what text formats write, what a NUMBER holds; numbers of binary formats have no
 * text. */
static size_t number_length(const weir_writer *w, const weir_event *event)
{
    char text[NUM_DOUBLE_SIZE];
    if (event->kind == WEIR_KIND_NUMBER) {
        return event->len;
    }
    if (!(w->format->caps & WEIR_CAP_TEXT)) {
        return 0;
    }
    switch (event->kind) {
    case WEIR_KIND_UINT:
        return num_print_u64(text, event->v.u);
    case WEIR_KIND_INT:
        return num_print_i64(text, event->v.i);
    default:
        if (!isfinite(event->v.d)) {
            return 0;
        }
        return event->width == WEIR_WIDTH_32 ? num_print_float(text, (float)event->v.d)
                                             : num_print_double(text, event->v.d);
    }
}

static bool check_point(weir_writer *w, weir_resource resource, uint64_t limit, uint64_t observed)
{
    return likely(observed <= limit) || writer_fail_point(w, resource, limit, observed);
}

static bool admit(weir_writer *w, const weir_event *event)
{
    const weir_limits *limit = &w->account.limit;
    const struct frame *top = frames_top(&w->stack);
    if (top && (event->is_key || frame_kind(top) == WEIR_KIND_ARRAY)) {
        bool map = frame_kind(top) == WEIR_KIND_MAP;
        if (!check_point(w, map ? WEIR_RESOURCE_ENTRIES : WEIR_RESOURCE_ITEMS,
                         map ? limit->entries : limit->items, (uint64_t)top->count + 1)) {
            return false;
        }
    }
    uint64_t payload = 0;
    if (!event->is_key && !check_point(w, WEIR_RESOURCE_DEPTH, limit->depth, w->stack.size + 1)) {
        return false;
    }
    switch (event->kind) {
    case WEIR_KIND_STRING:
    case WEIR_KIND_BYTES:
    case WEIR_KIND_SECRET:
        payload = event->len;
        if (!check_point(w, event->is_key ? WEIR_RESOURCE_KEY : WEIR_RESOURCE_STRING,
                         event->is_key ? limit->key : limit->string, payload)) {
            return false;
        }
        break;
    case WEIR_KIND_UINT:
    case WEIR_KIND_INT:
    case WEIR_KIND_REAL:
    case WEIR_KIND_NUMBER:
        if (limit->payload != WEIR_UNSET || limit->number < NUM_DOUBLE_SIZE ||
            event->kind == WEIR_KIND_NUMBER) {
            payload = number_length(w, event);
            if (!event->is_key && !check_point(w, WEIR_RESOURCE_NUMBER, limit->number, payload)) {
                return false;
            }
        }
        break;
    default:
        break;
    }
    if (!event->is_key && !account_charge(&w->account.nodes, limit->nodes, 1)) {
        return writer_fail_sum(w, WEIR_RESOURCE_NODES, limit->nodes, w->account.nodes, 1);
    }
    if (!account_charge(&w->account.payload, limit->payload, payload)) {
        return writer_fail_sum(w, WEIR_RESOURCE_PAYLOAD, limit->payload, w->account.payload, payload);
    }
    return true;
}

/* ---- frames ---- */

static bool value_done(weir_writer *w)
{
    struct frame *top;
    while ((top = frames_top(&w->stack)) && frame_kind(top) == WEIR_KIND_TAGGED) {
        bool was_key = top->flags & FRAME_IS_KEY;
        w->stack.size--;
        if (was_key) {
            frames_top(&w->stack)->flags |= FRAME_VALUE;
            return true;
        }
    }
    if (top) {
        top->flags &= ~(uint64_t)FRAME_VALUE & 0xFF;
        return true;
    }
    if (w->ops->end_document && !w->ops->end_document(w)) {
        return writer_fail(w, WEIR_E_MEMORY);
    }
    if (!settle_document(w)) {
        return false;
    }
    w->documents++;
    w->phase = WRITER_BETWEEN;
    return true;
}

static bool follow(weir_writer *w, const weir_event *event)
{
    struct frame *top = frames_top(&w->stack);
    if (event->kind == WEIR_KIND_END) {
        bool was_key = top->flags & FRAME_IS_KEY;
        w->stack.size--;
        if (was_key) {
            frames_top(&w->stack)->flags |= FRAME_VALUE;
            return true;
        }
        return value_done(w);
    }
    if (top && (event->is_key || frame_kind(top) != WEIR_KIND_MAP)) {
        top->count++;
        top->flags |= frame_kind(top) == WEIR_KIND_ARRAY ? FRAME_VALUE : 0;
    }
    if (event->is_key && (w->options.flags & WEIR_DETAIL) && !path_note_key(&w->stack, &w->path, event)) {
        return writer_fail(w, WEIR_E_MEMORY);
    }
    if (event->kind == WEIR_KIND_ARRAY || event->kind == WEIR_KIND_MAP || event->kind == WEIR_KIND_TAGGED) {
        unsigned flags = event->kind | (event->is_key ? FRAME_IS_KEY : 0u);
        uint64_t expected = event->kind == WEIR_KIND_TAGGED ? 1 : event->count;
        return frames_push(&w->stack, w->options.allocator, flags, expected) || writer_fail(w, WEIR_E_MEMORY);
    }
    if (event->is_key && top) {
        top->flags |= FRAME_VALUE;
        return true;
    }
    return value_done(w);
}

/* ---- events ---- */

static bool begin_document(weir_writer *w)
{
    if (!account_charge(&w->account.documents, w->account.limit.documents, 1)) {
        return writer_fail_sum(w, WEIR_RESOURCE_DOCUMENTS, w->account.limit.documents, w->account.documents,
                               1);
    }
    w->mark_nodes = w->account.nodes;
    w->mark_payload = w->account.payload;
    w->document_start = w->out->len;
    w->phase = WRITER_INSIDE;
    return !w->ops->begin_document || w->ops->begin_document(w) || writer_fail(w, WEIR_E_MEMORY);
}

/* An element that fails has not been counted yet: the path of the error leads to it all the same. */
COLD static bool fail_element(weir_writer *w, const weir_event *event)
{
    struct frame *top = frames_top(&w->stack);
    if (event->kind != WEIR_KIND_END && top && frame_kind(top) == WEIR_KIND_ARRAY) {
        top->count++;
        top->flags |= FRAME_VALUE;
        path_of_frames(&w->stack, w->options.flags & WEIR_DETAIL ? &w->path : NULL, w->error.path);
    }
    return false;
}

bool writer_put_event(weir_writer *w, const weir_event *given)
{
    if (w->error.code != WEIR_E_NONE || !check_protocol(w, given) ||
        (w->phase == WRITER_BETWEEN && !begin_document(w))) {
        return false;
    }
    weir_event event = *given;
    event.is_key |= w->dropped == DROPPED_KEY;
    w->dropped = DROPPED_NONE;
    bool drop = false;
    if (!writer_map_event(w, &event, &drop)) {
        return fail_element(w, given);
    }
    if (drop) {
        w->dropped = event.is_key ? DROPPED_KEY : DROPPED_VALUE;
        return true;
    }
    if (event.kind != WEIR_KIND_END && !admit(w, &event)) {
        return fail_element(w, given);
    }
    if (!w->ops->event(w, &event)) {
        writer_fail(w, WEIR_E_MEMORY);
        return fail_element(w, given);
    }
    if (!follow(w, &event)) {
        return false;
    }
    return !w->has_sink || w->out->len < SINK_PIECE || (w->options.flags & WEIR_BUFFERED) || flush_out(w);
}

bool writer_begin_whole(weir_writer *w)
{
    const weir_event any = {.kind = WEIR_KIND_NULL};
    return w->error.code == WEIR_E_NONE && check_protocol(w, &any) &&
           (w->phase == WRITER_INSIDE || begin_document(w));
}

bool writer_end_whole(weir_writer *w)
{
    return value_done(w);
}

static bool well_formed(const weir_event *event)
{
    num_token token;
    switch (event->kind) {
    case WEIR_KIND_STRING:
        return (event->text || !event->len) && utf8_valid(event->text, event->len);
    case WEIR_KIND_BYTES:
    case WEIR_KIND_SECRET:
        return event->text || !event->len;
    case WEIR_KIND_TAGGED:
        return !event->text || utf8_valid(event->text, event->len);
    case WEIR_KIND_NUMBER:
        return event->text && num_scan_json(event->text, event->text + event->len, &token) &&
               token.end == event->text + event->len;
    case WEIR_KIND_INT:
        return event->v.i < 0;
    case WEIR_KIND_REAL:
        return event->width <= WEIR_WIDTH_16;
    case WEIR_KIND_TIMESTAMP: {
        const weir_timestamp *time = &event->v.time;
        return time->nanoseconds < 1000000000u && time->offset_minutes > -1440 &&
               time->offset_minutes < 1440 && time->shape <= WEIR_TIME_CLOCK && time->digits <= 9;
    }
    default:
        return true;
    }
}

bool weir_write_event(weir_writer *w, const weir_event *event)
{
    if (w->error.code != WEIR_E_NONE) {
        return false;
    }
    if (event->kind == WEIR_KIND_END_DOCUMENT) {
        return w->phase == WRITER_BETWEEN || writer_fail(w, WEIR_E_PROTOCOL);
    }
    if (!well_formed(event)) {
        return writer_fail(w, WEIR_E_ARGUMENT);
    }
    weir_event checked = *event;
    checked.plain = false; /* readers know it; a caller may have changed the text of a reader's event */
    return writer_put_event(w, &checked);
}

static weir_event event_of(weir_kind kind)
{
    weir_event event;
    memset(&event, 0, sizeof event);
    event.kind = (uint8_t)kind;
    return event;
}

bool weir_write_null(weir_writer *w)
{
    weir_event event = event_of(WEIR_KIND_NULL);
    return writer_put_event(w, &event);
}

bool weir_write_bool(weir_writer *w, bool value)
{
    weir_event event = event_of(value ? WEIR_KIND_TRUE : WEIR_KIND_FALSE);
    return writer_put_event(w, &event);
}

bool weir_write_uint(weir_writer *w, uint64_t value)
{
    weir_event event = event_of(WEIR_KIND_UINT);
    event.v.u = value;
    return writer_put_event(w, &event);
}

bool weir_write_int(weir_writer *w, int64_t value)
{
    if (value >= 0) {
        return weir_write_uint(w, (uint64_t)value);
    }
    weir_event event = event_of(WEIR_KIND_INT);
    event.v.i = value;
    return writer_put_event(w, &event);
}

bool weir_write_double(weir_writer *w, double value)
{
    weir_event event = event_of(WEIR_KIND_REAL);
    event.v.d = value;
    return writer_put_event(w, &event);
}

bool weir_write_float(weir_writer *w, float value)
{
    weir_event event = event_of(WEIR_KIND_REAL);
    event.v.d = (double)value;
    event.width = WEIR_WIDTH_32;
    return writer_put_event(w, &event);
}

static bool write_text(weir_writer *w, weir_kind kind, const void *text, size_t len, bool is_key)
{
    weir_event event = event_of(kind);
    event.text = text ? text : "";
    event.len = len;
    event.is_key = is_key;
    if (!text && len) {
        return writer_fail(w, WEIR_E_ARGUMENT);
    }
    return weir_write_event(w, &event);
}

bool weir_write_number(weir_writer *w, const char *text, size_t len)
{
    return write_text(w, WEIR_KIND_NUMBER, text, len, false);
}

bool weir_write_str(weir_writer *w, const char *text, size_t len)
{
    return write_text(w, WEIR_KIND_STRING, text, len, false);
}

bool weir_write_bytes(weir_writer *w, const void *bytes, size_t len)
{
    return write_text(w, WEIR_KIND_BYTES, bytes, len, false);
}

bool weir_write_secret(weir_writer *w, const void *bytes, size_t len)
{
    return write_text(w, WEIR_KIND_SECRET, bytes, len, false);
}

bool weir_write_key(weir_writer *w, const char *text, size_t len)
{
    return write_text(w, WEIR_KIND_STRING, text, len, true);
}

bool weir_write_tag_name(weir_writer *w, const char *name, size_t len)
{
    return write_text(w, WEIR_KIND_TAGGED, name, len, false);
}

bool weir_write_timestamp(weir_writer *w, weir_timestamp time)
{
    weir_event event = event_of(WEIR_KIND_TIMESTAMP);
    event.v.time = time;
    return weir_write_event(w, &event);
}

static bool write_container(weir_writer *w, weir_kind kind, uint64_t count)
{
    weir_event event = event_of(kind);
    event.count = count;
    return writer_put_event(w, &event);
}

bool weir_write_array(weir_writer *w, uint64_t count)
{
    return write_container(w, WEIR_KIND_ARRAY, count);
}

bool weir_write_map(weir_writer *w, uint64_t count)
{
    return write_container(w, WEIR_KIND_MAP, count);
}

bool weir_write_end(weir_writer *w)
{
    weir_event event = event_of(WEIR_KIND_END);
    return writer_put_event(w, &event);
}

bool weir_write_tag(weir_writer *w, uint64_t tag)
{
    weir_event event = event_of(WEIR_KIND_TAGGED);
    event.v.u = tag;
    return writer_put_event(w, &event);
}

/* ---- the end ---- */

bool weir_writer_finish(weir_writer *w)
{
    if (w->error.code != WEIR_E_NONE) {
        return false;
    }
    if (w->phase == WRITER_FINISHED) {
        return true;
    }
    if (w->phase == WRITER_INSIDE || w->stack.size > 0 || (w->documents == 0 && !writer_streams(w))) {
        return writer_fail(w, WEIR_E_PROTOCOL_OPEN);
    }
    if (w->ops->finish && !w->ops->finish(w)) {
        return writer_fail(w, WEIR_E_MEMORY);
    }
    if (w->has_sink) {
        if (!flush_out(w)) {
            return false;
        }
        errno = 0;
        if (w->sink.flush && !w->sink.flush(w->sink.context)) {
            int system = errno;
            writer_fail(w, WEIR_E_WRITE);
            w->error.system = system;
            return false;
        }
    }
    w->phase = WRITER_FINISHED;
    return true;
}

bool writer_abandon(weir_writer *w)
{
    if (w->phase == WRITER_BETWEEN) {
        return true;
    }
    if (w->has_sink && !(w->options.flags & WEIR_BUFFERED)) {
        return false;
    }
    w->out->len = w->document_start;
    w->stack.size = 0;
    w->dropped = DROPPED_NONE;
    w->path.len = 0;
    w->account.nodes = w->mark_nodes;
    w->account.payload = w->mark_payload;
    w->phase = WRITER_BETWEEN;
    return true;
}

static ptrdiff_t write_fd(void *context, const void *bytes, size_t size)
{
    int fd = (int)(intptr_t)context;
    ssize_t took;
    if (size > ((size_t)1 << 30)) {
        size = (size_t)1 << 30;
    }
    do {
        took = write(fd, bytes, size);
    } while (took < 0 && errno == EINTR);
    return took;
}

weir_sink weir_sink_fd(int fd)
{
    weir_sink sink = {write_fd, NULL, (void *)(intptr_t)fd};
    return sink;
}
