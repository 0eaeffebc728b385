/* weir_stream: documents from a source, one by one. Records are cut out of the window and parsed by the fused
 * pair; a document that ends by itself is parsed from the window's beginning, or left to the exact reader if
 * it goes on behind. What is refused, and where, is what the exact reader would say. */
#include "fused/stream.h"
#include "flow/input.h"
#include "flow/path.h"
#include "flow/reader_priv.h"
#include "fused/parse.h"
#include "weir/convert.h"

struct weir_stream {
    const weir_format *format;
    weir_options options;
    weir_options parser_options; /* for one document */
    weir_error error, failure;   /* failure: of the source, told when its bytes are used up */
    struct account account;
    struct input in;
    weir_parser *parser;
    weir_reader *reader; /* instead, where the exact reader is asked for */
    weir_doc *doc;       /* of a reader */
    uint64_t documents;
    uint64_t lines; /* of records: line breaks before in.p */
    bool charged;   /* the next document was charged to its limit */
};

/* Record formats have lines; the others end by themselves. */
static bool by_lines(const weir_stream *stream)
{
    return stream->format == weir_ndjson;
}

static bool is_text(const weir_stream *stream)
{
    return weir_format_caps(stream->format) & WEIR_CAP_TEXT;
}

/* May there be any number of documents? */
static bool holds_many(const weir_stream *stream)
{
    return (weir_format_caps(stream->format) & WEIR_CAP_STREAM) || (stream->options.flags & WEIR_MULTI);
}

/* Where one document is all that there may be, the exact reader knows what an empty input and a second one
 * are. */
static bool wants_reader(const weir_format *format, const weir_options *options)
{
    bool many = (weir_format_caps(format) & WEIR_CAP_STREAM) || (options->flags & WEIR_MULTI);
    return !many || options->limits.nodes != WEIR_UNSET || options->limits.payload != WEIR_UNSET ||
           !fused_parse_fits(options) || !fused_parser_of(format);
}

static void open_parser(weir_stream *stream, weir_error *error)
{
    stream->parser_options = stream->options;
    stream->parser_options.limits.input = WEIR_UNSET; /* charged here, as it is read */
    stream->parser_options.flags &= ~(uint32_t)(WEIR_BORROW | WEIR_SKIP_BAD);
    stream->parser = weir_parser_new(&stream->parser_options, error);
    account_init(&stream->account, &stream->options.limits);
    stream->in.account = &stream->account;
    stream->in.error = &stream->failure;
    stream->in.allocator = stream->options.allocator;
    stream->in.text = is_text(stream) && !by_lines(stream); /* lines are counted as they are cut */
}

static weir_stream *stream_new(const weir_format *format, const weir_options *options, weir_error *error)
{
    weir_options resolved;
    options_resolve(&resolved, options);
    weir_stream *stream = memory_get(resolved.allocator, sizeof *stream);
    if (!stream) {
        error_set(error, WEIR_E_MEMORY);
        return NULL;
    }
    memset(stream, 0, sizeof *stream);
    error_set(&stream->error, WEIR_E_NONE);
    stream->format = format;
    stream->options = resolved;
    if (!wants_reader(format, &resolved)) {
        open_parser(stream, error);
        if (!stream->parser) {
            weir_stream_close(stream);
            return NULL;
        }
    }
    return stream;
}

/* Without a parser, is there a reader? */
static weir_stream *stream_ready(weir_stream *stream)
{
    if (!stream->parser && !stream->reader) {
        weir_stream_close(stream);
        return NULL;
    }
    return stream;
}

weir_stream *weir_stream_open(const weir_format *format, weir_source source, const weir_options *options,
                              weir_error *error)
{
    if (!format || !source.read) {
        error_set(error, WEIR_E_ARGUMENT);
        return NULL;
    }
    weir_stream *stream = stream_new(format, options, error);
    if (!stream) {
        return NULL;
    }
    if (stream->parser) {
        input_from_source(&stream->in, source);
    } else {
        stream->reader = reader_open_stream(format, source, &stream->options, error);
    }
    return stream_ready(stream);
}

