// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tables and tools of p4_harness.h.
 */
#include <asm/msr.h>
#include <asm/processor.h>

#include "p4_harness.h"

static const struct design_rules p4_rules = {
	.usr = T0_USR,
	.os = T0_OS,
	.enable = ENABLE | THREADS,
	.interrupt = PMI_T0,
	.reserved = 0xb80007ff,
	.map_flags = FAST,
	.has_p4_control = true,
	.choose = p4_choose,
	.obeyed = p4_obeyed,
};

#define P4(model_number, model_name, type)                                     \
	.vendor = X86_VENDOR_INTEL, .family = 15, .model = (model_number),     \
	.cpuid_level = 5, .features = X86_FEATURE_APIC, .misc_enable = 1 << 7, \
	.rules = &p4_rules, .core_name = "Intel P4", .map_name = "Intel P4",   \
	.cpu_type = (type), .counters = P4_NR_COUNTERS, .width = 40,           \
	.firmware = ENABLE | THREADS, .selector_msr = CCCR0,                   \
	.counter_msr = CTR0, .msr_stride = 1, .pmu = (model_name)

const struct processor p4_processors[] = {
	{ .name = "p4m0", P4(0, "p4m1", PERFCTR_X86_INTEL_P4) },
	{ .name = "p4m1", P4(1, "p4m1", PERFCTR_X86_INTEL_P4) },
	{ .name = "p4m2", P4(2, "p4m2", PERFCTR_X86_INTEL_P4M2) },
	{ .name = "p4", P4(4, "p4", PERFCTR_X86_INTEL_P4M3) },
	{ .name = "p4ht", P4(4, "p4ht", PERFCTR_X86_INTEL_P4M3), .threads = 2 },
};

const unsigned int nr_p4_processors = ARRAY_SIZE(p4_processors);

int run_p4_rules(const struct rule *rules, size_t n,
		 void (*start)(const struct processor *p))
{
	return run_rules_on(p4_processors, nr_p4_processors, rules, n, start);
}

bool p4_has_threads(const struct processor *p)
{
	return p->threads;
}

bool p4_has_one_thread(const struct processor *p)
{
	return !p->threads;
}

bool p4_has_iq_escr(const struct processor *p)
{
	return p->model <= 2;
}

bool p4_lacks_iq_escr(const struct processor *p)
{
	return !p4_has_iq_escr(p);
}

/*
 * The table "Performance Counter MSRs and Associated CCCR and ESCR MSRs" of
 * the manual: for each counter and ESCR SELECT.
 */
#define BPU_0 0x3b2, 0x3b4, 0x3aa, 0x3b6, 0x3ac, 0x3c8, 0x3a2, 0x3a0
#define BPU_1 0x3b3, 0x3b5, 0x3ab, 0x3b7, 0x3ad, 0x3c9, 0x3a3, 0x3a1
#define MS_0 0x3c0, 0x3c4, 0x3c2, 0, 0, 0, 0, 0
#define MS_1 0x3c1, 0x3c5, 0x3c3, 0, 0, 0, 0, 0
#define FLAME_0 0x3a6, 0x3a4, 0x3ae, 0x3b0, 0, 0x3a8, 0, 0
#define FLAME_1 0x3a7, 0x3a5, 0x3af, 0x3b1, 0, 0x3a9, 0, 0
#define IQ_0 0x3ba, 0x3ca, 0x3bc, 0x3be, 0x3b8, 0x3cc, 0x3e0, 0
#define IQ_1 0x3bb, 0x3cb, 0x3bd, 0, 0x3b9, 0x3cd, 0x3e1, 0

static const u16 escrs[P4_NR_COUNTERS][8] = {
	{ BPU_0 },   { BPU_0 },	  { BPU_1 }, { BPU_1 },	  { MS_0 },
	{ MS_0 },    { MS_1 },	  { MS_1 },  { FLAME_0 }, { FLAME_0 },
	{ FLAME_1 }, { FLAME_1 }, { IQ_0 },  { IQ_0 },	  { IQ_1 },
	{ IQ_1 },    { IQ_0 },	  { IQ_1 },
};

u32 p4_escr(const struct processor *p, unsigned int counter,
	    unsigned int select)
{
	const u32 msr = escrs[counter][select];

	return (msr == 0x3ba || msr == 0x3bb) && !p4_has_iq_escr(p) ? 0 : msr;
}

/* An event that the model's counters see once in an instruction. */
static const struct {
	unsigned int select;
	u32 escr;
} known_events[] = {
	{ 0, ESCR(0x03, 0x1) }, /* BPU_FETCH_REQUEST */
	{ 0, ESCR(0x09, 0x2) }, /* UOP_QUEUE_WRITES */
	{ 1, ESCR(0x04, 0x8000) }, /* X87_FP_UOP */
	{ 4, ESCR(0x02, 0x1) }, /* INSTR_RETIRED */
};

void p4_add(struct perfctr_cpu_state *state, unsigned int counter, u32 levels,
	    int ireset)
{
	struct perfctr_cpu_control *control = &state->control;
	const unsigned int i = control->nractrs + control->nrictrs;
	const unsigned int group = counter < 12 ? counter / 4 : 3;

	control->pmc_map[i] = counter | FAST;
	control->evntsel[i] = SELECT(known_events[group].select) | THREADS |
			      ENABLE | (ireset ? PMI_T0 : 0);
	control->p4.escr[i] = known_events[group].escr | levels;
	control->ireset[i] = ireset;
	if (ireset)
		control->nrictrs++;
	else
		control->nractrs++;
}

void p4_make_one(struct perfctr_cpu_state *state, unsigned int counter,
		 int ireset)
{
	memset(state, 0, sizeof(*state));
	p4_add(state, counter, T0_USR | T0_OS, ireset);
	accept(state);
}

void p4_make_all(struct perfctr_cpu_state *state, int ireset)
{
	unsigned int i;

	memset(state, 0, sizeof(*state));
	for (i = 0; i < P4_NR_COUNTERS; i++)
		p4_add(state, i, T0_USR | T0_OS, ireset);
	accept(state);
}

u64 p4_register(u32 msr)
{
	u64 value;

	rdmsrl(msr, value);
	return value;
}
