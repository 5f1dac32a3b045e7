// SPDX-License-Identifier: GPL-2.0-only
/* The command line of pfmon stat: command lines of perf stat do what they say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "array_size.h"
#include "engine/idlist.h"
#include "events/event.h"
#include "grammar/stat.h"
#include "message.h"
#include "words.h"

static struct stat_options opts;
static const struct request *const request = &opts.request;

/* Parses "stat" followed by the words. */
static int parse(const char *const words[ARGS_MAX])
{
	int argc;
	char **argv = words_of("stat", words, &argc);

	return stat_parse(&opts, argc, argv);
}

#define TAKE(...) \
	assert_int_equal(parse((const char *const[ARGS_MAX]){ __VA_ARGS__ }), 0)

static void a_command_is_followed_and_reported_on_standard_error(void **state)
{
	(void)state;
	TAKE("ls", "-l");
	assert_true(request->follow.forks && request->follow.vforks &&
		    request->follow.threads);
	assert_int_equal(request->style.format, REPORT_STAT);
	assert_true(request->destination.standard_error);
	assert_int_equal(request->levels, LEVEL_USER);
	assert_null(request->events);
	assert_string_equal(request->command[1], "-l");
}

static void rows_are_of_places_or_instances(void **state)
{
	(void)state;
	TAKE("--per-core", "-a", "sleep", "5");
	assert_int_equal(request->grouping, GROUP_CORES);
	TAKE("--per-socket", "-a", "sleep", "5");
	assert_int_equal(request->grouping, GROUP_SOCKETS);
	TAKE("--per-die", "-a", "sleep", "5");
	assert_int_equal(request->grouping, GROUP_DIES);
	assert_false(request->no_merge);
	TAKE("--per-node", "-a", "sleep", "5");
	assert_int_equal(request->grouping, GROUP_NODES);
	TAKE("--per-node", "-a", "--textfile", "f");
	assert_string_equal(request->textfile, "f");
	TAKE("--no-merge", "-a", "sleep", "5");
	assert_true(request->no_merge);
}

static void a_cgroup_is_attached_to_with_its_children(void **state)
{
	(void)state;
	TAKE("-a", "-G", "web.slice", "sleep", "1");
	assert_string_equal(request->cgroup, "web.slice");
	assert_false(request->system_wide);
	assert_true(request->follow.forks);
	assert_string_equal(request->until[0], "sleep");
}

static void several_lists_of_names_add_up(void **state)
{
	(void)state;
	TAKE("-g", "CLOCK,L2", "--topdown", "--group=L3", "true");
	assert_string_equal(request->groups, "CLOCK,L2,TMA,L3");
	TAKE("-M", "IPC", "-MCPI", "true");
	assert_string_equal(request->metrics, "IPC,CPI");
}

static void command_lines_of_perf_stat_are_understood(void **state)
{
	(void)state;
	TAKE("-e", "cycles,instructions", "-e", "branches", "ls");
	assert_string_equal(request->events, "cycles,instructions,branches");
	TAKE("-a", "--", "sleep", "10");
	assert_true(request->system_wide && !request->follow.forks);
	TAKE("-A", "-C0,2", "-I", "1000", "sleep", "5");
	assert_int_equal(request->grouping, GROUP_CPUS);
	assert_int_equal(request->interval_ns, 1000000000);
	TAKE("-r5", "-B", "true");
	assert_int_equal(request->repeat, 5);
	assert_int_equal(request->style.digits, DIGITS_COMMA);
	TAKE("-x,", "-e", "cycles", "-o", "f", "--append", "true");
	assert_string_equal(request->style.separator, ",");
	assert_string_equal(request->destination.file, "f");
	assert_true(request->destination.append);
	TAKE("-i", "make");
	assert_false(request->follow.forks || request->follow.threads);
	assert_string_equal(request->advice, "omit -i");
	TAKE("-p", "12,13", "--timeout", "500");
	assert_string_equal(request->processes, "12,13");
	assert_int_equal(request->timeout_ns, 500000000);
	TAKE("-t", "14");
	assert_string_equal(request->threads, "14");
	assert_false(request->follow.threads);
	TAKE("--per-thread", "--log-fd", "3", "-j", "true");
	assert_int_equal(request->grouping, GROUP_THREADS);
	assert_int_equal(request->destination.fd, 3);
	assert_int_equal(request->style.format, REPORT_JSON);
	TAKE("--null", "-r", "10", "--", "-odd-name");
	assert_true(request->null);
	TAKE("--all-kernel", "--all-user", "--interval-print=10", "-a",
	     "--interval-count=3");
	assert_int_equal(request->levels, LEVEL_USER | LEVEL_KERNEL);
	assert_int_equal(request->interval_count, 3);
	TAKE("-g", "CLOCK", "true");
	assert_string_equal(request->groups, "CLOCK");
	TAKE("-MIPC,CPI", "true");
	assert_string_equal(request->metrics, "IPC,CPI");
	TAKE("--switch-events=5000", "--reference=cycles", "true");
	assert_int_equal(request->switch_events, 5000);
	assert_string_equal(request->reference, "cycles");
	TAKE("--field-sep", "\\t", "--no-inh", "true");
	assert_string_equal(request->style.separator, "\t");
}

