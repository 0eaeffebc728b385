/* RFC 3339 texts and the calendar, the latter against a day-by-day count through all 20,000 years. */
#include "base/timestamp.h"
#include "test_random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define ALL (NUM_TIME_SPACE | NUM_TIME_NEGATIVE_YEARS | NUM_TIME_NO_SECONDS)

struct good {
    const char *text;
    unsigned options;
    int64_t seconds;
    uint32_t nanos;
    int offset;
    int shape;
    int digits;
    unsigned flags;
    const char *printed; /* NULL: the text itself */
};

static const struct good good[] = {
    /* RFC 3339 section 5.8 */
    {"1985-04-12T23:20:50.52Z", 0, 482196050, 520000000, 0, NUM_TIME_OFFSET, 2, 0, NULL},
    {"1996-12-19T16:39:57-08:00", 0, 851042397, 0, -480, NUM_TIME_OFFSET, 0, 0, NULL},
    {"1990-12-31T23:59:60Z", 0, 662688000, 0, 0, NUM_TIME_OFFSET, 0, NUM_TIME_LEAP_SECOND,
     "1991-01-01T00:00:00Z"},
    {"1990-12-31T15:59:60-08:00", 0, 662688000, 0, -480, NUM_TIME_OFFSET, 0, NUM_TIME_LEAP_SECOND,
     "1990-12-31T16:00:00-08:00"},
    {"1937-01-01T12:00:27.87+00:20", 0, -1041337173, 870000000, 20, NUM_TIME_OFFSET, 2, 0, NULL},
    {"1970-01-01T00:00:00Z", 0, 0, 0, 0, NUM_TIME_OFFSET, 0, 0, NULL},
    {"1970-01-01T00:00:00-00:00", 0, 0, 0, 0, NUM_TIME_OFFSET, 0, NUM_TIME_UNKNOWN_OFFSET,
     "1970-01-01T00:00:00Z"},
    {"1970-01-01T00:00:00+00:00", 0, 0, 0, 0, NUM_TIME_OFFSET, 0, 0, "1970-01-01T00:00:00Z"},
    {"1969-12-31t23:59:59.999999999z", 0, -1, 999999999, 0, NUM_TIME_OFFSET, 9, 0,
     "1969-12-31T23:59:59.999999999Z"},
    {"2000-02-29T00:00:00.000Z", 0, 951782400, 0, 0, NUM_TIME_OFFSET, 3, 0, NULL},
    {"2000-01-01T00:00:00.1234567890000Z", 0, 946684800, 123456789, 0, NUM_TIME_OFFSET, 9, 0,
     "2000-01-01T00:00:00.123456789Z"},
    {"0000-01-01T00:00:00+23:59", 0, -62167219200 - 86340, 0, 1439, NUM_TIME_OFFSET, 0, 0, NULL},
    {"9999-12-31T23:59:59-23:59", 0, 253402300799 + 86340, 0, -1439, NUM_TIME_OFFSET, 0, 0, NULL},
    {"1979-05-27T07:32:00", 0, 296638320, 0, 0, NUM_TIME_LOCAL, 0, 0, NULL},
    {"1979-05-27 07:32:00", NUM_TIME_SPACE, 296638320, 0, 0, NUM_TIME_LOCAL, 0, 0, "1979-05-27T07:32:00"},
    {"1979-05-27 07:32Z", ALL, 296638320, 0, 0, NUM_TIME_OFFSET, 0, 0, "1979-05-27T07:32:00Z"},
    {"1979-05-27T07:31:60", 0, 296638320, 0, 0, NUM_TIME_LOCAL, 0, NUM_TIME_LEAP_SECOND,
     "1979-05-27T07:32:00"},
    {"1979-05-27", 0, 296611200, 0, 0, NUM_TIME_DATE, 0, 0, NULL},
    {"07:32:00.5", 0, 27120, 500000000, 0, NUM_TIME_CLOCK, 1, 0, NULL},
    {"07:32", NUM_TIME_NO_SECONDS, 27120, 0, 0, NUM_TIME_CLOCK, 0, 0, "07:32:00"},
    {"23:59:60", 0, 0, 0, 0, NUM_TIME_CLOCK, 0, NUM_TIME_LEAP_SECOND, "00:00:00"},
    {"-0044-03-15", NUM_TIME_NEGATIVE_YEARS, -63549360000, 0, 0, NUM_TIME_DATE, 0, 0, NULL},
    {"-9999-01-01T00:00:00Z", NUM_TIME_NEGATIVE_YEARS, -377705116800, 0, 0, NUM_TIME_OFFSET, 0, 0, NULL},
};

