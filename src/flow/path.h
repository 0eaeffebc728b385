/* JSON Pointer paths of errors, from the frames of a reader or writer. */
#ifndef FLOW_PATH_H
#define FLOW_PATH_H

#include "flow/frames.h"
#include "weir/error.h"

/* Writes the path of the child that the innermost frame is at; out has WEIR_PATH_SIZE bytes. keys: what
 * path_note_key collected, or NULL: then a map's entry is "~N", its number. A path too long for out is cut at
 * its beginning. */
void path_of_frames(const struct frames *frames, const weir_buffer *keys, char *out);

/* Remembers the key that just began in the innermost map. false: out of memory. */
bool path_note_key(const struct frames *frames, weir_buffer *keys, const weir_event *key);

/* Clears an error and sets its code; error may be NULL. */
void error_set(weir_error *error, weir_code code);

#endif
