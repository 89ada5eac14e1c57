/* spatial.c - the implementation, in C: no warning for C++ concerns it */

#define SPATIAL_IMPLEMENTATION
#include "spatial.h"
