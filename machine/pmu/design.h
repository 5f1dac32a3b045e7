/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the core of the PMU model (pmu.c) and its designs (k7.c, p6.c, ...)
 * know of each other. Not for users of the model.
 */
#ifndef PERFMON_TEST_PMU_DESIGN_H
#define PERFMON_TEST_PMU_DESIGN_H

#include "constraint.h"
#include "pmu.h"

enum pmu_reg_kind {
	PMU_REG_NONE, /* the design has no such register */
	PMU_REG_COUNTER, /* index: of the counter */
	PMU_REG_FULL_WIDTH, /* index: of the counter; writes take all its bits */
	PMU_REG_SELECT, /* index: of the counter that it controls */
	PMU_REG_EXTRA, /* index: of the PMU_EXTRA_* register */
	PMU_REG_CONTROL, /* anything else; the design looks at the address */
	PMU_REG_TSC, /* the time stamp counter, read only; see PMU_TSC */
};

struct pmu_reg {
	enum pmu_reg_kind kind;
	unsigned int index;
};

#define PMU_NO_REG ((struct pmu_reg){ PMU_REG_NONE, 0 })

/* The meaning of one event select; first match wins. */
struct pmu_event {
	uint16_t code; /* event | unit mask << 8 */
	uint16_t care; /* bits of the code that must match */
	struct pmu_rate rate;
};

/* An event that is made of kinds of retired instructions. */
struct pmu_retired_event {
	uint32_t code; /* event | unit mask << 8 | bits 11:8 of the event << 16 */
	uint32_t care; /* bits of the code that must match; 0 ends a table */
	uint32_t kinds; /* bit mask of enum pmu_retired */
};

/* Kinds of core of a hybrid processor. */
#define PMU_KIND_ATOM 0x20
#define PMU_KIND_CORE 0x40

/* A processor design: what its registers are and what they do. */
struct pmu_design {
	bool lvt_automask;
	bool fast_rdpmc; /* bit 31 of an RDPMC index asks for 32 bits only */
	const struct pmu_event *events; /* ends with care == 0 */
	void (*reset)(struct pmu *pmu);
	/* Derive what all counters do from all registers; NULL: no faults. */
	void (*update)(struct pmu *pmu);
	struct pmu_reg (*decode)(const struct pmu *pmu, uint32_t msr);
	/* Which counter an RDPMC index reads, -1 for #GP; NULL: #UD. */
	int (*rdpmc)(const struct pmu *pmu, uint32_t index);
	enum pmu_result (*write_counter)(struct pmu *pmu, unsigned int i,
					 uint64_t value);
	enum pmu_result (*write_select)(struct pmu *pmu, unsigned int i,
					uint64_t value);
	/* The rest is optional. */
	enum pmu_result (*read_control)(const struct pmu *pmu, uint32_t msr,
					uint64_t *value);
	enum pmu_result (*write_control)(struct pmu *pmu, uint32_t msr,
					 uint64_t value);
	void (*overflow)(struct pmu *pmu, unsigned int i);
	/* Whether the interrupt request is there until software takes it away. */
	bool (*requests_irq)(const struct pmu *pmu);
	bool (*cpuid)(const struct pmu *pmu, uint32_t leaf, uint32_t subleaf,
		      uint32_t regs[4]);
};

/* Processors by their counters of energy (rapl.c). */
enum { PMU_RAPL_NONE, PMU_RAPL_CLIENT, PMU_RAPL_SERVER, PMU_RAPL_AMD };

/* PEBS in PERF_CAPABILITIES, and the selector's bit that asks for a longer record. */
#define PEBS_FORMAT_SHIFT 8
#define PEBS_BASELINE (1ull << 14)
#define PEBS_ADAPTIVE (1ull << 34)

/* Branch records by what their registers are like (lbr.c). */
enum {
	PMU_LBR_NONE,
	PMU_LBR_FLAGS, /* FROM says whether the branch was predicted, */
	PMU_LBR_FLAGS_TSX, /* and whether it was in a transaction */
	PMU_LBR_INFO, /* a third register says so */
	PMU_LBR_ARCH, /* architectural: CPUID says it */
	PMU_LBR_AMD, /* LbrExtV2 */
};

