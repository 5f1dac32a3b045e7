/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The perfctr low-level API for x86: structures and calls.
 *
 * The low-level core knows the counters, their control registers and the state of each
 * CPU's PMU.  It knows nothing of sessions: a high-level driver (perfmon) owns one
 * perfctr_cpu_state for each set of counters, decides when the set is on the hardware,
 * and calls suspend and resume with preemption disabled.
 *
 * Each layout up to the mark "kernel only" is an ABI that may be shown to user space;
 * perfctr_ll.c asserts every offset.
 */
#ifndef _ASM_X86_PERFCTR_H
#define _ASM_X86_PERFCTR_H

#include <linux/cpumask.h>
#include <linux/jump_label.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/types.h>

struct pt_regs;

#define PERFCTR_MAX_COUNTERS	18

/* Indices of extra registers, which qualify some events of Intel processors. */
#define PERFCTR_OFFCORE_RSP0	0
#define PERFCTR_OFFCORE_RSP1	1
#define PERFCTR_LD_LAT		2
#define PERFCTR_FRONTEND	3
#define PERFCTR_MAX_EXTRA	4

/**
 * struct perfctr_info - description of the processor
 * @cpu_type: PERFCTR_X86_*
 * @cpu_features: PERFCTR_FEATURE_*
 * @cpu_khz: frequency of the TSC, 0 if it has none
 *
 * Valid once perfctr_cpu_init() has succeeded.
 */
struct perfctr_info {
	unsigned int cpu_type;
	unsigned int cpu_features;
	unsigned int cpu_khz;
	/* private: */
	unsigned int _reserved[5];
};

/* perfctr_info.cpu_type; the numbers come from the perfctr package. */
#define PERFCTR_X86_GENERIC	0
#define PERFCTR_X86_INTEL_P5	1
#define PERFCTR_X86_INTEL_P5MMX	2
#define PERFCTR_X86_INTEL_P6	3
#define PERFCTR_X86_INTEL_PII	4
#define PERFCTR_X86_INTEL_PIII	5
#define PERFCTR_X86_CYRIX_MII	6
#define PERFCTR_X86_WINCHIP_C6	7
#define PERFCTR_X86_WINCHIP_2	8
#define PERFCTR_X86_AMD_K7	9
#define PERFCTR_X86_VIA_C3	10
#define PERFCTR_X86_INTEL_P4	11
#define PERFCTR_X86_INTEL_P4M2	12
#define PERFCTR_X86_AMD_K8	13
#define PERFCTR_X86_INTEL_PENTM	14
#define PERFCTR_X86_INTEL_P4M3	16
#define PERFCTR_X86_INTEL_CORE	17
#define PERFCTR_X86_INTEL_CORE2	18
#define PERFCTR_X86_AMD_FAM10H	19
#define PERFCTR_X86_INTEL_ARCH	32
#define PERFCTR_X86_AMD_CORE	33
#define PERFCTR_X86_AMD_V2	34

/* perfctr_info.cpu_features */
#define PERFCTR_FEATURE_RDPMC	0x01	/* counters are read by RDPMC */
#define PERFCTR_FEATURE_RDTSC	0x02	/* has a usable TSC */
#define PERFCTR_FEATURE_PCINT	0x04	/* i-mode counters work */

/* Counter values, in the order of perfctr_cpu_control.pmc_map[]. */
struct perfctr_sum_ctrs {
	unsigned long long tsc;
	unsigned long long pmc[PERFCTR_MAX_COUNTERS];
};

/**
 * struct perfctr_cpu_control - control of a set of counters
 * @tsc_on: non-zero: sample the time stamp counter
 * @nractrs: number of accumulation-mode counters, elements 0..nractrs-1
 * @nrictrs: number of interrupt-mode counters, the elements after them
 * @pmc_map: counter number as used by RDPMC, never an MSR number
 * @evntsel: control data of the counter.  For a fixed-function counter (RDPMC
 *	number 0x40000000 + n) its field of IA32_FIXED_CTR_CTRL, in bits 3:0
 * @p4: Pentium 4 control data; zero elsewhere
 * @ireset: restart value of an interrupt-mode counter, negative
 * @evntsel_high: bits 63:32 of selectors wider than 32 bits (AMD family 10h and later,
 *	Intel with TSX); zero elsewhere
 * @extra_used: bit mask of the elements of @extra to write, by PERFCTR_OFFCORE_RSP0 and
 *	so on; the others are not written, because a sibling thread may use them
 * @extra: values of the extra registers
 */
