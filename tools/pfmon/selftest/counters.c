// SPDX-License-Identifier: GPL-2.0-only
/* The counters, see counters.h. */
#include "counters.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "events/selector.h"
#include "inventory.h"

#define FIXED_CTRL 16
#define FIXED_KERNEL 1u
#define FIXED_USER 2u

#define FIXED_INSTRUCTIONS 16
#define FIXED_CYCLES 17

/* The Pentium 4's CCCRs of PMD 0 and of PMD 9; the others follow these. */
#define P4_HALF 9u
#define P4_CCCR 23u
#define P4_SECOND_CCCR 54u

/* Input and output of libpfm; too large for a stack. */
static pfmlib_input_param_t in;
static pfmlib_output_param_t out;

static unsigned int cccr_of(unsigned int pmd)
{
	return pmd < P4_HALF ? P4_CCCR + pmd : P4_SECOND_CCCR + pmd - P4_HALF;
}

static int width_of(const struct reg *reg)
{
	uint64_t bits = ~reg->reserved;

	return bits ? 64 - __builtin_clzll(bits) : 0;
}

static bool has_kind(const struct pmu *pmu, unsigned int pmd,
		     enum counter_kind *kind)
{
	if (pmu->is_p4)
		*kind = COUNTER_P4;
	else if (!strncmp(pmu->map.pmd[pmd].name, "FIXED_CTR", 9))
		*kind = COUNTER_FIXED;
	else
		*kind = COUNTER_GENERAL;
	switch (*kind) {
	case COUNTER_P4:
		return pmd < 2 * P4_HALF &&
		       available_pmc(&pmu->available, cccr_of(pmd));
	case COUNTER_FIXED:
		return available_pmc(&pmu->available, FIXED_CTRL);
	default:
		return pmd < PFM_MAX_PMCS &&
		       available_pmc(&pmu->available, pmd);
	}
}

void pmu_find_counters(struct pmu *pmu)
{
	enum counter_kind kind;

	pmu->available = (struct available){ &pmu->map, &pmu->info };
	pmu->is_p4 = !strcmp(pmu->map.model, "Intel P4");
	pmu->count = 0;
	for (unsigned int pmd = 0; pmd < PFM_HW_REGS; pmd++) {
		if (!available_pmd(&pmu->available, pmd) ||
		    !has_kind(pmu, pmd, &kind) || pmu->count == COUNTERS_MAX)
			continue;
		pmu->counters[pmu->count++] = (struct counter){
			.pmd = pmd,
			.kind = kind,
			.name = pmu->map.pmd[pmd].name,
			.bits = width_of(&pmu->map.pmd[pmd]),
		};
	}
}

/* Several counters may share a register: each has bits of its own, or the same. */
static void add_pmc(struct program *program, unsigned int pmc, uint64_t value)
{
	for (int i = 0; i < program->pmc_count; i++) {
		if (program->pmcs[i].reg_num == pmc) {
			program->pmcs[i].reg_value |= value;
			return;
		}
	}
	if (program->pmc_count < PROGRAM_PMCS)
		program->pmcs[program->pmc_count++] = (struct pfarg_pmr){
			.reg_num = (__u16)pmc,
			.reg_value = value,
		};
}

static void add_pmd(struct program *program, const struct counter *counter)
{
	program->pmds[program->pmd_count++] = (struct pfarg_pmr){
		.reg_num = (__u16)counter->pmd,
	};
}

/*
 * The P6 has one enable bit, in the first selector; so has the Core Duo, whose
 * register map hides it.
 */
static bool shares_enable(const struct pmu *pmu, unsigned int pmc)
{
	int type;

	if (!pmc || !available_is_selector(&pmu->available, pmc))
		return false;
	return pmu->map.pmc[pmc].reserved & SEL_ENABLE ||
	       (!pfm_get_pmu_type(&type) && type == PFMLIB_COREDUO_PMU);
}

void program_add_value(struct program *program, const struct pmu *pmu,
		       const struct counter *counter, uint64_t value)
{
	const struct reg *reg = &pmu->map.pmc[counter->pmd];

	add_pmc(program, counter->pmd,
		(value & ~reg->reserved) | reg->fixed_to);
	if (shares_enable(pmu, counter->pmd))
		add_pmc(program, 0, SEL_ENABLE);
	add_pmd(program, counter);
}

/* libpfm's values; PMCs that it must not use are set in in.pfp_unavail_pmcs. */
static bool dispatch(const pfmlib_event_t *event, unsigned int levels)
{
	in.pfp_events[0] = *event;
	in.pfp_event_count = 1;
	in.pfp_dfl_plm = levels;
	return pfm_dispatch_events(&in, NULL, &out, NULL) == PFMLIB_SUCCESS &&
	       out.pfp_pmd_count;
}

