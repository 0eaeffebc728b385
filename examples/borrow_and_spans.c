/* Two things a document can do with its input: point into it instead of copying (WEIR_BORROW), and remember
 * where each value stood in it (WEIR_KEEP_SPANS). */
#include "example.h"

int main(void)
{
    /* {"name": "Grafhorst", "data": h'00000000'} in MessagePack */
    static const char input[] = "\x82\xA4name\xA9Grafhorst\xA4"
                                "data\xC4\x04\0\0\0\0";
    const size_t input_len = sizeof input - 1;
    weir_options options = WEIR_OPTIONS_DEFAULT;
    weir_error error;

    options.flags = WEIR_BORROW; /* the input must stay, unchanged, as long as the document */
    weir_doc *doc = weir_parse(weir_msgpack, input, input_len, &options, &error);
    if (!doc)
        fail_with(&error);
    size_t len;
    const weir_val *name = weir_get(weir_doc_root(doc), "name");
    const char *text = weir_val_str(name, &len);
    expect(text == input + 7 && len == 9, "the text is the input's own");
    expect(!weir_val_cstr(name), "so it has no NUL behind: no C string");
    /* A copy owns its text: the part of a large input that one wants to keep. */
    weir_doc *copy = weir_doc_copy(weir_doc_root(doc), NULL, &error);
    if (!copy)
        fail_with(&error);
    weir_doc_free(doc);
    printf("%s\n", weir_val_cstr(weir_get(weir_doc_root(copy), "name")));
    weir_doc_free(copy);

    /* Where a value that parses is wrong by one's own rules, an editor can be sent to its place. */
    const char *json = "{\n  \"gate\": 3,\n  \"cm\": [40, -5, 12]\n}";
    options.flags = WEIR_KEEP_SPANS;
    doc = weir_parse(weir_json, json, strlen(json), &options, &error);
    if (!doc)
        fail_with(&error);
    int wrong = 0;
    weir_iter it = weir_iter_of(weir_get(weir_doc_root(doc), "cm"));
    while (weir_iter_next(&it)) {
        uint64_t offset, opening;
        if (weir_val_u64(it.val, &opening))
            continue;
        expect(weir_doc_span(doc, it.val, &offset), "its place");
        printf("byte %llu: %.2s is no opening\n", (unsigned long long)offset, json + offset);
        expect(memcmp(json + offset, "-5", 2) == 0, "the negative one");
        wrong++;
    }
    expect(wrong == 1, "one wrong value");
    weir_doc_free(doc);
    return 0;
}
