/* SPDX-License-Identifier: MIT */
/*
 * libpfm for programs: events by name, and the register values that count them.
 * API and ABI are libpfm 3.10's, so every type, size and number in this header
 * is fixed.
 *
 * The library numbers registers as Linux perfmon does: a PMC configures, a PMD
 * holds a count.  See libpfm(3).
 */
#ifndef __PFMLIB_H__
#define __PFMLIB_H__

#include <inttypes.h>
#include <stdio.h>

#include <perfmon/pfmlib_os.h>

#include <perfmon/pfmlib_comp.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PFMLIB_VERSION ((3 << 16) | 10)
#define PFMLIB_MAJ_VERSION(v) ((v) >> 16)
#define PFMLIB_MIN_VERSION(v) ((v)&0xffff)

#define PFMLIB_MAX_PMCS 512
#define PFMLIB_MAX_PMDS 512
#define PFMLIB_MAX_MASKS_PER_EVENT 48

/* Register numbers, and bits of a pfmlib_regmask_t, are below this. */
#define PFMLIB_REG_MAX 512

/* Privilege levels of an event; x86 has kernel (0) and user (3) only. */
#define PFM_PLM0 0x1
#define PFM_PLM1 0x2
#define PFM_PLM2 0x4
#define PFM_PLM3 0x8

/* pfp_flags */
#define PFMLIB_PFP_SYSTEMWIDE 0x1

typedef int pfm_err_t;

typedef unsigned long pfmlib_regmask_bits_t;

#define __PFMLIB_REG_BV_BITS (sizeof(pfmlib_regmask_bits_t) << 3)
#define PFMLIB_BVSIZE(x) \
	(((x) + __PFMLIB_REG_BV_BITS - 1) / __PFMLIB_REG_BV_BITS)
#define PFMLIB_REG_BV PFMLIB_BVSIZE(PFMLIB_REG_MAX)

/* A set of registers. */
typedef struct {
	pfmlib_regmask_bits_t bits[PFMLIB_REG_BV];
} pfmlib_regmask_t;

/* An event with its unit masks; both are indexes that the library returns. */
typedef struct {
	unsigned int event;
	unsigned int plm; /* 0: use pfp_dfl_plm */
	unsigned long flags;
	unsigned int unit_masks[PFMLIB_MAX_MASKS_PER_EVENT];
	unsigned int num_masks;
	unsigned long reserved[2];
} pfmlib_event_t;

typedef struct {
	unsigned long long reg_value;
	unsigned long long reg_addr; /* model specific register */
	unsigned int reg_num;
	unsigned int reg_reserved1;
	unsigned long reg_alt_addr; /* index for RDPMC, if a PMD */
} pfmlib_reg_t;

typedef struct {
	unsigned int pfp_event_count;
	unsigned int pfp_dfl_plm;
	unsigned int pfp_flags;
	unsigned int reserved1;
	pfmlib_event_t pfp_events[PFMLIB_MAX_PMCS];
	/* PMCs that must not be used, because the kernel needs them itself. */
	pfmlib_regmask_t pfp_unavail_pmcs;
	unsigned long reserved[6];
} pfmlib_input_param_t;

/* pfp_pmds starts with the events' counters, in the order of the input. */
typedef struct {
	unsigned int pfp_pmc_count;
	unsigned int pfp_pmd_count;
	pfmlib_reg_t pfp_pmcs[PFMLIB_MAX_PMCS];
	pfmlib_reg_t pfp_pmds[PFMLIB_MAX_PMDS];
	unsigned long reserved[7];
} pfmlib_output_param_t;

typedef struct {
	unsigned int pfm_debug : 1;
	unsigned int pfm_verbose : 1;
	unsigned int pfm_reserved : 30;
} pfmlib_options_t;

