/* copies.h - memcpy that refuses pieces of memory that overlap, and a piece that is copied to where
   it is: C leaves both undefined, and of the latter no sanitizer tells. Rows include it before
   everything else, by -include. */
#ifndef TEST_COPIES_H
#define TEST_COPIES_H

#define _POSIX_C_SOURCE 200809L /* as sources do, but these come too late for the headers below */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline void *test_memcpy(void *to, const void *from, size_t bytes, const char *file,
                                int line)
{
    const uintptr_t a = (uintptr_t)to, b = (uintptr_t)from;
    if (to && from && (a < b ? b - a : a - b) >= bytes) return memcpy(to, from, bytes);
    fprintf(stderr, "%s:%d: memcpy of %lu bytes that overlap, or to or from NULL\n", file, line,
            (unsigned long)bytes);
    abort();
}

#define memcpy(to, from, bytes) test_memcpy(to, from, bytes, __FILE__, __LINE__)

#endif
