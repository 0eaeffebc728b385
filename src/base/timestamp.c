/*
 * RFC 3339 text and the Gregorian calendar. The calendar's two conversions count from 1 March, so that the
 * leap day is the last of its year: Hinnant, "chrono-compatible low-level date algorithms".
 */
#include "timestamp.h"

#define DAY 86400
#define DAYS_MIN (-4371587) /* -9999-01-01 */
#define DAYS_MAX 2932896    /* 9999-12-31 */
#define ERA_DAYS 146097     /* of 400 years */
#define EPOCH_SHIFT 719468  /* from 0000-03-01 to 1970-01-01 */

static bool is_leap(int32_t year)
{
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

static int days_in_month(int32_t year, int month)
{
    static const uint8_t days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    return month == 2 && is_leap(year) ? 29 : days[month - 1];
}

bool num_days_from_civil(num_civil date, int32_t *days)
{
    if (date.year < NUM_YEAR_MIN || date.year > NUM_YEAR_MAX || date.month < 1 || date.month > 12 ||
        date.day < 1 || date.day > days_in_month(date.year, date.month))
        return false;
    int32_t year = date.year - (date.month <= 2);
    int32_t era = (year >= 0 ? year : year - 399) / 400;
    int32_t year_of_era = year - era * 400;
    int32_t day_of_year = (153 * (date.month + (date.month > 2 ? -3 : 9)) + 2) / 5 + date.day - 1;
    int32_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    *days = era * ERA_DAYS + day_of_era - EPOCH_SHIFT;
    return true;
}

bool num_civil_from_days(int64_t days, num_civil *date)
{
    if (days < DAYS_MIN || days > DAYS_MAX)
        return false;
    int32_t shifted = (int32_t)days + EPOCH_SHIFT;
    int32_t era = (shifted >= 0 ? shifted : shifted - (ERA_DAYS - 1)) / ERA_DAYS;
    int32_t day_of_era = shifted - era * ERA_DAYS;
    int32_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / (ERA_DAYS - 1)) / 365;
    int32_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int32_t month = (5 * day_of_year + 2) / 153; /* from March */
    date->day = (uint8_t)(day_of_year - (153 * month + 2) / 5 + 1);
    date->month = (uint8_t)(month < 10 ? month + 3 : month - 9);
    date->year = year_of_era + era * 400 + (date->month <= 2);
    return true;
}

/* ---- reading ---- */

struct cursor {
    const char *p, *end;
};

static bool take(struct cursor *c, char wanted)
{
    if (c->p == c->end || *c->p != wanted)
        return false;
    c->p++;
    return true;
}

/* `count` digits exactly; more may follow. */
static bool take_digits(struct cursor *c, int count, int *value)
{
    if (c->end - c->p < count)
        return false;
    int v = 0;
    for (; count > 0; count--, c->p++) {
        int digit = *c->p - '0';
        if (digit < 0 || digit > 9)
            return false;
        v = v * 10 + digit;
    }
    *value = v;
    return true;
}

struct clock {
    int hour, minute, second;
};

static bool take_date(struct cursor *c, bool negative, num_civil *date)
{
    int year, month, day;
    if (!take_digits(c, 4, &year) || !take(c, '-') || !take_digits(c, 2, &month) || !take(c, '-') ||
        !take_digits(c, 2, &day))
        return false;
    *date = (num_civil){negative ? -year : year, (uint8_t)month, (uint8_t)day};
    return true;
}

static enum num_time_status take_fraction(struct cursor *c, num_time *time)
{
    const char *start = c->p;
    uint32_t nanos = 0;
    int digits = 0;
    bool lost = false;
    for (; c->p < c->end && *c->p >= '0' && *c->p <= '9'; c->p++) {
        if (digits < 9) {
            nanos = nanos * 10 + (uint32_t)(*c->p - '0');
            digits++;
        } else {
            lost |= *c->p != '0';
        }
    }
    if (c->p == start)
        return NUM_TIME_SYNTAX;
    time->digits = (uint8_t)digits;
    for (; digits < 9; digits++)
        nanos *= 10;
    time->nanos = nanos;
    return lost ? NUM_TIME_PRECISION : NUM_TIME_OK;
}

