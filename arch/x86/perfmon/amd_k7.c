// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMD K7, K8 and families 10h to 16h: four counters, each with a selector and
 * an enable bit of its own.  Families from 15h on that have the core extension
 * are driven by amd_core.c.
 */
#include <linux/init.h>

#include <asm/cpufeature.h>
#include <asm/msr-index.h>
#include <asm/processor.h>

#include "build.h"
#include "perfctr_core.h"

#define K7_COUNTERS	4

/* Bits 21 and 19; on these processors bit 19 has no pin to control. */
#define K7_RESERVED	(EVNTSEL_ANY | EVNTSEL_PIN)

/* Selectors are wider from family 10h on. */
static unsigned int k7_reserved_high __ro_after_init = ~0;

static unsigned int k7_counter_msr(unsigned int counter)
{
	return MSR_K7_PERFCTR0 + counter;
}

static unsigned int k7_evntsel_msr(unsigned int counter)
{
	return MSR_K7_EVNTSEL0 + counter;
}

static int k7_check_control(struct perfctr_cpu_state *state, bool is_global)
{
	state->host_only = perfctr_wants_host_only(&state->control);
	return perfctr_check_enabled_selectors(state, K7_RESERVED,
					       k7_reserved_high);
}

static void k7_write_control(const struct perfctr_cpu_state *state,
			     struct perfctr_cache *cache)
{
	if (unlikely(state->host_only))
		perfctr_write_host_only(state, cache, MSR_K7_EVNTSEL0, 1);
	else
		perfctr_write_selectors(state, cache, MSR_K7_EVNTSEL0, 1);
}

static void k7_stop_ictrs(const struct perfctr_cpu_state *state,
			  struct perfctr_cache *cache)
{
	perfctr_stop_selectors(state, cache, MSR_K7_EVNTSEL0, 1);
}

static void k7_clear(void)
{
	unsigned int i;

	for (i = 0; i < K7_COUNTERS; i++)
		perfctr_write(MSR_K7_EVNTSEL0 + i, 0);
}

static void k7_stop_cpu(void)
{
	k7_clear();
	perfctr_zero_counters();
}

static struct perfctr_design k7_design __refdata = {
	.name = "AMD K7",
	.cpu_type = PERFCTR_X86_AMD_K7,
	.check_control = k7_check_control,
	.write_control = k7_write_control,
	.counts_kernel = perfctr_selector_counts_kernel,
	.stop_ictrs = k7_stop_ictrs,
	.start_cpu = k7_clear,
	.stop_cpu = k7_stop_cpu,
	.visit = perfctr_visit_selectors,
	.selector_changing = AMD_HOST_GUEST,
	.fill_map = perfctr_amd_fill_map,
	.build = perfmon_build_own_enables,
	.counter_msr = k7_counter_msr,
	.evntsel_msr = k7_evntsel_msr,
	.nr_counters = K7_COUNTERS,
	.counter_mask = BIT_ULL(48) - 1,
	.enable_bits = EVNTSEL_ENABLE,
	.int_bit = EVNTSEL_INT,
	.in_allocator = true,
};

struct perfctr_design *__init perfctr_k7_detect(void)
{
	if (boot_cpu_data.x86_vendor != X86_VENDOR_AMD &&
	    boot_cpu_data.x86_vendor != X86_VENDOR_HYGON)
		return NULL;
	/*
	 * Its global control also gates the old MSRs, so only amd_core.c can
	 * drive it.
	 */
	if (boot_cpu_has(X86_FEATURE_PERFMON_V2))
		return NULL;

	switch (boot_cpu_data.x86) {
	case 6:
		break;
	case 0xf:
		k7_design.name = "AMD K8";
		k7_design.cpu_type = PERFCTR_X86_AMD_K8;
		break;
	case 0x10 ... 0x1a:
		k7_design.name = "AMD Family 10h+";
		k7_design.cpu_type = PERFCTR_X86_AMD_FAM10H;
		k7_reserved_high = ~AMD_SELECTOR_HIGH;
		break;
	default:
		return NULL;
	}
	return &k7_design;
}
