/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Event sets: each is a private copy of all registers, in one session.
 *
 * perfmon_session.lock protects a set.  Fields that are marked hot, the values
 * and the counters follow the rule of hot fields, see session.h.
 */
#ifndef _KERNEL_PERFMON_SET_H
#define _KERNEL_PERFMON_SET_H

#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/list.h>
#include <linux/perfmon_pmu.h>
#include <linux/rbtree.h>
#include <linux/types.h>

#include "smpl/rate.h"

struct perfmon_account;

struct perfmon_session;

/* A set of PMDs by position fits in one word, which is cheaper than a bitmap. */
static_assert(PERFMON_ARCH_MAX_PMDS <= BITS_PER_LONG);

/* Move the first position from the word @left to @pos; false if none is left. */
static __always_inline bool perfmon_next_pmd(unsigned long *left,
					     unsigned int *pos)
{
	if (!*left)
		return false;
	*pos = __ffs(*left);
	*left &= *left - 1;
	return true;
}

/**
 * struct perfmon_pmd_attr - sampling attributes of a PMD, most PMDs have none
 *
 * @long_reset: loaded at a restart
 * @short_reset: loaded at an overflow that does not mask the session
 * @random_mask: bits of a random number to subtract from a reset value
 * @rate: wanted rate of samples; hot
 * @eventid: chosen by the user, passed to the sampling format
 * @swcnt: overflows before a set switch
 * @swcnt_rest: overflows that remain until the switch; hot
 * @smpl: PMDs to record in samples, by position
 * @reset: PMDs to reset together with this one, by position
 */
struct perfmon_pmd_attr {
	u64 long_reset;
	u64 short_reset;
	u64 random_mask;
	struct perfmon_rate rate;
	u64 eventid;
	u64 swcnt;
	u64 swcnt_rest;
	DECLARE_BITMAP(smpl, PERFMON_ARCH_MAX_PMDS);
	DECLARE_BITMAP(reset, PERFMON_ARCH_MAX_PMDS);
};

/**
 * struct perfmon_pmd - software state of a data register
 * @at: pointer to the 64-bit value: in the low-level state while the PMD counts, else
 *	@value
 * @value: @at points here while the PMD does not count
 * @last: value that a write or a reset loaded last
 * @flags: PFM_REGFL_*
 * @doubled: how often the period that it was loaded with had been doubled (rate.h)
 * @repeat: further periods that had ended at its last overflow (pmd.c)
 * @plain: the short reset value, if it is negative, loaded unchanged, and fits in 31 bits
 *	and a sign; else 0
 * @attr: NULL until it is written with attributes that are not all 0
 */
struct perfmon_pmd {
	u64 *at;
	u64 value;
	u64 last;
	u16 flags;
	u8 doubled;
	u8 repeat;
	s32 plain;
	struct perfmon_pmd_attr *attr;
};

/**
 * struct perfmon_set - an event set: a private copy of all registers
 * @arch: counters and control of the PMDs that count
 * @node: in perfmon_session.sets, ascending @id
 * @by_id: in perfmon_session.sets_by_id
 * @id: chosen by the user; set 0 always exists
 * @flags: PFM_SETFL_*
 * @timeout: ns, for time switching
 * @left: ns until @timeout is over, as of the last pause; hot
 * @runs: number of activations; hot
 * @duration: ns during which the set counted, up to the last fold; hot
 * @builds: how often @arch was built
 * @dirty: registers have changed since @arch was built from them
 * @borrows: uses the attributes of another set, which frees them
 * @used_pmcs: PMCs that were written
 * @used_pmds: PMDs that were written or named in a mask
 * @no64: PMCs with PFM_REGFL_NO_EMUL64
 * @some_no64: @no64 is not empty
 * @ictrs: PMDs whose counter in @arch can interrupt
 * @armed: PMDs that interrupt and have a negative value; when it becomes non-negative,
 *	the 64-bit counter has overflowed; hot
 * @ovfl_pmds: PMDs of the most recent 64-bit overflow; hot
 * @reset_pmds: PMDs that the reset after it will load; hot
 * @ended: for a set of a family's root: counts of parts that have ended, and the control
 *	that new parts copy; NULL before the first attachment (family/family.h)
 * @late: likewise, for parts that ended after the present walk had passed them
 * @pmcs: PMC values by position
 * @pmds: PMDs by position
 */
struct perfmon_set {
	struct perfmon_arch_set arch;
	struct list_head node;
	struct rb_node by_id;
	u16 id;
	u32 flags;
	u64 timeout;
	u64 left;
	u64 runs;
	u64 duration;
	u32 builds;
	bool dirty;
	bool borrows;
	bool some_no64;
	DECLARE_BITMAP(used_pmcs, PERFMON_ARCH_MAX_PMCS);
	DECLARE_BITMAP(used_pmds, PERFMON_ARCH_MAX_PMDS);
	DECLARE_BITMAP(no64, PERFMON_ARCH_MAX_PMCS);
	DECLARE_BITMAP(ictrs, PERFMON_ARCH_MAX_PMDS);
	DECLARE_BITMAP(armed, PERFMON_ARCH_MAX_PMDS);
	DECLARE_BITMAP(ovfl_pmds, PERFMON_ARCH_MAX_PMDS);
	DECLARE_BITMAP(reset_pmds, PERFMON_ARCH_MAX_PMDS);
	struct perfmon_set *ended;
	struct perfmon_set *late;
	u64 *pmcs;
	struct perfmon_pmd pmds[];
};

int perfmon_sets_init(void);
void perfmon_sets_exit(void);
struct perfmon_set *perfmon_set_alloc(u16 id);
struct perfmon_set *perfmon_set_alloc_charged(struct perfmon_account *account,
					      u16 id);
struct perfmon_set *perfmon_set_copy(const struct perfmon_set *from, gfp_t gfp);
void perfmon_set_follow(struct perfmon_set *to, const struct perfmon_set *from);
void perfmon_set_free(struct perfmon_set *set);
void perfmon_set_add(struct perfmon_session *s, struct perfmon_set *set);
struct perfmon_set *perfmon_set_find(struct perfmon_session *s, u16 id);
size_t perfmon_set_size(void);
size_t perfmon_set_bytes(const struct perfmon_set *set);
void perfmon_set_default_pmcs(struct perfmon_set *set);
void perfmon_set_remove(struct perfmon_session *s, struct perfmon_set *set);
void perfmon_set_build(const struct perfmon_session *s,
		       struct perfmon_set *set);

/* Does the PMC of a PMD forbid that it interrupts? */
static inline bool
perfmon_set_must_not_interrupt(const struct perfmon_set *set, unsigned int pos)
{
	const struct perfmon_reg *reg = &perfmon_pmu.pmds[pos];

	if (likely(!perfmon_pmu.some_no_int) || !(reg->type & PERFMON_REG_INTR))
		return false;
	return set->pmcs[reg->ctrl] & perfmon_pmu.pmcs[reg->ctrl].no_int;
}

#endif /* _KERNEL_PERFMON_SET_H */
