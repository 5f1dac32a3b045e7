/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The message queue of a session, which read(), poll() and SIGIO serve.
 */
#ifndef _KERNEL_PERFMON_MSGQ_H
#define _KERNEL_PERFMON_MSGQ_H

#include <linux/irq_work.h>
#include <linux/perfmon_pmu.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

struct fasync_struct;

#define PERFMON_MSGQ_DEPTH	8

/**
 * struct perfmon_msgq - messages to the holders of the descriptor
 * @lock: protects the rest; interrupt-safe
 * @head: next to be read
 * @count: overflow messages in @ring
 * @end: an END message follows the others; it has no entry in @ring, so that it
 *	can always be queued
 * @wait: sleepers in read and poll
 * @fasync: receivers of SIGIO
 * @work: wakes them, outside of the overflow interrupt
 * @rt_work: the same on PREEMPT_RT
 * @told: @work has been queued before, so it may still be returning on some CPU
 * @ring: overflow messages
 */
struct perfmon_msgq {
	raw_spinlock_t lock;	/* see above */
	unsigned int head;
	unsigned int count;
	bool end;
	wait_queue_head_t wait;
	struct fasync_struct *fasync;
	struct irq_work work;
	struct work_struct rt_work;
	bool told;
	struct pfarg_ovfl_msg ring[PERFMON_MSGQ_DEPTH];
};

void perfmon_msgq_init(struct perfmon_msgq *q);
void perfmon_msgq_clear(struct perfmon_msgq *q);
void perfmon_msgq_end(struct perfmon_msgq *q);
void perfmon_msgq_add(struct perfmon_msgq *q, const struct pfarg_ovfl_msg *msg,
		      bool silent);
bool perfmon_msgq_full(const struct perfmon_msgq *q);
bool perfmon_msgq_empty(struct perfmon_msgq *q);
bool perfmon_msgq_take(struct perfmon_msgq *q, union pfarg_msg *msg);

#endif /* _KERNEL_PERFMON_MSGQ_H */
