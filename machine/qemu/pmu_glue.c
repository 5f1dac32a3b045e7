// SPDX-License-Identifier: GPL-2.0-only
/*
 * QEMU's side of the PMU model of machine/pmu/. Copied to target/i386/tcg/system/
 * when the test machine is built.
 *
 * The model is driven by the number of instructions that a virtual CPU has
 * retired (-icount). An overflow interrupt is on time to the instruction
 * because no slice of execution is longer than the way to the next overflow:
 * x86_pmu_icount_limit() limits it before, x86_pmu_icount_account() delivers
 * after it. When a register write or a change of the CPL makes the way shorter
 * than what is left of the slice, the slice is ended there and then: all such
 * instructions end their translation block. Interrupts are never raised from
 * within a slice, where QEMU does not allow it.
 *
 * Everything runs in the one thread that executes all virtual CPUs in turn.
 *
 * Known deviation: an instruction that faults when it is decoded (UD2) has been
 * counted by then. Faults while executing are not counted.
 */

#include "qemu/osdep.h"
#include "qapi/error.h"
#include "qemu/main-loop.h"
#include "migration/blocker.h"
#include "hw/boards.h"
#include "system/cpu-timers.h"
#include "cpu.h"
#include "exec/exec-all.h"
#include "exec/helper-proto.h"
#include "hw/i386/apic.h"
#include "hw/i386/topology.h"
#include "tcg/helper-tcg.h"
#include "pmu/pmu.h"

/* IA32_MISC_ENABLE: performance monitoring is available. */
#define MISC_ENABLE_EMON (1ull << 7)
/* Records of each branch are not; bit 12 would say the same of PEBS. */
#define MISC_ENABLE_BTS_UNAVAIL (1ull << 11)

/* False if nothing is mapped there. */
static bool find_physical(X86CPU *cpu, uint64_t linear, uint64_t *physical)
{
	const hwaddr page =
		cpu_get_phys_page_debug(CPU(cpu), linear & TARGET_PAGE_MASK);

	*physical = page == (hwaddr)-1 ? 0 :
					 page | (linear & ~TARGET_PAGE_MASK);
	return page != (hwaddr)-1;
}

/* A sampled instruction has accessed memory. */
static void note_access(X86CPU *cpu)
{
	const uint32_t kind = cpu->env.pmu_access;
	struct pmu_access access = {
		.linear = cpu->env.pmu_access_at,
		.loads = kind & PMU_ACCESS_LOAD,
		.stores = kind & PMU_ACCESS_STORE,
		.size = kind >> PMU_ACCESS_SIZE_SHIFT,
	};

	cpu->env.pmu_access = 0;
	access.has_physical =
		find_physical(cpu, access.linear, &access.physical);
	pmu_set_access(cpu->pmu, &access);
}

/* QEMU counts each iteration of a REP instruction; a PMU counts one. */
static void sync_model(X86CPU *cpu)
{
	if (cpu->env.pmu_access)
		note_access(cpu);
	pmu_sync(cpu->pmu,
		 icount_get_cpu_total(CPU(cpu)) - cpu->env.pmu_rep_extra);
}

/* End the slice if an interrupt has come closer than its end. */
static void shorten_slice(X86CPU *cpu)
{
	CPUState *cs = CPU(cpu);
	const uint64_t low = cs->neg.icount_decr.u16.low;

	if (pmu_distance(cpu->pmu) < low + cs->icount_extra ||
	    pmu_wants_place(cpu->pmu)) {
		pmu_count_stat(cpu->pmu, PMU_STAT_KICK);
		cpu_exit(cs);
	}
}

/*
 * Sampling of instructions: a slice begins with the one that is sampled, and has no other
 * one.
 */
static void note_place(X86CPU *cpu)
{
	CPUX86State *env = &cpu->env;
	struct pmu_place place = { 0 };

	if (!pmu_wants_place(cpu->pmu))
		return;
	place.linear = env->segs[R_CS].base + env->eip;
	place.has_physical = find_physical(cpu, place.linear, &place.physical);
	pmu_set_place(cpu->pmu, &place);
}

