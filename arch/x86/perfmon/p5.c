// SPDX-License-Identifier: GPL-2.0-only
/*
 * Intel P5 (Pentium), with and without MMX, and its clones: Cyrix 6x86MX, MII
 * and III, Centaur WinChip C6, 2 and 3.
 *
 * One register, CESR, selects the events of both counters.  evntsel values are
 * 16 bits wide, images of one half of it; writing one half must preserve the
 * other, which may belong to another state.  There is no overflow interrupt.
 *
 * The WinChips have no level bits, cannot stop a counter, and have a broken TSC.
 */
#include <linux/errno.h>
#include <linux/init.h>

#include <asm/processor.h>

#include "build.h"
#include "map.h"
#include "perfctr_core.h"

#define P5_CESR		0x11
#define P5_CTR0		0x12
#define P5_COUNTERS	2
#define P5_WIDTH	40

/* One half of CESR. */
#define HALF_BITS	16
#define HALF_MASK	0xffff

/* Count at levels 0 to 2, count at level 3. */
#define P5_CPL		0x00c0
#define P5_CPL_KERNEL	0x0040

/* All bits outside a half, or reserved in it. */
#define P5_RESERVED		0xfffffe00
#define CYRIX_RESERVED		0xfffffa00
#define WINCHIP_RESERVED	0xffffff00

static unsigned int p5_counter_msr(unsigned int counter)
{
	return P5_CTR0 + counter;
}

static unsigned int p5_evntsel_msr(unsigned int counter)
{
	return P5_CESR;
}

/* @needed: at least one of these bits must be set; 0: none is needed. */
static int p5_check_halves(const struct perfctr_cpu_control *control,
			   unsigned int reserved, unsigned int needed)
{
	unsigned int i;

	for (i = 0; i < control->nractrs; i++) {
		if ((control->evntsel[i] & reserved) ||
		    control->evntsel_high[i])
			return -EINVAL;
		if (needed && !(control->evntsel[i] & needed))
			return -EINVAL;
	}
	return 0;
}

static int p5_check_control(struct perfctr_cpu_state *state, bool is_global)
{
	return p5_check_halves(&state->control, P5_RESERVED, P5_CPL);
}

static int cyrix_check_control(struct perfctr_cpu_state *state, bool is_global)
{
	return p5_check_halves(&state->control, CYRIX_RESERVED, P5_CPL);
}

static int winchip_check_control(struct perfctr_cpu_state *state,
				 bool is_global)
{
	return p5_check_halves(&state->control, WINCHIP_RESERVED, 0);
}

static void p5_write_control(const struct perfctr_cpu_state *state,
			     struct perfctr_cache *cache)
{
	unsigned int i, n = perfctr_cstatus_nrctrs(state->cstatus);
	u32 cesr = cache->evntsel[0];

	for (i = 0; i < n; i++) {
		unsigned int shift = HALF_BITS * state->pmc[i].map;

		cesr &= ~((u32)HALF_MASK << shift);
		cesr |= state->control.evntsel[i] << shift;
	}
	perfctr_cache_write(cache, 0, P5_CESR, cesr);
}

static void p5_clear(void)
{
	perfctr_write(P5_CESR, 0);
}

static void p5_stop_cpu(void)
{
	p5_clear();
	perfctr_zero_counters();
}

/* Counters that cannot be stopped always count: CESR is no sign that they are used. */
static void p5_visit(const struct perfctr_cache *cache, perfctr_visit_t visit,
		     void *data)
{
	const u32 levels = P5_CPL << HALF_BITS | P5_CPL;
	const struct perfctr_register cesr = {
		.msr = P5_CESR,
		.expected = cache->evntsel[0],
		.counts = perfctr_design->unwritable ? 0 : levels,
	};

	visit(&cesr, data);
}

/*
 * A PMC is one half of CESR.  P5 and Cyrix count at the levels that the PMC chooses, and
 * not at all without one; the WinChip counts at all levels.
 */
