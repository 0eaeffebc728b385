/* weir check: is every document valid, and if not, where is its first fault? */
#include "input.h"
#include "transfer.h"

#include <errno.h>
#include <inttypes.h>

struct tally {
    struct input_file *in;
    const weir_format *format;
    uint64_t documents, bad;
};

static void on_bad_record(void *context, const weir_error *error)
{
    struct tally *tally = context;
    tally->bad++;
    input_diagnose(tally->in, tally->format, error, NULL);
}

static enum exit_code check_stream(struct cli *cli, struct tally *tally)
{
    weir_options options = cli->options;
    weir_error error;
    if (weir_format_caps(tally->format) & WEIR_CAP_RECORDS) {
        options.flags |= WEIR_SKIP_BAD; /* each record is judged */
        options.on_bad_record = on_bad_record;
        options.context = tally;
    }
    weir_stream *stream = weir_stream_open(tally->format, input_source(tally->in), &options, &error);
    if (!stream) {
        return input_diagnose(tally->in, tally->format, &error, NULL);
    }
    while (weir_stream_next(stream, &error)) {
        tally->documents++;
    }
    weir_stream_close(stream);
    if (error.code != WEIR_E_NONE) {
        tally->bad++;
        return input_diagnose(tally->in, tally->format, &error, NULL);
    }
    return tally->bad ? EXIT_INVALID : EXIT_DONE;
}

/* By events: nothing is kept, however large the document is. */
static enum exit_code check_document(struct cli *cli, struct tally *tally)
{
    weir_options options = cli->options;
    weir_error error;
    if (options.duplicates == WEIR_DUPLICATES_LAST) {
        options.duplicates = WEIR_DUPLICATES_KEEP; /* either is valid */
    }
    weir_reader *reader = weir_reader_open_source(tally->format, input_source(tally->in), &options, &error);
    if (!reader) {
        return input_diagnose(tally->in, tally->format, &error, NULL);
    }
    const weir_event *event;
    while ((event = weir_reader_next(reader)) && event->kind != WEIR_KIND_END_STREAM) {
        tally->documents += event->kind == WEIR_KIND_END_DOCUMENT;
    }
    enum exit_code code = EXIT_DONE;
    if (!event) {
        tally->bad++;
        code = input_diagnose(tally->in, tally->format, weir_reader_error(reader), NULL);
    }
    weir_reader_close(reader);
    return code;
}

/* A stream that has to hold one document: whole, since the place of a second one is asked for. */
static enum exit_code check_single(struct cli *cli, struct tally *tally)
{
    weir_buffer all = {0};
    weir_error error = {.code = WEIR_E_READ, .offset = WEIR_UNKNOWN};
    bool whole;
    weir_doc *doc = NULL;
    if (input_read(tally->in, input_most(cli), &all, &whole)) {
        doc = weir_parse(tally->format, all.data ? all.data : "", all.len, &cli->options, &error);
    } else {
        error.system = errno;
    }
    tally->documents = doc != NULL;
    enum exit_code code = doc ? EXIT_DONE : input_diagnose(tally->in, tally->format, &error, &all);
    weir_doc_free(doc);
    weir_buffer_free(&all);
    return code;
}

static enum exit_code check_file(struct cli *cli, const char *path)
{
    struct input_file in;
    struct tally tally = {.in = &in};
    enum exit_code code = input_open(&in, cli, path);
    if (code == EXIT_DONE) {
        tally.format = input_format(&in);
        if (!tally.format) {
            code = EXIT_USAGE;
        } else if (transfer_is_stream(cli, tally.format)) {
            code = check_stream(cli, &tally);
        } else if (weir_format_caps(tally.format) & WEIR_CAP_STREAM) {
            code = check_single(cli, &tally);
        } else {
            code = check_document(cli, &tally);
        }
    }
    if (cli->verbose && tally.format) {
        progress_hide(&in.progress);
        report_checked(cli, in.name, weir_format_name(tally.format), tally.documents, code == EXIT_DONE);
    }
    input_close(&in);
    return code;
}

enum exit_code check_run(struct cli *cli)
{
    transfer_default_input(cli);
    enum exit_code worst = EXIT_DONE;
    for (size_t i = 0; i < cli->file_count; i++) {
        enum exit_code code = check_file(cli, cli->files[i]);
        worst = code > worst ? code : worst;
    }
    return worst;
}
