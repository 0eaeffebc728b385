/* CBOR reader: RFC 8949 with its appendices A and F, sequences (RFC 8742), policies, limits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "event_text.h"

static weir_options options_with(weir_numbers numbers)
{
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.numbers = numbers;
    return options;
}

/* RFC 8949 appendix A, in its order. */
static const struct row appendix_a[] = {
    {"00", "0 |"},
    {"01", "1 |"},
    {"0a", "10 |"},
    {"17", "23 |"},
    {"1818", "24 |"},
    {"1819", "25 |"},
    {"1864", "100 |"},
    {"1903e8", "1000 |"},
    {"1a000f4240", "1000000 |"},
    {"1b000000e8d4a51000", "1000000000000 |"},
    {"1bffffffffffffffff", "18446744073709551615 |"},
    {"c249010000000000000000", "number(18446744073709551616) |"},
    {"3bffffffffffffffff", "number(-18446744073709551616) |"},
    {"c349010000000000000000", "number(-18446744073709551617) |"},
    {"20", "-1 |"},
    {"29", "-10 |"},
    {"3863", "-100 |"},
    {"3903e7", "-1000 |"},
    {"f90000", "0.0_1 |"},
    {"f98000", "-0.0_1 |"},
    {"f93c00", "1.0_1 |"},
    {"fb3ff199999999999a", "1.1 |"},
    {"f93e00", "1.5_1 |"},
    {"f97bff", "65504.0_1 |"},
    {"fa47c35000", "100000.0_2 |"},
    {"fa7f7fffff", "3.4028234663852886e38_2 |"},
    {"fb7e37e43c8800759c", "1e300 |"},
    {"f90001", "5.960464477539063e-8_1 |"},
    {"f90400", "0.00006103515625_1 |"},
    {"f9c400", "-4.0_1 |"},
    {"fbc010666666666666", "-4.1 |"},
    {"f97c00", "inf_1 |"},
    {"f97e00", "nan:7ff8000000000000_1 |"},
    {"f9fc00", "-inf_1 |"},
    {"fa7f800000", "inf_2 |"},
    {"fa7fc00000", "nan:7ff8000000000000_2 |"},
    {"faff800000", "-inf_2 |"},
    {"fb7ff0000000000000", "inf |"},
    {"fb7ff8000000000000", "nan:7ff8000000000000 |"},
    {"fbfff0000000000000", "-inf |"},
    {"f4", "false |"},
    {"f5", "true |"},
    {"f6", "null |"},
    {"f7", "#undefined null |"},
    {"f0", "#simple 16 |"},
    {"f8ff", "#simple 255 |"},
    {"c074323031332d30332d32315432303a30343a30305a", "#0 \"2013-03-21T20:04:00Z\" |"},
    {"c11a514b67b0", "#1 1363896240 |"},
    {"c1fb41d452d9ec200000", "#1 1363896240.5 |"},
    {"d74401020304", "#23 h'01020304' |"},
    {"d818456449455446", "#24 h'6449455446' |"},
    {"d82076687474703a2f2f7777772e6578616d706c652e636f6d", "#32 \"http://www.example.com\" |"},
    {"40", "h'' |"},
    {"4401020304", "h'01020304' |"},
    {"60", "\"\" |"},
    {"6161", "\"a\" |"},
    {"6449455446", "\"IETF\" |"},
    {"62225c", "\"\"\\\" |"},
    {"62c3bc", "\"\303\274\" |"},
    {"63e6b0b4", "\"\346\260\264\" |"},
    {"64f0908591", "\"\360\220\205\221\" |"},
    {"80", "[0 end |"},
    {"83010203", "[3 1 2 3 end |"},
    {"8301820203820405", "[3 1 [2 2 3 end [2 4 5 end end |"},
    {"98190102030405060708090a0b0c0d0e0f101112131415161718181819",
     "[25 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 end |"},
    {"a0", "{0 end |"},
    {"a201020304", "{2 1: 2 3: 4 end |"},
    {"a26161016162820203", "{2 \"a\": 1 \"b\": [2 2 3 end end |"},
    {"826161a161626163", "[2 \"a\" {1 \"b\": \"c\" end end |"},
    {"a56161614161626142616361436164614461656145",
     "{5 \"a\": \"A\" \"b\": \"B\" \"c\": \"C\" \"d\": \"D\" \"e\": \"E\" end |"},
    {"5f42010243030405ff", "h'0102030405' |"},
    {"7f657374726561646d696e67ff", "\"streaming\" |"},
    {"9fff", "[_ end |"},
    {"9f018202039f0405ffff", "[_ 1 [2 2 3 end [_ 4 5 end end |"},
    {"9f01820203820405ff", "[_ 1 [2 2 3 end [2 4 5 end end |"},
    {"83018202039f0405ff", "[3 1 [2 2 3 end [_ 4 5 end end |"},
    {"83019f0203ff820405", "[3 1 [_ 2 3 end [2 4 5 end end |"},
    {"9f0102030405060708090a0b0c0d0e0f101112131415161718181819ff",
     "[_ 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 end |"},
    {"bf61610161629f0203ffff", "{_ \"a\": 1 \"b\": [_ 2 3 end end |"},
    {"826161bf61626163ff", "[2 \"a\" {_ \"b\": \"c\" end end |"},
    {"bf6346756ef563416d7421ff", "{_ \"Fun\": true \"Amt\": -2 end |"},
};