/* The sampled one is the handler's first, unless INT has been the sampled one. */
static void note_handler(X86CPU *cpu)
{
	if (!pmu_wants_place(cpu->pmu))
		return;
	sync_model(cpu);
	note_place(cpu);
}

bool x86_pmu_has_extended_lvt(X86CPU *cpu)
{
	return cpu->pmu && pmu_has_ibs(cpu->pmu);
}

/*
 * Code that counts branches, or loads and stores, is translated while a counter counts
 * them at this level. A branch ends the slice where a counter may overflow. Code that
 * records branches is for both levels: a branch may end at the other one.
 */
static void follow_retired(X86CPU *cpu)
{
	const uint32_t kinds = pmu_counts_retired(cpu->pmu);
	CPUX86State *env = &cpu->env;
	uint64_t limits[PMU_RETIRED_KINDS];
	unsigned int kind;

	env->hflags &= ~(HF_PMU_MASK | HF_PMU_MEM_MASK | HF_PMU_ACCESS_MASK |
			 HF_PMU_BRANCH_MASK);
	if (pmu_records_branches(cpu->pmu))
		env->hflags |= HF_PMU_BRANCH_MASK;
	if (pmu_wants_place(cpu->pmu))
		env->hflags |= HF_PMU_ACCESS_MASK;
	if (kinds & ~PMU_RETIRED_BRANCHES)
		env->hflags |= HF_PMU_MEM_MASK;
	if (!(kinds & PMU_RETIRED_BRANCHES))
		return;
	env->hflags |= HF_PMU_MASK;
	pmu_retired_limits(cpu->pmu, limits);
	/* One that does not matter ends where no count has come from. */
	for (kind = 0; kind < PMU_RETIRED_KINDS; kind++)
		env->pmu_stop[kind] = env->pmu_retired[kind] + limits[kind];
}

void helper_pmu_stop(CPUX86State *env)
{
	pmu_count_stat(env_archcpu(env)->pmu, PMU_STAT_KICK);
	cpu_exit(env_cpu(env));
}

void x86_pmu_far(CPUX86State *env)
{
	if (!env->pmu_far)
		return;
	env->pmu_far = false;
	if (++env->pmu_retired[PMU_FAR] == env->pmu_stop[PMU_FAR])
		helper_pmu_stop(env);
}

void helper_pmu_far(CPUX86State *env)
{
	x86_pmu_far(env);
}

/* The first half of the CPUs, and the one in the middle. */
static bool is_in_first_half(X86CPU *cpu)
{
	return 2 * CPU(cpu)->cpu_index < MACHINE(qdev_get_machine())->smp.cpus;
}

/*
 * "first+second" names the models of the two halves. The caller frees the name
 * that is this CPU's.
 */
static char *model_of_cpu(X86CPU *cpu, bool *hybrid)
{
	const char *plus = strchr(cpu->pmu_model, '+');

	*hybrid = plus;
	if (!plus)
		return g_strdup(cpu->pmu_model);
	return is_in_first_half(cpu) ?
		       g_strndup(cpu->pmu_model, plus - cpu->pmu_model) :
		       g_strdup(plus + 1);
}

static bool init_model(X86CPU *cpu)
{
	bool hybrid;
	g_autofree char *name = model_of_cpu(cpu, &hybrid);

	if (!pmu_init(cpu->pmu, name))
		return false;
	pmu_use_retired(cpu->pmu, cpu->env.pmu_retired);
	if (hybrid)
		pmu_make_hybrid(cpu->pmu);
	return true;
}

bool x86_pmu_realize(X86CPU *cpu, Error **errp)
{
	Error *reason = NULL;

	cyrix_ports_realize(cpu);
	if (!cpu->pmu_model)
		return true;
	if (!icount_enabled()) {
		error_setg(errp, "pmu-model needs -accel tcg and -icount");
		return false;
	}
	cpu->pmu = g_new0(struct pmu, 1);
	if (!init_model(cpu)) {
		error_setg(errp, "unknown pmu-model '%s'", cpu->pmu_model);
		return false;
	}
	if (cpu->pmu_fault && !pmu_set_boot_faults(cpu->pmu, cpu->pmu_fault)) {
		error_setg(errp, "no pmu-fault '%s' with pmu-model '%s'",
			   cpu->pmu_fault, cpu->pmu_model);
		return false;
	}
	error_setg(&reason, "the state of the PMU model cannot be saved");
	return migrate_add_blocker(&reason, errp) == 0;
}

