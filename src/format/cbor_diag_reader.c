/* CBOR diagnostic notation, reading: RFC 8949 section 8 with RFC 8610 appendix G, as events.
 *
 * What JSON writes means the same here. Encoding indicators give floats their width (_1 f16, _2 f32, _3 or
 * none f64; the value must fit exactly) and are checked but not kept elsewhere. Items are UINT, INT, … as in
 * the CBOR reader: undefined and simple(n) are named tags, 2(h'…') and 3(h'…') integers, 4([e, m]) a NUMBER
 * under the same rule. Sequences are separated by commas. Comments: # to the line's end, and between slashes.
 */
#include <math.h>

#include "base/number.h"
#include "format/cbor_diag.h"
#include "text/binary.h"
#include "text/decimal.h"
#include "text/integer.h"

/* ---- lexing ---- */

#define LONGEST_NAME 16 /* longer words are no names */

static uint64_t here(const weir_reader *r)
{
    return input_offset(&r->in);
}

bool diag_unexpected(weir_reader *r, weir_code code)
{
    return input_peek(&r->in) < 0 ? diag_short(r) : reader_fail(r, code, here(r));
}

bool diag_comment(weir_reader *r)
{
    uint64_t offset = here(r);
    int c, close = *r->in.p == '#' ? '\n' : '/';
    if (r->options.flags & WEIR_NO_COMMENTS) {
        return reader_fail(r, WEIR_E_LOSS_COMMENT, offset);
    }
    r->in.p++;
    while ((c = input_peek(&r->in)) >= 0 && c != close) {
        r->in.p++;
    }
    if (c == close && close == '/') {
        r->in.p++;
    }
    if (c < 0 && (close == '/' || r->in.failed)) {
        return r->in.failed ? diag_short(r) : reader_fail(r, WEIR_E_DIAG_COMMENT, offset);
    }
    return true;
}

bool diag_space(weir_reader *r)
{
    for (;;) {
        int c = input_peek(&r->in);
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            r->in.p++;
        } else if (c == '#' || c == '/') {
            if (!diag_comment(r)) {
                return false;
            }
        } else {
            return true;
        }
    }
}

bool diag_expect(weir_reader *r, int c)
{
    if (!diag_space(r)) {
        return false;
    }
    if (input_peek(&r->in) != c) {
        return diag_unexpected(r, WEIR_E_DIAG_SYNTAX);
    }
    r->in.p++;
    return true;
}

static bool is_token(int c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '+' ||
           c == '-' || c == '.';
}

bool diag_token(weir_reader *r)
{
    weir_buffer *token = &diag_state(r)->token;
    struct input *in = &r->in;
    int first = input_peek(in);
    bool number = first == '-' || (first >= '0' && first <= '9');
    uint64_t max = number ? r->account.limit.number : LONGEST_NAME;
    while (is_token(input_peek(in))) {
        size_t n = 0, have = (size_t)(in->end - in->p);
        while (n < have && is_token(in->p[n])) {
            n++;
        }
        if (n > max || token->len > max - n) {
            return number ? reader_fail_point(r, WEIR_RESOURCE_NUMBER, max, max + 1,
                                              here(r) + (max - token->len))
                          : reader_fail(r, WEIR_E_DIAG_SYNTAX, here(r) - token->len);
        }
        if (!weir_buffer_append(token, in->p, n)) {
            return reader_fail(r, WEIR_E_MEMORY, here(r));
        }
        in->p += n;
    }
    return true;
}

bool diag_fits(enum diag_encoding encoding, uint64_t argument)
{
    switch (encoding) {
    case DIAG_ENCODING_IMMEDIATE:
        return argument < 24;
    case DIAG_ENCODING_1:
        return argument <= UINT8_MAX;
    case DIAG_ENCODING_2:
        return argument <= UINT16_MAX;
    case DIAG_ENCODING_4:
        return argument <= UINT32_MAX;
    default:
        return encoding != DIAG_ENCODING_INDEFINITE;
    }
}

