/* The report as one self-contained HTML page: summary, bars of ratio by
 * scenario, throughput against input size, the cost of limits, and all rows.
 * Charts are inline SVG; there is no script and no outside resource. */
#include "machine.h"
#include "peers.h"
#include "report.h"

#include <math.h>
#include <string.h>

enum {
    MAX_SERIES = 5, /* colours that stay apart; the first is the reference engine's in every chart */
    LABEL_WIDTH = 178,
    PLOT_WIDTH = 640,
    BAR_HEIGHT = 9,
    BAR_GAP = 3,
    GROUP_GAP = 9
};

static const char style[] =
    ":root{--ground:#fcfcfa;--card:#fff;--ink:#1d2126;--soft:#5c6570;--rule:#dfe2e0;--mark:#8a9199;"
    "--s1:#1f6fb2;--s2:#d0661b;--s3:#2f8a66;--s4:#8659a8;--s5:#a8842c;color-scheme:light dark}\n"
    "@media(prefers-color-scheme:dark){:root{--ground:#14171a;--card:#1b1f23;--ink:#e6e8ea;--soft:#9aa3ad;"
    "--rule:#30363c;--mark:#6d7680;--s1:#5aa9e6;--s2:#ef9a55;--s3:#5cc09a;--s4:#b894d6;--s5:#d8bb62}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0;background:var(--ground);color:var(--ink);font:15px/1.5 system-ui,sans-serif}\n"
    "main{max-width:920px;margin:0 auto;padding:40px 24px 80px}\n"
    "h1{font-size:26px;margin:0 0 4px}h2{font-size:19px;margin:48px 0 4px}h3{font-size:15px;margin:24px 0 "
    "4px}\n"
    "p{margin:4px 0 12px;color:var(--soft);max-width:46em}\n"
    ".facts{font-size:13px;color:var(--soft)}\n"
    ".cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(200px,1fr));gap:12px;margin:20px 0}\n"
    ".card{background:var(--card);border:1px solid var(--rule);border-radius:6px;padding:12px 14px}\n"
    ".card b{display:block;font-size:26px;line-height:1.2;font-variant-numeric:tabular-nums}\n"
    ".card span{display:block;font-size:13px;line-height:1.4;color:var(--soft)}\n"
    ".key{font-size:13px;color:var(--soft);margin:8px 0}\n"
    ".key i{display:inline-block;width:11px;height:11px;border-radius:2px;margin:0 5px 0 "
    "14px;vertical-align:-1px}\n"
    ".key i:first-child{margin-left:0}\n"
    "svg{display:block;width:100%;height:auto;max-width:880px}\n"
    "svg text{font:11px system-ui,sans-serif;fill:var(--soft);font-variant-numeric:tabular-nums;"
    "paint-order:stroke;stroke:var(--ground);stroke-width:3px;stroke-linejoin:round}\n"
    "svg .name{fill:var(--ink)}svg .grid{stroke:var(--rule)}svg .one{stroke:var(--mark);stroke-dasharray:3 "
    "3}\n"
    ".f0{fill:var(--s1);background:var(--s1)}.f1{fill:var(--s2);background:var(--s2)}"
    ".f2{fill:var(--s3);background:var(--s3)}.f3{fill:var(--s4);background:var(--s4)}"
    ".f4{fill:var(--s5);background:var(--s5)}\n"
    ".l0{stroke:var(--s1)}.l1{stroke:var(--s2)}.l2{stroke:var(--s3)}.l3{stroke:var(--s4)}.l4{stroke:var(--s5)"
    "}\n"
    ".line{fill:none;stroke-width:2;stroke-linejoin:round}\n"
    ".scroll{overflow-x:auto}\n"
    "table{border-collapse:collapse;font-size:12.5px;font-variant-numeric:tabular-nums;width:100%}\n"
    "th,td{text-align:right;padding:2px 8px;white-space:nowrap}th{color:var(--soft);font-weight:500}\n"
    "td:nth-child(-n+2),th:nth-child(-n+2){text-align:left}tr.first td{border-top:1px solid var(--rule)}\n"
    "summary{cursor:pointer;color:var(--soft);margin:12px 0}\n";

