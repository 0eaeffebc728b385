/* weir convert: from one format into another. */
#include "transfer.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const standard_input[] = {"-"};

static bool is_folder(const char *path)
{
    struct stat info;
    size_t len = strlen(path);
    return (len > 0 && path[len - 1] == '/') || (stat(path, &info) == 0 && S_ISDIR(info.st_mode));
}

static const weir_format *target_of(const struct cli *cli)
{
    const weir_format *to = cli->to;
    if (!to && cli->output && !is_folder(cli->output)) {
        to = weir_format_for_path(cli->output);
    }
    return to ? to : weir_json;
}

/* The options of the output's layout. */
static void set_layout(struct cli *cli, const weir_format *to)
{
    if ((weir_format_caps(to) & WEIR_CAP_LAYOUT) == 0) {
        cli->options.indent = 0;
    }
}

/* The inputs, one after the other, into one output. */
static enum exit_code into_one(struct cli *cli, const char *const *files, size_t count, const weir_format *to,
                               const char *path)
{
    struct output_file out;
    struct transfer transfer;
    enum exit_code code = output_open(&out, cli, path);
    if (code != EXIT_DONE) {
        return code;
    }
    code = transfer_begin(&transfer, cli, to, &out);
    for (size_t i = 0; i < count && code == EXIT_DONE && !out.closed_pipe; i++) {
        struct input_file in;
        code = input_open(&in, cli, files[i]);
        const weir_format *from = code == EXIT_DONE ? input_format(&in) : NULL;
        if (code == EXIT_DONE) {
            code = from ? transfer_input(&transfer, &in, from) : EXIT_USAGE;
        }
        input_close(&in);
    }
    if (code == EXIT_DONE) {
        code = transfer_finish(&transfer);
    }
    transfer_close(&transfer);
    /* Records that were skipped were reported; what is good is kept. */
    bool keep = code == EXIT_DONE || (code == EXIT_INVALID && transfer.bad > 0);
    enum exit_code closed = output_close(&out, keep);
    return code == EXIT_DONE ? closed : code;
}

/* "FOLDER/NAME.EXTENSION" for an input. */
static char *path_in_folder(const char *folder, const char *input, const weir_format *to)
{
    const char *slash = strrchr(input, '/'), *base = strcmp(input, "-") == 0 ? "stdin" : slash ? slash + 1 : input;
    const char *const *extensions = weir_format_extensions(to);
    size_t stem = strlen(base);
    /* Known extensions are replaced, compression's too; others are part of the name. */
    for (const char *dot; weir_format_for_path(base) && (dot = memchr(base, '.', stem)) && dot > base;) {
        size_t last = stem;
        while (last > 0 && base[last - 1] != '.') {
            last--;
        }
        stem = last - 1;
        char part[256];
        snprintf(part, sizeof part, "%.*s", (int)(stem < 255 ? stem : 255), base);
        if (strcmp(base + stem, ".gz") != 0 && strcmp(base + stem, ".zst") != 0 && !weir_format_for_path(part)) {
            break;
        }
    }
    size_t size = strlen(folder) + stem + 64;
    char *path = malloc(size);
    if (path) {
        bool slashed = folder[0] && folder[strlen(folder) - 1] == '/';
        snprintf(path, size, "%s%s%.*s.%s", folder, slashed ? "" : "/", (int)stem, base,
                 extensions && extensions[0] ? extensions[0] : weir_format_name(to));
    }
    return path;
}

static enum exit_code into_folder(struct cli *cli, const weir_format *to)
{
    enum exit_code worst = EXIT_DONE;
    if (mkdir(cli->output, 0777) != 0 && !is_folder(cli->output)) {
        return complain_file(cli, cli->output, 0, "is not a folder");
    }
    for (size_t i = 0; i < cli->file_count; i++) {
        char *path = path_in_folder(cli->output, cli->files[i], to);
        enum exit_code code = !path ? complain(cli, EXIT_IO, "out of memory")
                              : output_is_input(path, cli->files[i])
                                  ? complain(cli, EXIT_USAGE, "%s would be written onto itself", path)
                                  : into_one(cli, cli->files + i, 1, to, path);
        worst = code > worst ? code : worst;
        free(path);
    }
    return worst;
}

static enum exit_code in_place(struct cli *cli)
{
    enum exit_code worst = EXIT_DONE;
    if (cli->file_count == 0) {
        return complain(cli, EXIT_USAGE, "--in-place needs a file");
    }
    for (size_t i = 0; i < cli->file_count; i++) {
        const weir_format *to = cli->to ? cli->to : weir_format_for_path(cli->files[i]);
        enum exit_code code = strcmp(cli->files[i], "-") == 0
                                  ? complain(cli, EXIT_USAGE, "--in-place can't be used with standard input")
                                  : into_one(cli, cli->files + i, 1, to ? to : weir_json, cli->files[i]);
        worst = code > worst ? code : worst;
    }
    return worst;
}

enum exit_code convert_run(struct cli *cli)
{
    if (cli->file_count == 0 && !cli->in_place) {
        cli->files = standard_input;
        cli->file_count = 1;
    }
    if (cli->in_place && cli->output) {
        return complain(cli, EXIT_USAGE, "--in-place and --output exclude each other");
    }
    if (cli->in_place) {
        return in_place(cli);
    }
    const weir_format *to = target_of(cli);
    set_layout(cli, to);
    if (cli->output && is_folder(cli->output)) {
        return into_folder(cli, to);
    }
    if (cli->file_count > 1 && !cli->multi && !(weir_format_caps(to) & WEIR_CAP_STREAM)) {
        return complain(cli, EXIT_USAGE,
                        "%zu inputs, but %s holds one document: use -o DIR/ for one output each, or a format that "
                        "streams (--to ndjson)",
                        cli->file_count, weir_format_name(to));
    }
    for (size_t i = 0; cli->output && i < cli->file_count; i++) {
        if (output_is_input(cli->output, cli->files[i])) {
            return complain(cli, EXIT_USAGE, "%s is input and output; use --in-place to write onto the input",
                            cli->files[i]);
        }
    }
    return into_one(cli, cli->files, cli->file_count, to, cli->output);
}
