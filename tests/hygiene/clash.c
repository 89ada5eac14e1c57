/* The library among names that system headers of one platform or another define as macros, and
   that a program may define for itself. The standard headers come first, for they may use them. */
#define IMPL
#include "baseline.h"

/* windows.h */
#define near
#define far
#define pascal
#define cdecl
#define interface struct
#define small char
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
#define IN
#define OUT
#define ERROR 0
#define DELETE 0x00010000L
#define TRUE 1
#define FALSE 0

/* compilers in their gnu modes, processors' register files, complex.h, X11 */
#undef unix
#undef linux
#undef i386
#undef mips
#define unix 1
#define linux 1
#define i386 1
#define mips 1
#define SP 0x3D
#define I 0x1
#define PI 3
#define None 0L
#define Bool int
#define Status int
#define major(device) (device)
#define minor(device) (device)

/* programs */
#define swap(a, b) program_swap(a, b)
#define abs(a) program_abs(a)

#define SPATIAL_IMPLEMENTATION
#include "../../spatial.h"
