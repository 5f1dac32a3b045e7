/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Notifications (tell.c), and their effects on the monitored thread: it waits
 * (block.c), or is signalled (siginfo.c).
 */
#ifndef _KERNEL_PERFMON_NOTIFY_H
#define _KERNEL_PERFMON_NOTIFY_H

#include <linux/types.h>

struct perfmon_session;
struct perfmon_set;
struct pfarg_ovfl_msg;

bool perfmon_wants_notification(const struct perfmon_set *set);
bool perfmon_notify(struct perfmon_session *s, const struct perfmon_set *set,
		    u64 ip, struct pfarg_ovfl_msg *msg);
void perfmon_tell(struct perfmon_session *s, const struct pfarg_ovfl_msg *msg);

void perfmon_siginfo_init(struct perfmon_session *s);
void perfmon_siginfo_send(struct perfmon_session *s, u32 pmds);

void perfmon_block_init(struct perfmon_session *s);
void perfmon_block_target(struct perfmon_session *s);
bool perfmon_block_signalled(void);
void perfmon_unblock(struct perfmon_session *s);

#endif /* _KERNEL_PERFMON_NOTIFY_H */