static void examples_of_the_standard(void **state)
{
    (void)state;
    weir_options exact = options_with(WEIR_NUMBERS_EXACT);
    EXPECT_EVENTS(weir_cbor, appendix_a, &exact);
}

/* A document that is right, cut anywhere, is incomplete. */
static void cut_examples(void **state)
{
    (void)state;
    weir_options exact = options_with(WEIR_NUMBERS_EXACT);
    for (size_t i = 0; i < sizeof appendix_a / sizeof *appendix_a; i++) {
        expect_cuts(weir_cbor, appendix_a[i].input, &exact);
    }
    expect_cuts(weir_cbor, "c482190190c249010000000000000000", &exact);
    expect_cuts(weir_cbor, "5f42010243030405405b00000000000000010aff", &exact);
}

/* RFC 8949 appendix F: all of these are not well-formed. */
static void not_well_formed(void **state)
{
    (void)state;
    static const struct row rows[] = {
        /* end of input in a head */
        {"18", "!cbor/incomplete@1"},
        {"19", "!cbor/incomplete@1"},
        {"1a", "!cbor/incomplete@1"},
        {"1b", "!cbor/incomplete@1"},
        {"1901", "!cbor/incomplete@2"},
        {"1a0102", "!cbor/incomplete@3"},
        {"1b01020304050607", "!cbor/incomplete@8"},
        {"38", "!cbor/incomplete@1"},
        {"58", "!cbor/incomplete@1"},
        {"78", "!cbor/incomplete@1"},
        {"98", "!cbor/incomplete@1"},
        {"9a01ff00", "!cbor/incomplete@4"},
        {"b8", "!cbor/incomplete@1"},
        {"d8", "!cbor/incomplete@1"},
        {"f8", "!cbor/incomplete@1"},
        {"f900", "!cbor/incomplete@2"},
        {"fa0000", "!cbor/incomplete@3"},
        {"fb000000", "!cbor/incomplete@4"},
        /* definite-length strings with short data */
        {"41", "!cbor/incomplete@1"},
        {"61", "!cbor/incomplete@1"},
        {"5affffffff00", "!cbor/incomplete@6"},
        {"5bffffffffffffffff010203", "!cbor/incomplete@12"},
        {"7affffffff00", "!cbor/incomplete@6"},
        {"7b7fffffffffffffff010203", "!cbor/incomplete@12"},
        /* definite-length maps and arrays not closed with enough items */
        {"81", "[1 !cbor/incomplete@1"},
        {"818181818181818181", "[1 [1 [1 [1 [1 [1 [1 [1 [1 !cbor/incomplete@9"},
        {"8200", "[2 0 !cbor/incomplete@2"},
        {"a1", "{1 !cbor/incomplete@1"},
        {"a20102", "{2 1: 2 !cbor/incomplete@3"},
        {"a100", "{1 0: !cbor/incomplete@2"},
        {"a2000000", "{2 0: 0 0: !cbor/incomplete@4"},
        /* tag number not followed by tag content */
        {"c0", "#0 !cbor/incomplete@1"},
        /* indefinite-length strings, arrays and maps not closed */
        {"5f4100", "!cbor/incomplete@3"},
        {"7f6100", "!cbor/incomplete@3"},
        {"9f", "[_ !cbor/incomplete@1"},
        {"9f0102", "[_ 1 2 !cbor/incomplete@3"},
        {"bf", "{_ !cbor/incomplete@1"},
        {"bf01020102", "{_ 1: 2 1: 2 !cbor/incomplete@5"},
        {"819f", "[1 [_ !cbor/incomplete@2"},
        {"9f8000", "[_ [0 end 0 !cbor/incomplete@3"},
        {"9f9f9f9f9fffffffff", "[_ [_ [_ [_ [_ end end end end !cbor/incomplete@9"},
        {"9f819f819f9fffffff", "[_ [1 [_ [1 [_ [_ end end end end end !cbor/incomplete@9"},
        /* reserved additional information */
        {"1c", "!cbor/reserved-head@0"},
        {"1d", "!cbor/reserved-head@0"},
        {"1e", "!cbor/reserved-head@0"},
        {"3c", "!cbor/reserved-head@0"},
        {"3d", "!cbor/reserved-head@0"},
        {"3e", "!cbor/reserved-head@0"},
        {"5c", "!cbor/reserved-head@0"},
        {"5d", "!cbor/reserved-head@0"},
        {"5e", "!cbor/reserved-head@0"},
        {"7c", "!cbor/reserved-head@0"},
        {"7d", "!cbor/reserved-head@0"},
        {"7e", "!cbor/reserved-head@0"},
        {"9c", "!cbor/reserved-head@0"},
        {"9d", "!cbor/reserved-head@0"},
        {"9e", "!cbor/reserved-head@0"},
        {"bc", "!cbor/reserved-head@0"},
        {"bd", "!cbor/reserved-head@0"},
        {"be", "!cbor/reserved-head@0"},
        {"dc", "!cbor/reserved-head@0"},
        {"dd", "!cbor/reserved-head@0"},
        {"de", "!cbor/reserved-head@0"},
        {"fc", "!cbor/reserved-head@0"},
        {"fd", "!cbor/reserved-head@0"},
        {"fe", "!cbor/reserved-head@0"},
        /* two-byte simple values below 32; f818 was an example in RFC 7049 */
        {"f800", "!cbor/invalid-simple@0"},
        {"f801", "!cbor/invalid-simple@0"},
        {"f818", "!cbor/invalid-simple@0"},
        {"f81f", "!cbor/invalid-simple@0"},
        /* chunks of another kind */
        {"5f00ff", "!cbor/invalid-chunk@1"},
        {"5f21ff", "!cbor/invalid-chunk@1"},
        {"5f6100ff", "!cbor/invalid-chunk@1"},
        {"5f80ff", "!cbor/invalid-chunk@1"},
        {"5fa0ff", "!cbor/invalid-chunk@1"},
        {"5fc000ff", "!cbor/invalid-chunk@1"},
        {"5fe0ff", "!cbor/invalid-chunk@1"},
        {"7f4100ff", "!cbor/invalid-chunk@1"},
        {"5f1cff", "!cbor/reserved-head@1"},
        /* chunks of indefinite length */
        {"5f5f4100ffff", "!cbor/invalid-indefinite@1"},
        {"7f7f6100ffff", "!cbor/invalid-indefinite@1"},
        /* breaks where none may stand */
        {"ff", "!cbor/unexpected-break@0"},
        {"81ff", "[1 !cbor/unexpected-break@1"},
        {"8200ff", "[2 0 !cbor/unexpected-break@2"},
        {"a1ff", "{1 !cbor/unexpected-break@1"},
        {"a1ff00", "{1 !cbor/unexpected-break@1"},
        {"a100ff", "{1 0: !cbor/unexpected-break@2"},
        {"a20000ff", "{2 0: 0 !cbor/unexpected-break@3"},
        {"9f81ff", "[_ [1 !cbor/unexpected-break@2"},
        {"9f829f819f9fffffffff", "[_ [2 [_ [1 [_ [_ end end end end !cbor/unexpected-break@9"},
        {"c1ff", "#1 !cbor/unexpected-break@1"},
        {"9fc1ff", "[_ #1 !cbor/unexpected-break@2"},
        /* an odd number of items in a map */
        {"bf00ff", "{_ 0: !cbor/odd-map@2"},
        {"bf000000ff", "{_ 0: 0 0: !cbor/odd-map@4"},
        /* indefinite lengths that do not exist */
        {"1f", "!cbor/invalid-indefinite@0"},
        {"3f", "!cbor/invalid-indefinite@0"},
        {"df", "!cbor/invalid-indefinite@0"},
        /* counts at the edge of 64 bits are as unreachable as any other */
        {"9bffffffffffffffff01ff", "[18446744073709551614 1 !cbor/unexpected-break@10"},
        {"bbffffffffffffffff0101", "{18446744073709551614 1: 1 !cbor/incomplete@11"},
        {"9b800000000000000001", "[9223372036854775808 1 !cbor/incomplete@10"},
    };
    EXPECT_EVENTS(weir_cbor, rows, NULL);
}

