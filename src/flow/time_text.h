/* Timestamps as RFC 3339 text. */
#ifndef FLOW_TIME_TEXT_H
#define FLOW_TIME_TEXT_H

#include "weir/event.h"

#define TIME_TEXT_SIZE 48

/* Writes the text (no NUL) and returns its length; 0 if the year has no four digits. */
size_t time_text_print(char *out, const weir_timestamp *time);

/* Reads a whole text of RFC 3339: date and time with or without offset, a date, a time. false: it is none. */
bool time_text_parse(const char *text, size_t len, weir_timestamp *out);

#endif
