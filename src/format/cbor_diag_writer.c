/* CBOR diagnostic notation, writing: RFC 8949 section 8.
 *
 * [1, {"a": h'01'}] in one line, or with WEIR indent one item a line. Floats of 16 and 32 bits get their
 * encoding indicator (_1, _2), of 64 bits none. Numbers beyond 64 bits are plain integers, or decimal
 * fractions 4([e, m]). Timestamps are tagged as in CBOR. Documents of a sequence are separated by commas. */
#include <math.h>

#include "base/base64.h"
#include "base/number.h"
#include "flow/time_text.h"
#include "format/cbor_diag.h"
#include "text/decimal.h"
#include "text/json_text.h"

#define PIECE ((size_t)4096)

enum { TAG_NONE, TAG_UNDEFINED, TAG_SIMPLE };

struct state {
    uint8_t tag;      /* named, given by the event before this one */
    uint64_t level;   /* open arrays and maps */
    weir_buffer tags; /* one byte for each open tag frame: was a parenthesis written? */
    weir_buffer work;
};

static bool allows(const weir_writer *w, uint32_t what)
{
    return w->options.allow & what;
}

static bool puts_text(weir_writer *w, const char *text)
{
    return writer_append(w, text, strlen(text));
}

static bool put_unsigned(weir_writer *w, uint64_t value)
{
    char text[NUM_U64_SIZE];
    return writer_append(w, text, num_print_u64(text, value));
}

static bool put_signed(weir_writer *w, int64_t value)
{
    char text[NUM_I64_SIZE];
    return writer_append(w, text, num_print_i64(text, value));
}

/* ---- scalars ---- */

/* In pieces that end between characters, so that the room asked for stays in proportion. */
static bool put_string(weir_writer *w, const char *text, size_t len)
{
    const uint8_t *p = (const uint8_t *)text;
    if (!puts_text(w, "\"")) {
        return false;
    }
    while (len) {
        size_t n = len < PIECE ? len : PIECE;
        while (n < len && (p[n] & 0xC0) == 0x80) {
            n--;
        }
        char *to = writer_room(w, TEXT_ESCAPED_SIZE(n));
        if (!to) {
            return false;
        }
        writer_advance(w, (size_t)(text_escape_json(to, p, n, w->options.flags & WEIR_ASCII) - to));
        p += n;
        len -= n;
    }
    return puts_text(w, "\"");
}

static bool put_bytes(weir_writer *w, const char *bytes, size_t len)
{
    if (!puts_text(w, "h'")) {
        return false;
    }
    while (len) {
        size_t n = len < PIECE ? len : PIECE;
        char *to = writer_room(w, 2 * n);
        if (!to) {
            return false;
        }
        writer_advance(w, base_encode(BASE_16_LOWER, BASE_UNPADDED, bytes, n, to));
        bytes += n;
        len -= n;
    }
    return puts_text(w, "'");
}

static bool put_real(weir_writer *w, double value, weir_width width)
{
    char text[NUM_DOUBLE_SIZE];
    bool ok = isfinite(value) ? writer_append(w, text, num_print_double(text, value))
                              : puts_text(w, isnan(value) ? "NaN"
                                             : value < 0  ? "-Infinity"
                                                          : "Infinity");
    return ok && puts_text(w, width == WEIR_WIDTH_16 ? "_1" : width == WEIR_WIDTH_32 ? "_2" : "");
}

static bool put_number(weir_writer *w, struct state *state, const char *text, size_t len)
{
    struct decimal parts;
    weir_buffer_clear(&state->work);
    if (!decimal_split(text, len, &state->work, &parts)) {
        return writer_fail(w, WEIR_E_MEMORY);
    }
    if (parts.negative && state->work.data[0] == '0') {
        return puts_text(w, "-0.0");
    }
    if (parts.integer || parts.huge) { /* an exponent beyond 64 bits has no place in a tag 4 */
        return writer_append(w, text, len);
    }
    return puts_text(w, "4([") && put_signed(w, parts.exponent) &&
           puts_text(w, parts.negative ? ", -" : ", ") && writer_append(w, state->work.data, parts.size) &&
           puts_text(w, "])");
}

static bool put_timestamp(weir_writer *w, const weir_timestamp *time)
{
    char text[TIME_TEXT_SIZE];
    if (time->shape == WEIR_TIME_OFFSET && !time->nanoseconds && !time->digits && !time->offset_minutes) {
        return puts_text(w, "1(") && put_signed(w, time->seconds) && puts_text(w, ")");
    }
    size_t len = time_text_print(text, time);
    const char *tag = time->shape == WEIR_TIME_OFFSET ? "0(" : time->shape == WEIR_TIME_DATE ? "1004(" : NULL;
    if (len == 0 || (!tag && !allows(w, WEIR_ALLOW_TIMESTAMP))) {
        return writer_fail(w, WEIR_E_LOSS_TIMESTAMP);
    }
    return (!tag || puts_text(w, tag)) && put_string(w, text, len) && (!tag || puts_text(w, ")"));
}

/* ---- layout ---- */

static bool new_line(weir_writer *w, uint64_t level)
{
    uint64_t spaces;
    if (__builtin_mul_overflow(level, (uint64_t)w->options.indent, &spaces) || spaces > SIZE_MAX / 2) {
        return writer_fail(w, WEIR_E_MEMORY);
    }
    char *to = writer_room(w, (size_t)spaces + 1);
    if (!to) {
        return false;
    }
    to[0] = '\n';
    memset(to + 1, ' ', (size_t)spaces);
    writer_advance(w, (size_t)spaces + 1);
    return true;
}

