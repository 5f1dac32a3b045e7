// SPDX-License-Identifier: GPL-2.0-only
/*
 * Intel architectural performance monitoring, versions 1 to 6.  Each programmable counter
 * has a selector.  From version 2 there are also fixed-function counters, which share one
 * control register, and a global control register.
 *
 * GLOBAL_CTRL enables all counters when the PMU is taken, and is not touched again: the
 * selectors start and stop the counters.
 *
 * Later versions add little that matters here: in 3 a counter may include the other
 * hyper-thread, 4 can freeze counters by the status register, 5 has a bit mask of the
 * existing fixed counters, 6 of all counters.
 */
#define pr_fmt(fmt) "perfctr: " fmt

#include <linux/array_size.h>
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/printk.h>

#include <asm/cpufeature.h>
#include <asm/msr-index.h>
#include <asm/perf_event.h>
#include <asm/processor.h>

#include "build.h"
#include "intel.h"
#include "intel_leaf10.h"
#include "perfctr_core.h"

#define INTEL_MAX_COUNTERS	16
#define INTEL_MAX_FIXED		16

/* Bits 32 and 33 of a selector; the second is for one counter only. */
#define SELECTOR_IN_TX		0x1
#define SELECTOR_IN_TXCP	0x2
#define IN_TXCP_COUNTER		2

/* IA32_PERF_GLOBAL_STATUS from version 4 on: frozen by an overflow. */
#define STATUS_FROZEN		(BIT_ULL(58) | BIT_ULL(59))

/* Bits of a field of IA32_FIXED_CTR_CTRL. */
#define FIXED_OS		0x1
#define FIXED_ANY		0x4
#define FIXED_INT		0x8

/* User and operating system level, in all fields. */
#define FIXED_LEVELS		0x3333333333333333ULL

static_assert(INTEL_MAX_COUNTERS <= CACHE_FIXED_CTRL);

static struct perfctr_design intel_design __refdata;
static unsigned int version __ro_after_init;

/* Registers that all CPUs had that were online at boot. */
static struct perfctr_leaf10 common __ro_after_init;

/* Status bits that stop all counters while they say "frozen": version 4. */
static u64 frozen_status __ro_after_init;

/* Bits that must be clear: of selectors, of their upper halves, of fields. */
static unsigned int selector_reserved __ro_after_init =
	EVNTSEL_ANY | EVNTSEL_PIN;
static unsigned int high_reserved __ro_after_init = ~0;
static unsigned int field_reserved __ro_after_init = ~FIXED_FIELD | FIXED_ANY;

/* Contents before the PMU was taken; perf_event relies on them. */
static DEFINE_PER_CPU(u64, found_fixed_ctrl);
static DEFINE_PER_CPU(u64, found_global_ctrl);

static bool intel_has_global_ctrl(void)
{
	return version >= 2;
}

static unsigned int intel_counter_msr(unsigned int counter)
{
	return MSR_ARCH_PERFMON_PERFCTR0 + counter;
}

static unsigned int intel_full_width_msr(unsigned int counter)
{
	return MSR_IA32_PMC0 + counter;
}

static unsigned int intel_fixed_msr(unsigned int counter)
{
	return MSR_ARCH_PERFMON_FIXED_CTR0 + counter;
}

static unsigned int intel_evntsel_msr(unsigned int counter)
{
	return MSR_ARCH_PERFMON_EVENTSEL0 + counter;
}

static int intel_check_fixed(const struct perfctr_cpu_state *state,
			     unsigned int i)
{
	unsigned int field = state->control.evntsel[i];

	if ((field & field_reserved) || state->control.evntsel_high[i])
		return -EINVAL;
	return perfctr_check_int(state, i, field & FIXED_INT);
}

static int intel_check_programmable(const struct perfctr_cpu_state *state,
				    unsigned int i)
{
	unsigned int high = high_reserved;

	if (!(state->control.evntsel[i] & EVNTSEL_ENABLE))
		return -EINVAL;
	/* An interrupt would abort the transaction, and it would start again. */
	if (state->control.pmc_map[i] != IN_TXCP_COUNTER ||
	    i >= state->control.nractrs)
		high |= SELECTOR_IN_TXCP;
	return perfctr_check_selector(state, i, selector_reserved, high);
}

