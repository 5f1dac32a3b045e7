/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the tests of the perfctr low-level core: rules that are tested on
 * each processor, and states as a test wants them.
 */
#ifndef PERFCTR_HARNESS_H
#define PERFCTR_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <linux/kernel.h>
#include <linux/perfmon_pmu.h>
#include <linux/string.h>

#include "machine.h"
#include "perfctr_core.h"

typedef bool (*condition_t)(const struct processor *p);

/* Something that must hold on each processor that fulfils the condition. */
struct rule {
	const char *name;
	void (*test)(const struct processor *p);
	condition_t applies; /* NULL: always */
};

#define RULE(test)                \
	{                         \
#test, test, NULL \
	}
#define RULE_IF(condition, test)       \
	{                              \
#test, test, condition \
	}

/*
 * Run the rules as a cmocka group. Each test has a process, a machine and a
 * kernel of its own: what the core finds out at boot it never forgets. start()
 * says how far they have come; return from main() with the result.
 */
int run_rules(const struct rule *rules, size_t n,
	      void (*start)(const struct processor *p));

/*
 * The same but for processors that an erratum makes write registers besides
 * those that the rules count: test_perfctr_errata.c has these.
 */
int run_rules_of_writes(const struct rule *rules, size_t n,
			void (*start)(const struct processor *p));
bool writes_as_counted(const struct processor *p);

/* The same on processors of another table. */
int run_rules_on(const struct processor *table, unsigned int nr,
		 const struct rule *rules, size_t n,
		 void (*start)(const struct processor *p));

/* That with all tests side by side, for those that take long. */
int run_rules_at_once(const struct processor *table, unsigned int nr,
		      const struct rule *rules, size_t n,
		      void (*start)(const struct processor *p));

/* Power on and initialise the core. */
void boot(const struct processor *p);
/* And take the PMU, as "perfmon". */
void boot_and_reserve(const struct processor *p);

bool has_fixed(const struct processor *p);
bool has_interrupts(const struct processor *p);
bool has_overflow_status(const struct processor *p);
bool has_own_enables(const struct processor *p);
bool has_shared_enable(const struct processor *p);
bool has_wide_selectors(const struct processor *p);

/* A selector that the processor accepts for its i-th counter. */
u32 selector_for(const struct processor *p, unsigned int i, u32 event,
		 u32 levels);

/* Bit that such a selector must have in i-mode. */
u32 interrupt_bit(const struct processor *p, unsigned int i);

/* Append counter i (fixed ones behind the others) as an a-mode element. */
void add_counter(const struct processor *p, struct perfctr_cpu_state *state,
		 unsigned int i, u32 event, u32 levels);

/* The same in i-mode; behind these there can be no more a-mode elements. */
void add_ictr(const struct processor *p, struct perfctr_cpu_state *state,
	      unsigned int i, u32 levels, int ireset);

/*
 * An accepted state in which the last n of all counters are in i-mode, with
 * the restart value, and those before them in a-mode.
 */
void make_istate(const struct processor *p, struct perfctr_cpu_state *state,
		 unsigned int n, u32 levels, int ireset);

/* Control registers that elements from first to end have. */
unsigned int control_registers(const struct processor *p,
			       const struct perfctr_cpu_state *state,
			       unsigned int first, unsigned int end);

/* An accepted state with the first n counters counting instructions. */
void make_state(const struct processor *p, struct perfctr_cpu_state *state,
		unsigned int n, u32 levels);

/* Update the control; it must be accepted. */
void accept(struct perfctr_cpu_state *state);
/* It must be refused and leave a state that counts nothing. */
void refuse(struct perfctr_cpu_state *state);

/* What the i-th counter of make_state() counts in an even number of insns. */
u64 events_in(const struct processor *p, unsigned int i, u64 insns);

/* All sums are those of this many instructions. */
void assert_sums(const struct processor *p,
		 const struct perfctr_cpu_state *state, u64 insns);

/* What a call costs: MSR writes in all, and those of counter registers. */
struct cost {
	u64 writes, counter_writes;
};

struct cost cost_of(void (*call)(struct perfctr_cpu_state *state),
		    struct perfctr_cpu_state *state);

/* Resume on a CPU; the number of MSR writes that it took. */
u64 resume_on(unsigned int cpu, struct perfctr_cpu_state *state);

/* Each control register of the CPU is what its cache says. */
void assert_cache_is_right(const struct processor *p, unsigned int cpu);

/* Small deterministic random numbers. */
u32 next_random(u32 *seed);

#endif
