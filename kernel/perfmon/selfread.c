// SPDX-License-Identifier: GPL-2.0-only
/*
 * The short way of pfm_read_pmrs(): a thread reads a few PMDs of its own
 * session's active set.  Programs that measure pieces of themselves call it
 * most of all, so it copies nothing that it does not need and takes no lock.
 *
 * Whatever is unusual, an error included, is left to the long way (pmrs.c),
 * which begins anew: reading changes nothing.
 */
#include <linux/bitops.h>
#include <linux/uaccess.h>

#include "pmd.h"
#include "pmrs.h"
#include "target.h"

/* More are no longer dominated by what the call itself costs. */
#define MAX_SELFREAD	16

struct selfread {
	int n;
	u16 set;		/* that all elements name */
	u16 nums[MAX_SELFREAD];
	u64 values[MAX_SELFREAD];
};

/*
 * While user memory is open no array is indexed: UBSAN would call a function to
 * complain.
 */
static __always_inline bool selfread_fetch(struct selfread *r,
					   const struct pfarg_pmr __user *pmrs)
{
	const struct pfarg_pmr __user *end = pmrs + r->n;
	u16 first, set, differ = 0;
	u16 *num = r->nums;

	if (!user_read_access_begin(pmrs, r->n * sizeof(*pmrs)))
		return false;
	unsafe_get_user(first, &pmrs->reg_set, fault);
	for (; pmrs < end; pmrs++) {
		unsafe_get_user(*num++, &pmrs->reg_num, fault);
		unsafe_get_user(set, &pmrs->reg_set, fault);
		differ |= set ^ first;
	}
	user_read_access_end();
	r->set = first;
	return !differ;
fault:
	user_read_access_end();
	return false;
}

/*
 * A PMD that is used is one that the session may use, so its bit answers for
 * all checks of the number.
 */
static __always_inline bool selfread_values(struct selfread *r,
					    struct perfmon_session *s)
{
	struct perfmon_set *set = s->active;
	bool live = set == s->counting;
	int i, pos, n = r->n;

	if (set->id != r->set || set->some_no64)
		return false;
	for (i = 0; i < n; i++) {
		pos = perfmon_pmd_position(r->nums[i]);
		if (pos < 0 || !test_bit(pos, set->used_pmds))
			return false;
		r->values[i] = perfmon_pmd_present(set, pos, live);
	}
	return true;
}

static __always_inline bool selfread_store(const struct selfread *r,
					   struct pfarg_pmr __user *pmrs)
{
	const u64 *value = r->values, *end = value + r->n;

	if (!user_write_access_begin(pmrs, r->n * sizeof(*pmrs)))
		return false;
	for (; value < end; value++, pmrs++)
		unsafe_put_user(*value, &pmrs->reg_value, fault);
	user_write_access_end();
	return true;
fault:
	user_write_access_end();
	return false;
}

/**
 * perfmon_selfread - read PMDs of the running thread's own session
 * @s: session, not locked
 * @pmrs: vector of pfm_read_pmrs() without attributes
 * @n: its length
 *
 * Return: were all of them read?  If not, perhaps some values were stored.
 */
bool perfmon_selfread(struct perfmon_session *s, struct pfarg_pmr __user *pmrs,
		      int n)
{
	/* Only what was stored in it is looked at; clearing it would show. */
	struct selfread r __uninitialized;
	bool done;

	if (n <= 0 || n > MAX_SELFREAD)
		return false;
	r.n = n;
	if (!selfread_fetch(&r, pmrs) || !perfmon_self_begin(s))
		return false;
	done = selfread_values(&r, s);
	perfmon_self_end();
	return done && selfread_store(&r, pmrs);
}
