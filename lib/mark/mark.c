// SPDX-License-Identifier: MIT
/*
 * Marks of regions, see pfmon-mark.h.
 *
 * A mark reads the counters when it begins and when it ends; what lies between the
 * two is taken off the regions that it is in. What remains are the instructions from
 * the call to the first reading and from the second to the return: a thread measures
 * them with a region that is empty, and pfmon takes them off once for each mark.
 */
#include <mark/pfmon-mark.h>

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "mark/handover.h"

/* Of the empty region. The first ones find nothing in the caches. */
#define CALIBRATIONS 8
#define EMPTY ""

#define PUBLIC __attribute__((visibility("default"), noinline))

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the list */
static pthread_key_t key;
static struct mark_setup setup;
static struct thread *threads;
static _Thread_local struct thread *self
	__attribute__((tls_model("initial-exec")));
/* In join(), where a signal handler may mark: neither the once nor malloc() may. */
static _Thread_local bool joining __attribute__((tls_model("initial-exec")));
static bool on; /* pfmon runs this program; of look_for_pfmon() */
static bool off; /* it does not, as is known: marks ask without the once */

static void lock_list(void)
{
	pthread_mutex_lock(&lock);
}

static void unlock_list(void)
{
	pthread_mutex_unlock(&lock);
}

/* It is none of the threads of its parent, and does not keep their sessions. */
static void forget_parent(void)
{
	while (threads) {
		struct thread *next = threads->next;

		/* Pages are not inherited. */
		threads->state = NULL;
		/* The child may be in the middle of a mark. */
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

/* Threads may meet it together: none may take pfmon for absent before it is known. */
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

/* What an empty region has is what a mark costs those around it. */
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

/* NULL: this thread counts nothing, or not yet. */
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
	/* Before anybody can tell of its empty region. */
	calibrate(self);
	lock_list();
	self->next = threads;
	threads = self;
	unlock_list();
	pthread_setspecific(key, self);
	return self;
}

/* What was counted in the last mark belongs to nobody. */
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

/* Before and after each change of the sums, which others may read meanwhile. */
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

/* What is between the two readings of a mark. */
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
 * One function for both, so that they cost the same. A mark in a signal handler that
 * has interrupted one of the same thread is left out, and told as one without its
 * other end.
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

/* Those that have ended have nothing more to tell. */
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
