/* Opening writers. Formats that need counts or order in advance, and options that do, get each document
 * collected on a tape first; a finished one goes into the real writer in one go. */
#include "value/collect.h"
#include "flow/path.h"
#include "flow/writer_priv.h"
#include "value/build.h"
#include "value/sort.h"

struct collect {
    struct builder builder;
    weir_writer *target;
};

static bool fail_builder(weir_writer *w, const struct builder *b)
{
    return b->failure == WEIR_E_LIMIT_MEMORY ? writer_fail_point(w, WEIR_RESOURCE_MEMORY, b->limit, b->needed)
                                             : writer_fail(w, b->failure);
}

static bool collect_event(weir_writer *w, const weir_event *event)
{
    struct collect *collect = w->state;
    return builder_event(&collect->builder, event) || fail_builder(w, &collect->builder);
}

static bool collect_end(weir_writer *w)
{
    struct collect *collect = w->state;
    weir_doc *doc = builder_finish(&collect->builder);
    if (!doc) {
        return fail_builder(w, &collect->builder);
    }
    weir_writer *target = collect->target;
    const weir_val *root = weir_doc_root(doc);
    weir_doc *sorted;
    weir_error error;
    bool put = false;
    if (!collect_in_order(target->format, &target->options, &root, &sorted, &error)) {
        error.document = w->documents;
        writer_adopt_error(w, &error);
    } else {
        put = weir_writer_put(target, root) || writer_adopt_error(w, weir_writer_error(target));
        weir_doc_free(sorted);
    }
    weir_doc_free(doc);
    return put;
}

static bool collect_finish(weir_writer *w)
{
    struct collect *collect = w->state;
    return weir_writer_finish(collect->target) || writer_adopt_error(w, weir_writer_error(collect->target));
}

static void collect_close(weir_writer *w)
{
    struct collect *collect = w->state;
    builder_free(&collect->builder);
    weir_writer_close(collect->target);
}

static const struct writer_ops collect_ops = {
    .state_size = sizeof(struct collect),
    .event = collect_event,
    .end_document = collect_end,
    .finish = collect_finish,
    .close = collect_close,
};

/* Stands for the target while it is collected: takes everything that a tape holds. */
static const weir_format collect_format = {
    .name = "document",
    .caps = UINT32_MAX & ~(uint32_t)WEIR_CAP_TEXT,
};

enum sort_order collect_order(const weir_format *format, const weir_options *options)
{
    if (options->flags & WEIR_CANONICAL) {
        return format == weir_cbor ? SORT_CBOR : SORT_UTF16;
    }
    return options->flags & WEIR_SORT_KEYS ? SORT_BYTES : SORT_NONE;
}

bool collect_needed(const weir_format *format, const weir_options *options)
{
    return (format->caps & WEIR_CAP_COUNTS) || collect_order(format, options) != SORT_NONE;
}

bool collect_in_order(const weir_format *format, const weir_options *options, const weir_val **val,
                      weir_doc **sorted, weir_error *error)
{
    *sorted = NULL;
    enum sort_order order = collect_order(format, options);
    if (order == SORT_NONE) {
        return true;
    }
    bool duplicates = false;
    *sorted = doc_sorted(*val, order, options, &duplicates, error);
    if (!*sorted) {
        return false;
    }
    if (duplicates && (options->flags & WEIR_CANONICAL)) {
        weir_doc_free(*sorted);
        *sorted = NULL;
        error_set(error, WEIR_E_LOSS_DUPLICATE);
        return false;
    }
    *val = weir_doc_root(*sorted);
    return true;
}

static weir_writer *open_collecting(weir_writer *target, weir_error *error)
{
    /* The target holds the limits, so that the first fault of the document decides; here memory bounds what
     * is collected. */
    weir_options options = target->options;
    uint64_t memory = options.limits.memory;
    options.limits = weir_unlimited;
    weir_writer *w = writer_new(&collect_format, &collect_ops, &options, error);
    if (!w) {
        weir_writer_close(target);
        return NULL;
    }
    struct collect *collect = w->state;
    collect->target = w->target = target;
    builder_init(&collect->builder, options.allocator, 0, memory == WEIR_MEMORY_AUTO ? UINT64_MAX : memory);
    return w;
}

static weir_writer *open_writer(const weir_format *format, weir_buffer *out, const weir_sink *sink,
                                const weir_options *options, weir_error *error)
{
    weir_options resolved;
    options_resolve(&resolved, options);
    weir_writer *w = writer_open_direct(format, out, sink, options, error);
    return w && collect_needed(format, &resolved) ? open_collecting(w, error) : w;
}

weir_writer *collect_target(weir_writer *w)
{
    return w->ops == &collect_ops && w->phase == WRITER_BETWEEN ? ((struct collect *)w->state)->target : NULL;
}

weir_writer *weir_writer_open(const weir_format *format, weir_buffer *out, const weir_options *options,
                              weir_error *error)
{
    if (!out) {
        error_set(error, WEIR_E_ARGUMENT);
        return NULL;
    }
    return open_writer(format, out, NULL, options, error);
}

weir_writer *weir_writer_open_sink(const weir_format *format, weir_sink sink, const weir_options *options,
                                   weir_error *error)
{
    if (!sink.write) {
        error_set(error, WEIR_E_ARGUMENT);
        return NULL;
    }
    return open_writer(format, NULL, &sink, options, error);
}
