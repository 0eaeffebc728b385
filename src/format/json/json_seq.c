/* JSON text sequences (RFC 7464): each text stands behind a record separator and ends in LF.
 *
 * Several separators in a row are an empty record, which is nothing. A separator is no byte of any JSON text,
 * so one inside a value tells that the record was cut; a number or literal needs the white space behind it to
 * be whole. */
#include "format/json/json_priv.h"

static bool open_sequence(weir_reader *r)
{
    return json_reader_open(r, JSON_SEQUENCE);
}

static enum reader_start start_text(weir_reader *r)
{
    struct input *in = &r->in;
    in->hold = NULL;
    if (!json_skip_space(r)) {
        return READER_START_END;
    }
    if (*in->p != JSON_RECORD_SEPARATOR) {
        json_fail_at(r, WEIR_E_JSON_SEQ_SEPARATOR, in->p, NULL);
        return READER_START_ERROR;
    }
    do {
        in->p++;
        if (!json_skip_space(r)) {
            return READER_START_END;
        }
    } while (*in->p == JSON_RECORD_SEPARATOR);
    return READER_START_DOCUMENT;
}

static bool is_self_delimited(weir_kind kind)
{
    return kind == WEIR_KIND_STRING || kind == WEIR_KIND_END;
}

static bool finish_text(weir_reader *r)
{
    struct input *in = &r->in;
    in->hold = NULL;
    uint64_t offset = input_offset(in);
    weir_kind last = (weir_kind)r->event.kind;
    bool more = json_skip_space(r);
    if (in->failed) {
        return false;
    }
    if (input_offset(in) == offset && !is_self_delimited(last)) {
        return reader_fail(r, WEIR_E_JSON_SEQ_TRUNCATED, offset);
    }
    if (more && *in->p != JSON_RECORD_SEPARATOR) {
        return reader_fail(r, WEIR_E_JSON_TRAILING, input_offset(in));
    }
    return true;
}

static bool resync_text(weir_reader *r)
{
    struct input *in = &r->in;
    in->hold = NULL;
    do {
        const uint8_t *found = memchr(in->p, JSON_RECORD_SEPARATOR, (size_t)(in->end - in->p));
        if (found) {
            in->p = found;
            return true;
        }
        in->p = in->end;
    } while (input_more(in, 1));
    return !in->failed;
}

static bool begin_text(weir_writer *w)
{
    return writer_append(w, "\x1E", 1);
}

static bool end_text(weir_writer *w)
{
    return writer_append(w, "\n", 1);
}

static int detect_sequence(const uint8_t *p, size_t n, bool whole)
{
    struct json_probe probe;
    json_probe(p, n, whole, &probe);
    if (probe.invalid || probe.separators == 0 || probe.missing_separator) {
        return 0;
    }
    return probe.values + probe.open > 0 ? 100 : 60;
}

static const struct reader_ops reader_ops = {
    .state_size = sizeof(struct json_reader),
    .open = open_sequence,
    .start = start_text,
    .next = json_next,
    .finish = finish_text,
    .resync = resync_text,
};

static const struct writer_ops writer_ops = {
    .event = json_write_event,
    .begin_document = begin_text,
    .end_document = end_text,
};

static const char *const mime[] = {"application/json-seq", NULL};
static const char *const extensions[] = {"json-seq", "jsonseq", NULL};

const weir_format weir_format_json_seq = {
    .name = "json-seq",
    .summary = "JSON text sequences (RFC 7464)",
    .mime = mime,
    .extensions = extensions,
    .caps = WEIR_CAP_READ | WEIR_CAP_WRITE | WEIR_CAP_TEXT | WEIR_CAP_STREAM | WEIR_CAP_RECORDS |
            WEIR_CAP_ANY_ROOT | WEIR_CAP_NUMBER | WEIR_CAP_NULL | WEIR_CAP_DUPLICATES | WEIR_CAP_LAYOUT,
    .detect = detect_sequence,
    .reader = &reader_ops,
    .writer = &writer_ops,
    .duplicate_key = WEIR_E_JSON_DUPLICATE_KEY,
};
