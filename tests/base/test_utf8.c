/*
 * UTF-8 against the definition (Unicode, table 3-7), and every scanning kernel against the portable one,
 * which is itself held against one loop per byte: all lengths and alignments, up to the edge of readable
 * memory.
 */
#define _DEFAULT_SOURCE
#include "base/simd.h"
#include "base/utf8.h"
#include "test_random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

#define TEXT(s) s, sizeof(s) - 1

struct utf8_case {
    const char *rule;
    const char *text;
    size_t n;
    size_t prefix;   /* longest valid prefix */
    bool incomplete; /* what follows it may be completed */
    size_t count;
};

static const struct utf8_case utf8_cases[] = {
    {"empty", TEXT(""), 0, false, 0},
    {"ASCII", TEXT("abc"), 3, false, 3},
    {"NUL is a scalar value", TEXT("a\0b"), 3, false, 3},
    {"U+007F, U+0080", TEXT("\x7F\xC2\x80"), 3, false, 2},
    {"U+07FF, U+0800", TEXT("\xDF\xBF\xE0\xA0\x80"), 5, false, 2},
    {"U+D7FF, U+E000", TEXT("\xED\x9F\xBF\xEE\x80\x80"), 6, false, 2},
    {"U+FFFF, U+10000", TEXT("\xEF\xBF\xBF\xF0\x90\x80\x80"), 7, false, 2},
    {"U+10FFFF", TEXT("\xF4\x8F\xBF\xBF"), 4, false, 1},
    {"lone continuation", TEXT("a\x80"), 1, false, 2},
    {"overlong of 2: C0", TEXT("a\xC0\x80"), 1, false, 3},
    {"overlong of 2: C1", TEXT("a\xC1\xBF"), 1, false, 3},
    {"overlong of 3", TEXT("\xE0\x9F\xBF"), 0, false, 3},
    {"overlong of 4", TEXT("\xF0\x8F\xBF\xBF"), 0, false, 4},
    {"first surrogate", TEXT("\xED\xA0\x80"), 0, false, 3},
    {"last surrogate", TEXT("\xED\xBF\xBF"), 0, false, 3},
    {"above U+10FFFF", TEXT("\xF4\x90\x80\x80"), 0, false, 4},
    {"F5", TEXT("\xF5\x80\x80\x80"), 0, false, 4},
    {"FE and FF", TEXT("\xFE\xFF"), 0, false, 2},
    {"lead then ASCII",
     TEXT("\xC3"
          "a"),
     0, false, 2},
    {"lead then lead", TEXT("\xC3\xC3\xA4"), 0, false, 2},
    {"third byte missing",
     TEXT("\xE2\x82"
          "a"),
     0, false, 3},
    {"cut after 1 of 2", TEXT("a\xC3"), 1, true, 2},
    {"cut after 1 of 3", TEXT("\xE2"), 0, true, 1},
    {"cut after 2 of 3", TEXT("\xE2\x82"), 0, true, 2},
    {"cut after 1 of 4", TEXT("\xF0"), 0, true, 1},
    {"cut after 3 of 4", TEXT("\xF0\x9F\x98"), 0, true, 3},
    {"cut, but overlong already", TEXT("\xE0\x80"), 0, false, 2},
    {"cut, but a surrogate already", TEXT("\xED\xA0"), 0, false, 2},
    {"cut, but too large already", TEXT("\xF4\x90"), 0, false, 2},
    {"mixed", TEXT("gr\xC3\xBC\xC3\x9F \xE2\x82\xAC \xF0\x9F\x98\x80"), 15, false, 8},
};

static const char *const kernel_names[] = {"portable", "sse2", "avx2", "avx512", "neon"};

#define EACH_KERNEL(k)                                                                       \
    for (size_t index_ = 0; index_ < sizeof kernel_names / sizeof kernel_names[0]; index_++) \
        for (const struct simd_kernels *k = simd_kernels_named(kernel_names[index_]); k; k = NULL)

static void test_utf8_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof utf8_cases / sizeof utf8_cases[0]; i++) {
        const struct utf8_case *c = &utf8_cases[i];
        bool incomplete;
        size_t prefix = utf8_valid_prefix(c->text, c->n, &incomplete);
        if (prefix != c->prefix || incomplete != c->incomplete || utf8_count(c->text, c->n) != c->count ||
            utf8_valid(c->text, c->n) != (c->prefix == c->n))
            fail_msg("%s: prefix %zu, incomplete %d, count %zu", c->rule, prefix, incomplete,
                     utf8_count(c->text, c->n));
        EACH_KERNEL(k)
        assert_int_equal(k->utf8_valid((const uint8_t *)c->text, c->n), c->prefix == c->n);
    }
}

