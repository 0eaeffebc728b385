/* Counted strings and the bits of floats, for the binary formats. */
#include "text/binary.h"

#include "base/number.h"

bool binary_short(weir_reader *r, bool utf8, weir_code incomplete, weir_code invalid_utf8)
{
    size_t have = (size_t)(r->in.end - r->in.p);
    if (utf8) {
        bool cut = false;
        size_t valid = utf8_valid_prefix(r->in.p, have, &cut);
        if (valid < have && !cut) {
            return reader_fail(r, invalid_utf8, input_offset(&r->in) + valid);
        }
    }
    return reader_fail_short(r, incomplete);
}

bool binary_invalid(weir_reader *r, size_t len, weir_code invalid_utf8)
{
    bool cut;
    return reader_fail(r, invalid_utf8, input_offset(&r->in) + utf8_valid_prefix(r->in.p, len, &cut));
}

enum reader_start binary_start(weir_reader *r, weir_code incomplete)
{
    if (likely(input_peek(&r->in) >= 0)) {
        return READER_START_DOCUMENT;
    }
    if (r->in.failed) {
        (void)reader_fail_short(r, incomplete);
        return READER_START_ERROR;
    }
    return READER_START_END;
}

bool binary_finish(weir_reader *r)
{
    (void)r;
    return true;
}

#define DOUBLE_EXPONENT 0x7FF0000000000000u
#define DOUBLE_MANTISSA 0x000FFFFFFFFFFFFFu

uint64_t binary_widen_float(uint32_t bits)
{
    if ((bits & 0x7FFFFFFFu) > 0x7F800000u) {
        return (uint64_t)(bits >> 31) << 63 | DOUBLE_EXPONENT | (uint64_t)(bits & 0x7FFFFFu) << 29;
    }
    float value;
    memcpy(&value, &bits, sizeof value);
    return binary_double_bits((double)value);
}

uint64_t binary_widen_half(uint16_t bits)
{
    if ((bits & 0x7FFFu) > 0x7C00u) {
        return (uint64_t)(bits >> 15) << 63 | DOUBLE_EXPONENT | (uint64_t)(bits & 0x3FFu) << 42;
    }
    return binary_double_bits(num_half_to_double(bits));
}

bool binary_float_of(uint64_t wide, uint32_t *bits)
{
    if ((wide & ~(UINT64_C(1) << 63)) > DOUBLE_EXPONENT) {
        *bits = (uint32_t)(wide >> 63) << 31 | 0x7F800000u | (uint32_t)((wide & DOUBLE_MANTISSA) >> 29);
        return !(wide & 0x1FFFFFFFu);
    }
    double value = binary_double(wide);
    if (!num_double_fits_float(value)) {
        return false;
    }
    float narrow = (float)value;
    memcpy(bits, &narrow, sizeof narrow);
    return true;
}

bool binary_half_of(uint64_t wide, uint16_t *bits)
{
    if ((wide & ~(UINT64_C(1) << 63)) > DOUBLE_EXPONENT) {
        *bits = (uint16_t)((wide >> 63) << 15 | 0x7C00u | (wide & DOUBLE_MANTISSA) >> 42);
        return !(wide & 0x3FFFFFFFFFFu);
    }
    return num_double_to_half(binary_double(wide), bits);
}

bool binary_looks_like_text(const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (p[i] >= 0x7F || (p[i] < 0x20 && p[i] != '\t' && p[i] != '\n' && p[i] != '\r')) {
            return false;
        }
    }
    return true;
}
