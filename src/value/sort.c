/* Documents with sorted maps. Keys that are containers compare node by node, their own maps in order already;
 * equal beginnings are walked with a stack on the heap, never further than the smaller of the two.
 *
 * Encodings that SORT_CBOR knows only as far as their first byte: timestamps, which come after it by time,
 * decimal fractions, by their text, named tags and secrets, which CBOR has none for. */
#include "value/sort.h"

#include <math.h>

#include "base/number.h"
#include "value/doc.h"
#include "value/order.h"

/* ---- single nodes ---- */

static int compare_bytes(const weir_val *a, const weir_val *b)
{
    size_t la = (size_t)tape_length(a), lb = (size_t)tape_length(b);
    int order = memcmp(tape_text(a), tape_text(b), la < lb ? la : lb);
    return order ? order : (la > lb) - (la < lb);
}

/* UTF-8 sorts as code points do. UTF-16 differs in one point: the surrogates of planes 1 to 16 (lead bytes F0
 * to F4) sort before U+E000 to U+FFFF (EE, EF). */
static int compare_utf16(const weir_val *a, const weir_val *b)
{
    const unsigned char *x = (const unsigned char *)tape_text(a), *y = (const unsigned char *)tape_text(b);
    size_t la = (size_t)tape_length(a), lb = (size_t)tape_length(b);
    for (size_t i = 0; i < la && i < lb; i++) {
        if (x[i] != y[i]) {
            if (x[i] >= 0xEE && y[i] >= 0xEE && (x[i] >= 0xF0) != (y[i] >= 0xF0)) {
                return x[i] >= 0xF0 ? -1 : 1;
            }
            return x[i] < y[i] ? -1 : 1;
        }
    }
    return (la > lb) - (la < lb);
}

