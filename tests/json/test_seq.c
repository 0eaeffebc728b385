/* JSON text sequences (RFC 7464). Inputs show the record separator as '^'. */
#include "events.h"

struct row {
    const char *input, *expected;
};

static void with_separators(char *out, const char *text)
{
    do {
        *out++ = *text == '^' ? 0x1E : *text;
    } while (*text++);
}

static void sequences(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"", "$"},
        {"^", "$"},
        {"^\n^^ ^\n", "$"}, /* empty records are nothing */
        {"^1\n", "u1 ; $"},
        {"^{\"a\":1}\n^[2]\n", "{ k\"a\" u1 . ; [ u2 . ; $"},
        {"^{\n\"a\"\n:\n1}\n", "{ k\"a\" u1 . ; $"}, /* a text may have lines */
        {"^[1]^[2]", "[ u1 . ; [ u2 . ; $"},         /* these end by themselves */
        {"^\"a\"^\"b\"", "\"a\" ; \"b\" ; $"},
        {"^^^true\n", "t ; $"},
        {" \n^1 ^2\t", "u1 ; u2 ; $"},
        /* a separator stands before each text */
        {"1\n", "!json-seq/expected-separator@0 1:1"},
        {"^1\n2\n", "u1 !json/trailing-characters@3 2:1"},
        {"\xEF\xBB\xBF^1\n", "!json-seq/expected-separator@0 1:1"},
        /* section 2.4: without white space behind it, a number or literal may have been cut */
        {"^123", "u123 !json-seq/truncated@4 1:5"},
        {"^123^4\n", "u123 !json-seq/truncated@4 1:5"},
        {"^true", "t !json-seq/truncated@5 1:6"},
        {"^null^", "n !json-seq/truncated@5 1:6"},
        {"^12,\n", "u12 !json-seq/truncated@3 1:4"},
        /* a separator inside a value: the record was cut */
        {"^{\"a\":^1\n", "{ k\"a\" !json-seq/truncated@6 1:7"},
        {"^[1,2^[3]\n", "[ u1 u2 !json-seq/truncated@5 1:6"},
        {"^\"abc^1\n", "!json-seq/truncated@5 1:6"},
        {"^\"abc\\^1\n", "!json-seq/truncated@6 1:7"},
        {"^tru^1\n", "!json-seq/truncated@4 1:5"},
        {"^-^1\n", "!json-seq/truncated@2 1:3"},
        {"^[", "[ !json/incomplete@2 1:3"},
        {"^@\n", "!json/unexpected-byte@1 1:2"},
        {"^[1]@", "[ u1 . !json/trailing-characters@4 1:5"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char input[64];
        with_separators(input, rows[i].input);
        expect(weir_json_seq, input, NULL, rows[i].expected);
    }
}

static void report(void *context, const weir_error *error)
{
    put_error(context, error);
    put(context, " ");
}

/* Section 2.3: what is bad up to the next separator is left out. */
static void skip_bad(void **state)
{
    (void)state;
    static const struct {
        const char *input, *good, *bad;
    } rows[] = {
        {"^[1,^2\n^3\n", "u2 ; u3 ; $", "!json-seq/truncated@4 1:5 "},
        {"junk^1\n", "u1 ; $", "!json-seq/expected-separator@0 1:1 "},
        {"^12^3\n", "u3 ; $", "!json-seq/truncated@3 1:4 "},
        {"^@@@\n^4\n", "u4 ; $", "!json/unexpected-byte@1 1:2 "},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (size_t step = 1; step < 12; step += 5) {
            char input[64];
            with_separators(input, rows[i].input);
            weir_buffer bad = {0}, good = {0};
            weir_options options = WEIR_OPTIONS_DEFAULT;
            options.flags = WEIR_SKIP_BAD;
            options.on_bad_record = report;
            options.context = &bad;
            struct pieces pieces = {input, strlen(input), 0, step};
            put_documents(&good, weir_reader_open_source(weir_json_seq, (weir_source){read_piece, &pieces},
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
    weir_buffer out = {0};
    weir_writer *writer = weir_writer_open(weir_json_seq, &out, NULL, NULL);
    weir_write_uint(writer, 1);
    weir_write_array(writer, 1);
    weir_write_null(writer);
    weir_write_end(writer);
    weir_write_str(writer, "\x1E", 1);
    assert_true(weir_writer_finish(writer));
    weir_writer_close(writer);
    assert_string_equal(out.data, "\x1E"
                                  "1\n"
                                  "\x1E"
                                  "[null]\n"
                                  "\x1E"
                                  "\"\\u001e\"\n");
    char *events = events_of(weir_json_seq, out.data, out.len, NULL);
    assert_string_equal(events, "u1 ; [ n . ; \"\\x1E\" ; $");
    free(events);
    weir_buffer_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sequences),
        cmocka_unit_test(skip_bad),
        cmocka_unit_test(writing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
