/* Readers: the same bytes from memory and from a stream in pieces of 1 … 16 bytes give the same events and
 * the same error, and the events are a well-formed sequence whatever the bytes are.
 *
 * Input: format, options (bit 7: skip bad records), size of the pieces, bytes. */
#include "fuzz.h"

enum { MAX_DEPTH = 1024 }; /* the default limit */

typedef struct pieces {
    const uint8_t *data;
    size_t len, largest, given;
} pieces;

static ptrdiff_t read_piece(void *context, void *out, size_t size)
{
    pieces *in = context;
    size_t piece = 1 + in->given % in->largest;
    if (piece > size)
        piece = size;
    if (piece > in->len)
        piece = in->len;
    if (piece)
        memcpy(out, in->data, piece);
    in->data += piece;
    in->len -= piece;
    in->given++;
    return (ptrdiff_t)piece;
}

/* Where the sequence of events stands. */
typedef struct grammar {
    size_t depth;
    bool tagged;   /* a tag waits for its value */
    bool has_root; /* the root value is complete */
    struct {
        bool map, key_due, is_key;
        uint64_t count, seen;
    } open[MAX_DEPTH + 1];
} grammar;

static void value_done(grammar *g, bool was_key)
{
    if (g->depth == 0) {
        g->has_root = true;
        return;
    }
    if (!was_key)
        g->open[g->depth - 1].seen++;
    g->open[g->depth - 1].key_due = g->open[g->depth - 1].map && !was_key;
}

static void check_grammar(grammar *g, const weir_event *event)
{
    if (event->kind == WEIR_KIND_END) {
        CHECK(g->depth > 0 && !g->tagged);
        g->depth--;
        CHECK(!g->open[g->depth].map || g->open[g->depth].key_due);
        CHECK(g->open[g->depth].count == WEIR_UNKNOWN || g->open[g->depth].count == g->open[g->depth].seen);
        value_done(g, g->open[g->depth].is_key);
        return;
    }
    if (event->kind == WEIR_KIND_END_DOCUMENT) {
        CHECK(g->depth == 0 && g->has_root && !g->tagged);
        g->has_root = false;
        return;
    }
    if (event->kind == WEIR_KIND_END_STREAM) {
        CHECK(g->depth == 0 && !g->has_root && !g->tagged);
        return;
    }
    bool key = g->depth > 0 && g->open[g->depth - 1].map && g->open[g->depth - 1].key_due;
    CHECK(event->kind <= WEIR_KIND_SECRET && !g->has_root);
    CHECK(g->tagged || event->is_key == key); /* is_key stands on the first event of a key */
    g->tagged = event->kind == WEIR_KIND_TAGGED;
    if (g->tagged)
        return;
    if (event->kind != WEIR_KIND_ARRAY && event->kind != WEIR_KIND_MAP) {
        value_done(g, key);
        return;
    }
    CHECK(g->depth < MAX_DEPTH);
    g->open[g->depth].map = g->open[g->depth].key_due = event->kind == WEIR_KIND_MAP;
    g->open[g->depth].is_key = key;
    g->open[g->depth].count = event->count;
    g->open[g->depth].seen = 0;
    g->depth++;
}

static bool has_text(const weir_event *event)
{
    return event->kind == WEIR_KIND_STRING || event->kind == WEIR_KIND_BYTES ||
           event->kind == WEIR_KIND_NUMBER || event->kind == WEIR_KIND_SECRET ||
           (event->kind == WEIR_KIND_TAGGED && event->text);
}

static bool same_timestamp(const weir_timestamp *a, const weir_timestamp *b)
{
    return a->seconds == b->seconds && a->nanoseconds == b->nanoseconds &&
           a->offset_minutes == b->offset_minutes && a->shape == b->shape && a->digits == b->digits;
}

static void check_same(const weir_event *a, const weir_event *b)
{
    CHECK(a->kind == b->kind && a->is_key == b->is_key && a->offset == b->offset);
    if (has_text(a)) {
        CHECK(has_text(b) && a->len == b->len && (a->len == 0 || memcmp(a->text, b->text, a->len) == 0));
        return;
    }
    switch (a->kind) {
    case WEIR_KIND_UINT:
    case WEIR_KIND_TAGGED:
        CHECK(a->v.u == b->v.u);
        break;
    case WEIR_KIND_INT:
        CHECK(a->v.i == b->v.i && a->v.i < 0);
        break;
    case WEIR_KIND_REAL:
        CHECK(a->width == b->width && memcmp(&a->v.d, &b->v.d, sizeof a->v.d) == 0);
        break;
    case WEIR_KIND_TIMESTAMP:
        CHECK(same_timestamp(&a->v.time, &b->v.time));
        break;
    case WEIR_KIND_ARRAY:
    case WEIR_KIND_MAP:
        CHECK(a->count == b->count);
        break;
    default:
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 3)
        return 0;
    const weir_format *format = fuzz_format(data[0]);
    weir_options options = fuzz_options(data[1]);
    if (data[1] & 1u << 7)
        options.flags |= WEIR_SKIP_BAD;
    if (options.duplicates == WEIR_DUPLICATES_LAST) /* documents only: an event can't be taken back */
        options.duplicates = WEIR_DUPLICATES_KEEP;
    size_t len = size - 3;
    char *copy = fuzz_exact_copy(data + 3, len);
    pieces in = {data + 3, len, 1 + data[2] % 16, 0};

    weir_error error;
    weir_reader *whole = weir_reader_open(format, copy, len, &options, &error);
    CHECK(whole);
    weir_reader *pieced = weir_reader_open_source(format, (weir_source){read_piece, &in}, &options, &error);
    CHECK(pieced);
    static grammar state; /* too large for some stacks */
    memset(&state, 0, sizeof state);
    for (;;) {
        const weir_event *a = weir_reader_next(whole);
        const weir_event *b = weir_reader_next(pieced);
        CHECK(!a == !b);
        if (!a)
            break;
        check_same(a, b);
        check_grammar(&state, a);
        if (a->kind == WEIR_KIND_END_STREAM)
            break;
    }
    CHECK(fuzz_same_error(weir_reader_error(whole), weir_reader_error(pieced)));
    weir_reader_close(whole);
    weir_reader_close(pieced);
    free(copy);
    return 0;
}
