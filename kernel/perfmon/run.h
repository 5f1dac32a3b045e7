/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Starting, pausing and switching the sets of a session, on the target.
 */
#ifndef _KERNEL_PERFMON_RUN_H
#define _KERNEL_PERFMON_RUN_H

#include <linux/hrtimer_types.h>
#include <linux/types.h>

#include "session.h"

void perfmon_live_stop(struct perfmon_session *s);
void perfmon_live_start(struct perfmon_session *s);
void perfmon_start(struct perfmon_session *s);
void perfmon_pause(struct perfmon_session *s);
void perfmon_unpause(struct perfmon_session *s);
void perfmon_unpause_switched_in(struct perfmon_session *s);
u64 perfmon_slice_end(struct perfmon_session *s);
void perfmon_timer_pause(struct perfmon_session *s);
void perfmon_timer_start(struct perfmon_session *s);
u64 perfmon_timer_left(const struct perfmon_session *s);
enum hrtimer_restart perfmon_timer_expired(struct hrtimer *timer);
void perfmon_activate_set(struct perfmon_session *s, struct perfmon_set *set);
void perfmon_switch_set(struct perfmon_session *s, bool long_reset);
void perfmon_reload(struct perfmon_session *s);

#endif /* _KERNEL_PERFMON_RUN_H */
