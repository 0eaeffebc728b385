/* docs/errors.md: one row for every code of the table in weir/error.h, with its name and number, and no other
 * row. Names are not repeated elsewhere in the page. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support.h"
#include "weir/error.h"

static const struct code {
    int number;
    const char *name;
} codes[] = {
#define ROW(symbol, number, name, category, message) {number, name},
    WEIR_ERROR_CODES(ROW)
#undef ROW
};

static size_t count_of(const char *text, const char *word)
{
    size_t count = 0;
    for (const char *p = text; (p = strstr(p, word)); p += strlen(word)) {
        count++;
    }
    return count;
}

static char *page(void)
{
    size_t len;
    char *text = read_file("docs/errors.md", &len);
    assert_non_null(text);
    return text;
}

static void every_code_has_one_row(void **state)
{
    (void)state;
    char *text = page();
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        char name[128], row[128];
        snprintf(name, sizeof name, "`%s`", codes[i].name);
        snprintf(row, sizeof row, "\n| `%s` | %d | ", codes[i].name, codes[i].number);
        if (count_of(text, name) != 1 || count_of(text, row) != 1) {
            fail_msg("docs/errors.md has %zu rows and %zu mentions of %s, number %d", count_of(text, row),
                     count_of(text, name), codes[i].name, codes[i].number);
        }
    }
    free(text);
}

/* A row is `| name in backquotes | number | cause | way out |`; both texts are there. */
static void no_row_is_too_much(void **state)
{
    (void)state;
    char *text = page();
    size_t rows = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char *end = strncmp(line, "| `", 3) == 0 ? strstr(line, "` | ") : NULL; /* of the name */
        if (!end || end[4] < '0' || end[4] > '9') {
            continue;
        }
        char *rest;
        long number = strtol(end + 4, &rest, 10);
        *end = '\0';
        size_t i = 0;
        while (i < sizeof codes / sizeof *codes && strcmp(codes[i].name, line + 3) != 0) {
            i++;
        }
        if (i == sizeof codes / sizeof *codes || codes[i].number != number) {
            fail_msg("docs/errors.md: there is no code %s, number %ld", line + 3, number);
        }
        assert_int_equal(count_of(rest, " | "), 2);
        assert_null(strstr(rest, " |  |"));
        rows++;
    }
    assert_int_equal(rows, sizeof codes / sizeof *codes);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_code_has_one_row),
                                       cmocka_unit_test(no_row_is_too_much)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
