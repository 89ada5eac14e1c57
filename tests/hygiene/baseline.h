/* The standard headers that spatial.h may include and nothing else: the macros that these define
   are not the library's doing. With IMPL also the headers that the implementation includes. */
#include <limits.h>
#include <stddef.h>
#if (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L) || defined(__cplusplus)
#include <stdint.h>
#endif

#ifdef IMPL
#include <assert.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif
#endif
