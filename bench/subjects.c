/* All subjects that are compiled in. -DSUBJECTS='SUBJECT(now_header) SUBJECT(x_peer) ...' names
   them. */
#include "contest.h"

#include <stddef.h>

#ifndef SUBJECTS
#define SUBJECTS SUBJECT(now_header)
#endif
#undef SUBJECT

#define SUBJECT(name) extern const subject name;
SUBJECTS
#undef SUBJECT

#define SUBJECT(name) &name,
const subject *const subjects[] = {SUBJECTS NULL};
