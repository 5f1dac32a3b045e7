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
#define MSR_IA32_PMC0 0x4c1
#define MSR_IA32_PERF_CAPABILITIES 0x345
#define MSR_OFFCORE_RSP_0 0x1a6
#define MSR_OFFCORE_RSP_1 0x1a7
#define MSR_PEBS_LD_LAT_THRESHOLD 0x3f6
#define MSR_PEBS_FRONTEND 0x3f7
#define MSR_AMD64_PERF_CNTR_GLOBAL_CTL 0xc0000301
#define MSR_AMD64_PERF_CNTR_GLOBAL_STATUS_CLR 0xc0000302
#define MSR_AMD64_PERF_CNTR_GLOBAL_STATUS 0xc0000300
#define MSR_AMD64_IBSFETCHCTL 0xc0011030
#define MSR_AMD64_IBSFETCHLINAD 0xc0011031
#define MSR_AMD64_IBSFETCHPHYSAD 0xc0011032
#define MSR_AMD64_IBSOPCTL 0xc0011033
#define MSR_AMD64_IBSOPRIP 0xc0011034
#define MSR_AMD64_IBSOPDATA 0xc0011035
#define MSR_AMD64_IBSOPDATA2 0xc0011036
#define MSR_AMD64_IBSOPDATA3 0xc0011037
#define MSR_AMD64_IBSDCLINAD 0xc0011038
#define MSR_AMD64_IBSDCPHYSAD 0xc0011039
#define MSR_AMD64_IBSCTL 0xc001103a
#define MSR_AMD64_IBSBRTARGET 0xc001103b
#define MSR_AMD64_ICIBSEXTDCTL 0xc001103c
#define MSR_AMD64_IBSOPDATA4 0xc001103d
#define MSR_CORE_PERF_GLOBAL_STATUS 0x38e
#define MSR_IA32_DEBUGCTLMSR 0x1d9
#define DEBUGCTLMSR_LBR (1ULL << 0)
#define DEBUGCTLMSR_FREEZE_LBRS_ON_PMI (1ULL << 11)
#define MSR_LBR_SELECT 0x1c8
#define MSR_LBR_TOS 0x1c9
#define MSR_LBR_NHM_FROM 0x680
#define MSR_LBR_NHM_TO 0x6c0
#define MSR_LBR_INFO_0 0xdc0
#define MSR_ARCH_LBR_CTL 0x14ce
#define ARCH_LBR_CTL_LBREN (1ULL << 0)
#define MSR_ARCH_LBR_DEPTH 0x14cf
#define MSR_ARCH_LBR_FROM_0 0x1500
#define MSR_ARCH_LBR_TO_0 0x1600
#define MSR_ARCH_LBR_INFO_0 0x1200
#define MSR_AMD64_LBR_SELECT 0xc000010e
#define MSR_AMD_DBG_EXTN_CFG 0xc000010f
#define MSR_AMD_SAMP_BR_FROM 0xc0010300
#define MSR_TSX_FORCE_ABORT 0x10f
#define MSR_TFA_RTM_FORCE_ABORT 1ULL
#define MSR_EFER 0xc0000080
#define EFER_SVME (1ULL << 12)
#define MSR_IA32_MISC_ENABLE 0x1a0
#define MSR_IA32_MISC_ENABLE_EMON (1ULL << 7)

#define MSR_IA32_PEBS_ENABLE 0x3f1
#define MSR_PEBS_DATA_CFG 0x3f2
#define MSR_IA32_DS_AREA 0x600
#define MSR_P4_PEBS_MATRIX_VERT 0x3f2
#define MSR_P4_BPU_PERFCTR0 0x300
#define MSR_P4_BPU_CCCR0 0x360
#define MSR_P4_BSU_ESCR0 0x3a0
#define MSR_P4_FSB_ESCR0 0x3a2
#define MSR_P4_FIRM_ESCR0 0x3a4
#define MSR_P4_FLAME_ESCR0 0x3a6
#define MSR_P4_DAC_ESCR0 0x3a8
#define MSR_P4_MOB_ESCR0 0x3aa
#define MSR_P4_PMH_ESCR0 0x3ac
#define MSR_P4_SAAT_ESCR0 0x3ae
#define MSR_P4_U2L_ESCR0 0x3b0
#define MSR_P4_BPU_ESCR0 0x3b2
#define MSR_P4_IS_ESCR0 0x3b4
#define MSR_P4_ITLB_ESCR0 0x3b6
#define MSR_P4_IQ_ESCR0 0x3ba
#define MSR_P4_RAT_ESCR0 0x3bc
#define MSR_P4_SSU_ESCR0 0x3be
#define MSR_P4_MS_ESCR0 0x3c0
#define MSR_P4_TBPU_ESCR0 0x3c2
#define MSR_P4_TC_ESCR0 0x3c4
#define MSR_P4_IX_ESCR0 0x3c8
#define MSR_P4_ALF_ESCR0 0x3ca
#define MSR_P4_IQ_ESCR1 0x3bb
#define MSR_P4_CRU_ESCR0 0x3b8
#define MSR_P4_CRU_ESCR2 0x3cc
#define MSR_P4_CRU_ESCR4 0x3e0

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

/* Times of the TSC are none of samples here. */
#define using_native_sched_clock() false
#define sched_clock_stable() false
#define native_sched_clock_from_tsc(tsc) (tsc)
#define __sched_clock_offset 0

#endif
