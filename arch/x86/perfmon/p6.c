// SPDX-License-Identifier: GPL-2.0-only
/*
 * Intel P6 (Pentium Pro to Pentium M) and the Core Duo: two counters.  The
 * enable bit in EVNTSEL0 switches both; it is reserved in EVNTSEL1.
 *
 * The Core Duo has version 1 of architectural performance monitoring, but with
 * this single enable bit.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/init.h>

#include <asm/cpufeature.h>
#include <asm/msr-index.h>
#include <asm/processor.h>

#include "build.h"
#include "intel_leaf10.h"
#include "map.h"
#include "perfctr_core.h"

#define P6_COUNTERS	2

/* Usable bits of counters whose writes have 32 bits. */
#define P6_WIDTH	31

#define P6_RESERVED	(EVNTSEL_ANY | EVNTSEL_PIN)

static unsigned int p6_counter_msr(unsigned int counter)
{
	return MSR_P6_PERFCTR0 + counter;
}

static unsigned int p6_evntsel_msr(unsigned int counter)
{
	return MSR_P6_EVNTSEL0 + counter;
}

static int p6_check_control(struct perfctr_cpu_state *state, bool is_global)
{
	const struct perfctr_cpu_control *control = &state->control;
	unsigned int i, n = control->nractrs + control->nrictrs;
	bool enabled = false;
	int err;

	for (i = 0; i < n; i++) {
		bool enable = control->evntsel[i] & EVNTSEL_ENABLE;

		if (enable == !!control->pmc_map[i])
			return -EINVAL;
		enabled |= enable;
		err = perfctr_check_selector(state, i, P6_RESERVED, ~0);
		if (err)
			return err;
	}
	/* Counter 1 alone would depend on an old value of EVNTSEL0. */
	return n && !enabled ? -EINVAL : 0;
}

static void p6_write_control(const struct perfctr_cpu_state *state,
			     struct perfctr_cache *cache)
{
	perfctr_write_selectors(state, cache, MSR_P6_EVNTSEL0, 1);
}

static void p6_stop_ictrs(const struct perfctr_cpu_state *state,
			  struct perfctr_cache *cache)
{
	perfctr_stop_selectors(state, cache, MSR_P6_EVNTSEL0, 1);
}

static void p6_clear(void)
{
	perfctr_write(MSR_P6_EVNTSEL0, 0);
	perfctr_write(MSR_P6_EVNTSEL1, 0);
}

static void p6_stop_cpu(void)
{
	p6_clear();
	perfctr_zero_counters();
}

/* Only the first selector has the enable bit. */
static void __init p6_fill_map(struct perfmon_pmu *pmu)
{
	unsigned int n;

	pmu->model = "Intel P6 processor Family";
	for (n = 0; n < perfctr_design->nr_counters; n++)
		perfmon_add_counter(pmu, n,
				    SELECTOR_RSVD | (n ? EVNTSEL_ENABLE : 0),
				    P6_WIDTH, 0, "PERFEVTSEL", "PERFCTR");
}

static struct perfctr_design p6_design __refdata = {
	.name = "Intel P6",
	.cpu_type = PERFCTR_X86_INTEL_P6,
	.check_control = p6_check_control,
	.write_control = p6_write_control,
	.counts_kernel = perfctr_selector_counts_kernel,
	.stop_ictrs = p6_stop_ictrs,
	.start_cpu = p6_clear,
	.stop_cpu = p6_stop_cpu,
	.visit = perfctr_visit_selectors,
	.fill_map = p6_fill_map,
	.build = perfmon_build_shared_enable,
	.counter_msr = p6_counter_msr,
	.evntsel_msr = p6_evntsel_msr,
	.nr_counters = P6_COUNTERS,
	.counter_mask = BIT_ULL(40) - 1,
	.sign_extends = true,
	.int_bit = EVNTSEL_INT,
	.in_allocator = true,
	.lvt_automask = true,
};

/* Give the design the name and type of this processor. */
static struct perfctr_design *__init p6_named(char *name, unsigned int cpu_type)
{
	p6_design.name = name;
	p6_design.cpu_type = cpu_type;
	return &p6_design;
}

/* A Pentium M may have its counters fused off, as MISC_ENABLE shows. */
static bool __init p6_has_counters(void)
{
	u64 misc;

	return !rdmsrl_safe(MSR_IA32_MISC_ENABLE, &misc) &&
	       (misc & MSR_IA32_MISC_ENABLE_EMON);
}

static bool __init p6_has_version1(void)
{
	struct perfctr_leaf10 leaf;

	return perfctr_read_leaf10(&leaf) && leaf.counters >= P6_COUNTERS;
}

struct perfctr_design *__init perfctr_p6_detect(void)
{
	if (boot_cpu_data.x86_vendor != X86_VENDOR_INTEL ||
	    boot_cpu_data.x86 != 6)
		return NULL;

	switch (boot_cpu_data.x86_model) {
	case 1:
		return p6_named("Intel P6", PERFCTR_X86_INTEL_P6);
	case 3:
	case 5:
	case 6:
		return p6_named("Intel Pentium II", PERFCTR_X86_INTEL_PII);
	case 7:
	case 8:
	case 10:
	case 11:
		return p6_named("Intel Pentium III", PERFCTR_X86_INTEL_PIII);
	case 13:
		if (!p6_has_counters())
			return NULL;
		fallthrough;
	case 9:
		return p6_named("Intel Pentium M", PERFCTR_X86_INTEL_PENTM);
	case 14:
		if (!p6_has_version1())
			return NULL;
		/*
		 * The second selector has no enable bit, but programs set it,
		 * because they take this for an architectural PMU.  So the map
		 * has the bit, and it means the enable bit of the first
		 * selector.
		 */
		p6_design.fill_map = perfctr_intel_fill_map;
		p6_design.has_core_specificity = true;
		return p6_named("Intel Core Duo", PERFCTR_X86_INTEL_CORE);
	default:
		return NULL;
	}
}
