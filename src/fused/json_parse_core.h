/* The document parser around its kernels: chunk protocol, memory, limits. Included once by each kernel after
 * it has defined its block functions (see json_parse.base.c for the list).
 *
 * Stage 1 copies the input chunk by chunk into the document's text and classifies it 64 bytes at a time. Its
 * index holds just closing quotes and the tokens that follow white space. Stage 2 (json_parse_loop.h) walks
 * the text from token to token and consults the index where walking would mean searching: at the end of a
 * string, and over white space.
 *
 *   text   {"id": 17, "name":"a\nb"}          index  positions from the chunk's start, 16 bits each
 *              ^  ^   ^    ^    ^                    INDEX_ESCAPED marks a closing quote whose string has
 * escapes
 *
 * Behind the chunk's last byte the text holds CHUNK_END (no valid UTF-8 byte) and the index the position of
 * it, twice. A token that meets either is undone, and read again after the next chunk has been classified. */
#include "fused/json_number.h"
#include "fused/json_parse.h"
#include "fused/json_string.h"

#include <string.h>

enum { CHUNK_END = 0xFF, INDEX_ESCAPED = 0x8000, INDEX_POSITION = 0x7FFF };
_Static_assert(JSON_CHUNK % 64 == 0 && JSON_CHUNK <= 0x4000, "positions share 16 bits with a flag");
/* Zero bytes before the text, and bytes behind it: rest of the last block, the end mark, 64 to read. */
enum { TEXT_BEFORE = 16, TEXT_BEHIND = 136 };

/* What one block hands to the next: all bits (in_string), or the lowest one. */
typedef struct block_carry {
    uint64_t in_string, after_space, wrong;
    uint64_t escaped, dirty; /* the next byte is escaped; the open string has an escape */
} block_carry;

typedef struct parse {
    block_carry carry;
    bool high; /* a byte of the chunk is above 0x7F; not beside the next flag, or both are loaded as one and
                  wait */
    const uint8_t *src;
    size_t len, pos; /* input classified so far */
    bool cut_scalar; /* the chunk's last block ends within a UTF-8 sequence */
    bool sparse;     /* the last chunk had nearly no index */
    bool last;       /* no input is left */
    uint32_t step;   /* bytes of the next chunk */
    json_scratch *scratch;
    /* the block */
    json_parse_job *job;
    size_t text_offset, text_room, nodes_offset, node_room;
    /* stage 2's view of them */
    uint8_t *base;  /* the text of the current chunk */
    size_t filled;  /* bytes of the current chunk */
    weir_val *top;  /* the next node */
    weir_val *open; /* the innermost open container */
    size_t moved;   /* distance from the previous chunk's start to this one's */
    json_parse_limits limits;
    bool limited;        /* a limit other than depth and that of long numbers is to be kept */
    uint64_t room, keys; /* levels that may still be opened; keys of closed maps */
} parse;

/* ---- stage 1 ---- */

/* Positions of real escapes' targets among 64 bytes. Runs of backslashes are told apart by adding, as
 * simdjson does. */
INLINE uint64_t escaped_bytes(uint64_t backslash, uint64_t *carry)
{
    const uint64_t odd = UINT64_C(0xAAAAAAAAAAAAAAAA);
    uint64_t candidate = backslash & ~*carry;
    uint64_t both = (((candidate << 1) | odd) - candidate) ^ odd;
    uint64_t escaped = both ^ (backslash | *carry);
    *carry = (both & backslash) >> 63;
    return escaped;
}

/* The closing quotes of strings with a backslash: it is carried upwards through the string by an addition. */
INLINE uint64_t escaped_closing(uint64_t close, uint64_t in, uint64_t backslash, uint64_t *dirty)
{
    uint64_t sum;
    bool over = __builtin_add_overflow(in, backslash & in, &sum);
    over |= __builtin_add_overflow(sum, *dirty, &sum);
    *dirty = over;
    return close & sum;
}

/* The index entries of one block, from its masks; `quote` without escaped ones. */
INLINE uint64_t block_tokens(block_carry *C, const block_masks *m, uint64_t quote, uint64_t *inside)
{
    uint64_t in = block_prefix_xor(quote) ^ C->in_string; /* opening quotes and contents */
    uint64_t space_before = m->space << 1 | C->after_space;
    C->in_string = 0 - (in >> 63);
    C->after_space = m->space >> 63;
    C->wrong |= m->control & ~(m->space & ~in);
    *inside = in;
    return (space_before & ~(m->space | (in ^ quote))) | (quote & ~in);
}

