/* weir-bench: the command line. */
#include "clock.h"
#include "heap.h"
#include "report.h"
#include "suite.h"

#include <getopt.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: weir-bench [options]\n"
    "Measures weir and other libraries side by side. A scenario is OPERATION/FIXTURE/ENGINE.\n"
    "\n"
    "  -f, --filter REGEX    only scenarios that match the extended regular expression; the engine\n"
    "                        that ratios are taken from runs beside them\n"
    "  -r, --rounds N        rounds, 1 to 99 (default 7)\n"
    "  -t, --min-time MS     least time of an engine in a round, in milliseconds (default 100)\n"
    "  -q, --quick           one round of at least 1 ms: everything runs and is checked once\n"
    "  -F, --format FORM     table (default), json or html\n"
    "  -o, --output FILE     write the report there too; the form follows .json or .html;\n"
    "                        may be repeated\n"
    "  -c, --corpora DIR     folder with bench/*.json (default $WEIR_CORPORA, else ../shared/corpora)\n"
    "  -l, --list            list the scenarios\n"
    "  -h, --help            this text\n"
    "\n"
    "Exit status: 0; 1 when weir gave a wrong result or something could not be run; 2 on wrong usage.\n";

static regex_t filter;
static bool has_filter;

static bool matches(const char *op, const char *fixture, const char *engine)
{
    char name[160];
    if (!has_filter)
        return true;
    snprintf(name, sizeof name, "%s/%s/%s", op, fixture, engine);
    return regexec(&filter, name, 0, NULL, 0) == 0;
}

typedef void form(const struct report *, struct text *);

static form *form_named(const char *name)
{
    return strcmp(name, "table") == 0  ? report_table
           : strcmp(name, "json") == 0 ? report_json
           : strcmp(name, "html") == 0 ? report_html
                                       : NULL;
}

static form *form_for_file(const char *path)
{
    const char *dot = strrchr(path, '.');
    form *found = dot == NULL ? NULL : form_named(dot + 1);
    return found == NULL ? report_table : found;
}

static bool emit(const struct report *report, form *write, const char *path)
{
    struct text text = {0};
    write(report, &text);
    FILE *file = path == NULL ? stdout : fopen(path, "wb");
    bool ok = !text.failed && file != NULL && fwrite(text.data, 1, text.len, file) == text.len;
    if (file != NULL && file != stdout)
        ok = fclose(file) == 0 && ok;
    else if (file != NULL)
        ok = fflush(file) == 0 && ok;
    text_free(&text);
    if (!ok)
        fprintf(stderr, "weir-bench: cannot write %s\n", path == NULL ? "the report" : path);
    return ok;
}

static int wrong_usage(const char *what, const char *value)
{
    fprintf(stderr, "weir-bench: %s: %s\n%s", what, value, usage);
    return 2;
}

/* A number of the given range that takes the whole argument. */
static bool parse_number(const char *text, double least, double most, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return end != text && *end == '\0' && *out >= least && *out <= most;
}

enum { MAX_OUTPUTS = 8 };

struct command {
    struct suite_options suite;
    bool quick;
    form *form;
    const char *outputs[MAX_OUTPUTS];
    size_t output_count;
};

/* -1: go on; otherwise the exit status. */
static int parse_arguments(int argc, char **argv, struct command *c)
{
    static const struct option options[] = {
        {"filter", required_argument, NULL, 'f'},   {"rounds", required_argument, NULL, 'r'},
        {"min-time", required_argument, NULL, 't'}, {"quick", no_argument, NULL, 'q'},
        {"format", required_argument, NULL, 'F'},   {"output", required_argument, NULL, 'o'},
        {"corpora", required_argument, NULL, 'c'},  {"list", no_argument, NULL, 'l'},
        {"help", no_argument, NULL, 'h'},           {NULL, 0, NULL, 0},
    };
    double number;
    int letter;
    while ((letter = getopt_long(argc, argv, "f:r:t:qF:o:c:lh", options, NULL)) != -1) {
        switch (letter) {
        case 'f':
            if (has_filter)
                return wrong_usage("only one filter, not also", optarg);
            if (regcomp(&filter, optarg, REG_EXTENDED | REG_NOSUB) != 0)
                return wrong_usage("not a regular expression", optarg);
            has_filter = true;
            break;
        case 'r':
            if (!parse_number(optarg, 1, 99, &number))
                return wrong_usage("rounds are 1 to 99", optarg);
            c->suite.measure.rounds = (size_t)number;
            break;
        case 't':
            if (!parse_number(optarg, 0.001, 1e6, &number))
                return wrong_usage("the least time is 0.001 to 1000000 ms", optarg);
            c->suite.measure.min_ms = number;
            break;
        case 'q':
            c->quick = true;
            break;
        case 'F':
            c->form = form_named(optarg);
            if (c->form == NULL)
                return wrong_usage("the form is table, json or html", optarg);
            break;
        case 'o':
            if (c->output_count == MAX_OUTPUTS)
                return wrong_usage("too many outputs at", optarg);
            c->outputs[c->output_count++] = optarg;
            break;
        case 'c':
            c->suite.corpora = optarg;
            break;
        case 'l':
            c->suite.list = true;
            break;
        case 'h':
            fputs(usage, stdout);
            return 0;
        default:
            fputs(usage, stderr);
            return 2;
        }
    }
    return optind < argc ? wrong_usage("unexpected argument", argv[optind]) : -1;
}

int main(int argc, char **argv)
{
    const char *corpora = getenv("WEIR_CORPORA");
    struct command c = {
        .suite = {
            corpora == NULL ? "../shared/corpora" : corpora, matches, {.rounds = 0, .min_ms = 0}, false}};
    int status = parse_arguments(argc, argv, &c);
    if (status >= 0)
        return status;
    if (c.suite.measure.rounds == 0)
        c.suite.measure.rounds = c.quick ? 1 : 7;
    if (c.suite.measure.min_ms == 0)
        c.suite.measure.min_ms = c.quick ? 1 : 100;

    heap_settle();
    if (clock_pin() < 0)
        fprintf(stderr, "weir-bench: not pinned to one CPU\n");
    struct report report = {
        .rounds = c.suite.measure.rounds, .min_ms = c.suite.measure.min_ms, .quick = c.quick};
    bool ok = suite_run(&c.suite, &report);
    if (!c.suite.list) {
        for (size_t i = 0; i < c.output_count; i++)
            ok = emit(&report, form_for_file(c.outputs[i]), c.outputs[i]) && ok;
        ok = emit(&report, c.form == NULL ? report_table : c.form, NULL) && ok;
    }
    free(report.rows);
    if (has_filter)
        regfree(&filter);
    return ok ? 0 : 1;
}
