/* One instance of the MessagePack loop: PARSE_NAME, PARSE_OWNED, PARSE_LIMITED. */
#include "fused/parse_steps.h"

static enum loop_result PARSE_NAME(struct parse_block *parse, size_t *made, size_t *consumed)
{
    static const void *const heads[256] = {
        [0x00 ... 0x7F] = &&fixint,
        [0x80 ... 0x8F] = &&fixmap,
        [0x90 ... 0x9F] = &&fixarray,
        [0xA0 ... 0xBF] = &&fixstr,
        [0xC0] = &&nil,
        [0xC1] = &&bad_head,
        [0xC2] = &&boolean,
        [0xC3] = &&boolean,
        [0xC4] = &&bin8,
        [0xC5] = &&bin16,
        [0xC6] = &&bin32,
        [0xC7 ... 0xC9] = &&bad_head,
        [0xCA] = &&float32,
        [0xCB] = &&float64,
        [0xCC] = &&uint8,
        [0xCD] = &&uint16,
        [0xCE] = &&uint32,
        [0xCF] = &&uint64,
        [0xD0] = &&int8,
        [0xD1] = &&int16,
        [0xD2] = &&int32,
        [0xD3] = &&int64,
        [0xD4 ... 0xD8] = &&bad_head,
        [0xD9] = &&str8,
        [0xDA] = &&str16,
        [0xDB] = &&str32,
        [0xDC] = &&array16,
        [0xDD] = &&array32,
        [0xDE] = &&map16,
        [0xDF] = &&map32,
        [0xE0 ... 0xFF] = &&negative_fixint,
    };
    const uint8_t *p = parse->src, *end = p + parse->len;
    weir_val *o = parse->base, *due = o + 1;
    uint64_t *frame = (uint64_t *)(void *)parse->end;
    uint64_t left = 1, at = 0, up, n;
    size_t head_size;
    unsigned head;
    const uint64_t max_depth = parse->job->limits ? parse->job->limits->depth : WEIR_UNSET;
    uint64_t depth = 0;
#if PARSE_OWNED
    uint8_t spare, *nul = &spare;
#else
    const uint8_t *q;
    uint8_t tail[16];
#endif
#if PARSE_LIMITED
    const struct fused_limits limits = *parse->job->limits;
    bool map = false;
    uint64_t keys = 0, payload = 0;
#endif
    FETCH;

fixint:
    SCALAR(WEIR_KIND_UINT, u, head, 1);
negative_fixint:
    SCALAR(WEIR_KIND_INT, i, (int8_t)(uint8_t)head, 1);
nil:
    SCALAR(WEIR_KIND_NULL, u, 0, 1);
boolean:
    SCALAR((uint64_t)(head - 0xC2 + WEIR_KIND_FALSE), u, 0, 1);
uint8:
    SCALAR(WEIR_KIND_UINT, u, HEAD_AT[1], 2);
uint16:
    SCALAR(WEIR_KIND_UINT, u, load_be16(HEAD_AT + 1), 3);
uint32:
    SCALAR(WEIR_KIND_UINT, u, load_be32(HEAD_AT + 1), 5);
uint64:
    SCALAR(WEIR_KIND_UINT, u, load_be64(HEAD_AT + 1), 9);
int8 : {
    int64_t v = (int8_t)HEAD_AT[1];
    SCALAR(WEIR_KIND_UINT + (v < 0), i, v, 2);
}
int16 : {
    int64_t v = (int16_t)load_be16(HEAD_AT + 1);
    SCALAR(WEIR_KIND_UINT + (v < 0), i, v, 3);
}
int32 : {
    int64_t v = (int32_t)load_be32(HEAD_AT + 1);
    SCALAR(WEIR_KIND_UINT + (v < 0), i, v, 5);
}
int64 : {
    int64_t v = (int64_t)load_be64(HEAD_AT + 1);
    SCALAR(WEIR_KIND_UINT + (v < 0), i, v, 9);
}
float32:
    SCALAR(WEIR_KIND_REAL | TAPE_F32, u, parse_widen_float(load_be32(HEAD_AT + 1)), 5);
float64:
    SCALAR(WEIR_KIND_REAL, u, load_be64(HEAD_AT + 1), 9);

str8:
    n = HEAD_AT[1];
    head_size = 2;
    goto string;
str16:
    n = load_be16(HEAD_AT + 1);
    head_size = 3;
    goto string;
str32:
    n = load_be32(HEAD_AT + 1);
    head_size = 5;
    goto string;
fixstr:
    n = head & 31;
    head_size = 1;
string : {
    size_t rest = (size_t)(end - p);
    const uint8_t *s = p + head_size;
    if (unlikely(n + head_size > rest)) {
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

bin8:
    n = HEAD_AT[1];
    head_size = 2;
    goto bytes;
bin16:
    n = load_be16(HEAD_AT + 1);
    head_size = 3;
    goto bytes;
bin32:
    n = load_be32(HEAD_AT + 1);
    head_size = 5;
bytes : {
    if (unlikely(n + head_size > (size_t)(end - p))) {
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

array16:
    n = load_be16(HEAD_AT + 1);
    head_size = 3;
    goto array;
array32:
    n = load_be32(HEAD_AT + 1);
    head_size = 5;
    goto array;
fixarray:
    n = head & 15;
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
map16:
    n = load_be16(HEAD_AT + 1);
    head_size = 3;
    goto map;
map32:
    n = load_be32(HEAD_AT + 1);
    head_size = 5;
    goto map;
fixmap:
    n = head & 15;
    head_size = 1;
map:
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
    if (unlikely(n > (uint64_t)(p < end ? end - p : 0) || (uint64_t)(end - p) - n < (uint64_t)(due - o))) {
        goto short_input;
    }
    due += n;
    if (unlikely((char *)frame - (char *)due < PARSE_BLOCK_SPARE)) {
        goto grow;
    }
    FETCH;

close:
    if (depth == 0) {
        goto done;
    }
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
    memset(tail, 0xC1, sizeof tail);
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
    if (payload > limits.payload || (uint64_t)(o - parse->base) - keys > limits.nodes) {
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
