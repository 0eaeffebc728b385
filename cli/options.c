/* The command line: one table of options, permuted parsing, help from the same table. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct option {
    const char *group; /* of the help: set on the first option of each */
    char id;           /* in struct subcommand.options */
    char letter;       /* short form, or 0 */
    const char *name;
    const char *argument; /* NULL: none */
    const char *help;
};

static const struct option table[] = {
    {"formats and files", 'f', 'f', "from", "FORMAT", "input format; else by extension, then by content"},
    {NULL, 't', 't', "to", "FORMAT", "output format; else by the extension of -o, then json"},
    {NULL, 'o', 'o', "output", "FILE",
     "write there, whole or not at all; a folder takes one output for each input"},
    {NULL, 'O', 'o', "output", "FILE", "write there, whole or not at all"},
    {NULL, 'i', 'i', "in-place", NULL, "write back onto each input, whole or not at all"},
    {NULL, 'm', 0, "multi", NULL, "the input is a stream of documents"},
    {NULL, 'S', 0, "single", NULL, "the input is exactly one document"},
    {NULL, 'r', 0, "skip-bad", NULL, "streams of records: report bad ones and go on"},
    {NULL, 'j', 'j', "jobs", "N", "N workers for streams of records, 0: one a processor; the order stays"},
    {"layout", 'n', 0, "indent", "N", "text formats: N spaces a level"},
    {NULL, 'c', 0, "compact", NULL, "text formats: no white space"},
    {NULL, 's', 0, "sort-keys", NULL, "maps in ascending order of their keys"},
    {NULL, 'C', 0, "canonical", NULL, "RFC 8785 for JSON, deterministic encoding for CBOR"},
    {"values", 'a', 0, "allow", "MAP[,MAP...]",
     "accept a documented mapping: bytes, timestamp, nonfinite, key, bigint, tag, null; for readers bom; for "
     "fmt "
     "comments, anchors; or all"},
    {NULL, 'N', 0, "numbers", "POLICY", "exact (default), strict, double or decimal"},
    {NULL, 'D', 0, "duplicates", "POLICY", "duplicate keys: keep (default), first, last or reject"},
    {"limits", 'l', 0, "limits", "K=V[,K=V...]",
     "input, output, depth, nodes, items, entries, key, string, number, payload, memory, documents, "
     "expansion, "
     "expansion-ratio; values such as 1000, 64K, 16M, 1G, none"},
    {NULL, 'u', 0, "unlimited", NULL, "no limits at all: only for input that you trust"},
    {"messages", 'L', 0, "detail", NULL, "diagnostics may quote the input (default on a terminal)"},
    {NULL, 'd', 0, "no-detail", NULL, "diagnostics never quote the input"},
    {NULL, 'e', 0, "error-format", "FORM", "diagnostics as text (default) or as json, one object a line"},
    {NULL, 'v', 'v', "verbose", NULL, "say what was checked"},
    {NULL, 'p', 0, "progress", NULL, "show a bar on standard error"},
    {NULL, 'P', 0, "no-progress", NULL, "show none (default: on a terminal, for long work)"},
    {NULL, 'K', 0, "color", "WHEN", "auto (default; NO_COLOR is honoured), always or never"},
    {"other", 'J', 0, "json", NULL, "the table as JSON"},
    {NULL, 'h', 'h', "help", NULL, "show this"},
};

#define OPTIONS (sizeof table / sizeof *table)

enum { HELP_INDENT = 25, HELP_WIDTH = 80 };

/* Words from the help column on, up to the width. */
static void put_wrapped(FILE *out, const char *text)
{
    for (size_t column = HELP_INDENT; *text;) {
        size_t word = strcspn(text, " ");
        if (column + 1 + word >= HELP_WIDTH) {
            fprintf(out, "\n%*s", HELP_INDENT, "");
            column = HELP_INDENT;
        }
        fprintf(out, "%s%.*s", column > HELP_INDENT ? " " : "", (int)word, text);
        column += (column > HELP_INDENT) + word;
        text += word;
        text += *text == ' ';
    }
    fputc('\n', out);
}

