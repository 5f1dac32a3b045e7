/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The logical PMU: the register map that kernel/perfmon/ sees, and the functions
 * that an architecture implements.
 *
 * Logical registers are numbered 0..319 with holes.  In the kernel each has a position,
 * dense from 0, which is the index of every per-set array.  Numbers come from user space;
 * only perfmon_pmc_position() and perfmon_pmd_position(), which know the holes, turn them
 * into positions.
 */
#ifndef _LINUX_PERFMON_PMU_H
#define _LINUX_PERFMON_PMU_H

#include <linux/atomic.h>
#include <linux/cpumask.h>
#include <linux/nospec.h>
#include <linux/types.h>
#include <uapi/linux/perfmon.h>

#include <asm/perfmon.h>

struct pfm_hw_record;
struct pfm_precise_smpl_branch;
struct pfm_stacks_smpl_copy;
struct pt_regs;

/* kernel/perfmon/page/: number of state pages; their programs may execute RDPMC. */
extern atomic_t perfmon_pages;

static inline bool perfmon_has_pages(void)
{
	return atomic_read(&perfmon_pages);
}

bool perfmon_page_right_was_lost(void);

/* perfmon_reg.type */
#define PERFMON_REG_WC		0x002	/* PMC: check by perfmon_arch_check_pmc() */
#define PERFMON_REG_C64		0x004	/* counter, virtualised to 64 bits */
#define PERFMON_REG_RO		0x008	/* writes do not reach hardware */
#define PERFMON_REG_V		0x010	/* software */
#define PERFMON_REG_INTR	0x020	/* can raise the overflow interrupt */
#define PERFMON_REG_SYS		0x040	/* usable in system-wide sessions */
#define PERFMON_REG_THR		0x080	/* usable in per-thread sessions */
#define PERFMON_REG_NO64	0x100	/* PMC takes PFM_REGFL_NO_EMUL64 */
#define PERFMON_REG_CLAIM	0x200	/* PMC: perfmon_arch_claim() before a session uses it */
#define PERFMON_REG_REC		0x400	/* PMC: needs a format with record() unless it is 0 */
#define PERFMON_REG_USER	0x800	/* PMC takes PFM_REGFL_USER_ONLY */
#define PERFMON_REG_PRIV_0	0x1000	/* PMC: bits of @priv that are 0 are for the kernel */

/**
 * struct perfmon_reg - a logical register
 * @name: name of the hardware register
 * @num: logical number
 * @type: PERFMON_REG_*
 * @width: of a counter: number of bits below the one that shows an overflow; else 64
 * @ctrl: PMD: position of the PMC that controls it
 * @addr: address of the hardware register, 0 for software
 * @hw: PMD: number of the counter in the architecture
 * @dfl: default value, and the value of the bits that the user cannot choose
 * @rsvd: bits that the user cannot choose
 * @no64: PMC: bits that PFM_REGFL_NO_EMUL64 clears
 * @no_int: PMC: bits that forbid its counters to interrupt
 * @kinds: mask of the only kinds of core that have it, for system-wide sessions; 0: all
 *	CPUs have it
 * @priv: PMC: bits that make it count at privileged level, by being 0 with
 *	PERFMON_REG_PRIV_0; or PERFMON_PRIV_ALWAYS
 */
struct perfmon_reg {
	char name[24];
	u16 num;
	u16 type;
	u8 width;
	u8 ctrl;
	u8 kinds;
	u32 addr;
	u32 hw;
	u64 dfl;
	u64 rsvd;
	u64 no64;
	u64 no_int;
	u64 priv;
};

/* The PMC counts at all levels whatever its value is, even zero. */
#define PERFMON_PRIV_ALWAYS	(~0ULL)

#define PERFMON_NO_REG	0xff

/**
 * struct perfmon_pmu - the register map of this machine
 * @model: name of the processor model
 * @some_no_int: there are PMCs with @no_int
 * @records_pmc: position of the PMC that lets counters make records, for
 *	perfmon_arch_record_pmds(); PERFMON_NO_REG: there is none
 * @nr_pmcs: number of registers in @pmcs
 * @nr_pmds: number of registers in @pmds
 * @pmcs: control registers by position, ordered by number
 * @pmds: data registers by position, ordered by number
 * @pmc_pos: number to position, PERFMON_NO_REG for a hole
 * @pmd_pos: number to position, PERFMON_NO_REG for a hole
 *
 * perfmon_arch_init() fills it; it is constant from then on.
 */
struct perfmon_pmu {
	const char *model;
	bool some_no_int;
	u8 records_pmc;
	unsigned int nr_pmcs;
	unsigned int nr_pmds;
	struct perfmon_reg pmcs[PERFMON_ARCH_MAX_PMCS];
	struct perfmon_reg pmds[PERFMON_ARCH_MAX_PMDS];
	u8 pmc_pos[PFM_MAX_PMCS];
	u8 pmd_pos[PFM_MAX_PMDS];
};

