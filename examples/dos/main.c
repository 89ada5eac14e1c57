/* main.c - agents in VGA mode 13h: bouncing boxes, their pairs found by spatial.h each frame

   AGENTS          runs until Esc or q; c or space shows or hides the cells of the tree
   AGENTS FRAMES   runs so many frames as fast as it can, proves some of them against comparing all
                   with all, leaves the last picture in SCREEN.BIN and a line in FIGURES.TXT

   Look at simulation.c, which is the game: a tree in a static array, and all pairs of each frame.
   The line in FIGURES.TXT has the agents, frames and pairs, and a hash of all pairs.

   Build: sh examples/dos/run.sh
   Exit status: 0; 1 if anything failed; 2 for a wrong argument. */

#include "agents.h"

#define PROOF 40 /* frames from proof to proof */

static unsigned char palette[PALETTE_BYTES];
static char line[120];

static char *append(char *at, const char *text)
{
    while (*text != 0) *at++ = *text++;
    *at = 0;
    return at;
}

/* Behind the bar stands what differs from machine to machine. */
static int save_figures(int frames)
{
    char *at = line;
    figures f;

    simulation_figures(&f);
    at = scene_number(append(at, "agents "), (unsigned long)AGENTS, 0);
    at = scene_number(append(at, " frames "), (unsigned long)frames, 0);
    at = scene_number(append(at, " pairs "), f.pairs, 0);
    at = scene_number(append(at, " last "), (unsigned long)f.last, 0);
    at = scene_number(append(at, " hash "), f.hash, 1);
    at = scene_number(append(at, " | arena "), (unsigned long)f.used, 0);
    at = scene_number(append(at, " free stack "), (unsigned long)machine_stack(), 0);
    at = append(at, "\r\n");
    return machine_save("FIGURES.TXT", line, (unsigned)(at - line));
}

static int measured(int frames)
{
    int ok = 1, i;

    machine_open(palette);
    for (i = 1; ok && i <= frames; i++) {
        ok = simulation_frame();
        if (ok && (i % PROOF == 1 || i == frames)) ok = simulation_proves();
        scene_draw(i == frames);
        machine_show(0);
    }
    ok = ok && machine_save_screen("SCREEN.BIN", palette);
    machine_close();
    return ok && save_figures(frames);
}

static int interactive(void)
{
    int cells = 0, key = 0, ok = 1;

    machine_open(palette);
    while (ok && key != 27 && key != 'q') {
        ok = simulation_frame();
        scene_draw(cells);
        machine_show(1);
        key = machine_key();
        if (key == ' ' || key == 'c') cells = !cells;
    }
    machine_close();
    return ok;
}

int agents_main(const char *argument)
{
    int frames = 0;

    while (*argument == ' ') argument++;
    for (; *argument >= '0' && *argument <= '9' && frames < 1000; argument++)
        frames = 10 * frames + (*argument - '0');
    if (*argument != 0 && *argument != ' ' && *argument != '\r') return 2;
    scene_palette(palette);
    if (!simulation_start()) return 1;
    return (frames > 0 ? measured(frames) : interactive()) ? 0 : 1;
}
