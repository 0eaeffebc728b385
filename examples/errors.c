/* Errors: where and why, a caret under the place, and input that is wrong told apart from input that is not
 * all there. */
#include "example.h"

/* As a compiler does: message, the line, a caret below the column (which may be wide characters further
 * right). */
static void explain(const char *name, const char *text, const weir_error *error)
{
    char message[256];
    size_t needed = weir_error_text(error, message, sizeof message);
    expect(needed < sizeof message, "a short message");
    const char *line = text + error->offset;
    while (line > text && line[-1] != '\n')
        line--;
    size_t before = (size_t)(text + error->offset - line);
    printf("%s: %s [%s]\n", name, message, weir_code_name(error->code));
    printf("  %.*s\n  %*s^ %s\n", (int)strcspn(line, "\n"), line, (int)weir_text_columns(line, before), "",
           error->detail);
}

int main(void)
{
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.flags = WEIR_DETAIL; /* these errors may quote the input: here it is ours */
    weir_error error;

    const char *wrong = "{\n  \"rivers\": [\n    {\"name\": \"黄河\", \"km\": 05464}\n  ]\n}";
    weir_doc *doc = weir_parse(weir_json, wrong, strlen(wrong), &options, &error);
    expect(!doc && error.code == WEIR_E_JSON_INVALID_NUMBER, "a number with a leading zero");
    expect(error.line == 3 && error.column == 27, "line and column");
    expect(strcmp(error.path, "/rivers/0/km") == 0, "the path");
    explain("rivers.json", wrong, &error);

    /* Without WEIR_DETAIL an error holds no input, so it may go into any log: keys are numbers of entries. */
    doc = weir_parse(weir_json, wrong, strlen(wrong), NULL, &error);
    expect(!doc && strcmp(error.path, "/~0/0/~1") == 0, "a path without input text");
    explain("rivers.json", wrong, &error);

    /* Half a message: more bytes may help. In every format the category says so. */
    doc = weir_parse(weir_json, wrong, 40, NULL, &error);
    expect(!doc && weir_code_category(error.code) == WEIR_CATEGORY_INCOMPLETE,
           "an input that ends too early");
    printf("after 40 bytes: %s, so read on\n", weir_code_message(error.code));

    /* Errors of readers and writers are sticky: the first one stays, so one check at the end is enough. */
    weir_reader *reader = weir_reader_open(weir_json, "[1, 2 3]", 8, NULL, &error);
    if (!reader)
        fail_with(&error);
    size_t events = 0;
    while (weir_reader_next(reader))
        events++;
    expect(events == 3, "an array and two numbers before the fault");
    expect(weir_reader_error(reader)->offset == 6, "the place of the missing comma");
    expect(!weir_reader_next(reader), "the error stays");
    weir_reader_close(reader);
    return 0;
}
