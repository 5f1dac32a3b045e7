/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * perfmon v3.0: the interface between programs and the kernel.
 *
 * Eight system calls operate on sessions.  A session is named by a file
 * descriptor, holds event sets of logical control (PMC) and data (PMD)
 * registers, and counts one thread or one CPU.  Each structure has the same
 * size and the same field offsets for 32- and 64-bit programs, so that a
 * 32-bit process on a 64-bit kernel needs no translation.
 *
 * All reserved fields must be zero on input and are zero on output.
 */
#ifndef _LINUX_PERFMON_H
#define _LINUX_PERFMON_H

#include <linux/types.h>

/* Interface version, published in /sys/kernel/perfmon/interface as "3.0". */
#define PFM_VERSION_MAJ		3
#define PFM_VERSION_MIN		0
#define PFM_VERSION		((PFM_VERSION_MAJ << 16) | PFM_VERSION_MIN)
#define PFM_VERSION_MAJOR(v)	(((v) >> 16) & 0xffff)
#define PFM_VERSION_MINOR(v)	((v) & 0xffff)

/*
 * System call numbers as offsets from the base that the kernel publishes in
 * /sys/kernel/perfmon/syscall.  No separate call detaches a session: call
 * pfm_attach_session(fd, flags, PFM_NO_TARGET).
 */
#define PFM_NR_CREATE_SESSION	0
#define PFM_NR_WRITE_PMRS	1
#define PFM_NR_READ_PMRS	2
#define PFM_NR_ATTACH_SESSION	3
#define PFM_NR_START_SESSION	4
#define PFM_NR_STOP_SESSION	5
#define PFM_NR_CREATE_SETS	6
#define PFM_NR_GETINFO_SETS	7
#define PFM_NR_CALLS		8

/*
 * Register name spaces.  PMCs and PMDs are numbered independently of each
 * other; 0..255 are backed by hardware, 256..319 by software.
 */
#define PFM_MAX_PMCS		320
#define PFM_MAX_PMDS		320
#define PFM_HW_REGS		256
#define PFM_PMC_BV		5	/* 64-bit words of a PMC bit vector */
#define PFM_PMD_BV		5	/* 64-bit words of a PMD bit vector */

/*
 * Flag words are split: bits 0-15 are generic, bits 16-31 belong to the
 * architecture.  x86 defines none of the latter.
 */

/* pfm_create_session() */
#define PFM_FL_NOTIFY_BLOCK	0x01	/* thread blocks after a notification */
#define PFM_FL_SYSTEM_WIDE	0x02	/* the target will be a CPU */
#define PFM_FL_SMPL_FMT		0x04	/* three more arguments are passed */
#define PFM_FL_OVFL_NO_MSG	0x80	/* overflows queue no message */
#define PFM_FL_OVFL_SIGINFO	0x100	/* signal carries si_pmc_ovf_mask */
#define PFM_FL_INHERIT		0x200	/* new children are counted too */
#define PFM_FL_INHERIT_THREAD	0x400	/* with INHERIT: new threads only */
#define PFM_FL_YIELD		0x800	/* leaves its CPU to sessions of threads */
#define PFM_FL_NMI		0x1000	/* overflows interrupt at once */
#define PFM_FL_CLOEXEC		0x2000	/* descriptor is closed at execve() */

/* pfm_write_pmrs(), pfm_read_pmrs(): exactly one of PMD and PMC */
#define PFM_RWFL_PMD		0x01
#define PFM_RWFL_PMC		0x02
#define PFM_RWFL_PMD_ATTR	0x04	/* a vector of pfarg_pmd_attr follows */
#define PFM_RWFL_RUNNING	0x08	/* read: the target need not be stopped */
#define PFM_RWFL_FAMILY		0x10	/* read: sums with all inheriting threads */

/* pfm_attach_session() */
#define PFM_ATFL_PIDFD		0x01	/* target is a pidfd */
#define PFM_ATFL_RUNNING	0x02	/* the target need not be stopped */
#define PFM_NO_TARGET		(-1)	/* detach */

/* pfm_start_session(), the last one pfm_stop_session() too */
#define PFM_STFL_RESTART	0x01	/* resume after a notification */
#define PFM_STFL_AT_EXEC	0x02	/* when the target executes a program */
#define PFM_STFL_RUNNING	0x04	/* the target need not be stopped */

/* pfm_create_sets() */
#define PFM_SETS_DELETE		0x01	/* delete the named sets instead */

