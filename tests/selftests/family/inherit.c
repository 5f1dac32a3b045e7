// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a session with PFM_FL_INHERIT counts: threads, children, grandchildren and
 * the programs that they execute, each once and exactly; and whom it leaves out.
 * members.c tests who controls them, and when it ends.
 */
#include <errno.h>
#include <sys/resource.h>

#include <perfmon/pfm_state.h>

#include "array_size.h"
#include "attr.h"
#include "child.h"
#include "event_set.h"
#include "family_fixture.h"
#include "loop.h"
#include "machine.h"
#include "message.h"
#include "program_copy.h"
#include "unprivileged.h"

/* The argument with which this program runs itself. */
#define RUN_LOOP "--run-loop"

/* A copy of this program for everybody. */
#define COPY "/tmp/inherit-copy"

struct crowd_case {
	const char *name;
	const char *args[3];
	unsigned int members; /* that execute the loop */
	unsigned int
		threads; /* of them those that PFM_FL_INHERIT_THREAD counts */
	unsigned int parts;
};

/* The members of a crowd (tests/tools/crowd.c). */
static const struct crowd_case crowds[] = {
	{ "one process", { "loop" }, 1, 1, 0 },
	{ "threads", { "threads", "7" }, 7, 7, 7 },
	{ "children", { "forks", "5" }, 5, 0, 5 },
	{ "a tree of processes", { "tree", "2", "3" }, 13, 1, 12 },
	{ "programs of children", { "vexec", "4" }, 4, 0, 4 },
	{ "a program of a thread", { "texec" }, 1, 1, 1 },
	{ "a child that outlives all others", { "orphan" }, 1, 0, 2 },
};

/* What the members of a crowd count whose loop has so many turns. */
static uint64_t crowd_count(struct __test_metadata *_metadata,
			    const struct crowd_case *c, int flags,
			    const char *turns)
{
	const char *words[FAMILY_WORDS] = { NULL };
	int fd = family_session(flags);
	union pfarg_msg msg;
	unsigned int i;
	uint64_t value;

	for (i = 0; i < ARRAY_SIZE(c->args) && c->args[i]; i++)
		words[i] = c->args[i];
	words[i] = turns;
	EXPECT_EQ(0, child_wait(family_start(fd, words)));
	EXPECT_EQ(0, message_wait(fd, &msg));
	EXPECT_EQ(PFM_MSG_END, msg.type);
	value = family_value(fd);
	EXPECT_EQ(0, family_loss(fd, PFM_LOSS_LOST));
	if (!flags) {
		EXPECT_EQ(c->parts, family_loss(fd, PFM_LOSS_PARTS))
		{
			TH_LOG("%s", c->name);
		}
	}
	close(fd);
	return value;
}

#define LESS 200000
#define MORE 300000
#define STR_OF(x) #x
#define STR(x) STR_OF(x)

static void count_exactly(struct __test_metadata *_metadata, int flags,
			  bool threads)
{
	const struct crowd_case *c;
	uint64_t less, again, more;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(crowds); i++) {
		c = &crowds[i];
		less = crowd_count(_metadata, c, flags, STR(LESS));
		again = crowd_count(_metadata, c, flags, STR(LESS));
		more = crowd_count(_metadata, c, flags, STR(MORE));
		more -= 2 * (MORE - LESS) * (threads ? c->threads : c->members);
		EXPECT_EQ(less, again)
		{
			TH_LOG("%s", c->name);
		}
		EXPECT_EQ(less, more)
		{
			TH_LOG("%s", c->name);
		}
	}
}

TEST(each_member_is_counted_once_and_exactly)
{
	NEEDS_COUNTERS();
	count_exactly(_metadata, 0, false);
}

TEST(with_INHERIT_THREAD_threads_are_counted_and_processes_are_not)
{
	NEEDS_COUNTERS();
	count_exactly(_metadata, PFM_FL_INHERIT_THREAD, true);
}

