/* A reader over a value: the events that a format would give, under the same limits. */
#include "flow/reader_priv.h"
#include "value/doc.h"
#include "value/walk.h"

struct val_reader {
    const weir_val *val;
    struct walk walk;
    bool given;
};

static enum reader_start val_start(weir_reader *r)
{
    struct val_reader *state = r->state;
    if (state->given) {
        return READER_START_END;
    }
    state->given = true;
    return READER_START_DOCUMENT;
}

/* Depth counts from the node; keys are admitted by their own limits. */
static bool admit(weir_reader *r, const weir_event *event)
{
    if (event->is_key) {
        return tape_is_container((weir_kind)event->kind) || reader_key(r, event->len, 0);
    }
    if (!reader_value(r, 0)) {
        return false;
    }
    switch (event->kind) {
    case WEIR_KIND_STRING:
    case WEIR_KIND_BYTES:
    case WEIR_KIND_SECRET:
        return reader_string(r, event->len, 0);
    case WEIR_KIND_NUMBER:
        return reader_number(r, event->len, 0);
    case WEIR_KIND_ARRAY:
    case WEIR_KIND_MAP:
    case WEIR_KIND_TAGGED:
        return true; /* reader_begin and reader_tag count them */
    default:
        return reader_scalar(r, 0);
    }
}

static bool val_next(weir_reader *r)
{
    struct val_reader *state = r->state;
    weir_event event;
    if (walk_next(&state->walk, &event) != WALK_EVENT) {
        return reader_fail(r, WEIR_E_MEMORY, 0);
    }
    weir_kind kind = (weir_kind)event.kind;
    if (kind == WEIR_KIND_END) {
        reader_end(r, 0);
        return true;
    }
    const struct frame *top = frames_top(&r->stack);
    bool entry_value = top && frame_kind(top) == WEIR_KIND_MAP && !event.is_key;
    if ((!entry_value && !reader_child(r, 0)) || !admit(r, &event)) {
        return false;
    }
    bool ok = true;
    if (kind == WEIR_KIND_TAGGED) {
        ok = reader_tag(r, event.v.u, event.text, event.len, 0);
    } else if (kind == WEIR_KIND_ARRAY || kind == WEIR_KIND_MAP) {
        ok = reader_begin(r, kind, event.count, 0);
    } else {
        weir_event *out = reader_event(r, kind, 0);
        out->width = event.width;
        out->plain = event.plain;
        out->text = event.text;
        out->len = event.len;
        out->v = event.v;
    }
    r->event.borrowed = r->event.text != NULL; /* the value outlives the reader */
    return ok;
}

static bool val_finish(weir_reader *r)
{
    (void)r;
    return true;
}

static void val_close(weir_reader *r)
{
    struct val_reader *state = r->state;
    if (state->val) {
        walk_free(&state->walk);
    }
}

static const struct reader_ops val_reader_ops = {
    .state_size = sizeof(struct val_reader),
    .start = val_start,
    .next = val_next,
    .finish = val_finish,
    .close = val_close,
};

static const weir_format val_reader_format = {
    .name = "value",
    .summary = "a value in memory",
    .caps = WEIR_CAP_READ | WEIR_CAP_ANY_ROOT | WEIR_CAP_BYTES | WEIR_CAP_TIMESTAMP | WEIR_CAP_NONFINITE |
            WEIR_CAP_ANY_KEY | WEIR_CAP_NUMBER | WEIR_CAP_TAG_NUMBER | WEIR_CAP_TAG_NAME | WEIR_CAP_NULL |
            WEIR_CAP_DUPLICATES | WEIR_CAP_WIDTHS | WEIR_CAP_SECRET,
    .reader = &val_reader_ops,
    .duplicate_key = WEIR_E_LOSS_DUPLICATE,
};

weir_reader *weir_reader_open_val(const weir_val *val, const weir_options *options, weir_error *error)
{
    if (!val) {
        return doc_fail(error, WEIR_E_ARGUMENT);
    }
    if (options && options->duplicates == WEIR_DUPLICATES_LAST) {
        /* Which entry is the last is known at the map's end only, after the others' events. */
        return doc_fail(error, WEIR_E_UNSUPPORTED);
    }
    weir_reader *r = reader_new(&val_reader_format, &val_reader_ops, options, error);
    if (!r) {
        return NULL;
    }
    input_from_memory(&r->in, "", 0);
    if (r->options.limits.memory == WEIR_MEMORY_AUTO) {
        /* No input that it could be a multiple of; a document read from here is no larger than the value. */
        r->options.limits.memory = r->account.limit.memory = WEIR_UNSET;
    }
    struct val_reader *state = r->state;
    state->val = val;
    walk_begin(&state->walk, val, r->options.allocator);
    return r;
}