weir_stream *stream_open_memory(const weir_format *format, const void *data, size_t len,
                                const weir_options *options, weir_error *error)
{
    weir_stream *stream = stream_new(format, options, error);
    if (!stream) {
        return NULL;
    }
    if (stream->parser) {
        input_from_memory(&stream->in, data, len);
    } else {
        stream->reader = reader_open_memory(format, data, len, &stream->options, error);
    }
    return stream_ready(stream);
}

void weir_stream_close(weir_stream *stream)
{
    if (stream) {
        weir_doc_free(stream->doc);
        weir_reader_close(stream->reader);
        weir_parser_free(stream->parser);
        input_close(&stream->in);
        memory_put(stream->options.allocator, stream, sizeof *stream);
    }
}

uint64_t weir_stream_offset(const weir_stream *stream)
{
    return stream->reader ? weir_reader_offset(stream->reader) : input_offset(&stream->in);
}

uint64_t weir_stream_lines(const weir_stream *stream)
{
    if (!is_text(stream)) {
        return 0;
    }
    if (!stream->reader && by_lines(stream)) {
        return stream->lines;
    }
    if (stream->reader) {
        input_forget(&stream->reader->in); /* asked after each of many documents, it counts no byte twice */
        return stream->reader->in.line - 1;
    }
    return stream->in.line - 1; /* next_prefix has forgotten what is before it */
}

/* ---- failing ---- */

/* Moves an error's place from the bytes at in.p to the stream. */
static void place_error(weir_stream *stream)
{
    struct input *in = &stream->in;
    weir_error *error = &stream->error;
    bool line_known = error->line != 0;
    if (error->offset != WEIR_UNKNOWN) {
        error->offset += input_offset(in);
    }
    if (line_known && by_lines(stream)) {
        error->line += stream->lines;
    } else if (line_known) {
        input_position(in, error->offset, &error->line, &error->column);
    }
    error->document = stream->documents;
    if (error->code == WEIR_E_JSON_BYTE_ORDER_MARK && error->offset > 0) {
        error->code = WEIR_E_JSON_UNEXPECTED_BYTE; /* it is one at the beginning only */
        error->detail[0] = '\0';
    }
}

/* As place_error for an error without any place yet: at so many bytes behind in.p. */
static void fail_at(weir_stream *stream, size_t ahead)
{
    const struct input *in = &stream->in;
    weir_error *error = &stream->error;
    struct input rest;
    error->offset = ahead;
    if (is_text(stream)) {
        memset(&rest, 0, sizeof rest);
        input_from_memory(&rest, in->p, (size_t)(in->end - in->p));
        input_position(&rest, ahead, &error->line, &error->column);
    }
    place_error(stream);
}

struct broken_source {
    const uint8_t *bytes;
    size_t left;
};

static ptrdiff_t read_broken(void *context, void *out, size_t size)
{
    struct broken_source *from = context;
    size = size < from->left ? size : from->left;
    if (size == 0) {
        return -1;
    }
    memcpy(out, from->bytes, size);
    from->bytes += size;
    from->left -= size;
    return (ptrdiff_t)size;
}

/* What a reader says about the document at in.p if the source fails behind the window: WEIR_E_READ if nothing
 * is wrong in the window. */
static void judge_window(weir_stream *stream)
{
    struct input *in = &stream->in;
    struct broken_source broken = {in->p, (size_t)(in->end - in->p)};
    weir_source source = {read_broken, &broken};
    weir_reader *reader = reader_open_stream(stream->format, source, &stream->parser_options, &stream->error);
    if (reader) {
        weir_doc_free(weir_read_doc(reader, &stream->error));
        weir_reader_close(reader);
        place_error(stream);
    }
}