void options_help(FILE *out, const struct subcommand *command)
{
    fprintf(out, "usage: weir %s %s\n\n%s.\n", command->name, command->synopsis, command->summary);
    const char *group = NULL, *shown = NULL;
    for (size_t i = 0; i < OPTIONS; i++) {
        const struct option *o = &table[i];
        group = o->group ? o->group : group;
        if (!strchr(command->options, o->id)) {
            continue;
        }
        if (group != shown) {
            fprintf(out, "\n%s:\n", group);
            shown = group;
        }
        char letter[4] = {'-', o->letter, ',', '\0'};
        int width = fprintf(out, "  %3s --%s%s%s", o->letter ? letter : "", o->name, o->argument ? " " : "",
                            o->argument ? o->argument : "");
        if (width > HELP_INDENT - 1) {
            fputc('\n', out);
            width = 0;
        }
        fprintf(out, "%*s", HELP_INDENT - (width > 0 ? width : 0), "");
        put_wrapped(out, o->help);
    }
    fprintf(out, "\nexamples:\n%s", command->examples);
}

/* Levenshtein's distance, for short words; 99 for others. */
static size_t distance(const char *a, const char *b)
{
    size_t row[32], la = strlen(a), lb = strlen(b);
    if (la > 31 || lb > 31) {
        return 99;
    }
    for (size_t j = 0; j <= lb; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= la; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= lb; j++) {
            size_t change = diagonal + (a[i - 1] != b[j - 1]),
                   best = row[j] < row[j - 1] ? row[j] : row[j - 1];
            diagonal = row[j];
            row[j] = change < best + 1 ? change : best + 1;
        }
    }
    return row[lb];
}

const char *nearest_word(const char *word, const char *const *words, size_t count)
{
    const char *best = NULL;
    size_t least = strlen(word) / 3 + 2;
    for (size_t i = 0; i < count; i++) {
        size_t d = distance(word, words[i]);
        if (d < least) {
            least = d;
            best = words[i];
        }
    }
    return best;
}

static bool equal_part(const char *text, size_t len, const char *word)
{
    return strlen(word) == len && memcmp(text, word, len) == 0;
}

/* ---- values of options ---- */

static enum exit_code read_format(const struct cli *cli, const char *text, const weir_format **out)
{
    *out = weir_format_find(text);
    if (*out) {
        return EXIT_DONE;
    }
    const char *names[64];
    size_t count = 0;
    for (const weir_format *f; count < 64 && (f = weir_format_at(count)); count++) {
        names[count] = weir_format_name(f);
    }
    const char *near = nearest_word(text, names, count);
    return near ? complain(cli, EXIT_USAGE, "unknown format '%s'; did you mean '%s'?", text, near)
                : complain(cli, EXIT_USAGE, "unknown format '%s'; 'weir formats' lists them", text);
}

static enum exit_code read_choice(const struct cli *cli, const char *name, const char *text,
                                  const char *const *words, size_t count, int *out)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(words[i], text) == 0) {
            *out = (int)i;
            return EXIT_DONE;
        }
    }
    char list[128] = "";
    for (size_t i = 0; i < count; i++) {
        strncat(list, i == 0 ? "" : i + 1 < count ? ", " : " or ", sizeof list - strlen(list) - 1);
        strncat(list, words[i], sizeof list - strlen(list) - 1);
    }
    return complain(cli, EXIT_USAGE, "--%s takes %s, not '%s'", name, list, text);
}

static bool read_size(const char *text, size_t len, uint64_t *out)
{
    if (equal_part(text, len, "none")) {
        *out = WEIR_UNSET;
        return true;
    }
    uint64_t value = 0;
    size_t i = 0;
    for (; i < len && text[i] >= '0' && text[i] <= '9'; i++) {
        if (__builtin_mul_overflow(value, (uint64_t)10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(text[i] - '0'), &value)) {
            return false;
        }
    }
    if (i == 0 || len - i > 1) {
        return false;
    }
    unsigned shift = 0;
    if (i < len) {
        const char *unit = strchr("KMGT", text[i] & ~0x20);
        if (!unit || !*unit) {
            return false;
        }
        shift = 10 * (unsigned)(unit - "KMGT" + 1);
    }
    if (value > (UINT64_MAX - 2) >> shift) {
        return false;
    }
    *out = value << shift;
    return true;
}

