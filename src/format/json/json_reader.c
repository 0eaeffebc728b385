/* The exact reader of JSON values (RFC 8259): one event at a time, from memory or a stream that may be cut
 * anywhere.
 *
 * It decides the first failing event in the order of the input, with its code and place; what is fast
 * elsewhere comes back to it for that. Nesting is in the generic reader's frames, so depth costs no C stack.
 * Duplicate keys are the generic reader's business. */
#include "format/json/json_priv.h"

#include <math.h>

#include "base/number.h"
#include "base/utf8.h"
#include "text/json_text.h"

#define SPACE (JSON_SPACE | JSON_DELIMITER)
#define NUMBERS                                                                                              \
    ['0'] = JSON_NUMBER, ['1'] = JSON_NUMBER, ['2'] = JSON_NUMBER, ['3'] = JSON_NUMBER, ['4'] = JSON_NUMBER, \
    ['5'] = JSON_NUMBER, ['6'] = JSON_NUMBER, ['7'] = JSON_NUMBER, ['8'] = JSON_NUMBER, ['9'] = JSON_NUMBER, \
    ['-'] = JSON_NUMBER, ['+'] = JSON_NUMBER, ['.'] = JSON_NUMBER, ['e'] = JSON_NUMBER, ['E'] = JSON_NUMBER

static const uint8_t classes_of[3][256] = {
    [JSON_PLAIN] = {[' '] = SPACE,
                    ['\t'] = SPACE,
                    ['\n'] = SPACE,
                    ['\r'] = SPACE,
                    [','] = JSON_DELIMITER,
                    [']'] = JSON_DELIMITER,
                    ['}'] = JSON_DELIMITER,
                    NUMBERS},
    [JSON_LINES] = {[' '] = SPACE,
                    ['\t'] = SPACE,
                    ['\n'] = JSON_DELIMITER,
                    ['\r'] = JSON_DELIMITER,
                    [','] = JSON_DELIMITER,
                    [']'] = JSON_DELIMITER,
                    ['}'] = JSON_DELIMITER,
                    NUMBERS},
    [JSON_SEQUENCE] = {[' '] = SPACE,
                       ['\t'] = SPACE,
                       ['\n'] = SPACE,
                       ['\r'] = SPACE,
                       [','] = JSON_DELIMITER,
                       [']'] = JSON_DELIMITER,
                       ['}'] = JSON_DELIMITER,
                       [JSON_RECORD_SEPARATOR] = JSON_DELIMITER,
                       NUMBERS},
};

static struct json_reader *state_of(weir_reader *r)
{
    return r->state;
}

bool json_reader_open(weir_reader *r, enum json_dialect dialect)
{
    struct json_reader *state = state_of(r);
    state->dialect = dialect;
    state->classes = classes_of[dialect];
    state->kernels = simd_kernels();
    return true;
}

/* ---- failing, with a word about usual mistakes ---- */

bool json_fail_at(weir_reader *r, weir_code code, const uint8_t *at, const char *hint)
{
    const struct input *in = &r->in;
    if (at < in->end) {
        enum json_dialect dialect = state_of(r)->dialect;
        if (dialect == JSON_LINES && (*at == '\n' || *at == '\r')) {
            code = WEIR_E_NDJSON_LINE;
            hint = NULL;
        } else if (dialect == JSON_SEQUENCE && *at == JSON_RECORD_SEPARATOR) {
            code = WEIR_E_JSON_SEQ_TRUNCATED;
            hint = "the record ends inside a value";
        }
    }
    uint64_t offset = in->base + (uint64_t)(at - in->start);
    return hint ? reader_fail_hint(r, code, offset, hint) : reader_fail(r, code, offset);
}

/* The input ended too early, or could not be read on. */
static bool fail_incomplete(weir_reader *r)
{
    return reader_fail_short(r, WEIR_E_JSON_INCOMPLETE);
}

