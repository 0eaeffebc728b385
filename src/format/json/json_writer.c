/* The writer of JSON values: compact, indented, ASCII only, or canonical (RFC 8785).
 *
 * Order and uniqueness of keys, which RFC 8785 asks for too, are arranged before events come here. */
#include <math.h>

#include "base/number.h"
#include "format/json/json_priv.h"
#include "text/json_text.h"

/* Strings are escaped in pieces of this size, so that the room asked for stays near the bytes needed. */
#define PIECE ((size_t)1024)
/* Separator and quotes around a scalar, and its text. */
#define SCALAR_ROOM (NUM_DOUBLE_SIZE + 8)

static bool is_canonical(const weir_writer *w)
{
    return w->options.flags & WEIR_CANONICAL;
}

static bool is_indented(const weir_writer *w)
{
    return w->options.indent > 0 && !is_canonical(w) && w->format->caps & WEIR_CAP_LAYOUT;
}

static bool put_line(weir_writer *w, size_t level)
{
    size_t spaces, size;
    if (__builtin_mul_overflow(level, (size_t)w->options.indent, &spaces) ||
        __builtin_add_overflow(spaces, (size_t)1, &size)) {
        return writer_fail(w, WEIR_E_MEMORY);
    }
    char *to = writer_room(w, size);
    if (!to) {
        return false;
    }
    *to = '\n';
    memset(to + 1, ' ', spaces);
    writer_advance(w, size);
    return true;
}

/* What stands before an event: a comma, a line of its own. A map's value follows its key directly. */
static bool put_separator(weir_writer *w, const weir_event *event)
{
    const struct frame *top = frames_top(&w->stack);
    if (!top || event->kind == WEIR_KIND_END || (frame_kind(top) == WEIR_KIND_MAP && !event->is_key)) {
        return true;
    }
    if (top->count > 0) {
        char *to = writer_room(w, 1);
        if (!to) {
            return false;
        }
        *to = ',';
        writer_advance(w, 1);
    }
    return !is_indented(w) || put_line(w, w->stack.size);
}

static bool put_end(weir_writer *w)
{
    const struct frame *top = frames_top(&w->stack);
    if (top->count > 0 && is_indented(w) && !put_line(w, w->stack.size - 1)) {
        return false;
    }
    return writer_append(w, frame_kind(top) == WEIR_KIND_MAP ? "}" : "]", 1);
}

/* Text that can't be escaped in one go. */
static bool put_long_text(weir_writer *w, const uint8_t *p, size_t n, bool ascii)
{
    while (n > 0) {
        size_t piece = n < PIECE ? n : PIECE;
        while (piece < n && (p[piece] & 0xC0) == 0x80) { /* a scalar value stays whole */
            piece--;
        }
        char *to = writer_room(w, TEXT_ESCAPED_SIZE(piece));
        if (!to) {
            return false;
        }
        writer_advance(w, (size_t)(text_escape_json(to, p, piece, ascii) - to));
        p += piece;
        n -= piece;
    }
    return true;
}

static bool put_string(weir_writer *w, const weir_event *event)
{
    const uint8_t *p = (const uint8_t *)event->text;
    size_t n = event->len;
    bool ascii = w->options.flags & WEIR_ASCII && !is_canonical(w);
    const char *behind = !event->is_key ? "\"" : is_indented(w) ? "\": " : "\":";
    if (likely(n <= PIECE)) {
        char *to = writer_room(w, TEXT_ESCAPED_SIZE(n) + 4);
        if (!to) {
            return false;
        }
        char *begin = to;
        *to++ = '"';
        if (event->plain && !ascii && n > 0) {
            memcpy(to, p, n);
            to += n;
        } else {
            to = text_escape_json(to, p, n, ascii);
        }
        for (; *behind; behind++) {
            *to++ = *behind;
        }
        writer_advance(w, (size_t)(to - begin));
        return true;
    }
    return writer_append(w, "\"", 1) &&
           (event->plain && !ascii ? writer_append(w, p, n) : put_long_text(w, p, n, ascii)) &&
           writer_append(w, behind, strlen(behind));
}

/* A double holds 53 significant bits, with any number of zeros behind them. */
static bool is_double(uint64_t magnitude)
{
    return magnitude == 0 || magnitude >> __builtin_ctzll(magnitude) >> 53 == 0;
}

/* RFC 8785 knows doubles only: an integer must be one, and is written as one. */
static bool put_canonical_number(weir_writer *w, const weir_event *event)
{
    double value = event->v.d;
    if (event->kind == WEIR_KIND_UINT) {
        value = is_double(event->v.u) ? (double)event->v.u : NAN;
    } else if (event->kind == WEIR_KIND_INT) {
        value = is_double(0 - (uint64_t)event->v.i) ? (double)event->v.i : NAN;
    } else if (event->kind == WEIR_KIND_NUMBER) {
        value = NAN;
    }
    if (isnan(value)) {
        return writer_fail(w, WEIR_E_LOSS_BIGINT);
    }
    char *to = writer_room(w, SCALAR_ROOM);
    if (!to) {
        return false;
    }
    writer_advance(w, num_print_ecma(to, value));
    return true;
}

static bool put_number(weir_writer *w, const weir_event *event)
{
    if (event->kind == WEIR_KIND_REAL && !isfinite(event->v.d)) {
        return writer_fail(w, WEIR_E_LOSS_NONFINITE);
    }
    if (is_canonical(w)) {
        return put_canonical_number(w, event);
    }
    if (event->kind == WEIR_KIND_NUMBER) {
        return writer_append(w, event->text, event->len);
    }
    char *to = writer_room(w, SCALAR_ROOM);
    if (!to) {
        return false;
    }
    size_t n;
    if (event->kind == WEIR_KIND_UINT) {
        n = num_print_u64(to, event->v.u);
    } else if (event->kind == WEIR_KIND_INT) {
        n = num_print_i64(to, event->v.i);
    } else if (event->width == WEIR_WIDTH_32) {
        n = num_print_float(to, (float)event->v.d);
    } else { /* a half too: its double is exact, a float's shortest text need not be */
        n = num_print_double(to, event->v.d);
    }
    writer_advance(w, n);
    return true;
}

bool json_write_event(weir_writer *w, const weir_event *event)
{
    if (!put_separator(w, event)) {
        return false;
    }
    switch (event->kind) {
    case WEIR_KIND_NULL:
        return writer_append(w, "null", 4);
    case WEIR_KIND_FALSE:
        return writer_append(w, "false", 5);
    case WEIR_KIND_TRUE:
        return writer_append(w, "true", 4);
    case WEIR_KIND_UINT:
    case WEIR_KIND_INT:
    case WEIR_KIND_REAL:
    case WEIR_KIND_NUMBER:
        return put_number(w, event);
    case WEIR_KIND_STRING:
        return put_string(w, event);
    case WEIR_KIND_ARRAY:
        return writer_append(w, "[", 1);
    case WEIR_KIND_MAP:
        return writer_append(w, "{", 1);
    case WEIR_KIND_END:
        return put_end(w);
    default: /* what JSON doesn't have was mapped or refused before */
        return writer_fail(w, WEIR_E_UNSUPPORTED);
    }
}
