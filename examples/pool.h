/* pool - POSIX threads that do the jobs of spatial.h: copy this file into a program with spatial.h

       pool p;
       pool_open(&p, 4);                        four threads, with the one that calls
       desc.workers.count = 4;
       desc.workers.run = pool_run;
       desc.workers.ctx = &p;
       ...
       pool_close(&p);

   A call of spatial.h has two runs of jobs, and with 100,000 boxes both of them take 2 ms. A
   sleeping thread takes some 0.1 ms to wake. So a thread that finds no more jobs looks for new ones
   for a while before it sleeps. */

#include <pthread.h>
#include <sched.h>
#include <string.h>

#define POOL_MOST 64    /* threads */
#define POOL_LOOKS 1000 /* looks for work before a thread sleeps: some 0.3 ms */

typedef struct pool {
    pthread_mutex_t lock;
    pthread_cond_t begins, ends; /* a run */
    pthread_t threads[POOL_MOST];
    int started;    /* threads, besides the one that calls */
    int named;      /* threads that have got their number */
    int runs;       /* begun so far; -1: no more will come */
    int busy;       /* threads that are at this run */
    spt_job_fn job; /* of this run: */
    void *arg;
    int n, next;    /* jobs, and the next one that nobody has taken */
} pool;

/* Waits, with the lock held, till *value is no longer `old`: first awake, then asleep. */
static void pool_wait(pool *p, pthread_cond_t *changes, const int *value, int old)
{
    int looks;

    for (looks = 0; *value == old; looks++) {
        if (looks >= POOL_LOOKS) {
            pthread_cond_wait(changes, &p->lock);
            continue;
        }
        pthread_mutex_unlock(&p->lock);
        sched_yield();
        pthread_mutex_lock(&p->lock);
    }
}

/* Does jobs till all are taken. The lock is held at the beginning and at the end. */
static void pool_take_jobs(pool *p, int worker)
{
    while (p->next < p->n) {
        int i = p->next++;

        pthread_mutex_unlock(&p->lock);
        p->job(p->arg, i, worker);
        pthread_mutex_lock(&p->lock);
    }
}

static void *pool_thread(void *argument)
{
    pool *p = (pool *)argument;
    int worker, seen = 0;

    pthread_mutex_lock(&p->lock);
    worker = ++p->named; /* the thread that calls is number 0 */
    for (;;) {
        pool_wait(p, &p->begins, &p->runs, seen);
        if (p->runs < 0) break;
        seen = p->runs;
        p->busy++;
        pool_take_jobs(p, worker);
        if (--p->busy == 0) pthread_cond_signal(&p->ends);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* The function for spt_workers. A thread that comes too late for a run finds no more jobs. */
static void pool_run(void *ctx, spt_job_fn job, void *arg, int n)
{
    pool *p = (pool *)ctx;
    int busy;

    pthread_mutex_lock(&p->lock);
    p->job = job, p->arg = arg, p->n = n, p->next = 0;
    p->runs++;
    pthread_cond_broadcast(&p->begins);
    pool_take_jobs(p, 0);
    while ((busy = p->busy) > 0) pool_wait(p, &p->ends, &p->busy, busy);
    pthread_mutex_unlock(&p->lock);
}

/* Starts the threads. If the system gives fewer, these and the one that calls do all jobs. */
static void pool_open(pool *p, int threads)
{
    memset(p, 0, sizeof *p);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->begins, NULL);
    pthread_cond_init(&p->ends, NULL);
    while (p->started < threads - 1 && p->started < POOL_MOST &&
           pthread_create(&p->threads[p->started], NULL, pool_thread, p) == 0)
        p->started++;
}

static void pool_close(pool *p)
{
    pthread_mutex_lock(&p->lock);
    p->runs = -1;
    pthread_cond_broadcast(&p->begins);
    pthread_mutex_unlock(&p->lock);
    while (p->started > 0) pthread_join(p->threads[--p->started], NULL);
    pthread_cond_destroy(&p->ends);
    pthread_cond_destroy(&p->begins);
    pthread_mutex_destroy(&p->lock);
}
