/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The session core: its objects and what its files offer each other.
 *
 * Locks:
 * - pfm_session.lock (mutex) serialises the system calls on a session and
 *   protects everything in it that has no other comment.  What a thread does
 *   about itself and is done in the hot way needs no lock, see
 *   perfmon_self_begin().
 * - "Hot" fields are used by the context switch, the tick, the overflow
 *   interrupt and the set timer of the CPU that the session counts on, without
 *   a lock and with interrupts off.  Everybody else changes them where those
 *   cannot run: perfmon_on_target() takes the code to them.  Hot are
 *   pfm_session.counting, .active and those marked so, and the values and
 *   counters of all sets.
 * - task_struct.pfm_session and the session of a CPU follow the same rule and
 *   hold a reference.
 * - pfm_msgq.lock (raw, interrupt-safe) protects the messages.
 */
#ifndef _KERNEL_PERFMON_H
#define _KERNEL_PERFMON_H

#include <linux/bitmap.h>
#include <linux/file.h>
#include <linux/hrtimer_types.h>
#include <linux/irqflags.h>
#include <linux/irq_work.h>
#include <linux/jump_label.h>
#include <linux/ktime.h>
#include <linux/limits.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/perfmon_fmt.h>
#include <linux/perfmon_pmu.h>
#include <linux/prandom.h>
#include <linux/rbtree.h>
#include <linux/refcount.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>
#include <linux/spinlock.h>
#include <linux/task_work.h>
#include <linux/types.h>
#include <linux/wait.h>
#include <linux/uidgid_types.h>
#include <linux/workqueue.h>

/* Values are those of the interface description; 4 names no session. */
enum pfm_state {
	PFM_UNLOADED = 1,
	PFM_LOADED = 2,
	PFM_MASKED = 3,
};

/**
 * struct pfm_account - who pays for memory, see account.c
 * @user: with a reference; NULL: nobody has to
 * @limit: what he may lock, in pages
 * @bytes: charged to this account
 */
struct pfm_account {
	struct user_struct *user;
	unsigned long limit;
	size_t bytes;
};

/**
 * struct pfm_pmd_attr - sampling attributes of a PMD, most PMDs have none
 *
 * @long_reset: loaded at a restart
 * @short_reset: loaded at an overflow without mask
 * @random_mask: bits of a random number that are subtracted from these
 * @eventid: for the sampling format
 * @swcnt: overflows before a set switch
 * @swcnt_left: of these, what is left; hot
 * @smpl: reg_smpl_pmds by position
 * @reset: reg_reset_pmds by position
 */
struct pfm_pmd_attr {
	u64 long_reset;
	u64 short_reset;
	u64 random_mask;
	u64 eventid;
	u64 swcnt;
	u64 swcnt_left;
	DECLARE_BITMAP(smpl, PERFMON_ARCH_MAX_PMDS);
	DECLARE_BITMAP(reset, PERFMON_ARCH_MAX_PMDS);
};

/**
 * struct pfm_pmd - software part of a data register
 * @value: 64-bit value while the PMD does not count (see pfm_pmd_value())
 * @last: value that was loaded last, by a write or a reset
 * @flags: PFM_REGFL_*
 * @attr: NULL until it is written with attributes that are not all 0
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
 * @by_id: in pfm_session.sets_by_id
 * @id: chosen by the user; set 0 always exists
 * @flags: PFM_SETFL_*
 * @timeout: ns, for time switching
 * @left: ns of @timeout that are left; hot
 * @runs: number of activations; hot
 * @duration: ns during which the set counted, up to the last fold; hot
 * @dirty: @arch does not correspond to the registers any more
 * @used_pmcs: PMCs that were written
 * @used_pmds: PMDs that were written or named in a mask
 * @no64: PMCs with PFM_REGFL_NO_EMUL64
 * @some_no64: there are some
 * @armed: PMDs that interrupt and whose value is negative: when it becomes
 *	non-negative the 64-bit counter has overflowed; hot
 * @ovfl_pmds: PMDs of the most recent 64-bit overflow; hot
 * @reset_pmds: PMDs that are to be reset for it; hot
 * @pmcs: PMC values by position
 * @pmds: PMDs by position
 */
