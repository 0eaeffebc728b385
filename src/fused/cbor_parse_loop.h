/* One instance of the CBOR loop: PARSE_NAME, PARSE_OWNED, PARSE_LIMITED. */
#include "fused/parse_steps.h"

static enum loop_result PARSE_NAME(struct parse_block *parse, size_t *made, size_t *consumed)
{
    static const void *const heads[256] = {
        [0x00 ... 0x17] = &&uint0,
        [0x18] = &&uint8,
        [0x19] = &&uint16,
        [0x1A] = &&uint32,
        [0x1B] = &&uint64,
        [0x1C ... 0x1F] = &&bad_head,
        [0x20 ... 0x37] = &&negative0,
        [0x38] = &&negative8,
        [0x39] = &&negative16,
        [0x3A] = &&negative32,
        [0x3B] = &&negative64,
        [0x3C ... 0x3F] = &&bad_head,
        [0x40 ... 0x57] = &&bytes0,
        [0x58 ... 0x5B] = &&bytes_sized,
        [0x5C ... 0x5F] = &&bad_head,
        [0x60 ... 0x77] = &&text0,
        [0x78] = &&text8,
        [0x79 ... 0x7B] = &&text_sized,
        [0x7C ... 0x7F] = &&bad_head,
        [0x80 ... 0x97] = &&array0,
        [0x98 ... 0x9B] = &&array_sized,
        [0x9C ... 0x9E] = &&bad_head,
        [0x9F] = &&array_open_ended,
        [0xA0 ... 0xB7] = &&map0,
        [0xB8 ... 0xBB] = &&map_sized,
        [0xBC ... 0xBE] = &&bad_head,
        [0xBF] = &&map_open_ended,
        [0xC0 ... 0xD7] = &&tag0,
        [0xD8 ... 0xDB] = &&tag_sized,
        [0xDC ... 0xF3] = &&bad_head,
        [0xF4] = &&boolean,
        [0xF5] = &&boolean,
        [0xF6] = &&null,
        [0xF7 ... 0xF8] = &&bad_head,
        [0xF9] = &&float16,
        [0xFA] = &&float32,
        [0xFB] = &&float64,
        [0xFC ... 0xFE] = &&bad_head,
        [0xFF] = &&stop,
    };
    const uint8_t *p = parse->src, *end = p + parse->len;
    weir_val *o = parse->base, *due = o + 1;
    uint64_t *frame = (uint64_t *)(void *)parse->end;
    uint64_t left = 1, at = 0, up, n;
    size_t head_size;
    unsigned head;
    const uint64_t max_depth = parse->job->limits ? parse->job->limits->depth : WEIR_UNSET;
    uint64_t depth = 0;
    uint64_t loose = 0; /* places in open-ended containers that may stay empty */
#if PARSE_OWNED
    uint8_t spare, *nul = &spare;
#else
    const uint8_t *q;
    uint8_t tail[16];
#endif
#if PARSE_LIMITED
    const struct fused_limits limits = *parse->job->limits;
    bool map = false;
    uint64_t keys = 0, tags = 0, payload = 0;
#endif
    FETCH;

uint0:
    SCALAR(WEIR_KIND_UINT, u, head, 1);
uint8:
    SCALAR(WEIR_KIND_UINT, u, HEAD_AT[1], 2);
uint16:
    SCALAR(WEIR_KIND_UINT, u, load_be16(HEAD_AT + 1), 3);
uint32:
    SCALAR(WEIR_KIND_UINT, u, load_be32(HEAD_AT + 1), 5);
uint64:
    SCALAR(WEIR_KIND_UINT, u, load_be64(HEAD_AT + 1), 9);
negative0:
    SCALAR(WEIR_KIND_INT, u, ~(uint64_t)(head & 31), 1);
negative8:
    SCALAR(WEIR_KIND_INT, u, ~(uint64_t)HEAD_AT[1], 2);
negative16:
    SCALAR(WEIR_KIND_INT, u, ~(uint64_t)load_be16(HEAD_AT + 1), 3);
negative32:
    SCALAR(WEIR_KIND_INT, u, ~(uint64_t)load_be32(HEAD_AT + 1), 5);
negative64:
    n = load_be64(HEAD_AT + 1);
    if (unlikely(n >> 63)) {
        goto refused;
    }
    SCALAR(WEIR_KIND_INT, u, ~n, 9);
null:
    SCALAR(WEIR_KIND_NULL, u, 0, 1);
boolean:
    SCALAR((uint64_t)(head - 0xF4 + WEIR_KIND_FALSE), u, 0, 1);
float16:
    SCALAR(WEIR_KIND_REAL | TAPE_F16, u, binary_widen_half(load_be16(HEAD_AT + 1)), 3);
float32:
    SCALAR(WEIR_KIND_REAL | TAPE_F32, u, parse_widen_float(load_be32(HEAD_AT + 1)), 5);
float64:
    SCALAR(WEIR_KIND_REAL, u, load_be64(HEAD_AT + 1), 9);

text_sized:
    n = cbor_argument(head, HEAD_AT + 1, &head_size);
    goto text;
text8:
    n = HEAD_AT[1];
    head_size = 2;
    goto text;
text0:
    n = head & 31;
    head_size = 1;
text : {
    size_t rest = (size_t)(end - p);
    const uint8_t *s = p + head_size;
    if (unlikely(n > rest || n + head_size > rest)) {
        goto short_input;
    }
#if PARSE_LIMITED
    if (unlikely(n > (IS_KEY ? limits.key : limits.string))) {
        goto refused;
    }
    payload += n;
#endif
    if (unlikely(!parse_text_ok(s, (size_t)n, PARSE_OWNED ? SIZE_MAX : rest - head_size))) {
        goto refused;
    }
    o->tag = tape_tag(WEIR_KIND_STRING, PARSE_OWNED ? 0 : TAPE_UNTERMINATED, n);
    o->v.u = (uint64_t)((uintptr_t)s - (uintptr_t)o);
    o++;
    p = s + n;
#if PARSE_OWNED
    nul = parse->text + (p - parse->src);
#endif
    NEXT;
}

bytes_sized:
    n = cbor_argument(head, HEAD_AT + 1, &head_size);
    goto bytes;
bytes0:
    n = head & 31;
    head_size = 1;
bytes : {
    size_t rest = (size_t)(end - p);
    if (unlikely(n > rest || n + head_size > rest)) {
        goto short_input;
    }
#if PARSE_LIMITED
    if (unlikely(n > (IS_KEY ? limits.key : limits.string))) {
        goto refused;
    }
    payload += n;
#endif
    p += head_size;
    o->tag = tape_tag(WEIR_KIND_BYTES, PARSE_OWNED ? 0 : TAPE_UNTERMINATED, n);
    o->v.u = (uint64_t)((uintptr_t)p - (uintptr_t)o);
    o++;
    p += n;
#if PARSE_OWNED
    nul = parse->text + (p - parse->src);
#endif
    NEXT;
}

tag_sized:
    n = cbor_argument(head, HEAD_AT + 1, &head_size);
    goto tag;
tag0:
    n = head & 31;
    head_size = 1;
tag:
    if (unlikely(n - 2 <= 2)) {
        goto refused;
    }
#if PARSE_LIMITED
    if (unlikely(IS_KEY)) {
        goto refused;
    }
    tags++;
    map = false;
#endif
    o[0].tag = WEIR_KIND_TAGGED;
    o[1].tag = WEIR_KIND_UINT;
    o[1].v.u = n;
    p += head_size;
    *--frame = left;
    o->v.u = (uint64_t)(o - parse->base) - at;
    at += o->v.u;
    left = 1;
    o += 2;
    due += 2;
    if (unlikely(++depth >= max_depth)) {
        goto refused;
    }
    goto opened;

array_open_ended:
#if PARSE_LIMITED
    if (unlikely(IS_KEY)) {
        goto refused;
    }
    map = false;
#endif
    o->tag = tape_tag(WEIR_KIND_ARRAY, CBOR_OPEN_ENDED, CBOR_FIRST);
    goto open_ended;
map_open_ended:
#if PARSE_LIMITED
    if (unlikely(IS_KEY)) {
        goto refused;
    }
    map = true;
#endif
    o->tag = tape_tag(WEIR_KIND_MAP, CBOR_OPEN_ENDED, CBOR_FIRST);
open_ended:
    loose += CBOR_FIRST;
    *--frame = left;
    o->v.u = (uint64_t)(o - parse->base) - at;
    at += o->v.u;
    left = CBOR_FIRST;
    o++;
    due += CBOR_FIRST;
    if (unlikely(++depth >= max_depth) &&
        HEAD_AT[1] != 0xFF) { /* an empty one has no children that are too deep */
        goto refused;
    }
    p++;
    goto opened;

stop : {
    weir_val *container = parse->base + at;
    if (p >= end) {
        goto short_input;
    }
    if (depth == 0 || !(container->tag & CBOR_OPEN_ENDED)) {
        goto refused;
    }
    n = tape_length(container) - left;
    loose -= tape_length(container);
    due -= left;
    if (tape_kind(container) == WEIR_KIND_MAP) {
        if (n & 1) {
            goto refused;
        }
        n /= 2;
#if PARSE_LIMITED
        keys += n;
#endif
    }
#if PARSE_LIMITED
    if (unlikely(n > (tape_kind(container) == WEIR_KIND_MAP ? limits.entries : limits.items))) {
        goto refused;
    }
#endif
    container->tag = tape_tag(tape_kind(container), 0, n);
    p++;
    goto close_now;
}

array_sized:
    n = cbor_argument(head, HEAD_AT + 1, &head_size);
    goto array;
array0:
    n = head & 31;
    head_size = 1;
array:
    o->tag = tape_tag(WEIR_KIND_ARRAY, 0, n);
#if PARSE_LIMITED
    if (unlikely(n > limits.items || IS_KEY)) {
        goto refused;
    }
    if (n) {
        map = false;
    }
#endif
    goto open;
map_sized:
    n = cbor_argument(head, HEAD_AT + 1, &head_size);
    goto map;
map0:
    n = head & 31;
    head_size = 1;
map:
    if (unlikely(n >> 56)) {
        goto short_input;
    }
    o->tag = tape_tag(WEIR_KIND_MAP, 0, n);
#if PARSE_LIMITED
    if (unlikely(n > limits.entries || IS_KEY)) {
        goto refused;
    }
    keys += n;
    if (n) {
        map = true;
    }
#endif
    n *= 2;
open:
    p += head_size;
    if (n == 0) {
        o->v.u = 1;
        o++;
        NEXT;
    }
    *--frame = left;
    o->v.u = (uint64_t)(o - parse->base) - at;
    at += o->v.u;
    left = n;
    o++;
    if (unlikely(++depth >= max_depth)) {
        goto refused;
    }
    if (unlikely(n > (uint64_t)(p < end ? end - p : 0) ||
                 (uint64_t)(end - p) - n + loose < (uint64_t)(due - o))) {
        goto short_input;
    }
    due += n;
opened:
    if (unlikely((char *)frame - (char *)due < PARSE_BLOCK_SPARE)) {
        goto grow;
    }
    FETCH;

close:
    if (depth == 0) {
        goto done;
    }
    if (unlikely(parse->base[at].tag & CBOR_OPEN_ENDED)) {
        /* The places are used up: as many again. */
        left = tape_length(parse->base + at);
        parse->base[at].tag += left << 8;
        loose += left;
        due += left;
        goto opened;
    }
close_now:
    up = parse->base[at].v.u;
    parse->base[at].v.u = (uint64_t)(o - parse->base) - at;
    depth--;
    at -= up;
#if PARSE_LIMITED
    map = tape_kind(parse->base + at) == WEIR_KIND_MAP;
#endif
    left = *frame++;
    NEXT;

grow : {
    size_t nodes = (size_t)(o - parse->base), wanted = (size_t)(due - parse->base);
    size_t frames = (size_t)((uint64_t *)(void *)parse->end - frame), position = (size_t)(p - parse->src);
#if PARSE_OWNED
    size_t nul_at = nul == &spare ? 0 : (size_t)(nul - parse->text);
#endif
    if (!parse_block_grow(parse, nodes, wanted, frames, position)) {
        return LOOP_MEMORY;
    }
    o = parse->base + nodes;
    due = parse->base + wanted;
    frame = (uint64_t *)(void *)parse->end - frames;
    p = parse->src + position;
    end = parse->src + parse->len;
#if PARSE_OWNED
    nul = nul_at ? parse->text + nul_at : &spare;
#endif
    FETCH;
}

#if !PARSE_OWNED
fetch_tail:
    if (p >= end) {
        goto short_input;
    }
    memset(tail, 0xFF, sizeof tail);
    memcpy(tail, p, (size_t)(end - p));
    q = tail;
    head = *q;
    goto *heads[head];
#endif

done:
    if (p > end) {
        goto short_input;
    }
#if PARSE_LIMITED
    if (payload > limits.payload || (uint64_t)(o - parse->base) - keys - tags > limits.nodes) {
        goto refused;
    }
#endif
    *made = (size_t)(o - parse->base);
    *consumed = (size_t)(p - parse->src);
    return LOOP_OK;

bad_head:
    if (p >= end) {
        goto short_input;
    }
refused:
    return LOOP_REFUSED;
short_input:
    return LOOP_SHORT;
}
