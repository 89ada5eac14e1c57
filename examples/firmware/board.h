/* board.h - what the programs here need of the machine that they run on: text out, and the depth
   of the stack. A hosted compiler has the first from <stdio.h>; on the board both are in
   startup.c. */
#ifndef BOARD_H
#define BOARD_H

#if __STDC_HOSTED__
#include <stdio.h>
#define board_write(text) fputs(text, stdout)
#define board_stack() 0L
#else
void board_write(const char *text);
long board_stack(void); /* bytes of stack at its deepest so far; -1: more than there is */
#endif

static char board_line[100];
static int board_column;

/* Appends to the line, as far as it has room. */
static void put(const char *text)
{
    while (*text && board_column < (int)sizeof board_line - 2) board_line[board_column++] = *text++;
}

/* Appends a number, right-aligned; with base 16 and zeros before it. */
static void put_number(unsigned long value, int width, unsigned base)
{
    char digits[24];
    int i = (int)sizeof digits - 1, left = i - width;

    digits[i] = 0;
    do digits[--i] = "0123456789abcdef"[value % base], value /= base;
    while (value > 0);
    while (i > left) digits[--i] = base == 16 ? '0' : ' ';
    put(digits + i);
}

static void end_line(void)
{
    board_line[board_column++] = '\n';
    board_line[board_column] = 0;
    board_column = 0;
    (void)board_write(board_line);
}

#endif
