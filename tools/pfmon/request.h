/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A request: what to count, of whom, how long, and where the report goes. Each
 * grammar makes one out of a command line, and the engine executes it.
 */
#ifndef PFMON_REQUEST_H
#define PFMON_REQUEST_H

#include <regex.h>
#include <stdbool.h>
#include <stdint.h>

#include "report/report.h"

#define REPEAT_MAX 10000
#define EVENT_LISTS_MAX 4096
#define NAME_LISTS_MAX 4096

/* Which threads and children of a measured thread are measured, too. */
struct follow_rules {
	bool forks;
	bool vforks;
	bool threads;
	const regex_t *only; /* command lines, NULL: all */
	const regex_t *except; /* NULL: none */
	bool exits; /* are looked at before they happen */
};

/* By what means they are: see engine/means.h. */
enum follow_means {
	FOLLOW_AUTO, /* the kernel where it can, else ptrace */
	FOLLOW_KERNEL, /* one session, which they inherit */
	FOLLOW_PTRACE, /* a session each, begun in a stop */
	FOLLOW_NONE,
};

/* How a command gets to its first instruction. */
enum launch_means {
	LAUNCH_AUTO,
	LAUNCH_PTRACE, /* pfmon traces it, and stops it there */
	LAUNCH_SELF, /* it attaches the session to itself before it executes */
};

/* How the results of threads or CPUs are put together. */
enum grouping {
	GROUP_ALL, /* one result */
	GROUP_THREADS,
	GROUP_PROCESSES,
	GROUP_CPUS,
	GROUP_CORES,
	GROUP_DIES,
	GROUP_SOCKETS,
	GROUP_NODES,
};

/* Of each sampled event one, or one for all of them. */
#define SAMPLED_MAX 32

struct sample_numbers {
	int count; /* 0: not given */
	uint64_t values[SAMPLED_MAX];
};

/* Numbers of counters. */
struct sample_registers {
	int count;
	uint16_t list[SAMPLED_MAX];
};

/* Who tells what is mapped where. */
enum mappings {
	MAPPINGS_AUTO, /* the kernel, if it does */
	MAPPINGS_PERF, /* the kernel, by a software event of perf_event */
	MAPPINGS_PROC, /* /proc/PID/maps, looked at now and then */
};

/* What threads do while their buffer is full. */
enum sample_block {
	BLOCK_DEFAULT, /* threads wait, CPUs cannot */
	BLOCK_ALWAYS,
	BLOCK_NEVER,
};

/* Levels of zstd: what costs least if nothing is said. */
#define COMPRESSION_DEFAULT 1
#define COMPRESSION_MAX 19

/* Kinds of branches, as the bits of the register that leave them out. */
enum branches {
	BRANCHES_COND = 0x004,
	BRANCHES_REL_CALL = 0x008,
	BRANCHES_IND_CALL = 0x010,
	BRANCHES_RETURN = 0x020,
	BRANCHES_IND_JMP = 0x040,
	BRANCHES_REL_JMP = 0x080,
	BRANCHES_FAR = 0x100,
	BRANCHES_ALL = 0x1fc,
};

/* How samples are taken. */
struct sample_wish {
	bool wanted; /* else events are counted only */
	struct sample_numbers periods; /* 0: counted only, and recorded */
	struct sample_numbers short_periods;
	struct sample_numbers random; /* masks */
	/* Without a mask periods vary by chance, about the number that was asked for. */
	bool vary;
	uint64_t seed; /* the same periods in each run; 0: others */
	/* Numbers are of the first events, others are counted and recorded. */
	bool first_events;
	struct sample_registers extra; /* recorded as well */
	/* Those begin anew with each sample: of the events, if none is named. */
	bool reset;
	struct sample_registers resets;
	bool saturate; /* a full buffer is the end */
	unsigned int hertz; /* of cycles, instead of a period; 0: not given */
	uint64_t buffer; /* bytes of the kernel's buffer, 0: not given */
	unsigned int entries; /* samples that it is to hold, 0: not given */
	unsigned int frames; /* addresses of a call chain; 0: there is none */
	unsigned int stack_bytes; /* copied, to find callers by tables; 0: none */
	bool copies_if_possible; /* else it is an error that they cannot be copied */
	enum sample_block block;
	enum mappings mappings;
	bool no_symbols; /* of functions that were hit */
	bool data; /* addresses of data that sampled instructions access */
	unsigned int branches; /* kinds of the last ones; 0: none is recorded */
	unsigned int branch_levels; /* of them, LEVEL_*; 0: as the events have */
	unsigned int latency; /* cycles of loads that are sampled, 0: not given */
	bool no_nmi; /* nor of code of the kernel that has interrupts off */
	unsigned int compression; /* level, 0: none */
};

