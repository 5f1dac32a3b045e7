// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tools of perfctr_harness.h.
 */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <asm/processor.h>

#include "perfctr_harness.h"

/* What the session core owns in a kernel. */

/* A rule on a processor. */
struct run {
	const struct rule *rule;
	const struct processor *processor;
	void (*start)(const struct processor *p);
	pid_t child; /* 0 until it runs */
};

const char *__asan_default_options(void);

/* Looking for leaks takes longer than the tests; nothing here allocates. */
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

/* In the child an assertion that fails must not go on with other tests. */
static void start_child(struct run *run)
{
	fflush(NULL);
	run->child = fork();
	assert_true(run->child >= 0);
	if (run->child)
		return;
	setenv("CMOCKA_TEST_ABORT", "1", 1);
	run->start(run->processor);
	run->rule->test(run->processor);
	exit(EXIT_SUCCESS);
}

static void run_in_child(void **state)
{
	struct run *run = *state;
	int status;

	if (!run->child)
		start_child(run);
	assert_int_equal(waitpid(run->child, &status, 0), run->child);
	if (status)
		fail_msg("the test's process ended with status %#x", status);
}

static char *name_of(const struct run *run)
{
	const size_t size = 128;
	char *name = malloc(size);

	assert_non_null(name);
	snprintf(name, size, "%s %s", run->processor->name, run->rule->name);
	return name;
}

static int run_group(const struct processor *table, unsigned int nr,
		     condition_t on, const struct rule *rules, size_t n,
		     void (*start)(const struct processor *p), bool at_once)
{
	struct CMUnitTest *tests = calloc(n * nr, sizeof(*tests));
	struct run *runs = calloc(n * nr, sizeof(*runs));
	size_t i, used = 0;
	unsigned int p;
	int failed;

	if (!tests || !runs)
		return EXIT_FAILURE;
	for (p = 0; p < nr; p++) {
		for (i = 0; i < n && (!on || on(&table[p])); i++) {
			if (rules[i].applies && !rules[i].applies(&table[p]))
				continue;
			runs[used] =
				(struct run){ &rules[i], &table[p], start, 0 };
			tests[used].name = name_of(&runs[used]);
			tests[used].test_func = run_in_child;
			tests[used].initial_state = &runs[used];
			used++;
		}
	}
	for (i = 0; at_once && i < used; i++)
		start_child(&runs[i]);
	failed = _cmocka_run_group_tests("rules", tests, used, NULL, NULL);
	for (i = 0; i < used; i++)
		free((char *)tests[i].name);
	free(tests);
	free(runs);
	return failed;
}

int run_rules(const struct rule *rules, size_t n,
	      void (*start)(const struct processor *p))
{
	return run_group(processors, nr_processors, NULL, rules, n, start,
			 false);
}

bool writes_as_counted(const struct processor *p)
{
	return !p->reprograms;
}

int run_rules_of_writes(const struct rule *rules, size_t n,
			void (*start)(const struct processor *p))
{
	return run_group(processors, nr_processors, writes_as_counted, rules, n,
			 start, false);
}

int run_rules_on(const struct processor *table, unsigned int nr,
		 const struct rule *rules, size_t n,
		 void (*start)(const struct processor *p))
{
	return run_group(table, nr, NULL, rules, n, start, false);
}

int run_rules_at_once(const struct processor *table, unsigned int nr,
		      const struct rule *rules, size_t n,
		      void (*start)(const struct processor *p))
{
	return run_group(table, nr, NULL, rules, n, start, true);
}

void boot(const struct processor *p)
{
	machine_power_on(p);
	assert_int_equal(perfmon_arch_init(), 0);
}

void boot_and_reserve(const struct processor *p)
{
	boot(p);
	assert_null(perfmon_arch_acquire(NULL));
}

bool has_fixed(const struct processor *p)
{
	return p->fixed;
}

bool has_interrupts(const struct processor *p)
{
	return p->rules->interrupt && (p->features & X86_FEATURE_APIC);
}

bool has_overflow_status(const struct processor *p)
{
	return p->overflow_status;
}

bool has_own_enables(const struct processor *p)
{
	return !p->shared_enable;
}

bool has_shared_enable(const struct processor *p)
{
	return p->shared_enable;
}

bool has_wide_selectors(const struct processor *p)
{
	return p->high_bits;
}

u32 selector_for(const struct processor *p, unsigned int i, u32 event,
		 u32 levels)
{
	if (i >= p->counters)
		return (levels & OS ? FIXED_OS : 0) |
		       (levels & USR ? FIXED_USR : 0);
	return (event == EVENT_INSNS ? p->rules->insns : event) |
	       (levels & OS ? p->rules->os : 0) |
	       (levels & USR ? p->rules->usr : 0) |
	       (p->shared_enable && i ? 0 : p->rules->enable);
}

u32 interrupt_bit(const struct processor *p, unsigned int i)
{
	return i < p->counters ? p->rules->interrupt : FIXED_INT;
}

static void add_element(const struct processor *p,
			struct perfctr_cpu_control *control,
			unsigned int element, unsigned int i, u32 event,
			u32 levels)
{
	control->pmc_map[element] = counter_number(p, i);
	if (p->rules->choose)
		p->rules->choose(control, element, levels, NULL);
	else
		control->evntsel[element] = selector_for(p, i, event, levels);
}

