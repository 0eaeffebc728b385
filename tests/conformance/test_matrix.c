/* Every format to itself and to every other one and back: what a format can carry comes back equal, what it
 * can't is refused as a loss, and nothing changes in silence.
 *
 * Values are documents of all kinds with hostile text, as values and as keys. WEIR_SEED and WEIR_ROUNDS make
 * other and longer runs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "event_text.h"
#include "generate.h"
#include "support.h"

/* What a round's values are made of, so that most of them can be carried by most formats. */
enum {
    WITH_REALS = 1,
    WITH_WIDTHS = 2,
    WITH_NONFINITE = 4,
    WITH_BYTES = 8,
    WITH_TIMES = 16,
    WITH_NUMBERS = 32,
    WITH_TAGS = 64,
    WITH_KEYS = 128,
    WITH_DUPLICATES = 256
};

static void put_real(rng *r, weir_writer *w, unsigned with, bool is_key)
{
    weir_event event = {.kind = WEIR_KIND_REAL, .is_key = is_key};
    unsigned width = with & WITH_WIDTHS ? (unsigned)rng_below(r, 3) : 0;
    event.width = (uint8_t)width;
    do {
        uint64_t bits;
        if (width == 0) {
            bits = gen_real_bits(r, 8);
            memcpy(&event.v.d, &bits, 8);
        } else if (width == 1) {
            uint32_t narrow = (uint32_t)gen_real_bits(r, 4);
            float value;
            memcpy(&value, &narrow, 4);
            event.v.d = (double)value;
        } else {
            event.v.d = ldexp((double)(int)(rng_below(r, 4095)) - 2047, (int)rng_below(r, 20) - 14);
        }
    } while (isnan(event.v.d) || (isinf(event.v.d) && !(with & WITH_NONFINITE)));
    if ((with & WITH_NONFINITE) && rng_below(r, 8) == 0) {
        event.v.d = NAN;
    }
    weir_write_event(w, &event);
}

static void put_scalar(rng *r, weir_writer *w, unsigned with, bool is_key)
{
    static const char *const numbers[] = {"18446744073709551616",
                                          "-9223372036854775809",
                                          "123456789012345678901234567890",
                                          "-1e400",
                                          "1.5e999",
                                          "0.1000000000000000055511151231257827021181583404541015625001",
                                          "-170141183460469231731687303715884105728"};
    static const int64_t edges[] = {
        0, -1, -17, -32, -33, -128, -129, -32768, -32769, INT32_MIN, (int64_t)INT32_MIN - 1, INT64_MIN};
    weir_event event = {.is_key = is_key};
    size_t len;
    switch (rng_below(r, 10)) {
    case 0:
        event.kind = WEIR_KIND_NULL;
        break;
    case 1:
        event.kind = rng_below(r, 2) ? WEIR_KIND_TRUE : WEIR_KIND_FALSE;
        break;
    case 2:
        event.kind = WEIR_KIND_UINT;
        event.v.u = gen_u64(r);
        break;
    case 3:
        event.kind = WEIR_KIND_INT;
        event.v.i = rng_below(r, 2) ? edges[1 + rng_below(r, sizeof edges / sizeof *edges - 1)]
                                    : -1 - (int64_t)(gen_u64(r) >> 1);
        break;
    case 4:
        if (with & WITH_REALS) {
            put_real(r, w, with, is_key);
            return;
        }
        event.kind = WEIR_KIND_NULL;
        break;
    case 5:
        event.kind = with & WITH_BYTES ? WEIR_KIND_BYTES : WEIR_KIND_STRING;
        event.text = gen_text(r, &len);
        event.len = len;
        break;
    case 6:
        if (with & WITH_TIMES) {
            event.kind = WEIR_KIND_TIMESTAMP;
            event.v.time.seconds =
                (int64_t)rng_below(r, UINT64_C(1) << 33) - (int64_t)rng_below(r, UINT64_C(1) << 33);
            event.v.time.nanoseconds = rng_below(r, 2) ? (uint32_t)rng_below(r, 1000000000) : 0;
            event.v.time.digits = event.v.time.nanoseconds ? 9 : 0;
            break;
        }
        /* falls through */
    case 7:
        if (with & WITH_NUMBERS) {
            event.kind = WEIR_KIND_NUMBER;
            event.text = GEN_PICK(r, numbers);
            event.len = strlen(event.text);
            break;
        }
        /* falls through */
    default:
        event.kind = WEIR_KIND_STRING;
        event.text = gen_text(r, &len);
        event.len = len;
        break;
    }
    weir_write_event(w, &event);
}

