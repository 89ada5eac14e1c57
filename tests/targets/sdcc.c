/* sdcc.c - output of a Z80, STM8 or 8051 through the simulator interface of ucsim: a port, or a
   place in memory, that takes a command and its argument. Its exit status says nothing. See
   targets.sh. */
#if defined(__SDCC_mcs51)
static volatile __xdata __at(0xFFFF) unsigned char simulator;
unsigned char _sdcc_external_startup(void);
#elif defined(__SDCC_stm8)
#define simulator (*(volatile unsigned char *)0x7FFF)
#else
__sfr __at(0xFF) simulator;
#endif

int smoke_main(void);
void smoke_write(int c);

void smoke_write(int c)
{
    simulator = 'p'; /* print */
    simulator = (unsigned char)c;
}

void main(void)
{
    smoke_write('\n'); /* ends the simulator's prompt */
    (void)smoke_main();
    simulator = 's'; /* stop */
    for (;;) continue;
}

#ifdef __SDCC_mcs51
/* 0: main is to find its variables cleared. */
unsigned char _sdcc_external_startup(void)
{
    return 0;
}
#endif
