// SPDX-License-Identifier: GPL-2.0-only
/*
 * Intel Pentium 4 (NetBurst): 18 counters.  Each counter has its own control register
 * (CCCR).  The CCCR selects one of several event registers (ESCR), which the counters of
 * a group share.
 *
 * evntsel[] is the CCCR and p4.escr[] the ESCR of a counter; the two PEBS registers are
 * used for replay tagging only.
 *
 * With hyper-threading the threads of a core share all of these.  Only the first thread
 * may use them; the others are in perfctr_cpus_forbidden_mask.
 */
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/topology.h>

#include <asm/cpufeature.h>
#include <asm/msr-index.h>
#include <asm/processor.h>

#include "p4.h"
#include "perfctr_core.h"

/* OVF, OVF_PMI_T1 and the bits that the hardware reserves, without bit 11. */
#define CCCR_RESERVED		0xb80007ff
#define ESCR_RESERVED		BIT(31)

#define FIRST_MODEL_WITH_EXTENDED_CASCADE	2

/* Counters whose CCCR has the bit EXTENDED_CASCADE. */
#define EXTENDED_CASCADE_COUNTERS	(BIT(12) | GENMASK(17, 15))

static unsigned int p4_counter_number(unsigned int map)
{
	return map & ~PERFCTR_FAST_RDPMC;
}

static unsigned int p4_counter_msr(unsigned int counter)
{
	return MSR_P4_BPU_PERFCTR0 + counter;
}

static unsigned int p4_cccr_msr(unsigned int counter)
{
	return MSR_P4_BPU_CCCR0 + counter;
}

static bool p4_has_extended_cascade(unsigned int counter)
{
	return boot_cpu_data.x86_model >= FIRST_MODEL_WITH_EXTENDED_CASCADE &&
	       (EXTENDED_CASCADE_COUNTERS & BIT(counter));
}

static int p4_check_cccr(const struct perfctr_cpu_state *state, unsigned int i)
{
	const struct perfctr_cpu_control *control = &state->control;
	u32 cccr = control->evntsel[i];

	if ((cccr & CCCR_RESERVED) || control->evntsel_high[i])
		return -EINVAL;
	if ((cccr & P4_CCCR_EXTENDED_CASCADE) &&
	    !p4_has_extended_cascade(p4_counter_number(control->pmc_map[i])))
		return -EINVAL;
	if (!perfctr_p4_has_threads() &&
	    (cccr & P4_CCCR_ACTIVE_THREAD) != P4_CCCR_ACTIVE_THREAD)
		return -EINVAL;
	if (!(cccr & P4_CCCR_COUNTS))
		return -EINVAL;
	/* With FORCE_OVF each event overflows: the only possible period is 1. */
	if ((cccr & P4_CCCR_OVF_PMI_T0) && (cccr & P4_CCCR_FORCE_OVF) &&
	    control->ireset[i] != -1)
		return -EINVAL;
	return perfctr_check_int(state, i, cccr & P4_CCCR_OVF_PMI_T0);
}

/* Also fills p4_escr_map[]. */
static int p4_check_escr(struct perfctr_cpu_state *state, unsigned int i,
			 bool is_global)
{
	const struct perfctr_cpu_control *control = &state->control;
	u32 escr = control->p4.escr[i];
	unsigned int msr, j;

	if (escr & ESCR_RESERVED)
		return -EINVAL;
	if ((escr & P4_ESCR_CPL_T1) &&
	    !(is_global && perfctr_p4_has_threads()))
		return -EINVAL;
	msr = perfctr_p4_escr(p4_counter_number(control->pmc_map[i]),
			      control->evntsel[i]);
	if (!msr)
		return -EINVAL;
	/* One register cannot hold two values. */
	for (j = 0; j < i; j++)
		if (state->p4_escr_map[j] == msr && control->p4.escr[j] != escr)
			return -EINVAL;
	state->p4_escr_map[i] = msr;
	return 0;
}

static int p4_check_pebs(const struct perfctr_cpu_control *control)
{
	u32 enable = control->p4.pebs_enable;
	u32 matrix_vert = control->p4.pebs_matrix_vert;

	if (!enable)
		return matrix_vert ? -EINVAL : 0;
	if (enable & ~(P4_PE_UOP_TAG | P4_PE_REPLAY_TAGS))
		return -EINVAL;
	if (!(enable & P4_PE_UOP_TAG) || !(enable & P4_PE_REPLAY_TAGS))
		return -EINVAL;
	if ((matrix_vert & ~P4_PMV_REPLAY) || !matrix_vert)
		return -EINVAL;
	return 0;
}

static int p4_check_control(struct perfctr_cpu_state *state, bool is_global)
{
	const struct perfctr_cpu_control *control = &state->control;
	unsigned int i;
	int err;

	for (i = 0; i < control->nractrs + control->nrictrs; i++) {
		err = p4_check_cccr(state, i);
		if (!err)
			err = p4_check_escr(state, i, is_global);
		if (err)
			return err;
	}
	return p4_check_pebs(control);
}

static __always_inline void p4_cached_write(u32 *cached, unsigned int msr,
					    u32 value)
{
	if (*cached == value)
		return;
	*cached = value;
	wrmsrl(msr, value);
}

/* The CCCR is written last, because it starts the counter. */
static void p4_write_control(const struct perfctr_cpu_state *state,
			     struct perfctr_cache *cache)
{
	const struct perfctr_cpu_control *control = &state->control;
	unsigned int i, n = perfctr_cstatus_nrctrs(state->cstatus);

