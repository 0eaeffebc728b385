/* The report as text of at most 110 columns. */
#include "machine.h"
#include "peers.h"
#include "report.h"

#include <string.h>

static void put_size(struct text *out, double bytes)
{
    if (bytes < 0)
        text_printf(out, " %8s", "-");
    else if (bytes < 100000)
        text_printf(out, " %8.0f", bytes);
    else if (bytes < 1e8)
        text_printf(out, " %7.0fk", bytes / 1e3);
    else
        text_printf(out, " %7.0fM", bytes / 1e6);
}

static void put_row(struct text *out, const struct row *row, bool first)
{
    text_printf(out, "%-23s %-19s", first ? row->fixture : "", row->engine);
    if (row->trouble != NULL) {
        text_printf(out, " not measured: %s\n", row->trouble);
        return;
    }
    text_printf(out, " %8.1f %6.2f%s %5.1f%%", row->mbps, row->ratio, row->is_reference ? "*" : " ",
                row->spread * 100);
    put_size(out, (double)row->bytes);
    put_size(out, row->allocs);
    put_size(out, row->peak);
    put_size(out, row->retained);
    if (row->instructions >= 0)
        text_printf(out, " %6.2f", row->instructions);
    text_puts(out, "\n");
}

static void put_rows(struct text *out, const struct report *report, enum op op)
{
    const char *fixture = "";
    text_printf(out, "\n%s\n", op_name(op));
    text_printf(out, "%-23s %-19s %8s %7s %6s %8s %8s %8s %8s %6s\n", "fixture", "engine", "MB/s", "ratio ",
                "spread", "bytes", "allocs", "peak", "kept", "ins/B");
    for (size_t i = 0; i < report->count; i++) {
        const struct row *row = &report->rows[i];
        if (row->op != op)
            continue;
        put_row(out, row, strcmp(row->fixture, fixture) != 0);
        fixture = row->fixture;
    }
}

static void put_comparison(struct text *out, const char *name, struct comparison all, struct comparison files)
{
    if (all.fixtures == 0)
        return;
    text_printf(out, "  %-33s %7.2f %5zu %7.2f  ", name, all.mean, all.fixtures, all.lowest);
    if (files.fixtures == 0)
        text_puts(out, all.lowest_fixture);
    else
        text_printf(out, "%-23s %7.2f %5zu %7.2f", all.lowest_fixture, files.mean, files.fixtures,
                    files.lowest);
    text_puts(out, "\n");
}

static void put_summary(struct text *out, const struct report *report, enum op op)
{
    const char *names[32];
    size_t count = report_engines(report, op, names, 32);
    if (count < 2)
        return;
    text_printf(out, "%s: speed of %s over that of\n", op_name(op), names[0]);
    for (size_t i = 1; i < count; i++)
        put_comparison(out, names[i], report_compare(report, op, &names[i], 1, false),
                       report_compare(report, op, &names[i], 1, true));
    if (report->has_weir && (op == OP_JSON_PARSE || op == OP_JSON_WRITE))
        put_comparison(out, "the faster of yyjson and simdjson",
                       report_compare(report, op, report_mark, 2, false),
                       report_compare(report, op, report_mark, 2, true));
}

static void put_versions(struct text *out)
{
    size_t line = out->len;
    text_puts(out, "engines:");
    for (size_t i = 0; i < bench_peer_count; i++) {
        const struct peer *peer = bench_peers[i];
        if (peer->engines == NULL || peer->version()[0] == '\0')
            continue;
        if (out->len - line + strlen(peer->name) + strlen(peer->version()) > 106) {
            text_puts(out, "\n  ");
            line = out->len - 2;
        }
        text_printf(out, " %s %s;", peer->name, peer->version());
    }
    text_puts(out, "\n");
}

void report_table(const struct report *report, struct text *out)
{
    struct machine machine;
    machine_describe(&machine);
    text_printf(out, "weir-bench, %s\n%s; %s\n%s\n", machine.date, machine.cpu, machine.system,
                machine.compiler);
    text_printf(out, "%zu round%s of at least %g ms an engine, in turn; thread CPU time; medians\n",
                report->rounds, report->rounds == 1 ? "" : "s", report->min_ms);
    put_versions(out);
    text_puts(out, "ratio = speed of the row marked * over the row's, round by round; MB = 10^6 bytes of the "
                   "document\n");
    for (int op = 0; op < OP_COUNT; op++)
        if (report_has(report, (enum op)op))
            put_rows(out, report, (enum op)op);
    text_printf(out,
                "\nGeometric means over all fixtures, and over the files of the corpora\n  %-33s %7s %5s %7s "
                " %-23s %7s %5s "
                "%7s\n",
                "", "mean", "of", "lowest", "on", "files", "of", "lowest");
    for (int op = 0; op < OP_COUNT; op++)
        if (report_has(report, (enum op)op))
            put_summary(out, report, (enum op)op);
    text_printf(out, "%s%s", report->notes[0] != '\0' ? "\n" : "", report->notes);
}
