/* What the programs share: spatial.h with its internals, claims that are counted, and all floats of
   16 bits but infinity and NaN. */
#ifndef PROGRAMS_H
#define PROGRAMS_H

#include <stdio.h>
#define SPATIAL_STATIC
#define SPATIAL_IMPLEMENTATION
#include "spatial.h"

static long checks, failures;

/* a, b: numbers that tell which case it is. */
static void check(int condition, const char *claim, double a, double b)
{
    checks++;
    if (!condition && failures++ < 9) printf("%s: %.9g, %.9g\n", claim, a, b);
}

#ifndef SPATIAL_INT
#define HALVES 0x7C00 /* those that are not negative, 0 to 65504 */

/* Returns half number i of all in order: -HALVES < i < HALVES. */
static float half(int i)
{
    const int bits = i < 0 ? -i : i, exponent = bits >> 10, part = bits & 1023;
    const double size = (exponent ? 1024 + part : part) * 5.9604644775390625e-8; /* 2^-24 */
    return (float)(size * (i < 0 ? -1 : 1) * (1 << (exponent ? exponent - 1 : 0)));
}
#endif

#endif
