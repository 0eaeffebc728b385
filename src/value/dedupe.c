/* Duplicate keys in documents. Small maps are compared entry by entry, larger ones through a seeded hash
 * table; keys that are containers are hashed once from their inside out, so that nested keys cost linear time
 * too. */
#include "value/dedupe.h"

#include "base/hash.h"
#include "value/doc.h"
#include "value/equal.h"

enum { SMALL_MAP = 8 };

/* Free slots hold 0, others the index of a key + 1 below 24 bits of its hash. */
#define SLOT_KEY ((UINT64_C(1) << 40) - 1)

struct finder {
    const weir_val *nodes;
    const weir_allocator *allocator;
    uint64_t seed;
    uint64_t *hashes; /* of all nodes, once a key is a container */
    size_t node_count;
    uint64_t *slots;
    size_t slot_cap;  /* allocated */
    size_t mask;      /* in use for this map */
    uint8_t *dropped; /* a bit for each node: a key whose entry goes; once there is one */
};

static void finder_begin(struct finder *f, const weir_doc *doc)
{
    memset(f, 0, sizeof *f);
    f->nodes = doc_nodes(doc);
    f->node_count = doc->node_count;
    f->allocator = &doc->allocator;
    f->seed = hash_seed();
}

static void finder_end(struct finder *f)
{
    memory_put(f->allocator, f->hashes, f->node_count * sizeof *f->hashes);
    memory_put(f->allocator, f->slots, f->slot_cap * sizeof *f->slots);
    memory_put(f->allocator, f->dropped, f->node_count / 8 + 1);
}

/* Prepares the table for a map. */
static bool finder_map(struct finder *f, size_t map)
{
    uint64_t entries = tape_length(f->nodes + map);
    if (entries <= SMALL_MAP) {
        return true;
    }
    size_t slots = 32;
    while (slots / 2 < entries) {
        slots *= 2; /* entries take 32 bytes of memory each: twice their number fits into size_t */
    }
    if (slots > f->slot_cap &&
        !memory_grow_array(f->allocator, &f->slots, &f->slot_cap, slots, sizeof *f->slots)) {
        return false;
    }
    memset(f->slots, 0, slots * sizeof *f->slots);
    f->mask = slots - 1;
    return true;
}

static bool key_hash(struct finder *f, size_t key, uint64_t *hash)
{
    if (!tape_is_container(tape_kind(f->nodes + key))) {
        *hash = tape_hash_scalar(f->nodes + key, 0, f->seed);
        return true;
    }
    if (!f->hashes) {
        f->hashes = tape_hashes(f->nodes, 0, f->seed, f->allocator);
        if (!f->hashes) {
            return false;
        }
    }
    *hash = f->hashes[key];
    return true;
}

/* The earlier key of this map that equals key, or key itself. The table then knows key: instead of its equal,
 * if `last`. false: out of memory. */
static bool find_or_add(struct finder *f, size_t key, bool last, size_t *found)
{
    uint64_t hash;
    if (!key_hash(f, key, &hash)) {
        return false;
    }
    size_t slot = (size_t)hash & f->mask;
    for (; f->slots[slot]; slot = (slot + 1) & f->mask) {
        size_t other = (size_t)(f->slots[slot] & SLOT_KEY) - 1;
        if ((f->slots[slot] ^ hash) >> 40 == 0 && tape_equal(f->nodes + other, f->nodes + key, 0)) {
            *found = other;
            if (last) {
                f->slots[slot] = (hash & ~SLOT_KEY) | (uint64_t)(key + 1);
            }
            return true;
        }
    }
    f->slots[slot] = (hash & ~SLOT_KEY) | (uint64_t)(key + 1);
    *found = key;
    return true;
}

static inline bool is_dropped(const struct finder *f, size_t key)
{
    return f->dropped && f->dropped[key / 8] >> key % 8 & 1;
}

/* In a small map: the same by comparison. */
static size_t find_small(const struct finder *f, size_t map, size_t key)
{
    for (size_t other = map + 1; other < key;) {
        if (!is_dropped(f, other) && tape_equal(f->nodes + other, f->nodes + key, 0)) {
            return other;
        }
        other += (size_t)tape_span(f->nodes + other);
        other += (size_t)tape_span(f->nodes + other);
    }
    return key;
}

static bool find(struct finder *f, size_t map, size_t key, bool last, size_t *found)
{
    if (tape_length(f->nodes + map) <= SMALL_MAP) {
        *found = find_small(f, map, key);
        return true;
    }
    return find_or_add(f, key, last, found);
}

