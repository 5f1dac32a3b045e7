/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Effects of a notification on the monitored thread: it waits (block.c), or gets
 * a signal (siginfo.c).
 */
#ifndef _KERNEL_PERFMON_NOTIFY_H
#define _KERNEL_PERFMON_NOTIFY_H

#include <linux/types.h>

struct perfmon_session;

void perfmon_siginfo_init(struct perfmon_session *s);
void perfmon_siginfo_send(struct perfmon_session *s, u32 pmds);

void perfmon_block_init(struct perfmon_session *s);
void perfmon_block_target(struct perfmon_session *s);
void perfmon_unblock(struct perfmon_session *s);

#endif /* _KERNEL_PERFMON_NOTIFY_H */
