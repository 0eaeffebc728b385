/* The lossless rule: what a format can't carry is refused, unless the caller allowed the documented mapping.
 */
#include <math.h>

#include "base/base64.h"
#include "base/number.h"
#include "flow/time_text.h"
#include "flow/writer_priv.h"

/* Makes the event a string with this text, which was appended to w->scratch. */
static bool as_text(weir_writer *w, weir_event *event)
{
    event->kind = WEIR_KIND_STRING;
    event->text = w->scratch.data;
    event->len = w->scratch.len;
    event->borrowed = event->plain = false;
    return true;
}

static bool put_text(weir_writer *w, weir_event *event, const char *text, size_t len)
{
    weir_buffer_clear(&w->scratch);
    return weir_buffer_append(&w->scratch, text, len) ? as_text(w, event) : writer_fail(w, WEIR_E_MEMORY);
}

static bool bytes_to_text(weir_writer *w, weir_event *event)
{
    size_t size;
    weir_buffer_clear(&w->scratch);
    if (!base_encoded_size(BASE_64, BASE_PADDED, event->len, &size) ||
        !weir_buffer_reserve(&w->scratch, size)) {
        return writer_fail(w, WEIR_E_MEMORY);
    }
    w->scratch.len = base_encode(BASE_64, BASE_PADDED, event->text, event->len, w->scratch.data);
    return as_text(w, event);
}

static bool timestamp_to_text(weir_writer *w, weir_event *event)
{
    char text[TIME_TEXT_SIZE];
    size_t len = time_text_print(text, &event->v.time);
    return len ? put_text(w, event, text, len) : writer_fail(w, WEIR_E_LOSS_TIMESTAMP);
}

static const char *nonfinite_name(double value)
{
    return isnan(value) ? "NaN" : value > 0 ? "Infinity" : "-Infinity";
}

/* A scalar key as its text. */
static bool key_to_text(weir_writer *w, weir_event *event)
{
    char text[NUM_DOUBLE_SIZE];
    switch (event->kind) {
    case WEIR_KIND_NULL:
        return put_text(w, event, "null", 4);
    case WEIR_KIND_FALSE:
        return put_text(w, event, "false", 5);
    case WEIR_KIND_TRUE:
        return put_text(w, event, "true", 4);
    case WEIR_KIND_UINT:
        return put_text(w, event, text, num_print_u64(text, event->v.u));
    case WEIR_KIND_INT:
        return put_text(w, event, text, num_print_i64(text, event->v.i));
    case WEIR_KIND_REAL:
        if (!isfinite(event->v.d)) {
            const char *name = nonfinite_name(event->v.d);
            return put_text(w, event, name, strlen(name));
        }
        return put_text(w, event, text,
                        event->width == WEIR_WIDTH_32 ? num_print_float(text, (float)event->v.d)
                                                      : num_print_double(text, event->v.d));
    case WEIR_KIND_NUMBER:
        event->kind = WEIR_KIND_STRING;
        return true;
    case WEIR_KIND_BYTES:
        return bytes_to_text(w, event);
    case WEIR_KIND_TIMESTAMP:
        return timestamp_to_text(w, event);
    default:
        return writer_fail(w, WEIR_E_LOSS_KEY);
    }
}

static bool carries_tag(uint32_t caps, const weir_event *event)
{
    return caps & (event->text ? WEIR_CAP_TAG_NAME : WEIR_CAP_TAG_NUMBER);
}

bool writer_map_event(weir_writer *w, weir_event *event, bool *drop)
{
    uint32_t caps = w->format->caps, allow = w->options.allow;
    if (event->kind == WEIR_KIND_END) {
        return true;
    }
    bool tag_stays = event->kind != WEIR_KIND_TAGGED || carries_tag(caps, event);
    if (event->is_key && event->kind != WEIR_KIND_STRING && tag_stays && !(caps & WEIR_CAP_ANY_KEY)) {
        return allow & WEIR_ALLOW_KEY ? key_to_text(w, event) : writer_fail(w, WEIR_E_LOSS_KEY);
    }
    switch (event->kind) {
    case WEIR_KIND_NULL:
        return caps & WEIR_CAP_NULL ? true : writer_fail(w, WEIR_E_LOSS_NULL);
    case WEIR_KIND_BYTES:
        if (caps & WEIR_CAP_BYTES) {
            return true;
        }
        return allow & WEIR_ALLOW_BYTES ? bytes_to_text(w, event) : writer_fail(w, WEIR_E_LOSS_BYTES);
    case WEIR_KIND_TIMESTAMP:
        if (caps & WEIR_CAP_TIMESTAMP) {
            return true;
        }
        return allow & WEIR_ALLOW_TIMESTAMP ? timestamp_to_text(w, event)
                                            : writer_fail(w, WEIR_E_LOSS_TIMESTAMP);
    case WEIR_KIND_REAL:
        if (caps & WEIR_CAP_NONFINITE || isfinite(event->v.d)) {
            return true;
        }
        if (!(allow & WEIR_ALLOW_NONFINITE)) {
            return writer_fail(w, WEIR_E_LOSS_NONFINITE);
        }
        event->kind = WEIR_KIND_NULL;
        return true;
    case WEIR_KIND_NUMBER:
        if (caps & WEIR_CAP_NUMBER) {
            return true;
        }
        if (!(allow & WEIR_ALLOW_BIGINT)) {
            return writer_fail(w, WEIR_E_LOSS_BIGINT);
        }
        event->kind = WEIR_KIND_STRING;
        return true;
    case WEIR_KIND_TAGGED:
        if (tag_stays) {
            return true;
        }
        if (!(allow & WEIR_ALLOW_TAG)) {
            return writer_fail(w, WEIR_E_LOSS_TAG);
        }
        *drop = true;
        return true;
    case WEIR_KIND_SECRET:
        return caps & WEIR_CAP_SECRET ? true : writer_fail(w, WEIR_E_LOSS_SECRET);
    default:
        return true;
    }
}
