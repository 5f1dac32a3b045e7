/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The session core: its objects and what its files offer each other.
 *
 * Locks:
 * - pfm_session.lock (mutex) serialises all system calls on a session and
 *   protects everything in it that has no other comment.
 * - pfm_session.counting and the counters of that set are used by the context
 *   switch and the tick without a lock.  They are changed only where those
 *   cannot run: by the target itself with interrupts off, or by another thread
 *   while the target is held off its CPU (target.c).
 * - task_struct.pfm_session follows the same rule and holds a reference.
 */
#ifndef _KERNEL_PERFMON_H
#define _KERNEL_PERFMON_H

#include <linux/bitmap.h>
#include <linux/file.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/perfmon_pmu.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/types.h>
#include <linux/wait.h>

/* Values are those of the interface description; 4 names no session. */
enum pfm_state {
	PFM_UNLOADED = 1,
	PFM_LOADED = 2,
	PFM_MASKED = 3,
};

/*
 * struct pfm_pmd_attr - sampling attributes of a PMD, most PMDs have none
 *
 * Kept as user space sees them; reg_reserved is always 0 and reg_last_value
 * is unused (pfm_pmd.last has it).
 */
struct pfm_pmd_attr {
	struct pfarg_pmd_attr user;
	u64 swcnt_left;
};

/**
 * struct pfm_pmd - software part of a data register
 * @value: 64-bit value while the PMD does not count (see pfm_pmd_value())
 * @last: value that was loaded last, by a write or a reset
 * @flags: PFM_REGFL_*
 * @attr: NULL until it is written with attributes
 */
struct pfm_pmd {
	u64 value;
	u64 last;
	u32 flags;
	struct pfm_pmd_attr *attr;
};

/**
 * struct pfm_set - an event set: a private copy of all registers
 * @arch: counters and control of the PMDs that count
 * @node: in pfm_session.sets, ascending @id
 * @id: chosen by the user; set 0 always exists
 * @flags: PFM_SETFL_*
 * @timeout: ns, for time switching
 * @runs: number of activations
 * @duration: ns of target CPU time during which the set counted, up to the
 *	last stop
 * @dirty: @arch does not correspond to the registers any more
 * @used_pmcs: PMCs that were written
 * @used_pmds: PMDs that were written or named in a mask
 * @no64: PMCs with PFM_REGFL_NO_EMUL64
 * @pmcs: PMC values by position
 * @pmds: PMDs by position
 */
struct pfm_set {
	struct perfmon_arch_set arch;
	struct list_head node;
	u16 id;
	u32 flags;
	u64 timeout;
	u64 runs;
	u64 duration;
	bool dirty;
	DECLARE_BITMAP(used_pmcs, PERFMON_ARCH_MAX_PMCS);
	DECLARE_BITMAP(used_pmds, PERFMON_ARCH_MAX_PMDS);
	DECLARE_BITMAP(no64, PERFMON_ARCH_MAX_PMCS);
	u64 *pmcs;
	struct pfm_pmd pmds[];
};

#define PFM_MSGQ_DEPTH	8

/**
 * struct pfm_msgq - messages to the holders of the descriptor
 * @lock: protects the rest; interrupt-safe
 * @ring: overflow messages
 * @head: next to be read
 * @count: overflow messages in @ring
 * @end: an END message follows them; it has a place of its own so that it can
 *	always be queued
 * @wait: sleepers in read and poll
 * @fasync: receivers of SIGIO
 */
struct pfm_msgq {
	spinlock_t lock;	/* see above */
	struct pfarg_ovfl_msg ring[PFM_MSGQ_DEPTH];
	unsigned int head;
	unsigned int count;
	bool end;
	wait_queue_head_t wait;
	struct fasync_struct *fasync;
};

/**
 * struct pfm_session - a monitoring session, named by a file descriptor
 * @counting: the active set while the session is attached and started, else
 *	NULL: all that the context switch looks at
 * @lock: see the top of this file
 * @ref: one for the file, one for the attachment, one per passing user
 * @flags: PFM_FL_*
 * @state: enum pfm_state
 * @started: between start and stop
 * @self: was attached by its target
 * @owner_capable: creator may count everything
 * @active: set that is or will be on the hardware
 * @sets: all sets, ascending id
 * @target: monitored thread, with a reference; NULL unless attached
 * @started_at: ns of target CPU time at the last start
 * @msgq: messages
 */