static void put_key(rng *r, weir_writer *w, unsigned with, unsigned index)
{
    if ((with & WITH_KEYS) && rng_below(r, 2)) {
        put_scalar(r, w, with & ~(unsigned)WITH_TAGS, true);
        return;
    }
    size_t len;
    const char *text = gen_text(r, &len);
    char key[512];
    memcpy(key, text, len);
    if (!(with & WITH_DUPLICATES)) { /* its number makes it the only one */
        len += (size_t)snprintf(key + len, sizeof key - len, "%u", index);
    }
    weir_write_key(w, key, len);
}

static void put_value(rng *r, weir_writer *w, unsigned with, unsigned depth)
{
    unsigned n = (unsigned)rng_below(r, 5);
    if ((with & WITH_TAGS) && rng_below(r, 4) == 0) {
        weir_write_tag(w, 100 + rng_below(r, 100)); /* none that means something */
    }
    switch (depth ? rng_below(r, 4) : 0) {
    case 1:
        weir_write_array(w, n);
        for (unsigned i = 0; i < n; i++) {
            put_value(r, w, with, depth - 1);
        }
        weir_write_end(w);
        break;
    case 2:
    case 3:
        weir_write_map(w, n);
        for (unsigned i = 0; i < n; i++) {
            put_key(r, w, with, i);
            put_value(r, w, with, depth - 1);
        }
        weir_write_end(w);
        break;
    default:
        put_scalar(r, w, with, false);
        break;
    }
}

static weir_doc *make_document(rng *r, unsigned with)
{
    weir_writer *w = weir_writer_open_doc(NULL, NULL);
    put_value(r, w, with, (unsigned)rng_below(r, 5));
    weir_doc *doc = weir_writer_finish(w) ? weir_writer_take_doc(w) : NULL;
    if (!doc) {
        fail_msg("%s", weir_code_name(weir_writer_error(w)->code));
    }
    weir_writer_close(w);
    return doc;
}

static weir_options all_numbers(void)
{
    weir_options options = WEIR_OPTIONS_DEFAULT;
    options.numbers = WEIR_NUMBERS_DECIMAL;
    return options;
}

static void show(weir_buffer *out, const weir_val *val)
{
    weir_reader *reader = weir_reader_open_val(val, NULL, NULL);
    const weir_event *event;
    while ((event = weir_reader_next(reader)) && event->kind < WEIR_KIND_END_DOCUMENT) {
        text_event(out, event);
    }
    weir_reader_close(reader);
    for (size_t i = 0; i < out->len; i++) { /* NULs in text, so that it can be compared and shown */
        out->data[i] = out->data[i] ? out->data[i] : '@';
    }
}

static _Noreturn void changed(const char *what, const weir_format *a, const weir_format *b,
                              const weir_val *before, const weir_val *after, const char *detail)
{
    weir_buffer one = {0}, other = {0};
    show(&one, before);
    if (after) {
        show(&other, after);
    }
    const char *was = one.data ? one.data : "", *is = other.data ? other.data : "";
    size_t at = 0;
    while (was[at] && was[at] == is[at]) {
        at++;
    }
    at = at < 80 ? 0 : at - 80;
    fprintf(stderr, "%s, %s, %s: %s\n before … %.400s\n after  … %.400s\n", what, weir_format_name(a),
            b ? weir_format_name(b) : "", detail, was + at, is + at);
    fail();
    abort();
}

/* Equal, widths included where the format remembers them. */
static bool equal(const weir_val *a, const weir_val *b, bool widths)
{
    if (!weir_equal(a, b, 0, NULL)) {
        return false;
    }
    if (!widths) {
        return true;
    }
    weir_buffer one = {0}, other = {0};
    show(&one, a);
    show(&other, b);
    bool same = strcmp(one.data ? one.data : "", other.data ? other.data : "") == 0;
    weir_buffer_free(&one);
    weir_buffer_free(&other);
    return same;
}

/* Has the format to carry this document as it is? It may refuse what it has no cap for. */
static bool must_carry(const weir_format *format, unsigned with)
{
    uint32_t caps = weir_format_caps(format);
    if (format == weir_msgpack && (with & WITH_TAGS)) {
        return false; /* it has the tags of instants only */
    }
    return !((with & WITH_BYTES && !(caps & WEIR_CAP_BYTES)) ||
             (with & WITH_TIMES && !(caps & WEIR_CAP_TIMESTAMP)) ||
             (with & WITH_NONFINITE && !(caps & WEIR_CAP_NONFINITE)) ||
             (with & WITH_NUMBERS && !(caps & WEIR_CAP_NUMBER)) ||
             (with & WITH_TAGS && !(caps & WEIR_CAP_TAG_NUMBER)) ||
             (with & WITH_KEYS && !(caps & WEIR_CAP_ANY_KEY)));
}

