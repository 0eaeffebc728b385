/* weir_write_val and weir_writer_put: whole values, by the fused writer of the format when it has one. */
#include "fused/write.h"

#include "flow/path.h"
#include "flow/writer_priv.h"
#include "fused/parse.h"
#include "value/collect.h"
#include "value/put.h"
#include "value/sort.h"
#include "weir/convert.h"

/* Limits that sum up over documents are kept by the generic writer. */
static bool limits_are_points(const weir_limits *limits)
{
    return limits->nodes == WEIR_UNSET && limits->payload == WEIR_UNSET && limits->output == WEIR_UNSET;
}

/* One value into a writer that passes events on directly. */
static bool put_direct(weir_writer *w, const weir_val *val)
{
    fused_write *fused = fused_writer_of(w->format, &w->options);
    if (!fused || w->stack.size > 0 || w->phase != WRITER_BETWEEN || !limits_are_points(&w->options.limits)) {
        return writer_put_val(w, val);
    }
    if (!writer_begin_whole(w)) {
        return false;
    }
    struct fused_limits limits = fused_limits_of(&w->options.limits);
    switch (fused(val, &w->options, &limits, w->out)) {
    case FUSED_OK:
        return writer_end_whole(w);
    case FUSED_MEMORY:
        return writer_fail(w, WEIR_E_MEMORY);
    default:
        return writer_put_val(w, val);
    }
}

bool weir_writer_put(weir_writer *w, const weir_val *val)
{
    if (w->error.code != WEIR_E_NONE) {
        return false;
    }
    if (!val) {
        return writer_fail(w, WEIR_E_ARGUMENT);
    }
    weir_writer *target = collect_target(w);
    if (!target) {
        return put_direct(w, val);
    }
    weir_doc *sorted;
    weir_error error;
    if (!collect_in_order(target->format, &target->options, &val, &sorted, &error)) {
        error.document = w->documents;
        return writer_adopt_error(w, &error);
    }
    bool put = put_direct(target, val) || writer_adopt_error(w, weir_writer_error(target));
    weir_doc_free(sorted);
    w->documents += put;
    return put;
}

/* The general way, for one document. */
static bool write_general(const weir_format *format, const weir_val *val, const weir_options *options,
                          weir_buffer *out, weir_error *error)
{
    weir_writer *w = writer_open_direct(format, out, NULL, options, error);
    if (!w) {
        return false;
    }
    bool done = writer_put_val(w, val) && weir_writer_finish(w);
    if (!done) {
        *error = *weir_writer_error(w);
    }
    weir_writer_close(w);
    return done;
}

/* Formats whose document is the bare value can be written without a writer around it. */
static bool is_bare(const weir_format *format)
{
    return format == weir_json || format == weir_cbor || format == weir_msgpack;
}

ALWAYS_INLINE enum fused_result write_fused(const weir_format *format, const weir_val *val,
                                            const weir_options *options, weir_buffer *out)
{
    fused_write *fused =
        is_bare(format) && options->limits.documents > 0 ? fused_writer_of(format, options) : NULL;
    if (!fused) {
        return FUSED_REFUSED;
    }
    struct fused_limits limits = fused_limits_of(&options->limits);
    return fused(val, options, &limits, out);
}

/* The document in the order that the options ask for. */
static bool write_ordered(const weir_format *format, const weir_val *val, const weir_options *options,
                          weir_buffer *out, weir_error *error)
{
    weir_doc *sorted;
    if (!collect_in_order(format, options, &val, &sorted, error)) {
        return false;
    }
    enum fused_result result = write_fused(format, val, options, out);
    if (result == FUSED_MEMORY) {
        error_set(error, WEIR_E_MEMORY);
    }
    bool done =
        result == FUSED_OK || (result == FUSED_REFUSED && write_general(format, val, options, out, error));
    weir_doc_free(sorted);
    return done;
}

/* What the fused writer alone has not done; `tried` if its result is that. */
static NEVER_INLINE bool write_otherwise(const weir_format *format, const weir_val *val,
                                         const weir_options *given, weir_buffer *out, weir_error *error,
                                         bool tried, enum fused_result result)
{
    weir_error ignored;
    weir_options storage;
    error = error ? error : &ignored;
    error_set(error, WEIR_E_NONE);
    const weir_options *options = options_view(given, &storage);
    size_t before = out->len;
    bool done = false;
    if (tried && result == FUSED_MEMORY) {
        error_set(error, WEIR_E_MEMORY);
    } else if (tried) {
        done = write_general(format, val, options, out, error);
    } else {
        done = write_ordered(format, val, options, out, error);
    }
    if (!done && out->data) {
        out->len = before;
        out->data[before] = '\0';
    }
    return done;
}

bool weir_write_val(const weir_format *format, const weir_val *val, const weir_options *given,
                    weir_buffer *out, weir_error *error)
{
    if (unlikely(!format || !val || !out)) {
        error_set(error, WEIR_E_ARGUMENT);
        return false;
    }
    const weir_options *options = given ? given : &options_default;
    bool as_is = options->size >= sizeof *options && !(options->flags & (WEIR_CANONICAL | WEIR_SORT_KEYS));
    enum fused_result result = FUSED_REFUSED;
    if (likely(as_is)) {
        result = write_fused(format, val, options, out);
        if (likely(result == FUSED_OK)) {
            error_set(error, WEIR_E_NONE);
            return true;
        }
    }
    return write_otherwise(format, val, options, out, error, as_is, result);
}