/* One block of 64 bytes that may hold escapes, from its masks; `at` is its position in the chunk. */
INLINE uint16_t *block_index(block_carry *C, const block_masks *m, size_t at, uint16_t *ip)
{
    uint64_t in, quote = m->quote & ~escaped_bytes(m->backslash, &C->escaped),
                 bits = block_tokens(C, m, quote, &in);
    block_write_marked(ip, bits, escaped_closing(quote & ~in, in, m->backslash, &C->dirty), at);
    return ip + __builtin_popcountll(bits);
}

/* Validates the blocks that aren't all ASCII of a chunk at `start`, which ends with an odd block of `rest`
 * bytes. */
NOINLINE void chunk_check_utf8(parse *P, size_t start, size_t whole, size_t rest)
{
    uint16_t *high = P->scratch->high;
    utf8_errors errors = utf8_no_errors();
    uint8_t head[128], tail[128];
    size_t expected = 0, count = 0;
    bool cut = P->cut_scalar, wrong = false;
    if (rest != 0) {
        memset(tail, 0, sizeof tail);
        memcpy(tail + 64, P->src + start + whole, rest);
        if (start + whole != 0) {
            memcpy(tail + 61, P->src + start + whole - 3, 3);
        }
    }
    for (size_t at = 0; at < P->filled; at += 64) { /* first a list: which blocks is hard to predict */
        high[count] = (uint16_t)at;
        count += block_has_high(at < whole ? P->src + start + at : tail + 64);
    }
    for (size_t k = 0; k < count; k++) {
        size_t at = high[k];
        const uint8_t *s = P->src + start + at;
        if (at >= whole) {
            s = tail + 64;
        } else if (start + at == 0) {
            memset(head, 0, 64);
            memcpy(head + 64, s, 64);
            s = head + 64;
        }
        wrong |= cut & (at != expected);
        utf8_check_block(&errors, s);
        cut = (s[63] >= 0xC0) | (s[62] >= 0xE0) | (s[61] >= 0xF0); /* no branch: it can't be predicted */
        expected = at + 64;
    }
    if (expected < P->filled) { /* more blocks follow in this chunk, and they are ASCII */
        wrong |= cut;
        cut = false;
    }
    P->cut_scalar = cut;
    P->carry.wrong |= (uint64_t)(wrong || utf8_has_errors(&errors) || (cut && P->last));
}

/* Number arrays and long strings: most blocks have nothing to index. */
NOINLINE uint16_t *chunk_index_sparse(parse *P, const uint8_t *src, uint8_t *dst, size_t count, uint16_t *ip)
{
    block_carry C = P->carry;
    block_bytes seen = block_bytes_none();
    block_masks m;
    for (size_t at = 0; at < count; at += 64) {
        if ((C.in_string & ~C.escaped & 1) != 0) {
            for (; at + 256 <= count && blocks_are_text(src + at, dst + at, &seen); at += 256) {
            }
            if (at == count) {
                break;
            }
        }
        if (unlikely((C.in_string | C.escaped | C.after_space) != 0) ||
            unlikely(!block_is_plain(src + at, dst + at))) {
            block_classify(src + at, dst + at, &m, &seen);
            ip = block_index(&C, &m, at, ip);
        }
    }
    P->carry = C;
    P->high = block_bytes_high(seen);
    return ip;
}

/* A few blocks, the last of which may be an odd one, at `base` in the chunk: little code, little to set up.
 */
NOINLINE uint16_t *chunk_index_short(parse *P, const uint8_t *src, uint8_t *dst, size_t len, uint16_t *ip,
                                     size_t base)
{
    block_carry C = P->carry;
    block_bytes seen = block_bytes_none();
    block_masks m;
    uint64_t in;
    for (size_t at = 0; at < len; at += 64) {
        block_classify_first(src + at, len - at, dst + at, &m, &seen);
        if (unlikely((m.backslash | C.escaped | C.dirty) != 0)) {
            ip = block_index(&C, &m, base + at, ip);
            continue;
        }
        uint64_t bits = block_tokens(&C, &m, m.quote, &in);
        block_write_index(ip, bits, base + at);
        ip += __builtin_popcountll(bits);
    }
    P->carry = C;
    P->high = block_bytes_high(seen);
    return ip;
}