static bool starts_with(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static void put_escaped(struct text *out, const char *s)
{
    for (; *s != '\0'; s++)
        switch (*s) {
        case '<':
            text_puts(out, "&lt;");
            break;
        case '>':
            text_puts(out, "&gt;");
            break;
        case '&':
            text_puts(out, "&amp;");
            break;
        default:
            text_put(out, s, 1);
        }
}

static const struct row *find_row(const struct report *report, enum op op, const char *fixture,
                                  const char *engine)
{
    for (size_t i = 0; i < report->count; i++) {
        const struct row *row = &report->rows[i];
        if (row->op == op && row->trouble == NULL && strcmp(row->fixture, fixture) == 0 &&
            strcmp(row->engine, engine) == 0)
            return row;
    }
    return NULL;
}

/* Fixtures that differ in size only. */
static bool is_in_series(const struct row *row)
{
    size_t len = strlen(row->fixture);
    return starts_with(row->fixture, "records-") && row->fixture[len - 1] == 'B';
}

static bool is_any(const struct row *row)
{
    return row != NULL;
}

/* The engines that a chart of some fixtures of an operation shows, at most MAX_SERIES: those that ran on more
 * than half of the fixtures that the most frequent one ran on, without weir's own variants. */
static size_t pick_series(const struct report *report, enum op op, bool with_reference,
                          bool (*shown)(const struct row *), const char **picked)
{
    const char *names[32];
    size_t count = report_engines(report, op, names, 32), kept = 0;
    size_t most = 0, ran[32] = {0};
    for (size_t k = 0; k < count; k++) {
        for (size_t i = 0; i < report->count; i++) {
            const struct row *row = &report->rows[i];
            ran[k] +=
                row->op == op && row->trouble == NULL && shown(row) && strcmp(row->engine, names[k]) == 0;
        }
        most = ran[k] > most ? ran[k] : most;
    }
    size_t skip = with_reference ? 0 : 1;
    for (size_t k = skip; k < count && kept + skip < MAX_SERIES; k++) {
        bool variant = report->has_weir && k > 0 && starts_with(names[k], "weir") && op != OP_JSON_REFUSE;
        if (ran[k] * 2 > most && !variant)
            picked[kept++] = names[k];
    }
    return kept;
}

/* `colour` is the first one's; the others follow. */
static void put_key(struct text *out, const char *const *names, size_t count, size_t colour)
{
    text_puts(out, "<div class=\"key\">");
    for (size_t k = 0; k < count; k++)
        text_printf(out, "<i class=\"f%zu\"></i>%s", k + colour, names[k]);
    text_puts(out, "</div>\n");
}

/* A step of 1, 2 or 5 times a power of ten that gives at most `ticks` ticks. */
static double tick_step(double span, int ticks)
{
    double raw = span / ticks, unit = pow(10, floor(log10(raw)));
    double n = raw / unit;
    return unit * (n <= 1 ? 1 : n <= 2 ? 2 : n <= 5 ? 5 : 10);
}

/* How a chart of bars turns a row into a length. */
struct bars {
    enum op op;
    const char *const *series;
    size_t series_count;
    size_t colour; /* of the first series */
    double (*value)(const struct row *row);
    double cap;   /* longer bars are cut and marked */
    double mark;  /* a dashed line at this value */
    bool percent; /* values are percent, else multiples */
};

static double ratio_of(const struct row *row)
{
    return row->ratio;
}

/* Time with limits over time without: the row of the engine without them has the inverse of that as its
 * ratio. */
static double overhead_of(const struct row *row)
{
    return (1 / row->ratio - 1) * 100;
}

static void put_label(struct text *out, bool percent, double value)
{
    if (percent)
        text_printf(out, "%+.1f %%", value);
    else
        text_printf(out, value >= 10 ? "%.0f×" : "%.2f×", value);
}

static void put_axis(struct text *out, const struct bars *b, double low, double high, double scale,
                     double height)
{
    double step = tick_step(high - low, 8);
    for (double v = ceil(low / step) * step; v <= high + step * 1e-6; v += step) {
        double x = LABEL_WIDTH + (v - low) * scale;
        text_printf(out, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"18\" y2=\"%.0f\"/>", x, x,
                    height);
        text_printf(out, "<text x=\"%.1f\" y=\"12\" text-anchor=\"middle\">%g%s</text>\n", x,
                    fabs(v) < step * 1e-6 ? 0 : v, b->percent ? " %" : "×");
    }
    double x = LABEL_WIDTH + (b->mark - low) * scale;
    text_printf(out, "<line class=\"one\" x1=\"%.1f\" x2=\"%.1f\" y1=\"18\" y2=\"%.0f\"/>\n", x, x, height);
}

static void put_bar(struct text *out, const struct bars *b, const struct row *row, size_t colour, double low,
                    double scale, double y)
{
    double value = b->value(row), shown = fmin(value, b->cap);
    double zero = LABEL_WIDTH + (0 - low) * scale, end = LABEL_WIDTH + (shown - low) * scale;
    text_printf(out,
                "<rect class=\"f%zu\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%d\" rx=\"1.5\"><title>",
                colour, fmin(zero, end), y, fmax(fabs(end - zero), 1), BAR_HEIGHT);
    text_printf(out, "%s, %s: ", row->fixture, row->engine);
    put_label(out, b->percent, value);
    text_printf(out, ", spread %.1f %%, %.0f MB/s</title></rect>", row->spread * 100, row->mbps);
    text_printf(out, "<text x=\"%.1f\" y=\"%.1f\">", fmax(zero, end) + 5, y + BAR_HEIGHT - 0.5);
    put_label(out, b->percent, value);
    text_puts(out, value > b->cap ? " ›</text>\n" : "</text>\n");
}

/* One group of bars for each fixture of the operation. */
static void put_bars(struct text *out, const struct report *report, const struct bars *b)
{
    double low = 0, high = 0, height = 24;
    const char *fixture = "";
    for (size_t i = 0; i < report->count; i++) {
        const struct row *row = &report->rows[i];
        if (row->op != b->op || row->trouble != NULL)
            continue;
        for (size_t k = 0; k < b->series_count; k++)
            if (strcmp(row->engine, b->series[k]) == 0) {
                low = fmin(low, b->value(row));
                high = fmax(high, fmin(b->value(row), b->cap));
                height += BAR_HEIGHT + BAR_GAP;
            }
        if (strcmp(row->fixture, fixture) != 0)
            height += GROUP_GAP;
        fixture = row->fixture;
    }
    high = fmax(high, b->mark * 1.1);
    if (high - low <= 0)
        high = low + 1;
    double scale = PLOT_WIDTH / (high - low), y = 26;
    text_printf(out,
                "<svg viewBox=\"0 0 %d %.0f\" role=\"img\" aria-label=\"%s, one group of bars a fixture\">\n",
                LABEL_WIDTH + PLOT_WIDTH + 62, height + 4, op_name(b->op));
    put_axis(out, b, low, high, scale, height);
    fixture = "";
    for (size_t i = 0; i < report->count; i++) {
        const struct row *row = &report->rows[i];
        if (row->op != b->op || strcmp(row->fixture, fixture) == 0)
            continue;
        fixture = row->fixture;
        double top = y;
        for (size_t k = 0; k < b->series_count; k++) {
            const struct row *found = find_row(report, b->op, fixture, b->series[k]);
            if (found == NULL)
                continue;
            put_bar(out, b, found, k + b->colour, low, scale, y);
            y += BAR_HEIGHT + BAR_GAP;
        }
        if (y == top)
            continue;
        text_printf(out, "<text class=\"name\" x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n",
                    LABEL_WIDTH - 10, (top + y - BAR_GAP) / 2 + 4, fixture);
        y += GROUP_GAP;
    }
    text_puts(out, "</svg>\n");
}

static void put_ratio_chart(struct text *out, const struct report *report, enum op op)
{
    const char *series[MAX_SERIES];
    size_t count = pick_series(report, op, false, is_any, series);
    if (count == 0)
        return;
    text_printf(out, "<h3>%s: speed of %s over that of</h3>\n", op_name(op), report_reference(report, op));
    put_key(out, series, count, 1);
    put_bars(out, report, &(struct bars){op, series, count, 1, ratio_of, 6, 1, false});
}

static void put_size_axis(struct text *out, double first, double last, double width, double left,
                          double bottom)
{
    for (double size = 256; size <= 16777216; size *= 4) {
        double x = left + (log2(size) - first) / (last - first) * width;
        if (log2(size) < first || log2(size) > last)
            continue;
        text_printf(out, "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"14\" y2=\"%.0f\"/>", x, x,
                    bottom);
        if (size < 1024)
            text_printf(out, "<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">%.0f B</text>\n", x,
                        bottom + 16, size);
        else if (size < 1048576)
            text_printf(out, "<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">%.0f KiB</text>\n", x,
                        bottom + 16, size / 1024);
        else
            text_printf(out, "<text x=\"%.1f\" y=\"%.0f\" text-anchor=\"middle\">%.0f MiB</text>\n", x,
                        bottom + 16, size / 1048576);
    }
}

static void put_size_chart(struct text *out, const struct report *report, enum op op)
{
    enum { LEFT = 78, WIDTH = 770, TOP = 14, BOTTOM = 300 };
    const char *series[MAX_SERIES];
    size_t count = pick_series(report, op, true, is_in_series, series), points = 0;
    double most = 0, first = INFINITY, last = -INFINITY;
    for (size_t i = 0; i < report->count; i++)
        if (report->rows[i].op == op && report->rows[i].trouble == NULL && is_in_series(&report->rows[i])) {
            const struct row *row = &report->rows[i];
            most = fmax(most, row->mbps);
            first = fmin(first, floor(log2((double)row->basis)));
            last = fmax(last, ceil(log2((double)row->basis)));
            points++;
        }
    if (points == 0 || last <= first)
        return;
    text_printf(out, "<h3>%s</h3>\n", op_name(op));
    put_key(out, series, count, 0);
    double step = tick_step(most, 6), high = ceil(most / step) * step, scale = (BOTTOM - TOP) / high;
    text_printf(out, "<svg viewBox=\"0 0 880 330\" role=\"img\" aria-label=\"%s, MB/s by size\">\n",
                op_name(op));
    for (double v = 0; v <= high + step * 1e-6; v += step) {
        text_printf(out, "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/>", LEFT,
                    LEFT + WIDTH, BOTTOM - v * scale, BOTTOM - v * scale);
        text_printf(out, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%g%s</text>\n", LEFT - 8,
                    BOTTOM - v * scale + 4, v, v + step > high + step * 1e-6 ? " MB/s" : "");
    }
    put_size_axis(out, first, last, WIDTH, LEFT, BOTTOM);
    for (size_t k = 0; k < count; k++) {
        struct text dots = {0};
        const char *join = "M";
        text_printf(out, "<path class=\"line l%zu\" d=\"", k);
        for (size_t i = 0; i < report->count; i++) {
            const struct row *row = &report->rows[i];
            if (row->op != op || row->trouble != NULL || !is_in_series(row) ||
                strcmp(row->engine, series[k]) != 0)
                continue;
            double x = LEFT + (log2((double)row->basis) - first) / (last - first) * WIDTH;
            double y = BOTTOM - row->mbps * scale;
            text_printf(out, "%s%.1f %.1f", join, x, y);
            text_printf(&dots,
                        "<circle class=\"f%zu\" cx=\"%.1f\" cy=\"%.1f\" r=\"3.5\"><title>%s, %s: %.0f MB/s"
                        "</title></circle>",
                        k, x, y, row->engine, row->fixture, row->mbps);
            join = "L";
        }
        text_puts(out, "\"/>");
        text_put(out, dots.data, dots.len);
        text_puts(out, "\n");
        text_free(&dots);
    }
    text_puts(out, "</svg>\n");
}

static void put_card(struct text *out, const char *op, const char *against, struct comparison c)
{
    if (c.fixtures == 0)
        return;
    text_printf(out,
                "<div class=\"card\"><span>%s</span><b>%.2f×</b><span>the speed of %s; lowest %.2f× on %s, "
                "%zu fixture%s</span></div>\n",
                op, c.mean, against, c.lowest, c.lowest_fixture, c.fixtures, c.fixtures == 1 ? "" : "s");
}

static void put_summary(struct text *out, const struct report *report)
{
    text_puts(out, "<div class=\"cards\">\n");
    for (int i = 0; i < OP_COUNT; i++) {
        enum op op = (enum op)i;
        const char *names[32];
        size_t count = report_engines(report, op, names, 32);
        if (op == OP_FLOOR_SCAN || count < 2)
            continue;
        bool marked = report->has_weir && (op == OP_JSON_PARSE || op == OP_JSON_WRITE);
        if (marked)
            put_card(out, op_name(op), "the faster of yyjson and simdjson",
                     report_compare(report, op, report_mark, 2, false));
        size_t k = 1;
        while (k + 1 < count && starts_with(names[k], "weir") && op != OP_JSON_REFUSE &&
               op != OP_JSON_PARSE_LIMITS && op != OP_JSON_WRITE_LIMITS)
            k++;
        put_card(out, op_name(op), names[k], report_compare(report, op, &names[k], 1, false));
    }
    text_puts(out, "</div>\n");
}

static void put_limits(struct text *out, const struct report *report)
{
    static const enum op ops[] = {OP_JSON_PARSE_LIMITS, OP_JSON_WRITE_LIMITS};
    static const char *const without[] = {"weir-nolimits"};
    text_puts(
        out,
        "<h2>The cost of limits</h2>\n<p>Extra time with every limit set to exactly what the document uses, "
        "so that none can be dropped, against no limits at all.</p>\n");
    for (size_t i = 0; i < 2; i++) {
        if (!report_has(report, ops[i])) {
            text_printf(out, "<p>%s was not measured in this run.</p>\n", op_name(ops[i]));
            continue;
        }
        text_printf(out, "<h3>%s</h3>\n", op_name(ops[i]));
        put_bars(out, report, &(struct bars){ops[i], without, 1, 0, overhead_of, 100, 0, true});
    }
}

static void put_number(struct text *out, double value)
{
    if (value < 0)
        text_puts(out, "<td>–</td>");
    else
        text_printf(out, "<td>%.0f</td>", value);
}

static void put_all_rows(struct text *out, const struct report *report)
{
    text_puts(out, "<h2>All rows</h2>\n");
    for (int op = 0; op < OP_COUNT; op++) {
        const char *fixture = "";
        if (!report_has(report, (enum op)op))
            continue;
        text_printf(
            out,
            "<details><summary>%s</summary><div class=\"scroll\"><table><tr><th>fixture<th>engine<th>MB/s"
            "<th>ratio<th>spread<th>bytes<th>allocations<th>peak<th>kept</tr>\n",
            op_name((enum op)op));
        for (size_t i = 0; i < report->count; i++) {
            const struct row *row = &report->rows[i];
            if (row->op != (enum op)op)
                continue;
            bool first = strcmp(row->fixture, fixture) != 0;
            fixture = row->fixture;
            text_printf(out, "<tr%s><td>%s</td><td>%s</td>", first ? " class=\"first\"" : "",
                        first ? fixture : "", row->engine);
            if (row->trouble != NULL) {
                text_printf(out, "<td colspan=\"7\">not measured: %s</td></tr>\n", row->trouble);
                continue;
            }
            text_printf(out, "<td>%.1f</td><td>%.2f</td><td>%.1f %%</td><td>%zu</td>", row->mbps, row->ratio,
                        row->spread * 100, row->bytes);
            put_number(out, row->allocs);
            put_number(out, row->peak);
            put_number(out, row->retained);
            text_puts(out, "</tr>\n");
        }
        text_puts(out, "</table></div></details>\n");
    }
}

static void put_facts(struct text *out, const struct report *report)
{
    struct machine machine;
    machine_describe(&machine);
    text_puts(out, "<p class=\"facts\">");
    put_escaped(out, machine.date);
    text_puts(out, "<br>");
    put_escaped(out, machine.cpu);
    text_puts(out, "; ");
    put_escaped(out, machine.system);
    text_puts(out, "; ");
    put_escaped(out, machine.compiler);
    text_printf(out,
                "<br>%zu round%s of at least %g ms an engine, in turn; thread CPU time, pinned; medians<br>",
                report->rounds, report->rounds == 1 ? "" : "s", report->min_ms);
    for (size_t i = 0; i < bench_peer_count; i++)
        if (bench_peers[i]->engines != NULL && bench_peers[i]->version()[0] != '\0') {
            put_escaped(out, bench_peers[i]->name);
            text_puts(out, " ");
            put_escaped(out, bench_peers[i]->version());
            text_puts(out, "; ");
        }
    for (const char *line = report->notes; *line != '\0'; line += strcspn(line, "\n") + 1) {
        struct text copy = {0};
        text_put(&copy, line, strcspn(line, "\n"));
        text_puts(out, "<br>");
        put_escaped(out, copy.data);
        text_free(&copy);
    }
    text_puts(out, "</p>\n");
}

void report_html(const struct report *report, struct text *out)
{
    text_puts(out, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
                   "<title>weir-bench</title>\n<style>\n");
    text_puts(out, style);
    text_puts(out, "</style></head><body><main>\n<h1>weir-bench</h1>\n");
    put_facts(out, report);
    put_summary(out, report);
    text_puts(out, "<h2>Ratios</h2>\n<p>Round by round, then the median; the dashed line is equal speed. A "
                   "longer bar is "
                   "better for the engine named first.</p>\n");
    for (int op = 0; op < OP_COUNT; op++)
        if (op != OP_FLOOR_SCAN && op != OP_JSON_PARSE_LIMITS && op != OP_JSON_WRITE_LIMITS)
            put_ratio_chart(out, report, (enum op)op);
    text_puts(out, "<h2>Speed by size</h2>\n<p>The same small records, as many as fit; the size axis is "
                   "logarithmic.</p>\n");
    put_size_chart(out, report, OP_JSON_PARSE);
    put_size_chart(out, report, OP_JSON_WRITE);
    put_limits(out, report);
    put_all_rows(out, report);
    text_puts(out, "</main></body></html>\n");
}
