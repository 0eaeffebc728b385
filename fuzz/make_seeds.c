/* make_seeds FOLDER: writes the inputs that fuzzing starts from. Every text of the table below is converted
 * into every format that takes it; the raw rows are spellings that no writer of weir produces. The files
 * begin with the bytes that fuzz.h reads: format, options, and for the reader the size of its pieces. */
#include "fuzz.h"

static const char *const texts[] = {
    "null",
    "[]",
    "{}",
    "[0,1,23,24,255,256,65535,65536,4294967295,4294967296,18446744073709551615]",
    "[-1,-24,-25,-128,-129,-32768,-32769,-9223372036854775808]",
    "[0.0,-0.0,1.5,3.141592653589793,1e300,5e-324,2.2250738585072014e-308]",
    "[123456789012345678901234567890,1.00000000000000000000000001,1e400]",
    "\"caf\\u00e9 \\ud83d\\ude00 \\\"quoted\\\" \\\\ \\/ \\b\\f\\n\\r\\t\\u0000\"",
    "{\"a\":1,\"a\":2,\"\":null,\"key that is longer than sixteen bytes\":[true,false]}",
    "[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]",
    "{\"records\":[{\"id\":7,\"text\":\"benchmark-record\"},{\"id\":8,\"text\":\"\"}]}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"tools/call\",\"params\":{\"name\":\"echo\"},\"id\":1}",
    "[\"0123456789012345678901234567890123456789012345678901234567890123456789\"]",
};

typedef struct raw_seed {
    const char *format;
    const char *bytes;
    size_t len;
} raw_seed;

#define RAW(format, bytes)              \
    {                                   \
        format, bytes, sizeof bytes - 1 \
    }

static const raw_seed raw[] = {
    RAW("json", " [ 1 , 2.50e+01 ,\t\"\\uD83D\\uDE00\" ]\r\n"),
    RAW("json", "\xEF\xBB\xBF{}"),
    RAW("json", "[1,]"),
    RAW("ndjson", "1\n{\"a\":[2]}\r\n\n[bad\n\"last\""),
    RAW("json-seq", "\x1E[1]\n\x1E{\"a\":2}\n\x1E\"cut"),
    RAW("cbor", "\x9F\x01\xBF\x61\x61\x02\xFF\xFF"),
    RAW("cbor", "\x7F\x61\x61\x62\x62\x63\xFF"),
    RAW("cbor", "\x5F\x41\x01\x42\x02\x03\xFF"),
    RAW("cbor", "\xC2\x49\x01\0\0\0\0\0\0\0\0"),
    RAW("cbor", "\xC4\x82\x39\x01\x8F\x19\x6A\xB3"),
    RAW("cbor", "\xC1\x1A\x51\x4B\x67\xB0"),
    RAW("cbor", "\xD9\xD9\xF7\xA2\x01\xF9\x3C\0\x82\x02\xF7\xF8\xFF"),
    RAW("cbor", "\x83\xF9\x7E\0\xFA\x7F\x80\0\0\xFB\x3F\xB9\x99\x99\x99\x99\x99\x9A"),
    RAW("cbor", "\x1B\0\0\0\0\0\0\0\x01\x01"),
    RAW("cbor-diag", "[_ 1, h'01 02', b64'AQI=', (_ \"a\", \"b\"), 2(h'0100'), undefined, simple(99)]"),
    RAW("cbor-diag", "{1: 1.5_1, \"a\": 2.5_2, [1]: <<1, \"x\">>} # comment"),
    RAW("cbor-diag", "/ c / 'text bytes'"),
    RAW("msgpack", "\xD6\xFF\x51\x4B\x67\xB0"),
    RAW("msgpack", "\xC7\x0C\xFF\x00\x00\x00\x01\x00\x00\x00\x00\x51\x4B\x67\xB0"),
    RAW("msgpack", "\xD4\x05\x01\xC4\x02\x01\x02\xCA\x3F\xC0\0\0"),
    RAW("msgpack", "\xDC\0\x02\xCD\0\x01\xDE\0\x01\xA1\x61\xC0"),
    RAW("msgpack", "\x82\x93\x01\x02\x03\xC0\xC3\x81\x01\x02"),
};

static size_t index_of(const weir_format *format)
{
    size_t index = 0;
    while (weir_format_at(index) != format)
        index++;
    return index;
}

static void save(const char *folder, const weir_format *format, size_t number, const void *bytes, size_t len)
{
    static const struct {
        const char *target;
        size_t header; /* bytes before the data */
    } targets[] = {{"reader", 3}, {"roundtrip", 2}, {"fused", 2}};
    unsigned char header[3] = {(unsigned char)index_of(format), WEIR_NUMBERS_EXACT, 2};

    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/fuzz_%s/%s-%02zu", folder, targets[i].target,
                 weir_format_name(format), number);
        FILE *file = fopen(path, "wb");
        if (!file || fwrite(header, 1, targets[i].header, file) != targets[i].header ||
            fwrite(bytes, 1, len, file) != len || fclose(file) != 0) {
            perror(path);
            exit(1);
        }
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: make_seeds FOLDER (with a folder for each target in it)\n");
        return 2;
    }
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.numbers = WEIR_NUMBERS_EXACT;
    const weir_format *format;
    for (size_t i = 0; (format = weir_format_at(i)); i++) {
        size_t number = 0;
        for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
            weir_buffer out = {0};
            weir_error error;
            bool ok = weir_convert(weir_json, texts[k], strlen(texts[k]), format, &options, &out, &error);
            if (ok)
                save(argv[1], format, number++, out.data, out.len);
            weir_buffer_free(&out);
            if (!ok && weir_code_category(error.code) != WEIR_CATEGORY_LOSS) {
                fprintf(stderr, "%s to %s: %s\n", texts[k], weir_format_name(format),
                        weir_code_message(error.code));
                return 1;
            }
        }
        for (size_t k = 0; k < sizeof raw / sizeof raw[0]; k++)
            if (weir_format_find(raw[k].format) == format)
                save(argv[1], format, number++, raw[k].bytes, raw[k].len);
    }
    return 0;
}
