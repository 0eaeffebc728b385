/* The stack of open containers and tags that readers and writers keep, one frame a level. */
#ifndef FLOW_FRAMES_H
#define FLOW_FRAMES_H

#include "base/memory.h"
#include "weir/event.h"

enum {
    FRAME_KIND = 0x1F,  /* WEIR_KIND_ARRAY, WEIR_KIND_MAP, WEIR_KIND_TAGGED */
    FRAME_VALUE = 0x20, /* map: the key was given, its value is due; array: an element is being read */
    FRAME_IS_KEY = 0x40 /* this container or tag is (the beginning of) a key of the map around it */
};

struct frame {
    uint64_t expected;   /* children announced (items, entries), or WEIR_UNKNOWN */
    uint64_t count : 56; /* children begun so far */
    uint64_t flags : 8;
};

struct frames {
    struct frame *base;
    size_t size, cap;
};

static inline struct frame *frames_top(const struct frames *frames)
{
    return frames->size ? frames->base + frames->size - 1 : NULL;
}

static inline weir_kind frame_kind(const struct frame *frame)
{
    return (weir_kind)(frame->flags & FRAME_KIND);
}

static inline bool frames_push(struct frames *frames, const weir_allocator *allocator, unsigned flags,
                               uint64_t expected)
{
    if (unlikely(frames->size == frames->cap || !frames->base) &&
        !memory_grow_array(allocator, &frames->base, &frames->cap, frames->size + 1, sizeof(struct frame))) {
        return false;
    }
    struct frame *frame = frames->base + frames->size++;
    frame->expected = expected;
    frame->count = 0;
    frame->flags = flags & 0xFF;
    return true;
}

/* A key is due now (the top is a map that waits for one). */
static inline bool frames_want_key(const struct frames *frames)
{
    const struct frame *top = frames_top(frames);
    return top && frame_kind(top) == WEIR_KIND_MAP && !(top->flags & FRAME_VALUE);
}

#endif