struct limit {
    const char *name;
    uint64_t *value;
};

#define LIMITS 15

static void list_limits(struct cli *cli, struct limit out[LIMITS])
{
    weir_limits *l = &cli->options.limits;
    const struct limit rows[LIMITS] = {
        {"input", &l->input},
        {"normalized", &l->normalized},
        {"output", &l->output},
        {"depth", &l->depth},
        {"nodes", &l->nodes},
        {"items", &l->items},
        {"entries", &l->entries},
        {"key", &l->key},
        {"string", &l->string},
        {"number", &l->number},
        {"payload", &l->payload},
        {"memory", &l->memory},
        {"documents", &l->documents},
        {"expansion", &l->expansion},
        {"expansion-ratio", &cli->file_ratio},
    };
    memcpy(out, rows, sizeof rows);
}

static enum exit_code unknown_limit(const struct cli *cli, const struct limit *rows, const char *text,
                                    size_t len, size_t name_len)
{
    char name[32];
    const char *names[LIMITS];
    for (size_t i = 0; i < LIMITS; i++) {
        names[i] = rows[i].name;
    }
    snprintf(name, sizeof name, "%.*s", (int)(name_len < 31 ? name_len : 31), text);
    const char *near = name_len < len ? nearest_word(name, names, LIMITS) : NULL;
    return complain(cli, EXIT_USAGE, "--limits takes NAME=VALUE with a known NAME, not '%.*s'%s%s%s",
                    (int)len, text, near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

static enum exit_code read_limits(struct cli *cli, const char *text)
{
    struct limit rows[LIMITS];
    list_limits(cli, rows);
    while (*text) {
        size_t len = strcspn(text, ","), equals = strcspn(text, "=");
        uint64_t *limit = NULL;
        for (size_t i = 0; equals < len && i < LIMITS; i++) {
            limit = equal_part(text, equals, rows[i].name) ? rows[i].value : limit;
        }
        if (!limit) {
            return unknown_limit(cli, rows, text, len, equals);
        }
        if (!read_size(text + equals + 1, len - equals - 1, limit)) {
            return complain(cli, EXIT_USAGE,
                            "--limits: '%.*s' is not a number (such as 1000, 64K, 16M, 1G or none)",
                            (int)(len - equals - 1), text + equals + 1);
        }
        if (limit == &cli->file_ratio) {
            cli->options.limits.expansion_ratio = *limit;
        }
        text += len + (text[len] == ',');
    }
    return EXIT_DONE;
}

static enum exit_code read_allow(struct cli *cli, const char *text)
{
    static const char *const names[] = {"bytes", "timestamp", "nonfinite", "key",      "bigint",
                                        "tag",   "null",      "bom",       "comments", "anchors"};
    while (*text) {
        size_t len = strcspn(text, ","), i = 0, count = sizeof names / sizeof *names;
        while (i < count && !equal_part(text, len, names[i])) {
            i++;
        }
        if (i < count) {
            cli->options.allow |= 1u << i;
        } else if (equal_part(text, len, "all")) {
            cli->options.allow = WEIR_ALLOW_ALL;
        } else {
            return complain(cli, EXIT_USAGE,
                            "--allow takes bytes, timestamp, nonfinite, key, bigint, tag, null, bom, "
                            "comments, anchors or all, not '%.*s'",
                            (int)len, text);
        }
        text += len + (text[len] == ',');
    }
    return EXIT_DONE;
}

static enum exit_code read_count(const struct cli *cli, const char *name, const char *text, unsigned max,
                                 unsigned *out)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || value > max) {
        return complain(cli, EXIT_USAGE, "--%s takes a number from 0 to %u, not '%s'", name, max, text);
    }
    *out = (unsigned)value;
    return EXIT_DONE;
}

static unsigned processors(void)
{
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > 256 ? 256 : (unsigned)count;
}

