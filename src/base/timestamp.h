/*
 * Dates and times as RFC 3339 writes them, and the proleptic Gregorian calendar for the years -9999..9999.
 *
 * No time zones by name, no clock, no leap second table. TOML's and YAML's variants (a space for the 'T',
 * parts left out) are covered by options and shapes.
 */
#ifndef WEIR_BASE_TIMESTAMP_H
#define WEIR_BASE_TIMESTAMP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

enum num_time_shape {
    NUM_TIME_OFFSET, /* date and time with an offset: an instant */
    NUM_TIME_LOCAL,  /* date and time without */
    NUM_TIME_DATE,
    NUM_TIME_CLOCK, /* time of day alone */
};

/*
 * seconds counts from 1970-01-01T00:00:00Z (NUM_TIME_OFFSET), from 1970-01-01T00:00:00 of the same unnamed
 * place (NUM_TIME_LOCAL, NUM_TIME_DATE), or from midnight (NUM_TIME_CLOCK, 0..86399).
 */
typedef struct num_time {
    int64_t seconds;
    uint32_t nanos;         /* 0..999,999,999, forward from seconds */
    int16_t offset_minutes; /* east of UTC, -1439..1439; 0 unless NUM_TIME_OFFSET */
    uint8_t shape;          /* enum num_time_shape */
    uint8_t digits;         /* of the fraction, 0..9 */
} num_time;

enum num_time_status {
    NUM_TIME_OK,
    NUM_TIME_SYNTAX,    /* no timestamp, or something behind it */
    NUM_TIME_RANGE,     /* a month 13, a 30 February, an hour 24, a second 60 where none can be */
    NUM_TIME_PRECISION, /* a fraction that nanoseconds cannot hold */
};

/* Options of num_time_parse. */
enum {
    NUM_TIME_SPACE = 1,          /* one space may stand for the 'T' */
    NUM_TIME_NEGATIVE_YEARS = 2, /* "-0044-03-15" */
    NUM_TIME_NO_SECONDS = 4,     /* "12:30" */
};

/* What num_time_parse found and num_time cannot say. */
enum {
    NUM_TIME_LEAP_SECOND = 1,    /* second 60: rolled over into second 0 of the next minute */
    NUM_TIME_UNKNOWN_OFFSET = 2, /* "-00:00": UTC is known, the local offset is not; read as 0 */
};

/*
 * Reads a whole text of any shape. 't' and 'z' may be lower case. Second 60 is accepted at 23:59:60 UTC on
 * the last day of a month, and in every minute of a local time, whose offset nobody knows; a time of day
 * alone rolls from 23:59:60 to 00:00:00. Zeros after the ninth digit of a fraction are dropped. flags may be
 * NULL.
 */
enum num_time_status num_time_parse(const char *text, size_t n, unsigned options, num_time *time,
                                    unsigned *flags);

#define NUM_TIME_TEXT_SIZE 40

/*
 * Writes RFC 3339 text, offset 0 as "Z", at least `digits` digits of the fraction and all that are not zero.
 * Returns its length; 0 if the time is not a valid one or its year is outside -9999..9999 (below 0 with a
 * sign, which RFC 3339 does not have).
 */
size_t num_time_print(char *out, const num_time *time);

/* The shapes' and parts' ranges hold, so that num_time_print can write it. */
bool num_time_valid(const num_time *time);

/* ---- calendar ---- */

#define NUM_YEAR_MIN (-9999)
#define NUM_YEAR_MAX 9999

typedef struct num_civil {
    int32_t year; /* astronomical: year 0 is 1 BC */
    uint8_t month, day;
} num_civil;

/* Days since 1970-01-01; false if there is no such date or the year is out of range. */
bool num_days_from_civil(num_civil date, int32_t *days);

/* The date; false if its year is out of range. */
bool num_civil_from_days(int64_t days, num_civil *date);

#pragma GCC visibility pop

#endif