/* Every scalar value there and back; then no sequence is accepted that none of them gives. */
static void test_utf8_exhaustive(void **state)
{
    (void)state;
    for (uint32_t scalar = 0; scalar < 0x110400; scalar++) {
        char text[4];
        size_t n = utf8_encode(scalar, text);
        bool real = scalar < 0xD800 || (scalar > 0xDFFF && scalar < 0x110000);
        assert_int_equal(n != 0, real);
        if (n == 0)
            continue;
        assert_int_equal(n, scalar < 0x80 ? 1 : scalar < 0x800 ? 2 : scalar < 0x10000 ? 3 : 4);
        uint32_t back;
        assert_int_equal(utf8_decode(text, n, &back), (int)n);
        assert_int_equal(back, scalar);
        for (size_t cut = 1; cut < n; cut++)
            assert_int_equal(utf8_decode(text, cut, &back), -1);
    }
    /* There are exactly that many sequences of each length. */
    static const uint32_t expected[4] = {0x80, 0x780, 0x10000 - 0x800 - 0x800, 0x100000};
    uint32_t found[4] = {0};
    for (uint32_t bytes = 0; bytes < 1u << 16; bytes++)
        for (uint32_t tail = 0; tail < 16; tail++) {
            /* Third and fourth bytes at the edges of each class. */
            static const uint8_t edges[4] = {0x7F, 0x80, 0xBF, 0xC0};
            char text[4] = {(char)(bytes >> 8), (char)bytes, (char)edges[tail >> 2], (char)edges[tail & 3]};
            uint32_t scalar;
            int n = utf8_decode(text, 4, &scalar);
            if (n > 0) {
                char again[4];
                assert_int_equal(utf8_encode(scalar, again), (size_t)n);
                assert_memory_equal(text, again, (size_t)n);
            }
            if (n > 0)
                found[n - 1]++;
        }
    /* A sequence of one byte is met 256 * 16 times, of two 16, of three 4 of 16 with 2 of 64 thirds. */
    assert_int_equal(found[0], expected[0] * 256 * 16);
    assert_int_equal(found[1], expected[1] * 16);
    assert_int_equal(found[2], expected[2] / 64 * 2 * 4);
    assert_int_equal(found[3], expected[3] / 4096 * 4);
}

/* All pairs of bytes, before four kinds of tail and across vector boundaries: decoded and validated alike. */
static void test_kernels_on_all_pairs(void **state)
{
    (void)state;
    EACH_KERNEL(k)
    for (uint32_t pair = 0; pair < 1u << 16; pair++) {
        static const uint8_t tails[][2] = {{'a', 'a'}, {0x80, 'a'}, {0xBF, 0xBF}, {0x80, 0xC0}};
        for (size_t t = 0; t < 4; t++) {
            uint8_t text[80];
            memset(text, 'x', sizeof text);
            size_t at = 28 + pair % 8; /* across the boundaries of 16 and 32 */
            text[at] = (uint8_t)(pair >> 8);
            text[at + 1] = (uint8_t)pair;
            text[at + 2] = tails[t][0];
            text[at + 3] = tails[t][1];
            size_t i = 0;
            int length = 1;
            for (uint32_t scalar; i < sizeof text && length > 0; i += (size_t)length)
                length = utf8_decode(text + i, sizeof text - i, &scalar);
            assert_int_equal(k->utf8_valid(text, sizeof text), length > 0);
        }
    }
}

/* ---- kernels against one loop per byte ---- */

#define MAX 300

static uint8_t *guarded; /* MAX + 64 bytes that end where readable memory does */

static int setup(void **state)
{
    (void)state;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *map = mmap(NULL, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED || mprotect(map, page, PROT_NONE) != 0 ||
        mprotect(map + 3 * page, page, PROT_NONE) != 0)
        return -1;
    guarded = map + 3 * page;
    return 0;
}

