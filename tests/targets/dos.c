/* dos.c - start-up of a DOS .COM program of 32-bit code in real mode, for a 386; output by DOS.

   Code, data and stack are in the one segment of 64 KB that such a program has. The memory that
   smoke.c hands out lies behind it, where DOS leaves the rest to the program, too: a visit to
   protected mode lifts the limits of segments, and they stay lifted after the way back. It is not
   cleared. See targets.sh. */
int smoke_main(void);
void smoke_write(int c);

__asm__(".code16gcc\n"
        ".section .text.start, \"ax\"\n"
        ".globl dos_start\n"
        "dos_start:\n"
        "    cld\n"
        "    movzwl %sp, %esp\n"
        "    xorl %eax, %eax\n" /* the table's address in memory: 16 * segment + offset */
        "    movw %ds, %ax\n"
        "    shll $4, %eax\n"
        "    addl $dos_segments, %eax\n"
        "    movl %eax, dos_table + 2\n"
        "    movw %ds, %cx\n"
        "    cli\n"
        "    lgdtl dos_table\n"
        "    movl %cr0, %eax\n"
        "    orb $1, %al\n"
        "    movl %eax, %cr0\n"
        "    jmp 1f\n"
        "1:  movw $8, %dx\n"
        "    movw %dx, %ds\n"
        "    movw %dx, %es\n"
        "    andb $0xFE, %al\n"
        "    movl %eax, %cr0\n"
        "    jmp 2f\n"
        "2:  movw %cx, %ds\n"
        "    movw %cx, %es\n"
        "    sti\n"
        "    movl $dos_bss, %edi\n"
        "    movl $dos_bss_end, %ecx\n"
        "    subl %edi, %ecx\n"
        "    xorl %eax, %eax\n"
        "    addr32 rep stosb\n"
        "    fninit\n"
        "    calll smoke_main\n"
        "    movb $0x4C, %ah\n" /* leave; the status is in al */
        "    int $0x21\n"
        "    .balign 8\n"
        "dos_segments:\n" /* none; data from 0 to the end of 32 bits of addresses */
        "    .long 0, 0, 0x0000FFFF, 0x00CF9200\n"
        "dos_table:\n" /* the size of that less 1, and where it is */
        "    .word 15\n"
        "    .long 0\n"
        ".text\n");

void smoke_write(int c)
{
    unsigned function = 0x0200;
    if (c == '\n') smoke_write('\r');
    __asm__ volatile("int $0x21" : "+a"(function) : "d"(c) : "memory", "cc");
}
