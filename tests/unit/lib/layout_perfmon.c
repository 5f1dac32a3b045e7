// SPDX-License-Identifier: GPL-2.0-only
/*
 * The layout of every structure that programs share with the library or the
 * kernel: what libpfm 3.10 and the kernels with perfmon 2 had, and v3.0. Binaries
 * depend on it. Only compiled, for each word size, by check-abi; where the word
 * size is not mentioned, the layout is the same for both.
 */
#include <perfmon/perfmon.h>
#include <perfmon/perfmon_dfl_smpl.h>
#include <perfmon/perfmon_pebs_smpl.h>
#include <stddef.h>

#ifdef __cplusplus
#define ASSERT static_assert
#else
#define ASSERT _Static_assert
#endif

#define SIZE(type, size) ASSERT(sizeof(type) == (size), #type)
#define FIELD(type, field, offset, size)                     \
	ASSERT(offsetof(type, field) == (offset) &&          \
		       sizeof(((type *)0)->field) == (size), \
	       #type "." #field)

/* v2.81 */

#ifndef PFM_HIDE_V281
SIZE(pfarg_ctx_t, 64);
FIELD(pfarg_ctx_t, ctx_flags, 0, 4);
FIELD(pfarg_ctx_t, ctx_reserved1, 4, 4);
FIELD(pfarg_ctx_t, ctx_reserved3, 8, 56);

SIZE(pfarg_pmc_t, 48);
FIELD(pfarg_pmc_t, reg_num, 0, 2);
FIELD(pfarg_pmc_t, reg_set, 2, 2);
FIELD(pfarg_pmc_t, reg_flags, 4, 4);
FIELD(pfarg_pmc_t, reg_value, 8, 8);
FIELD(pfarg_pmc_t, reg_reserved2, 16, 32);

SIZE(pfarg_pmd_t, 176);
FIELD(pfarg_pmd_t, reg_num, 0, 2);
FIELD(pfarg_pmd_t, reg_set, 2, 2);
FIELD(pfarg_pmd_t, reg_flags, 4, 4);
FIELD(pfarg_pmd_t, reg_value, 8, 8);
FIELD(pfarg_pmd_t, reg_long_reset, 16, 8);
FIELD(pfarg_pmd_t, reg_short_reset, 24, 8);
FIELD(pfarg_pmd_t, reg_last_reset_val, 32, 8);
FIELD(pfarg_pmd_t, reg_ovfl_switch_cnt, 40, 8);
FIELD(pfarg_pmd_t, reg_reset_pmds, 48, 40);
FIELD(pfarg_pmd_t, reg_smpl_pmds, 88, 40);
FIELD(pfarg_pmd_t, reg_smpl_eventid, 128, 8);
FIELD(pfarg_pmd_t, reg_random_mask, 136, 8);
FIELD(pfarg_pmd_t, reg_random_seed, 144, 4);
FIELD(pfarg_pmd_t, reg_reserved2, 148, 28);

SIZE(pfarg_start_t, 32);
FIELD(pfarg_start_t, start_set, 0, 2);
FIELD(pfarg_start_t, start_reserved1, 2, 2);
FIELD(pfarg_start_t, start_reserved2, 4, 4);
FIELD(pfarg_start_t, reserved3, 8, 24);

SIZE(pfarg_load_t, 32);
FIELD(pfarg_load_t, load_pid, 0, 4);
FIELD(pfarg_load_t, load_set, 4, 2);
FIELD(pfarg_load_t, load_reserved1, 6, 2);
FIELD(pfarg_load_t, load_reserved2, 8, 24);

#endif

/* In v3.0 as well; version 2.2 had others of these names. */

#ifdef PFMLIB_OLD_PFMV2
SIZE(pfarg_setdesc_t, 64);
FIELD(pfarg_setdesc_t, set_id, 0, 2);
FIELD(pfarg_setdesc_t, set_id_next, 2, 2);
FIELD(pfarg_setdesc_t, set_flags, 4, 4);
FIELD(pfarg_setdesc_t, set_timeout, 8, 8);
FIELD(pfarg_setdesc_t, set_mmap_offset, 16, 8);
FIELD(pfarg_setdesc_t, reserved, 24, 40);

SIZE(pfarg_setinfo_t, 192);
FIELD(pfarg_setinfo_t, set_id, 0, 2);
FIELD(pfarg_setinfo_t, set_id_next, 2, 2);
FIELD(pfarg_setinfo_t, set_flags, 4, 4);
FIELD(pfarg_setinfo_t, set_ovfl_pmds, 8, 40);
FIELD(pfarg_setinfo_t, set_runs, 48, 8);
FIELD(pfarg_setinfo_t, set_timeout, 56, 8);
FIELD(pfarg_setinfo_t, set_act_duration, 64, 8);
FIELD(pfarg_setinfo_t, set_mmap_offset, 72, 8);
FIELD(pfarg_setinfo_t, set_avail_pmcs, 80, 40);
FIELD(pfarg_setinfo_t, set_avail_pmds, 120, 40);
FIELD(pfarg_setinfo_t, reserved, 160, 32);

SIZE(pfarg_ovfl_msg_t, 56);
FIELD(pfarg_ovfl_msg_t, msg_type, 0, 4);
FIELD(pfarg_ovfl_msg_t, msg_ovfl_pid, 4, 4);
FIELD(pfarg_ovfl_msg_t, msg_ovfl_pmds, 8, 32);
FIELD(pfarg_ovfl_msg_t, msg_active_set, 40, 2);
FIELD(pfarg_ovfl_msg_t, msg_ovfl_cpu, 42, 2);
FIELD(pfarg_ovfl_msg_t, msg_ovfl_tid, 44, 4);
FIELD(pfarg_ovfl_msg_t, msg_ovfl_ip, 48, 8);

SIZE(pfarg_msg_t, 56);
FIELD(pfarg_msg_t, type, 0, 4);
FIELD(pfarg_msg_t, pfm_ovfl_msg, 0, 56);

#else
SIZE(pfarg_setdesc_t, 64);
FIELD(pfarg_setdesc_t, set_id, 0, 2);
FIELD(pfarg_setdesc_t, set_reserved1, 2, 2);
FIELD(pfarg_setdesc_t, set_flags, 4, 4);
FIELD(pfarg_setdesc_t, set_timeout, 8, 8);
FIELD(pfarg_setdesc_t, reserved, 16, 48);

SIZE(pfarg_setinfo_t, 200);
FIELD(pfarg_setinfo_t, set_id, 0, 2);
FIELD(pfarg_setinfo_t, set_reserved1, 2, 2);
FIELD(pfarg_setinfo_t, set_flags, 4, 4);
FIELD(pfarg_setinfo_t, set_ovfl_pmds, 8, 40);
FIELD(pfarg_setinfo_t, set_runs, 48, 8);
FIELD(pfarg_setinfo_t, set_timeout, 56, 8);
FIELD(pfarg_setinfo_t, set_act_duration, 64, 8);
FIELD(pfarg_setinfo_t, set_avail_pmcs, 72, 40);
FIELD(pfarg_setinfo_t, set_avail_pmds, 112, 40);
FIELD(pfarg_setinfo_t, set_reserved3, 152, 48);

SIZE(pfarg_ovfl_msg_t, 64);
FIELD(pfarg_ovfl_msg_t, msg_type, 0, 4);
FIELD(pfarg_ovfl_msg_t, msg_ovfl_pid, 4, 4);
FIELD(pfarg_ovfl_msg_t, msg_active_set, 8, 2);
FIELD(pfarg_ovfl_msg_t, msg_ovfl_cpu, 10, 2);
FIELD(pfarg_ovfl_msg_t, msg_ovfl_tid, 12, 4);
FIELD(pfarg_ovfl_msg_t, msg_ovfl_ip, 16, 8);
FIELD(pfarg_ovfl_msg_t, msg_ovfl_pmds, 24, 40);

SIZE(pfarg_msg_t, 64);
FIELD(pfarg_msg_t, type, 0, 4);
FIELD(pfarg_msg_t, pfm_ovfl_msg, 0, 64);

#endif

/* v3.0 and its draft */

#ifndef PFM_HIDE_V30
SIZE(pfarg_pmr_t, 16);
FIELD(pfarg_pmr_t, reg_num, 0, 2);
FIELD(pfarg_pmr_t, reg_set, 2, 2);
FIELD(pfarg_pmr_t, reg_flags, 4, 4);
FIELD(pfarg_pmr_t, reg_value, 8, 8);

SIZE(pfarg_pmd_attr_t, 192);
FIELD(pfarg_pmd_attr_t, reg_long_reset, 0, 8);
FIELD(pfarg_pmd_attr_t, reg_short_reset, 8, 8);
FIELD(pfarg_pmd_attr_t, reg_random_mask, 16, 8);
FIELD(pfarg_pmd_attr_t, reg_smpl_pmds, 24, 40);
FIELD(pfarg_pmd_attr_t, reg_reset_pmds, 64, 40);
FIELD(pfarg_pmd_attr_t, reg_ovfl_swcnt, 104, 8);
FIELD(pfarg_pmd_attr_t, reg_smpl_eventid, 112, 8);
FIELD(pfarg_pmd_attr_t, reg_last_value, 120, 8);
FIELD(pfarg_pmd_attr_t, reg_smpl_rate, 128, 4);
FIELD(pfarg_pmd_attr_t, reg_smpl_doubled, 132, 4);
FIELD(pfarg_pmd_attr_t, reg_random_seed, 136, 8);
FIELD(pfarg_pmd_attr_t, reg_reserved, 144, 48);

SIZE(pfarg_sinfo_t, 112);
FIELD(pfarg_sinfo_t, sif_avail_pmcs, 0, 40);
FIELD(pfarg_sinfo_t, sif_avail_pmds, 40, 40);
FIELD(pfarg_sinfo_t, sif_reserved, 80, 32);

SIZE(pfarg_draft_pmd_attr_t, 208);
FIELD(pfarg_draft_pmd_attr_t, reg_num, 0, 2);
FIELD(pfarg_draft_pmd_attr_t, reg_set, 2, 2);
FIELD(pfarg_draft_pmd_attr_t, reg_flags, 4, 4);
FIELD(pfarg_draft_pmd_attr_t, reg_value, 8, 8);
FIELD(pfarg_draft_pmd_attr_t, reg_long_reset, 16, 8);
FIELD(pfarg_draft_pmd_attr_t, reg_short_reset, 24, 8);
FIELD(pfarg_draft_pmd_attr_t, reg_random_mask, 32, 8);
FIELD(pfarg_draft_pmd_attr_t, reg_smpl_pmds, 40, 40);
FIELD(pfarg_draft_pmd_attr_t, reg_reset_pmds, 80, 40);
FIELD(pfarg_draft_pmd_attr_t, reg_ovfl_swcnt, 120, 8);
FIELD(pfarg_draft_pmd_attr_t, reg_smpl_eventid, 128, 8);
FIELD(pfarg_draft_pmd_attr_t, reg_last_value, 136, 8);
FIELD(pfarg_draft_pmd_attr_t, reg_reserved, 144, 64);

SIZE(pfarg_set_desc_t, 64);
FIELD(pfarg_set_desc_t, set_id, 0, 2);
FIELD(pfarg_set_desc_t, set_reserved1, 2, 2);
FIELD(pfarg_set_desc_t, set_flags, 4, 4);
FIELD(pfarg_set_desc_t, set_timeout, 8, 8);
FIELD(pfarg_set_desc_t, reserved, 16, 48);

SIZE(pfarg_set_info_t, 104);
FIELD(pfarg_set_info_t, set_id, 0, 2);
FIELD(pfarg_set_info_t, set_reserved1, 2, 2);
FIELD(pfarg_set_info_t, set_reserved2, 4, 4);
FIELD(pfarg_set_info_t, set_ovfl_pmds, 8, 40);
FIELD(pfarg_set_info_t, set_runs, 48, 8);
FIELD(pfarg_set_info_t, set_timeout, 56, 8);
FIELD(pfarg_set_info_t, set_duration, 64, 8);
FIELD(pfarg_set_info_t, set_reserved3, 72, 32);

#endif

/* Sampling formats */

SIZE(struct pfm_dfl_smpl_arg, 64);
FIELD(struct pfm_dfl_smpl_arg, reserved, 16, 48);
SIZE(pfm_dfl_smpl_arg_t, 64);
FIELD(pfm_dfl_smpl_arg_t, buf_size, 0, 8);
FIELD(pfm_dfl_smpl_arg_t, buf_flags, 8, 4);
FIELD(pfm_dfl_smpl_arg_t, reserved1, 12, 4);
FIELD(pfm_dfl_smpl_arg_t, res1, 12, 4);
FIELD(pfm_dfl_smpl_arg_t, reserved, 16, 48);

SIZE(pfm_dfl_smpl_hdr_t, 128);
FIELD(pfm_dfl_smpl_hdr_t, hdr_count, 0, 8);
FIELD(pfm_dfl_smpl_hdr_t, hdr_cur_offs, 8, 8);
FIELD(pfm_dfl_smpl_hdr_t, hdr_overflows, 16, 8);
FIELD(pfm_dfl_smpl_hdr_t, hdr_buf_size, 24, 8);
FIELD(pfm_dfl_smpl_hdr_t, hdr_min_buf_space, 32, 8);
FIELD(pfm_dfl_smpl_hdr_t, hdr_version, 40, 4);
FIELD(pfm_dfl_smpl_hdr_t, hdr_buf_flags, 44, 4);
FIELD(pfm_dfl_smpl_hdr_t, hdr_reserved, 48, 16);

SIZE(pfm_dfl_smpl_entry_t, 40);
FIELD(pfm_dfl_smpl_entry_t, pid, 0, 4);
FIELD(pfm_dfl_smpl_entry_t, ovfl_pmd, 4, 2);
FIELD(pfm_dfl_smpl_entry_t, doubled, 6, 1);
FIELD(pfm_dfl_smpl_entry_t, repeat, 7, 1);
FIELD(pfm_dfl_smpl_entry_t, last_reset_val, 8, 8);
FIELD(pfm_dfl_smpl_entry_t, ip, 16, 8);
FIELD(pfm_dfl_smpl_entry_t, tstamp, 24, 8);
FIELD(pfm_dfl_smpl_entry_t, cpu, 32, 2);
FIELD(pfm_dfl_smpl_entry_t, set, 34, 2);
FIELD(pfm_dfl_smpl_entry_t, tgid, 36, 4);

SIZE(pfm_pebs_core_smpl_arg_t, 72);
FIELD(pfm_pebs_core_smpl_arg_t, cnt_reset, 0, 8);
FIELD(pfm_pebs_core_smpl_arg_t, buf_size, 8, 8);
FIELD(pfm_pebs_core_smpl_arg_t, intr_thres, 16, 8);
FIELD(pfm_pebs_core_smpl_arg_t, reserved, 24, 48);

SIZE(pfm_pebs_core_smpl_entry_t, 144);
FIELD(pfm_pebs_core_smpl_entry_t, eflags, 0, 8);
FIELD(pfm_pebs_core_smpl_entry_t, ip, 8, 8);
FIELD(pfm_pebs_core_smpl_entry_t, eax, 16, 8);
FIELD(pfm_pebs_core_smpl_entry_t, ebx, 24, 8);
FIELD(pfm_pebs_core_smpl_entry_t, ecx, 32, 8);
FIELD(pfm_pebs_core_smpl_entry_t, edx, 40, 8);
FIELD(pfm_pebs_core_smpl_entry_t, esi, 48, 8);
FIELD(pfm_pebs_core_smpl_entry_t, edi, 56, 8);
FIELD(pfm_pebs_core_smpl_entry_t, ebp, 64, 8);
FIELD(pfm_pebs_core_smpl_entry_t, esp, 72, 8);
FIELD(pfm_pebs_core_smpl_entry_t, r8, 80, 8);
FIELD(pfm_pebs_core_smpl_entry_t, r9, 88, 8);
FIELD(pfm_pebs_core_smpl_entry_t, r10, 96, 8);
FIELD(pfm_pebs_core_smpl_entry_t, r11, 104, 8);
FIELD(pfm_pebs_core_smpl_entry_t, r12, 112, 8);
FIELD(pfm_pebs_core_smpl_entry_t, r13, 120, 8);
FIELD(pfm_pebs_core_smpl_entry_t, r14, 128, 8);
FIELD(pfm_pebs_core_smpl_entry_t, r15, 136, 8);

SIZE(pfm_pebs_smpl_arg_t, 256);
FIELD(pfm_pebs_smpl_arg_t, buf_size, 0, 8);
FIELD(pfm_pebs_smpl_arg_t, cnt_reset, 8, 64);
FIELD(pfm_pebs_smpl_arg_t, reserved2, 72, 184);

SIZE(pfm_pebs_smpl_hdr_t, 128);
FIELD(pfm_pebs_smpl_hdr_t, overflows, 0, 8);
FIELD(pfm_pebs_smpl_hdr_t, count, 8, 8);
FIELD(pfm_pebs_smpl_hdr_t, buf_size, 16, 8);
FIELD(pfm_pebs_smpl_hdr_t, pebs_size, 24, 8);
FIELD(pfm_pebs_smpl_hdr_t, version, 32, 4);
FIELD(pfm_pebs_smpl_hdr_t, entry_size, 36, 4);
FIELD(pfm_pebs_smpl_hdr_t, reserved2, 40, 88);

SIZE(pfm_pebs_nhm_smpl_entry_t, 176);
FIELD(pfm_pebs_nhm_smpl_entry_t, eflags, 0, 8);
FIELD(pfm_pebs_nhm_smpl_entry_t, ip, 8, 8);
FIELD(pfm_pebs_nhm_smpl_entry_t, eax, 16, 8);
FIELD(pfm_pebs_nhm_smpl_entry_t, ebx, 24, 8);
FIELD(pfm_pebs_nhm_smpl_entry_t, ecx, 32, 8);
FIELD(pfm_pebs_nhm_smpl_entry_t, edx, 40, 8);
FIELD(pfm_pebs_nhm_smpl_entry_t, esi, 48, 8);
FIELD(pfm_pebs_nhm_smpl_entry_t, edi, 56, 8);
FIELD(pfm_pebs_nhm_smpl_entry_t, ebp, 64, 8);
FIELD(pfm_pebs_nhm_smpl_entry_t, esp, 72, 8);
FIELD(pfm_pebs_nhm_smpl_entry_t, r8, 80, 8);
FIELD(pfm_pebs_nhm_smpl_entry_t, r9, 88, 8);
FIELD(pfm_pebs_nhm_smpl_entry_t, r10, 96, 8);
FIELD(pfm_pebs_nhm_smpl_entry_t, r11, 104, 8);
FIELD(pfm_pebs_nhm_smpl_entry_t, r12, 112, 8);
FIELD(pfm_pebs_nhm_smpl_entry_t, r13, 120, 8);
FIELD(pfm_pebs_nhm_smpl_entry_t, r14, 128, 8);
FIELD(pfm_pebs_nhm_smpl_entry_t, r15, 136, 8);
FIELD(pfm_pebs_nhm_smpl_entry_t, global_status, 144, 8);
FIELD(pfm_pebs_nhm_smpl_entry_t, ia32_perf_global_status, 144, 8);
FIELD(pfm_pebs_nhm_smpl_entry_t, daddr, 152, 8);
FIELD(pfm_pebs_nhm_smpl_entry_t, dsrc_enc, 160, 8);
FIELD(pfm_pebs_nhm_smpl_entry_t, latency, 168, 8);

#ifdef __i386__
SIZE(pfm_pebs_core_smpl_hdr_t, 136);
FIELD(pfm_pebs_core_smpl_hdr_t, overflows, 0, 8);
FIELD(pfm_pebs_core_smpl_hdr_t, buf_size, 8, 4);
FIELD(pfm_pebs_core_smpl_hdr_t, start_offs, 12, 4);
FIELD(pfm_pebs_core_smpl_hdr_t, version, 16, 4);
FIELD(pfm_pebs_core_smpl_hdr_t, reserved1, 20, 4);
FIELD(pfm_pebs_core_smpl_hdr_t, reserved2, 24, 40);
FIELD(pfm_pebs_core_smpl_hdr_t, ds, 64, 72);

SIZE(pfm_pebs_p4_smpl_arg_t, 64);
FIELD(pfm_pebs_p4_smpl_arg_t, cnt_reset, 0, 8);
FIELD(pfm_pebs_p4_smpl_arg_t, buf_size, 8, 4);
FIELD(pfm_pebs_p4_smpl_arg_t, intr_thres, 12, 4);
FIELD(pfm_pebs_p4_smpl_arg_t, reserved, 16, 48);

SIZE(pfm_ds_area_p4_t, 40);
FIELD(pfm_ds_area_p4_t, bts_buf_base, 0, 4);
FIELD(pfm_ds_area_p4_t, pebs_intr_thres, 28, 4);
FIELD(pfm_ds_area_p4_t, pebs_cnt_reset, 32, 8);

SIZE(pfm_pebs_p4_smpl_hdr_t, 104);
FIELD(pfm_pebs_p4_smpl_hdr_t, overflows, 0, 8);
FIELD(pfm_pebs_p4_smpl_hdr_t, buf_size, 8, 4);
FIELD(pfm_pebs_p4_smpl_hdr_t, start_offs, 12, 4);
FIELD(pfm_pebs_p4_smpl_hdr_t, version, 16, 4);
FIELD(pfm_pebs_p4_smpl_hdr_t, reserved1, 20, 4);
FIELD(pfm_pebs_p4_smpl_hdr_t, reserved2, 24, 40);
FIELD(pfm_pebs_p4_smpl_hdr_t, ds, 64, 40);

SIZE(pfm_pebs_p4_smpl_entry_t, 40);
FIELD(pfm_pebs_p4_smpl_entry_t, eflags, 0, 4);
FIELD(pfm_pebs_p4_smpl_entry_t, ip, 4, 4);
FIELD(pfm_pebs_p4_smpl_entry_t, eax, 8, 4);
FIELD(pfm_pebs_p4_smpl_entry_t, ebx, 12, 4);
FIELD(pfm_pebs_p4_smpl_entry_t, ecx, 16, 4);
FIELD(pfm_pebs_p4_smpl_entry_t, edx, 20, 4);
FIELD(pfm_pebs_p4_smpl_entry_t, esi, 24, 4);
FIELD(pfm_pebs_p4_smpl_entry_t, edi, 28, 4);
FIELD(pfm_pebs_p4_smpl_entry_t, ebp, 32, 4);
FIELD(pfm_pebs_p4_smpl_entry_t, esp, 36, 4);

#else
SIZE(pfm_pebs_core_smpl_hdr_t, 144);
FIELD(pfm_pebs_core_smpl_hdr_t, overflows, 0, 8);
FIELD(pfm_pebs_core_smpl_hdr_t, buf_size, 8, 8);
FIELD(pfm_pebs_core_smpl_hdr_t, start_offs, 16, 8);
FIELD(pfm_pebs_core_smpl_hdr_t, version, 24, 4);
FIELD(pfm_pebs_core_smpl_hdr_t, reserved1, 28, 4);
FIELD(pfm_pebs_core_smpl_hdr_t, reserved2, 32, 40);
FIELD(pfm_pebs_core_smpl_hdr_t, ds, 72, 72);

SIZE(pfm_pebs_p4_smpl_arg_t, 72);
FIELD(pfm_pebs_p4_smpl_arg_t, cnt_reset, 0, 8);
FIELD(pfm_pebs_p4_smpl_arg_t, buf_size, 8, 8);
FIELD(pfm_pebs_p4_smpl_arg_t, intr_thres, 16, 8);
FIELD(pfm_pebs_p4_smpl_arg_t, reserved, 24, 48);

SIZE(pfm_ds_area_p4_t, 72);
FIELD(pfm_ds_area_p4_t, bts_buf_base, 0, 8);
FIELD(pfm_ds_area_p4_t, pebs_intr_thres, 56, 8);
FIELD(pfm_ds_area_p4_t, pebs_cnt_reset, 64, 8);

SIZE(pfm_pebs_p4_smpl_hdr_t, 144);
FIELD(pfm_pebs_p4_smpl_hdr_t, overflows, 0, 8);
FIELD(pfm_pebs_p4_smpl_hdr_t, buf_size, 8, 8);
FIELD(pfm_pebs_p4_smpl_hdr_t, start_offs, 16, 8);
FIELD(pfm_pebs_p4_smpl_hdr_t, version, 24, 4);
FIELD(pfm_pebs_p4_smpl_hdr_t, reserved1, 28, 4);
FIELD(pfm_pebs_p4_smpl_hdr_t, reserved2, 32, 40);
FIELD(pfm_pebs_p4_smpl_hdr_t, ds, 72, 72);

SIZE(pfm_pebs_p4_smpl_entry_t, 144);
FIELD(pfm_pebs_p4_smpl_entry_t, eflags, 0, 8);
FIELD(pfm_pebs_p4_smpl_entry_t, ip, 8, 8);
FIELD(pfm_pebs_p4_smpl_entry_t, eax, 16, 8);
FIELD(pfm_pebs_p4_smpl_entry_t, ebx, 24, 8);
FIELD(pfm_pebs_p4_smpl_entry_t, ecx, 32, 8);
FIELD(pfm_pebs_p4_smpl_entry_t, edx, 40, 8);
FIELD(pfm_pebs_p4_smpl_entry_t, esi, 48, 8);
FIELD(pfm_pebs_p4_smpl_entry_t, edi, 56, 8);
FIELD(pfm_pebs_p4_smpl_entry_t, ebp, 64, 8);
FIELD(pfm_pebs_p4_smpl_entry_t, esp, 72, 8);
FIELD(pfm_pebs_p4_smpl_entry_t, r8, 80, 8);
FIELD(pfm_pebs_p4_smpl_entry_t, r9, 88, 8);
FIELD(pfm_pebs_p4_smpl_entry_t, r10, 96, 8);
FIELD(pfm_pebs_p4_smpl_entry_t, r11, 104, 8);
FIELD(pfm_pebs_p4_smpl_entry_t, r12, 112, 8);
FIELD(pfm_pebs_p4_smpl_entry_t, r13, 120, 8);
FIELD(pfm_pebs_p4_smpl_entry_t, r14, 128, 8);
FIELD(pfm_pebs_p4_smpl_entry_t, r15, 136, 8);

#endif

/* Constants that are in binaries. */

ASSERT(PFM_MAX_PMCS == 320 && PFM_MAX_PMDS == 320, "registers");
ASSERT(PFM_ARCH_MAX_PMCS == 320 && PFM_ARCH_MAX_PMDS == 320, "old names");
ASSERT(PFM_PMC_BV == 5 && PFM_PMD_BV == 5 && PFM_BPL == 64, "bit vectors");
ASSERT(PFM_FL_NOTIFY_BLOCK == 1 && PFM_FL_SYSTEM_WIDE == 2 &&
	       PFM_FL_SMPL_FMT == 4 && PFM_FL_OVFL_NO_MSG == 0x80,
       "sessions");
ASSERT(PFM_REGFL_OVFL_NOTIFY == 1 && PFM_REGFL_RANDOM == 2 &&
	       PFM_REGFL_NO_EMUL64 == 4,
       "register flags");
ASSERT(PFM_SETFL_OVFL_SWITCH == 1 && PFM_SETFL_TIME_SWITCH == 2, "sets");
ASSERT(PFM_MSG_OVFL == 1 && PFM_MSG_END == 2, "messages");
ASSERT(PFM_NO_TARGET == -1, "targets");
ASSERT(PFM_VERSION_MAJOR(0x30012) == 3 && PFM_VERSION_MINOR(0x30012) == 0x12,
       "versions");
#ifndef PFM_HIDE_V30
ASSERT(PFM_RW_PMD == 1 && PFM_RW_PMC == 2 && PFM_RW_PMD_ATTR == 3, "draft");
ASSERT(PFM_ST_START == 1 && PFM_ST_STOP == 2 && PFM_ST_RESTART == 3, "draft");
#endif
