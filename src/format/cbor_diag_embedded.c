/* Embedded CBOR, <<1, [2, 3]>>: a byte string that holds the encoding of the values in it.
 *
 * While it is open, the values' events go into a CBOR writer instead of to the caller, on frames of their own
 * above the caller's; an array frame stands for the << itself. Nothing recurses, the nesting has the depth's
 * limit. The number of a container's children is known at its end only, so containers are written with
 * indefinite length first, and those that were not asked for like this get their definite heads when the
 * string is complete. */
#include "format/cbor.h"
#include "format/cbor_diag.h"

/* One container inside, in the order of their beginnings. */
struct container {
    uint64_t count;
    bool map, definite;
};

struct diag_embed {
    weir_writer *writer;
    weir_buffer bytes;
    struct container *containers;
    size_t count, cap;
    size_t level; /* frames below the one that stands for this << */
    uint64_t offset;
    uint64_t nodes, payload; /* charged before; what is inside are no values of the document */
};

static struct diag_embed *innermost(weir_reader *r)
{
    struct diag_state *state = diag_state(r);
    return state->embed_count ? &state->embeds[state->embed_count - 1] : NULL;
}

bool diag_embed_top(weir_reader *r)
{
    struct diag_embed *embed = innermost(r);
    return embed && r->stack.size == embed->level + 1;
}

static void release(weir_reader *r, struct diag_embed *embed)
{
    weir_writer_close(embed->writer);
    weir_buffer_free(&embed->bytes);
    memory_put(r->options.allocator, embed->containers, embed->cap * sizeof *embed->containers);
    diag_state(r)->embed_count--;
}

void diag_embed_free(weir_reader *r)
{
    struct diag_state *state = diag_state(r);
    while (state->embed_count) {
        release(r, innermost(r));
    }
    memory_put(r->options.allocator, state->embeds, state->embed_cap * sizeof *state->embeds);
}

/* The output lives in the embed, which moves when the stack grows: the writer is told where. */
static void tie(struct diag_state *state)
{
    for (size_t i = 0; i < state->embed_count; i++) {
        state->embeds[i].writer->out = &state->embeds[i].bytes;
    }
}

bool diag_embed_open(weir_reader *r, uint64_t offset)
{
    struct diag_state *state = diag_state(r);
    weir_options options = r->options;
    weir_error error;
    options.limits = weir_unlimited; /* the reader has counted everything */
    options.allow = options.flags = 0;
    const struct diag_embed *before = state->embeds;
    if (!memory_grow_array(r->options.allocator, &state->embeds, &state->embed_cap, state->embed_count + 1,
                           sizeof *state->embeds)) {
        return reader_fail(r, WEIR_E_MEMORY, offset);
    }
    struct diag_embed *embed = &state->embeds[state->embed_count];
    memset(embed, 0, sizeof *embed);
    if (state->embeds != before) {
        tie(state);
    }
    embed->bytes.allocator = r->options.allocator;
    embed->level = r->stack.size;
    embed->offset = offset;
    embed->nodes = r->account.nodes;
    embed->payload = r->account.payload;
    embed->writer = writer_open_direct(weir_cbor, &embed->bytes, NULL, &options, &error);
    if (!embed->writer) {
        return reader_fail(r, error.code, offset);
    }
    if (state->embed_count++ == 0) {
        /* Keys in here are not noted for the path of an error. */
        state->flags = r->options.flags;
        r->options.flags &= ~(uint32_t)WEIR_DETAIL;
    }
    return frames_push(&r->stack, r->options.allocator, WEIR_KIND_ARRAY, WEIR_UNKNOWN) ||
           reader_fail(r, WEIR_E_MEMORY, offset);
}

/* A value is complete: its tags end with it, and the container around them goes on. */
static void value_done(weir_reader *r)
{
    struct frame *top = frames_top(&r->stack);
    while (frame_kind(top) == WEIR_KIND_TAGGED) {
        bool was_key = top->flags & FRAME_IS_KEY;
        r->stack.size--;
        top = frames_top(&r->stack);
        if (was_key) {
            top->flags |= FRAME_VALUE;
            return;
        }
    }
    top->flags &= ~(uint64_t)FRAME_VALUE & 0xFF;
}

