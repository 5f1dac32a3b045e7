// SPDX-License-Identifier: GPL-2.0-only
/*
 * counters PROCESSOR: is the processor detected for what it is, and does each
 * of its counters count exactly, and for whom?
 *
 * Loops of several lengths run on each counter, one after the other; what a
 * longer one counts more has to be what it executes more. The program needs no
 * C library, so that it runs on every processor that Linux runs on.
 *
 * Besides TAP it writes one line for the table of processors, with tabs
 * between its fields (checks/processors.py):
 *
 *	# processor NAME LINUX-NAME DRIVER MODEL COUNTERS EXACT
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "attr.h"
#include "counter_check.h"
#include "loop.h"
#include "pmrs.h"
#include "pmu.h"
#include "processors.h"

#define FIRST_FIXED 16

#define NOBODY 65534

/* Of 32-bit users, without which the call takes 16 bits. */
#ifdef __NR_setresuid32
#define SET_USER __NR_setresuid32
#else
#define SET_USER __NR_setresuid
#endif

static unsigned int number, failures;

static void __attribute__((format(printf, 2, 3)))
result(bool passed, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	printf("%s %u - ", passed ? "ok" : "not ok", ++number);
	vprintf(format, args);
	printf("\n");
	va_end(args);
	failures += !passed;
}

static bool same(const char *what, const char *expected, const char *found)
{
	if (!strcmp(expected, found))
		return true;
	printf("# %s: %s, expected: %s\n", what, found, expected);
	return false;
}

static bool same_number(const char *what, long expected, long found)
{
	if (expected == found)
		return true;
	printf("# %s: %ld, expected: %ld\n", what, found, expected);
	return false;
}

/*
 * Copies what stands between @before and @after in the first line of a text
 * that has both; false if there is none.
 */
static bool between(const char *text, const char *before, const char *after,
		    char *found, size_t size)
{
	size_t len, n;

	for (; *text; text++) {
		if (strncmp(text, before, strlen(before)))
			continue;
		text += strlen(before);
		for (n = 0, len = strlen(after); text[n] && text[n] != '\n';
		     n++)
			if (!strncmp(text + n, after, len))
				break;
		if (text[n] && n < size && !strncmp(text + n, after, len)) {
			memcpy(found, text, n);
			found[n] = '\0';
			return true;
		}
	}
	return false;
}

/* The name under which the kernel has logged the processor's counters. */
static bool driver_name(char *name, size_t size)
{
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);
	char record[2048];
	bool found = false;
	ssize_t n;

	if (fd < 0)
		return false;
	while (!found) {
		n = read(fd, record, sizeof(record) - 1);
		if (n < 0 && errno == EPIPE)
			continue;
		if (n <= 0)
			break;
		record[n] = '\0';
		found = between(record, ";perfctr: ", ", ", name, size);
	}
	close(fd);
	return found;
}

/* The name that Linux shows to its users. */
static bool linux_name(char *name, size_t size)
{
	static char text[8192];

	return !file_read("/proc/cpuinfo", text, sizeof(text)) &&
	       between(text, "model name\t: ", "\n", name, size);
}

static void check_identity(const struct processor *expected, const char *driver,
			   const struct pmu *pmu)
{
	unsigned int i, programmable = 0, fixed = 0;
	bool right = true, wide = true;

	for (i = 0; i < pmu->counters; i++) {
		const struct pmu_counter *counter = &pmu->counter[i];
		bool is_fixed = counter->known && counter->known->fixed;

		fixed += is_fixed;
		programmable += !is_fixed;
		wide &= same_number("width", expected->width, counter->width);
	}
	right &= same("driver", expected->driver, driver);
	right &= same("model", expected->model, pmu->model);
	result(right, "the processor is detected under its name");
	right = same_number("programmable counters", expected->programmable,
			    programmable);
	right &= same_number("fixed counters", expected->fixed, fixed);
	result(right && wide, "it has all of its counters");
}

static bool attr_is(const char *name, const char *expected)
{
	char text[64];

	return !attr_read(name, text, sizeof(text)) &&
	       same(name, expected, text);
}

static void check_sysfs(void)
{
	bool right = attr_is("version", "3.0\n");
	int fd;

	right &= attr_is("syscall", "500\n");
	right &= attr_is("task_sessions_count", "0\n");
	right &= attr_is("sys_sessions_count", "0\n");
	right &= attr_is("pmu_owner", "none\n");
	fd = pfm_create_session(0);
	right &= fd >= 0 && !attach_self(fd);
	right &= attr_is("task_sessions_count", "1\n");
	close(fd);
	right &= attr_is("task_sessions_count", "0\n");
	result(right, "sysfs says what it has to");
}

