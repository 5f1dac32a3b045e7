// SPDX-License-Identifier: GPL-2.0-only
/*
 * Features of Intel processors that disturb counters are switched off while the
 * PMU is ours.
 *
 * Called by intel.c on each CPU that is taken or given back, with interrupts
 * off.
 */
#include <linux/bits.h>
#include <linux/percpu.h>

#include <asm/cpufeature.h>
#include <asm/msr-index.h>

#include "perfctr_design.h"

/* IA32_DEBUGCTL: all counters stop after an overflow. */
#define FREEZE_PERFMON_ON_PMI	BIT_ULL(12)

static DEFINE_PER_CPU(u64, found_force_abort);

/*
 * With this microcode a transaction uses counter 3, unless all transactions are
 * aborted.  Then RTM remains available; programs must handle aborts anyway.
 */
static bool quiet_has_force_abort(void)
{
	return boot_cpu_has(X86_FEATURE_TSX_FORCE_ABORT);
}

static void quiet_clear_bits(u32 msr, u64 bits)
{
	u64 value;

	if (!rdmsrl_safe(msr, &value) && (value & bits))
		perfctr_write(msr, value & ~bits);
}

void perfctr_intel_quiet(void)
{
	u64 value;

	/* Firmware or an earlier kernel may have left them on. */
	if (boot_cpu_has(X86_FEATURE_PEBS))
		quiet_clear_bits(MSR_IA32_PEBS_ENABLE, ~0ULL);
	quiet_clear_bits(MSR_IA32_DEBUGCTLMSR, FREEZE_PERFMON_ON_PMI);
	if (!quiet_has_force_abort() ||
	    rdmsrl_safe(MSR_TSX_FORCE_ABORT, &value))
		return;
	__this_cpu_write(found_force_abort, value);
	perfctr_write(MSR_TSX_FORCE_ABORT, value | MSR_TFA_RTM_FORCE_ABORT);
}

/* The freezing is not restored: no code relies on it. */
void perfctr_intel_unquiet(void)
{
	if (quiet_has_force_abort())
		perfctr_write(MSR_TSX_FORCE_ABORT,
			      __this_cpu_read(found_force_abort));
}