/* Blocks within one string before the long way through it is worth a try. */
#define INSIDE_LONG 3

/* One loop for blocks without any backslash in or before them, one for the others; and a short way through
 * long strings, where there is nothing to index. */
NOINLINE uint16_t *chunk_index(parse *P, const uint8_t *src, uint8_t *dst, size_t count, uint16_t *ip)
{
    block_carry C = P->carry;              /* a copy, so that it lives in registers */
    block_bytes seen = block_bytes_none(); /* all bytes or-ed together: is any of them above 0x7F? */
    block_masks m;
    uint64_t in, carried;
    size_t at = 0, inside = 0;
    while (at < count) {
        if ((C.escaped | C.dirty) == 0) {
            for (; at < count; at += 64) {
                if (unlikely(inside >= INSIDE_LONG)) {
                    inside = 0;
                    for (; at + 256 <= count && blocks_are_text(src + at, dst + at, &seen); at += 256) {
                    }
                    if (at == count) {
                        break;
                    }
                }
                block_classify(src + at, dst + at, &m, &seen);
                if (unlikely(m.backslash != 0)) {
                    break;
                }
                uint64_t bits = block_tokens(&C, &m, m.quote, &in);
                block_write_index(ip, bits, at);
                ip += __builtin_popcountll(bits);
                inside = in == ~(uint64_t)0 ? inside + 1 : 0;
            }
        }
        for (m.backslash = carried = 1; at < count && (m.backslash | carried) != 0; at += 64) {
            carried = C.escaped | C.dirty;
            block_classify(src + at, dst + at, &m, &seen);
            ip = block_index(&C, &m, at, ip);
        }
    }
    P->carry = C;
    P->high = block_bytes_high(seen);
    return ip;
}

/* Classifies the next chunk; memory for it is there. */
INLINE json_parse_result chunk_classify(parse *P)
{
    size_t start = P->pos, left = P->len - start;
    bool last = left <= P->step;
    size_t whole = last ? left & ~(size_t)63 : P->step, rest = last ? left & 63 : 0;
    uint16_t *index = P->scratch->index, *ip = index;
    const uint8_t *src = P->src + start;
    bool high = false;
    if (whole > 512) {
        ip = P->sparse ? chunk_index_sparse(P, src, P->base, whole, ip)
                       : chunk_index(P, src, P->base, whole, ip);
        high = P->high;
        ip = chunk_index_short(P, src + whole, P->base + whole, rest, ip, whole);
    } else {
        ip = chunk_index_short(P, src, P->base, whole + rest, ip, 0);
    }
    P->high |= high;
    P->last = last;
    P->filled = whole + rest;
    if (unlikely(P->high || P->cut_scalar)) {
        chunk_check_utf8(P, start, whole, rest);
    }
    P->sparse = (size_t)(ip - index) * 256 < whole;
    memset(P->base + P->filled, CHUNK_END, 4);
    ip[0] = ip[1] = (uint16_t)P->filled;
    P->pos = start + P->filled;
    return P->carry.wrong == 0 ? JSON_PARSE_OK : JSON_PARSE_REFUSED;
}

/* ---- memory ---- */

static bool block_size_for(size_t nodes_offset, size_t nodes, size_t *size)
{
    return !__builtin_mul_overflow(nodes, sizeof(weir_val), size) &&
           !__builtin_add_overflow(*size, nodes_offset, size);
}

static bool block_grow(parse *P, size_t keep, size_t size)
{
    json_parse_job *job = P->job;
    void *block =
        job->grow == NULL ? NULL : job->grow(job->grow_ctx, job->block, keep, job->block_size, size);
    if (block == NULL) {
        return false;
    }
    job->block = block;
    job->block_size = size;
    return true;
}

/* Text first, then nodes; the node before the first one is the end of the chain of open containers. */
static size_t nodes_behind(size_t text_offset, size_t text_room)
{
    return (text_offset + text_room + sizeof(weir_val) + 15) & ~(size_t)15;
}

/* A block that has room for any short text. */
#define SHORT_NODES \
    ((TAPE_HEADER + TEXT_BEFORE + JSON_SHORT + 2 * sizeof(weir_val) + TEXT_BEHIND) & ~(size_t)15)