static enum num_time_status take_clock(struct cursor *c, unsigned options, struct clock *clock,
                                       num_time *time)
{
    if (!take_digits(c, 2, &clock->hour) || !take(c, ':') || !take_digits(c, 2, &clock->minute))
        return NUM_TIME_SYNTAX;
    clock->second = 0;
    if (!take(c, ':'))
        return options & NUM_TIME_NO_SECONDS ? NUM_TIME_OK : NUM_TIME_SYNTAX;
    if (!take_digits(c, 2, &clock->second))
        return NUM_TIME_SYNTAX;
    return take(c, '.') ? take_fraction(c, time) : NUM_TIME_OK;
}

static enum num_time_status take_offset(struct cursor *c, num_time *time, unsigned *flags)
{
    time->shape = NUM_TIME_OFFSET;
    if (take(c, 'Z') || take(c, 'z'))
        return NUM_TIME_OK;
    bool west = take(c, '-');
    int hours, minutes;
    if ((!west && !take(c, '+')) || !take_digits(c, 2, &hours) || !take(c, ':') ||
        !take_digits(c, 2, &minutes))
        return NUM_TIME_SYNTAX;
    int offset = hours * 60 + minutes;
    time->offset_minutes = (int16_t)(west ? -offset : offset);
    if (west && offset == 0)
        *flags |= NUM_TIME_UNKNOWN_OFFSET;
    return hours <= 23 && minutes <= 59 ? NUM_TIME_OK : NUM_TIME_RANGE;
}

/* Whether the seconds begin the first day of a month of UTC: where a leap second has just passed. */
static bool begins_month(int64_t seconds)
{
    num_civil date;
    return seconds % DAY == 0 && num_civil_from_days(seconds / DAY, &date) && date.day == 1;
}

/* Puts the parts together; the syntax is right. */
static enum num_time_status assemble(num_civil date, struct clock clock, num_time *time, unsigned *flags)
{
    int32_t days = 0;
    if (time->shape != NUM_TIME_CLOCK && !num_days_from_civil(date, &days))
        return NUM_TIME_RANGE;
    if (clock.hour > 23 || clock.minute > 59 || clock.second > 60)
        return NUM_TIME_RANGE;
    time->seconds = (int64_t)days * DAY + clock.hour * 3600 + clock.minute * 60 + clock.second;
    if (time->shape == NUM_TIME_OFFSET)
        time->seconds -= time->offset_minutes * 60;
    if (clock.second == 60) {
        *flags |= NUM_TIME_LEAP_SECOND;
        if (time->shape == NUM_TIME_OFFSET && !begins_month(time->seconds))
            return NUM_TIME_RANGE;
        if (time->shape == NUM_TIME_CLOCK)
            time->seconds %= DAY;
    }
    return num_time_valid(time) ? NUM_TIME_OK : NUM_TIME_RANGE;
}

static bool take_separator(struct cursor *c, unsigned options)
{
    return take(c, 'T') || take(c, 't') || ((options & NUM_TIME_SPACE) && take(c, ' '));
}

enum num_time_status num_time_parse(const char *text, size_t n, unsigned options, num_time *time,
                                    unsigned *flags)
{
    struct cursor c = {text, text + n};
    unsigned found = 0;
    num_civil date = {0, 0, 0};
    struct clock clock = {0, 0, 0};
    enum num_time_status status = NUM_TIME_OK;
    *time = (num_time){0};
    bool negative = (options & NUM_TIME_NEGATIVE_YEARS) && take(&c, '-');
    if (!negative && n >= 3 && text[2] == ':') {
        time->shape = NUM_TIME_CLOCK;
        status = take_clock(&c, options, &clock, time);
    } else if (!take_date(&c, negative, &date)) {
        return NUM_TIME_SYNTAX;
    } else if (c.p == c.end) {
        time->shape = NUM_TIME_DATE;
    } else if (!take_separator(&c, options)) {
        return NUM_TIME_SYNTAX;
    } else {
        time->shape = NUM_TIME_LOCAL;
        status = take_clock(&c, options, &clock, time);
        if (status != NUM_TIME_SYNTAX && c.p < c.end) {
            enum num_time_status offset = take_offset(&c, time, &found);
            status = offset != NUM_TIME_OK ? offset : status;
        }
    }
    if (status == NUM_TIME_SYNTAX || c.p != c.end)
        return NUM_TIME_SYNTAX;
    enum num_time_status range = assemble(date, clock, time, &found);
    if (flags != NULL)
        *flags = found;
    return status != NUM_TIME_OK ? status : range;
}

