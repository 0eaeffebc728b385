/* Keys of open maps: an open-addressing table over entries that are stacked map by map. */
#include "flow/keyset.h"

#include <math.h>

#include "base/hash.h"
#include "base/memory.h"

struct entry {
    uint64_t hash;
    size_t map;  /* index of the open map */
    size_t text; /* offset of the key's bytes in bytes */
    size_t len;
    size_t slot;
};

struct keyset {
    const weir_allocator *allocator;
    uint64_t seed;
    struct entry *entries;
    size_t entry_count, entry_cap;
    size_t *maps; /* first entry of each open map */
    size_t map_count, map_cap;
    size_t *slots; /* entry number + 1, 0 is free */
    size_t slot_count;
    weir_buffer bytes;
};

struct keyset *keyset_new(const weir_allocator *allocator)
{
    struct keyset *set = memory_get(allocator, sizeof *set);
    if (set) {
        memset(set, 0, sizeof *set);
        set->allocator = allocator;
        set->bytes.allocator = allocator;
        set->seed = hash_seed();
    }
    return set;
}

void keyset_free(struct keyset *set)
{
    if (set) {
        memory_put(set->allocator, set->entries, set->entry_cap * sizeof *set->entries);
        memory_put(set->allocator, set->maps, set->map_cap * sizeof *set->maps);
        memory_put(set->allocator, set->slots, set->slot_count * sizeof *set->slots);
        weir_buffer_free(&set->bytes);
        memory_put(set->allocator, set, sizeof *set);
    }
}

bool keyset_open(struct keyset *set)
{
    if (!memory_grow_array(set->allocator, &set->maps, &set->map_cap, set->map_count + 1,
                           sizeof *set->maps)) {
        return false;
    }
    set->maps[set->map_count++] = set->entry_count;
    return true;
}

/* Entries leave in the reverse order of their coming, so a freed slot never stands in a later entry's probe
 * path. */
static void drop_entries(struct keyset *set, size_t first)
{
    while (set->entry_count > first) {
        struct entry *last = &set->entries[--set->entry_count];
        set->slots[last->slot] = 0;
        set->bytes.len = last->text;
    }
}

void keyset_close(struct keyset *set)
{
    drop_entries(set, set->maps[--set->map_count]);
}

void keyset_reset(struct keyset *set)
{
    drop_entries(set, 0);
    set->map_count = 0;
}

bool keyset_takes(const weir_event *key)
{
    return key->kind < WEIR_KIND_ARRAY;
}

static void place(struct keyset *set, size_t number)
{
    struct entry *entry = &set->entries[number];
    size_t mask = set->slot_count - 1, slot = (size_t)entry->hash & mask;
    while (set->slots[slot]) {
        slot = (slot + 1) & mask;
    }
    set->slots[slot] = number + 1;
    entry->slot = slot;
}

static bool grow_slots(struct keyset *set)
{
    if (set->entry_count + 1 <= set->slot_count / 2) {
        return true;
    }
    size_t next = set->slot_count ? set->slot_count * 2 : 64;
    if (next > SIZE_MAX / sizeof *set->slots / 2) {
        return false;
    }
    size_t *slots = memory_get(set->allocator, next * sizeof *slots);
    if (!slots) {
        return false;
    }
    memory_put(set->allocator, set->slots, set->slot_count * sizeof *slots);
    memset(slots, 0, next * sizeof *slots);
    set->slots = slots;
    set->slot_count = next;
    for (size_t i = 0; i < set->entry_count; i++) {
        place(set, i);
    }
    return true;
}

/* The key as bytes that are equal exactly if the keys are: its kind, then its text or value. */
static bool append_key(struct keyset *set, const weir_event *key)
{
    unsigned char head[1 + sizeof(weir_timestamp)] = {key->kind};
    size_t size = 1;
    if (key->kind == WEIR_KIND_TIMESTAMP) {
        const weir_timestamp *time = &key->v.time;
        memcpy(head + 1, &time->seconds, 8);
        memcpy(head + 9, &time->nanoseconds, 4);
        head[13] = time->shape;
        size = 14;
    } else if (key->kind >= WEIR_KIND_UINT && key->kind <= WEIR_KIND_REAL) {
        uint64_t word = key->v.u;
        if (key->kind == WEIR_KIND_REAL && isnan(key->v.d)) {
            word = UINT64_C(0x7FF8000000000000); /* NaN equals NaN */
        }
        memcpy(head + 1, &word, 8);
        size = 9;
    }
    return weir_buffer_append(&set->bytes, head, size) &&
           weir_buffer_append(&set->bytes, key->text, key->len);
}

enum keyset_result keyset_add(struct keyset *set, const weir_event *key)
{
    size_t text = set->bytes.len;
    if (!grow_slots(set) || !append_key(set, key) ||
        !memory_grow_array(set->allocator, &set->entries, &set->entry_cap, set->entry_count + 1,
                           sizeof *set->entries)) {
        set->bytes.len = text;
        return KEYSET_MEMORY;
    }
    size_t len = set->bytes.len - text, map = set->map_count - 1, mask = set->slot_count - 1;
    uint64_t hash = hash_mix(hash_bytes(set->bytes.data + text, len, set->seed), map ^ set->seed);
    for (size_t slot = (size_t)hash & mask; set->slots[slot]; slot = (slot + 1) & mask) {
        const struct entry *other = &set->entries[set->slots[slot] - 1];
        if (other->hash == hash && other->map == map && other->len == len &&
            memcmp(set->bytes.data + other->text, set->bytes.data + text, len) == 0) {
            set->bytes.len = text;
            return KEYSET_DUPLICATE;
        }
    }
    struct entry *entry = &set->entries[set->entry_count];
    entry->hash = hash;
    entry->map = map;
    entry->text = text;
    entry->len = len;
    place(set, set->entry_count++);
    return KEYSET_NEW;
}