static bool are_of_one_core(X86CPU *a, X86CPU *b)
{
	const unsigned int threads = CPU(a)->nr_threads;

	return a->apic_id / threads == b->apic_id / threads;
}

/* The thread of this core that was made first has what its threads share. */
static void join_core(X86CPU *cpu)
{
	CPUState *other;

	for (other = first_cpu; other; other = CPU_NEXT(other)) {
		if (!are_of_one_core(X86_CPU(other), cpu))
			continue;
		pmu_join_core(cpu->pmu, X86_CPU(other)->pmu);
		return;
	}
}

static unsigned int package_of(X86CPU *cpu)
{
	return cpu->apic_id >> apicid_pkg_offset(&cpu->env.topo_info);
}

/*
 * The model is not brought up to date first: QEMU has already dropped what is
 * left of the slice, so that the instruction count is not valid here.
 */
void x86_pmu_reset(X86CPU *cpu)
{
	if (!cpu->pmu)
		return;
	pmu_reset(cpu->pmu);
	join_core(cpu);
	pmu_set_package(cpu->pmu, package_of(cpu));
	cpu->env.pmu_far = false;
	cpu->env.pmu_access = 0;
	follow_retired(cpu);
	cpu->env.msr_ia32_misc_enable |= MISC_ENABLE_EMON;
	if (pmu_has_pebs(cpu->pmu))
		cpu->env.msr_ia32_misc_enable |= MISC_ENABLE_BTS_UNAVAIL;
}

void x86_pmu_cpuid(X86CPU *cpu, uint32_t leaf, uint32_t subleaf, uint32_t *eax,
		   uint32_t *ebx, uint32_t *ecx, uint32_t *edx)
{
	uint32_t regs[4] = { *eax, *ebx, *ecx, *edx };

	if (!cpu->pmu || !pmu_cpuid(cpu->pmu, leaf, subleaf, regs))
		return;
	*eax = regs[0];
	*ebx = regs[1];
	*ecx = regs[2];
	*edx = regs[3];
}

void x86_pmu_set_cpl(CPUX86State *env, int cpl)
{
	X86CPU *cpu = env_archcpu(env);

	if (!cpu->pmu)
		return;
	x86_pmu_far(env);
	sync_model(cpu);
	pmu_set_user(cpu->pmu, cpl == 3);
	follow_retired(cpu);
	shorten_slice(cpu);
}

void x86_pmu_boundary(X86CPU *cpu)
{
	if (!cpu->pmu || !pmu_may_record(cpu->pmu))
		return;
	sync_model(cpu);
	x86_pmu_write_record(cpu);
}

/* Sections are as long as they take: each turn of a REP counts. */
void x86_pmu_note_if(CPUX86State *env, unsigned int vector)
{
	X86CPU *cpu = env_archcpu(env);
	uint64_t insns;

	QEMU_BUILD_BUG_ON(X86_PMU_NO_VECTOR != PMU_BY_INSTRUCTION);
	if (!cpu->pmu)
		return;
	if (vector != X86_PMU_NO_VECTOR)
		note_handler(cpu);
	if (cpu->pmu->section.off == !(env->eflags & IF_MASK))
		return;
	insns = icount_get_cpu_total(CPU(cpu));
	if (env->eflags & IF_MASK)
		pmu_interrupts_on(cpu->pmu, insns);
	else
		pmu_interrupts_off(cpu->pmu, insns, vector, env->eip);
}

void helper_note_if(CPUX86State *env)
{
	x86_pmu_note_if(env, X86_PMU_NO_VECTOR);
}