static bool starts_with(const struct input *in, const uint8_t *p, const char *word)
{
    size_t n = strlen(word);
    return (size_t)(in->end - p) >= n && memcmp(p, word, n) == 0;
}

/* What probably stands at p, where a value should; NULL if there is nothing to say. */
static const char *value_hint(const struct input *in, const uint8_t *p)
{
    switch (*p) {
    case '/':
    case '#':
        return "JSON has no comments";
    case '\'':
    case '`':
        return "strings stand in double quotes";
    case '+':
        return "a number has no plus sign";
    case '.':
        return "a number begins with a digit";
    case ']':
    case '}':
        return "a value is missing, perhaps after a trailing comma";
    case ',':
        return "a value is missing before the comma";
    case 'N':
    case 'n':
    case 'I':
    case 'i':
        if (starts_with(in, p, "NaN") || starts_with(in, p, "nan") || starts_with(in, p, "Inf") ||
            starts_with(in, p, "inf")) {
            return "JSON has neither NaN nor infinities";
        }
        return *p == 'N' ? "null is written in lower case; None is Python's" : NULL;
    case 'T':
    case 'F':
        return "true and false are written in lower case";
    case 'u':
        return starts_with(in, p, "undefined") ? "JSON has no undefined; perhaps null" : NULL;
    case 0x00:
    case 0xFE:
    case 0xFF:
        return "the input looks like UTF-16 or UTF-32; JSON is UTF-8";
    case 0xC2:
        return starts_with(in, p, "\xC2\xA0") ? "a no-break space is not white space in JSON" : NULL;
    case 0xE2:
        return starts_with(in, p, "\xE2\x80\x9C") || starts_with(in, p, "\xE2\x80\x9D")
                   ? "strings stand in straight double quotes"
                   : NULL;
    default:
        return NULL;
    }
}

static bool is_word(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
}

/* The byte at p can't begin a value. */
static bool fail_value(weir_reader *r, const uint8_t *p)
{
    return json_fail_at(r, WEIR_E_JSON_UNEXPECTED_BYTE, p, value_hint(&r->in, p));
}

/* after_comma: a key must follow. */
static bool fail_key(weir_reader *r, const uint8_t *p, bool after_comma)
{
    const char *hint = *p == '}' && after_comma ? "a trailing comma is not allowed"
                       : is_word(*p)            ? "a key without quotes"
                       : *p == '\''             ? "a key in single quotes"
                       : *p == '/' || *p == '#' ? value_hint(&r->in, p)
                                                : NULL;
    return json_fail_at(r, WEIR_E_JSON_EXPECTED_KEY, p, hint);
}

static bool fail_comma(weir_reader *r, weir_code code, const uint8_t *p)
{
    const char *hint =
        *p == '/' || *p == '#' ? value_hint(&r->in, p)
        : *p == '"' || *p == '{' || *p == '[' || *p == '-' || (*p >= '0' && *p <= '9') || is_word(*p)
            ? "perhaps a comma is missing"
            : NULL;
    return json_fail_at(r, code, p, hint);
}

/* ---- white space and the byte order mark ---- */

static bool skip_class(weir_reader *r, const uint8_t *classes, bool with_lines)
{
    struct input *in = &r->in;
    do {
        const uint8_t *p = in->p, *end = in->end;
        const uint8_t *near = end - p > 16 ? p + 16 : end;
        while (p < near && classes[*p] & JSON_SPACE) {
            p++;
        }
        if (p == near && p < end) {
            if (with_lines) {
                p += state_of(r)->kernels->skip_json_space(p, (size_t)(end - p));
            } else {
                while (p < end && classes[*p] & JSON_SPACE) {
                    p++;
                }
            }
        }
        in->p = p;
        if (p < end) {
            return true;
        }
    } while (input_more(in, 1));
    return false;
}

bool json_skip_space(weir_reader *r)
{
    return skip_class(r, classes_of[JSON_PLAIN], true);
}

