/* JSON Pointer (RFC 6901), the string form. Tokens lead through maps by string keys (the first entry of that
 * name) and through arrays by index; tags are not looked through. An error's offset is that of the wrong
 * byte, or of the token that leads nowhere. */
#include "value/doc.h"

/* The offset of the first byte that breaks the grammar, or len. */
static size_t syntax_fault(const char *pointer, size_t len)
{
    if (len && pointer[0] != '/') {
        return 0;
    }
    for (size_t i = 0; i < len; i++) {
        if (pointer[i] == '~' && (i + 1 == len || (pointer[i + 1] != '0' && pointer[i + 1] != '1'))) {
            return i;
        }
    }
    return len;
}

/* Does an escaped token name this key? */
static bool names(const char *token, size_t len, const weir_val *key)
{
    if (tape_kind(key) != WEIR_KIND_STRING) {
        return false;
    }
    const char *text = tape_text(key), *end = text + tape_length(key);
    for (size_t i = 0; i < len; i++) {
        char c = token[i];
        if (c == '~') {
            c = token[++i] == '0' ? '~' : '/';
        }
        if (text == end || *text++ != c) {
            return false;
        }
    }
    return text == end;
}

static const weir_val *in_map(const weir_val *map, const char *token, size_t len)
{
    if (!len || !memchr(token, '~', len)) {
        return weir_getn(map, token, len);
    }
    weir_iter it = weir_iter_of(map);
    while (weir_iter_next(&it)) {
        if (names(token, len, it.key)) {
            return it.val;
        }
    }
    return NULL;
}

/* Section 4: digits without leading zeros; "-" is the element after the last, which there is none. */
static const weir_val *in_array(const weir_val *array, const char *token, size_t len)
{
    size_t index = 0;
    if (!len || (len > 1 && token[0] == '0')) {
        return NULL;
    }
    for (size_t i = 0; i < len; i++) {
        if (token[i] < '0' || token[i] > '9' || __builtin_mul_overflow(index, (size_t)10, &index) ||
            __builtin_add_overflow(index, (size_t)(token[i] - '0'), &index)) {
            return NULL;
        }
    }
    return weir_at(array, index);
}

static const weir_val *fail(weir_error *error, weir_code code, size_t offset)
{
    doc_fail(error, code);
    if (error) {
        error->offset = offset;
    }
    return NULL;
}

const weir_val *weir_pointer(const weir_val *root, const char *pointer, size_t len, weir_error *error)
{
    doc_fail(error, WEIR_E_NONE);
    if (!pointer && len) {
        return fail(error, WEIR_E_ARGUMENT, 0);
    }
    size_t fault = syntax_fault(pointer, len);
    if (fault < len) {
        return fail(error, WEIR_E_POINTER_SYNTAX, fault);
    }
    const weir_val *at = root;
    size_t begin = 0;
    while (at && begin < len) {
        const char *token = pointer + ++begin;
        const char *slash = memchr(token, '/', len - begin);
        size_t token_len = slash ? (size_t)(slash - token) : len - begin;
        at = weir_val_is(at, WEIR_KIND_ARRAY) ? in_array(at, token, token_len) : in_map(at, token, token_len);
        if (at) {
            begin += token_len;
        }
    }
    return at ? at : fail(error, WEIR_E_POINTER_NOT_FOUND, begin);
}
