/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Instructions that reach the PMU: they go to the model of the current CPU. A
 * general protection fault fails the test, except in the safe accesses.
 */
#ifndef PERFCTR_TEST_ASM_MSR_H
#define PERFCTR_TEST_ASM_MSR_H

#include <linux/types.h>

/* From the manuals of the processors. */
#define MSR_P6_PERFCTR0 0xc1
#define MSR_P6_EVNTSEL0 0x186
#define MSR_P6_EVNTSEL1 0x187
#define MSR_K7_EVNTSEL0 0xc0010000
#define MSR_K7_PERFCTR0 0xc0010004
#define MSR_F15H_PERF_CTL 0xc0010200
#define MSR_F15H_PERF_CTR 0xc0010201
#define MSR_ARCH_PERFMON_PERFCTR0 0xc1
#define MSR_ARCH_PERFMON_EVENTSEL0 0x186
#define MSR_ARCH_PERFMON_FIXED_CTR0 0x309
#define MSR_ARCH_PERFMON_FIXED_CTR_CTRL 0x38d
#define MSR_CORE_PERF_GLOBAL_CTRL 0x38f
#define MSR_CORE_PERF_GLOBAL_OVF_CTRL 0x390
#define MSR_IA32_MISC_ENABLE 0x1a0
#define MSR_IA32_MISC_ENABLE_EMON (1ULL << 7)

u64 machine_rdmsr(u32 msr);
u64 machine_rdpmc(u32 counter);

#define rdmsrl(msr, value) ((void)((value) = machine_rdmsr(msr)))
#define rdpmcl(counter, value) ((void)((value) = machine_rdpmc(counter)))

void wrmsrl(u32 msr, u64 value);
int rdmsrl_safe(u32 msr, u64 *value);
int wrmsrl_safe(u32 msr, u64 value);
u64 rdtsc(void);

/* Frequency of the TSC. */
extern unsigned int tsc_khz;

#endif
