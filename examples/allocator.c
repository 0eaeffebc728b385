/* Memory under the caller's control: an allocator that keeps books and has a budget. Every object gives back
 * what it took, and running out is an error like any other. */
#include "example.h"

struct budget {
    size_t used, peak, most;
};

/* realloc that knows the old size: see weir/memory.h for the four cases. */
static void *resize(void *context, void *ptr, size_t old_size, size_t new_size)
{
    struct budget *budget = context;
    if (new_size > old_size && new_size - old_size > budget->most - budget->used)
        return NULL;
    void *result = NULL;
    if (new_size)
        result = realloc(ptr, new_size);
    else
        free(ptr);
    if (!result && new_size)
        return NULL;
    budget->used += new_size;
    budget->used -= old_size;
    if (budget->used > budget->peak)
        budget->peak = budget->used;
    return result;
}

int main(void)
{
    struct budget budget = {.most = 1 << 20};
    weir_allocator allocator = {resize, &budget};
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.allocator = &allocator; /* must outlive what is made with it */

    weir_buffer file = {.allocator = &allocator};
    load("examples/data/gauges.json", &file);
    weir_error error;
    weir_doc *doc = weir_parse(weir_json, file.data, file.len, &options, &error);
    if (!doc)
        fail_with(&error);
    printf("%zu bytes of JSON, a document of %zu bytes, %zu at most\n", file.len, weir_doc_memory(doc),
           budget.peak);
    expect(budget.used == file.cap + weir_doc_memory(doc), "the document is all that is left, and the file");
    weir_doc_free(doc);

    budget.most = budget.used + 1000;
    doc = weir_parse(weir_json, file.data, file.len, &options, &error);
    expect(!doc && error.code == WEIR_E_MEMORY, "the budget is too small");
    printf("with 1000 bytes more: %s\n", weir_code_message(error.code));
    weir_buffer_free(&file);
    expect(budget.used == 0, "everything came back");
    return 0;
}