bool json_skip_blank(weir_reader *r)
{
    const struct json_reader *state = state_of(r);
    return skip_class(r, state->classes, state->dialect != JSON_LINES);
}

ALWAYS_INLINE bool skip_blank(weir_reader *r)
{
    struct input *in = &r->in;
    if (likely(in->p<in->end && * in->p> ' ')) {
        return true;
    }
    return json_skip_blank(r);
}

bool json_byte_order_mark(weir_reader *r)
{
    struct input *in = &r->in;
    static const uint8_t mark[3] = {0xEF, 0xBB, 0xBF};
    size_t same = 0;
    while (same < 3 && input_need(in, same + 1) > same && in->p[same] == mark[same]) {
        same++;
    }
    if (same == 0) {
        return true;
    }
    bool ended = (size_t)(in->end - in->p) == same;
    if (!(r->options.allow & WEIR_ALLOW_BOM)) {
        return same < 3 ? json_fail_at(r, WEIR_E_JSON_UNEXPECTED_BYTE, in->p, NULL)
                        : json_fail_at(r, WEIR_E_JSON_BYTE_ORDER_MARK, in->p, NULL);
    }
    if (same < 3) {
        return ended ? fail_incomplete(r) : json_fail_at(r, WEIR_E_JSON_UNEXPECTED_BYTE, in->p, NULL);
    }
    in->p += 3;
    return true;
}

/* ---- strings ---- */

static bool fail_length(weir_reader *r, bool is_key, uint64_t limit, uint64_t offset)
{
    return reader_fail_point(r, is_key ? WEIR_RESOURCE_KEY : WEIR_RESOURCE_STRING, limit, limit + 1, offset);
}

/* Four digits at in->p + at; -1 after recording an error. */
static int32_t read_unit(weir_reader *r, size_t at)
{
    struct input *in = &r->in;
    size_t have = input_need(in, at + 4);
    int32_t unit = 0;
    for (size_t i = at; i < at + 4; i++) {
        if (i >= have) {
            fail_incomplete(r);
            return -1;
        }
        int digit = text_hex_digit(in->p[i]);
        if (digit < 0) {
            json_fail_at(r, WEIR_E_JSON_INVALID_UNICODE_ESCAPE, in->p + i, NULL);
            return -1;
        }
        unit = unit << 4 | digit;
    }
    return unit;
}

/* A \u escape at in->p, with its second half if it has one: its scalar value, and how long it is. -1 after an
 * error. An unpaired half is noticed right behind the four digits that should have made a pair. */
static int32_t read_unicode_escape(weir_reader *r, size_t *size)
{
    struct input *in = &r->in;
    int32_t high = read_unit(r, 2);
    *size = 6;
    if (high < 0 || (!text_is_high_surrogate((uint32_t)high) && !text_is_low_surrogate((uint32_t)high))) {
        return high;
    }
    if (text_is_low_surrogate((uint32_t)high)) {
        json_fail_at(r, WEIR_E_JSON_UNPAIRED_SURROGATE, in->p + 6, NULL);
        return -1;
    }
    size_t have = input_need(in, 8);
    if ((have > 6 && in->p[6] != '\\') || (have > 7 && in->p[7] != 'u')) {
        reader_fail(r, WEIR_E_JSON_UNPAIRED_SURROGATE, input_offset(in) + 6);
        return -1;
    }
    if (have < 8) {
        fail_incomplete(r);
        return -1;
    }
    int32_t low = read_unit(r, 8);
    if (low < 0) {
        return -1;
    }
    if (!text_is_low_surrogate((uint32_t)low)) {
        reader_fail(r, WEIR_E_JSON_UNPAIRED_SURROGATE, input_offset(in) + 12);
        return -1;
    }
    *size = 12;
    return (int32_t)text_join_surrogates((uint32_t)high, (uint32_t)low);
}

