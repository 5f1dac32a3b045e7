// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which writes are legal for a session with PFM_FL_INHERIT.  Without a sampling
 * format, nothing may need an overflow interrupt, since parts do not wait for a
 * reader.  While the session is attached, the control and the attributes must
 * not change, since the parts have copies of them.
 *
 * Called once for each element of a write, with the session locked.
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
 * @value: value to be written
 * @attr: attributes to be written, or NULL
 *
 * Return: 0, -EINVAL or -EBUSY.
 */
int perfmon_family_check_pmd(const struct perfmon_session *s,
			     const struct perfmon_set *set, unsigned int pos,
			     u64 value, const struct pfarg_pmd_attr *attr)
{
	bool some_attr = attr && memchr_inv(attr, 0, sizeof(*attr));

	if (!s->fmt && ((s64)value < 0 || some_attr))
		return -EINVAL;
	/* Sets of a family do not switch by overflows, see sets.c. */
	if (attr && attr->reg_ovfl_swcnt)
		return -EINVAL;
	if (!perfmon_session_attached(s))
		return 0;
	/* The parts have copied the attributes, and which PMDs interrupt. */
	if ((s64)value < 0 || some_attr || test_bit(pos, set->ictrs))
		return -EBUSY;
	/* A new PMD would have to be added to the counters of all parts. */
	return test_bit(pos, set->used_pmds) ? 0 : -EBUSY;
}