static void heads_may_be_longer_than_necessary(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"1800", "0 |"},
        {"190001", "1 |"},
        {"1a00000002", "2 |"},
        {"1b0000000000000003", "3 |"},
        {"3b0000000000000000", "-1 |"},
        {"3b7fffffffffffffff", "-9223372036854775808 |"},
        {"5800", "h'' |"},
        {"7900016b", "\"k\" |"},
        {"9a0000000107", "[1 7 end |"},
        {"b900010102", "{1 1: 2 end |"},
        {"d90001f6", "#1 null |"},
        {"f820", "#simple 32 |"},
    };
    EXPECT_EVENTS(weir_cbor, rows, NULL);
}

static void strings(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"7f626865636c6c6fff", "\"hello\" |"},
        {"7fff", "\"\" |"},
        {"5fff", "h'' |"},
        {"5f404101405b000000000000000102ff", "h'0102' |"},
        {"62c328", "!cbor/invalid-utf8@1"},
        {"6461c3bcff", "!cbor/invalid-utf8@4"},
        {"61c3", "!cbor/invalid-utf8@1"},
        {"64c32861", "!cbor/invalid-utf8@1"}, /* wrong before it ends */
        {"64c3bcc3", "!cbor/incomplete@4"},
        {"7f61c361bcff", "!cbor/invalid-utf8@2"}, /* each chunk is valid by itself (RFC 8949, 3.2.3) */
        {"63eda080", "!cbor/invalid-utf8@1"},
        {"783361616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616"
         "1"
         "61c3",
         "!cbor/incomplete@52"},
        {"784261616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616"
         "16161"
         "616161616161616161616161616161ff",
         "!cbor/invalid-utf8@67"},
        {"4100", "h'00' |"},
    };
    EXPECT_EVENTS(weir_cbor, rows, NULL);
}

