// SPDX-License-Identifier: GPL-2.0-only
/*
 * AMD core performance counter extension (family 15h and later): six counters
 * like the K7's, with selectors and counters in alternating MSRs.
 *
 * PerfMonV2 (Zen 4 and later) adds a global control register and an overflow
 * status; CPUID has the number of counters.  As on Intel, the global control
 * enables all counters when the PMU is taken, and is not touched again: the
 * selectors start and stop the counters.
 */
#include <linux/bits.h>
#include <linux/init.h>
#include <linux/minmax.h>
#include <linux/percpu.h>

#include <asm/cpufeature.h>
#include <asm/msr-index.h>
#include <asm/perf_event.h>
#include <asm/perfmon_compat.h>
#include <asm/processor.h>

#include "build.h"
#include "perfctr_core.h"

#define AMD_CORE_COUNTERS	6
#define AMD_CORE_RESERVED	(EVNTSEL_ANY | EVNTSEL_PIN)

/* Global status: branch records and counters were frozen by an overflow. */
#define STATUS_FROZEN		(BIT_ULL(58) | BIT_ULL(59))

static struct perfctr_design amd_design __refdata;

/* Contents before the PMU was taken; perf_event relies on them. */
static DEFINE_PER_CPU(u64, found_global_ctl);

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
	state->host_only = perfctr_wants_host_only(&state->control);
	return perfctr_check_enabled_selectors(state, AMD_CORE_RESERVED,
					       ~AMD_SELECTOR_HIGH);
}

static void amd_write_control(const struct perfctr_cpu_state *state,
			      struct perfctr_cache *cache)
{
	if (unlikely(state->host_only))
		perfctr_write_host_only(state, cache, MSR_F15H_PERF_CTL, 2);
	else
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

	for (i = 0; i < amd_design.nr_counters; i++)
		perfctr_write(amd_evntsel_msr(i), 0);
}

static void amd_stop_cpu(void)
{
	amd_clear();
	perfctr_zero_counters();
}

static u64 v2_all_counters(void)
{
	return BIT_ULL(amd_design.nr_counters) - 1;
}

static void v2_ack_overflow(const struct perfctr_cpu_state *state,
			    unsigned int elements)
{
	unsigned int i, n = perfctr_cstatus_nrctrs(state->cstatus);
	u64 status = STATUS_FROZEN;

	if (unlikely(elements == PERFCTR_ALL_ELEMENTS))
		status |= v2_all_counters();
	for (i = perfctr_cstatus_nractrs(state->cstatus); i < n; i++)
		if (elements & BIT(i))
			status |= BIT_ULL(state->pmc[i].map);
	wrmsrl(MSR_AMD64_PERF_CNTR_GLOBAL_STATUS_CLR, status);
}

static void v2_clear_status(void)
{
	perfctr_write(MSR_AMD64_PERF_CNTR_GLOBAL_STATUS_CLR,
		      v2_all_counters() | STATUS_FROZEN);
}

static void v2_start_cpu(void)
{
	u64 value;

	amd_clear();
	if (rdmsrl_safe(MSR_AMD64_PERF_CNTR_GLOBAL_CTL, &value))
		value = 0;
	__this_cpu_write(found_global_ctl, value);
	v2_clear_status();
	perfctr_write(MSR_AMD64_PERF_CNTR_GLOBAL_CTL, v2_all_counters());
}

static void v2_stop_cpu(void)
{
	amd_stop_cpu();
	v2_clear_status();
	perfctr_write(MSR_AMD64_PERF_CNTR_GLOBAL_CTL,
		      __this_cpu_read(found_global_ctl));
}

static void v2_visit(const struct perfctr_cache *cache, perfctr_visit_t visit,
		     void *data)
{
	const struct perfctr_register ctl = {
		.msr = MSR_AMD64_PERF_CNTR_GLOBAL_CTL,
		.expected = v2_all_counters(),
	};
	const struct perfctr_register status = {
		.msr = MSR_AMD64_PERF_CNTR_GLOBAL_STATUS,
		.changing = ~0ULL,
	};

	perfctr_visit_selectors(cache, visit, data);
	visit(&ctl, data);
	visit(&status, data);
}

static struct perfctr_design amd_design __refdata = {
	.name = "AMD Core Perfctr",
	.cpu_type = PERFCTR_X86_AMD_CORE,
	.check_control = amd_check_control,
	.write_control = amd_write_control,
	.counts_kernel = perfctr_selector_counts_kernel,
	.stop_ictrs = amd_stop_ictrs,
	.start_cpu = amd_clear,
	.stop_cpu = amd_stop_cpu,
	.visit = perfctr_visit_selectors,
	.selector_changing = AMD_HOST_GUEST,
	.fill_map = perfctr_amd_fill_map,
	.build = perfmon_build_own_enables,
	.counter_msr = amd_counter_msr,
	.evntsel_msr = amd_evntsel_msr,
	.nr_counters = AMD_CORE_COUNTERS,
	.counter_mask = BIT_ULL(48) - 1,
	.enable_bits = EVNTSEL_ENABLE,
	.int_bit = EVNTSEL_INT,
	.in_allocator = true,
};

static void __init amd_use_v2(void)
{
	union cpuid_0x80000022_ebx ebx;

	ebx.full = cpuid_ebx(EXT_PERFMON_DEBUG_FEATURES);
	amd_design.name = "AMD PerfMonV2";
	amd_design.cpu_type = PERFCTR_X86_AMD_V2;
	/* RDPMC numbers after the sixth are north-bridge counters. */
	amd_design.nr_counters = min_t(unsigned int, ebx.split.num_core_pmc,
				       AMD_CORE_COUNTERS);
	amd_design.ack_overflow = v2_ack_overflow;
	amd_design.start_cpu = v2_start_cpu;
	amd_design.stop_cpu = v2_stop_cpu;
	amd_design.visit = v2_visit;
}

struct perfctr_design *__init perfctr_amd_detect(void)
{
	if (boot_cpu_data.x86_vendor != X86_VENDOR_AMD &&
	    boot_cpu_data.x86_vendor != X86_VENDOR_HYGON)
		return NULL;
	if (!boot_cpu_has(X86_FEATURE_PERFCTR_CORE))
		return NULL;
	if (boot_cpu_has(X86_FEATURE_PERFMON_V2))
		amd_use_v2();
	return amd_design.nr_counters ? &amd_design : NULL;
}