	p4_cached_write(&cache->p4.pebs_enable, MSR_IA32_PEBS_ENABLE,
			control->p4.pebs_enable);
	p4_cached_write(&cache->p4.pebs_matrix_vert, MSR_P4_PEBS_MATRIX_VERT,
			control->p4.pebs_matrix_vert);
	for (i = 0; i < n; i++) {
		unsigned int counter = p4_counter_number(state->pmc[i].map);
		unsigned int escr = state->p4_escr_map[i];

		p4_cached_write(&cache->p4.escr[escr - P4_FIRST_ESCR], escr,
				control->p4.escr[i]);
		perfctr_cache_write(cache, counter, p4_cccr_msr(counter),
				    control->evntsel[i]);
	}
}

/* Zero also clears the overflow flag, which would request the interrupt again. */
static void p4_stop_ictrs(const struct perfctr_cpu_state *state,
			  struct perfctr_cache *cache)
{
	unsigned int i, n = perfctr_cstatus_nrctrs(state->cstatus);

	for (i = perfctr_cstatus_nractrs(state->cstatus); i < n; i++) {
		unsigned int counter = p4_counter_number(state->pmc[i].map);

		perfctr_cache_write(cache, counter, p4_cccr_msr(counter), 0);
	}
}

static void p4_clear_escr_pair(unsigned int msr)
{
	if (!msr || (msr == MSR_P4_IQ_ESCR0 && !perfctr_p4_has_iq_escr()))
		return;
	perfctr_write(msr, 0);
	if (msr != MSR_P4_SSU_ESCR0)
		perfctr_write(msr + 1, 0);
}

static void p4_clear(void)
{
	unsigned int i;

	for (i = 0; i < P4_COUNTERS; i++)
		perfctr_write(p4_cccr_msr(i), 0);
	for (i = 0; i < P4_FIRST_ESCRS; i++)
		p4_clear_escr_pair(perfctr_p4_first_escr(i));
	perfctr_write(MSR_IA32_PEBS_ENABLE, 0);
	perfctr_write(MSR_P4_PEBS_MATRIX_VERT, 0);
}

static void p4_stop_cpu(void)
{
	p4_clear();
	perfctr_zero_counters();
}

/* ESCRs in the order of their addresses, with holes. */
static bool p4_escr_exists(unsigned int msr)
{
	unsigned int i, first;

	for (i = 0; i < P4_FIRST_ESCRS; i++) {
		first = perfctr_p4_first_escr(i);
		if (!first ||
		    (first == MSR_P4_IQ_ESCR0 && !perfctr_p4_has_iq_escr()))
			continue;
		if (msr == first ||
		    (msr == first + 1 && first != MSR_P4_SSU_ESCR0))
			return true;
	}
	return false;
}

static void p4_visit_one(unsigned int msr, u64 expected, perfctr_visit_t visit,
			 void *data)
{
	const struct perfctr_register reg = { .msr = msr, .expected = expected };

	visit(&reg, data);
}

/* CCCRs: an overflow sets the flag in its CCCR. */
static void p4_visit(const struct perfctr_cache *cache, perfctr_visit_t visit,
		     void *data)
{
	unsigned int i;

	for (i = 0; i < P4_COUNTERS; i++) {
		const struct perfctr_register cccr = {
			.msr = p4_cccr_msr(i),
			.expected = cache->evntsel[i],
			.changing = P4_CCCR_OVF,
			.counts = P4_CCCR_ENABLE,
		};

		visit(&cccr, data);
	}
	for (i = P4_FIRST_ESCR; i <= P4_LAST_ESCR; i++)
		if (p4_escr_exists(i))
			p4_visit_one(i, cache->p4.escr[i - P4_FIRST_ESCR],
				     visit, data);
	p4_visit_one(MSR_IA32_PEBS_ENABLE, cache->p4.pebs_enable, visit, data);
	p4_visit_one(MSR_P4_PEBS_MATRIX_VERT, cache->p4.pebs_matrix_vert, visit,
		     data);
}

static bool p4_cpu_is_second_thread(unsigned int cpu)
{
	return !topology_is_primary_thread(cpu);
}

static struct perfctr_design p4_design __refdata = {
	.name = "Intel P4",
	.cpu_type = PERFCTR_X86_INTEL_P4,
	.check_control = p4_check_control,
	.write_control = p4_write_control,
	.stop_ictrs = p4_stop_ictrs,
	.start_cpu = p4_clear,
	.stop_cpu = p4_stop_cpu,
	.visit = p4_visit,
	.fill_map = perfctr_p4_fill_map,
	.build = perfctr_p4_build,
	.counter_msr = p4_counter_msr,
	.evntsel_msr = p4_cccr_msr,
	.nr_counters = P4_COUNTERS,
	.counter_mask = BIT_ULL(40) - 1,
	.int_bit = P4_CCCR_OVF_PMI_T0,
	.map_flags = PERFCTR_FAST_RDPMC,
	.has_p4_control = true,
	.write_twice = true,	/* N15 */
	.in_allocator = true,
	.lvt_automask = true,
};

struct perfctr_design *__init perfctr_p4_detect(void)
{
	u64 misc;

	if (boot_cpu_data.x86_vendor != X86_VENDOR_INTEL ||
	    boot_cpu_data.x86 != 15)
		return NULL;
	/* The counters may be fused off. */
	if (rdmsrl_safe(MSR_IA32_MISC_ENABLE, &misc) ||
	    !(misc & MSR_IA32_MISC_ENABLE_EMON))
		return NULL;

	if (boot_cpu_data.x86_model >= 3)
		p4_design.cpu_type = PERFCTR_X86_INTEL_P4M3;
	else if (boot_cpu_data.x86_model == 2)
		p4_design.cpu_type = PERFCTR_X86_INTEL_P4M2;
	if (perfctr_p4_has_threads())
		p4_design.cpu_is_forbidden = p4_cpu_is_second_thread;
	return &p4_design;
}