static void keys_of_any_kind(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"a10102", "{1 1: 2 end |"},
        {"a120f6", "{1 -1: null end |"},
        {"a1f4f5", "{1 false: true end |"},
        {"a1f93e0000", "{1 1.5_1: 0 end |"},
        {"a1410001", "{1 h'00': 1 end |"},
        {"a1820102a0", "{1 [2: 1 2 end {0 end end |"},
        {"a1a1010203", "{1 {1: 1: 2 end 3 end |"},
        {"a1c101f6", "{1 #1: 1 null end |"},
        {"a1c1c28001", "{1 #1: !cbor/invalid-tag-content@3"},
        {"a1c1820102f6", "{1 #1: [2 1 2 end null end |"},
        {"a1f7f7", "{1 #undefined: null #undefined null end |"},
        {"a1f8ff01", "{1 #simple: 255 1 end |"},
        {"bf9fff9fffff", "{_ [_: end [_ end end |"},
        {"a261610161610 2", "{2 \"a\": 1 \"a\": 2 end |"},
    };
    EXPECT_EVENTS(weir_cbor, rows, NULL);
}

static void tags(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"d9d9f783010203", "#55799 [3 1 2 3 end |"},
        {"dbffffffffffffffff00", "#18446744073709551615 0 |"},
        {"c1c101", "#1 #1 1 |"},
        {"82c10102", "[2 #1 1 2 end |"},
        {"d81845010203f7f7", "#24 h'010203f7f7' |"},
        {"d903ec6a323031332d30332d3231", "#1004 \"2013-03-21\" |"},
    };
    EXPECT_EVENTS(weir_cbor, rows, NULL);
}

static void sequences(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"", ""},
        {"0102", "1 | 2 |"},
        {"80a0f6", "[0 end | {0 end | null |"},
        {"01ff", "1 | !cbor/unexpected-break@1"},
        {"0118", "1 | !cbor/incomplete@2"},
    };
    EXPECT_EVENTS(weir_cbor, rows, NULL);
}