/* The escape at in->p into r->text; *done counts decoded bytes. */
static bool read_escape(weir_reader *r, bool is_key, uint64_t limit, uint64_t *done)
{
    struct input *in = &r->in;
    char bytes[4];
    size_t size = 2, n = 1;
    if (input_need(in, 2) < 2) {
        return fail_incomplete(r);
    }
    if (in->p[1] == 'u') {
        int32_t scalar = read_unicode_escape(r, &size);
        if (scalar < 0) {
            return false;
        }
        n = utf8_encode((uint32_t)scalar, bytes);
    } else {
        bytes[0] = (char)text_simple_escape(in->p[1]);
        if (!bytes[0]) {
            return json_fail_at(r, WEIR_E_JSON_INVALID_ESCAPE, in->p + 1,
                                in->p[1] == 'x' ? "write \\u00.. for \\x.." : NULL);
        }
    }
    if (unlikely(n > limit - *done)) {
        return fail_length(r, is_key, limit, input_offset(in));
    }
    if (!text_append(&r->text, bytes, n)) {
        return reader_fail(r, WEIR_E_MEMORY, input_offset(in));
    }
    *done += n;
    in->p += size;
    return true;
}

/* A run of `run` plain bytes at in->p, of which `good` are valid UTF-8, that no quote, escape or control
 * ended: it reaches the window's end, or (over) the byte that makes the string too long. Moves on over the
 * good ones. */
static bool run_reaches_edge(weir_reader *r, bool is_key, uint64_t limit, size_t run, size_t good, bool over)
{
    struct input *in = &r->in;
    size_t rest = run - good; /* of a sequence that is valid so far */
    in->p += good;
    if (over) {
        uint32_t scalar;
        size_t have = rest ? input_need(in, 4) : 0;
        if (rest && utf8_decode(in->p, have, &scalar) == 0) {
            return json_fail_at(r, WEIR_E_JSON_INVALID_UTF8, in->p, NULL);
        }
        return fail_length(r, is_key, limit, input_offset(in) + rest - 1);
    }
    return input_need(in, rest + 1) > rest || fail_incomplete(r);
}

/* The string at in->p, a quote. Plain text stays where it is; escapes bring it into r->text. */
static bool read_string(weir_reader *r, bool is_key)
{
    struct input *in = &r->in;
    const struct simd_kernels *kernels = state_of(r)->kernels;
    const uint64_t offset = input_offset(in), limit = reader_text_limit(r, is_key);
    uint64_t done = 0; /* decoded bytes before in->p */
    bool copied = false;
    in->hold = in->p++;
    for (;;) {
        size_t n = (size_t)(in->end - in->p);
        bool over = false, ascii, cut = false;
        if (unlikely(n > limit - done)) {
            n = (size_t)(limit - done) + 1;
            over = true;
        }
        size_t run = text_plain_run(kernels, in->p, n, &ascii), good = run;
        if (!ascii && unlikely(!kernels->utf8_valid(in->p, run))) {
            good = utf8_valid_prefix(in->p, run, &cut);
            if (run < n || !cut) {
                return json_fail_at(r, WEIR_E_JSON_INVALID_UTF8, in->p + good, NULL);
            }
        }
        if (copied && !text_append(&r->text, in->p, good)) {
            return reader_fail(r, WEIR_E_MEMORY, input_offset(in));
        }
        done += good;
        if (unlikely(run == n)) {
            if (!run_reaches_edge(r, is_key, limit, run, good, over)) {
                return false;
            }
            continue;
        }
        in->p += run;
        if (likely(*in->p == '"')) {
            break;
        }
        if (unlikely(*in->p != '\\')) {
            return json_fail_at(r, WEIR_E_JSON_CONTROL, in->p, NULL);
        }
        if (!copied) {
            copied = true;
            r->text.len = 0;
            if (!text_append(&r->text, in->hold + 1, (size_t)(in->p - in->hold) - 1)) {
                return reader_fail(r, WEIR_E_MEMORY, input_offset(in));
            }
        }
        if (!read_escape(r, is_key, limit, &done)) {
            return false;
        }
    }
    if (!(is_key ? reader_key(r, done, offset) : reader_string(r, done, offset))) {
        return false;
    }
    weir_event *event = reader_event(r, WEIR_KIND_STRING, offset);
    event->text = copied ? r->text.data : (const char *)in->hold + 1;
    event->len = (size_t)done;
    event->plain = !copied;
    event->borrowed = !copied && in->memory;
    in->p++;
    return true;
}