TEST_F(family, without_the_flag_the_value_is_that_of_the_target)
{
	ASSERT_EQ(0, attach_and_start(self->fd));
	EXPECT_EQ(0, child_wait(child_start(do_loop, NULL)));
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	EXPECT_GT(LIBC, own_value(self->fd));
	EXPECT_LE(LOOP, family_value(self->fd));
	EXPECT_GT(LOOP + LIBC, family_value(self->fd));
}

TEST_F(family, the_target_is_counted_from_its_start_to_its_stop)
{
	ASSERT_EQ(0, attach_and_start(self->fd));
	counted_loop(LOOP);
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	counted_loop(LOOP);
	EXPECT_LE(LOOP, own_value(self->fd));
	EXPECT_GT(LOOP + LIBC, own_value(self->fd));
}

TEST_F(family, children_that_were_there_before_are_not_counted)
{
	int go[2];
	char byte;
	pid_t pid;

	ASSERT_EQ(0, pipe(go));
	pid = fork();
	if (!pid) {
		if (read(go[0], &byte, 1) == 1)
			counted_loop(LOOP);
		_exit(0);
	}
	ASSERT_EQ(0, attach_and_start(self->fd));
	ASSERT_EQ(1, write(go[1], "", 1));
	EXPECT_EQ(0, child_wait(pid));
	EXPECT_GT(LIBC, family_value(self->fd));
	EXPECT_EQ(0, family_loss(self->fd, PFM_LOSS_PARTS));
}

/* The value of a counter, which says what was executed on its CPU. */
static int64_t raw_counter(const struct pfm_state *state, unsigned int i)
{
	uint32_t low, high;

	asm volatile("rdpmc"
		     : "=a"(low), "=d"(high)
		     : "c"(state->counter[i].map));
	return (int64_t)((uint64_t)high << 32 | low);
}

/* Members share a control, so that no register is written between them. */
TEST_F(family, what_a_target_may_read_tells_nothing_of_its_family)
{
	const struct pfm_state *state = pfm_map_state(self->fd);
	uint64_t shown;
	int64_t raw = 0;
	unsigned int i;

	ASSERT_NE(NULL, state);
	ASSERT_EQ(0, pin_to_cpu(0));
	ASSERT_EQ(0, attach_and_start(self->fd));
	i = (unsigned int)pfm_state_index(state, pmu_first()->pmd, 0);
	shown = pfm_read_counter(self->fd, state, i);
	if (pfm_state_usable(state))
		raw = raw_counter(state, i);
	EXPECT_EQ(0, child_wait(child_start(do_loop, NULL)));
	if (pfm_state_usable(state))
		raw = raw_counter(state, i) - raw;
	shown = pfm_read_counter(self->fd, state, i) - shown;
	EXPECT_GT(LIBC, shown);
	EXPECT_GT((int64_t)LIBC, raw);
	EXPECT_LE(LOOP, family_value(self->fd));
}

static int begin_and_sleep(void *end)
{
	return write(*(int *)end, "", 1) == 1 ? child_sleep(NULL) : 1;
}

/*
 * Children that all live at once, until stop_children(). A module makes the part of
 * a child when this has begun to run.
 */
static void start_children(pid_t *pids, int n)
{
	int i, ends[2];
	char byte;

	must(pipe(ends), "a pipe");
	for (i = 0; i < n; i++)
		pids[i] = child_start(begin_and_sleep, &ends[1]);
	for (i = 0; i < n && read(ends[0], &byte, 1) == 1; i++)
		;
	close(ends[0]);
	close(ends[1]);
}

static void stop_children(const pid_t *pids, int n)
{
	int i;

	for (i = 0; i < n; i++)
		child_kill(pids[i]);
}

TEST_F(family, children_over_inherit_max_are_lost_and_their_clone_works)
{
	pid_t pids[5];

	ASSERT_EQ(65536, attr_number("inherit_max"));
	ASSERT_EQ(0, attach_and_start(self->fd));
	ASSERT_EQ(0, attr_write("inherit_max", "2"));
	start_children(pids, 5);
	EXPECT_EQ(0, attr_write("inherit_max", "65536"));
	EXPECT_LT(0, pids[4]);
	EXPECT_EQ(2, family_loss(self->fd, PFM_LOSS_PARTS));
	EXPECT_EQ(3, family_loss(self->fd, PFM_LOSS_LOST));
	EXPECT_EQ(self->attached_before + 3, sessions_attached());
	stop_children(pids, 5);
	/* Those that have gone make room. */
	EXPECT_EQ(0, child_wait(child_start(do_loop, NULL)));
	EXPECT_EQ(3, family_loss(self->fd, PFM_LOSS_PARTS));
}