/* The source failed, or the input limit was hit, inside a document. What is wrong before that comes first. */
static void fail_input(weir_stream *stream)
{
    struct input *in = &stream->in;
    judge_window(stream);
    if (stream->error.code == WEIR_E_READ) {
        stream->error.code = stream->failure.code;
        stream->error.resource = stream->failure.resource;
        stream->error.maximum = stream->failure.maximum;
        stream->error.remaining = stream->failure.remaining;
        stream->error.requested = stream->failure.requested;
        stream->error.system = stream->failure.system;
    } else if (stream->options.flags & WEIR_SKIP_BAD) {
        if (stream->options.on_bad_record) {
            stream->options.on_bad_record(stream->options.context, &stream->error);
        }
        stream->documents++;
        stream->error = stream->failure;
        fail_at(stream, (size_t)(in->end - in->p));
    }
}

/* A document is there: may it be taken? The bytes before it, `ahead` of them, are white space. */
static bool charge_document(weir_stream *stream, size_t ahead)
{
    if (stream->charged || account_charge(&stream->account.documents, stream->account.limit.documents, 1)) {
        stream->charged = true;
        return true;
    }
    account_sum_error(&stream->error, WEIR_RESOURCE_DOCUMENTS, stream->account.limit.documents,
                      stream->account.documents, 1);
    fail_at(stream, ahead);
    return false;
}

/* ---- records ---- */

/* Line breaks among so many bytes at p, where a carriage return alone is one too. */
static uint64_t count_lines(const uint8_t *p, size_t len, size_t size)
{
    uint64_t lines = size > len;
    if (len == 0 || !memchr(p, '\r', len)) {
        return lines;
    }
    for (size_t i = 0; i < len; i++) {
        lines += p[i] == '\r' && !(i + 1 < size && p[i + 1] == '\n');
    }
    return lines;
}

static size_t count_blank(const uint8_t *p, size_t len)
{
    size_t i = 0;
    while (i < len && (p[i] == ' ' || p[i] == '\t' || p[i] == '\r' || p[i] == '\n')) {
        i++;
    }
    return i;
}

/* The next line that is not blank: *blank bytes of white space at its beginning, *len bytes without its line
 * break, *size with it. false: end or failure; then *len bytes of an unfinished one may be there. */
static bool next_line(weir_stream *stream, size_t *blank, size_t *len, size_t *size)
{
    struct input *in = &stream->in;
    for (;;) {
        size_t looked = 0;
        const uint8_t *end = NULL;
        for (;;) {
            size_t have = (size_t)(in->end - in->p);
            end = have > looked ? memchr(in->p + looked, '\n', have - looked) : NULL;
            if (end || (input_more(in, have + 1) == have)) {
                break;
            }
            looked = have;
        }
        *len = end ? (size_t)(end - in->p) : (size_t)(in->end - in->p);
        *size = *len + (end ? 1 : 0);
        *blank = count_blank(in->p, *len);
        if (*blank < *len) {
            return end || !in->failed;
        }
        if (*size == 0 || (in->failed && !end)) {
            return false;
        }
        stream->lines += count_lines(in->p, *len, *size);
        in->p += *size;
    }
}

static bool may_skip(const weir_stream *stream)
{
    weir_category category = weir_code_category(stream->error.code);
    return (stream->options.flags & WEIR_SKIP_BAD) && category != WEIR_CATEGORY_MEMORY &&
           category != WEIR_CATEGORY_IO;
}

static const weir_doc *next_record(weir_stream *stream)
{
    size_t blank, len, size;
    struct input *in = &stream->in;
    while (next_line(stream, &blank, &len, &size)) {
        if (!charge_document(stream, blank)) {
            return NULL;
        }
        const weir_doc *doc =
            weir_parser_parse(stream->parser, stream->format, in->p, size, NULL, &stream->error);
        if (!doc) {
            place_error(stream);
            if (!may_skip(stream)) {
                return NULL;
            }
            if (stream->options.on_bad_record) {
                stream->options.on_bad_record(stream->options.context, &stream->error);
            }
        }
        stream->lines += count_lines(in->p, len, size);
        in->p += size;
        stream->documents++;
        stream->charged = false;
        if (doc) {
            return doc;
        }
        error_set(&stream->error, WEIR_E_NONE);
    }
    if (in->failed) {
        if (blank == len) {
            stream->error = stream->failure;
            fail_at(stream, len);
        } else if (charge_document(stream, blank)) {
            fail_input(stream);
        }
    }
    return NULL;
}

