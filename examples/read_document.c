/* Parse a whole document and look things up: keys, JSON Pointers, iteration. */
#include "example.h"

#include <string.h>

int main(int argc, char **argv)
{
    weir_buffer file = {0};
    load(argc > 1 ? argv[1] : "examples/data/gauges.json", &file);

    weir_error error;
    weir_doc *doc = weir_parse(weir_json, file.data, file.len, NULL, &error);
    if (!doc)
        fail_with(&error);
    weir_buffer_free(&file); /* the document owns what it needs */

    const weir_val *root = weir_doc_root(doc);
    const char *network = weir_val_cstr(weir_get(root, "network"));
    printf("%s\n", network ? network : "(no name)");

    weir_iter stations = weir_iter_of(weir_get(root, "stations"));
    while (weir_iter_next(&stations)) {
        const weir_val *readings = weir_get(stations.val, "readings");
        size_t count = weir_val_count(readings);
        const weir_val *last = count ? weir_at(readings, count - 1) : NULL;
        const char *name = weir_val_cstr(weir_get(stations.val, "name"));
        double stage;
        /* Asking a missing value is no error: it answers as a value of another kind would. */
        if (weir_val_f64(weir_get(last, "stage"), &stage))
            printf("  %s: %.3f m\n", name ? name : "?", stage);
        else
            printf("  %s: no reading\n", name ? name : "?");
    }

    const char *pointer = "/stations/1/alarm/message";
    const weir_val *message = weir_pointer(root, pointer, strlen(pointer), &error);
    if (!message)
        fail_with(&error);
    printf("alarm: %s\n", weir_val_cstr(message));
    weir_doc_free(doc);
    return 0;
}
