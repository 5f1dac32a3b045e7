/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rates: how many samples of a PMD there may be in a second, with a period that doubles
 * while there are more.
 */
#ifndef _KERNEL_PERFMON_RATE_H
#define _KERNEL_PERFMON_RATE_H

#include <linux/atomic.h>
#include <linux/spinlock.h>
#include <linux/types.h>

struct perfmon_pmd_attr;
struct perfmon_session;

/* A rate has at most this many samples in a second: reg_smpl_rate. */
#define PERFMON_RATE_MAX	1000000

/**
 * struct perfmon_rate - a rate, shared by the members of a family
 * @most: samples in a second of time of its sessions; 0: the period stays as it is
 * @doubled: how often the period has doubled; written with @lock, read without
 * @lock: of the look at the rate, one at a time
 * @samples: overflows so far
 * @looked_samples: of them, before the last look
 * @looked_ns: time of the sessions at the last look
 * @kept: samples as if all were of the period of now
 */
struct perfmon_rate {
	u32 most;
	u16 doubled;
	raw_spinlock_t lock;
	atomic64_t samples;
	u64 looked_samples;
	u64 looked_ns;
	u64 kept;
};

void perfmon_rate_init(struct perfmon_rate *rate, u32 most);
void perfmon_rate_sampled(struct perfmon_session *s,
			  struct perfmon_pmd_attr *attr);

#endif /* _KERNEL_PERFMON_RATE_H */
