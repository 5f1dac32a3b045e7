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
/* Runs before everybody whose priority is lower. */
enum priority { PRIORITY_NONE, PRIORITY_RESTLESS, PRIORITY_SAMPLED };
void take_priority(enum priority priority);
/* The CPU that is judged: where this process is pinned. */
extern int judge_cpu;

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

/* perf.c: perf_event. All events count at user level only. */
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
void *map_event(int fd, unsigned int pages);
void start_event(int fd);
void stop_event(int fd);
uint64_t read_event(int fd);
/* Open, run the sled, collect; frees nothing but the event. */
uint64_t sample_sled(uint64_t period, uint32_t iterations,
		     struct samples *samples);
/* What the event counts from its start to its end with a call in between. */
uint64_t count_code(int fd, void (*code)(uint32_t), uint32_t argument);

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

#endif
