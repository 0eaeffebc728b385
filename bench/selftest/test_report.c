/* The reports of a made-up run: sums by hand, JSON that is JSON, a table that
 * fits, a page that needs nothing else. The roster is this test's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "peers.h"
#include "reference.h"
#include "report.h"

#include <math.h>
#include <string.h>

static const char *version(void)
{
    return "1.0 <&>";
}

static const struct engine no_engines[] = {{.name = NULL}};
static const struct peer made_up = {"made-up", version, no_engines};
const struct peer *const bench_peers[] = {&made_up};
const size_t bench_peer_count = 1;

#define ROW(op_, fixture_, engine_, file_, ratio_, size_)                                                    \
    {                                                                                                        \
        .op = op_, .fixture = fixture_, .engine = engine_, .from_file = file_, .basis = size_,               \
        .bytes = size_, .is_reference = (ratio_) == 1, .ns = 1000, .mbps = 123456.789 / (ratio_),            \
        .ratio = ratio_, .spread = 0.0312, .allocs = 3, .peak = 1234567, .retained = -1, .instructions = 2.5 \
    }

static struct row rows[] = {
    ROW(OP_JSON_PARSE, "a-file", "weir", true, 1, 1000),
    ROW(OP_JSON_PARSE, "a-file", "weir-nolimits", true, 0.99, 1000),
    ROW(OP_JSON_PARSE, "a-file", "yyjson", true, 2, 1000),
    ROW(OP_JSON_PARSE, "a-file", "simdjson-dom", true, 1.5, 1000),
    ROW(OP_JSON_PARSE, "records-1KiB", "weir", false, 1, 993),
    ROW(OP_JSON_PARSE, "records-1KiB", "yyjson", false, 8, 993),
    ROW(OP_JSON_PARSE, "records-1KiB", "simdjson-dom", false, 6, 993),
    ROW(OP_JSON_PARSE, "records-1MiB", "weir", false, 1, 1048543),
    ROW(OP_JSON_PARSE, "records-1MiB", "yyjson", false, 0.5, 1048543),
    {.op = OP_JSON_PARSE, .fixture = "records-1MiB", .engine = "simdjson-dom", .trouble = "wrong result"},
    ROW(OP_JSON_PARSE_LIMITS, "a-file", "weir", true, 1, 1000),
    ROW(OP_JSON_PARSE_LIMITS, "a-file", "weir-nolimits", true, 0.98, 1000),
};

static const struct report report = {
    .rows = rows,
    .count = sizeof rows / sizeof rows[0],
    .notes = "not measured: absent (not found)\n",
    .rounds = 7,
    .min_ms = 100,
    .has_weir = true,
};

static void expect_near(double got, double want)
{
    if (fabs(got - want) > 1e-9)
        fail_msg("%.12g is not %.12g", got, want);
}

static void means_are_geometric_and_file_by_file(void **state)
{
    static const char *const yyjson[] = {"yyjson"};
    (void)state;
    struct comparison c = report_compare(&report, OP_JSON_PARSE, yyjson, 1, false);
    assert_int_equal(c.fixtures, 3);
    expect_near(c.mean, 2); /* the third root of 2 * 8 * 0.5 */
    expect_near(c.lowest, 0.5);
    assert_string_equal(c.lowest_fixture, "records-1MiB");
    c = report_compare(&report, OP_JSON_PARSE, yyjson, 1, true);
    assert_int_equal(c.fixtures, 1);
    expect_near(c.mean, 2);
    c = report_compare(&report, OP_JSON_PARSE, report_mark, 2, false);
    expect_near(c.mean, cbrt(1.5 * 6 * 0.5));
    c = report_compare(&report, OP_JSON_WRITE, yyjson, 1, false);
    assert_int_equal(c.fixtures, 0);
}

