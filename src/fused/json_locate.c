/* A refused text is right up to where the kernel gave up: the exact reader is put there, with the containers
 * that are open as its frames, and reads on to the first failing event. So a fault costs as much as what
 * stands before it. */
#include "fused/json_locate.h"

#include "flow/path.h"
#include "flow/reader_priv.h"
#include "format/json/json_priv.h"

static const weir_val *around(const weir_val *open)
{
    return open - open->v.u;
}

/* The outermost container's parent has tag 0, and so has an innermost one that nothing was closed in yet: the
 * depth is told by the block's first node. */
static size_t depth_of(const weir_val *open, const weir_val *root)
{
    size_t depth = 0;
    while (open >= root) {
        open = around(open);
        depth++;
    }
    return depth;
}

static bool note_key(weir_reader *r, const weir_val *key)
{
    if (tape_kind(key) != WEIR_KIND_STRING) {
        return true;
    }
    weir_event event = {.kind = WEIR_KIND_STRING, .text = tape_text(key), .len = (size_t)tape_length(key)};
    return path_note_key(&r->stack, &r->path, &event);
}

static void fill_frame(struct frame *frame, weir_kind kind, uint64_t count, bool inside)
{
    frame->expected = WEIR_UNKNOWN;
    frame->count = count;
    frame->flags = (uint64_t)kind | (inside ? FRAME_VALUE : 0);
}

static bool push_frames(weir_reader *r, const json_parse_job *job)
{
    const uint8_t *block = job->block;
    const weir_val *root = (const weir_val *)(const void *)(block + job->nodes_offset);
    const weir_val *open = (const weir_val *)(const void *)(block + job->stop_open);
    size_t depth = depth_of(open, root);
    if (depth == 0) {
        return true;
    }
    if (!memory_grow_array(r->options.allocator, &r->stack.base, &r->stack.cap, depth,
                           sizeof(struct frame))) {
        return false;
    }
    bool in_map = job->stop >= JSON_STOP_MAP_CHILD && job->stop <= JSON_STOP_MAP_END;
    bool inside = job->stop == JSON_STOP_MAP_COLON || job->stop == JSON_STOP_MAP_VALUE;
    fill_frame(&r->stack.base[depth - 1], in_map ? WEIR_KIND_MAP : WEIR_KIND_ARRAY, job->stop_count + inside,
               inside);
    for (size_t level = depth - 1; level > 0; level--) {
        open = around(open);
        fill_frame(&r->stack.base[level - 1], tape_kind(open), tape_length(open) + 1, true);
    }
    r->stack.size = depth;
    return true;
}

/* Paths that may quote the input need the key of each open map: it stands before the child that is being
 * read. */
static bool push_keys(weir_reader *r, const json_parse_job *job, const weir_val *top)
{
    const uint8_t *block = job->block;
    const weir_val *child = (const weir_val *)(const void *)(block + job->stop_open);
    size_t depth = r->stack.size;
    bool done = true;
    /* Keys are remembered from the outermost map inwards, the chain leads outwards: each level is walked to.
     * A path has no room for more than the innermost ones. */
    size_t first = depth > WEIR_PATH_SIZE / 2 ? depth - WEIR_PATH_SIZE / 2 : 1;
    for (size_t level = first; level < depth && done; level++) {
        if (frame_kind(&r->stack.base[level - 1]) != WEIR_KIND_MAP) {
            continue;
        }
        const weir_val *inner = child;
        for (size_t up = depth; up > level + 1; up--) {
            inner = around(inner);
        }
        r->stack.size = level;
        done = note_key(r, inner - 1);
    }
    r->stack.size = depth;
    if (done && (frames_top(&r->stack)->flags & FRAME_VALUE)) {
        done = note_key(r, top - 1);
    }
    return done;
}

static enum json_resume resume_of(enum json_stop stop)
{
    switch (stop) {
    case JSON_STOP_AFTER_ROOT:
        return JSON_AFTER_ROOT;
    case JSON_STOP_MAP_CHILD:
    case JSON_STOP_ARRAY_CHILD:
        return JSON_AT_CHILD;
    case JSON_STOP_MAP_COLON:
        return JSON_AT_COLON;
    case JSON_STOP_MAP_VALUE:
        return JSON_AT_VALUE;
    case JSON_STOP_MAP_END:
    case JSON_STOP_ARRAY_END:
        return JSON_AT_END;
    default:
        return JSON_AT_ROOT;
    }
}

static bool in_scalar(uint8_t c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == 'E' || c == '+' || c == '-' || c == '.';
}

/* A number or word that the kernel took may be wrong for what stands right behind it: back to its beginning.
 */
static void step_back(json_parse_job *job)
{
    size_t at = job->stop_offset;
    while (at > 0 && in_scalar(job->src[at - 1])) {
        at--;
    }
    if (at < job->stop_offset && (job->stop == JSON_STOP_ARRAY_END || job->stop == JSON_STOP_MAP_END)) {
        job->stop = job->stop == JSON_STOP_MAP_END ? JSON_STOP_MAP_VALUE : JSON_STOP_ARRAY_CHILD;
        job->stop_offset = at;
        job->stop_count--;
        job->stop_top -= sizeof(weir_val);
    } else if (at < job->stop_offset && job->stop == JSON_STOP_AFTER_ROOT) {
        job->stop = JSON_STOP_UNKNOWN;
    }
}

/* Is everything before the stop within limits, and known well enough to go on there? The kernel looks at the
 * depth of children when their container closes. */
static bool is_sure(const json_parse_job *job, const weir_options *options)
{
    const uint8_t *block = job->block;
    const weir_val *root = (const weir_val *)(const void *)(block + job->nodes_offset);
    const weir_val *open = (const weir_val *)(const void *)(block + job->stop_open);
    return job->stop_count == 0 || depth_of(open, root) < options->limits.depth;
}

bool json_locate(const json_parse_job *given, const weir_options *options, weir_error *error)
{
    json_parse_job copy = *given, *job = &copy;
    /* Whether a key was there before is known to a reader that saw all of them. */
    if (job->stop == JSON_STOP_UNKNOWN || job->stop == JSON_STOP_ROOT ||
        options->duplicates == WEIR_DUPLICATES_REJECT || !is_sure(job, options)) {
        return false;
    }
    step_back(job);
    if (job->stop == JSON_STOP_UNKNOWN) {
        return false;
    }
    weir_reader *r = reader_open_memory(weir_json, job->src, job->len, options, error);
    if (!r) {
        return false;
    }
    const weir_val *top = (const weir_val *)(const void *)((const uint8_t *)job->block + job->stop_top);
    bool found = false;
    if (push_frames(r, job) &&
        (!(options->flags & WEIR_DETAIL) || !r->stack.size || push_keys(r, job, top))) {
        json_reader_resume(r, job->stop_offset, resume_of(job->stop));
        const bool follows =
            job->many || (options->flags & WEIR_MULTI); /* what follows is no business of this document */
        const weir_event *event;
        while ((event = weir_reader_next(r)) && event->kind != WEIR_KIND_END_STREAM &&
               !(follows && event->kind == WEIR_KIND_END_DOCUMENT)) {
        }
        found = !event && weir_reader_error(r)->code != WEIR_E_MEMORY;
        if (found) {
            *error = *weir_reader_error(r);
        }
    }
    weir_reader_close(r);
    return found;
}
