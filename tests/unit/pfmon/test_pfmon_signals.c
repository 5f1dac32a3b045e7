// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reports of children, signals and the deadline, all of which end the same wait: none
 * may be lost, whenever it comes.
 */
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include <valgrind/valgrind.h>

#include <cmocka.h>

#include "engine/clocks.h"
#include "engine/signals.h"

#define STORM 10000
#define STORM_NS (3 * NS_PER_S)

/* So long as somebody is there to wait for. */
static pid_t sleeper(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	/* A test that fails ends nobody. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (;;)
		pause();
}

static void end_child(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

/* A signal that comes when the next wait4() was as good as called; 0: none. */
static int on_the_way;

pid_t __real_wait4(pid_t pid, int *status, int options, struct rusage *usage);
pid_t __wrap_wait4(pid_t pid, int *status, int options, struct rusage *usage);

pid_t __wrap_wait4(pid_t pid, int *status, int options, struct rusage *usage)
{
	int sig = on_the_way;

	on_the_way = 0;
	if (sig)
		raise(sig);
	return __real_wait4(pid, status, options, usage);
}

struct news {
	pid_t pid;
	int sig;
	int status;
	siginfo_t info;
};

static struct news wait_for(const struct signals *signals, uint64_t deadline)
{
	struct news news = { 0 };

	news.pid = signals_wait4(signals, deadline, &news.status, &news.sig,
				 &news.info);
	return news;
}

static void nobody_is_an_error(void **state)
{
	struct signals signals;

	(void)state;
	signals_take(&signals);
	assert_int_equal(wait_for(&signals, 0).pid, -1);
	signals_wait_stopped(&signals);
	signals_restore(&signals);
}

static void each_ends_the_wait(void **state)
{
	pid_t pid = sleeper(), short_lived;
	struct signals signals;
	uint64_t deadline;
	struct news news;

	(void)state;
	signals_take(&signals);
	/* One that has come already, and who has sent it. */
	kill(getpid(), SIGUSR1);
	news = wait_for(&signals, 0);
	assert_int_equal(news.pid, 0);
	assert_int_equal(news.sig, SIGUSR1);
	assert_int_equal(news.info.si_pid, getpid());
	deadline = clocks_now() + 3 * NS_PER_MS;
	for (int i = 0; i < 2; i++) {
		news = wait_for(&signals, deadline);
		assert_int_equal(news.pid, 0);
		assert_int_equal(news.sig, 0);
		assert_true(clocks_now() >= deadline);
	}
	short_lived = fork();
	if (!short_lived)
		_exit(7);
	news = wait_for(&signals, 0);
	assert_int_equal(news.pid, short_lived);
	assert_int_equal(WEXITSTATUS(news.status), 7);
	signals_wait_stopped(&signals);
	signals_restore(&signals);
	end_child(pid);
}

static void what_was_noted_is_taken_by_who_waits_next(void **state)
{
	pid_t pid = sleeper();
	struct signals signals;
	siginfo_t info;

	(void)state;
	signals_take(&signals);
	wait_for(&signals, clocks_now());
	raise(SIGUSR1);
	raise(SIGHUP);
	signals_wait_stopped(&signals);
	raise(SIGTERM);
	assert_int_equal(signals_wait(&signals, 0, &info), SIGHUP);
	assert_int_equal(signals_wait(&signals, 0, &info), SIGUSR1);
	assert_int_equal(signals_wait(&signals, 0, &info), SIGTERM);
	assert_int_equal(signals_wait(&signals, clocks_now(), &info), 0);
	signals_restore(&signals);
	end_child(pid);
}

/* Nobody waits for it yet, and the wait would last. */
static void one_that_comes_just_before_the_wait_ends_it(void **state)
{
	uint64_t end = clocks_now() + 10 * NS_PER_S;
	pid_t pid = sleeper();
	struct signals signals;
	struct news news;

	(void)state;
	signals_take(&signals);
	on_the_way = SIGHUP;
	news = wait_for(&signals, end);
	assert_int_equal(news.pid, 0);
	assert_int_equal(news.sig, SIGHUP);
	assert_true(clocks_now() < end - 5 * NS_PER_S);
	signals_wait_stopped(&signals);
	signals_restore(&signals);
	end_child(pid);
}

/*
 * The processor's trap after each instruction: where the wait is at step `at` the signal
 * comes, and time for the timer that it sets.
 */
static struct {
	int sig;
	long at;
	long steps;
	bool last; /* nothing but the system call is left */
} stepping;

#define TRAP_FLAG 0x100

static void step(int trap, siginfo_t *info, void *context)
{
	static const unsigned char syscall_insn[] = { 0x0f, 0x05 };
	greg_t *regs = ((ucontext_t *)context)->uc_mcontext.gregs;
	uint64_t end;

	(void)trap;
	(void)info;
	stepping.last = regs[REG_RAX] == SYS_wait4 &&
			!memcmp((void *)(uintptr_t)regs[REG_RIP], syscall_insn,
				sizeof(syscall_insn));
	if (stepping.steps++ < stepping.at && !stepping.last)
		return;
	regs[REG_EFL] &= ~TRAP_FLAG;
	raise(stepping.sig);
	for (end = clocks_now() + NS_PER_MS / 4; clocks_now() < end;)
		;
}

static void at_whichever_instruction_it_comes(void **state)
{
	const struct sigaction action = { .sa_sigaction = step,
					  .sa_flags = SA_SIGINFO };
	uint64_t end = clocks_now() + 60 * NS_PER_S;
	struct signals signals;
	struct news news;
	pid_t pid;

	(void)state;
	if (RUNNING_ON_VALGRIND) /* has no such trap */
		skip();
	pid = sleeper();
	sigaction(SIGTRAP, &action, NULL);
	signals_take(&signals);
	/* What is done once. */
	wait_for(&signals, clocks_now());
	for (long at = 0; !stepping.last; at++) {
		stepping.sig = at % 2 ? SIGUSR1 : SIGHUP;
		stepping.at = at;
		stepping.steps = 0;
		__builtin_ia32_writeeflags_u64(__builtin_ia32_readeflags_u64() |
					       TRAP_FLAG);
		news = wait_for(&signals, end + (uint64_t)at);
		assert_int_equal(news.pid, 0);
		assert_int_equal(news.sig, stepping.sig);
	}
	assert_true(clocks_now() < end);
	signals_wait_stopped(&signals);
	signals_restore(&signals);
	end_child(pid);
}

/* With one CPU only the other waits whenever one runs, which proves little. */
static void stay_on(int cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	sched_setaffinity(0, sizeof(set), &set);
}

/* Sends the next as soon as the one before was taken. */
static void send_storm(pid_t pid, int taken)
{
	char byte;

	/* A test that fails ends nobody. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	stay_on(1);
	for (int i = 0;; i++) {
		kill(pid, i % 2 ? SIGUSR1 : SIGHUP);
		if (read(taken, &byte, 1) != 1)
			_exit(1);
	}
}

/* Just before the wait as well, where no system call notices it. */
static void no_signal_is_lost_whenever_it_comes(void **state)
{
	uint64_t end = clocks_now() + STORM_NS;
	struct signals signals;
	int taken[2], came = 0;
	cpu_set_t before;
	pid_t pid;

	(void)state;
	sched_getaffinity(0, sizeof(before), &before);
	assert_int_equal(pipe(taken), 0);
	signals_take(&signals);
	pid = fork();
	if (!pid)
		send_storm(getppid(), taken[0]);
	stay_on(0);
	while (came < STORM && clocks_now() < end) {
		/* A lost one would be waited for by both. */
		struct news news =
			wait_for(&signals, clocks_now() + 60 * NS_PER_S);

		assert_int_equal(news.pid, 0);
		assert_int_equal(news.sig, came++ % 2 ? SIGUSR1 : SIGHUP);
		assert_int_equal(write(taken[1], "", 1), 1);
		/* Till the next may come at any moment of what is done now. */
		for (volatile int spin = came * 37 % 40000; spin; spin--)
			;
	}
	assert_true(came > 0);
	end_child(pid);
	sched_setaffinity(0, sizeof(before), &before);
	signals_wait_stopped(&signals);
	signals_restore(&signals);
	close(taken[0]);
	close(taken[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nobody_is_an_error),
		cmocka_unit_test(each_ends_the_wait),
		cmocka_unit_test(what_was_noted_is_taken_by_who_waits_next),
		cmocka_unit_test(one_that_comes_just_before_the_wait_ends_it),
		cmocka_unit_test(at_whichever_instruction_it_comes),
		cmocka_unit_test(no_signal_is_lost_whenever_it_comes),
	};

	/* Whatever the program was started with. */
	for (int sig = 1; sig < SIGRTMIN; sig++)
		signal(sig, SIG_DFL);
	return cmocka_run_group_tests_name("pfmon_signals", tests, NULL, NULL);
}
