// SPDX-License-Identifier: GPL-2.0-only
/*
 * The hardware of machine.h, and the instructions with which the kernel
 * reaches it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <asm/apic.h>
#include <asm/msr.h>
#include <asm/processor.h>

#include "machine.h"

struct machine machine;
struct cpuinfo_x86 boot_cpu_data;
unsigned int __max_threads_per_core;
unsigned int tsc_khz;

static struct pmu *this_pmu(void)
{
	return &machine_this_cpu()->pmu;
}

static void machine_make_pmu(struct machine_cpu *c, const struct processor *p,
			     bool is_first_half)
{
	assert_true(pmu_init(&c->pmu, is_first_half || !p->second_pmu ?
					      p->pmu :
					      p->second_pmu));
	if (p->features & X86_FEATURE_HYBRID_CPU)
		pmu_make_hybrid(&c->pmu);
}

void machine_power_on(const struct processor *p)
{
	unsigned int cpu;

	memset(&machine, 0, sizeof(machine));
	machine.processor = p;
	machine.maxlvt = 5;
	machine.perf_knows_cpu = true;
	tsc_khz = 2400000;
	for (cpu = 0; cpu < NR_CPUS; cpu++) {
		struct machine_cpu *c = &machine.cpu[cpu];

		machine_make_pmu(c, p, 2 * cpu < NR_CPUS);
		c->tsc_offset = 0xfffff000 + 0x123456789 * cpu;
		c->lvtpc = APIC_DM_NMI;
		c->online = true;
		c->pce = true;
	}
	machine.ticks = 1000;
	machine.has_misc_enable = p->misc_enable;
	machine.misc_enable = p->misc_enable;
	__max_threads_per_core = p->threads ? p->threads : 1;
	boot_cpu_data = (struct cpuinfo_x86){
		.x86 = p->family,
		.x86_vendor = p->vendor,
		.x86_model = p->model,
		.cpuid_level = p->cpuid_level,
	};
}

void machine_on(unsigned int cpu)
{
	assert_true(cpu < NR_CPUS && machine.cpu[cpu].online);
	machine.current_cpu = cpu;
}

unsigned int smp_processor_id(void)
{
	return machine.current_cpu;
}

/* What is counted does not depend on what is written into counters. */
static void retire(struct machine_cpu *cpu, u64 insns)
{
	u64 before[PMU_MAX_COUNTERS];
	unsigned int i;

	for (i = 0; i < PMU_MAX_COUNTERS; i++)
		before[i] = cpu->pmu.counter[i].value;
	pmu_sync(&cpu->pmu, cpu->pmu.insns + insns);
	for (i = 0; i < PMU_MAX_COUNTERS; i++)
		cpu->events[i] += (cpu->pmu.counter[i].value - before[i]) &
				  cpu->pmu.counter[i].mask;
}

/* Instructions that retire for sure before an interrupt. */
static u64 undisturbed(const struct machine_cpu *cpu)
{
	return cpu->requested && !machine.irqs_off ? 1 :
						     pmu_distance(&cpu->pmu);
}

/* An overflow ends a step, so that its interrupt comes at once. */
void machine_run(u64 insns, bool user)
{
	struct pmu *pmu = this_pmu();

	assert_false(user && machine.irqs_off);
	machine_take_interrupts();
	pmu_set_user(pmu, user);
	while (insns) {
		const u64 distance = undisturbed(machine_this_cpu());
		u64 step = distance < insns ? distance : insns;

		/* Requests may wait for a masked entry to be opened. */
		if (!step)
			step = 1;

		retire(machine_this_cpu(), step);
		insns -= step;
		machine_take_interrupts();
	}
	pmu_set_user(pmu, false);
}

u64 machine_events(unsigned int counter)
{
	unsigned int cpu;
	u64 sum = 0;

	for (cpu = 0; cpu < NR_CPUS; cpu++)
		sum += machine.cpu[cpu].events[counter];
	return sum;
}

u64 machine_stat(unsigned int stat)
{
	unsigned int cpu;
	u64 sum = 0;

	for (cpu = 0; cpu < NR_CPUS; cpu++)
		sum += machine.cpu[cpu].pmu.stat[stat];
	return sum;
}

bool boot_cpu_has(u32 feature)
{
	if (feature == X86_FEATURE_TSC)
		return !machine.tsc_off;
	return (machine.processor->features | machine.more_features) & feature;
}

bool topology_is_primary_thread(unsigned int cpu)
{
	return cpu % __max_threads_per_core == 0;
}

