/* CBOR (RFC 8949) and CBOR sequences (RFC 8742): the format's row, and detection. */
#include "format/cbor.h"

#include "text/binary.h"

static const char *const mime[] = {"application/cbor", "application/cbor-seq", NULL};
static const char *const extensions[] = {"cbor", "cborseq", NULL};

struct look {
    const uint8_t *p, *end;
    size_t depth;
    struct level {
        uint64_t due; /* values, or WEIR_UNKNOWN up to the break */
        uint8_t major;
        bool odd; /* values seen in an indefinite map */
    } open[BINARY_LOOK_DEPTH];
    bool text_keys;
    bool scalars;     /* a document that is neither an array nor a map nor tagged */
    size_t documents; /* begun */
};

static void close_levels(struct look *l)
{
    while (l->depth && l->open[l->depth - 1].due == 0) {
        l->depth--;
    }
}

static bool open_level(struct look *l, uint8_t major, uint64_t due)
{
    if (due == 0) {
        return true;
    }
    if (l->depth == BINARY_LOOK_DEPTH) {
        return false;
    }
    struct level *level = &l->open[l->depth++];
    level->due = due;
    level->major = major;
    level->odd = false;
    return true;
}

/* A break, or an item of indefinite length. */
static enum binary_look look_indefinite(struct look *l, uint8_t major, struct level *top)
{
    if (major == CBOR_SIMPLE) {
        if (!top || top->due != WEIR_UNKNOWN || (top->major == CBOR_MAP && top->odd)) {
            return BINARY_LOOK_WRONG;
        }
        l->depth--;
        return BINARY_LOOK_WHOLE;
    }
    if (major < CBOR_BYTES || major > CBOR_MAP) {
        return BINARY_LOOK_WRONG;
    }
    return open_level(l, major, WEIR_UNKNOWN) ? BINARY_LOOK_WHOLE : BINARY_LOOK_CUT;
}

/* One head with its string. CUT: the bytes (or the levels) end before it does. */
static enum binary_look look_item(struct look *l)
{
    size_t left = (size_t)(l->end - l->p);
    uint8_t major = *l->p >> 5, info = *l->p & 0x1F;
    size_t size = cbor_head_size(info);
    struct level *top = l->depth ? &l->open[l->depth - 1] : NULL;
    if (size == 0) {
        return BINARY_LOOK_WRONG;
    }
    if (size > left) {
        return BINARY_LOOK_CUT;
    }
    bool chunk = top && (top->major == CBOR_BYTES || top->major == CBOR_TEXT);
    if (chunk && *l->p != CBOR_BREAK && (major != top->major || info == CBOR_INFO_INDEFINITE)) {
        return BINARY_LOOK_WRONG;
    }
    uint64_t argument = cbor_head_argument(l->p, info);
    l->p += size;
    if (!top) {
        l->documents++;
        l->scalars |= major < CBOR_ARRAY || major == CBOR_SIMPLE;
    }
    if (top && !(major == CBOR_SIMPLE && info == CBOR_INFO_INDEFINITE)) {
        top->due -= top->due != WEIR_UNKNOWN;
        top->odd = !top->odd;
    }
    if (info == CBOR_INFO_INDEFINITE) {
        return look_indefinite(l, major, top);
    }
    switch (major) {
    case CBOR_BYTES:
    case CBOR_TEXT:
        if (argument > left - size) {
            return BINARY_LOOK_CUT;
        }
        if (major == CBOR_TEXT && !utf8_valid(l->p, (size_t)argument)) {
            return BINARY_LOOK_WRONG;
        }
        l->p += (size_t)argument;
        return BINARY_LOOK_WHOLE;
    case CBOR_ARRAY:
    case CBOR_MAP:
        if (argument > UINT64_MAX / 4) {
            return BINARY_LOOK_CUT;
        }
        l->text_keys |= major == CBOR_MAP && l->p < l->end && *l->p >> 5 == CBOR_TEXT;
        return open_level(l, major, major == CBOR_MAP ? argument * 2 : argument) ? BINARY_LOOK_WHOLE
                                                                                 : BINARY_LOOK_CUT;
    case CBOR_TAG:
        return open_level(l, CBOR_TAG, 1) ? BINARY_LOOK_WHOLE : BINARY_LOOK_CUT;
    case CBOR_SIMPLE:
        return info == CBOR_INFO_1 && argument < 32 ? BINARY_LOOK_WRONG : BINARY_LOOK_WHOLE;
    default:
        return BINARY_LOOK_WHOLE;
    }
}

static int detect(const uint8_t *p, size_t n, bool whole)
{
    static const uint8_t self_described[3] = {0xD9, 0xD9, 0xF7};
    struct look l = {.p = p, .end = p + n};
    if (n >= 3 && memcmp(p, self_described, 3) == 0) {
        return 100;
    }
    if (n == 0 || binary_looks_like_text(p, n)) {
        return 0;
    }
    enum binary_look found = BINARY_LOOK_WHOLE;
    while (l.p < l.end && found == BINARY_LOOK_WHOLE) {
        found = look_item(&l);
        if (found == BINARY_LOOK_WHOLE) {
            close_levels(&l);
        }
    }
    bool ends = found == BINARY_LOOK_WHOLE && l.depth == 0;
    if (found == BINARY_LOOK_WRONG || (whole && !ends)) {
        return 0;
    }
    /* Nearly any bytes are a sequence of scalars, so that says nothing. */
    if (l.scalars) {
        return whole && l.documents == 1 ? 25 : 0;
    }
    return 45 + (ends && whole ? 15 : 0) + (l.text_keys ? 25 : 0);
}

const weir_format weir_format_cbor = {
    .name = "cbor",
    .summary = "CBOR (RFC 8949) and CBOR sequences (RFC 8742)",
    .mime = mime,
    .extensions = extensions,
    .caps = WEIR_CAP_READ | WEIR_CAP_WRITE | WEIR_CAP_STREAM | WEIR_CAP_ANY_ROOT | WEIR_CAP_BYTES |
            WEIR_CAP_TIMESTAMP | WEIR_CAP_NONFINITE | WEIR_CAP_ANY_KEY | WEIR_CAP_NUMBER |
            WEIR_CAP_TAG_NUMBER | WEIR_CAP_TAG_NAME | WEIR_CAP_NULL | WEIR_CAP_DUPLICATES | WEIR_CAP_WIDTHS,
    .detect = detect,
    .reader = &cbor_reader,
    .writer = &cbor_writer,
    .duplicate_key = WEIR_E_CBOR_DUPLICATE_KEY,
};
