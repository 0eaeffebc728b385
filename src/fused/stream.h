/* A stream over memory, for conversion: documents one by one without a copy of the input. */
#ifndef FUSED_STREAM_H
#define FUSED_STREAM_H

#include "weir/convert.h"

/* As weir_stream_open; data must stay valid and unchanged until the stream is closed. */
weir_stream *stream_open_memory(const weir_format *format, const void *data, size_t len,
                                const weir_options *options, weir_error *error);

#endif