struct pfm_set {
	struct perfmon_arch_set arch;
	struct list_head node;
	struct rb_node by_id;
	u16 id;
	u32 flags;
	u64 timeout;
	u64 left;
	u64 runs;
	u64 duration;
	bool dirty;
	bool some_no64;
	DECLARE_BITMAP(used_pmcs, PERFMON_ARCH_MAX_PMCS);
	DECLARE_BITMAP(used_pmds, PERFMON_ARCH_MAX_PMDS);
	DECLARE_BITMAP(no64, PERFMON_ARCH_MAX_PMCS);
	DECLARE_BITMAP(armed, PERFMON_ARCH_MAX_PMDS);
	DECLARE_BITMAP(ovfl_pmds, PERFMON_ARCH_MAX_PMDS);
	DECLARE_BITMAP(reset_pmds, PERFMON_ARCH_MAX_PMDS);
	u64 *pmcs;
	struct pfm_pmd pmds[];
};

#define PFM_MSGQ_DEPTH	8

/**
 * struct pfm_msgq - messages to the holders of the descriptor
 * @lock: protects the rest; interrupt-safe
 * @head: next to be read
 * @count: overflow messages in @ring
 * @end: an END message follows them; it has a place of its own so that it can
 *	always be queued
 * @wait: sleepers in read and poll
 * @fasync: receivers of SIGIO
 * @work: wakes them, outside of the overflow interrupt
 * @rt_work: the same on PREEMPT_RT
 * @told: @work was queued at some time
 * @ring: overflow messages
 */
struct pfm_msgq {
	raw_spinlock_t lock;	/* see above */
	unsigned int head;
	unsigned int count;
	bool end;
	wait_queue_head_t wait;
	struct fasync_struct *fasync;
	struct irq_work work;
	struct work_struct rt_work;
	bool told;
	struct pfarg_ovfl_msg ring[PFM_MSGQ_DEPTH];
};

/* Why a session that is started does not count; index of pfm_loss.gap_ns. */
enum pfm_gap {
	PFM_GAP_NONE,
	PFM_GAP_BLIND,		/* masked: waits for a restart */
	PFM_GAP_THROTTLED,	/* interrupted too much */
	PFM_NR_GAPS,
};

/**
 * struct pfm_loss - what a session has missed since its creation
 * @gap_ns: length of the gaps that are over
 * @overflows: that the user wanted to be told of, and was not
 */
struct pfm_loss {
	u64 gap_ns[PFM_NR_GAPS];
	u64 overflows;
};

/**
 * struct pfm_creator - who created a session
 * @uid: user, who shares the budgets of throttling with his other sessions
 * @tgid: process, in the initial pid namespace
 * @comm: its name then
 */
struct pfm_creator {
	kuid_t uid;
	pid_t tgid;
	char comm[TASK_COMM_LEN];
};

/**
 * struct pfm_session - a monitoring session, named by a file descriptor
 * @counting: the active set while the session is attached, started and neither
 *	masked nor throttled, else NULL: all that the context switch looks at
 * @lock: see the top of this file
 * @ref: one for the file, one for the attachment, one per passing user
 * @flags: PFM_FL_*
 * @state: enum pfm_state; MASKED comes and goes by the hot rule
 * @started: between start and stop; hot
 * @ended: by the administrator, for ever (see enabled.c); never attached again
 * @self: was attached by its target
 * @owner_capable: creator may count everything
 * @kernel_ip: some PMC was allowed to count the kernel, so samples may show it
 * @can_restart: notifications whose restart is owed; hot
 * @switch_pending: the restart will switch sets; hot
 * @block_queued: @block_work is on its way or running; hot
 * @blocked: the target waits in @block_wait for a restart, or is about to; hot
 * @signal_queued: @signal_work is on its way; hot
 * @gap: enum pfm_gap, hot
 * @gap_clock: perfmon_clock() when the gap began; hot
 * @loss: what was missed; hot
 * @throttle_end: when a throttled session may go on, in jiffies; hot
 * @storm_jiffies: overflow interrupts in that jiffy ...; hot
 * @storm_count: ... are counted here; hot
 * @storm_step: those that have not been counted yet; hot
 * @active: set that is or will be on the hardware; hot
 * @sets: all sets, ascending id
 * @sets_by_id: the same, to be looked up
 * @nr_sets: their number
 * @target: monitored thread, with a reference; NULL unless attached to one
 * @cpu: monitored CPU; -1 unless attached to one
 * @slice_clock: perfmon_clock() when the active set began to count; hot
 * @slice_time: monotonic time when the timeout of the active set began to run;
 *	hot
 * @random: source of randomised periods; hot
 * @account: what its sets and attributes cost its creator
 * @ns: pid namespace of the owner, in which all ids are told
 * @seen_task: task that was interrupted last, only to be compared; hot
 * @seen_start: its start_time, since addresses are used again; hot
 * @seen_tid: its thread id in @ns; hot
 * @seen_tgid: its process id in @ns; hot
 * @fmt: sampling format, or NULL
 * @fmt_ready: it was initialised
 * @buf: its buffer, or NULL
 * @block_work: makes the target wait before it returns to user mode
 * @block_wait: where it waits
 * @signal_work: makes the target signal itself
 * @signal_mask: PMDs 0..31 of the overflows that no signal has told of; hot
 * @creator: constant
 * @holder: in the list of sessions that hold the PMU, see perfmon_pmu_get()
 * @free_work: frees it where the last reference must not
 * @rcu: the memory goes when no irq_work can look at it any more
 * @msgq: messages; comes last, see session_alloc()
 */
