// SPDX-License-Identifier: GPL-2.0-only
/*
 * What may be written to a session with PFM_FL_INHERIT: nothing that needs an
 * overflow interrupt, which a part cannot take; and while it is attached, nothing
 * that changes the control, which the parts have copies of.
 *
 * Called for one element of a write after another, with the session locked.
 */
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/string.h>

#include "family.h"

/**
 * perfmon_family_check_pmc - check a PMC
 * @s: root
 * @flags: PFM_REGFL_* of the element
 *
 * Return: 0, -EINVAL or -EBUSY.
 */
int perfmon_family_check_pmc(const struct perfmon_session *s, u32 flags)
{
	if (flags & PFM_REGFL_NO_EMUL64)
		return -EINVAL;
	return perfmon_session_attached(s) ? -EBUSY : 0;
}

/**
 * perfmon_family_check_pmd - check a PMD
 * @s: root
 * @set: its set
 * @pos: position of the PMD
 * @value: is to be its value
 * @attr: are to be its attributes, or NULL
 *
 * Return: 0, -EINVAL or -EBUSY.
 */
int perfmon_family_check_pmd(const struct perfmon_session *s,
			     const struct perfmon_set *set, unsigned int pos,
			     u64 value, const struct pfarg_pmd_attr *attr)
{
	if ((s64)value < 0 || (attr && memchr_inv(attr, 0, sizeof(*attr))))
		return -EINVAL;
	/* Its counter would have to join those of all parts. */
	if (perfmon_session_attached(s) && !test_bit(pos, set->used_pmds))
		return -EBUSY;
	return 0;
}
