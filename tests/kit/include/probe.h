/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The low-level counter API in the hands of a test: the module of
 * tests/modules/, and a run of instructions between a resume and a suspend
 * whose addresses are all known.
 */
#ifndef PFM_TEST_PROBE_H
#define PFM_TEST_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "perfctr_probe.h"

struct pmu_counter;

/* Counters of each mode that a test may use. */
#define PROBE_COUNTERS 4

/* Loads the module unless it is there, removes it. 0 or -1 with errno. */
int probe_load(void);
int probe_unload(void);

/* Opens the device, which takes the PMU. A descriptor or -1 with errno. */
int probe_open(void);

/*
 * Loads the module and opens the device. If the processor lacks counters or one
 * of @features (PERFCTR_PROBE_PCINT), or this is not the test machine, *@skip
 * says so and nothing is left. Returns a descriptor or -1.
 */
int probe_start(uint32_t features, const char **skip);

/* What to count with a slot: retired instructions. The lists end with NULL. */
struct probe_control {
	const struct pmu_counter *a_mode[PROBE_COUNTERS];
	const struct pmu_counter *i_mode[PROBE_COUNTERS];
	int period[PROBE_COUNTERS]; /* of i_mode[] */
	bool kernel; /* at user and kernel level, else at user level */
	bool tsc; /* the time stamp counter as well */
};

/*
 * Gives a slot its control. Returns the number of its a-mode elements or -1
 * with errno; there may be one more than asked for, the first one, where the
 * first counter has to be there so that another one counts (P6).
 */
int probe_set(int fd, int slot, const struct probe_control *control);

int probe_resume(int fd, int slot);
int probe_suspend(int fd, int slot);
int probe_sample(int fd, int slot);

/* Sum of one element; UINT64_MAX if that failed. */
uint64_t probe_sum(int fd, int slot, int element);

/*
 * Takes the log of a CPU: @log says what @records contains, which has room for
 * PERFCTR_PROBE_LOG_RECORDS.
 */
int probe_log(int fd, int cpu, struct perfctr_probe_record *records,
	      struct perfctr_probe_log *log);

/* Kernel instructions with interrupts off, see struct perfctr_probe_loop. */
int probe_kernel_loop(int fd, int slot, unsigned int instructions, bool stay);

/* Measures an operation on slot 0, with slot 1 as the other one. */
int probe_measure(int fd, enum perfctr_probe_operation operation, int times,
		  struct perfctr_probe_cost *cost);

/*
 * Resumes a slot, executes 2 * @iterations instructions of a loop and some
 * more, suspends the slot. Returns what the suspend did, 0 or a negative
 * errno. Everything from the resume on counts: probe_run_length() instructions.
 */
long probe_run(int fd, int slot, unsigned long iterations);

/* User instructions of a run, the system call of the suspend included. */
uint64_t probe_run_length(unsigned long iterations);

/*
 * Address of the next user instruction when @executed ones of a run have been
 * executed; 0: there is none, the CPU is in the kernel.
 */
uint64_t probe_run_address(unsigned long iterations, uint64_t executed);

/* Whether the kernel executes at this address. */
bool probe_in_kernel(uint64_t address);

#endif
