/* test_contacts.c - what began and what ended, beside a table of all pairs. */
#define SPATIAL_NO_LINEAR /* what is not tested here is not compiled */
#define SPATIAL_NO_QUADTREE
#define SPATIAL_NO_LOOSEGRID
#define SPATIAL_NO_PACKED
#define SPATIAL_NO_BROADPHASE
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "test.h"

enum { IDS = 60, PAIRS = IDS * (IDS - 1) / 2 };

typedef struct model {
    spt_contacts contacts;
    spt_intlist pairs, began, ended;
    char there[IDS][IDS];
    test_memory memory;
} model;

static void open_model(model *m, spt_i32 capacity, spt_i32 ids, long fail_at)
{
    spt_contacts_desc desc;
    memset(m->there, 0, sizeof m->there);
    desc.capacity = capacity;
    desc.ids = ids;
    test_memory_open(&m->memory, &desc.allocator);
    m->memory.fail_at = fail_at;
    while (spt_contacts_init(&m->contacts, &desc) != SPT_OK) {
        CHECK(m->memory.failures == 1 && m->memory.bytes == 0);
        CHECK(spt_contacts_count(&m->contacts) == 0 && spt_contacts_check(&m->contacts));
        if (m->memory.failures != 1) exit(1);
    }
    CHECK(spt_contacts_bytes_for(&desc) == spt_contacts_bytes(&m->contacts));
    CHECK(spt_intlist_init_with(&m->pairs, 2, &desc.allocator) == SPT_OK);
    CHECK(spt_intlist_init_with(&m->began, 2, &desc.allocator) == SPT_OK);
    CHECK(spt_intlist_init_with(&m->ended, 2, &desc.allocator) == SPT_OK);
}

static void close_model(model *m)
{
    spt_intlist_free(&m->pairs), spt_intlist_free(&m->began), spt_intlist_free(&m->ended);
    spt_contacts_free(&m->contacts);
    CHECK(spt_contacts_bytes(&m->contacts) == 0 && m->memory.bytes == 0);
}

static spt_i32 count_there(const model *m)
{
    spt_i32 a, b, n = 0;
    for (a = 0; a < IDS; a++)
        for (b = 0; b < IDS; b++) n += m->there[a][b];
    return n;
}

static void check_state(const model *m)
{
    CHECK(spt_contacts_count(&m->contacts) == count_there(m));
    CHECK(spt_contacts_check(&m->contacts));
}

static void push(spt_intlist *list, spt_i32 a, spt_i32 b)
{
    spt_i32 pair[2];
    pair[0] = a, pair[1] = b;
    while (spt_intlist_push(list, pair) < 0) continue; /* an allocation fails once */
}

/* Turns the order of a list around at random. */
static void shuffle(spt_intlist *list)
{
    spt_i32 i, k, f, held;
    for (i = spt_intlist_count(list) - 1; i > 0; i--)
        for (k = test_below(i + 1), f = 0; f < 2; f++) {
            held = spt_intlist_get(list, i, f);
            spt_intlist_set(list, i, f, spt_intlist_get(list, k, f));
            spt_intlist_set(list, k, f, held);
        }
}

static int lists(const spt_intlist *list, spt_i32 *next, spt_i32 a, spt_i32 b)
{
    if (spt_intlist_get(list, *next, 0) != a || spt_intlist_get(list, *next, 1) != b) return 0;
    ++*next;
    return 1;
}

/* Makes the pairs those of the table `wanted`, and sees that exactly the differences are told, in
   order. */
static void update_to(model *m, char wanted[IDS][IDS])
{
    spt_i32 a, b, n, began = 0, ended = 0;
    long failures;
    do {
        push(&m->began, 7, 5), push(&m->ended, 7, 5); /* what was held is replaced */
        failures = m->memory.failures;
        n = spt_contacts_update(&m->contacts, &m->pairs, &m->began, &m->ended);
        CHECK(n == (m->memory.failures > failures ? SPT_ERR_MEMORY : spt_intlist_count(&m->pairs)));
        if (n >= 0) break;
        CHECK(spt_intlist_count(&m->began) == 0 && spt_intlist_count(&m->ended) == 0);
        check_state(m);
    } while (n == SPT_ERR_MEMORY);
    for (a = 0; a < IDS; a++)
        for (b = a + 1; b < IDS; b++) {
            if (wanted[a][b] && !m->there[a][b]) CHECK(lists(&m->began, &began, a, b));
            if (!wanted[a][b] && m->there[a][b]) CHECK(lists(&m->ended, &ended, a, b));
        }
    CHECK(spt_intlist_count(&m->began) == began && spt_intlist_count(&m->ended) == ended);
    memcpy(m->there, wanted, sizeof m->there);
    check_state(m);
}

