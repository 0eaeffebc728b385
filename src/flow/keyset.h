/* The keys of all maps that are open, to find duplicates while reading events. Linear time: the hash is
 * seeded, and a map's keys leave when it ends. Only scalar keys take part; documents compare keys of any
 * kind. */
#ifndef FLOW_KEYSET_H
#define FLOW_KEYSET_H

#include "weir/event.h"
#include "weir/memory.h"

struct keyset;

enum keyset_result { KEYSET_NEW, KEYSET_DUPLICATE, KEYSET_MEMORY };

struct keyset *keyset_new(const weir_allocator *allocator);
void keyset_free(struct keyset *set);
/* A map begins (false: out of memory), ends; everything is forgotten. */
bool keyset_open(struct keyset *set);
void keyset_close(struct keyset *set);
void keyset_reset(struct keyset *set);
/* Is this a key that the set can tell apart? */
bool keyset_takes(const weir_event *key);
enum keyset_result keyset_add(struct keyset *set, const weir_event *key);

#endif