static void a_command_bounds_what_is_attached_to(void **state)
{
	(void)state;
	TAKE("-p", "12", "sleep", "1");
	assert_string_equal(request->processes, "12");
	assert_null(request->command);
	assert_string_equal(request->until[0], "sleep");
	assert_string_equal(request->until[1], "1");
	TAKE("-t", "14", "-r", "3", "--", "sleep", "1");
	assert_string_equal(request->until[0], "sleep");
	assert_int_equal(request->repeat, 3);
	TAKE("-p", "12");
	assert_null(request->until);
	TAKE("-a", "sleep", "1");
	assert_null(request->until);
	assert_string_equal(request->command[0], "sleep");
}

static void the_means_of_following_can_be_said(void **state)
{
	(void)state;
	TAKE("--follow=kernel", "true");
	assert_int_equal(request->means, FOLLOW_KERNEL);
	assert_true(request->follow.forks && request->follow.threads);
	TAKE("--follow=kernel", "-p", "1");
	assert_int_equal(request->means, FOLLOW_KERNEL);
	TAKE("--follow=ptrace", "--per-thread", "true");
	assert_int_equal(request->means, FOLLOW_PTRACE);
	TAKE("--follow=none", "true");
	assert_false(request->follow.forks || request->follow.threads);
	assert_string_equal(request->advice, "omit --follow=none");
	TAKE("--follow=none", "-i", "true");
	assert_string_equal(request->advice, "omit -i");
	TAKE("--launch=self", "true");
	TAKE("--follow=kernel", "--launch=ptrace", "true");
}

static void counting_begins_where_it_was_said(void **state)
{
	(void)state;
	TAKE("--start=exec", "true");
	assert_null(request->start);
	TAKE("--start=entry", "true");
	assert_string_equal(request->start, "entry");
	TAKE("--launch=ptrace", "--start", "main", "true");
	assert_string_equal(request->start, "main");
}

