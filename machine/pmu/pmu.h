/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A software model of the x86 performance monitoring units.
 *
 * One struct pmu is the PMU of one CPU. The model knows neither time nor
 * interrupts: its owner tells it how many instructions have retired and at
 * which privilege level, forwards the PMU's MSR accesses and asks for pending
 * overflow interrupts. Used by the test machine (QEMU, machine/) and by
 * machine/unit/. No globals, no allocation, no dependencies.
 *
 * Nearly everything the model counts is a pure function of the number of instructions
 * retired, so pmu_distance() can tell exactly how far away the next overflow is. An
 * owner that sees which branches retire counts them itself: see pmu_use_retired().
 */
#ifndef PERFMON_TEST_PMU_H
#define PERFMON_TEST_PMU_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu_stats.h"
#include "retired.h"

#define PMU_MAX_COUNTERS 24
#define PMU_NEVER UINT64_MAX

enum pmu_result {
	PMU_OK,
	PMU_NOT_MINE, /* not a PMU register */
	PMU_GP, /* the access raises #GP(0) */
	PMU_UD, /* the instruction raises #UD */
	PMU_TSC, /* the register is the time stamp counter; ask the owner */
	PMU_ENERGY, /* it counts energy: pmu_energy() has the value */
};

/*
 * Events per instruction: num/den, with 0 <= num and 0 < den <= 1025 (times 32
 * with faults). The first instruction starts with phase/den of an event; see
 * rate.c.
 */
struct pmu_rate {
	uint32_t num;
	uint32_t den;
	int32_t phase;
};

/* Why a counter counts, and whether its overflow interrupts. */
#define PMU_COUNT_KERNEL 0x1
#define PMU_COUNT_USER 0x2
#define PMU_COUNT_IRQ 0x4
#define PMU_COUNT_CHAIN 0x8 /* its overflow changes what others count */
#define PMU_COUNT_FORCE 0x10 /* every event is an overflow */
#define PMU_COUNT_PAIR 0x20 /* the next counter has the upper bits */
#define PMU_COUNT_PEBS 0x40 /* its overflow arms it for a record */

/* ESCRs of the Pentium 4 have these addresses, with holes. */
#define PMU_P4_FIRST_ESCR 0x3a0
#define PMU_P4_LAST_ESCR 0x3e1

struct pmu_counter {
	uint64_t value;
	uint64_t mask; /* all bits of the counter; 0: no such counter */
	uint64_t select; /* selector as the guest reads it back */
	uint64_t room; /* events from the last write to the overflow */
	uint32_t event; /* the last one chosen; 0: none since reset */
	bool stale; /* PMU_ERRATUM_REPROGRAM: it counts cycles instead */
	struct pmu_rate rate;
	int32_t rem; /* part of an event, in 1/den */
	uint32_t retired; /* bit mask of enum pmu_retired; 0: not of these */
	bool absent; /* it counts the instructions without these */
	uint8_t flags; /* PMU_COUNT_* with all enable bits applied */
};

/*
 * Registers that qualify some events of Intel's. They do not change counts, but an
 * event with an empty off-core mask does not count.
 */
#define PMU_OFFCORE_REGS 2

enum pmu_extra_reg {
	PMU_EXTRA_OFFCORE_RSP0,
	PMU_EXTRA_OFFCORE_RSP1,
	PMU_EXTRA_LD_LAT,
	PMU_EXTRA_FRONTEND,
	PMU_EXTRA_REGS
};

/* Registers of AMD's instruction-based sampling (ibs.c), in the order of addresses. */
enum pmu_ibs_reg {
	PMU_IBS_FETCH_CTL,
	PMU_IBS_FETCH_LINEAR,
	PMU_IBS_FETCH_PHYSICAL,
	PMU_IBS_OP_CTL,
	PMU_IBS_OP_RIP,
	PMU_IBS_OP_DATA,
	PMU_IBS_OP_DATA2,
	PMU_IBS_OP_DATA3,
	PMU_IBS_DC_LINEAR,
	PMU_IBS_DC_PHYSICAL,
	PMU_IBS_CTL, /* which entry of the extended LVT interrupts */
	PMU_IBS_BRANCH_TARGET,
	PMU_IBS_FETCH_EXTENDED,
	PMU_IBS_OP_DATA4,
	PMU_IBS_REGS
};