static void __init p5_add_counters(struct perfmon_pmu *pmu, const char *model,
				   u32 rsvd)
{
	u64 priv = perfctr_design->enable_bits ? P5_CPL_KERNEL :
						 PERFMON_PRIV_ALWAYS;
	unsigned int n;

	pmu->model = model;
	for (n = 0; n < perfctr_design->nr_counters; n++)
		perfmon_add_plain_counter(pmu, n, rsvd, priv, P5_WIDTH, "CESR",
					  "CTR");
}

static void __init p5_fill_map(struct perfmon_pmu *pmu)
{
	p5_add_counters(pmu, "Intel P5", P5_RESERVED);
}

static void __init cyrix_fill_map(struct perfmon_pmu *pmu)
{
	p5_add_counters(pmu, "Cyrix MII", CYRIX_RESERVED);
}

static void __init winchip_fill_map(struct perfmon_pmu *pmu)
{
	p5_add_counters(pmu, "Centaur WinChip", WINCHIP_RESERVED);
}

static struct perfctr_design p5_design __refdata = {
	.name = "Intel P5",
	.cpu_type = PERFCTR_X86_INTEL_P5,
	.check_control = p5_check_control,
	.write_control = p5_write_control,
	.start_cpu = p5_clear,
	.stop_cpu = p5_stop_cpu,
	.visit = p5_visit,
	.fill_map = p5_fill_map,
	.build = perfmon_build_own_enables,
	.counter_msr = p5_counter_msr,
	.evntsel_msr = p5_evntsel_msr,
	.nr_counters = P5_COUNTERS,
	.counter_mask = BIT_ULL(P5_WIDTH) - 1,
	.enable_bits = P5_CPL,
};

static struct perfctr_design *__init p5_detect_intel(void)
{
	if (boot_cpu_data.x86 != 5)
		return NULL;

	switch (boot_cpu_data.x86_model) {
	case 0 ... 3:
	case 7:
		/* RDPMC exists from MMX on. */
		p5_design.no_rdpmc = true;
		return &p5_design;
	case 4:
	case 8:
		p5_design.name = "Intel P5 MMX";
		p5_design.cpu_type = PERFCTR_X86_INTEL_P5MMX;
		return &p5_design;
	default:
		return NULL;
	}
}

/* The models differ from CPUID's: Linux reads them from Cyrix' own ports. */
static struct perfctr_design *__init p5_detect_cyrix(void)
{
	if (boot_cpu_data.x86 != 6)
		return NULL;

	p5_design.name = "Cyrix 6x86MX/MII/III";
	p5_design.cpu_type = PERFCTR_X86_CYRIX_MII;
	p5_design.check_control = cyrix_check_control;
	p5_design.fill_map = cyrix_fill_map;
	return &p5_design;
}

static struct perfctr_design *__init p5_detect_winchip(void)
{
	if (boot_cpu_data.x86 != 5)
		return NULL;

	switch (boot_cpu_data.x86_model) {
	case 4:
		p5_design.name = "Centaur WinChip C6";
		p5_design.cpu_type = PERFCTR_X86_WINCHIP_C6;
		break;
	case 8:
		p5_design.name = "Centaur WinChip 2";
		p5_design.cpu_type = PERFCTR_X86_WINCHIP_2;
		break;
	case 9:
		p5_design.name = "Centaur WinChip 3";
		p5_design.cpu_type = PERFCTR_X86_WINCHIP_2;
		break;
	default:
		return NULL;
	}
	p5_design.check_control = winchip_check_control;
	p5_design.fill_map = winchip_fill_map;
	p5_design.enable_bits = 0;
	p5_design.unwritable = true;
	p5_design.no_tsc = true;
	return &p5_design;
}

struct perfctr_design *__init perfctr_p5_detect(void)
{
	switch (boot_cpu_data.x86_vendor) {
	case X86_VENDOR_INTEL:
		return p5_detect_intel();
	case X86_VENDOR_CYRIX:
		return p5_detect_cyrix();
	case X86_VENDOR_CENTAUR:
		return p5_detect_winchip();
	default:
		return NULL;
	}
}
