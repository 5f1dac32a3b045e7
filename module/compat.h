/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Differences between the kernels that the module is built for, and between a module and
 * a built-in perfmon.  Kbuild includes this file before all others; it is the only file
 * with conditions.  The script features defines HAVE_X.
 *
 * Built with kernels 6.1, 6.12, 7.2 and 7.3 of Debian 12 and 13.  MM_FLAGS_WORD, for
 * kernels between these, has never been built.
 */
#ifndef _PERFMON_COMPAT_H
#define _PERFMON_COMPAT_H

#include <linux/file.h>
#include <linux/fs.h>
#include <linux/hrtimer.h>
#include <linux/init.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/sched/coredump.h>
#include <linux/security.h>
#include <linux/string.h>
#include <linux/syscalls.h>
#include <linux/syscore_ops.h>
#include <linux/vmalloc.h>

#include <linux/perfmon_module.h>

#include <asm/apic.h>
#include <asm/msr.h>
#include <asm/tlbflush.h>
#include <asm/topology.h>

/* Each file defines it itself. */
#undef pr_fmt

/*
 * Use the instruction, where a kernel with support for Xen PV guests has a call, and other
 * kernels have a tracepoint, which keeps the upper half.
 */
#undef rdpmcl
#define rdpmcl(counter, value)	((value) = perfmon_compat_rdpmc(counter))

static __always_inline u64 perfmon_compat_rdpmc(u32 counter)
{
	u32 low, high;

	asm volatile("rdpmc" : "=a" (low), "=d" (high) : "c" (counter));
	return (u64)high << 32 | low;
}

/*
 * main.c starts the parts of perfmon in order and stops them in reverse order, so no
 * function is discarded after the start.  The system calls are functions that calls.c
 * calls.
 */
#undef __init
#undef __initdata
#undef __initconst
#define __init
#define __initdata
#define __initconst

#undef subsys_initcall
#undef late_initcall
#define subsys_initcall(fn)	int perfmon_initcall_##fn(void); \
	int perfmon_initcall_##fn(void) { return fn(); }
#define late_initcall(fn)	subsys_initcall(fn)

#undef early_param
#define early_param(name, fn)	int perfmon_option(char *words); \
	int perfmon_option(char *words) { return fn(words); }

/* All but the first call get the session's file. */
#define PERFMON_FIRST_pfm_create_session	int
#define PERFMON_FIRST_pfm_write_pmrs		struct file *
#define PERFMON_FIRST_pfm_read_pmrs		struct file *
#define PERFMON_FIRST_pfm_attach_session	struct file *
#define PERFMON_FIRST_pfm_start_session		struct file *
#define PERFMON_FIRST_pfm_stop_session		struct file *
#define PERFMON_FIRST_pfm_create_sets		struct file *
#define PERFMON_FIRST_pfm_getinfo_sets		struct file *

#define PERFMON_CALL(name, ...)	long perfmon_##name(__VA_ARGS__); \
	long perfmon_##name(__VA_ARGS__)

