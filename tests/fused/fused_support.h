/* What the tests of the fused paths share: random documents, the general way to read and write as the oracle,
 * what a value uses of each limit, strict comparison of tapes, and input at the end of a page. */
#ifndef TESTS_FUSED_SUPPORT_H
#define TESTS_FUSED_SUPPORT_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/number.h"
#include "flow/writer_priv.h"
#include "fused/fused.h"
#include "support.h"
#include "value/notation.h"
#include "value/put.h"
#include "weir/weir.h"

/* ---- the general way ---- */

static inline bool general_write(const weir_format *format, const weir_val *val, const weir_options *options,
                                 weir_buffer *out)
{
    weir_writer *w = writer_open_direct(format, out, NULL, options, NULL);
    assert_non_null(w);
    bool done = writer_put_val(w, val) && weir_writer_finish(w);
    weir_writer_close(w);
    return done;
}

/* The first document, which must be all of the input unless consumed is not NULL. */
static inline weir_doc *general_parse(const weir_format *format, const void *data, size_t len,
                                      const weir_options *options, size_t *consumed)
{
    weir_error error;
    weir_reader *reader = weir_reader_open(format, data, len, options, &error);
    assert_non_null(reader);
    weir_doc *doc = weir_read_doc(reader, &error);
    size_t end = (size_t)weir_reader_offset(reader);
    const weir_event *event = doc && !consumed ? weir_reader_next(reader) : NULL;
    bool more = !event || event->kind != WEIR_KIND_END_STREAM;
    weir_reader_close(reader);
    if (consumed) {
        *consumed = end;
    } else if (doc && more) {
        weir_doc_free(doc);
        doc = NULL;
    }
    return doc;
}

static inline weir_options unlimited_options(void)
{
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.limits = weir_unlimited;
    return options;
}

/* ---- random documents ---- */

enum {
    WITH_BYTES = 1,
    WITH_TAGS = 2,
    WITH_ANY_KEY = 4,
    WITH_WIDTHS = 8,
    WITH_NONFINITE = 16,
    WITH_NUMBERS = 32
};

static inline double random_double(rng *r)
{
    uint64_t bits = rng_next(r);
    double value;
    switch (rng_below(r, 6)) {
    case 0:
        return (double)(int64_t)rng_below(r, 2001) - 1000;
    case 1:
        return ((double)(int64_t)rng_below(r, 2000001) - 1000000) / 1000;
    case 2:
        return ldexp(1, (int)rng_below(r, 2000) - 1000);
    case 3:
        return (double)(int64_t)bits / (double)(1u << rng_below(r, 30));
    default:
        memcpy(&value, &bits, sizeof value);
        return isfinite(value) ? value : 0.5;
    }
}

static inline size_t random_text(rng *r, char *text, size_t max)
{
    static const char *const pieces[] = {"a",    "\"", "\\", "\n",         "\x01", "é",
                                         "日本", "🚀",  " ",  "plain text", "/",    "\x7F"};
    size_t n = 0, want = rng_below(r, 8) ? rng_below(r, 40) : rng_below(r, max);
    bool plain = rng_below(r, 2);
    while (n < want) {
        const char *piece = plain ? "x" : pieces[rng_below(r, sizeof pieces / sizeof pieces[0])];
        size_t size = strlen(piece);
        if (n + size > max) {
            break;
        }
        memcpy(text + n, piece, size);
        n += size;
    }
    return n;
}