/* Where an instruction is. */
struct pmu_place {
	uint64_t linear;
	uint64_t physical;
	bool has_physical;
};

/* The last operand in memory of an instruction. */
struct pmu_access {
	uint64_t linear;
	uint64_t physical;
	bool has_physical;
	bool loads, stores; /* the instruction does so; neither: no operand */
	uint8_t size; /* log2 of its bytes */
};

/* What a record of PEBS says of the CPU behind an instruction. */
#define PMU_GPRS 16 /* ax, bx, cx, dx, si, di, bp, sp, r8 to r15 */
#define PMU_XMM_WORDS 32

/* The longest record: basic 4, memory 4, general registers 18, XMM 32, 32 branches. */
#define PMU_RECORD_WORDS 154

struct pmu_registers {
	uint64_t flags;
	uint64_t ip; /* linear, of the next instruction */
	uint64_t gpr[PMU_GPRS];
	uint64_t xmm[PMU_XMM_WORDS]; /* 0 to 15, the lower half first */
	uint64_t tsc;
};

/*
 * The owner's memory, at linear addresses, as the kernel level accesses it at this
 * moment, in words of eight bytes. False, and nothing has been done, if it may not.
 */
struct pmu_memory {
	void *owner;
	bool (*load)(void *owner, uint64_t address, uint64_t *words,
		     unsigned int number);
	bool (*store)(void *owner, uint64_t address, const uint64_t *words,
		      unsigned int number);
};

/* A taken branch, or an interrupt or exception, which is of kind PMU_FAR. */
struct pmu_branch {
	uint64_t from; /* linear address of the instruction */
	uint64_t to; /* and of the one that follows it */
	enum pmu_retired kind;
	bool to_kernel; /* it ends at level 0 */
	bool retires; /* it is an instruction: no interrupt, no exception */
	uint64_t insns; /* retired so far, the branch included */
};

/* Its record, as the registers have it. */
#define PMU_BRANCH_RECORDS 32

struct pmu_branch_record {
	uint64_t from, to, info;
};

/* Faults that are there when the guest starts. */
#define PMU_BOOT_FAULTS 4

struct pmu_model;

struct pmu {
	const struct pmu_model *model;
	struct pmu_counter counter[PMU_MAX_COUNTERS];
	uint64_t global_ctrl;
	uint64_t global_status;
	uint64_t fixed_ctrl;
	struct {
		uint32_t escr[PMU_P4_LAST_ESCR - PMU_P4_FIRST_ESCR + 1];
		uint32_t pebs_enable;
		uint32_t pebs_matrix_vert;
		uint32_t cascaded; /* counters that an overflow switched on */
	} p4;
	uint64_t extra[PMU_EXTRA_REGS];
	bool hybrid; /* other CPUs of the machine have another model */
	unsigned int package; /* that the CPU is in, from 0 */
	struct pmu *core; /* whose extra registers these are; NULL: its own */
	struct pmu *sibling; /* that has ours; NULL: none */
	uint64_t insns; /* retired so far, as of the last pmu_sync() */
	const uint64_t *retired; /* the owner's counts by kind; NULL: none */
	uint64_t retired_seen[PMU_RETIRED_KINDS]; /* as of the last pmu_sync() */
	bool user;
	bool left_user; /* by the last instruction */
	bool pmi_pending;
	struct {
		uint64_t delay; /* of the next PMI; 0: none */
		uint64_t due; /* when a delayed PMI comes; 0: none */
		uint64_t lose; /* PMIs still to be lost */
		uint64_t skid;
		uint32_t leak, extra, still; /* bit masks of counters */
		uint32_t filter; /* event and unit mask, + 1; 0: none */
		uint64_t stuck; /* bits of the global status */
		uint64_t foreign; /* when others stop all counters; 0: never */
		uint64_t ibs_foreign; /* the same of the op unit of IBS */
		bool host_mask;
		bool shadow; /* one overflow at a time */
		uint32_t errata; /* PMU_ERRATUM_* */
		uint32_t energy; /* units that were left to the wrap at first */
		bool pebs_prompt; /* the overflow itself is recorded */
		uint64_t pebs_status0; /* records still to be without status */
		uint64_t pebs_late; /* of the next record; 0: none */
		uint64_t mispredict; /* each so many branch records; 0: none */
	} fault;
	struct {
		uint64_t kind, arg;
	} boot_fault[PMU_BOOT_FAULTS]; /* each reset switches them on */
	struct {
		bool magic; /* the events of the workaround are counting */
		bool clean; /* they have counted: selectors may be written */
		uint64_t again; /* status bits that the next reset sets again */
		uint64_t force_abort; /* MSR_TSX_FORCE_ABORT */
	} erratum;
	struct {
		bool off; /* interrupts are off, since: */
		bool ignored; /* the statistics were cleared meanwhile */
		unsigned int cause; /* vector, or PMU_BY_INSTRUCTION */
		uint64_t since;
		uint64_t where;
	} section;
	struct {
		uint64_t reg[PMU_IBS_REGS]; /* the controls without counts */
		uint64_t op_count; /* cycles or instructions */
		uint64_t fetch_count;
		uint8_t op_half; /* half cycles besides */
		uint8_t fetch_part; /* instructions since the last fetch */
		bool runs; /* a unit counts */
		bool pending; /* an interrupt */
		uint64_t due; /* when a delayed interrupt comes; 0: none */
		uint32_t random;
	} ibs;
	struct {
		uint64_t enable;
		uint64_t data_cfg; /* groups of records */
		uint64_t area; /* the DS area */
		uint32_t armed; /* bit mask of counters */
		uint32_t due; /* their record is to be written */
		uint32_t user_insns; /* before the recorded instruction */
		struct {
			uint64_t record[PMU_RECORD_WORDS];
			unsigned int words; /* 0: none */
			uint32_t counters; /* bit mask: when they have stopped */
			uint64_t delay; /* it comes so many instructions later */
			uint64_t at; /* that is then; 0: they count */
		} late;
	} pebs;
	struct {
		uint64_t debugctl;
		uint64_t select; /* branches that are left out */
		uint64_t tos; /* the newest record */
		uint64_t extension; /* AMD's enable bit */
		uint64_t control; /* the architectural one */
		uint64_t depth; /* records in use */
		uint64_t since; /* instructions when it was made */
		uint64_t frozen; /* and when an interrupt has stopped recording */
		struct pmu_branch_record record[PMU_BRANCH_RECORDS];
	} lbr;
	struct pmu_place place; /* of the instruction that is sampled */
	struct pmu_access access; /* and what it has accessed */
	uint64_t stat[PMU_STAT_WORDS];
};