#undef SYSCALL_DEFINE2
#undef SYSCALL_DEFINE3
#undef SYSCALL_DEFINE4
#undef SYSCALL_DEFINE5
#define SYSCALL_DEFINE2(name, t1, a1, t2, a2) \
	PERFMON_CALL(name, PERFMON_FIRST_##name a1, t2 a2)
#define SYSCALL_DEFINE3(name, t1, a1, t2, a2, t3, a3) \
	PERFMON_CALL(name, PERFMON_FIRST_##name a1, t2 a2, t3 a3)
#define SYSCALL_DEFINE4(name, t1, a1, t2, a2, t3, a3, t4, a4) \
	PERFMON_CALL(name, PERFMON_FIRST_##name a1, t2 a2, t3 a3, t4 a4)
#define SYSCALL_DEFINE5(name, t1, a1, t2, a2, t3, a3, t4, a4, t5, a5) \
	PERFMON_CALL(name, PERFMON_FIRST_##name a1, t2 a2, t3 a3, t4 a4, t5 a5)

/*
 * Symbols that no kernel exports.  perf_event's paranoia level is read from its file.
 * Security modules are asked only if the kernel exports perf_event's own checks and these
 * ask nothing else, as is the case for callers who may count everything.
 */
#define sysctl_perf_event_paranoid	((const int){ perfmon_host_paranoid() })
#define security_perf_event_open(type)	perfmon_compat_security(type)

static inline int perfmon_compat_security(int type)
{
#ifdef HAVE_PERF_ALLOW_KERNEL
	if (type == PERF_SECURITY_KERNEL && perfmon_capable())
		return perf_allow_kernel();
#endif
#ifdef HAVE_PERF_ALLOW_CPU
	if (type == PERF_SECURITY_CPU && perfmon_capable())
		return perf_allow_cpu();
#endif
	return 0;
}

/* The caller always asks about itself, and does not use the capability. */
#ifndef HAVE_CAPABILITY_NOAUDIT
#define has_capability_noaudit(task, cap) \
	((void)(task), perfmon_compat_has_capability(cap))

static inline bool perfmon_compat_has_capability(int cap)
{
	unsigned int used = current->flags & PF_SUPERPRIV;
	bool has = ns_capable_noaudit(&init_user_ns, cap);

	current->flags = (current->flags & ~PF_SUPERPRIV) | used;
	return has;
}
#endif

/* If only KVM may write CR4, owner_module.c and reader_module.c load a mm instead. */
#ifdef HAVE_CR4_UPDATE
#define PERFMON_WRITES_CR4	true
#else
#define PERFMON_WRITES_CR4	false
#define cr4_set_bits_irqsoff(mask)	((void)(mask))
#define cr4_clear_bits_irqsoff(mask)	((void)(mask))
#endif

/* vmalloc_user() would log a failure for a size that can never succeed: check first. */
static inline void *perfmon_compat_vmalloc(unsigned long size)
{
	return size >> PAGE_SHIFT < totalram_pages() ? vmalloc_user(size) : NULL;
}

#undef __vmalloc_node_range
#define __vmalloc_node_range(size, align, start, end, gfp, ...) \
	((void)(gfp), perfmon_compat_vmalloc(size))

#ifdef HAVE_EXEC_STATE
#include <linux/sched/exec_state.h>
#endif

#ifdef HAVE_MM_FLAGS_WORD
#define perfmon_mm_flags(mm)	__mm_flags_get_word(mm)
#else
#define perfmon_mm_flags(mm)	READ_ONCE((mm)->flags)
#endif

/* Each CPU has its own vector of the overflow interrupt. */
#undef LOCAL_PERFCTR_VECTOR
#define LOCAL_PERFCTR_VECTOR		perfctr_vector_here()

#define __apic_send_IPI_self(vector)	perfctr_vector_send_self(vector)
#define apic_read(reg)			(apic->read(reg))
#define apic_write(reg, value)		(apic->write(reg, value))
#define lapic_get_maxlvt()		GET_APIC_MAXLVT(apic->read(APIC_LVR))

/* The mask of primary threads is not exported; the mask of siblings is. */
#undef topology_is_primary_thread
#define topology_is_primary_thread(cpu) \
	(cpumask_first(topology_sibling_cpumask(cpu)) == (cpu))

/*
 * The namespace in which CAP_SYS_PTRACE is needed to trace a thread whose program may not
 * be dumped; NULL if it may be dumped.
 *
 * Context: task_lock(), or the thread itself.
 */
static inline struct user_namespace *
perfmon_compat_undumpable(struct task_struct *task)
{
#ifdef HAVE_EXEC_STATE
	struct task_exec_state *state =
		rcu_dereference_protected(task->exec_state, true);

	if (READ_ONCE(state->dumpable) == TASK_DUMPABLE_OWNER)
		return NULL;
	return state->user_ns;
#else
	struct mm_struct *mm = task->mm;

	if (!mm || (perfmon_mm_flags(mm) & MMF_DUMPABLE_MASK) == SUID_DUMP_USER)
		return NULL;
	return mm->user_ns;
#endif
}

#ifndef HAVE_SYSCORE
struct perfmon_syscore_ops {
	int (*suspend)(void *data);
	void (*resume)(void *data);
};

struct syscore {
	struct list_head node;
	const struct perfmon_syscore_ops *ops;
	void *data;
};

void register_syscore(struct syscore *syscore);
void unregister_syscore(struct syscore *syscore);

#define syscore_ops	perfmon_syscore_ops
#endif

#ifndef HAVE_FD_FILE
#define fd_file(f)	((f).file)
#define fd_empty(f)	(!(f).file)
#define BORROWED_FD(f)	((struct fd){ .file = (f) })
#endif

#ifndef HAVE_FILE_F_OWNER
#define file_f_owner(f)	(&(f)->f_owner)
#endif

#ifndef HAVE_VM_FLAGS_MOD
static inline void vm_flags_mod(struct vm_area_struct *vma,
				unsigned long set, unsigned long clear)
{
	vma->vm_flags = (vma->vm_flags | set) & ~clear;
}
#endif

#ifndef HAVE_STRSCPY_TWO
#define perfmon_first(first, ...)	first
#define strscpy(to, from, ...) (strscpy)(to, from, \
	perfmon_first(__VA_ARGS__ __VA_OPT__(,) sizeof(to)))
#endif

#ifndef PF_USER_WORKER
#define PF_USER_WORKER	PF_IO_WORKER
#endif

/* Without this flag only KASAN can allocate there, and stock kernels have no KASAN. */
#ifndef HAVE_TWAF_NO_ALLOC
#define TWAF_NO_ALLOC	0
#endif

#ifndef HAVE_THREADS_PER_CORE
#define __max_threads_per_core	smp_num_siblings
#endif

#ifdef HAVE_EXIT_GROUP_DEAD
#define PERFMON_EXIT_PROBE(fn)	void fn(void *data, struct task_struct *task, \
					bool group_dead)
#else
#define PERFMON_EXIT_PROBE(fn)	void fn(void *data, struct task_struct *task)
#endif

#ifndef HAVE_HRTIMER_SETUP
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*function)(struct hrtimer *),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = function;
}
#endif

#ifdef HAVE_RDMSRQ
#define rdmsrl		rdmsrq
#define wrmsrl		wrmsrq
#define rdmsrl_safe	rdmsrq_safe
#define wrmsrl_safe	wrmsrq_safe
#endif

#endif /* _PERFMON_COMPAT_H */
