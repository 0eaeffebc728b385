/* Pieces of the fused binary parsers' loops. The including loop has PARSE_OWNED and PARSE_LIMITED (0 or 1), a
 * table `heads` of label addresses, and labels short_input, refused, no_memory, close.
 *
 * `head` is the head, read from p; q is where its operands may be read: the same place, but near the end of a
 * borrowed input, where they are copied to `tail`. An owned input is followed by bytes that are no head. */

#undef FETCH
#undef NEXT
#undef SCALAR
#undef IS_KEY
#undef TEXT
#undef OPEN
#undef HEAD_AT

#if PARSE_OWNED
#define HEAD_AT p
/* The place of the NUL after a string is that of the next head: free as soon as that is read. Writing it
 * again for every head costs less than asking. */
#define FETCH              \
    do {                   \
        head = *p;         \
        *nul = 0;          \
        goto *heads[head]; \
    } while (0)
#else
#define HEAD_AT q
#define FETCH                        \
    do {                             \
        q = p;                       \
        if (unlikely(end - p < 9)) { \
            goto fetch_tail;         \
        }                            \
        head = *q;                   \
        goto *heads[head];           \
    } while (0)
#endif

#define NEXT                         \
    do {                             \
        if (unlikely(--left == 0)) { \
            goto close;              \
        }                            \
        FETCH;                       \
    } while (0)

/* A node whose head and operands took `bytes` bytes. */
#define SCALAR(kind, field, value, bytes) \
    do {                                  \
        o->tag = (kind);                  \
        o->v.field = (value);             \
        o++;                              \
        p += (bytes);                     \
        NEXT;                             \
    } while (0)

#define IS_KEY (map && !(left & 1))