static bool begin(weir_reader *r, struct diag_embed *embed)
{
    const weir_event *event = &r->event;
    struct container one = {0, event->kind == WEIR_KIND_MAP, !diag_state(r)->indefinite};
    uint64_t index = embed->count;
    if (event->kind != WEIR_KIND_TAGGED) {
        if (!memory_grow_array(r->options.allocator, &embed->containers, &embed->cap, embed->count + 1,
                               sizeof one)) {
            return reader_fail(r, WEIR_E_MEMORY, event->offset);
        }
        embed->containers[embed->count++] = one;
    }
    return frames_push(&r->stack, r->options.allocator, event->kind | (event->is_key ? FRAME_IS_KEY : 0u),
                       index) ||
           reader_fail(r, WEIR_E_MEMORY, event->offset);
}

static void end(weir_reader *r, struct diag_embed *embed)
{
    struct frame *top = frames_top(&r->stack);
    bool was_key = top->flags & FRAME_IS_KEY;
    embed->containers[top->expected].count = top->count;
    r->stack.size--;
    if (was_key) {
        frames_top(&r->stack)->flags |= FRAME_VALUE;
    } else {
        value_done(r);
    }
}

bool diag_embed_event(weir_reader *r)
{
    struct diag_embed *embed = innermost(r);
    const weir_event *event = &r->event;
    if (!writer_put_event(embed->writer, event)) {
        return reader_fail(r, weir_writer_error(embed->writer)->code, event->offset);
    }
    switch (event->kind) {
    case WEIR_KIND_ARRAY:
    case WEIR_KIND_MAP:
    case WEIR_KIND_TAGGED:
        return begin(r, embed);
    case WEIR_KIND_END:
        end(r, embed);
        return true;
    default:
        if (event->is_key) {
            frames_top(&r->stack)->flags |= FRAME_VALUE;
        } else {
            value_done(r);
        }
        return true;
    }
}

static size_t definite_head(const struct container *container, uint8_t out[9])
{
    unsigned major = container->map ? CBOR_MAP : CBOR_ARRAY;
    uint64_t count = container->count;
    unsigned info = count < CBOR_INFO_1   ? (unsigned)count
                    : count <= UINT8_MAX  ? CBOR_INFO_1
                    : count <= UINT16_MAX ? CBOR_INFO_2
                    : count <= UINT32_MAX ? CBOR_INFO_4
                                          : CBOR_INFO_8;
    size_t size = cbor_head_size(info);
    out[0] = (uint8_t)(major << 5 | info);
    store_be64(out + 1, size > 1 ? count << (64 - 8 * (size - 1)) : 0);
    return size;
}

/* Copies the encoding to r->text, with definite heads where they belong. `open` is the stack of containers:
 * one byte each, 1 if its break stays. */
static bool settle(weir_reader *r, struct diag_embed *embed, weir_buffer *open)
{
    const uint8_t *p = (const uint8_t *)embed->bytes.data, *last = p + embed->bytes.len;
    size_t index = 0;
    while (p < last) {
        unsigned major = *p >> 5, info = *p & 0x1F;
        size_t size = cbor_head_size(info);
        uint64_t argument = cbor_head_argument(p, info);
        uint8_t head[9];
        if (*p == CBOR_BREAK && open->len) {
            size = open->data[--open->len] ? 1 : 0;
            if (size && !weir_buffer_append(&r->text, p, 1)) {
                return false;
            }
            p++;
            continue;
        }
        if (info == CBOR_INFO_INDEFINITE) {
            const struct container *container = &embed->containers[index++];
            char keeps = !container->definite;
            size = container->definite ? definite_head(container, head) : 1;
            if (!weir_buffer_append(open, &keeps, 1) ||
                !weir_buffer_append(&r->text, container->definite ? head : p, size)) {
                return false;
            }
            p++;
            continue;
        }
        size += major == CBOR_BYTES || major == CBOR_TEXT ? (size_t)argument : 0;
        if (!weir_buffer_append(&r->text, p, size)) {
            return false;
        }
        p += size;
    }
    return true;
}

bool diag_embed_close(weir_reader *r, uint64_t *offset)
{
    struct diag_state *state = diag_state(r);
    struct diag_embed *embed = innermost(r);
    weir_buffer open = {.allocator = r->options.allocator};
    *offset = embed->offset;
    weir_buffer_clear(&r->text);
    bool ok = embed->bytes.len == 0 || settle(r, embed, &open);
    weir_buffer_free(&open);
    r->stack.size--;
    r->account.nodes = embed->nodes;
    r->account.payload = embed->payload;
    release(r, embed);
    if (state->embed_count == 0) {
        r->options.flags = state->flags;
    }
    return ok || reader_fail(r, WEIR_E_MEMORY, *offset);
}
