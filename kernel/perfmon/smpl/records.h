/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records that the hardware makes by itself, see records.c.
 */
#ifndef _KERNEL_PERFMON_RECORDS_H
#define _KERNEL_PERFMON_RECORDS_H

#include <linux/types.h>

struct perfmon_moment;
struct perfmon_session;
struct perfmon_set;

/**
 * struct perfmon_drained - what draining the records of a set has done
 * @pmds: positions of their PMDs
 * @ctrl: controls of the format, together
 * @stop: it has had enough
 */
struct perfmon_drained {
	unsigned long pmds;
	u32 ctrl;
	bool stop;
};

struct perfmon_drained perfmon_drain(struct perfmon_session *s,
				     struct perfmon_set *set,
				     const struct perfmon_moment *when);
u32 perfmon_records_room(const struct perfmon_session *s);

#endif /* _KERNEL_PERFMON_RECORDS_H */