static void test_good(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        const struct good *g = &good[i];
        num_time t;
        unsigned flags;
        char out[NUM_TIME_TEXT_SIZE];
        enum num_time_status status = num_time_parse(g->text, strlen(g->text), g->options, &t, &flags);
        if (status != NUM_TIME_OK || t.seconds != g->seconds || t.nanos != g->nanos ||
            t.offset_minutes != g->offset || t.shape != g->shape || t.digits != g->digits ||
            flags != g->flags)
            fail_msg("%s: status %d, %lld s, %u ns, offset %d, shape %d, digits %d, flags %u", g->text,
                     (int)status, (long long)t.seconds, (unsigned)t.nanos, t.offset_minutes, t.shape,
                     t.digits, flags);
        size_t n = num_time_print(out, &t);
        const char *printed = g->printed != NULL ? g->printed : g->text;
        if (n != strlen(printed) || memcmp(out, printed, n) != 0)
            fail_msg("%s printed as %.*s", g->text, (int)n, out);
    }
}

struct bad {
    const char *text;
    unsigned options;
    enum num_time_status status;
};

static const struct bad bad[] = {
    {"", 0, NUM_TIME_SYNTAX},
    {"1979", 0, NUM_TIME_SYNTAX},
    {"1979-5-27", 0, NUM_TIME_SYNTAX},
    {"1979-05-27T", 0, NUM_TIME_SYNTAX},
    {"1979-05-27Z", 0, NUM_TIME_SYNTAX},
    {"1979-05-27 07:32:00", 0, NUM_TIME_SYNTAX},
    {"1979-05-27  07:32:00", NUM_TIME_SPACE, NUM_TIME_SYNTAX},
    {"1979-05-27T07:32", 0, NUM_TIME_SYNTAX},
    {"1979-05-27T07:32:0", 0, NUM_TIME_SYNTAX},
    {"1979-05-27T07:32:00.", 0, NUM_TIME_SYNTAX},
    {"1979-05-27T07:32:00.Z", 0, NUM_TIME_SYNTAX},
    {"1979-05-27T07:32:00,5Z", 0, NUM_TIME_SYNTAX},
    {"1979-05-27T07:32:00+0100", 0, NUM_TIME_SYNTAX},
    {"1979-05-27T07:32:00+01", 0, NUM_TIME_SYNTAX},
    {"1979-05-27T07:32:00Zx", 0, NUM_TIME_SYNTAX},
    {"1979-05-27T07:32:00Z ", 0, NUM_TIME_SYNTAX},
    {" 1979-05-27", 0, NUM_TIME_SYNTAX},
    {"-0044-03-15", 0, NUM_TIME_SYNTAX},
    {"+1979-05-27", ALL, NUM_TIME_SYNTAX},
    {"-07:32:00", ALL, NUM_TIME_SYNTAX},
    {"07:32:00Z", 0, NUM_TIME_SYNTAX},
    {"1979-00-27", 0, NUM_TIME_RANGE},
    {"1979-13-27", 0, NUM_TIME_RANGE},
    {"1979-05-00", 0, NUM_TIME_RANGE},
    {"1979-04-31", 0, NUM_TIME_RANGE},
    {"1900-02-29", 0, NUM_TIME_RANGE},
    {"2023-02-29", 0, NUM_TIME_RANGE},
    {"2000-02-30", 0, NUM_TIME_RANGE},
    {"1979-05-27T24:00:00Z", 0, NUM_TIME_RANGE},
    {"1979-05-27T07:60:00Z", 0, NUM_TIME_RANGE},
    {"1979-05-27T07:32:61Z", 0, NUM_TIME_RANGE},
    {"1979-05-27T07:32:60Z", 0, NUM_TIME_RANGE},
    {"1979-05-27T23:59:60Z", 0, NUM_TIME_RANGE},
    {"1990-12-31T23:59:60-08:00", 0, NUM_TIME_RANGE},
    {"1979-05-27T07:32:00+24:00", 0, NUM_TIME_RANGE},
    {"1979-05-27T07:32:00+01:60", 0, NUM_TIME_RANGE},
    {"24:00:00", 0, NUM_TIME_RANGE},
    {"9999-12-31T23:59:60", 0, NUM_TIME_RANGE},
    {"2000-01-01T00:00:00.1234567891Z", 0, NUM_TIME_PRECISION},
};

