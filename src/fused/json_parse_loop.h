/* Stage 2 of the document parser: walks the text and writes nodes. Included by json_parse_core.h without and
 * with limits (LOOP_LIMITS), and for short texts (LOOP_SHORT), which have no index: there strings and white
 * space are walked byte by byte. Laid out as the grammar is; every place that can run into the chunk's end
 * has a label to come back to.
 *
 * An open container's node holds the distance to its parent, and, while one of its children is open, its own
 * kind and count: the tape is the stack. Positions are relative to the current chunk; a token that was undone
 * because it runs over the chunk's end has a negative one. `ip` is at the first index entry behind the
 * current position. */

#if LOOP_LIMITS
#define WITH_LIMITS(...) __VA_ARGS__
#else
#define WITH_LIMITS(...)
#endif

/* A place that only the next chunk brings the loop back to. */
#define RESUMED(label) \
    label:             \
    __attribute__((unused))

/* Only needed where something is odd, so not worth a register. */
#define END ((ptrdiff_t)P->filled)

/* To the token behind the white space that begins at `from`, or to what is not white space there. */
#if LOOP_SHORT
#define LAST true
#define JUMP(from)                                 \
    do {                                           \
        i = (from);                                \
        c = text[i];                               \
        if (c <= ' ') {                            \
            while (short_class[c] & SHORT_SPACE) { \
                c = text[++i];                     \
            }                                      \
        }                                          \
    } while (0)
#else
#define LAST P->last
#define JUMP(from)   \
    do {             \
        i = *ip++;   \
        c = text[i]; \
    } while (0)
#endif

#if LOOP_SHORT
#define AGAIN(label, next) REFUSE(label) /* nothing follows */
#else
#define AGAIN(label, next)              \
    do {                                \
        resume = &&label;               \
        stopped = JSON_STOP_AT_##label; \
        refill = next;                  \
        goto more;                      \
    } while (0)
#endif

/* The exact reader goes on at i, in the state of the label. */
#define REFUSE(label)                   \
    do {                                \
        stopped = JSON_STOP_AT_##label; \
        goto refuse;                    \
    } while (0)

/* Nothing that the grammar allows is at i. */
#define UNEXPECTED(label)             \
    do {                              \
        if (i == END && !LAST) {      \
            AGAIN(label, chunk_next); \
        }                             \
        REFUSE(label);                \
    } while (0)

/* Where the string at i ends: e, and whether it has escapes. In a short text an end behind END means none. */
#if LOOP_SHORT
#define STRING_STEP(k)                                     \
    if (unlikely(short_class[text[e + k]] & SHORT_STOP)) { \
        e += k;                                            \
        break;                                             \
    }
#define STRING_STEPS \
    STRING_STEP(0)   \
    STRING_STEP(1)   \
    STRING_STEP(2)   \
    STRING_STEP(3)   \
    STRING_STEP(4)   \
    STRING_STEP(5)   \
    STRING_STEP(6)   \
    STRING_STEP(7)   \
    STRING_STEP(8)   \
    STRING_STEP(9)   \
    STRING_STEP(10) STRING_STEP(11) STRING_STEP(12) STRING_STEP(13) STRING_STEP(14) STRING_STEP(15)
#define FIND_STRING_END(again)          \
    e = i + 1;                          \
    do {                                \
        STRING_STEPS                    \
        e += 16;                        \
        e += text_string_run(text + e); \
    } while (0);                        \
    if (unlikely(text[e] != '"')) {     \
        e = text_escaped_end(text, e);  \
        if (e < 0 || e >= END) {        \
            REFUSE(again);              \
        }                               \
        escaped = true;                 \
    }
#else
#define FIND_STRING_END(again)         \
    e = *ip++;                         \
    if (unlikely(e & INDEX_ESCAPED)) { \
        e &= INDEX_POSITION;           \
        escaped = true;                \
    }
#endif

/* The string at i, up to its closing quote e. At the chunk's end e is END, which shows in the byte behind it.
 */
