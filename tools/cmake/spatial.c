/* spatial.c - the implementation alone: a file in C, so that no warning for C++ concerns it */

#define SPATIAL_IMPLEMENTATION
#include "spatial.h"
