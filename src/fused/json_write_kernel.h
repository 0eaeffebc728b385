/* Between json_write.c and its kernels: the output while it is written. */
#ifndef FUSED_JSON_WRITE_KERNEL_H
#define FUSED_JSON_WRITE_KERNEL_H

#include "fused/json_write.h"

enum {
    /* Room that is there at the begin of every entry: a key and a string of up to 64 bytes each, all of them
     * escaped, or a number; and what vectors store beyond the end. */
    JSON_WRITE_SLACK = 1280,
    JSON_WRITE_SHORT = 64
};

struct json_out {
    weir_buffer *buffer;
    char *soft;            /* SLACK bytes before the buffer's end */
    size_t start;          /* the buffer's length before this document */
    uint64_t max_output;   /* of this document */
    const weir_val *first; /* of the value */
    uint64_t span;         /* its nodes */
    bool over_limit;       /* growing would pass max_output */
};

bool json_out_open(struct json_out *out, const weir_val *val, uint64_t max_output, weir_buffer *buffer);
/* Room for `need` bytes and the slack after `at`, with a guess for what follows node `now`. NULL: none. */
char *json_out_grow(struct json_out *out, char *at, uint64_t need, const weir_val *now);
enum fused_result json_out_fail(struct json_out *out);
enum fused_result json_out_close(struct json_out *out, char *at);

extern json_write_kernel *const json_write_base;
extern json_write_kernel *const json_write_avx2;   /* NULL where it was not built */
extern json_write_kernel *const json_write_avx512;

#endif