bool diag_indicator(weir_reader *r, enum diag_encoding *encoding)
{
    *encoding = DIAG_ENCODING_NONE;
    if (input_peek(&r->in) != '_') {
        return true;
    }
    uint64_t offset = here(r);
    r->in.p++;
    int c = input_peek(&r->in);
    *encoding = DIAG_ENCODING_INDEFINITE;
    if (c == 'i') {
        *encoding = DIAG_ENCODING_IMMEDIATE;
    } else if (c >= '0' && c <= '3') {
        *encoding = (enum diag_encoding)(DIAG_ENCODING_1 + (c - '0'));
    } else if (is_token(c)) {
        return reader_fail(r, WEIR_E_DIAG_ENCODING, offset);
    } else {
        return true;
    }
    r->in.p++;
    return !is_token(input_peek(&r->in)) || reader_fail(r, WEIR_E_DIAG_ENCODING, offset);
}

bool diag_encoding_error(weir_reader *r, enum diag_encoding encoding, uint64_t offset)
{
    bool cut = encoding == DIAG_ENCODING_INDEFINITE && input_peek(&r->in) < 0;
    return cut ? diag_short(r) : reader_fail(r, WEIR_E_DIAG_ENCODING, offset);
}

/* The ')' of every tag that ends with the value just read, leaving out the `inner` innermost frames. */
static bool close_tags(weir_reader *r, size_t inner)
{
    for (size_t i = r->stack.size - inner; i > 0 && frame_kind(&r->stack.base[i - 1]) == WEIR_KIND_TAGGED;
         i--) {
        if (!diag_expect(r, ')')) {
            return false;
        }
    }
    return true;
}

/* ---- numbers ---- */

static bool number_error(weir_reader *r, uint64_t offset)
{
    return reader_fail(r, WEIR_E_DIAG_NUMBER, offset);
}

static bool give_number(weir_reader *r, bool is_key, uint64_t offset)
{
    weir_buffer *token = &diag_state(r)->token;
    if (!integer_admit(r, token->len, is_key, offset)) {
        return false;
    }
    weir_event *event = reader_event(r, WEIR_KIND_NUMBER, offset);
    event->text = token->data;
    event->len = token->len;
    return true;
}

static bool give_real(weir_reader *r, double value, weir_width width, size_t len, bool is_key,
                      uint64_t offset)
{
    if (!integer_admit(r, len, is_key, offset)) {
        return false;
    }
    weir_event *event = reader_event(r, WEIR_KIND_REAL, offset);
    event->v.d = value;
    event->width = (uint8_t)width;
    return true;
}

static bool give_integer(weir_reader *r, bool negative, uint64_t magnitude, size_t len, bool is_key,
                         uint64_t offset)
{
    if (!integer_admit(r, len, is_key, offset)) {
        return false;
    }
    bool below = negative && magnitude;
    weir_event *event = reader_event(r, below ? WEIR_KIND_INT : WEIR_KIND_UINT, offset);
    if (below) {
        event->v.i = -(int64_t)(magnitude - 1) - 1;
    } else {
        event->v.u = magnitude;
    }
    return true;
}

/* A float whose width is asked for: it must have the value exactly. NaN and infinities come here too. */
static bool give_width(weir_reader *r, double value, enum diag_encoding encoding, size_t len, bool is_key,
                       uint64_t offset)
{
    uint16_t half;
    uint32_t single;
    bool fits = encoding == DIAG_ENCODING_NONE || encoding == DIAG_ENCODING_8 ||
                (encoding == DIAG_ENCODING_2 && binary_half_of(binary_double_bits(value), &half)) ||
                (encoding == DIAG_ENCODING_4 && binary_float_of(binary_double_bits(value), &single));
    weir_width width = encoding == DIAG_ENCODING_2   ? WEIR_WIDTH_16
                       : encoding == DIAG_ENCODING_4 ? WEIR_WIDTH_32
                                                     : WEIR_WIDTH_64;
    return fits ? give_real(r, value, width, len, is_key, offset) : diag_encoding_error(r, encoding, offset);
}

