/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * MSR block through which a guest reads what its PMU model has seen and asks
 * for faults. Only #defines: used by the model, by QEMU's glue and by guest
 * programs (through /dev/cpu/N/msr). Each virtual CPU has its own block.
 *
 * Accesses to the block are never counted as PMU accesses. Statistics are
 * cleared by writing 0; any other write is refused with #GP, but for controls.
 */
#ifndef PERFMON_TEST_PMU_STATS_H
#define PERFMON_TEST_PMU_STATS_H

#define PMU_STAT_BASE 0xC0FFEE00u

/* Offsets from PMU_STAT_BASE. */
#define PMU_STAT_RDMSR 0x00 /* RDMSR of PMU registers */
#define PMU_STAT_WRMSR 0x01 /* WRMSR of PMU registers, counters included */
#define PMU_STAT_RDPMC 0x02
#define PMU_STAT_PMI 0x03 /* overflow interrupts that the APIC accepted */
#define PMU_STAT_SYNC 0x04 /* times that the counters were brought up to date */
#define PMU_STAT_INSNS 0x05 /* instructions retired at all levels; read only */
#define PMU_STAT_KICK 0x06 /* running translations cut short for an overflow */
#define PMU_STAT_ACCOUNT 0x07 /* execution slices */
#define PMU_STAT_CPL 0x08 /* changes between user and kernel level */
#define PMU_STAT_GP 0x09 /* RDMSR and WRMSR that the PMU refused with #GP */
#define PMU_STAT_WRCTR 0x0a /* WRMSR of counter registers only */
#define PMU_STAT_GP_MSR 0x0b /* address of the last MSR refused */
#define PMU_STAT_IBS_FETCH 0x0c /* samples of AMD's fetch unit */
#define PMU_STAT_IBS_OP 0x0d /* and of its op unit */
#define PMU_STAT_IBS_IRQ 0x0e /* interrupts for them that the APIC accepted */
#define PMU_STAT_PEBS 0x0f /* records that PEBS has written */
#define PMU_STAT_FAULT 0x10 /* write only: fault control, see below */
#define PMU_STAT_MAGIC 0x11 /* read only: PMU_STAT_MAGIC_VALUE */
#define PMU_STAT_USER_INSNS 0x20 /* instructions retired at CPL 3 */
/*
 * The longest section with interrupts off that has ended since it was cleared,
 * in instructions (each turn of a REP is one), and where it began; zeros for
 * none. Sections that an instruction begins (CLI, POPF, SYSCALL, SYSENTER) are
 * apart from those that interrupts and exceptions begin. One that is open while
 * its kind is cleared does not count.
 */
#define PMU_STAT_OFF 0x21 /* by an instruction */
#define PMU_STAT_OFF_AT 0x22 /* read only: its address */
#define PMU_STAT_OFF_IRQ 0x23 /* by an interrupt or exception */
#define PMU_STAT_OFF_IRQ_AT 0x24 /* read only: address of its handler */
#define PMU_STAT_OFF_VECTOR 0x25 /* look at this one only; 0: at each */
#define PMU_STAT_PEBS_DROPPED 0x26 /* records for which there was no room */
#define PMU_STAT_DS_FAULT 0x27 /* records for want of access to their memory */
#define PMU_STAT_BRANCHES 0x28 /* branch records that were made */
#define PMU_STAT_WORDS 0x30

#define PMU_STAT_MAGIC_VALUE 0x50464du

/*
 * Values of PMU_STAT_FAULT: kind in the upper, argument in the lower half. A fault
 * stays until PMU_FAULT_CLEAR or a reset unless it is about the next interrupts.
 * Counters have the numbers of their bits in Intel's GLOBAL_STATUS: programmable
 * ones from 0, fixed ones from 32. #GP for a fault that the processor cannot have.
 */
#define PMU_FAULT(kind, arg) ((kind) << 32 | (arg))
#define PMU_FAULT_CLEAR 0ull /* forget what has been asked for */
#define PMU_FAULT_DELAY 1ull /* delay the next PMI by arg instructions */
#define PMU_FAULT_LOSE 2ull /* lose the next arg PMIs */
#define PMU_FAULT_SPURIOUS 3ull /* raise a PMI now without an overflow */
#define PMU_FAULT_SKID 4ull /* each PMI comes arg instructions late */
#define PMU_FAULT_LEAK 5ull /* counter arg misses one event of eight */
#define PMU_FAULT_EXTRA 6ull /* counter arg: one more a user-level interrupt */
#define PMU_FAULT_STILL 7ull /* counter arg stands still */
#define PMU_FAULT_FILTER 8ull /* no counter counts this event | mask << 8 */
#define PMU_FAULT_STUCK 9ull /* bit arg of the global status reads as set */
#define PMU_FAULT_FOREIGN 10ull /* others stop all, in arg instructions */
#define PMU_FAULT_HOST_MASK 11ull /* delivering a PMI masks the LVTPC */
#define PMU_FAULT_FIRMWARE 12ull /* counter arg counts for somebody else */
#define PMU_FAULT_ERRATA 13ull /* those of PMU_ERRATUM_* that it has; 0: all */
#define PMU_FAULT_SHADOW 14ull /* overflows together: the status of one only */
#define PMU_FAULT_ENERGY 15ull /* at first, energy counters wrapped in arg */
#define PMU_FAULT_IBS_FOREIGN \
	16ull /* others stop IBS op, in arg instructions */
#define PMU_FAULT_PEBS_DELAY 17ull /* arg 0: PEBS records the overflow itself */
#define PMU_FAULT_PEBS_STATUS0 18ull /* the next arg records have no status */
#define PMU_FAULT_PEBS_LATE \
	19ull /* the next record comes arg instructions after the stop */
#define PMU_FAULT_MISPREDICT \
	20ull /* each branch record number n * arg is mispredicted */
#define PMU_FAULT_KINDS 21ull

#define PMU_ERRATUM_PERIOD 0x1 /* short periods */
#define PMU_ERRATUM_REPROGRAM 0x2 /* another event counts cycles */
#define PMU_ERRATUM_FORCE_ABORT 0x4 /* microcode uses counter 3 */

#endif
