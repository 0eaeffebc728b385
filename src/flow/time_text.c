/* Timestamps of events as RFC 3339 text and back, by way of the calendar in base. */
#include "flow/time_text.h"

#include <string.h>

#include "base/timestamp.h"

_Static_assert(TIME_TEXT_SIZE >= NUM_TIME_TEXT_SIZE, "the text must fit");
_Static_assert((int)WEIR_TIME_OFFSET == NUM_TIME_OFFSET && (int)WEIR_TIME_CLOCK == NUM_TIME_CLOCK,
               "both name the shapes in one order");

size_t time_text_print(char *out, const weir_timestamp *time)
{
    num_time t = {time->seconds, time->nanoseconds, time->offset_minutes, time->shape, time->digits};
    size_t len = num_time_print(out, &t);
    /* RFC 3339 has no years before 0. */
    return len && out[0] == '-' ? 0 : len;
}

bool time_text_parse(const char *text, size_t len, weir_timestamp *out)
{
    num_time t;
    if (num_time_parse(text, len, 0, &t, NULL) != NUM_TIME_OK) {
        return false;
    }
    out->seconds = t.seconds;
    out->nanoseconds = t.nanos;
    out->offset_minutes = t.offset_minutes;
    out->shape = t.shape;
    out->digits = t.digits;
    return true;
}
