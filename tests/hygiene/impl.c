/* The file with the implementation, in the hardest order: first a plain include, as another header
   would do it, then the implementation, then both once more. */
#include "../../spatial.h"

#define SPATIAL_IMPLEMENTATION
#include "../../spatial.h"
#include "../../spatial.h"
