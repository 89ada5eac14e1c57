/* startup.c - what runs before main and after it on a Cortex-M3 under a debugger or qemu: vectors,
   memory, output over semihosting, and a painted stack that tells how deep it went. No C library.

   Built by: run.sh, with mps2.ld, which defines the symbols below. */
#include <stddef.h>
#include <stdint.h>

#define PAINT 0xC0FFEE11UL

/* semihosting operations and the reason for an exit with a code of one's own */
#define SYS_WRITE0 0x04
#define SYS_EXIT_EXTENDED 0x20
#define STOPPED_APPLICATION_EXIT 0x20026

extern uint32_t data_in_flash[], data_begin[], data_end[], bss_begin[], bss_end[], stack_end[];

int main(void);
void reset(void);
void fault(void);
void board_write(const char *text);
long board_stack(void);
void *memcpy(void *to, const void *from, size_t bytes);
void *memset(void *to, int value, size_t bytes);

static void semihosting(int operation, const void *argument)
{
    register int r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

static void leave(int code)
{
    uint32_t why[2];

    why[0] = STOPPED_APPLICATION_EXIT;
    why[1] = (uint32_t)code;
    semihosting(SYS_EXIT_EXTENDED, why);
    for (;;) continue;
}

void board_write(const char *text)
{
    semihosting(SYS_WRITE0, text);
}

/* The stack grows down from stack_end towards bss_end: bytes it never reached are still painted. */
long board_stack(void)
{
    const uint32_t *word = bss_end;

    while (word < stack_end && *word == PAINT) word++;
    return word == bss_end ? -1 : (long)(stack_end - word) * (long)sizeof *word;
}

/* gcc calls these two for copies of structs and for zeros, also in freestanding programs. */
void *memcpy(void *to, const void *from, size_t bytes)
{
    unsigned char *t = to;
    const unsigned char *f = from;

    while (bytes-- > 0) *t++ = *f++;
    return to;
}

void *memset(void *to, int value, size_t bytes)
{
    unsigned char *t = to;

    while (bytes-- > 0) *t++ = (unsigned char)value;
    return to;
}

void fault(void)
{
    board_write("processor fault\n");
    leave(99);
}

void reset(void)
{
    const uint32_t *from = data_in_flash;
    uint32_t *to, *sp;

    for (to = data_begin; to < data_end; to++) *to = *from++;
    for (to = bss_begin; to < bss_end; to++) *to = 0;
    __asm__ volatile("mov %0, sp" : "=r"(sp));
    for (to = bss_end; to < sp; to++) *to = PAINT;
    leave(main());
}

/* The first words of the flash: the stack, then whom to call. Interrupts stay off, so the table
   ends with the last fault. */
typedef struct vector_table {
    uint32_t *stack;
    void (*reset)(void);
    void (*faults[5])(void); /* NMI, hard fault, memory, bus, usage */
} vector_table;

extern const vector_table vectors;
__attribute__((section(".vectors"), used))
const vector_table vectors = {stack_end, reset, {fault, fault, fault, fault, fault}};
