/* What the examples share: a file in memory, and what to do when something fails. */
#ifndef WEIR_EXAMPLE_H
#define WEIR_EXAMPLE_H

#include <weir/weir.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

_Noreturn static inline void fail_with(const weir_error *error)
{
    char text[512];
    weir_error_text(error, text, sizeof text);
    fprintf(stderr, "%s [%s]\n", text, weir_code_name(error->code));
    exit(1);
}

/* An assertion that stays in release builds. */
static inline void expect(bool condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "not so: %s\n", what);
        exit(1);
    }
}

static inline void load(const char *path, weir_buffer *out)
{
    FILE *file = fopen(path, "rb");
    char part[4096];
    size_t got;
    while (file && (got = fread(part, 1, sizeof part, file)) > 0)
        if (!weir_buffer_append(out, part, got))
            exit(1);
    if (!file || ferror(file)) {
        perror(path);
        exit(1);
    }
    fclose(file);
}

/* A document from text in the source code. */
static inline weir_doc *parse_text(const weir_format *format, const char *text)
{
    weir_error error;
    weir_doc *doc = weir_parse(format, text, strlen(text), NULL, &error);
    if (!doc)
        fail_with(&error);
    return doc;
}

/* Prints a value in a text format, and a line break. */
static inline void print_value(const weir_format *format, const weir_val *val, const weir_options *options)
{
    weir_buffer out = {0};
    weir_error error;
    if (!weir_write_val(format, val, options, &out, &error))
        fail_with(&error);
    printf("%.*s\n", (int)out.len, out.data);
    weir_buffer_free(&out);
}

#endif
