/* A walk over a value as the events of a reader. Its stack lives on the heap: depth costs memory, never C
 * stack. */
#ifndef VALUE_WALK_H
#define VALUE_WALK_H

#include "value/tape.h"

struct walk_frame {
    const weir_val *end;
    bool map;
    bool value; /* map: the next child is a value */
};

struct walk {
    const weir_val *at, *end;
    const weir_allocator *allocator;
    struct walk_frame *open;
    size_t size, cap;
    bool under_tag; /* the next node belongs to the tag before it */
    bool key;       /* the root itself is a key */
};

enum walk_step { WALK_EVENT, WALK_DONE, WALK_MEMORY };

void walk_begin(struct walk *walk, const weir_val *root, const weir_allocator *allocator);
/* Fills in the next event; its text points into the document. */
enum walk_step walk_next(struct walk *walk, weir_event *event);
void walk_free(struct walk *walk);

#endif
