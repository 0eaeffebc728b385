/* The error of a JSON text that the fused parser refused. */
#ifndef FUSED_JSON_LOCATE_H
#define FUSED_JSON_LOCATE_H

#include "fused/json_parse.h"
#include "weir/options.h"

/* Lets the exact reader go on where the kernel gave up. true: *error is the first failing event of the input.
 * false: nothing is wrong there (or memory ran out): the whole input has to be read exactly. */
bool json_locate(const json_parse_job *job, const weir_options *options, weir_error *error);

#endif
