// SPDX-License-Identifier: GPL-2.0-only
/* The register of branch records, see branches.h. */
#include "record/branches.h"

#include <string.h>

#include "diag.h"
#include "record/kernel_formats.h"
#include "registers/samplers.h"
#include "registers/values.h"

/* Bits of LBR_SELECT that leave out a level; the kinds are BRANCHES_ALL. */
#define NO_KERNEL 0x1
#define NO_USER 0x2

static int find_register(const struct regmap *map)
{
	for (unsigned int i = 0; i < PFM_MAX_PMCS; i++)
		if (map->pmc[i].present &&
		    !strcmp(map->pmc[i].name, "LBR_SELECT"))
			return (int)i;
	return -1;
}

/* If nothing was said, the levels of the events. */
static uint64_t levels_left_out(const struct measurement *m)
{
	unsigned int levels = m->request->samples.branch_levels;

	for (int i = 0;
	     !m->request->samples.branch_levels && i < m->hardware.count; i++)
		levels |= m->hardware.events[i].levels;
	return (levels & LEVEL_KERNEL ? 0 : NO_KERNEL) |
	       (levels & LEVEL_USER ? 0 : NO_USER);
}

int branches_program(struct measurement *m)
{
	const struct sample_wish *wish = &m->request->samples;
	uint64_t value = (BRANCHES_ALL & ~wish->branches) | levels_left_out(m);
	int pmc = find_register(&m->map);

	if (!wish->branches)
		return 0;
	if (pmc < 0)
		return diag(
			"-b: no records of branches: this processor has none that this kernel uses; leave -b out");
	if (!kernel_formats_precise())
		return diag(
			"-b: this kernel has no sampling format \"precise\"; leave -b out");
	if (samplers_any(&m->hardware))
		return diag(
			"-b: precise samples have no branches; leave the p or -b out");
	if (wish->stack_bytes && !wish->copies_if_possible)
		return diag(
			"--call-graph=dwarf: not with branches; use --call-graph=fp");
	return plan_add_pmc(&m->sets.list[0].plan, (unsigned int)pmc, value, 0);
}
