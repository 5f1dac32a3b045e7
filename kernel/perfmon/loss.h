/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Losses: the time and overflows that a session has missed since its creation, for
 * PFM_GIFL_LOSS; see loss.c.
 */
#ifndef _KERNEL_PERFMON_LOSS_H
#define _KERNEL_PERFMON_LOSS_H

#include <linux/types.h>

struct perfmon_session;

/* The reason why a started session does not count; index of perfmon_loss.gap_ns. */
enum perfmon_gap {
	PERFMON_GAP_NONE,
	PERFMON_GAP_BLIND,	/* masked: waits for a restart */
	PERFMON_GAP_THROTTLED, /* caused too many interrupts */
	PERFMON_GAP_WAITING, /* a sample waits for room (family/room.c): no loss */
	PERFMON_NR_GAPS,
};

/**
 * struct perfmon_loss - what a session has missed since its creation
 * @gap_ns: total length of ended gaps, by reason
 * @overflows: overflows for which the requested message or sample was not made
 * @left: how often it was detached because its target executed a program with more
 *	rights; protected by perfmon_session.lock
 */
struct perfmon_loss {
	u64 gap_ns[PERFMON_NR_GAPS];
	u64 overflows;
	u64 left;
};

void perfmon_gap_begin(struct perfmon_session *s, enum perfmon_gap gap,
		       u64 now);
void perfmon_gap_end(struct perfmon_session *s, u64 now);
void perfmon_gap_stopped(struct perfmon_session *s);
void perfmon_gap_leave(struct perfmon_session *s);
void perfmon_gap_masked(struct perfmon_session *s);
void perfmon_lose(struct perfmon_session *s, unsigned int overflows);
void perfmon_lose_kept(struct perfmon_session *s);
void perfmon_loss_get(const struct perfmon_session *s, u64 *loss);

#endif /* _KERNEL_PERFMON_LOSS_H */
