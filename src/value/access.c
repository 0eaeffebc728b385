/* Looking at values: kinds, scalars, children by position and by key, iteration. */
#include "base/number.h"
#include "value/tape.h"

weir_kind weir_val_kind(const weir_val *val)
{
    return val ? tape_kind(val) : WEIR_KIND_NULL;
}

bool weir_val_is(const weir_val *val, weir_kind kind)
{
    return val && tape_kind(val) == kind;
}

bool weir_val_bool(const weir_val *val)
{
    return weir_val_is(val, WEIR_KIND_TRUE);
}

/* ---- numbers ---- */

/* The sign and magnitude of a NUMBER that was written as an integer of at most 64 bits. */
static bool number_magnitude(const weir_val *val, bool *negative, uint64_t *magnitude)
{
    num_token token;
    const char *text = tape_text(val), *end = text + tape_length(val);
    if (!num_scan_json(text, end, &token) || token.end != end || !num_token_magnitude(&token, magnitude)) {
        return false;
    }
    *negative = token.negative && *magnitude;
    return true;
}

bool weir_val_u64(const weir_val *val, uint64_t *out)
{
    bool negative;
    uint64_t magnitude;
    switch (weir_val_kind(val)) {
    case WEIR_KIND_UINT:
        *out = val->v.u;
        return true;
    case WEIR_KIND_NUMBER:
        if (!number_magnitude(val, &negative, &magnitude) || negative) {
            return false;
        }
        *out = magnitude;
        return true;
    default:
        return false;
    }
}

bool weir_val_i64(const weir_val *val, int64_t *out)
{
    bool negative;
    uint64_t magnitude;
    switch (weir_val_kind(val)) {
    case WEIR_KIND_UINT:
        if (val->v.u > INT64_MAX) {
            return false;
        }
        *out = val->v.i;
        return true;
    case WEIR_KIND_INT:
        *out = val->v.i;
        return true;
    case WEIR_KIND_NUMBER:
        if (!number_magnitude(val, &negative, &magnitude) || magnitude > (uint64_t)INT64_MAX + negative) {
            return false;
        }
        *out = negative ? -(int64_t)(magnitude - 1) - 1 : (int64_t)magnitude;
        return true;
    default:
        return false;
    }
}

bool weir_val_f64(const weir_val *val, double *out)
{
    num_token token;
    const char *text;
    switch (weir_val_kind(val)) {
    case WEIR_KIND_UINT:
        *out = (double)val->v.u;
        return true;
    case WEIR_KIND_INT:
        *out = (double)val->v.i;
        return true;
    case WEIR_KIND_REAL:
        *out = val->v.d;
        return true;
    case WEIR_KIND_NUMBER:
        text = tape_text(val);
        if (!num_scan_json(text, text + tape_length(val), &token)) {
            return false;
        }
        *out = num_token_to_double(&token, text);
        return true;
    default:
        return false;
    }
}

weir_width weir_val_width(const weir_val *val)
{
    if (!weir_val_is(val, WEIR_KIND_REAL)) {
        return WEIR_WIDTH_64;
    }
    return val->tag & TAPE_F32 ? WEIR_WIDTH_32 : val->tag & TAPE_F16 ? WEIR_WIDTH_16 : WEIR_WIDTH_64;
}

/* ---- text, time, tags ---- */

const char *weir_val_str(const weir_val *val, size_t *len)
{
    bool text = val && tape_is_text(tape_kind(val));
    if (len) {
        *len = text ? (size_t)tape_length(val) : 0;
    }
    return text ? tape_text(val) : NULL;
}

const char *weir_val_cstr(const weir_val *val)
{
    if (!weir_val_is(val, WEIR_KIND_STRING) || val->tag & TAPE_UNTERMINATED) {
        return NULL;
    }
    const char *text = tape_text(val);
    return memchr(text, 0, (size_t)tape_length(val)) ? NULL : text;
}

bool weir_val_timestamp(const weir_val *val, weir_timestamp *out)
{
    if (!weir_val_is(val, WEIR_KIND_TIMESTAMP)) {
        return false;
    }
    *out = tape_timestamp(val);
    return true;
}

