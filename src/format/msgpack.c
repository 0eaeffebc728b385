/* MessagePack with the timestamp extension: the format's row, and detection.
 *
 * Standard: the MessagePack specification (github.com/msgpack/msgpack, spec.md), the current type system with
 * str, bin and ext. Documents follow each other directly. Raw strings that are not UTF-8 (the type system
 * before str and bin were told apart) are refused.
 *
 * ext of type -1 is a TIMESTAMP; any other ext is TAGGED with the name "ext:N" over BYTES. */
#include "format/msgpack.h"

#include "text/binary.h"

static const char *const mime[] = {"application/vnd.msgpack", "application/msgpack", "application/x-msgpack",
                                   NULL};
static const char *const extensions[] = {"msgpack", "mp", "mpk", NULL};

/* ---- detection ---- */

struct look {
    const uint8_t *p, *end;
    size_t depth;
    uint64_t open[BINARY_LOOK_DEPTH]; /* values still due in each open container */
    bool text_keys;
    bool scalars;     /* a document that is none but a scalar */
    size_t documents; /* begun */
};

/* How many bytes a head takes with its first byte, how much text or data and how many values follow it. */
static bool look_head(const uint8_t *p, size_t n, size_t *head, uint64_t *body, uint64_t *values)
{
    static const uint8_t size[32] = {1, 0, 1, 1, 2, 3, 5, 3, 4, 6, 5, 9, 2, 3, 5, 9,
                                     2, 3, 5, 9, 2, 2, 2, 2, 2, 2, 3, 5, 3, 5, 3, 5};
    uint8_t first = p[0];
    *head = 1;
    *body = *values = 0;
    if (first < 0x80 || first >= 0xE0) {
        return true;
    }
    if (first < 0xC0) {
        *body = first >= 0xA0 ? first & 0x1F : 0;
        *values = first >= 0xA0 ? 0 : first >= 0x90 ? (uint64_t)(first & 0xF) : 2u * (first & 0xF);
        return true;
    }
    *head = size[first - 0xC0];
    if (*head == 0) {
        return false;
    }
    if (n < *head) {
        return true;
    }
    uint64_t arg = *head == 2 || first == 0xC7   ? p[1]
                   : *head == 3 || first == 0xC8 ? load_be16(p + 1)
                   : *head >= 5 && first < 0xE0  ? load_be32(p + 1)
                                                 : 0;
    if (first >= 0xC4 && first <= 0xC9) {
        *body = arg;
    } else if (first >= 0xD4 && first <= 0xD8) {
        *body = UINT64_C(1) << (first - 0xD4);
    } else if (first >= 0xD9 && first <= 0xDB) {
        *body = arg;
    } else if (first >= 0xDC) {
        *values = first >= 0xDE ? arg * 2 : arg;
    }
    return true;
}

static enum binary_look look(struct look *l)
{
    while (l->p < l->end) {
        while (l->depth && l->open[l->depth - 1] == 0) {
            l->depth--;
        }
        size_t head, left = (size_t)(l->end - l->p);
        uint64_t body, values;
        uint8_t first = *l->p;
        if (!look_head(l->p, left, &head, &body, &values)) {
            return BINARY_LOOK_WRONG;
        }
        bool map = (first & 0xF0) == 0x80 || (first & 0xFE) == 0xDE;
        bool array = (first & 0xF0) == 0x90 || (first & 0xFE) == 0xDC;
        if (l->depth == 0) {
            l->documents++;
            l->scalars |= !map && !array;
        }
        if (head > left || body > left - head) {
            return BINARY_LOOK_CUT;
        }
        bool text = (first >= 0xA0 && first < 0xC0) || (first >= 0xD9 && first <= 0xDB);
        if (text && !utf8_valid(l->p + head, (size_t)body)) {
            return BINARY_LOOK_WRONG;
        }
        l->p += head + (size_t)body;
        if (l->depth) {
            l->open[l->depth - 1]--;
        }
        if (values) {
            if (l->depth == BINARY_LOOK_DEPTH) {
                return BINARY_LOOK_CUT;
            }
            l->open[l->depth++] = values;
            l->text_keys |= map && l->p < l->end && *l->p >= 0xA0 && *l->p < 0xC0;
        }
    }
    while (l->depth && l->open[l->depth - 1] == 0) {
        l->depth--;
    }
    return l->depth ? BINARY_LOOK_CUT : BINARY_LOOK_WHOLE;
}

static int detect(const uint8_t *p, size_t n, bool whole)
{
    struct look l = {.p = p, .end = p + n};
    if (n == 0 || binary_looks_like_text(p, n)) {
        return 0;
    }
    enum binary_look found = look(&l);
    if (found == BINARY_LOOK_WRONG || (whole && found == BINARY_LOOK_CUT)) {
        return 0;
    }
    /* Nearly any bytes are a sequence of scalars, so that says nothing. */
    if (l.scalars) {
        return whole && l.documents == 1 ? 25 : 0;
    }
    return 45 + (found == BINARY_LOOK_WHOLE && whole ? 15 : 0) + (l.text_keys ? 25 : 0);
}

const weir_format weir_format_msgpack = {
    .name = "msgpack",
    .summary = "MessagePack with timestamps",
    .mime = mime,
    .extensions = extensions,
    .caps = WEIR_CAP_READ | WEIR_CAP_WRITE | WEIR_CAP_STREAM | WEIR_CAP_ANY_ROOT | WEIR_CAP_BYTES |
            WEIR_CAP_TIMESTAMP | WEIR_CAP_NONFINITE | WEIR_CAP_ANY_KEY | WEIR_CAP_TAG_NUMBER |
            WEIR_CAP_TAG_NAME | WEIR_CAP_NULL | WEIR_CAP_DUPLICATES | WEIR_CAP_WIDTHS | WEIR_CAP_COUNTS,
    .detect = detect,
    .reader = &msgpack_reader,
    .writer = &msgpack_writer,
    .duplicate_key = WEIR_E_MSGPACK_DUPLICATE_KEY,
};
