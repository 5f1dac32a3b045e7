// SPDX-License-Identifier: GPL-2.0-only
/*
 * How programs that were written for version 2.2, or for the draft of version 3
 * beside it, use what libpfm 3.10 declares with PFMLIB_OLD_PFMV2. Only compiled, as
 * C and as C++, by check-abi.
 */
#define PFMLIB_OLD_PFMV2
#include <perfmon/perfmon.h>
#include <perfmon/perfmon_dfl_smpl.h>
#include <inttypes.h>
#include <stdio.h>

int use_v22(void);
int use_draft(void);

static unsigned int overflowed(const pfarg_msg_t *msg, unsigned int pmd)
{
	const uint64_t *pmds = msg->pfm_ovfl_msg.msg_ovfl_pmds;

	return pmd < PFM_MAX_HW_PMDS && pmd / PFM_BPL < PFM_HW_PMD_BV &&
	       (pmds[pmd / PFM_BPL] >> pmd % PFM_BPL & 1);
}

int use_v22(void)
{
	static const unsigned char uuid[16] = PFM_DFL_SMPL_UUID;
	static pfarg_setdesc_t desc;
	static pfarg_setinfo_t info;
	static pfarg_msg_t msg;
	static pfarg_ctx_t ctx;
	int fd = pfm_create_context(&ctx, NULL, NULL, 0);

	desc.set_id_next = 1;
	pfm_create_evtsets(fd, &desc, 1);
	pfm_getinfo_evtsets(fd, &info, 1);
	printf("%02x %" PRIu64 " %u\n", uuid[0], info.set_mmap_offset,
	       overflowed(&msg, 3));
	return pfm_unload_context(fd);
}

int use_draft(void)
{
	static const int types[] = { PFM_RW_PMD, PFM_RW_PMC, PFM_RW_PMD_ATTR };
	static const int states[] = { PFM_ST_START, PFM_ST_STOP,
				      PFM_ST_RESTART };
	static pfarg_pmd_attr_t attr;
	static pfarg_sinfo_t sif;
	static pfarg_pmr_t pmr;
	int fd = pfm_create(PFM_FL_SYSTEM_WIDE, &sif);

	attr.reg_num = pmr.reg_num;
	printf("%u %" PRIx64 " %d %d\n", attr.reg_num, sif.sif_avail_pmds[0],
	       types[2], states[2]);
	return fd == PFM_NO_TARGET;
}
