// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMD core performance counter extension (family 15h and later): six counters
 * like those of the K7, with selectors and counters in alternating MSRs.
 *
 * Processors with PerfMonV2 gate all counters with a global control register
 * that this design does not know; they are refused.
 */
#define pr_fmt(fmt) "perfctr: " fmt

#include <linux/init.h>
#include <linux/printk.h>

#include <asm/cpufeature.h>
#include <asm/msr-index.h>
#include <asm/processor.h>

#include "perfctr_core.h"

#define AMD_CORE_COUNTERS	6
#define AMD_CORE_RESERVED	(EVNTSEL_ANY | EVNTSEL_PIN)

static unsigned int amd_counter_msr(unsigned int counter)
{
	return MSR_F15H_PERF_CTR + 2 * counter;
}

static unsigned int amd_evntsel_msr(unsigned int counter)
{
	return MSR_F15H_PERF_CTL + 2 * counter;
}

static int amd_check_control(struct perfctr_cpu_state *state, bool is_global)
{
	return perfctr_check_enabled_selectors(state, AMD_CORE_RESERVED,
					       ~AMD_SELECTOR_HIGH);
}

static void amd_write_control(const struct perfctr_cpu_state *state,
			      struct perfctr_cache *cache)
{
	perfctr_write_selectors(state, cache, MSR_F15H_PERF_CTL, 2);
}

static void amd_stop_ictrs(const struct perfctr_cpu_state *state,
			   struct perfctr_cache *cache)
{
	perfctr_stop_selectors(state, cache, MSR_F15H_PERF_CTL, 2);
}

static void amd_clear(void)
{
	unsigned int i;

	for (i = 0; i < AMD_CORE_COUNTERS; i++)
		wrmsrl(amd_evntsel_msr(i), 0);
}

static struct perfctr_design amd_design = {
	.name = "AMD Core Perfctr",
	.cpu_type = PERFCTR_X86_AMD_CORE,
	.check_control = amd_check_control,
	.write_control = amd_write_control,
	.counts_kernel = perfctr_selector_counts_kernel,
	.stop_ictrs = amd_stop_ictrs,
	.start_cpu = amd_clear,
	.stop_cpu = amd_clear,
	.counter_msr = amd_counter_msr,
	.evntsel_msr = amd_evntsel_msr,
	.nr_counters = AMD_CORE_COUNTERS,
	.counter_mask = BIT_ULL(48) - 1,
	.int_bit = EVNTSEL_INT,
	.in_allocator = true,
};

struct perfctr_design *__init perfctr_amd_detect(void)
{
	if (boot_cpu_data.x86_vendor != X86_VENDOR_AMD &&
	    boot_cpu_data.x86_vendor != X86_VENDOR_HYGON)
		return NULL;
	if (!boot_cpu_has(X86_FEATURE_PERFCTR_CORE))
		return NULL;
	if (boot_cpu_has(X86_FEATURE_PERFMON_V2)) {
		pr_info("AMD PerfMonV2 is not supported yet\n");
		return NULL;
	}
	return &amd_design;
}
