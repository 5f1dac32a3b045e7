// SPDX-License-Identifier: GPL-2.0-only
/*
 * The layout that programs depend on: the size of each structure of
 * <uapi/linux/perfmon.h> and of the built-in sampling formats, and the offset of each of
 * their fields.  32- and 64-bit kernels have the same layout, so a 32-bit program needs
 * no translation.  This file has no code; a change of the layout fails its compilation.
 */
#include <linux/build_bug.h>
#include <linux/stddef.h>
#include <uapi/linux/perfmon.h>
#include <uapi/linux/perfmon_dfl_smpl.h>
#include <uapi/linux/perfmon_precise_smpl.h>
#include <uapi/linux/perfmon_stacks_smpl.h>

#define SIZE(type, size) static_assert(sizeof(type) == (size))
#define FIELD(type, field, offset) \
	static_assert(offsetof(type, field) == (offset))

SIZE(struct pfarg_pmr, 16);
FIELD(struct pfarg_pmr, reg_num, 0);
FIELD(struct pfarg_pmr, reg_set, 2);
FIELD(struct pfarg_pmr, reg_flags, 4);
FIELD(struct pfarg_pmr, reg_value, 8);

SIZE(struct pfarg_pmd_attr, 192);
FIELD(struct pfarg_pmd_attr, reg_long_reset, 0);
FIELD(struct pfarg_pmd_attr, reg_short_reset, 8);
FIELD(struct pfarg_pmd_attr, reg_random_mask, 16);
FIELD(struct pfarg_pmd_attr, reg_smpl_pmds, 24);
FIELD(struct pfarg_pmd_attr, reg_reset_pmds, 64);
FIELD(struct pfarg_pmd_attr, reg_ovfl_swcnt, 104);
FIELD(struct pfarg_pmd_attr, reg_smpl_eventid, 112);
FIELD(struct pfarg_pmd_attr, reg_last_value, 120);
FIELD(struct pfarg_pmd_attr, reg_smpl_rate, 128);
FIELD(struct pfarg_pmd_attr, reg_smpl_doubled, 132);
FIELD(struct pfarg_pmd_attr, reg_random_seed, 136);
FIELD(struct pfarg_pmd_attr, reg_reserved, 144);

SIZE(struct pfarg_setdesc, 64);
FIELD(struct pfarg_setdesc, set_id, 0);
FIELD(struct pfarg_setdesc, set_reserved1, 2);
FIELD(struct pfarg_setdesc, set_flags, 4);
FIELD(struct pfarg_setdesc, set_timeout, 8);
FIELD(struct pfarg_setdesc, reserved, 16);

SIZE(struct pfarg_setinfo, 200);
FIELD(struct pfarg_setinfo, set_id, 0);
FIELD(struct pfarg_setinfo, set_reserved1, 2);
FIELD(struct pfarg_setinfo, set_flags, 4);
FIELD(struct pfarg_setinfo, set_ovfl_pmds, 8);
FIELD(struct pfarg_setinfo, set_runs, 48);
FIELD(struct pfarg_setinfo, set_timeout, 56);
FIELD(struct pfarg_setinfo, set_act_duration, 64);
FIELD(struct pfarg_setinfo, set_avail_pmcs, 72);
FIELD(struct pfarg_setinfo, set_avail_pmds, 112);
FIELD(struct pfarg_setinfo, set_reserved3, 152);

SIZE(struct pfarg_ovfl_msg, 64);
FIELD(struct pfarg_ovfl_msg, msg_type, 0);
FIELD(struct pfarg_ovfl_msg, msg_ovfl_pid, 4);
FIELD(struct pfarg_ovfl_msg, msg_active_set, 8);
FIELD(struct pfarg_ovfl_msg, msg_ovfl_cpu, 10);
FIELD(struct pfarg_ovfl_msg, msg_ovfl_tid, 12);
FIELD(struct pfarg_ovfl_msg, msg_ovfl_ip, 16);
FIELD(struct pfarg_ovfl_msg, msg_ovfl_pmds, 24);

SIZE(union pfarg_msg, 64);
FIELD(union pfarg_msg, type, 0);
FIELD(union pfarg_msg, pfm_ovfl_msg, 0);

