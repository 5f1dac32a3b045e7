/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * QEMU's side of the PMU model: what the patched places of QEMU call. Copied
 * to target/i386/ and included by its cpu.h. Without the CPU property
 * pmu-model each of these does nothing.
 */
#ifndef PERFMON_TEST_PMU_GLUE_H
#define PERFMON_TEST_PMU_GLUE_H

/* When a CPU is made; false with an error set. */
bool x86_pmu_realize(X86CPU *cpu, Error **errp);
/* cyrix_ports.c: only with the property cyrix-dir. */
void cyrix_ports_realize(X86CPU *cpu);
void x86_pmu_reset(X86CPU *cpu);
/* For each leaf, with what QEMU says of it. */
void x86_pmu_cpuid(X86CPU *cpu, uint32_t leaf, uint32_t subleaf, uint32_t *eax,
		   uint32_t *ebx, uint32_t *ecx, uint32_t *edx);

/* Whether the APIC has AMD's extended registers, with four more LVT entries. */
bool x86_pmu_has_extended_lvt(X86CPU *cpu);

/* Before the CPL changes. */
void x86_pmu_set_cpl(CPUX86State *env, int cpl);
/* If a far branch is running: all of it that may fault is done. */
void x86_pmu_far(CPUX86State *env);

/*
 * Between two instructions, before an interrupt or exception changes the registers: what
 * PEBS says of the first one.
 */
void x86_pmu_boundary(X86CPU *cpu);
/* pebs_records.c: a record that is due, into the guest's memory. */
void x86_pmu_write_record(X86CPU *cpu);

/*
 * branch_records.c: around an interrupt or exception, or INT n. Between both its address
 * is in env->pmu_branch_from.
 */
void x86_pmu_interrupt_begins(CPUX86State *env);
void x86_pmu_interrupt_ends(CPUX86State *env, int vector, bool is_instruction);

/*
 * After the interrupt flag may have changed, where the count of instructions is
 * exact: at the end of a translation block or outside of one. EIP is that of
 * the instruction, or what an interrupt with this vector has set.
 */
void x86_pmu_note_if(CPUX86State *env, unsigned int vector);
#define X86_PMU_NO_VECTOR 256

/*
 * Register accesses of the running instruction: true if the PMU has executed
 * it, false if it is none of its business. May raise an exception; ra is the
 * helper's GETPC().
 */
bool x86_pmu_rdmsr(CPUX86State *env, uint32_t msr, uintptr_t ra);
bool x86_pmu_wrmsr(CPUX86State *env, uint32_t msr, uint64_t value,
		   uintptr_t ra);
bool x86_pmu_rdpmc(CPUX86State *env, uintptr_t ra);

/* Whether PAUSE has nobody to yield to. */
bool x86_pmu_runs_alone(CPUX86State *env);

/* Around each slice of execution: instructions at most, and what was done. */
int64_t x86_pmu_icount_limit(CPUState *cs);
void x86_pmu_icount_account(CPUState *cs);

#endif