static void integers_strict(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"3b8000000000000000", "!cbor/integer-out-of-range@0"},
        {"3bffffffffffffffff", "!cbor/integer-out-of-range@0"},
        {"c249010000000000000000", "!cbor/integer-out-of-range@0"},
        {"c3488000000000000000", "!cbor/integer-out-of-range@0"},
        /* what fits is an integer, zeros before it or not, in chunks or not */
        {"c240", "0 |"},
        {"c340", "-1 |"},
        {"c2420007", "7 |"},
        {"c24a0000ffffffffffffffff", "18446744073709551615 |"},
        {"c3487fffffffffffffff", "-9223372036854775808 |"},
        {"c34100", "-1 |"},
        {"c25f41014100ff", "256 |"},
        {"c35f41ff40ff", "-256 |"},
        {"82c24101c24102", "[2 1 2 end |"},
        {"a1c2410105", "{1 1: 5 end |"},
        /* other content */
        {"c200", "!cbor/invalid-tag-content@1"},
        {"c26100", "!cbor/invalid-tag-content@1"},
        {"c2c24101", "!cbor/invalid-tag-content@1"},
        {"c2ff", "!cbor/invalid-tag-content@1"},
        {"c25f6100ff", "!cbor/invalid-chunk@2"},
        /* decimal fractions stay what they are */
        {"c48219019001", "#4 [2 400 1 end |"},
        {"c48221196ab3", "#4 [2 -2 27315 end |"},
    };
    EXPECT_EVENTS(weir_cbor, rows, NULL);
}

static void integers_exact(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"3b8000000000000000", "number(-9223372036854775809) |"},
        {"c350ffffffffffffffffffffffffffffffff", "number(-340282366920938463463374607431768211456) |"},
        {"c250ffffffffffffffffffffffffffffffff", "number(340282366920938463463374607431768211455) |"},
        {"c3507fffffffffffffffffffffffffffffff", "number(-170141183460469231731687303715884105728) |"},
        {"c349ffffffffffffffffff", "number(-4722366482869645213696) |"},
        {"a1c24901000000000000000005", "{1 number(18446744073709551616): 5 end |"},
        /* decimal fractions that a double does not hold */
        {"c48219019001", "number(1e400) |"},
        {"c48219018e0f", "number(1.5e399) |"},
        {"c4823a0001869f20", "number(-1e-100000) |"},
        {"c48233c24a0de0b6b3a76400000001", "number(655.36000000000000000001) |"},
        {"c48220c349010000000000000000", "number(-1844674407370955161.7) |"},
        {"c482003bffffffffffffffff", "number(-1.8446744073709551616e19) |"},
        {"82c48219019001c4821901f502", "[2 number(1e400) number(2e501) end |"},
        /* that it holds, or that are no decimal fractions */
        {"c48221196ab3", "#4 [2 -2 27315 end |"},
        {"c4820005", "#4 [2 0 5 end |"},
        {"c483010203", "#4 [3 1 2 3 end |"},
        {"c49f0102ff", "#4 [_ 1 2 end |"},
        {"c482f93c0001", "#4 [2 1.0_1 1 end |"},
        {"c48201f6", "#4 [2 1 null end |"},
        {"c4821b800000000000000001", "#4 [2 9223372036854775808 1 end |"},
        {"c401", "#4 1 |"},
        {"c482018101", "#4 [2 1 [1 1 end end |"},
        {"c48201ff", "#4 [2 1 !cbor/unexpected-break@3"},
        {"c4820118", "!cbor/incomplete@4"},
    };
    weir_options exact = options_with(WEIR_NUMBERS_EXACT), decimal = options_with(WEIR_NUMBERS_DECIMAL);
    EXPECT_EVENTS(weir_cbor, rows, &exact);
    EXPECT_EVENTS(weir_cbor, rows, &decimal);
    exact.allow = WEIR_ALLOW_TAG;
    expect_events(weir_cbor, "c48221196ab3", &exact, "number(273.15) |");
}