SIZE(struct pfm_state_counter, 16);
FIELD(struct pfm_state_counter, map, 0);
FIELD(struct pfm_state_counter, start, 4);
FIELD(struct pfm_state_counter, sum, 8);

SIZE(struct pfm_state, 640);
FIELD(struct pfm_state, version, 0);
FIELD(struct pfm_state, size, 4);
FIELD(struct pfm_state, seq, 8);
FIELD(struct pfm_state, why, 12);
FIELD(struct pfm_state, active_set, 16);
FIELD(struct pfm_state, nr_counters, 18);
FIELD(struct pfm_state, tsc_pmd, 20);
FIELD(struct pfm_state, reserved1, 22);
FIELD(struct pfm_state, tsc_start, 24);
FIELD(struct pfm_state, tsc_sum, 32);
FIELD(struct pfm_state, reserved2, 40);
FIELD(struct pfm_state, pmd, 64);
FIELD(struct pfm_state, counter, 128);

SIZE(struct pfm_dfl_smpl_arg, 64);
FIELD(struct pfm_dfl_smpl_arg, buf_size, 0);
FIELD(struct pfm_dfl_smpl_arg, buf_flags, 8);
FIELD(struct pfm_dfl_smpl_arg, buf_mode, 12);
FIELD(struct pfm_dfl_smpl_arg, reserved, 16);

SIZE(struct pfm_dfl_smpl_hdr, 128);
FIELD(struct pfm_dfl_smpl_hdr, hdr_count, 0);
FIELD(struct pfm_dfl_smpl_hdr, hdr_cur_offs, 8);
FIELD(struct pfm_dfl_smpl_hdr, hdr_overflows, 16);
FIELD(struct pfm_dfl_smpl_hdr, hdr_buf_size, 24);
FIELD(struct pfm_dfl_smpl_hdr, hdr_min_buf_space, 32);
FIELD(struct pfm_dfl_smpl_hdr, hdr_version, 40);
FIELD(struct pfm_dfl_smpl_hdr, hdr_buf_flags, 44);
FIELD(struct pfm_dfl_smpl_hdr, hdr_reserved, 48);
FIELD(struct pfm_dfl_smpl_hdr, hdr_half_size, 64);
FIELD(struct pfm_dfl_smpl_hdr, hdr_released, 72);
FIELD(struct pfm_dfl_smpl_hdr, hdr_full_offs, 80);
FIELD(struct pfm_dfl_smpl_hdr, hdr_reserved2, 96);

SIZE(struct pfm_dfl_smpl_entry, 40);
FIELD(struct pfm_dfl_smpl_entry, pid, 0);
FIELD(struct pfm_dfl_smpl_entry, ovfl_pmd, 4);
FIELD(struct pfm_dfl_smpl_entry, doubled, 6);
FIELD(struct pfm_dfl_smpl_entry, repeat, 7);
FIELD(struct pfm_dfl_smpl_entry, last_reset_val, 8);
FIELD(struct pfm_dfl_smpl_entry, ip, 16);
FIELD(struct pfm_dfl_smpl_entry, tstamp, 24);
FIELD(struct pfm_dfl_smpl_entry, cpu, 32);
FIELD(struct pfm_dfl_smpl_entry, set, 34);
FIELD(struct pfm_dfl_smpl_entry, tgid, 36);

SIZE(struct pfm_stacks_smpl_arg, 64);
FIELD(struct pfm_stacks_smpl_arg, buf_size, 0);
FIELD(struct pfm_stacks_smpl_arg, buf_flags, 8);
FIELD(struct pfm_stacks_smpl_arg, max_frames, 12);
FIELD(struct pfm_stacks_smpl_arg, stack_bytes, 16);
FIELD(struct pfm_stacks_smpl_arg, reserved1, 20);
FIELD(struct pfm_stacks_smpl_arg, reserved, 24);