/* A named member of a design. */
struct pmu_model {
	const char *name;
	const struct pmu_design *design;
	uint64_t select_mask; /* selector bits that exist */
	const struct pmu_event *events; /* before the design's; NULL: none */
	const struct pmu_constraint *constraints; /* NULL: all count all */
	const struct pmu_retired_event *retired; /* NULL: none */
	uint8_t counters; /* programmable ones */
	uint8_t width; /* of these, in bits */
	uint8_t fixed; /* counters with a fixed event */
	uint8_t fixed_width;
	uint8_t version; /* of Intel's architectural PMU */
	uint8_t p4_model; /* number of a Pentium 4 as CPUID has it */
	bool p4_threads; /* it has hyper-threading */
	uint8_t kind; /* of core, as leaf 0x1a has it; 0: it does not say */
	uint8_t common_counters; /* as told if the processor is hybrid; 0: all */
	uint8_t common_fixed;
	bool perf_metrics; /* the global control has a bit for them */
	uint8_t fixed_holes; /* bit mask of fixed counters that do not exist */
	bool any_thread; /* fixed counters can count for both hyper-threads */
	bool merges; /* pairs of counters for events that come in crowds */
	bool shared_extra; /* the threads of a core have one set of extra[] */
	uint8_t errata; /* PMU_ERRATUM_* that can be switched on */
	uint8_t min_period; /* PMU_ERRATUM_PERIOD: for all events, */
	uint8_t min_period_all; /* for INST_RETIRED.ALL, */
	uint8_t period_granule; /* and what that has to be a multiple of */
	uint8_t rapl; /* PMU_RAPL_*: which counters of energy */
	uint64_t capabilities; /* of Intel's PERF_CAPABILITIES; 0: no such MSR */
	uint16_t offcore[PMU_OFFCORE_REGS]; /* their events, if not 1b7 and 1bb */
	uint64_t extra_mask[PMU_EXTRA_REGS]; /* their bits; 0: no such MSR */
	uint64_t pebs_mask; /* bits of PEBS_ENABLE; 0: no PEBS */
	uint8_t lbr; /* PMU_LBR_*: its branch records, */
	uint8_t lbr_depth; /* and how many at most, a power of two */
	uint32_t ibs_caps; /* as CPUID 8000_001B EAX has them; 0: no IBS */
	uint8_t ibs_lvt; /* entry of the extended LVT that interrupts */
	bool ibs_fetch_edge; /* its fetch count needs a 0-1 transition of the enable */
};

extern const struct pmu_design pmu_k7, pmu_core_ext, pmu_perfmon_v2;
extern const struct pmu_design pmu_p6, pmu_core_duo, pmu_arch;
extern const struct pmu_design pmu_p5, pmu_p5mmx, pmu_winchip_c6;
extern const struct pmu_design pmu_winchip_2, pmu_c3, pmu_none;
extern const struct pmu_design pmu_p4;

/* retired_table.c: end with care == 0. */
extern const struct pmu_retired_event pmu_retired_k7[];
extern const struct pmu_retired_event pmu_retired_zen[];
extern const struct pmu_retired_event pmu_retired_zen4[];
extern const struct pmu_retired_event pmu_retired_p6[];
extern const struct pmu_retired_event pmu_retired_core2[];
extern const struct pmu_retired_event pmu_retired_arch[];
extern const struct pmu_retired_event pmu_retired_nehalem[];
extern const struct pmu_retired_event pmu_retired_sandy_bridge[];
extern const struct pmu_retired_event pmu_retired_ice_lake[];
extern const struct pmu_retired_event pmu_retired_gracemont[];

/* models.c: NULL if there is none of that name. */
const struct pmu_model *pmu_find_model(const char *name);

/* constraint.c: as pmu_model_counters(). */
uint64_t pmu_counters_for(const struct pmu_model *model, uint64_t selector);

/* pmu.c: whether there is a fixed counter of this number. */
bool pmu_has_fixed(const struct pmu_model *model, unsigned int i);
/* pmu.c: true for the address of a register of any PMU ever made. */
bool pmu_is_pmu_msr(uint32_t msr);
/* pmu.c: the value of register i of PMU_EXTRA_* that this thread counts by. */
uint64_t pmu_extra(const struct pmu *pmu, unsigned int i);
/* pmu.c: an interrupt request leaves the counters. */
void pmu_raise(struct pmu *pmu);