static inline void random_scalar(rng *r, weir_writer *w, unsigned with, bool is_key)
{
    char text[600];
    weir_event event = {.is_key = is_key, .text = text};
    unsigned pick = is_key && !(with & WITH_ANY_KEY) ? 20 : (unsigned)rng_below(r, 24);
    if (pick < 3) {
        event.kind = (uint8_t)(WEIR_KIND_NULL + pick);
    } else if (pick < 7) {
        event.kind = WEIR_KIND_UINT;
        event.v.u = rng_next(r) >> rng_below(r, 64);
    } else if (pick < 9) {
        event.kind = WEIR_KIND_INT;
        event.v.i = -(int64_t)(rng_next(r) >> (1 + rng_below(r, 63))) - 1;
    } else if (pick < 12) {
        event.kind = WEIR_KIND_REAL;
        event.v.d = random_double(r);
        if ((with & WITH_NONFINITE) && rng_below(r, 8) == 0) {
            event.v.d = rng_below(r, 2) ? NAN : -INFINITY;
        }
        if ((with & WITH_WIDTHS) && rng_below(r, 2)) {
            event.width = rng_below(r, 2) ? WEIR_WIDTH_32 : WEIR_WIDTH_16;
            event.v.d = event.width == WEIR_WIDTH_32 ? (double)((float)(int)rng_below(r, 4001) / 7 - 99)
                                                     : (double)((int)rng_below(r, 2048) - 1024) / 4;
        }
    } else if (pick == 12 && (with & WITH_BYTES)) {
        event.kind = WEIR_KIND_BYTES;
        event.len = rng_below(r, 300);
        rng_fill(r, text, event.len);
    } else if (pick == 13 && (with & WITH_NUMBERS)) {
        event.kind = WEIR_KIND_NUMBER;
        event.len =
            (size_t)snprintf(text, sizeof text, "-%llu%020llu.5e400",
                             (unsigned long long)rng_below(r, 100) + 1, (unsigned long long)rng_next(r));
    } else {
        event.kind = WEIR_KIND_STRING;
        event.len = random_text(r, text, sizeof text);
    }
    assert_true(weir_write_event(w, &event));
}

static inline void random_value(rng *r, weir_writer *w, unsigned with, unsigned depth, size_t *budget)
{
    *budget -= *budget > 0;
    unsigned pick = (unsigned)rng_below(r, 10);
    if (depth == 0 || *budget == 0 || pick < 5) {
        random_scalar(r, w, with, false);
        return;
    }
    if (pick == 5 && (with & WITH_TAGS)) {
        assert_true(weir_write_tag(w, 5 + (rng_next(r) >> rng_below(r, 64))));
        random_value(r, w, with, depth - 1, budget);
        return;
    }
    size_t count = rng_below(r, rng_below(r, 6) ? 5 : 40);
    bool map = pick < 8;
    assert_true(map ? weir_write_map(w, count) : weir_write_array(w, count));
    bool doubles = !map && rng_below(r, 4) == 0;
    for (size_t i = 0; i < count; i++) {
        if (map) {
            random_scalar(r, w, with, true);
        }
        if (doubles) {
            assert_true(weir_write_double(w, random_double(r)));
        } else {
            random_value(r, w, with, depth - 1, budget);
        }
    }
    assert_true(weir_write_end(w));
}

static inline weir_doc *random_doc(rng *r, unsigned with, size_t budget)
{
    weir_options options = unlimited_options();
    weir_writer *w = weir_writer_open_doc(&options, NULL);
    assert_non_null(w);
    random_value(r, w, with, 6, &budget);
    assert_true(weir_writer_finish(w));
    weir_doc *doc = weir_writer_take_doc(w);
    weir_writer_close(w);
    assert_non_null(doc);
    return doc;
}

/* ---- limits ---- */

static inline void most(uint64_t *max, uint64_t value)
{
    *max = value > *max ? value : *max;
}

