/* One input into one writer: streams document by document, a single document whole, or by events when it is
 * large. */
#include "transfer.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A single document up to this size is parsed whole, which is fastest; a larger one that the target can take
 * by events passes through in constant memory. */
#define WHOLE_MAX ((size_t)64 << 20)

bool transfer_is_stream(const struct cli *cli, const weir_format *from)
{
    return !cli->single && (cli->multi || (weir_format_caps(from) & WEIR_CAP_STREAM));
}

void transfer_default_input(struct cli *cli)
{
    static const char *const standard_input[] = {"-"};
    if (cli->file_count == 0) {
        cli->files = standard_input;
        cli->file_count = 1;
    }
}

static enum exit_code open_writer(struct transfer *t, bool buffered)
{
    weir_options options = t->cli->options;
    options.limits.memory = WEIR_UNSET; /* of what is read */
    options.flags |= buffered ? WEIR_BUFFERED : 0;
    if (options.limits.output != WEIR_UNSET) { /* of all writers together */
        options.limits.output -=
            t->out->written < options.limits.output ? t->out->written : options.limits.output;
    }
    weir_error error;
    t->writer = weir_writer_open_sink(t->to, output_sink(t->out), &options, &error);
    t->finished = false;
    return t->writer ? EXIT_DONE : diagnose(t->cli, t->out->name, t->to, &error, NULL);
}

enum exit_code transfer_begin(struct transfer *t, struct cli *cli, const weir_format *to,
                              struct output_file *out)
{
    *t = (struct transfer){.cli = cli, .to = to, .out = out};
    bool canonical = to == weir_json || to == weir_ndjson || to == weir_json_seq || to == weir_cbor;
    if ((cli->options.flags & WEIR_CANONICAL) && !canonical) {
        return complain(cli, EXIT_USAGE, "%s has no canonical form", weir_format_name(to));
    }
    /* In a stream nothing leaves of a document that fails. */
    return open_writer(t, cli->multi || (weir_format_caps(to) & WEIR_CAP_STREAM));
}

void transfer_close(struct transfer *t)
{
    weir_writer_close(t->writer);
    t->writer = NULL;
}

/* An error of the writer: of the output if writing failed, else about the input's content, at a line (0:
 * none) of it or in its document number `document` (from 0). */
static enum exit_code writer_failed(struct transfer *t, struct input_file *in, uint64_t line,
                                    uint64_t document)
{
    weir_error error = *weir_writer_error(t->writer);
    progress_hide(&in->progress);
    return error.code == WEIR_E_WRITE ? output_failed(t->out) : transfer_loss(t, in, &error, line, document);
}

enum exit_code transfer_loss(const struct transfer *t, const struct input_file *in, const weir_error *given,
                             uint64_t line, uint64_t document)
{
    weir_error error = *given;
    error.offset = WEIR_UNKNOWN; /* it was the output's */
    error.line = line;
    error.column = 0;
    if (!line && document > 0 && !error.detail[0]) {
        snprintf(error.detail, sizeof error.detail, "document %" PRIu64, document + 1);
    }
    return diagnose(t->cli, in->name, t->to, &error, NULL);
}

struct bad_records {
    struct transfer *transfer;
    struct input_file *in;
    const weir_format *from;
};

static void on_bad_record(void *context, const weir_error *error)
{
    struct bad_records *bad = context;
    bad->transfer->bad++;
    input_diagnose(bad->in, bad->from, error, NULL);
}

/* The line of a stream's last document, where a document is a line; else 0. */
static uint64_t line_of_document(const weir_stream *stream, const struct input_file *in,
                                 const weir_format *from)
{
    bool ended = input_byte(in, weir_stream_offset(stream) - 1) == '\n';
    return from == weir_ndjson ? weir_stream_lines(stream) + !ended : 0;
}

/* The input makes us wait: what is done is passed on first. A failure shows at the next write. */
static void flush_before_wait(void *context)
{
    (void)output_flush(context);
}

static enum exit_code by_stream(struct transfer *t, struct input_file *in, const weir_format *from)
{
    struct bad_records bad = {t, in, from};
    weir_options options = t->cli->options;
    options.on_bad_record = on_bad_record;
    options.context = &bad;
    weir_error error;
    weir_stream *stream = weir_stream_open(from, input_source(in), &options, &error);
    if (!stream) {
        return input_diagnose(in, from, &error, NULL);
    }
    in->on_wait = flush_before_wait;
    in->wait_context = t->out;
    enum exit_code code = EXIT_DONE;
    const weir_doc *doc;
    uint64_t documents = 0;
    while (code == EXIT_DONE && (doc = weir_stream_next(stream, &error))) {
        if (!weir_writer_put(t->writer, weir_doc_root(doc))) {
            code = writer_failed(t, in, line_of_document(stream, in, from), documents);
        }
        documents++;
    }
    if (code == EXIT_DONE && error.code != WEIR_E_NONE) {
        code = input_diagnose(in, from, &error, NULL);
    }
    in->on_wait = NULL;
    weir_stream_close(stream);
    return code;
}