static int intel_check_control(struct perfctr_cpu_state *state, bool is_global)
{
	const struct perfctr_cpu_control *control = &state->control;
	unsigned int i;
	int err;

	for (i = 0; i < control->nractrs + control->nrictrs; i++) {
		if (control->pmc_map[i] & PERFCTR_FIXED)
			err = intel_check_fixed(state, i);
		else
			err = intel_check_programmable(state, i);
		if (err)
			return err;
	}
	return 0;
}

/*
 * Sibling threads share some of these registers, so the cache cannot know their contents
 * and they are always written.  If both threads of a core use one at the same time, the
 * last value written holds for both.
 */
void perfctr_intel_write_extra(const struct perfctr_cpu_control *control,
			       struct perfctr_cache *cache)
{
	unsigned int i;

	for (i = 0; i < PERFCTR_MAX_EXTRA; i++) {
		const struct perfctr_extra *extra = &intel_design.extra[i];
		u64 value = control->extra[i];

		if (!(control->extra_used & BIT(i)))
			continue;
		/* On processors that are not hybrid no value has these bits. */
		if (unlikely(value & EXTRA_KINDS)) {
			if (!perfctr_extra_is_for_us(value))
				continue;
			value &= ~EXTRA_KINDS;
		}
		if (cache->extra[i] == value && !extra->shared)
			continue;
		cache->extra[i] = value;
		wrmsrl(extra->msr, value);
	}
}

static u64 intel_selector(const struct perfctr_cpu_state *state, unsigned int i)
{
	return perfctr_selector(state, i);
}