static bool real_number(weir_reader *r, const num_token *number, enum diag_encoding encoding, bool is_key,
                        uint64_t offset)
{
    weir_buffer *token = &diag_state(r)->token;
    weir_numbers policy = r->options.numbers;
    double value = num_token_to_double(number, token->data);
    if (encoding != DIAG_ENCODING_NONE) {
        return isfinite(value) ? give_width(r, value, encoding, token->len, is_key, offset)
                               : diag_encoding_error(r, encoding, offset);
    }
    bool keep = policy == WEIR_NUMBERS_EXACT || policy == WEIR_NUMBERS_DECIMAL;
    if (!isfinite(value)) {
        return keep ? give_number(r, is_key, offset)
                    : integer_admit(r, token->len, is_key, offset) &&
                          reader_fail(r, WEIR_E_DIAG_RANGE, offset);
    }
    if (policy == WEIR_NUMBERS_DECIMAL && !decimal_is_double(token->data, token->len)) {
        return give_number(r, is_key, offset);
    }
    return give_real(r, value, WEIR_WIDTH_64, token->len, is_key, offset);
}

static bool fits_event(bool negative, uint64_t magnitude)
{
    return !negative || magnitude <= (uint64_t)INT64_MAX + 1;
}

static bool wide_integer(weir_reader *r, const num_token *number, bool is_key, uint64_t offset)
{
    weir_buffer *token = &diag_state(r)->token;
    weir_numbers policy = r->options.numbers;
    if (policy == WEIR_NUMBERS_EXACT || policy == WEIR_NUMBERS_DECIMAL) {
        return give_number(r, is_key, offset);
    }
    double value = num_token_to_double(number, token->data);
    if (policy == WEIR_NUMBERS_DOUBLE && isfinite(value)) {
        return give_real(r, value, WEIR_WIDTH_64, token->len, is_key, offset);
    }
    return integer_admit(r, token->len, is_key, offset) && reader_fail(r, WEIR_E_DIAG_RANGE, offset);
}

/* 0x, 0o and 0b integers. false: *number is none of them, or an error was recorded. */
static bool radix_integer(weir_reader *r, bool *found, bool *negative, uint64_t *magnitude, uint64_t offset)
{
    weir_buffer *token = &diag_state(r)->token;
    const char *p = token->data, *end = p + token->len;
    *negative = *p == '-';
    p += *negative;
    *found = end - p >= 2 && p[0] == '0' && (p[1] == 'x' || p[1] == 'o' || p[1] == 'b');
    if (!*found) {
        return true;
    }
    unsigned radix = p[1] == 'x' ? 16 : p[1] == 'o' ? 8 : 2;
    p += 2;
    *magnitude = 0;
    if (p == end) {
        return input_peek(&r->in) < 0 ? diag_short(r) : number_error(r, offset);
    }
    for (; p < end; p++) {
        unsigned digit = *p >= '0' && *p <= '9'   ? (unsigned)(*p - '0')
                         : *p >= 'a' && *p <= 'f' ? (unsigned)(*p - 'a' + 10)
                         : *p >= 'A' && *p <= 'F' ? (unsigned)(*p - 'A' + 10)
                                                  : 16;
        if (digit >= radix) {
            return number_error(r, offset + (uint64_t)(p - token->data));
        }
        if (__builtin_mul_overflow(*magnitude, (uint64_t)radix, magnitude) ||
            __builtin_add_overflow(*magnitude, (uint64_t)digit, magnitude)) {
            return reader_fail(r, WEIR_E_DIAG_RANGE, offset);
        }
    }
    return fits_event(*negative, *magnitude) || reader_fail(r, WEIR_E_DIAG_RANGE, offset);
}

static bool scan_number(weir_reader *r, num_token *number, uint64_t offset)
{
    weir_buffer *token = &diag_state(r)->token;
    const char *end = token->data + token->len;
    if (num_scan_json(token->data, end, number) && number->end == end) {
        return true;
    }
    if (number->end == end && input_peek(&r->in) < 0) {
        return diag_short(r);
    }
    return number_error(r, offset + (uint64_t)(number->end - token->data));
}

