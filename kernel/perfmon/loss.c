// SPDX-License-Identifier: GPL-2.0-only
/*
 * The losses of a session, for PFM_GIFL_LOSS: gaps, in which it was started and
 * did not count, and overflows without a notification.
 *
 * A session is in at most one gap at a time.  Gaps are measured by the clock of durations
 * (perfmon_clock()), so for a session that is never stopped, gaps and durations add up to
 * the time of its target.  The functions run on the target: see the rule of hot fields in
 * session.h.
 */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/perfmon_pmu.h>

#include "family/family.h"
#include "loss.h"
#include "session.h"
#include "target.h"

/**
 * perfmon_gap_begin - note that a started session stops counting
 * @s: session, not in a gap
 * @gap: why
 * @now: perfmon_clock()
 */
void perfmon_gap_begin(struct perfmon_session *s, enum perfmon_gap gap, u64 now)
{
	s->gap = gap;
	s->gap_clock = now;
}

/**
 * perfmon_gap_end - note that a session counts again, or that its user stopped it
 * @s: session, in a gap
 * @now: perfmon_clock()
 */
void perfmon_gap_end(struct perfmon_session *s, u64 now)
{
	s->loss.gap_ns[s->gap] += now - s->gap_clock;
	s->gap = PERFMON_GAP_NONE;
}

/**
 * perfmon_gap_stopped - end the gap of a session that is stopped, if it is in one
 * @s: session
 *
 * A session whose sample waits for room stays in its gap.
 */
void perfmon_gap_stopped(struct perfmon_session *s)
{
	if (s->gap != PERFMON_GAP_NONE && s->gap != PERFMON_GAP_WAITING)
		perfmon_gap_end(s, perfmon_clock(s));
}

/**
 * perfmon_lose - note that overflows have neither a message nor a sample
 * @s: session
 * @overflows: their number
 */
void perfmon_lose(struct perfmon_session *s, unsigned int overflows)
{
	s->loss.overflows += overflows;
	if (perfmon_is_part(s))
		atomic64_add(overflows, &s->family->overflows);
}

/** perfmon_lose_kept - drop the samples that wait for room, and count them as lost */
void perfmon_lose_kept(struct perfmon_session *s)
{
	perfmon_lose(s, hweight_long(s->kept.pmds));
	s->kept.pmds = 0;
}

/**
 * perfmon_gap_leave - end the gap of a session that leaves its target
 * @s: session
 *
 * Overflows that are kept until there is room are lost.
 */
void perfmon_gap_leave(struct perfmon_session *s)
{
	perfmon_lose_kept(s);
	if (s->gap != PERFMON_GAP_NONE)
		perfmon_gap_end(s, perfmon_clock(s));
}

/**
 * perfmon_gap_masked - begin the gap of a masked session, unless its thread waits
 * @s: session; also called if it is not masked or not started
 *
 * A thread that is about to wait for the restart executes nothing that could be missed.
 */
void perfmon_gap_masked(struct perfmon_session *s)
{
	if (s->started && s->state == PERFMON_MASKED && !s->blocked &&
	    s->gap == PERFMON_GAP_NONE)
		perfmon_gap_begin(s, PERFMON_GAP_BLIND, perfmon_clock(s));
}

/**
 * perfmon_loss_get - report what the session has missed so far
 * @s: session, in any state
 * @loss: set_reserved3 of a pfarg_setinfo, zeroed
 *
 * Context: on the target.
 */
void perfmon_loss_get(const struct perfmon_session *s, u64 *loss)
{
	loss[PFM_LOSS_LEFT] = s->loss.left;
	loss[PFM_LOSS_BLIND_NS] = s->loss.gap_ns[PERFMON_GAP_BLIND];
	loss[PFM_LOSS_THROTTLED_NS] = s->loss.gap_ns[PERFMON_GAP_THROTTLED];
	loss[PFM_LOSS_OVERFLOWS] = s->loss.overflows;
	if (s->gap == PERFMON_GAP_NONE || s->gap == PERFMON_GAP_WAITING)
		return;
	loss[s->gap == PERFMON_GAP_BLIND ? PFM_LOSS_BLIND_NS :
					   PFM_LOSS_THROTTLED_NS] +=
		perfmon_clock(s) - s->gap_clock;
}
