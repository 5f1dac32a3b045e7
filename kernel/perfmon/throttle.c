// SPDX-License-Identifier: GPL-2.0-only
/*
 * Throttling: a session that causes too many interrupts stops for one to two ticks.
 *
 * A session has a budget of overflow interrupts per tick.  On each CPU the sessions of
 * one user share four budgets, so that one user's storms do not throttle another user.
 * Only the overflow interrupt of a CPU changes its perfmon_cpu.users and the counts of
 * the session on it; so no locks are needed.
 */
#include <linux/jiffies.h>
#include <linux/math.h>
#include <linux/uidgid.h>

#include "admin/stats.h"
#include "cpu.h"
#include "loss.h"
#include "ovfl.h"
#include "run.h"

/* Overflow interrupts per tick; more would leave no time for other work. */
#define MAX_PER_TICK	(125000 / HZ)
#define USER_BUDGETS	4

/* Two, because the first jiffy has already begun: at least one is whole. */
#define THROTTLE_JIFFIES	2

/*
 * Count a step of interrupts for a user.  If PERFMON_STORM_USERS other users have taken
 * all entries, only the budgets of the sessions limit this one.
 *
 * Return: the user's interrupts on this CPU in this jiffy.
 */
static unsigned int throttle_count_user(kuid_t uid, unsigned long now)
{
	struct perfmon_cpu *cpu = this_cpu_ptr(&perfmon_cpu);
	unsigned int i;

	if (cpu->storm_jiffies != now) {
		cpu->storm_jiffies = now;
		cpu->nr_users = 0;
	}
	for (i = 0; i < cpu->nr_users; i++)
		if (uid_eq(cpu->users[i].uid, uid))
			return cpu->users[i].count += PERFMON_STORM_STEP;
	if (i < PERFMON_STORM_USERS) {
		cpu->users[i].uid = uid;
		cpu->users[i].count = PERFMON_STORM_STEP;
		cpu->nr_users++;
	}
	return PERFMON_STORM_STEP;
}

/**
 * perfmon_storms_step - count a step of overflow interrupts
 * @s: session that caused them; see perfmon_storms()
 *
 * A storm may keep the tick of this CPU from running; then another CPU advances jiffies,
 * or this one after the storm.
 *
 * Context: overflow interrupt.
 * Return: true if the session or its user is over the budget.
 */
bool perfmon_storms_step(struct perfmon_session *s)
{
	unsigned long now = jiffies;

	if (s->storm_jiffies != now) {
		s->storm_jiffies = now;
		s->storm_count = 0;
	}
	s->storm_count += PERFMON_STORM_STEP;
	return (s->storm_count > MAX_PER_TICK) |
	       (throttle_count_user(s->creator.uid, now) >
		USER_BUDGETS * MAX_PER_TICK);
}

/**
 * perfmon_storms_add - count the records that an interrupt has found
 * @s: session; the next interrupts find it over the budget, if it is
 * @records: sixteen weigh as much as an interrupt
 *
 * Context: overflow interrupt.
 */
void perfmon_storms_add(struct perfmon_session *s, unsigned int records)
{
	unsigned int step = s->storm_step +
			    round_down(records, U8_MAX / PERFMON_STORM_STEP + 1);

	for (; step > U8_MAX; step -= U8_MAX + 1)
		perfmon_storms_step(s);
	s->storm_step = step;
}

/**
 * perfmon_throttle - stop a session for one to two ticks
 * @s: its active set is not on the hardware
 *
 * Context: overflow interrupt.
 */
void perfmon_throttle(struct perfmon_session *s)
{
	u64 now = perfmon_slice_end(s);

	WRITE_ONCE(s->counting, NULL);
	s->throttle_end = jiffies + THROTTLE_JIFFIES;
	perfmon_gap_begin(s, PERFMON_GAP_THROTTLED, now);
	perfmon_count(PERFMON_STAT_THROTTLED);
}

/**
 * perfmon_throttle_over - may a throttled session count again?
 * @s: session that is throttled
 *
 * Called by the tick and by the switch to the thread, whichever comes first: a thread
 * that runs in short bursts may never see a tick.  If true, the caller calls
 * perfmon_unpause().
 *
 * Context: on the target.
 * Return: true if its time is over; the statistics count it then.
 */
bool perfmon_throttle_over(const struct perfmon_session *s)
{
	if (time_before(jiffies, s->throttle_end))
		return false;
	__this_cpu_add(perfmon_stats.count[PERFMON_STAT_THROTTLED_JIFFIES],
		       jiffies - s->throttle_end + THROTTLE_JIFFIES);
	return true;
}