static void integers_double(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"3b8000000000000000", "-9223372036854775808.0 |"},
        {"3bffffffffffffffff", "-18446744073709551616.0 |"},
        {"c249010000000000000000", "18446744073709551616.0 |"},
        /* halfway between two doubles: to even, and one beyond it upwards */
        {"c249010000000000000800", "18446744073709551616.0 |"},
        {"c249010000000000000801", "18446744073709555712.0 |"},
        {"c249010000000000001800", "18446744073709559808.0 |"},
        {"c24a01000000000000080000", "4722366482869645213696.0 |"},
    };
    weir_options nearest = options_with(WEIR_NUMBERS_DOUBLE);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char expected[64];
        double value;
        assert_int_equal(sscanf(rows[i].expected, "%lf", &value), 1);
        size_t n = num_print_double(expected, value);
        strcpy(expected + n, " |");
        expect_events(weir_cbor, rows[i].input, &nearest, expected);
    }
    /* 2^1023 fits, 2^1024 does not */
    char hex[300];
    for (int bytes = 128; bytes <= 129; bytes++) {
        int n = snprintf(hex, sizeof hex, "c258%02x%s", bytes, bytes == 128 ? "80" : "01");
        memset(hex + n, '0', (size_t)(bytes - 1) * 2);
        hex[n + (bytes - 1) * 2] = '\0';
        expect_events(weir_cbor, hex, &nearest,
                      bytes == 128 ? "8.98846567431158e307 |" : "!cbor/integer-out-of-range@0");
    }
}

static void floats_keep_width_and_payload(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"f97e01", "nan:7ff8040000000000_1 |"},           {"f97d00", "nan:7ff4000000000000_1 |"},
        {"fa7f800001", "nan:7ff0000020000000_2 |"},       {"faffc00001", "nan:fff8000020000000_2 |"},
        {"fb7ff0000000000001", "nan:7ff0000000000001 |"}, {"f98001", "-5.960464477539063e-8_1 |"},
        {"fa00000001", "1.401298464324817e-45_2 |"},
    };
    EXPECT_EVENTS(weir_cbor, rows, NULL);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        expect_rewrite(weir_cbor, rows[i].input, weir_cbor, NULL, rows[i].input);
    }
}

static void limits(void **state)
{
    (void)state;
    weir_options options = WEIR_OPTIONS_DEFAULT;
    /* a length over its limit fails at the head, before a byte of it is there */
    options.limits.string = 3;
    options.limits.key = 2;
    expect_events(weir_cbor, "5b7fffffffffffffff", &options, "!limit/string@0");
    expect_events(weir_cbor, "8163616263", &options, "[1 \"abc\" end |");
    expect_events(weir_cbor, "8164616263", &options, "[1 !limit/string@1");
    expect_events(weir_cbor, "7f62616262", &options, "!limit/string@4");
    expect_events(weir_cbor, "a163616263", &options, "{1 !limit/key@1");
    expect_events(weir_cbor, "bf7f6261626163", &options, "{_ !limit/key@5");
    expect_events(weir_cbor, "a1c24361626300", &options, "{1 6382179: 0 end |"); /* a number is no key text */
    options = (weir_options)WEIR_OPTIONS_DEFAULT;
    options.limits.items = 2;
    options.limits.entries = 1;
    expect_events(weir_cbor, "83010203", &options, "[3 1 2 !limit/items@3");
    expect_events(weir_cbor, "9f0102ff", &options, "[_ 1 2 end |");
    expect_events(weir_cbor, "a201020304", &options, "{2 1: 2 !limit/entries@3");
    options = (weir_options)WEIR_OPTIONS_DEFAULT;
    options.limits.depth = 2;
    expect_events(weir_cbor, "818101", &options, "[1 [1 !limit/depth@2");
    expect_events(weir_cbor, "c1c101", &options, "#1 #1 !limit/depth@2");
    expect_events(weir_cbor, "81f7", &options, "[1 #undefined !limit/depth@1");
    expect_events(weir_cbor, "a1a1a10000", &options, "{1 {1: !limit/depth@2");
    options = (weir_options)WEIR_OPTIONS_DEFAULT;
    options.limits.nodes = 3;
    expect_events(weir_cbor, "83010203", &options, "[3 1 2 !limit/nodes@3");
    expect_events(weir_cbor, "a2010203c4", &options, "{2 1: 2 3: #4 !cbor/incomplete@5");
    options = (weir_options)WEIR_OPTIONS_DEFAULT;
    options.limits.payload = 5;
    expect_events(weir_cbor, "a162616263616263", &options, "{1 \"ab\": \"abc\" end |");
    expect_events(weir_cbor, "a16261626461626364", &options, "{1 \"ab\": !limit/payload@4");
    /* a bignum's text: refused by its bytes before it is made, else by its digits */
    options = (weir_options)WEIR_OPTIONS_DEFAULT;
    options.numbers = WEIR_NUMBERS_EXACT;
    options.limits.number = 20;
    expect_events(weir_cbor, "c249010000000000000000", &options, "number(18446744073709551616) |");
    expect_events(weir_cbor, "c349010000000000000000", &options, "!limit/number@0");
    expect_events(weir_cbor, "c2490a0000000000000000", &options, "!limit/number@0");
    expect_events(weir_cbor, "c25affffffff", &options, "!limit/number@0");
    expect_events(weir_cbor, "c25f5affffffff", &options, "!limit/number@2");
    expect_events(weir_cbor, "c48220c249010000000000000000", &options, "!limit/number@0");
}