#define SHORT_BLOCK (SHORT_NODES + (JSON_SHORT + 2) * sizeof(weir_val))

/* Text and nodes at their offsets in the block. */
INLINE void block_place(parse *P, uint8_t *block)
{
    P->base = block + P->text_offset;
    memset(P->base - TEXT_BEFORE, 0, TEXT_BEFORE);
    P->top = (weir_val *)(void *)(block + P->nodes_offset);
    P->open = P->top - 1;
    memset(P->open, 0, sizeof *P->open);
}

static bool block_begin(parse *P)
{
    json_parse_job *job = P->job;
    size_t len = P->len, text = len, offset = TAPE_HEADER + TEXT_BEFORE, nodes, size, slack = 48;
    if (job->many && text > 4 * JSON_CHUNK) {
        text = 4 * JSON_CHUNK; /* what follows the first value isn't read, nor paid for */
    }
    if (text > SIZE_MAX - 4096) {
        return false;
    }
    P->text_room = ((text + 63) & ~(size_t)63) + TEXT_BEHIND;
    P->nodes_offset = nodes_behind(offset + slack, P->text_room);
    /* One chunk makes no more nodes than it has bytes. Only where that isn't there anyway, they are counted:
     * every value but the root follows one of , : { [ */
    nodes = (text < JSON_CHUNK ? text : JSON_CHUNK) + 2;
    if (job->block_size < P->nodes_offset ||
        (job->block_size - P->nodes_offset) / sizeof(weir_val) < nodes + text / 8) {
        nodes += text / 8;
        /* A block that is kept for more texts (so is the scratch) is spared the counting of the next one. */
        bool kept = job->scratch != NULL && block_size_for(P->nodes_offset, nodes, &size) &&
                    block_grow(P, 0, size > SHORT_BLOCK ? size : SHORT_BLOCK);
        if (!kept && len <= JSON_CHUNK && !job->many) {
            nodes = block_count_openers(P->src, len) + 2;
        }
        if (!kept && (!block_size_for(P->nodes_offset, nodes, &size) ||
                      (job->block_size < size && !block_grow(P, 0, size)))) {
            return false;
        }
    }
    uint8_t *block = job->block;
    offset += (0 - (size_t)(uintptr_t)(block + offset)) & slack; /* to a cache line, where it pays */
    P->text_offset = offset;
    P->node_room = (job->block_size - P->nodes_offset) / sizeof(weir_val);
    block_place(P, block);
    return true;
}

/* Points everything into the block again after it moved; distances between text and nodes are as before. */
static void block_rebase(parse *P, size_t used, size_t open, size_t base)
{
    uint8_t *block = P->job->block;
    weir_val *nodes = (weir_val *)(void *)(block + P->nodes_offset);
    P->node_room = (P->job->block_size - P->nodes_offset) / sizeof(weir_val);
    P->top = nodes + used;
    P->open = nodes + open - 1; /* `open` counts from the chain's end node */
    P->base = block + base;
}

/* Only when reading one of many values: the text outgrew its room, so the nodes move up. */
NOINLINE bool block_widen(parse *P, size_t used, size_t open, size_t base)
{
    size_t room = P->text_room, wanted, size, old = P->nodes_offset, shift;
    if (__builtin_mul_overflow(room, (size_t)2, &wanted)) {
        return false;
    }
    if (wanted > P->len + TEXT_BEHIND + 64) {
        wanted = ((P->len + 63) & ~(size_t)63) + TEXT_BEHIND;
    }
    P->nodes_offset = nodes_behind(P->text_offset, wanted);
    shift = P->nodes_offset - old;
    if (!block_size_for(P->nodes_offset, used + used / 2 + 2 * JSON_CHUNK + 64, &size) ||
        (P->job->block_size < size && !block_grow(P, old + used * sizeof(weir_val), size))) {
        P->nodes_offset = old;
        return false;
    }
    P->text_room = wanted;
    block_rebase(P, used, open, base);
    uint8_t *block = P->job->block;
    memmove(block + P->nodes_offset - sizeof(weir_val), block + old - sizeof(weir_val),
            (used + 1) * sizeof(weir_val));
    for (weir_val *t = P->top - used; t < P->top; t++) {
        unsigned kind = t->tag & 0x1f;
        if (kind == WEIR_KIND_STRING || kind == WEIR_KIND_NUMBER) {
            t->v.i -= (int64_t)shift;
        }
    }
    return true;
}