/* Defined by the architecture. */
extern struct perfmon_pmu perfmon_pmu;

/**
 * struct perfmon_kind - a kind of core of a hybrid processor
 * @name: perf's name for the PMU of this kind
 * @counters: number of programmable counters; the map has the ones of all kinds
 * @fixed: number of fixed counters, likewise
 * @cpus: CPUs of this kind that have ever been online
 */
struct perfmon_kind {
	const char *name;
	unsigned int counters;
	unsigned int fixed;
	cpumask_t cpus;
};

/* Position of the PMC with the user's number @num, negative if there is none. */
static inline int perfmon_pmc_position(unsigned int num)
{
	unsigned int pos;

	if (num >= PFM_MAX_PMCS)
		return -1;
	pos = perfmon_pmu.pmc_pos[array_index_nospec(num, PFM_MAX_PMCS)];
	if (pos >= perfmon_pmu.nr_pmcs)
		return -1;
	return array_index_nospec(pos, PERFMON_ARCH_MAX_PMCS);
}

static inline int perfmon_pmd_position(unsigned int num)
{
	unsigned int pos;

	if (num >= PFM_MAX_PMDS)
		return -1;
	pos = perfmon_pmu.pmd_pos[array_index_nospec(num, PFM_MAX_PMDS)];
	if (pos >= perfmon_pmu.nr_pmds)
		return -1;
	return array_index_nospec(pos, PERFMON_ARCH_MAX_PMDS);
}

/*
 * Implemented by the architecture.
 */

/*
 * Detect the processor and fill perfmon_pmu.
 * Return: 0, or -ENODEV if the CPU is not supported.
 */
int perfmon_arch_init(void);

/* Undo perfmon_arch_init(). */
void perfmon_arch_exit(void);

/* Kind of core @i, from 0 on; NULL if there are no more.  Most processors have none. */
const struct perfmon_kind *perfmon_arch_kind(unsigned int i);

/* Mask with the kind of an online CPU; 0 if it has none. */
unsigned int perfmon_arch_cpu_kinds(unsigned int cpu);

/*
 * Nanoseconds during which @set counted on CPUs of a kind; up to now if @live, which says
 * that the set is on this CPU.  0 unless it has, or had, PMCs for one kind only.
 */
u64 perfmon_arch_kind_ns(struct perfmon_arch_set *set, unsigned int kind,
			 bool live);

/* Handle a word of perfmon= on the command line; false if it is unknown. */
bool perfmon_arch_option(const char *word);

/*
 * Reserve the hardware for perfmon; may sleep.  From then on each overflow interrupt
 * calls @ihandler with the interrupted instruction pointer; get_irq_regs() returns all
 * registers.
 * Return: NULL, or the name of its present owner.
 */
const char *perfmon_arch_acquire(void (*ihandler)(unsigned long ip));
void perfmon_arch_release(void);

/* Can counters interrupt?  Can the interrupt be an NMI? */
bool perfmon_arch_interrupts_exist(void);
bool perfmon_arch_has_nmi(void);

/*
 * Prepare for sets with perfmon_arch_choose_nmi(); may sleep.  From then on each of their
 * NMIs calls @nhandler.  @regs: interrupted registers if interrupts were off there, else
 * NULL; @id: perfmon_arch_id() of the set.
 * Return: 0 or an error.
 */
typedef void (*perfmon_nhandler_t)(struct pt_regs *regs, u64 id, bool stack);
int perfmon_arch_use_nmi(perfmon_nhandler_t nhandler);

/*
 * Claim registers of type PERFMON_REG_CLAIM for a session; may sleep.  They have samples
 * of their own, for which they interrupt by NMIs: @nhandler is as above.
 * Return: 0; -EBUSY: another user of the kernel has them; or another error.
 */
int perfmon_arch_claim(perfmon_nhandler_t nhandler);
void perfmon_arch_unclaim(void);

/*
 * Has a set that is held a sample of these registers?  It is taken then: its registers
 * are the values of PMDs, without physical addresses unless @physical; @period is filled.
 * Return: position of the PMD that has overflowed by it, or PERFMON_NO_REG.
 */
unsigned int perfmon_arch_take_sample(struct perfmon_arch_set *set,
				      bool physical, u64 *period);

/**
 * struct perfmon_sink - where perfmon_arch_records() sends records
 * @record: takes one, which it may change
 * @kernel: the session may see the kernel
 * @physical: it may see physical addresses
 */
struct perfmon_sink {
	void (*record)(struct perfmon_sink *sink, struct pfm_hw_record *hw);
	bool kernel;
	bool physical;
};

/*
 * Send all records of a set that is held, or was just stopped, in the order of their
 * times; they are taken then.
 *
 * Context: interrupts off.
 */
void perfmon_arch_records(struct perfmon_arch_set *set,
			  struct perfmon_sink *sink);

/*
 * PMDs, by position, that a value of perfmon_pmu.records_pmc lets make records.  Their
 * values are negative: so many events are between two records.
 */
