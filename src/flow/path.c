/* Paths of errors. Keys are remembered one behind the other, each followed by its trailer, so that the
 * innermost is last:
 *
 *     key bytes | length, level | key bytes | length, level | … */
#include "flow/path.h"

#include <inttypes.h>
#include <stdio.h>

#define KEY_MAX ((size_t)WEIR_PATH_SIZE)

struct trailer {
    uint64_t level; /* number of frames, the map's included */
    uint32_t len;
    uint32_t cut; /* the key was longer */
};

void error_set(weir_error *error, weir_code code)
{
    if (error) {
        /* Field by field: most calls succeed, and clearing all of the texts would cost them more than the
         * rest. */
        error->code = code;
        error->resource = WEIR_RESOURCE_NONE;
        error->maximum = error->requested = 0;
        error->remaining = WEIR_UNKNOWN;
        error->offset = code == WEIR_E_NONE ? 0 : WEIR_UNKNOWN;
        error->line = error->column = error->document = 0;
        error->system = 0;
        error->path[0] = error->detail[0] = '\0';
    }
}

static bool last_key(const weir_buffer *keys, size_t end, struct trailer *out)
{
    if (end < sizeof *out) {
        return false;
    }
    memcpy(out, keys->data + end - sizeof *out, sizeof *out);
    return true;
}

bool path_note_key(const struct frames *frames, weir_buffer *keys, const weir_event *key)
{
    struct trailer trailer;
    while (last_key(keys, keys->len, &trailer) && trailer.level >= frames->size) {
        keys->len -= sizeof trailer + trailer.len;
    }
    if (key->kind != WEIR_KIND_STRING) {
        return true; /* shown by its number */
    }
    trailer.level = frames->size;
    trailer.len = (uint32_t)(key->len < KEY_MAX ? key->len : KEY_MAX);
    trailer.cut = key->len > KEY_MAX;
    size_t before = keys->len;
    if (!weir_buffer_append(keys, key->text, trailer.len) ||
        !weir_buffer_append(keys, &trailer, sizeof trailer)) {
        keys->len = before;
        return false;
    }
    return true;
}

/* A path grows from its end: the innermost segment is the one worth keeping when it gets too long. */
struct back {
    char text[WEIR_PATH_SIZE];
    size_t start;
    bool full;
};

static void put_front(struct back *back, const char *text, size_t len)
{
    if (back->full || len > back->start) {
        back->full = true;
        return;
    }
    back->start -= len;
    memcpy(back->text + back->start, text, len);
}

/* A key as a reference token of RFC 6901, with control characters as '?': paths stand in one-line messages.
 */
static void put_key(struct back *back, const char *key, size_t len)
{
    for (size_t i = len; i-- > 0;) {
        char c = key[i];
        if (c == '~') {
            put_front(back, "~0", 2);
        } else if (c == '/') {
            put_front(back, "~1", 2);
        } else {
            c = (unsigned char)c < 0x20 || c == 0x7f ? '?' : c;
            put_front(back, &c, 1);
        }
    }
}

void path_of_frames(const struct frames *frames, const weir_buffer *keys, char *out)
{
    struct back back = {.start = WEIR_PATH_SIZE - 1};
    back.text[back.start] = '\0';
    size_t end = keys ? keys->len : 0;
    for (size_t level = frames->size; level > 0 && !back.full; level--) {
        const struct frame *frame = &frames->base[level - 1];
        struct trailer trailer;
        while (keys && last_key(keys, end, &trailer) && trailer.level > level) {
            end -= sizeof trailer + trailer.len;
        }
        if (!(frame->flags & FRAME_VALUE) || frame_kind(frame) == WEIR_KIND_TAGGED) {
            continue;
        }
        if (keys && frame_kind(frame) == WEIR_KIND_MAP && last_key(keys, end, &trailer) &&
            trailer.level == level) {
            put_key(&back, keys->data + end - sizeof trailer - trailer.len, trailer.len);
            put_front(&back, "/", 1);
            continue;
        }
        char number[32];
        uint64_t index = (uint64_t)frame->count - 1;
        int len = snprintf(number, sizeof number,
                           frame_kind(frame) == WEIR_KIND_MAP ? "/~%" PRIu64 : "/%" PRIu64, index);
        put_front(&back, number, (size_t)len);
    }
    if (back.full) { /* says that the beginning is missing, over it where there is no room */
        back.start -= back.start >= 3 ? 3 : 0;
        memcpy(back.text + back.start, "...", 3);
    }
    memcpy(out, back.text + back.start, WEIR_PATH_SIZE - back.start);
}
