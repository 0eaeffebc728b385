/* The table "What each format carries" in docs/formats.md is what the writers do: ✓ is written as it is, a
 * name in backquotes is the mapping of WEIR_ALLOW_ without which it is refused, – is refused in any case. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "support.h"
#include "weir/weir.h"

/* ---- the rows: what is written ---- */

static void put_time(weir_writer *w, weir_time_shape shape, int offset, uint32_t nanoseconds)
{
    weir_timestamp time = {.seconds = shape == WEIR_TIME_CLOCK ? 3600 : 1777852800,
                           .nanoseconds = nanoseconds,
                           .offset_minutes = (int16_t)offset,
                           .shape = (uint8_t)shape,
                           .digits = nanoseconds ? 9 : 0};
    weir_write_timestamp(w, time);
}

static void put_key(weir_writer *w, weir_kind kind)
{
    weir_event key = {.kind = (uint8_t)kind, .is_key = true};
    weir_write_map(w, 1);
    if (kind == WEIR_KIND_ARRAY) {
        key.count = 0;
        weir_write_event(w, &key);
        weir_write_end(w);
    } else {
        key.v.u = 7;
        weir_write_event(w, &key);
    }
    weir_write_null(w);
    weir_write_end(w);
}

static void null(weir_writer *w)
{
    weir_write_null(w);
}
static void boolean(weir_writer *w)
{
    weir_write_bool(w, true);
}
static void integer(weir_writer *w)
{
    weir_write_array(w, 2);
    weir_write_int(w, INT64_MIN);
    weir_write_uint(w, UINT64_MAX);
    weir_write_end(w);
}
static void real(weir_writer *w)
{
    weir_write_double(w, 0.1);
}
static void single(weir_writer *w)
{
    weir_write_float(w, 0.1f);
}
static void not_a_number(weir_writer *w)
{
    weir_write_double(w, (double)NAN);
}
static void infinity(weir_writer *w)
{
    weir_write_double(w, -(double)INFINITY);
}
static void big_integer(weir_writer *w)
{
    weir_write_number(w, "18446744073709551616", 20);
}
static void decimal(weir_writer *w)
{
    weir_write_number(w, "0.10000000000000000000000001", 28);
}
static void string(weir_writer *w)
{
    weir_write_str(w, "a\"\n\xC3\xA9", 5);
}
static void bytes(weir_writer *w)
{
    weir_write_bytes(w, "\xFF", 1);
}
static void instant(weir_writer *w)
{
    put_time(w, WEIR_TIME_OFFSET, 0, 250000000);
}
static void offset_instant(weir_writer *w)
{
    put_time(w, WEIR_TIME_OFFSET, 120, 0);
}
static void local(weir_writer *w)
{
    put_time(w, WEIR_TIME_LOCAL, 0, 0);
}
static void date(weir_writer *w)
{
    put_time(w, WEIR_TIME_DATE, 0, 0);
}
static void clock_time(weir_writer *w)
{
    put_time(w, WEIR_TIME_CLOCK, 0, 0);
}
static void containers(weir_writer *w)
{
    weir_write_array(w, WEIR_UNKNOWN);
    weir_write_map(w, WEIR_UNKNOWN);
    weir_write_key(w, "a", 1);
    weir_write_null(w);
    weir_write_end(w);
    weir_write_end(w);
}
static void duplicates(weir_writer *w)
{
    weir_write_map(w, 2);
    for (int i = 0; i < 2; i++) {
        weir_write_key(w, "a", 1);
        weir_write_null(w);
    }
    weir_write_end(w);
}
static void scalar_key(weir_writer *w)
{
    put_key(w, WEIR_KIND_UINT);
}
static void container_key(weir_writer *w)
{
    put_key(w, WEIR_KIND_ARRAY);
}
static void tag(weir_writer *w)
{
    weir_write_tag(w, 32);
    weir_write_str(w, "x:", 2);
}
static void text_time_tag(weir_writer *w)
{
    weir_write_tag(w, 0);
    weir_write_str(w, "2026-05-04T03:02:01Z", 20);
}
static void epoch_time_tag(weir_writer *w)
{
    weir_write_tag(w, 1);
    weir_write_uint(w, 1777856400);
}
static void undefined(weir_writer *w)
{
    weir_write_tag_name(w, "undefined", 9);
    weir_write_null(w);
}
static void simple(weir_writer *w)
{
    weir_write_tag_name(w, "simple", 6);
    weir_write_uint(w, 99);
}
static void ext(weir_writer *w)
{
    weir_write_tag_name(w, "ext:5", 5);
    weir_write_bytes(w, "\xFF", 1);
}
static void other_name(weir_writer *w)
{
    weir_write_tag_name(w, "river", 5);
    weir_write_str(w, "Elbe", 4);
}
static void secret(weir_writer *w)
{
    weir_write_secret(w, "pin", 3);
}

