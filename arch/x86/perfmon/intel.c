// SPDX-License-Identifier: GPL-2.0-only
/*
 * Intel architectural performance monitoring, versions 1 to 5: programmable
 * counters with a selector each and, from version 2, fixed-function counters
 * that share one control register, and a global control register.
 *
 * GLOBAL_CTRL is opened for all counters when the PMU is taken and not
 * touched again: the selectors switch the counters.
 */
#define pr_fmt(fmt) "perfctr: " fmt

#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/printk.h>

#include <asm/cpufeature.h>
#include <asm/cpuid.h>
#include <asm/msr-index.h>
#include <asm/perf_event.h>
#include <asm/processor.h>

#include "perfctr_core.h"

#define INTEL_MAX_COUNTERS	15
#define INTEL_MAX_FIXED		3
#define INTEL_RESERVED		(EVNTSEL_ANY | EVNTSEL_PIN)

/* Fields of IA32_FIXED_CTR_CTRL are four bits wide. */
#define FIXED_FIELD		0xf
#define FIXED_OS		0x1
#define FIXED_ANY		0x4
#define FIXED_INT		0x8

/* Place of IA32_FIXED_CTR_CTRL in the cache, behind all selectors. */
#define CACHE_FIXED_CTRL	(PERFCTR_MAX_SELECTORS - 1)

static_assert(INTEL_MAX_COUNTERS + INTEL_MAX_FIXED <= PERFCTR_MAX_COUNTERS);
static_assert(INTEL_MAX_COUNTERS <= CACHE_FIXED_CTRL);

static struct perfctr_design intel_design;
static bool has_global_ctrl __ro_after_init;

/* What perf_event believes these registers to contain. */
static DEFINE_PER_CPU(u64, found_fixed_ctrl);
static DEFINE_PER_CPU(u64, found_global_ctrl);

static unsigned int intel_counter_msr(unsigned int counter)
{
	return MSR_ARCH_PERFMON_PERFCTR0 + counter;
}

static unsigned int intel_fixed_msr(unsigned int counter)
{
	return MSR_ARCH_PERFMON_FIXED_CTR0 + counter;
}

static unsigned int intel_evntsel_msr(unsigned int counter)
{
	return MSR_ARCH_PERFMON_EVENTSEL0 + counter;
}

static int check_fixed(const struct perfctr_cpu_state *state, unsigned int i)
{
	unsigned int field = state->control.evntsel[i];

	if ((field & ~FIXED_FIELD) || (field & FIXED_ANY) ||
	    state->control.evntsel_high[i])
		return -EINVAL;
	return perfctr_check_int(state, i, field & FIXED_INT);
}

static int intel_check_control(struct perfctr_cpu_state *state, bool is_global)
{
	const struct perfctr_cpu_control *control = &state->control;
	unsigned int i;
	int err;

	for (i = 0; i < control->nractrs + control->nrictrs; i++) {
		if (control->pmc_map[i] & PERFCTR_FIXED)
			err = check_fixed(state, i);
		else if (!(control->evntsel[i] & EVNTSEL_ENABLE))
			err = -EINVAL;
		else
			err = perfctr_check_selector(state, i, INTEL_RESERVED,
						     ~0);
		if (err)
			return err;
	}
	return 0;
}

/* Counters that the state does not use may run on: nobody reads them. */
static void intel_write_control(const struct perfctr_cpu_state *state,
				struct perfctr_cache *cache)
{
	unsigned int i, n = perfctr_cstatus_nrctrs(state->cstatus);
	u64 fixed_ctrl = cache->evntsel[CACHE_FIXED_CTRL];

	for (i = 0; i < n; i++) {
		unsigned int pmc = state->pmc[i].map;

		if (pmc & PERFCTR_FIXED) {
			unsigned int shift = 4 * (pmc & ~PERFCTR_FIXED);

			fixed_ctrl &= ~((u64)FIXED_FIELD << shift);
			fixed_ctrl |= perfctr_selector(state, i) << shift;
		} else {
			perfctr_cache_write(cache, pmc,
					    MSR_ARCH_PERFMON_EVENTSEL0 + pmc,
					    perfctr_selector(state, i));
		}
	}
	perfctr_cache_write(cache, CACHE_FIXED_CTRL,
			    MSR_ARCH_PERFMON_FIXED_CTR_CTRL, fixed_ctrl);
}

static void intel_stop_ictrs(const struct perfctr_cpu_state *state,
			     struct perfctr_cache *cache)
{
	unsigned int i, n = perfctr_cstatus_nrctrs(state->cstatus);
	u64 fixed_ctrl = cache->evntsel[CACHE_FIXED_CTRL];

	for (i = perfctr_cstatus_nractrs(state->cstatus); i < n; i++) {
		unsigned int pmc = state->pmc[i].map;

		if (pmc & PERFCTR_FIXED)
			fixed_ctrl &= ~((u64)FIXED_FIELD <<
					4 * (pmc & ~PERFCTR_FIXED));
		else
			perfctr_cache_write(cache, pmc,
					    MSR_ARCH_PERFMON_EVENTSEL0 + pmc,
					    0);
	}
	perfctr_cache_write(cache, CACHE_FIXED_CTRL,
			    MSR_ARCH_PERFMON_FIXED_CTR_CTRL, fixed_ctrl);
}

