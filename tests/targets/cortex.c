/* cortex.c - start-up of a Cortex-M without a C library; output and exit status by semihosting,
   that is, through the emulator or debugger that the processor runs in. See targets.sh. */
extern unsigned cortex_data[], cortex_data_end[], cortex_data_load[], cortex_bss[],
    cortex_bss_end[], cortex_stack[];
int smoke_main(void);
void smoke_write(int c);
void cortex_reset(void);
void cortex_fault(void);

enum { WRITE_CHARACTER = 3, EXIT_EXTENDED = 0x20, APPLICATION_EXIT = 0x20026 };

static void semihosting(int operation, const void *argument)
{
    register int r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

void smoke_write(int c)
{
    char character = (char)c;
    semihosting(WRITE_CHARACTER, &character);
}

static void leave(int status)
{
    int reason[2];
    reason[0] = APPLICATION_EXIT;
    reason[1] = status;
    for (;;) semihosting(EXIT_EXTENDED, reason);
}

void cortex_fault(void)
{
    leave(99);
}

void cortex_reset(void)
{
    unsigned *to, *from = cortex_data_load;
#ifdef __ARM_FP
    *(volatile unsigned *)0xE000ED88u |= 0xFu << 20; /* lets the processor use its FPU */
    __asm__ volatile("dsb\n isb");
#endif
    for (to = cortex_data; to < cortex_data_end; to++) *to = *from++;
    for (to = cortex_bss; to < cortex_bss_end; to++) *to = 0;
    leave(smoke_main());
}

/* The first is where the stack begins; then what to do at reset and on the five kinds of faults,
   which are one to us. */
typedef union cortex_vector {
    const void *address;
    void (*function)(void);
} cortex_vector;

extern const cortex_vector cortex_vectors[16];
__attribute__((section(".vectors"), used)) const cortex_vector cortex_vectors[16] = {
    {cortex_stack},
    {.function = cortex_reset},
    {.function = cortex_fault},
    {.function = cortex_fault},
    {.function = cortex_fault},
    {.function = cortex_fault},
    {.function = cortex_fault},
};
