/* See memory.h. The functions here stand before those of the C library: they count and hand on, so
   that operator new and shared libraries are counted too. The bytes are the library's own figures:
   to count them here would cost every call time, and the clock is running. */
#include "memory.h"

#include <stdlib.h>

#if defined(__GLIBC__) && defined(__GLIBC_PREREQ)
#if __GLIBC_PREREQ(2, 33)
#define COUNTED
#endif
#endif

#ifdef COUNTED
#include <errno.h>
#include <malloc.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
int posix_memalign(void **p, size_t alignment, size_t size);
void *aligned_alloc(size_t alignment, size_t size);

static long calls;

void *malloc(size_t size)
{
    calls++;
    return __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    calls++;
    return __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    calls++;
    return __libc_realloc(old, size);
}

void *memalign(size_t alignment, size_t size)
{
    calls++;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memalign(alignment, size);
}

int posix_memalign(void **p, size_t alignment, size_t size)
{
    void *block;
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
    block = memalign(alignment, size);
    if (!block) return ENOMEM;
    *p = block;
    return 0;
}

long memory_calls(void)
{
    return calls;
}

double memory_bytes(void)
{
    struct mallinfo2 info = mallinfo2();
    return (double)info.uordblks + (double)info.hblkhd;
}
#else
long memory_calls(void)
{
    return -1;
}

double memory_bytes(void)
{
    return -1;
}
#endif
