/* agents.h - what the parts of the DOS example have in common

   simulation.c   agents, their collisions and the tree: spatial.h is used here and nowhere else
   scene.c        draws them
   main.c         the program: frame by frame, with keys, or a measured run
   dos.c          the machine below: DOS and VGA; with low_gcc.c or low_bcc.s for the compiler
   host.c         the same for a modern system

   The first three are C89 for any machine; int may have 16 bits. Built by run.sh. */

#ifndef AGENTS_H
#define AGENTS_H

#ifndef AGENTS
#define AGENTS 550
#endif
#define SWARMS 5
#define SCREEN_WIDTH 320
#define SCREEN_HEIGHT 200
#define SCREEN_BYTES 64000u
#define PALETTE_BYTES 768u
#define WORLD_HEIGHT 192 /* pixels; below it is the line of text */
#define UNITS 16         /* units of the simulation a pixel */
#define GLOW 3           /* of an agent that touches another; one less each frame after */

/* ---- simulation.c ---------------------------------------------------------------------------- */

typedef struct sight { /* of an agent */
    int x, y, size;    /* pixels: its upper left corner, and how wide and high it is */
    int swarm, glow;   /* 0 .. SWARMS-1; 0 .. GLOW */
} sight;

typedef struct figures {
    unsigned long pairs; /* found in all frames */
    unsigned long hash;  /* of all positions, 32 bits */
    unsigned used;       /* bytes of the arena */
    int last;            /* pairs of the last frame */
} figures;

typedef void (*cell_fn)(int min_x, int min_y, int max_x, int max_y, int level); /* pixels */

/* All return 1, or 0 if something is wrong. */
int simulation_start(void);
int simulation_frame(void);
/* 1 if the tree is sound and its pairs of the last frame are what comparing all with all finds. */
int simulation_proves(void);

void simulation_sight(int agent, sight *s);
void simulation_cells(cell_fn fn);
int simulation_levels(void);
void simulation_figures(figures *f);

/* ---- scene.c --------------------------------------------------------------------------------- */

void scene_palette(unsigned char *palette); /* 256 times red, green, blue, of 6 bits each */
void scene_draw(int cells);                 /* cells: 1 shows the tree's cells */
char *scene_number(char *text, unsigned long number, int hexadecimal); /* returns its end */

/* ---- main.c ---------------------------------------------------------------------------------- */

/* argument: the text behind the name of the program. Returns the exit status. */
int agents_main(const char *argument);

/* ---- the machine ----------------------------------------------------------------------------- */

void machine_span(unsigned at, unsigned count, int colour); /* pixels in the hidden picture */
void machine_open(const unsigned char *palette);            /* to mode 13h */
void machine_close(void);                                   /* back to text */
void machine_show(int wait);                                /* wait: 1 for the vertical retrace */
int machine_key(void);                                      /* its character; 0: none waits */
/* These return 1, or 0. The first saves the screen and its palette, for which there is room. */
int machine_save_screen(const char *name, unsigned char *palette);
int machine_save(const char *name, const char *text, unsigned bytes);
unsigned machine_stack(void); /* bytes that the stack has never reached */

#endif
