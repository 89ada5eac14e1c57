/* dos.h - the few things that C cannot do: low_gcc.c and low_bcc.s have them for two compilers

   Memory: a segment with the code, one with data and stack, one with the hidden picture. */

#ifndef DOS_H
#define DOS_H

extern char command_tail[];   /* its length, and the text behind the name of the program */
extern unsigned short hidden; /* segment of the picture */

/* A service of DOS: registers ax, bx, cx, dx, and the value for ds. 1, or 0 after an error. */
int low_dos(unsigned *registers, unsigned segment);
void low_video_mode(unsigned mode);
void low_out(unsigned port, unsigned value);
unsigned low_in(unsigned port);
void low_fill(unsigned segment, unsigned at, unsigned count, unsigned value);
void low_copy(unsigned to, unsigned from, unsigned bytes); /* segments, both from their begin on */
unsigned low_segment(void);                                /* of the data */
unsigned low_stack(void); /* bytes of the stack that are still as the start-up painted them */

int dos_main(void); /* called at the start; returns the exit status */

#endif