bool x86_pmu_rdmsr(CPUX86State *env, uint32_t msr, uintptr_t ra)
{
	X86CPU *cpu = env_archcpu(env);
	enum pmu_result result;
	uint64_t value = 0;

	if (!cpu->pmu)
		return false;
	sync_model(cpu);
	result = pmu_rdmsr(cpu->pmu, msr, &value);
	if (result == PMU_NOT_MINE)
		return false;
	if (result == PMU_TSC)
		value = cpu_get_tsc(env) + env->tsc_offset;
	else if (result == PMU_ENERGY) /* the TSC counts ns */
		value = pmu_energy(cpu->pmu, msr, cpu_get_tsc(env));
	else if (result != PMU_OK)
		raise_exception_err_ra(env, EXCP0D_GPF, 0, ra);
	env->regs[R_EAX] = (uint32_t)value;
	env->regs[R_EDX] = (uint32_t)(value >> 32);
	return true;
}

bool x86_pmu_wrmsr(CPUX86State *env, uint32_t msr, uint64_t value, uintptr_t ra)
{
	X86CPU *cpu = env_archcpu(env);
	enum pmu_result result;

	if (!cpu->pmu)
		return false;
	/*
	 * If this faults, the instruction has been counted but will not retire;
	 * then the model waits for one instruction. That shows in no counter,
	 * because only level 0 executes WRMSR and the handler runs there too.
	 */
	sync_model(cpu);
	result = pmu_wrmsr(cpu->pmu, msr, value);
	if (result == PMU_NOT_MINE)
		return false;
	if (result != PMU_OK)
		raise_exception_err_ra(env, EXCP0D_GPF, 0, ra);
	follow_retired(cpu);
	shorten_slice(cpu);
	return true;
}

bool x86_pmu_rdpmc(CPUX86State *env, uintptr_t ra)
{
	const uint32_t index = env->regs[R_ECX];
	X86CPU *cpu = env_archcpu(env);
	uint64_t value = 0;

	if (!cpu->pmu)
		return false;
	/* An instruction that faults does not retire: look before counting. */
	switch (pmu_check_rdpmc(cpu->pmu, index)) {
	case PMU_OK:
		break;
	case PMU_GP:
		raise_exception_err_ra(env, EXCP0D_GPF, 0, ra);
	default:
		raise_exception_ra(env, EXCP06_ILLOP, ra);
	}
	sync_model(cpu);
	pmu_rdpmc(cpu->pmu, index, &value);
	env->regs[R_EAX] = (uint32_t)value;
	env->regs[R_EDX] = (uint32_t)(value >> 32);
	return true;
}

bool x86_pmu_runs_alone(CPUX86State *env)
{
	CPUState *other;

	if (!env_archcpu(env)->pmu)
		return false;
	for (other = first_cpu; other; other = CPU_NEXT(other))
		if (other != env_cpu(env) &&
		    (!other->halted || cpu_has_work(other)))
			return false;
	return true;
}

int64_t x86_pmu_icount_limit(CPUState *cs)
{
	X86CPU *cpu = X86_CPU(cs);
	uint64_t distance;

	if (!cpu->pmu)
		return INT64_MAX;
	sync_model(cpu);
	note_place(cpu);
	follow_retired(cpu);
	distance = MAX(pmu_distance(cpu->pmu), 1);
	return MIN(distance, INT64_MAX);
}

void x86_pmu_icount_account(CPUState *cs)
{
	X86CPU *cpu = X86_CPU(cs);

	if (!cpu->pmu)
		return;
	sync_model(cpu);
	x86_pmu_write_record(cpu);
	pmu_count_stat(cpu->pmu, PMU_STAT_ACCOUNT);
	if (pmu_take_pmi(cpu->pmu) && cpu->apic_state) {
		bql_lock();
		if (apic_deliver_pmi(cpu->apic_state,
				     pmu_lvt_automask(cpu->pmu)))
			pmu_count_stat(cpu->pmu, PMU_STAT_PMI);
		bql_unlock();
	}
	if (pmu_take_ibs(cpu->pmu) && cpu->apic_state) {
		bql_lock();
		if (apic_deliver_extended(cpu->apic_state,
					  pmu_ibs_lvt(cpu->pmu)))
			pmu_count_stat(cpu->pmu, PMU_STAT_IBS_IRQ);
		bql_unlock();
	}
}