void perfctr_intel_write_control(const struct perfctr_cpu_state *state,
				 struct perfctr_cache *cache)
{
	intel_write_selectors(state, cache, intel_selector);
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
static u64 intel_global_bit(unsigned int map)
{
	if (map & PERFCTR_FIXED)
		return BIT_ULL(INTEL_PMC_IDX_FIXED + (map & ~PERFCTR_FIXED));
	return BIT_ULL(map);
}

static bool intel_counts_kernel(const struct perfctr_cpu_control *control,
				unsigned int i)
{
	if (control->pmc_map[i] & PERFCTR_FIXED)
		return control->evntsel[i] & (FIXED_OS | FIXED_ANY);
	return perfctr_selector_counts_kernel(control, i);
}

/* The bits that enable all counters in GLOBAL_CTRL of this CPU. */
static u64 intel_counters_here(void)
{
	return perfctr_intel_all_counters(&intel_design) |
	       perfctr_more_here(intel_design.kind_counters) |
	       (u64)perfctr_more_here(intel_design.kind_fixed)
		       << INTEL_PMC_IDX_FIXED;
}

static void intel_ack_overflow(const struct perfctr_cpu_state *state,
			       unsigned int elements)
{
	unsigned int i, n = perfctr_cstatus_nrctrs(state->cstatus);
	u64 status = frozen_status;

	if (unlikely(elements == PERFCTR_ALL_ELEMENTS))
		status |= intel_counters_here();
	for (i = perfctr_cstatus_nractrs(state->cstatus); i < n; i++)
		if (elements & BIT(i))
			status |= intel_global_bit(state->pmc[i].map);
	wrmsrl(MSR_CORE_PERF_GLOBAL_OVF_CTRL, status);
}

/**
 * perfctr_intel_ack_records - clear the status of counters that make records
 * @counters: that have overflowed, one bit each; the filled memory is always included
 *
 * Context: interrupts off; the counters do not run.
 */
void perfctr_intel_ack_records(u64 counters)
{
	wrmsrl(MSR_CORE_PERF_GLOBAL_OVF_CTRL,
	       counters | GLOBAL_STATUS_BUFFER_OVF | frozen_status);
}

static void intel_clear_selectors(void)
{
	unsigned long more = perfctr_more_here(intel_design.kind_counters);
	unsigned int i;

	for (i = 0; i < intel_design.nr_counters; i++)
		perfctr_write(intel_evntsel_msr(i), 0);
	for_each_set_bit(i, &more, INTEL_MAX_COUNTERS)
		perfctr_write(intel_evntsel_msr(i), 0);
}

/* Does this CPU have an extra register that is in use? */
static bool intel_has_extra_here(const struct perfctr_extra *extra)
{
	int kind = perfctr_kind_here();

	return extra->mask || (kind >= 0 && extra->kind_mask[kind]);
}

static void intel_clear_extra(void)
{
	unsigned int i;

	for (i = 0; i < PERFCTR_MAX_EXTRA; i++)
		if (intel_has_extra_here(&intel_design.extra[i]))
			perfctr_write(intel_design.extra[i].msr, 0);
}

static void intel_clear_status(void)
{
	perfctr_write(MSR_CORE_PERF_GLOBAL_OVF_CTRL,
		      intel_counters_here() | frozen_status);
}

/* 0 if the register does not exist; perfctr_write() checks this, too. */
static u64 intel_found_in(unsigned int msr)
{
	u64 value;

	return rdmsrl_safe(msr, &value) ? 0 : value;
}

static void intel_start_cpu(void)
{
	u64 found;

	intel_clear_selectors();
	intel_clear_extra();
	perfctr_intel_quiet();
	if (intel_design.nr_fixed) {
		found = intel_found_in(MSR_ARCH_PERFMON_FIXED_CTR_CTRL);
		__this_cpu_write(found_fixed_ctrl, found);
		perfctr_write(MSR_ARCH_PERFMON_FIXED_CTR_CTRL, 0);
	}
	if (intel_has_global_ctrl()) {
		found = intel_found_in(MSR_CORE_PERF_GLOBAL_CTRL);
		__this_cpu_write(found_global_ctrl, found);
		intel_clear_status();
		perfctr_write(MSR_CORE_PERF_GLOBAL_CTRL,
			      intel_counters_here());
	}
}

static void intel_stop_cpu(void)
{
	intel_clear_selectors();
	if (intel_design.nr_fixed)
		perfctr_write(MSR_ARCH_PERFMON_FIXED_CTR_CTRL, 0);
	perfctr_zero_counters();
	perfctr_intel_unquiet();
	if (intel_has_global_ctrl()) {
		intel_clear_status();
		perfctr_write(MSR_CORE_PERF_GLOBAL_CTRL,
			      __this_cpu_read(found_global_ctrl));
	}
	if (intel_design.nr_fixed)
		perfctr_write(MSR_ARCH_PERFMON_FIXED_CTR_CTRL,
			      __this_cpu_read(found_fixed_ctrl));
}

/* Registers that the core does not own, to help find the cause of wrong counts. */
static void intel_visit_others(perfctr_visit_t visit, void *data)
{
	static const unsigned int msrs[] = {
		MSR_CORE_PERF_GLOBAL_STATUS,
		MSR_IA32_DEBUGCTLMSR,
		MSR_IA32_PEBS_ENABLE,
	};
	struct perfctr_register reg = { .changing = ~0ULL };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(msrs); i++) {
		reg.msr = msrs[i];
		if (reg.msr == MSR_IA32_PEBS_ENABLE &&
		    !boot_cpu_has(X86_FEATURE_PEBS))
			continue;
		visit(&reg, data);
	}
}

static void intel_visit(const struct perfctr_cache *cache,
			perfctr_visit_t visit, void *data)
{
	const struct perfctr_register fixed = {
		.msr = MSR_ARCH_PERFMON_FIXED_CTR_CTRL,
		.expected = cache->evntsel[CACHE_FIXED_CTRL],
		.counts = FIXED_LEVELS,
	};
	const struct perfctr_register global = {
		.msr = MSR_CORE_PERF_GLOBAL_CTRL,
		.expected = intel_counters_here(),
	};
	unsigned int i;

	perfctr_visit_selectors(cache, visit, data);
	if (intel_design.nr_fixed)
		visit(&fixed, data);
	if (intel_has_global_ctrl())
		visit(&global, data);
	for (i = 0; i < PERFCTR_MAX_EXTRA; i++) {
		const struct perfctr_register extra = {
			.msr = intel_design.extra[i].msr,
			.expected = cache->extra[i],
			.changing = intel_design.extra[i].shared ? ~0ULL : 0,
		};

		if (intel_has_extra_here(&intel_design.extra[i]))
			visit(&extra, data);
	}
	intel_visit_others(visit, data);
}

/*
 * Each register in use must exist on all CPUs.  A CPU that came online after boot may
 * have fewer, because of its firmware.
 */
