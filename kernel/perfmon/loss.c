// SPDX-License-Identifier: GPL-2.0-only
/*
 * The losses of a session, for PFM_GIFL_LOSS: gaps, in which it was started and
 * did not count, and overflows without a notification.
 *
 * A session is in one gap at a time.  Its length is taken from the clock of the
 * durations (perfmon_clock()), so the gaps and durations of a session that is
 * never stopped make up the time of its target.  Everything here is hot: see
 * session.h.
 */
#include <linux/perfmon_pmu.h>

#include "loss.h"
#include "session.h"
#include "target.h"

/**
 * perfmon_gap_begin - a started session does not count from now on
 * @s: session that is in no gap
 * @gap: why
 * @now: perfmon_clock()
 */
void perfmon_gap_begin(struct perfmon_session *s, enum perfmon_gap gap, u64 now)
{
	s->gap = gap;
	s->gap_clock = now;
}

/**
 * perfmon_gap_end - the session counts again, or its user has stopped it
 * @s: session that is in a gap
 * @now: perfmon_clock()
 */
void perfmon_gap_end(struct perfmon_session *s, u64 now)
{
	s->loss.gap_ns[s->gap] += now - s->gap_clock;
	s->gap = PERFMON_GAP_NONE;
}

/**
 * perfmon_gap_masked - a masked session misses what its target does now
 * @s: session, also one that is not masked or not started
 *
 * A thread that is on its way into a wait for the restart does nothing that
 * could be missed.
 */
void perfmon_gap_masked(struct perfmon_session *s)
{
	if (s->started && s->state == PERFMON_MASKED && !s->blocked &&
	    s->gap == PERFMON_GAP_NONE)
		perfmon_gap_begin(s, PERFMON_GAP_BLIND, perfmon_clock(s));
}

/**
 * perfmon_loss_get - what the session has missed so far
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
	if (s->gap == PERFMON_GAP_NONE)
		return;
	loss[s->gap == PERFMON_GAP_BLIND ? PFM_LOSS_BLIND_NS :
					   PFM_LOSS_THROTTLED_NS] +=
		perfmon_clock(s) - s->gap_clock;
}
