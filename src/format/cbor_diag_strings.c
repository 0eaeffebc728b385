/* Strings of the diagnostic notation: "text", 'bytes', h'', b32'', h32'', b64'', joined ones, and chunks.
 *
 * Escapes are JSON's, with \' in single quotes. In encoded byte strings white space and comments count for
 * nothing (in b64'' only # comments: the slash is a digit there); base64 may use either alphabet, padding is
 * optional. */
#include "base/base64.h"
#include "base/bignum.h"
#include "base/simd.h"
#include "base/utf8.h"
#include "format/cbor_diag.h"
#include "text/json_text.h"

bool diag_string_begins(int c)
{
    return c == '"' || c == '\'' || c == 'h' || c == 'b';
}

static uint64_t here(weir_reader *r)
{
    return input_offset(&r->in);
}

static bool too_long(weir_reader *r, const struct diag_limit *limit, uint64_t offset)
{
    if (limit->resource == WEIR_RESOURCE_NUMBER) {
        return reader_fail_point(r, limit->resource, r->account.limit.number,
                                 bignum_least_digits(limit->maximum + 1), offset);
    }
    return reader_fail_point(r, limit->resource, limit->maximum, limit->maximum + 1, offset);
}

/* raw: the bytes are the next ones of the input, so that the first one too many has a place. */
static bool add(weir_reader *r, const struct diag_limit *limit, const void *bytes, size_t n, bool raw)
{
    uint64_t room = limit->maximum - r->text.len;
    if (n > room) {
        return too_long(r, limit, here(r) + (raw ? room : 0));
    }
    return weir_buffer_append(&r->text, bytes, n) || reader_fail(r, WEIR_E_MEMORY, here(r));
}

/* ---- quoted text ---- */

/* Four hexadecimal digits at `at` bytes from the next one. */
static bool hex_quad(weir_reader *r, size_t at, uint32_t *unit)
{
    size_t have = input_need(&r->in, at + 4);
    *unit = 0;
    for (size_t i = at; i < at + 4; i++) {
        if (i >= have) {
            return diag_short(r);
        }
        int digit = text_hex_digit(r->in.p[i]);
        if (digit < 0) {
            return reader_fail(r, WEIR_E_DIAG_STRING, here(r));
        }
        *unit = *unit << 4 | (uint32_t)digit;
    }
    return true;
}

static bool unicode_escape(weir_reader *r, const struct diag_limit *limit)
{
    uint32_t unit, low;
    char encoded[4];
    size_t size = 6;
    if (!hex_quad(r, 2, &unit)) {
        return false;
    }
    if (text_is_high_surrogate(unit)) {
        size_t have = input_need(&r->in, 8);
        if ((have > 6 && r->in.p[6] != '\\') || (have > 7 && r->in.p[7] != 'u')) {
            return reader_fail(r, WEIR_E_DIAG_STRING, here(r));
        }
        if (have < 8) {
            return diag_short(r);
        }
        if (!hex_quad(r, 8, &low)) {
            return false;
        }
        if (!text_is_low_surrogate(low)) {
            return reader_fail(r, WEIR_E_DIAG_STRING, here(r));
        }
        unit = text_join_surrogates(unit, low);
        size = 12;
    }
    size_t n = utf8_encode(unit, encoded);
    if (n == 0) {
        return reader_fail(r, WEIR_E_DIAG_STRING, here(r)); /* a low surrogate alone */
    }
    if (!add(r, limit, encoded, n, false)) {
        return false;
    }
    r->in.p += size;
    return true;
}

static bool escape(weir_reader *r, const struct diag_limit *limit, uint8_t quote)
{
    if (input_need(&r->in, 2) < 2) {
        return diag_short(r);
    }
    uint8_t c = r->in.p[1];
    if (c == 'u') {
        return unicode_escape(r, limit);
    }
    uint8_t plain = c == '\'' && quote == '\'' ? c : text_simple_escape(c);
    if (!plain) {
        return reader_fail(r, WEIR_E_DIAG_STRING, here(r));
    }
    if (!add(r, limit, &plain, 1, false)) {
        return false;
    }
    r->in.p += 2;
    return true;
}

static size_t plain_run(const uint8_t *p, size_t n, uint8_t quote)
{
    if (quote == '"') {
        return simd_kernels()->find_quote_escape_control(p, n);
    }
    size_t i = 0;
    while (i < n && p[i] != quote && p[i] != '\\' && p[i] >= 0x20) {
        i++;
    }
    return i;
}

