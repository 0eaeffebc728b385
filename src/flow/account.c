/* Options with their defaults, and errors of limits. */
#include "flow/account.h"

const weir_limits weir_unlimited = WEIR_LIMITS_NONE;
const weir_options options_default = WEIR_OPTIONS_DEFAULT;

void weir_options_init(weir_options *options)
{
    const weir_options defaults = WEIR_OPTIONS_DEFAULT;
    *options = defaults;
}

void options_resolve(weir_options *out, const weir_options *options)
{
    weir_options_init(out);
    if (options) {
        size_t known = options->size < sizeof *out ? options->size : sizeof *out;
        memcpy(out, options, known);
        out->size = sizeof *out;
    }
}

const weir_options *options_view(const weir_options *options, weir_options *storage)
{
    if (!options) {
        return &options_default;
    }
    if (options->size >= sizeof *storage) {
        return options;
    }
    options_resolve(storage, options);
    return storage;
}

void account_init(struct account *account, const weir_limits *limits)
{
    memset(account, 0, sizeof *account);
    account->limit = *limits;
}

static weir_code code_of(weir_resource resource)
{
    /* The codes of limits stand in the order of the resources. */
    return (weir_code)(WEIR_E_LIMIT_INPUT + (int)resource - (int)WEIR_RESOURCE_INPUT);
}

void account_point_error(weir_error *error, weir_resource resource, uint64_t maximum, uint64_t observed)
{
    error->code = code_of(resource);
    error->resource = resource;
    error->maximum = maximum;
    error->remaining = WEIR_UNKNOWN;
    error->requested = observed;
}

void account_sum_error(weir_error *error, weir_resource resource, uint64_t maximum, uint64_t used,
                       uint64_t requested)
{
    account_point_error(error, resource, maximum, requested);
    error->remaining = maximum - used;
}
