/* aarch64_be.c - start-up, output and end of a program on big-endian AArch64, for which Debian has
   no C library: by system calls of Linux. See targets.sh. */
int smoke_main(void);
void smoke_write(int c);
void smoke_start(void);

enum { WRITE = 64, EXIT = 93, STANDARD_OUTPUT = 1 };

static void system_call(long number, long first, const void *second, long third)
{
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = first;
    register const void *x1 __asm__("x1") = second;
    register long x2 __asm__("x2") = third;
    __asm__ volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2) : "memory");
}

void smoke_write(int c)
{
    char character = (char)c;
    system_call(WRITE, STANDARD_OUTPUT, &character, 1);
}

void smoke_start(void)
{
    system_call(EXIT, smoke_main(), (const void *)0, 0);
}
