// SPDX-License-Identifier: GPL-2.0-only
/*
 * The sampling format "default": a header and entries of variable size, one
 * for each overflow, until the buffer is full; then monitoring is masked and
 * the owner notified.  Of a buffer in halves the other one is filled meanwhile
 * (space.h).  The layout is an ABI (<uapi/linux/perfmon_dfl_smpl.h>).
 *
 * Programs read the buffer while the session is masked, stopped or detached.
 * The counts in the header are changed after the entry that they cover.
 */
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/perfmon_fmt.h>
#include <linux/string.h>
#include <uapi/linux/perfmon_dfl_smpl.h>

#include "smpl.h"
#include "space.h"

/* An entry with all PMDs that the session may use. */
static u64 dfl_largest_entry(unsigned int nr_pmds)
{
	return sizeof(struct pfm_dfl_smpl_entry) + nr_pmds * sizeof(u64);
}

static int dfl_validate(u32 session_flags, unsigned int nr_pmds,
			const void *data)
{
	const struct pfm_dfl_smpl_arg *arg = data;

	if (arg->buf_mode & ~PFM_DFL_SMPL_HALVES ||
	    memchr_inv(arg->reserved, 0, sizeof(arg->reserved)))
		return -EINVAL;
	return perfmon_space_validate(session_flags, arg->buf_size,
				      dfl_largest_entry(nr_pmds),
				      arg->buf_mode & PFM_DFL_SMPL_HALVES);
}

static int dfl_getsize(u32 session_flags, const void *data, size_t *size)
{
	const struct pfm_dfl_smpl_arg *arg = data;

	*size = arg->buf_size;
	return 0;
}

static int dfl_init(void *buf, u32 session_flags, unsigned int nr_pmds,
		    const void *data)
{
	const struct pfm_dfl_smpl_arg *arg = data;
	struct pfm_dfl_smpl_hdr *hdr = buf;

	perfmon_space_init(buf, arg->buf_size, dfl_largest_entry(nr_pmds),
			   arg->buf_mode & PFM_DFL_SMPL_HALVES);
	hdr->hdr_version = PFM_DFL_SMPL_VERSION;
	hdr->hdr_buf_flags = arg->buf_flags;
	return 0;
}

#define SAME_PLACE(field, member)					\
	static_assert(offsetof(struct pfm_dfl_smpl_entry, field) ==	\
		      offsetof(struct pfm_ovfl_arg, member))

/* An entry is copied from the overflow. */
SAME_PLACE(pid, pid);
SAME_PLACE(ovfl_pmd, ovfl_pmd);
SAME_PLACE(doubled, doubled);
SAME_PLACE(repeat, repeat);
SAME_PLACE(last_reset_val, last_value);
SAME_PLACE(ip, ip);
SAME_PLACE(tstamp, tstamp);
SAME_PLACE(cpu, cpu);
SAME_PLACE(set, set);
SAME_PLACE(tgid, tgid);

static int dfl_handler(void *buf, const struct pfm_ovfl_arg *ovfl, u32 *ctrl)
{
	const u64 *from = ovfl->smpl_values;
	unsigned int left = ovfl->nr_values;
	struct pfm_dfl_smpl_hdr *hdr = buf;
	struct pfm_dfl_smpl_entry *entry;
	u64 *values;

	if (perfmon_space_is_full(buf))
		return perfmon_space_overrun(buf, ctrl);

	entry = buf + hdr->hdr_cur_offs;
	*entry = *(const struct pfm_dfl_smpl_entry *)ovfl;
	values = (u64 *)(entry + 1);
	for (; left; left--)
		*values++ = *from++;
	barrier();
	hdr->hdr_cur_offs = (void *)values - buf;
	hdr->hdr_count++;

	/* Notify for the sample that fills the buffer, not for the first that is lost. */
	if (perfmon_space_is_full(buf))
		return perfmon_space_filled(buf, ctrl);
	*ctrl = PFM_OVFL_CTRL_RESET;
	return 0;
}

static struct pfm_smpl_fmt dfl_format = {
	.name = "default",
	.version = PFM_DFL_SMPL_VERSION,
	.arg_size = sizeof(struct pfm_dfl_smpl_arg),
	.flags = PFM_FMTFL_BUILTIN | PFM_FMTFL_CPUS,
	.validate = dfl_validate,
	.getsize = dfl_getsize,
	.init = dfl_init,
	.handler = dfl_handler,
	.restart = perfmon_space_restart,
	.release = perfmon_space_release,
};

static int __init dfl_register(void)
{
	return pfm_register_smpl_fmt(&dfl_format);
}
subsys_initcall(dfl_register);

/** perfmon_dfl_exit - undo dfl_register(); no session is left */
void __init perfmon_dfl_exit(void)
{
	pfm_unregister_smpl_fmt(&dfl_format);
}
