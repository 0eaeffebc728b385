/* Detection: how JSON, NDJSON and JSON text sequences score an input's beginning. '^' stands for 0x1E. */
#include "events.h"

#include "flow/format_priv.h"

enum { CERTAIN_LEAD = 20 };

static void scores(const char *text, size_t len, bool whole, int out[3])
{
    const weir_format *formats[] = {weir_json, weir_ndjson, weir_json_seq};
    char *copy = malloc(len ? len : 1);
    assert_non_null(copy);
    for (size_t i = 0; i < len; i++) {
        copy[i] = (char)(text[i] == '^' ? 0x1E : text[i]);
    }
    for (size_t i = 0; i < 3; i++) {
        out[i] = formats[i]->detect((const uint8_t *)copy, len, whole);
        assert_true(out[i] >= 0 && out[i] <= 100);
    }
    free(copy);
}

/* Which of the three leads clearly: j, n, s; '?' if none leads; '-' if all say no. */
static char winner(const int score[3])
{
    for (size_t i = 0; i < 3; i++) {
        size_t a = (i + 1) % 3, b = (i + 2) % 3;
        if (score[i] >= score[a] + CERTAIN_LEAD && score[i] >= score[b] + CERTAIN_LEAD) {
            return "jns"[i];
        }
    }
    return score[0] || score[1] || score[2] ? '?' : '-';
}

static void winners(void **state)
{
    (void)state;
    static const struct {
        const char *input;
        char whole, part; /* as the whole input; as its beginning */
    } rows[] = {
        {"", '-', '-'},
        {" \n\t", '-', '-'},
        {"{}", 'j', 'j'},
        {"{}\n", 'j', 'j'},
        {"\xEF\xBB\xBF{\"a\":1}", 'j', 'j'},
        {"  \n[1,2,{\"a\":null}]", 'j', 'j'},
        {"{\n  \"a\": 1,\n  \"b\": [", 'j', 'j'},
        {"{\"a\":\"unfinished", 'j', 'j'},
        {"\"text\"", 'j', 'j'},
        {"12", 'j', 'j'},
        {"tru", 'j', 'j'},
        {"{\"a\":1}\n{\"a\":2}\n", 'n', 'n'},
        {"{\"a\":1}\r\n{\"a\":", 'n', 'n'},
        {"[1]\n\n[2]\n[3]", 'n', 'n'},
        {"1\n2\n3\n", 'n', 'n'},
        {"{\"a\":1}{\"a\":2}", '?', '?'},
        {"{\n\"a\":1}\n{\"a\":2}", '?', '?'},
        {"^{\"a\":1}\n^[2]\n", 's', 's'},
        {"^", 's', 's'},
        {"{}\n^{}\n", '-', '-'},
        /* not JSON */
        {"a: 1", '-', '-'},
        {"1,2,3\n", '-', '-'},
        {"\"a\",\"b\"\n", '-', '-'},
        {"2024-01-01", '-', '-'},
        {"{a: 1}", '?', '?'},
        {"[1,]", '?', '?'},
        {"[1}", '?', '?'},
        {"{\"a\":1]", '?', '?'},
        {"[\"a\\q\"]", '?', '?'},
        {"[\"a\nb\"]", '?', '?'},
        {"truth", '-', '-'},
        {"<html>", '-', '-'},
        {"\xA1\x61\x61\x01", '-', '-'},
        {"# comment\n", '-', '-'},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int score[3];
        scores(rows[i].input, strlen(rows[i].input), true, score);
        if (winner(score) != rows[i].whole) {
            print_message("%s: %d %d %d\n", rows[i].input, score[0], score[1], score[2]);
        }
        assert_int_equal(winner(score), rows[i].whole);
        scores(rows[i].input, strlen(rows[i].input), false, score);
        if (winner(score) != rows[i].part) {
            print_message("part %s: %d %d %d\n", rows[i].input, score[0], score[1], score[2]);
        }
        assert_int_equal(winner(score), rows[i].part);
    }
}

/* No cut makes a JSON document look like something else, and nesting has no limit but the look's size. */
static void cuts_and_depth(void **state)
{
    (void)state;
    const char *document = "{\"k\":[1,-2.5e3,\"x\\u00e9\\n\",{\"a\":true,\"b\":[null]}],\"z\":{}}";
    int score[3];
    for (size_t cut = 1; cut <= strlen(document); cut++) {
        scores(document, cut, false, score);
        assert_true(score[0] >= 40 && score[0] > score[1] && score[2] == 0);
    }
    char deep[5000];
    memset(deep, '[', sizeof deep);
    scores(deep, sizeof deep, true, score);
    assert_true(score[0] == 90);
    memset(deep + 2048, ']', 2048);
    scores(deep, 4096, true, score);
    assert_true(score[0] == 95);
}

/* What begins like JSON and goes wrong is still JSON, as long as it fits no other format: the reader then
 * says where. */
static void faulty(void **state)
{
    (void)state;
    static const struct {
        const char *input;
        const weir_format *format;
    } rows[] = {
        {"{\"a\":1,}", weir_json},
        {"{\"a\":1 // why\n}", weir_json},
        {"[1, 2 3]", weir_json},
        {"{a: 1}", weir_json},
        {"[1,]", weir_json},
        {"{\"a\":1} x", weir_json},
        {"{\"a\":1},\n", weir_json},
        {"{\"a\":1}]", weir_json},
        {"{\"a\":\"\n\"}", weir_json},
        {"{\"a\":1}\n{\"a\":}\n", weir_ndjson},
        {"[1]\n[2]\n[3,]\n", weir_ndjson},
        {"a: 1", NULL},
        {"[\n", weir_json},
        {"12 monkeys", NULL},
        {"<html>", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const weir_format *guess = weir_format_guess(rows[i].input, strlen(rows[i].input), true);
        if (guess != rows[i].format) {
            print_message("%s: %s\n", rows[i].input, guess ? weir_format_name(guess) : "none");
        }
        assert_ptr_equal(guess, rows[i].format);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(winners), cmocka_unit_test(cuts_and_depth),
                                       cmocka_unit_test(faulty)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
