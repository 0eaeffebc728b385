/* JSON (RFC 8259): one document, any root. Here is what stands around the value; json_reader.c reads the
 * value. */
#include "format/json/json_priv.h"

static bool open_plain(weir_reader *r)
{
    return json_reader_open(r, JSON_PLAIN);
}

static enum reader_start start_document(weir_reader *r)
{
    if (input_offset(&r->in) == 0 && !json_byte_order_mark(r)) {
        return READER_START_ERROR;
    }
    return json_skip_space(r) ? READER_START_DOCUMENT : READER_START_END;
}

/* White space behind a document belongs to what follows: who sends no more before an answer isn't waited for.
 */
static bool finish_document(weir_reader *r)
{
    r->in.hold = NULL;
    return true;
}

/* One document ends where the next one's line begins (WEIR_MULTI). */
static bool begin_document(weir_writer *w)
{
    return w->documents == 0 || writer_append(w, "\n", 1);
}

static int detect_json(const uint8_t *p, size_t n, bool whole)
{
    struct json_probe probe;
    json_probe(p, n, whole, &probe);
    if (probe.separators > 0 || (probe.invalid && !probe.invalid_root) ||
        probe.values + probe.open + probe.invalid == 0) {
        return 0;
    }
    if (probe.invalid) {
        /* Faulty, but like nothing else. A second value on a line of its own is NDJSON's. */
        return probe.values == 0 || (probe.values == 1 && !probe.one_a_line) ? JSON_SCORE_FAULTY : 0;
    }
    if (probe.values + probe.open > 1) {
        return 5; /* a sequence of values, of which this format reads one */
    }
    if (probe.open) {
        return probe.open_root ? 90 : 40;
    }
    return probe.containers ? 95 : 60;
}

static const struct reader_ops reader_ops = {
    .state_size = sizeof(struct json_reader),
    .open = open_plain,
    .start = start_document,
    .next = json_next,
    .finish = finish_document,
};

static const struct writer_ops writer_ops = {
    .event = json_write_event,
    .begin_document = begin_document,
};

static const char *const mime[] = {"application/json", "text/json", NULL};
static const char *const extensions[] = {"json", NULL};

const weir_format weir_format_json = {
    .name = "json",
    .summary = "JSON (RFC 8259)",
    .mime = mime,
    .extensions = extensions,
    .caps = WEIR_CAP_READ | WEIR_CAP_WRITE | WEIR_CAP_TEXT | WEIR_CAP_ANY_ROOT | WEIR_CAP_NUMBER |
            WEIR_CAP_NULL | WEIR_CAP_DUPLICATES | WEIR_CAP_LAYOUT,
    .detect = detect_json,
    .reader = &reader_ops,
    .writer = &writer_ops,
    .duplicate_key = WEIR_E_JSON_DUPLICATE_KEY,
};
