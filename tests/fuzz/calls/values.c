// SPDX-License-Identifier: GPL-2.0-only
/* Arguments: most of them valid, some at a limit, some nonsense. */
#include <limits.h>
#include <stddef.h>
#include <unistd.h>

#include <perfmon/perfmon.h>

#include "fuzz.h"
#include "instruction_track.h"
#include "pebs.h"

/* How often an argument is to be wrong; a call has up to ten. */
bool fuzz_rarely(struct fuzzer *f)
{
	return prng_one_in(&f->prng, 40);
}

uint64_t fuzz_value(struct fuzzer *f)
{
	uint64_t bit = 1ULL << prng_below(&f->prng, 64);

	switch (prng_below(&f->prng, 8)) {
	case 0:
		return 0;
	case 1:
		return bit;
	case 2:
		return bit - 1;
	case 3:
		return -bit;
	case 4:
		return prng_next(&f->prng);
	default:
		/* A period that comes to its end. */
		return -(uint64_t)(1 + prng_below(&f->prng,
						  f->fuzz->longest_period));
	}
}

/* So often an empty slot makes us look for another one. */
#define TRIES 4

/* Most often one that this thread has made itself and may operate. */
static unsigned int any_slot(struct fuzzer *f)
{
	if (prng_one_in(&f->prng, 4))
		return prng_below(&f->prng, FUZZ_FDS);
	return f->number + FUZZ_THREADS * prng_below(&f->prng, FUZZ_OWN_FDS);
}

int fuzz_fd(struct fuzzer *f)
{
	static const int wrong[] = { -1, INT_MIN, INT_MAX, 1000 };
	int i, fd;

	if (fuzz_rarely(f))
		return prng_one_in(&f->prng, 2) ?
			       f->fuzz->other_fd :
			       wrong[prng_below(&f->prng, 4)];
	for (i = 0, fd = -1; i < TRIES && fd < 0; i++)
		fd = __atomic_load_n(&f->fuzz->fds[any_slot(f)],
				     __ATOMIC_RELAXED);
	return fd;
}

void fuzz_put_fd(struct fuzzer *f, int fd)
{
	int *slot = &f->fuzz->fds[any_slot(f)];
	int old = __atomic_exchange_n(slot, fd, __ATOMIC_RELAXED);

	if (old >= 0)
		close(old);
}

/* One of @valid, or with any bit changed. */
int fuzz_flags(struct fuzzer *f, const int *valid, unsigned int nr)
{
	int flags = valid[prng_below(&f->prng, nr)];

	if (fuzz_rarely(f))
		flags ^= (int)(1U << prng_below(&f->prng, 32));
	return flags;
}

/* A vector is short, as long as it may be, or its length is nonsense. */
int fuzz_count(struct fuzzer *f, unsigned int most)
{
	static const int wrong[] = { 0, -1, INT_MIN, INT_MAX, INT_MAX / 16 };

	if (fuzz_rarely(f))
		return wrong[prng_below(&f->prng, 5)];
	if (fuzz_rarely(f))
		return (int)most + (int)prng_below(&f->prng, 2);
	if (prng_one_in(&f->prng, 2))
		return 1;
	return 1 + (int)prng_below(&f->prng, 6);
}

uint16_t fuzz_set(struct fuzzer *f)
{
	if (fuzz_rarely(f))
		return prng_next(&f->prng);
	/* New sessions have these, see setup.c; others come and go. */
	if (prng_one_in(&f->prng, 8))
		return prng_below(&f->prng, 2 * FUZZ_SETS);
	return prng_below(&f->prng, FUZZ_SETS);
}

const struct pmu_counter *fuzz_counter(struct fuzzer *f)
{
	const struct pmu *pmu = pmu_get();

	return &pmu->counter[prng_below(&f->prng, pmu->counters)];
}

/* @num, of a counter; else of the rest of the map, or of none. */
uint16_t fuzz_register(struct fuzzer *f, uint16_t num)
{
	switch (prng_below(&f->prng, 40)) {
	case 0:
		return prng_below(&f->prng, 320);
	case 1:
		return prng_next(&f->prng);
	case 4:
		return PMC_LBR_SELECT;
	case 2:
	case 3:
		/* What makes records, or a fixed counter and its control. */
		return PMC_PEBS_ENABLE + prng_below(&f->prng, 2);
	default:
		return num;
	}
}

void *fuzz_pointer(struct fuzzer *f, void *valid)
{
	switch (prng_below(&f->prng, 120)) {
	case 0:
		return NULL;
	case 1:
		return (void *)(intptr_t)-4096;
	case 2:
		/* Too near to the hole for what was to be there. */
		return f->arena.end - 8;
	default:
		return valid;
	}
}

int fuzz_target(struct fuzzer *f, int fd)
{
	int flags = fd >= 0 && fd < FUZZ_MAX_FD ? f->fuzz->flags[fd] : 0;

	switch (prng_below(&f->prng, 12)) {
	case 0:
		/* Most often of another thread. */
		return f->fuzz->children[prng_below(&f->prng, FUZZ_THREADS)];
	case 1:
		return getppid();
	case 2:
		/* Also the number of a CPU, and -1, which detaches. */
		return (int)prng_below(&f->prng, 6) - 2;
	case 3:
		return (int)fuzz_value(f);
	default:
		if (flags & PFM_FL_SYSTEM_WIDE)
			return (int)prng_below(&f->prng, f->fuzz->cpus);
		/* To block itself a thread is not allowed. */
		return flags & PFM_FL_NOTIFY_BLOCK || prng_one_in(&f->prng, 2) ?
			       f->child :
			       gettid();
	}
}