/* Changes one in `rarely` of the pairs of ids below n. */
static void change(const model *m, char wanted[IDS][IDS], int n, int rarely)
{
    int a, b;
    memcpy(wanted, m->there, sizeof m->there);
    for (a = 0; a < IDS; a++)
        for (b = a + 1; b < IDS; b++) {
            if (b >= n) wanted[a][b] = 0;
            else if (test_below(rarely) == 0) wanted[a][b] = (char)(test_below(3) == 0);
        }
}

static void list_table(spt_intlist *pairs, char wanted[IDS][IDS])
{
    spt_i32 a, b;
    spt_intlist_clear(pairs);
    for (a = 0; a < IDS; a++)
        for (b = a + 1; b < IDS; b++)
            if (wanted[a][b]) push(pairs, a, b);
    shuffle(pairs);
}

static void forget(model *m, spt_i32 id)
{
    spt_i32 a, n, ended = 0;
    long failures;
    do {
        push(&m->ended, 7, 5);
        failures = m->memory.failures;
        n = spt_contacts_forget(&m->contacts, id, &m->ended);
        if (m->memory.failures == failures) break;
        CHECK(n == SPT_ERR_MEMORY && spt_intlist_count(&m->ended) == 0);
        check_state(m);
    } while (1);
    for (a = 0; a < id && a < IDS; a++)
        if (id < IDS && m->there[a][id]) {
            CHECK(lists(&m->ended, &ended, a, id));
            m->there[a][id] = 0;
        }
    for (a = id + 1; a < IDS; a++)
        if (m->there[id][a]) {
            CHECK(lists(&m->ended, &ended, id, a));
            m->there[id][a] = 0;
        }
    CHECK(n == ended && spt_intlist_count(&m->ended) == ended);
    check_state(m);
}

/* A frame in which only some have moved: the pairs of those, and what is kept of the others. */
static void update_some(model *m)
{
    char wanted[IDS][IDS], moved[IDS];
    spt_i32 ids[2 * IDS], n = 0, a, b, kept;
    long failures;
    change(m, wanted, IDS, 4);
    memset(moved, 0, sizeof moved);
    while (test_below(6)) {
        ids[n] = test_below(IDS + 5); /* also unknown ones, and some twice */
        if (ids[n] < IDS) moved[ids[n]] = 1;
        if (++n == 2 * IDS) break;
    }
    spt_intlist_clear(&m->pairs);
    for (a = 0; a < IDS; a++)
        for (b = a + 1; b < IDS; b++) {
            if (!moved[a] && !moved[b]) wanted[a][b] = m->there[a][b];
            else if (wanted[a][b]) push(&m->pairs, a, b);
        }
    do {
        failures = m->memory.failures;
        kept = spt_contacts_keep(&m->contacts, ids, n, &m->pairs);
        CHECK((kept == SPT_ERR_MEMORY) == (m->memory.failures > failures));
    } while (kept == SPT_ERR_MEMORY);
    CHECK(kept == spt_intlist_count(&m->pairs));
    update_to(m, wanted);
}

static void run(model *m, int steps, int ids)
{
    char wanted[IDS][IDS];
    int step;
    for (step = 0; step < steps; step++) {
        test_context("frames", step);
        switch (test_below(5)) {
        case 0: forget(m, test_below(ids + 3)); break;
        case 1: update_some(m); break;
        default:
            change(m, wanted, 1 + test_below(ids), test_below(30) ? 20 : 1);
            if (test_below(4) == 0) memcpy(wanted, m->there, sizeof wanted); /* all as it was */
            list_table(&m->pairs, wanted);
            update_to(m, wanted);
        }
    }
}

static void what_began_and_ended_is_told_in_order(void)
{
    static model m;
    open_model(&m, 0, 0, 0);
    run(&m, test_scale(2000), IDS);
    close_model(&m);
    open_model(&m, PAIRS, IDS, 0);
    run(&m, test_scale(2000), IDS);
    close_model(&m);
}