#define TAKE_STRING(maximum, again)                                                        \
    do {                                                                                   \
        bool escaped = false;                                                              \
        FIND_STRING_END(again)                                                             \
        if (unlikely(escaped)) {                                                           \
            n = string_unescape(text + i + 1, text + e);                                   \
            if (n < 0) {                                                                   \
                REFUSE(again);                                                             \
            }                                                                              \
            t->tag = WEIR_KIND_STRING | (uint64_t)n << 8;                                  \
        } else {                                                                           \
            n = e - i - 1;                                                                 \
            t->tag = WEIR_KIND_STRING | TAPE_PLAIN | (uint64_t)n << 8;                     \
            text[e] = 0;                                                                   \
        }                                                                                  \
        t->v.i = (int64_t)((intptr_t)(text + i + 1) - (intptr_t)t);                        \
        WITH_LIMITS(if (unlikely((uint64_t)n > maximum)) {                                 \
            if (e < END || LAST) {                                                         \
                REFUSE(again);                                                             \
            }                                                                              \
            AGAIN(again, chunk_next); /* it may get shorter: escapes are not undone yet */ \
        } payload += (uint64_t)n;)                                                         \
        t++;                                                                               \
    } while (0)

#define UNDO()                               \
    do {                                     \
        t--;                                 \
        WITH_LIMITS(payload -= (uint64_t)n;) \
    } while (0)

/* The number at i, up to a. */
#define TAKE_NUMBER(again)                                                                          \
    do {                                                                                            \
        const uint8_t *stop = json_number_read(text + i, t, policy, free_digits, P->limits.number); \
        if (unlikely(stop == NULL)) {                                                               \
            for (a = i; a < END && (json_is_digit(text[a]) || text[a] == '-' || text[a] == '+' ||   \
                                    text[a] == '.' || (text[a] | 0x20) == 'e');                     \
                 a++) {                                                                             \
            }                                                                                       \
            if (a == END && !LAST) {                                                                \
                AGAIN(again, chunk_next_in_number);                                                 \
            }                                                                                       \
            REFUSE(again);                                                                          \
        }                                                                                           \
        a = stop - text;                                                                            \
        WITH_LIMITS(n = a - i; payload += (uint64_t)n;                                              \
                    if (unlikely((uint64_t)n > P->limits.number)) REFUSE(again);)                   \
        t++;                                                                                        \
    } while (0)

/* One of true, false, null: four bytes of it, `skip` bytes from its start. */
#define TAKE_WORD(word, skip, kind, again)                   \
    do {                                                     \
        if (unlikely(load32(text + i + (skip)) != (word))) { \
            if (END - i < 4 + (skip) && !LAST) {             \
                AGAIN(again, chunk_next);                    \
            }                                                \
            REFUSE(again);                                   \
        }                                                    \
        t->tag = (kind);                                     \
        t->v.u = 0;                                          \
        t++;                                                 \
        a = i + 4 + (skip);                                  \
    } while (0)

#define WORD_TRUE BYTES4('t', 'r', 'u', 'e')
#define WORD_ALSE BYTES4('a', 'l', 's', 'e')
#define WORD_NULL BYTES4('n', 'u', 'l', 'l')

/* Behind a map's value, at a. One comparison of two bytes tells the indented layout from the compact one. */
#define AFTER_ENTRY(odd)                 \
    do {                                 \
        uint32_t w = load16(text + a);   \
        if (w == (',' | '\n' << 8)) {    \
            count++;                     \
            JUMP(a + 1);                 \
            if (likely(c == '"')) {      \
                goto map_key;            \
            }                            \
            UNEXPECTED(map_next);        \
        }                                \
        if (likely((uint8_t)w == ',')) { \
            count++;                     \
            i = a + 1;                   \
            c = (uint8_t)(w >> 8);       \
            if (c <= ' ') {              \
                JUMP(i);                 \
            }                            \
            if (likely(c == '"')) {      \
                goto map_key;            \
            }                            \
            UNEXPECTED(map_next);        \
        }                                \
        if ((uint8_t)w == '\n') {        \
            count++;                     \
            i = a;                       \
            goto map_after_jump;         \
        }                                \
        if ((uint8_t)w == '}') {         \
            count++;                     \
            i = a + 1;                   \
            goto map_close;              \
        }                                \
        goto odd;                        \
    } while (0)

/* Behind an array's item, at a. Items tend to be alike: the same kind is tried first. */
#define AFTER_ITEM(alike, label, odd)    \
    do {                                 \
        uint32_t w = load16(text + a);   \
        if (likely((uint8_t)w == ',')) { \
            count++;                     \
            i = a + 1;                   \
            c = (uint8_t)(w >> 8);       \
            if (c <= ' ') {              \
                JUMP(i);                 \
            }                            \
            if (alike) {                 \
                goto label;              \
            }                            \
            goto array_value_c;          \
        }                                \
        if ((uint8_t)w == '\n') {        \
            count++;                     \
            i = a;                       \
            goto array_after_jump;       \
        }                                \
        if ((uint8_t)w == ']') {         \
            count++;                     \
            i = a + 1;                   \
            goto array_close;            \
        }                                \
        goto odd;                        \
    } while (0)

