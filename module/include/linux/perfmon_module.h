/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Functions that the module's parts of the two cores call in each other, and
 * the initcalls of the parts under the names that compat.h gives them.
 */
#ifndef _LINUX_PERFMON_MODULE_H
#define _LINUX_PERFMON_MODULE_H

#include <linux/atomic.h>
#include <linux/mm_types.h>
#include <linux/sched.h>
#include <linux/types.h>

/* kernel/perfmon/: init.c, hotplug.c and the formats of smpl/. */
int perfmon_option(char *words);
int perfmon_initcall_dfl_register(void);
int perfmon_initcall_stacks_register(void);
int perfmon_initcall_precise_register(void);
int perfmon_initcall_perfmon_init(void);
int perfmon_initcall_perfmon_register_syscore(void);

/* kernel/perfmon/host_settings.c */
void perfmon_host_settings_init(void);
void perfmon_host_settings_exit(void);
int perfmon_host_paranoid(void);
int perfmon_host_sysctl(const char *path, int missing);
struct task_struct *perfmon_host_first_program(void);

/* arch/x86/perfmon/interrupt/vector_module.c */
int perfctr_vector_init(void);
void perfctr_vector_exit(void);
u32 perfctr_vector_here(void);
void perfctr_vector_send_self(u32 vector);

/* arch/x86/perfmon/owner_module.c */
bool perfctr_owner_excludes(void);
void perfctr_host_forbid_mm(struct mm_struct *mm);
void perfctr_host_forbid_here(void);
void perfctr_host_forbid_rest(void);
void perfctr_host_load_mm(unsigned int cpu, struct mm_struct *mm);

/* kernel/perfmon/page/reader.c */
bool perfmon_reader_known(const struct mm_struct *mm);
void perfmon_reader_zero(void);
void perfmon_reader_isolate(void);
void perfmon_reader_isolate_here(void);

/* arch/x86/perfmon/reader_module.c */
void perfctr_reader_gain(void);
void perfctr_reader_lose(struct mm_struct *mm);

/* May the thread's program execute RDPMC? */
static __always_inline bool
perfctr_host_may_read(const struct task_struct *task)
{
	struct mm_struct *mm = task->mm;

	return mm && atomic_read(&mm->context.perf_rdpmc_allowed);
}

#endif /* _LINUX_PERFMON_MODULE_H */
