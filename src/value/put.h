/* Values as events into a writer. */
#ifndef VALUE_PUT_H
#define VALUE_PUT_H

#include "weir/value.h"

/* All events of a value, one by one. */
bool writer_put_val(weir_writer *w, const weir_val *val);

#endif
