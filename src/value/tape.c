/* Timestamps in one node. */
#include "value/tape.h"

enum { NANOSECONDS_BITS = 30, OFFSET_BITS = 12, DIGITS_BITS = 4, OFFSET_BIAS = 2048 };

weir_val tape_from_timestamp(weir_timestamp time)
{
    uint64_t rest = time.nanoseconds;
    rest |= (uint64_t)(uint32_t)(time.offset_minutes + OFFSET_BIAS) << NANOSECONDS_BITS;
    rest |= (uint64_t)time.digits << (NANOSECONDS_BITS + OFFSET_BITS);
    rest |= (uint64_t)time.shape << (NANOSECONDS_BITS + OFFSET_BITS + DIGITS_BITS);
    weir_val node = {.tag = tape_tag(WEIR_KIND_TIMESTAMP, 0, rest), .v.i = time.seconds};
    return node;
}

weir_timestamp tape_timestamp(const weir_val *node)
{
    uint64_t rest = tape_length(node);
    weir_timestamp time = {
        .seconds = node->v.i,
        .nanoseconds = (uint32_t)(rest & ((1u << NANOSECONDS_BITS) - 1)),
        .offset_minutes =
            (int16_t)((int)(rest >> NANOSECONDS_BITS & ((1u << OFFSET_BITS) - 1)) - OFFSET_BIAS),
        .digits = (uint8_t)(rest >> (NANOSECONDS_BITS + OFFSET_BITS) & ((1u << DIGITS_BITS) - 1)),
        .shape = (uint8_t)(rest >> (NANOSECONDS_BITS + OFFSET_BITS + DIGITS_BITS) & 3),
    };
    return time;
}
