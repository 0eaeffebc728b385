/* JSON text -> document in one loop: the job, its limits and the kernels.
 *
 * RFC 8259, strict, with full UTF-8 validation. A kernel only decides "valid and within limits" or "not";
 * which byte is wrong, and why, is found by the exact reader on the same input. Kernels differ in speed only,
 * never in result. */
#ifndef FUSED_JSON_PARSE_H
#define FUSED_JSON_PARSE_H

#include "value/tape.h"
#include "weir/options.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Input is classified in chunks of this many bytes; tests build with 64 and 128 to meet every seam. */
#ifndef JSON_CHUNK
#define JSON_CHUNK 16384u
#endif

/* Texts of up to this many bytes are walked without an index. */
#ifndef JSON_SHORT
#define JSON_SHORT 64u
#endif

/* UINT64_MAX = unset. Every maximum is inclusive. */
typedef struct json_parse_limits {
    uint64_t depth, nodes, items, entries, key, string, number, payload;
} json_parse_limits;

static inline json_parse_limits json_limits_of(const weir_limits *given)
{
    json_parse_limits limits = {given->depth, given->nodes,  given->items,  given->entries,
                                given->key,   given->string, given->number, given->payload};
    return limits;
}

/* Tokens of numbers up to this length are read without looking at their limit; longer ones take the slow
 * path, which does. */
#define JSON_NUMBER_UNCHECKED 80

typedef enum json_number_policy {
    JSON_NUM_STRICT,
    JSON_NUM_EXACT,
    JSON_NUM_DECIMAL,
    JSON_NUM_DOUBLE
} json_number_policy;

/* Index arrays of one chunk. May be reused by any number of parses, one at a time. */
typedef struct json_scratch {
    uint16_t index[JSON_CHUNK +
                   128]; /* a block may write 64 entries beyond the last one, the end needs two more */
    uint16_t high[JSON_CHUNK / 64 + 2]; /* blocks that hold a byte above 0x7F */
} json_scratch;

/* Where in the grammar a refused text was given up. */
enum json_stop {
    JSON_STOP_UNKNOWN,
    JSON_STOP_ROOT,       /* before the root value */
    JSON_STOP_AFTER_ROOT, /* behind it */
    JSON_STOP_MAP_CHILD,  /* before a key */
    JSON_STOP_MAP_COLON,  /* behind a key */
    JSON_STOP_MAP_VALUE,  /* behind the colon */
    JSON_STOP_MAP_END,    /* behind a value */
    JSON_STOP_ARRAY_CHILD,
    JSON_STOP_ARRAY_END
};

typedef struct json_parse_job {
    const uint8_t *src; /* no byte beyond src[len - 1] is read */
    size_t len;
    const json_parse_limits *limits; /* NULL: none */
    size_t least; /* a text of up to this many bytes meets none but depth and that of long numbers, and the
                   * others are not read; 0: not known */
    json_number_policy numbers;
    bool many;   /* stop after one value and report `consumed`; what follows is not judged, but may cause a
                    refusal */
    void *block; /* in: memory to reuse (16-aligned), or NULL; out: the block, possibly moved; the caller
                  * frees it in every case. What its header held before is lost when it grows. */
    size_t block_size;
    /* Like realloc: the new block keeps the first `keep` bytes. NULL = refused; the old block is then still
     * valid. */
    void *(*grow)(void *ctx, void *block, size_t keep, size_t old_size, size_t new_size);
    void *grow_ctx;
    json_scratch *scratch; /* NULL: 33 KiB of the stack */
    /* results, valid after JSON_PARSE_OK */
    size_t nodes_offset, node_count, text_offset, text_length, consumed;
    /* after JSON_PARSE_REFUSED, unless stop is unknown: everything before stop_offset of the input is right
     * and within limits. The block holds the nodes so far; the innermost open container stands at stop_open
     * in it and has stop_count complete children; each open container's word holds the distance to the one
     * around it, and the tags of all but the innermost their kind and complete children. The outermost one's
     * parent has tag 0. */
    enum json_stop stop;
    size_t stop_offset, stop_open, stop_top; /* stop_top: where the next node would stand */
    uint64_t stop_count;
} json_parse_job;

typedef enum { JSON_PARSE_OK, JSON_PARSE_REFUSED, JSON_PARSE_MEMORY } json_parse_result;

typedef json_parse_result json_parse_kernel(json_parse_job *job);

extern json_parse_kernel *const json_parse_base;
extern json_parse_kernel *const json_parse_avx2;   /* only where json_parse.avx2.c is built for x86-64 */
extern json_parse_kernel *const json_parse_avx512; /* needs AVX-512 F, BW, VL, DQ, VBMI, VBMI2 */

#endif
