/* Ordering the maps of a tree: each map's entries are a linked list that is merge-sorted from the bottom up;
 * then one scan from the root hands every node its place. */
#include "value/order.h"

bool order_begin(struct order *order, const weir_val *root, const weir_allocator *allocator)
{
    memset(order, 0, sizeof *order);
    order->root = root;
    order->allocator = allocator;
    uint64_t span = tape_span(root);
    if (span > PTRDIFF_MAX / sizeof(size_t)) {
        return false;
    }
    order->first = memory_get(allocator, (size_t)span * sizeof(size_t));
    order->next = memory_get(allocator, (size_t)span * sizeof(size_t));
    if (!order->first || !order->next) {
        order_end(order);
        return false;
    }
    return true;
}

void order_end(struct order *order)
{
    size_t bytes = (size_t)tape_span(order->root) * sizeof(size_t);
    memory_put(order->allocator, order->first, bytes);
    memory_put(order->allocator, order->next, bytes);
    order->first = order->next = NULL;
}

/* Links the entries as they stand; true if they are in order already. */
static bool link_entries(struct order *order, size_t map, order_compare compare, void *context)
{
    size_t end = map + (size_t)order->root[map].v.u, last = ORDER_NONE;
    bool sorted = true;
    order->first[map] = ORDER_NONE;
    for (size_t key = map + 1; key < end;) {
        if (last == ORDER_NONE) {
            order->first[map] = key;
        } else {
            order->next[last] = key;
            sorted = sorted && compare(context, last, key) <= 0;
        }
        order->next[key] = ORDER_NONE;
        last = key;
        key += (size_t)tape_span(order->root + key);
        key += (size_t)tape_span(order->root + key);
    }
    return sorted;
}

/* Merges runs of `width` entries pairwise; returns the new head, *merges tells how many pairs there were. */
static size_t merge_runs(struct order *order, size_t head, size_t width, size_t *merges,
                         order_compare compare, void *context)
{
    size_t *next = order->next;
    size_t left = head, tail = ORDER_NONE;
    head = ORDER_NONE;
    *merges = 0;
    while (left != ORDER_NONE) {
        size_t right = left, left_size = 0, right_size = width;
        while (left_size < width && right != ORDER_NONE) {
            left_size++;
            right = next[right];
        }
        while (left_size || (right_size && right != ORDER_NONE)) {
            size_t take;
            if (left_size && (!right_size || right == ORDER_NONE || compare(context, left, right) <= 0)) {
                take = left;
                left = next[left];
                left_size--;
            } else {
                take = right;
                right = next[right];
                right_size--;
            }
            if (tail == ORDER_NONE) {
                head = take;
            } else {
                next[tail] = take;
            }
            tail = take;
        }
        left = right;
        ++*merges;
    }
    next[tail] = ORDER_NONE;
    return head;
}

void order_maps(struct order *order, order_compare compare, void *context)
{
    for (size_t i = (size_t)tape_span(order->root); i-- > 0;) {
        if (tape_kind(order->root + i) == WEIR_KIND_MAP && !link_entries(order, i, compare, context)) {
            size_t merges = 2;
            for (size_t width = 1; merges > 1; width *= 2) {
                order->first[i] = merge_runs(order, order->first[i], width, &merges, compare, context);
            }
        }
    }
}

const size_t *order_places(struct order *order)
{
    const weir_val *root = order->root;
    size_t span = (size_t)tape_span(root), *place = order->next;
    place[0] = 0;
    for (size_t i = 0; i < span; i++) {
        if (!tape_is_container(tape_kind(root + i))) {
            continue;
        }
        size_t at = place[i] + 1;
        if (tape_kind(root + i) == WEIR_KIND_MAP) {
            for (size_t key = order->first[i]; key != ORDER_NONE;) {
                size_t following = order->next[key]; /* the same slot as its place */
                size_t value = key + (size_t)tape_span(root + key);
                place[key] = at;
                place[value] = at + (value - key);
                at = place[value] + (size_t)tape_span(root + value);
                key = following;
            }
        } else {
            for (size_t child = i + 1, end = i + (size_t)root[i].v.u; child < end;) {
                place[child] = at;
                at += (size_t)tape_span(root + child);
                child += (size_t)tape_span(root + child);
            }
        }
    }
    return place;
}
