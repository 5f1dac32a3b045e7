// SPDX-License-Identifier: GPL-2.0-only
/* Records of branches as a program uses them. */
#include "precise_format.h"

#include <stdio.h>

#include "attr.h"
#include "instruction_track.h"
#include "pebs.h"
#include "pmrs.h"

#define BUFFER (1 << 20)

/* Processors before Sandy Bridge have the erratum. */
#define ERRATUM_DEPTH 16

unsigned int branches_depth(void)
{
	char text[64];
	unsigned int depth;

	if (attr_read("pmu_desc/branches", text, sizeof(text)) ||
	    sscanf(text, "%u", &depth) != 1)
		return 0;
	return depth;
}

bool branches_have_erratum(void)
{
	FILE *file = fopen("/proc/cpuinfo", "r");
	unsigned int model = 0;
	char line[256];

	while (file && fgets(line, sizeof(line), file))
		if (sscanf(line, "model : %u", &model) == 1)
			break;
	if (file)
		fclose(file);
	return branches_depth() == ERRATUM_DEPTH &&
	       (model == 0x1a || model == 0x1e || model == 0x25 ||
		model == 0x2c);
}

int branches_program(int fd, uint64_t select, uint64_t period)
{
	uint64_t levels = select & LBR_NO_KERNEL ? 0 : PEBS_KERNEL;

	if (pebs_program(fd, 0, PEBS_INSTRUCTIONS | levels, 0, period))
		return -1;
	return write_pmc(fd, PMC_LBR_SELECT, select);
}

int branches_open(struct precise *p, int flags, uint64_t select,
		  uint64_t period)
{
	const struct pfm_precise_smpl_arg arg = {
		.buf_size = BUFFER,
		.blocks = PFM_PRECISE_SMPL_BRANCHES,
	};

	if (precise_open(p, flags, &arg))
		return -1;
	return branches_program(p->fd, select, period);
}

const struct pfm_precise_smpl_branch *
branches_of(const struct pfm_precise_smpl_entry *entry, unsigned int *nr)
{
	const struct pfm_precise_smpl_blocks *blocks = precise_after_ips(entry);
	const struct pfm_precise_smpl_branches *branches =
		(const void *)(blocks + 1);

	*nr = blocks->present == PFM_PRECISE_SMPL_BRANCHES ? branches->nr : 0;
	return (const void *)(branches + 1);
}

bool branch_is_kernel(const struct pfm_precise_smpl_branch *branch)
{
	return pebs_is_kernel(branch->from) || pebs_is_kernel(branch->to);
}

bool branch_is_of_track(const struct pfm_precise_smpl_branch *branch)
{
	return branch_track_has(branch->from) || branch_track_has(branch->to);
}