void add_counter(const struct processor *p, struct perfctr_cpu_state *state,
		 unsigned int i, u32 event, u32 levels)
{
	struct perfctr_cpu_control *control = &state->control;
	const unsigned int element = control->nractrs++;

	assert_int_equal(control->nrictrs, 0);
	add_element(p, control, element, i, event, levels);
}

void add_ictr(const struct processor *p, struct perfctr_cpu_state *state,
	      unsigned int i, u32 levels, int ireset)
{
	struct perfctr_cpu_control *control = &state->control;
	const unsigned int element = control->nractrs + control->nrictrs++;

	add_element(p, control, element, i, EVENT_INSNS, levels);
	if (!p->rules->choose)
		control->evntsel[element] |= interrupt_bit(p, i);
	control->ireset[element] = ireset;
}

void make_istate(const struct processor *p, struct perfctr_cpu_state *state,
		 unsigned int n, u32 levels, int ireset)
{
	unsigned int i;

	memset(state, 0, sizeof(*state));
	for (i = 0; i < all_counters(p); i++) {
		if (i < all_counters(p) - n)
			add_counter(p, state, i, EVENT_INSNS, levels);
		else
			add_ictr(p, state, i, levels, ireset);
	}
	accept(state);
}

/* All fixed counters share one. */
unsigned int control_registers(const struct processor *p,
			       const struct perfctr_cpu_state *state,
			       unsigned int first, unsigned int end)
{
	unsigned int i, n = 0;
	bool fixed = false;

	(void)p;
	for (i = first; i < end; i++) {
		if (state->control.pmc_map[i] < FIXED)
			n++;
		else
			fixed = true;
	}
	return n + fixed;
}

struct cost cost_of(void (*call)(struct perfctr_cpu_state *state),
		    struct perfctr_cpu_state *state)
{
	const u64 writes = machine_stat(PMU_STAT_WRMSR);
	const u64 counter_writes = machine_stat(PMU_STAT_WRCTR);

	call(state);
	return (struct cost){
		machine_stat(PMU_STAT_WRMSR) - writes,
		machine_stat(PMU_STAT_WRCTR) - counter_writes,
	};
}

void make_state(const struct processor *p, struct perfctr_cpu_state *state,
		unsigned int n, u32 levels)
{
	unsigned int i;

	memset(state, 0, sizeof(*state));
	for (i = 0; i < n; i++)
		add_counter(p, state, i, EVENT_INSNS, levels);
	accept(state);
}

void accept(struct perfctr_cpu_state *state)
{
	assert_int_equal(perfctr_cpu_update_control(state, 0), 0);
}

void refuse(struct perfctr_cpu_state *state)
{
	u64 accesses = machine_stat(PMU_STAT_RDPMC) +
		       machine_stat(PMU_STAT_WRMSR) +
		       machine_stat(PMU_STAT_RDMSR);
	struct perfctr_cpu_state before;

	assert_int_equal(perfctr_cpu_update_control(state, 0), -EINVAL);
	before = *state;
	assert_int_equal(state->cstatus, 0);
	perfctr_cpu_resume(state);
	machine_run(1000, false);
	perfctr_cpu_sample(state);
	perfctr_cpu_suspend(state);
	assert_memory_equal(state, &before, sizeof(before));
	assert_int_equal(machine_stat(PMU_STAT_RDPMC) +
				 machine_stat(PMU_STAT_WRMSR) +
				 machine_stat(PMU_STAT_RDMSR),
			 accesses);
}

u64 events_in(const struct processor *p, unsigned int i, u64 insns)
{
	assert_int_equal(insns % 2, 0);
	return i <= p->counters ? insns : insns / 2 * 3;
}

void assert_sums(const struct processor *p,
		 const struct perfctr_cpu_state *state, u64 insns)
{
	unsigned int i;

	for (i = 0; i < perfctr_cstatus_nrctrs(state->cstatus); i++) {
		const u32 number = state->control.pmc_map[i];

		assert_int_equal(state->pmc[i].sum,
				 events_in(p, counter_index(p, number), insns));
	}
}

u64 resume_on(unsigned int cpu, struct perfctr_cpu_state *state)
{
	const u64 before = machine_stat(PMU_STAT_WRMSR);

	machine_on(cpu);
	perfctr_cpu_resume(state);
	return machine_stat(PMU_STAT_WRMSR) - before;
}

/* Behind all selectors the core keeps the fixed counters' control register. */
void assert_cache_is_right(const struct processor *p, unsigned int cpu)
{
	const struct perfctr_cache *cache = &per_cpu(perfctr_cache, cpu);
	const struct pmu *pmu = &machine.cpu[cpu].pmu;
	/* The Pentium 4 sets the flag of an overflow in the selector. */
	const u64 flags = p->rules->has_p4_control ? 1u << 31 : 0;
	unsigned int i;

	/* Selectors that are halves of one register are cached as that one. */
	if (!p->msr_stride) {
		const u64 high = pmu->counter[1].select;

		assert_int_equal(cache->evntsel[0],
				 high << 16 | pmu->counter[0].select);
		return;
	}
	for (i = 0; i < p->counters; i++)
		assert_int_equal(cache->evntsel[model_index(p, i)],
				 pmu->counter[model_index(p, i)].select &
					 ~flags);
	if (p->counters < PERFCTR_MAX_SELECTORS)
		assert_int_equal(cache->evntsel[PERFCTR_MAX_SELECTORS - 1],
				 pmu->fixed_ctrl);
}

u32 next_random(u32 *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}
