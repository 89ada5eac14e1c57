! low_bcc.s - start-up and assembler for bcc: an 8086 in real mode
!
! as86 and ld86 -i put code and data into a segment each. A function finds its arguments behind the
! address of return, 16 bits each, keeps bp, si, di, ds and es, and returns in ax. Linked first by
! run.sh, for a .COM starts with its first byte.

        .text

! At the start all segment registers hold the code's segment, and the word at 2 tells where memory
! ends. Zeros the bss, paints the stack, fetches the command tail, turns to the data segment. Until
! then no interrupt may use the stack: it lies in the code's segment, up to the end of the program.
        entry   start
start:  cli
        cld
        mov     bx, #__end
        cmp     bx, #__edata            ! more than 64 KB of data
        jb      poor
        cmp     bx, #0xF800             ! less than 2 KB of stack
        ja      poor
        mov     ax, cs
        add     ax, #__segoff
        mov     bx, ax
        add     bx, #0x2000             ! behind data and the hidden picture
        cmp     bx, [2]
        ja      poor
        mov     es, ax
        mov     di, #__edata
        mov     cx, #__end
        sub     cx, di
        xor     ax, ax
        rep
        stosb
        mov     cx, di
        neg     cx
        mov     al, #0xA5               ! paint
        rep
        stosb
        mov     si, #0x80
        mov     di, #_command_tail
        mov     cx, #128
        rep
        movsb
        mov     ax, es
        mov     ds, ax
        mov     ss, ax
        mov     sp, #0xFFFE
        sti
        add     ax, #0x1000
        mov     [_hidden], ax
        call    _dos_main
        jmp     quit
poor:   mov     al, #3                  ! too little memory
quit:   mov     ah, #0x4C
        int     0x21

! int low_dos(unsigned *registers, unsigned segment)
        export  _low_dos
_low_dos:
        push    bp
        mov     bp, sp
        push    si
        push    di
        push    ds
        mov     si, [bp+4]
        mov     ax, [si]
        mov     bx, [si+2]
        mov     cx, [si+4]
        mov     dx, [si+6]
        push    si
        mov     ds, [bp+6]
        int     0x21
        pop     si
        pop     ds
        mov     [si], ax
        mov     [si+2], bx
        mov     [si+4], cx
        mov     [si+6], dx
        sbb     ax, ax                  ! -1 with carry, else 0
        inc     ax
        pop     di
        pop     si
        pop     bp
        ret

! void low_video_mode(unsigned mode)
        export  _low_video_mode
_low_video_mode:
        push    bp
        mov     bp, sp
        push    si
        push    di
        mov     ax, [bp+4]
        int     0x10
        pop     di
        pop     si
        pop     bp
        ret

! void low_out(unsigned port, unsigned value)
        export  _low_out
_low_out:
        mov     bx, sp
        mov     dx, [bx+2]
        mov     ax, [bx+4]
        outb
        ret

! unsigned low_in(unsigned port)
        export  _low_in
_low_in:
        mov     bx, sp
        mov     dx, [bx+2]
        inb
        xor     ah, ah
        ret

! void low_fill(unsigned segment, unsigned at, unsigned count, unsigned value)
        export  _low_fill
_low_fill:
        push    bp
        mov     bp, sp
        push    di
        push    es
        mov     es, [bp+4]
        mov     di, [bp+6]
        mov     cx, [bp+8]
        mov     al, [bp+10]
        rep
        stosb
        pop     es
        pop     di
        pop     bp
        ret

! void low_copy(unsigned to, unsigned from, unsigned bytes)
        export  _low_copy
_low_copy:
        push    bp
        mov     bp, sp
        push    si
        push    di
        push    ds
        push    es
        mov     cx, [bp+8]
        shr     cx, #1
        xor     si, si
        xor     di, di
        mov     es, [bp+4]
        mov     ds, [bp+6]
        rep
        movsw
        pop     es
        pop     ds
        pop     di
        pop     si
        pop     bp
        ret

! unsigned low_segment(void)
        export  _low_segment
_low_segment:
        mov     ax, ds
        ret

! unsigned low_stack(void)
        export  _low_stack
_low_stack:
        mov     bx, #__end
next:   cmp     byte ptr [bx], #0xA5
        jne     there
        inc     bx
        jmp     next
there:  mov     ax, bx
        sub     ax, #__end
        ret

        .data
        .word   0                       ! so that no object has the address 0

        .bss
        export  _command_tail
_command_tail:
        .blkb   128
        export  _hidden
_hidden:
        .blkw   1