/* sampled.c: the place and the access of the sampled instruction. */
void pmu_forget_sampled(struct pmu *pmu);

/* stats.c: the statistics block. */
bool pmu_is_stat_msr(uint32_t msr);
enum pmu_result pmu_read_stat(const struct pmu *pmu, uint32_t msr,
			      uint64_t *value);
enum pmu_result pmu_write_stat(struct pmu *pmu, uint32_t msr, uint64_t value);

/* rapl.c: registers of energy, which are read only. */
bool pmu_is_energy_msr(const struct pmu *pmu, uint32_t msr);
enum pmu_result pmu_read_energy(const struct pmu *pmu, uint32_t msr,
				uint64_t *value);
bool pmu_energy_cpuid(const struct pmu *pmu, uint32_t leaf, uint32_t regs[4]);

/* faults.c: false if the processor cannot have it. */
bool pmu_set_fault(struct pmu *pmu, uint64_t kind, uint64_t arg);
void pmu_apply_boot_faults(struct pmu *pmu);
/* What faults and errata leave of the rate of programmable counter i. */
struct pmu_rate pmu_faulty_rate(const struct pmu *pmu, unsigned int i,
				struct pmu_rate rate);
/* An interrupt or exception has come at user level. */
void pmu_count_interrupt(struct pmu *pmu);
/* Others write the control registers. */
void pmu_stop_by_others(struct pmu *pmu);

/* errata.c: the errata that are switched on, or the merging of counters. */
bool pmu_has_erratum(const struct pmu *pmu, uint32_t erratum);
void erratum_select_written(struct pmu *pmu, unsigned int i);
void erratum_global_ctrl_written(struct pmu *pmu);
void erratum_overflow(struct pmu *pmu, unsigned int i, uint64_t status_bit);
/* Status bits that a reset of these does not clear; raises interrupts. */
uint64_t erratum_status_reset(struct pmu *pmu, uint64_t bits);
/* Whatever the event: core cycles. */
bool erratum_counts_cycles(const struct pmu *pmu, unsigned int i);
struct pmu_rate erratum_rate(const struct pmu *pmu, unsigned int i,
			     struct pmu_rate rate);

/* merge.c: counters in pairs. */
bool pmu_is_paired(const struct pmu *pmu, unsigned int i);
struct pmu_rate pmu_unpaired_rate(const struct pmu *pmu, unsigned int i,
				  struct pmu_rate rate);
/* The lower one has wrapped: true if the pair has. */
bool pmu_carry(struct pmu *pmu, unsigned int i);

/* ibs.c: instruction-based sampling; the rest is in pmu.h. */
bool pmu_is_ibs_msr(uint32_t msr);
enum pmu_result pmu_read_ibs(const struct pmu *pmu, uint32_t msr,
			     uint64_t *value);
enum pmu_result pmu_write_ibs(struct pmu *pmu, uint32_t msr, uint64_t value);
void pmu_reset_ibs(struct pmu *pmu);
/*
 * So many instructions have retired, up to pmu->insns; user_insns at user level before
 * the first of them.
 */
void pmu_sync_ibs(struct pmu *pmu, uint64_t insns, uint64_t user_insns);
/* As pmu_distance(), for its interrupts alone. */
uint64_t pmu_ibs_distance(const struct pmu *pmu);
bool pmu_cpuid_ibs(const struct pmu *pmu, uint32_t leaf, uint32_t regs[4]);
bool pmu_ibs_wants_place(const struct pmu *pmu);

/* pebs.c: precise event-based sampling; the rest is in pmu.h. */
bool pmu_is_pebs_msr(const struct pmu *pmu, uint32_t msr);
uint64_t pmu_read_pebs(const struct pmu *pmu, uint32_t msr);
/* False: #GP. */
bool pmu_write_pebs(struct pmu *pmu, uint32_t msr, uint64_t value);
void pmu_reset_pebs(struct pmu *pmu);
/* Whether counter i writes records. */
bool pmu_pebs_is_on(const struct pmu *pmu, unsigned int i);
/* Counter i, which has PMU_COUNT_PEBS, has counted: its record may be due now. */
void pmu_pebs_counted(struct pmu *pmu, unsigned int i, bool overflowed);
/* It has been written: the overflow before is forgotten. */
void pmu_pebs_disarm(struct pmu *pmu, unsigned int i);
bool pmu_pebs_wants_place(const struct pmu *pmu);
/* As pmu_distance(), for the records alone. */
uint64_t pmu_pebs_distance(const struct pmu *pmu);
/* Registers have been written: a late record waits for its counters to stop. */
void pmu_pebs_registers_written(struct pmu *pmu);
/* Whether the status of a record may be of other counters, too. */
bool pmu_has_inexact_pebs(const struct pmu *pmu);
/* Adds to what the leaf says. */
void pmu_cpuid_pebs(const struct pmu *pmu, uint32_t leaf, uint32_t regs[4]);

