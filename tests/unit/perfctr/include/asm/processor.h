/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What kind of processor the machine has.
 */
#ifndef PERFCTR_TEST_ASM_PROCESSOR_H
#define PERFCTR_TEST_ASM_PROCESSOR_H

#include <linux/types.h>

#define X86_EFLAGS_IF (1UL << 9)

#define X86_VENDOR_INTEL 0
#define X86_VENDOR_CYRIX 1
#define X86_VENDOR_AMD 2
#define X86_VENDOR_CENTAUR 5
#define X86_VENDOR_TRANSMETA 7
#define X86_VENDOR_HYGON 9

struct cpuinfo_x86 {
	u8 x86; /* family */
	u8 x86_vendor;
	u8 x86_model;
	u8 x86_stepping;
	u32 microcode;
	int cpuid_level;
};

extern struct cpuinfo_x86 boot_cpu_data;

/* The first address above all programs. */
#define TASK_SIZE_MAX ((1UL << 47) - 4096)

/* Bits of machine.features. */
#define X86_FEATURE_APIC 0x1u
#define X86_FEATURE_PERFCTR_CORE 0x2u
#define X86_FEATURE_PERFMON_V2 0x4u
#define X86_FEATURE_HYBRID_CPU 0x8u
#define X86_FEATURE_TSC 0x10u /* of the machine, see machine.tsc_off */
#define X86_FEATURE_PDCM 0x20u
#define X86_FEATURE_RTM 0x40u
#define X86_FEATURE_HYPERVISOR 0x80u
#define X86_FEATURE_TSX_FORCE_ABORT 0x100u
#define X86_FEATURE_PEBS 0x200u
#define X86_FEATURE_XENPV 0x400u
#define X86_FEATURE_HT 0x800u
#define X86_FEATURE_IBS 0x1000u /* no processor has it here */
#define X86_FEATURE_DTES64 0x2000u /* nor this one, so that there is no PEBS */
#define X86_FEATURE_PTI 0x4000u
#define X86_FEATURE_ARCH_LBR 0x8000u
#define X86_CR4_VMXE (1UL << 13)

bool boot_cpu_has(u32 feature);
#define cpu_feature_enabled(feature) boot_cpu_has(feature)

/* Hyper-threads; the CPUs of a core have consecutive numbers. */
extern unsigned int __max_threads_per_core;

bool topology_is_primary_thread(unsigned int cpu);

static inline unsigned long native_read_cr4(void)
{
	return 0;
}

static inline int cpu_to_node(int cpu)
{
	(void)cpu;
	return 0;
}

void cpuid(u32 leaf, u32 *eax, u32 *ebx, u32 *ecx, u32 *edx);
void cpuid_count(u32 leaf, u32 subleaf, u32 *eax, u32 *ebx, u32 *ecx, u32 *edx);
u32 cpuid_eax(u32 leaf);
u32 cpuid_ebx(u32 leaf);

#endif