SIZE(struct pfm_stacks_smpl_hdr, 128);
FIELD(struct pfm_stacks_smpl_hdr, hdr_count, 0);
FIELD(struct pfm_stacks_smpl_hdr, hdr_cur_offs, 8);
FIELD(struct pfm_stacks_smpl_hdr, hdr_overflows, 16);
FIELD(struct pfm_stacks_smpl_hdr, hdr_buf_size, 24);
FIELD(struct pfm_stacks_smpl_hdr, hdr_min_buf_space, 32);
FIELD(struct pfm_stacks_smpl_hdr, hdr_version, 40);
FIELD(struct pfm_stacks_smpl_hdr, hdr_buf_flags, 44);
FIELD(struct pfm_stacks_smpl_hdr, hdr_max_frames, 48);
FIELD(struct pfm_stacks_smpl_hdr, hdr_stack_bytes, 52);
FIELD(struct pfm_stacks_smpl_hdr, hdr_last_offs, 56);
FIELD(struct pfm_stacks_smpl_hdr, hdr_half_size, 64);
FIELD(struct pfm_stacks_smpl_hdr, hdr_released, 72);
FIELD(struct pfm_stacks_smpl_hdr, hdr_full_offs, 80);
FIELD(struct pfm_stacks_smpl_hdr, hdr_reserved, 96);

SIZE(struct pfm_stacks_smpl_entry, 48);
FIELD(struct pfm_stacks_smpl_entry, pid, 0);
FIELD(struct pfm_stacks_smpl_entry, ovfl_pmd, 4);
FIELD(struct pfm_stacks_smpl_entry, flags, 6);
FIELD(struct pfm_stacks_smpl_entry, last_reset_val, 8);
FIELD(struct pfm_stacks_smpl_entry, ip, 16);
FIELD(struct pfm_stacks_smpl_entry, tstamp, 24);
FIELD(struct pfm_stacks_smpl_entry, cpu, 32);
FIELD(struct pfm_stacks_smpl_entry, set, 34);
FIELD(struct pfm_stacks_smpl_entry, tgid, 36);
FIELD(struct pfm_stacks_smpl_entry, size, 40);
FIELD(struct pfm_stacks_smpl_entry, nr, 42);
FIELD(struct pfm_stacks_smpl_entry, nr_kernel, 44);
FIELD(struct pfm_stacks_smpl_entry, doubled, 46);
FIELD(struct pfm_stacks_smpl_entry, repeat, 47);

SIZE(struct pfm_stacks_smpl_copy, 144);
FIELD(struct pfm_stacks_smpl_copy, regs, 0);
FIELD(struct pfm_stacks_smpl_copy, bytes, 136);
FIELD(struct pfm_stacks_smpl_copy, reserved, 140);

SIZE(struct pfm_precise_smpl_arg, 64);
FIELD(struct pfm_precise_smpl_arg, buf_size, 0);
FIELD(struct pfm_precise_smpl_arg, buf_flags, 8);
FIELD(struct pfm_precise_smpl_arg, max_frames, 12);
FIELD(struct pfm_precise_smpl_arg, blocks, 16);
FIELD(struct pfm_precise_smpl_arg, stack_bytes, 20);
FIELD(struct pfm_precise_smpl_arg, batch, 24);
FIELD(struct pfm_precise_smpl_arg, reserved1, 28);
FIELD(struct pfm_precise_smpl_arg, reserved, 32);

SIZE(struct pfm_precise_smpl_hdr, 128);
FIELD(struct pfm_precise_smpl_hdr, hdr_count, 0);
FIELD(struct pfm_precise_smpl_hdr, hdr_cur_offs, 8);
FIELD(struct pfm_precise_smpl_hdr, hdr_overflows, 16);
FIELD(struct pfm_precise_smpl_hdr, hdr_buf_size, 24);
FIELD(struct pfm_precise_smpl_hdr, hdr_min_buf_space, 32);
FIELD(struct pfm_precise_smpl_hdr, hdr_version, 40);
FIELD(struct pfm_precise_smpl_hdr, hdr_buf_flags, 44);
FIELD(struct pfm_precise_smpl_hdr, hdr_max_frames, 48);
FIELD(struct pfm_precise_smpl_hdr, hdr_blocks, 52);
FIELD(struct pfm_precise_smpl_hdr, hdr_batch, 56);
FIELD(struct pfm_precise_smpl_hdr, hdr_reserved, 60);
FIELD(struct pfm_precise_smpl_hdr, hdr_half_size, 64);
FIELD(struct pfm_precise_smpl_hdr, hdr_released, 72);
FIELD(struct pfm_precise_smpl_hdr, hdr_full_offs, 80);
FIELD(struct pfm_precise_smpl_hdr, hdr_filtered, 96);
FIELD(struct pfm_precise_smpl_hdr, hdr_ambiguous, 104);
FIELD(struct pfm_precise_smpl_hdr, hdr_stray, 112);
FIELD(struct pfm_precise_smpl_hdr, hdr_hw, 120);
FIELD(struct pfm_precise_smpl_hdr, hdr_stack_bytes, 124);