/* ---- tags ---- */

static bool open_tag(weir_reader *r, uint64_t tag, bool is_key, uint64_t offset)
{
    return (!is_key || reader_value(r, offset)) && reader_tag(r, tag, NULL, 0, offset);
}

/* 2(h'…') and 3(h'…'), behind the parenthesis. */
static bool bignum(weir_reader *r, uint64_t tag, bool is_key, uint64_t offset)
{
    weir_buffer *token = &diag_state(r)->token;
    uint64_t number = r->account.limit.number;
    struct diag_limit limit = {WEIR_RESOURCE_NUMBER, number < UINT64_MAX / 2 ? number + 64 : UINT64_MAX};
    weir_kind kind;
    if (!diag_space(r)) {
        return false;
    }
    if (!diag_string_begins(input_peek(&r->in))) {
        return diag_unexpected(r, WEIR_E_CBOR_TAG_CONTENT);
    }
    weir_buffer_clear(&r->text);
    if (!weir_buffer_append(&r->text, "", 1)) {
        return reader_fail(r, WEIR_E_MEMORY, offset);
    }
    if (!diag_string(r, &limit, &kind)) {
        return false;
    }
    if (kind != WEIR_KIND_BYTES) {
        return reader_fail(r, WEIR_E_CBOR_TAG_CONTENT, offset);
    }
    /* The integer's text is made in r->text, so its bytes go elsewhere. */
    weir_buffer bytes = *token;
    *token = r->text;
    r->text = bytes;
    for (size_t i = token->len; tag == 3 && i-- > 0 && ++*(unsigned char *)(token->data + i) == 0;) {
    }
    return integer_event(r, tag == 3, (const uint8_t *)token->data, token->len, is_key, offset,
                         WEIR_E_DIAG_RANGE) &&
           diag_expect(r, ')') && close_tags(r, 0);
}

enum fraction { FRACTION_NUMBER, FRACTION_TAG, FRACTION_FAILED };

/* An integer that is nothing but one, into the token. */
static enum fraction fraction_integer(weir_reader *r, num_token *number)
{
    weir_buffer *token = &diag_state(r)->token;
    weir_buffer_clear(token);
    if (!diag_space(r) || !diag_token(r)) {
        return FRACTION_FAILED;
    }
    bool plain = token->len && num_scan_json(token->data, token->data + token->len, number) &&
                 number->end == token->data + token->len && number->is_integer;
    return plain ? FRACTION_NUMBER : FRACTION_TAG;
}

static enum fraction fraction_mark(weir_reader *r, int c)
{
    if (!diag_space(r)) {
        return FRACTION_FAILED;
    }
    if (input_peek(&r->in) != c) {
        return FRACTION_TAG;
    }
    r->in.p++;
    return FRACTION_NUMBER;
}

/* Looks ahead behind "4(": [ integer, integer ] ) becomes a number's text in the token. */
static enum fraction fraction(weir_reader *r, uint64_t offset)
{
    struct diag_state *state = diag_state(r);
    num_token exponent, mantissa;
    uint64_t power;
    enum fraction found;
    if ((found = fraction_mark(r, '[')) || (found = fraction_integer(r, &exponent))) {
        return found;
    }
    if (!num_token_magnitude(&exponent, &power) || power > INT64_MAX) {
        return FRACTION_TAG;
    }
    if ((found = fraction_mark(r, ',')) || (found = fraction_integer(r, &mantissa))) {
        return found;
    }
    weir_buffer_clear(&r->text);
    bool joined = decimal_join(mantissa.negative, state->token.data + mantissa.negative,
                               state->token.len - mantissa.negative,
                               exponent.negative ? -(int64_t)power : (int64_t)power, &r->text);
    if (!joined) {
        (void)reader_fail(r, WEIR_E_MEMORY, offset);
        return FRACTION_FAILED;
    }
    if ((found = fraction_mark(r, ']')) || (found = fraction_mark(r, ')'))) {
        return found;
    }
    weir_buffer text = r->text;
    r->text = state->token;
    state->token = text;
    bool always = r->options.allow & WEIR_ALLOW_TAG;
    return always || !decimal_is_double(text.data, text.len) ? FRACTION_NUMBER : FRACTION_TAG;
}

