/* weir: structured data for C. Includes every public header. */
#ifndef WEIR_H
#define WEIR_H

#include "weir/convert.h"
#include "weir/error.h"
#include "weir/event.h"
#include "weir/format.h"
#include "weir/memory.h"
#include "weir/options.h"
#include "weir/reader.h"
#include "weir/value.h"
#include "weir/writer.h"

#define WEIR_VERSION_MAJOR 0
#define WEIR_VERSION_MINOR 1
#define WEIR_VERSION_PATCH 0

WEIR_BEGIN_DECLS

/* The version of the library in use, "MAJOR.MINOR.PATCH"; the macros above are those that a program was
 * compiled with. It lives as long as the program. Thread-safe. */
WEIR_API const char *weir_version(void);

WEIR_END_DECLS

#endif
