/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The interface between a processor design and the low-level core.
 *
 * perfctr_ll.c owns the per-CPU control cache and calls the design's procedures.
 * amd_k7.c, p6.c and so on implement one design each and know its register map.  They
 * access MSRs, and so do perfctr_ll.c and the files that belong to reserve.c.
 */
#ifndef _PERFCTR_DESIGN_H
#define _PERFCTR_DESIGN_H

#include <linux/bits.h>
#include <linux/percpu.h>

#include <asm/irq_vectors.h>
#include <asm/perfctr.h>
#include <asm/perfmon_compat.h>

/* Event selectors of P6 and of all later designs like it. */
#define EVNTSEL_CORES		0x0000c000 /* for some events: both cores */
#define EVNTSEL_USR		0x00010000
#define EVNTSEL_OS		0x00020000
#define EVNTSEL_PIN		0x00080000
#define EVNTSEL_INT		0x00100000
#define EVNTSEL_ANY		0x00200000
#define EVNTSEL_ENABLE		0x00400000

/*
 * Upper half of a selector on a hybrid processor: PFM_X86_PMC_CORE and _ATOM of the whole
 * selector.  The counter counts on CPUs of these kinds; without a bit, on all.  The
 * hardware has no such bits.
 */
#define SELECTOR_KIND_CORE	0x40000000
#define SELECTOR_KIND_ATOM	0x80000000
#define SELECTOR_KINDS		(SELECTOR_KIND_CORE | SELECTOR_KIND_ATOM)

/* The same for values of extra registers: PFM_X86_EXTRA_CORE and _ATOM. */
#define EXTRA_KIND_CORE		BIT_ULL(60)
#define EXTRA_KIND_ATOM		BIT_ULL(61)
#define EXTRA_KINDS		(EXTRA_KIND_CORE | EXTRA_KIND_ATOM)

/* Kinds of core that a processor may have; 0: "core", 1: "atom". */
#define PERFCTR_MAX_KINDS	2

/* The kind of this CPU: a bit of SELECTOR_KINDS; 0: unknown, or not hybrid. */
DECLARE_PER_CPU(u32, perfctr_kind_bit);

/* The same as an index, or -1.  Preemption is off. */
static inline int perfctr_kind_here(void)
{
	u32 bit = __this_cpu_read(perfctr_kind_bit);

	return bit ? (int)(bit >> 31) : -1;
}

/* RDPMC numbers from here on are fixed-function counters. */
#define PERFCTR_FIXED		0x40000000

/* RDPMC of a Pentium 4: reads the low 32 bits only, which is faster. */
#define PERFCTR_FAST_RDPMC	0x80000000

/* Highest number of selectors in any design: 18, on the Pentium 4. */
#define PERFCTR_MAX_SELECTORS	18

/* The first and the last ESCR MSR of the Pentium 4. */
#define P4_FIRST_ESCR		0x3a0
#define P4_LAST_ESCR		0x3e1

/* Means all elements, and counters that no element has; see ack_overflow. */
#define PERFCTR_ALL_ELEMENTS	(~0U)

/**
 * struct perfctr_cache - contents of the control registers of this CPU
 * @id: identity of the control data written last, 0 if none
 * @evntsel: contents of each control register of the design
 * @extra: contents of the extra registers
 * @p4: contents of the other control registers of a Pentium 4
 * @used: counters that may be running or not be zero, by perfctr_counter_bit()
 * @had_actrs: accumulation-mode counters, whose overflows are not noticed, have run here
 *	since all overflows were last acknowledged
 *
 * Only its own CPU touches it, with preemption disabled.
 */
struct perfctr_cache {
	u64 id;
	u64 evntsel[PERFCTR_MAX_SELECTORS];
	u64 extra[PERFCTR_MAX_EXTRA];
	struct {
		u32 escr[P4_LAST_ESCR - P4_FIRST_ESCR + 1];
		u32 pebs_enable;
		u32 pebs_matrix_vert;
	} p4;
	u64 used;
	bool had_actrs;
};

DECLARE_PER_CPU(struct perfctr_cache, perfctr_cache);

/**
 * struct perfctr_extra - an extra register that qualifies some events
 * @msr: its address
 * @pmc: position of its PMC in the register map, or PERFMON_NO_REG
 * @mask: bits that can be written on all CPUs; 0: the register does not exist
 * @kind_mask: on hybrid processors: bits that can be written on CPUs of each kind
 * @shared: the threads of a core share the register
 */
struct perfctr_extra {
	u32 msr;
	u8 pmc;
	u64 mask;
	u64 kind_mask[PERFCTR_MAX_KINDS];
	bool shared;
};