static bool decimal_fraction(weir_reader *r, bool is_key, uint64_t offset)
{
    struct input *in = &r->in;
    in->hold = in->p;
    enum fraction found = fraction(r, offset);
    const uint8_t *content = in->hold;
    in->hold = NULL;
    if (found == FRACTION_FAILED) {
        return false;
    }
    if (found == FRACTION_TAG) {
        in->p = content;
        return open_tag(r, 4, is_key, offset);
    }
    return give_number(r, is_key, offset) && close_tags(r, 0);
}

/* The parenthesis is the next character. */
static bool tag(weir_reader *r, uint64_t number, bool is_key, uint64_t offset)
{
    weir_numbers policy = r->options.numbers;
    r->in.p++;
    if (number == 2 || number == 3) {
        return bignum(r, number, is_key, offset);
    }
    if (number == 4 && (policy == WEIR_NUMBERS_EXACT || policy == WEIR_NUMBERS_DECIMAL ||
                        (r->options.allow & WEIR_ALLOW_TAG))) {
        return decimal_fraction(r, is_key, offset);
    }
    return open_tag(r, number, is_key, offset);
}

/* A number, or a tag that begins with one. */
static bool number_or_tag(weir_reader *r, bool is_key, uint64_t offset)
{
    weir_buffer *token = &diag_state(r)->token;
    num_token number;
    enum diag_encoding encoding;
    bool radix, negative;
    uint64_t magnitude = 0;
    if (!radix_integer(r, &radix, &negative, &magnitude, offset) ||
        (!radix && !scan_number(r, &number, offset)) || !diag_indicator(r, &encoding)) {
        return false;
    }
    if (!radix && !number.is_integer) {
        return real_number(r, &number, encoding, is_key, offset) && close_tags(r, 0);
    }
    bool narrow = radix || num_token_magnitude(&number, &magnitude);
    negative = radix ? negative : number.negative;
    uint64_t argument = negative && narrow && magnitude ? magnitude - 1 : magnitude;
    if (encoding != DIAG_ENCODING_NONE && !(narrow && diag_fits(encoding, argument))) {
        return diag_encoding_error(r, encoding, offset);
    }
    if (input_peek(&r->in) == '(') {
        return narrow && !negative && !radix ? tag(r, magnitude, is_key, offset) : number_error(r, offset);
    }
    if (!narrow || !fits_event(negative, magnitude)) {
        return wide_integer(r, &number, is_key, offset) && close_tags(r, 0);
    }
    if (negative && magnitude == 0) {
        return give_real(r, -0.0, WEIR_WIDTH_64, token->len, is_key, offset) && close_tags(r, 0);
    }
    return give_integer(r, negative, magnitude, token->len, is_key, offset) && close_tags(r, 0);
}

/* ---- names ---- */

static bool token_is(weir_reader *r, const char *name)
{
    weir_buffer *token = &diag_state(r)->token;
    return token->len == strlen(name) && memcmp(token->data, name, token->len) == 0;
}

static bool constant(weir_reader *r, weir_kind kind, bool is_key, uint64_t offset)
{
    if (!binary_scalar(r, is_key, offset)) {
        return false;
    }
    reader_event(r, kind, offset);
    return close_tags(r, 0);
}

static bool named_tag(weir_reader *r, const char *name, size_t len, uint8_t due, bool is_key, uint64_t offset)
{
    diag_state(r)->due = due;
    return (!is_key || reader_value(r, offset)) && reader_tag(r, 0, name, len, offset);
}

