// SPDX-License-Identifier: GPL-2.0-only
/* Context switches on demand. */
#include "pingpong.h"

#include <sched.h>
#include <time.h>
#include <unistd.h>

#include "attr.h"
#include "child.h"
#include "machine.h"
#include "msr.h"

#define ROUNDS_BETWEEN_BREAKS 20

struct partner {
	int from_us;
	int to_us;
	int (*prepare)(void);
};

static int echo(void *arg)
{
	const struct partner *partner = arg;
	char byte = !!(partner->prepare && partner->prepare());

	/* The first byte tells whether the preparation worked. */
	while (write(partner->to_us, &byte, 1) == 1 &&
	       read(partner->from_us, &byte, 1) == 1)
		;
	return 0;
}

/* The kernel stops real-time threads, and logs it, that take nearly all of a second. */
static int real_time(int policy)
{
	struct sched_param param = { .sched_priority = policy == SCHED_FIFO };

	file_write("/proc/sys/kernel/sched_rt_runtime_us", "-1");
	return sched_setscheduler(0, policy, &param);
}

int pingpong_start(struct pingpong *pingpong, int cpu, int (*prepare)(void))
{
	int there[2], back[2];
	struct partner partner = { .prepare = prepare };
	char failed = 1;

	if (pin_to_cpu(cpu) || real_time(SCHED_FIFO) || pipe(there) ||
	    pipe(back))
		return -1;
	partner.from_us = there[0];
	partner.to_us = back[1];
	pingpong->partner = child_start(echo, &partner);
	close(there[0]);
	close(back[1]);
	pingpong->to_partner = there[1];
	pingpong->from_partner = back[0];
	if (read(back[0], &failed, 1) != 1)
		return -1;
	return failed ? -1 : 0;
}

int pingpong_play(const struct pingpong *pingpong, long rounds)
{
	char byte = 0;

	for (; rounds > 0; rounds--)
		if (write(pingpong->to_partner, &byte, 1) != 1 ||
		    read(pingpong->from_partner, &byte, 1) != 1)
			return -1;
	return 0;
}

void pingpong_settle(long round)
{
	const struct timespec moment = { .tv_nsec = 10000000 };

	if (round % ROUNDS_BETWEEN_BREAKS == 0)
		nanosleep(&moment, NULL);
}

uint64_t pingpong_instructions(const struct pingpong *pingpong, int msr,
			       long rounds)
{
	uint64_t fewest = UINT64_MAX;

	for (; rounds > 0; rounds--) {
		uint64_t before, taken;

		pingpong_settle(rounds);
		before = msr_stat(msr, PMU_STAT_INSNS);
		if (pingpong_play(pingpong, 1))
			return UINT64_MAX;
		taken = msr_stat(msr, PMU_STAT_INSNS) - before;
		if (taken < fewest)
			fewest = taken;
	}
	return fewest;
}

void pingpong_stop(struct pingpong *pingpong)
{
	close(pingpong->to_partner);
	close(pingpong->from_partner);
	child_kill(pingpong->partner);
	real_time(SCHED_OTHER);
}
