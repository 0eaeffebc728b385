/* A walk over a value as the events of a reader. */
#include "value/walk.h"

void walk_begin(struct walk *walk, const weir_val *root, const weir_allocator *allocator)
{
    memset(walk, 0, sizeof *walk);
    walk->at = root;
    walk->end = root + tape_span(root);
    walk->allocator = allocator;
}

void walk_free(struct walk *walk)
{
    memory_put(walk->allocator, walk->open, walk->cap * sizeof *walk->open);
    walk->open = NULL;
    walk->size = walk->cap = 0;
}

static bool push(struct walk *walk, const weir_val *node, bool map)
{
    if (walk->size == walk->cap &&
        !memory_grow_array(walk->allocator, &walk->open, &walk->cap, walk->size + 1, sizeof *walk->open)) {
        return false;
    }
    struct walk_frame *frame = &walk->open[walk->size++];
    frame->end = node + node->v.u;
    frame->map = map;
    frame->value = false;
    return true;
}

static bool is_key(struct walk *walk)
{
    if (walk->under_tag) {
        walk->under_tag = false;
        return false;
    }
    if (walk->size == 0) {
        return walk->key;
    }
    struct walk_frame *top = &walk->open[walk->size - 1];
    bool key = top->map && !top->value;
    top->value = key;
    return key;
}

static void set_text(weir_event *event, const weir_val *node)
{
    event->text = tape_text(node);
    event->len = (size_t)tape_length(node);
}

static void set_tag(struct walk *walk, weir_event *event, const weir_val *node)
{
    const weir_val *tag = node + 1;
    if (tape_kind(tag) == WEIR_KIND_STRING) {
        set_text(event, tag);
    } else {
        event->v.u = tag->v.u;
    }
    walk->at = node + 2;
    walk->under_tag = true;
}

enum walk_step walk_next(struct walk *walk, weir_event *event)
{
    memset(event, 0, sizeof *event);
    if (walk->size && walk->at == walk->open[walk->size - 1].end) {
        walk->size--;
        event->kind = WEIR_KIND_END;
        return WALK_EVENT;
    }
    if (walk->at == walk->end) {
        return WALK_DONE;
    }
    const weir_val *node = walk->at++;
    weir_kind kind = tape_kind(node);
    event->kind = (uint8_t)kind;
    event->is_key = is_key(walk);
    switch (kind) {
    case WEIR_KIND_STRING:
        event->plain = node->tag & TAPE_PLAIN;
        set_text(event, node);
        break;
    case WEIR_KIND_BYTES:
    case WEIR_KIND_NUMBER:
    case WEIR_KIND_SECRET:
        set_text(event, node);
        break;
    case WEIR_KIND_ARRAY:
    case WEIR_KIND_MAP:
        event->count = tape_length(node);
        return push(walk, node, kind == WEIR_KIND_MAP) ? WALK_EVENT : WALK_MEMORY;
    case WEIR_KIND_TAGGED:
        set_tag(walk, event, node);
        break;
    case WEIR_KIND_TIMESTAMP:
        event->v.time = tape_timestamp(node);
        break;
    case WEIR_KIND_REAL:
        event->width = node->tag & TAPE_F32   ? WEIR_WIDTH_32
                       : node->tag & TAPE_F16 ? WEIR_WIDTH_16
                                              : WEIR_WIDTH_64;
        event->v.u = node->v.u;
        break;
    default:
        event->v.u = node->v.u;
    }
    return WALK_EVENT;
}