/*
 * Legal bits of an extra register for this value.  A value with one bit of EXTRA_KINDS is
 * for CPUs of one kind; on other processors these bits are illegal like any others that
 * cannot be written.
 */
static inline u64 perfctr_extra_allows(const struct perfctr_extra *extra,
				       u64 value)
{
	u64 mask = extra->mask;

	if (!(value & EXTRA_KINDS))
		return mask;
	if (!(value & EXTRA_KIND_ATOM))
		mask = extra->kind_mask[0];
	else if (!(value & EXTRA_KIND_CORE))
		mask = extra->kind_mask[1];
	return mask && (extra->kind_mask[0] | extra->kind_mask[1]) ?
		       mask | EXTRA_KINDS :
		       0;
}

/* Bits that are legal in some value. */
static inline u64 perfctr_extra_bits(const struct perfctr_extra *extra)
{
	u64 kinds = extra->kind_mask[0] | extra->kind_mask[1];

	return extra->mask | kinds | (kinds ? EXTRA_KINDS : 0);
}

/**
 * struct perfctr_register - a control or status register of the PMU
 * @msr: its address
 * @expected: its contents according to the cache of its CPU
 * @changing: bits that may differ, because hardware, another thread or a hypervisor
 *	changes them; ~0 if the core does not own the register
 * @counts: bits that are set while a counter counts
 * @levels: at least one of these bits must be set as well; 0: not needed
 */
struct perfctr_register {
	u32 msr;
	u64 expected;
	u64 changing;
	u64 counts;
	u64 levels;
};

struct perfmon_arch_set;
struct perfmon_pmu;
struct pt_regs;

typedef void (*perfctr_visit_t)(const struct perfctr_register *reg, void *data);

/**
 * struct perfctr_design - a processor design
 * @name: CPU type, copied to perfctr_cpu_name
 * @cpu_type: PERFCTR_X86_*
 * @check_control: check each value of @state->control that will reach hardware.  The core
 *	has checked the map, the modes and ireset.  May fill @state->p4_escr_map.  Return
 *	0 or a negative error code.
 * @write_control: write the state's control to the control registers of this CPU, where
 *	they differ from the cache.  Preemption is off.  NULL if there are no counters.
 * @stop_ictrs: disable the control registers of the state's i-mode counters that are not
 *	0 according to the cache.  Preemption is off.  NULL: the design has no i-mode.
 * @ack_overflow: clear the hardware's overflow status of these elements of the state, or
 *	of all counters for PERFCTR_ALL_ELEMENTS; called with the i-mode counters stopped.
 *	NULL: there is no status.
 * @counts_kernel: can this element of the control count while this CPU executes at
 *	privileged level?  If no element can, an overflow handler leaves the counters
 *	running.  NULL: it can, or an overflow needs more than a new value.
 * @start_cpu: put the PMU of this CPU into the state that the cache assumes: all control
 *	registers 0, global controls on.  Interrupts off.  NULL if there are no counters.
 * @stop_cpu: restore the PMU of this CPU as it was found, with its counters zero.
 *	Interrupts off.  NULL if there are no counters.
 * @visit: call a function for each control and status register, with its expected
 *	contents according to the cache.  May name registers that the processor does not
 *	have.  NULL if there are no counters.
 * @cpu_is_forbidden: must this CPU, which is online or calls this while it comes up, not
 *	use counters, because another CPU shares them and alone may use them, or because
 *	it lacks registers that the others have?  May sleep.  NULL: no CPU is forbidden.
 * @fill_map: name the model and add the registers that perfmon shows (map.h)
 * @build: make elements of a set's control, in a-mode, from the used PMDs whose PMCs let
 *	them count (build.h).  NULL if there are no counters.
 * @counter_msr: MSR of a programmable counter; NULL if the design has none
 * @fixed_msr: MSR of a fixed-function counter
 * @evntsel_msr: MSR of the selector of a programmable counter
 * @nr_counters: number of programmable counters
 * @absent_counters: bit mask of missing ones below @nr_counters
 * @nr_fixed: number of fixed-function counters
 * @absent_fixed: bit mask of missing ones below @nr_fixed
 * @kind_counters: on hybrid processors: bit masks of programmable counters that CPUs of
 *	each kind have beyond @nr_counters; for states of one CPU
 * @kind_fixed: the same for fixed-function counters
 * @extra: extra registers, by PERFCTR_OFFCORE_RSP0 and so on
 * @counter_mask: all bits of a programmable counter
 * @sign_extends: a write to a programmable counter takes the low 32 bits and
 *	extends their sign
 * @fixed_mask: all bits of a fixed-function counter
 * @selector_changing: bits of selectors that hypervisors may drop
 * @enable_bits: a programmable PMC counts while one of these bits is set; 0: it counts
 *	once it was written
 * @int_bit: bit of a selector that i-mode needs
 * @map_flags: flags that may be added to a number in pmc_map[]
 * @has_p4_control: control.p4 is used
 * @has_core_specificity: events may include both cores
 * @has_any_thread: counters can count events of both threads of a core
 * @min_period: erratum: fewest events for which a counter interrupts reliably; 0: no more
 *	than on other processors
 * @insns_min_period: the same for the event INST_RETIRED.ALL
 * @insns_odd_bits: bits that a period of that event must not have
 * @write_twice: erratum: the first write to a counter may be lost
 * @no_rdpmc: counters must be read by RDMSR
 * @no_tsc: the TSC is absent or broken
 * @in_allocator: the kernel's allocator of counter MSRs knows them
 * @unwritable: counters cannot be written; selectors can be read
 * @lvt_automask: delivery of an overflow interrupt masks the LVTPC entry, or may do so
 */
