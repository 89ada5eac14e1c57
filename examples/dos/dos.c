/* dos.c - the machine for DOS and VGA: mode 13h, keys, files

   low_gcc.c and low_bcc.s have the start-up and all else that needs assembler. Built by run.sh. */

#include "agents.h"
#include "dos.h"

#define VGA 0xA000u
#define STATUS 0x3DAu /* bit 3: vertical retrace */
#define DAC_READ 0x3C7u
#define DAC_WRITE 0x3C8u
#define DAC_DATA 0x3C9u

static unsigned registers[4]; /* ax, bx, cx, dx */

static int dos(unsigned ax, unsigned bx, unsigned cx, unsigned dx, unsigned segment)
{
    int ok;
    registers[0] = ax;
    registers[1] = bx;
    registers[2] = cx;
    registers[3] = dx;
    ok = low_dos(registers, segment);
    registers[0] &= 0xFFFFu;
    return ok;
}

void machine_span(unsigned at, unsigned count, int colour)
{
    low_fill(hidden, at, count, (unsigned)colour);
}

void machine_open(const unsigned char *palette)
{
    unsigned i;
    low_video_mode(0x13);
    low_out(DAC_WRITE, 0);
    for (i = 0; i < PALETTE_BYTES; i++) low_out(DAC_DATA, palette[i]);
}

void machine_close(void)
{
    low_video_mode(3);
}

void machine_show(int wait)
{
    if (wait) {
        while (low_in(STATUS) & 8) {
        }
        while (!(low_in(STATUS) & 8)) {
        }
    }
    low_copy(VGA, hidden, SCREEN_BYTES);
}

int machine_key(void)
{
    (void)dos(0x0B00, 0, 0, 0, low_segment());
    if ((registers[0] & 0xFF) == 0) return 0;
    (void)dos(0x0700, 0, 0, 0, low_segment());
    return (int)(registers[0] & 0xFF);
}

static int put(unsigned handle, unsigned segment, unsigned at, unsigned bytes)
{
    return dos(0x4000, handle, bytes, at, segment) && registers[0] == bytes;
}

int machine_save(const char *name, const char *text, unsigned bytes)
{
    unsigned handle;
    if (!dos(0x3C00, 0, 0, (unsigned)name, low_segment())) return 0;
    handle = registers[0];
    return put(handle, low_segment(), (unsigned)text, bytes) && dos(0x3E00, handle, 0, 0, 0);
}

/* What the video memory and the converter of colours hold, not what was meant for them. */
int machine_save_screen(const char *name, unsigned char *palette)
{
    unsigned handle, i;

    low_out(DAC_READ, 0);
    for (i = 0; i < PALETTE_BYTES; i++) palette[i] = (unsigned char)low_in(DAC_DATA);
    if (!dos(0x3C00, 0, 0, (unsigned)name, low_segment())) return 0;
    handle = registers[0];
    return put(handle, VGA, 0, SCREEN_BYTES) &&
           put(handle, low_segment(), (unsigned)palette, PALETTE_BYTES) &&
           dos(0x3E00, handle, 0, 0, 0);
}

unsigned machine_stack(void)
{
    return low_stack();
}

int dos_main(void)
{
    return agents_main(command_tail + 1);
}