SIZE(struct pfm_precise_smpl_entry, 64);
FIELD(struct pfm_precise_smpl_entry, pid, 0);
FIELD(struct pfm_precise_smpl_entry, ovfl_pmd, 4);
FIELD(struct pfm_precise_smpl_entry, flags, 6);
FIELD(struct pfm_precise_smpl_entry, last_reset_val, 8);
FIELD(struct pfm_precise_smpl_entry, ip, 16);
FIELD(struct pfm_precise_smpl_entry, tstamp, 24);
FIELD(struct pfm_precise_smpl_entry, cpu, 32);
FIELD(struct pfm_precise_smpl_entry, set, 34);
FIELD(struct pfm_precise_smpl_entry, tgid, 36);
FIELD(struct pfm_precise_smpl_entry, size, 40);
FIELD(struct pfm_precise_smpl_entry, nr, 42);
FIELD(struct pfm_precise_smpl_entry, nr_kernel, 44);
FIELD(struct pfm_precise_smpl_entry, doubled, 46);
FIELD(struct pfm_precise_smpl_entry, repeat, 47);
FIELD(struct pfm_precise_smpl_entry, pmds, 48);
FIELD(struct pfm_precise_smpl_entry, next_ip, 56);

SIZE(struct pfm_precise_smpl_blocks, 8);
FIELD(struct pfm_precise_smpl_blocks, present, 0);
FIELD(struct pfm_precise_smpl_blocks, reserved, 2);
FIELD(struct pfm_precise_smpl_blocks, bytes, 4);

SIZE(struct pfm_precise_smpl_gprs, 144);
FIELD(struct pfm_precise_smpl_gprs, flags, 0);
FIELD(struct pfm_precise_smpl_gprs, ip, 8);
FIELD(struct pfm_precise_smpl_gprs, ax, 16);
FIELD(struct pfm_precise_smpl_gprs, bx, 24);
FIELD(struct pfm_precise_smpl_gprs, cx, 32);
FIELD(struct pfm_precise_smpl_gprs, dx, 40);
FIELD(struct pfm_precise_smpl_gprs, si, 48);
FIELD(struct pfm_precise_smpl_gprs, di, 56);
FIELD(struct pfm_precise_smpl_gprs, bp, 64);
FIELD(struct pfm_precise_smpl_gprs, sp, 72);
FIELD(struct pfm_precise_smpl_gprs, r8, 80);
FIELD(struct pfm_precise_smpl_gprs, r9, 88);
FIELD(struct pfm_precise_smpl_gprs, r10, 96);
FIELD(struct pfm_precise_smpl_gprs, r11, 104);
FIELD(struct pfm_precise_smpl_gprs, r12, 112);
FIELD(struct pfm_precise_smpl_gprs, r13, 120);
FIELD(struct pfm_precise_smpl_gprs, r14, 128);
FIELD(struct pfm_precise_smpl_gprs, r15, 136);

SIZE(struct pfm_precise_smpl_mem, 48);
FIELD(struct pfm_precise_smpl_mem, daddr, 0);
FIELD(struct pfm_precise_smpl_mem, paddr, 8);
FIELD(struct pfm_precise_smpl_mem, source, 16);
FIELD(struct pfm_precise_smpl_mem, latency, 24);
FIELD(struct pfm_precise_smpl_mem, tsx, 32);
FIELD(struct pfm_precise_smpl_mem, reserved, 40);

SIZE(struct pfm_precise_smpl_stack, 16);
FIELD(struct pfm_precise_smpl_stack, sp, 0);
FIELD(struct pfm_precise_smpl_stack, bytes, 8);
FIELD(struct pfm_precise_smpl_stack, reserved, 12);

SIZE(struct pfm_precise_smpl_raw, 8);
FIELD(struct pfm_precise_smpl_raw, kind, 0);
FIELD(struct pfm_precise_smpl_raw, bytes, 4);