/* Types of PMU.  This library supports the x86 types. */
#define PFMLIB_NO_PMU (-1)
#define PFMLIB_UNKNOWN_PMU 0
#define PFMLIB_GEN_IA64_PMU 1
#define PFMLIB_ITANIUM_PMU 2
#define PFMLIB_ITANIUM2_PMU 3
#define PFMLIB_MONTECITO_PMU 4
#define PFMLIB_AMD64_PMU 16
#define PFMLIB_I386_P6_PMU 32
#define PFMLIB_PENTIUM4_PMU 33
#define PFMLIB_COREDUO_PMU 34
#define PFMLIB_I386_PM_PMU 35
#define PFMLIB_CORE_PMU 36
#define PFMLIB_INTEL_CORE_PMU PFMLIB_CORE_PMU
#define PFMLIB_INTEL_PPRO_PMU 37
#define PFMLIB_INTEL_PII_PMU 38
#define PFMLIB_INTEL_ATOM_PMU 39
#define PFMLIB_INTEL_NHM_PMU 40
#define PFMLIB_INTEL_WSM_PMU 41
/* 42 to 62, 79 to 82: not in libpfm 3.10 */
#define PFMLIB_INTEL_SNB_PMU 42
#define PFMLIB_INTEL_IVB_PMU 43
#define PFMLIB_INTEL_HSW_PMU 44
#define PFMLIB_INTEL_BDW_PMU 45
#define PFMLIB_INTEL_SKL_PMU 46
#define PFMLIB_INTEL_ICL_PMU 47
#define PFMLIB_INTEL_SPR_PMU 48
#define PFMLIB_INTEL_SLM_PMU 49
#define PFMLIB_INTEL_GLM_PMU 50
#define PFMLIB_INTEL_TMT_PMU 51
#define PFMLIB_INTEL_KNL_PMU 52
#define PFMLIB_INTEL_P5_PMU 53
#define PFMLIB_INTEL_P5MMX_PMU 54
#define PFMLIB_CYRIX_MII_PMU 55
#define PFMLIB_WINCHIP_C6_PMU 56
#define PFMLIB_WINCHIP_2_PMU 57
#define PFMLIB_VIA_C3_PMU 58
#define PFMLIB_TSC_PMU 59 /* only a time-stamp counter */
#define PFMLIB_INTEL_GLC_PMU 60 /* Golden Cove: Alder and Raptor Lake */
#define PFMLIB_INTEL_GRT_PMU \
	61 /* Gracemont: Alder Lake N, and with Golden Cove */
#define PFMLIB_INTEL_RWC_PMU 62 /* Redwood Cove: Meteor Lake, Granite Rapids */
#define PFMLIB_GEN_IA32_PMU 63
#define PFMLIB_MIPS_20KC_PMU 64
#define PFMLIB_MIPS_24K_PMU 65
#define PFMLIB_MIPS_25KF_PMU 66
#define PFMLIB_MIPS_34K_PMU 67
#define PFMLIB_MIPS_5KC_PMU 68
#define PFMLIB_MIPS_74K_PMU 69
#define PFMLIB_MIPS_R10000_PMU 70
#define PFMLIB_MIPS_R12000_PMU 71
#define PFMLIB_MIPS_RM7000_PMU 72
#define PFMLIB_MIPS_RM9000_PMU 73
#define PFMLIB_MIPS_SB1_PMU 74
#define PFMLIB_MIPS_VR5432_PMU 75
#define PFMLIB_MIPS_VR5500_PMU 76
#define PFMLIB_MIPS_ICE9A_PMU 77
#define PFMLIB_MIPS_ICE9B_PMU 78
#define PFMLIB_INTEL_CMT_PMU 79 /* Crestmont: Meteor Lake, Sierra Forest */
#define PFMLIB_INTEL_LNC_PMU 80 /* Lion Cove: Lunar and Arrow Lake */
#define PFMLIB_INTEL_SKT_PMU 81 /* Skymont: with Lion Cove */
#define PFMLIB_INTEL_HYBRID_PMU 82 /* events common to both kinds of core */
#define PFMLIB_POWERPC_PMU 90
#define PFMLIB_CRAYX2_PMU 96
#define PFMLIB_CELL_PMU 100
#define PFMLIB_PPC970_PMU 110
#define PFMLIB_PPC970MP_PMU 111
#define PFMLIB_POWER3_PMU 112
#define PFMLIB_POWER4_PMU 113
#define PFMLIB_POWER5_PMU 114
#define PFMLIB_POWER5p_PMU 115
#define PFMLIB_POWER6_PMU 116
#define PFMLIB_POWER7_PMU 117
#define PFMLIB_SPARC_ULTRA12_PMU 130
#define PFMLIB_SPARC_ULTRA3_PMU 131
#define PFMLIB_SPARC_ULTRA3I_PMU 132
#define PFMLIB_SPARC_ULTRA3PLUS_PMU 133
#define PFMLIB_SPARC_ULTRA4PLUS_PMU 134
#define PFMLIB_SPARC_NIAGARA1_PMU 135
#define PFMLIB_SPARC_NIAGARA2_PMU 136

