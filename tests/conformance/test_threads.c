/* Threads: everything may be used for the first time by several threads at once (what is chosen or drawn once
 * is then chosen by all of them), and documents and indexes may be shared. Tells more when built with
 * ThreadSanitizer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "weir/weir.h"

enum { THREADS = 8, ROUNDS = 200 };

struct shared {
    pthread_barrier_t start;
    weir_doc *doc;
    weir_index *index;
    const char *json;
};

struct result {
    struct shared *shared;
    size_t failures;
};

static size_t convert_all(const char *json)
{
    size_t failures = 0;
    weir_options options = WEIR_OPTIONS_DEFAULT;
    for (size_t i = 0; weir_format_at(i); i++) {
        weir_buffer there = {0}, back = {0};
        options.flags = i % 2 ? WEIR_SORT_KEYS : 0;
        options.duplicates = i % 2 ? WEIR_DUPLICATES_REJECT : WEIR_DUPLICATES_FIRST;
        failures += !weir_convert(weir_json, json, strlen(json), weir_format_at(i), &options, &there, NULL) ||
                    !weir_convert(weir_format_at(i), there.data, there.len, weir_json, &options, &back, NULL);
        weir_buffer_free(&there);
        weir_buffer_free(&back);
    }
    return failures;
}

static void *work(void *context)
{
    struct result *result = context;
    struct shared *shared = result->shared;
    pthread_barrier_wait(&shared->start);
    for (int round = 0; round < ROUNDS; round++) {
        weir_error error;
        weir_buffer out = {0};
        weir_doc *doc = weir_parse(weir_json, shared->json, strlen(shared->json), NULL, &error);
        result->failures += !doc;
        result->failures +=
            !weir_parse(weir_json, "[1,2", 4, NULL, &error) && error.code != WEIR_E_JSON_INCOMPLETE;
        weir_doc_free(doc);
        if (shared->doc) {
            const weir_val *root = weir_doc_root(shared->doc), *list = weir_get(root, "list");
            doc = weir_doc_copy(root, NULL, &error);
            result->failures += !doc || !weir_equal(weir_doc_root(doc), root, WEIR_EQ_UNORDERED, NULL);
            weir_doc_free(doc);
            result->failures += weir_index_get(shared->index, root, "list", 4) != list;
            result->failures += weir_index_at(shared->index, list, 3) != weir_at(list, 3);
            result->failures += !weir_write_val(weir_format_at((size_t)round % 6), root, NULL, &out, &error);
        }
        weir_buffer_free(&out);
        result->failures += round % 20 == 0 ? convert_all(shared->json) : 0;
        result->failures += weir_format_guess(shared->json, strlen(shared->json), true) != weir_json;
    }
    return NULL;
}

static void run(struct shared *shared)
{
    pthread_t threads[THREADS];
    struct result results[THREADS];
    assert_int_equal(pthread_barrier_init(&shared->start, NULL, THREADS), 0);
    for (int i = 0; i < THREADS; i++) {
        results[i] = (struct result){shared, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &results[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(results[i].failures, 0);
    }
    pthread_barrier_destroy(&shared->start);
}

static const char json[] =
    "{\"list\": [1, -2, 3.25, \"four \\u00e9\", null, [true]], \"key\": \"a text that is longer than"
    " any vector of the machine, so that every kernel has something to do\", \"deep\": [[[{}]]]}";

/* Must stand first: nothing was used before. */
static void the_first_use_by_many(void **state)
{
    (void)state;
    struct shared shared = {.json = json};
    run(&shared);
}

static void documents_are_shared(void **state)
{
    (void)state;
    struct shared shared = {.json = json};
    shared.doc = weir_parse(weir_json, json, strlen(json), NULL, NULL);
    shared.index = weir_index_new(shared.doc, NULL, NULL);
    assert_non_null(shared.index);
    run(&shared);
    weir_index_free(shared.index);
    weir_doc_free(shared.doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_use_by_many),
        cmocka_unit_test(documents_are_shared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
