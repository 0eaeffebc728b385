/* The loop of the fused JSON writer. Included once by each kernel, which has defined before
 *   BLOCK                      bytes of its vectors: 16, 32 or 64
 *   block_copy(o, s)           copies BLOCK bytes
 *   block_check(o, s)          the same; bit i of the result: byte i must be escaped
 *   block_check_part(o, s, n)  n < BLOCK bytes, of which s holds no more; may store BLOCK bytes
 *
 * Each value ends in a comma, which the bracket that closes the container overwrites. Only open containers
 * need memory: one word each, for where they end. */
#include <float.h>

#include "fused/json_write_kernel.h"
#include "fused/json_write_number.h"

/* ---- strings ---- */

static const char escape_letter[256] = {
    ['"'] = '"', ['\\'] = '\\', ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r', ['\t'] = 't'};

ALWAYS_INLINE char *put_escape(char *o, unsigned char byte)
{
    static const char hex[] = "0123456789abcdef";
    *o++ = '\\';
    if (likely(escape_letter[byte] != 0)) {
        *o++ = escape_letter[byte];
        return o;
    }
    memcpy(o, "u00", 3);
    o[3] = hex[byte >> 4];
    o[4] = hex[byte & 15];
    return o + 5;
}

/* n <= 64 bytes of text with escapes where they are due; padded: BLOCK bytes may be read beyond. */
ALWAYS_INLINE char *put_checked(char *o, const char *s, size_t n, bool padded)
{
    for (;;) {
        uint64_t escapes;
        if (n < BLOCK) {
            escapes = padded ? block_check(o, s) & (((uint64_t)1 << n) - 1) : block_check_part(o, s, n);
            if (likely(!escapes)) {
                return o + n;
            }
        } else {
            escapes = block_check(o, s);
            if (likely(!escapes)) {
                o += BLOCK;
                s += BLOCK;
                n -= BLOCK;
                if (n == 0) {
                    return o;
                }
                continue;
            }
        }
        size_t at = (size_t)__builtin_ctzll(escapes);
        o = put_escape(o + at, (unsigned char)s[at]);
        s += at + 1;
        n -= at + 1;
        if (n == 0) {
            return o;
        }
    }
}

static NEVER_INLINE char *put_short(char *o, const char *s, size_t n, bool padded)
{
    return padded ? put_checked(o, s, n, true) : put_checked(o, s, n, false);
}

/* What the loop of one document needs seldom, or only compares with. */
struct writing {
    struct output out;
    /* [0]: strings, [1]: keys. quick is the lesser of the limit and JSON_WRITE_SHORT: one test serves both.
     */
    uint64_t quick[2], longest[2];
    uint64_t max_uint;  /* the greatest integer of as many digits as a number may have */
    uint64_t structure; /* see write_value */
    bool refused;
};

/* JSON_WRITE_SHORT bytes. */
ALWAYS_INLINE void copy_short(char *o, const char *s)
{
    for (size_t i = 0; i < JSON_WRITE_SHORT; i += BLOCK) {
        block_copy(o + i, s + i);
    }
}

/* Plain text of more than JSON_WRITE_SHORT bytes, none beyond which are read. Stores are aligned, which
 * memcpy's are not for all lengths. NULL: no room. */
static NEVER_INLINE char *put_long(struct output *out, char *o, const char *s, uint64_t length,
                                   const weir_val *node)
{
    enum { STEP = 2 * JSON_WRITE_SHORT };
    if (output_is_short(out, o, length)) {
        o = output_grow(out, o, length, node);
        if (!o) {
            return NULL;
        }
    }
    size_t n = (size_t)length;
    char *end = o + n;
    const char *last = s + n - JSON_WRITE_SHORT;
    if (n > STEP) {
        size_t skip = BLOCK - ((uintptr_t)o & (BLOCK - 1));
        block_copy(o, s);
        o += skip;
        s += skip;
        while (end - o > STEP) {
            copy_short(o, s);
            copy_short(o + JSON_WRITE_SHORT, s + JSON_WRITE_SHORT);
            o += STEP;
            s += STEP;
        }
        copy_short(end - STEP, last - JSON_WRITE_SHORT);
    } else {
        copy_short(o, s);
    }
    copy_short(end - JSON_WRITE_SHORT, last);
    return end;
}

/* A string of any length and kind of storage, without its quotes. NULL: no room, or it is refused. */
static NEVER_INLINE char *put_slowly(struct writing *w, char *o, const weir_val *node, bool key)
{
    struct output *out = &w->out;
    const char *s = tape_text(node);
    uint64_t n = tape_length(node);
    bool padded = !(node->tag & TAPE_UNTERMINATED);
    w->refused = tape_kind(node) != WEIR_KIND_STRING || n > w->longest[key];
    if (w->refused) {
        return NULL;
    }
    if (node->tag & TAPE_PLAIN) {
        if (n > JSON_WRITE_SHORT) {
            return put_long(out, o, s, n, node);
        }
        if (n) {
            memcpy(o, s, (size_t)n);
        }
        return o + n;
    }
    if (n > JSON_WRITE_SHORT && output_is_short(out, o, n)) {
        o = output_grow(out, o, n, node);
        if (!o) {
            return NULL;
        }
    }
    /* Past an escape a block is read from the middle of one: the last two are done with care. */
    while (n > JSON_WRITE_SHORT) {
        char *to = put_short(o, s, JSON_WRITE_SHORT, padded || n >= 2 * JSON_WRITE_SHORT);
        w->structure += (uint64_t)(to - o) - JSON_WRITE_SHORT;
        o = to;
        s += JSON_WRITE_SHORT;
        n -= JSON_WRITE_SHORT;
        if (unlikely(o > out->soft)) {
            o = output_grow(out, o, n, node);
            if (!o) {
                return NULL;
            }
        }
    }
    char *to = put_short(o, s, (size_t)n, padded);
    w->structure += (uint64_t)(to - o) - n;
    return to;
}

/* A string and its quotes; room for a short one is there. NULL as above. */
ALWAYS_INLINE char *put_string(struct writing *w, char *o, const weir_val *node, uint64_t tag,
                               uint64_t distance, const bool key, const bool limited)
{
    const char *s = (const char *)((uintptr_t)node + (uintptr_t)distance);
    uint64_t n = tag >> 8, quick = limited ? w->quick[key] : JSON_WRITE_SHORT;
    *o++ = '"';
    if (likely((tag & 0xFF) == (WEIR_KIND_STRING | TAPE_PLAIN) && n <= quick)) {
        block_copy(o, s);
        for (size_t i = BLOCK; i < JSON_WRITE_SHORT && unlikely(n > i); i += BLOCK) {
            block_copy(o + i, s + i);
        }
        o += n;
    } else if ((tag & 0xFF) == WEIR_KIND_STRING && n < BLOCK && n <= quick &&
               !(block_check(o, s) & (((uint64_t)1 << n) - 1))) {
        o += n;
    } else {
        o = n > JSON_WRITE_SHORT && (!limited || n <= w->longest[key]) &&
                    (tag & 0xFF) == (WEIR_KIND_STRING | TAPE_PLAIN)
                ? put_long(&w->out, o, s, n, node)
                : put_slowly(w, o, node, key);
        if (unlikely(!o)) {
            return NULL;
        }
    }
    *o++ = '"';
    return o;
}

/* ---- runs of numbers ---- */

struct run {
    char *o;              /* NULL: a number longer than `longest` */
    const weir_val *node; /* the first one not written */
};

/* Integers of an array up to another kind, one above `max`, the array's end or the end of the room. */
static NEVER_INLINE struct run put_uints(char *o, const char *soft, const weir_val *node, const weir_val *end,
                                         uint64_t max)
{
    while (node != end && node->tag == WEIR_KIND_UINT && node->v.u <= max && o <= soft) {
        o = number_put_u64(o, node->v.u);
        *o++ = ',';
        node++;
    }
    return (struct run){o, node};
}

/* Doubles of an array up to another kind, the array's end or the end of the room. The first one is finite. */
ALWAYS_INLINE struct run put_doubles(char *o, const char *soft, const weir_val *node, const weir_val *end,
                                     uint64_t longest, const bool limited)
{
    uint64_t bits = node->v.u;
    do {
        /* The next node is loaded before the text is stored: where both share address bits 0 … 11 it would
         * wait. */
        const weir_val *next = node + 1;
        uint64_t tag = 0, next_bits = 0;
        if (next < end) {
            tag = next->tag;
            next_bits = next->v.u;
        }
        char *before = o;
        o = number_put_double(o, bits);
        if (limited && unlikely((uint64_t)(o - before) > longest)) {
            return (struct run){NULL, node};
        }
        *o++ = ',';
        node = next;
        bits = next_bits;
        if (tag != WEIR_KIND_REAL || o > soft) {
            break;
        }
    } while (number_is_finite(bits));
    return (struct run){o, node};
}

static NEVER_INLINE struct run put_run(char *o, const char *soft, const weir_val *node, const weir_val *end)
{
    return put_doubles(o, soft, node, end, 0, false);
}

static NEVER_INLINE struct run put_run_limited(char *o, const char *soft, const weir_val *node,
                                               const weir_val *end, uint64_t longest)
{
    return put_doubles(o, soft, node, end, longest, true);
}

/* ---- levels ---- */

/* The ends of the containers around the innermost one; bit 0: that container is a map. */
struct levels {
    uintptr_t *base, *bound; /* bound: room or the limit ends there */
    size_t cap;
    uintptr_t fixed[500];
};

static inline void levels_bound(struct levels *levels, uint64_t most)
{
    levels->bound = levels->base + (most < levels->cap ? (size_t)most : levels->cap);
}

/* Room for one more level than end at `top`; `most` are allowed. NULL: too many (then *refused), or no
 * memory. */
static NEVER_INLINE uintptr_t *levels_grow(struct levels *levels, const uintptr_t *top, uint64_t most,
                                           const weir_allocator *allocator, bool *refused)
{
    size_t size = (size_t)(top - levels->base), bytes, more;
    *refused = size == most;
    if (*refused || __builtin_mul_overflow(levels->cap, sizeof *levels->base, &bytes) ||
        __builtin_mul_overflow(bytes, 2u, &more)) {
        return NULL;
    }
    uintptr_t *base;
    if (levels->base == levels->fixed) {
        base = memory_get(allocator, more);
        if (base) {
            memcpy(base, levels->fixed, bytes);
        }
    } else {
        base = memory_resize(allocator, levels->base, bytes, more);
    }
    if (!base) {
        return NULL;
    }
    levels->base = base;
    levels->cap *= 2;
    levels_bound(levels, most);
    return base + size;
}

static NEVER_INLINE void levels_free(struct levels *levels, const weir_allocator *allocator)
{
    memory_put(allocator, levels->base, levels->cap * sizeof *levels->base);
}

/* ---- the loop ---- */

/* The greatest integer of so many digits; 0 for none. */
static const uint64_t longest_uint[20] = {0,
                                          9,
                                          99,
                                          999,
                                          9999,
                                          99999,
                                          999999,
                                          9999999,
                                          99999999,
                                          999999999,
                                          UINT64_C(9999999999),
                                          UINT64_C(99999999999),
                                          UINT64_C(999999999999),
                                          UINT64_C(9999999999999),
                                          UINT64_C(99999999999999),
                                          UINT64_C(999999999999999),
                                          UINT64_C(9999999999999999),
                                          UINT64_C(99999999999999999),
                                          UINT64_C(999999999999999999),
                                          UINT64_C(9999999999999999999)};

/* A line break and the indent of `depth` levels. NULL: no room. */
static NEVER_INLINE char *put_break(struct output *out, char *o, uint64_t spaces, const weir_val *node)
{
    if (output_is_short(out, o, spaces)) {
        o = output_grow(out, o, spaces, node);
        if (!o) {
            return NULL;
        }
    }
    *o++ = '\n';
    memset(o, ' ', (size_t)spaces);
    return o + spaces;
}

ALWAYS_INLINE char *put_line(struct output *out, char *o, uint64_t depth, unsigned indent,
                             const weir_val *node)
{
    uint64_t spaces = depth * indent;
    if (likely(spaces <= 63)) {
        memset(o, ' ', 64);
        *o = '\n';
        return o + 1 + spaces;
    }
    return put_break(out, o, spaces, node);
}

ALWAYS_INLINE enum fused_result write_value(const weir_val *val, const struct fused_limits *limits,
                                            unsigned indent, weir_buffer *buffer, const bool limited,
                                            const bool pretty)
{
    struct writing w;
    struct levels levels;
    const uint64_t max_depth = limits ? limits->depth : WEIR_UNSET,
                   max_number = limits ? limits->number : WEIR_UNSET;
    if (!output_open(&w.out, val, 8, limits ? limits->output : WEIR_UNSET, buffer)) {
        return FUSED_MEMORY;
    }
    char *o = buffer->data + w.out.start;
    const weir_val *node = val, *end = val + w.out.span;
    bool map = false;
    uint64_t keys = 0;
    enum fused_result result;
    for (int i = 0; i < 2; i++) {
        w.longest[i] = !limited ? WEIR_UNSET : i ? limits->key : limits->string;
        w.quick[i] = w.longest[i] < JSON_WRITE_SHORT ? w.longest[i] : JSON_WRITE_SHORT;
    }
    w.max_uint = max_number < 20 ? longest_uint[max_number] : UINT64_MAX;
    /* What the output holds besides the payload: three bytes a node (two quotes and a separator), corrected
     * for what isn't a string. So strings, the most frequent, have nothing to count. */
    w.structure = 3 * w.out.span;
    uint64_t less = 0; /* the corrections of this loop */
    w.refused = false;
    if (unlikely(max_depth == 0)) {
        return output_refuse(&w.out);
    }
    levels.base = levels.fixed;
    levels.cap = sizeof levels.fixed / sizeof levels.fixed[0];
    levels_bound(&levels, max_depth - 1);
    uintptr_t *top = levels.fixed;
    for (;;) {
        if (unlikely(o > w.out.soft)) {
            o = output_grow(&w.out, o, 0, node);
            if (!o) {
                goto no_room;
            }
        }
        uint64_t tag = node->tag, word = node->v.u;
        if (pretty && top != levels.base) {
            uint64_t depth = (uint64_t)(top - levels.base);
            o = put_line(&w.out, o, depth, indent, node);
            if (!o) {
                goto no_room;
            }
            w.structure += depth * indent + 1;
        }
        if (map) {
            uint64_t next_tag = node[1].tag, next_word = node[1].v.u;
            o = put_string(&w, o, node, tag, word, true, limited);
            if (unlikely(!o)) {
                goto no_room;
            }
            *o++ = ':';
            if (pretty) {
                *o++ = ' ';
                w.structure++;
            }
            node++;
            tag = next_tag;
            word = next_word;
        }
    value:
        switch (tag & 0xFF) {
        case WEIR_KIND_STRING:
        case WEIR_KIND_STRING | TAPE_PLAIN:
        case WEIR_KIND_STRING | TAPE_UNTERMINATED:
        case WEIR_KIND_STRING | TAPE_PLAIN | TAPE_UNTERMINATED:
            o = put_string(&w, o, node, tag, word, false, limited);
            if (unlikely(!o)) {
                goto no_room;
            }
            *o++ = ',';
            node++;
            break;
        case WEIR_KIND_UINT:
            if (limited) {
                if (unlikely(word > w.max_uint || max_number == 0)) {
                    goto refused;
                }
                less += 2;
            }
            o = number_put_u64(o, word);
            *o++ = ',';
            node++;
            if (!map && !pretty && node != end && node->tag == WEIR_KIND_UINT) {
                struct run run = put_uints(o, w.out.soft, node, end, limited ? w.max_uint : UINT64_MAX);
                if (limited) {
                    less += 2 * (uint64_t)(run.node - node);
                }
                o = run.o;
                node = run.node;
            }
            break;
        case WEIR_KIND_INT: {
            char *begin = o;
            o = number_put_negative(o, (int64_t)word);
            if (limited) {
                if (unlikely((uint64_t)(o - begin) > max_number)) {
                    goto refused;
                }
                less += 2;
            }
            *o++ = ',';
            node++;
            break;
        }
        case WEIR_KIND_REAL: {
            if (unlikely(!number_is_finite(word))) {
                goto refused;
            }
            const weir_val *last = map || pretty ? node + 1 : end;
            struct run run = limited ? put_run_limited(o, w.out.soft, node, last, max_number)
                                     : put_run(o, w.out.soft, node, last);
            if (limited) {
                if (unlikely(!run.o)) {
                    goto refused;
                }
                less += 2 * (uint64_t)(run.node - node);
            }
            o = run.o;
            node = run.node;
            break;
        }
        case WEIR_KIND_REAL | TAPE_F32: {
            double value;
            memcpy(&value, &word, sizeof value);
            if (!number_is_finite(word) || (float)value > FLT_MAX || (float)value < -FLT_MAX) {
                goto refused;
            }
            size_t n = num_print_float(o, (float)value);
            if (limited) {
                if (unlikely(n > max_number)) {
                    goto refused;
                }
                less += 2;
            }
            o += n;
            *o++ = ',';
            node++;
            break;
        }
        case WEIR_KIND_REAL | TAPE_F16:
            if (limited || !number_is_finite(word)) {
                goto refused;
            }
            o = number_put_double(o, word);
            *o++ = ',';
            node++;
            break;
        case WEIR_KIND_NUMBER:
        case WEIR_KIND_NUMBER | TAPE_UNTERMINATED: {
            uint64_t n = tag >> 8;
            if (unlikely(n > max_number)) {
                goto refused;
            }
            less += 2;
            if (output_is_short(&w.out, o, n)) {
                o = output_grow(&w.out, o, n, node);
                if (!o) {
                    goto no_room;
                }
            }
            memcpy(o, tape_text(node), (size_t)n);
            o += n;
            *o++ = ',';
            node++;
            break;
        }
        case WEIR_KIND_NULL:
            less -= limited ? 2 : 0;
            memcpy(o, "null,", 5);
            o += 5;
            node++;
            break;
        case WEIR_KIND_FALSE:
        case WEIR_KIND_TRUE: { /* no branch: which of both comes is often a matter of chance */
            bool is_false = (tag & 0xFF) == WEIR_KIND_FALSE;
            less -= limited ? 2u + is_false : 0;
            memcpy(o, is_false ? "false,\0" : "true,\0\0", 8);
            o += 5 + is_false;
            node++;
            break;
        }
        case WEIR_KIND_ARRAY:
            if (tag >> 8 == 0) {
                memcpy(o, "[],", 3);
                o += 3;
                node++;
                break;
            }
            if (limited) {
                if (unlikely(tag >> 8 > limits->items)) {
                    goto refused;
                }
                less++;
            }
            if (unlikely(top == levels.bound)) {
                top = levels_grow(&levels, top, max_depth - 1, buffer->allocator, &w.refused);
                if (!top) {
                    goto no_room;
                }
            }
            *o++ = '[';
            *top++ = (uintptr_t)end | map;
            end = node + word;
            map = false;
            node++;
            if (!pretty && likely(o <= w.out.soft)) {
                tag = node->tag;
                word = node->v.u;
                goto value;
            }
            continue;
        case WEIR_KIND_MAP:
            if (tag >> 8 == 0) {
                memcpy(o, "{},", 3);
                o += 3;
                node++;
                break;
            }
            if (limited) {
                if (unlikely(tag >> 8 > limits->entries)) {
                    goto refused;
                }
                keys += tag >> 8;
                less++;
            }
            if (unlikely(top == levels.bound)) {
                top = levels_grow(&levels, top, max_depth - 1, buffer->allocator, &w.refused);
                if (!top) {
                    goto no_room;
                }
            }
            *o++ = '{';
            *top++ = (uintptr_t)end | map;
            end = node + word;
            map = true;
            node++;
            continue;
        default:
            goto refused;
        }
        while (node == end) {
            if (top == levels.base) {
                goto done;
            }
            if (pretty) {
                uint64_t depth = (uint64_t)(top - levels.base) - 1;
                o = put_line(&w.out, o - 1, depth, indent, node - 1);
                if (!o) {
                    goto no_room;
                }
                w.structure += depth * indent + 1;
                o[0] = map ? '}' : ']';
                o[1] = ',';
                o += 2;
            } else {
                memcpy(o - 1, map ? "}," : "],", 2);
                o++;
            }
            if (unlikely(o > w.out.soft)) {
                o = output_grow(&w.out, o, 0, node - 1);
                if (!o) {
                    goto no_room;
                }
            }
            uintptr_t outer = *--top;
            end = (const weir_val *)(outer & ~(uintptr_t)1);
            map = outer & 1;
        }
    }
done:
    if (limited) {
        uint64_t payload = (uint64_t)(o - buffer->data) - w.out.start - w.structure + less;
        if (payload > limits->payload || w.out.span - keys > limits->nodes) {
            goto refused;
        }
    }
    result = output_close(&w.out, o - 1);
end:
    if (unlikely(levels.base != levels.fixed)) {
        levels_free(&levels, buffer->allocator);
    }
    return result;
refused:
    w.refused = true;
no_room:
    result = w.refused ? output_refuse(&w.out) : output_fail(&w.out);
    goto end;
}

static NEVER_INLINE enum fused_result write_compact(const weir_val *val, const struct fused_limits *limits,
                                                    unsigned indent, weir_buffer *out)
{
    return write_value(val, limits, indent, out, false, false);
}

static NEVER_INLINE enum fused_result write_compact_limited(const weir_val *val,
                                                            const struct fused_limits *limits,
                                                            unsigned indent, weir_buffer *out)
{
    return write_value(val, limits, indent, out, true, false);
}

static NEVER_INLINE enum fused_result write_pretty(const weir_val *val, const struct fused_limits *limits,
                                                   unsigned indent, weir_buffer *out)
{
    return write_value(val, limits, indent, out, false, true);
}

static NEVER_INLINE enum fused_result write_pretty_limited(const weir_val *val,
                                                           const struct fused_limits *limits, unsigned indent,
                                                           weir_buffer *out)
{
    return write_value(val, limits, indent, out, true, true);
}

static enum fused_result write_kernel(const weir_val *val, const struct fused_limits *limits, unsigned indent,
                                      weir_buffer *out)
{
    /* Depth and the length of exact numbers are looked at anyway; other numbers are short. */
    bool limited = limits && ((limits->nodes & limits->items & limits->entries & limits->key &
                               limits->string & limits->payload) != WEIR_UNSET ||
                              limits->number < NUM_DOUBLE_SIZE);
    if (likely(indent == 0)) {
        return limited ? write_compact_limited(val, limits, indent, out)
                       : write_compact(val, limits, indent, out);
    }
    return limited ? write_pretty_limited(val, limits, indent, out) : write_pretty(val, limits, indent, out);
}