/* Return values of the functions; pfm_strerror() returns their texts. */
#define PFMLIB_SUCCESS 0
#define PFMLIB_ERR_NOTSUPP (-1)
#define PFMLIB_ERR_INVAL (-2)
#define PFMLIB_ERR_NOINIT (-3)
#define PFMLIB_ERR_NOTFOUND (-4)
#define PFMLIB_ERR_NOASSIGN (-5)
#define PFMLIB_ERR_FULL (-6)
#define PFMLIB_ERR_EVTMANY (-7)
#define PFMLIB_ERR_MAGIC (-8)
#define PFMLIB_ERR_FEATCOMB (-9)
#define PFMLIB_ERR_EVTSET (-10)
#define PFMLIB_ERR_EVTINCOMP (-11)
#define PFMLIB_ERR_TOOMANY (-12)
#define PFMLIB_ERR_IRRTOOBIG (-13)
#define PFMLIB_ERR_IRREMPTY (-14)
#define PFMLIB_ERR_IRRINVAL (-15)
#define PFMLIB_ERR_IRRTOOMANY (-16)
#define PFMLIB_ERR_DRRINVAL (-17)
#define PFMLIB_ERR_DRRTOOMANY (-18)
#define PFMLIB_ERR_BADHOST (-19)
#define PFMLIB_ERR_IRRALIGN (-20)
#define PFMLIB_ERR_IRRFLAGS (-21)
#define PFMLIB_ERR_UMASK (-22)
#define PFMLIB_ERR_NOMEM (-23)

#pragma GCC visibility push(default)

/* The library and the PMU that it uses. */
pfm_err_t pfm_set_options(pfmlib_options_t *opt);
pfm_err_t pfm_initialize(void);
pfm_err_t pfm_list_supported_pmus(int (*pf)(const char *fmt, ...));
pfm_err_t pfm_get_pmu_name(char *name, int maxlen);
pfm_err_t pfm_get_pmu_type(int *type);
pfm_err_t pfm_get_pmu_name_bytype(int type, char *name, size_t maxlen);
pfm_err_t pfm_is_pmu_supported(int type);
pfm_err_t pfm_force_pmu(int type);
pfm_err_t pfm_get_version(unsigned int *version);
char *pfm_strerror(int code);

/* Finding events. */
pfm_err_t pfm_find_event(const char *str, unsigned int *idx);
pfm_err_t pfm_find_event_byname(const char *name, unsigned int *idx);
pfm_err_t pfm_find_event_bycode(int code, unsigned int *idx);
pfm_err_t pfm_find_event_bycode_next(int code, unsigned int start,
				     unsigned int *next);
pfm_err_t pfm_find_event_mask(unsigned int event_idx, const char *str,
			      unsigned int *mask_idx);
pfm_err_t pfm_find_full_event(const char *str, pfmlib_event_t *e);
pfm_err_t pfm_get_cycle_event(pfmlib_event_t *e);
pfm_err_t pfm_get_inst_retired_event(pfmlib_event_t *e);

/* Properties of an event.  Strings returned through char ** are malloc'd. */
pfm_err_t pfm_get_max_event_name_len(size_t *len);
pfm_err_t pfm_get_num_events(unsigned int *count);
pfm_err_t pfm_get_num_event_masks(unsigned int event_idx, unsigned int *count);
pfm_err_t pfm_get_event_name(unsigned int idx, char *name, size_t maxlen);
pfm_err_t pfm_get_full_event_name(pfmlib_event_t *e, char *name, size_t maxlen);
pfm_err_t pfm_get_event_code(unsigned int idx, int *code);
pfm_err_t pfm_get_event_mask_code(unsigned int idx, unsigned int mask_idx,
				  unsigned int *code);
pfm_err_t pfm_get_event_counters(unsigned int idx, pfmlib_regmask_t *counters);
pfm_err_t pfm_get_event_description(unsigned int idx, char **str);
pfm_err_t pfm_get_event_code_counter(unsigned int idx, unsigned int cnt,
				     int *code);
pfm_err_t pfm_get_event_mask_name(unsigned int event_idx, unsigned int mask_idx,
				  char *name, size_t maxlen);
pfm_err_t pfm_get_event_mask_description(unsigned int event_idx,
					 unsigned int mask_idx, char **desc);

/* From events to registers: pfm_dispatch_events(3). */
pfm_err_t pfm_dispatch_events(pfmlib_input_param_t *p, void *model_in,
			      pfmlib_output_param_t *q, void *model_out);

