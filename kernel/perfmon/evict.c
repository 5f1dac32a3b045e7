// SPDX-License-Identifier: GPL-2.0-only
/*
 * Before a session is attached to a thread, system-wide sessions with PFM_FL_YIELD leave
 * their CPUs: they would block the attachment.  So a monitor of the machine need not be
 * stopped before a program is measured.
 *
 * Called by attach.c without any session locked.  Lock order: one perfmon_session.lock at
 * a time.
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

/* The session of a CPU, with a reference, if it has PFM_FL_YIELD. */
static struct perfmon_session *evict_find(int cpu)
{
	struct perfmon_session *s;

	/* The session is freed after a grace period. */
	rcu_read_lock();
	s = READ_ONCE(per_cpu(perfmon_cpu_session, cpu));
	if (s && (!(s->flags & PFM_FL_YIELD) || !refcount_inc_not_zero(&s->ref)))
		s = NULL;
	rcu_read_unlock();
	return s;
}

/*
 * It may have left its CPU meanwhile.  It cannot be attached elsewhere:
 * perfmon_evictor_get() forbids that.
 */
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
 * Each evicted session gets an END message.  No system-wide session is attached until
 * perfmon_evict_end(): else one that is reattached at once would block the thread's
 * session again.
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
	/*
	 * evict_find() misses a session that is just leaving; wait until it is detached.
	 */
	perfmon_evictor_wait();
}

/** perfmon_evict_end - system-wide sessions may be attached again */
void perfmon_evict_end(void)
{
	perfmon_evictor_put();
}