/* simple(n), behind the name. 20 to 23 are the values that have names, 24 to 31 are none. */
static bool simple(weir_reader *r, bool is_key, uint64_t offset)
{
    static const weir_kind named[3] = {WEIR_KIND_FALSE, WEIR_KIND_TRUE, WEIR_KIND_NULL};
    struct diag_state *state = diag_state(r);
    num_token number;
    uint64_t value;
    weir_buffer_clear(&state->token);
    if (!diag_expect(r, '(') || !diag_space(r)) {
        return false;
    }
    uint64_t at = here(r);
    if (!diag_token(r)) {
        return false;
    }
    if (state->token.len == 0) {
        return diag_unexpected(r, WEIR_E_DIAG_SYNTAX);
    }
    if (!scan_number(r, &number, at) || !diag_expect(r, ')')) {
        return false;
    }
    if (number.negative || !num_token_magnitude(&number, &value) || value > 255 ||
        (value >= 24 && value < 32)) {
        return reader_fail(r, WEIR_E_CBOR_SIMPLE, at);
    }
    if (value >= 20 && value <= 22) {
        return constant(r, named[value - 20], is_key, offset);
    }
    if (value == 23) {
        return named_tag(r, "undefined", 9, DIAG_DUE_UNDEFINED, is_key, offset);
    }
    state->simple = (uint8_t)value;
    return named_tag(r, "simple", 6, DIAG_DUE_SIMPLE, is_key, offset);
}

static bool due(weir_reader *r)
{
    struct diag_state *state = diag_state(r);
    uint64_t offset = r->event.offset;
    bool undefined = state->due == DIAG_DUE_UNDEFINED;
    state->due = DIAG_DUE_NOTHING;
    if (!reader_child(r, offset) || !reader_value(r, offset) || !reader_scalar(r, offset)) {
        return false;
    }
    reader_event(r, undefined ? WEIR_KIND_NULL : WEIR_KIND_UINT, offset)->v.u = undefined ? 0 : state->simple;
    return close_tags(r, 1);
}

/* Could the input, which ended, have gone on to one of the names? */
static bool begins_name(weir_reader *r)
{
    static const char *const names[] = {"true",   "false", "null",     "undefined",
                                        "simple", "NaN",   "Infinity", "-Infinity"};
    weir_buffer *token = &diag_state(r)->token;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (token->len <= strlen(names[i]) && memcmp(token->data, names[i], token->len) == 0) {
            return true;
        }
    }
    return false;
}

static bool nonfinite(weir_reader *r, double value, bool is_key, uint64_t offset)
{
    enum diag_encoding encoding;
    return diag_indicator(r, &encoding) && give_width(r, value, encoding, 0, is_key, offset) &&
           close_tags(r, 0);
}

/* A name or a number; both begin with characters of tokens. */
static bool word(weir_reader *r, bool is_key, uint64_t offset)
{
    weir_buffer *token = &diag_state(r)->token;
    bool number = *r->in.p == '-' || (*r->in.p >= '0' && *r->in.p <= '9');
    weir_buffer_clear(token);
    if (!diag_token(r)) {
        return false;
    }
    if (token_is(r, "-Infinity")) {
        return nonfinite(r, -(double)INFINITY, is_key, offset);
    }
    if (number && !(token->len > 1 && token->data[0] == '-' && token->data[1] == 'I')) {
        return number_or_tag(r, is_key, offset);
    }
    if (token_is(r, "true")) {
        return constant(r, WEIR_KIND_TRUE, is_key, offset);
    }
    if (token_is(r, "false")) {
        return constant(r, WEIR_KIND_FALSE, is_key, offset);
    }
    if (token_is(r, "null")) {
        return constant(r, WEIR_KIND_NULL, is_key, offset);
    }
    if (token_is(r, "undefined")) {
        return named_tag(r, "undefined", 9, DIAG_DUE_UNDEFINED, is_key, offset);
    }
    if (token_is(r, "simple")) {
        return simple(r, is_key, offset);
    }
    if (token_is(r, "NaN")) {
        return nonfinite(r, (double)NAN, is_key, offset);
    }
    if (token_is(r, "Infinity")) {
        return nonfinite(r, (double)INFINITY, is_key, offset);
    }
    return input_peek(&r->in) < 0 && begins_name(r) ? diag_short(r)
                                                    : reader_fail(r, WEIR_E_DIAG_SYNTAX, offset);
}