/* Makes room for the next chunk: `bytes` of it open no more than as many nodes, besides one that was undone.
 */
static bool block_reserve(parse *P, size_t bytes)
{
    uint8_t *block = P->job->block;
    weir_val *nodes = (weir_val *)(void *)(block + P->nodes_offset);
    size_t used = (size_t)(P->top - nodes), open = (size_t)(P->open + 1 - nodes);
    size_t base = (size_t)(P->base - block), need = used + bytes + 2, size;
    if (unlikely(base - P->text_offset + bytes + TEXT_BEHIND > P->text_room) &&
        !block_widen(P, used, open, base)) {
        return false;
    }
    if (likely(need <= P->node_room)) {
        return true;
    }
    /* The nodes so far, scaled to the whole input, and five per cent. */
    double scale = (double)(P->job->many ? P->pos * 2 : P->len) / (double)(P->pos + 1);
    double estimate = (double)used * (scale < 1 ? 1 : scale) * 1.05;
    size_t guess = (estimate < (double)(SIZE_MAX / 32) ? (size_t)estimate : SIZE_MAX / 32) + bytes + 2;
    if (!block_size_for(P->nodes_offset, guess > need ? guess : need, &size) ||
        !block_grow(P, P->nodes_offset + used * sizeof(weir_val), size)) {
        return false;
    }
    block_rebase(P, used, open, base);
    return true;
}

/* The next chunk, when stage 2 has come to the end of the current one. */
NOINLINE json_parse_result chunk_next(parse *P)
{
    size_t rest = P->len - P->pos;
    P->moved = P->filled;
    P->base += P->filled;
    if (!block_reserve(P, rest < P->step ? rest : P->step)) {
        return JSON_PARSE_MEMORY;
    }
    json_parse_result r = chunk_classify(P);
    if (P->step < JSON_CHUNK) {
        P->step *= 2;
    }
    return r;
}

/* A number runs over the chunk's end: chunks that hold nothing else are passed over here, to stay linear. */
NOINLINE json_parse_result chunk_next_in_number(parse *P)
{
    size_t moved = 0, k;
    do {
        json_parse_result r = chunk_next(P);
        moved += P->moved;
        P->moved = moved;
        if (r != JSON_PARSE_OK) {
            return r;
        }
        for (k = 0; k < P->filled && P->base[k] >= '+' && (P->base[k] | 0x20) <= 'e' && P->base[k] != ',';
             k++) {
        }
    } while (k == P->filled && !P->last);
    return JSON_PARSE_OK;
}

/* ---- stage 2, four times ---- */

/* What may follow at each label: where the exact reader goes on when the text is refused there. */
#define JSON_STOP_AT_root_value JSON_STOP_ROOT
#define JSON_STOP_AT_root_string JSON_STOP_ROOT
#define JSON_STOP_AT_root_number JSON_STOP_ROOT
#define JSON_STOP_AT_root_true JSON_STOP_ROOT
#define JSON_STOP_AT_root_false JSON_STOP_ROOT
#define JSON_STOP_AT_root_null JSON_STOP_ROOT
#define JSON_STOP_AT_root_after JSON_STOP_AFTER_ROOT
#define JSON_STOP_AT_map_first JSON_STOP_MAP_CHILD
#define JSON_STOP_AT_map_next JSON_STOP_MAP_CHILD
#define JSON_STOP_AT_map_key JSON_STOP_MAP_CHILD
#define JSON_STOP_AT_map_colon JSON_STOP_MAP_COLON
#define JSON_STOP_AT_map_value JSON_STOP_MAP_VALUE
#define JSON_STOP_AT_map_string JSON_STOP_MAP_VALUE
#define JSON_STOP_AT_map_number JSON_STOP_MAP_VALUE
#define JSON_STOP_AT_map_true JSON_STOP_MAP_VALUE
#define JSON_STOP_AT_map_false JSON_STOP_MAP_VALUE
#define JSON_STOP_AT_map_null JSON_STOP_MAP_VALUE
#define JSON_STOP_AT_map_after JSON_STOP_MAP_END
#define JSON_STOP_AT_array_first JSON_STOP_ARRAY_CHILD
#define JSON_STOP_AT_array_value JSON_STOP_ARRAY_CHILD
#define JSON_STOP_AT_array_string JSON_STOP_ARRAY_CHILD
#define JSON_STOP_AT_array_number JSON_STOP_ARRAY_CHILD
#define JSON_STOP_AT_array_true JSON_STOP_ARRAY_CHILD
#define JSON_STOP_AT_array_false JSON_STOP_ARRAY_CHILD
#define JSON_STOP_AT_array_null JSON_STOP_ARRAY_CHILD
#define JSON_STOP_AT_array_after JSON_STOP_ARRAY_END