/* The registers of the PMU. */
pfm_err_t pfm_get_impl_pmcs(pfmlib_regmask_t *impl_pmcs);
pfm_err_t pfm_get_impl_pmds(pfmlib_regmask_t *impl_pmds);
pfm_err_t pfm_get_impl_counters(pfmlib_regmask_t *impl_counters);
pfm_err_t pfm_get_num_pmds(unsigned int *num);
pfm_err_t pfm_get_num_pmcs(unsigned int *num);
pfm_err_t pfm_get_num_counters(unsigned int *num);
pfm_err_t pfm_get_hw_counter_width(unsigned int *width);

#pragma GCC visibility pop

/*
 * Sets of registers.  These functions are compiled into programs.
 */

static inline int pfm_regmask_isset(pfmlib_regmask_t *h, unsigned int b)
{
	if (b >= PFMLIB_REG_MAX)
		return 0;
	return (int)(h->bits[b / __PFMLIB_REG_BV_BITS] >>
			     (b % __PFMLIB_REG_BV_BITS) &
		     1);
}

static inline int pfm_regmask_set(pfmlib_regmask_t *h, unsigned int b)
{
	if (b >= PFMLIB_REG_MAX)
		return PFMLIB_ERR_INVAL;
	h->bits[b / __PFMLIB_REG_BV_BITS] |= 1UL << (b % __PFMLIB_REG_BV_BITS);
	return PFMLIB_SUCCESS;
}

static inline int pfm_regmask_clr(pfmlib_regmask_t *h, unsigned int b)
{
	if (!h || b >= PFMLIB_REG_MAX)
		return PFMLIB_ERR_INVAL;
	h->bits[b / __PFMLIB_REG_BV_BITS] &=
		~(1UL << (b % __PFMLIB_REG_BV_BITS));
	return PFMLIB_SUCCESS;
}

static inline int pfm_regmask_weight(pfmlib_regmask_t *h, unsigned int *w)
{
	unsigned int i, weight = 0;

	if (!h || !w)
		return PFMLIB_ERR_INVAL;
	for (i = 0; i < PFMLIB_REG_BV; i++)
		weight += (unsigned int)pfmlib_popcnt(h->bits[i]);
	*w = weight;
	return PFMLIB_SUCCESS;
}

/* 1 if they are equal, 0 if not or if one is missing. */
static inline int pfm_regmask_eq(pfmlib_regmask_t *h1, pfmlib_regmask_t *h2)
{
	unsigned int i;

	if (!h1 || !h2)
		return 0;
	for (i = 0; i < PFMLIB_REG_BV; i++) {
		if (h1->bits[i] != h2->bits[i])
			return 0;
	}
	return 1;
}

static inline int pfm_regmask_and(pfmlib_regmask_t *dst, pfmlib_regmask_t *h1,
				  pfmlib_regmask_t *h2)
{
	unsigned int i;

	if (!dst || !h1 || !h2)
		return PFMLIB_ERR_INVAL;
	for (i = 0; i < PFMLIB_REG_BV; i++)
		dst->bits[i] = h1->bits[i] & h2->bits[i];
	return PFMLIB_SUCCESS;
}

static inline int pfm_regmask_or(pfmlib_regmask_t *dst, pfmlib_regmask_t *h1,
				 pfmlib_regmask_t *h2)
{
	unsigned int i;

	if (!dst || !h1 || !h2)
		return PFMLIB_ERR_INVAL;
	for (i = 0; i < PFMLIB_REG_BV; i++)
		dst->bits[i] = h1->bits[i] | h2->bits[i];
	return PFMLIB_SUCCESS;
}

/* The bits of h1 that are not in h2. */
static inline int pfm_regmask_andnot(pfmlib_regmask_t *dst,
				     pfmlib_regmask_t *h1, pfmlib_regmask_t *h2)
{
	unsigned int i;

	if (!dst || !h1 || !h2)
		return PFMLIB_ERR_INVAL;
	for (i = 0; i < PFMLIB_REG_BV; i++)
		dst->bits[i] = h1->bits[i] & ~h2->bits[i];
	return PFMLIB_SUCCESS;
}

static inline int pfm_regmask_copy(pfmlib_regmask_t *dst, pfmlib_regmask_t *src)
{
	if (!dst || !src)
		return PFMLIB_ERR_INVAL;
	*dst = *src;
	return PFMLIB_SUCCESS;
}

static inline int pfm_regmask_not(pfmlib_regmask_t *dst)
{
	unsigned int i;

	if (!dst)
		return PFMLIB_ERR_INVAL;
	for (i = 0; i < PFMLIB_REG_BV; i++)
		dst->bits[i] = ~dst->bits[i];
	return PFMLIB_SUCCESS;
}

#ifdef __cplusplus
}
#endif

#endif /* __PFMLIB_H__ */
