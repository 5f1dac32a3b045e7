// SPDX-License-Identifier: GPL-2.0-only
/* Measurements, see measure.h. */
#include "measure.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cpus.h"

static void close_quietly(int fd)
{
	int error = errno;

	close(fd);
	errno = error;
}

int measure_program(int fd, const struct program *program)
{
	/* The calls take vectors that are not constant. */
	struct program copy = *program;

	if (pfm_write_pmrs(fd, PFM_RWFL_PMC, copy.pmcs, copy.pmc_count) ||
	    pfm_write_pmrs(fd, PFM_RWFL_PMD, copy.pmds, copy.pmd_count))
		return -1;
	return 0;
}

static int open_session(const struct program *program, int flags, int target)
{
	int fd = pfm_create_session(flags | PFM_FL_CLOEXEC);

	if (fd < 0)
		return -1;
	if (measure_program(fd, program) || pfm_attach_session(fd, 0, target)) {
		close_quietly(fd);
		return -1;
	}
	return fd;
}

int measure_open(const struct program *program)
{
	return open_session(program, 0, (int)syscall(SYS_gettid));
}

int measure_open_cpu(const struct program *program, int cpu)
{
	return open_session(program, PFM_FL_SYSTEM_WIDE, cpu);
}

/* One function for all, so that all have the same instructions beside the loop. */
__attribute__((noinline, noclone)) int
measure_run(int fd, const struct loop *loop, unsigned long turns)
{
	if (pfm_start_session(fd, 0))
		return -1;
	loop->run(turns);
	return pfm_stop_session(fd, 0);
}

int measure_once(int fd, const struct program *program, const struct loop *loop,
		 unsigned long turns, uint64_t *counts)
{
	struct program copy = *program;

	if (pfm_write_pmrs(fd, PFM_RWFL_PMD, copy.pmds, copy.pmd_count) ||
	    measure_run(fd, loop, turns) ||
	    pfm_read_pmrs(fd, PFM_RWFL_PMD, copy.pmds, copy.pmd_count))
		return -1;
	for (int i = 0; i < copy.pmd_count; i++)
		counts[i] = copy.pmds[i].reg_value;
	return 0;
}

int measure_runs(const struct program *program, int cpu,
		 const struct loop *loop, unsigned long turns, int count,
		 struct runs *runs)
{
	uint64_t counts[COUNTERS_MAX], before, after;
	int fd = measure_open(program);

	if (fd < 0)
		return -1;
	runs->length = (uint64_t)loop->instructions * turns;
	runs->count = 0;
	if (measure_once(fd, program, loop, 1, counts)) {
		close_quietly(fd);
		return -1;
	}
	before = cpus_disturbances(cpu);
	while (runs->count < count) {
		if (measure_once(fd, program, loop, turns, counts)) {
			close_quietly(fd);
			return -1;
		}
		after = cpus_disturbances(cpu);
		runs->run[runs->count++] = (struct run){
			.count = counts[0],
			.disturbances = after - before,
		};
		before = after;
	}
	close(fd);
	return 0;
}
