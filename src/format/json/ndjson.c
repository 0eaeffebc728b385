/* NDJSON (also JSON Lines): one JSON text a line, lines end in LF or CRLF, blank lines are skipped.
 *
 * A value never continues over a line break, so a bad record ends where its line ends. */
#include "format/json/json_priv.h"

static bool open_lines(weir_reader *r)
{
    return json_reader_open(r, JSON_LINES);
}

static enum reader_start start_line(weir_reader *r)
{
    r->in.hold = NULL;
    if (input_offset(&r->in) == 0 && !json_byte_order_mark(r)) {
        return READER_START_ERROR;
    }
    return json_skip_space(r) ? READER_START_DOCUMENT : READER_START_END;
}

static bool finish_line(weir_reader *r)
{
    struct input *in = &r->in;
    in->hold = NULL;
    if (!json_skip_blank(r)) {
        return !in->failed;
    }
    if (*in->p == '\n') {
        in->p++;
        return true;
    }
    if (*in->p != '\r') {
        return reader_fail(r, WEIR_E_JSON_TRAILING, input_offset(in));
    }
    if (input_need(in, 2) < 2) {
        in->p += !in->failed;
        return !in->failed;
    }
    if (in->p[1] != '\n') {
        return reader_fail_hint(r, WEIR_E_NDJSON_LINE, input_offset(in),
                                "a carriage return alone ends no line");
    }
    in->p += 2;
    return true;
}

/* A failed record's bytes were read up to its fault, never beyond the line's end. */
static bool resync_line(weir_reader *r)
{
    struct input *in = &r->in;
    in->hold = NULL;
    do {
        const uint8_t *found = memchr(in->p, '\n', (size_t)(in->end - in->p));
        if (found) {
            in->p = found + 1;
            return true;
        }
        in->p = in->end;
    } while (input_more(in, 1));
    return !in->failed;
}

static bool end_line(weir_writer *w)
{
    return writer_append(w, "\n", 1);
}

static int detect_lines(const uint8_t *p, size_t n, bool whole)
{
    struct json_probe probe;
    json_probe(p, n, whole, &probe);
    size_t values = probe.values + probe.open;
    if (probe.separators > 0 || values == 0 || !probe.one_a_line) {
        return 0;
    }
    if (probe.invalid) {
        return probe.invalid_root && probe.containers == values ? JSON_SCORE_FAULTY : 0;
    }
    if (values == 1) {
        return probe.containers || probe.open_root ? 50 : 20; /* a single line is more often plain JSON */
    }
    return probe.containers == probe.values && (!probe.open || probe.open_root) ? 97 : 50;
}

static const struct reader_ops reader_ops = {
    .state_size = sizeof(struct json_reader),
    .open = open_lines,
    .start = start_line,
    .next = json_next,
    .finish = finish_line,
    .resync = resync_line,
};

static const struct writer_ops writer_ops = {
    .event = json_write_event,
    .end_document = end_line,
};

static const char *const mime[] = {"application/x-ndjson", "application/jsonl", "application/jsonlines",
                                   NULL};
static const char *const extensions[] = {"ndjson", "jsonl", NULL};

const weir_format weir_format_ndjson = {
    .name = "ndjson",
    .summary = "newline-delimited JSON (JSON Lines)",
    .mime = mime,
    .extensions = extensions,
    .caps = WEIR_CAP_READ | WEIR_CAP_WRITE | WEIR_CAP_TEXT | WEIR_CAP_STREAM | WEIR_CAP_RECORDS |
            WEIR_CAP_ANY_ROOT | WEIR_CAP_NUMBER | WEIR_CAP_NULL | WEIR_CAP_DUPLICATES,
    .detect = detect_lines,
    .reader = &reader_ops,
    .writer = &writer_ops,
    .duplicate_key = WEIR_E_JSON_DUPLICATE_KEY,
};
