/* weir fmt: rewrites files in their own format. */
#include "transfer.h"
#include "unpack.h"

#include <string.h>

static enum exit_code rewrite(struct cli *cli, const char *path)
{
    struct input_file in;
    struct output_file out;
    struct transfer transfer = {0};
    enum exit_code code = input_open(&in, cli, path);
    const weir_format *format = code == EXIT_DONE ? input_format(&in) : NULL;
    if (!format) {
        input_close(&in);
        return code == EXIT_DONE ? EXIT_USAGE : code;
    }
    const char *target = cli->in_place ? path : cli->output;
    code = output_open(&out, cli, target,
                       cli->in_place ? in.packing
                       : target      ? packing_of_path(target)
                                     : PACKING_NONE);
    if (code == EXIT_DONE) {
        code = transfer_begin(&transfer, cli, format, &out);
        if (code == EXIT_DONE) {
            code = transfer_input(&transfer, &in, format);
        }
        if (code == EXIT_DONE) {
            progress_hide(&in.progress);
            code = transfer_finish(&transfer, in.name);
        }
        transfer_close(&transfer);
        bool keep = code == EXIT_DONE || (code == EXIT_INVALID && transfer.complete);
        enum exit_code closed = output_close(&out, keep);
        code = code == EXIT_DONE ? closed : code;
    }
    input_close(&in);
    return code;
}

enum exit_code fmt_run(struct cli *cli)
{
    if (cli->file_count == 0 && cli->in_place) {
        return complain(cli, EXIT_USAGE, "--in-place needs a file");
    }
    transfer_default_input(cli);
    if (cli->in_place && cli->output) {
        return complain(cli, EXIT_USAGE, "--in-place and --output exclude each other");
    }
    if (cli->file_count > 1 && !cli->in_place) {
        return complain(cli, EXIT_USAGE, "%zu inputs: use --in-place to rewrite each of them",
                        cli->file_count);
    }
    if (!cli->indent_given && !cli->compact && !(cli->options.flags & WEIR_CANONICAL)) {
        cli->options.indent = 2;
    }
    if (!(cli->options.allow & WEIR_ALLOW_COMMENTS)) {
        cli->options.flags |= WEIR_NO_COMMENTS;
    }
    enum exit_code worst = EXIT_DONE;
    for (size_t i = 0; i < cli->file_count; i++) {
        const char *path = cli->files[i];
        enum exit_code code;
        if (cli->in_place && strcmp(path, "-") == 0) {
            code = complain(cli, EXIT_USAGE, "--in-place can't be used with standard input");
        } else if (!cli->in_place && output_is_input(cli->output, path)) {
            code = complain(cli, EXIT_USAGE, "%s is input and output; use --in-place to write onto the input",
                            path);
        } else {
            code = rewrite(cli, path);
        }
        worst = code > worst ? code : worst;
    }
    return worst;
}