struct pfm_session {
	struct pfm_set *counting;
	struct mutex lock;	/* see the top of this file */
	refcount_t ref;
	u32 flags;
	u8 state;
	bool started;
	bool ended;
	bool self;
	bool owner_capable;
	bool kernel_ip;
	u8 can_restart;
	bool switch_pending;
	bool block_queued;
	bool blocked;
	bool signal_queued;
	u8 gap;
	u64 gap_clock;
	struct pfm_loss loss;
	unsigned long throttle_end;
	unsigned long storm_jiffies;
	unsigned int storm_count;
	unsigned int storm_step;
	struct pfm_set *active;
	struct list_head sets;
	struct rb_root sets_by_id;
	unsigned int nr_sets;
	struct task_struct *target;
	int cpu;
	u64 slice_clock;
	ktime_t slice_time;
	struct rnd_state random;
	struct pfm_account account;
	struct pid_namespace *ns;
	const void *seen_task;
	u64 seen_start;
	u32 seen_tid;
	u32 seen_tgid;
	struct pfm_smpl_fmt *fmt;
	bool fmt_ready;
	struct pfm_buffer *buf;
	struct callback_head block_work;
	wait_queue_head_t block_wait;
	struct callback_head signal_work;
	u32 signal_mask;
	struct pfm_creator creator;
	struct list_head holder;
	struct work_struct free_work;
	struct rcu_head rcu;
	struct pfm_msgq msgq;
};

/* init.c */
bool perfmon_usable(void);

/* file.c */
extern const struct file_operations perfmon_fops;
struct pfm_session *perfmon_file_session(struct file *file);

/* msgq.c */
void perfmon_msgq_init(struct pfm_msgq *q);
void perfmon_msgq_clear(struct pfm_msgq *q);
void perfmon_msgq_end(struct pfm_msgq *q);
bool perfmon_msgq_add(struct pfm_msgq *q, const struct pfarg_ovfl_msg *msg,
		      bool silent);
bool perfmon_msgq_empty(struct pfm_msgq *q);
bool perfmon_msgq_take(struct pfm_msgq *q, union pfarg_msg *msg);

/*
 * Is the session attached?  For who has its lock: on the target it may be masked
 * and unmasked meanwhile, but not attached or detached.
 */
static inline bool pfm_session_attached(const struct pfm_session *s)
{
	return READ_ONCE(s->state) != PFM_UNLOADED;
}

/* target.c: who calls about whom, and code that runs where the target is */
enum pfm_caller {
	PFM_CALLER_DETACHED,	/* nobody's counters are affected */
	PFM_CALLER_SELF,	/* the caller is the target */
	PFM_CALLER_TRACER,	/* the target is stopped and cannot wake */
	PFM_CALLER_MASKED,	/* it may run, but the session is masked */
	PFM_CALLER_CPU,		/* the target is a CPU */
	PFM_CALLER_OTHER,	/* a thread of which nothing is known */
};

typedef void (*pfm_target_fn)(struct pfm_session *s, void *arg);

int perfmon_caller_hold(const struct pfm_session *s, bool frozen);
enum pfm_caller perfmon_caller_any(const struct pfm_session *s);
int perfmon_tracee_freeze(struct task_struct *task);
void perfmon_tracee_thaw(struct task_struct *task);
void perfmon_on_target(struct pfm_session *s, enum pfm_caller caller,
		       pfm_target_fn fn, void *arg);
u64 perfmon_clock(const struct pfm_session *s);

/* Is the session on the hardware of this CPU?  For code on the target. */
static inline bool pfm_session_live(const struct pfm_session *s)
{
	return s->counting && (!s->target || s->target == current);
}

