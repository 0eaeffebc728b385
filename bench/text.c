/* The growable byte buffer of fixtures and reports. See text.h. */
#include "text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Room for `extra` more bytes and a NUL. */
static bool reserve(struct text *t, size_t extra)
{
    size_t need;
    if (t->failed || __builtin_add_overflow(t->len, extra, &need) ||
        __builtin_add_overflow(need, (size_t)1, &need)) {
        t->failed = true;
        return false;
    }
    if (need <= t->cap)
        return true;
    size_t cap = t->cap + t->cap / 2;
    if (cap < need)
        cap = need < 256 ? 256 : need;
    char *data = realloc(t->data, cap);
    if (data == NULL) {
        t->failed = true;
        return false;
    }
    t->data = data;
    t->cap = cap;
    return true;
}

void text_put(struct text *t, const void *data, size_t len)
{
    if (!reserve(t, len))
        return;
    if (len != 0)
        memcpy(t->data + t->len, data, len);
    t->len += len;
    t->data[t->len] = '\0';
}

void text_puts(struct text *t, const char *string)
{
    text_put(t, string, strlen(string));
}

void text_fill(struct text *t, char c, size_t count)
{
    if (!reserve(t, count))
        return;
    memset(t->data + t->len, c, count);
    t->len += count;
    t->data[t->len] = '\0';
}

void text_printf(struct text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (len < 0 || !reserve(t, (size_t)len)) {
        t->failed = true;
        return;
    }
    va_start(args, format);
    vsnprintf(t->data + t->len, (size_t)len + 1, format, args);
    va_end(args);
    t->len += (size_t)len;
}

void text_free(struct text *t)
{
    free(t->data);
    *t = (struct text){0};
}
