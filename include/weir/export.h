/* Symbol visibility, C linkage and compiler attributes that every public header of weir uses. */
#ifndef WEIR_EXPORT_H
#define WEIR_EXPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__) || defined(__clang__)
#define WEIR_API __attribute__((visibility("default")))
#define WEIR_WARN_UNUSED __attribute__((warn_unused_result))
#else
#define WEIR_API
#define WEIR_WARN_UNUSED
#endif

#ifdef __cplusplus
#define WEIR_BEGIN_DECLS extern "C" {
#define WEIR_END_DECLS }
#else
#define WEIR_BEGIN_DECLS
#define WEIR_END_DECLS
#endif

/* A count or length that is not known, and a limit that is not set. */
#define WEIR_UNKNOWN UINT64_MAX
#define WEIR_UNSET UINT64_MAX

#endif
