// SPDX-License-Identifier: GPL-2.0-only
/*
 * The layout that programs depend on: size of each structure of
 * <uapi/linux/perfmon.h> and <uapi/linux/perfmon_dfl_smpl.h>, offset and size of
 * each of their fields.  It is the same for 32- and 64-bit kernels, which is
 * why a 32-bit program needs no translation.  This file has no code; a change
 * of the layout fails its compilation.
 */
#include <linux/build_bug.h>
#include <linux/stddef.h>
#include <uapi/linux/perfmon.h>
#include <uapi/linux/perfmon_dfl_smpl.h>

#define SIZE(type, size) static_assert(sizeof(type) == (size))
#define FIELD(type, field, offset, size)			\
	static_assert(offsetof(type, field) == (offset) &&	\
		      sizeof_field(type, field) == (size))

SIZE(struct pfarg_pmr, 16);
FIELD(struct pfarg_pmr, reg_num, 0, 2);
FIELD(struct pfarg_pmr, reg_set, 2, 2);
FIELD(struct pfarg_pmr, reg_flags, 4, 4);
FIELD(struct pfarg_pmr, reg_value, 8, 8);

SIZE(struct pfarg_pmd_attr, 192);
FIELD(struct pfarg_pmd_attr, reg_long_reset, 0, 8);
FIELD(struct pfarg_pmd_attr, reg_short_reset, 8, 8);
FIELD(struct pfarg_pmd_attr, reg_random_mask, 16, 8);
FIELD(struct pfarg_pmd_attr, reg_smpl_pmds, 24, 40);
FIELD(struct pfarg_pmd_attr, reg_reset_pmds, 64, 40);
FIELD(struct pfarg_pmd_attr, reg_ovfl_swcnt, 104, 8);
FIELD(struct pfarg_pmd_attr, reg_smpl_eventid, 112, 8);
FIELD(struct pfarg_pmd_attr, reg_last_value, 120, 8);
FIELD(struct pfarg_pmd_attr, reg_reserved, 128, 64);

SIZE(struct pfarg_setdesc, 64);
FIELD(struct pfarg_setdesc, set_id, 0, 2);
FIELD(struct pfarg_setdesc, set_reserved1, 2, 2);
FIELD(struct pfarg_setdesc, set_flags, 4, 4);
FIELD(struct pfarg_setdesc, set_timeout, 8, 8);
FIELD(struct pfarg_setdesc, reserved, 16, 48);

SIZE(struct pfarg_setinfo, 200);
FIELD(struct pfarg_setinfo, set_id, 0, 2);
FIELD(struct pfarg_setinfo, set_reserved1, 2, 2);
FIELD(struct pfarg_setinfo, set_flags, 4, 4);
FIELD(struct pfarg_setinfo, set_ovfl_pmds, 8, 40);
FIELD(struct pfarg_setinfo, set_runs, 48, 8);
FIELD(struct pfarg_setinfo, set_timeout, 56, 8);
FIELD(struct pfarg_setinfo, set_act_duration, 64, 8);
FIELD(struct pfarg_setinfo, set_avail_pmcs, 72, 40);
FIELD(struct pfarg_setinfo, set_avail_pmds, 112, 40);
FIELD(struct pfarg_setinfo, set_reserved3, 152, 48);

SIZE(struct pfarg_ovfl_msg, 64);
FIELD(struct pfarg_ovfl_msg, msg_type, 0, 4);
FIELD(struct pfarg_ovfl_msg, msg_ovfl_pid, 4, 4);
FIELD(struct pfarg_ovfl_msg, msg_active_set, 8, 2);
FIELD(struct pfarg_ovfl_msg, msg_ovfl_cpu, 10, 2);
FIELD(struct pfarg_ovfl_msg, msg_ovfl_tid, 12, 4);
FIELD(struct pfarg_ovfl_msg, msg_ovfl_ip, 16, 8);
FIELD(struct pfarg_ovfl_msg, msg_ovfl_pmds, 24, 40);

SIZE(union pfarg_msg, 64);
FIELD(union pfarg_msg, type, 0, 4);
FIELD(union pfarg_msg, pfm_ovfl_msg, 0, 64);

SIZE(struct pfm_dfl_smpl_arg, 64);
FIELD(struct pfm_dfl_smpl_arg, buf_size, 0, 8);
FIELD(struct pfm_dfl_smpl_arg, buf_flags, 8, 4);
FIELD(struct pfm_dfl_smpl_arg, reserved1, 12, 4);
FIELD(struct pfm_dfl_smpl_arg, reserved, 16, 48);

SIZE(struct pfm_dfl_smpl_hdr, 128);
FIELD(struct pfm_dfl_smpl_hdr, hdr_count, 0, 8);
FIELD(struct pfm_dfl_smpl_hdr, hdr_cur_offs, 8, 8);
FIELD(struct pfm_dfl_smpl_hdr, hdr_overflows, 16, 8);
FIELD(struct pfm_dfl_smpl_hdr, hdr_buf_size, 24, 8);
FIELD(struct pfm_dfl_smpl_hdr, hdr_min_buf_space, 32, 8);
FIELD(struct pfm_dfl_smpl_hdr, hdr_version, 40, 4);
FIELD(struct pfm_dfl_smpl_hdr, hdr_buf_flags, 44, 4);
FIELD(struct pfm_dfl_smpl_hdr, hdr_reserved, 48, 80);

SIZE(struct pfm_dfl_smpl_entry, 40);
FIELD(struct pfm_dfl_smpl_entry, pid, 0, 4);
FIELD(struct pfm_dfl_smpl_entry, ovfl_pmd, 4, 2);
FIELD(struct pfm_dfl_smpl_entry, reserved, 6, 2);
FIELD(struct pfm_dfl_smpl_entry, last_reset_val, 8, 8);
FIELD(struct pfm_dfl_smpl_entry, ip, 16, 8);
FIELD(struct pfm_dfl_smpl_entry, tstamp, 24, 8);
FIELD(struct pfm_dfl_smpl_entry, cpu, 32, 2);
FIELD(struct pfm_dfl_smpl_entry, set, 34, 2);
FIELD(struct pfm_dfl_smpl_entry, tgid, 36, 4);
