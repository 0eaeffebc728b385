/* The pump: everything that a reader gives, into a writer. */
#include "flow/reader_priv.h"
#include "flow/writer_priv.h"
#include "value/tape.h"
#include "weir/convert.h"

static bool fail(weir_error *error, const weir_error *cause)
{
    if (error) {
        *error = *cause;
    }
    return false;
}

/* Document by document: where a bad record may be skipped, the writer must not see a part of it. */
static bool pump_documents(weir_reader *reader, weir_writer *writer, weir_error *error)
{
    for (;;) {
        weir_error cause;
        weir_doc *doc = weir_read_doc(reader, &cause);
        if (!doc) {
            return cause.code == WEIR_E_NONE ? true : fail(error, &cause);
        }
        bool put = weir_writer_put(writer, weir_doc_root(doc));
        weir_doc_free(doc);
        if (!put) {
            return fail(error, weir_writer_error(writer));
        }
    }
}

static bool pump_events(weir_reader *reader, weir_writer *writer, weir_error *error)
{
    const weir_event *event;
    while ((event = weir_reader_next(reader))) {
        if (event->kind == WEIR_KIND_END_STREAM) {
            return true;
        }
        if (event->kind != WEIR_KIND_END_DOCUMENT && !writer_put_event(writer, event)) {
            return fail(error, weir_writer_error(writer));
        }
    }
    return fail(error, weir_reader_error(reader));
}

bool weir_transcode(weir_reader *reader, weir_writer *writer, weir_error *error)
{
    bool whole = reader->options.flags & WEIR_SKIP_BAD;
    bool done = whole ? pump_documents(reader, writer, error) : pump_events(reader, writer, error);
    if (!done) {
        return false;
    }
    return weir_writer_finish(writer) || fail(error, weir_writer_error(writer));
}
