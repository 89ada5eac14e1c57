/* places.h - notes by which calls memory was asked for, and whether it was refused: the row
   `allocations` includes it before everything else, by -include. It needs glibc.

   Each chain of calls is a line of the file PLACES, once if memory was given and once if it was
   refused: a word for that, and the addresses of the calls, the innermost first. */
#ifndef TEST_PLACES_H
#define TEST_PLACES_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* as a source does, but that comes too late for the headers below */
#endif
#include <execinfo.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define PLACES_CALLS 256
#define PLACES_CHAINS 8192 /* many more than there are, so that one is found soon */

static inline void places_write(void **calls, int count, int refused)
{
    const char *path = getenv("PLACES");
    FILE *file = path ? fopen(path, "a") : NULL;
    int i;
    if (!file) abort();
    fprintf(file, "%s", refused ? "refused" : "given");
    for (i = 0; i < count; i++) /* they are where the calls return to, which may be another line */
        fprintf(file, " 0x%lx", (unsigned long)(uintptr_t)calls[i] - 1);
    fprintf(file, "\n");
    if (fclose(file) != 0) abort();
}

static inline void places_note(int refused)
{
    static uint64_t known[PLACES_CHAINS]; /* hashes, each at its remainder or behind; 0: none */
    void *calls[PLACES_CALLS];
    const int count = backtrace(calls, PLACES_CALLS);
    uint64_t hash = (uint64_t)refused + 1;
    size_t at;
    int i;
    for (i = 0; i < count; i++) hash = (hash ^ (uintptr_t)calls[i]) * 0x9E3779B97F4A7C15u;
    hash ^= hash >> 32;
    for (at = (size_t)(hash % PLACES_CHAINS); known[at]; at = (at + 1) % PLACES_CHAINS)
        if (known[at] == hash) return;
    known[at] = hash;
    places_write(calls, count, refused);
}

static inline void *places_realloc(void *old, size_t size)
{
    places_note(0);
    return realloc(old, size);
}

#define SPATIAL_REALLOC(p, n) places_realloc(p, n)
#define SPATIAL_FREE(p) free(p)
#define TEST_ASKED(refused) places_note(refused) /* of the allocator of test.h */

#endif
