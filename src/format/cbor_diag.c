/* CBOR diagnostic notation (RFC 8949 section 8, RFC 8610 appendix G): the format's row, and detection. */
#include "format/cbor_diag.h"

#include <math.h>

static const char *const mime[] = {"application/cbor-diagnostic", NULL};
static const char *const extensions[] = {"diag", "cbordiag", NULL};

/* What JSON has not. */
static bool is_own(const weir_event *event)
{
    switch (event->kind) {
    case WEIR_KIND_BYTES:
    case WEIR_KIND_TAGGED:
        return true;
    case WEIR_KIND_REAL:
        return event->is_key || event->width != WEIR_WIDTH_64 || !isfinite(event->v.d);
    default:
        return event->is_key && event->kind != WEIR_KIND_STRING;
    }
}

static bool begins_like_a_value(const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint8_t c = p[i];
        if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
            return c < 0x80 && strchr("[{(<\"'-0123456789htfnusNIb#/", c) && c;
        }
    }
    return false;
}

/* Reads what there is: an input that breaks off is right so far. */
static int detect(const uint8_t *p, size_t n, bool whole)
{
    weir_options options = WEIR_OPTIONS_DEFAULT;
    const weir_event *event;
    bool own = false, container = false;
    if (!begins_like_a_value(p, n)) {
        return 0;
    }
    options.limits = weir_unlimited;
    options.numbers = WEIR_NUMBERS_EXACT;
    weir_reader *reader = weir_reader_open(weir_cbor_diag, p, n, &options, NULL);
    if (!reader) {
        return 0;
    }
    while ((event = weir_reader_next(reader)) && event->kind != WEIR_KIND_END_STREAM) {
        own |= is_own(event);
        container |= event->kind == WEIR_KIND_ARRAY || event->kind == WEIR_KIND_MAP;
    }
    bool right =
        event || (!whole && weir_code_category(weir_reader_error(reader)->code) == WEIR_CATEGORY_INCOMPLETE);
    weir_reader_close(reader);
    return !right ? 0 : own ? 80 : container ? 30 : 10;
}

const weir_format weir_format_cbor_diag = {
    .name = "cbor-diag",
    .summary = "CBOR diagnostic notation (RFC 8949, RFC 8610)",
    .mime = mime,
    .extensions = extensions,
    .caps = WEIR_CAP_READ | WEIR_CAP_WRITE | WEIR_CAP_TEXT | WEIR_CAP_STREAM | WEIR_CAP_ANY_ROOT |
            WEIR_CAP_BYTES | WEIR_CAP_TIMESTAMP | WEIR_CAP_NONFINITE | WEIR_CAP_ANY_KEY | WEIR_CAP_NUMBER |
            WEIR_CAP_TAG_NUMBER | WEIR_CAP_TAG_NAME | WEIR_CAP_NULL | WEIR_CAP_DUPLICATES | WEIR_CAP_WIDTHS |
            WEIR_CAP_LAYOUT,
    .detect = detect,
    .reader = &diag_reader,
    .writer = &diag_writer,
    .duplicate_key = WEIR_E_DIAG_DUPLICATE_KEY,
};
