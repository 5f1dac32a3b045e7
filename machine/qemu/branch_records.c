// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the translator tells the PMU model of taken branches while it records them. Copied
 * to target/i386/tcg/system/ when the test machine is built.
 *
 * A branch is the last instruction of its translation block: there the count of
 * instructions is exact. The model decides whether the branch gets a record.
 */

#include "qemu/osdep.h"
#include "system/cpu-timers.h"
#include "cpu.h"
#include "exec/helper-proto.h"
#include "pmu/pmu.h"

static void record(CPUX86State *env, uint64_t to, enum pmu_retired kind,
		   bool retires)
{
	X86CPU *cpu = env_archcpu(env);
	const struct pmu_branch branch = {
		.from = env->pmu_branch_from,
		.to = to,
		.kind = kind,
		.to_kernel = !(env->hflags & HF_CPL_MASK),
		.retires = retires,
		.insns = icount_get_cpu_total(CPU(cpu)) - env->pmu_rep_extra,
	};

	pmu_record_branch(cpu->pmu, &branch);
}

static uint64_t linear_ip(CPUX86State *env)
{
	return env->segs[R_CS].base + env->eip;
}

void helper_pmu_branch(CPUX86State *env, target_ulong to, uint32_t kind)
{
	record(env, to, kind, true);
}

void helper_pmu_branch_far(CPUX86State *env)
{
	record(env, linear_ip(env), PMU_FAR, true);
}

void x86_pmu_interrupt_begins(CPUX86State *env)
{
	env->pmu_branch_from = linear_ip(env);
}

void x86_pmu_interrupt_ends(CPUX86State *env, int vector, bool is_instruction)
{
	X86CPU *cpu = env_archcpu(env);

	if (!cpu->pmu)
		return;
	if (vector == EXCP01_DB && !is_instruction)
		pmu_debug_exception(cpu->pmu);
	record(env, linear_ip(env), PMU_FAR, is_instruction);
}