struct pfm_session {
	struct pfm_set *counting;
	struct mutex lock;	/* see the top of this file */
	refcount_t ref;
	u32 flags;
	u8 state;
	bool started;
	bool self;
	bool owner_capable;
	struct pfm_set *active;
	struct list_head sets;
	struct task_struct *target;
	u64 started_at;
	struct pfm_msgq msgq;
};

/* init.c */
bool perfmon_usable(void);

/* file.c */
extern const struct file_operations perfmon_fops;
struct pfm_session *perfmon_file_session(struct file *file);
void perfmon_msgq_init(struct pfm_msgq *q);
void perfmon_msgq_clear(struct pfm_msgq *q);
void perfmon_msgq_end(struct pfm_msgq *q);

/* target.c: who calls about whom, and keeping the target still */
enum pfm_caller {
	PFM_CALLER_DETACHED,	/* nobody's counters are affected */
	PFM_CALLER_SELF,	/* the caller is the target */
	PFM_CALLER_TRACER,	/* the target is stopped and cannot wake */
};

int perfmon_caller_hold(struct pfm_session *s);
int perfmon_tracee_freeze(struct task_struct *task);
void perfmon_tracee_thaw(struct task_struct *task);
void perfmon_unlink_target(struct pfm_session *s);

/* session.c */
void perfmon_session_put(struct pfm_session *s);
void perfmon_session_close(struct pfm_session *s);
void perfmon_detach(struct pfm_session *s, bool end);
void perfmon_reload(struct pfm_session *s, enum pfm_caller caller);
u64 perfmon_counted_ns(const struct pfm_session *s);

/* sets.c */
struct pfm_set *perfmon_set_alloc(u16 id);
void perfmon_set_free(struct pfm_set *set);
struct pfm_set *perfmon_set_find(struct pfm_session *s, u16 id);
void perfmon_set_build(struct pfm_set *set, bool system_wide);

/**
 * pfm_pmd_value - 64-bit value of a PMD as of the last fold
 * @set: set
 * @pos: position of the PMD
 *
 * While a PMD counts its value is the sum that the low-level core keeps.
 */
static inline u64 pfm_pmd_value(struct pfm_set *set, unsigned int pos)
{
	const unsigned long long *sum = perfmon_arch_sum(&set->arch, pos);

	return sum ? *sum : set->pmds[pos].value;
}

/* res.c: permissions, exclusion, limits */
extern size_t perfmon_arg_mem_max;
extern int perfmon_sys_group;
extern int perfmon_task_group;

int perfmon_may_create(u32 flags);
bool perfmon_may_count_kernel(const struct pfm_session *s);
int perfmon_pmu_get(void);
void perfmon_pmu_put(void);
int perfmon_task_session_get(void);
void perfmon_task_session_put(void);
unsigned int perfmon_task_sessions(void);
unsigned int perfmon_sys_sessions(void);

/* call.c: what all system calls check, in the one order */
struct perfmon_call {
	struct fd f;
	struct pfm_session *session;
	enum pfm_caller caller;
	struct task_struct *held; /* frozen tracee */
};

/**
 * struct perfmon_vec - kernel copy of a vector argument
 * @data: the elements
 * @small: where vectors of up to PERFMON_VEC_SMALL bytes are, so that the
 *	usual call allocates nothing
 */
#define PERFMON_VEC_SMALL	256

struct perfmon_vec {
	void *data;
	u64 small[PERFMON_VEC_SMALL / sizeof(u64)];
};

int perfmon_check_count(int n, size_t element);
int perfmon_call_open(struct perfmon_call *call, int fd);
int perfmon_call_lock(struct perfmon_call *call);
void perfmon_call_unlock(struct perfmon_call *call);
void perfmon_call_close(struct perfmon_call *call);
int perfmon_vec_fits(int n, size_t element);
int perfmon_vec_get(struct perfmon_vec *v, const void __user *src, int n,
		    size_t element);
void perfmon_vec_put(struct perfmon_vec *v);

/* sysfs.c, debugfs.c */
int perfmon_sysfs_init(void);
#ifdef CONFIG_DEBUG_FS
void perfmon_debugfs_init(void);
#else
static inline void perfmon_debugfs_init(void) { }
#endif

#endif /* _KERNEL_PERFMON_H */