/* ---- strings, containers ---- */

static bool give_string(weir_reader *r, weir_kind kind, const char *text, size_t len, bool is_key,
                        uint64_t offset)
{
    if (!(is_key ? reader_key(r, len, offset) : reader_string(r, len, offset))) {
        return false;
    }
    weir_event *event = reader_event(r, kind, offset);
    event->text = len ? text : "";
    event->len = len;
    return true;
}

static bool string(weir_reader *r, bool chunks, bool is_key, uint64_t offset)
{
    struct diag_limit limit = {is_key ? WEIR_RESOURCE_KEY : WEIR_RESOURCE_STRING,
                               reader_text_limit(r, is_key)};
    weir_kind kind;
    size_t len;
    const char *text = chunks ? NULL : diag_plain_text(r, limit.maximum, &len);
    if (text) {
        if (!give_string(r, WEIR_KIND_STRING, text, len, is_key, offset)) {
            return false;
        }
        r->event.borrowed = true;
        r->in.p += len + 2;
        return close_tags(r, 0);
    }
    weir_buffer_clear(&r->text);
    if (!(chunks ? diag_chunks(r, &limit, &kind) : diag_string(r, &limit, &kind))) {
        return false;
    }
    return give_string(r, kind, r->text.data, r->text.len, is_key, offset) && close_tags(r, 0);
}

static bool chunked(weir_reader *r, bool is_key, uint64_t offset)
{
    r->in.p++;
    if (input_peek(&r->in) != '_') {
        return diag_unexpected(r, WEIR_E_DIAG_SYNTAX);
    }
    r->in.p++;
    return string(r, true, is_key, offset);
}

static bool container(weir_reader *r, weir_kind kind, bool is_key, uint64_t offset)
{
    enum diag_encoding encoding;
    r->in.p++;
    if (!diag_indicator(r, &encoding)) {
        return false;
    }
    diag_state(r)->indefinite = encoding == DIAG_ENCODING_INDEFINITE;
    return (!is_key || reader_value(r, offset)) && reader_begin(r, kind, WEIR_UNKNOWN, offset);
}

enum step { STEP_FAILED, STEP_EVENT, STEP_NONE };

static enum step event_if(bool ok)
{
    return ok ? STEP_EVENT : STEP_FAILED;
}

static enum step embedded(weir_reader *r, uint64_t offset)
{
    if (input_need(&r->in, 2) < 2) {
        return event_if(diag_short(r));
    }
    if (r->in.p[1] != '<') {
        return event_if(reader_fail(r, WEIR_E_DIAG_SYNTAX, offset));
    }
    r->in.p += 2;
    return diag_embed_open(r, offset) ? STEP_NONE : STEP_FAILED;
}

static enum step value(weir_reader *r, bool is_key)
{
    uint64_t offset = here(r);
    int c = input_peek(&r->in);
    if (c < 0) {
        return event_if(diag_short(r));
    }
    if (!is_key && !reader_value(r, offset)) {
        return STEP_FAILED;
    }
    switch (c) {
    case '[':
        return event_if(container(r, WEIR_KIND_ARRAY, is_key, offset));
    case '{':
        return event_if(container(r, WEIR_KIND_MAP, is_key, offset));
    case '(':
        return event_if(chunked(r, is_key, offset));
    case '<':
        return embedded(r, offset);
    default:
        if (diag_string_begins(c)) {
            return event_if(string(r, false, is_key, offset));
        }
        return event_if(is_token(c) && c != '+' && c != '.' ? word(r, is_key, offset)
                                                            : reader_fail(r, WEIR_E_DIAG_SYNTAX, offset));
    }
}

/* ---- events ---- */

