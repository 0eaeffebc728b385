/* The next document of a reader.
 *
 * Duplicate keys: the reader has seen to scalar keys under FIRST and REJECT. LAST needs the whole document,
 * and so do keys that are containers; a duplicate among these is found at the document's end, and reported at
 * its place. */
#include "flow/path.h"
#include "flow/reader_priv.h"
#include "value/build.h"
#include "value/dedupe.h"

/* The memory that the document may take, from the bytes that have been read. */
static uint64_t allowance(void *context)
{
    const weir_reader *r = context;
    return account_memory(&r->account.limit, r->in.base + (uint64_t)(r->in.end - r->in.start));
}

static void fail_build(weir_reader *r, const struct builder *b, uint64_t offset)
{
    if (b->failure == WEIR_E_LIMIT_MEMORY) {
        reader_fail_point(r, WEIR_RESOURCE_MEMORY, b->limit, b->needed, offset);
    } else {
        reader_fail(r, b->failure, offset);
    }
}

/* Where the keys that are containers (or tagged) stood, by their nodes. */
struct key_places {
    struct key_place {
        size_t node;
        uint64_t offset;
    } * base;
    size_t size, cap;
};

static bool note_key_place(const weir_reader *r, struct key_places *places, size_t node, uint64_t offset)
{
    if (!memory_grow_array(r->options.allocator, &places->base, &places->cap, places->size + 1,
                           sizeof *places->base)) {
        return false;
    }
    places->base[places->size++] = (struct key_place){node, offset};
    return true;
}

static bool find_key_place(const struct key_places *places, size_t node, uint64_t *offset)
{
    size_t low = 0, high = places->size;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (places->base[middle].node < node) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low == places->size || places->base[low].node != node) {
        return false;
    }
    *offset = places->base[low].offset;
    return true;
}

/* Applies the policy to what the reader could not see. false: the reader has the error. */
static bool settle_duplicates(weir_reader *r, weir_doc *doc, bool container_keys,
                              const struct key_places *places)
{
    weir_duplicates policy = r->options.duplicates;
    if (policy == WEIR_DUPLICATES_KEEP || (policy != WEIR_DUPLICATES_LAST && !container_keys)) {
        return true;
    }
    uint64_t offset = weir_reader_offset(r);
    weir_code code = WEIR_E_NONE;
    if (policy == WEIR_DUPLICATES_REJECT) {
        const weir_val *second;
        code = doc_find_duplicate(doc, &second);
        if (second) {
            find_key_place(places, (size_t)(second - doc_nodes(doc)), &offset);
            code = r->format->duplicate_key;
        }
    } else {
        code = doc_dedupe(doc, policy);
    }
    return code == WEIR_E_NONE || reader_fail(r, code, offset);
}

enum outcome { OUTCOME_DOC, OUTCOME_END, OUTCOME_FAILED };

/* Events until the document's end, or the stream's. */
static enum outcome read_one(weir_reader *r, struct builder *b, struct key_places *places, weir_doc **doc)
{
    const weir_event *event;
    const bool reject = r->options.duplicates == WEIR_DUPLICATES_REJECT;
    places->size = 0;
    while ((event = weir_reader_next(r))) {
        if (event->kind == WEIR_KIND_END_STREAM) {
            return OUTCOME_END;
        }
        if (event->kind != WEIR_KIND_END_DOCUMENT) {
            if (reject && event->is_key && tape_is_container((weir_kind)event->kind) &&
                !note_key_place(r, places, b->count, event->offset)) {
                reader_fail(r, WEIR_E_MEMORY, event->offset);
                return OUTCOME_FAILED;
            }
            if (!builder_event(b, event)) {
                fail_build(r, b, event->offset);
                return OUTCOME_FAILED;
            }
        } else if (b->count) {
            bool container_keys = b->container_keys;
            *doc = builder_finish(b);
            if (!*doc) {
                fail_build(r, b, event->offset);
                return OUTCOME_FAILED;
            }
            if (!settle_duplicates(r, *doc, container_keys, places)) {
                weir_doc_free(*doc);
                *doc = NULL;
                r->error.document--; /* the reader has counted it */
                return OUTCOME_FAILED;
            }
            return OUTCOME_DOC;
        } /* else the caller has read the root by events */
    }
    return OUTCOME_FAILED;
}

/* After a failure: reports it and goes to the next record, if that was asked for. */
static bool skip_record(weir_reader *r)
{
    weir_error bad = r->error;
    weir_category category = weir_code_category(bad.code);
    if (!(r->options.flags & WEIR_SKIP_BAD) || !(r->format->caps & WEIR_CAP_RECORDS) ||
        bad.code == WEIR_E_LIMIT_INPUT || bad.code == WEIR_E_LIMIT_DOCUMENTS ||
        category == WEIR_CATEGORY_MEMORY || category == WEIR_CATEGORY_IO) {
        return false;
    }
    if (r->phase == READER_BETWEEN && r->event.kind == WEIR_KIND_END_DOCUMENT &&
        bad.document < r->documents) {
        memset(&r->error, 0, sizeof r->error); /* the record itself was read to its end */
    } else if (!reader_resync(r)) {
        if (!r->in.failed) {
            r->error = bad;
            return false;
        }
        reader_fail_short(r, WEIR_E_READ); /* the input failed while the record's end was looked for */
    }
    if (r->options.on_bad_record) {
        r->options.on_bad_record(r->options.context, &bad);
    }
    return r->error.code == WEIR_E_NONE;
}

weir_doc *weir_read_doc(weir_reader *r, weir_error *error)
{
    error_set(error, WEIR_E_NONE);
    if (!r || (r->error.code == WEIR_E_NONE && r->phase == READER_INSIDE)) {
        error_set(error,
                  r ? WEIR_E_PROTOCOL : WEIR_E_ARGUMENT); /* in the middle of a document read by events */
        return NULL;
    }
    struct builder builder;
    builder_init(&builder, r->options.allocator, r->options.flags, allowance(r));
    builder.allowance = allowance;
    builder.context = r;
    struct key_places places = {0};
    weir_doc *doc = NULL;
    enum outcome outcome;
    while ((outcome = read_one(r, &builder, &places, &doc)) == OUTCOME_FAILED && skip_record(r)) {
        builder_reset(&builder);
    }
    if (outcome == OUTCOME_FAILED && error) {
        *error = r->error;
    }
    memory_put(r->options.allocator, places.base, places.cap * sizeof *places.base);
    builder_free(&builder);
    return doc;
}