/* ---- numbers ---- */

/* Reads on until the window holds the whole number at in->p and a byte behind it, or the input ends, or the
 * number is too long anyway. The bytes up to the window's end were seen to belong to it. */
static void complete_number(weir_reader *r)
{
    struct input *in = &r->in;
    const uint8_t *classes = state_of(r)->classes;
    size_t n = (size_t)(in->end - in->p);
    while (n <= r->account.limit.number && input_need(in, n + 1) > n) {
        size_t have = (size_t)(in->end - in->p);
        while (n < have && classes[in->p[n]] & JSON_NUMBER) {
            n++;
        }
        if (n < have) {
            break;
        }
    }
}

static bool keep_as_text(weir_reader *r, const char *text, size_t len, uint64_t offset)
{
    weir_event *event = reader_event(r, WEIR_KIND_NUMBER, offset);
    event->text = text;
    event->len = len;
    event->borrowed = r->in.memory;
    return true;
}

/* Whether the double's shortest text has the same decimal value as the token. */
static bool is_own_decimal(const num_token *token, const char *text, double value)
{
    /* Up to 15 digits come back from any normal double as they went in. */
    if (!token->truncated && token->digits < 1000000000000000 && token->exponent > -290 &&
        token->exponent < 290) {
        return true;
    }
    char own[NUM_DOUBLE_SIZE];
    size_t len = num_print_double(own, value);
    return num_compare_decimal(text, (size_t)(token->end - text), own, len) == 0;
}

static bool number_event(weir_reader *r, const num_token *token, const char *text, uint64_t offset)
{
    size_t len = (size_t)(token->end - text);
    weir_numbers policy = r->options.numbers;
    bool exact = policy == WEIR_NUMBERS_EXACT || policy == WEIR_NUMBERS_DECIMAL;
    uint64_t magnitude;
    bool fits = num_token_magnitude(token, &magnitude);
    if (fits && !token->negative) {
        reader_event(r, WEIR_KIND_UINT, offset)->v.u = magnitude;
        return true;
    }
    if (fits && magnitude != 0 && magnitude <= (uint64_t)1 << 63) {
        reader_event(r, WEIR_KIND_INT, offset)->v.i = -(int64_t)(magnitude - 1) - 1;
        return true;
    }
    if (token->is_integer && !(fits && magnitude == 0) && policy != WEIR_NUMBERS_DOUBLE) {
        return exact ? keep_as_text(r, text, len, offset) : reader_fail(r, WEIR_E_JSON_INTEGER_RANGE, offset);
    }
    double value = num_token_to_double(token, text);
    if (isinf(value)) {
        return exact ? keep_as_text(r, text, len, offset) : reader_fail(r, WEIR_E_JSON_FLOAT_RANGE, offset);
    }
    if (policy == WEIR_NUMBERS_DECIMAL && !is_own_decimal(token, text, value)) {
        return keep_as_text(r, text, len, offset);
    }
    reader_event(r, WEIR_KIND_REAL, offset)->v.d = value;
    return true;
}

