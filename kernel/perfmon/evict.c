// SPDX-License-Identifier: GPL-2.0-only
/*
 * System-wide sessions with PFM_FL_YIELD leave their CPUs when a session is to
 * be attached to a thread, which they would keep out otherwise: so a monitor of
 * the machine need not be stopped for everybody who measures a program.
 *
 * Called by attach.c, which then has no session locked.  Lock order: one
 * perfmon_session.lock at a time.
 */
#include <linux/cpumask.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/perfmon_hooks.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>

#include "access.h"
#include "evict.h"
#include "session.h"
#include "target.h"

/* The session of a CPU, with a reference, if it yields. */
static struct perfmon_session *evict_find(int cpu)
{
	struct perfmon_session *s;

	/* Its memory is freed after a grace period. */
	rcu_read_lock();
	s = READ_ONCE(per_cpu(perfmon_cpu_session, cpu));
	if (s && (!(s->flags & PFM_FL_YIELD) || !refcount_inc_not_zero(&s->ref)))
		s = NULL;
	rcu_read_unlock();
	return s;
}

/* It may have left meanwhile, and be attached nowhere else: evictors forbid it. */
static void evict_detach(struct perfmon_session *s)
{
	mutex_lock(&s->lock);
	if (perfmon_session_attached(s))
		perfmon_detach(s, true);
	mutex_unlock(&s->lock);
}

/**
 * perfmon_evict_begin - detach the system-wide sessions that yield
 *
 * Their owners are told by an END message.  No system-wide session is attached
 * until perfmon_evict_end(), so that one whose owner attaches it again at once
 * keeps nobody out.
 *
 * Context: may sleep; the caller has no session locked.
 */
void perfmon_evict_begin(void)
{
	struct perfmon_session *s;
	int cpu;

	perfmon_evictor_get();
	for_each_possible_cpu(cpu) {
		s = evict_find(cpu);
		if (!s)
			continue;
		evict_detach(s);
		perfmon_session_put_atomic(s);
	}
	/* One that was leaving already is not found, but may not be gone yet. */
	perfmon_evictor_wait();
}

/** perfmon_evict_end - system-wide sessions may be attached again */
void perfmon_evict_end(void)
{
	perfmon_evictor_put();
}