/* Where stage 2 gave up: at i of the current chunk, in the container `open` with `count` complete children.
 * With limits that are only looked at now and then, an earlier event may be the first one to fail: then this
 * is not said. */
NOINLINE void parse_note_stop(parse *P, enum json_stop at, const weir_val *open, const weir_val *top,
                              uint64_t count, ptrdiff_t i)
{
    json_parse_job *job = P->job;
    uint8_t *block = job->block;
    if (P->limited || at == JSON_STOP_UNKNOWN) {
        return;
    }
    job->stop = at;
    job->stop_offset = (size_t)(P->base - (block + P->text_offset) + i);
    job->stop_count = count;
    job->stop_open = (size_t)((const uint8_t *)open - block);
    job->stop_top = (size_t)((const uint8_t *)top - block);
    job->nodes_offset = P->nodes_offset;
}

/* What ends a short text: no token, and a quote at which every search ends. */
static const uint8_t short_end[8] = {CHUNK_END, '"',       CHUNK_END, CHUNK_END,
                                     CHUNK_END, CHUNK_END, CHUNK_END, CHUNK_END};

/* Short texts are walked by their bytes: branches that can be predicted are faster than the latency of
 * anything that computes a position. */
enum { SHORT_STOP = 1, SHORT_SPACE = 2 };
static const uint8_t short_class[256] = {[0 ... 8] = SHORT_STOP,   [9 ... 10] = SHORT_STOP | SHORT_SPACE,
                                         [11 ... 12] = SHORT_STOP, [13] = SHORT_STOP | SHORT_SPACE,
                                         [14 ... 31] = SHORT_STOP, [' '] = SHORT_SPACE,
                                         ['"'] = SHORT_STOP,       ['\\'] = SHORT_STOP};

/* The bytes before the next quote, backslash or control. */
INLINE ptrdiff_t text_string_run(const uint8_t *p)
{
    ptrdiff_t at = 0;
    unsigned n;
    do {
        n = run_string(p + at);
        at += n;
    } while (n == RUN_MAX);
    return at;
}

/* The closing quote of a string, from a backslash at e; -1: it holds a control. */
NOINLINE ptrdiff_t text_escaped_end(const uint8_t *text, ptrdiff_t e)
{
    while (text[e] == '\\') {
        e += 2;
        e += text_string_run(text + e);
    }
    return text[e] == '"' ? e : -1;
}

static uint32_t load32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static uint32_t load16(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

#define BYTES4(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

static weir_val *nodes_begin(const parse *P)
{
    return (weir_val *)(void *)((uint8_t *)P->job->block + P->nodes_offset);
}

/* The value ends at `at` in the current chunk. */
static json_parse_result parse_finish(parse *P, size_t nodes, ptrdiff_t at)
{
    json_parse_job *job = P->job;
    size_t consumed = P->pos - P->filled + (size_t)at;
    job->nodes_offset = P->nodes_offset;
    job->node_count = nodes;
    job->text_offset = P->text_offset;
    job->text_length = job->consumed = job->many ? consumed : P->len;
    memset((uint8_t *)job->block + job->text_offset + job->text_length, 0, 4);
    return JSON_PARSE_OK;
}

#define LOOP_NAME walk_free
#define LOOP_LIMITS 0
#define LOOP_SHORT 0
#include "fused/json_parse_loop.h"
#undef LOOP_NAME
#undef LOOP_LIMITS
#undef LOOP_SHORT

#define LOOP_NAME walk_limited
#define LOOP_LIMITS 1
#define LOOP_SHORT 0
#include "fused/json_parse_loop.h"
#undef LOOP_NAME
#undef LOOP_LIMITS
#undef LOOP_SHORT

#define LOOP_NAME walk_short_free
#define LOOP_LIMITS 0
#define LOOP_SHORT 1
#include "fused/json_parse_loop.h"
#undef LOOP_NAME
#undef LOOP_LIMITS
#undef LOOP_SHORT

#define LOOP_NAME walk_short_limited
#define LOOP_LIMITS 1
#define LOOP_SHORT 1
#include "fused/json_parse_loop.h"

/* ---- entry ---- */

static const json_parse_limits limits_none = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX,
                                              UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX};

