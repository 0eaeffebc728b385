/* Writers that collect whole documents before their format sees them. */
#ifndef VALUE_COLLECT_H
#define VALUE_COLLECT_H

#include "value/sort.h"
#include "weir/writer.h"

/* The order of map entries that the options ask for. */
enum sort_order collect_order(const weir_format *format, const weir_options *options);

/* Does writing this format with these options need the document's counts or order in advance? */
bool collect_needed(const weir_format *format, const weir_options *options);

/* Makes *val the value in the order that the options ask for: a sorted copy (*sorted is to be freed), or
 * itself (*sorted is NULL). false: out of memory, or a canonical text would hold a key twice; *error says
 * which. */
bool collect_in_order(const weir_format *format, const weir_options *options, const weir_val **val,
                      weir_doc **sorted, weir_error *error);

/* Of a collecting writer that stands between documents: the writer behind it, which a whole document can go
 * to directly. Otherwise NULL. */
weir_writer *collect_target(weir_writer *w);

#endif
