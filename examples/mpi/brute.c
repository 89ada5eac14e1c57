/* brute - compares each box of pairs.c with each other: run.sh needs the pairs to be the same

   usage: brute KIND N */

#define main main_of_pairs
#include "pairs.c" /* NOLINT(bugprone-suspicious-include): for make_share */
#undef main

int main(int argc, char **argv)
{
    const spt_box *a, *b;
    share s;

    if (argc < 3) return 2;
    ranks = 1;
    s = make_share(*argv[1], strtoll(argv[2], NULL, 10));
    for (a = s.boxes; a < s.boxes + s.n; a++)
        for (b = a + 1; b < s.boxes + s.n; b++)
            if (a->min_x <= b->max_x && b->min_x <= a->max_x && a->min_y <= b->max_y &&
                b->min_y <= a->max_y)
                printf("%d %d\n", (int)(a - s.boxes), (int)(b - s.boxes));
    free(s.boxes), free(s.ids);
    return 0;
}
