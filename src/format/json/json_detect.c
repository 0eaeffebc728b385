/* Detection of JSON, NDJSON and JSON text sequences: one bounded look at the beginning of an input.
 *
 * Strings are not checked for UTF-8, and escapes by their letter only: this tells formats apart, it validates
 * nothing. */
#include "base/number.h"
#include "format/json/json_priv.h"
#include "text/json_text.h"

#define PROBE_SIZE ((size_t)4096)

enum outcome { OUTCOME_VALUE, OUTCOME_CUT, OUTCOME_INVALID };

struct cursor {
    const uint8_t *p, *end;
    bool whole;     /* nothing follows the end */
    bool line;      /* a line break was passed since this was cleared */
    bool container; /* the value is an array or object, … */
    bool content;   /* … with something in it */
};

static bool is_blank(uint8_t c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static void skip_blank(struct cursor *c)
{
    for (; c->p < c->end && is_blank(*c->p); c->p++) {
        c->line |= *c->p == '\n';
    }
}

static enum outcome probe_string(struct cursor *c)
{
    for (c->p++; c->p < c->end; c->p++) {
        if (*c->p == '"') {
            c->p++;
            return OUTCOME_VALUE;
        }
        if (*c->p < 0x20) {
            return OUTCOME_INVALID;
        }
        if (*c->p == '\\') {
            if (++c->p == c->end) {
                return OUTCOME_CUT;
            }
            if (*c->p != 'u' && !text_simple_escape(*c->p)) {
                return OUTCOME_INVALID;
            }
        }
    }
    return OUTCOME_CUT;
}

/* A number or literal: something that needs a delimiter behind it. */
static enum outcome probe_bare(struct cursor *c)
{
    static const char *const words[] = {"true", "false", "null"};
    if (*c->p == '-' || (*c->p >= '0' && *c->p <= '9')) {
        num_token token;
        bool ok = num_scan_json((const char *)c->p, (const char *)c->end, &token);
        c->p = (const uint8_t *)token.end;
        if (c->p == c->end) {
            return ok && c->whole ? OUTCOME_VALUE : OUTCOME_CUT;
        }
        if (!ok) {
            return OUTCOME_INVALID;
        }
    } else {
        size_t word = *c->p == 't' ? 0 : *c->p == 'f' ? 1 : 2, len = strlen(words[word]);
        size_t have = (size_t)(c->end - c->p), n = have < len ? have : len;
        if (memcmp(c->p, words[word], n) != 0) {
            return OUTCOME_INVALID;
        }
        c->p += n;
        if (c->p == c->end) {
            return n == len && c->whole ? OUTCOME_VALUE : OUTCOME_CUT;
        }
    }
    bool ends =
        is_blank(*c->p) || *c->p == ',' || *c->p == ']' || *c->p == '}' || *c->p == JSON_RECORD_SEPARATOR;
    return ends ? OUTCOME_VALUE : OUTCOME_INVALID;
}

static enum outcome probe_value(struct cursor *c)
{
    uint8_t maps[PROBE_SIZE / 8]; /* a bit for each open container */
    size_t depth = 0;
    enum { WANT_VALUE, WANT_FIRST, WANT_KEY, WANT_COLON, WANT_MORE } want = WANT_VALUE;
    c->container = c->content = false;
    for (;;) {
        skip_blank(c);
        if (c->p == c->end) {
            return OUTCOME_CUT;
        }
        uint8_t byte = *c->p;
        bool map = depth > 0 && maps[(depth - 1) / 8] >> ((depth - 1) % 8) & 1;
        c->content |= depth > 0;
        if ((byte == '}' || byte == ']') && depth > 0 && (want == WANT_FIRST || want == WANT_MORE)) {
            if (map != (byte == '}')) {
                return OUTCOME_INVALID;
            }
            c->p++;
            if (--depth == 0) {
                return OUTCOME_VALUE;
            }
            want = WANT_MORE;
            continue;
        }
        if (want == WANT_MORE || want == WANT_COLON) {
            if (byte != (want == WANT_COLON ? ':' : ',')) {
                return OUTCOME_INVALID;
            }
            c->p++;
            want = want == WANT_MORE && map ? WANT_KEY : WANT_VALUE;
            continue;
        }
        if (want == WANT_KEY || (want == WANT_FIRST && map)) {
            enum outcome outcome = byte == '"' ? probe_string(c) : OUTCOME_INVALID;
            if (outcome != OUTCOME_VALUE) {
                return outcome;
            }
            want = WANT_COLON;
            continue;
        }
        if (byte == '{' || byte == '[') {
            c->container = true;
            unsigned bit = 1u << (depth % 8);
            maps[depth / 8] = (uint8_t)((depth % 8 ? maps[depth / 8] & ~bit : 0u) | (byte == '{' ? bit : 0u));
            depth++;
            c->p++;
            want = WANT_FIRST;
            continue;
        }
        bool bare = byte == '-' || (byte >= '0' && byte <= '9') || byte == 't' || byte == 'f' || byte == 'n';
        enum outcome outcome = byte == '"' ? probe_string(c) : bare ? probe_bare(c) : OUTCOME_INVALID;
        if (outcome != OUTCOME_VALUE || depth == 0) {
            return outcome;
        }
        want = WANT_MORE;
    }
}

void json_probe(const uint8_t *p, size_t n, bool whole, struct json_probe *out)
{
    *out = (struct json_probe){.one_a_line = true};
    if (n > PROBE_SIZE) {
        n = PROBE_SIZE;
        whole = false;
    }
    struct cursor c = {.p = p, .end = p + n, .whole = whole};
    if (n >= 3 && memcmp(p, "\xEF\xBB\xBF", 3) == 0) {
        c.p += 3;
    }
    for (;;) {
        bool separated = false;
        c.line = false;
        skip_blank(&c);
        for (; c.p < c.end && *c.p == JSON_RECORD_SEPARATOR; skip_blank(&c)) {
            c.p++;
            out->separators++;
            separated = true;
        }
        if (c.p == c.end) {
            return;
        }
        out->missing_separator |= !separated;
        out->one_a_line &= c.line || out->values == 0;
        bool behind = out->containers > 0 && !c.line;
        c.line = false;
        const uint8_t *start = c.p;
        enum outcome outcome = probe_value(&c);
        out->one_a_line &= !c.line;
        if (outcome == OUTCOME_INVALID) {
            out->invalid = true;
            out->invalid_root = (c.container && c.content) || behind;
            return;
        }
        if (outcome == OUTCOME_CUT) {
            out->open = true;
            out->open_root = c.container && (c.content || c.p > start + 1);
            return;
        }
        out->values++;
        out->containers += c.container;
        /* A root value is not followed by a comma or bracket. */
        if (c.p < c.end && (*c.p == ',' || *c.p == ']' || *c.p == '}')) {
            out->invalid = true;
            out->invalid_root = out->containers > 0;
            out->one_a_line = false;
            return;
        }
    }
}