struct perfctr_design {
	char *name;
	unsigned int cpu_type;
	int (*check_control)(struct perfctr_cpu_state *state, bool is_global);
	void (*write_control)(const struct perfctr_cpu_state *state,
			      struct perfctr_cache *cache);
	void (*stop_ictrs)(const struct perfctr_cpu_state *state,
			   struct perfctr_cache *cache);
	void (*ack_overflow)(const struct perfctr_cpu_state *state,
			     unsigned int elements);
	bool (*counts_kernel)(const struct perfctr_cpu_control *control,
			      unsigned int i);
	void (*start_cpu)(void);
	void (*stop_cpu)(void);
	void (*visit)(const struct perfctr_cache *cache, perfctr_visit_t visit,
		      void *data);
	bool (*cpu_is_forbidden)(unsigned int cpu);
	void (*fill_map)(struct perfmon_pmu *pmu);
	void (*build)(struct perfmon_arch_set *set, const u64 *pmcs,
		      const unsigned long *used_pmcs,
		      const unsigned long *used_pmds);
	unsigned int (*counter_msr)(unsigned int counter);
	unsigned int (*fixed_msr)(unsigned int counter);
	unsigned int (*evntsel_msr)(unsigned int counter);
	unsigned int nr_counters;
	u32 absent_counters;
	unsigned int nr_fixed;
	u32 absent_fixed;
	u32 kind_counters[PERFCTR_MAX_KINDS];
	u32 kind_fixed[PERFCTR_MAX_KINDS];
	struct perfctr_extra extra[PERFCTR_MAX_EXTRA];
	u64 counter_mask;
	bool sign_extends;
	u64 fixed_mask;
	u64 selector_changing;
	u64 enable_bits;
	u32 int_bit;
	u32 map_flags;
	bool has_p4_control;
	bool has_core_specificity;
	bool has_any_thread;
	u32 min_period;
	u32 insns_min_period;
	u32 insns_odd_bits;
	bool write_twice;
	bool no_rdpmc;
	bool no_tsc;
	bool in_allocator;
	bool unwritable;
	bool lvt_automask;
};

/* Event bits 35:32 and host/guest bits 41:40 of AMD selectors. */
#define AMD_SELECTOR_HIGH	0x30f
#define AMD_HOST_ONLY		BIT_ULL(41)
#define AMD_GUEST_ONLY		BIT_ULL(40)
#define AMD_HOST_GUEST		(AMD_HOST_ONLY | AMD_GUEST_ONLY)

/* Each returns its design if it drives the boot CPU, else NULL. */
struct perfctr_design *perfctr_amd_detect(void);
struct perfctr_design *perfctr_c3_detect(void);
struct perfctr_design *perfctr_generic_detect(void);
struct perfctr_design *perfctr_intel_detect(void);
struct perfctr_design *perfctr_k7_detect(void);
struct perfctr_design *perfctr_p4_detect(void);
struct perfctr_design *perfctr_p5_detect(void);
struct perfctr_design *perfctr_p6_detect(void);

static inline u64 perfctr_selector(const struct perfctr_cpu_state *state,
				   unsigned int i)
{
	return (u64)state->control.evntsel_high[i] << 32 |
	       state->control.evntsel[i];
}

/* Write control register @reg of the design, unless it has the value already. */
static __always_inline void
perfctr_cache_write(struct perfctr_cache *cache, unsigned int reg,
		    unsigned int msr, u64 value)
{
	if (cache->evntsel[reg] == value)
		return;
	cache->evntsel[reg] = value;
	wrmsrl(msr, value);
}

/*
 * write_control of designs in which each counter has just one selector, @stride MSRs
 * apart.
 */
