/* weir_convert: from bytes to bytes in one call, document by document. */
#include "flow/account.h"
#include "flow/path.h"
#include "flow/reader_priv.h"
#include "flow/writer_priv.h"
#include "fused/stream.h"

/* Limits that sum up over the documents of a stream are kept by readers and writers. */
static bool sums_up(const weir_limits *limits)
{
    return limits->nodes != WEIR_UNSET || limits->payload != WEIR_UNSET || limits->documents != WEIR_UNSET;
}

static bool by_events(const weir_format *from, const void *data, size_t len, weir_writer *writer,
                      const weir_options *options, weir_error *error)
{
    weir_reader *reader = weir_reader_open(from, data, len, options, error);
    bool done = reader && weir_transcode(reader, writer, error);
    weir_reader_close(reader);
    return done;
}

static bool by_documents(const weir_format *from, const void *data, size_t len, weir_writer *writer,
                         const weir_options *options, weir_error *error)
{
    weir_stream *stream = stream_open_memory(from, data, len, options, error);
    if (!stream) {
        return false;
    }
    bool done = true;
    const weir_doc *doc;
    while (done && (doc = weir_stream_next(stream, error))) {
        if (!weir_writer_put(writer, weir_doc_root(doc))) {
            *error = *weir_writer_error(writer);
            done = false;
        }
    }
    weir_stream_close(stream);
    return done && error->code == WEIR_E_NONE;
}

static bool by_one_document(const weir_format *from, const void *data, size_t len, weir_writer *writer,
                            const weir_options *options, weir_error *error)
{
    weir_doc *doc = weir_parse(from, data, len, options, error);
    if (!doc) {
        return false;
    }
    bool done = weir_writer_put(writer, weir_doc_root(doc));
    if (!done) {
        *error = *weir_writer_error(writer);
    }
    weir_doc_free(doc);
    return done;
}

bool weir_convert(const weir_format *from, const void *data, size_t len, const weir_format *to,
                  const weir_options *given, weir_buffer *out, weir_error *error)
{
    weir_error ignored;
    error = error ? error : &ignored;
    error_set(error, WEIR_E_NONE);
    if (!from || !to || !out || (!data && len)) {
        error_set(error, WEIR_E_ARGUMENT);
        return false;
    }
    weir_options options;
    options_resolve(&options, given);
    if (len > options.limits.input) { /* charged whole, before anything is looked at */
        account_sum_error(error, WEIR_RESOURCE_INPUT, options.limits.input, 0, len);
        return false;
    }
    size_t before = out->len;
    weir_writer *writer = weir_writer_open(to, out, &options, error);
    if (!writer) {
        return false;
    }
    bool many = (weir_format_caps(from) & WEIR_CAP_STREAM) || (options.flags & WEIR_MULTI), done;
    if (sums_up(&options.limits) && options.duplicates != WEIR_DUPLICATES_LAST) {
        done = by_events(from, data, len, writer, &options, error);
    } else if (many) {
        done = by_documents(from, data, len, writer, &options, error);
    } else {
        done = by_one_document(from, data, len, writer, &options, error);
    }
    if (done && !weir_writer_finish(writer)) {
        *error = *weir_writer_error(writer);
        done = false;
    }
    weir_writer_close(writer);
    if (!done && out->data) {
        out->len = before;
        out->data[before] = '\0';
    }
    return done;
}