#define OPEN_CONTAINER()               \
    do {                               \
        t->v.u = (uint64_t)(t - open); \
        open = t++;                    \
        count = 0;                     \
        i++;                           \
    } while (0)

/* Children are one level deeper than their container. */
#define CLOSE_CONTAINER(kind, maximum)                               \
    do {                                                             \
        if (unlikely(P->room++ == 0) && count != 0) {                \
            goto refuse_all;                                         \
        }                                                            \
        WITH_LIMITS(if (unlikely(count > maximum)) goto refuse_all;  \
                    P->keys += (kind) == WEIR_KIND_MAP ? count : 0;) \
        weir_val *parent = open - open->v.u;                         \
        open->tag = (kind) | count << 8;                             \
        open->v.u = (uint64_t)(t - open);                            \
        open = parent;                                               \
        count = (open->tag >> 8) + 1;                                \
        c = text[i];                                                 \
        kind_of_open = (uint8_t)open->tag;                           \
    } while (0)

#define VALUE_TABLE(prefix)                                                                                 \
    {                                                                                                       \
        [0 ... '!'] = &&prefix##_bad, ['"'] = &&prefix##_string,                                            \
               ['#' ... ','] = &&prefix##_bad, ['-'] = &&prefix##_number, ['.' ... '/'] = &&prefix##_bad,   \
               ['0' ... '9'] = &&prefix##_number, [':' ... 'Z'] = &&prefix##_bad, ['['] = &&prefix##_array, \
               ['\\' ... 'e'] = &&prefix##_bad, ['f'] = &&prefix##_false,                                   \
               ['g' ... 'm'] = &&prefix##_bad, ['n'] = &&prefix##_null,                                     \
               ['o' ... 's'] = &&prefix##_bad, ['t'] = &&prefix##_true,                                     \
               ['u' ... 'z'] = &&prefix##_bad, ['{'] = &&prefix##_map, ['|' ... 255] = &&prefix##_bad       \
    }