struct perfctr_cpu_control {
	unsigned int tsc_on;
	unsigned int nractrs;
	unsigned int nrictrs;
	unsigned int pmc_map[PERFCTR_MAX_COUNTERS];
	unsigned int evntsel[PERFCTR_MAX_COUNTERS];
	struct {
		unsigned int escr[PERFCTR_MAX_COUNTERS];
		unsigned int pebs_enable;
		unsigned int pebs_matrix_vert;
	} p4;
	int ireset[PERFCTR_MAX_COUNTERS];
	/* private: */
	unsigned int _reserved1;
	unsigned int _reserved2;
	unsigned int _reserved3;
	unsigned int _reserved4;
	/* public: kernel only */
	unsigned int evntsel_high[PERFCTR_MAX_COUNTERS];
	unsigned int extra_used;
	unsigned long long extra[PERFCTR_MAX_EXTRA];
};

/**
 * struct perfctr_cpu_state - counts and control of a set of counters
 * @cstatus: tsc_on, nractrs and nrictrs in one word, see perfctr_mk_cstatus()
 * @k1: opaque in the ABI.  @k1.id: low half of the identity of the control data;
 *	@k1.isuspend_cpu: CPU where i-mode counters were last suspended, if their
 *	registers are still valid there; else -1
 * @tsc_start: low 32 bits of the TSC at the last resume or sample
 * @tsc_sum: accumulated TSC ticks
 * @pmc: per counter: RDPMC number, value at the last resume or sample, sum of the counts
 *	up to that time
 * @control: checked by perfctr_cpu_update_control()
 * @p4_escr_map: MSR number of the counter's ESCR
 * @counter_msr: MSR of each counter
 * @id_high: high half of the identity, which makes it unique for ever
 * @tsc_start_whole: all 64 bits of the TSC at the time of @tsc_start
 * @overflowed: i-mode elements that a suspend found overflowed and that have not been
 *	identified since, one bit each
 * @late: i-mode elements that the last tick found overflowed and that have not been
 *	identified since, one bit each
 * @reload: i-mode elements whose start value is not in the hardware yet, one bit each
 * @counters: the counters of all elements, one bit each
 * @noted: the starts of a-mode elements were set by perfctr_cpu_suspend_noting(), to the
 *	counters' values at that time, and not by a resume
 * @user_only: no counter counts while this CPU executes the kernel
 * @host_only: some counter must not count guests (AMD)
 * @nmi: PERFCTR_NMI and others if its overflow interrupts are NMIs; else 0
 */
struct perfctr_cpu_state {
	unsigned int cstatus;
	struct {
		unsigned int id;
		int isuspend_cpu;
	} k1;
	unsigned int tsc_start;
	unsigned long long tsc_sum;
	struct {
		unsigned int map;
		unsigned int start;
		unsigned long long sum;
	} pmc[PERFCTR_MAX_COUNTERS];
	/* kernel only */
	struct perfctr_cpu_control control;
	unsigned int p4_escr_map[PERFCTR_MAX_COUNTERS];
	unsigned int counter_msr[PERFCTR_MAX_COUNTERS];
	unsigned int id_high;
	unsigned long long tsc_start_whole;
	unsigned int overflowed;
	unsigned int late;
	unsigned int reload;
	unsigned long long counters;
	bool noted;
	bool user_only;
	bool host_only;
	u8 nmi;
};

/* perfctr_cpu_state.nmi */
#define PERFCTR_NMI		0x1
#define PERFCTR_NMI_STACK	0x2	/* also wants the callers */

/*
 * The identity of the state's control data: no other control data ever had or will have
 * it.
 */
static __always_inline u64
perfctr_state_id(const struct perfctr_cpu_state *state)
{
	return (u64)state->id_high << 32 | state->k1.id;
}

/*
 * cstatus: bit 31 is tsc_on, bits 23:16 nrictrs, bits 15:8 nractrs, bits 7:0 all
 * counters.  The context switch needs the total most often; it takes one mask.
 */
static inline unsigned int
perfctr_mk_cstatus(unsigned int tsc_on, unsigned int nractrs,
		   unsigned int nrictrs)
{
	return (tsc_on ? 1U << 31 : 0) | nrictrs << 16 | nractrs << 8 |
	       (nractrs + nrictrs);
}

static inline unsigned int perfctr_cstatus_enabled(unsigned int cstatus)
{
	return cstatus;
}

static inline int perfctr_cstatus_has_tsc(unsigned int cstatus)
{
	return (int)cstatus < 0;
}

static inline unsigned int perfctr_cstatus_nrctrs(unsigned int cstatus)
{
	return cstatus & 0xff;
}

static inline unsigned int perfctr_cstatus_nractrs(unsigned int cstatus)
{
	return cstatus >> 8 & 0xff;
}

/* Are there counters, all in accumulation mode, and no TSC? */
static inline bool perfctr_cstatus_actrs_only(unsigned int cstatus)
{
	return cstatus && cstatus >> 8 == perfctr_cstatus_nrctrs(cstatus);
}

static inline unsigned int perfctr_cstatus_has_ictrs(unsigned int cstatus)
{
	return cstatus & 0xff0000;
}

/*
 * Name of the processor type, NULL unless perfctr_cpu_init() succeeded.
 */
extern char *perfctr_cpu_name;
extern struct perfctr_info perfctr_info;