unsigned long perfmon_arch_record_pmds(u64 enable);
bool perfmon_arch_record_fits(u64 value);

/*
 * Of a set that is built, and on no CPU: the value that a PMD gets after a record; others
 * than the ones that fit mean as many events as possible.
 */
void perfmon_arch_set_records(struct perfmon_arch_set *set, unsigned int pmd,
			      u64 value);

/* Likewise: the blocks that the format stores (PFM_PRECISE_SMPL_*). */
void perfmon_arch_choose_blocks(struct perfmon_arch_set *set, u32 blocks);

/*
 * Implemented by the core, for sets that make records.  perfmon_records_left(): the set
 * was stopped, and its records have to be taken at once.  Return: the session must have
 * an interrupt before they are made again.  perfmon_records_wanted(): the number that
 * finds room and is wanted at once, 0 if there is no room.
 *
 * Context: interrupts off, on the target.
 */
bool perfmon_records_left(struct perfmon_arch_set *set);
u32 perfmon_records_wanted(void);

/*
 * PFM_PRECISE_SMPL_* blocks that records of this processor can have, and what makes them
 * (PFM_PRECISE_SMPL_HW_*).
 */
u32 perfmon_arch_record_blocks(void);
u32 perfmon_arch_record_hw(void);

/*
 * Format of the records of Intel's PEBS, and the counters that can make them.
 * Return: false if there is none.
 */
bool perfmon_arch_pebs(unsigned int *format, u64 *counters);

/* Entries of the largest stack of branches. */
#define PERFMON_BRANCHES	32

/*
 * Entries of the stack of branches, 0 if there is none; filled are the bits of its PMC that
 * can be chosen, and the known properties of a branch (PFM_PRECISE_SMPL_BR_*).
 */
unsigned int perfmon_arch_branch_records(u64 *kinds, u64 *info);

/*
 * The last branches of a set that is held, newest first; at most as many as the stack has
 * entries.  Return: their number.
 *
 * Context: interrupts off, on the target.
 */
unsigned int perfmon_arch_branches(const struct perfmon_arch_set *set,
				   struct pfm_precise_smpl_branch *branches);

/* What instruction-based sampling can do, as CPUID says; 0: there is none. */
u32 perfmon_arch_ibs_caps(void);

/*
 * Offer the reserved hardware: another user that asks gets it at once.
 * perfmon_arch_retain() ends the offer and returns whether the hardware is still
 * reserved, untouched and with @ihandler.  Both may sleep.
 */
void perfmon_arch_offer(void);
bool perfmon_arch_retain(void);

/* Jiffies to wait before the next perfmon_arch_acquire(); may sleep. */
unsigned long perfmon_arch_rest(void);

/*
 * May every program read counters without opening an event?  None may while the hardware
 * is reserved.
 */
bool perfmon_arch_all_read(void);

/* Name of the present owner of the hardware, or "none"; may sleep. */
const char *perfmon_arch_owner(void);

/*
 * Look for registers of the PMU that other software has written, and describe the first
 * in a line of at most @size bytes.  Context: may sleep.
 */
void perfmon_arch_verify(char *text, size_t size);

/*
 * May this value, which has its reserved bits forced, be written to a PMC of
 * type PERFMON_REG_WC?  Return: 0, or -EINVAL.
 */
int perfmon_arch_check_pmc(const struct perfmon_reg *reg, u64 value);

/*
 * Build the control of @set from PMC values (by position), the written PMCs and the used
 * PMDs.  Decides for each used PMD whether it counts, and makes those in @ictrs interrupt
 * at an overflow if they can.  The set is on no CPU; the sums of the new elements are
 * undefined.
 */
void perfmon_arch_build(struct perfmon_arch_set *set, const u64 *pmcs,
			const unsigned long *used_pmcs,
			const unsigned long *used_pmds,
			const unsigned long *ictrs, bool system_wide);

/*
 * Call chains, innermost first: at most @max addresses, at least one; flags of
 * <uapi/linux/perfmon_stacks_smpl.h> are added.  Return: their number.
 *
 * Context: hard interrupt or NMI.
 */
unsigned int perfmon_arch_kernel_stack(struct pt_regs *regs, u64 *ips,
				       unsigned int max, u16 *flags);
unsigned int perfmon_arch_user_stack(struct pt_regs *regs, u64 *ips,
				     unsigned int max, u16 *flags);

/* Fill a struct pfm_precise_smpl_gprs.  Context: any. */
void perfmon_arch_gprs(const struct pt_regs *regs, u64 *gprs);

/*
 * Copy the registers of a program and at most @max bytes of its stack.  Return: bytes of
 * both, 0 if they are unknown.  Context: likewise.
 */
unsigned int perfmon_arch_user_copy(struct pt_regs *regs,
				    struct pfm_stacks_smpl_copy *to, u32 max);

#endif /* _LINUX_PERFMON_PMU_H */