/* False if there is no model of that name. */
bool pmu_init(struct pmu *pmu, const char *model);

/*
 * Faults that each reset switches on, also now: names of faults.c with an argument
 * behind a colon, joined by "+", as in "firmware:33+filter:0xc0". False if there is
 * no such fault, if the processor cannot have it, or if there are too many.
 */
bool pmu_set_boot_faults(struct pmu *pmu, const char *names);

/*
 * Both are of one core: if the processor's threads share the registers that
 * qualify events (Nehalem, Westmere), the first one's are those of both.
 */
void pmu_join_core(struct pmu *pmu, struct pmu *first);

/* Other CPUs of the machine have another model: CPUID says so. */
void pmu_make_hybrid(struct pmu *pmu);

/* The number of the package that the CPU is in; 0 until it is said. */
void pmu_set_package(struct pmu *pmu, unsigned int package);

/*
 * The owner counts retired instructions by kind, in an array of PMU_RETIRED_KINDS
 * words that only grow; pmu_sync() looks there. It has to count only the kinds in
 * pmu_counts_retired(), a bit mask, which changes with pmu_wrmsr(), pmu_set_user() and
 * pmu_reset(). Without an owner that counts, events of these kinds come at a rate of
 * their own, like others.
 */
void pmu_use_retired(struct pmu *pmu, const uint64_t *retired);
uint32_t pmu_counts_retired(const struct pmu *pmu);

/*
 * For each kind of branch how many more may retire from the last pmu_sync() until the owner has
 * to call it again, lest an interrupt be late: PMU_NEVER if it does not matter. What
 * pmu_distance() says holds besides.
 */
void pmu_retired_limits(const struct pmu *pmu, uint64_t *limits);

/* What RESET and INIT do; statistics and the instruction count go on. */
void pmu_reset(struct pmu *pmu);

/*
 * Bring the counters up to insns, the number of instructions retired since
 * the CPU was made. A smaller number than last time changes nothing.
 */
void pmu_sync(struct pmu *pmu, uint64_t insns);

/* The instructions to come run at CPL 3 or not. Call pmu_sync() before. */
void pmu_set_user(struct pmu *pmu, bool user);

