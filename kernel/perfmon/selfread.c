// SPDX-License-Identifier: GPL-2.0-only
/*
 * The fast path of pfm_read_pmrs(): a thread reads a few PMDs of its own
 * session's active set.  Programs that measure short pieces of code mostly make
 * this call, so it copies only necessary data and takes no lock.
 *
 * All unusual cases, errors included, are left to the long path (pmrs.c), which
 * starts from the beginning: a read changes nothing, so it can be repeated.
 */
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/nospec.h>
#include <linux/stddef.h>
#include <linux/uaccess.h>

#include "pmd.h"
#include "pmrs.h"
#include "target.h"

/* Most elements; with more, the cost of the call itself matters little. */
#define MAX_SELFREAD	16

/* Register and set are compared together, as one 32-bit word in this order. */
static_assert(offsetof(struct pfarg_pmr, reg_num) == 0 &&
	      offsetof(struct pfarg_pmr, reg_set) == sizeof(u16));

#define SELFREAD_ID(num, set)	((u32)(set) << 16 | (num))

/*
 * Value of a PMD without a counter of the low-level state: the TSC, a register that the
 * last sample has filled, a counter that makes records, or a PMD that does not count.
 */
static __always_inline u64 selfread_other(struct perfmon_set *set,
					  unsigned int pos,
					  unsigned int element, bool live)
{
	const struct perfmon_pmd *pmd = set->pmds + pos;

	if (element != PERFMON_TSC_ELEMENT) {
		if (element >= PERFMON_IBS_ELEMENT || !live ||
		    !set->arch.pebs.running)
			return *pmd->at;
		element -= PERFMON_PEBS_ELEMENT;
		return (s64)(s32)perfmon_arch_rdpmc(perfmon_pebs_rdpmc(element));
	}
	if (!live)
		return set->arch.tsc_sum;
	return set->arch.tsc_sum + (rdtsc() - set->arch.tsc_start);
}

/*
 * One pass from user memory to counters and back.  Interrupts are off, so a
 * page fault is left to the long path.  While user memory is open no function
 * may be called; so no array is indexed, where UBSAN would add calls, and
 * pointers are used instead.
 *
 * A PMD in used_pmds has passed all checks of its number when it was written; a
 * PMD with an element is in used_pmds.
 */
static __always_inline bool selfread_copy(struct perfmon_set *set, bool live,
					  bool peek,
					  struct pfarg_pmr __user *pmr, int n)
{
	const struct pfarg_pmr __user *end = pmr + n;
	const u32 first = SELFREAD_ID(0, set->id);
	const u8 *positions = perfmon_pmu.pmd_pos;
	unsigned int pos, element;
	u32 num;
	u64 value;

	if (!user_access_begin(pmr, n * sizeof(*pmr)))
		return false;
	for (; pmr < end; pmr++) {
		unsafe_get_user(num, (const u32 __user *)pmr, fault);
		/* Elements of another set give a number out of bounds here. */
		num -= first;
		if (num >= PFM_MAX_PMDS)
			goto fault;
		pos = *(positions + array_index_nospec(num, PFM_MAX_PMDS));
		if (pos == PERFMON_NO_REG)
			goto fault;
		element = *(set->arch.element + pos);
		if (likely(element < PERFCTR_MAX_COUNTERS))
			value = perfmon_arch_peek(&set->arch, element, peek);
		else if (test_bit(pos, set->used_pmds))
			value = selfread_other(set, pos, element, live);
		else
			goto fault;
		unsafe_put_user(value, &pmr->reg_value, fault);
	}
	user_access_end();
	return true;
fault:
	user_access_end();
	return false;
}

/**
 * perfmon_selfread - read PMDs of the running thread's own session
 * @s: session, not locked
 * @pmrs: vector of pfm_read_pmrs() without attributes
 * @n: its length
 *
 * Return: true if all were read; false if not, and some values may have been
 * stored.
 */
bool perfmon_selfread(struct perfmon_session *s, struct pfarg_pmr __user *pmrs,
		      int n)
{
	struct perfmon_set *set;
	bool live, peek, done = false;

	if (n <= 0 || n > MAX_SELFREAD || !perfmon_self_begin(s))
		return false;
	set = s->active;
	live = set == s->counting;
	peek = live && perfmon_arch_can_peek();
	if (live && !peek)
		perfmon_arch_sample(&set->arch);
	if (!set->some_no64 && !set->dirty) {
		pagefault_disable();
		/* Two loops, so that neither tests @peek for each element. */
		if (likely(peek))
			done = selfread_copy(set, true, true, pmrs, n);
		else
			done = selfread_copy(set, live, false, pmrs, n);
		pagefault_enable();
	}
	perfmon_self_end();
	return done;
}
