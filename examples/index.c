/* A document that is asked often: with an index, any key and any element cost the same, however large the
 * map. */
#include "example.h"

enum { STATIONS = 20000 };

int main(void)
{
    weir_error error;
    weir_writer *w = weir_writer_open_doc(NULL, &error);
    if (!w)
        fail_with(&error);
    weir_write_map(w, 2);
    weir_write_key(w, "stations", 8);
    weir_write_map(w, STATIONS);
    for (int i = 0; i < STATIONS; i++) {
        char name[16];
        weir_write_key(w, name, (size_t)snprintf(name, sizeof name, "S%05d", i));
        weir_write_uint(w, (uint64_t)i * i);
    }
    weir_write_end(w);
    weir_write_key(w, "tiers", 5);
    weir_write_array(w, STATIONS);
    for (int i = 0; i < STATIONS; i++) {
        weir_write_array(w, 1);
        weir_write_int(w, -i);
        weir_write_end(w);
    }
    weir_write_end(w);
    weir_write_end(w);
    if (!weir_writer_finish(w))
        fail_with(weir_writer_error(w));
    weir_doc *doc = weir_writer_take_doc(w);
    weir_writer_close(w);

    weir_index *index = weir_index_new(doc, NULL, &error); /* refers to the document */
    if (!index)
        fail_with(&error);
    const weir_val *root = weir_doc_root(doc);
    const weir_val *stations = weir_index_get(index, root, "stations", 8);
    const weir_val *tiers = weir_index_get(index, root, "tiers", 5);
    uint64_t square, sum = 0;
    for (int i = STATIONS - 1; i >= 0; i--) {
        char name[16];
        size_t len = (size_t)snprintf(name, sizeof name, "S%05d", i);
        expect(weir_val_u64(weir_index_get(index, stations, name, len), &square), "every station");
        expect(square == (uint64_t)i * i, "its value");
        int64_t tier;
        expect(weir_val_i64(weir_at(weir_index_at(index, tiers, (size_t)i), 0), &tier) && tier == -i,
               "every tier");
        sum += square;
    }
    /* The same answers as without, where a look-up walks through the map: */
    expect(weir_index_get(index, stations, "S19999", 6) == weir_getn(stations, "S19999", 6),
           "the same value");
    expect(!weir_index_get(index, stations, "nowhere", 7) && !weir_index_at(index, tiers, STATIONS),
           "nothing there");
    printf("%d keys looked up, sum of squares %llu\n", STATIONS, (unsigned long long)sum);
    weir_index_free(index);
    weir_doc_free(doc);
    return 0;
}
