/* The block of a fused binary parser: how much, and when more. */
#include "fused/parse_block.h"

static size_t nodes_offset(const struct parse_block *parse)
{
    return parse->text ? (PARSE_BLOCK_TEXT + parse->len + TAPE_PADDING + 15) & ~(size_t)15 : TAPE_HEADER;
}

/* Points everything into the job's block. */
static void place(struct parse_block *parse, bool owned)
{
    char *block = parse->job->block;
    parse->text = owned ? (uint8_t *)block + PARSE_BLOCK_TEXT : NULL;
    parse->src = owned ? parse->text : parse->job->src;
    size_t offset = nodes_offset(parse), room = (parse->job->block_size - offset) / sizeof(weir_val);
    parse->base = (weir_val *)(void *)(block + offset);
    parse->end = parse->base + room;
}

static bool resize(struct parse_job *job, size_t keep, size_t size)
{
    void *block = job->grow(job->grow_context, job->block, keep, job->block_size, size);
    if (!block) {
        return false;
    }
    job->block = block;
    job->block_size = size;
    return true;
}

bool parse_block_start(struct parse_block *parse, struct parse_job *job, size_t len, uint8_t stop)
{
    enum { FEW = 24 };
    bool owned = !job->borrow;
    size_t text = owned ? TAPE_PADDING + 32 : 16, least, wanted;
    parse->job = job;
    parse->len = len;
    if ((owned && __builtin_add_overflow(text, len, &text)) ||
        __builtin_add_overflow(text, (size_t)(TAPE_HEADER + FEW * sizeof(weir_val)), &least) ||
        __builtin_add_overflow(least, len / 4 * sizeof(weir_val), &wanted)) {
        return false;
    }
    if (job->block_size < least && !resize(job, 0, wanted)) {
        return false;
    }
    place(parse, owned);
    if (owned) {
        memset((char *)job->block + TAPE_HEADER, 0, PARSE_BLOCK_TEXT - TAPE_HEADER);
        if (len) {
            memcpy(parse->text, job->src, len);
        }
        memset(parse->text + len, stop, TAPE_PADDING);
    }
    return true;
}

/* A new size for `room` nodes. */
static bool resize_nodes(struct parse_block *parse, size_t room)
{
    size_t bytes;
    return !__builtin_mul_overflow(room, sizeof(weir_val), &bytes) &&
           !__builtin_add_overflow(bytes, nodes_offset(parse), &bytes) && bytes > parse->job->block_size &&
           resize(parse->job, parse->job->block_size, bytes);
}

bool parse_block_grow(struct parse_block *parse, size_t made, size_t due, size_t frames, size_t position)
{
    size_t old_room = (size_t)(parse->end - parse->base), least;
    if (__builtin_add_overflow(due, frames / 2 + 18, &least)) {
        return false;
    }
    /* What the input may give at its density so far, but half more than now at least; else, less and less. */
    double guess = position > 256 ? (double)made / (double)position * (double)parse->len * 1.0625 : 0;
    size_t room = least > old_room + old_room / 2 ? least : old_room + old_room / 2;
    room = guess > (double)room && guess < (double)(SIZE_MAX / 64) ? (size_t)guess : room;
    bool owned = parse->text != NULL;
    uintptr_t before = (uintptr_t)parse->base;
    if (!resize_nodes(parse, room) && !resize_nodes(parse, least + least / 8) &&
        !resize_nodes(parse, least)) {
        return false;
    }
    place(parse, owned);
    size_t bytes = frames * sizeof(uint64_t);
    memmove((char *)parse->end - bytes, (char *)(parse->base + old_room) - bytes, bytes);
    uintptr_t moved = (uintptr_t)parse->base - before;
    for (size_t i = 0; !owned && moved != 0 && i < made; i++) {
        if (tape_is_text(tape_kind(parse->base + i))) {
            parse->base[i].v.u = (uint64_t)((uintptr_t)parse->base[i].v.u - moved);
        }
    }
    return true;
}

enum fused_result parse_block_run(struct parse_job *job, parse_loop *const loops[2][2], uint8_t stop)
{
    enum { FIRST_LOOK = 512, MORE = 8 };
    const struct fused_limits *limits = job->limits;
    bool limited = limits && (limits->nodes & limits->items & limits->entries & limits->key & limits->string &
                              limits->payload) != WEIR_UNSET;
    if (job->len == 0 || (limits && limits->depth == 0)) {
        return FUSED_REFUSED;
    }
    /* One value of many, to be copied: its length is not known, and copying all that follows would be
     * quadratic. */
    size_t look = job->many && !job->borrow && job->len > FIRST_LOOK ? FIRST_LOOK : job->len;
    for (;;) {
        struct parse_block parse;
        size_t made, consumed;
        if (!parse_block_start(&parse, job, look, stop)) {
            return FUSED_MEMORY;
        }
        enum loop_result result = loops[job->borrow][limited](&parse, &made, &consumed);
        if (result == LOOP_SHORT && look < job->len) {
            look = look > job->len / MORE ? job->len : look * MORE;
            continue;
        }
        if (result != LOOP_OK || (consumed != job->len && !job->many)) {
            return result == LOOP_MEMORY ? FUSED_MEMORY : FUSED_REFUSED;
        }
        if (parse.text) {
            parse.text[consumed] = 0;
        }
        job->nodes_offset = (size_t)((char *)parse.base - (char *)job->block);
        job->node_count = made;
        job->text_offset = parse.text ? PARSE_BLOCK_TEXT : 0;
        job->text_length = parse.text ? consumed : 0;
        job->consumed = consumed;
        return FUSED_OK;
    }
}