static size_t slow_find(const uint8_t *p, size_t n, const char *set, size_t set_size, bool control,
                        bool invert)
{
    for (size_t i = 0; i < n; i++) {
        bool hit = memchr(set, p[i], set_size) != NULL || (control && p[i] < 0x20);
        if (hit != invert)
            return i;
    }
    return n;
}

static size_t slow_non_ascii(const uint8_t *p, size_t n)
{
    size_t i = 0;
    while (i < n && p[i] < 0x80)
        i++;
    return i;
}

static bool slow_valid(const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n;) {
        uint32_t scalar;
        int length = utf8_decode(p + i, n - i, &scalar);
        if (length <= 0)
            return false;
        i += (size_t)length;
    }
    return true;
}

static void compare_kernel(const struct simd_kernels *k, const uint8_t *p, size_t n, const uint8_t set[4])
{
    size_t starts = 0, equal = 0;
    for (size_t i = 0; i < n; i++) {
        starts += (p[i] & 0xC0) != 0x80;
        equal += p[i] == set[0];
    }
    if (k->utf8_valid(p, n) != slow_valid(p, n) || k->utf8_count(p, n) != starts ||
        k->count_byte(p, n, set[0]) != equal ||
        k->find_quote_escape_control(p, n) != slow_find(p, n, "\"\\", 2, true, false) ||
        k->skip_json_space(p, n) != slow_find(p, n, " \t\n\r", 4, false, true) ||
        k->find_non_ascii(p, n) != slow_non_ascii(p, n) ||
        k->find_byte2(p, n, set[0], set[1]) != slow_find(p, n, (const char *)set, 2, false, false) ||
        k->find_byte4(p, n, set) != slow_find(p, n, (const char *)set, 4, false, false))
        fail_msg("kernel %s differs at length %zu", k->name, n);
}

/* Texts of one style: mostly harmless bytes, now and then one that matters. */
static void fill(uint8_t *p, size_t n, uint64_t *random)
{
    static const uint8_t matters[] = {'"',  '\\', 0,    0x1F, 0x20, 0x7F, 0x80,
                                      0xBF, 0xC2, 0xE0, 0xED, 0xF0, 0xF4, 0xFF};
    uint64_t style = random_next(random) % 6;
    uint64_t rate = style < 2 ? 400 : 12;
    for (size_t i = 0; i < n;) {
        uint64_t r = random_next(random);
        if (r % rate == 0) {
            p[i++] = matters[(r >> 32) % sizeof matters];
        } else if (style % 3 == 0) {
            p[i++] = (uint8_t)(' ' + (r >> 32) % 0x5F);
        } else if (style % 3 == 1) {
            p[i++] = (uint8_t) " \t\n\r"[(r >> 32) % 4];
        } else {
            char text[4];
            uint32_t scalar = (uint32_t)(r >> 32) >> (11 + (r >> 16) % 18);
            size_t length = utf8_encode(scalar > 0x10FFFF || scalar >> 11 == 0x1B ? 'x' : scalar, text);
            for (size_t j = 0; j < length && i < n; j++)
                p[i++] = (uint8_t)text[j];
        }
    }
}

/* Every length 0..300, so placed that it ends at the last readable byte or begins at any alignment. */
static void kernels_at_all_places(uint64_t random, int rounds)
{
    EACH_KERNEL(k)
    for (int round = 0; round < rounds; round++)
        for (size_t n = 0; n <= MAX; n++) {
            uint64_t r = random_next(&random);
            uint8_t set[4] = {(uint8_t)(r >> 8), (uint8_t)(r >> 16), (uint8_t)(r >> 24), (uint8_t)(r >> 32)};
            if (r % 2)
                memcpy(set, ",\"\r\n", 4);
            uint8_t *p = guarded - n;
            fill(p, n, &random);
            compare_kernel(k, p, n, set);
            p = guarded - MAX - 64 + r % 64;
            fill(p, n, &random);
            compare_kernel(k, p, n, set);
        }
}

static void test_kernels_fixed_seed(void **state)
{
    (void)state;
    kernels_at_all_places(FIXED_SEED, 40);
}

static void test_kernels_random_seed(void **state)
{
    (void)state;
    kernels_at_all_places(random_seed(), 10);
}