static int compare_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_i64(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* A total order: -NaN, -inf … -0.0, 0.0 … inf, NaN. */
static int compare_reals(const weir_val *a, const weir_val *b)
{
    uint64_t top = UINT64_C(1) << 63;
    uint64_t x = isnan(a->v.d) ? UINT64_MAX : a->v.u & top ? ~a->v.u : a->v.u | top;
    uint64_t y = isnan(b->v.d) ? UINT64_MAX : b->v.u & top ? ~b->v.u : b->v.u | top;
    return compare_u64(x, y);
}

static int compare_timestamps(const weir_val *a, const weir_val *b)
{
    weir_timestamp x = tape_timestamp(a), y = tape_timestamp(b);
    int order = compare_i64(x.seconds, y.seconds);
    order = order ? order : compare_u64(x.nanoseconds, y.nanoseconds);
    order = order ? order : x.offset_minutes - y.offset_minutes;
    return order ? order : x.shape - y.shape;
}

/* Of containers the head only. */
static int compare_values(const weir_val *a, const weir_val *b, enum sort_order order)
{
    weir_kind kind = tape_kind(a);
    if (kind != tape_kind(b)) {
        return (int)kind - (int)tape_kind(b);
    }
    switch (kind) {
    case WEIR_KIND_STRING:
        return order == SORT_UTF16 ? compare_utf16(a, b) : compare_bytes(a, b);
    case WEIR_KIND_BYTES:
    case WEIR_KIND_NUMBER:
    case WEIR_KIND_SECRET:
        return compare_bytes(a, b);
    case WEIR_KIND_UINT:
        return compare_u64(a->v.u, b->v.u);
    case WEIR_KIND_INT:
        return compare_i64(a->v.i, b->v.i);
    case WEIR_KIND_REAL:
        return compare_reals(a, b);
    case WEIR_KIND_TIMESTAMP:
        return compare_timestamps(a, b);
    case WEIR_KIND_ARRAY:
    case WEIR_KIND_MAP:
        return compare_u64(tape_length(a), tape_length(b));
    default:
        return 0;
    }
}

/* ---- CBOR ---- */

enum { HEAD_SIZE = 9 };

static size_t put_head(uint8_t *out, unsigned major, uint64_t argument)
{
    out[0] = (uint8_t)(major << 5);
    if (argument < 24) {
        out[0] |= (uint8_t)argument;
        return 1;
    }
    if (argument <= 0xFF) {
        out[0] |= 24;
        out[1] = (uint8_t)argument;
        return 2;
    }
    if (argument <= 0xFFFF) {
        out[0] |= 25;
        store_be16(out + 1, (uint16_t)argument);
        return 3;
    }
    if (argument <= 0xFFFFFFFF) {
        out[0] |= 26;
        store_be32(out + 1, (uint32_t)argument);
        return 5;
    }
    out[0] |= 27;
    store_be64(out + 1, argument);
    return 9;
}

/* The shortest of the three widths that keeps the value; NaN is F9 7E 00. */
static size_t put_real(uint8_t *out, double value)
{
    uint16_t half = 0x7E00;
    if (isnan(value) || num_double_to_half(value, &half)) {
        out[0] = 0xF9;
        store_be16(out + 1, isnan(value) ? 0x7E00 : half);
        return 3;
    }
    if (num_double_fits_float(value)) {
        float narrow = (float)value;
        uint32_t bits;
        memcpy(&bits, &narrow, sizeof bits);
        out[0] = 0xFA;
        store_be32(out + 1, bits);
        return 5;
    }
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    out[0] = 0xFB;
    store_be64(out + 1, bits);
    return 9;
}

static bool is_integer_text(const weir_val *number)
{
    const char *text = tape_text(number);
    for (uint64_t i = *text == '-'; i < tape_length(number); i++) {
        if (text[i] < '0' || text[i] > '9') {
            return false;
        }
    }
    return true;
}

/* What a node's encoding begins with: its head, or the byte that tells its kind. A tag's number belongs to
 * the head. */
static size_t put_node(uint8_t *out, const weir_val *node)
{
    switch (tape_kind(node)) {
    case WEIR_KIND_FALSE:
        out[0] = 0xF4;
        return 1;
    case WEIR_KIND_TRUE:
        out[0] = 0xF5;
        return 1;
    case WEIR_KIND_NULL:
        out[0] = 0xF6;
        return 1;
    case WEIR_KIND_UINT:
        return put_head(out, 0, node->v.u);
    case WEIR_KIND_INT:
        return put_head(out, 1, ~node->v.u); /* -1 - n */
    case WEIR_KIND_REAL:
        return put_real(out, node->v.d);
    case WEIR_KIND_NUMBER:
        out[0] = !is_integer_text(node) ? 0xC4 : *tape_text(node) == '-' ? 0xC3 : 0xC2;
        return 1;
    case WEIR_KIND_TIMESTAMP:
        out[0] = 0xC0;
        return 1;
    case WEIR_KIND_BYTES:
    case WEIR_KIND_SECRET:
        return put_head(out, 2, tape_length(node));
    case WEIR_KIND_STRING:
        return put_head(out, 3, tape_length(node));
    case WEIR_KIND_ARRAY:
        return put_head(out, 4, tape_length(node));
    case WEIR_KIND_MAP:
        return put_head(out, 5, tape_length(node));
    default:
        return put_head(out, 6, tape_kind(node + 1) == WEIR_KIND_UINT ? node[1].v.u : 0);
    }
}

/* Big integers (tags 2 and 3) grow with their magnitude: first the length of their bytes, then these. */
static int compare_numbers_cbor(const weir_val *a, const weir_val *b)
{
    if (!is_integer_text(a)) {
        return compare_bytes(a, b);
    }
    const char *x = tape_text(a), *y = tape_text(b);
    size_t sign = *x == '-';
    return num_compare_decimal(x + sign, (size_t)tape_length(a) - sign, y + sign,
                               (size_t)tape_length(b) - sign);
}

static int compare_cbor(const weir_val *a, const weir_val *b)
{
    uint8_t x[HEAD_SIZE], y[HEAD_SIZE];
    size_t lx = put_node(x, a), ly = put_node(y, b);
    int order = memcmp(x, y, lx < ly ? lx : ly);
    if (order || lx != ly || tape_kind(a) != tape_kind(b)) {
        return order                 ? order
               : compare_u64(lx, ly) ? compare_u64(lx, ly)
                                     : (int)tape_kind(a) - (int)tape_kind(b);
    }
    switch (tape_kind(a)) {
    case WEIR_KIND_STRING:
    case WEIR_KIND_BYTES:
    case WEIR_KIND_SECRET:
        return compare_bytes(a, b);
    case WEIR_KIND_NUMBER:
        return compare_numbers_cbor(a, b);
    case WEIR_KIND_TIMESTAMP:
        return compare_timestamps(a, b);
    default:
        return 0;
    }
}

/* ---- keys ---- */

struct key_frame {
    size_t at, end; /* array, tag: the next child, the end; map: the key that is next (or is being given) */
    bool map, value;
};

/* The nodes of a key in the order of its sorted maps. */
struct key_walk {
    struct key_frame *frames;
    size_t size, cap;
};

struct sorter {
    struct order order;
    enum sort_order by;
    struct key_walk a, b;
    bool duplicates, failed;
};

static bool walk_into(struct sorter *s, struct key_walk *walk, size_t node)
{
    const weir_val *val = s->order.root + node;
    if (!tape_is_container(tape_kind(val))) {
        return true;
    }
    if (!memory_grow_array(s->order.allocator, &walk->frames, &walk->cap, walk->size + 1,
                           sizeof *walk->frames)) {
        s->failed = true;
        return false;
    }
    bool map = tape_kind(val) == WEIR_KIND_MAP;
    struct key_frame frame = {map ? s->order.first[node] : node + 1, node + (size_t)val->v.u, map, false};
    walk->frames[walk->size++] = frame;
    return true;
}

/* The next node, or ORDER_NONE at the end (or without memory: s->failed). */
static size_t walk_on(struct sorter *s, struct key_walk *walk)
{
    while (walk->size) {
        struct key_frame *top = &walk->frames[walk->size - 1];
        size_t node = top->at;
        if (top->map ? node == ORDER_NONE : node == top->end) {
            walk->size--;
            continue;
        }
        size_t span = (size_t)tape_span(s->order.root + node);
        if (!top->map) {
            top->at += span;
        } else if (!top->value) {
            top->value = true;
        } else {
            top->at = s->order.next[node];
            top->value = false;
            node += span;
        }
        return walk_into(s, walk, node) ? node : ORDER_NONE;
    }
    return ORDER_NONE;
}

static int compare_nodes(const struct sorter *s, size_t a, size_t b)
{
    const weir_val *x = s->order.root + a, *y = s->order.root + b;
    return s->by == SORT_CBOR ? compare_cbor(x, y) : compare_values(x, y, s->by);
}

static int compare_containers(struct sorter *s, size_t a, size_t b)
{
    s->a.size = s->b.size = 0;
    if (!walk_into(s, &s->a, a) || !walk_into(s, &s->b, b)) {
        return 0;
    }
    int order = compare_nodes(s, a, b);
    while (!order) {
        a = walk_on(s, &s->a);
        b = walk_on(s, &s->b);
        if (a == ORDER_NONE || b == ORDER_NONE) {
            break; /* both end together: their heads told how long they are */
        }
        order = compare_nodes(s, a, b);
    }
    return order;
}

static int compare_keys(void *context, size_t a, size_t b)
{
    struct sorter *s = context;
    bool containers =
        tape_is_container(tape_kind(s->order.root + a)) && tape_is_container(tape_kind(s->order.root + b));
    int order = containers ? compare_containers(s, a, b) : compare_nodes(s, a, b);
    s->duplicates |= order == 0; /* neighbours in the result have been compared with each other */
    return order;
}

weir_doc *doc_sorted(const weir_val *val, enum sort_order by, const weir_options *options, bool *duplicates,
                     weir_error *error)
{
    weir_options resolved;
    options_resolve(&resolved, options);
    doc_fail(error, WEIR_E_NONE);
    if (!val) {
        return doc_fail(error, WEIR_E_ARGUMENT);
    }
    weir_doc *doc = doc_for_tree(val, &resolved, error);
    if (!doc) {
        return NULL;
    }
    struct sorter s;
    memset(&s, 0, sizeof s);
    s.by = by;
    if (order_begin(&s.order, val, resolved.allocator)) {
        order_maps(&s.order, compare_keys, &s);
        const size_t *places = order_places(&s.order);
        char *text = doc_text(doc);
        weir_val *nodes = doc_nodes(doc);
        for (size_t i = 0; i < doc->node_count; i++) {
            text = doc_copy_node(nodes + places[i], val + i, text);
        }
        memory_put(resolved.allocator, s.a.frames, s.a.cap * sizeof *s.a.frames);
        memory_put(resolved.allocator, s.b.frames, s.b.cap * sizeof *s.b.frames);
        order_end(&s.order);
    } else {
        s.failed = true;
    }
    if (s.failed) {
        weir_doc_free(doc);
        return doc_fail(error, WEIR_E_MEMORY);
    }
    if (duplicates) {
        *duplicates = s.duplicates;
    }
    return doc;
}
