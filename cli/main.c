/* The weir command: finds the subcommand and runs it. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

const struct subcommand subcommands[] = {
    {"convert", "[options] [FILE...]", "Read one format and write another",
     "  weir convert config.json -o config.cbor\n"
     "  weir convert -j 4 log.ndjson.gz --to msgpack > log.msgpack\n",
     "ftoicsCnmSaNDluLdeEpPjkKrh", convert_run},
    {"check", "[options] [FILE...]", "Validate files: for each document its first fault",
     "  weir check *.json\n"
     "  weir check --error-format json --duplicates reject upload.json\n",
     "fmSaNDluLdeEpPkKvh", check_run},
    {"fmt", "[options] [FILE...]", "Rewrite a file in its own format, indented or compact",
     "  weir fmt -i settings.json\n"
     "  weir fmt --compact --sort-keys big.json > small.json\n",
     "fOicsCnmSaNDluLdeEpPkKrh", fmt_run},
    {"formats", "[--json]", "Show the formats, their extensions and what they carry",
     "  weir formats\n"
     "  weir formats --json | weir fmt -f json\n",
     "JKkh", formats_run},
    {NULL, NULL, NULL, NULL, NULL, NULL},
};

static const struct subcommand *find(const char *name)
{
    for (const struct subcommand *s = subcommands; s->name; s++) {
        if (strcmp(s->name, name) == 0) {
            return s;
        }
    }
    return NULL;
}

static void overview(FILE *out)
{
    fprintf(
        out,
        "weir %s: structured data, converted and checked\n\nusage: weir SUBCOMMAND [options] [FILE...]\n\n",
        weir_version());
    for (const struct subcommand *s = subcommands; s->name; s++) {
        fprintf(out, "  %-9s %s\n", s->name, s->summary);
    }
    fputs("\n'weir SUBCOMMAND --help' explains each one.\n"
          "Without FILE, or for '-', standard input is read.\n"
          "\nexamples:\n"
          "  weir convert data.json -o data.cbor      convert by extensions\n"
          "  weir check data.json                     is it valid, and if not, where?\n"
          "  weir fmt -i data.json                    indent a file in place\n",
          out);
}

static enum exit_code unknown(const struct cli *cli, const char *name)
{
    const char *names[16];
    size_t count = 0;
    for (const struct subcommand *s = subcommands; s->name && count < 16; s++) {
        names[count++] = s->name;
    }
    const char *near = nearest_word(name, names, count);
    return near ? complain(cli, EXIT_USAGE, "no subcommand '%s'; did you mean '%s'?", name, near)
                : complain(cli, EXIT_USAGE, "no subcommand '%s'; 'weir --help' lists them", name);
}

static enum exit_code dispatch(struct cli *cli, int argc, char **argv)
{
    const char *word = argc > 1 ? argv[1] : "--help";
    if (strcmp(word, "--version") == 0) {
        printf("weir %s\n", weir_version());
        return EXIT_DONE;
    }
    bool help = strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
    if (help && argc > 2 && find(argv[2])) {
        options_help(stdout, find(argv[2]));
        return EXIT_DONE;
    }
    if (help && argc > 2 && strcmp(word, "help") == 0) {
        return unknown(cli, argv[2]);
    }
    if (help) {
        overview(argc > 1 ? stdout : stderr);
        return argc > 1 ? EXIT_DONE : EXIT_USAGE;
    }
    cli->command = find(word);
    if (!cli->command) {
        return unknown(cli, word);
    }
    bool helped = false;
    enum exit_code code = options_read(cli, argc - 2, argv + 2, &helped);
    return code != EXIT_DONE || helped ? code : cli->command->run(cli);
}

/* A closed descriptor 0, 1 or 2 would be given to the next file that is opened. */
static void hold_standard_descriptors(void)
{
    for (int fd = 0; fd < 3; fd++) {
        if (fcntl(fd, F_GETFD) < 0) {
            (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}

/* Standard output as stdio has it: help, versions, tables. */
static enum exit_code finish_output(const struct cli *cli, enum exit_code code)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) {
        return code;
    }
    if (errno == EPIPE) {
        return EXIT_PIPE;
    }
    return code == EXIT_DONE ? complain_file(cli, "<stdout>", errno, "can't be written") : code;
}

int main(int argc, char **argv)
{
    /* Numbers never follow the locale; only the width of characters on the terminal would, and that is ours.
     */
    setlocale(LC_ALL, "C");
    hold_standard_descriptors();
    setvbuf(stderr, NULL, _IOLBF, BUFSIZ);
    bool pipes_ignored = signal(SIGPIPE, SIG_IGN) == SIG_IGN;
    struct cli cli = {.file_ratio = 1000};
    weir_options_init(&cli.options);
    cli.options.numbers = WEIR_NUMBERS_EXACT;
    enum exit_code code = finish_output(&cli, dispatch(&cli, argc, argv));
    if (code == EXIT_PIPE && pipes_ignored) {
        return EXIT_IO;
    }
    if (code == EXIT_PIPE) {
        signal(SIGPIPE, SIG_DFL); /* the status that every filter has then */
        raise(SIGPIPE);
    }
    return (int)code;
}
