/* JSON Pointer: RFC 6901 section 5, and the rules of sections 3 and 4. */
#include "value/notation.h"

static const char section5[] =
    "{'foo':['bar','baz'],'':0,'a/b':1,'c%d':2,'e^f':3,'g|h':4,'i\\\\j':5,'k\"l':6,' ':7,'m~n':8}";

static const char other[] = "{'a':[[1,2],{'b':'x','b':'y'}],'01':5,'-':6,5:7,'~1':8,'/':9,'t':@1 [1]}";

static void points(void **state)
{
    static const struct {
        const char *document, *pointer, *expected;
    } table[] = {
        {section5, "/foo", "['bar','baz']"},
        {section5, "/foo/0", "'bar'"},
        {section5, "/", "0"},
        {section5, "/a~1b", "1"},
        {section5, "/c%d", "2"},
        {section5, "/e^f", "3"},
        {section5, "/g|h", "4"},
        {section5, "/i\\j", "5"},
        {section5, "/k\"l", "6"},
        {section5, "/ ", "7"},
        {section5, "/m~0n", "8"},
        {other, "/a/0/1", "2"},
        {other, "/a/1/b", "'x'"}, /* the first of two */
        {other, "/01", "5"},      /* index rules are for arrays only */
        {other, "/-", "6"},
        {other, "/~01", "8"}, /* section 4: ~1 is decoded before ~0 */
        {other, "/~1", "9"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        weir_doc *doc = notation_doc(table[i].document);
        weir_error error;
        const weir_val *val =
            weir_pointer(weir_doc_root(doc), table[i].pointer, strlen(table[i].pointer), &error);
        assert_non_null(val);
        assert_int_equal(error.code, WEIR_E_NONE);
        assert_shows(val, table[i].expected);
        weir_doc_free(doc);
    }
}

static void whole(void **state)
{
    (void)state;
    weir_doc *doc = notation_doc(section5);
    assert_ptr_equal(weir_pointer(weir_doc_root(doc), "", 0, NULL), weir_doc_root(doc));
    assert_ptr_equal(weir_pointer(weir_doc_root(doc), NULL, 0, NULL), weir_doc_root(doc));
    weir_doc_free(doc);
}

static void fails(void **state)
{
    static const struct {
        const char *pointer;
        weir_code code;
        uint64_t offset;
    } table[] = {
        {"foo", WEIR_E_POINTER_SYNTAX, 0},
        {"#/a", WEIR_E_POINTER_SYNTAX, 0},
        {"/~", WEIR_E_POINTER_SYNTAX, 1},
        {"/~2", WEIR_E_POINTER_SYNTAX, 1},
        {"/nowhere/a~", WEIR_E_POINTER_SYNTAX, 10}, /* syntax does not depend on the document */
        {"/b", WEIR_E_POINTER_NOT_FOUND, 1},
        {"/a/2", WEIR_E_POINTER_NOT_FOUND, 3},
        {"/a/-", WEIR_E_POINTER_NOT_FOUND, 3},
        {"/a/00", WEIR_E_POINTER_NOT_FOUND, 3},
        {"/a/01", WEIR_E_POINTER_NOT_FOUND, 3},
        {"/a/+1", WEIR_E_POINTER_NOT_FOUND, 3},
        {"/a/", WEIR_E_POINTER_NOT_FOUND, 3},
        {"/a/1e0", WEIR_E_POINTER_NOT_FOUND, 3},
        {"/a/18446744073709551616", WEIR_E_POINTER_NOT_FOUND, 3},
        {"/a/99999999999999999999999", WEIR_E_POINTER_NOT_FOUND, 3},
        {"/a/0/0/x", WEIR_E_POINTER_NOT_FOUND, 7},
        {"/5", WEIR_E_POINTER_NOT_FOUND, 1},   /* the key is a number */
        {"/t/0", WEIR_E_POINTER_NOT_FOUND, 3}, /* tags are not looked through */
        {"/~0~1", WEIR_E_POINTER_NOT_FOUND, 1},
        {"/~0", WEIR_E_POINTER_NOT_FOUND, 1},
    };
    (void)state;
    weir_doc *doc = notation_doc(other);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        weir_error error;
        const weir_val *root = weir_doc_root(doc);
        assert_null(weir_pointer(root, table[i].pointer, strlen(table[i].pointer), &error));
        assert_int_equal(error.code, table[i].code);
        assert_int_equal(error.offset, table[i].offset);
        assert_null(weir_pointer(root, table[i].pointer, strlen(table[i].pointer), NULL));
    }
    weir_error error;
    assert_null(weir_pointer(NULL, "", 0, &error));
    assert_int_equal(error.code, WEIR_E_POINTER_NOT_FOUND);
    assert_null(weir_pointer(NULL, NULL, 1, &error));
    assert_int_equal(error.code, WEIR_E_ARGUMENT);
    weir_doc_free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(points), cmocka_unit_test(whole),
                                       cmocka_unit_test(fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
