/* A growable byte buffer for fixtures and reports. Errors are sticky: a
 * buffer that ran out of memory ignores further calls and stays failed. */
#ifndef BENCH_TEXT_H
#define BENCH_TEXT_H

#include <stdbool.h>
#include <stddef.h>

struct text {
    char *data; /* always NUL-terminated once anything was put */
    size_t len, cap;
    bool failed;
};

void text_put(struct text *t, const void *data, size_t len);
void text_puts(struct text *t, const char *string);
void text_fill(struct text *t, char c, size_t count);
void text_printf(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_free(struct text *t);

#endif