/* Bit of a counter in the global control and status registers. */
static u64 global_bit(unsigned int map)
{
	if (map & PERFCTR_FIXED)
		return BIT_ULL(INTEL_PMC_IDX_FIXED + (map & ~PERFCTR_FIXED));
	return BIT_ULL(map);
}

static bool intel_counts_kernel(const struct perfctr_cpu_control *control,
				unsigned int i)
{
	if (control->pmc_map[i] & PERFCTR_FIXED)
		return control->evntsel[i] & FIXED_OS;
	return perfctr_selector_counts_kernel(control, i);
}

static void intel_ack_overflow(const struct perfctr_cpu_state *state,
			       unsigned int elements)
{
	unsigned int i, n = perfctr_cstatus_nrctrs(state->cstatus);
	u64 status = 0;

	for (i = perfctr_cstatus_nractrs(state->cstatus); i < n; i++)
		if (elements & BIT(i))
			status |= global_bit(state->pmc[i].map);
	wrmsrl(MSR_CORE_PERF_GLOBAL_OVF_CTRL, status);
}

static u64 all_counters(void)
{
	return (BIT_ULL(intel_design.nr_counters) - 1) |
	       (BIT_ULL(intel_design.nr_fixed) - 1) << INTEL_PMC_IDX_FIXED;
}

static void clear_selectors(void)
{
	unsigned int i;

	for (i = 0; i < intel_design.nr_counters; i++)
		wrmsrl(intel_evntsel_msr(i), 0);
}

static void intel_start_cpu(void)
{
	u64 value;

	clear_selectors();
	if (intel_design.nr_fixed) {
		rdmsrl(MSR_ARCH_PERFMON_FIXED_CTR_CTRL, value);
		__this_cpu_write(found_fixed_ctrl, value);
		wrmsrl(MSR_ARCH_PERFMON_FIXED_CTR_CTRL, 0);
	}
	if (has_global_ctrl) {
		rdmsrl(MSR_CORE_PERF_GLOBAL_CTRL, value);
		__this_cpu_write(found_global_ctrl, value);
		wrmsrl(MSR_CORE_PERF_GLOBAL_OVF_CTRL, all_counters());
		wrmsrl(MSR_CORE_PERF_GLOBAL_CTRL, all_counters());
	}
}

static void intel_stop_cpu(void)
{
	clear_selectors();
	if (has_global_ctrl) {
		wrmsrl(MSR_CORE_PERF_GLOBAL_OVF_CTRL, all_counters());
		wrmsrl(MSR_CORE_PERF_GLOBAL_CTRL,
		       __this_cpu_read(found_global_ctrl));
	}
	if (intel_design.nr_fixed)
		wrmsrl(MSR_ARCH_PERFMON_FIXED_CTR_CTRL,
		       __this_cpu_read(found_fixed_ctrl));
}

static struct perfctr_design intel_design = {
	.name = "Intel architectural",
	.cpu_type = PERFCTR_X86_INTEL_ARCH,
	.check_control = intel_check_control,
	.write_control = intel_write_control,
	.counts_kernel = intel_counts_kernel,
	.stop_ictrs = intel_stop_ictrs,
	.start_cpu = intel_start_cpu,
	.stop_cpu = intel_stop_cpu,
	.counter_msr = intel_counter_msr,
	.fixed_msr = intel_fixed_msr,
	.evntsel_msr = intel_evntsel_msr,
	.counter_mask = ~0ULL, /* sign-extends the low 32 bits */
	.int_bit = EVNTSEL_INT,
	.in_allocator = true,
	.lvt_automask = true,
};

struct perfctr_design *__init perfctr_intel_detect(void)
{
	union cpuid10_eax eax;
	union cpuid10_edx edx;
	unsigned int ebx, ecx;

	if (boot_cpu_data.x86_vendor != X86_VENDOR_INTEL ||
	    boot_cpu_data.cpuid_level < 10)
		return NULL;

	/* Counters and fixed events differ between the two kinds of cores. */
	if (boot_cpu_has(X86_FEATURE_HYBRID_CPU)) {
		pr_info("hybrid processors are not supported yet\n");
		return NULL;
	}

	cpuid(10, &eax.full, &ebx, &ecx, &edx.full);
	if (!eax.split.version_id || !eax.split.num_counters)
		return NULL;

	has_global_ctrl = eax.split.version_id >= 2;
	if (has_global_ctrl)
		intel_design.ack_overflow = intel_ack_overflow;
	intel_design.fixed_mask = BIT_ULL(edx.split.bit_width_fixed) - 1;
	intel_design.nr_counters = min_t(unsigned int, eax.split.num_counters,
					 INTEL_MAX_COUNTERS);
	if (has_global_ctrl)
		intel_design.nr_fixed = min_t(unsigned int,
					      edx.split.num_counters_fixed,
					      INTEL_MAX_FIXED);
	/* Core Duo has version 1 and one enable bit for both counters. */
	if (boot_cpu_data.x86 == 6 && boot_cpu_data.x86_model == 14)
		return NULL;
	return &intel_design;
}