/* pfm_getinfo_sets() */
#define PFM_GIFL_LOSS		0x01	/* set_reserved3: losses (PFM_LOSS_*) */
#define PFM_GIFL_KINDS		0x02	/* set_reserved3: times by kind of core */
#define PFM_GIFL_FAMILY		0x04	/* add runs and times of inheriting threads */

/*
 * With PFM_GIFL_LOSS: elements of set_reserved3, which count since the creation of the
 * session and are the same for each set.  Times use the clock of set_act_duration.
 */
#define PFM_LOSS_LOST		0	/* children that could not be counted */
#define PFM_LOSS_LEFT		1	/* threads lost to an execve() or a session */
#define PFM_LOSS_BLIND_NS	2	/* started, but masked while the thread ran */
#define PFM_LOSS_THROTTLED_NS	3	/* stopped after too many interrupts */
#define PFM_LOSS_OVERFLOWS	4	/* without the requested message or sample */
#define PFM_LOSS_PARTS		5	/* children that have been counted so far */

/*
 * With PFM_GIFL_KINDS: elements of set_reserved3.  Nanoseconds during which a set with
 * PMCs for one kind of core was on CPUs of each kind; 0 for other sets.
 */
#define PFM_KINDS_CORE_NS	0	/* pmu_desc/cpu_core */
#define PFM_KINDS_ATOM_NS	1	/* pmu_desc/cpu_atom */

/* pfarg_pmr.reg_flags */
#define PFM_REGFL_OVFL_NOTIFY	0x01	/* PMD: notify on 64-bit overflow */
#define PFM_REGFL_RANDOM	0x02	/* PMD: randomise the reset values */
#define PFM_REGFL_NO_EMUL64	0x04	/* PMC: no 64-bit emulation */
#define PFM_REGFL_USER_ONLY	0x08	/* PMC of IBS: no samples of the kernel */

/*
 * pfarg_pmr.reg_value of an event selector of a hybrid x86 processor: its counter
 * counts on CPUs of this kind only.  Elsewhere these bits are reserved and dropped.
 */
#define PFM_X86_PMC_CORE	(1ULL << 62)
#define PFM_X86_PMC_ATOM	(1ULL << 63)

/* The same for a register that qualifies events: its value is for CPUs of this kind. */
#define PFM_X86_EXTRA_CORE	(1ULL << 60)
#define PFM_X86_EXTRA_ATOM	(1ULL << 61)

/* pfarg_setdesc.set_flags; at most one of them */
#define PFM_SETFL_OVFL_SWITCH	0x01
#define PFM_SETFL_TIME_SWITCH	0x02

/* One register of one set, for both kinds of registers. */
struct pfarg_pmr {
	__u16 reg_num;		/* logical register index */
	__u16 reg_set;		/* event set */
	__u32 reg_flags;	/* PFM_REGFL_* */
	__u64 reg_value;
};

/* Sampling and multiplexing attributes of the PMD with the same index in its vector. */
struct pfarg_pmd_attr {
	__u64 reg_long_reset;	/* loaded at a restart */
	__u64 reg_short_reset;	/* loaded at an unmasked overflow */
	__u64 reg_random_mask;
	__u64 reg_smpl_pmds[PFM_PMD_BV];  /* recorded in samples */
	__u64 reg_reset_pmds[PFM_PMD_BV]; /* reset together with this one */
	__u64 reg_ovfl_swcnt;	/* overflows before a set switch */
	__u64 reg_smpl_eventid;	/* passed to the sampling format */
	__u64 reg_last_value;	/* out: value that was last loaded */
	__u32 reg_smpl_rate;	/* most samples a second, or 0 */
	__u32 reg_smpl_doubled;	/* out: how often periods have doubled */
	__u64 reg_random_seed;	/* in: seed of the session's random numbers, or 0 */
	__u64 reg_reserved[6];
};

/* An event set to be created, changed or deleted. */
struct pfarg_setdesc {
	__u16 set_id;
	__u16 set_reserved1;
	__u32 set_flags;	/* PFM_SETFL_* */
	__u64 set_timeout;	/* ns, for PFM_SETFL_TIME_SWITCH */
	__u64 reserved[6];
};

/* Description of a set by pfm_getinfo_sets(). */
struct pfarg_setinfo {
	__u16 set_id;		/* in */
	__u16 set_reserved1;
	__u32 set_flags;
	__u64 set_ovfl_pmds[PFM_PMD_BV]; /* PMDs of the last 64-bit overflow */
	__u64 set_runs;		/* number of activations */
	__u64 set_timeout;	/* ns; if active, the rest of it */
	__u64 set_act_duration;	/* ns during which the set counted */
	__u64 set_avail_pmcs[PFM_PMC_BV];
	__u64 set_avail_pmds[PFM_PMD_BV];
	__u64 set_reserved3[6];
};

