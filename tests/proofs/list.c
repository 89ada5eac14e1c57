/* One call for any valid list of integers, inline or allocated, of up to MOST records: the result,
   the record, the other records and the erased ones. By induction, any calls in a row. */
#define SPATIAL_NO_STDLIB /* memcpy of CBMC 6.6 leaves out bytes if it gets no constant number */
#include "proofs.h"

#define MOST (SPATIAL_INTLIST_INLINE / FIELDS)

static spt_intlist list;
static spt_i32 block[MOST * FIELDS], larger[2 * MOST * FIELDS]; /* before and after it grows */
static spt_i32 old[MOST * FIELDS], record[FIELDS];              /* before the call; and its own */
static int count, head, full;

/* Gives the larger block, or no memory. */
static void *resize(void *ctx, void *from, size_t bytes, size_t size) SPT_CALLBACK
{
    size_t i;
    (void)ctx;
    PROVE(full && (from ? from == block && bytes == sizeof block : bytes == 0));
    PROVE(bytes < size && size <= sizeof larger);
    if (nondet_int()) return NULL;
    for (i = 0; i < sizeof block / 4 && from; i++) larger[i] = block[i];
    return larger;
}

static void any_list(void)
{
    int i;
    list.allocator.resize = resize, list.fields = FIELDS, list.capacity = MOST;
    __CPROVER_havoc_object(block);
    for (i = 0; i < MOST * FIELDS; i++) list.room[i] = nondet_i32();
    list.data = nondet_int() ? block : NULL;
    list.count = count = any_from(0, MOST), list.free_head = head = nondet_int();
    ASSUME(spt_intlist_check(&list));
    for (i = 0; i < MOST * FIELDS; i++) old[i] = spt_intlist_data(&list)[i];
    for (i = 0; i < FIELDS; i++) record[i] = nondet_i32();
    full = count == MOST;
}

/* 1 if record i equals this one. */
static int equal(int i, const spt_i32 *other)
{
    return spt_intlist_get(&list, i, 0) == other[0] &&
           spt_intlist_get(&list, i, FIELDS - 1) == other[FIELDS - 1];
}

/* The list has n records, `first` was erased last, and all but number i are as they were. */
static void prove_rest(int n, int first, int i)
{
    const int j = any_from(0, MOST - 1);
    PROVE(spt_intlist_count(&list) == n && list.free_head == first && spt_intlist_check(&list));
    PROVE(j == i || j >= n || j >= count || equal(j, old + j * FIELDS));
}

void proof_push(void)
{
    int i;
    any_list();
    ASSUME(head == SPT_NONE);
    i = spt_intlist_push(&list, record);
    PROVE(i == count ? equal(i, record) : i == SPT_ERR_MEMORY && full);
    prove_rest(count + (i == count), SPT_NONE, i);
}

void proof_pop(void)
{
    int error;
    any_list();
    ASSUME(head == SPT_NONE);
    error = spt_intlist_pop(&list, record);
    PROVE(error == (count > 0 ? SPT_OK : SPT_ERR_ID));
    if (error) prove_rest(count, head, SPT_NONE);
    else prove_rest(count - 1, head, SPT_NONE);
    PROVE(error || (record[0] == old[(count - 1) * FIELDS] &&
                    record[FIELDS - 1] == old[count * FIELDS - 1]));
}

void proof_truncate(void)
{
    const int n = nondet_int();
    int error;
    any_list();
    ASSUME(head == SPT_NONE);
    error = spt_intlist_truncate(&list, n);
    PROVE(error == (0 <= n && n <= count ? SPT_OK : SPT_ERR_ARGUMENT));
    prove_rest(error ? count : n, head, SPT_NONE);
}

void proof_set(void)
{
    const int i = nondet_int(), field = any_from(0, FIELDS - 1), value = nondet_int();
    int error;
    any_list();
    error = spt_intlist_set(&list, i, field, value);
    PROVE(error == (0 <= i && i < count ? SPT_OK : SPT_ERR_ID));
    PROVE(spt_intlist_get(&list, i, field) == (error ? SPT_NONE : value));
}

/* The next record takes the place erased last, the one before that is then the last. */
void proof_insert(void)
{
    int i;
    any_list();
    i = spt_intlist_insert(&list, record);
    if (head == SPT_NONE) {
        PROVE(i == count ? equal(i, record) : i == SPT_ERR_MEMORY && full);
        prove_rest(count + (i == count), SPT_NONE, i);
    } else {
        PROVE(i == head && equal(i, record));
        prove_rest(count, old[head * FIELDS], i);
    }
}

void proof_erase(void)
{
    const int i = nondet_int();
    int error, k, at;
    any_list();
    for (at = head, k = 0; k < MOST && at != SPT_NONE; at = old[at * FIELDS], k++) ASSUME(at != i);
    error = spt_intlist_erase(&list, i);
    PROVE(error == (0 <= i && i < count ? SPT_OK : SPT_ERR_ID));
    prove_rest(count, error ? head : i, error ? SPT_NONE : i);
    PROVE(error || spt_intlist_get(&list, i, 0) == head);
}
