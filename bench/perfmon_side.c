// SPDX-License-Identifier: GPL-2.0-only
#include <perfmon/perfmon.h>
#include <perfmon/perfmon_dfl_smpl.h>
#include <perfmon/perfmon_stacks_smpl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "interface.h"
#include "owner.h"
#include "pmrs.h"
#include "pmu.h"
#include "user_read.h"

#define BUFFER_SIZE (1 << 21)

static int create_calls(int n)
{
	(void)n;
	return 4;
}

static int destroy_calls(int n)
{
	(void)n;
	return 1;
}

/* Programs @n counters of a set; the first one begins at @first. */
static int program(int fd, uint16_t set, int n, uint64_t first,
		   const struct pfarg_pmd_attr *attrs)
{
	struct pfarg_pmr pmcs[BENCH_COUNTERS] = { 0 };
	struct pfarg_pmr pmds[BENCH_COUNTERS] = { 0 };
	int i;

	for (i = 0; i < n; i++) {
		const struct pmu_counter *counter = &pmu_get()->counter[i];

		pmcs[i].reg_num = counter->pmc;
		pmcs[i].reg_value = counter->user;
		pmds[i].reg_num = counter->pmd;
		pmcs[i].reg_set = set;
		pmds[i].reg_set = set;
	}
	pmds[0].reg_value = first;
	if (attrs && attrs[0].reg_smpl_rate)
		pmds[0].reg_flags = PFM_REGFL_RANDOM;
	if (pfm_write_pmrs(fd, PFM_RWFL_PMC, pmcs, n))
		return -1;
	if (attrs)
		return pfm_write_pmrs(fd, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR,
				      pmds, n, attrs);
	return pfm_write_pmrs(fd, PFM_RWFL_PMD, pmds, n);
}

static int create(int n)
{
	int fd = pfm_create_session(0);

	if (fd < 0 || program(fd, 0, n, 0, NULL) || attach_self(fd))
		return -1;
	return fd;
}

static int start(int fd)
{
	return pfm_start_session(fd, 0);
}

static int stop(int fd)
{
	return pfm_stop_session(fd, 0);
}

static int read_counters(int fd, int n)
{
	/* A program keeps its vector: only the values change. */
	static struct pfarg_pmr pmds[BENCH_COUNTERS];
	static int prepared;

	for (; prepared < n; prepared++)
		pmds[prepared].reg_num = pmu_get()->counter[prepared].pmd;
	return pfm_read_pmrs(fd, PFM_RWFL_PMD, pmds, n);
}

static int usable(int n)
{
	(void)n;
	return perfmon_usable();
}

static int destroy(int fd, int n)
{
	(void)n;
	return close(fd);
}

static void *buffer;

static int create_with_format(enum sample_kind kind)
{
	struct pfm_dfl_smpl_arg plain = { .buf_size = BUFFER_SIZE };
	struct pfm_stacks_smpl_arg arg = { .buf_size = BUFFER_SIZE };

	if (kind == SAMPLE_COPY)
		arg.stack_bytes = SAMPLE_COPY_BYTES;
	if (kind == SAMPLE_CHAIN || kind == SAMPLE_COPY)
		return pfm_create_session(PFM_FL_SMPL_FMT, PFM_STACKS_SMPL_NAME,
					  &arg, sizeof(arg));
	return pfm_create_session(PFM_FL_SMPL_FMT |
					  (kind == SAMPLE_NMI ? PFM_FL_NMI : 0),
				  PFM_DFL_SMPL_NAME, &plain, sizeof(plain));
}

/* More than there are samples, so that the period stays as it is. */
#define RATE 1000000
#define RANDOM_MASK 0xffff

static int create_sampling(int n, unsigned long period, enum sample_kind kind)
{
	struct pfarg_pmd_attr attrs[BENCH_COUNTERS] = { 0 };
	int fd = create_with_format(kind);
	int i;

	if (fd < 0)
		return -1;
	buffer = mmap(NULL, BUFFER_SIZE, PROT_READ, MAP_SHARED, fd, 0);
	if (buffer == MAP_FAILED)
		return -1;
	attrs[0].reg_short_reset = -(uint64_t)period;
	attrs[0].reg_long_reset = -(uint64_t)period;
	/* perf_event's samples have the value of the first one as well. */
	for (i = 0; i < n; i++)
		attrs[0].reg_smpl_pmds[0] |= 1ULL << pmu_get()->counter[i].pmd;
	if (kind == SAMPLE_RATE) {
		attrs[0].reg_random_mask = RANDOM_MASK;
		attrs[0].reg_smpl_rate = RATE;
	}
	if (program(fd, 0, n, -(uint64_t)period, attrs) || attach_self(fd))
		return -1;
	return fd;
}

static int destroy_sampling(int fd, int n)
{
	munmap(buffer, BUFFER_SIZE);
	return destroy(fd, n);
}

static int create_turns(int n, int ms)
{
	struct pfarg_setdesc sets[2] = {
		{ .set_id = 0 },
		{ .set_id = 1 },
	};
	int i, fd = pfm_create_session(0);

	for (i = 0; i < 2; i++) {
		sets[i].set_flags = PFM_SETFL_TIME_SWITCH;
		sets[i].set_timeout = (uint64_t)ms * 1000000;
	}
	if (fd < 0 || pfm_create_sets(fd, 0, sets, 2) ||
	    program(fd, 0, n, 0, NULL) || program(fd, 1, n, 0, NULL) ||
	    attach_self(fd))
		return -1;
	/* Other events in the second set: kernel too, at least. */
	for (i = 0; i < n; i++) {
		const struct pmu_counter *counter = &pmu_get()->counter[i];
		struct pfarg_pmr pmc = {
			.reg_num = counter->pmc,
			.reg_set = 1,
			.reg_value = counter->kernel,
		};

		if (pfm_write_pmrs(fd, PFM_RWFL_PMC, &pmc, 1))
			return -1;
	}
	return fd;
}

static int linger(bool on)
{
	return linger_set(on ? LINGER_DEFAULT : "0") ? -1 : 0;
}

static int hold(void)
{
	return pfm_create_session(0);
}

const struct interface perfmon_interface = {
	.name = "perfmon",
	.create_calls = create_calls,
	.destroy_calls = destroy_calls,
	.create = create,
	.start = start,
	.stop = stop,
	.read = read_counters,
	.destroy = destroy,
	.map = perfmon_map,
	.usable = usable,
	.unmap = perfmon_unmap,
	.user_read = perfmon_user_read,
	.share = perfmon_share,
	.create_sampling = create_sampling,
	.destroy_sampling = destroy_sampling,
	.create_turns = create_turns,
	.destroy_turns = destroy,
	.linger = linger,
	.hold = hold,
};