static void what_it_has_not_is_refused_by_name(void **state)
{
	static const struct {
		const char *words[ARGS_MAX];
		const char *said;
	} cases[] = {
		{ { "-G", "web,db", "true" }, "-G web,db: counts one cgroup" },
		{ { "-G", "web", "-p", "1", "true" }, "-G: counts the" },
		{ { "--for-each-cgroup", "web", "true" },
		  "option --for-each-cgroup: use -G" },
		{ { "--bpf-counters", "true" }, "BPF" },
		{ { "-T", "true" }, "option -T: " },
		{ { "-D", "-1", "true" }, "-D -1: only with --control" },
		{ { "-D", "soon", "true" }, "-D soon: not a time" },
		{ { "--interval-clear", "true" }, "only with -I" },
		{ { "--interval-clear", "-I", "10", "-j", "true" },
		  "only with text" },
		{ { "-M", "IPC", "-e", "cycles", "true" }, "-e and -g or -M" },
		{ { "-M", "IPC", "-g", "L2", "true" }, "-g and -M" },
		{ { "--topdown", "-M", "IPC", "true" }, "-g and -M" },
		{ { "-d", "-e", "cycles", "true" }, "-d: adds to" },
		{ { "--per-core", "true" }, "--per-core, --per-die" },
		{ { "--no-merge", "-g", "CLOCK", "-a" }, "--no-merge and -g" },
		{ { "--control", "fd:3", "-r", "2", "true" },
		  "-r and --control: both given" },
		{ { "-m", "-p", "1" }, "-m: needs a command" },
		{ { "-m", "-a", "true" }, "-m and -a" },
		{ { "-m", "-r", "2", "true" }, "-m and -r" },
		{ { "-m", "--null", "true" }, "-m and --null" },
		{ { "-m", "--timeout", "5", "true" }, "-m: the whole" },
		{ { "-m", "-x", ",", "true" }, "-m: not with -x" },
		{ { "-p", "1", "--wait-all", "true" },
		  "-p or -t with a command and --wait-all" },
		{ { "-p", "1", "-a", "true" }, "-a and -p or -t" },
		{ { "-p", "1", "--launch=self", "true" }, "needs a command" },
		{ { "-A", "true" }, "-A: only with -a" },
		{ { "-r", "2", "-I", "10", "-a", "true" }, "-r and -I" },
		{ { "--per-thread", "-a" }, "-a and --per-thread" },
		{ { NULL }, "no command" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		message_catch();
		assert_int_equal(parse(cases[i].words), -1);
		message_expect(cases[i].said, NULL);
	}
}

static void what_a_means_cannot_do_is_refused(void **state)
{
	static const struct {
		const char *words[ARGS_MAX];
		const char *said;
	} cases[] = {
		{ { "--follow=kernel", "--per-thread", "true" },
		  "--follow=kernel and rows of threads" },
		{ { "--follow=kernel", "--per-process", "true" },
		  "--follow=kernel and rows of threads" },
		{ { "--follow=kernel", "-i", "true" },
		  "-i and --follow=kernel" },
		{ { "-i", "--follow=ptrace", "true" },
		  "-i and --follow=ptrace" },
		{ { "--follow=kernel", "-a", "true" },
		  "-a and --follow=kernel" },
		{ { "--follow=kernel", "-p", "1", "--per-thread" },
		  "--follow=kernel and rows of threads" },
		{ { "--follow=ptrace", "-t", "1" }, "-t and --follow=ptrace" },
		{ { "--follow=kernel", "-m", "true" },
		  "-m and --follow=kernel" },
		{ { "--start=f", "-m", "true" }, "-m and --start" },
		{ { "--launch=self", "--per-thread", "true" },
		  "--launch=self: threads and children" },
		{ { "--follow=perf", "true" }, "--follow=perf: must be" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		message_catch();
		assert_int_equal(parse(cases[i].words), -1);
		message_expect(cases[i].said, NULL);
	}
}

static void lists_of_cpus_have_ranges(void **state)
{
	static const char *const bad[] = { "",	   "a",	  "1,",	  ",1",
					   "3-1",  "1-",  "1--2", "-1",
					   "9999", "0 1", "1-2-3" };
	cpu_set_t cpus;

	(void)state;
	assert_int_equal(idlist_cpus("0,2-5,1023", "-C", &cpus), 0);
	assert_int_equal(CPU_COUNT(&cpus), 6);
	assert_true(CPU_ISSET(0, &cpus) && !CPU_ISSET(1, &cpus) &&
		    CPU_ISSET(5, &cpus) && CPU_ISSET(1023, &cpus));
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		message_catch();
		assert_int_equal(idlist_cpus(bad[i], "-C", &cpus), -1);
		message_expect("-C ", "list of CPUs", NULL);
	}
}

static void lists_of_processes_are_numbers(void **state)
{
	static const char *const bad[] = { "",	"0",  "1,",	    "1-2",
					   "x", "-1", "99999999999" };
	pid_t pids[IDLIST_MAX];

	(void)state;
	assert_int_equal(idlist_pids("17,18", "-p", pids), 2);
	assert_int_equal(pids[1], 18);
	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		message_catch();
		assert_int_equal(idlist_pids(bad[i], "-p", pids), -1);
		message_expect("-p ", "list of numbers", NULL);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			a_command_is_followed_and_reported_on_standard_error),
		cmocka_unit_test(rows_are_of_places_or_instances),
		cmocka_unit_test(command_lines_of_perf_stat_are_understood),
		cmocka_unit_test(a_cgroup_is_attached_to_with_its_children),
		cmocka_unit_test(several_lists_of_names_add_up),
		cmocka_unit_test(a_command_bounds_what_is_attached_to),
		cmocka_unit_test(the_means_of_following_can_be_said),
		cmocka_unit_test(counting_begins_where_it_was_said),
		cmocka_unit_test(what_it_has_not_is_refused_by_name),
		cmocka_unit_test(what_a_means_cannot_do_is_refused),
		cmocka_unit_test(lists_of_cpus_have_ranges),
		cmocka_unit_test(lists_of_processes_are_numbers),
	};

	return cmocka_run_group_tests_name("pfmon_stat", tests, NULL, NULL);
}