static json_parse_result LOOP_NAME(parse *P)
{
    static const void *const map_table[256] = VALUE_TABLE(map);
    static const void *const array_table[256] = VALUE_TABLE(array);
    static const void *const root_table[256] = VALUE_TABLE(root);
    const json_number_policy policy = P->job->numbers;
    const unsigned free_digits = json_digits_free(policy);
#if !LOOP_SHORT
    json_parse_result (*refill)(parse *);
    const void *resume;
    const uint16_t *ip = P->scratch->index;
#endif
    uint8_t *text = P->base;
    weir_val *t = P->top, *open = P->open;
    uint64_t count = 0;
    ptrdiff_t i = 0, a = 0, e, n;
    uint8_t c, kind_of_open;
    /* Only the payload's sum is worth a register; what containers need stays in memory. */
    WITH_LIMITS(uint64_t payload = 0; P->keys = 0;)
    enum json_stop stopped = JSON_STOP_UNKNOWN;
    P->room = P->limits.depth;
    if (P->room == 0) {
        goto refuse_all;
    }

    JUMP(0);
root_value_c:
    goto *root_table[c];
    RESUMED(root_value);
    c = text[i];
    if (c <= ' ') {
        JUMP(i);
    }
    goto root_value_c;
root_bad:
    UNEXPECTED(root_value);
root_map:
    goto map_open;
root_array:
    goto array_open;
root_string:
    TAKE_STRING(P->limits.string, root_string);
    a = e + 1;
    if (unlikely(e >= END)) {
        UNDO();
        if (LAST) {
            REFUSE(root_string);
        }
        AGAIN(root_string, chunk_next);
    }
    goto root_scalar;
root_number:
    TAKE_NUMBER(root_number);
    if (a == END && !LAST) {
        UNDO();
        AGAIN(root_number, chunk_next_in_number);
    }
    goto root_scalar;
root_true:
    TAKE_WORD(WORD_TRUE, 0, WEIR_KIND_TRUE, root_true);
    goto root_scalar;
root_false:
    TAKE_WORD(WORD_ALSE, 1, WEIR_KIND_FALSE, root_false);
    goto root_scalar;
root_null:
    TAKE_WORD(WORD_NULL, 0, WEIR_KIND_NULL, root_null);
root_scalar:
    i = a;
root_after:
    if (P->job->many) {
        goto finish;
    }
    c = text[i];
    if (c <= ' ') {
        JUMP(i);
    }
    if (i != END) {
        REFUSE(root_after);
    }
    if (!LAST) {
        AGAIN(root_after, chunk_next);
    }
    goto finish;

    /* maps */
map_map:
    open->tag = WEIR_KIND_MAP | count << 8;
    goto map_open;
array_map:
    open->tag = WEIR_KIND_ARRAY | count << 8;
map_open:
    if (unlikely(P->room-- == 0)) {
        goto refuse_all;
    }
    OPEN_CONTAINER();
    RESUMED(map_first);
    c = text[i];
    if (c <= ' ') {
        JUMP(i);
    }
    if (likely(c == '"')) {
        goto map_key;
    }
    if (c == '}') {
        i++;
        goto map_close;
    }
    UNEXPECTED(map_first);
map_next:
    c = text[i];
    if (c <= ' ') {
        JUMP(i);
    }
    if (unlikely(c != '"')) {
        UNEXPECTED(map_next);
    }
map_key:
    TAKE_STRING(P->limits.key, map_key);
    {
        uint32_t w = load32(text + e + 1);
        if ((w & 0xFFFF) == (':' | ' ' << 8)) {
            JUMP(e + 2);
            goto map_value_c;
        }
        if (likely((uint8_t)w == ':')) {
            i = e + 2;
            c = (uint8_t)(w >> 8);
            if (c <= ' ') {
                JUMP(i);
            }
            goto map_value_c;
        }
        if ((w & 0xFFFFFF) == (' ' | ':' << 8 | ' ' << 16)) {
#if LOOP_SHORT
            JUMP(e + 3);
#else
            i = ip[1];
            ip += 2;
            c = text[i];
#endif
            goto map_value_c;
        }
    }
    if (unlikely(e >= END)) {
        UNDO();
        if (LAST) {
            REFUSE(map_key);
        }
        AGAIN(map_key, chunk_next);
    }
    i = e + 1;
    RESUMED(map_colon);
    c = text[i];
    if (c <= ' ') {
        JUMP(i);
    }
    if (unlikely(c != ':')) {
        UNEXPECTED(map_colon);
    }
    i++;
    RESUMED(map_value);
    c = text[i];
    if (c <= ' ') {
        JUMP(i);
    }
map_value_c:
    if (c == '"') {
        goto map_string;
    }
    goto *map_table[c];
map_bad:
    UNEXPECTED(map_value);
map_string:
    TAKE_STRING(P->limits.string, map_string);
    a = e + 1;
    AFTER_ENTRY(map_string_odd);
map_number:
    TAKE_NUMBER(map_number);
    AFTER_ENTRY(map_number_odd);
map_true:
    TAKE_WORD(WORD_TRUE, 0, WEIR_KIND_TRUE, map_true);
    AFTER_ENTRY(map_odd);
map_false:
    TAKE_WORD(WORD_ALSE, 1, WEIR_KIND_FALSE, map_false);
    AFTER_ENTRY(map_odd);
map_null:
    TAKE_WORD(WORD_NULL, 0, WEIR_KIND_NULL, map_null);
    AFTER_ENTRY(map_odd);
map_string_odd:
    if (unlikely(e >= END)) {
        UNDO();
        if (LAST) {
            REFUSE(map_string);
        }
        AGAIN(map_string, chunk_next);
    }
    goto map_odd;
map_number_odd:
    if (unlikely(a == END) && !LAST) {
        UNDO();
        AGAIN(map_number, chunk_next_in_number);
    }
map_odd:
    count++;
    i = a;
    RESUMED(map_after);
    c = text[i];
map_after_c:
    if (c == ',') {
        i++;
        goto map_next;
    }
    if (c == '}') {
        i++;
        goto map_close;
    }
    if (unlikely(c > ' ')) {
        UNEXPECTED(map_after);
    }
map_after_jump:
    JUMP(i);
    if (likely(c == '}')) {
        i++;
        goto map_close;
    }
    if (c == ',') {
        i++;
        goto map_next;
    }
    UNEXPECTED(map_after);
map_close:
    CLOSE_CONTAINER(WEIR_KIND_MAP, P->limits.entries);
    if (kind_of_open == WEIR_KIND_MAP) {
        goto map_after_c;
    }
    if (kind_of_open == WEIR_KIND_ARRAY) {
        goto array_after_c;
    }
    goto root_after;

    /* arrays */
map_array:
    open->tag = WEIR_KIND_MAP | count << 8;
    goto array_open;
array_array:
    open->tag = WEIR_KIND_ARRAY | count << 8;
array_open:
    if (unlikely(P->room-- == 0)) {
        goto refuse_all;
    }
    OPEN_CONTAINER();
    RESUMED(array_first);
    c = text[i];
    if (c <= ' ') {
        JUMP(i);
    }
    if (c == ']') {
        i++;
        goto array_close;
    }
    if (unlikely(i == END)) {
        UNEXPECTED(array_first);
    }
    goto array_value_c;
array_value:
    c = text[i];
    if (c <= ' ') {
        JUMP(i);
    }
array_value_c:
    if (c == '"') {
        goto array_string;
    }
    goto *array_table[c];
array_bad:
    UNEXPECTED(array_value);
array_string:
    TAKE_STRING(P->limits.string, array_string);
    a = e + 1;
    AFTER_ITEM(c == '"', array_string, array_string_odd);
array_number:
    TAKE_NUMBER(array_number);
    AFTER_ITEM(json_is_digit(c), array_number, array_number_odd);
array_true:
    TAKE_WORD(WORD_TRUE, 0, WEIR_KIND_TRUE, array_true);
    AFTER_ITEM(false, array_value_c, array_odd);
array_false:
    TAKE_WORD(WORD_ALSE, 1, WEIR_KIND_FALSE, array_false);
    AFTER_ITEM(false, array_value_c, array_odd);
array_null:
    TAKE_WORD(WORD_NULL, 0, WEIR_KIND_NULL, array_null);
    AFTER_ITEM(false, array_value_c, array_odd);
array_string_odd:
    if (unlikely(e >= END)) {
        UNDO();
        if (LAST) {
            REFUSE(array_string);
        }
        AGAIN(array_string, chunk_next);
    }
    goto array_odd;
array_number_odd:
    if (unlikely(a == END) && !LAST) {
        UNDO();
        AGAIN(array_number, chunk_next_in_number);
    }
array_odd:
    count++;
    i = a;
    RESUMED(array_after);
    c = text[i];
array_after_c:
    if (c == ',') {
        i++;
        goto array_value;
    }
    if (c == ']') {
        i++;
        goto array_close;
    }
    if (unlikely(c > ' ')) {
        UNEXPECTED(array_after);
    }
array_after_jump:
    JUMP(i);
    if (likely(c == ']')) {
        i++;
        goto array_close;
    }
    if (c == ',') {
        i++;
        goto array_value;
    }
    UNEXPECTED(array_after);
array_close:
    CLOSE_CONTAINER(WEIR_KIND_ARRAY, P->limits.items);
    if (kind_of_open == WEIR_KIND_MAP) {
        goto map_after_c;
    }
    if (kind_of_open == WEIR_KIND_ARRAY) {
        goto array_after_c;
    }
    goto root_after;

#if !LOOP_SHORT
more : {
    P->top = t;
    P->open = open;
    WITH_LIMITS(if (unlikely(payload > P->limits.payload)) goto refuse_all;
                /* at least every second node is a value */
                if (unlikely((uint64_t)(t - nodes_begin(P)) / 2 > P->limits.nodes)) goto refuse_all;)
    json_parse_result r = refill(P);
    if (unlikely(r != JSON_PARSE_OK)) {
        if (r == JSON_PARSE_REFUSED) {
            parse_note_stop(P, stopped, P->open, P->top, count, i - (ptrdiff_t)P->moved);
        }
        return r;
    }
    ip = P->scratch->index;
    text = P->base;
    t = P->top;
    open = P->open;
    i -= (ptrdiff_t)P->moved;
    if (i == 0 && *ip == 0) { /* the token at i follows white space in the chunk before */
        ip++;
    }
    goto *resume;
}
#endif

finish : {
    size_t nodes = (size_t)(t - nodes_begin(P));
    WITH_LIMITS(if (nodes - P->keys > P->limits.nodes || payload > P->limits.payload) goto refuse_all;)
    return parse_finish(P, nodes, i);
}

refuse:
    parse_note_stop(P, stopped, open, t, count, i);
refuse_all:
    return JSON_PARSE_REFUSED;
}

#undef WITH_LIMITS
#undef END
#undef LAST
#undef FIND_STRING_END
#undef STRING_STEP
#undef STRING_STEPS
#undef RESUMED
#undef JUMP
#undef AGAIN
#undef REFUSE
#undef UNEXPECTED
#undef TAKE_STRING
#undef UNDO
#undef TAKE_NUMBER
#undef TAKE_WORD
#undef AFTER_ENTRY
#undef AFTER_ITEM
#undef OPEN_CONTAINER
#undef CLOSE_CONTAINER
#undef VALUE_TABLE
#undef WORD_TRUE
#undef WORD_ALSE
#undef WORD_NULL
