/* The fused CBOR writer. */
#include "fused/cbor_write.h"

#include "fused/pack.h"

/* Heads 24 to 27 by bits. */
static const uint8_t argument_heads[65] = {24, 24, 24, 24, 24, 24, 24, 24, 24, 25, 25, 25, 25, 25, 25, 25, 25,
                                           26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 26, 27,
                                           27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27,
                                           27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27, 27};

enum { UNSIGNED = 0x00, NEGATIVE = 0x20, BYTES = 0x40, TEXT = 0x60, ARRAY = 0x80, MAP = 0xA0, TAG = 0xC0 };

/* A head of any size without a branch: for values that differ from one to the next. */
ALWAYS_INLINE char *put_argument(char *w, unsigned major, uint64_t v)
{
    unsigned bits = pack_bits(v), width = pack_width[bits];
    bool small = v < 24;
    w[0] = (char)(major | (small ? (unsigned)v : argument_heads[bits]));
    pack_put(w + 1, v, width);
    return w + 1 + (small ? 0 : width);
}

/* The same for lengths, which are mostly small. */
ALWAYS_INLINE char *put_head(char *w, unsigned major, uint64_t n)
{
    if (likely(n < 24)) {
        *w = (char)(major | n);
        return w + 1;
    }
    return put_argument(w, major, n);
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
            w = put_head(w, TEXT, n);
            w = pack_put_text(out, w, node, tag);
            if (unlikely(!w)) {
                return output_fail(out);
            }
            node++;
            break;
        case WEIR_KIND_UINT:
            do {
                w = put_argument(w, UNSIGNED, node->v.u);
                node++;
            } while (node < end && node->tag == WEIR_KIND_UINT && likely(w <= out->soft));
            break;
        case WEIR_KIND_INT:
            w = put_argument(w, NEGATIVE, ~node->v.u);
            node++;
            break;
        case WEIR_KIND_REAL:
            do {
                w[0] = (char)0xFB;
                store_be64(w + 1, node->v.u);
                w += 9;
                node++;
            } while (node < end && node->tag == WEIR_KIND_REAL && likely(w <= out->soft));
            break;
        case WEIR_KIND_REAL | TAPE_F16: {
            uint16_t half;
            if (binary_half_of(node->v.u, &half)) {
                w[0] = (char)0xF9;
                store_be16(w + 1, half);
                w += 3;
                node++;
                break;
            }
        } /* fallthrough */
        case WEIR_KIND_REAL | TAPE_F32: {
            uint32_t bits;
            bool narrow = pack_narrow_float(node->v.u, &bits);
            w[0] = (char)(narrow ? 0xFA : 0xFB);
            pack_put(w + 1, narrow ? bits : node->v.u, narrow ? 4 : 8);
            w += narrow ? 5 : 9;
            node++;
            break;
        }
        case WEIR_KIND_NULL:
            *w++ = (char)0xF6;
            node++;
            break;
        case WEIR_KIND_FALSE:
        case WEIR_KIND_TRUE:
            *w++ = (char)(0xF4 - WEIR_KIND_FALSE + (tag & 0xFF));
            node++;
            break;
        case WEIR_KIND_BYTES:
        case WEIR_KIND_BYTES | TAPE_UNTERMINATED:
            w = put_head(w, BYTES, n);
            w = pack_put_text(out, w, node, tag);
            if (unlikely(!w)) {
                return output_fail(out);
            }
            node++;
            break;
        case WEIR_KIND_ARRAY:
        case WEIR_KIND_MAP:
            if (unlikely(n && !pack_open(levels, node))) {
                return output_refuse(out);
            }
            w = put_head(w, (tag & 0xFF) == WEIR_KIND_MAP ? MAP : ARRAY, n);
            node++;
            break;
        case WEIR_KIND_TAGGED:
            if (unlikely(node[1].tag != WEIR_KIND_UINT || !pack_open(levels, node))) {
                return output_refuse(out);
            }
            w = put_argument(w, TAG, node[1].v.u);
            node += 2;
            break;
        default:
            return output_refuse(out);
        }
    }
    return output_close(out, w);
}

enum fused_result cbor_write_val(const weir_val *val, const struct fused_limits *limits, weir_buffer *out)
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
