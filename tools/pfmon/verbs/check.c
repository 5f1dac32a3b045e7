// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon check, see check.h: one fact a line, tried and not guessed where that
 * is possible, and behind each "no" what helps.
 */
#include "verbs/check.h"

#include <errno.h>
#include <getopt.h>
#include <json-c/json.h>
#include <perfmon/perfmon.h>
#include <perfmon/perfmon_dfl_smpl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <unistd.h>

#include "diag.h"
#include "engine/obstacles.h"
#include "engine/session.h"
#include "events/event.h"
#include "events/tables.h"
#include "grammar/words.h"
#include "record/kernel_formats.h"
#include "registers/assign.h"
#include "registers/available.h"
#include "registers/regmap.h"

#define FACTS_MAX 24
#define BUFFER_BYTES 65536u

struct fact {
	const char *name;
	char value[OBSTACLE_TEXT];
};

struct facts {
	struct fact list[FACTS_MAX];
	int count;
	bool usable; /* user-level counting works */
};

static char *add(struct facts *facts, const char *name)
{
	struct fact *fact = &facts->list[facts->count++];

	fact->name = name;
	return fact->value;
}

#define ADD(facts, name, ...) \
	snprintf(add(facts, name), sizeof(facts->list[0].value), __VA_ARGS__)

static void read_line(const char *path, char *line, int size)
{
	FILE *file = fopen(path, "re");

	line[0] = '\0';
	if (!file)
		return;
	if (fgets(line, size, file))
		line[strcspn(line, "\n")] = '\0';
	fclose(file);
}

/* Whether the kernel lets the caller count cycles at these levels. */
static bool try_levels(int fd, const struct regmap *map, unsigned int levels,
		       int *error)
{
	struct event_list list;
	struct pfarg_setinfo info = { 0 };
	struct plan plan;
	bool works = false;

	*error = 0;
	diag_quiet(true);
	if (!events_parse(&list, "cycles", levels) &&
	    !pfm_getinfo_sets(fd, 0, &info, 1) &&
	    !assign_events(&plan, &list, map, &info)) {
		works = !pfm_write_pmrs(fd, PFM_RWFL_PMC, plan.pmcs,
					plan.pmc_count);
		*error = errno;
	}
	diag_quiet(false);
	events_free(&list);
	return works;
}

static void check_pmu(struct facts *facts, int fd, const struct regmap *map)
{
	struct pfarg_setinfo info = { 0 };
	const struct available regs = { .map = map, .info = &info };
	char owner[REGMAP_TEXT];

	pfm_getinfo_sets(fd, 0, &info, 1);
	ADD(facts, "PMU", "%s, %d counters, events of %s", map->model,
	    available_counters(&regs),
	    tables_pmu() ? tables_pmu() : "no model");
	ADD(facts, "owner", "%s",
	    regmap_owner(owner, REGMAP_SYSFS) ? owner : "none");
}

static void check_levels(struct facts *facts, int fd, const struct regmap *map)
{
	int error;

	facts->usable = try_levels(fd, map, LEVEL_USER, &error);
	if (facts->usable)
		ADD(facts, "user level", "yes");
	else
		ADD(facts, "user level", "no: %s",
		    error ? strerror(error) :
			    "no counter for cycles; see pfmon list");
	if (try_levels(fd, map, LEVEL_KERNEL, &error))
		ADD(facts, "kernel level", "yes");
	else
		ADD(facts, "kernel level", "no: %s",
		    error == EPERM ? "get CAP_PERFMON, or become root" :
		    error	   ? strerror(error) :
				     "no counter for cycles");
}

static void check_system_wide(struct facts *facts)
{
	int fd = pfm_create_session(PFM_FL_SYSTEM_WIDE | PFM_FL_CLOEXEC);

	if (fd >= 0) {
		ADD(facts, "system-wide", "yes");
		close(fd);
	} else {
		ADD(facts, "system-wide",
		    "no: get CAP_PERFMON, or join the group in %s/sys_group",
		    REGMAP_SYSFS);
	}
}

