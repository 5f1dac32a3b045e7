/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Permissions, and exclusion between sessions.
 */
#ifndef _KERNEL_PERFMON_ACCESS_H
#define _KERNEL_PERFMON_ACCESS_H

#include <linux/perfmon_pmu.h>
#include <linux/types.h>

#include "session.h"

extern int perfmon_sys_group;
extern int perfmon_task_group;

int perfmon_may_create(u32 flags);
int perfmon_may_count_kernel(u32 flags);
int perfmon_task_session_get(void);
void perfmon_task_session_put(void);
int perfmon_sys_session_get(int cpu, struct perfmon_session *s);
void perfmon_sys_session_put(const struct perfmon_session *s);
void perfmon_evictor_get(void);
void perfmon_evictor_put(void);
void perfmon_evictor_wait(void);
int perfmon_reader_get(void);
void perfmon_reader_put(void);
unsigned int perfmon_task_sessions(void);
unsigned int perfmon_sys_sessions(void);

/* May a session with @flags (PFM_FL_*) use the register? */
static inline bool perfmon_reg_usable(u32 flags, const struct perfmon_reg *reg)
{
	return reg->type & (flags & PFM_FL_SYSTEM_WIDE ? PERFMON_REG_SYS :
							 PERFMON_REG_THR);
}

/*
 * Like perfmon_reg_usable(), for a session that may be attached: a CPU lacks
 * the registers of other kinds of core.  Context: the session is locked.
 */
static inline bool perfmon_reg_available(const struct perfmon_session *s,
					 const struct perfmon_reg *reg)
{
	return perfmon_reg_usable(s->flags, reg) &&
	       (likely(!reg->kinds) || s->cpu < 0 ||
		reg->kinds & perfmon_arch_cpu_kinds(s->cpu));
}

#endif /* _KERNEL_PERFMON_ACCESS_H */