/* The inside of a quoted string up to and with its closing quote; the window may end anywhere in it. */
static bool quoted(weir_reader *r, const struct diag_limit *limit, uint8_t quote)
{
    struct input *in = &r->in;
    for (;;) {
        size_t have = input_need(in, 1);
        if (have == 0) {
            return diag_short(r);
        }
        size_t run = plain_run(in->p, have, quote);
        bool cut = false;
        size_t valid = utf8_valid_prefix(in->p, run, &cut);
        if (valid && !add(r, limit, in->p, valid, true)) {
            return false;
        }
        in->p += valid;
        if (valid < run) {
            size_t left = have - valid;
            if (!cut || run < have) {
                return reader_fail(r, WEIR_E_DIAG_INVALID_UTF8, here(r));
            }
            if (input_need(in, left + 1) <= left) {
                return diag_short(r);
            }
            continue;
        }
        if (run == have) {
            continue;
        }
        if (*in->p == quote) {
            in->p++;
            return true;
        }
        if (*in->p != '\\') {
            return reader_fail(r, WEIR_E_DIAG_STRING, here(r));
        }
        if (!escape(r, limit, quote)) {
            return false;
        }
    }
}

/* ---- encoded bytes ---- */

struct encoding {
    const char *prefix;
    base_code code;
    unsigned bits; /* a digit */
};

static const struct encoding encodings[] = {
    {"h", BASE_16, 4}, {"b64", BASE_64, 6}, {"b32", BASE_32, 5}, {"h32", BASE_32_HEX, 5}};

static bool is_digit(const struct encoding *encoding, int *c)
{
    if (encoding->code == BASE_64) {
        *c = *c == '-' ? '+' : *c == '_' ? '/' : *c;
    }
    bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z'), number = *c >= '0' && *c <= '9';
    if (encoding->code == BASE_16) {
        return text_hex_digit((uint8_t)*c) >= 0;
    }
    return letter || number || *c == '=' || (encoding->code == BASE_64 && (*c == '+' || *c == '/'));
}

/* Its digits up to the closing quote, into the token. */
static bool gather_digits(weir_reader *r, const struct diag_limit *limit, const struct encoding *encoding)
{
    weir_buffer *token = &diag_state(r)->token;
    uint64_t room = limit->maximum - r->text.len;
    uint64_t most = room > UINT64_MAX / 16 ? UINT64_MAX : (room * 8 + encoding->bits - 1) / encoding->bits,
             digits = 0;
    weir_buffer_clear(token);
    for (;;) {
        int c = input_peek(&r->in);
        if (c < 0) {
            return diag_short(r);
        }
        if (c == '\'') {
            return true;
        }
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            r->in.p++;
            continue;
        }
        if (c == '#' || (c == '/' && encoding->code != BASE_64)) {
            if (!diag_comment(r)) {
                return false;
            }
            continue;
        }
        if (!is_digit(encoding, &c)) {
            return reader_fail(r, WEIR_E_DIAG_BYTES, here(r));
        }
        digits += c != '=';
        if (digits > most) {
            return too_long(r, limit, here(r));
        }
        if (token->len + 1 - digits > 8) {
            return reader_fail(r, WEIR_E_DIAG_BYTES, here(r)); /* more padding than there can be */
        }
        char digit = (char)c;
        if (!weir_buffer_append(token, &digit, 1)) {
            return reader_fail(r, WEIR_E_MEMORY, here(r));
        }
        r->in.p++;
    }
}

static bool encoded(weir_reader *r, const struct diag_limit *limit, const struct encoding *encoding)
{
    weir_buffer *token = &diag_state(r)->token;
    size_t size;
    if (!gather_digits(r, limit, encoding)) {
        return false;
    }
    if (!weir_buffer_reserve(&r->text, base_decoded_bound(encoding->code, token->len))) {
        return reader_fail(r, WEIR_E_MEMORY, here(r));
    }
    uint8_t *to = (uint8_t *)r->text.data + r->text.len;
    if (!base_decode(encoding->code, encoding->code == BASE_16 ? BASE_UNPADDED : BASE_EITHER,
                     token->data ? token->data : "", token->len, to, &size)) {
        return reader_fail(r, WEIR_E_DIAG_BYTES, here(r));
    }
    if (size > limit->maximum - r->text.len) {
        return too_long(r, limit, here(r));
    }
    r->text.len += size;
    r->in.p++;
    return true;
}

