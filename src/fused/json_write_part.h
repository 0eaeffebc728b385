/* block_check_part for kernels without masked loads: the text is brought to a place where a block may be
 * read. */
static NEVER_INLINE uint64_t block_check_part(char *o, const char *s, size_t n)
{
    char block[BLOCK];
    memset(block, ' ', BLOCK);
    if (n) {
        memcpy(block, s, n);
    }
    return block_check(o, block);
}
