// SPDX-License-Identifier: GPL-2.0-only
/*
 * marked MODE: a program with marked regions whose instructions are known.
 *
 *	loop		"loop", three times
 *	nested		"outer" with 100 times "inner"
 *	threads N	N threads, each with "loop"
 *	forks N		N children, one after the other, each with "loop"
 *	exec		"loop", and then this program again with "loop"
 *	exits		"loop", and _exit() without handing over
 *	open		"open", which does not end, and an end without a begin
 */
#include <err.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <pfmon-mark.h>

/* One instruction, and two for each pass; the compiler adds none. */
#define LOOP(passes)                              \
	do {                                      \
		unsigned long left;               \
		__asm__ volatile("mov %1, %0\n\t" \
				 "1: dec %0\n\t"  \
				 "jnz 1b"         \
				 : "=&r"(left)    \
				 : "i"(passes)    \
				 : "cc");         \
	} while (0)

static __attribute__((noipa)) void loop(void)
{
	PFMON_REGION_BEGIN("loop");
	LOOP(100000);
	PFMON_REGION_END("loop");
	/* Else its last instructions would be before the call, in the region. */
	__asm__ volatile("");
}

static void nested(void)
{
	PFMON_REGION_BEGIN("outer");
	LOOP(1000);
	for (int i = 0; i < 100; i++) {
		PFMON_REGION_BEGIN("inner");
		LOOP(500);
		PFMON_REGION_END("inner");
	}
	PFMON_REGION_END("outer");
}

static void *thread(void *arg)
{
	loop();
	return arg;
}

static void threads(int count)
{
	pthread_t all[64];

	for (int i = 0; i < count; i++)
		if (pthread_create(&all[i], NULL, thread, NULL))
			errx(1, "cannot make a thread");
	for (int i = 0; i < count; i++)
		pthread_join(all[i], NULL);
}

static void forks(int count)
{
	for (int i = 0; i < count; i++) {
		pid_t pid = fork();

		if (!pid) {
			loop();
			exit(0);
		}
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			err(1, "cannot make a process");
	}
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	int count = argc > 2 ? atoi(argv[2]) : 1;

	if (count < 1 || count > 64)
		errx(1, "1 to 64 of them");
	if (!strcmp(mode, "nested")) {
		nested();
	} else if (!strcmp(mode, "threads")) {
		threads(count);
	} else if (!strcmp(mode, "forks")) {
		forks(count);
	} else if (!strcmp(mode, "open")) {
		PFMON_REGION_END("not begun");
		PFMON_REGION_BEGIN("open");
	} else {
		for (int i = 0; i < 3; i++)
			loop();
	}
	if (!strcmp(mode, "exits"))
		_exit(0);
	if (!strcmp(mode, "exec")) {
		PFMON_REGION_FLUSH();
		execl("/proc/self/exe", "again", "loop", (char *)NULL);
		err(1, "cannot execute");
	}
	return 0;
}
