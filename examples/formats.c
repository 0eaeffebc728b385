/* The table of formats, and how to find one: by name, by file name, by content. */
#include "example.h"

int main(void)
{
    printf("weir %s\n", weir_version());
    const weir_format *format;
    for (size_t i = 0; (format = weir_format_at(i)); i++) {
        uint32_t caps = weir_format_caps(format);
        printf("%-10s .%-8s %-28s %s%s\n", weir_format_name(format), weir_format_extensions(format)[0],
               weir_format_mime_types(format)[0], caps & WEIR_CAP_TEXT ? "text" : "binary",
               caps & WEIR_CAP_STREAM ? ", streams" : "");
        expect(weir_format_find(weir_format_name(format)) == format, "found by its name");
    }
    printf("%s\n", weir_format_summary(weir_cbor));

    expect(weir_format_find("application/cbor") == weir_cbor, "by MIME type");
    expect(weir_format_find("JSONL") == weir_ndjson, "by extension, in any case");
    expect(weir_format_for_path("log/2026.ndjson.gz") == weir_ndjson, "by path");
    expect(!weir_format_find("docx") && !weir_format_for_path("Makefile"), "unknown ones are NULL");

    /* By content: the candidates in order. whole = these are all bytes that there are. */
    const char *lines = "{\"a\": 1}\n{\"a\": 2}\n";
    weir_candidate found[3];
    size_t n = weir_format_detect(lines, strlen(lines), true, found, 3);
    for (size_t i = 0; i < n; i++)
        printf("  %-10s %d\n", weir_format_name(found[i].format), found[i].score);
    expect(weir_format_guess(lines, strlen(lines), true) == weir_ndjson, "two lines of JSON");
    expect(weir_format_guess("\x83\x01\x02\x03", 4, true) == weir_cbor, "three items");
    expect(!weir_format_guess("hello", 5, true), "nothing certain");
    return 0;
}
