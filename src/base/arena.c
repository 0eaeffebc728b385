/* weir_arena: a chain of blocks; an allocation is a bump in the newest one. */
#include "base/memory.h"

#define ARENA_ALIGN ((size_t)16)
#define ARENA_FIRST ((size_t)4096)

struct block {
    struct block *previous;
    size_t size; /* of the whole block */
    size_t used; /* header included */
    size_t unused_padding;
};

struct weir_arena {
    weir_allocator allocator;
    struct block *newest;
};

static size_t aligned(size_t size)
{
    return (size + (ARENA_ALIGN - 1)) & ~(ARENA_ALIGN - 1);
}

#define BLOCK_HEADER (((sizeof(struct block)) + (ARENA_ALIGN - 1)) & ~(ARENA_ALIGN - 1))

weir_arena *weir_arena_new(const weir_allocator *allocator)
{
    weir_arena *arena = memory_get(allocator, sizeof *arena);
    if (arena) {
        arena->allocator = *memory_allocator(allocator);
        arena->newest = NULL;
    }
    return arena;
}

static bool arena_grow(weir_arena *arena, size_t need)
{
    size_t size = arena->newest ? arena->newest->size : ARENA_FIRST / 2;
    if (__builtin_add_overflow(need, BLOCK_HEADER, &need)) {
        return false;
    }
    do {
        if (__builtin_mul_overflow(size, (size_t)2, &size)) {
            size = need;
        }
    } while (size < need);
    struct block *block = memory_get(&arena->allocator, size);
    if (!block) {
        return false;
    }
    block->previous = arena->newest;
    block->size = size;
    block->used = BLOCK_HEADER;
    arena->newest = block;
    return true;
}

void *weir_arena_alloc(weir_arena *arena, size_t size)
{
    if (size > SIZE_MAX - 2 * ARENA_ALIGN) {
        return NULL;
    }
    size = aligned(size ? size : 1);
    if ((!arena->newest || arena->newest->size - arena->newest->used < size) && !arena_grow(arena, size)) {
        return NULL;
    }
    void *result = (char *)arena->newest + arena->newest->used;
    arena->newest->used += size;
    return result;
}

char *weir_arena_copy(weir_arena *arena, const void *bytes, size_t len)
{
    char *copy = len == SIZE_MAX ? NULL : weir_arena_alloc(arena, len + 1);
    if (copy) {
        if (len) {
            memcpy(copy, bytes, len);
        }
        copy[len] = '\0';
    }
    return copy;
}

weir_arena_mark weir_arena_get_mark(const weir_arena *arena)
{
    weir_arena_mark mark = {arena->newest, arena->newest ? arena->newest->used : 0};
    return mark;
}

static void drop_newest(weir_arena *arena)
{
    struct block *block = arena->newest;
    arena->newest = block->previous;
    memory_put(&arena->allocator, block, block->size);
}

void weir_arena_rewind(weir_arena *arena, weir_arena_mark mark)
{
    while (arena->newest && arena->newest != mark.block) {
        drop_newest(arena);
    }
    if (arena->newest) {
        arena->newest->used = mark.used;
    }
}

void weir_arena_reset(weir_arena *arena)
{
    /* The newest block is the largest one. */
    struct block *keep = arena->newest;
    if (!keep) {
        return;
    }
    arena->newest = keep->previous;
    while (arena->newest) {
        drop_newest(arena);
    }
    keep->previous = NULL;
    keep->used = BLOCK_HEADER;
    arena->newest = keep;
}

void weir_arena_free(weir_arena *arena)
{
    if (arena) {
        while (arena->newest) {
            drop_newest(arena);
        }
        weir_allocator allocator = arena->allocator;
        memory_put(&allocator, arena, sizeof *arena);
    }
}
