// SPDX-License-Identifier: GPL-2.0-only
/*
 * The layout of the structures that programs share with libpfm.so.3: it must
 * be that of libpfm 3.10 for binaries to go on working.  check-abi compiles
 * this for each ABI, which checks sizes and offsets, and runs it, which checks
 * the positions of bit-fields.
 */
#define __PFMLIB_OS_COMPILE
#include <perfmon/pfmlib.h>
#include <perfmon/pfmlib_amd64.h>
#include <perfmon/pfmlib_core.h>
#include <perfmon/pfmlib_coreduo.h>
#include <perfmon/pfmlib_gen_ia32.h>
#include <perfmon/pfmlib_i386_p6.h>
#include <perfmon/pfmlib_intel_atom.h>
#include <perfmon/pfmlib_intel_nhm.h>
#include <perfmon/pfmlib_pentium4.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __x86_64__
#define PER_ABI(on64, on32) (on64)
#else
#define PER_ABI(on64, on32) (on32)
#endif

#define SIZE(type, on64, on32) \
	_Static_assert(sizeof(type) == PER_ABI(on64, on32), #type)

/* Offset and size of a field. */
#define FIELD(type, field, at64, size64, at32, size32)                        \
	_Static_assert(offsetof(type, field) == PER_ABI(at64, at32),          \
		       #type "." #field " is elsewhere");                     \
	_Static_assert(sizeof(((type *)0)->field) == PER_ABI(size64, size32), \
		       #type "." #field " has another size")

SIZE(pfmlib_regmask_t, 64, 64);
FIELD(pfmlib_regmask_t, bits, 0, 64, 0, 64);

SIZE(pfmlib_event_t, 232, 216);
FIELD(pfmlib_event_t, event, 0, 4, 0, 4);
FIELD(pfmlib_event_t, plm, 4, 4, 4, 4);
FIELD(pfmlib_event_t, flags, 8, 8, 8, 4);
FIELD(pfmlib_event_t, unit_masks, 16, 192, 12, 192);
FIELD(pfmlib_event_t, num_masks, 208, 4, 204, 4);
FIELD(pfmlib_event_t, reserved, 216, 16, 208, 8);

SIZE(pfmlib_reg_t, 32, 28);
FIELD(pfmlib_reg_t, reg_value, 0, 8, 0, 8);
FIELD(pfmlib_reg_t, reg_addr, 8, 8, 8, 8);
FIELD(pfmlib_reg_t, reg_num, 16, 4, 16, 4);
FIELD(pfmlib_reg_t, reg_reserved1, 20, 4, 20, 4);
FIELD(pfmlib_reg_t, reg_alt_addr, 24, 8, 24, 4);

SIZE(pfmlib_input_param_t, 118912, 110696);
FIELD(pfmlib_input_param_t, pfp_event_count, 0, 4, 0, 4);
FIELD(pfmlib_input_param_t, pfp_dfl_plm, 4, 4, 4, 4);
FIELD(pfmlib_input_param_t, pfp_flags, 8, 4, 8, 4);
FIELD(pfmlib_input_param_t, reserved1, 12, 4, 12, 4);
FIELD(pfmlib_input_param_t, pfp_events, 16, 118784, 16, 110592);
FIELD(pfmlib_input_param_t, pfp_unavail_pmcs, 118800, 64, 110608, 64);
FIELD(pfmlib_input_param_t, reserved, 118864, 48, 110672, 24);

SIZE(pfmlib_output_param_t, 32832, 28708);
FIELD(pfmlib_output_param_t, pfp_pmc_count, 0, 4, 0, 4);
FIELD(pfmlib_output_param_t, pfp_pmd_count, 4, 4, 4, 4);
FIELD(pfmlib_output_param_t, pfp_pmcs, 8, 16384, 8, 14336);
FIELD(pfmlib_output_param_t, pfp_pmds, 16392, 16384, 14344, 14336);
FIELD(pfmlib_output_param_t, reserved, 32776, 56, 28680, 28);

SIZE(pfmlib_options_t, 4, 4);

SIZE(pfm_i386_p6_cnt_mask_t, 4, 4);
SIZE(pfmlib_i386_p6_counter_t, 8, 8);
FIELD(pfmlib_i386_p6_counter_t, cnt_mask, 0, 4, 0, 4);
FIELD(pfmlib_i386_p6_counter_t, flags, 4, 4, 4, 4);
SIZE(pfmlib_i386_p6_input_param_t, 48, 48);
FIELD(pfmlib_i386_p6_input_param_t, pfp_i386_p6_counters, 0, 16, 0, 16);
FIELD(pfmlib_i386_p6_input_param_t, reserved, 16, 32, 16, 32);
SIZE(pfmlib_i386_p6_output_param_t, 64, 64);
SIZE(pfm_i386_p6_sel_reg_t, 8, 4);
SIZE(pfm_i386_p6_ctr_reg_t, 8, 8);

SIZE(pfmlib_amd64_counter_t, 8, 8);
FIELD(pfmlib_amd64_counter_t, cnt_mask, 0, 4, 0, 4);
FIELD(pfmlib_amd64_counter_t, flags, 4, 4, 4, 4);
SIZE(ibs_param_t, 8, 8);
FIELD(ibs_param_t, maxcnt, 0, 4, 0, 4);
FIELD(ibs_param_t, options, 4, 4, 4, 4);
SIZE(pfmlib_amd64_input_param_t, 80, 80);
FIELD(pfmlib_amd64_input_param_t, pfp_amd64_counters, 0, 48, 0, 48);
FIELD(pfmlib_amd64_input_param_t, flags, 48, 4, 48, 4);
FIELD(pfmlib_amd64_input_param_t, reserved1, 52, 4, 52, 4);
FIELD(pfmlib_amd64_input_param_t, ibsfetch, 56, 8, 56, 8);
FIELD(pfmlib_amd64_input_param_t, ibsop, 64, 8, 64, 8);
FIELD(pfmlib_amd64_input_param_t, reserved2, 72, 8, 72, 8);
SIZE(pfmlib_amd64_output_param_t, 64, 64);
FIELD(pfmlib_amd64_output_param_t, ibsfetch_base, 0, 4, 0, 4);
FIELD(pfmlib_amd64_output_param_t, ibsop_base, 4, 4, 4, 4);
FIELD(pfmlib_amd64_output_param_t, reserved, 8, 56, 8, 56);
SIZE(pfm_amd64_sel_reg_t, 8, 8);
SIZE(pfm_amd64_ctr_reg_t, 8, 8);
SIZE(ibsfetchctl_t, 8, 8);
SIZE(ibsopctl_t, 8, 8);
SIZE(ibsopdata_t, 8, 8);
SIZE(ibsopdata2_t, 8, 8);
SIZE(ibsopdata3_t, 8, 8);

SIZE(pentium4_escr_value_t, 8, 4);
SIZE(pentium4_cccr_value_t, 8, 4);

SIZE(pfmlib_core_counter_t, 16, 8);
FIELD(pfmlib_core_counter_t, cnt_mask, 0, 8, 0, 4);
FIELD(pfmlib_core_counter_t, flags, 8, 4, 4, 4);
SIZE(pfmlib_core_pebs_t, 4, 4);
SIZE(pfmlib_core_input_param_t, 120, 76);
FIELD(pfmlib_core_input_param_t, pfp_core_counters, 0, 80, 0, 40);
FIELD(pfmlib_core_input_param_t, pfp_core_pebs, 80, 4, 40, 4);
FIELD(pfmlib_core_input_param_t, reserved, 88, 32, 44, 32);
SIZE(pfmlib_core_output_param_t, 64, 64);
SIZE(pfm_core_sel_reg_t, 8, 8);

SIZE(pfm_coreduo_counter_t, 16, 8);
FIELD(pfm_coreduo_counter_t, cnt_mask, 0, 8, 0, 4);
FIELD(pfm_coreduo_counter_t, flags, 8, 4, 4, 4);
SIZE(pfmlib_coreduo_input_param_t, 64, 48);
FIELD(pfmlib_coreduo_input_param_t, pfp_coreduo_counters, 0, 32, 0, 16);
FIELD(pfmlib_coreduo_input_param_t, reserved, 32, 32, 16, 32);
SIZE(pfm_coreduo_sel_reg_t, 8, 8);

SIZE(pfmlib_gen_ia32_counter_t, 16, 8);
FIELD(pfmlib_gen_ia32_counter_t, cnt_mask, 0, 8, 0, 4);
FIELD(pfmlib_gen_ia32_counter_t, flags, 8, 4, 4, 4);
SIZE(pfmlib_gen_ia32_input_param_t, 8224, 4128);
FIELD(pfmlib_gen_ia32_input_param_t, pfp_gen_ia32_counters, 0, 8192, 0, 4096);
FIELD(pfmlib_gen_ia32_input_param_t, reserved, 8192, 32, 4096, 32);
SIZE(pfmlib_gen_ia32_output_param_t, 64, 64);
SIZE(pfm_gen_ia32_sel_reg_t, 8, 8);

SIZE(pfmlib_intel_atom_counter_t, 16, 8);
FIELD(pfmlib_intel_atom_counter_t, cnt_mask, 0, 8, 0, 4);
FIELD(pfmlib_intel_atom_counter_t, flags, 8, 4, 4, 4);
SIZE(pfmlib_intel_atom_input_param_t, 120, 76);
FIELD(pfmlib_intel_atom_input_param_t, pfp_intel_atom_counters, 0, 80, 0, 40);
FIELD(pfmlib_intel_atom_input_param_t, pfp_intel_atom_pebs_used, 80, 4, 40, 4);
FIELD(pfmlib_intel_atom_input_param_t, reserved, 88, 32, 44, 32);
SIZE(pfm_intel_atom_sel_reg_t, 8, 8);

SIZE(pfmlib_nhm_counter_t, 16, 8);
FIELD(pfmlib_nhm_counter_t, cnt_mask, 0, 8, 0, 4);
FIELD(pfmlib_nhm_counter_t, flags, 8, 4, 4, 4);
SIZE(pfmlib_nhm_pebs_t, 8, 8);
FIELD(pfmlib_nhm_pebs_t, pebs_used, 0, 4, 0, 4);
FIELD(pfmlib_nhm_pebs_t, ld_lat_thres, 4, 4, 4, 4);
SIZE(pfmlib_nhm_lbr_t, 12, 12);
FIELD(pfmlib_nhm_lbr_t, lbr_used, 0, 4, 0, 4);
FIELD(pfmlib_nhm_lbr_t, lbr_plm, 4, 4, 4, 4);
FIELD(pfmlib_nhm_lbr_t, lbr_filter, 8, 4, 8, 4);
SIZE(pfmlib_nhm_input_param_t, 312, 180);
FIELD(pfmlib_nhm_input_param_t, pfp_nhm_counters, 0, 256, 0, 128);
FIELD(pfmlib_nhm_input_param_t, pfp_nhm_pebs, 256, 8, 128, 8);
FIELD(pfmlib_nhm_input_param_t, pfp_nhm_lbr, 264, 12, 136, 12);
FIELD(pfmlib_nhm_input_param_t, reserved, 280, 32, 148, 32);
SIZE(pfm_nhm_sel_reg_t, 8, 8);

_Static_assert(PFMLIB_REG_BV == PER_ABI(8, 16), "words of a register mask");

static int wrong;

/* All ones in one bit-field gives the value in which these bits are set. */
#define BITS(type, member, field, low, count)                           \
	do {                                                            \
		type reg = { 0 };                                       \
		unsigned long long wanted = ((2ULL << ((count)-1)) - 1) \
					    << (low);                   \
                                                                        \
		reg.member.field = ~reg.member.field;                   \
		if (reg.val != wanted) {                                \
			printf("%s.%s: %#llx\n", #type, #field,         \
			       (unsigned long long)reg.val);            \
			wrong = 1;                                      \
		}                                                       \
	} while (0)

#define SELECTOR(type, event, umask, bit21)                  \
	do {                                                 \
		BITS(type, perfevtsel, event, 0, 8);         \
		BITS(type, perfevtsel, umask, 8, 8);         \
		BITS(type, perfevtsel, sel_usr, 16, 1);      \
		BITS(type, perfevtsel, sel_os, 17, 1);       \
		BITS(type, perfevtsel, sel_edge, 18, 1);     \
		BITS(type, perfevtsel, sel_pc, 19, 1);       \
		BITS(type, perfevtsel, sel_int, 20, 1);      \
		BITS(type, perfevtsel, bit21, 21, 1);        \
		BITS(type, perfevtsel, sel_en, 22, 1);       \
		BITS(type, perfevtsel, sel_inv, 23, 1);      \
		BITS(type, perfevtsel, sel_cnt_mask, 24, 8); \
		BITS(type, perfevtsel, sel_res2, 32, 32);    \
	} while (0)

static void check_intel(void)
{
	SELECTOR(pfm_core_sel_reg_t, sel_event_select, sel_unit_mask, sel_res1);
	SELECTOR(pfm_coreduo_sel_reg_t, sel_event_select, sel_unit_mask,
		 sel_res1);
	SELECTOR(pfm_gen_ia32_sel_reg_t, sel_event_select, sel_unit_mask,
		 sel_any);
	SELECTOR(pfm_intel_atom_sel_reg_t, sel_event_select, sel_unit_mask,
		 sel_any);
	SELECTOR(pfm_nhm_sel_reg_t, sel_event, sel_umask, sel_anythr);
	BITS(pfm_nhm_sel_reg_t, unc_perfevtsel, usel_umask, 8, 8);
	BITS(pfm_nhm_sel_reg_t, unc_perfevtsel, usel_occ, 17, 1);
	BITS(pfm_nhm_sel_reg_t, unc_perfevtsel, usel_edge, 18, 1);
	BITS(pfm_nhm_sel_reg_t, unc_perfevtsel, usel_int, 20, 1);
	BITS(pfm_nhm_sel_reg_t, unc_perfevtsel, usel_en, 22, 1);
	BITS(pfm_nhm_sel_reg_t, unc_perfevtsel, usel_inv, 23, 1);
	BITS(pfm_nhm_sel_reg_t, unc_perfevtsel, usel_cnt_mask, 24, 8);
	BITS(pfm_nhm_sel_reg_t, lbr_select, cpl_neq0, 1, 1);
	BITS(pfm_nhm_sel_reg_t, lbr_select, near_ret, 5, 1);
	BITS(pfm_nhm_sel_reg_t, lbr_select, far_branch, 8, 1);
	BITS(pfm_nhm_sel_reg_t, lbr_select, reserved2, 32, 32);
}

static void check_p6_and_p4(void)
{
	BITS(pfm_i386_p6_sel_reg_t, perfsel, sel_unit_mask, 8, 8);
	BITS(pfm_i386_p6_sel_reg_t, perfsel, sel_usr, 16, 1);
	BITS(pfm_i386_p6_sel_reg_t, perfsel, sel_int, 20, 1);
	BITS(pfm_i386_p6_sel_reg_t, perfsel, sel_en, 22, 1);
	BITS(pfm_i386_p6_sel_reg_t, perfsel, sel_inv, 23, 1);
	BITS(pfm_i386_p6_sel_reg_t, perfsel, sel_cnt_mask, 24, 8);
	BITS(pfm_i386_p6_ctr_reg_t, perfctr, ctr_res1, 32, 32);

	BITS(pentium4_escr_value_t, bits, t0_usr, 2, 1);
	BITS(pentium4_escr_value_t, bits, t0_os, 3, 1);
	BITS(pentium4_escr_value_t, bits, tag_enable, 4, 1);
	BITS(pentium4_escr_value_t, bits, tag_value, 5, 4);
	BITS(pentium4_escr_value_t, bits, event_mask, 9, 16);
	BITS(pentium4_escr_value_t, bits, event_select, 25, 6);
	BITS(pentium4_cccr_value_t, bits, enable, 12, 1);
	BITS(pentium4_cccr_value_t, bits, escr_select, 13, 3);
	BITS(pentium4_cccr_value_t, bits, active_thread, 16, 2);
	BITS(pentium4_cccr_value_t, bits, threshold, 20, 4);
	BITS(pentium4_cccr_value_t, bits, ovf_pmi_t0, 26, 1);
	BITS(pentium4_cccr_value_t, bits, cascade, 30, 1);
	BITS(pentium4_cccr_value_t, bits, overflow, 31, 1);
}

static void check_amd(void)
{
	BITS(pfm_amd64_sel_reg_t, perfsel, sel_unit_mask, 8, 8);
	BITS(pfm_amd64_sel_reg_t, perfsel, sel_en, 22, 1);
	BITS(pfm_amd64_sel_reg_t, perfsel, sel_cnt_mask, 24, 8);
	BITS(pfm_amd64_sel_reg_t, perfsel, sel_event_mask2, 32, 4);
	BITS(pfm_amd64_sel_reg_t, perfsel, sel_guest, 40, 1);
	BITS(pfm_amd64_sel_reg_t, perfsel, sel_host, 41, 1);
	BITS(pfm_amd64_ctr_reg_t, perfctr, ctr_count, 0, 48);
	BITS(ibsfetchctl_t, reg, ibsfetchlat, 32, 16);
	BITS(ibsfetchctl_t, reg, ibsfetchen, 48, 1);
	BITS(ibsfetchctl_t, reg, ibsranden, 57, 1);
	BITS(ibsopctl_t, reg, ibsopen, 17, 1);
	BITS(ibsopctl_t, reg, ibsopcntl, 19, 1);
	BITS(ibsopdata_t, reg, ibsopbrnret, 37, 1);
	BITS(ibsopdata2_t, reg, nbibsreqcachehitst, 5, 1);
	BITS(ibsopdata3_t, reg, ibsdcphyaddrvalid, 18, 1);
	BITS(ibsopdata3_t, reg, ibsdcmisslat, 32, 16);
}

static void check_options(void)
{
	union {
		unsigned int word;
		pfmlib_options_t options;
	} debug = { .options = { .pfm_debug = 1 } },
	  verbose = { .options = { .pfm_verbose = 1 } };

	if (debug.word != 1 || verbose.word != 2) {
		printf("pfmlib_options_t: %#x %#x\n", debug.word, verbose.word);
		wrong = 1;
	}
}

int main(void)
{
	check_intel();
	check_p6_and_p4();
	check_amd();
	check_options();
	return wrong;
}