/* Gives the wanted counter the selector that libpfm composes for another one. */
static int add_general(struct program *program, const struct pmu *pmu,
		       const struct counter *counter,
		       const pfmlib_event_t *event, unsigned int levels)
{
	unsigned int chosen;

	in.pfp_unavail_pmcs = available_not(&pmu->available);
	pfm_regmask_set(&in.pfp_unavail_pmcs, FIXED_CTRL);
	if (!dispatch(event, levels))
		return -1;
	chosen = out.pfp_pmds[0].reg_num;
	for (unsigned int i = 0; i < out.pfp_pmc_count; i++) {
		const pfmlib_reg_t *pmc = &out.pfp_pmcs[i];

		if (pmc->reg_num == chosen)
			program_add_value(program, pmu, counter,
					  pmc->reg_value);
	}
	for (unsigned int i = 0; i < out.pfp_pmc_count; i++) {
		const pfmlib_reg_t *pmc = &out.pfp_pmcs[i];

		/* All but the selector with the P6's enable bit. */
		if (pmc->reg_num != chosen &&
		    !available_is_selector(&pmu->available, pmc->reg_num))
			add_pmc(program, pmc->reg_num, pmc->reg_value);
	}
	return 0;
}

static int add_p4(struct program *program, const struct pmu *pmu,
		  const struct counter *counter, const pfmlib_event_t *event,
		  unsigned int levels)
{
	in.pfp_unavail_pmcs = available_not(&pmu->available);
	for (unsigned int pmd = 0; pmd < 2 * P4_HALF; pmd++) {
		if (pmd != counter->pmd)
			pfm_regmask_set(&in.pfp_unavail_pmcs, cccr_of(pmd));
	}
	if (!dispatch(event, levels) || out.pfp_pmds[0].reg_num != counter->pmd)
		return -1;
	for (unsigned int i = 0; i < out.pfp_pmc_count; i++)
		add_pmc(program, out.pfp_pmcs[i].reg_num,
			out.pfp_pmcs[i].reg_value);
	add_pmd(program, counter);
	return 0;
}

int program_add(struct program *program, const struct pmu *pmu,
		const struct counter *counter, const pfmlib_event_t *event,
		unsigned int levels)
{
	uint64_t field = (levels & PFM_PLM3 ? FIXED_USER : 0) |
			 (levels & PFM_PLM0 ? FIXED_KERNEL : 0);

	if (program->pmd_count == COUNTERS_MAX)
		return -1;
	switch (counter->kind) {
	case COUNTER_FIXED:
		add_pmc(program, FIXED_CTRL,
			field << 4 * (counter->pmd - FIXED_CTRL) |
				pmu->map.pmc[FIXED_CTRL].fixed_to);
		add_pmd(program, counter);
		return 0;
	case COUNTER_P4:
		return add_p4(program, pmu, counter, event, levels);
	default:
		return add_general(program, pmu, counter, event, levels);
	}
}

int program_add_all(struct program *program, const struct pmu *pmu,
		    bool (*has)(const struct pmu *, const struct counter *),
		    const pfmlib_event_t *event, unsigned int levels)
{
	for (int i = 0; i < pmu->count; i++) {
		if (has(pmu, &pmu->counters[i]))
			program_add(program, pmu, &pmu->counters[i], event,
				    levels);
	}
	return program->pmd_count;
}

bool counter_is_chosen(const struct pmu *pmu, const struct counter *counter,
		       const pfmlib_event_t *event)
{
	struct program program = { 0 };
	pfmlib_regmask_t counters = { { 0 } };

	if (counter->kind == COUNTER_P4)
		return !program_add(&program, pmu, counter, event, PFM_PLM3);
	/* Without the first selector libpfm cannot enable it. */
	if (shares_enable(pmu, counter->pmd))
		return !pfm_get_event_counters(event->event, &counters) &&
		       pfm_regmask_isset(&counters, counter->pmd);
	in.pfp_unavail_pmcs = available_not(&pmu->available);
	pfm_regmask_set(&in.pfp_unavail_pmcs, FIXED_CTRL);
	for (int i = 0; i < pmu->count; i++) {
		if (pmu->counters[i].kind == COUNTER_GENERAL &&
		    pmu->counters[i].pmd != counter->pmd)
			pfm_regmask_set(&in.pfp_unavail_pmcs,
					pmu->counters[i].pmd);
	}
	return dispatch(event, PFM_PLM3) &&
	       out.pfp_pmds[0].reg_num == counter->pmd;
}

