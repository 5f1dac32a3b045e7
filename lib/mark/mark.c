// SPDX-License-Identifier: MIT
/*
 * Marks of regions, see pfmon-mark.h.
 *
 * A mark reads the counters when it begins and when it ends; the counts between the two
 * are subtracted from the regions that contain it. The instructions from the call to the
 * first reading, and from the second to the return, remain: each thread measures them
 * with an empty region, and pfmon subtracts them once for each mark.
 */
#include <mark/pfmon-mark.h>

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "mark/handover.h"

/* Passes of the empty region. The caches are cold in the first ones. */
#define CALIBRATIONS 8
#define EMPTY ""

#define PUBLIC __attribute__((visibility("default"), noinline))

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* protects the list */
static pthread_key_t key;
static struct mark_setup setup;
static struct thread *threads;
static _Thread_local struct thread *self
	__attribute__((tls_model("initial-exec")));
/*
 * The thread is in join(), where a signal handler may set a mark: it must call neither
 * pthread_once() nor malloc().
 */
static _Thread_local bool joining __attribute__((tls_model("initial-exec")));
static bool on; /* pfmon runs this program; set by look_for_pfmon() */
static bool off; /* pfmon is known to be absent: no pthread_once() */

static void lock_list(void)
{
	pthread_mutex_lock(&lock);
}

static void unlock_list(void)
{
	pthread_mutex_unlock(&lock);
}

/* The child has none of its parent's threads, and must not keep their sessions. */
static void forget_parent(void)
{
	while (threads) {
		struct thread *next = threads->next;

		/* A child does not inherit the pages. */
		threads->state = NULL;
		/* The fork may have happened within a mark. */
		if (threads->busy)
			thread_end(threads);
		else
			thread_free(threads);
		threads = next;
	}
	self = NULL;
	pthread_setspecific(key, NULL);
	pthread_mutex_unlock(&lock);
}

static void end_thread(void *arg)
{
	lock_list();
	thread_end(arg);
	self = NULL;
	unlock_list();
}

/*
 * Several threads may get here at once: none may see pfmon as absent before the result is
 * known.
 */
static void look_for_pfmon(void)
{
	on = !handover_open(&setup) && !pthread_key_create(&key, end_thread) &&
	     !pthread_atfork(lock_list, unlock_list, forget_parent);
	__atomic_store_n(&off, !on, __ATOMIC_RELAXED);
}

static bool is_off(void)
{
	return __atomic_load_n(&off, __ATOMIC_RELAXED);
}

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* The counts of an empty region are the cost of a mark for the regions around it. */
static void calibrate(struct thread *thread)
{
	for (int i = 0; i < CALIBRATIONS; i++) {
		const struct region *empty;

		pfmon_mark_reset(EMPTY);
		pfmon_mark_begin(EMPTY);
		pfmon_mark_end(EMPTY);
		empty = thread_region(thread, EMPTY);
		for (unsigned int e = 0; empty && e < thread->events; e++) {
			uint64_t cost = empty->sums.counts[e];

			if (!i || cost < thread->cost[e])
				thread->cost[e] = cost;
		}
	}
	pfmon_mark_reset(EMPTY);
	thread->unmatched = 0;
}

static bool find_pfmon(void)
{
	pthread_once(&once, look_for_pfmon);
	return on;
}

/* Returns NULL if this thread counts nothing, or not yet. */
static __attribute__((noinline)) struct thread *join(void)
{
	if (joining)
		return NULL;
	joining = true;
	if (find_pfmon())
		self = thread_new(&setup);
	joining = false;
	if (!self)
		return NULL;
	/* Before the thread is in the list: no record may include its empty region. */
	calibrate(self);
	lock_list();
	self->next = threads;
	threads = self;
	unlock_list();
	pthread_setspecific(key, self);
	return self;
}

/* Counts within the last mark belong to no region. */
static void settle(struct thread *thread,
		   const uint64_t counts[MARK_EVENTS_MAX])
{
	for (unsigned int i = 0; i < thread->events; i++) {
		thread->inside[i] += thread->out[i] - thread->in[i];
		thread->in[i] = counts[i];
	}
	thread->marks++;
}

static void begin(struct thread *thread, struct region *region)
{
	if (region->depth++)
		return;
	region->marks_then = thread->marks;
	for (unsigned int i = 0; i < thread->events; i++)
		region->counts_then[i] = thread->in[i] - thread->inside[i];
	region->time_then = now();
}

/*
 * Called before and after each change of the sums, which other threads may read
 * meanwhile.
 */
static void change(struct region *region)
{
	__atomic_store_n(&region->version, region->version + 1,
			 __ATOMIC_RELEASE);
	__atomic_thread_fence(__ATOMIC_ACQ_REL);
}

static void end(struct thread *thread, struct region *region)
{
	if (!region->depth) {
		thread->unmatched++;
		return;
	}
	if (--region->depth)
		return;
	change(region);
	region->sums.time_ns += now() - region->time_then;
	region->sums.marks += thread->marks - region->marks_then;
	region->sums.entries++;
	for (unsigned int i = 0; i < thread->events; i++)
		region->sums.counts[i] += thread->in[i] - thread->inside[i] -
					  region->counts_then[i];
	change(region);
}

/* The work of a mark between its two readings. */
static __attribute__((noinline)) void
work(struct thread *thread, const uint64_t counts[MARK_EVENTS_MAX],
     const char *name, bool is_end)
{
	struct region *region;

	settle(thread, counts);
	region = thread_region(thread, name);
	if (!region)
		thread->unmatched++;
	else if (is_end)
		end(thread, region);
	else
		begin(thread, region);
}

/*
 * One function for begin and end, so that they cost the same. If a signal handler sets a
 * mark while it interrupts one of the same thread, that mark is ignored and counted as
 * unmatched.
 */
static __attribute__((noinline)) void mark(const char *name, bool is_end)
{
	uint64_t counts[MARK_EVENTS_MAX];
	struct thread *thread = self;

	if (!thread) {
		if (is_off())
			return;
		thread = join();
		if (!thread)
			return;
	}
	if (thread->busy) {
		thread->unmatched++;
		return;
	}
	thread->busy = true;
	thread_read(thread, counts);
	work(thread, counts, name, is_end);
	thread_read(thread, thread->out);
	thread->busy = false;
}

PUBLIC void pfmon_mark_begin(const char *name)
{
	mark(name, false);
}

PUBLIC void pfmon_mark_end(const char *name)
{
	mark(name, true);
}

PUBLIC void pfmon_mark_thread(void)
{
	if (!self && !is_off())
		join();
}

PUBLIC void pfmon_mark_reset(const char *name)
{
	struct region *region = NULL;

	pfmon_mark_thread();
	if (self)
		region = thread_region(self, name);
	if (!region || region->depth)
		return;
	lock_list();
	region->sums = region->told = (struct region_sums){ 0 };
	unlock_list();
}

PUBLIC int pfmon_mark_active(void)
{
	bool found;

	if (joining)
		return false;
	joining = true;
	found = find_pfmon();
	joining = false;
	return found;
}

/* Frees threads that have ended and whose counts were written. */
static void drop_dead(void)
{
	struct thread **at = &threads;

	while (*at) {
		struct thread *thread = *at;

		if (!thread->dead) {
			at = &thread->next;
			continue;
		}
		*at = thread->next;
		thread_free(thread);
	}
}

PUBLIC __attribute__((destructor)) void pfmon_mark_flush(void)
{
	if (!on)
		return;
	lock_list();
	handover_write(threads);
	drop_dead();
	unlock_list();
}
