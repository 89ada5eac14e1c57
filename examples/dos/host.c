/* host.c - the machine for a modern system: no screen and no keys, but the same files

   usage: host FRAMES
   It shows that the figures and the picture do not depend on the machine. Built by run.sh. */

#include <stdio.h>
#include <string.h>
#include "agents.h"

static unsigned char hidden[SCREEN_BYTES], shown[SCREEN_BYTES], colours[PALETTE_BYTES];

void machine_span(unsigned at, unsigned count, int colour)
{
    memset(hidden + at, colour, count);
}

void machine_open(const unsigned char *palette)
{
    memcpy(colours, palette, sizeof colours);
}

void machine_close(void)
{
}

void machine_show(int wait)
{
    (void)wait;
    memcpy(shown, hidden, sizeof shown);
}

int machine_key(void)
{
    return 'q';
}

static int save(const char *name, const void *first, size_t n, const void *second, size_t m)
{
    FILE *file = fopen(name, "wb");
    int ok;
    if (file == NULL) return 0;
    ok = fwrite(first, 1, n, file) == n && fwrite(second, 1, m, file) == m;
    return fclose(file) == 0 && ok;
}

int machine_save_screen(const char *name, unsigned char *palette)
{
    memcpy(palette, colours, sizeof colours);
    return save(name, shown, sizeof shown, palette, PALETTE_BYTES);
}

int machine_save(const char *name, const char *text, unsigned bytes)
{
    return save(name, text, bytes, text, 0);
}

unsigned machine_stack(void)
{
    return 0; /* not known here */
}

int main(int argc, char **argv)
{
    return agents_main(argc > 1 ? argv[1] : "1");
}
