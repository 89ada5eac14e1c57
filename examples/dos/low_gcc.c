/* low_gcc.c - start-up and assembler for gcc -m16: 32-bit code in real mode

   Goes with com.ld, which says where things lie. Built by run.sh. */

#include "dos.h"

#define PAINT 0xA5

extern unsigned char bss_end[]; /* com.ld: from there to the top of the segment is stack */
char command_tail[128];
unsigned short hidden;

/* At the start all segment registers hold the code's segment, and the word at 2 tells where memory
   ends. Zeros the bss, paints the stack, fetches the command tail, turns to the data segment. */
__asm__(".code16gcc\n"
        ".section .text.start,\"ax\"\n"
        ".globl start\n"
        "start:\n"
        "    cld\n"
        "    movw %cs, %ax\n"
        "    addw $data_segment, %ax\n"
        "    movw %ax, %bx\n"
        "    addw $0x2000, %bx\n" /* behind data and the hidden picture */
        "    cmpw 2, %bx\n"
        "    ja 1f\n"
        "    movw %ax, %es\n"
        "    movl $bss, %edi\n"
        "    movl $bss_end, %ecx\n"
        "    subl %edi, %ecx\n"
        "    xorl %eax, %eax\n"
        "    rep stosb\n"
        "    movl $0x10000, %ecx\n"
        "    subl %edi, %ecx\n"
        "    movb $0xA5, %al\n" /* PAINT */
        "    rep stosb\n"
        "    movl $0x80, %esi\n"
        "    movl $command_tail, %edi\n"
        "    movl $128, %ecx\n"
        "    rep movsb\n"
        "    movw %es, %ax\n"
        "    movw %ax, %ds\n"
        "    movw %ax, %ss\n"
        "    movl $0xFFFC, %esp\n"
        "    addw $0x1000, %ax\n"
        "    movw %ax, hidden\n"
        "    calll dos_main\n"
        "    jmp 2f\n"
        "1:  movb $3, %al\n" /* too little memory */
        "2:  movb $0x4C, %ah\n"
        "    int $0x21\n"
        ".text\n");

int low_dos(unsigned *registers, unsigned segment)
{
    unsigned flags;
    __asm__ volatile("pushw %%ds\n"
                     "movw %w5, %%ds\n"
                     "int $0x21\n"
                     "popw %%ds\n"
                     "pushfw\n"
                     "popw %w4"
                     : "+a"(registers[0]), "+b"(registers[1]), "+c"(registers[2]),
                       "+d"(registers[3]), "=&S"(flags)
                     : "D"(segment)
                     : "memory", "cc");
    return (flags & 1) == 0; /* carry */
}

void low_video_mode(unsigned mode)
{
    __asm__ volatile("int $0x10" : "+a"(mode) : : "memory", "cc");
}

void low_out(unsigned port, unsigned value)
{
    __asm__ volatile("outb %b0, %w1" : : "a"(value), "d"(port));
}

unsigned low_in(unsigned port)
{
    unsigned value = 0;
    __asm__ volatile("inb %w1, %b0" : "+a"(value) : "d"(port));
    return value;
}

void low_fill(unsigned segment, unsigned at, unsigned count, unsigned value)
{
    __asm__ volatile("pushw %%es\n movw %w3, %%es\n rep stosb\n popw %%es"
                     : "+D"(at), "+c"(count)
                     : "a"(value), "d"(segment)
                     : "memory", "cc");
}

void low_copy(unsigned to, unsigned from, unsigned bytes)
{
    unsigned source = 0, target = 0, count = bytes / 4;
    __asm__ volatile("pushw %%ds\n pushw %%es\n movw %w3, %%es\n movw %w4, %%ds\n"
                     "rep movsl\n"
                     "popw %%es\n popw %%ds"
                     : "+S"(source), "+D"(target), "+c"(count)
                     : "d"(to), "a"(from)
                     : "memory", "cc");
}

unsigned low_segment(void)
{
    unsigned segment = 0;
    __asm__("movw %%ds, %w0" : "+r"(segment));
    return segment;
}

unsigned low_stack(void)
{
    const unsigned char *p = bss_end;
    while (*p == PAINT) p++;
    return (unsigned)(p - bss_end);
}