static enum exit_code apply(struct cli *cli, const struct option *o, const char *value)
{
    static const char *const numbers[] = {"strict", "exact", "decimal", "double"};
    static const char *const duplicates[] = {"keep", "first", "last", "reject"};
    static const char *const whens[] = {"auto", "always", "never"};
    static const char *const errors[] = {"text", "json"};
    int choice = 0;
    unsigned count = 0;
    enum exit_code code = EXIT_DONE;
    value = value ? value : ""; /* options without an argument don't look at it */
    switch (o->id) {
    case 'f':
        return read_format(cli, value, &cli->from);
    case 't':
        return read_format(cli, value, &cli->to);
    case 'o':
    case 'O':
        cli->output = value;
        break;
    case 'i':
        cli->in_place = true;
        break;
    case 'n':
        code = read_count(cli, "indent", value, 64, &count);
        cli->options.indent = count;
        cli->indent_given = true;
        cli->compact = false;
        break;
    case 'c':
        cli->compact = true;
        cli->options.indent = 0;
        break;
    case 's':
        cli->options.flags |= WEIR_SORT_KEYS;
        break;
    case 'C':
        cli->options.flags |= WEIR_CANONICAL;
        break;
    case 'm':
        cli->multi = true;
        cli->single = false;
        break;
    case 'S':
        cli->single = true;
        cli->multi = false;
        break;
    case 'a':
        return read_allow(cli, value);
    case 'N':
        code = read_choice(cli, o->name, value, numbers, 4, &choice);
        cli->options.numbers = (weir_numbers)choice;
        break;
    case 'D':
        code = read_choice(cli, o->name, value, duplicates, 4, &choice);
        cli->options.duplicates = (weir_duplicates)choice;
        break;
    case 'l':
        return read_limits(cli, value);
    case 'u':
        cli->options.limits = weir_unlimited;
        cli->file_ratio = WEIR_UNSET;
        break;
    case 'j':
        code = read_count(cli, "jobs", value, 256, &count);
        cli->jobs = count ? count : processors();
        break;
    case 'r':
        cli->options.flags |= WEIR_SKIP_BAD;
        break;
    case 'L':
    case 'd':
        cli->detail = o->id == 'L' ? WHEN_ALWAYS : WHEN_NEVER;
        break;
    case 'e':
        code = read_choice(cli, o->name, value, errors, 2, &choice);
        cli->json_errors = choice == 1;
        break;
    case 'p':
    case 'P':
        cli->progress = o->id == 'p' ? WHEN_ALWAYS : WHEN_NEVER;
        break;
    case 'J':
        cli->json_table = true;
        break;
    case 'v':
        cli->verbose = true;
        break;
    case 'K':
        code = read_choice(cli, o->name, value, whens, 3, &choice);
        cli->color = (enum when)choice;
        break;
    default:
        break;
    }
    return code;
}

/* ---- words of the command line ---- */

static const struct option *find_letter(const struct cli *cli, char letter)
{
    for (size_t i = 0; i < OPTIONS; i++) {
        if (table[i].letter == letter && strchr(cli->command->options, table[i].id)) {
            return &table[i];
        }
    }
    return NULL;
}

/* By its whole name, or by an unambiguous beginning of it. */
static const struct option *find_name(const struct cli *cli, const char *name, size_t len)
{
    const struct option *found = NULL;
    for (size_t i = 0; i < OPTIONS; i++) {
        if (!strchr(cli->command->options, table[i].id) || strncmp(table[i].name, name, len) != 0) {
            continue;
        }
        if (strlen(table[i].name) == len) {
            return &table[i];
        }
        if (found) {
            return NULL;
        }
        found = &table[i];
    }
    return found;
}

/* "--no can be --no-detail or --no-progress", if that is the matter. */
static bool say_ambiguous(const struct cli *cli, const char *name, size_t len)
{
    char list[256] = "";
    const char *pending = NULL;
    size_t count = 0;
    for (size_t i = 0; i < OPTIONS; i++) {
        if (!strchr(cli->command->options, table[i].id) || strncmp(table[i].name, name, len) != 0) {
            continue;
        }
        size_t used = strlen(list);
        if (pending) {
            snprintf(list + used, sizeof list - used, "%s--%s", used ? ", " : "", pending);
        }
        pending = table[i].name;
        count++;
    }
    if (len > 0 && count > 1) {
        complain(cli, EXIT_USAGE, "--%.*s can be %s or --%s", (int)len, name, list, pending);
    }
    return len > 0 && count > 1;
}

