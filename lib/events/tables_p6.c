// SPDX-License-Identifier: MIT
/*
 * The load functions of the P6 family, the Core Duo and the Pentium 4, called by
 * pfmlib_init.c.
 */
#include "eventfiles/i386_tables.h"
#include "tables.h"

static const struct {
	int type;
	const struct pfmlib_i386_table *table;
	unsigned int patches;
} tables[] = {
	{ PFMLIB_INTEL_PPRO_PMU, &pfmlib_i386_ppro, 0 },
	{ PFMLIB_INTEL_PII_PMU, &pfmlib_i386_pii, 0 },
	{ PFMLIB_I386_P6_PMU, &pfmlib_i386_p6, 0 },
	{ PFMLIB_I386_PM_PMU, &pfmlib_i386_pm, PFMLIB_PATCH_PM },
	{ PFMLIB_COREDUO_PMU, &pfmlib_i386_coreduo, PFMLIB_PATCH_COREDUO },
};

int pfmlib_load_p6(struct pfmlib_pmu *pmu)
{
	struct pfmlib_table table = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(tables); i++) {
		if (tables[i].type != pmu->model->type)
			continue;
		pfmlib_table_add(&table, tables[i].table->events,
				 tables[i].table->num_events);
		pfmlib_table_patch(&table, tables[i].patches);
	}
	if (pmu->model->type == PFMLIB_COREDUO_PMU) {
		pmu->cycle_event = "UNHALTED_CORE_CYCLES";
		pmu->inst_event = "INSTRUCTIONS_RETIRED";
	} else {
		pmu->cycle_event = "CPU_CLK_UNHALTED";
		pmu->inst_event = "INST_RETIRED";
	}
	return pfmlib_table_finish(&table, pmu);
}

bool pfmlib_p4_has_instr_completed(const struct pfmlib_cpu *cpu)
{
	return cpu->model == 3 || cpu->model == 4 || cpu->model == 6;
}

int pfmlib_load_p4(struct pfmlib_pmu *pmu)
{
	struct pfmlib_table table = { 0 };

	/*
	 * Includes INSTR_COMPLETED, which dispatch_p4.c refuses on other
	 * models.
	 */
	pfmlib_table_add_libpfm4(&table, "netburst_p", PFMLIB_CODES_P4);
	pfmlib_table_patch(&table, PFMLIB_PATCH_P4);
	pmu->cycle_event = "GLOBAL_POWER_EVENTS:RUNNING";
	if (pfmlib_p4_has_instr_completed(&pmu->cpu))
		pmu->inst_event = "INSTR_COMPLETED:NBOGUS";
	else
		pmu->inst_event = "INSTR_RETIRED:NBOGUSNTAG:NBOGUSTAG";
	return pfmlib_table_finish(&table, pmu);
}