static enum exit_code by_document(struct transfer *t, struct input_file *in, const weir_format *from,
                                  const weir_buffer *all)
{
    weir_error error;
    weir_doc *doc = weir_parse(from, all->data, all->len, &t->cli->options, &error);
    if (!doc) {
        return input_diagnose(in, from, &error, all);
    }
    enum exit_code code =
        weir_writer_put(t->writer, weir_doc_root(doc)) ? EXIT_DONE : writer_failed(t, in, 0, 0);
    weir_doc_free(doc);
    return code;
}

/* What was read already, then the rest of the input. */
struct resumed {
    const weir_buffer *head;
    size_t at;
    weir_source rest;
};

static ptrdiff_t read_resumed(void *context, void *out, size_t size)
{
    struct resumed *from = context;
    size_t left = from->head->len - from->at;
    if (left == 0) {
        return from->rest.read(from->rest.context, out, size);
    }
    size = size < left ? size : left;
    memcpy(out, from->head->data + from->at, size);
    from->at += size;
    return (ptrdiff_t)size;
}

static enum exit_code by_events(struct transfer *t, struct input_file *in, const weir_format *from,
                                const weir_buffer *head)
{
    struct resumed resumed = {head, 0, input_source(in)};
    weir_source source = {read_resumed, &resumed};
    weir_error error;
    weir_reader *reader = weir_reader_open_source(from, source, &t->cli->options, &error);
    if (!reader) {
        return input_diagnose(in, from, &error, NULL);
    }
    weir_writer_close(t->writer); /* what it took has left it */
    enum exit_code code = open_writer(t, false);
    if (code == EXIT_DONE && weir_transcode(reader, t->writer, &error)) {
        t->finished = true;
    } else if (code == EXIT_DONE) {
        code = weir_writer_error(t->writer)->code != WEIR_E_NONE ? writer_failed(t, in, 0, 0)
                                                                 : input_diagnose(in, from, &error, NULL);
    }
    weir_reader_close(reader);
    return code;
}

static enum exit_code by_size(struct transfer *t, struct input_file *in, const weir_format *from)
{
    weir_buffer all = {0};
    bool whole;
    enum exit_code code;
    bool events = !(weir_format_caps(t->to) & (WEIR_CAP_COUNTS | WEIR_CAP_WHOLE)) && t->to != weir_cbor &&
                  !(t->cli->options.flags & (WEIR_SORT_KEYS | WEIR_CANONICAL)) &&
                  t->cli->options.duplicates != WEIR_DUPLICATES_LAST;
    size_t most = input_most(t->cli), max = events && most > WHOLE_MAX ? WHOLE_MAX : most;
    if (!input_read(in, max, &all, &whole)) {
        code = input_diagnose(
            in, from, &(weir_error){.code = WEIR_E_READ, .system = errno, .offset = WEIR_UNKNOWN}, NULL);
    } else {
        code = whole || max == most ? by_document(t, in, from, &all) : by_events(t, in, from, &all);
    }
    weir_buffer_free(&all);
    return code;
}

enum exit_code transfer_input(struct transfer *t, struct input_file *in, const weir_format *from)
{
    if (t->finished) {
        weir_writer_close(t->writer);
        enum exit_code code = open_writer(t, weir_format_caps(t->to) & WEIR_CAP_STREAM);
        if (code != EXIT_DONE) {
            return code;
        }
    }
    if (!transfer_is_stream(t->cli, from)) {
        return by_size(t, in, from);
    }
    return jobs_fit(t->cli, from, t->to) ? jobs_run(t, in, from) : by_stream(t, in, from);
}

enum exit_code transfer_finish(struct transfer *t, const char *input)
{
    if (!weir_writer_finish(t->writer)) {
        const weir_error *error = weir_writer_error(t->writer);
        if (error->code == WEIR_E_WRITE) {
            return output_failed(t->out);
        }
        /* A target of one document got none. */
        weir_error empty = {.code = WEIR_E_EMPTY, .offset = WEIR_UNKNOWN};
        return diagnose(t->cli, input, t->to, error->code == WEIR_E_PROTOCOL_OPEN ? &empty : error, NULL);
    }
    bool text = weir_format_caps(t->to) & WEIR_CAP_TEXT;
    if (text && t->out->written > 0 && t->out->last != '\n' && !output_write(t->out, "\n", 1)) {
        return output_failed(t->out);
    }
    t->complete = true;
    return t->bad ? EXIT_INVALID : EXIT_DONE;
}
