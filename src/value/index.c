/* The side table of a document: where the elements of arrays begin, hash tables for the string keys of maps.
 *
 * table[i] of a container i is where its part of `cells` begins. Arrays whose elements are all one node wide
 * and maps of few entries have none: looking into the document itself is as quick. A hash table has a power
 * of two of cells, at least twice the entries; a cell holds 24 bits of the hash above the index of the key +
 * 1, or 0. */
#include "base/hash.h"
#include "flow/path.h"
#include "value/doc.h"

enum { SMALL_MAP = 8 };

#define NO_TABLE SIZE_MAX
#define CELL_KEY ((UINT64_C(1) << 40) - 1)

struct weir_index {
    weir_allocator allocator;
    const weir_val *nodes;
    size_t node_count, cell_count, size;
    uint64_t seed;
    size_t *table;
    uint64_t *cells;
};

static uint64_t hash_cells(uint64_t entries)
{
    uint64_t cells = 32;
    while (cells / 2 < entries) {
        cells *= 2;
    }
    return cells;
}

/* Cells that a container's table takes. */
static uint64_t cells_of(const weir_val *node)
{
    uint64_t count = tape_length(node);
    switch (tape_kind(node)) {
    case WEIR_KIND_ARRAY:
        return node->v.u == count + 1 ? 0 : count;
    case WEIR_KIND_MAP:
        return count <= SMALL_MAP ? 0 : hash_cells(count);
    default:
        return 0;
    }
}

static inline bool key_is(const weir_val *key, const char *text, size_t len)
{
    return tape_kind(key) == WEIR_KIND_STRING && tape_length(key) == len &&
           memcmp(tape_text(key), text, len) == 0;
}

/* The cell of a key, or the free one where it would be. */
static uint64_t *find_cell(const weir_index *index, size_t map, const char *text, size_t len, uint64_t hash)
{
    uint64_t *cells = index->cells + index->table[map];
    size_t mask = (size_t)hash_cells(tape_length(index->nodes + map)) - 1;
    size_t at = (size_t)hash & mask;
    for (; cells[at]; at = (at + 1) & mask) {
        if ((cells[at] ^ hash) >> 40 == 0 && key_is(index->nodes + (cells[at] & CELL_KEY) - 1, text, len)) {
            break;
        }
    }
    return cells + at;
}

static void fill_map(weir_index *index, size_t map)
{
    const weir_val *nodes = index->nodes;
    for (size_t key = map + 1, end = map + (size_t)nodes[map].v.u; key < end;) {
        if (tape_kind(nodes + key) == WEIR_KIND_STRING) {
            const char *text = tape_text(nodes + key);
            size_t len = (size_t)tape_length(nodes + key);
            uint64_t hash = hash_bytes(text, len, index->seed);
            uint64_t *cell = find_cell(index, map, text, len, hash);
            if (!*cell) { /* the first entry of a name is the one that is found */
                *cell = (hash & ~CELL_KEY) | (uint64_t)(key + 1);
            }
        }
        key += (size_t)tape_span(nodes + key);
        key += (size_t)tape_span(nodes + key);
    }
}

static void fill_array(weir_index *index, size_t array)
{
    uint64_t *cell = index->cells + index->table[array];
    for (size_t child = array + 1, end = array + (size_t)index->nodes[array].v.u; child < end;) {
        *cell++ = child;
        child += (size_t)tape_span(index->nodes + child);
    }
}

static void fill(weir_index *index)
{
    size_t next = 0;
    memset(index->cells, 0, index->cell_count * sizeof *index->cells);
    for (size_t i = 0; i < index->node_count; i++) {
        size_t cells = (size_t)cells_of(index->nodes + i);
        index->table[i] = cells ? next : NO_TABLE;
        next += cells;
        if (cells && tape_kind(index->nodes + i) == WEIR_KIND_MAP) {
            fill_map(index, i);
        } else if (cells) {
            fill_array(index, i);
        }
    }
}

/* header | cells | table */
static bool layout(const weir_doc *doc, uint64_t *cells, uint64_t *size)
{
    *cells = 0;
    for (size_t i = 0; i < doc->node_count; i++) {
        *cells += cells_of(doc_nodes(doc) + i); /* at most 4 for each node, or 32 for nine */
    }
    return !__builtin_mul_overflow(*cells, sizeof(uint64_t), size) &&
           !__builtin_add_overflow(*size, sizeof(weir_index) + (uint64_t)doc->node_count * sizeof(size_t),
                                   size) &&
           *size <= PTRDIFF_MAX;
}

weir_index *weir_index_new(const weir_doc *doc, const weir_options *options, weir_error *error)
{
    weir_options resolved;
    options_resolve(&resolved, options);
    error_set(error, WEIR_E_NONE);
    if (!doc) {
        return doc_fail(error, WEIR_E_ARGUMENT);
    }
    uint64_t cells, size, limit = account_memory(&resolved.limits, doc->block_size);
    if (!layout(doc, &cells, &size)) {
        return doc_fail(error, WEIR_E_MEMORY);
    }
    if (size > limit) {
        return doc_fail_memory_limit(error, limit, size);
    }
    weir_index *index = memory_get(resolved.allocator, (size_t)size);
    if (!index) {
        return doc_fail(error, WEIR_E_MEMORY);
    }
    index->allocator = *memory_allocator(resolved.allocator);
    index->nodes = doc_nodes(doc);
    index->node_count = doc->node_count;
    index->cell_count = (size_t)cells;
    index->size = (size_t)size;
    index->seed = hash_seed();
    index->cells = (uint64_t *)(void *)(index + 1);
    index->table = (size_t *)(void *)(index->cells + cells);
    fill(index);
    return index;
}

void weir_index_free(weir_index *index)
{
    if (index) {
        weir_allocator allocator = index->allocator;
        memory_put(&allocator, index, index->size);
    }
}

/* The number of a node of the indexed document that has a table, or NO_TABLE. */
static size_t with_table(const weir_index *index, const weir_val *val, weir_kind kind)
{
    if (!index || !weir_val_is(val, kind)) {
        return NO_TABLE;
    }
    size_t at = (size_t)(((uintptr_t)val - (uintptr_t)index->nodes) / sizeof *val);
    return at < index->node_count && index->table[at] != NO_TABLE ? at : NO_TABLE;
}

const weir_val *weir_index_at(const weir_index *index, const weir_val *array, size_t position)
{
    size_t at = with_table(index, array, WEIR_KIND_ARRAY);
    if (at == NO_TABLE) {
        return weir_at(array, position);
    }
    return position < tape_length(array) ? index->nodes + index->cells[index->table[at] + position] : NULL;
}

const weir_val *weir_index_get(const weir_index *index, const weir_val *map, const char *key, size_t len)
{
    size_t at = with_table(index, map, WEIR_KIND_MAP);
    if (at == NO_TABLE) {
        return weir_getn(map, key, len);
    }
    if (!key && len) {
        return NULL;
    }
    uint64_t cell = *find_cell(index, at, key ? key : "", len, hash_bytes(key ? key : "", len, index->seed));
    if (!cell) {
        return NULL;
    }
    const weir_val *found = index->nodes + (cell & CELL_KEY) - 1;
    return found + tape_span(found);
}