TEST(inherit_max_has_a_range)
{
	EXPECT_EQ(EINVAL, attr_write("inherit_max", "4194305"));
	EXPECT_EQ(EINVAL, attr_write("inherit_max", "-1"));
	EXPECT_EQ(EINVAL, attr_write("inherit_max", "many"));
	EXPECT_EQ(65536, attr_number("inherit_max"));
}

#define MANY 40

/* Of nobody, who may lock two pages: one is for the totals. */
static int lose_children(void *arg)
{
	const struct rlimit limit = { 2 * 4096, 2 * 4096 };
	uint64_t begun, lost;
	pid_t pids[MANY];
	int fd;

	(void)arg;
	if (setrlimit(RLIMIT_MEMLOCK, &limit))
		return 1;
	fd = family_session(0);
	if (attach_and_start(fd))
		return 2;
	start_children(pids, MANY);
	begun = family_loss(fd, PFM_LOSS_PARTS);
	lost = family_loss(fd, PFM_LOSS_LOST);
	stop_children(pids, MANY);
	if (pids[MANY - 1] < 0 || begun + lost != MANY)
		return 3;
	if (!lost)
		return 4;
	/* Their memory is back. */
	start_children(pids, 1);
	if (family_loss(fd, PFM_LOSS_PARTS) != begun + (begun > 0))
		return 5;
	stop_children(pids, 1);
	return 0;
}

TEST(parts_are_locked_memory_of_the_sessions_creator)
{
	NEEDS_COUNTERS();
	EXPECT_EQ(0, unprivileged(NO_GROUP, lose_children, NULL));
}

TEST_F(family, children_begin_with_one_set_after_the_other)
{
	uint64_t own[3], value;
	int i;

	ASSERT_EQ(0, set_make(self->fd, 0, PFM_SETFL_TIME_SWITCH,
			      timer_round(3600000000000ULL)));
	ASSERT_EQ(0, pmu_count_user(self->fd, pmu_first(), 0));
	for (i = 1; i < 3; i++)
		ASSERT_EQ(0,
			  set_make_counting(self->fd, i, PFM_SETFL_TIME_SWITCH,
					    timer_round(3600000000000ULL)));
	ASSERT_EQ(0, attach_and_start(self->fd));
	for (i = 0; i < 6; i++)
		EXPECT_EQ(0, child_wait(child_start(do_loop, NULL)));
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	for (i = 0; i < 3; i++) {
		own[i] = set_value(self->fd, i);
		value = family_set_value(self->fd, i) - own[i];
		EXPECT_LE(2 * LOOP, value);
		EXPECT_GT(2 * (LOOP + LIBC), value);
	}
	EXPECT_EQ(0, own[1]);
	EXPECT_EQ(0, own[2]);
}

static int loop_long(void *arg)
{
	(void)arg;
	counted_loop(50 * LOOP);
	return 0;
}

TEST_F(family, sets_take_turns_in_a_child_and_nothing_is_lost_between_them)
{
	struct pfarg_setinfo infos[2] = { { .set_id = 0 }, { .set_id = 1 } };
	uint64_t sum;

	ASSERT_EQ(0, set_make(self->fd, 0, PFM_SETFL_TIME_SWITCH,
			      timer_round(1000000)));
	ASSERT_EQ(0, pmu_count_user(self->fd, pmu_first(), 0));
	ASSERT_EQ(0, set_make_counting(self->fd, 1, PFM_SETFL_TIME_SWITCH,
				       timer_round(1000000)));
	ASSERT_EQ(0, attach_and_start(self->fd));
	EXPECT_EQ(0, child_wait(child_start(loop_long, NULL)));
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	sum = family_set_value(self->fd, 0) + family_set_value(self->fd, 1);
	EXPECT_LE(50 * LOOP, sum);
	EXPECT_GT(50 * LOOP + 2 * LIBC, sum);
	ASSERT_EQ(0, pfm_getinfo_sets(self->fd, PFM_GIFL_FAMILY, infos, 2));
	EXPECT_LT(set_runs(self->fd, 1), infos[1].set_runs);
	EXPECT_LT(set_duration(self->fd, 0), infos[0].set_act_duration);
	EXPECT_LT(0, infos[1].set_act_duration);
}

