/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Declarations for the files of the Pentium 4: p4.c (counting), p4_escr.c
 * (event registers), build_p4.c (elements from PMC values) and map_p4.c
 * (register map).
 */
#ifndef _PERFCTR_P4_H
#define _PERFCTR_P4_H

#include <linux/bits.h>
#include <linux/types.h>

#define P4_COUNTERS		18

/* From counter 16 on the counters of group IQ are numbered differently. */
#define P4_IQ_CTR4		16
#define P4_IQ_CTR5		17

/* Counter configuration control registers. */
#define P4_CCCR_EXTENDED_CASCADE	BIT(11)
#define P4_CCCR_ENABLE			BIT(12)
#define P4_CCCR_ESCR_SELECT		GENMASK(15, 13)
#define P4_CCCR_ACTIVE_THREAD		GENMASK(17, 16)
#define P4_CCCR_FORCE_OVF		BIT(25)
#define P4_CCCR_OVF_PMI_T0		BIT(26)
#define P4_CCCR_OVF_PMI_T1		BIT(27)
#define P4_CCCR_CASCADE			BIT(30)
#define P4_CCCR_OVF			BIT(31)

/* Each of these bits makes a counter count, now or later. */
#define P4_CCCR_COUNTS	(P4_CCCR_ENABLE | P4_CCCR_CASCADE | \
			 P4_CCCR_EXTENDED_CASCADE)

/*
 * Event selection control registers: levels for each of the two hyper-threads.
 */
#define P4_ESCR_CPL_T1		GENMASK(1, 0)
#define P4_ESCR_T0_OS		BIT(3)

/* PEBS_ENABLE and PEBS_MATRIX_VERT: the bits that replay tagging uses. */
#define P4_PE_REPLAY_TAGS	(BIT(10) | BIT(9) | BIT(2) | BIT(1) | BIT(0))
#define P4_PE_UOP_TAG		BIT(24)
#define P4_PMV_REPLAY		GENMASK(1, 0)

struct perfmon_arch_set;
struct perfmon_pmu;

/* map_p4.c, build_p4.c */
void perfctr_p4_fill_map(struct perfmon_pmu *pmu);
void perfctr_p4_build(struct perfmon_arch_set *set, const u64 *pmcs,
		      const unsigned long *used_pmcs,
		      const unsigned long *used_pmds);

/* Groups of counters, and ESCRs from which a CCCR of a group selects. */
#define P4_GROUPS		4
#define P4_SELECTS		8
#define P4_FIRST_ESCRS		(P4_GROUPS * P4_SELECTS)

/* p4_escr.c */
unsigned int perfctr_p4_first_escr(unsigned int i);
bool perfctr_p4_has_iq_escr(void);
bool perfctr_p4_has_threads(void);
unsigned int perfctr_p4_escr(unsigned int counter, u32 cccr);

#endif /* _PERFCTR_P4_H */
