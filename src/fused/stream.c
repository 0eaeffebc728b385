/* weir_stream: documents from a source, one by one. Records are cut out of the window and parsed by the fused pair;
 * formats whose documents end where they end are parsed from the window's beginning, which grows until one fits. */
#include "flow/input.h"
#include "flow/path.h"
#include "flow/reader_priv.h"
#include "fused/parse.h"
#include "weir/convert.h"

struct weir_stream {
    const weir_format *format;
    weir_options options;
    weir_error error;
    struct account account;
    struct input in;
    weir_parser *parser;
    weir_reader *reader; /* instead, where the exact reader is asked for */
    weir_doc *doc;       /* of the reader */
    uint64_t documents, lines;
};

/* Record formats have lines; the others are cut by their parser. */
static bool by_lines(const weir_stream *stream)
{
    return stream->format == weir_ndjson;
}

/* Where one document is all that there may be, the exact reader knows what an empty input and a second one are. */
static bool wants_reader(const weir_format *format, const weir_options *options)
{
    bool many = (weir_format_caps(format) & WEIR_CAP_STREAM) || (options->flags & WEIR_MULTI);
    return !many || options->limits.nodes != WEIR_UNSET || options->limits.payload != WEIR_UNSET ||
           !fused_parse_fits(options) || !fused_parser_of(format);
}

static void open_parser(weir_stream *stream, weir_source source, weir_error *error)
{
    weir_options options = stream->options;
    options.limits.input = WEIR_UNSET; /* charged here, as it is read */
    options.flags &= ~(uint32_t)(WEIR_BORROW | WEIR_SKIP_BAD);
    stream->parser = weir_parser_new(&options, error);
    account_init(&stream->account, &stream->options.limits);
    stream->in.account = &stream->account;
    stream->in.error = &stream->error;
    stream->in.allocator = stream->options.allocator;
    input_from_source(&stream->in, source);
    stream->in.text = (weir_format_caps(stream->format) & WEIR_CAP_TEXT) && !by_lines(stream);
}

weir_stream *weir_stream_open(const weir_format *format, weir_source source, const weir_options *options,
                              weir_error *error)
{
    weir_options resolved;
    options_resolve(&resolved, options);
    if (!format || !source.read) {
        error_set(error, WEIR_E_ARGUMENT);
        return NULL;
    }
    weir_stream *stream = memory_get(resolved.allocator, sizeof *stream);
    if (!stream) {
        error_set(error, WEIR_E_MEMORY);
        return NULL;
    }
    memset(stream, 0, sizeof *stream);
    stream->format = format;
    stream->options = resolved;
    if (wants_reader(format, &resolved)) {
        stream->reader = reader_open_stream(format, source, &resolved, error);
    } else {
        open_parser(stream, source, error);
    }
    if (!stream->reader && !stream->parser) {
        weir_stream_close(stream);
        return NULL;
    }
    return stream;
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
    const struct input *in = stream->reader ? &stream->reader->in : &stream->in;
    if (!in->text) {
        return stream->lines;
    }
    uint64_t line, column;
    input_position(in, input_offset(in), &line, &column);
    return line - 1;
}

/* ---- records ---- */

/* The next line that is not blank; *len without its line break, *size with it. false: end or failure. */
static bool next_line(weir_stream *stream, size_t *len, size_t *size)
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
        if (in->failed) {
            return false;
        }
        *len = end ? (size_t)(end - in->p) : (size_t)(in->end - in->p);
        *size = *len + (end ? 1 : 0);
        if (*size == 0) {
            return false;
        }
        size_t i = 0;
        while (i < *len && (in->p[i] == ' ' || in->p[i] == '\t' || in->p[i] == '\r')) {
            i++;
        }
        if (i < *len) {
            return true;
        }
        in->p += *size;
        stream->lines += end != NULL;
    }
}

/* Moves an error's place from the record to the stream. */
static void place_error(weir_stream *stream, uint64_t base)
{
    weir_error *error = &stream->error;
    if (error->offset != WEIR_UNKNOWN) {
        error->offset += base;
    }
    if (stream->in.text && error->offset != WEIR_UNKNOWN) {
        input_position(&stream->in, error->offset, &error->line, &error->column);
    } else if (error->line) {
        error->line += stream->lines;
    }
    error->document = stream->documents;
}

static bool may_skip(const weir_stream *stream)
{
    weir_category category = weir_code_category(stream->error.code);
    return (stream->options.flags & WEIR_SKIP_BAD) && category != WEIR_CATEGORY_MEMORY &&
           category != WEIR_CATEGORY_IO;
}

static const weir_doc *next_record(weir_stream *stream)
{
    size_t len, size;
    while (next_line(stream, &len, &size)) {
        if (!account_charge(&stream->account.documents, stream->account.limit.documents, 1)) {
            account_sum_error(&stream->error, WEIR_RESOURCE_DOCUMENTS, stream->account.limit.documents,
                              stream->account.documents, 1);
            stream->error.offset = input_offset(&stream->in);
            stream->error.line = stream->lines + 1;
            return NULL;
        }
        uint64_t base = input_offset(&stream->in);
        const weir_doc *doc = weir_parser_parse(stream->parser, stream->format, stream->in.p, size, NULL, &stream->error);
        if (!doc) {
            place_error(stream, base);
            if (!may_skip(stream)) {
                return NULL;
            }
            if (stream->options.on_bad_record) {
                stream->options.on_bad_record(stream->options.context, &stream->error);
            }
        }
        stream->in.p += size;
        stream->lines += size > len;
        stream->documents++;
        if (doc) {
            return doc;
        }
        error_set(&stream->error, WEIR_E_NONE);
    }
    return NULL;
}

/* ---- documents that end by themselves ---- */

/* A number that touches the window's end may go on behind it. */
static bool may_go_on(const weir_doc *doc, size_t consumed, size_t have)
{
    weir_kind kind = weir_val_kind(weir_doc_root(doc));
    return consumed == have && kind >= WEIR_KIND_UINT && kind <= WEIR_KIND_NUMBER;
}

static const weir_doc *next_prefix(weir_stream *stream)
{
    struct input *in = &stream->in;
    for (;;) {
        size_t have = input_need(in, 1), consumed = 0;
        if (have == 0 || in->failed) {
            return NULL;
        }
        const weir_doc *doc = weir_parser_parse(stream->parser, stream->format, in->p, have, &consumed, &stream->error);
        bool more = doc ? may_go_on(doc, consumed, have)
                        : weir_code_category(stream->error.code) == WEIR_CATEGORY_INCOMPLETE;
        /* Doubling keeps the whole work linear in the document. */
        if (more && !in->eof && input_more(in, have > SIZE_MAX / 2 ? SIZE_MAX : have * 2) > have) {
            continue;
        }
        if (in->failed) {
            return NULL;
        }
        if (doc) {
            in->p += consumed;
            stream->documents++;
            if (!account_charge(&stream->account.documents, stream->account.limit.documents, 1)) {
                account_sum_error(&stream->error, WEIR_RESOURCE_DOCUMENTS, stream->account.limit.documents,
                                  stream->account.documents, 1);
                return NULL;
            }
            return doc;
        }
        if (stream->error.code == WEIR_E_EMPTY) {
            error_set(&stream->error, WEIR_E_NONE);
        } else {
            place_error(stream, input_offset(in));
        }
        return NULL;
    }
}

const weir_doc *weir_stream_next(weir_stream *stream, weir_error *error)
{
    const weir_doc *doc = NULL;
    if (stream->error.code == WEIR_E_NONE) {
        if (stream->reader) {
            weir_doc_free(stream->doc);
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