#ifdef CONFIG_PERFCTR_CPUS_FORBIDDEN_MASK
/*
 * The second hyper-threads of Pentium 4 processors, which share the counters with the
 * first, and CPUs with fewer counters than the others: no state may be resumed there.
 */
extern cpumask_t perfctr_cpus_forbidden_mask;
DECLARE_STATIC_KEY_FALSE(perfctr_cpus_forbidden_key);

/*
 * Must this CPU not use the counters?  The answer never changes while the CPU is online.
 *
 * Context: preemption disabled.
 */
static __always_inline bool perfctr_cpu_forbidden(void)
{
	return static_branch_unlikely(&perfctr_cpus_forbidden_key) &&
	       cpumask_test_cpu(smp_processor_id(),
				&perfctr_cpus_forbidden_mask);
}
#else
static __always_inline bool perfctr_cpu_forbidden(void)
{
	return false;
}
#endif

/* RDPMC cannot read the counters: on a first Pentium, or under Xen. */
DECLARE_STATIC_KEY_FALSE(perfctr_no_peek_key);

int perfctr_cpu_init(void);
void perfctr_cpu_exit(void);

const char *perfctr_cpu_reserve(const char *service);
void perfctr_cpu_release(const char *service);
void perfctr_cpu_offer(const char *service);
bool perfctr_cpu_retain(const char *service);
unsigned long perfctr_cpu_rest(void);
const char *perfctr_cpu_owner(void);

int perfctr_cpu_update_control(struct perfctr_cpu_state *state, int is_global);
void perfctr_cpu_renew(struct perfctr_cpu_state *state);
void perfctr_cpu_suspend(struct perfctr_cpu_state *state);
void perfctr_cpu_resume(struct perfctr_cpu_state *state);
void perfctr_cpu_sample(struct perfctr_cpu_state *state);
void perfctr_cpu_tick(struct perfctr_cpu_state *state);
unsigned long long perfctr_cpu_read(const struct perfctr_cpu_state *state,
				    unsigned int i);

void perfctr_cpu_hold(struct perfctr_cpu_state *state);
unsigned int perfctr_cpu_hold_overflow(struct perfctr_cpu_state *state);
void perfctr_cpu_go_on(struct perfctr_cpu_state *state);
void perfctr_cpu_drop(struct perfctr_cpu_state *state);
unsigned int perfctr_cpu_identify_overflow(struct perfctr_cpu_state *state);
void perfctr_cpu_ireload(struct perfctr_cpu_state *state);

/* isolate.c: for programs that read their counters with RDPMC. */
extern bool perfctr_cpu_isolates;
void perfctr_cpu_resume_alone(struct perfctr_cpu_state *state);
void perfctr_cpu_alone(void);
void perfctr_cpu_suspend_noting(struct perfctr_cpu_state *state);

/**
 * perfctr_cpu_set_start - set the value from which an i-mode counter continues
 * @state: is on no CPU
 * @i: element of the state
 * @start: negative; the counter overflows after -@start events
 *
 * The sum is not affected.
 *
 * Context: preemption disabled.
 */
static inline void perfctr_cpu_set_start(struct perfctr_cpu_state *state,
					 unsigned int i, int start)
{
	state->pmc[i].start = start;
	state->reload |= 1U << i;
}

/* All processors can count periods from here on, some only without these bits. */
#define PERFCTR_SHORT_PERIOD	128
extern u32 perfctr_period_odd_bits;
u64 perfctr_cpu_period(const struct perfctr_cpu_state *state, unsigned int i,
		       u64 events);

/*
 * Called in interrupt context with interrupts off; @pc is the interrupted instruction,
 * get_irq_regs() returns all registers.
 */
typedef void (*perfctr_ihandler_t)(unsigned long pc);
void perfctr_cpu_set_ihandler(perfctr_ihandler_t ihandler);

/*
 * Called in an NMI, before the overflow handler.  @regs: interrupted registers if
 * interrupts were off there, else NULL; @id: perfctr_state_id() of the state; @stack: its
 * PERFCTR_NMI_STACK.
 */
typedef void (*perfctr_nhandler_t)(struct pt_regs *regs, u64 id, bool stack);

/* Some state has wanted NMIs since boot. */
DECLARE_STATIC_KEY_FALSE(perfctr_nmi_key);
bool perfctr_cpu_has_nmi(void);
int perfctr_cpu_use_nmi(perfctr_nhandler_t nhandler);

/* This CPU has sent itself an overflow interrupt to replace a lost one. */
DECLARE_PER_CPU(bool, perfctr_replayed);

/*
 * For the overflow handler: did this CPU send itself the interrupt?  True once per
 * replayed interrupt.
 */
static __always_inline bool perfctr_cpu_replayed(void)
{
	if (likely(!__this_cpu_read(perfctr_replayed)))
		return false;
	__this_cpu_write(perfctr_replayed, false);
	return true;
}

#endif /* _ASM_X86_PERFCTR_H */