static bool check_counter(const struct pmu_counter *counter)
{
	struct pmu_reg reg;
	bool exact = false;
	int fd = -1;

	if (!pmu_reg(PMU_PMD, counter->pmd, &reg))
		reg.name[0] = '\0';
	if (!counter->known)
		printf("# tests/kit/known_events.c knows no event\n");
	else
		fd = pfm_create_session(0);
	if (fd >= 0) {
		if (!pmu_count_user(fd, counter, 0) && !attach_self(fd))
			exact = counts_exactly(fd, counter->pmd,
					       counter->known->num,
					       counter->known->den,
					       counter->known->any_level);
		else
			printf("# cannot be programmed: error %d\n", errno);
		close(fd);
	}
	result(exact, "pmd%u (%s) counts exactly", counter->pmd, reg.name);
	return exact;
}

/* The errno of programming a counter without any privilege. */
static int count_as_nobody(int fd, const struct pmu_counter *counter)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		if (syscall(SET_USER, NOBODY, NOBODY, NOBODY))
			exit(255);
		exit(pmu_count_user(fd, counter, 0) ? errno : 0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

/* A counter that cannot leave the kernel out is for the privileged. */
static void check_privileges(const struct pmu *pmu)
{
	bool right = true;
	unsigned int i;
	int fd;

	for (i = 0; i < pmu->counters; i++) {
		const struct pmu_counter *counter = &pmu->counter[i];

		if (!counter->known)
			continue;
		fd = pfm_create_session(0);
		right &= same_number("errno",
				     counter->known->any_level ? EPERM : 0,
				     count_as_nobody(fd, counter));
		close(fd);
	}
	result(right, "users count what can be told from the kernel's");
}

static uint64_t __attribute__((noinline)) time_stamp(void)
{
	uint32_t low, high;

	asm volatile("rdtsc" : "=a"(low), "=d"(high));
	return (uint64_t)high << 32 | low;
}

/*
 * The TSC register advances by what the counter itself advances between start
 * and stop, seen from within and from without. Another task may run between:
 * then its time is missing, and the next try has to do.
 */
static bool tsc_counts(int fd)
{
	uint64_t before, started, stopped, after, value;
	int i;

	for (i = 0; i < 10; i++) {
		if (write_pmd(fd, PMD_TSC, 1000))
			return false;
		before = time_stamp();
		if (pfm_start_session(fd, 0))
			return false;
		started = time_stamp();
		counted_loop(20000UL << i);
		stopped = time_stamp();
		if (pfm_stop_session(fd, 0))
			return false;
		after = time_stamp();
		if (read_pmd(fd, PMD_TSC, &value))
			return false;
		value -= 1000;
		if (value > after - before)
			return false;
		if (value >= stopped - started)
			return true;
	}
	return false;
}

static void check_tsc(const struct processor *expected)
{
	struct pmu_reg reg;
	bool right;
	int fd;

	if (expected->no_tsc) {
		result(!pmu_reg(PMU_PMD, PMD_TSC, &reg),
		       "there is no register for the TSC");
		return;
	}
	fd = pfm_create_session(0);
	right = pmu_reg(PMU_PMD, PMD_TSC, &reg) && !strcmp(reg.name, "TSC") &&
		reg.width == 64;
	right = right && fd >= 0 && !write_pmd(fd, PMD_TSC, 0) &&
		!attach_self(fd) && tsc_counts(fd);
	result(right, "pmd%u advances as the time-stamp counter does", PMD_TSC);
	close(fd);
}

int main(int argc, char **argv)
{
	const struct processor *expected = argc > 1 ? processor_named(argv[1]) :
						      NULL;
	char driver[64] = "none", name[128] = "unknown";
	const struct pmu *pmu = pmu_all();
	unsigned int i, exact = 0;

	if (!expected || !pmu) {
		printf("Bail out! %s\n",
		       pmu ? "no such row in tests/selftests/nolibc/processors.c" :
			     "no perfmon in this kernel");
		return 1;
	}
	driver_name(driver, sizeof(driver));
	linux_name(name, sizeof(name));
	check_identity(expected, driver, pmu);
	check_sysfs();
	for (i = 0; i < pmu->counters; i++)
		exact += check_counter(&pmu->counter[i]);
	check_privileges(pmu);
	check_tsc(expected);
	printf("1..%u\n", number);
	printf("# processor\t%s\t%s\t%s\t%s\t%u\t%u\n", expected->name, name,
	       driver, pmu->model, pmu->counters, exact);
	return failures > 0;
}
