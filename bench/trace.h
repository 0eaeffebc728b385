/* A trace is a document as a flat list of tokens. The harness's own reader
 * records one for each fixture; an engine that parsed the fixture then tells
 * its result token by token, and the trace compares instead of recording.
 * Strings point into the input or into the text buffer that the trace owns. */
#ifndef BENCH_TRACE_H
#define BENCH_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Deeper documents are refused: engines tell their trees by bounded recursion. */
#define TRACE_MAX_DEPTH 1024

enum token_kind {
    TOKEN_NULL,
    TOKEN_FALSE,
    TOKEN_TRUE,
    TOKEN_UINT,
    TOKEN_INT, /* negative */
    TOKEN_REAL,
    TOKEN_STRING,
    TOKEN_BEGIN_ARRAY,
    TOKEN_BEGIN_MAP,
    TOKEN_END
};

struct token {
    uint64_t
        head; /* low 8 bits: kind; the rest: byte length of a string, or items or entries of a container */
    union {
        uint64_t u;
        int64_t i;
        double d;
        const char *s;
    } v;
};

struct trace {
    struct token *tokens;
    size_t count, cap;
    size_t open; /* recording: 1 + index of the innermost open container, 0 outside */
    char *text;
    const struct trace *expected; /* not NULL: compare with this one instead of recording */
    size_t at;
    bool approximate;
    bool failed;
};

static inline enum token_kind token_kind_of(const struct token *t)
{
    return (enum token_kind)(t->head & 0xff);
}

static inline size_t token_size(const struct token *t)
{
    return (size_t)(t->head >> 8);
}

void trace_null(struct trace *t);
void trace_bool(struct trace *t, bool value);
void trace_uint(struct trace *t, uint64_t value);
void trace_int(struct trace *t, int64_t value);
void trace_real(struct trace *t, double value);
void trace_string(struct trace *t, const char *data, size_t len);
void trace_begin_array(struct trace *t);
void trace_begin_map(struct trace *t);
void trace_end(struct trace *t);

void trace_compare_with(struct trace *t, const struct trace *expected, bool approximate);
/* Recording: all containers closed. Comparing: every expected token was told, and equal. */
bool trace_complete(const struct trace *t);
void trace_free(struct trace *t);

#ifdef __cplusplus
}
#endif
#endif