/* What stands before a value or key. */
static bool lead_in(weir_writer *w, struct state *state)
{
    const struct frame *top = frames_top(&w->stack);
    if (!top || frame_kind(top) == WEIR_KIND_TAGGED) {
        return true;
    }
    if (frame_kind(top) == WEIR_KIND_MAP && (top->flags & FRAME_VALUE)) {
        return puts_text(w, ": ");
    }
    if (w->options.indent) {
        return (top->count == 0 || puts_text(w, ",")) && new_line(w, state->level);
    }
    return top->count == 0 || puts_text(w, ", ");
}

/* The parentheses of the tags that end with this value, without the `inner` innermost frames. */
static bool close_tags(weir_writer *w, struct state *state, size_t inner)
{
    for (size_t i = w->stack.size - inner; i > 0 && frame_kind(&w->stack.base[i - 1]) == WEIR_KIND_TAGGED;
         i--) {
        if (state->tags.data[--state->tags.len] && !puts_text(w, ")")) {
            return false;
        }
    }
    return true;
}

static bool put_end(weir_writer *w, struct state *state)
{
    const struct frame *top = frames_top(&w->stack);
    state->level--;
    if (w->options.indent && top->count && !new_line(w, state->level)) {
        return false;
    }
    return puts_text(w, frame_kind(top) == WEIR_KIND_MAP ? "}" : "]") && close_tags(w, state, 1);
}

/* ---- events ---- */

static bool is_name(const weir_event *event, const char *name)
{
    return event->len == strlen(name) && memcmp(event->text, name, event->len) == 0;
}

static bool put_tag(weir_writer *w, struct state *state, const weir_event *event)
{
    char written = !event->text;
    if (!weir_buffer_append(&state->tags, &written, 1)) {
        return writer_fail(w, WEIR_E_MEMORY);
    }
    if (written) {
        return put_unsigned(w, event->v.u) && puts_text(w, "(");
    }
    state->tag = is_name(event, "undefined") ? TAG_UNDEFINED
                 : is_name(event, "simple")  ? TAG_SIMPLE
                                             : TAG_NONE;
    return state->tag != TAG_NONE || allows(w, WEIR_ALLOW_TAG) || writer_fail(w, WEIR_E_LOSS_TAG);
}

/* Writes undefined or simple(n) if the event is what these tags stand for. */
static bool put_named(weir_writer *w, uint8_t tag, const weir_event *event, bool *done)
{
    *done = true;
    if (tag == TAG_UNDEFINED && event->kind == WEIR_KIND_NULL) {
        return puts_text(w, "undefined");
    }
    if (tag == TAG_SIMPLE && event->kind == WEIR_KIND_UINT &&
        (event->v.u < 20 || (event->v.u >= 32 && event->v.u <= 255))) {
        return puts_text(w, "simple(") && put_unsigned(w, event->v.u) && puts_text(w, ")");
    }
    *done = false;
    return allows(w, WEIR_ALLOW_TAG) || writer_fail(w, WEIR_E_LOSS_TAG);
}

static bool put_scalar(weir_writer *w, struct state *state, const weir_event *event)
{
    switch (event->kind) {
    case WEIR_KIND_NULL:
        return puts_text(w, "null");
    case WEIR_KIND_FALSE:
        return puts_text(w, "false");
    case WEIR_KIND_TRUE:
        return puts_text(w, "true");
    case WEIR_KIND_UINT:
        return put_unsigned(w, event->v.u);
    case WEIR_KIND_INT:
        return put_signed(w, event->v.i);
    case WEIR_KIND_REAL:
        return put_real(w, event->v.d, (weir_width)event->width);
    case WEIR_KIND_NUMBER:
        return put_number(w, state, event->text, event->len);
    case WEIR_KIND_STRING:
        return put_string(w, event->text, event->len);
    case WEIR_KIND_BYTES:
        return put_bytes(w, event->text, event->len);
    case WEIR_KIND_TIMESTAMP:
        return put_timestamp(w, &event->v.time);
    default:
        return writer_fail(w, WEIR_E_LOSS_SECRET);
    }
}

static bool write_event(weir_writer *w, const weir_event *event)
{
    struct state *state = w->state;
    uint8_t tag = state->tag;
    bool done = false;
    if (event->kind == WEIR_KIND_END) {
        return put_end(w, state);
    }
    state->tag = TAG_NONE;
    if (!lead_in(w, state) || (tag != TAG_NONE && !put_named(w, tag, event, &done))) {
        return false;
    }
    switch (done ? WEIR_KIND_NULL : event->kind) {
    case WEIR_KIND_ARRAY:
    case WEIR_KIND_MAP:
        state->level++;
        return puts_text(w, event->kind == WEIR_KIND_MAP ? "{" : "[");
    case WEIR_KIND_TAGGED:
        return put_tag(w, state, event);
    default:
        return (done || put_scalar(w, state, event)) && close_tags(w, state, 0);
    }
}

static bool open_writer(weir_writer *w)
{
    struct state *state = w->state;
    state->tags.allocator = state->work.allocator = w->options.allocator;
    return true;
}

static bool begin_document(weir_writer *w)
{
    struct state *state = w->state;
    state->tag = TAG_NONE;
    state->level = 0;
    weir_buffer_clear(&state->tags);
    return w->documents == 0 || puts_text(w, ",\n");
}

static void close_writer(weir_writer *w)
{
    struct state *state = w->state;
    weir_buffer_free(&state->tags);
    weir_buffer_free(&state->work);
}

const struct writer_ops diag_writer = {
    .state_size = sizeof(struct state),
    .open = open_writer,
    .event = write_event,
    .begin_document = begin_document,
    .close = close_writer,
};
