/* The JSON parsing test suite (github.com/nst/JSONTestSuite): every y_ file is accepted, every n_ file
 * refused, and each i_ file has a verdict here, with its reason. The tables of test_reader.c prove the same
 * rules without it. */
#include "events.h"

#include <dirent.h>

#include "support.h"

/* What the standard leaves open, as weir decides it (strict numbers). */
static const struct verdict {
    const char *file, *events; /* NULL: only whether it is accepted matters */
} verdicts[] = {
    /* a double that is not finite is refused, one that is too small is zero */
    {"i_number_double_huge_neg_exp.json", "[ d0 . ; $"},
    {"i_number_huge_exp.json", "[ !json/float-out-of-range@1 1:2"},
    {"i_number_neg_int_huge_exp.json", "[ !json/float-out-of-range@1 1:2"},
    {"i_number_pos_double_huge_exp.json", "[ !json/float-out-of-range@1 1:2"},
    {"i_number_real_neg_overflow.json", "[ !json/float-out-of-range@1 1:2"},
    {"i_number_real_pos_overflow.json", "[ !json/float-out-of-range@1 1:2"},
    {"i_number_real_underflow.json", "[ d0 . ; $"},
    /* an integer outside 64 bits is refused */
    {"i_number_too_big_neg_int.json", "[ !json/integer-out-of-range@1 1:2"},
    {"i_number_too_big_pos_int.json", "[ !json/integer-out-of-range@1 1:2"},
    {"i_number_very_big_negative_int.json", "[ !json/integer-out-of-range@1 1:2"},
    /* surrogates come in pairs */
    {"i_object_key_lone_2nd_surrogate.json", "{ !json/unpaired-surrogate@8 1:9"},
    {"i_string_1st_surrogate_but_2nd_missing.json", "[ !json/unpaired-surrogate@8 1:9"},
    {"i_string_1st_valid_surrogate_2nd_invalid.json", "[ !json/unpaired-surrogate@14 1:15"},
    {"i_string_incomplete_surrogate_and_escape_valid.json", "[ !json/unpaired-surrogate@8 1:9"},
    {"i_string_incomplete_surrogate_pair.json", "[ !json/unpaired-surrogate@8 1:9"},
    {"i_string_incomplete_surrogates_escape_valid.json", "[ !json/unpaired-surrogate@14 1:15"},
    {"i_string_invalid_lonely_surrogate.json", "[ !json/unpaired-surrogate@8 1:9"},
    {"i_string_invalid_surrogate.json", "[ !json/unpaired-surrogate@8 1:9"},
    {"i_string_inverted_surrogates_U+1D11E.json", "[ !json/unpaired-surrogate@8 1:9"},
    {"i_string_lone_second_surrogate.json", "[ !json/unpaired-surrogate@8 1:9"},
    /* text is valid UTF-8 (RFC 3629), and nothing else */
    {"i_string_UTF-8_invalid_sequence.json", "[ !json/invalid-utf8@7 1:5"},
    {"i_string_UTF8_surrogate_U+D800.json", "[ !json/invalid-utf8@2 1:3"},
    {"i_string_invalid_utf-8.json", "[ !json/invalid-utf8@2 1:3"},
    {"i_string_iso_latin_1.json", "[ !json/invalid-utf8@2 1:3"},
    {"i_string_lone_utf8_continuation_byte.json", "[ !json/invalid-utf8@2 1:3"},
    {"i_string_not_in_unicode_range.json", "[ !json/invalid-utf8@2 1:3"},
    {"i_string_overlong_sequence_2_bytes.json", "[ !json/invalid-utf8@2 1:3"},
    {"i_string_overlong_sequence_6_bytes.json", "[ !json/invalid-utf8@2 1:3"},
    {"i_string_overlong_sequence_6_bytes_null.json", "[ !json/invalid-utf8@2 1:3"},
    {"i_string_truncated-utf-8.json", "[ !json/invalid-utf8@2 1:3"},
    {"i_string_UTF-16LE_with_BOM.json", "!json/unexpected-byte@0 1:1"},
    {"i_string_utf16BE_no_BOM.json", "!json/unexpected-byte@0 1:1"},
    {"i_string_utf16LE_no_BOM.json", "[ !json/unexpected-byte@1 1:2"},
    /* 500 levels are within the default depth of 1,024 */
    {"i_structure_500_nested_arrays.json", NULL},
    /* a byte order mark is refused unless allowed */
    {"i_structure_UTF-8_BOM_empty_object.json", "!json/byte-order-mark@0 1:1"},
};

static const struct verdict *verdict_of(const char *name)
{
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
        if (strcmp(verdicts[i].file, name) == 0) {
            return verdicts + i;
        }
    }
    return NULL;
}

static bool accepted(const char *events)
{
    size_t len = strlen(events);
    return len > 0 && events[len - 1] == '$';
}

/* One file, from memory and byte by byte. */
static void check_file(const char *name, const char *data, size_t len)
{
    char *events = events_of(weir_json, data, len, NULL);
    char *pieces = events_of_pieces(weir_json, data, len, 1, NULL);
    const struct verdict *verdict = verdict_of(name);
    bool expected = name[0] == 'y' || (verdict && !verdict->events);
    if (accepted(events) != expected && !(verdict && verdict->events)) {
        print_message("%s: %.200s\n", name, events);
        assert_int_equal(accepted(events), expected);
    }
    if (verdict && verdict->events && strcmp(events, verdict->events) != 0) {
        print_message("%s\n", name);
        assert_string_equal(events, verdict->events);
    }
    assert_string_equal(events, pieces);
    free(events);
    free(pieces);
}

static void suite(void **state)
{
    (void)state;
    char folder[512], path[1024];
    if (!corpora_path(folder, sizeof folder, "json/parsing")) {
        print_message("the JSON parsing test suite is not here\n");
        skip();
    }
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    size_t valid = 0, invalid = 0, open = 0;
    struct dirent *entry;
    while ((entry = readdir(dir))) {
        const char *name = entry->d_name;
        size_t len;
        if ((name[0] != 'y' && name[0] != 'n' && name[0] != 'i') || name[1] != '_') {
            continue;
        }
        snprintf(path, sizeof path, "%s/%s", folder, name);
        char *data = read_file(path, &len);
        assert_non_null(data);
        if (name[0] == 'i' && !verdict_of(name)) {
            fail_msg("%s has no verdict", name);
        }
        check_file(name, data, len);
        free(data);
        valid += name[0] == 'y';
        invalid += name[0] == 'n';
        open += name[0] == 'i';
    }
    closedir(dir);
    assert_int_equal(valid, 95);
    assert_int_equal(invalid, 188);
    assert_int_equal(open, sizeof verdicts / sizeof *verdicts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(suite)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
