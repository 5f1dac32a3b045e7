// SPDX-License-Identifier: GPL-2.0-only
/*
 * VIA C3: looks like a P6, with these differences. Only the second counter and
 * its selector exist; the first one is another name of the TSC.  The selector
 * has nine event bits and nothing else. The counter can neither be stopped nor
 * written.
 */
#include <linux/errno.h>
#include <linux/init.h>

#include <asm/msr-index.h>
#include <asm/processor.h>

#include "build.h"
#include "map.h"
#include "perfctr_core.h"

#define C3_COUNTER	1
#define C3_WIDTH	32
#define C3_RESERVED	0xfffffe00

static unsigned int c3_counter_msr(unsigned int counter)
{
	return MSR_P6_PERFCTR0 + counter;
}

static unsigned int c3_evntsel_msr(unsigned int counter)
{
	return MSR_P6_EVNTSEL0 + counter;
}

/* There is one counter, so at most one element. */
static int c3_check_control(struct perfctr_cpu_state *state, bool is_global)
{
	const struct perfctr_cpu_control *control = &state->control;

	if (control->nractrs && ((control->evntsel[0] & C3_RESERVED) ||
				 control->evntsel_high[0]))
		return -EINVAL;
	return 0;
}

static void c3_write_control(const struct perfctr_cpu_state *state,
			     struct perfctr_cache *cache)
{
	perfctr_write_selectors(state, cache, MSR_P6_EVNTSEL0, 1);
}

static void c3_clear(void)
{
	perfctr_write(MSR_P6_EVNTSEL1, 0);
}

static void __init c3_fill_map(struct perfmon_pmu *pmu)
{
	pmu->model = "VIA C3";
	perfmon_add_plain_counter(pmu, C3_COUNTER, C3_RESERVED,
				  PERFMON_PRIV_ALWAYS, C3_WIDTH, "EVNTSEL",
				  "PERFCTR");
}

static struct perfctr_design c3_design __refdata = {
	.name = "VIA C3",
	.cpu_type = PERFCTR_X86_VIA_C3,
	.check_control = c3_check_control,
	.write_control = c3_write_control,
	.start_cpu = c3_clear,
	.stop_cpu = c3_clear,
	.visit = perfctr_visit_selectors,
	.fill_map = c3_fill_map,
	.build = perfmon_build_own_enables,
	.counter_msr = c3_counter_msr,
	.evntsel_msr = c3_evntsel_msr,
	.nr_counters = C3_COUNTER + 1,
	.absent_counters = BIT(0),
	.counter_mask = BIT_ULL(C3_WIDTH) - 1,
	.unwritable = true,
};

struct perfctr_design *__init perfctr_c3_detect(void)
{
	if (boot_cpu_data.x86_vendor != X86_VENDOR_CENTAUR ||
	    boot_cpu_data.x86 != 6)
		return NULL;

	/*
	 * Samuel, Samuel 2 and Ezra, Ezra-T, Nehemiah; higher models are the
	 * C7.
	 */
	switch (boot_cpu_data.x86_model) {
	case 6 ... 9:
		return &c3_design;
	default:
		return NULL;
	}
}
