/* The fused MessagePack writer. */
#include "fused/msgpack_write.h"

#include "fused/pack.h"

/* 0xCC to 0xCF by bits. */
static const uint8_t uint_heads[65] = {
    0xCC, 0xCC, 0xCC, 0xCC, 0xCC, 0xCC, 0xCC, 0xCC, 0xCC, 0xCD, 0xCD, 0xCD, 0xCD, 0xCD, 0xCD, 0xCD, 0xCD,
    0xCE, 0xCE, 0xCE, 0xCE, 0xCE, 0xCE, 0xCE, 0xCE, 0xCE, 0xCE, 0xCE, 0xCE, 0xCE, 0xCE, 0xCE, 0xCE, 0xCF,
    0xCF, 0xCF, 0xCF, 0xCF, 0xCF, 0xCF, 0xCF, 0xCF, 0xCF, 0xCF, 0xCF, 0xCF, 0xCF, 0xCF, 0xCF, 0xCF, 0xCF,
    0xCF, 0xCF, 0xCF, 0xCF, 0xCF, 0xCF, 0xCF, 0xCF, 0xCF, 0xCF, 0xCF, 0xCF, 0xCF, 0xCF};

ALWAYS_INLINE char *put_uint(char *w, uint64_t v)
{
    unsigned bits = pack_bits(v), width = pack_width[bits];
    bool small = v < 128;
    w[0] = (char)(small ? v : uint_heads[bits]);
    pack_put(w + 1, v, width);
    return w + 1 + (small ? 0 : width);
}

/* Negative. */
ALWAYS_INLINE char *put_int(char *w, uint64_t v)
{
    unsigned bits = pack_bits(~v) + 1; /* with the sign */
    bool small = (int64_t)v >= -32;
    unsigned width = pack_width[bits];
    w[0] = (char)(small ? v : uint_heads[bits] + 4u);
    pack_put(w + 1, v, width);
    return w + 1 + (small ? 0 : width);
}

/* A head for a length: `fixed` + n below fixed_end, else `sized` (…8 if has_8), `sized` + 1, `sized` + 2. */
ALWAYS_INLINE char *put_head(char *w, uint64_t n, unsigned fixed, unsigned fixed_end, unsigned sized,
                             bool has_8)
{
    if (likely(n < fixed_end)) {
        *w = (char)(fixed | n);
        return w + 1;
    }
    if (has_8 && n < 256) {
        w[0] = (char)sized;
        w[1] = (char)n;
        return w + 2;
    }
    if (n < 65536) {
        w[0] = (char)(sized + has_8);
        store_be16(w + 1, (uint16_t)n);
        return w + 3;
    }
    w[0] = (char)(sized + has_8 + 1);
    store_be32(w + 1, (uint32_t)n);
    return w + 5;
}

static enum fused_result write_nodes(struct output *out, const weir_val *val, struct pack_levels *levels)
{
    const weir_val *node = val, *end = val + out->span;
    char *w = out->buffer->data + out->start;
    while (node < end) {
        if (unlikely(w > out->soft)) {
            w = output_grow(out, w, 0, node);
            if (!w) {
                return output_fail(out);
            }
        }
        uint64_t tag = node->tag, n = tag >> 8;
        switch (tag & 0xFF) {
        case WEIR_KIND_STRING:
        case WEIR_KIND_STRING | TAPE_PLAIN:
        case WEIR_KIND_STRING | TAPE_UNTERMINATED:
        case WEIR_KIND_STRING | TAPE_PLAIN | TAPE_UNTERMINATED:
            if (unlikely(n > UINT32_MAX)) {
                return output_refuse(out);
            }
            w = put_head(w, n, 0xA0, 32, 0xD9, true);
            w = pack_put_text(out, w, node, tag);
            if (unlikely(!w)) {
                return output_fail(out);
            }
            node++;
            break;
        case WEIR_KIND_UINT:
            do {
                w = put_uint(w, node->v.u);
                node++;
            } while (node < end && node->tag == WEIR_KIND_UINT && likely(w <= out->soft));
            break;
        case WEIR_KIND_INT:
            w = put_int(w, node->v.u);
            node++;
            break;
        case WEIR_KIND_REAL:
            do {
                w[0] = (char)0xCB;
                store_be64(w + 1, node->v.u);
                w += 9;
                node++;
            } while (node < end && node->tag == WEIR_KIND_REAL && likely(w <= out->soft));
            break;
        case WEIR_KIND_REAL | TAPE_F32:
        case WEIR_KIND_REAL | TAPE_F16: {
            uint32_t bits;
            bool narrow = pack_narrow_float(node->v.u, &bits);
            w[0] = (char)(narrow ? 0xCA : 0xCB);
            pack_put(w + 1, narrow ? bits : node->v.u, narrow ? 4 : 8);
            w += narrow ? 5 : 9;
            node++;
            break;
        }
        case WEIR_KIND_NULL:
            *w++ = (char)0xC0;
            node++;
            break;
        case WEIR_KIND_FALSE:
        case WEIR_KIND_TRUE:
            *w++ = (char)(0xC2 - WEIR_KIND_FALSE + (tag & 0xFF));
            node++;
            break;
        case WEIR_KIND_BYTES:
        case WEIR_KIND_BYTES | TAPE_UNTERMINATED:
            if (unlikely(n > UINT32_MAX)) {
                return output_refuse(out);
            }
            w = put_head(w, n, 0, 0, 0xC4, true);
            w = pack_put_text(out, w, node, tag);
            if (unlikely(!w)) {
                return output_fail(out);
            }
            node++;
            break;
        case WEIR_KIND_ARRAY:
        case WEIR_KIND_MAP: {
            bool map = (tag & 0xFF) == WEIR_KIND_MAP;
            if (unlikely(n > UINT32_MAX || (n && !pack_open(levels, node)))) {
                return output_refuse(out);
            }
            w = put_head(w, n, map ? 0x80 : 0x90, 16, map ? 0xDE : 0xDC, false);
            node++;
            break;
        }
        default:
            return output_refuse(out);
        }
    }
    return output_close(out, w);
}

enum fused_result msgpack_write_val(const weir_val *val, const struct fused_limits *limits, weir_buffer *out)
{
    struct pack_levels levels;
    struct output output;
    if (!pack_check(&levels, val, limits, out->allocator)) {
        return FUSED_REFUSED;
    }
    if (!output_open(&output, val, 4, limits ? limits->output : WEIR_UNSET, out)) {
        return FUSED_MEMORY;
    }
    return write_nodes(&output, val, &levels);
}