weir_code doc_find_duplicate(const weir_doc *doc, const weir_val **second)
{
    struct finder f;
    size_t best = doc->node_count;
    bool ok = true;
    finder_begin(&f, doc);
    for (size_t map = 0; ok && map < best; map++) {
        if (tape_kind(f.nodes + map) != WEIR_KIND_MAP) {
            continue;
        }
        ok = finder_map(&f, map);
        size_t end = map + (size_t)f.nodes[map].v.u;
        for (size_t key = map + 1; ok && key < end && key < best;) {
            size_t found = key;
            ok = find(&f, map, key, false, &found);
            if (found != key) {
                best = key; /* what lies behind can't be the first any more */
            }
            key += (size_t)tape_span(f.nodes + key);
            key += (size_t)tape_span(f.nodes + key);
        }
    }
    finder_end(&f);
    *second = ok && best < doc->node_count ? f.nodes + best : NULL;
    return ok ? WEIR_E_NONE : WEIR_E_MEMORY;
}

/* ---- leaving entries out ---- */

static bool drop(struct finder *f, size_t key)
{
    size_t bytes = f->node_count / 8 + 1;
    if (!f->dropped) {
        f->dropped = memory_get(f->allocator, bytes);
        if (!f->dropped) {
            return false;
        }
        memset(f->dropped, 0, bytes);
    }
    f->dropped[key / 8] |= (uint8_t)(1u << key % 8);
    return true;
}

static bool dedupe_map(struct finder *f, weir_val *map_node, bool last)
{
    size_t map = (size_t)(map_node - f->nodes), end = map + (size_t)map_node->v.u;
    uint64_t gone = 0;
    if (!finder_map(f, map)) {
        return false;
    }
    for (size_t key = map + 1; key < end;) {
        size_t found;
        if (!find(f, map, key, last, &found)) {
            return false;
        }
        if (found != key) {
            gone++;
            if (!drop(f, last ? found : key)) {
                return false;
            }
        }
        key += (size_t)tape_span(f->nodes + key);
        key += (size_t)tape_span(f->nodes + key);
    }
    map_node->tag -= gone << 8;
    return true;
}

/* place[i] becomes the number of nodes before i that stay. */
static void count_kept(const struct finder *f, size_t *place)
{
    size_t kept = 0;
    for (size_t i = 0; i < f->node_count;) {
        if (!is_dropped(f, i)) {
            place[i++] = kept++;
            continue;
        }
        size_t value = i + (size_t)tape_span(f->nodes + i), end = value + (size_t)tape_span(f->nodes + value);
        while (i < end) {
            place[i++] = kept;
        }
    }
    place[f->node_count] = kept;
}

/* Moves what stays together; a container's new span is the number of its nodes that stay. */
static void compact(weir_doc *doc, const size_t *place)
{
    weir_val *nodes = doc_nodes(doc);
    for (size_t i = 0; i < doc->node_count; i++) {
        size_t to = place[i];
        if (place[i + 1] == to) {
            continue;
        }
        weir_val node = nodes[i];
        if (tape_is_container(tape_kind(&node))) {
            node.v.u = place[i + (size_t)node.v.u] - to;
        } else if (tape_is_text(tape_kind(&node))) {
            node.v.i += (int64_t)((i - to) * sizeof node);
        }
        nodes[to] = node;
        if (doc->spans) {
            doc->spans[to] = doc->spans[i];
        }
    }
    doc->node_count = place[doc->node_count];
}

weir_code doc_dedupe(weir_doc *doc, weir_duplicates policy)
{
    struct finder f;
    weir_val *nodes = doc_nodes(doc);
    bool ok = true;
    finder_begin(&f, doc);
    for (size_t i = 0; ok && i < f.node_count; i++) {
        if (tape_kind(nodes + i) == WEIR_KIND_MAP) {
            ok = dedupe_map(&f, nodes + i, policy == WEIR_DUPLICATES_LAST);
        }
    }
    if (ok && f.dropped) {
        size_t bytes = (f.node_count + 1) * sizeof(size_t);
        size_t *place = memory_get(f.allocator, bytes);
        ok = place != NULL;
        if (ok) {
            count_kept(&f, place);
            compact(doc, place);
            memory_put(f.allocator, place, bytes);
        }
    }
    finder_end(&f);
    return ok ? WEIR_E_NONE : WEIR_E_MEMORY;
}
