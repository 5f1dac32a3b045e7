// SPDX-License-Identifier: GPL-2.0-only
/* Registers of events, see assigned.h. */
#include "assigned.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "fake_pmu.h"
#include "parsed.h"
#include "scratch_dir.h"

struct regmap map;
struct pfarg_setinfo info;
struct plan plan;

void use_pmu(const char *name)
{
	char *sysfs = scratch_make();

	fake_pmu_write(sysfs, name);
	assert_int_equal(regmap_read(&map, sysfs), 0);
	info = fake_pmu_info(name);
	scratch_remove(sysfs);
}

int assign(const char *model, const char *text)
{
	events_free(&parsed_list);
	parse(model, text);
	return assign_events(&plan, &parsed_list, &map, &info);
}

uint64_t pmc_value(unsigned int pmc)
{
	for (int i = 0; i < plan.pmc_count; i++)
		if (plan.pmcs[i].reg_num == pmc)
			return plan.pmcs[i].reg_value;
	return 0;
}
