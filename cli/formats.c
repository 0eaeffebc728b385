/* weir formats: the table of formats, for people and as JSON. */
#include "cli.h"

#include <string.h>

static const struct {
    const char *title, *name;
    uint32_t cap;
} columns[] = {
    {"bytes", "bytes", WEIR_CAP_BYTES},       {"time", "timestamp", WEIR_CAP_TIMESTAMP},
    {"nan", "nonfinite", WEIR_CAP_NONFINITE}, {"keys", "any-key", WEIR_CAP_ANY_KEY},
    {"big", "bigint", WEIR_CAP_NUMBER},       {"tags", "tag", WEIR_CAP_TAG_NUMBER | WEIR_CAP_TAG_NAME},
    {"stream", "stream", WEIR_CAP_STREAM},
};

#define COLUMNS (sizeof columns / sizeof *columns)

static void join(char *out, size_t size, const char *const *list, const char *prefix)
{
    out[0] = '\0';
    for (; list && *list; list++) {
        size_t used = strlen(out);
        snprintf(out + used, size - used, "%s%s%s", used ? " " : "", prefix, *list);
    }
}

static enum exit_code print_table(void)
{
    char extensions[64];
    int width = 10;
    const weir_format *f;
    for (size_t i = 0; (f = weir_format_at(i)); i++) {
        join(extensions, sizeof extensions, weir_format_extensions(f), ".");
        width = (int)strlen(extensions) > width ? (int)strlen(extensions) : width;
    }
    printf("%-10s %-*s", "FORMAT", width, "EXTENSIONS");
    for (size_t c = 0; c < COLUMNS; c++) {
        printf(" %s", columns[c].title);
    }
    puts("  MIME TYPE");
    for (size_t i = 0; (f = weir_format_at(i)); i++) {
        const char *const *types = weir_format_mime_types(f);
        join(extensions, sizeof extensions, weir_format_extensions(f), ".");
        printf("%-10s %-*s", weir_format_name(f), width, extensions);
        for (size_t c = 0; c < COLUMNS; c++) {
            printf(" %-*s", (int)strlen(columns[c].title),
                   weir_format_caps(f) & columns[c].cap ? "yes" : "-");
        }
        printf("  %s\n", types && *types ? *types : "");
    }
    puts("\nCarries byte strings, timestamps, NaN and infinities, keys of any kind, numbers of any\n"
         "size, tags, a stream of documents. What a format can't carry is an error, unless\n"
         "--allow names the mapping (weir convert --help).");
    return EXIT_DONE;
}

static void write_list(weir_writer *w, const char *name, const char *const *list)
{
    weir_write_key(w, name, strlen(name));
    weir_write_array(w, WEIR_UNKNOWN);
    for (; list && *list; list++) {
        weir_write_str(w, *list, strlen(*list));
    }
    weir_write_end(w);
}

static void write_text(weir_writer *w, const char *name, const char *text)
{
    weir_write_key(w, name, strlen(name));
    weir_write_str(w, text, strlen(text));
}

static enum exit_code print_json(struct cli *cli)
{
    weir_buffer out = {0};
    weir_error error;
    cli->options.indent = 2;
    weir_writer *w = weir_writer_open(weir_json, &out, &cli->options, &error);
    if (!w) {
        return complain(cli, EXIT_IO, "out of memory");
    }
    weir_write_array(w, WEIR_UNKNOWN);
    const weir_format *f;
    for (size_t i = 0; (f = weir_format_at(i)); i++) {
        weir_write_map(w, WEIR_UNKNOWN);
        write_text(w, "name", weir_format_name(f));
        write_text(w, "summary", weir_format_summary(f));
        write_list(w, "extensions", weir_format_extensions(f));
        write_list(w, "mimeTypes", weir_format_mime_types(f));
        weir_write_key(w, "text", 4);
        weir_write_bool(w, weir_format_caps(f) & WEIR_CAP_TEXT);
        weir_write_key(w, "carries", 7);
        weir_write_map(w, WEIR_UNKNOWN);
        for (size_t c = 0; c < COLUMNS; c++) {
            weir_write_key(w, columns[c].name, strlen(columns[c].name));
            weir_write_bool(w, weir_format_caps(f) & columns[c].cap);
        }
        weir_write_end(w);
        weir_write_end(w);
    }
    weir_write_end(w);
    bool done = weir_writer_finish(w);
    weir_writer_close(w);
    if (done) {
        fwrite(out.data, 1, out.len, stdout);
        putchar('\n');
    }
    weir_buffer_free(&out);
    return done ? EXIT_DONE : complain(cli, EXIT_IO, "out of memory");
}

enum exit_code formats_run(struct cli *cli)
{
    if (cli->file_count) {
        return complain(cli, EXIT_USAGE, "formats takes no file");
    }
    return cli->json_table ? print_json(cli) : print_table();
}