static void test_bad(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        num_time t;
        enum num_time_status status =
            num_time_parse(bad[i].text, strlen(bad[i].text), bad[i].options, &t, NULL);
        if (status != bad[i].status)
            fail_msg("%s: status %d", bad[i].text, (int)status);
    }
}

static void test_invalid_times_are_not_printed(void **state)
{
    (void)state;
    static const num_time times[] = {
        {.seconds = INT64_MAX, .offset_minutes = 1},
        {.seconds = INT64_MIN, .offset_minutes = -1},
        {.seconds = 253402300800},
        {.seconds = -377705116801},
        {.nanos = 1000000000},
        {.digits = 10},
        {.shape = 4},
        {.offset_minutes = 1440},
        {.offset_minutes = -1440},
        {.shape = NUM_TIME_LOCAL, .offset_minutes = 60},
        {.shape = NUM_TIME_DATE, .seconds = 1},
        {.shape = NUM_TIME_DATE, .nanos = 1},
        {.shape = NUM_TIME_CLOCK, .seconds = 86400},
        {.shape = NUM_TIME_CLOCK, .seconds = -1},
    };
    char out[NUM_TIME_TEXT_SIZE];
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
        assert_int_equal(num_time_print(out, &times[i]), 0);
}

/* Day by day from -9999-01-01: each date follows the one before, by the Gregorian rule, and converts back. */
static void test_calendar(void **state)
{
    (void)state;
    static const int lengths[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    int64_t days = -4371587;
    num_civil got;
    assert_false(num_civil_from_days(days - 1, &got));
    for (int year = -9999; year <= 9999; year++)
        for (int month = 1; month <= 12; month++) {
            bool leap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0);
            int length = lengths[month - 1] + (month == 2 && leap);
            for (int day = 1; day <= length; day++, days++) {
                int32_t back;
                if (!num_civil_from_days(days, &got) || got.year != year || got.month != month ||
                    got.day != day || !num_days_from_civil(got, &back) || back != days)
                    fail_msg("day %lld", (long long)days);
            }
            int32_t unused;
            assert_false(
                num_days_from_civil((num_civil){year, (uint8_t)month, (uint8_t)(length + 1)}, &unused));
        }
    assert_false(num_civil_from_days(days, &got));
    assert_int_equal(days, 2932897);
    assert_true(num_civil_from_days(0, &got));
    assert_int_equal(got.year, 1970);
}

static void round_trips(uint64_t random, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        num_time t = {.shape = (uint8_t)(random_next(&random) % 4)}, back;
        uint64_t r = random_next(&random);
        t.seconds = (int64_t)(r % 631107417600) - 377705116800;
        if (t.shape == NUM_TIME_CLOCK)
            t.seconds = (int64_t)(r % 86400);
        if (t.shape == NUM_TIME_DATE)
            t.seconds -= (t.seconds % 86400 + 86400) % 86400;
        if (t.shape == NUM_TIME_OFFSET)
            t.offset_minutes = (int16_t)((int)(random_next(&random) % 2879) - 1439);
        if (t.shape != NUM_TIME_DATE) {
            t.digits = (uint8_t)(random_next(&random) % 10);
            uint32_t unit = 1;
            for (int d = t.digits; d < 9; d++)
                unit *= 10;
            t.nanos = (uint32_t)(random_next(&random) % (1000000000 / unit)) * unit;
        }
        char out[NUM_TIME_TEXT_SIZE];
        size_t n = num_time_print(out, &t);
        if (n == 0) {
            assert_false(num_time_valid(&t));
            continue;
        }
        assert_true(n <= 36);
        assert_int_equal(num_time_parse(out, n, NUM_TIME_NEGATIVE_YEARS, &back, NULL), NUM_TIME_OK);
        assert_true(back.seconds == t.seconds && back.nanos == t.nanos &&
                    back.offset_minutes == t.offset_minutes && back.shape == t.shape &&
                    back.digits == t.digits);
        for (size_t cut = 0; cut < n; cut++)
            num_time_parse(out, cut, ALL, &back, NULL);
    }
}

static void test_round_trip_fixed_seed(void **state)
{
    (void)state;
    round_trips(FIXED_SEED, 200000);
}

static void test_round_trip_random_seed(void **state)
{
    (void)state;
    round_trips(random_seed(), 50000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_good),
        cmocka_unit_test(test_bad),
        cmocka_unit_test(test_invalid_times_are_not_printed),
        cmocka_unit_test(test_calendar),
        cmocka_unit_test(test_round_trip_fixed_seed),
        cmocka_unit_test(test_round_trip_random_seed),
    };
    return cmocka_run_group_tests_name("timestamp", tests, NULL, NULL);
}
