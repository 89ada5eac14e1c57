/* memory.c - what compilers call of their own accord, for targets without a C library. Built so
   that they do not make calls to memcpy of memcpy itself. See targets.sh. */
#include <stddef.h>

void *memcpy(void *to, const void *from, size_t bytes);
void *memset(void *to, int value, size_t bytes);

void *memcpy(void *to, const void *from, size_t bytes)
{
    unsigned char *t = (unsigned char *)to;
    const unsigned char *f = (const unsigned char *)from;
    while (bytes-- > 0) *t++ = *f++;
    return to;
}

void *memset(void *to, int value, size_t bytes)
{
    unsigned char *t = (unsigned char *)to;
    while (bytes-- > 0) *t++ = (unsigned char)value;
    return to;
}
