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
        if (cli->single && tally->documents > 1) {
            error = (weir_error){.code = WEIR_E_TRAILING, .offset = event->offset, .remaining = WEIR_UNKNOWN};
            tally->bad++;
            weir_reader_close(reader);
            return input_diagnose(tally->in, tally->format, &error, NULL);
        }
    }
    enum exit_code code = EXIT_DONE;
    if (!event) {
        tally->bad++;
        code = input_diagnose(tally->in, tally->format, weir_reader_error(reader), NULL);
    }
    weir_reader_close(reader);
    return code;
}

static enum exit_code check_file(struct cli *cli, const char *path)
{
    struct input_file in;
    struct tally tally = {.in = &in};
    enum exit_code code = input_open(&in, cli, path);
    if (code == EXIT_DONE) {
        tally.format = input_format(&in);
        code = !tally.format                             ? EXIT_USAGE
               : transfer_is_stream(cli, tally.format) ? check_stream(cli, &tally)
                                                         : check_document(cli, &tally);
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