/* Becomes COPY, which executes the loop. */
static int exec_copy(void *arg)
{
	(void)arg;
	execl(COPY, COPY, RUN_LOOP, NULL);
	return 127;
}

/* Bits: 1 the program was counted, 2 its part has left, 4 something failed. */
static int launch_copy(void *arg)
{
	int fd = family_session(0);
	uint64_t value;

	(void)arg;
	if (attach_and_start(fd) || child_wait(child_start(exec_copy, NULL)) ||
	    pfm_stop_session(fd, 0))
		return 4;
	value = family_value(fd);
	return (value >= LOOP) | (family_loss(fd, PFM_LOSS_LEFT) == 1 ? 2 : 0);
}

TEST(a_program_with_more_rights_ends_the_part)
{
	NEEDS_COUNTERS();
	ASSERT_EQ(0, program_copy(COPY, 0755));
	EXPECT_EQ(1, unprivileged(NO_GROUP, launch_copy, NULL));
	ASSERT_EQ(0, program_copy(COPY, 04755));
	EXPECT_EQ(2, unprivileged(NO_GROUP, launch_copy, NULL));
	/* Root may count everything. */
	EXPECT_EQ(1, launch_copy(NULL));
	unlink(COPY);
}

TEST_F(family, registers_that_parts_have_copies_of_do_not_change)
{
	const struct pmu_counter *counter = pmu_first();
	const struct pfarg_pmd_attr attr = { .reg_short_reset = -1000ULL };
	const struct pfarg_pmd_attr none = { 0 };

	/* Never a counter that would have to interrupt. */
	EXPECT_EQ(EINVAL, ERRNO(write_pmd(self->fd, counter->pmd, -1ULL)));
	EXPECT_EQ(EINVAL,
		  ERRNO(write_pmd_attr(self->fd, counter->pmd, 0, 0, &attr)));
	EXPECT_EQ(0,
		  ERRNO(write_pmd_attr(self->fd, counter->pmd, 0, 0, &none)));
	EXPECT_EQ(EINVAL,
		  ERRNO(set_make(self->fd, 1, PFM_SETFL_OVFL_SWITCH, 0)));
	EXPECT_EQ(EINVAL,
		  ERRNO(set_make(self->fd, 0, PFM_SETFL_OVFL_SWITCH, 0)));
	ASSERT_EQ(0, attach_and_start(self->fd));
	EXPECT_EQ(EBUSY,
		  ERRNO(write_pmc(self->fd, counter->pmc, counter->user)));
	EXPECT_EQ(EBUSY, ERRNO(set_make(self->fd, 1, 0, 0)));
	if (pmu_get()->counters > 1) {
		EXPECT_EQ(EBUSY,
			  ERRNO(write_pmd(self->fd, pmu_get()->counter[1].pmd,
					  0)));
	}
	EXPECT_EQ(0, ERRNO(write_pmd(self->fd, counter->pmd, 0)));
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	EXPECT_EQ(0, ERRNO(write_pmc(self->fd, counter->pmc, counter->user)));
}