/* ---- documents that end by themselves ---- */

/* A number or a word of a text format that touches the window's end may go on behind it. */
static bool may_go_on(const weir_stream *stream, const weir_doc *doc, size_t consumed, size_t have)
{
    return is_text(stream) && consumed == have && weir_val_kind(weir_doc_root(doc)) <= WEIR_KIND_NUMBER;
}

/* Moves in.p to the next byte that is no white space. false: there is none, or the input failed. */
static bool skip_space(weir_stream *stream)
{
    struct input *in = &stream->in;
    while (is_text(stream)) {
        in->p += count_blank(in->p, (size_t)(in->end - in->p));
        if (in->p < in->end || !input_more(in, 1)) {
            break;
        }
    }
    return input_need(in, 1) > 0;
}

/* Between documents: is there one, and may it be taken? */
static bool begin_document(weir_stream *stream)
{
    if (!skip_space(stream)) {
        if (stream->in.failed) {
            stream->error = stream->failure;
            fail_at(stream, 0);
        } else if (stream->documents == 0 && !holds_many(stream)) {
            error_set(&stream->error, WEIR_E_EMPTY);
            fail_at(stream, 0);
        }
        return false;
    }
    if (stream->documents > 0 && !holds_many(stream)) {
        error_set(&stream->error, stream->format == weir_json ? WEIR_E_JSON_TRAILING : WEIR_E_TRAILING);
        fail_at(stream, 0);
        return false;
    }
    if (stream->documents == 0 && *stream->in.p == 0xEF) {
        (void)input_need(&stream->in, 3); /* a byte order mark is known when it is whole */
    }
    return charge_document(stream, 0);
}

/* The exact reader takes the document at in.p. It reads no more than the document needs, however the source
 * cuts its bytes: who waits for an answer before sending more is not waited for. */
static const weir_doc *read_exactly(weir_stream *stream)
{
    weir_reader *r = reader_open_memory(stream->format, NULL, 0, &stream->parser_options, &stream->error);
    if (!r) {
        return NULL;
    }
    r->in = stream->in;
    r->in.error = &r->failure;
    r->documents = stream->documents;
    stream->doc = weir_read_doc(r, &stream->error);
    if (!stream->doc && stream->error.code == WEIR_E_NONE) {
        error_set(&stream->error, WEIR_E_EMPTY); /* can't be: a byte of the document is there */
    }
    stream->failure = r->failure;
    stream->in = r->in;
    stream->in.error = &stream->failure;
    r->in.buffer = NULL;
    r->in.capacity = 0;
    weir_reader_close(r);
    return stream->doc;
}

static const weir_doc *next_prefix(weir_stream *stream)
{
    struct input *in = &stream->in;
    if (!begin_document(stream)) {
        return NULL;
    }
    size_t have = (size_t)(in->end - in->p), consumed = 0;
    const weir_doc *doc =
        weir_parser_parse(stream->parser, stream->format, in->p, have, &consumed, &stream->error);
    if (doc && ((in->eof && !in->failed) || !may_go_on(stream, doc, consumed, have))) {
        in->p += consumed;
    } else if (doc || !in->eof || in->failed) {
        doc = read_exactly(stream); /* it goes on behind the window, or seems to be wrong because it does */
    } else {
        place_error(stream);
    }
    if (doc) {
        stream->documents++;
        stream->charged = false;
        if (is_text(stream)) {
            input_forget(in);
        }
    }
    return doc;
}

const weir_doc *weir_stream_next(weir_stream *stream, weir_error *error)
{
    const weir_doc *doc = NULL;
    if (stream->error.code == WEIR_E_NONE) {
        weir_doc_free(stream->doc);
        stream->doc = NULL;
        if (stream->reader) {
            stream->doc = weir_read_doc(stream->reader, &stream->error);
            doc = stream->doc;
        } else {
            doc = by_lines(stream) ? next_record(stream) : next_prefix(stream);
        }
    }
    if (error) {
        *error = stream->error;
    }
    return doc;
}
