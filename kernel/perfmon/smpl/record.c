// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples: the rare parts, see record.h.
 */
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>

#include "record.h"

void __perfmon_meet_task(struct perfmon_session *s, struct task_struct *task)
{
	s->seen_task = task;
	s->seen_start = task->start_time;
	s->seen_tid = task_pid_nr_ns(task, s->ns);
	s->seen_tgid = task_tgid_nr_ns(task, s->ns);
}

/* Call the format's handler and measure that, with `debug' set. */
int __perfmon_time_handler(const struct perfmon_session *s,
			   const struct pfm_ovfl_arg *arg, u32 *ctrl)
{
	u64 since = local_clock();
	int stop = s->fmt->handler(s->buf_addr, arg, ctrl);

	perfmon_debug_count(PERFMON_STAT_FMT_CALLS, PERFMON_STAT_FMT_NS, since);
	return stop;
}
