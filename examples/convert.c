/* Convert bytes of one format into another: JSON to CBOR, and that to diagnostic notation for people. */
#include "example.h"

int main(int argc, char **argv)
{
    weir_buffer json = {0}, cbor = {0}, text = {0};
    load(argc > 1 ? argv[1] : "examples/data/gauges.json", &json);

    weir_error error;
    if (!weir_convert(weir_json, json.data, json.len, weir_cbor, NULL, &cbor, &error))
        fail_with(&error);
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.indent = 2;
    if (!weir_convert(weir_cbor, cbor.data, cbor.len, weir_cbor_diag, &options, &text, &error))
        fail_with(&error);
    printf("%zu bytes of JSON, %zu of CBOR:\n%.*s\n", json.len, cbor.len, (int)text.len, text.data);
    weir_buffer_free(&json);
    weir_buffer_free(&cbor);
    weir_buffer_free(&text);
    return 0;
}