/*
 * Begin to act on the running thread's own session without its lock; interrupts
 * are off until perfmon_self_end().
 *
 * Nobody else touches the session meanwhile: others that hold the lock come
 * here with an interrupt, and those that need not (PFM_CALLER_MASKED) do so
 * only while the session is masked, which it cannot become before the end.
 *
 * Return: false if the session is another's, or masked: take the lock then.
 */
static __always_inline bool perfmon_self_begin(const struct pfm_session *s)
{
	local_irq_disable();
	if (likely(current->pfm_session == s && s->state == PFM_LOADED))
		return true;
	local_irq_enable();
	return false;
}

static __always_inline void perfmon_self_end(void)
{
	local_irq_enable();
}

/* cpu.c: what a CPU has of its own */
#define PFM_STORM_USERS	16

struct pfm_cpu {
	struct hrtimer timer;		/* of the set that counts here */
	struct hrtimer sampler;		/* in the place of the idle tick ... */
	bool sampling;			/* ... is running */
	unsigned long storm_jiffies;	/* overflow interrupts in it ... */
	unsigned int nr_users;
	struct {
		kuid_t uid;
		unsigned int count;	/* ... of the sessions of a user */
	} users[PFM_STORM_USERS];
};

DECLARE_PER_CPU(struct pfm_cpu, perfmon_cpu);

int perfmon_cpu_init(void);
struct pfm_session *perfmon_live_session(void);

/* tick.c */
void perfmon_sampler_init(unsigned int cpu);
void perfmon_sampler_start(void);
void perfmon_sampler_stop(void);
void perfmon_tick_keep(struct pfm_session *s);
void perfmon_tick_release(struct pfm_session *s);

/* session.c */
int perfmon_session_init(void);
void perfmon_session_put(struct pfm_session *s);
void perfmon_session_put_atomic(struct pfm_session *s);
void perfmon_session_close(struct pfm_session *s);

/* attach.c */
void perfmon_detach(struct pfm_session *s, bool end);

/* run.c: when a session counts; all on the target */
void perfmon_live_stop(struct pfm_session *s);
void perfmon_live_start(struct pfm_session *s);
void perfmon_pause(struct pfm_session *s);
void perfmon_unpause(struct pfm_session *s);
void perfmon_unpause_switched_in(struct pfm_session *s);
u64 perfmon_slice_end(struct pfm_session *s);
void perfmon_timer_start(struct pfm_session *s);
void perfmon_timer_pause(struct pfm_session *s);
u64 perfmon_timer_left(const struct pfm_session *s);
enum hrtimer_restart perfmon_timer_expired(struct hrtimer *timer);
void perfmon_activate_set(struct pfm_session *s, struct pfm_set *set);
void perfmon_switch_set(struct pfm_session *s, bool long_reset);
void perfmon_reset_pmds(struct pfm_session *s, struct pfm_set *set,
			const unsigned long *pmds, bool long_reset);
void perfmon_arm_pmd(struct pfm_set *set, unsigned int pos);
void perfmon_reload(struct pfm_session *s);

/* ovfl.c */
void perfmon_interrupt(unsigned long ip);

/* throttle.c */
bool perfmon_storms_step(struct pfm_session *s);

/* Overflow interrupts that are counted together. */
#define PFM_STORM_STEP	16

/*
 * Count an overflow interrupt.  A step outlasts the jiffy, so that nobody slips
 * through with many sessions.
 *
 * Return: is it one too many?
 */
static __always_inline bool perfmon_storms(struct pfm_session *s)
{
	return unlikely(++s->storm_step == PFM_STORM_STEP) &&
	       perfmon_storms_step(s);
}

void perfmon_throttle(struct pfm_session *s);
bool perfmon_throttle_over(const struct pfm_session *s);

/* loss.c */
void perfmon_gap_begin(struct pfm_session *s, enum pfm_gap gap, u64 now);
void perfmon_gap_end(struct pfm_session *s, u64 now);
void perfmon_gap_masked(struct pfm_session *s);
void perfmon_loss_get(const struct pfm_session *s, u64 *loss);

/* siginfo.c */
void perfmon_siginfo_init(struct pfm_session *s);
void perfmon_siginfo_send(struct pfm_session *s, u32 pmds);

/* block.c */
void perfmon_block_init(struct pfm_session *s);
void perfmon_block_target(struct pfm_session *s);
void perfmon_unblock(struct pfm_session *s);

