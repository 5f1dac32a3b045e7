// SPDX-License-Identifier: GPL-2.0-only
/*
 * A machine that does not run for a while, as a virtual one whose host is busy, and
 * sets that take turns on it. A section with interrupts off takes the place of the
 * pause: nothing runs on the processor, and the clock goes on.
 */
#include <sched.h>

#include "attr.h"
#include "cpu_time.h"
#include "event_set.h"
#include "machine.h"
#include "module.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

#define MS 1000000ULL

#define PLANTED "planted_section"

/*
 * Instructions that take the machine 0.4 seconds, and what shows that they did. After
 * a whole second of a real-time thread the scheduler would let others run.
 */
#define PAUSE "50000000"
#define LEAST_PAUSE (200 * MS)

#define TURN (10 * MS)

/* Of the program, after the pause. */
#define AFTERWARDS (200 * MS)

/* The pause may put off one of them by several ticks. */
#define LEAST_TURNS 10

static uint64_t turns(int fd)
{
	return set_runs(fd, 0) + set_runs(fd, 1);
}

FIXTURE(pair)
{
	int fd;
};

FIXTURE_SETUP(pair)
{
	int err;

	NEEDS_COUNTERS();
	err = module_load(PLANTED, "");
	ASSERT_TRUE(err == 0 || err == EEXIST);
	self->fd = pfm_create_session(0);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, set_make_counting(self->fd, 0, PFM_SETFL_TIME_SWITCH,
				       timer_round(TURN)));
	ASSERT_EQ(0, set_make_counting(self->fd, 1, PFM_SETFL_TIME_SWITCH,
				       timer_round(TURN)));
	ASSERT_EQ(0, attach_self(self->fd));
	ASSERT_EQ(0, pfm_start_session(self->fd, 0));
}

FIXTURE_TEARDOWN(pair)
{
	close(self->fd);
	module_unload(PLANTED);
}

TEST_F(pair, take_turns_as_before_when_the_machine_goes_on)
{
	static const struct sched_param lowest = { .sched_priority = 1 };
	uint64_t before, start = cpu_time();

	/* A switch to another thread and back would start the timer anew. */
	ASSERT_EQ(0, sched_setscheduler(0, SCHED_FIFO, &lowest));
	ASSERT_EQ(0,
		  file_write("/sys/module/" PLANTED "/parameters/instructions",
			     PAUSE));
	ASSERT_LE(start + LEAST_PAUSE, cpu_time());
	before = turns(self->fd);
	cpu_time_spend(AFTERWARDS);
	EXPECT_LE(before + LEAST_TURNS, turns(self->fd));
}

TEST_HARNESS_MAIN