/* ---- writing ---- */

/* Seconds of the local calendar; false if they overflow. */
static bool local_seconds(const num_time *time, int64_t *seconds)
{
    return !__builtin_add_overflow(time->seconds, (int64_t)time->offset_minutes * 60, seconds);
}

static int64_t floor_days(int64_t seconds)
{
    return seconds / DAY - (seconds % DAY < 0);
}

bool num_time_valid(const num_time *time)
{
    int64_t local;
    num_civil date;
    if (time->nanos > 999999999 || time->digits > 9 || time->shape > NUM_TIME_CLOCK)
        return false;
    if (time->shape != NUM_TIME_OFFSET && time->offset_minutes != 0)
        return false;
    if (time->offset_minutes < -1439 || time->offset_minutes > 1439 || !local_seconds(time, &local))
        return false;
    if (time->shape == NUM_TIME_CLOCK)
        return local >= 0 && local < DAY;
    if (time->shape == NUM_TIME_DATE && (local % DAY != 0 || time->nanos != 0 || time->digits != 0))
        return false;
    return num_civil_from_days(floor_days(local), &date);
}

static char *put(char *out, int digits, uint32_t value)
{
    for (int i = digits; i > 0; i--, value /= 10)
        out[i - 1] = (char)('0' + value % 10);
    return out + digits;
}

static char *put_date(char *out, num_civil date)
{
    if (date.year < 0)
        *out++ = '-';
    out = put(out, 4, (uint32_t)(date.year < 0 ? -date.year : date.year));
    *out++ = '-';
    out = put(out, 2, date.month);
    *out++ = '-';
    return put(out, 2, date.day);
}

static char *put_clock(char *out, uint32_t seconds, const num_time *time)
{
    out = put(out, 2, seconds / 3600);
    *out++ = ':';
    out = put(out, 2, seconds / 60 % 60);
    *out++ = ':';
    out = put(out, 2, seconds % 60);
    uint32_t fraction = time->nanos;
    int digits = 9;
    while (digits > time->digits && fraction % 10 == 0) {
        fraction /= 10;
        digits--;
    }
    if (digits > 0) {
        *out++ = '.';
        out = put(out, digits, fraction);
    }
    return out;
}

static char *put_offset(char *out, int offset)
{
    if (offset == 0) {
        *out = 'Z';
        return out + 1;
    }
    *out++ = offset < 0 ? '-' : '+';
    uint32_t minutes = (uint32_t)(offset < 0 ? -offset : offset);
    out = put(out, 2, minutes / 60);
    *out++ = ':';
    return put(out, 2, minutes % 60);
}

size_t num_time_print(char *out, const num_time *time)
{
    char *p = out;
    int64_t local;
    if (!num_time_valid(time) || !local_seconds(time, &local))
        return 0;
    int64_t days = floor_days(local);
    if (time->shape != NUM_TIME_CLOCK) {
        num_civil date;
        if (!num_civil_from_days(days, &date))
            return 0;
        p = put_date(p, date);
    }
    if (time->shape == NUM_TIME_LOCAL || time->shape == NUM_TIME_OFFSET)
        *p++ = 'T';
    if (time->shape != NUM_TIME_DATE)
        p = put_clock(p, (uint32_t)(local - days * DAY), time);
    if (time->shape == NUM_TIME_OFFSET)
        p = put_offset(p, time->offset_minutes);
    return (size_t)(p - out);
}