void cpuid_count(u32 leaf, u32 subleaf, u32 *eax, u32 *ebx, u32 *ecx, u32 *edx)
{
	u32 regs[4] = { 0 };

	if (leaf == 10 && machine.own_cpuid10)
		memcpy(regs, machine.cpuid10, sizeof(regs));
	else if (leaf == 35 && machine.own_cpuid35)
		memcpy(regs, machine.cpuid35[subleaf], sizeof(regs));
	else
		pmu_cpuid(this_pmu(), leaf, subleaf, regs);
	*eax = regs[0];
	*ebx = regs[1];
	*ecx = regs[2];
	*edx = regs[3];
}

void cpuid(u32 leaf, u32 *eax, u32 *ebx, u32 *ecx, u32 *edx)
{
	cpuid_count(leaf, 0, eax, ebx, ecx, edx);
}

u32 cpuid_eax(u32 leaf)
{
	u32 eax, ebx, ecx, edx;

	cpuid(leaf, &eax, &ebx, &ecx, &edx);
	return eax;
}

u32 cpuid_ebx(u32 leaf)
{
	u32 eax, ebx, ecx, edx;

	cpuid(leaf, &eax, &ebx, &ecx, &edx);
	return ebx;
}

/* NULL: there is none, or it is the PMU's. */
static u64 *side_register(u32 msr)
{
	static const u32 msrs[MACHINE_SIDES] = {
		[SIDE_EFER] = MSR_EFER,
		[SIDE_DEBUGCTL] = MSR_IA32_DEBUGCTLMSR,
		[SIDE_PEBS_ENABLE] = MSR_IA32_PEBS_ENABLE,
		[SIDE_FORCE_ABORT] = MSR_TSX_FORCE_ABORT,
	};
	unsigned int i;

	for (i = 0; i < (machine.has_sides ? MACHINE_SIDES : 1); i++)
		if (msrs[i] == msr)
			return &machine_this_cpu()->side[i];
	return NULL;
}

/*
 * Hypervisors may refuse what processors ignore: bits of a counter that do not
 * exist.
 */
static void check_counter_write(u32 msr, u64 value)
{
	const struct processor *p = machine.processor;
	unsigned int i;

	for (i = 0; p->msr_stride && i < p->counters; i++)
		if (msr == p->counter_msr + i * p->msr_stride &&
		    value >> p->width)
			fail_msg("WRMSR %#x = %#llx: %u bits", msr, value,
				 p->width);
}

static int try_write(u32 msr, u64 value)
{
	u64 *side = side_register(msr);

	check_counter_write(msr, value);
	if (side) {
		*side = value;
		return 0;
	}
	if (machine.pmu_kind == PMU_FAULTS ||
	    (machine.refused_msr && msr == machine.refused_msr))
		return -1;
	if (machine.pmu_kind == PMU_SWALLOWS)
		return 0;
	return pmu_wrmsr(this_pmu(), msr, value) == PMU_OK ? 0 : -1;
}

static int try_read(u32 msr, u64 *value)
{
	uint64_t contents = 0;
	enum pmu_result result;

	u64 *side = side_register(msr);

	*value = side ? *side : 0;
	if (side)
		return 0;
	if (msr == MSR_IA32_MISC_ENABLE) {
		*value = machine.misc_enable;
		return machine.has_misc_enable ? 0 : -1;
	}
	if (machine.pmu_kind == PMU_FAULTS)
		return -1;
	if (machine.pmu_kind == PMU_SWALLOWS)
		return 0;
	result = pmu_rdmsr(this_pmu(), msr, &contents);
	*value = contents;
	return result == PMU_OK ? 0 : -1;
}

/* The way to a PMU register, or from it, where an interrupt may come. */
static void approach(void)
{
	if (machine.access_insns)
		machine_run(machine.access_insns, false);
}

int wrmsrl_safe(u32 msr, u64 value)
{
	approach();
	return try_write(msr, value);
}

int rdmsrl_safe(u32 msr, u64 *value)
{
	approach();
	return try_read(msr, value);
}

void wrmsrl(u32 msr, u64 value)
{
	approach();
	if (try_write(msr, value))
		fail_msg("CPU %u: #GP: WRMSR %#x = %#llx", machine.current_cpu,
			 msr, value);
}

u64 machine_rdmsr(u32 msr)
{
	u64 value;

	approach();
	if (try_read(msr, &value))
		fail_msg("CPU %u: #GP: RDMSR %#x", machine.current_cpu, msr);
	return value;
}

u64 machine_rdpmc(u32 counter)
{
	uint64_t value = 0;

	approach();
	if (pmu_rdpmc(this_pmu(), counter, &value) != PMU_OK)
		fail_msg("CPU %u: #GP: RDPMC %#x", machine.current_cpu,
			 counter);
	/* The value is old when it is used. */
	approach();
	return value;
}

u64 rdtsc(void)
{
	return machine_this_cpu()->tsc_offset + 2 * this_pmu()->insns;
}