/* sets.c */
int perfmon_sets_init(void);
struct pfm_set *perfmon_set_alloc(u16 id);
void perfmon_set_free(struct pfm_set *set);
void perfmon_set_add(struct pfm_session *s, struct pfm_set *set);
struct pfm_set *perfmon_set_find(struct pfm_session *s, u16 id);
void perfmon_set_build(struct pfm_set *set, bool system_wide);

/* account.c */
void perfmon_account_open(struct pfm_account *account);
void perfmon_account_share(struct pfm_account *account,
			   const struct pfm_account *of);
bool perfmon_account_charge(struct pfm_account *account, size_t bytes);
void perfmon_account_uncharge(struct pfm_account *account, size_t bytes);
void perfmon_account_close(struct pfm_account *account);

/* fmt.c, buffer.c */
struct pfm_smpl_fmt *perfmon_fmt_get(const char __user *name);
void perfmon_fmt_put(struct pfm_smpl_fmt *fmt);
int perfmon_fmt_start(struct pfm_session *s, struct pfm_smpl_fmt *fmt,
		      const void *arg);
void perfmon_fmt_stop(struct pfm_session *s);
int perfmon_fmt_sysfs_init(struct kobject *parent);

struct pfm_buffer *perfmon_buffer_alloc(const struct pfm_account *payer,
					size_t size);
void perfmon_buffer_put(struct pfm_buffer *buf);
void *perfmon_buffer_addr(struct pfm_buffer *buf);
int perfmon_buffer_mmap(struct pfm_buffer *buf, struct vm_area_struct *vma);
size_t perfmon_buffer_mem_cur(void);
size_t perfmon_buffer_mem_max(void);
void perfmon_buffer_set_mem_max(size_t max);

unsigned int perfmon_nr_avail_pmds(u32 flags);
/* May a session with these PFM_FL_* use the register? */
static inline bool perfmon_reg_usable(u32 flags, const struct perfmon_reg *reg)
{
	return reg->type & (flags & PFM_FL_SYSTEM_WIDE ? PERFMON_REG_SYS :
							 PERFMON_REG_THR);
}

/**
 * pfm_pmd_value - 64-bit value of a PMD as of the last fold
 * @set: set
 * @pos: position of the PMD
 *
 * While a PMD counts its value is the sum that the low-level core keeps.
 */
static inline u64 pfm_pmd_value(struct pfm_set *set, unsigned int pos)
{
	return *perfmon_arch_value(&set->arch, pos, &set->pmds[pos].value);
}

/**
 * pfm_pmd_present - 64-bit value of a PMD as of now
 * @set: set
 * @pos: position of the PMD
 * @live: the set is on this CPU
 */
static __always_inline u64 pfm_pmd_present(struct pfm_set *set,
					   unsigned int pos, bool live)
{
	if (!live || !perfmon_arch_counts(&set->arch, pos))
		return pfm_pmd_value(set, pos);
	return perfmon_arch_read(&set->arch, pos);
}

/**
 * pfm_pmd_load - give a PMD a new value
 * @set: set, not on the hardware
 * @pos: position of the PMD
 * @value: is also remembered as the last one that was loaded
 */
static inline void pfm_pmd_load(struct pfm_set *set, unsigned int pos,
				u64 value)
{
	set->pmds[pos].last = value;
	*perfmon_arch_value(&set->arch, pos, &set->pmds[pos].value) = value;
}

/* affinity.c: CPUs without counters */
bool perfmon_cpu_counts(unsigned int cpu);
int perfmon_keep_countable(struct task_struct *task);

/* owner.c: the PMU while sessions exist */
int perfmon_pmu_get(struct pfm_session *s);
void perfmon_pmu_put(struct pfm_session *s);
bool perfmon_pmu_allow(bool allow);
bool perfmon_pmu_allowed(void);
struct pfm_session *perfmon_pmu_holder(void);
int perfmon_pmu_wait_free(void);
u64 perfmon_pmu_taken(void);
unsigned int perfmon_linger_ms(void);
int perfmon_linger_set(u64 ms);

/* res.c: permissions, exclusion, limits */
extern size_t perfmon_arg_mem_max;
extern int perfmon_sys_group;
extern int perfmon_task_group;

int perfmon_may_create(u32 flags);
int perfmon_may_count_kernel(const struct pfm_session *s);
int perfmon_task_session_get(void);
void perfmon_task_session_put(void);
int perfmon_sys_session_get(int cpu, struct pfm_session *s);
void perfmon_sys_session_put(int cpu);
unsigned int perfmon_task_sessions(void);
unsigned int perfmon_sys_sessions(void);

