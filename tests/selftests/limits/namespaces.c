// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sessions and namespaces: whose numbers the process and thread ids in messages
 * and samples are, and that the capabilities which a user has in a namespace of
 * its own are worth nothing here.
 */
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "attr.h"
#include "child.h"
#include "default_format.h"
#include "instruction_track.h"
#include "loop.h"
#include "machine.h"
#include "message.h"
#include "overflow_period.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"
#include "unprivileged.h"

#define PERIOD 10000
#define ROUNDS 2000UL
#define ENTRIES 100

/* What a child says when something that is not the subject went wrong. */
#define BROKEN 200

/* The first process of a new pid namespace, and what it does. */
struct inmate {
	child_fn fn;
	void *arg;
};

static int enter(void *arg)
{
	const struct inmate *inmate = arg;
	int status;
	pid_t pid;

	if (unshare(CLONE_NEWPID))
		return BROKEN;
	pid = fork();
	if (pid == 0) {
		/* The namespace of the parent is another one: no getppid(). */
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		_exit(getpid() == 1 ? inmate->fn(inmate->arg) : BROKEN);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return BROKEN;
	return WEXITSTATUS(status);
}

/* Runs @fn as process 1 of a new pid namespace; returns its result. */
static int in_pid_namespace(child_fn fn, void *arg)
{
	struct inmate inmate = { .fn = fn, .arg = arg };

	return child_wait(child_start(enter, &inmate));
}

/* What one overflow of the caller tells, and one sample. */
struct told {
	pid_t pid, tid;
	uint32_t sample_pid, sample_tgid;
};

/* Counts the caller on a session until it has a sample and a message. */
static int be_sampled(struct sampler *sampler, struct told *told)
{
	const struct pfm_dfl_smpl_entry *entry;
	union pfarg_msg msg;

	if (period_program(sampler->fd, pmu_first(), PFM_REGFL_OVFL_NOTIFY,
			   PERIOD, NULL) ||
	    attach_self(sampler->fd) || track_run(sampler->fd, ROUNDS))
		return BROKEN;
	entry = sampler_next(sampler, NULL, 0);
	if (!entry || message_take(sampler->fd, &msg))
		return BROKEN;
	told->pid = msg.pfm_ovfl_msg.msg_ovfl_pid;
	told->tid = msg.pfm_ovfl_msg.msg_ovfl_tid;
	told->sample_pid = entry->pid;
	told->sample_tgid = entry->tgid;
	return 0;
}

/* Room for one entry: the first overflow fills it, and is told. */
static int sample_me(struct told *told)
{
	struct sampler sampler;
	int result;

	if (sampler_open(&sampler, 0, dfl_size(1)))
		return BROKEN;
	result = be_sampled(&sampler, told);
	sampler_close(&sampler);
	return result;
}

static bool tells(const struct told *told, pid_t pid, pid_t tid)
{
	return told->pid == pid && told->tid == tid &&
	       told->sample_pid == (uint32_t)tid &&
	       told->sample_tgid == (uint32_t)pid;
}

static int first_process(void *arg)
{
	struct told told;

	(void)arg;
	return sample_me(&told) ?: !tells(&told, 1, 1);
}

TEST(ids_are_those_of_the_creators_namespace)
{
	NEEDS_INTERRUPTS();
	EXPECT_EQ(0, in_pid_namespace(first_process, NULL));
}

static void *second_thread(void *arg)
{
	struct told told;
	int *result = arg;

	*result = sample_me(&told) ?: !tells(&told, 1, gettid());
	if (gettid() == 1)
		*result = BROKEN;
	return NULL;
}

static int process_with_a_second_thread(void *arg)
{
	int result = BROKEN;
	pthread_t thread;

	(void)arg;
	if (pthread_create(&thread, NULL, second_thread, &result))
		return BROKEN;
	pthread_join(thread, NULL);
	return result;
}

TEST(a_thread_and_its_process_are_told_apart_in_a_namespace)
{
	NEEDS_INTERRUPTS();
	EXPECT_EQ(0, in_pid_namespace(process_with_a_second_thread, NULL));
}

/* A session from outside, used by process 1 of a namespace on itself. */
static int sample_by_session(void *arg)
{
	struct sampler *sampler = arg;
	struct told told;
	int result = be_sampled(sampler, &told);

	if (result)
		return result;
	/* It cannot know its number outside: it is none of those inside. */
	return told.pid <= 1 || told.pid != told.tid ||
	       told.sample_pid != (uint32_t)told.tid ||
	       told.sample_tgid != (uint32_t)told.pid;
}

TEST(a_session_keeps_the_namespace_of_its_creator)
{
	struct sampler sampler;

	NEEDS_INTERRUPTS();
	ASSERT_EQ(0, sampler_open(&sampler, 0, dfl_size(1)));
	EXPECT_EQ(0, in_pid_namespace(sample_by_session, &sampler));
	sampler_close(&sampler);
}

/* Samples of CPU 0 by a process of a namespace. */
struct watch {
	int ready[2], counted[2];
};

static int count_entries(const struct sampler *sampler)
{
	const struct pfm_dfl_smpl_entry *entry = NULL;
	int foreign = 0;

	/* The others have no number here; the watcher itself is number 1. */
	while ((entry = sampler_next(sampler, entry, 0))) {
		if (entry->pid > 1 || entry->pid != entry->tgid)
			return 2;
		foreign += !entry->pid;
	}
	return foreign < ENTRIES / 2;
}

static int watch_cpu(void *arg)
{
	struct watch *watch = arg;
	struct sampler sampler;
	int result = BROKEN;
	char byte;

	if (sampler_open(&sampler, PFM_FL_SYSTEM_WIDE, dfl_size(ENTRIES)))
		return BROKEN;
	if (!period_program(sampler.fd, pmu_first(), 0, PERIOD, NULL) &&
	    !pfm_attach_session(sampler.fd, 0, 0) &&
	    !pfm_start_session(sampler.fd, 0) &&
	    write(watch->ready[1], "", 1) == 1 &&
	    read(watch->counted[0], &byte, 1) == 1)
		result = count_entries(&sampler);
	sampler_close(&sampler);
	return result;
}

static int watch_from_inside(void *arg)
{
	return in_pid_namespace(watch_cpu, arg);
}

TEST(threads_of_other_namespaces_have_no_number_in_samples_of_a_cpu)
{
	struct watch watch;
	char byte;
	pid_t pid;

	NEEDS_INTERRUPTS();
	ASSERT_EQ(0, pin_to_cpu(0));
	ASSERT_EQ(0, pipe(watch.ready));
	ASSERT_EQ(0, pipe(watch.counted));
	pid = child_start(watch_from_inside, &watch);
	ASSERT_EQ(1, read(watch.ready[0], &byte, 1));
	counted_loop(2UL * ENTRIES * PERIOD);
	ASSERT_EQ(1, write(watch.counted[1], "", 1));
	EXPECT_EQ(0, child_wait(pid));
}

/*
 * The errno of a call by somebody who has every capability in a user namespace
 * of his own, and shows it by a pid namespace. BROKEN if he cannot.
 */
static int rule_and_call(void *arg)
{
	int (*const *call)(void) = arg;

	if (unshare(CLONE_NEWUSER) || unshare(CLONE_NEWPID))
		return BROKEN;
	return (*call)();
}

/* The owner of the namespace is a stranger, or even the real root. */
static int as_stranger(int (*call)(void))
{
	return unprivileged(NO_GROUP, rule_and_call, &call);
}

static int as_former_root(int (*call)(void))
{
	return child_wait(child_start(rule_and_call, &call));
}

static int watch_a_cpu(void)
{
	return ERRNO(pfm_create_session(PFM_FL_SYSTEM_WIDE));
}

static int count_the_kernel(void)
{
	const struct pmu_counter *counter = pmu_first();
	int fd = pfm_create_session(0);

	return fd < 0 ? BROKEN :
			ERRNO(pmu_program(fd, counter, counter->kernel, 0));
}

static int monitor_init(void)
{
	int fd = pfm_create_session(0);

	return fd < 0 ? BROKEN : ERRNO(pfm_attach_session(fd, 0, 1));
}

static int lock_a_buffer(void)
{
	const struct rlimit none = { 0 };

	if (setrlimit(RLIMIT_MEMLOCK, &none))
		return BROKEN;
	return ERRNO(dfl_create(0, dfl_size(ENTRIES)));
}

/* Root owns the files of sysfs, whoever he is there: only others are refused. */
static int change_the_limit(void)
{
	return attr_write("arg_mem_max", "8192\n");
}

TEST(capabilities_of_a_user_namespace_count_for_nothing)
{
	static const struct {
		const char *what;
		int (*call)(void);
		int error;
	} cases[] = {
		{ "watch a CPU", watch_a_cpu, EPERM },
		{ "count the kernel", count_the_kernel, EPERM },
		{ "monitor init", monitor_init, EPERM },
		{ "lock a buffer", lock_a_buffer, ENOMEM },
	};
	unsigned int i;

	NEEDS_COUNTERS();
	for (i = 0; i < ARRAY_SIZE(cases); i++) {
		EXPECT_EQ(cases[i].error, as_stranger(cases[i].call))
		{
			TH_LOG("%s, as a stranger", cases[i].what);
		}
		EXPECT_EQ(cases[i].error, as_former_root(cases[i].call))
		{
			TH_LOG("%s, as a former root", cases[i].what);
		}
	}
	EXPECT_EQ(EACCES, as_stranger(change_the_limit));
}

/* What needs no capability works as everywhere. */
static int count_myself(void)
{
	const struct pmu_counter *counter = pmu_first();
	int fd = pmu_session(0);
	uint64_t value;

	if (fd < 0 || attach_self(fd) || pfm_start_session(fd, 0))
		return BROKEN;
	counted_loop(2000000);
	if (pfm_stop_session(fd, 0) || read_pmd(fd, counter->pmd, &value))
		return BROKEN;
	return value < 2000000 || value > 2000000 + CALL_COST;
}

TEST(in_a_user_namespace_one_counts_oneself)
{
	NEEDS_COUNTERS();
	EXPECT_EQ(0, as_stranger(count_myself));
	EXPECT_EQ(0, as_former_root(count_myself));
}

TEST_HARNESS_MAIN
