/* NDJSON: one value a line, strictly; errors name the line; a bad record can be left out. */
#include "events.h"

struct row {
    const char *input, *expected;
};

static void lines(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"", "$"},
        {"\n\n \t\n\r\n", "$"}, /* blank lines are no records */
        {"1\n", "u1 ; $"},
        {"1", "u1 ; $"}, /* the last line need not be ended */
        {"{\"a\":1}\n{\"a\":2}\n", "{ k\"a\" u1 . ; { k\"a\" u2 . ; $"},
        {"[1]\r\n[2]\r\n", "[ u1 . ; [ u2 . ; $"},
        {"[1]\r", "[ u1 . ; $"},
        {" [ 1 ,\t2 ] \t\n\n\"x\" \r\n", "[ u1 u2 . ; \"x\" ; $"},
        {"true\nnull\n-1\n", "t ; n ; i-1 ; $"},
        /* a value ends where its line ends */
        {"{\"a\":\n1}\n", "{ k\"a\" !ndjson/line-break@5 1:6"},
        {"[1,\r\n2]\n", "[ u1 !ndjson/line-break@3 1:4"},
        {"[1\n]", "[ u1 !ndjson/line-break@2 1:3"},
        {"[\n]", "[ !ndjson/line-break@1 1:2"},
        {"\"a\nb\"", "!ndjson/line-break@2 1:3"},
        {"\"a\\\nb\"", "!ndjson/line-break@3 1:4"},
        {"{\n", "{ !ndjson/line-break@1 1:2"},
        {"1.\n", "!ndjson/line-break@2 1:3"},
        {"[1] \r[2]", "[ u1 . !ndjson/line-break@4 1:5"}, /* CR alone ends no line */
        /* one value a line */
        {"1 2\n", "u1 !json/trailing-characters@2 1:3"},
        {"{}{}\n", "{ . !json/trailing-characters@2 1:3"},
        {"{},\n", "{ . !json/trailing-characters@2 1:3"},
        /* the line of the file */
        {"1\n\n2\n[3,]\n", "u1 ; u2 ; [ u3 !json/unexpected-byte@8 4:4"},
        {"1\r\n\r\n@", "u1 ; !json/unexpected-byte@5 3:1"},
        {"1\n{\"a\":", "u1 ; { k\"a\" !json/incomplete@7 2:6"},
        {"tru\n", "!json/unexpected-byte@0 1:1"},
        {"\xEF\xBB\xBF{}\n", "!json/byte-order-mark@0 1:1"},
        {"1\n\xEF\xBB\xBF{}\n", "u1 ; !json/unexpected-byte@2 2:1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expect(weir_ndjson, rows[i].input, NULL, rows[i].expected);
    }
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.allow = WEIR_ALLOW_BOM;
    expect(weir_ndjson, "\xEF\xBB\xBF{}\n1", &options, "{ . ; u1 ; $");
}

/* A document's number is part of an error. */
static void documents_are_counted(void **state)
{
    (void)state;
    const char *input = "1\n2\n\n[3\n";
    weir_reader *reader = weir_reader_open(weir_ndjson, input, strlen(input), NULL, NULL);
    while (weir_reader_next(reader)) {
    }
    const weir_error *error = weir_reader_error(reader);
    assert_int_equal(error->code, WEIR_E_NDJSON_LINE);
    assert_int_equal(error->document, 2);
    assert_int_equal(error->line, 4);
    weir_reader_close(reader);
}

/* What is consumed with a document ends at its line's end. */
static void offsets(void **state)
{
    (void)state;
    const char *input = "[1] \r\n\n2\n";
    static const uint64_t after[] = {6, 9};
    weir_reader *reader = weir_reader_open(weir_ndjson, input, strlen(input), NULL, NULL);
    const weir_event *event;
    size_t n = 0;
    while ((event = weir_reader_next(reader)) && event->kind != WEIR_KIND_END_STREAM) {
        if (event->kind == WEIR_KIND_END_DOCUMENT) {
            assert_int_equal(weir_reader_offset(reader), after[n++]);
        }
    }
    assert_int_equal(n, 2);
    weir_reader_close(reader);
}

static void report(void *context, const weir_error *error)
{
    put_error(context, error);
    put(context, " ");
}

/* With WEIR_SKIP_BAD a bad record is told and left out; the next line is read as if nothing had been. */
static void skip_bad(void **state)
{
    (void)state;
    static const struct {
        const char *input, *good, *bad;
    } rows[] = {
        {"1\n[2,\n3\n", "u1 ; u3 ; $", "!ndjson/line-break@5 2:4 "},
        {"{\"a\" 1}\n\"x\"\n", "\"x\" ; $", "!json/expected-colon@5 1:6 "},
        {"@\n@\n7", "u7 ; $", "!json/unexpected-byte@0 1:1 !json/unexpected-byte@2 2:1 "},
        {"1 2\n3\n", "u3 ; $", "!json/trailing-characters@2 1:3 "},
        {"\"a\xFF\"\nnull\n", "n ; $", "!json/invalid-utf8@2 1:3 "},
        {"1\n[", "u1 ; $", "!json/incomplete@3 2:2 "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (size_t step = 1; step < 20; step += 6) {
            weir_buffer bad = {0}, good = {0};
            weir_options options = WEIR_OPTIONS_DEFAULT;
            options.flags = WEIR_SKIP_BAD;
            options.on_bad_record = report;
            options.context = &bad;
            struct pieces pieces = {rows[i].input, strlen(rows[i].input), 0, step};
            put_documents(&good, weir_reader_open_source(weir_ndjson, (weir_source){read_piece, &pieces},
                                                         &options, NULL));
            assert_string_equal(good.data, rows[i].good);
            assert_string_equal(bad.data, rows[i].bad);
            weir_buffer_free(&good);
            weir_buffer_free(&bad);
        }
    }
}

static void writing(void **state)
{
    (void)state;
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.indent = 2; /* has no place in a line */
    weir_buffer out = {0};
    weir_writer *writer = weir_writer_open(weir_ndjson, &out, &options, NULL);
    weir_write_map(writer, WEIR_UNKNOWN);
    weir_write_key(writer, "a\n", 2);
    weir_write_uint(writer, 1);
    weir_write_end(writer);
    weir_write_str(writer, "line\nbreak", 10);
    weir_write_array(writer, 0);
    weir_write_end(writer);
    assert_true(weir_writer_finish(writer));
    weir_writer_close(writer);
    assert_string_equal(out.data, "{\"a\\n\":1}\n\"line\\nbreak\"\n[]\n");
    weir_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines),   cmocka_unit_test(documents_are_counted),
        cmocka_unit_test(offsets), cmocka_unit_test(skip_bad),
        cmocka_unit_test(writing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
