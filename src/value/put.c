/* Values as events into a writer. */
#include "value/put.h"

#include "flow/writer_priv.h"
#include "value/walk.h"

bool writer_put_val(weir_writer *w, const weir_val *val)
{
    struct walk walk;
    weir_event event;
    walk_begin(&walk, val, w->options.allocator);
    walk.key = frames_want_key(&w->stack) && w->dropped == DROPPED_NONE;
    enum walk_step step;
    bool ok = true;
    while (ok && (step = walk_next(&walk, &event)) != WALK_DONE) {
        ok = step == WALK_EVENT ? writer_put_event(w, &event) : writer_fail(w, WEIR_E_MEMORY);
    }
    walk_free(&walk);
    return ok;
}