/* MessagePack has no f16: it is kept as f32. */
static bool all_widths(const weir_format *format)
{
    return (weir_format_caps(format) & WEIR_CAP_WIDTHS) && format != weir_msgpack;
}

/* write -> read. NULL: refused as a loss. */
static weir_doc *round_trip(const weir_format *format, const weir_val *val, unsigned with, weir_buffer *bytes)
{
    weir_options options = all_numbers();
    weir_error error;
    weir_buffer_clear(bytes);
    if (!weir_write_val(format, val, &options, bytes, &error)) {
        if (weir_code_category(error.code) != WEIR_CATEGORY_LOSS || must_carry(format, with)) {
            changed("not written", format, NULL, val, NULL, weir_code_name(error.code));
        }
        return NULL;
    }
    weir_doc *doc = weir_parse(format, bytes->data, bytes->len, &options, &error);
    if (!doc) {
        changed("not read back", format, NULL, val, NULL, weir_code_name(error.code));
    }
    return doc;
}

static void check(rng *r, unsigned with)
{
    weir_doc *doc = make_document(r, with);
    const weir_format *a, *b;
    weir_buffer in_a = {0}, in_b = {0}, back = {0};
    weir_options options = all_numbers();
    for (size_t i = 0; (a = weir_format_at(i)); i++) {
        uint32_t caps = weir_format_caps(a);
        weir_doc *read = round_trip(a, weir_doc_root(doc), with, &in_a);
        if (!read) {
            continue;
        }
        /* Widths are lost where the format doesn't have them; JSON has one kind of real, whose shortest text
         * is kept. */
        bool narrowed = (with & WITH_WIDTHS) && !(caps & WEIR_CAP_WIDTHS);
        /* CBOR gives an instant back as the tag that it became. */
        bool tagged = (with & WITH_TIMES) && (caps & WEIR_CAP_TAG_NUMBER);
        if (!narrowed && !tagged && !equal(weir_doc_root(doc), weir_doc_root(read), all_widths(a))) {
            changed("write, read", a, NULL, weir_doc_root(doc), weir_doc_root(read), "");
        }
        for (size_t j = 0; (b = weir_format_at(j)); j++) {
            weir_error error;
            weir_buffer_clear(&in_b);
            weir_buffer_clear(&back);
            if (!weir_convert(a, in_a.data, in_a.len, b, &options, &in_b, &error)) {
                if (weir_code_category(error.code) != WEIR_CATEGORY_LOSS) {
                    changed("convert there", a, b, weir_doc_root(read), NULL, weir_code_name(error.code));
                }
                continue;
            }
            if (!weir_convert(b, in_b.data, in_b.len, a, &options, &back, &error)) {
                changed("convert back", a, b, weir_doc_root(read), NULL, weir_code_name(error.code));
            }
            weir_doc *again = weir_parse(a, back.data, back.len, &options, &error);
            bool lost =
                (with & WITH_WIDTHS) && (caps & WEIR_CAP_WIDTHS) && !(weir_format_caps(b) & WEIR_CAP_WIDTHS);
            /* MessagePack keeps the instant of a tag 0 or 1, not how it was spelled. */
            lost |= tagged && b == weir_msgpack;
            if (!again || (!lost && !equal(weir_doc_root(read), weir_doc_root(again),
                                           all_widths(a) && all_widths(b)))) {
                changed("there and back", a, b, weir_doc_root(read), again ? weir_doc_root(again) : NULL,
                        again ? "" : weir_code_name(error.code));
            }
            weir_doc_free(again);
        }
        weir_doc_free(read);
    }
    weir_doc_free(doc);
    weir_buffer_free(&in_a);
    weir_buffer_free(&in_b);
    weir_buffer_free(&back);
}

static unsigned rounds(unsigned normal)
{
    const char *text = getenv("WEIR_ROUNDS");
    return text && *text ? (unsigned)strtoul(text, NULL, 0) : normal;
}

/* What all formats carry: null, booleans, integers, finite doubles, strings, arrays, maps with string keys.
 */
static void the_common_values_survive_every_pair(void **state)
{
    (void)state;
    rng r = rng_new(1);
    for (unsigned i = rounds(1000); i > 0; i--) {
        check(&r, rng_below(&r, 2) ? WITH_REALS : WITH_REALS | WITH_DUPLICATES);
    }
}

/* One or several of the kinds that some formats lack. */
static void other_values_survive_or_are_refused(void **state)
{
    (void)state;
    rng r = rng_new(2);
    for (unsigned i = rounds(1500); i > 0; i--) {
        unsigned with = 1u << rng_below(&r, 9);
        check(&r, with | (rng_below(&r, 2) ? 0 : (unsigned)rng_below(&r, 512)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_common_values_survive_every_pair),
        cmocka_unit_test(other_values_survive_or_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
