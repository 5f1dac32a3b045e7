/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the owner of a model counts one by one when an instruction retires, so that
 * events of these kinds are exact. Only an enum: QEMU's translator, which emits the
 * counting, includes it, too.
 *
 * A branch is of exactly one of its kinds. Conditional are Jcc, JCXZ and LOOP; near
 * calls, jumps and returns stay in their segment. Far are far calls, jumps and returns,
 * INT n, INT3, INTO, IRET, SYSCALL, SYSRET, SYSENTER and SYSEXIT. Interrupts and
 * exceptions are no instructions and no branches.
 *
 * An instruction that accesses memory is of exactly one of the three kinds of these, and
 * each turn of a REP is an instruction. Far branches are of none.
 */
#ifndef PERFMON_TEST_PMU_RETIRED_H
#define PERFMON_TEST_PMU_RETIRED_H

enum pmu_retired {
	PMU_COND_TAKEN,
	PMU_COND_NOT_TAKEN,
	PMU_JUMP, /* direct ones */
	PMU_CALL,
	PMU_JUMP_INDIRECT, /* by register or memory */
	PMU_CALL_INDIRECT,
	PMU_RETURN,
	PMU_FAR,
	PMU_LOAD, /* it loads and does not store */
	PMU_STORE, /* it stores and does not load */
	PMU_LOAD_STORE,
	PMU_LOCKED, /* it loads with a lock; of one of the kinds before, too */
	PMU_RETIRED_KINDS
};

#define PMU_RETIRED_BRANCHES ((1u << PMU_LOAD) - 1)

/*
 * What an instruction does to its operands in memory, and the size of the last one. For
 * the owner of the model, which gives pmu_set_access() these.
 */
#define PMU_ACCESS_LOAD 0x1
#define PMU_ACCESS_STORE 0x2
#define PMU_ACCESS_SIZE_SHIFT 8 /* log2 of its bytes */

#endif
