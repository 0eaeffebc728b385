/* Records a document as tokens, or compares what an engine tells with a
 * recorded document. See trace.h. */
#include "trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool numbers_agree(const struct token *a, const struct token *b)
{
    enum token_kind ka = token_kind_of(a), kb = token_kind_of(b);
    double x = ka == TOKEN_REAL ? a->v.d : ka == TOKEN_INT ? (double)a->v.i : (double)a->v.u;
    double y = kb == TOKEN_REAL ? b->v.d : kb == TOKEN_INT ? (double)b->v.i : (double)b->v.u;
    return x == y || fabs(x - y) <= ldexp(fabs(x), -51);
}

static bool is_number(enum token_kind kind)
{
    return kind == TOKEN_UINT || kind == TOKEN_INT || kind == TOKEN_REAL;
}

/* The text -0 is the integer 0 for some libraries and the real -0.0 for others. */
static bool is_negative_zero(const struct token *token)
{
    return token_kind_of(token) == TOKEN_REAL && token->v.d == 0 && signbit(token->v.d);
}

static bool is_zero_spelled_otherwise(const struct token *a, const struct token *b)
{
    return is_negative_zero(a) && token_kind_of(b) == TOKEN_UINT && b->v.u == 0;
}

static bool token_matches(const struct token *want, const struct token *got, bool approximate)
{
    enum token_kind kind = token_kind_of(want);
    if (is_zero_spelled_otherwise(want, got) || is_zero_spelled_otherwise(got, want))
        return true;
    if (approximate && is_number(kind) && is_number(token_kind_of(got)))
        return numbers_agree(want, got);
    if (kind != token_kind_of(got))
        return false;
    switch (kind) {
    case TOKEN_UINT:
    case TOKEN_INT:
    case TOKEN_REAL:
        return want->v.u == got->v.u; /* reals by their bits, so that -0.0 and 0.0 differ */
    case TOKEN_STRING:
        return want->head == got->head &&
               (token_size(want) == 0 || memcmp(want->v.s, got->v.s, token_size(want)) == 0);
    default:
        return true;
    }
}

static void count_child(struct trace *t)
{
    if (t->open != 0)
        t->tokens[t->open - 1].head += 1u << 8;
}

static bool append(struct trace *t, struct token token)
{
    if (t->failed)
        return false;
    if (t->expected != NULL) {
        if (t->at >= t->expected->count ||
            !token_matches(&t->expected->tokens[t->at], &token, t->approximate)) {
            t->failed = true;
            return false;
        }
        t->at++;
        return true;
    }
    if (t->count == t->cap) {
        size_t cap = t->cap == 0 ? 64 : t->cap + t->cap / 2;
        struct token *tokens =
            cap > SIZE_MAX / sizeof *tokens ? NULL : realloc(t->tokens, cap * sizeof *tokens);
        if (tokens == NULL) {
            t->failed = true;
            return false;
        }
        t->tokens = tokens;
        t->cap = cap;
    }
    t->tokens[t->count++] = token;
    return true;
}

static void scalar(struct trace *t, struct token token)
{
    if (append(t, token) && t->expected == NULL)
        count_child(t);
}

void trace_null(struct trace *t)
{
    scalar(t, (struct token){.head = TOKEN_NULL});
}

void trace_bool(struct trace *t, bool value)
{
    scalar(t, (struct token){.head = value ? TOKEN_TRUE : TOKEN_FALSE});
}

void trace_uint(struct trace *t, uint64_t value)
{
    scalar(t, (struct token){.head = TOKEN_UINT, .v.u = value});
}

void trace_int(struct trace *t, int64_t value)
{
    scalar(t, (struct token){.head = value < 0 ? TOKEN_INT : TOKEN_UINT, .v.i = value});
}

void trace_real(struct trace *t, double value)
{
    scalar(t, (struct token){.head = TOKEN_REAL, .v.d = value});
}

void trace_string(struct trace *t, const char *data, size_t len)
{
    scalar(t, (struct token){.head = (uint64_t)len << 8 | TOKEN_STRING, .v.s = data});
}

/* While a container is open its v.u holds the enclosing container, as `open` does. */
static void begin(struct trace *t, enum token_kind kind)
{
    if (!append(t, (struct token){.head = (uint64_t)kind, .v.u = t->open}) || t->expected != NULL)
        return;
    count_child(t);
    t->open = t->count;
}

void trace_begin_array(struct trace *t)
{
    begin(t, TOKEN_BEGIN_ARRAY);
}

void trace_begin_map(struct trace *t)
{
    begin(t, TOKEN_BEGIN_MAP);
}

void trace_end(struct trace *t)
{
    if (!append(t, (struct token){.head = TOKEN_END}) || t->expected != NULL)
        return;
    if (t->open == 0) {
        t->failed = true;
        return;
    }
    struct token *container = &t->tokens[t->open - 1];
    t->open = (size_t)container->v.u;
    container->v.u = 0;
    if (token_kind_of(container) == TOKEN_BEGIN_MAP) /* keys were counted too */
        container->head = (uint64_t)(token_size(container) / 2) << 8 | TOKEN_BEGIN_MAP;
}

void trace_compare_with(struct trace *t, const struct trace *expected, bool approximate)
{
    *t = (struct trace){.expected = expected, .approximate = approximate};
}

bool trace_complete(const struct trace *t)
{
    if (t->failed)
        return false;
    return t->expected != NULL ? t->at == t->expected->count : t->open == 0 && t->count > 0;
}

void trace_free(struct trace *t)
{
    free(t->tokens);
    free(t->text);
    *t = (struct trace){0};
}