static __always_inline void
perfctr_write_selectors(const struct perfctr_cpu_state *state,
			struct perfctr_cache *cache, unsigned int msr,
			unsigned int stride)
{
	unsigned int i, n = perfctr_cstatus_nrctrs(state->cstatus);

	for (i = 0; i < n; i++) {
		unsigned int pmc = state->pmc[i].map;

		perfctr_cache_write(cache, pmc, msr + stride * pmc,
				    perfctr_selector(state, i));
	}
}

/* stop_ictrs of the same designs. */
static __always_inline void
perfctr_stop_selectors(const struct perfctr_cpu_state *state,
		       struct perfctr_cache *cache, unsigned int msr,
		       unsigned int stride)
{
	unsigned int i, n = perfctr_cstatus_nrctrs(state->cstatus);

	for (i = perfctr_cstatus_nractrs(state->cstatus); i < n; i++) {
		unsigned int pmc = state->pmc[i].map;

		perfctr_cache_write(cache, pmc, msr + stride * pmc, 0);
	}
}

/* map_amd.c, map_intel.c: register maps of several designs. */
void perfctr_amd_fill_map(struct perfmon_pmu *pmu);
void perfctr_intel_fill_map(struct perfmon_pmu *pmu);

/* svm.c: counters of AMD processors that do not count guests. */
bool perfctr_wants_host_only(const struct perfctr_cpu_control *control);
void perfctr_write_host_only(const struct perfctr_cpu_state *state,
			     struct perfctr_cache *cache, unsigned int msr,
			     unsigned int stride);

/* intel_quiet.c: features that disturb counters, off while the PMU is ours. */
void perfctr_intel_quiet(void);
void perfctr_intel_unquiet(void);

/* intel_extra.c: the extra registers of the processor. */
void perfctr_intel_find_extra(struct perfctr_extra *extra);
bool perfctr_intel_has_extra(unsigned int cpu,
			     const struct perfctr_extra *extra);

/* check.c: rules that several designs share. */
bool perfctr_selector_counts_kernel(const struct perfctr_cpu_control *control,
				    unsigned int i);
int perfctr_check_control(struct perfctr_cpu_state *state, bool is_global);
int perfctr_check_int(const struct perfctr_cpu_state *state, unsigned int i,
		      bool has_int);
int perfctr_check_selector(const struct perfctr_cpu_state *state,
			   unsigned int i, unsigned int reserved,
			   unsigned int reserved_high);
int perfctr_check_enabled_selectors(const struct perfctr_cpu_state *state,
				    unsigned int reserved,
				    unsigned int reserved_high);

/* handover.c: steps that several designs share when the PMU is taken or given back. */
void perfctr_write(u32 msr, u64 value);
u32 perfctr_refused_msr(void);
u32 perfctr_more_here(const u32 kind_masks[PERFCTR_MAX_KINDS]);
void perfctr_visit_selectors(const struct perfctr_cache *cache,
			     perfctr_visit_t visit, void *data);
void perfctr_zero_counters(void);

/* interrupt/lvtpc.c: the overflow interrupt. */
bool perfctr_lvtpc_exists(void);
void perfctr_lvtpc_take(void);
bool perfctr_lvtpc_is_taken(void);
void perfctr_lvtpc_give(void);
void perfctr_lvtpc_mask(void);
void perfctr_lvtpc_raise(void);
void perfctr_lvtpc_replay(void);
void perfctr_lvtpc_reopen(void);
u32 perfctr_lvtpc_read(void);
bool perfctr_lvtpc_is_ours(u32 *found);
void perfctr_lvtpc_deliver(bool nmi);
bool perfctr_lvtpc_was_masked(void);
void perfctr_lvtpc_interrupt(struct pt_regs *regs);

/* An NMI has raised the vector, whose handler has not unmasked the entry yet. */
DECLARE_PER_CPU(bool, perfctr_nmi_pending);

/* The vector of this kernel, see vector_builtin.c. */
static inline u32 perfctr_lvtpc_vector(void)
{
	return LOCAL_PERFCTR_VECTOR;
}

/* Delivery has masked the entry, and it has not been unmasked since. */
DECLARE_PER_CPU(bool, perfctr_lvtpc_closed);

/*
 * Intel processors mask the entry at delivery, and so do some hypervisors on AMD.  Call
 * this after the overflowed counters have stopped and have new values, and before they
 * continue: an overflow while the entry is masked causes no interrupt.
 *
 * Context: in the interrupt; has no effect elsewhere.
 */
static __always_inline void perfctr_lvtpc_open(void)
{
	if (unlikely(__this_cpu_read(perfctr_lvtpc_closed)))
		perfctr_lvtpc_reopen();
}

#endif /* _PERFCTR_DESIGN_H */
