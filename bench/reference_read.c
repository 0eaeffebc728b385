/* The reference reader: RFC 8259 text to a trace, one plain loop with a bit
 * per open container. Numbers go through strtod. It checks the whole grammar,
 * but leaves UTF-8 in strings as it is. */
#include "reference.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    const char *start, *p, *end;
    struct trace *trace;
    char *text; /* unescaped strings; never more than the input's length in all */
    size_t text_len;
    size_t depth;
    unsigned char in_map[TRACE_MAX_DEPTH];
};

static void skip_space(struct reader *r)
{
    while (r->p < r->end && (*r->p == ' ' || *r->p == '\t' || *r->p == '\n' || *r->p == '\r'))
        r->p++;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c |= 0x20;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads four hexadecimal digits at r->p; -1 when they are not there. */
static long read_hex4(struct reader *r)
{
    long value = 0;
    if (r->end - r->p < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        int digit = hex_digit(r->p[i]);
        if (digit < 0)
            return -1;
        value = value << 4 | digit;
    }
    r->p += 4;
    return value;
}

static size_t put_utf8(char *out, unsigned long cp)
{
    if (cp < 0x80) {
        out[0] = (char)cp;
        return 1;
    }
    size_t n = cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    for (size_t i = n - 1; i > 0; i--, cp >>= 6)
        out[i] = (char)(0x80 | (cp & 0x3f));
    out[0] = (char)(lead[n] | cp);
    return n;
}

/* After a backslash and 'u'. A \uXXXX\uXXXX pair gives at most four bytes for twelve of input. */
static bool read_unicode_escape(struct reader *r, char **out)
{
    long cp = read_hex4(r);
    if (cp < 0 || (cp >= 0xdc00 && cp <= 0xdfff))
        return false;
    if (cp >= 0xd800 && cp <= 0xdbff) {
        if (r->end - r->p < 2 || r->p[0] != '\\' || r->p[1] != 'u')
            return false;
        r->p += 2;
        long low = read_hex4(r);
        if (low < 0xdc00 || low > 0xdfff)
            return false;
        cp = 0x10000 + ((cp - 0xd800) << 10) + (low - 0xdc00);
    }
    *out += put_utf8(*out, (unsigned long)cp);
    return true;
}

static bool read_escape(struct reader *r, char **out)
{
    static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
    if (r->p == r->end)
        return false;
    char c = *r->p++;
    if (c == 'u')
        return read_unicode_escape(r, out);
    const char *found = c == '\0' ? NULL : strchr(from, c);
    if (found == NULL)
        return false;
    *(*out)++ = to[found - from];
    return true;
}

static bool read_string(struct reader *r)
{
    if (r->p == r->end || *r->p != '"')
        return false;
    const char *first = ++r->p;
    char *copy = r->text + r->text_len, *out = copy;
    bool escaped = false;
    for (;; r->p++) {
        if (r->p == r->end || (unsigned char)*r->p < 0x20)
            return false;
        if (*r->p == '"')
            break;
        if (*r->p != '\\')
            continue;
        escaped = true;
        memcpy(out, first, (size_t)(r->p - first));
        out += r->p - first;
        r->p++;
        if (!read_escape(r, &out))
            return false;
        first = r->p--;
    }
    if (escaped) {
        memcpy(out, first, (size_t)(r->p - first));
        out += r->p - first;
        trace_string(r->trace, copy, (size_t)(out - copy));
        r->text_len += (size_t)(out - copy);
    } else {
        trace_string(r->trace, first, (size_t)(r->p - first));
    }
    r->p++;
    return true;
}

static bool read_digits(struct reader *r)
{
    const char *first = r->p;
    while (r->p < r->end && *r->p >= '0' && *r->p <= '9')
        r->p++;
    return r->p > first;
}

static bool read_number(struct reader *r)
{
    const char *first = r->p;
    bool negative = *r->p == '-', integer = true;
    r->p += negative;
    if (r->p < r->end && *r->p == '0')
        r->p++;
    else if (!read_digits(r))
        return false;
    if (r->p < r->end && *r->p == '.') {
        integer = false;
        r->p++;
        if (!read_digits(r))
            return false;
    }
    if (r->p < r->end && (*r->p == 'e' || *r->p == 'E')) {
        integer = false;
        r->p++;
        if (r->p < r->end && (*r->p == '+' || *r->p == '-'))
            r->p++;
        if (!read_digits(r))
            return false;
    }
    if (integer) {
        errno = 0;
        if (negative) {
            long long value = strtoll(first, NULL, 10);
            if (errno == 0) {
                trace_int(r->trace, value);
                return true;
            }
        } else {
            unsigned long long value = strtoull(first, NULL, 10);
            if (errno == 0) {
                trace_uint(r->trace, value);
                return true;
            }
        }
    }
    trace_real(r->trace, strtod(first, NULL));
    return true;
}

static bool read_word(struct reader *r, const char *word)
{
    size_t len = strlen(word);
    if ((size_t)(r->end - r->p) < len || memcmp(r->p, word, len) != 0)
        return false;
    r->p += len;
    return true;
}

static bool read_key(struct reader *r)
{
    skip_space(r);
    if (!read_string(r))
        return false;
    skip_space(r);
    return read_word(r, ":");
}

/* Opens a container, or reads a scalar. *opened tells which. */
static bool read_value_start(struct reader *r, bool *opened)
{
    *opened = false;
    skip_space(r);
    if (r->p == r->end)
        return false;
    switch (*r->p) {
    case '[':
    case '{':
        if (r->depth == TRACE_MAX_DEPTH)
            return false;
        r->in_map[r->depth++] = *r->p == '{';
        if (*r->p++ == '{')
            trace_begin_map(r->trace);
        else
            trace_begin_array(r->trace);
        *opened = true;
        return true;
    case '"':
        return read_string(r);
    case 't':
        trace_bool(r->trace, true);
        return read_word(r, "true");
    case 'f':
        trace_bool(r->trace, false);
        return read_word(r, "false");
    case 'n':
        trace_null(r->trace);
        return read_word(r, "null");
    default:
        return (*r->p == '-' || (*r->p >= '0' && *r->p <= '9')) && read_number(r);
    }
}

static bool read_document(struct reader *r)
{
    bool fresh = false; /* just after an opening bracket */
    if (!read_value_start(r, &fresh))
        return false;
    while (r->depth > 0) {
        bool in_map = r->in_map[r->depth - 1];
        skip_space(r);
        if (r->p == r->end)
            return false;
        if (*r->p == (in_map ? '}' : ']')) {
            r->p++;
            r->depth--;
            trace_end(r->trace);
            fresh = false;
            continue;
        }
        if (!fresh && !read_word(r, ","))
            return false;
        if (in_map && !read_key(r))
            return false;
        if (!read_value_start(r, &fresh))
            return false;
    }
    return true;
}

bool reference_read_json(const char *data, size_t len, bool many, struct trace *trace, size_t *fault)
{
    struct reader r = {.start = data, .p = data, .end = data + len, .trace = trace};
    bool ok = true;
    *fault = 0;
    trace->text = malloc(len + 1);
    if (trace->text == NULL)
        return false;
    r.text = trace->text;
    if (many)
        trace_begin_array(trace);
    do {
        ok = read_document(&r);
        skip_space(&r);
    } while (ok && many && r.p < r.end);
    if (many && ok)
        trace_end(trace);
    *fault = (size_t)(r.p - r.start);
    return ok && r.p == r.end && trace_complete(trace);
}

bool reference_break_json(const char *data, size_t len, size_t from, char *out, size_t *at)
{
    bool in_string = false;
    memcpy(out, data, len);
    for (size_t i = 0; i < len; i++) {
        if (in_string) {
            if (data[i] == '\\')
                i++;
            else if (data[i] == '"')
                in_string = false;
        } else if (data[i] == '"') {
            in_string = true;
        } else if (i >= from && (data[i] == ',' || data[i] == ':')) {
            out[i] = data[i] == ',' ? ':' : ',';
            *at = i;
            return true;
        }
    }
    return false;
}
