/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The overflow interrupt, and sessions that cause too many interrupts.
 */
#ifndef _KERNEL_PERFMON_OVFL_H
#define _KERNEL_PERFMON_OVFL_H

#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/types.h>

#include "session.h"

void perfmon_interrupt(unsigned long ip);

/* throttle.c */
bool perfmon_storms_step(struct perfmon_session *s);
void perfmon_storms_add(struct perfmon_session *s, unsigned int records);

/* Overflow interrupts per step: the budgets are checked once per step. */
#define PERFMON_STORM_STEP	16

/*
 * Count an overflow interrupt.  A step continues in the next jiffy; otherwise a
 * user could stay below one step per jiffy in each of many sessions.
 *
 * Return: true if the session, or its user, is over the budget.
 */
static __always_inline bool perfmon_storms(struct perfmon_session *s)
{
	s->storm_step += U8_MAX / PERFMON_STORM_STEP + 1;
	return unlikely(!s->storm_step) && perfmon_storms_step(s);
}

void perfmon_throttle(struct perfmon_session *s);
bool perfmon_throttle_over(const struct perfmon_session *s);

#endif /* _KERNEL_PERFMON_OVFL_H */