/*
 * Instructions from the last pmu_sync() until the next interrupt becomes
 * pending if nothing changes: 0 if one is, PMU_NEVER if none will be. Less if
 * pmu_wants_place() will be true before. It may be later if counters count loads, stores,
 * or instructions that are no branches.
 */
uint64_t pmu_distance(const struct pmu *pmu);

/*
 * Take the pending interrupt, if any. On a Pentium 4 it is pending again at
 * once until the overflow flag is cleared.
 */
bool pmu_take_pmi(struct pmu *pmu);

/*
 * Sampling of instructions (IBS, PEBS). If pmu_wants_place() is true after pmu_sync(), the
 * next instruction is sampled, or may be: tell where it is, and sync again after it alone,
 * so that no other is taken for it. When an interrupt comes first, tell the place of its
 * handler.
 */
bool pmu_wants_place(const struct pmu *pmu);
void pmu_set_place(struct pmu *pmu, const struct pmu_place *place);
/* After it, before pmu_sync(); not if it accesses no memory. */
void pmu_set_access(struct pmu *pmu, const struct pmu_access *access);

/*
 * PEBS. If pmu_has_record() is true after pmu_sync(), the last instruction is recorded:
 * call pmu_write_record() before the next one, and before an interrupt is taken. It
 * writes the record and reloads the counters; then take the pending interrupt.
 */
bool pmu_has_pebs(const struct pmu *pmu);
/* Whether pmu_sync() may make a record due. */
bool pmu_may_record(const struct pmu *pmu);
bool pmu_has_record(const struct pmu *pmu);
void pmu_write_record(struct pmu *pmu, const struct pmu_registers *registers,
		      const struct pmu_memory *memory);

/*
 * Branch records (LBR). While pmu_records_branches() is true, tell each taken branch, and
 * each interrupt and exception, when it has been done. It changes with pmu_wrmsr(),
 * pmu_sync() and pmu_reset().
 */
bool pmu_records_branches(const struct pmu *pmu);
void pmu_record_branch(struct pmu *pmu, const struct pmu_branch *branch);
/* Call it for a debug exception, before pmu_record_branch(): it ends recording. */
void pmu_debug_exception(struct pmu *pmu);

bool pmu_has_ibs(const struct pmu *pmu);
/* Take the pending interrupt, if any, and the extended LVT entry that has it. */
bool pmu_take_ibs(struct pmu *pmu);
unsigned int pmu_ibs_lvt(const struct pmu *pmu);

/* Register accesses. Call pmu_sync() before. */
enum pmu_result pmu_rdmsr(struct pmu *pmu, uint32_t msr, uint64_t *value);
enum pmu_result pmu_wrmsr(struct pmu *pmu, uint32_t msr, uint64_t value);
enum pmu_result pmu_rdpmc(struct pmu *pmu, uint32_t index, uint64_t *value);

/* A register of energy, for which pmu_rdmsr() said PMU_ENERGY, ns after the start. */
uint64_t pmu_energy(const struct pmu *pmu, uint32_t msr, uint64_t ns);

/* Whether RDPMC of this index would work; changes nothing. */
enum pmu_result pmu_check_rdpmc(const struct pmu *pmu, uint32_t index);

/*
 * Interrupts are switched off or on: sections.c measures the time between. Off
 * again or on again changes nothing. This count of instructions is one of its
 * own, which may count the turns of a REP.
 */
#define PMU_BY_INSTRUCTION 256 /* cause, else a vector */

void pmu_interrupts_off(struct pmu *pmu, uint64_t insns, unsigned int cause,
			uint64_t where);
void pmu_interrupts_on(struct pmu *pmu, uint64_t insns);

/*
 * Make a CPUID leaf tell of the PMU: EAX, EBX, ECX, EDX hold what the processor
 * says without it. False: the leaf says nothing of PMUs.
 */
bool pmu_cpuid(const struct pmu *pmu, uint32_t leaf, uint32_t subleaf,
	       uint32_t regs[4]);

/* Whether delivering a PMI sets the mask bit of the LVTPC. */
bool pmu_lvt_automask(const struct pmu *pmu);

/* Count something that only the owner sees: PMU_STAT_PMI, _KICK, _ACCOUNT. */
void pmu_count_stat(struct pmu *pmu, unsigned int stat);

#endif