static bool intel_cpu_lacks_registers(unsigned int cpu)
{
	u32 fixed = (u32)(perfctr_intel_all_counters(&intel_design) >> INTEL_PMC_IDX_FIXED);
	struct perfctr_leaf10 leaf;

	perfctr_read_leaf10_of(cpu, &leaf);
	if (leaf.version >= common.version && leaf.width >= common.width &&
	    leaf.counters >= intel_design.nr_counters &&
	    leaf.fixed_width >= common.fixed_width && !(fixed & ~leaf.fixed) &&
	    leaf.any_thread >= common.any_thread &&
	    leaf.full_width >= common.full_width &&
	    perfctr_intel_has_extra(cpu, intel_design.extra))
		return false;
	pr_warn("CPU %u has fewer counters than the others and is not used: version %u, %u programmable, fixed %#x\n",
		cpu, leaf.version, leaf.counters, leaf.fixed);
	return true;
}

static struct perfctr_design intel_design __refdata = {
	.name = "Intel architectural",
	.cpu_type = PERFCTR_X86_INTEL_ARCH,
	.check_control = intel_check_control,
	.write_control = perfctr_intel_write_control,
	.counts_kernel = intel_counts_kernel,
	.stop_ictrs = intel_stop_ictrs,
	.start_cpu = intel_start_cpu,
	.stop_cpu = intel_stop_cpu,
	.visit = intel_visit,
	.cpu_is_forbidden = intel_cpu_lacks_registers,
	.fill_map = perfctr_intel_fill_map,
	.build = perfmon_build_own_enables,
	.counter_msr = intel_counter_msr,
	.fixed_msr = intel_fixed_msr,
	.evntsel_msr = intel_evntsel_msr,
	.enable_bits = EVNTSEL_ENABLE,
	.int_bit = EVNTSEL_INT,
	.in_allocator = true,
	.lvt_automask = true,
};

/* Use as many counters as fit in a state; the low ones are the most useful. */
static void __init intel_use_counters(const struct perfctr_leaf10 *leaf)
{
	u32 fixed = leaf->fixed & (BIT(INTEL_MAX_FIXED) - 1);

	intel_design.nr_counters = min_t(unsigned int, leaf->counters,
					 INTEL_MAX_COUNTERS);
	while (hweight32(fixed) >
	       PERFCTR_MAX_COUNTERS - intel_design.nr_counters)
		fixed &= ~BIT(fls(fixed) - 1);
	intel_design.nr_fixed = fls(fixed);
	intel_design.absent_fixed = (BIT(intel_design.nr_fixed) - 1) & ~fixed;
	intel_design.fixed_mask = BIT_ULL(leaf->fixed_width) - 1;
}

static void __init intel_use_features(const struct perfctr_leaf10 *leaf)
{
	version = leaf->version;
	if (version >= 2)
		intel_design.ack_overflow = intel_ack_overflow;
	if (version >= 4)
		frozen_status = STATUS_FROZEN;
	if (leaf->any_thread) {
		intel_design.has_any_thread = true;
		selector_reserved &= ~EVNTSEL_ANY;
		field_reserved &= ~FIXED_ANY;
	}
	if (boot_cpu_has(X86_FEATURE_RTM))
		high_reserved = ~(SELECTOR_IN_TX | SELECTOR_IN_TXCP);
	if (boot_cpu_has(X86_FEATURE_HYBRID_CPU))
		high_reserved &= ~SELECTOR_KINDS;
	intel_design.counter_mask = BIT_ULL(leaf->width) - 1;
	intel_design.sign_extends = !leaf->full_width;
	if (!intel_design.sign_extends)
		intel_design.counter_msr = intel_full_width_msr;
	perfctr_intel_find_extra(intel_design.extra);
}

struct perfctr_design *__init perfctr_intel_detect(void)
{
	if (boot_cpu_data.x86_vendor != X86_VENDOR_INTEL)
		return NULL;
	/* The Core Duo has one enable bit for both counters, see p6.c. */
	if (boot_cpu_data.x86 == 6 && boot_cpu_data.x86_model == 14)
		return NULL;
	if (!perfctr_read_leaf10(&common))
		return NULL;

	intel_use_counters(&common);
	intel_use_features(&common);
	if (perfctr_is_core2()) {
		intel_design.name = "Intel Core 2";
		intel_design.cpu_type = PERFCTR_X86_INTEL_CORE2;
		intel_design.has_core_specificity = true;
	}
	return &intel_design;
}
