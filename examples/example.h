/* What the examples share: a file in memory, and what to do when something fails. */
#ifndef WEIR_EXAMPLE_H
#define WEIR_EXAMPLE_H

#include <weir/weir.h>

#include <stdio.h>
#include <stdlib.h>

static inline void fail_with(const weir_error *error)
{
    char text[512];
    weir_error_text(error, text, sizeof text);
    fprintf(stderr, "%s [%s]\n", text, weir_code_name(error->code));
    exit(1);
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

#endif