/* What a value uses of each limit but output. text: numbers have a text (the target is a text format). */
static inline const weir_val *usage_of(const weir_val *node, bool is_key, uint64_t depth, bool text,
                                       struct fused_limits *use)
{
    weir_kind kind = tape_kind(node);
    uint64_t length = tape_length(node), children = 0;
    char number[NUM_DOUBLE_SIZE];
    if (!is_key) {
        most(&use->depth, depth);
        use->nodes++;
    }
    if (tape_is_text(kind)) {
        most(is_key ? &use->key : kind == WEIR_KIND_NUMBER ? &use->number : &use->string, length);
        use->payload += length;
    } else if (text && kind >= WEIR_KIND_UINT && kind <= WEIR_KIND_REAL) {
        length = kind == WEIR_KIND_UINT  ? num_print_u64(number, node->v.u)
                 : kind == WEIR_KIND_INT ? num_print_i64(number, node->v.i)
                 : node->tag & TAPE_F32  ? num_print_float(number, (float)node->v.d)
                                         : num_print_double(number, node->v.d);
        most(&use->number, length);
        use->payload += length;
    } else if (kind == WEIR_KIND_ARRAY || kind == WEIR_KIND_MAP) {
        most(kind == WEIR_KIND_ARRAY ? &use->items : &use->entries, length);
        children = kind == WEIR_KIND_ARRAY ? length : 2 * length;
    } else if (kind == WEIR_KIND_TAGGED) {
        return usage_of(node + 2, false, depth + 1, text, use);
    }
    node++;
    for (uint64_t i = 0; i < children; i++) {
        node = usage_of(node, kind == WEIR_KIND_MAP && i % 2 == 0, depth + 1, text, use);
    }
    return node;
}

static inline struct fused_limits usage(const weir_val *val, bool text, uint64_t output)
{
    struct fused_limits use = {.output = output};
    usage_of(val, false, 1, text, &use);
    return use;
}

enum { LIMITS = 9 };

/* One limit by number, in the order of the structure. */
static inline uint64_t *limit_at(struct fused_limits *limits, unsigned i)
{
    uint64_t *const all[LIMITS] = {&limits->depth,   &limits->nodes,   &limits->items,
                                   &limits->entries, &limits->key,     &limits->string,
                                   &limits->number,  &limits->payload, &limits->output};
    return all[i];
}

/* The same limits for the general way. */
static inline weir_options options_with(const struct fused_limits *limits)
{
    weir_options options = unlimited_options();
    options.limits.depth = limits->depth;
    options.limits.nodes = limits->nodes;
    options.limits.items = limits->items;
    options.limits.entries = limits->entries;
    options.limits.key = limits->key;
    options.limits.string = limits->string;
    options.limits.number = limits->number;
    options.limits.payload = limits->payload;
    options.limits.output = limits->output;
    return options;
}

/* ---- comparing ---- */

/* Node by node, bit by bit; how text is stored is ignored. */
static inline void assert_same_tape(const weir_val *a, const weir_val *b)
{
    assert_int_equal(tape_span(a), tape_span(b));
    for (uint64_t i = 0, n = tape_span(a); i < n; i++) {
        if (tape_is_text(tape_kind(a + i))) {
            const uint64_t stored = TAPE_PLAIN | TAPE_UNTERMINATED;
            assert_int_equal(a[i].tag & ~stored, b[i].tag & ~stored);
            if (tape_length(a + i)) {
                assert_memory_equal(tape_text(a + i), tape_text(b + i), tape_length(a + i));
            }
        } else {
            assert_int_equal(a[i].tag, b[i].tag);
            assert_int_equal(a[i].v.u, b[i].v.u);
        }
    }
}

/* ---- input that ends where memory ends ---- */

struct edge {
    char *map;
    size_t size;
};

static inline struct edge edge_open(size_t size)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    struct edge edge;
    edge.size = (size + page - 1) / page * page;
    edge.map = mmap(NULL, edge.size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(edge.map != MAP_FAILED);
    assert_int_equal(mprotect(edge.map + edge.size, page, PROT_NONE), 0);
    return edge;
}

static inline void *edge_put(const struct edge *edge, const void *bytes, size_t len)
{
    assert_true(len <= edge->size);
    char *at = edge->map + edge->size - len;
    if (len) {
        memcpy(at, bytes, len);
    }
    return at;
}

static inline void edge_close(const struct edge *edge)
{
    munmap(edge->map, edge->size + (size_t)sysconf(_SC_PAGESIZE));
}

#endif
