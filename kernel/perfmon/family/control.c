// SPDX-License-Identifier: GPL-2.0-only
/*
 * Control of all parts of a family: starting and stopping them, and ending them when the
 * session is detached or a thread gets another session.  family.h has the locks.
 */
#include <linux/atomic.h>
#include <linux/irqflags.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include <linux/smp.h>

#include <asm/barrier.h>

#include "../host.h"
#include "../loss.h"
#include "../notify/notify.h"
#include "../run.h"
#include "../target.h"
#include "family.h"

/* A clone or an exit may have to wait for the end of so many parts. */
#define CLOSE_PIECE	16

/* Start or stop the part on this CPU, as family->started says. */
static void control_here(void *family)
{
	struct perfmon_session *s = perfmon_host_here();

	if (!s || !s->part || s->family != family) {
		/* A part of another family may have come to this CPU meanwhile. */
		if (__this_cpu_read(perfmon_family_here) == family)
			__this_cpu_write(perfmon_family_here, NULL);
		return;
	}
	if (READ_ONCE(s->family->started)) {
		if (!s->counting && s->gap == PERFMON_GAP_NONE)
			perfmon_unpause(s);
		return;
	}
	perfmon_pause(s);
	perfmon_gap_stopped(s);
}

static bool control_wants(int cpu, void *family)
{
	return READ_ONCE(per_cpu(perfmon_family_here, cpu)) == family;
}

/*
 * Interrupt only CPUs that run parts of this family: any user may start and stop a family
 * in a loop, and must not disturb the others.
 */
static void control_run(struct perfmon_family *family, bool run)
{
	if (family->started == run)
		return;
	WRITE_ONCE(family->started, run);
	/*
	 * Pairs with perfmon_part_comes(): a part that is not found here sees the flag.
	 */
	smp_mb();
	on_each_cpu_cond(control_wants, control_here, family, true);
}

/**
 * perfmon_family_run - start or stop all parts
 * @s: root, locked and attached
 * @run: which of the two
 *
 * When it returns, all parts have started or stopped.
 *
 * Context: may sleep.
 */
void perfmon_family_run(struct perfmon_session *s, bool run)
{
	struct perfmon_family *family = s->family;

	mutex_lock(&family->lock);
	control_run(family, run);
	mutex_unlock(&family->lock);
}

/**
 * perfmon_family_follow - let the part of the running thread count, if the family does
 * @family: locked
 *
 * The part was linked while its thread ran, so no switch has started it.
 */
void perfmon_family_follow(struct perfmon_family *family)
{
	local_irq_disable();
	perfmon_part_comes(family);
	control_here(family);
	local_irq_enable();
}

/**
 * perfmon_family_orphan - the target leaves, but its family may continue
 * @s: root, locked
 *
 * Return: false if there are no parts and none will come.
 */
bool perfmon_family_orphan(struct perfmon_session *s)
{
	struct perfmon_family *family = s->family;

	mutex_lock(&family->lock);
	family->orphaned = family->nr_parts || atomic_read(&family->unborn);
	mutex_unlock(&family->lock);
	return family->orphaned;
}

/** perfmon_family_over - has the last member of an attached, locked root gone? */
bool perfmon_family_over(struct perfmon_session *s)
{
	struct perfmon_family *family = s->family;
	bool over;

	mutex_lock(&family->lock);
	over = perfmon_family_ended(family);
	mutex_unlock(&family->lock);
	return over;
}

static void control_end_first(struct perfmon_family *family)
{
	struct perfmon_part *part;

	part = list_first_entry(&family->parts, struct perfmon_part, node);
	refcount_inc(&part->s.ref);
	perfmon_part_end(part, false);
	perfmon_part_put(part);
}

/**
 * perfmon_family_close - end all parts and allow no more
 * @s: root, locked and attached
 *
 * Their counts stay in the totals.
 *
 * Context: may sleep.
 */
void perfmon_family_close(struct perfmon_session *s)
{
	struct perfmon_family *family = s->family;
	unsigned int n = 0;

	mutex_lock(&family->lock);
	family->open = false;
	control_run(family, false);
	while (!list_empty(&family->parts)) {
		control_end_first(family);
		if (++n % CLOSE_PIECE)
			continue;
		mutex_unlock(&family->lock);
		cond_resched();
		mutex_lock(&family->lock);
	}
	mutex_unlock(&family->lock);
}

/**
 * perfmon_family_quit - the running thread exits, or executes a program with more
 *	rights
 * @part: its part, perhaps ended
 * @left: the thread does not exit
 *
 * Context: may sleep.
 * Return: true if the last member of the family has gone: see perfmon_settle().
 */
bool perfmon_family_quit(struct perfmon_part *part, bool left)
{
	struct perfmon_family *family = part->s.family;
	bool over;

	mutex_lock(&family->lock);
	perfmon_part_end(part, left);
	over = perfmon_family_ended(family);
	mutex_unlock(&family->lock);
	return over;
}

/**
 * perfmon_family_yield - end the part of a thread that gets another session
 * @part: part, with a reference; perfmon_settle() must follow for its root
 *
 * Context: may sleep.
 */
void perfmon_family_yield(struct perfmon_part *part)
{
	struct perfmon_family *family = part->s.family;

	mutex_lock(&family->lock);
	perfmon_part_end(part, true);
	mutex_unlock(&family->lock);
	perfmon_unblock(family->root);
}
