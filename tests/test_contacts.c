/* test_contacts.c - contacts that began and ended, beside a table of all pairs. */
#define SPATIAL_NO_LINEAR /* what is not tested here is not compiled */
#define SPATIAL_NO_QUADTREE
#define SPATIAL_NO_LOOSEGRID
#define SPATIAL_NO_PACKED
#define SPATIAL_NO_BROADPHASE
static double work;
#define SPTI_COUNT(n) (work += (double)(n))
#define SPATIAL_IMPLEMENTATION
#include "../spatial.h"
#include "test.h"

enum { IDS = 60, PAIRS = IDS * (IDS - 1) / 2 };

typedef struct model {
    spt_contacts contacts;
    spt_intlist pairs, began, ended, near_ids;
    char there[IDS][IDS];
    int leaves_out; /* lists that an update fills, now and then */
    test_memory memory;
} model;

static void open_model(model *m, spt_i32 capacity, spt_i32 ids, long fail_at)
{
    spt_contacts_desc desc;
    memset(m->there, 0, sizeof m->there);
    m->leaves_out = 0;
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
    CHECK(spt_intlist_init_with(&m->near_ids, 1, &desc.allocator) == SPT_OK);
}

static void close_model(model *m)
{
    spt_intlist_free(&m->pairs), spt_intlist_free(&m->began), spt_intlist_free(&m->ended);
    spt_intlist_free(&m->near_ids);
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

/* Brings the contacts to the table `wanted`, and sees that exactly the differences are told,
   in order. ids: n_ids of them, whose pairs are given; NULL: all pairs are given. */
static void update_to(model *m, char wanted[IDS][IDS], const spt_i32 *ids, spt_i32 n_ids)
{
    spt_intlist *told_began = m->leaves_out && !test_below(9) ? NULL : &m->began;
    spt_intlist *told_ended = m->leaves_out && !test_below(9) ? NULL : &m->ended;
    spt_i32 a, b, n, began = 0, ended = 0, touching = 0;
    long failures;
    for (a = 0; a < IDS; a++)
        for (b = 0; b < IDS; b++) touching += wanted[a][b];
    do {
        push(&m->began, 7, 5), push(&m->ended, 7, 5); /* what was held is replaced */
        failures = m->memory.failures;
        n = ids ? spt_contacts_update_of(&m->contacts, ids, n_ids, &m->pairs, told_began,
                                         told_ended)
                : spt_contacts_update(&m->contacts, &m->pairs, told_began, told_ended);
        CHECK(n == (m->memory.failures > failures ? SPT_ERR_MEMORY : touching));
        if (!told_began) spt_intlist_clear(&m->began);
        if (!told_ended) spt_intlist_clear(&m->ended);
        if (n >= 0) break;
        CHECK(spt_intlist_count(&m->began) == 0 && spt_intlist_count(&m->ended) == 0);
        check_state(m);
    } while (n == SPT_ERR_MEMORY);
    for (a = 0; a < IDS; a++)
        for (b = a + 1; b < IDS; b++) {
            if (told_began && wanted[a][b] && !m->there[a][b])
                CHECK(lists(&m->began, &began, a, b));
            if (told_ended && !wanted[a][b] && m->there[a][b])
                CHECK(lists(&m->ended, &ended, a, b));
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

/* A frame in which only some boxes have moved: gives only their pairs. */
static void update_some(model *m, int rarely)
{
    char wanted[IDS][IDS], moved[IDS];
    spt_i32 ids[2 * IDS], n = 0, a, b;
    const int vanish =
        test_below(4) == 0; /* most contacts of these end: few pairs, many contacts */
    change(m, wanted, IDS, rarely);
    memset(moved, 0, sizeof moved);
    while (test_below(6)) {
        ids[n] = test_below(50) ? test_below(IDS + 5) : INT32_MAX; /* also unknown ones, */
        if (n > 0 && test_below(6) == 0) ids[n] = ids[n - 1];      /* and some twice */
        if (ids[n] < IDS) moved[ids[n]] = 1;
        if (++n == 2 * IDS) break;
    }
    spt_intlist_clear(&m->pairs);
    for (a = 0; a < IDS; a++)
        for (b = a + 1; b < IDS; b++) {
            if (vanish && test_below(20)) wanted[a][b] = 0;
            if (!moved[a] && !moved[b]) wanted[a][b] = m->there[a][b];
            else if (wanted[a][b]) push(&m->pairs, a, b);
        }
    shuffle(&m->pairs);
    update_to(m, wanted, ids, n);
}

/* Asks for the contacts of some ids, also of unknown ones. */
static void ask(model *m)
{
    spt_i32 id = test_below(IDS + 3), other, n, found = 0;
    long failures;
    for (other = -1; other < IDS + 3; other++) {
        const int there =
            id < IDS && other >= 0 && other < IDS && (m->there[id][other] || m->there[other][id]);
        CHECK(spt_contacts_has(&m->contacts, id, other) == there);
        CHECK(spt_contacts_has(&m->contacts, other, id) == there);
    }
    do {
        failures = m->memory.failures;
        n = spt_contacts_of(&m->contacts, id, &m->near_ids);
        CHECK((n == SPT_ERR_MEMORY) == (m->memory.failures > failures));
    } while (n == SPT_ERR_MEMORY);
    for (other = 0; other < IDS; other++)
        if (id < IDS && (m->there[id][other] || m->there[other][id]))
            CHECK(spt_intlist_get(&m->near_ids, found++, 0) == other);
    CHECK(n == found && spt_intlist_count(&m->near_ids) == found);
    CHECK(spt_contacts_of(&m->contacts, id, NULL) == n);
    check_state(m);
}

static void run(model *m, int steps, int ids)
{
    char wanted[IDS][IDS];
    int step;
    m->leaves_out = 1;
    for (step = 0; step < steps; step++) {
        const int all = test_below(40) ? 12 : 2; /* often several updates of some in a row */
        test_context("frames", step);
        switch (test_below(all)) {
        case 0:
            change(m, wanted, 1 + test_below(ids), test_below(30) ? 20 : 1);
            if (test_below(4) == 0) memcpy(wanted, m->there, sizeof wanted); /* all as it was */
            list_table(&m->pairs, wanted);
            update_to(m, wanted, NULL, 0);
            break;
        case 1:
        case 2:
            forget(m, test_below(ids + 3));
            break;
        case 3:
        case 4:
        case 5:
            ask(m);
            break;
        default:
            update_some(m, test_below(2) ? 4 : 40);
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
            run(&m, 100, IDS);
            close_model(&m);
        }
    CHECK(k > 3);
}

/* Ids and pairs that rise frame by frame: the memory grows by quarters, not by each of them. */
static void what_grows_slowly_allocates_seldom(void)
{
    static model m;
    const spt_i32 most = test_some(1000, 300);
    spt_i32 frame;
    long calls = 0;
    int pairs;
    for (pairs = 0; pairs < 2; pairs++) {
        open_model(&m, 0, 0, 0);
        for (frame = 1; frame <= most; frame++) {
            if (!pairs) spt_intlist_clear(&m.pairs);
            push(&m.pairs, 0, frame);
            m.memory.calls = 0;
            CHECK(spt_contacts_update(&m.contacts, &m.pairs, NULL, NULL) == (pairs ? frame : 1));
            calls += m.memory.calls;
        }
        CHECK(calls > 0 && calls < 120);
        close_model(&m);
    }
}

/* The new object with an old id has contacts that begin, also if the old one had the same. */
static void an_id_that_was_forgotten_comes_back_as_another(void)
{
    static model m;
    char wanted[IDS][IDS];
    open_model(&m, 0, 0, 0);
    memset(wanted, 0, sizeof wanted);
    wanted[1][3] = wanted[3][4] = wanted[2][4] = 1;
    list_table(&m.pairs, wanted);
    update_to(&m, wanted, NULL, 0);
    forget(&m, 3);
    CHECK(spt_intlist_count(&m.ended) == 2);
    update_to(&m, wanted, NULL, 0);
    CHECK(spt_intlist_count(&m.began) == 2 && spt_intlist_count(&m.ended) == 0);
    forget(&m, 3);
    forget(&m, 3); /* there is nothing more */
    CHECK(spt_intlist_count(&m.ended) == 0);
    spt_intlist_clear(&m.pairs);
    memset(wanted, 0, sizeof wanted);
    update_to(&m, wanted, NULL, 0); /* tells the end of {2,4} alone */
    CHECK(spt_intlist_count(&m.ended) == 1);
    close_model(&m);
}

/* Sees that an update, of all or of some ids, is refused and changes nothing. */
static void refuse_of(model *m, const spt_i32 *ids, spt_i32 n, spt_i32 error)
{
    spt_i32 a, b, got;
    push(&m->began, 7, 5), push(&m->ended, 7, 5);
    got = ids ? spt_contacts_update_of(&m->contacts, ids, n, &m->pairs, &m->began, &m->ended)
              : spt_contacts_update(&m->contacts, &m->pairs, &m->began, &m->ended);
    CHECK(got == error);
    CHECK(spt_intlist_count(&m->began) == 0 && spt_intlist_count(&m->ended) == 0);
    check_state(m);
    for (a = 0; a < IDS; a++)
        for (b = a + 1; b < IDS; b++) CHECK(spt_contacts_has(&m->contacts, a, b) == m->there[a][b]);
}

static void refuse(model *m, spt_i32 error)
{
    refuse_of(m, NULL, 0, error);
}

static void bad_pairs_are_refused_and_change_nothing(void)
{
    static const spt_i32 bad[][2] = {{1, 1}, {4, 2}, {-1, 3}, {0, -1}, {2, 3}};
    static model m;
    char wanted[IDS][IDS];
    spt_intlist wrong;
    int i;
    open_model(&m, 10, 8, 0);
    memset(wanted, 0, sizeof wanted);
    wanted[0][1] = wanted[2][3] = wanted[2][7] = 1;
    list_table(&m.pairs, wanted);
    update_to(&m, wanted, NULL, 0);
    for (i = 0; i < TEST_COUNT(bad); i++) { /* the last one twice */
        list_table(&m.pairs, wanted);
        push(&m.pairs, bad[i][0], bad[i][1]);
        shuffle(&m.pairs);
        refuse(&m, bad[i][0] < 0 || bad[i][1] < 0 ? SPT_ERR_ID : SPT_ERR_PAIR);
    }
    list_table(&m.pairs, wanted);
    push(&m.pairs, 1, 8);
    refuse(&m, SPT_ERR_FULL);
    list_table(&m.pairs, wanted);
    push(&m.pairs, 1, INT32_MAX);
    refuse(&m, SPT_ERR_ID);
    list_table(&m.pairs, wanted);
    push(&m.pairs, 1, INT32_MAX / 4); /* the last id that there may be */
    refuse(&m, SPT_ERR_FULL);
    push(&m.pairs, -1, 2);
    refuse(&m, SPT_ERR_ID);
    spt_intlist_clear(&m.pairs);
    for (i = 0; i < 11; i++) push(&m.pairs, i / 4, 4 + i % 4);
    refuse(&m, SPT_ERR_FULL);
    spt_intlist_truncate(&m.pairs, 10);
    CHECK(spt_contacts_update(&m.contacts, &m.pairs, NULL, NULL) == 10);
    CHECK(spt_contacts_update(&m.contacts, NULL, NULL, NULL) == SPT_ERR_ARGUMENT);
    CHECK(spt_contacts_update(&m.contacts, &m.pairs, &m.pairs, NULL) == SPT_ERR_ARGUMENT);
    CHECK(spt_contacts_update(&m.contacts, &m.pairs, NULL, &m.pairs) == SPT_ERR_ARGUMENT);
    CHECK(spt_contacts_update(&m.contacts, &m.pairs, &m.began, &m.began) == SPT_ERR_ARGUMENT);
    CHECK(spt_intlist_count(&m.pairs) == 10 && spt_contacts_count(&m.contacts) == 10);
    CHECK(spt_intlist_init(&wrong, 3) == SPT_OK);
    CHECK(spt_contacts_update(&m.contacts, &wrong, NULL, NULL) == SPT_ERR_LIST);
    CHECK(spt_contacts_update(&m.contacts, &m.pairs, &wrong, NULL) == SPT_ERR_LIST);
    CHECK(spt_contacts_update(&m.contacts, &m.pairs, NULL, &wrong) == SPT_ERR_LIST);
    CHECK(spt_contacts_forget(&m.contacts, 1, &wrong) == SPT_ERR_LIST);
    CHECK(spt_intlist_count(&m.pairs) == 10);
    CHECK(spt_contacts_forget(&m.contacts, -1, &m.ended) == SPT_ERR_ID);
    CHECK(spt_contacts_forget(&m.contacts, 4, NULL) == 3); /* ended may be left out */
    CHECK(spt_contacts_count(&m.contacts) == 7 && spt_contacts_check(&m.contacts));
    close_model(&m);
}

/* In a small set and in a large one: few pairs are sorted alone, many are merged with all. */
static void bad_pairs_of_some_ids_are_refused_and_change_nothing(void)
{
    static const spt_i32 ids[] = {2, 5, 5, 900}, bad_id[] = {2, -1};
    static const spt_i32 bad[][2] = {{1, 1}, {4, 2}, {-1, 3}, {3, 4}, {0, 1}, {2, 3}, {2, 9}};
    static model m;
    char wanted[IDS][IDS];
    int large, linked, i;
    for (large = 0; large < 2; large++)
        for (linked = 0; linked < 2; linked++) {
            open_model(&m, 10, large ? 1000 : 10, 0);
            memset(wanted, 0, sizeof wanted);
            wanted[0][1] = wanted[2][3] = wanted[2][7] = 1;
            list_table(&m.pairs, wanted);
            update_to(&m, wanted, NULL, 0);
            for (i = 0; i < TEST_COUNT(bad); i++) { /* the last two twice */
                if (linked) CHECK(spt_contacts_of(&m.contacts, 2, NULL) == 2);
                spt_intlist_clear(&m.pairs);
                push(&m.pairs, 2, 3), push(&m.pairs, 2, 9);
                push(&m.pairs, bad[i][0], bad[i][1]);
                shuffle(&m.pairs);
                refuse_of(&m, ids, 4, bad[i][0] < 0 ? SPT_ERR_ID : SPT_ERR_PAIR);
            }
            spt_intlist_clear(&m.pairs);
            refuse_of(&m, ids, -1, SPT_ERR_ARGUMENT);
            push(&m.pairs, 2, 3);
            refuse_of(&m, ids, 0, SPT_ERR_PAIR); /* neither id is given */
            spt_intlist_clear(&m.pairs);
            refuse_of(&m, bad_id, 2, SPT_ERR_ID);
            push(&m.pairs, 2, large ? 1000 : 10);
            refuse_of(&m, ids, 4, SPT_ERR_FULL);
            close_model(&m);
        }
}

/* The capacity counts contacts, kept ones and new ones, and not the pairs that are given; full
   contacts stay as they were. */
static void a_fixed_capacity_is_that_of_all_contacts(void)
{
    static model m;
    char wanted[IDS][IDS];
    spt_i32 ids[1], a, large;
    for (large = 0; large < 2; large++) {
        open_model(&m, 8, large ? 1000 : 20, 0);
        memset(wanted, 0, sizeof wanted);
        for (a = 0; a < 8; a++) wanted[a][a + 10] = 1;
        list_table(&m.pairs, wanted);
        update_to(&m, wanted, NULL, 0);
        spt_intlist_clear(&m.pairs);
        ids[0] = 5;
        push(&m.pairs, 5, 15), push(&m.pairs, 5, 16);
        refuse_of(&m, ids, 1, SPT_ERR_FULL);
        spt_intlist_clear(&m.pairs);
        push(&m.pairs, 5, 16), wanted[5][15] = 0, wanted[5][16] = 1;
        update_to(&m, wanted, ids, 1);
        CHECK(spt_contacts_update_of(&m.contacts, ids, 1, NULL, NULL, NULL) == SPT_ERR_ARGUMENT);
        CHECK(spt_contacts_update_of(&m.contacts, ids, 1, &m.pairs, &m.pairs, NULL) ==
              SPT_ERR_ARGUMENT);
        CHECK(spt_contacts_update_of(&m.contacts, ids, 1, &m.pairs, NULL, &m.pairs) ==
              SPT_ERR_ARGUMENT);
        CHECK(spt_intlist_count(&m.pairs) == 1);
        CHECK(spt_contacts_of(&m.contacts, 5, &m.pairs) == SPT_ERR_LIST); /* two fields */
        CHECK(spt_contacts_of(&m.contacts, -1, NULL) == SPT_ERR_ID);
        close_model(&m);
    }
}

/* An id in the middle touches the n - 1 others, and there is room for no more: whatever sorts its
   contacts has the least memory; and there is much. In rows, and in records; a few, and many. */
static void one_id_may_touch_all_others(void)
{
    static const spt_i32 counts[] = {2, 16, 17, 18, 19, 33, 40, 129, 1000, 5000};
    model m;
    spt_i32 n, i, k, middle, linked;
    for (i = 0; i < 4 * TEST_COUNT(counts); i++) {
        n = counts[i / 4], middle = n / 3, linked = i % 2;
        open_model(&m, i % 4 < 2 ? n - 1 : 8 * n, n, 0);
        for (k = 0; k < n; k++)
            if (k != middle) push(&m.pairs, k < middle ? k : middle, k < middle ? middle : k);
        shuffle(&m.pairs);
        CHECK(spt_contacts_update(&m.contacts, &m.pairs, NULL, NULL) == n - 1);
        spt_intlist_clear(&m.pairs);
        if (linked) /* the id at the end is without contacts, and its contact comes back */
            CHECK(spt_contacts_forget(&m.contacts, n - 1, &m.pairs) == 1 &&
                  spt_contacts_update_of(&m.contacts, &n, 0, &m.began, NULL, NULL) == n - 2);
        k = n - 1;
        if (linked) spt_contacts_update_of(&m.contacts, &k, 1, &m.pairs, NULL, NULL);
        CHECK(spt_contacts_of(&m.contacts, middle, &m.near_ids) == n - 1);
        for (k = 0; k < n - 1; k++)
            CHECK(spt_intlist_get(&m.near_ids, k, 0) == k + (k >= middle));
        CHECK(spt_contacts_forget(&m.contacts, middle, &m.ended) == n - 1);
        for (k = 0; k < n - 1; k++) {
            CHECK(spt_intlist_get(&m.ended, k, 0) == (k < middle ? k : middle));
            CHECK(spt_intlist_get(&m.ended, k, 1) == (k < middle ? middle : k + 1));
        }
        CHECK(spt_contacts_count(&m.contacts) == 0 && spt_contacts_check(&m.contacts));
        CHECK(spt_contacts_of(&m.contacts, 0, &m.near_ids) == 0);
        close_model(&m);
    }
}

/* Ids 2 * i and 2 * i + 1 touch. All contacts of the first `few` ids end, once without and once
   with another contact in their place: of few ids that have lists, of as many as fit, and of
   more. */
static void contacts_of_any_number_of_ids_end(void)
{
    enum { COUPLES = 400 };
    static spt_i32 ids[2 * COUPLES];
    model m;
    spt_i32 i, few, others;
    for (i = 0; i < 2 * COUPLES; i++) ids[i] = i;
    for (few = 2; few <= 2 * COUPLES; few += few < 200 ? 14 : 100)
        for (others = 0; others < 2; others++) {
            open_model(&m, COUPLES, 2 * COUPLES, 0);
            for (i = 0; i < COUPLES; i++) push(&m.pairs, 2 * i, 2 * i + 1);
            CHECK(spt_contacts_update(&m.contacts, &m.pairs, NULL, NULL) == COUPLES);
            spt_intlist_clear(&m.pairs);
            if (others) push(&m.pairs, 0, 2);
            CHECK(spt_contacts_update_of(&m.contacts, ids, few, &m.pairs, &m.began, &m.ended) ==
                  COUPLES - few / 2 + others);
            CHECK(spt_intlist_count(&m.began) == others);
            CHECK(spt_intlist_count(&m.ended) == few / 2);
            for (i = 0; i < few / 2; i++) CHECK(spt_intlist_get(&m.ended, i, 1) == 2 * i + 1);
            CHECK(spt_contacts_check(&m.contacts));
            close_model(&m);
        }
}

enum { MANY = 100000, GIANT = MANY };

/* A frame of a line of MANY ids that touch their neighbours, half of which touch a giant, too: id
   changes whether it touches the ones beside it and the giant. Returns the pairs, old and new. */
static spt_i32 change_one(spt_contacts *c, spt_intlist *pairs, spt_intlist *list, spt_i32 id)
{
    spt_i32 before = spt_contacts_of(c, id, list), i, touching = 0, other;
    spt_intlist_clear(pairs);
    for (i = 0; i < 3; i++) {
        other = i == 0 ? id - 1 : i == 1 ? id + 1 : (spt_i32)GIANT;
        if (other < 0 || other == id || test_below(2) || spt_contacts_has(c, id, other)) continue;
        if (other < id)
            push(pairs, other, id);
        else
            push(pairs, id, other);
        touching++;
    }
    return before + touching;
}

/* The promise: O(n + pairs of the ids), not of all contacts, of the largest id, or of the contacts
   of the boxes that are met; for the first update of some after one of all, and as memory grows,
   once O(all). Questions and forgets after an update of all cost a binary search, and the contacts
   that they find. */
static void the_work_of_few_is_that_of_few(void)
{
    spt_contacts c;
    spt_intlist pairs, list;
    double most = 0, of_few;
    spt_i32 i, k, n, ids[4];
    CHECK(spt_contacts_init(&c, NULL) == SPT_OK);
    spt_intlist_init(&pairs, 2), spt_intlist_init(&list, 1);
    for (i = 0; i < MANY - 1; i++) push(&pairs, i, i + 1);
    for (i = 0; i < MANY / 2; i++) push(&pairs, i, GIANT);
    CHECK(spt_contacts_update(&c, &pairs, NULL, NULL) == spt_intlist_count(&pairs));
    work = 0;
    CHECK(spt_contacts_of(&c, 3, &list) == 3);
    CHECK(spt_contacts_forget(&c, 3, &pairs) == 3);
    CHECK(spt_contacts_forget(&c, 3, &pairs) == 0);
    CHECK(spt_contacts_of(&c, 3, &list) == 0 && spt_contacts_of(&c, 4, &list) == 2);
    CHECK(spt_contacts_has(&c, 2, 3) == 0 && spt_contacts_has(&c, 4, GIANT) == 1);
    if (getenv("REPORT")) printf("%.0f steps after an update\n", work);
    CHECK(work > 40 && work < 200);
    work = 0;
    ids[0] = 3;
    spt_intlist_clear(&pairs);
    CHECK(spt_contacts_update_of(&c, ids, 1, &pairs, NULL, NULL) == spt_contacts_count(&c));
    CHECK(work > MANY && work < 6.0 * MANY); /* all is counted, and only once */
    CHECK(spt_contacts_check(&c));
    for (i = 0; i < 2000; i++) {
        work = 0;
        ids[0] = test_below(MANY - 1);
        n = change_one(&c, &pairs, &list, ids[0]);
        for (k = 1; k < 4; k++) ids[k] = ids[0]; /* given four times */
        CHECK(spt_contacts_update_of(&c, ids, 4, &pairs, NULL, NULL) == spt_contacts_count(&c));
        CHECK(spt_contacts_of(&c, ids[0], &list) == spt_intlist_count(&pairs));
        CHECK(spt_contacts_forget(&c, ids[0], NULL) == spt_intlist_count(&pairs));
        CHECK(spt_contacts_has(&c, ids[0], GIANT) == 0);
        of_few = work / (8 + n);
        if (of_few > most) most = of_few;
    }
    if (getenv("REPORT")) printf("at most %.1f steps for an id or pair\n", most);
    CHECK(most > 1 && most <= 40);
    CHECK(spt_contacts_check(&c));
    spt_contacts_free(&c);
    spt_intlist_free(&pairs), spt_intlist_free(&list);
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
    desc.capacity = 1, desc.ids = INT32_MAX / 4 + 1; /* the most: ids up to 2^29 - 1 */
    CHECK((spt_contacts_bytes_for(&desc) > 0) == (sizeof(size_t) > 4));
    desc.ids++;
    CHECK(spt_contacts_bytes_for(&desc) == 0);
    CHECK(spt_contacts_init(&contacts, NULL) == SPT_OK && spt_contacts_bytes(&contacts) == 0);
    CHECK(spt_contacts_bytes_for(NULL) == 0 && spt_contacts_check(&contacts));
    CHECK(spt_contacts_forget(&contacts, 3, NULL) == 0);
    CHECK(spt_contacts_of(&contacts, 3, NULL) == 0 && spt_contacts_has(&contacts, 3, 4) == 0);
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
    update_to(&m, wanted, NULL, 0);
    memset(wanted, 0, sizeof wanted);
    spt_intlist_clear(&m.pairs);
    update_to(&m, wanted, NULL, 0);
    CHECK(spt_intlist_reserve(&m.began, PAIRS) == SPT_OK);
    CHECK(spt_intlist_reserve(&m.ended, PAIRS) == SPT_OK);
    calls = m.memory.calls;
    for (frame = 0; frame < 20; frame++) {
        change(&m, wanted, IDS, 5);
        list_table(&m.pairs, wanted);
        update_to(&m, wanted, NULL, 0);
        forget(&m, frame);
        update_some(&m, 4);
    }
    CHECK(m.memory.calls == calls);
    close_model(&m);
}

/* A chain of ids grows by a few links at a time or many, given with all pairs or alone. */
static void contacts_hold_a_quarter_more_than_they_need_at_most(void)
{
    static model m;
    spt_i32 links = 0, more, step, k, given;
    size_t need;
    open_model(&m, 0, 0, 0);
    for (step = 0; step < 200; step++) {
        more = test_below(8) ? test_below(3) : test_below(links + 2);
        given = test_below(2) ? links : 0;
        spt_intlist_clear(&m.pairs);
        for (k = given; k < links + more; k++) push(&m.pairs, k, k + 1);
        for (k = 0; k < more; k++) push(&m.near_ids, links + k + 1, 0);
        if (given == 0) spt_contacts_update(&m.contacts, &m.pairs, NULL, NULL);
        else spt_contacts_update_of(&m.contacts, spt_intlist_data(&m.near_ids), more,
                                    &m.pairs, NULL, NULL);
        spt_intlist_clear(&m.near_ids);
        links += more;
        CHECK(spt_contacts_count(&m.contacts) == links);
        need = 26 * (size_t)links + 6 * ((size_t)links + 1) + 64;
        CHECK(spt_contacts_bytes(&m.contacts) <= need + need / 4);
    }
    close_model(&m);
}

static void ids_above_the_limits_are_refused(void)
{
    static model m;
    char wanted[IDS][IDS];
    open_model(&m, 0, 0, 0);
    memset(wanted, 0, sizeof wanted);
    wanted[0][1] = 1;
    list_table(&m.pairs, wanted);
    update_to(&m, wanted, NULL, 0);
    push(&m.pairs, 1, INT32_MAX);
    refuse(&m, SPT_ERR_ID);
    list_table(&m.pairs, wanted);
    push(&m.pairs, 1, INT32_MAX / 4 + 1);
    refuse(&m, SPT_ERR_ID);
    close_model(&m);
}

/* What check finds wrong in contacts of which a number, or one of their own, is damaged. care: 0:
   the number may be any. */
static void damage(spt_contacts *c, spt_i32 *number, int care)
{
    static const spt_i32 wrong[] = {-1, 0, 1, 2, 3, 6, 7, 20, 1000, INT32_MAX / 3, INT32_MAX};
    const spt_i32 was = *number;
    int k;
    for (k = 0; k < 2 * TEST_COUNT(wrong); k++) {
        *number = k % 2 ? was ^ wrong[k / 2] : wrong[k / 2];
        if (*number == was) continue;
        test_context("wrong", *number);
        CHECK(!spt_contacts_check(c) || !care);
    }
    *number = was;
    CHECK(spt_contacts_check(c));
}

static void damage_place(spt_contacts *c, spt_i32 **place)
{
    spt_i32 *was = *place;
    int k;
    for (k = -3; k <= 3; k++) {
        *place = was + k;
        CHECK(spt_contacts_check(c) == (k == 0));
    }
    *place = NULL;
    CHECK(!spt_contacts_check(c));
    *place = was;
}

/* Every field, and every integer of the block that is in use. Without rows another pair is as good
   as the one that was there; beside them, or in lists, it is not. */
static void damage_all(spt_contacts *c)
{
    const spt_i32 ids = c->most_ids, top = c->top;
    spt_i32 i;
    CHECK(spt_contacts_check(c) && ids > 0);
    damage(c, &c->most_ids, 1), damage(c, &c->most_pairs, 1), damage(c, &c->few, 1);
    damage(c, &c->count, 1), damage(c, &c->top, 1), damage(c, &c->freed, c->linked);
    for (i = 2; i < 9; i++) {
        const int rows = c->rows, linked = c->linked;
        c->rows = i - 4;
        CHECK(c->rows == rows || !spt_contacts_check(c) || c->rows == 0);
        c->rows = rows, c->linked = i - 4;
        CHECK(c->linked == linked || !spt_contacts_check(c));
        c->linked = linked;
    }
    damage_place(c, &c->pairs), damage_place(c, &c->next), damage_place(c, &c->by_b);
    damage_place(c, &c->heads), damage_place(c, &c->scratch);
    for (i = 0; i < top; i++) {
        spt_i32 *number = (c->linked ? c->block : c->pairs) + i;
        damage(c, number, c->linked ? i % 6 < 2 || c->block[i - i % 6] >= 0 : c->rows);
        if (c->rows) damage(c, &c->by_b[i], 1);
    }
    if (c->rows) { /* the same rows in another order */
        const spt_i32 a = c->by_b[0], b = c->by_b[1], *end = c->by_b + top;
        c->by_b[0] = end[-2], c->by_b[1] = end[-1], c->by_b[top - 2] = a, c->by_b[top - 1] = b;
        CHECK(!spt_contacts_check(c));
        c->by_b[top - 2] = c->by_b[0], c->by_b[top - 1] = c->by_b[1];
        c->by_b[0] = a, c->by_b[1] = b;
        CHECK(spt_contacts_check(c));
    }
    for (i = 0; i < ids; i++) damage(c, &c->heads[i], c->linked);
}

/* It never reads outside of the block either, which a sanitizer sees. */
static void check_finds_all_damage(void)
{
    static model m;
    char wanted[IDS][IDS];
    spt_i32 ids[2] = {3, 7};
    int k;
    open_model(&m, 0, 0, 0);
    CHECK(spt_contacts_check(&m.contacts)); /* nothing is allocated yet */
    damage(&m.contacts, &m.contacts.most_ids, 1), damage(&m.contacts, &m.contacts.most_pairs, 1);
    damage(&m.contacts, &m.contacts.count, 1), damage(&m.contacts, &m.contacts.top, 1);
    m.contacts.linked = 1;
    CHECK(!spt_contacts_check(&m.contacts));
    m.contacts.linked = 0;
    memset(wanted, 0, sizeof wanted);
    for (k = 0; k < 200; k++) {
        const int a = test_below(IDS - 7), b = a + 1 + test_below(6);
        wanted[a][b] = 1;
    }
    wanted[3][4] = wanted[3][7] = wanted[7][8] = 1;
    list_table(&m.pairs, wanted);
    update_to(&m, wanted, NULL, 0);
    damage_all(&m.contacts);
    CHECK(spt_contacts_of(&m.contacts, 3, &m.near_ids) > 0); /* makes rows */
    damage_all(&m.contacts);
    CHECK(spt_contacts_forget(&m.contacts, 3, NULL) > 0); /* marks an id */
    damage_all(&m.contacts);
    spt_intlist_clear(&m.pairs);
    push(&m.pairs, 3, 7);
    CHECK(spt_contacts_update_of(&m.contacts, ids, 2, &m.pairs, NULL, NULL) > 0);
    CHECK(m.contacts.linked); /* and some records are free */
    damage_all(&m.contacts);
    push(&m.pairs, 3, 5), push(&m.pairs, 7, 9);
    CHECK(spt_contacts_update_of(&m.contacts, ids, 2, &m.pairs, NULL, NULL) > 0);
    damage_all(&m.contacts);
    close_model(&m);
    open_model(&m, 300, IDS, 0);
    list_table(&m.pairs, wanted);
    update_to(&m, wanted, NULL, 0);
    damage_all(&m.contacts);
    m.contacts.desc.capacity++;
    CHECK(!spt_contacts_check(&m.contacts));
    m.contacts.desc.capacity--, m.contacts.desc.ids++;
    CHECK(!spt_contacts_check(&m.contacts));
    m.contacts.desc.ids--;
    close_model(&m);
}

static const test_case tests[] = {
    TEST(what_began_and_ended_is_told_in_order),
    TEST(every_allocation_may_fail_once),
    TEST(what_grows_slowly_allocates_seldom),
    TEST(an_id_that_was_forgotten_comes_back_as_another),
    TEST(bad_pairs_are_refused_and_change_nothing),
    TEST(bad_pairs_of_some_ids_are_refused_and_change_nothing),
    TEST(a_fixed_capacity_is_that_of_all_contacts),
    TEST(one_id_may_touch_all_others),
    TEST(contacts_of_any_number_of_ids_end),
    TEST(the_work_of_few_is_that_of_few),
    TEST(bad_descs_are_refused),
    TEST(nothing_is_allocated_once_warm),
    TEST(contacts_hold_a_quarter_more_than_they_need_at_most),
    TEST(ids_above_the_limits_are_refused),
    TEST(check_finds_all_damage),
};

int main(int argc, char **argv)
{
    return test_main(argc, argv, tests, TEST_COUNT(tests));
}