/* The usual integer: at most 18 digits, not negative zero, a delimiter behind it in the window. 0: not so. */
static size_t short_integer(const struct input *in, const uint8_t *classes, uint64_t *magnitude)
{
    const uint8_t *p = in->p, *end = in->end;
    bool negative = *p == '-';
    p += negative;
    const uint8_t *first = p, *stop = end - p > 18 ? p + 18 : end;
    uint64_t value = 0;
    while (p < stop && (uint8_t)(*p - '0') < 10) {
        value = value * 10 + (uint64_t)(*p++ - '0');
    }
    if (p == first || p == end || !(classes[*p] & JSON_DELIMITER) ||
        (*first == '0' && (p > first + 1 || negative))) {
        return 0;
    }
    *magnitude = value;
    return (size_t)(p - in->p);
}

static bool read_number(weir_reader *r)
{
    struct input *in = &r->in;
    const uint8_t *classes = state_of(r)->classes;
    const uint64_t offset = input_offset(in), limit = r->account.limit.number;
    uint64_t magnitude;
    size_t len = short_integer(in, classes, &magnitude);
    if (len > 0 && len <= limit) {
        bool negative = *in->p == '-';
        if (!reader_number(r, len, offset)) {
            return false;
        }
        in->p += len;
        weir_event *event = reader_event(r, negative ? WEIR_KIND_INT : WEIR_KIND_UINT, offset);
        event->v.u = magnitude;
        if (negative) {
            event->v.i = -(int64_t)magnitude;
        }
        return true;
    }
    num_token token;
    in->hold = in->p;
    bool ok = num_scan_json((const char *)in->p, (const char *)in->end, &token);
    if (unlikely(token.end == (const char *)in->end && !in->eof)) {
        complete_number(r);
        ok = num_scan_json((const char *)in->p, (const char *)in->end, &token);
    }
    const char *text = (const char *)in->p;
    const uint8_t *behind = (const uint8_t *)token.end;
    len = (size_t)(token.end - text);
    if (unlikely(len > limit)) {
        return reader_fail_point(r, WEIR_RESOURCE_NUMBER, limit, limit + 1, offset + limit);
    }
    if (behind == in->end) {
        if (!ok || in->failed) {
            return fail_incomplete(r);
        }
    } else if (!ok || !(classes[*behind] & JSON_DELIMITER)) {
        return json_fail_at(r, WEIR_E_JSON_INVALID_NUMBER, behind, value_hint(in, behind));
    }
    if (!reader_number(r, len, offset)) {
        return false;
    }
    in->p = behind;
    return number_event(r, &token, text, offset);
}

/* ---- literals ---- */

static bool read_literal(weir_reader *r, const char *word, size_t len, weir_kind kind)
{
    struct input *in = &r->in;
    const uint64_t offset = input_offset(in);
    size_t have = input_need(in, len + 1);
    for (size_t i = 0; i < len && i < have; i++) {
        if (in->p[i] != (uint8_t)word[i]) {
            bool cut = state_of(r)->dialect == JSON_SEQUENCE && in->p[i] == JSON_RECORD_SEPARATOR;
            return cut ? json_fail_at(r, WEIR_E_JSON_SEQ_TRUNCATED, in->p + i, NULL) : fail_value(r, in->p);
        }
    }
    if (have <= len) {
        if (have < len || in->failed) {
            return fail_incomplete(r);
        }
    } else if (!(state_of(r)->classes[in->p[len]] & JSON_DELIMITER)) {
        return json_fail_at(r, WEIR_E_JSON_UNEXPECTED_BYTE, in->p + len, NULL);
    }
    if (!reader_scalar(r, offset)) {
        return false;
    }
    in->p += len;
    reader_event(r, kind, offset);
    return true;
}

/* ---- the grammar ---- */