/* Where the report goes, see report/output.h. */
struct destination {
	const char *file; /* NULL: the stream; "-": standard output */
	int fd; /* of --log-fd, -1: none */
	bool append;
	bool standard_error; /* the stream is this, not standard output */
};

struct request {
	const char *verb; /* "" is the classic command line */

	const char *events; /* all lists that were given, NULL: the default */
	char event_lists[EVENT_LISTS_MAX]; /* where it is */
	const char *cgroup; /* whose processes are attached to, NULL: none */
	const char *groups; /* of events, by name, NULL: none */
	const char *metrics; /* by name, NULL: those of the groups */
	char name_lists[NAME_LISTS_MAX]; /* where either is; not both are given */
	unsigned int levels; /* LEVEL_*, never 0 */
	const char *reference; /* of sets: an event, "none", or NULL */
	uint64_t switch_events; /* of it in a turn of a set, 0: not said */
	uint64_t switch_ns; /* how long a turn is, 0: not said */
	const char *pmu; /* model to use, NULL: that of this processor */

	char **command; /* NULL: none */
	char **until; /* runs beside what is attached to, up to its end; or NULL */
	const char *processes; /* list of ids, NULL: none */
	const char *threads;
	bool system_wide;
	const char *cpus; /* list, NULL: all */
	bool pin_command;
	bool no_output; /* of the command */
	struct follow_rules follow;
	enum follow_means means; /* as the user wants it */
	enum launch_means launch;
	const char *start; /* where counting begins, NULL: with the command */
	bool wait_all; /* for children that outlive the command */

	uint64_t delay_ns; /* counting begins so long after the start */
	const char *control; /* as control_open() takes it, NULL: none */
	bool wait_for_enable; /* counting begins when that says so */
	bool dont_start; /* the command does, which has the session */
	uint64_t timeout_ns; /* from there; 0: none */
	uint64_t interval_ns;
	unsigned int interval_count; /* 0: no limit */
	bool interval_clear; /* each on an empty screen */
	bool cumulative; /* intervals tell all since the start */
	unsigned int repeat; /* 0: until an interrupt */

	enum grouping grouping;
	bool no_merge; /* instances of a PMU are events of their own */
	struct destination destination;
	const char *textfile; /* written anew each time, NULL: none */
	struct report_style style;
	const char *advice; /* how to get full coverage, NULL: no way */
	struct sample_wish samples;
	bool null; /* count nothing */
	bool detailed; /* more of the events that are counted if none are named */
	bool regions; /* the command counts what it has marked */
	bool verbose;
	bool check_only; /* --check-events-only */
};

/* Whether what runs already is counted, and not a command. */
static inline bool request_attaches(const struct request *request)
{
	return request->processes || request->threads;
}

/* Whether anything but the first thread is followed. */
static inline bool request_follows(const struct request *request)
{
	return request->follow.forks || request->follow.vforks ||
	       request->follow.threads;
}

/* Whether each thread and child is followed, as far as programs are wanted. */
static inline bool request_follows_all(const struct request *request)
{
	return request->follow.forks && request->follow.vforks &&
	       request->follow.threads;
}

/* Whether counting begins later than the command. */
static inline bool request_waits(const struct request *request)
{
	return request->delay_ns || request->wait_for_enable ||
	       request->dont_start;
}

#endif /* PFMON_REQUEST_H */