/* enabled.c: the PMU goes back to the administrator */
void perfmon_creator_init(struct pfm_creator *creator);
int perfmon_enable(bool enable);

/* selfread.c */
bool perfmon_selfread(struct pfm_session *s, struct pfarg_pmr __user *pmrs,
		      int n);

/* call.c: what all system calls check, in the one order */
struct perfmon_call {
	struct fd f;
	struct pfm_session *session;
	enum pfm_caller caller;
	struct task_struct *held; /* the target, if it is another thread */
	bool frozen;		/* it is in our ptrace stop and cannot wake */
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

/* Return: -EINVAL if @n elements of size @element cannot be a vector. */
static __always_inline int perfmon_check_count(int n, size_t element)
{
	return n < 0 || n >= INT_MAX / element ? -EINVAL : 0;
}

/* Return: -E2BIG if the vector is over the administrator's limit. */
static __always_inline int perfmon_vec_fits(int n, size_t element)
{
	return n * element > READ_ONCE(perfmon_arg_mem_max) ? -E2BIG : 0;
}

int perfmon_call_open(struct perfmon_call *call, int fd);
int perfmon_call_lock(struct perfmon_call *call);
void perfmon_call_unlock(struct perfmon_call *call);
void perfmon_call_close(struct perfmon_call *call);
int perfmon_call_open_vec(struct perfmon_call *call, int fd,
			  struct perfmon_vec *v, const void __user *src, int n,
			  size_t element);
int perfmon_vec_get(struct perfmon_vec *v, const void __user *src, int n,
		    size_t element);
void perfmon_vec_put(struct perfmon_vec *v);

/* stats.c: what developers look at; counted with interrupts off */
enum pfm_stat {
	PFM_STAT_OVFL_ALL,
	PFM_STAT_OVFL_NS,
	PFM_STAT_OVFL_REGULAR,
	PFM_STAT_OVFL_SPURIOUS,
	PFM_STAT_OVFL_REPLAY,
	PFM_STAT_OVFL_NMI,
	PFM_STAT_NOTIFY,
	PFM_STAT_RESET_PMDS,
	PFM_STAT_FMT_CALLS,
	PFM_STAT_FMT_NS,
	PFM_STAT_SWITCH,
	PFM_STAT_SWITCH_NS,
	PFM_STAT_SWITCH_EXP,
	PFM_STAT_TIMEOUT,
	PFM_STAT_IN,
	PFM_STAT_IN_NS,
	PFM_STAT_OUT,
	PFM_STAT_OUT_NS,
	PFM_STAT_WORK,
	PFM_STAT_RESTART,
	PFM_STAT_THROTTLED,
	PFM_STAT_THROTTLED_JIFFIES,
	PFM_NR_STATS,
};

struct pfm_stats {
	u64 count[PFM_NR_STATS];
};

DECLARE_PER_CPU(struct pfm_stats, perfmon_stats);
/* On while the administrator has set `debug': also measure what costs time. */
DECLARE_STATIC_KEY_FALSE(perfmon_debug_key);
extern int perfmon_debug;
void perfmon_debug_set(int mask);
void perfmon_stats_reset(void);

static __always_inline void pfm_count(enum pfm_stat stat)
{
	this_cpu_inc(perfmon_stats.count[stat]);
}

static __always_inline u64 pfm_debug_clock(void)
{
	return static_branch_unlikely(&perfmon_debug_key) ? local_clock() : 0;
}

/* Add the time since @since, from pfm_debug_clock(), if it is measured. */
static __always_inline void pfm_debug_time(enum pfm_stat ns, u64 since)
{
	if (static_branch_unlikely(&perfmon_debug_key) && since)
		__this_cpu_add(perfmon_stats.count[ns], local_clock() - since);
}

/* Count an event that began at @since, and its time, while that is measured. */
static __always_inline void pfm_debug_count(enum pfm_stat stat,
					    enum pfm_stat ns, u64 since)
{
	if (!static_branch_unlikely(&perfmon_debug_key))
		return;
	__this_cpu_inc(perfmon_stats.count[stat]);
	pfm_debug_time(ns, since);
}

/* sysfs.c, debugfs.c */
int perfmon_sysfs_init(void);
#ifdef CONFIG_DEBUG_FS
void perfmon_debugfs_init(void);
#else
static inline void perfmon_debugfs_init(void) { }
#endif

#endif /* _KERNEL_PERFMON_H */