static void check_ptrace(struct facts *facts)
{
	char scope[16];

	read_line("/proc/sys/kernel/yama/ptrace_scope", scope, sizeof(scope));
	/* Nobody traces itself, ESRCH, if nobody forbids that it tries. */
	if (ptrace(PTRACE_DETACH, getpid(), NULL, NULL) && errno != ESRCH)
		ADD(facts, "ptrace", "no: %s: allow ptrace(2) (seccomp?)",
		    strerror(errno));
	else if (!*scope)
		ADD(facts, "ptrace", "yes (no yama)");
	else if (atoi(scope) == 0 || (atoi(scope) < 3 && !geteuid()))
		ADD(facts, "ptrace", "yes (yama %s)", scope);
	else if (atoi(scope) == 1)
		ADD(facts, "ptrace",
		    "yes for commands (yama 1); -p: sysctl kernel.yama.ptrace_scope=0");
	else
		ADD(facts, "ptrace",
		    "no (yama %s): sysctl kernel.yama.ptrace_scope=1", scope);
}

static void check_memory(struct facts *facts)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_MEMLOCK, &limit))
		return;
	if (limit.rlim_cur == RLIM_INFINITY)
		ADD(facts, "memlock", "unlimited");
	else
		ADD(facts, "memlock", "%llu KiB = %llu threads that sample",
		    (unsigned long long)limit.rlim_cur / 1024,
		    (unsigned long long)limit.rlim_cur / BUFFER_BYTES);
}

/* The caller executes nothing, so this ends with the session. */
static bool try_at_exec(int fd)
{
	return !pfm_attach_session(fd, 0, getpid()) &&
	       !pfm_start_session(fd, PFM_STFL_AT_EXEC);
}

/* Whether threads and children can inherit a session. */
static void check_inheritance(struct facts *facts)
{
	int fd = session_create_inherited(false), error = errno;
	char most[32];

	if (fd < 0 && error != EINVAL) {
		ADD(facts, "follow without ptrace", "no: %s", strerror(error));
		return;
	}
	if (fd < 0) {
		ADD(facts, "follow without ptrace",
		    "no: --follow=ptrace, which stops each: needs a newer kernel (E2)");
		return;
	}
	close(fd);
	read_line(REGMAP_SYSFS "/inherit_max", most, sizeof(most));
	ADD(facts, "follow without ptrace",
	    "yes (E2), %s threads and children at once", *most ? most : "many");
}

/* Whether those sample into buffers that they share. */
static void check_shared_buffers(struct facts *facts)
{
	struct pfm_dfl_smpl_arg arg = { .buf_size = 4096,
					.buf_mode = PFM_DFL_SMPL_HALVES };
	int fd = pfm_create_session(PFM_FL_INHERIT | PFM_FL_SMPL_FMT,
				    PFM_DFL_SMPL_NAME, &arg, sizeof(arg));

	if (fd >= 0) {
		close(fd);
		ADD(facts, "sample without ptrace", "%s",
		    session_members_wait() ?
			    "yes (E4)" :
			    "yes, but what finds its buffer full is lost: record --follow=ptrace: needs a newer kernel (E4)");
	} else if (errno == EINVAL) {
		ADD(facts, "sample without ptrace",
		    "no: record --follow=ptrace: needs a newer kernel (E4)");
	} else {
		ADD(facts, "sample without ptrace", "no: %s", strerror(errno));
	}
}

/* Whether code of the kernel that has interrupts off can be sampled. */
static void check_delivery(struct facts *facts)
{
	char delivery[32];

	read_line(REGMAP_SYSFS "/delivery", delivery, sizeof(delivery));
	ADD(facts, "samples by NMIs", "%s",
	    strstr(delivery, "nmi") ? "yes, of the kernel" :
	    *delivery		    ? "no: overflow interrupts cannot be NMIs" :
				      "no: needs a newer kernel");
}

static bool can_assign(const char *event, int fd, const struct regmap *map)
{
	struct event_list list;
	struct pfarg_setinfo info = { 0 };
	struct plan plan;
	bool can;

	diag_quiet(true);
	can = !events_parse(&list, event, LEVEL_USER) &&
	      !pfm_getinfo_sets(fd, 0, &info, 1) &&
	      !assign_events(&plan, &list, map, &info);
	diag_quiet(false);
	events_free(&list);
	return can;
}

/* Which samples name the instruction itself, and not where its interrupt was taken. */
static void check_precise(struct facts *facts, int fd, const struct regmap *map)
{
	bool pebs = can_assign("instructions:p", fd, map);

	if (!pebs && !can_assign("cycles:p", fd, map))
		ADD(facts, "precise samples",
		    "no: the processor or the kernel has none that pfmon uses");
	else if (pebs && kernel_formats_precise())
		ADD(facts, "precise samples",
		    "yes (PEBS), of cycles:p, instructions:p, branches:p and others");
	else if (kernel_formats_precise())
		ADD(facts, "precise samples", "yes (IBS), of cycles:p%s",
		    can_assign("ops:p", fd, map) ? " or ops:p" : "");
	else
		ADD(facts, "precise samples", "no: needs a newer kernel");
}

