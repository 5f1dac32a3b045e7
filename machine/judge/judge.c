// SPDX-License-Identifier: GPL-2.0-only
/*
 * The judge's main program and its TAP output. See judge.h.
 */

#define _GNU_SOURCE
#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"

int judge_cpu;
static int checks, failures;

void check(bool good, const char *format, ...)
{
	va_list args;

	checks++;
	failures += !good;
	printf("%sok %d - ", good ? "" : "not ", checks);
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
}

void skip(const char *name, const char *reason)
{
	checks++;
	printf("ok %d - %s # SKIP %s\n", checks, name, reason);
}

void note(const char *format, ...)
{
	va_list args;

	printf("# ");
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	printf("\n");
}

/* Something failed that has nothing to do with the machine under test. */
void give_up(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	exit(2);
}

void pin_to_cpu(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		give_up("sched_setaffinity");
}

void take_priority(enum priority priority)
{
	const struct sched_param param = { .sched_priority = (int)priority };
	const int policy = priority == PRIORITY_NONE ? SCHED_OTHER : SCHED_FIFO;

	if (sched_setscheduler(0, policy, &param))
		give_up("sched_setscheduler");
}

/*
 * The sampling periods here are far shorter than people use. Without this the
 * kernel would take samples away because their interrupts take too long.
 */
void allow_samples(int percent)
{
	FILE *file = fopen("/proc/sys/kernel/perf_cpu_time_max_percent", "w");

	if (!file)
		return;
	fprintf(file, "%d\n", percent);
	fclose(file);
}

void allow_long_interrupts(void)
{
	FILE *file = fopen("/sys/kernel/debug/x86/nmi_longest_ns", "w");

	if (!file)
		return;
	fprintf(file, "%d\n", 50000000);
	fclose(file);
}

/* judge [CPU]: 0 unless told. */
int main(int argc, char **argv)
{
	setvbuf(stdout, NULL, _IOLBF, 0);
	judge_cpu = argc > 1 ? atoi(argv[1]) : 0;
	pin_to_cpu(judge_cpu);
	allow_samples(99);

	judge_registers();
	judge_statistics();
	judge_counting();
	judge_rdpmc();
	judge_sampling();
	judge_faults();
	judge_branches();
	judge_branch_stacks();
	judge_memory();
	judge_two_cpus();
	judge_flags();
	judge_ibs();
	judge_pebs();

	printf("1..%d\n", checks);
	return failures ? 1 : 0;
}
