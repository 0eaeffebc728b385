/* What the fuzz targets share: bytes of the input that choose, and a check that stops the run. */
#ifndef WEIR_FUZZ_H
#define WEIR_FUZZ_H

#include "weir/weir.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHECK(condition)                                                    \
    do {                                                                    \
        if (!(condition)) {                                                 \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition); \
            abort();                                                        \
        }                                                                   \
    } while (0)

static inline size_t fuzz_format_count(void)
{
    size_t count = 0;
    while (weir_format_at(count))
        count++;
    return count;
}

/* The format that a byte of the input chooses; fuzz/make_seeds.c counts on it being the index. */
static inline const weir_format *fuzz_format(uint8_t choice)
{
    return weir_format_at(choice % fuzz_format_count());
}

/* Options from one byte: policies in the low bits, then small limits, then what errors and readers may do. */
static inline weir_options fuzz_options(uint8_t choice)
{
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.numbers = (weir_numbers)(choice & 3);
    options.duplicates = (weir_duplicates)(choice >> 2 & 3);
    if (choice & 1u << 4) {
        options.limits.depth = 6;
        options.limits.nodes = 40;
        options.limits.items = 10;
        options.limits.entries = 10;
        options.limits.key = 10;
        options.limits.string = 20;
        options.limits.number = 20;
        options.limits.payload = 100;
        options.limits.documents = 3;
    }
    if (choice & 1u << 5)
        options.flags |= WEIR_DETAIL;
    if (choice & 1u << 6)
        options.allow |= WEIR_ALLOW_BOM;
    return options;
}

/* The same cause at the same place; shows both if not. */
static inline bool fuzz_same_error(const weir_error *a, const weir_error *b)
{
    bool same = a->code == b->code && a->offset == b->offset && a->line == b->line &&
                a->column == b->column && a->document == b->document && a->resource == b->resource &&
                strcmp(a->path, b->path) == 0;
    for (int i = 0; !same && i < 2; i++) {
        const weir_error *e = i ? b : a;
        fprintf(stderr, "%s, offset %llu, line %llu:%llu, document %llu, resource %s, path '%s'\n",
                weir_code_name(e->code), (unsigned long long)e->offset, (unsigned long long)e->line,
                (unsigned long long)e->column, (unsigned long long)e->document,
                weir_resource_name(e->resource), e->path);
    }
    return same;
}

/* A copy of exactly len bytes, so that a sanitizer sees a read behind the end. */
static inline char *fuzz_exact_copy(const uint8_t *data, size_t len)
{
    char *copy = malloc(len ? len : 1);
    CHECK(copy);
    memcpy(copy, data, len);
    return copy;
}

#endif