/* Nesting costs memory in proportion, never the C stack, and ends at the limit. */
static void deep(void **state)
{
    (void)state;
    static const struct {
        uint8_t byte;
        weir_code bounded, unbounded;
    } rows[] = {
        {0x81, WEIR_E_LIMIT_DEPTH, WEIR_E_CBOR_INCOMPLETE},
        {0x9f, WEIR_E_LIMIT_DEPTH, WEIR_E_CBOR_INCOMPLETE},
        {0xc6, WEIR_E_LIMIT_DEPTH, WEIR_E_CBOR_INCOMPLETE},
        {0xa1, WEIR_E_LIMIT_DEPTH, WEIR_E_CBOR_INCOMPLETE},
        {0xbf, WEIR_E_LIMIT_DEPTH, WEIR_E_CBOR_INCOMPLETE},
        {0x7f, WEIR_E_CBOR_INDEFINITE, WEIR_E_CBOR_INDEFINITE},
        {0x5f, WEIR_E_CBOR_INDEFINITE, WEIR_E_CBOR_INDEFINITE},
    };
    size_t n = 2000000;
    char *bytes = malloc(n);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        for (int unbounded = 0; unbounded < 2; unbounded++) {
            weir_options options = WEIR_OPTIONS_DEFAULT;
            if (unbounded) {
                options.limits = weir_unlimited;
            }
            memset(bytes, rows[i].byte, n);
            weir_reader *reader = weir_reader_open(weir_cbor, bytes, n, &options, NULL);
            while (weir_reader_next(reader)) {
            }
            assert_int_equal(weir_reader_error(reader)->code,
                             unbounded ? rows[i].unbounded : rows[i].bounded);
            weir_reader_close(reader);
        }
    }
    free(bytes);
}

static void duplicate_keys(void **state)
{
    (void)state;
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.duplicates = WEIR_DUPLICATES_REJECT;
    expect_events(weir_cbor, "a2616101616102", &options, "{_ \"a\": 1 !cbor/duplicate-key@4");
    options.duplicates = WEIR_DUPLICATES_FIRST;
    expect_events(weir_cbor, "a2616101616102", &options, "{_ \"a\": 1 end |");
}

static void detection(void **state)
{
    (void)state;
    static const struct {
        const char *hex;
        bool certain;
    } rows[] = {
        {"d9d9f7f6", true},    {"a2616101616202", true}, {"bf61610161629f0203ffff", true},
        {"9f0102ff", true},    {"83010203", true},       {"7b22612220 3a20317d", false}, /* {"a" : 1} */
        {"68656c6c6f", false}, {"81a1616101", true},     {"a3636b657901", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        weir_buffer bytes = {0};
        unhex(&bytes, rows[i].hex, strlen(rows[i].hex));
        if ((weir_format_guess(bytes.data, bytes.len, true) == weir_cbor) != rows[i].certain) {
            fail_msg("%s", rows[i].hex);
        }
        weir_buffer_free(&bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(examples_of_the_standard),
        cmocka_unit_test(cut_examples),
        cmocka_unit_test(not_well_formed),
        cmocka_unit_test(heads_may_be_longer_than_necessary),
        cmocka_unit_test(strings),
        cmocka_unit_test(keys_of_any_kind),
        cmocka_unit_test(tags),
        cmocka_unit_test(sequences),
        cmocka_unit_test(integers_strict),
        cmocka_unit_test(integers_exact),
        cmocka_unit_test(integers_double),
        cmocka_unit_test(floats_keep_width_and_payload),
        cmocka_unit_test(limits),
        cmocka_unit_test(deep),
        cmocka_unit_test(duplicate_keys),
        cmocka_unit_test(detection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