/* Flags that an older kernel refuses with EINVAL. */
static void check_extensions(struct facts *facts, int fd)
{
	struct pfarg_setinfo info = { 0 };

	ADD(facts, "lost time told", "%s",
	    pfm_getinfo_sets(fd, PFM_GIFL_LOSS, &info, 1) ?
		    "no: needs a newer kernel (E6)" :
		    "yes (E6)");
	check_inheritance(facts);
	check_shared_buffers(facts);
	check_delivery(facts);
	ADD(facts, "read running threads", "%s",
	    session_reaches_running(fd) ?
		    "yes (E1, E3)" :
		    "no: -I needs -a; -p stops threads: needs a newer kernel (E1, E3)");
	ADD(facts, "launch without ptrace", "%s",
	    try_at_exec(fd) ? "yes (E5)" : "no: needs a newer kernel (E5)");
}

static void check_kernel(struct facts *facts, char *version, int size)
{
	char calls[32];

	read_line(REGMAP_SYSFS "/version", version, size);
	/* The module has a device in the place of system calls. */
	read_line(REGMAP_SYSFS "/syscall", calls, sizeof(calls));
	if (!*calls)
		read_line(REGMAP_SYSFS "/device", calls, sizeof(calls));
	if (*version)
		ADD(facts, "kernel", "%s at %s", version, calls);
	else
		ADD(facts, "kernel", "no perfmon");
}

/* One fact each: a reader of JSON finds them by their names. */
static void add_obstacles(struct facts *facts, int error)
{
	static const char *const names[OBSTACLES_MAX] = {
		"sessions",   "obstacle 2", "obstacle 3", "obstacle 4",
		"obstacle 5", "obstacle 6", "obstacle 7", "obstacle 8",
	};
	struct obstacles found;

	obstacles_here(&found, REGMAP_SYSFS, false, error);
	for (int i = 0; i < found.count; i++)
		ADD(facts, names[i], "no: %s", found.line[i]);
}

static void check_sessions(struct facts *facts)
{
	int fd = pfm_create_session(PFM_FL_CLOEXEC);
	struct regmap map;

	if (fd < 0) {
		add_obstacles(facts, errno);
		return;
	}
	if (!regmap_read(&map, REGMAP_SYSFS)) {
		check_pmu(facts, fd, &map);
		check_levels(facts, fd, &map);
		check_precise(facts, fd, &map);
	}
	check_system_wide(facts);
	check_extensions(facts, fd);
	close(fd);
}

static void print_text(const struct facts *facts)
{
	for (int i = 0; i < facts->count; i++)
		printf("%-22s %s\n", facts->list[i].name, facts->list[i].value);
}

static void print_json(const struct facts *facts)
{
	struct json_object *root = json_object_new_object();

	for (int i = 0; i < facts->count; i++)
		json_object_object_add(
			root, facts->list[i].name,
			json_object_new_string(facts->list[i].value));
	json_object_object_add(root, "usable",
			       json_object_new_boolean(facts->usable));
	puts(json_object_to_json_string_ext(
		root,
		JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(root);
}

static const struct option long_options[] = {
	{ "help", no_argument, NULL, 'h' },
	{ "json", no_argument, NULL, 'j' },
	{ NULL, 0, NULL, 0 },
};

int verb_check(int argc, char **argv)
{
	static struct facts facts;
	bool json = false;
	char version[32];
	int opt;

	words_begin("check");
	while ((opt = words_next(argc, argv, ":hj", long_options)) >= 0) {
		if (opt == 'h') {
			puts("usage: pfmon check [--json]\n\n"
			     "Tells what works here, and what helps where something does not.\n"
			     "The exit status is 0 if events can be counted at user level.");
			return 0;
		}
		if (opt == WORDS_BAD)
			return STATUS_FAILED;
		json = true;
	}
	if (optind < argc) {
		diag("%s: not expected here; see pfmon check --help",
		     argv[optind]);
		return STATUS_FAILED;
	}
	tables_init(NULL);
	check_kernel(&facts, version, sizeof(version));
	check_sessions(&facts);
	check_ptrace(&facts);
	check_memory(&facts);
	if (json)
		print_json(&facts);
	else
		print_text(&facts);
	return facts.usable ? 0 : 1;
}