/* One byte that matters at every index of every length finds exactly that index. */
static void test_kernels_single_hit(void **state)
{
    (void)state;
    EACH_KERNEL(k)
    for (size_t n = 1; n <= MAX; n++)
        for (size_t at = 0; at < n; at++) {
            uint8_t *p = guarded - n;
            memset(p, 'x', n);
            p[at] = '"';
            assert_int_equal(k->find_quote_escape_control(p, n), at);
            assert_int_equal(k->find_byte2(p, n, '"', '#'), at);
            assert_int_equal(k->find_byte4(p, n, (const uint8_t *)"abc\""), at);
            assert_int_equal(k->count_byte(p, n, '"'), 1);
            p[at] = 0xFF;
            assert_int_equal(k->find_non_ascii(p, n), at);
            assert_false(k->utf8_valid(p, n));
            memset(p, ' ', n);
            p[at] = 0x0B;
            assert_int_equal(k->skip_json_space(p, n), at);
        }
}

/* Counters that gather in bytes do not overflow on long runs. */
static void test_kernels_long_runs(void **state)
{
    (void)state;
    size_t n = 300000;
    uint8_t *p = malloc(n);
    assert_non_null(p);
    memset(p, '\n', n);
    EACH_KERNEL(k)
    {
        assert_int_equal(k->count_byte(p, n, '\n'), n);
        assert_int_equal(k->utf8_count(p, n), n);
        assert_int_equal(k->skip_json_space(p, n), n);
    }
    free(p);
}

/* The prefix of a long text ends exactly before its fault, wherever that is. */
static void test_prefix_of_long_texts(void **state)
{
    (void)state;
    size_t n = 20000;
    char *p = malloc(n);
    assert_non_null(p);
    for (size_t i = 0; i < n; i++)
        p[i] = "\xE2\x82\xAC"[i % 3];
    for (size_t cut = n - 5; cut <= n; cut++) {
        bool incomplete;
        assert_int_equal(utf8_valid_prefix(p, cut, &incomplete), cut / 3 * 3);
        assert_int_equal(incomplete, cut % 3 != 0);
    }
    for (size_t at = 0; at < n / 3 * 3; at += 61) {
        char kept = p[at];
        p[at] = (char)0xFF;
        bool incomplete;
        assert_int_equal(utf8_valid_prefix(p, n / 3 * 3, &incomplete), at / 3 * 3);
        assert_false(incomplete);
        p[at] = kept;
    }
    free(p);
}

static void test_width(void **state)
{
    (void)state;
    static const struct {
        uint32_t scalar;
        int width;
    } cases[] = {{'a', 1},     {0x1B, 0},    {0x7F, 0},   {0xAD, 1},   {0xE9, 1},    {0x300, 0},
                 {0x36F, 0},   {0x370, 1},   {0x1100, 2}, {0x1160, 0}, {0x200B, 0},  {0x200D, 0},
                 {0x2028, 0},  {0x20AC, 1},  {0x3000, 2}, {0x3042, 2}, {0x4E2D, 2},  {0x9FFF, 2},
                 {0xAC00, 2},  {0xFE0F, 0},  {0xFF21, 2}, {0xFF71, 1}, {0x1F600, 2}, {0x20000, 2},
                 {0xE0001, 0}, {0x10FFFF, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (utf8_width(cases[i].scalar) != cases[i].width)
            fail_msg("U+%04X: %d", (unsigned)cases[i].scalar, utf8_width(cases[i].scalar));
}

static void test_dispatch(void **state)
{
    (void)state;
    const struct simd_kernels *best = simd_kernels();
    assert_ptr_equal(best, simd_kernels());
    assert_ptr_equal(best, simd_kernels_named(best->name));
    assert_non_null(simd_kernels_named("portable"));
    assert_null(simd_kernels_named("none"));
    EACH_KERNEL(k)
    printf("kernels: %s%s\n", k->name, k == best ? " (chosen)" : "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dispatch),
        cmocka_unit_test(test_utf8_table),
        cmocka_unit_test(test_utf8_exhaustive),
        cmocka_unit_test(test_kernels_on_all_pairs),
        cmocka_unit_test(test_kernels_fixed_seed),
        cmocka_unit_test(test_kernels_random_seed),
        cmocka_unit_test(test_kernels_single_hit),
        cmocka_unit_test(test_kernels_long_runs),
        cmocka_unit_test(test_prefix_of_long_texts),
        cmocka_unit_test(test_width),
    };
    return cmocka_run_group_tests_name("utf8", tests, setup, NULL);
}