bool counter_has_instructions(const struct pmu *pmu,
			      const struct counter *counter)
{
	if (counter->kind == COUNTER_FIXED)
		return counter->pmd == FIXED_INSTRUCTIONS;
	return pmu->has_instructions &&
	       counter_is_chosen(pmu, counter, &pmu->instructions);
}

bool counter_has_cycles(const struct pmu *pmu, const struct counter *counter)
{
	if (counter->kind == COUNTER_FIXED)
		return counter->pmd == FIXED_CYCLES;
	return pmu->has_cycles && counter_is_chosen(pmu, counter, &pmu->cycles);
}

bool counter_has_selector(const struct pmu *pmu, const struct counter *counter)
{
	return counter->kind == COUNTER_GENERAL &&
	       available_is_selector(&pmu->available, counter->pmd);
}

static const struct counter *find_counter(const struct pmu *pmu,
					  bool (*has)(const struct pmu *,
						      const struct counter *))
{
	for (int i = 0; i < pmu->count; i++) {
		if (has(pmu, &pmu->counters[i]))
			return &pmu->counters[i];
	}
	return NULL;
}

/* Returns true if the kernel accepts the program, else false with errno. */
static bool accepted(struct program *program)
{
	int fd = pfm_create_session(PFM_FL_CLOEXEC), error;
	bool ok;

	if (fd < 0)
		return false;
	ok = !pfm_write_pmrs(fd, PFM_RWFL_PMC, program->pmcs,
			     program->pmc_count) &&
	     !pfm_write_pmrs(fd, PFM_RWFL_PMD, program->pmds,
			     program->pmd_count);
	error = errno;
	close(fd);
	errno = error;
	return ok;
}

/* The kernel sets the interrupt bit of control registers that have one. */
static bool has_interrupt_bit(const struct pmu *pmu,
			      const struct counter *counter)
{
	switch (counter->kind) {
	case COUNTER_P4:
		return pmu->map.pmc[cccr_of(counter->pmd)].fixed_to;
	case COUNTER_FIXED:
		return pmu->map.pmc[FIXED_CTRL].fixed_to;
	default:
		return pmu->map.pmc[counter->pmd].fixed_to & SEL_INT;
	}
}

/* Without a local APIC, or with perfmon=nointr, there is no overflow interrupt. */
static bool apic_works(void)
{
	char line[4096];
	const char *words;

	if (!inventory_line("/proc/cpuinfo", "flags", line, sizeof(line)) ||
	    !strstr(line, " apic"))
		return false;
	if (!inventory_line("/proc/cmdline", NULL, line, sizeof(line)))
		return true;
	words = strstr(line, "perfmon=");
	if (words)
		line[words - line + (long)strcspn(words, " ")] = '\0';
	return !words || !strstr(words, "nointr");
}

/* A processor without level bits has the same registers for both levels. */
static void probe_levels(struct pmu *pmu, const struct counter *counter)
{
	struct program user = { 0 }, both = { 0 };

	program_add(&user, pmu, counter, &pmu->instructions, PFM_PLM3);
	program_add(&both, pmu, counter, &pmu->instructions,
		    PFM_PLM3 | PFM_PLM0);
	pmu->separates_levels = user.pmcs[0].reg_value !=
				both.pmcs[0].reg_value;
	pmu->may_user = accepted(&user) || (errno != EPERM && errno != EACCES);
	pmu->may_kernel = accepted(&both) ||
			  (errno != EPERM && errno != EACCES);
	pmu->interrupts = has_interrupt_bit(pmu, counter) && apic_works();
}

void pmu_probe(struct pmu *pmu)
{
	const struct counter *counter;
	int fd = pfm_create_session(PFM_FL_SYSTEM_WIDE | PFM_FL_CLOEXEC);

	pmu->may_cpus = fd >= 0;
	if (fd >= 0)
		close(fd);
	pmu->may_user = true;
	pmu->has_instructions =
		!pfm_get_inst_retired_event(&pmu->instructions) &&
		!pfm_get_full_event_name(&pmu->instructions,
					 pmu->instructions_name,
					 sizeof(pmu->instructions_name));
	pmu->has_cycles = !pfm_get_cycle_event(&pmu->cycles) &&
			  !pfm_get_full_event_name(&pmu->cycles,
						   pmu->cycles_name,
						   sizeof(pmu->cycles_name));
	counter = find_counter(pmu, counter_has_instructions);
	if (counter)
		probe_levels(pmu, counter);
}