/* lbr.c: branch records; the rest is in pmu.h. */
bool pmu_has_lbr(const struct pmu *pmu);
void pmu_reset_lbr(struct pmu *pmu);
/* The interrupt of an overflow is pending now. */
void pmu_freeze_lbr(struct pmu *pmu);
/* Whether the first registers have the newest record. */
bool pmu_lbr_is_newest_first(const struct pmu *pmu);
/* Where the record is that so many others are newer than. */
unsigned int pmu_lbr_place(const struct pmu *pmu, unsigned int age);
/* Leaf 28. */
bool pmu_cpuid_lbr(const struct pmu *pmu, uint32_t regs[4]);
/* lbr_registers.c: only addresses that the processor has. */
bool pmu_is_lbr_msr(const struct pmu *pmu, uint32_t msr);
enum pmu_result pmu_read_lbr(struct pmu *pmu, uint32_t msr, uint64_t *value);
enum pmu_result pmu_write_lbr(struct pmu *pmu, uint32_t msr, uint64_t value);

/* sections.c: forget the longest; @stat is PMU_STAT_OFF or PMU_STAT_OFF_IRQ. */
void pmu_clear_sections(struct pmu *pmu, unsigned int stat);

/* rate.c: arithmetic of events per instruction. */
struct pmu_rate pmu_rate_filter(struct pmu_rate rate, unsigned int cmask,
				bool invert, bool edge);
void pmu_set_rate(struct pmu_counter *c, struct pmu_rate rate);
bool pmu_advance(struct pmu_counter *c, uint64_t insns);
uint64_t pmu_insns_to_overflow(const struct pmu_counter *c);
/* Instructions until so many events have come; PMU_NEVER if it stands still. */
uint64_t pmu_insns_to_events(const struct pmu_counter *c, uint64_t events);

/* retired.c: the kinds that an event is made of; 0: it has a rate instead. */
uint32_t pmu_retired_kinds(const struct pmu *pmu, uint32_t code);
/* What has retired by kind since the last time; false: nothing. */
bool pmu_take_retired(struct pmu *pmu, uint64_t *news);
/* The steps of a counter's rate in these instructions. */
uint64_t pmu_steps(const struct pmu_counter *c, uint64_t insns,
		   const uint64_t *news);
/* Whether pmu_retired_limits() has its overflow, and pmu_distance() has not. */
bool pmu_is_limited(const struct pmu_counter *c);
struct pmu_rate pmu_retired_filter(struct pmu_counter *c, unsigned int cmask,
				   bool invert, bool edge);

/* evntsel.c: event selects in the layout of the P6. */
#define EVNTSEL_EVENT 0xffull
#define EVNTSEL_UMASK 0xff00ull
#define EVNTSEL_USR (1ull << 16)
#define EVNTSEL_OS (1ull << 17)
#define EVNTSEL_EDGE (1ull << 18)
#define EVNTSEL_INT (1ull << 20)
#define EVNTSEL_EN (1ull << 22)
#define EVNTSEL_INV (1ull << 23)
#define EVNTSEL_CMASK_SHIFT 24

uint32_t pmu_event_extension(const struct pmu_model *model, uint64_t select);
struct pmu_rate pmu_event_rate(const struct pmu_event *row, uint32_t code);
struct pmu_rate pmu_model_rate(const struct pmu_model *model, uint32_t code);
void pmu_apply_evntsel(struct pmu *pmu, unsigned int i, bool enabled);
uint64_t pmu_width_mask(unsigned int width);
uint64_t pmu_sign_extend32(uint64_t value);

#endif