static enum step close_container(weir_reader *r, bool embed)
{
    uint64_t offset = here(r);
    r->in.p++;
    if (embed) {
        if (input_peek(&r->in) != '>') {
            return event_if(diag_unexpected(r, WEIR_E_DIAG_SYNTAX));
        }
        r->in.p++;
        if (!diag_embed_close(r, &offset)) {
            return STEP_FAILED;
        }
        return event_if(
            give_string(r, WEIR_KIND_BYTES, r->text.data, r->text.len, reader_is_key(r), offset) &&
            close_tags(r, 0));
    }
    reader_end(r, offset);
    return event_if(close_tags(r, 1));
}

/* One event, or none where embedded CBOR begins. */
static enum step next_event(weir_reader *r)
{
    struct frame *top = frames_top(&r->stack);
    if (diag_state(r)->due != DIAG_DUE_NOTHING) {
        return event_if(due(r));
    }
    if (!diag_space(r)) {
        return STEP_FAILED;
    }
    if (!top) {
        return value(r, false);
    }
    weir_kind kind = frame_kind(top);
    if (kind == WEIR_KIND_MAP && (top->flags & FRAME_VALUE)) {
        return diag_expect(r, ':') && diag_space(r) ? value(r, false) : STEP_FAILED;
    }
    if (kind != WEIR_KIND_TAGGED) {
        bool embed = diag_embed_top(r);
        int c = input_peek(&r->in), close = embed ? '>' : kind == WEIR_KIND_MAP ? '}' : ']';
        if (c == close) {
            return close_container(r, embed);
        }
        if (top->count > 0 && (!diag_expect(r, ',') || !diag_space(r))) {
            return STEP_FAILED;
        }
    }
    if (input_peek(&r->in) < 0) {
        return event_if(diag_short(r));
    }
    return reader_child(r, here(r)) ? value(r, kind == WEIR_KIND_MAP) : STEP_FAILED;
}

static bool next(weir_reader *r)
{
    for (;;) {
        enum step step = next_event(r);
        if (step == STEP_FAILED) {
            return false;
        }
        if (step == STEP_EVENT) {
            if (diag_state(r)->embed_count == 0) {
                return true;
            }
            if (!diag_embed_event(r)) {
                return false;
            }
        }
    }
}

/* ---- documents ---- */

static bool open_reader(weir_reader *r)
{
    diag_state(r)->token.allocator = r->options.allocator;
    return true;
}

static void close_reader(weir_reader *r)
{
    diag_embed_free(r);
    weir_buffer_free(&diag_state(r)->token);
}

static bool skip_mark(weir_reader *r)
{
    static const uint8_t mark[3] = {0xEF, 0xBB, 0xBF};
    if (input_offset(&r->in) > 0 || input_need(&r->in, 3) < 3 || memcmp(r->in.p, mark, 3) != 0) {
        return true;
    }
    if (!(r->options.allow & WEIR_ALLOW_BOM)) {
        return reader_fail_hint(r, WEIR_E_DIAG_SYNTAX, 0, "the input begins with a byte order mark");
    }
    r->in.p += 3;
    return true;
}

static enum reader_start start(weir_reader *r)
{
    if (!skip_mark(r) || !diag_space(r)) {
        return READER_START_ERROR;
    }
    if (input_peek(&r->in) >= 0) {
        return READER_START_DOCUMENT;
    }
    if (r->in.failed || diag_state(r)->comma) {
        (void)diag_short(r);
        return READER_START_ERROR;
    }
    return READER_START_END;
}

/* What follows a document: the input's end, or a comma and the next one. */
static bool finish(weir_reader *r)
{
    struct diag_state *state = diag_state(r);
    state->comma = false;
    if (!diag_space(r)) {
        return false;
    }
    int c = input_peek(&r->in);
    if (c == ',') {
        r->in.p++;
        state->comma = true;
        return true;
    }
    return c < 0 ? !r->in.failed || diag_short(r) : reader_fail(r, WEIR_E_DIAG_SYNTAX, here(r));
}

const struct reader_ops diag_reader = {
    .state_size = sizeof(struct diag_state),
    .open = open_reader,
    .start = start,
    .next = next,
    .finish = finish,
    .close = close_reader,
};