size_t weir_val_count(const weir_val *val)
{
    weir_kind kind = weir_val_kind(val);
    return kind == WEIR_KIND_ARRAY || kind == WEIR_KIND_MAP ? (size_t)tape_length(val) : 0;
}

const weir_val *weir_val_tag(const weir_val *val)
{
    return weir_val_is(val, WEIR_KIND_TAGGED) ? val + 1 : NULL;
}

const weir_val *weir_val_tagged(const weir_val *val)
{
    return weir_val_is(val, WEIR_KIND_TAGGED) ? val + 2 : NULL;
}

/* ---- children ---- */

const weir_val *weir_at(const weir_val *array, size_t index)
{
    if (!weir_val_is(array, WEIR_KIND_ARRAY) || index >= tape_length(array)) {
        return NULL;
    }
    if (array->v.u == tape_length(array) + 1) { /* no child is wider than a node */
        return array + 1 + index;
    }
    const weir_val *child = array + 1;
    while (index--) {
        child += tape_span(child);
    }
    return child;
}

/* A key to look for. Text of up to 16 bytes is compared as two words: what a node's text ends in is readable.
 */
struct wanted {
    uint64_t tag; /* of a node that fits, without its subkind */
    const char *text;
    size_t len;
    uint64_t words[2], mask[2];
};

static void want(struct wanted *wanted, const char *key, size_t len)
{
    wanted->tag = tape_tag(WEIR_KIND_STRING, 0, len);
    wanted->text = key;
    wanted->len = len;
    memset(wanted->words, 0, 16);
    memset(wanted->mask, 0, 16);
    if (len && len <= 16) {
        memcpy(wanted->words, key, len);
        memset(wanted->mask, 0xFF, len);
    }
}

ALWAYS_INLINE bool is_wanted(const weir_val *key, const struct wanted *wanted)
{
    if ((key->tag & ~(uint64_t)TAPE_SUB) != wanted->tag) {
        return false;
    }
    const char *text = tape_text(key);
    if (wanted->len <= 16 && !(key->tag & TAPE_UNTERMINATED)) {
        uint64_t words[2];
        memcpy(words, text, 16);
        return !(((words[0] ^ wanted->words[0]) & wanted->mask[0]) |
                 ((words[1] ^ wanted->words[1]) & wanted->mask[1]));
    }
    return memcmp(text, wanted->text, wanted->len) == 0;
}

const weir_val *weir_getn(const weir_val *map, const char *key, size_t len)
{
    if (!weir_val_is(map, WEIR_KIND_MAP) || (!key && len)) {
        return NULL;
    }
    struct wanted wanted;
    want(&wanted, key, len);
    const weir_val *at = map + 1, *end = map + map->v.u;
    if (map->v.u == 2 * tape_length(map) + 1) { /* no key and no value is wider than a node */
        for (; at < end; at += 2) {
            if (is_wanted(at, &wanted)) {
                return at + 1;
            }
        }
        return NULL;
    }
    while (at < end) {
        const weir_val *value = at + tape_span(at);
        if (is_wanted(at, &wanted)) {
            return value;
        }
        at = value + tape_span(value);
    }
    return NULL;
}

const weir_val *weir_get(const weir_val *map, const char *key)
{
    return key ? weir_getn(map, key, strlen(key)) : NULL;
}

/* ---- iteration ---- */

weir_iter weir_iter_of(const weir_val *container)
{
    weir_iter it = {.index = SIZE_MAX};
    weir_kind kind = weir_val_kind(container);
    if (kind == WEIR_KIND_ARRAY || kind == WEIR_KIND_MAP) {
        it.next = container + 1;
        it.end = container + container->v.u;
        it.map = kind == WEIR_KIND_MAP;
    }
    return it;
}

bool weir_iter_next(weir_iter *it)
{
    if (it->next == it->end) {
        it->key = it->val = NULL;
        return false;
    }
    const weir_val *at = it->next;
    if (it->map) {
        it->key = at;
        at += tape_span(at);
    }
    it->val = at;
    it->next = at + tape_span(at);
    it->index++;
    return true;
}