TEST_F(family, totals_stay_until_the_register_is_written)
{
	uint64_t first, second;

	ASSERT_EQ(0, attach_and_start(self->fd));
	EXPECT_EQ(0, child_wait(child_start(do_loop, NULL)));
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	first = family_value(self->fd);
	EXPECT_LE(LOOP, first);
	ASSERT_EQ(0, attach_and_start(self->fd));
	EXPECT_EQ(0, child_wait(child_start(do_loop, NULL)));
	ASSERT_EQ(0, pfm_detach_session(self->fd, 0));
	second = family_value(self->fd);
	EXPECT_LE(first + LOOP, second);
	EXPECT_GT(first + LOOP + LIBC, second);
	ASSERT_EQ(0, write_pmd(self->fd, pmu_first()->pmd, 17));
	EXPECT_EQ(17, family_value(self->fd));
}

/* The TSC of each member while it runs. */
TEST_F(family, the_time_stamp_counter_is_added_up_too)
{
	struct pfarg_pmr tsc = { .reg_num = PMD_TSC };
	struct pmu_reg reg;
	uint64_t own;

	if (!pmu_reg(PMU_PMD, PMD_TSC, &reg))
		SKIP(return, "no time stamp counter");
	ASSERT_EQ(0, write_pmd(self->fd, PMD_TSC, 0));
	ASSERT_EQ(0, attach_and_start(self->fd));
	EXPECT_EQ(0, child_wait(child_start(loop_long, NULL)));
	ASSERT_EQ(0, pfm_stop_session(self->fd, 0));
	ASSERT_EQ(0, read_pmd(self->fd, PMD_TSC, &own));
	ASSERT_EQ(0, pfm_read_pmrs(self->fd, PFM_RWFL_PMD | PFM_RWFL_FAMILY,
				   &tsc, 1));
	EXPECT_LT(own, tsc.reg_value);
}

TEST(flags_that_do_not_agree_are_refused)
{
	static const int wrong[] = {
		PFM_FL_INHERIT_THREAD,
		PFM_FL_INHERIT | PFM_FL_SYSTEM_WIDE,
		PFM_FL_INHERIT | PFM_FL_NOTIFY_BLOCK,
		PFM_FL_INHERIT | PFM_FL_OVFL_SIGINFO,
		PFM_FL_INHERIT | PFM_FL_YIELD,
	};
	struct pfarg_setinfo info = { .set_id = 0 };
	struct pfarg_pmr pmr = { .reg_num = pmu_first()->pmd };
	int plain, fd;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(wrong); i++)
		EXPECT_EQ(EINVAL, ERRNO(pfm_create_session(wrong[i], NULL, NULL,
							   (size_t)0)));
	plain = pmu_session(0);
	fd = family_session(0);
	ASSERT_LE(0, fd);
	EXPECT_EQ(EINVAL,
		  ERRNO(pfm_read_pmrs(plain, PFM_RWFL_PMD | PFM_RWFL_FAMILY,
				      &pmr, 1)));
	EXPECT_EQ(EINVAL,
		  ERRNO(pfm_read_pmrs(fd, PFM_RWFL_PMC | PFM_RWFL_FAMILY, &pmr,
				      1)));
	EXPECT_EQ(EINVAL, ERRNO(pfm_read_pmrs(fd, PFM_RWFL_FAMILY, &pmr, 1)));
	EXPECT_EQ(EINVAL,
		  ERRNO(pfm_write_pmrs(fd, PFM_RWFL_PMD | PFM_RWFL_FAMILY, &pmr,
				       1)));
	EXPECT_EQ(0, ERRNO(pfm_read_pmrs(fd, PFM_RWFL_PMD | PFM_RWFL_FAMILY,
					 &pmr, 1)));
	EXPECT_EQ(EINVAL,
		  ERRNO(pfm_getinfo_sets(plain, PFM_GIFL_FAMILY, &info, 1)));
	EXPECT_EQ(EINVAL,
		  ERRNO(pfm_getinfo_sets(fd, PFM_GIFL_FAMILY | PFM_GIFL_KINDS,
					 &info, 1)));
	EXPECT_EQ(0, ERRNO(pfm_getinfo_sets(fd, PFM_GIFL_FAMILY | PFM_GIFL_LOSS,
					    &info, 1)));
	close(plain);
	close(fd);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], RUN_LOOP)) {
		counted_loop(LOOP);
		return 0;
	}
	return test_harness_run(argc, argv);
}