static enum exit_code unknown_option(const struct cli *cli, const char *word, size_t len)
{
    char name[64], suggestion[80] = "";
    snprintf(name, sizeof name, "%.*s", (int)(len < 60 ? len : 60), word);
    const char *names[OPTIONS];
    size_t count = 0;
    for (size_t i = 0; i < OPTIONS; i++) {
        if (strchr(cli->command->options, table[i].id)) {
            names[count++] = table[i].name;
        }
    }
    const char *near = strncmp(name, "--", 2) == 0 ? nearest_word(name + 2, names, count) : NULL;
    if (near) {
        snprintf(suggestion, sizeof suggestion, "; did you mean --%s?", near);
    }
    return complain(cli, EXIT_USAGE, "unknown option %s%s ('weir %s --help' lists them)", name, suggestion,
                    cli->command->name);
}

static enum exit_code read_long(struct cli *cli, int argc, char **argv, int *at)
{
    const char *word = argv[*at] + 2;
    size_t len = strcspn(word, "=");
    const struct option *o = find_name(cli, word, len);
    if (!o) {
        return say_ambiguous(cli, word, len) ? EXIT_USAGE : unknown_option(cli, argv[*at], len + 2);
    }
    const char *value = word[len] == '=' ? word + len + 1 : NULL;
    if (!o->argument && value) {
        return complain(cli, EXIT_USAGE, "--%s takes no value", o->name);
    }
    if (o->argument && !value) {
        if (*at + 1 >= argc) {
            return complain(cli, EXIT_USAGE, "--%s needs %s", o->name, o->argument);
        }
        value = argv[++*at];
    }
    return apply(cli, o, value);
}

static enum exit_code read_letters(struct cli *cli, int argc, char **argv, int *at)
{
    for (const char *p = argv[*at] + 1; *p; p++) {
        const struct option *o = find_letter(cli, *p);
        if (!o) {
            char word[3] = {'-', *p, 0};
            return unknown_option(cli, word, 2);
        }
        const char *value = NULL;
        if (o->argument) {
            value = p[1] ? p + 1 : *at + 1 < argc ? argv[++*at] : NULL;
            if (!value) {
                return complain(cli, EXIT_USAGE, "-%c needs %s", *p, o->argument);
            }
        }
        enum exit_code code = apply(cli, o, value);
        if (code != EXIT_DONE || o->argument) {
            return code;
        }
    }
    return EXIT_DONE;
}

static void settle(struct cli *cli)
{
    bool terminal = isatty(STDERR_FILENO);
    const char *no_color = getenv("NO_COLOR");
    cli->color_on = cli->color == WHEN_ALWAYS ||
                    (cli->color == WHEN_AUTO && terminal && !(no_color && *no_color) && !cli->json_errors);
    if (cli->detail == WHEN_ALWAYS || (cli->detail == WHEN_AUTO && terminal)) {
        cli->options.flags |= WEIR_DETAIL;
    }
    if (cli->multi) {
        cli->options.flags |= WEIR_MULTI;
    }
}

enum exit_code options_read(struct cli *cli, int argc, char **argv, bool *helped)
{
    bool only_files = false;
    size_t files = 0;
    for (int i = 0; i < argc; i++) {
        if (!only_files && (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)) {
            options_help(stdout, cli->command);
            *helped = true;
            return EXIT_DONE;
        }
        only_files = only_files || strcmp(argv[i], "--") == 0;
    }
    only_files = false;
    for (int i = 0; i < argc; i++) {
        enum exit_code code = EXIT_DONE;
        if (only_files || argv[i][0] != '-' || argv[i][1] == '\0') {
            argv[files++] = argv[i]; /* files are moved to the front; what stood there was read */
        } else if (strcmp(argv[i], "--") == 0) {
            only_files = true;
        } else {
            code = argv[i][1] == '-' ? read_long(cli, argc, argv, &i) : read_letters(cli, argc, argv, &i);
        }
        if (code != EXIT_DONE) {
            return code;
        }
    }
    cli->files = (const char *const *)argv;
    cli->file_count = files;
    settle(cli);
    return EXIT_DONE;
}
