/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The host: all services that the session core needs from the scheduler, ptrace and
 * task_struct.
 *
 * This is the host for a core that is loaded as a module.  A table has the session of
 * each thread.  Tracepoints and a timer are the hooks while sessions exist.  A word of
 * the session can keep its thread from being switched in.  host_module.c has the hooks,
 * host_table.c the table and the hook of the switch, host_access.c the permissions,
 * host_settings.c the settings that the kernel only shows in files.
 */
#ifndef _KERNEL_PERFMON_HOST_H
#define _KERNEL_PERFMON_HOST_H

#include <linux/anon_inodes.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/hash.h>
#include <linux/kobject.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/perfmon_hooks.h>
#include <linux/perfmon_module.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/types.h>

#include "file.h"
#include "page/page.h"
#include "session.h"

/* A function that perfmon_on_target() calls where the session may be changed. */
typedef void (*perfmon_target_fn)(struct perfmon_session *s, void *arg);

/* The argument by which a call names its session: the file of the ioctl. */
#define perfmon_fd	struct file *

static __always_inline struct fd perfmon_host_fdget(perfmon_fd fd)
{
	return BORROWED_FD(fd);
}

/* The session of the thread on this CPU, set at its switch in. */
DECLARE_PER_CPU(struct perfmon_session *, perfmon_here);

/* The session of the running thread, or NULL.  Context: interrupts off. */
static __always_inline struct perfmon_session *perfmon_host_here(void)
{
	return __this_cpu_read(perfmon_here);
}

/*
 * Is @s the session of the running thread?  In the hooks of the context switch: of the
 * thread that is switched out or in.
 *
 * Context: interrupts off.
 */
static __always_inline bool
perfmon_host_is_here(const struct perfmon_session *s)
{
	return __this_cpu_read(perfmon_here) == s;
}

/*
 * The thread of a session on this CPU: the running one, or the one that is being switched
 * in.
 */
static __always_inline const struct task_struct *
perfmon_host_thread(const struct perfmon_session *s)
{
	return s->host.task;
}

/* The session of a thread that is being switched out or in. */
static __always_inline struct perfmon_session *
perfmon_host_switched(const struct task_struct *task)
{
	return perfmon_host_here();
}

/* The switch reads the table under RCU, without references. */
#define PERFMON_HOST_LOOKS_UP	true

/* SIGKILL wakes a thread from its ptrace stop despite perfmon_host_hold(). */
#define PERFMON_HOST_FREEZES	false

/*
 * An object with @size bytes from @from on that are zero; NULL: no memory.  Kernels of
 * distributions clear all memory that is allocated: once is enough.
 */
static __always_inline void *perfmon_host_alloc(struct kmem_cache *cache,
						gfp_t gfp, size_t from,
						size_t size)
{
	void *object;

	if (want_init_on_alloc(gfp))
		return kmem_cache_alloc(cache, gfp | __GFP_ZERO);
	object = kmem_cache_alloc(cache, gfp);
	if (object)
		memset(object + from, 0, size);
	return object;
}

void perfmon_host_session_init(struct perfmon_session *s);
void perfmon_host_session_exit(struct perfmon_session *s);
void perfmon_host_free_rcu(struct perfmon_session *s);
void perfmon_host_family_init(struct perfmon_session *root);

bool perfmon_host_linked(struct task_struct *task);
int perfmon_host_link(struct perfmon_session *s);
void perfmon_host_unlink(struct perfmon_session *s);
bool perfmon_host_run_off_cpu(struct perfmon_session *s, perfmon_target_fn fn,
			      void *arg);

int perfmon_host_hold(struct task_struct *task);
bool perfmon_host_may_access(struct task_struct *task);
bool perfmon_host_may_steer(struct task_struct *task);

/* May the caller look at the counts of the thread? */
static inline bool perfmon_host_may_look(struct task_struct *task)
{
	return perfmon_host_may_access(task) && perfmon_host_may_steer(task);
}

struct task_struct *perfmon_host_find_task(int number);
struct task_struct *perfmon_host_pidfd_task(int number);

