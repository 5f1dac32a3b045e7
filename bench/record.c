// SPDX-License-Identifier: GPL-2.0-only
/*
 * What pfmon record executes for each sample that it writes: the same program is
 * sampled with a long and with a short period, and what the second run executes more
 * in user mode is pfmon's. Exact: from the statistics of the test machine. Prints a
 * line for each kind of samples; the status is 1 if one costs more than it may.
 */
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "array_size.h"
#include "meter.h"

#define ROUNDS 3
#define SAMPLES "/tmp/bench_record"

/* Samples of 20 million instructions. */
#define LONG_PERIOD "100000"
#define SHORT_PERIOD "1000"

/* The end of a file: so many samples, and a checksum. */
struct end {
	uint64_t samples, checksum;
};

static int execute(const char *const *words)
{
	pid_t child = fork();
	int status;

	if (!child) {
		int null = open("/dev/null", O_RDWR);

		dup2(null, STDOUT_FILENO);
		dup2(null, STDERR_FILENO);
		execv(words[0], (char *const *)(uintptr_t)words);
		_exit(127);
	}
	return child < 0 || waitpid(child, &status, 0) != child || status ? -1 :
									    0;
}

static int samples_written(uint64_t *samples)
{
	int fd = open(SAMPLES, O_RDONLY);
	struct end end;
	bool good = fd >= 0 && lseek(fd, -(off_t)sizeof(end), SEEK_END) > 0 &&
		    read(fd, &end, sizeof(end)) == sizeof(end);

	if (fd >= 0)
		close(fd);
	*samples = end.samples;
	return good ? 0 : -1;
}

/* The least user instructions of some runs, all of which have as many samples. */
static int record(const char *frames, const char *period, uint64_t *user,
		  uint64_t *samples)
{
	const char *const words[] = {
		"/usr/bin/pfmon",
		"record",
		"-o",
		SAMPLES,
		"-e",
		"instructions",
		"--no-symbols",
		"--no-random",
		frames,
		"-c",
		period,
		"/tests/tools/crowd",
		"loop",
		"10000000",
		NULL,
	};
	struct cost least = DEAREST;
	struct meter meter;

	for (int i = 0; i < ROUNDS; i++) {
		int failed;

		meter_start(&meter);
		failed = execute(words);
		keep_least(&least, meter_stop(&meter));
		if (failed || samples_written(samples))
			return -1;
	}
	*user = least.user;
	return 0;
}

struct kind {
	const char *name, *frames;
	uint64_t most; /* user instructions for a sample that is not compressed */
};

static bool print_kind(const struct kind *kind)
{
	uint64_t user[2], samples[2], each;

	if (record(kind->frames, LONG_PERIOD, &user[0], &samples[0]) ||
	    record(kind->frames, SHORT_PERIOD, &user[1], &samples[1]) ||
	    samples[1] <= samples[0]) {
		printf("# %s: pfmon record has failed\n", kind->name);
		return false;
	}
	each = (user[1] - user[0]) / (samples[1] - samples[0]);
	printf("%-24s %8llu samples %8llu each, at most %llu\n", kind->name,
	       (unsigned long long)(samples[1] - samples[0]),
	       (unsigned long long)each, (unsigned long long)kind->most);
	return each <= kind->most;
}

int main(void)
{
	static const struct kind kinds[] = {
		{ "an address", "--mappings=perf", 400 },
		{ "a call chain", "--call-graph=fp", 400 },
		/* With the program that finds the callers. */
		{ "a copied stack", "--call-graph=dwarf", 2500 },
	};
	bool good = true;

	if (meter_open()) {
		fprintf(stderr, "record: not the test machine\n");
		return 1;
	}
	printf("# user instructions of pfmon record for a sample\n");
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		good &= print_kind(&kinds[i]);
	unlink(SAMPLES);
	unlink(SAMPLES ".old");
	if (!good)
		printf("# a sample costs too much\n");
	return !good;
}