/* sysfs sys_group and task_group: no group is set */
#define PFM_GROUP_PERM_ANY	(-1)

/* Messages that read() returns from the descriptor. */
#define PFM_MSG_OVFL		1	/* a counter overflowed */
#define PFM_MSG_END		2	/* the monitored thread ended */

struct pfarg_ovfl_msg {
	__u32 msg_type;		/* PFM_MSG_OVFL */
	__u32 msg_ovfl_pid;	/* interrupted process */
	__u16 msg_active_set;
	__u16 msg_ovfl_cpu;
	__u32 msg_ovfl_tid;	/* interrupted thread */
	__u64 msg_ovfl_ip;
	__u64 msg_ovfl_pmds[PFM_PMD_BV];
};

union pfarg_msg {
	__u32 type;		/* PFM_MSG_* */
	struct pfarg_ovfl_msg pfm_ovfl_msg;
};

/*
 * The state page of a session: mmap(NULL, page size, PROT_READ, MAP_SHARED, fd,
 * PFM_MMAP_STATE).  In it the thread that the session monitors reads its counters without
 * a system call; <perfmon/pfm_state.h> has the functions.
 */
#define PFM_MMAP_STATE		0x40000000

/*
 * A session with PFM_FL_INHERIT and a sampling format has a buffer for each CPU: the one
 * of CPU n is at offset n * size, with the size in whole pages. mmap(NULL, size,
 * PROT_READ | PROT_WRITE, MAP_SHARED, fd, PFM_MMAP_RELEASED) maps a vector of one __u64
 * per CPU.  In it programs write how much of each buffer they have read; for the formats
 * "default", "stacks" and "precise" this is the number of halves.
 */
#define PFM_MMAP_RELEASED	0x48000000

#define PFM_STATE_VERSION	1
#define PFM_STATE_COUNTERS	32	/* elements of pfm_state.counter[] */
#define PFM_STATE_NO_PMD	0xffff

/* pfm_state.seq; each change of the page changes the other bits */
#define PFM_STATE_USABLE	0x1	/* counters are here, RDPMC is permitted */
#define PFM_STATE_WRITING	0x2	/* the kernel is changing the page */

/* pfm_state.why: the reason why the page is not usable */
#define PFM_STATE_WHY_STOPPED	1	/* nothing counts on the thread's CPU */
#define PFM_STATE_WHY_MODE	2	/* an administrator's file rdpmc is 0 */
#define PFM_STATE_WHY_PROCESSOR	3	/* no RDPMC, or none that can be isolated */
#define PFM_STATE_WHY_MODULE	4	/* the module does not permit this process */
#define PFM_STATE_WHY_OTHERS	5	/* not mapped by the target's process alone */
#define PFM_STATE_WHY_LEVEL	6	/* another user's session counts the kernel */
#define PFM_STATE_WHY_WIDTH	7	/* a PMC has PFM_REGFL_NO_EMUL64 */

/* One counter of the active set. */
struct pfm_state_counter {
	__u32 map;		/* for RDPMC */
	__u32 start;		/* low half of the counter at the period's start */
	__u64 sum;		/* value of the PMD at that time */
};

/* Contents of the state page; the rest of it is zero. */
struct pfm_state {
	__u32 version;		/* PFM_STATE_VERSION */
	__u32 size;		/* size of this structure */
	__u32 seq;
	__u32 why;		/* PFM_STATE_WHY_*, 0 if usable */
	__u16 active_set;
	__u16 nr_counters;
	__u16 tsc_pmd;		/* PMD of the TSC, or PFM_STATE_NO_PMD */
	__u16 reserved1;
	__u64 tsc_start;	/* TSC at the start of the period */
	__u64 tsc_sum;		/* value of its PMD at that time */
	__u64 reserved2[3];
	__u16 pmd[PFM_STATE_COUNTERS];	/* number of the PMD of each element */
	struct pfm_state_counter counter[PFM_STATE_COUNTERS];
};

/*
 * Signals of sessions with PFM_FL_OVFL_SIGINFO: the si_code, and the member of siginfo
 * with one bit for each overflowed PMD of 0..31.
 */
#define SI_PMC_OVF		'P'
#define si_pmc_ovf_mask		si_pid

#endif /* _LINUX_PERFMON_H */