static void every_allocation_may_fail_once(void)
{
    static model m;
    uint32_t start = test.random;
    int fixed;
    long k;
    for (fixed = 0; fixed < 2; fixed++)
        for (k = 1; k == 1 || m.memory.failures; k++) {
            test.random = start;
            open_model(&m, fixed ? PAIRS : 0, 0, k);
            run(&m, 40, IDS);
            close_model(&m);
        }
    CHECK(k > 3);
}

/* The new object with an old id has contacts that begin, also if they are those of the old one. */
static void an_id_that_was_forgotten_comes_back_as_another(void)
{
    static model m;
    char wanted[IDS][IDS];
    open_model(&m, 0, 0, 0);
    memset(wanted, 0, sizeof wanted);
    wanted[1][3] = wanted[3][4] = wanted[2][4] = 1;
    list_table(&m.pairs, wanted);
    update_to(&m, wanted);
    forget(&m, 3);
    CHECK(spt_intlist_count(&m.ended) == 2);
    update_to(&m, wanted);
    CHECK(spt_intlist_count(&m.began) == 2 && spt_intlist_count(&m.ended) == 0);
    forget(&m, 3);
    forget(&m, 3); /* there is nothing more */
    CHECK(spt_intlist_count(&m.ended) == 0);
    spt_intlist_clear(&m.pairs);
    memset(wanted, 0, sizeof wanted);
    update_to(&m, wanted); /* tells the end of {2,4} alone */
    CHECK(spt_intlist_count(&m.ended) == 1);
    close_model(&m);
}

static void refuse(model *m, spt_i32 error)
{
    push(&m->began, 7, 5), push(&m->ended, 7, 5);
    CHECK(spt_contacts_update(&m->contacts, &m->pairs, &m->began, &m->ended) == error);
    CHECK(spt_intlist_count(&m->began) == 0 && spt_intlist_count(&m->ended) == 0);
    check_state(m);
}

static void bad_pairs_are_refused_and_change_nothing(void)
{
    static const spt_i32 bad[][2] = {{1, 1}, {4, 2}, {-1, 3}, {-2, -1}, {2, 3}};
    static model m;
    char wanted[IDS][IDS];
    spt_intlist wrong;
    int i;
    open_model(&m, 10, 8, 0);
    memset(wanted, 0, sizeof wanted);
    wanted[0][1] = wanted[2][3] = wanted[2][7] = 1;
    list_table(&m.pairs, wanted);
    update_to(&m, wanted);
    for (i = 0; i < TEST_COUNT(bad); i++) { /* the last one twice */
        list_table(&m.pairs, wanted);
        push(&m.pairs, bad[i][0], bad[i][1]);
        shuffle(&m.pairs);
        refuse(&m, bad[i][0] < 0 ? SPT_ERR_ID : SPT_ERR_PAIR);
    }
    list_table(&m.pairs, wanted);
    push(&m.pairs, 1, 8);
    refuse(&m, SPT_ERR_FULL);
    list_table(&m.pairs, wanted);
    push(&m.pairs, 1, INT32_MAX);
    refuse(&m, SPT_ERR_FULL);
    push(&m.pairs, -1, 2);
    refuse(&m, SPT_ERR_ID);
    spt_intlist_clear(&m.pairs);
    for (i = 0; i < 11; i++) push(&m.pairs, i / 4, 4 + i % 4);
    refuse(&m, SPT_ERR_FULL);
    spt_intlist_truncate(&m.pairs, 10);
    CHECK(spt_contacts_update(&m.contacts, &m.pairs, NULL, NULL) == 10);
    CHECK(spt_contacts_update(&m.contacts, &m.pairs, &m.pairs, NULL) == SPT_ERR_ARGUMENT);
    CHECK(spt_contacts_update(&m.contacts, &m.pairs, NULL, &m.pairs) == SPT_ERR_ARGUMENT);
    CHECK(spt_contacts_update(&m.contacts, &m.pairs, &m.began, &m.began) == SPT_ERR_ARGUMENT);
    CHECK(spt_intlist_count(&m.pairs) == 10 && spt_contacts_count(&m.contacts) == 10);
    CHECK(spt_intlist_init(&wrong, 3) == SPT_OK);
    CHECK(spt_contacts_update(&m.contacts, &wrong, NULL, NULL) == SPT_ERR_ARGUMENT);
    CHECK(spt_contacts_update(&m.contacts, &m.pairs, &wrong, NULL) == SPT_ERR_ARGUMENT);
    CHECK(spt_contacts_update(&m.contacts, &m.pairs, NULL, &wrong) == SPT_ERR_ARGUMENT);
    CHECK(spt_contacts_forget(&m.contacts, 1, &wrong) == SPT_ERR_ARGUMENT);
    CHECK(spt_contacts_keep(&m.contacts, NULL, 0, &wrong) == SPT_ERR_ARGUMENT);
    CHECK(spt_contacts_keep(&m.contacts, bad[0], -1, &m.pairs) == SPT_ERR_ARGUMENT);
    CHECK(spt_contacts_keep(&m.contacts, bad[2], 2, &m.pairs) == SPT_ERR_ID);
    CHECK(spt_intlist_count(&m.pairs) == 10);
    CHECK(spt_contacts_forget(&m.contacts, -1, &m.ended) == SPT_ERR_ID);
    CHECK(spt_contacts_forget(&m.contacts, 4, NULL) == 3); /* ended may be left out */
    CHECK(spt_contacts_count(&m.contacts) == 7 && spt_contacts_check(&m.contacts));
    close_model(&m);
}