static inline void perfmon_host_release(struct task_struct *task)
{
}

/*
 * CPU time of the target in ns, including interrupts and stolen time.
 *
 * Context: on the target, interrupts off; or the target is kept from running.
 */
static inline u64 perfmon_host_thread_clock(const struct perfmon_session *s)
{
	u64 sum = s->host.clock_sum;

	return perfmon_host_is_here(s) ? sum + sched_clock() - s->host.clock_in :
					 sum;
}

/* The same in the switch to the thread. */
static inline u64 perfmon_host_switch_clock(void)
{
	return perfmon_host_here()->host.clock_sum;
}

/* The same in the switch from it; clock_sum is still as of its last switch in. */
static inline u64
perfmon_host_switch_out_clock(const struct perfmon_session *s)
{
	return perfmon_host_thread_clock(s);
}

/* The clock of the time stamps of samples.  Context: interrupts off. */
static inline u64 perfmon_host_sample_clock(void)
{
	return local_clock();
}

/* Are the tracepoints and the timers active? */
bool perfmon_host_hooks(void);
int perfmon_host_hooks_enable(void);
void perfmon_host_hooks_disable(void);
bool perfmon_host_lingers(void);
int perfmon_host_init(void);
void perfmon_host_exit(void);

/* family/birth.c, called for sessions and by the hooks. */
void perfmon_birth_init(struct perfmon_session *s);
void perfmon_birth_supply(struct perfmon_session *s);
void perfmon_birth_exit(struct perfmon_session *s);
void perfmon_host_probe_clone(void *data, struct task_struct *child,
			      unsigned long clone_flags);

/* host_table.c, called for sessions and by the hooks. */
void perfmon_host_probe_switch(void *data, bool preempt,
			       struct task_struct *prev,
			       struct task_struct *next,
			       unsigned int prev_state);
struct perfmon_session *perfmon_host_get(struct task_struct *task);
void perfmon_host_reader_unloaded(void);
void perfmon_host_table_init(void);
void perfmon_host_table_exit(void);

/* page/reader.c: programs that may execute RDPMC, for the state pages. */
bool perfmon_host_reader_begin(struct mm_struct *mm);
void perfmon_host_reader_end(struct mm_struct *mm);

/*
 * A session is resumed without a usable page; its program may execute RDPMC all the same,
 * so the counters are isolated.
 */
static inline void perfmon_host_refused_read(const struct perfmon_session *s)
{
	if (s->target && perfctr_host_may_read(perfmon_host_thread(s)))
		perfmon_reader_isolate();
}

/* Isolate the counters again for a running thread without a usable page. */
static inline void perfmon_host_recheck_reader(const struct perfmon_session *s)
{
	if (perfctr_host_may_read(current) &&
	    !(s && s->page && s->page->reads))
		perfmon_reader_isolate_here();
}

#define PERFMON_HOST_BITS	10

extern struct hlist_head perfmon_host_table[1 << PERFMON_HOST_BITS];

static __always_inline struct hlist_head *
perfmon_host_bucket(const struct task_struct *task)
{
	/* Using only its lower half saves one instruction in each context switch. */
	u32 low = (u32)(unsigned long)task;

	return &perfmon_host_table[hash_32(low, PERFMON_HOST_BITS)];
}

/* File operations that make calls on a session, see calls.c. */
#define PERFMON_HOST_FILE_CALLS .unlocked_ioctl = perfmon_file_ioctl, \
				.compat_ioctl = compat_ptr_ioctl,

long perfmon_file_ioctl(struct file *file, unsigned int cmd, unsigned long arg);

/* The file of a session holds the module through its operations. */
static inline struct file *
perfmon_host_getfile(const struct file_operations *fops, void *priv, int flags)
{
	return anon_inode_getfile(PERFMON_FILE_NAME, fops, priv, flags);
}

/* How programs call perfmon, an attribute in sysfs. */
extern struct kobj_attribute perfmon_host_attr;

#endif /* _KERNEL_PERFMON_HOST_H */