/* Keeps what the text can reach; true if anything is left to check beside depth and long numbers, which are
 * always looked at. */
static bool limits_keep(json_parse_limits *keep, const json_parse_job *job)
{
    const json_parse_limits *given = job->limits != NULL ? job->limits : &limits_none;
    const size_t len = job->len;
    bool any = false;
    if (len <= job->least) {
        keep->depth = given->depth;
        keep->number = given->number;
        return false;
    }
#define KEEP(name) (keep->name = given->name < len ? given->name : UINT64_MAX)
    any |= KEEP(nodes) != UINT64_MAX;
    any |= KEEP(items) != UINT64_MAX;
    any |= KEEP(entries) != UINT64_MAX;
    any |= KEEP(key) != UINT64_MAX;
    any |= KEEP(string) != UINT64_MAX;
    any |= KEEP(payload) != UINT64_MAX;
    any |= KEEP(number) < JSON_NUMBER_UNCHECKED;
    KEEP(depth);
#undef KEEP
    return any;
}

INLINE json_parse_result parse_with(json_parse_job *job, json_scratch *scratch)
{
    parse P;
    P.carry.in_string = P.carry.wrong = P.carry.escaped = P.carry.dirty = 0;
    P.carry.after_space = 1;
    P.src = job->src;
    P.len = job->len;
    P.pos = P.filled = 0;
    P.high = P.cut_scalar = P.sparse = P.last = false;
    P.step = job->many && JSON_CHUNK > 1024 ? 1024 : JSON_CHUNK;
    P.scratch = scratch;
    P.job = job;
    job->stop = JSON_STOP_UNKNOWN;
    if (!block_begin(&P)) {
        return JSON_PARSE_MEMORY;
    }
    P.limited = limits_keep(&P.limits, job);
    json_parse_result r = chunk_classify(&P); /* block_begin made room for it */
    if (r != JSON_PARSE_OK) {
        return r;
    }
    return P.limited ? walk_limited(&P) : walk_free(&P);
}

/* UTF-8 of a short text with 64 bytes of ASCII behind it. */
NOINLINE bool short_is_utf8(const uint8_t *text, size_t len)
{
    utf8_errors errors = utf8_no_errors();
    for (size_t at = 0; at <= len; at += 64) {
        utf8_check_block(&errors, text + at);
    }
    return !utf8_has_errors(&errors);
}

/* A short text is copied as a whole, and walked without stage 1. */
NOINLINE json_parse_result parse_short(json_parse_job *job)
{
    parse P;
    P.src = job->src;
    P.len = P.pos = P.filled = job->len;
    P.job = job;
    P.limited = limits_keep(&P.limits, job);
    job->stop = JSON_STOP_UNKNOWN;
    if (job->block_size >= SHORT_BLOCK) {
        uint8_t *block = job->block;
        P.text_offset = TAPE_HEADER + TEXT_BEFORE;
        P.nodes_offset = SHORT_NODES;
        block_place(&P, block);
    } else if (!block_begin(&P)) {
        return JSON_PARSE_MEMORY;
    }
    if (unlikely(text_copy_short(P.base, P.src, P.len)) && !short_is_utf8(P.base, P.len)) {
        return JSON_PARSE_REFUSED;
    }
    memcpy(P.base + P.len, short_end, sizeof short_end);
    return P.limited ? walk_short_limited(&P) : walk_short_free(&P);
}

NOINLINE json_parse_result parse_on_stack(json_parse_job *job)
{
    json_scratch scratch;
    return parse_with(job, &scratch);
}

static json_parse_result parse_job(json_parse_job *job)
{
    if (job->len == 0) {
        return JSON_PARSE_REFUSED;
    }
    if (job->len <= JSON_SHORT) {
        return parse_short(job);
    }
    return job->scratch == NULL ? parse_on_stack(job) : parse_with(job, job->scratch);
}
