/* What the files of the command share: exit codes, the parsed command line, messages for people. */
#ifndef CLI_H
#define CLI_H

#include <weir/weir.h>

#include <stdio.h>

enum exit_code {
    EXIT_DONE = 0,
    EXIT_INVALID = 1, /* the input is invalid, or the conversion would lose something */
    EXIT_USAGE = 2,
    EXIT_IO = 3,
    EXIT_PIPE = 141 /* the reader of our output has gone: end quietly */
};

enum when { WHEN_AUTO, WHEN_ALWAYS, WHEN_NEVER };

/* Everything that the common options say. */
struct cli {
    const struct subcommand *command;
    weir_options options;
    const weir_format *from, *to;
    const char *output;
    bool in_place, compact, multi, single, json_errors, json_table, verbose, indent_given;
    enum when progress, color, detail;
    unsigned jobs;
    uint64_t file_ratio; /* bytes out per byte in of a compressed file */
    const char *const *files;
    size_t file_count;
    bool color_on; /* resolved */
};

struct subcommand {
    const char *name, *synopsis, *summary, *examples;
    const char *options; /* the letters of the options that it takes, as in options.c */
    enum exit_code (*run)(struct cli *cli);
};

extern const struct subcommand subcommands[]; /* ends with name NULL */

enum exit_code convert_run(struct cli *cli);
enum exit_code check_run(struct cli *cli);
enum exit_code fmt_run(struct cli *cli);
enum exit_code formats_run(struct cli *cli);

/* ---- options.c ---- */

/* Reads the command line behind the subcommand. EXIT_DONE, or EXIT_USAGE after a message. *helped: --help was
 * answered. */
enum exit_code options_read(struct cli *cli, int argc, char **argv, bool *helped);
void options_help(FILE *out, const struct subcommand *command);
/* The known word nearest to a misspelt one, or NULL. */
const char *nearest_word(const char *word, const char *const *words, size_t count);

/* ---- diagnose.c ---- */

/* "weir: error: …" to standard error; returns the exit code. */
enum exit_code complain(const struct cli *cli, enum exit_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* "NAME: error: …: strerror". */
enum exit_code complain_file(const struct cli *cli, const char *name, int system, const char *what);

/* The bytes around a fault, for the caret: text is what is known of the input from offset `base` on. */
struct excerpt {
    const char *text;
    size_t len;
    uint64_t base;
};

/* Reports an error of the library about an input. Returns the exit code that belongs to it. */
enum exit_code diagnose(const struct cli *cli, const char *name, const weir_format *format,
                        const weir_error *error, const struct excerpt *excerpt);

/* What was checked, with --verbose. */
void report_checked(const struct cli *cli, const char *name, const char *format, uint64_t documents,
                    bool valid);

#endif
