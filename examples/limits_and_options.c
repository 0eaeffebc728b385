/* Options: limits for input from strangers, and what becomes of large numbers and duplicate keys.
 * NULL options are safe; weir_options changes one thing at a time. */
#include "example.h"

/* What comes of a text under these options. */
static weir_code try_text(const char *text, const weir_options *options)
{
    weir_error error;
    weir_doc *doc = weir_parse(weir_json, text, strlen(text), options, &error);
    if (!doc) {
        if (error.resource != WEIR_RESOURCE_NONE)
            printf("%-34s refused: %s is at most %llu, this has %llu\n", text,
                   weir_resource_name(error.resource), (unsigned long long)error.maximum,
                   (unsigned long long)error.requested);
        else
            printf("%-34s refused: %s\n", text, weir_code_message(error.code));
        return error.code;
    }
    printf("%-34s ", text);
    print_value(weir_json, weir_doc_root(doc), options);
    weir_doc_free(doc);
    return WEIR_E_NONE;
}

int main(void)
{
    weir_options options; /* the same as `= WEIR_OPTIONS_DEFAULT` */
    weir_options_init(&options);
    options.limits.depth = 3;
    options.limits.items = 4;
    options.limits.string = 8;
    expect(try_text("[[\"in limit\"]]", &options) == WEIR_E_NONE, "8 bytes are within the limit");
    expect(try_text("[[\"much too long\"]]", &options) == WEIR_E_LIMIT_STRING, "13 bytes are not");
    expect(try_text("[[\"deeper\"]]", &options) == WEIR_E_NONE, "three levels are within the limit");
    expect(try_text("[[[\"deepest\"]]]", &options) == WEIR_E_LIMIT_DEPTH, "a fourth level is refused");
    expect(try_text("[1, 2, 3, 4, 5]", &options) == WEIR_E_LIMIT_ITEMS, "a fifth item is refused");
    options.limits = weir_unlimited; /* for input that you trust */
    expect(try_text("[[[[1, 2, 3, 4, 5]]]]", &options) == WEIR_E_NONE, "without limits it passes");

    const char *big = "[18446744073709551616]"; /* 2^64 */
    expect(try_text(big, &options) == WEIR_E_JSON_INTEGER_RANGE, "strict: 2^64 is refused");
    options.numbers = WEIR_NUMBERS_EXACT; /* kept as its text */
    expect(try_text(big, &options) == WEIR_E_NONE, "exact: it is kept");
    options.numbers = WEIR_NUMBERS_DOUBLE; /* rounded */
    expect(try_text(big, &options) == WEIR_E_NONE, "double: it is rounded");

    const char *twice = "{\"a\": 1, \"b\": 2, \"a\": 3}";
    static const weir_duplicates policies[] = {WEIR_DUPLICATES_KEEP, WEIR_DUPLICATES_FIRST,
                                               WEIR_DUPLICATES_LAST};
    for (size_t i = 0; i < sizeof policies / sizeof *policies; i++) {
        options.duplicates = policies[i];
        expect(try_text(twice, &options) == WEIR_E_NONE, "a duplicate key passes");
    }
    options.duplicates = WEIR_DUPLICATES_REJECT;
    expect(try_text(twice, &options) == WEIR_E_JSON_DUPLICATE_KEY, "a duplicate key is refused");
    return 0;
}
