/* Write a document from events: the same calls make JSON, CBOR or MessagePack. Errors are sticky, so one
 * check at the end is enough; what can't be written in a format is refused, never bent in silence. */
#include "example.h"

#include <string.h>

static bool write_reading(weir_writer *writer)
{
    static const unsigned char checksum[4] = {0xDE, 0xAD, 0xBE, 0xEF};
    weir_write_map(writer, 3); /* entries, where they are known; WEIR_UNKNOWN else */
    weir_write_key(writer, "station", 7);
    weir_write_uint(writer, 48610);
    weir_write_key(writer, "stages", 6);
    weir_write_array(writer, 3);
    weir_write_double(writer, 1.482);
    weir_write_double(writer, 1.495);
    weir_write_null(writer);
    weir_write_end(writer);
    weir_write_key(writer, "checksum", 8);
    weir_write_bytes(writer, checksum, sizeof checksum);
    weir_write_end(writer);
    return weir_writer_finish(writer);
}

static void show(const weir_format *format, const weir_options *options)
{
    weir_buffer out = {0};
    weir_error error;
    weir_writer *writer = weir_writer_open(format, &out, options, &error);
    if (!writer)
        fail_with(&error);
    if (write_reading(writer)) {
        printf("%-10s %zu bytes", weir_format_name(format), out.len);
        if (weir_format_caps(format) & WEIR_CAP_TEXT)
            printf(": %.*s", (int)strcspn(out.data, "\n"), out.data);
        putchar('\n');
    } else {
        printf("%-10s refused: %s\n", weir_format_name(format),
               weir_code_message(weir_writer_error(writer)->code));
    }
    weir_writer_close(writer);
    weir_buffer_free(&out);
}

int main(void)
{
    show(weir_cbor, NULL);
    show(weir_msgpack, NULL);
    show(weir_json, NULL); /* JSON has no byte strings */
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.allow = WEIR_ALLOW_BYTES; /* unless base64 text will do */
    show(weir_json, &options);
    return 0;
}
