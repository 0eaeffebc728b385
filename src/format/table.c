/* The table of formats: one row each, lookup by name and path, detection by scores. */
#include "flow/format_priv.h"

#include <string.h>

/* WEIR_FORMATS in the build selects; without it all are in. */
static const weir_format *const table[] = {
#ifndef WEIR_WITHOUT_JSON
    &weir_format_json,
    &weir_format_ndjson,
    &weir_format_json_seq,
#endif
#ifndef WEIR_WITHOUT_CBOR
    &weir_format_cbor,
    &weir_format_cbor_diag,
#endif
#ifndef WEIR_WITHOUT_MSGPACK
    &weir_format_msgpack,
#endif
    NULL,
};

/* How far the best candidate must lead to be certain. */
#define LEAD 20
#define DETECT_BYTES ((size_t)4096)

const char *weir_format_name(const weir_format *format)
{
    return format->name;
}

const char *weir_format_summary(const weir_format *format)
{
    return format->summary;
}

const char *const *weir_format_mime_types(const weir_format *format)
{
    return format->mime;
}

const char *const *weir_format_extensions(const weir_format *format)
{
    return format->extensions;
}

uint32_t weir_format_caps(const weir_format *format)
{
    return format->caps;
}

const weir_format *weir_format_at(size_t index)
{
    return index < sizeof table / sizeof *table ? table[index] : NULL;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static bool same(const char *a, const char *b, size_t b_len)
{
    size_t i = 0;
    while (i < b_len && a[i] && lower(a[i]) == lower(b[i])) {
        i++;
    }
    return i == b_len && !a[i];
}

static bool in_list(const char *const *list, const char *name, size_t len)
{
    for (; *list; list++) {
        if (same(*list, name, len)) {
            return true;
        }
    }
    return false;
}

/* Names come before extensions and MIME types: a format's own name is never taken for another's extension. */
static const weir_format *find(const char *name, size_t len, bool extension_only)
{
    for (const weir_format *const *f = table; *f && !extension_only; f++) {
        if (same((*f)->name, name, len)) {
            return *f;
        }
    }
    for (const weir_format *const *f = table; *f; f++) {
        if (in_list((*f)->extensions, name, len) || (!extension_only && in_list((*f)->mime, name, len))) {
            return *f;
        }
    }
    return NULL;
}

const weir_format *weir_format_find(const char *name)
{
    return name ? find(name, strlen(name), false) : NULL;
}

const weir_format *weir_format_for_path(const char *path)
{
    if (!path) {
        return NULL;
    }
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    size_t len = strlen(base);
    for (;;) {
        size_t dot = len;
        while (dot > 0 && base[dot - 1] != '.') {
            dot--;
        }
        if (dot <= 1) {
            return NULL; /* no extension, or a hidden file's name */
        }
        const char *extension = base + dot;
        size_t size = len - dot;
        if (!same("gz", extension, size) && !same("zst", extension, size)) {
            return find(extension, size, true);
        }
        len = dot - 1;
    }
}

size_t weir_format_detect(const void *data, size_t len, bool whole, weir_candidate *out, size_t max)
{
    size_t count = 0;
    bool all = whole && len <= DETECT_BYTES;
    size_t looked = len < DETECT_BYTES ? len : DETECT_BYTES;
    for (const weir_format *const *f = table; *f; f++) {
        int score = (*f)->detect ? (*f)->detect(looked ? data : "", looked, all) : 0;
        if (score <= 0) {
            continue;
        }
        size_t at = count;
        while (at > 0 && out[at - 1].score < score) {
            at--;
        }
        if (at >= max) {
            continue;
        }
        count += count < max;
        memmove(out + at + 1, out + at, (count - 1 - at) * sizeof *out);
        out[at].format = *f;
        out[at].score = score > 100 ? 100 : score;
    }
    return count;
}

const weir_format *weir_format_guess(const void *data, size_t len, bool whole)
{
    weir_candidate best[2];
    size_t count = weir_format_detect(data, len, whole, best, 2);
    if (count == 0 || (count == 2 && best[0].score - best[1].score < LEAD)) {
        return NULL;
    }
    return best[0].format;
}