static const struct row {
    const char *label;
    void (*put)(weir_writer *w);
} rows[] = {
    {"null", null},
    {"boolean", boolean},
    {"integer of 64 bits", integer},
    {"real (double)", real},
    {"real of 32 or 16 bits", single},
    {"NaN", not_a_number},
    {"infinity", infinity},
    {"integer beyond 64 bits", big_integer},
    {"decimal beyond a double", decimal},
    {"string", string},
    {"byte string", bytes},
    {"instant in UTC", instant},
    {"instant with an offset", offset_instant},
    {"date and time without offset", local},
    {"date", date},
    {"time of day", clock_time},
    {"array, map", containers},
    {"duplicate key", duplicates},
    {"scalar key that is no string", scalar_key},
    {"array or map as key", container_key},
    {"numbered tag", tag},
    {"tag 0, date-time text", text_time_tag},
    {"tag 1, epoch seconds", epoch_time_tag},
    {"tag `undefined` over null", undefined},
    {"tag `simple` over 0 … 255", simple},
    {"tag `ext:N` over bytes", ext},
    {"any other named tag", other_name},
    {"secret", secret},
};

/* ---- the columns ---- */

static bool writes(const struct row *row, const weir_format *format, uint32_t allow)
{
    weir_options options = WEIR_OPTIONS_DEFAULT;
    weir_buffer out = {0};
    options.allow = allow;
    weir_writer *w = weir_writer_open(format, &out, &options, NULL);
    assert_non_null(w);
    row->put(w);
    bool done = weir_writer_finish(w);
    weir_writer_close(w);
    weir_buffer_free(&out);
    return done;
}

static const char *cell_of(const struct row *row, const weir_format *format)
{
    static const struct {
        uint32_t allow;
        const char *cell;
    } ways[] = {
        {0, "✓"},
        {WEIR_ALLOW_BYTES, "`bytes`"},
        {WEIR_ALLOW_TIMESTAMP, "`timestamp`"},
        {WEIR_ALLOW_NONFINITE, "`nonfinite`"},
        {WEIR_ALLOW_KEY, "`key`"},
        {WEIR_ALLOW_BIGINT, "`bigint`"},
        {WEIR_ALLOW_TAG, "`tag`"},
        {WEIR_ALLOW_TAG | WEIR_ALLOW_BYTES, "`tag,bytes`"},
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        if (writes(row, format, ways[i].allow)) {
            return ways[i].cell;
        }
    }
    assert_false(writes(row, format, WEIR_ALLOW_ALL));
    return "–";
}

static void table_is_true(void **state)
{
    (void)state;
    size_t len, missing = 0;
    char *page = read_file("docs/formats.md", &len), line[512];
    assert_non_null(page);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *json = cell_of(&rows[i], weir_json);
        assert_string_equal(cell_of(&rows[i], weir_ndjson), json);
        assert_string_equal(cell_of(&rows[i], weir_json_seq), json);
        snprintf(line, sizeof line, "\n| %s | %s | %s | %s | %s |\n", rows[i].label, json,
                 cell_of(&rows[i], weir_cbor), cell_of(&rows[i], weir_cbor_diag),
                 cell_of(&rows[i], weir_msgpack));
        if (!strstr(page, line)) {
            print_message("docs/formats.md lacks this row:%s", line);
            missing++;
        }
    }
    assert_int_equal(missing, 0);
    free(page);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(table_is_true)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
