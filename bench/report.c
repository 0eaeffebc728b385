/* The sums that all reports share, and the JSON report. */
#include "report.h"

#include <math.h>
#include <string.h>

const char *const report_mark[2] = {"yyjson", "simdjson-dom"};

static bool is_among(const char *name, const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Rows of one scenario are neighbours, so a fixture's fastest engine is known when the next fixture begins.
 */
struct comparison report_compare(const struct report *report, enum op op, const char *const *engines,
                                 size_t count, bool files_only)
{
    struct comparison c = {0, 0, INFINITY, ""};
    double logs = 0;
    for (size_t i = 0; i < report->count;) {
        const struct row *first = &report->rows[i];
        double lowest = INFINITY;
        for (; i < report->count && report->rows[i].op == first->op &&
               strcmp(report->rows[i].fixture, first->fixture) == 0;
             i++) {
            const struct row *row = &report->rows[i];
            if (row->trouble == NULL && !row->is_reference && is_among(row->engine, engines, count))
                lowest = fmin(lowest, row->ratio);
        }
        if (first->op != op || (files_only && !first->from_file) || lowest == INFINITY)
            continue;
        logs += log(lowest);
        c.fixtures++;
        if (lowest < c.lowest) {
            c.lowest = lowest;
            c.lowest_fixture = first->fixture;
        }
    }
    c.mean = c.fixtures == 0 ? 0 : exp(logs / (double)c.fixtures);
    return c;
}

const char *report_reference(const struct report *report, enum op op)
{
    for (size_t i = 0; i < report->count; i++)
        if (report->rows[i].op == op && report->rows[i].is_reference)
            return report->rows[i].engine;
    return NULL;
}

bool report_has(const struct report *report, enum op op)
{
    for (size_t i = 0; i < report->count; i++)
        if (report->rows[i].op == op)
            return true;
    return false;
}

size_t report_engines(const struct report *report, enum op op, const char **names, size_t cap)
{
    const char *reference = report_reference(report, op);
    size_t count = 0;
    if (reference == NULL)
        return 0;
    names[count++] = reference;
    for (size_t i = 0; i < report->count && count < cap; i++) {
        const struct row *row = &report->rows[i];
        if (row->op == op && row->trouble == NULL && !is_among(row->engine, names, count))
            names[count++] = row->engine;
    }
    return count;
}

static void put_count(struct text *out, const char *name, double value)
{
    if (value < 0)
        text_printf(out, ",\"%s\":null", name);
    else
        text_printf(out, ",\"%s\":%.0f", name, value);
}

/* Names hold no character that JSON would escape, except in file names; those are checked when listed. */
void report_json(const struct report *report, struct text *out)
{
    const char *separator = "";
    text_puts(out, "[");
    for (size_t i = 0; i < report->count; i++) {
        const struct row *row = &report->rows[i];
        if (row->trouble != NULL)
            continue;
        text_printf(out, "%s\n{\"op\":\"%s\",\"fixture\":\"%s\",\"engine\":\"%s\"", separator,
                    op_name(row->op), row->fixture, row->engine);
        text_printf(out, ",\"mbps\":%.1f,\"ratio\":%.3f,\"spread\":%.3f,\"bytes\":%zu", row->mbps, row->ratio,
                    row->spread, row->bytes);
        put_count(out, "allocs", row->allocs);
        put_count(out, "peak", row->peak);
        text_puts(out, "}");
        separator = ",";
    }
    text_puts(out, "\n]\n");
}