static void bad_descs_are_refused(void)
{
    static const spt_i32 bad[][2] = {{-1, 0}, {5, -1}, {0, 5}};
    spt_contacts_desc desc;
    spt_contacts contacts;
    int i;
    memset(&desc, 0, sizeof desc);
    for (i = 0; i < TEST_COUNT(bad); i++) {
        desc.capacity = bad[i][0], desc.ids = bad[i][1];
        CHECK(spt_contacts_init(&contacts, &desc) == SPT_ERR_ARGUMENT);
        CHECK(spt_contacts_bytes_for(&desc) == 0);
    }
    desc.capacity = INT32_MAX, desc.ids = 0;
    CHECK(spt_contacts_init(&contacts, &desc) == SPT_ERR_MEMORY);
    CHECK(spt_contacts_bytes_for(&desc) == 0);
    CHECK(spt_contacts_init(&contacts, NULL) == SPT_OK && spt_contacts_bytes(&contacts) == 0);
    CHECK(spt_contacts_bytes_for(NULL) == 0 && spt_contacts_check(&contacts));
    CHECK(spt_contacts_forget(&contacts, 3, NULL) == 0);
    spt_contacts_free(&contacts);
}

/* Once warm, frames with as many pairs and ids allocate nothing; nor does a fixed capacity. */
static void nothing_is_allocated_once_warm(void)
{
    static model m;
    char wanted[IDS][IDS];
    long calls;
    int frame, a;
    open_model(&m, 0, 0, 0);
    memset(wanted, 0, sizeof wanted);
    for (a = 0; a < IDS; a++) memset(wanted[a] + a + 1, 1, (size_t)(IDS - 1 - a));
    list_table(&m.pairs, wanted);
    update_to(&m, wanted);
    memset(wanted, 0, sizeof wanted);
    spt_intlist_clear(&m.pairs);
    update_to(&m, wanted);
    calls = m.memory.calls;
    for (frame = 0; frame < 20; frame++) {
        change(&m, wanted, IDS, 5);
        list_table(&m.pairs, wanted);
        update_to(&m, wanted);
        forget(&m, frame);
    }
    CHECK(m.memory.calls == calls);
    close_model(&m);
}

static void ids_that_no_memory_holds_are_refused(void)
{
    static model m;
    char wanted[IDS][IDS];
    open_model(&m, 0, 0, 0);
    memset(wanted, 0, sizeof wanted);
    wanted[0][1] = 1;
    list_table(&m.pairs, wanted);
    update_to(&m, wanted);
    push(&m.pairs, 1, INT32_MAX);
    refuse(&m, SPT_ERR_MEMORY);
    list_table(&m.pairs, wanted);
    push(&m.pairs, 1, INT32_MAX / 4);
    refuse(&m, SPT_ERR_MEMORY);
    close_model(&m);
}

static const test_case tests[] = {
    TEST(what_began_and_ended_is_told_in_order),
    TEST(every_allocation_may_fail_once),
    TEST(an_id_that_was_forgotten_comes_back_as_another),
    TEST(bad_pairs_are_refused_and_change_nothing),
    TEST(bad_descs_are_refused),
    TEST(nothing_is_allocated_once_warm),
    TEST(ids_that_no_memory_holds_are_refused),
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