/* A name and a quote: an encoded byte string. */
static bool prefixed(weir_reader *r, const struct diag_limit *limit)
{
    weir_buffer *token = &diag_state(r)->token;
    uint64_t offset = here(r);
    weir_buffer_clear(token);
    if (!diag_token(r)) {
        return false;
    }
    int next = input_peek(&r->in);
    for (size_t i = 0; i < sizeof encodings / sizeof *encodings; i++) {
        const char *prefix = encodings[i].prefix;
        if (token->len > strlen(prefix) || memcmp(token->data, prefix, token->len) != 0) {
            continue;
        }
        if (next < 0) {
            return diag_short(r);
        }
        if (next == '\'' && !prefix[token->len]) {
            r->in.p++;
            return encoded(r, limit, &encodings[i]);
        }
    }
    return reader_fail(r, WEIR_E_DIAG_SYNTAX, offset);
}

/* ---- whole strings ---- */

static bool literal(weir_reader *r, const struct diag_limit *limit, weir_kind *kind)
{
    int c = input_peek(&r->in);
    *kind = c == '"' ? WEIR_KIND_STRING : WEIR_KIND_BYTES;
    if (c != '"' && c != '\'') {
        return prefixed(r, limit);
    }
    r->in.p++;
    return quoted(r, limit, (uint8_t)c);
}

/* Bytes joined to a text may make it invalid. */
static bool check_text(weir_reader *r, size_t from, uint64_t offset)
{
    return r->text.len == from || utf8_valid(r->text.data + from, r->text.len - from) ||
           reader_fail(r, WEIR_E_DIAG_INVALID_UTF8, offset);
}

bool diag_string(weir_reader *r, const struct diag_limit *limit, weir_kind *kind)
{
    uint64_t offset = here(r);
    size_t from = r->text.len;
    bool mixed = false;
    enum diag_encoding encoding;
    if (!literal(r, limit, kind) || !diag_indicator(r, &encoding)) {
        return false;
    }
    if (encoding != DIAG_ENCODING_NONE) {
        size_t len = r->text.len - from;
        bool fits = encoding == DIAG_ENCODING_INDEFINITE ? len == 0 : diag_fits(encoding, len);
        return fits || diag_encoding_error(r, encoding, offset);
    }
    for (;;) {
        if (!diag_space(r)) {
            return false;
        }
        weir_kind joined;
        if (!diag_string_begins(input_peek(&r->in))) {
            break;
        }
        if (!literal(r, limit, &joined)) {
            return false;
        }
        mixed |= joined != *kind;
    }
    return !mixed || *kind == WEIR_KIND_BYTES || check_text(r, from, offset);
}

bool diag_chunks(weir_reader *r, const struct diag_limit *limit, weir_kind *kind)
{
    for (bool first = true;; first = false) {
        weir_kind chunk;
        if (!diag_space(r)) {
            return false;
        }
        uint64_t offset = here(r);
        if (!diag_string_begins(input_peek(&r->in))) {
            return diag_unexpected(r, WEIR_E_DIAG_STRING);
        }
        if (!diag_string(r, limit, &chunk)) {
            return false;
        }
        if (!first && chunk != *kind) {
            return reader_fail(r, WEIR_E_DIAG_STRING, offset);
        }
        *kind = chunk;
        if (!diag_space(r)) {
            return false;
        }
        int c = input_peek(&r->in);
        if (c != ',' && c != ')') {
            return diag_unexpected(r, WEIR_E_DIAG_SYNTAX);
        }
        r->in.p++;
        if (c == ')') {
            return true;
        }
    }
}

const char *diag_plain_text(weir_reader *r, uint64_t max, size_t *len)
{
    const uint8_t *text = r->in.p + 1, *end = r->in.end;
    if (!r->in.memory || r->in.p == end || *r->in.p != '"') {
        return NULL;
    }
    size_t run = simd_kernels()->find_quote_escape_control(text, (size_t)(end - text));
    const uint8_t *next = text + run;
    if (run > max || next == end || *next != '"' || !utf8_valid(text, run)) {
        return NULL;
    }
    for (next++; next < end && (*next == ' ' || *next == '\t' || *next == '\n' || *next == '\r'); next++) {
    }
    if (next < end && (diag_string_begins(*next) || *next == '_' || *next == '#' || *next == '/')) {
        return NULL;
    }
    *len = run;
    return (const char *)text;
}