static void engines_come_in_order_with_the_reference_first(void **state)
{
    const char *names[8];
    (void)state;
    assert_int_equal(report_engines(&report, OP_JSON_PARSE, names, 8), 4);
    assert_string_equal(names[0], "weir");
    assert_string_equal(names[3], "simdjson-dom");
    assert_int_equal(report_engines(&report, OP_JSON_PARSE, names, 2), 2);
    assert_int_equal(report_engines(&report, OP_CBOR_PARSE, names, 8), 0);
}

static void json_report_is_an_array_of_rows(void **state)
{
    static const char first[] =
        "[\n{\"op\":\"json-parse\",\"fixture\":\"a-file\",\"engine\":\"weir\",\"mbps\":123456.8,"
        "\"ratio\":1.000,\"spread\":0.031,\"bytes\":1000,\"allocs\":3,\"peak\":1234567},";
    struct text out = {0};
    struct trace trace = {0};
    size_t fault;
    (void)state;
    report_json(&report, &out);
    assert_memory_equal(out.data, first, sizeof first - 1);
    assert_true(reference_read_json(out.data, out.len, false, &trace, &fault));
    assert_int_equal(token_size(&trace.tokens[0]), report.count - 1); /* all but the one with trouble */
    trace_free(&trace);
    text_free(&out);
}

static void table_fits_110_columns(void **state)
{
    struct text out = {0};
    (void)state;
    report_table(&report, &out);
    for (const char *line = out.data; *line != '\0'; line += strcspn(line, "\n") + 1)
        if (strcspn(line, "\n") > 110)
            fail_msg("%zu columns: %.*s", strcspn(line, "\n"), (int)strcspn(line, "\n"), line);
    assert_non_null(strstr(out.data, "not measured: wrong result"));
    assert_non_null(strstr(out.data, "not measured: absent (not found)"));
    assert_non_null(strstr(out.data, "the faster of yyjson and simdjson"));
    text_free(&out);
}

static size_t count_of(const char *text, const char *part)
{
    size_t n = 0;
    for (const char *p = text; (p = strstr(p, part)) != NULL; p += strlen(part))
        n++;
    return n;
}

static void page_is_self_contained(void **state)
{
    static const char *const outside[] = {"http:", "https:", "src=", "<link", "<script", "@import", "url("};
    static const char *const paired[] = {"svg", "details", "table", "title", "text", "tr"};
    struct text out = {0};
    (void)state;
    report_html(&report, &out);
    for (size_t i = 0; i < sizeof outside / sizeof outside[0]; i++)
        assert_null(strstr(out.data, outside[i]));
    for (size_t i = 0; i < sizeof paired / sizeof paired[0]; i++) {
        struct text open = {0}, open_with = {0}, close = {0};
        text_printf(&open, "<%s>", paired[i]);
        text_printf(&open_with, "<%s ", paired[i]);
        text_printf(&close, "</%s>", paired[i]);
        assert_int_equal(count_of(out.data, open.data) + count_of(out.data, open_with.data),
                         count_of(out.data, close.data));
        text_free(&open);
        text_free(&open_with);
        text_free(&close);
    }
    assert_int_equal(count_of(out.data, "<svg "), 3); /* ratios, speed by size, limits */
    assert_non_null(strstr(out.data, "1.0 &lt;&amp;&gt;"));
    assert_non_null(strstr(out.data, "json-write-limits was not measured"));
    assert_null(strstr(out.data, "nan"));
    assert_null(strstr(out.data, "inf\""));
    text_free(&out);
}

static void an_empty_report_is_written_too(void **state)
{
    static const struct report empty = {.rounds = 1, .min_ms = 1};
    struct text out = {0};
    (void)state;
    report_table(&empty, &out);
    report_html(&empty, &out);
    assert_false(out.failed);
    text_free(&out);
    report_json(&empty, &out);
    assert_string_equal(out.data, "[\n]\n");
    text_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_are_geometric_and_file_by_file),
        cmocka_unit_test(engines_come_in_order_with_the_reference_first),
        cmocka_unit_test(json_report_is_an_array_of_rows),
        cmocka_unit_test(table_fits_110_columns),
        cmocka_unit_test(page_is_self_contained),
        cmocka_unit_test(an_empty_report_is_written_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
