/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The judge of the test machine: a program for the guest that checks with the
 * kernel's own perf_event and msr drivers, which know nothing of the PMU
 * model, that the model counts, samples and faults as it must. Output is TAP.
 * This header is shared by the files of machine/judge/ only.
 */
#ifndef PERFMON_JUDGE_H
#define PERFMON_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

/* judge.c: results. A failed check goes on; say why in the text. */
void check(bool good, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void skip(const char *name, const char *reason);
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));
_Noreturn void give_up(const char *what);
void pin_to_cpu(int cpu);
/* Interrupts may take so much of the time; 0: as much as they want. */
void allow_samples(int percent);
/* Hundreds of records in one interrupt take longer than the kernel puts up with. */
void allow_long_interrupts(void);
/* Runs before everybody whose priority is lower. */
enum priority { PRIORITY_NONE, PRIORITY_RESTLESS, PRIORITY_SAMPLED };
void take_priority(enum priority priority);
/* The CPU that is judged: where this process is pinned. */
extern int judge_cpu;

/* symbols.c: the address of a function of the kernel, 0 if there is none. */
uint64_t find_symbol(const char *symbol);

/* loops.c: code of a known number of instructions. */
#define LOOP_INSNS 2 /* per iteration of run_loop() */
#define SLED_INSNS 99 /* per iteration of run_sled() */
void run_loop(uint32_t iterations);
void run_sled(uint32_t iterations);
/* One instruction that writes that many bytes. */
void run_rep(uint32_t bytes);
/* Writes to the first pages of what map_fresh_pages() has made. */
void touch_pages(uint32_t pages);
void map_fresh_pages(uint32_t pages);
char *fresh_page_end(uint32_t page);
/* Number of an address within the sled, -1 if it is elsewhere. */
int sled_position(uint64_t address);
/*
 * Each iteration calls the kernel, repeats a string instruction and writes 512 bytes
 * further on: to fresh pages as far as these go.
 */
#define MIX_INSNS 48
#define MIX_STEP 512
#define MIX_REPEATS 20
#define MIX_MOST 2048 /* iterations */
void run_mix(uint32_t iterations);
int mix_position(uint64_t address);
/* What counter index counts from one RDPMC to another after run_loop()'s. */
uint32_t rdpmc_around_loop(uint32_t index, uint32_t iterations);
#define RDPMC_LOOP_EXTRA 2 /* instructions besides the loop's own */

/* kind.c: which kind of core this CPU is, if the processor is hybrid. */
enum kind {
	KIND_NONE, /* all CPUs are alike */
	KIND_CORE,
	KIND_ATOM,
};

enum kind find_kind(void);
/* What perf_event wants to be told beside a generic event: its PMU, or 0. */
uint64_t perf_pmu_bits(void);

/* msr.c: the msr driver. False if the access raised #GP. */
bool have_msr_driver(int cpu);
bool read_msr(int cpu, uint32_t msr, uint64_t *value);
bool write_msr(int cpu, uint32_t msr, uint64_t value);
uint64_t read_stat(int cpu, uint32_t offset);

/* perf.c: perf_event. Events count at user level only unless told. */
struct samples {
	uint32_t number;
	uint32_t lost; /* records of lost samples and of throttling */
	uint64_t *address;
};

/*
 * Why perf_event cannot judge the machine on this processor, NULL if it can:
 * it has no driver, or one that miscounts.
 */
const char *no_perf_pmu(void);
int open_counter(uint64_t event, int group);
int open_sampler(uint64_t period);
/* Selectors: event and unit mask as the processor has them. */
enum level { LEVEL_USER, LEVEL_KERNEL };
int open_selector(uint64_t select, enum level level);
int open_selector_sampler(uint64_t select, uint64_t period);
void *map_event(int fd, unsigned int pages);
void start_event(int fd);
void stop_event(int fd);
uint64_t read_event(int fd);
/* Run the code, collect, close the event. Returns its count. */
uint64_t sample_code(int fd, void (*code)(uint32_t), uint32_t argument,
		     struct samples *samples);
uint64_t sample_sled(uint64_t period, uint32_t iterations,
		     struct samples *samples);
/* What the event counts from its start to its end with a call in between. */
uint64_t count_code(int fd, void (*code)(uint32_t), uint32_t argument);

/* branch_code.c: code with a known number of branches of each kind. */
enum branch {
	BRANCH_COND_TAKEN,
	BRANCH_COND_NOT_TAKEN,
	BRANCH_JUMP,
	BRANCH_CALL,
	BRANCH_JUMP_INDIRECT,
	BRANCH_CALL_INDIRECT,
	BRANCH_RETURN,
	BRANCH_FAR,
	BRANCH_KINDS
};

/* In each iteration of run_branches(), in the order of their targets. */
#define BRANCHES_A_TURN 9
void run_branches(uint32_t iterations);
enum branch branch_before(unsigned int target);
/* Which target of the loop that is, -1 if none. */
int branch_target(uint64_t address);
/* So many system calls that do nothing; INT3 and an INT that faults, with signals. */
void run_system_calls(uint32_t number);
void run_breakpoints(uint32_t number);
void run_refused_interrupts(uint32_t number);
void catch_interrupts(void);
/* Calls with the stack pointer at the end of each page of map_fresh_pages(). */
void call_on_pages(uint32_t pages);

/* branch_events.c: what this processor has; NULL-terminated by name. */
struct branch_event {
	const char *name;
	uint64_t select;
	uint32_t kinds; /* bit mask of enum branch */
};

/* NULL if the judge knows none of this processor. */
const struct branch_event *find_branch_events(void);
const struct branch_event *find_branch_event(uint32_t kinds);
/* The selector of a counter that counts without perf_event, 0 if there is none. */
uint32_t spare_selector(void);
#define BRANCHES_ALL ((1u << BRANCH_KINDS) - 1)

/* pebs_registers.c: returns the format of the records. */
unsigned int judge_pebs_registers(void);
/* pebs_memory.c */
void judge_pebs_memory(unsigned int format);
/* data_addresses.c: of PEBS, and of IBS op, whose PMU has this type. */
void judge_pebs_data(unsigned int format);
void judge_ibs_data(uint32_t type, uint64_t config);

/* The groups of checks. */
void judge_registers(void);
void judge_statistics(void);
void judge_counting(void);
void judge_rdpmc(void);
void judge_sampling(void);
void judge_faults(void);
void judge_two_cpus(void);
void judge_flags(void);
void judge_ibs(void);
void judge_pebs(void);
void judge_branches(void);
void judge_branch_stacks(void);
void judge_memory(void);

#endif
