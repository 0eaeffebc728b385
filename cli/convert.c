/* weir convert: from one format into another. */
#include "transfer.h"
#include "unpack.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

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

/* The inputs, one after the other, into one output. to NULL: what the first input is (in place, without
 * --to). */
static enum exit_code into_one(struct cli *cli, const char *const *files, size_t count, const weir_format *to,
                               const char *path)
{
    struct input_file in;
    enum exit_code code = input_open(&in, cli, files[0]);
    const weir_format *from = code == EXIT_DONE ? input_format(&in) : NULL;
    if (!from) {
        input_close(&in);
        return code == EXIT_DONE ? EXIT_USAGE : code;
    }
    struct output_file out;
    struct transfer transfer = {0};
    code = output_open(&out, cli, path,
                       cli->in_place ? in.packing
                       : path        ? packing_of_path(path)
                                     : PACKING_NONE);
    if (code != EXIT_DONE) {
        input_close(&in);
        return code;
    }
    code = transfer_begin(&transfer, cli, to ? to : from, &out);
    for (size_t i = 0; code == EXIT_DONE;) {
        code = transfer_input(&transfer, &in, from);
        if (code != EXIT_DONE || ++i == count) {
            break;
        }
        input_close(&in);
        code = input_open(&in, cli, files[i]);
        from = code == EXIT_DONE ? input_format(&in) : from;
        code = from ? code : EXIT_USAGE;
    }
    if (code == EXIT_DONE) {
        progress_hide(&in.progress);
        code = transfer_finish(&transfer, in.name);
    }
    input_close(&in);
    transfer_close(&transfer);
    /* Records that were skipped were reported; what is good is kept. */
    bool keep = code == EXIT_DONE || (code == EXIT_INVALID && transfer.complete);
    enum exit_code closed = output_close(&out, keep);
    return code == EXIT_DONE ? closed : code;
}

/* ---- one output each ---- */

/* Known extensions are replaced, compression's too; others are part of the name. */
static size_t stem_of(const char *name)
{
    size_t len = strlen(name);
    if (packing_of_path(name) != PACKING_NONE) {
        len = (size_t)(strrchr(name, '.') - name);
    }
    if (weir_format_for_path(name)) {
        while (name[len - 1] != '.') {
            len--;
        }
        len--;
    }
    return len;
}

/* "FOLDER/NAME.EXTENSION" for an input. */
static char *path_in_folder(const char *folder, const char *input, const weir_format *to)
{
    const char *slash = strrchr(input, '/');
    const char *name = strcmp(input, "-") == 0 ? "stdin" : slash ? slash + 1 : input;
    size_t stem = stem_of(name), size = strlen(folder) + stem + 64;
    char *path = malloc(size);
    if (path) {
        bool slashed = folder[0] && folder[strlen(folder) - 1] == '/';
        snprintf(path, size, "%s%s%.*s.%s", folder, slashed ? "" : "/", (int)stem, name,
                 weir_format_extensions(to)[0]);
    }
    return path;
}

static int compare_paths(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* No output may be an input or another one's output: nothing is written before that is sure. */
static enum exit_code check_paths(const struct cli *cli, char *const *paths, char **sorted)
{
    for (size_t i = 0; i < cli->file_count; i++) {
        sorted[i] = paths[i];
        for (size_t j = 0; paths[i] && j < cli->file_count; j++) {
            if (output_is_input(paths[i], cli->files[j])) {
                return complain(cli, EXIT_USAGE, "%s is input and output: choose another folder", paths[i]);
            }
        }
        if (!paths[i]) {
            return complain(cli, EXIT_IO, "out of memory");
        }
    }
    qsort(sorted, cli->file_count, sizeof *sorted, compare_paths);
    for (size_t i = 1; i < cli->file_count; i++) {
        if (strcmp(sorted[i - 1], sorted[i]) == 0) {
            return complain(cli, EXIT_USAGE, "two inputs would be written to %s", sorted[i]);
        }
    }
    return EXIT_DONE;
}

static enum exit_code into_folder(struct cli *cli, const weir_format *to)
{
    enum exit_code worst = EXIT_DONE;
    if (mkdir(cli->output, 0777) != 0 && (errno != EEXIST || !is_folder(cli->output))) {
        return complain_file(cli, cli->output, errno, "can't be made a folder");
    }
    char **paths = calloc(2 * cli->file_count, sizeof *paths);
    for (size_t i = 0; paths && i < cli->file_count; i++) {
        paths[i] = path_in_folder(cli->output, cli->files[i], to);
    }
    worst =
        paths ? check_paths(cli, paths, paths + cli->file_count) : complain(cli, EXIT_IO, "out of memory");
    bool sure = worst == EXIT_DONE;
    for (size_t i = 0; paths && i < cli->file_count; i++) {
        enum exit_code code = sure ? into_one(cli, cli->files + i, 1, to, paths[i]) : EXIT_DONE;
        worst = code > worst ? code : worst;
        free(paths[i]);
    }
    free(paths);
    return worst;
}

static enum exit_code in_place(struct cli *cli)
{
    enum exit_code worst = EXIT_DONE;
    for (size_t i = 0; i < cli->file_count; i++) {
        enum exit_code code = strcmp(cli->files[i], "-") == 0
                                  ? complain(cli, EXIT_USAGE, "--in-place can't be used with standard input")
                                  : into_one(cli, cli->files + i, 1, cli->to, cli->files[i]);
        worst = code > worst ? code : worst;
    }
    return worst;
}

enum exit_code convert_run(struct cli *cli)
{
    if (cli->in_place && cli->output) {
        return complain(cli, EXIT_USAGE, "--in-place and --output exclude each other");
    }
    if (cli->in_place && cli->file_count == 0) {
        return complain(cli, EXIT_USAGE, "--in-place needs a file");
    }
    if (cli->in_place) {
        return in_place(cli);
    }
    transfer_default_input(cli);
    const weir_format *to = target_of(cli);
    if (cli->output && is_folder(cli->output)) {
        return into_folder(cli, to);
    }
    if (cli->file_count > 1 && !cli->multi && !(weir_format_caps(to) & WEIR_CAP_STREAM)) {
        return complain(
            cli, EXIT_USAGE,
            "%zu inputs, but %s holds one document: use -o DIR/ for one output each, or a format that "
            "streams (--to ndjson)",
            cli->file_count, weir_format_name(to));
    }
    for (size_t i = 0; i < cli->file_count; i++) {
        if (output_is_input(cli->output, cli->files[i])) {
            return complain(cli, EXIT_USAGE, "%s is input and output; use --in-place to write onto the input",
                            cli->files[i]);
        }
    }
    return into_one(cli, cli->files, cli->file_count, to, cli->output);
}