/* The value that begins at in->p. */
static bool read_value(weir_reader *r)
{
    struct input *in = &r->in;
    const uint64_t offset = input_offset(in);
    switch (*in->p) {
    case '"':
        return reader_value(r, offset) && read_string(r, false);
    case '{':
    case '[':
        if (!reader_value(r, offset)) {
            return false;
        }
        return reader_begin(r, *in->p++ == '{' ? WEIR_KIND_MAP : WEIR_KIND_ARRAY, WEIR_UNKNOWN, offset);
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
        return reader_value(r, offset) && read_number(r);
    case 't':
        return reader_value(r, offset) && read_literal(r, "true", 4, WEIR_KIND_TRUE);
    case 'f':
        return reader_value(r, offset) && read_literal(r, "false", 5, WEIR_KIND_FALSE);
    case 'n':
        return reader_value(r, offset) && read_literal(r, "null", 4, WEIR_KIND_NULL);
    default:
        return fail_value(r, in->p);
    }
}

static bool end_container(weir_reader *r)
{
    reader_end(r, input_offset(&r->in));
    r->in.p++;
    return true;
}

/* Was the comma or colon read before the reader was resumed here? */
static bool take_separated(weir_reader *r)
{
    bool separated = state_of(r)->separated;
    state_of(r)->separated = false;
    return unlikely(separated);
}

/* In an array, at the byte after white space. A comma promises an element: that is counted before it is
 * looked at. */
static bool next_in_array(weir_reader *r, bool first)
{
    struct input *in = &r->in;
    if (*in->p == ']' && !state_of(r)->separated) {
        return end_container(r);
    }
    bool more = true;
    if (!first && !take_separated(r)) {
        if (unlikely(*in->p != ',')) {
            return fail_comma(r, WEIR_E_JSON_EXPECTED_COMMA_ARRAY, in->p);
        }
        in->p++;
        more = skip_blank(r);
    }
    if (!reader_child(r, input_offset(in))) {
        return false;
    }
    return more ? read_value(r) : fail_incomplete(r);
}

/* In a map, where a key or the end is due. */
static bool next_in_map(weir_reader *r, bool first)
{
    struct input *in = &r->in;
    if (*in->p == '}' && !state_of(r)->separated) {
        return end_container(r);
    }
    if (!first && !take_separated(r)) {
        if (unlikely(*in->p != ',')) {
            return fail_comma(r, WEIR_E_JSON_EXPECTED_COMMA_OBJECT, in->p);
        }
        in->p++;
        if (!skip_blank(r)) {
            return fail_incomplete(r);
        }
    }
    if (unlikely(*in->p != '"')) {
        return fail_key(r, in->p, !first);
    }
    return reader_child(r, input_offset(in)) && read_string(r, true);
}

static bool next_after_key(weir_reader *r)
{
    struct input *in = &r->in;
    if (take_separated(r)) {
        return read_value(r);
    }
    if (unlikely(*in->p != ':')) {
        return json_fail_at(r, WEIR_E_JSON_EXPECTED_COLON, in->p,
                            *in->p == '=' ? "a colon follows a key" : NULL);
    }
    in->p++;
    return skip_blank(r) ? read_value(r) : fail_incomplete(r);
}

void json_reader_resume(weir_reader *r, size_t offset, enum json_resume at)
{
    const struct frame *top = frames_top(&r->stack);
    r->in.p = r->in.start + offset;
    state_of(r)->separated = at == JSON_AT_VALUE || (at == JSON_AT_CHILD && top && top->count > 0);
    r->phase = at == JSON_AFTER_ROOT ? READER_ROOT_DONE : READER_INSIDE;
}

bool json_next(weir_reader *r)
{
    const struct frame *top = frames_top(&r->stack);
    r->in.hold = NULL;
    if (unlikely(!skip_blank(r))) {
        /* A comma promises an element, also when the reader was resumed behind it. */
        bool promised = top && frame_kind(top) == WEIR_KIND_ARRAY && take_separated(r);
        return (!promised || reader_child(r, input_offset(&r->in))) && fail_incomplete(r);
    }
    if (!top) {
        return read_value(r);
    }
    if (frame_kind(top) == WEIR_KIND_ARRAY) {
        return next_in_array(r, top->count == 0);
    }
    return top->flags & FRAME_VALUE ? next_after_key(r) : next_in_map(r, top->count == 0);
}
