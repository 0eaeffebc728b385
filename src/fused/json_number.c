/* JSON number tokens that the inline lexer does not settle: more than 19 significant digits, integers beyond
 * 64 bits, values beyond a double's range, and the policies that keep a token as decimal text. */
#include "fused/json_number.h"

#include <math.h>

#include "base/number.h"

/* The token and everything that could belong to it; the text ends in a byte that can't. */
static const char *token_limit(const char *p)
{
    while ((*p >= '0' && *p <= '9') || *p == '-' || *p == '+' || *p == '.' || (*p | 0x20) == 'e') {
        p++;
    }
    return p;
}

static void keep_text(const char *p, const char *end, weir_val *out)
{
    out->tag = tape_tag(WEIR_KIND_NUMBER, TAPE_UNTERMINATED, (uint64_t)(end - p));
    out->v.i = (intptr_t)((uintptr_t)p - (uintptr_t)out);
}

/* An integer within i64 or u64; -0 isn't one. */
static bool take_integer(const num_token *token, weir_val *out)
{
    uint64_t magnitude;
    if (!num_token_magnitude(token, &magnitude) || (token->negative && magnitude == 0) ||
        (token->negative && magnitude > UINT64_C(1) << 63)) {
        return false;
    }
    out->tag = token->negative ? WEIR_KIND_INT : WEIR_KIND_UINT;
    out->v.u = token->negative ? 0 - magnitude : magnitude;
    return true;
}

/* Does the double's shortest text have the token's decimal value? */
static bool is_shortest(double value, const char *text, size_t len)
{
    char shortest[NUM_DOUBLE_SIZE];
    size_t size = num_print_double(shortest, value);
    return num_compare_decimal(shortest, size, text, len) == 0;
}

const uint8_t *json_number_slow(const uint8_t *start, weir_val *out, json_number_policy policy, uint64_t max)
{
    const char *p = (const char *)start;
    num_token token;
    if (!num_scan_json(p, token_limit(p), &token) || (uint64_t)(token.end - p) > max) {
        return NULL;
    }
    const uint8_t *end = (const uint8_t *)token.end;
    if (token.is_integer && take_integer(&token, out)) {
        return end;
    }
    double value = num_token_to_double(&token, p);
    bool keeps_text = policy == JSON_NUM_EXACT || policy == JSON_NUM_DECIMAL;
    bool zero = token.is_integer && token.digits == 0;
    if (!isfinite(value) || (token.is_integer && !zero && policy != JSON_NUM_DOUBLE)) {
        if (!keeps_text) {
            return NULL;
        }
        keep_text(p, token.end, out);
        return end;
    }
    if (policy == JSON_NUM_DECIMAL && !is_shortest(value, p, (size_t)(token.end - p))) {
        keep_text(p, token.end, out);
        return end;
    }
    out->tag = WEIR_KIND_REAL;
    out->v.d = value;
    return end;
}
