/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sessions with the format "precise", and instruction-based sampling.
 *
 * The machine puts the number of the user instruction that was sampled into IBSOPDATA, so
 * that the address of each record is known.
 */
#ifndef PRECISE_FIXTURE_H
#define PRECISE_FIXTURE_H

#include <stdbool.h>
#include <string.h>

#include "machine.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "precise_format.h"

#define PMC_FETCH 6
#define PMC_OP 7
#define PMD_FETCH 6
#define PMD_OP 9
#define PMD_OP_RIP 10
#define PMD_OP_PHYSICAL 15
#define FETCH_ENABLE (1ULL << 48)
#define OP_ENABLE (1ULL << 17)
#define OP_COUNTS_OPS (1ULL << 19)

#define PERIOD (kernel_is_slow() ? 99200u : 992u)
#define ROUNDS (kernel_is_slow() ? 1200000ul : 60000ul)
#define BUFFER (1 << 20)

#define HALVES PFM_PRECISE_SMPL_HALVES
#define NO_IDS PFM_PRECISE_SMPL_NO_IDS
#define GPRS PFM_PRECISE_SMPL_GPRS
#define MEM PFM_PRECISE_SMPL_MEM
#define BRANCHES PFM_PRECISE_SMPL_BRANCHES
#define STACK PFM_PRECISE_SMPL_STACK
#define RAW PFM_PRECISE_SMPL_RAW

/* A session with these PFM_PRECISE_SMPL_* flags and blocks, and its buffer.  Return: 0 or -1. */
static inline int precise_open_sized(struct precise *p, uint64_t size,
				     uint32_t buf_flags, uint32_t blocks)
{
	const struct pfm_precise_smpl_arg arg = {
		.buf_size = size,
		.buf_flags = buf_flags,
		.blocks = blocks,
		.stack_bytes = blocks & STACK ? 256 : 0,
	};

	return precise_open(p, 0, &arg);
}

static inline int open_with(struct precise *p, uint32_t buf_flags,
			    uint32_t blocks)
{
	return precise_open_sized(p, BUFFER, buf_flags, blocks);
}

static inline bool has_ibs(void)
{
	struct pmu_reg reg;

	return pmu_reg(PMU_PMC, PMC_OP, &reg) && !strcmp(reg.name, "IBSOPCTL");
}

/* The registers of an entry with MEM and RAW that IBS op has made, or NULL. */
static inline const uint64_t *raw_of(const struct pfm_precise_smpl_entry *entry)
{
	const struct pfm_precise_smpl_blocks *blocks = precise_after_ips(entry);
	const struct pfm_precise_smpl_mem *mem = (const void *)(blocks + 1);
	const struct pfm_precise_smpl_raw *raw = (const void *)(mem + 1);

	if (blocks->present != (MEM | RAW) ||
	    raw->kind != PFM_PRECISE_SMPL_RAW_IBS_OP || raw->bytes != 72)
		return NULL;
	return (const uint64_t *)(raw + 1);
}

/* Sample operations; @flags: of PMC_OP.  Return: 0 or -1. */
static inline int write_op(int fd, uint32_t flags)
{
	struct pfarg_pmr pmr = {
		.reg_num = PMC_OP,
		.reg_flags = flags,
		.reg_value = OP_ENABLE | OP_COUNTS_OPS | PERIOD >> 4,
	};

	if (write_pmd(fd, PMD_OP, 0))
		return -1;
	return pfm_write_pmrs(fd, PFM_RWFL_PMC, &pmr, 1, NULL);
}

#endif
