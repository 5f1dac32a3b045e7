// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which options go together: each pair of them, and not only one example for each
 * sentence of the manual page.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "grammar/words.h"
#include "message.h"

/* An option is a field of the request and its value. */
#define IS(field, value)                                                       \
	offsetof(struct request, field), sizeof(((struct request *)0)->field), \
		(uint64_t)(value)

static const char a_text[] = "text";
static const regex_t a_pattern;

static const struct option_set {
	const char *name;
	size_t offset, size;
	uint64_t value;
} options[] = {
	{ "-a", IS(system_wide, true) },
	{ "-p", IS(processes, a_text) },
	{ "-t", IS(threads, a_text) },
	{ "--wait-all", IS(wait_all, true) },
	{ "--follow-fork", IS(follow.forks, true) },
	{ "--follow-vfork", IS(follow.vforks, true) },
	{ "--follow-pthread", IS(follow.threads, true) },
	{ "--follow-exec", IS(follow.only, &a_pattern) },
	{ "--follow-exec-exclude", IS(follow.except, &a_pattern) },
	{ "--follow=kernel", IS(means, FOLLOW_KERNEL) },
	{ "--follow=ptrace", IS(means, FOLLOW_PTRACE) },
	{ "--follow=none", IS(means, FOLLOW_NONE) },
	{ "--pin-command", IS(pin_command, true) },
	{ "--launch=self", IS(launch, LAUNCH_SELF) },
	{ "--launch=ptrace", IS(launch, LAUNCH_PTRACE) },
	{ "--start", IS(start, a_text) },
	{ "--dont-start", IS(dont_start, true) },
	{ "--control", IS(control, a_text) },
	{ "-D", IS(delay_ns, 1) },
	{ "-D -1", IS(wait_for_enable, true) },
	{ "--show-time", IS(style.times, true) },
	{ "stat", IS(style.format, REPORT_STAT) },
	{ "--csv", IS(style.format, REPORT_CSV) },
	{ "--json", IS(style.format, REPORT_JSON) },
	{ "-x", IS(style.format, REPORT_SEPARATED) },
	{ "-I", IS(interval_ns, 10) },
	{ "--interval-count", IS(interval_count, 3) },
	{ "--interval-clear", IS(interval_clear, true) },
	{ "--timeout=short", IS(timeout_ns, 10) },
	{ "--timeout=long", IS(timeout_ns, 11) },
	{ "-r", IS(repeat, 3) },
	{ "--per-thread", IS(grouping, GROUP_THREADS) },
	{ "--per-process", IS(grouping, GROUP_PROCESSES) },
	{ "-A", IS(grouping, GROUP_CPUS) },
	{ "--per-core", IS(grouping, GROUP_CORES) },
	{ "--per-node", IS(grouping, GROUP_NODES) },
	{ "-g", IS(groups, a_text) },
	{ "-M", IS(metrics, a_text) },
	{ "-e", IS(events, a_text) },
	{ "-d", IS(detailed, true) },
	{ "--null", IS(null, true) },
	{ "--no-merge", IS(no_merge, true) },
	{ "-m", IS(regions, true) },
	{ "--switch-events", IS(switch_events, 1) },
	{ "--switch-timeout", IS(switch_ns, 1) },
	{ "--reference", IS(reference, a_text) },
	{ "--reference=none", IS(reference, "none") },
	{ "--textfile", IS(textfile, a_text) },
	{ "-o", IS(destination.file, a_text) },
	{ "--log-fd", IS(destination.fd, 0) },
	{ "--append", IS(destination.append, true) },
};

#define OPTIONS ARRAY_SIZE(options)

/* "stat a command", where nothing is followed. */
static void begin(struct request *request)
{
	static char *command[] = { "command", NULL };

	memset(request, 0, sizeof(*request));
	request->verb = "stat";
	request->command = command;
	request->repeat = 1;
	request->destination.fd = -1;
	request->style.format = REPORT_TABLE;
}

static void add(struct request *request, const struct option_set *option)
{
	memcpy((char *)request + option->offset, &option->value, option->size);
}

/* Options that go with none of others, which a comma ends. */
static const struct refusal {
	const char *name;
	const char *others;
} refused[] = {
	{ "-a", "--follow-fork,--follow-vfork,--follow-pthread,--follow=kernel,"
		"--follow=ptrace,--launch=self,--launch=ptrace,--start,"
		"--dont-start,--show-time,--per-thread,--per-process,-m," },
	{ "--follow-fork", "--follow=kernel,--follow=none,--launch=self,"
			   "--dont-start," },
	{ "--follow-vfork", "--follow=kernel,--follow=none,--launch=self,"
			    "--dont-start," },
	{ "--follow-pthread", "--follow=none,--dont-start," },
	{ "--follow-exec", "--follow=none,--launch=self,--start,"
			   "--dont-start," },
	{ "--follow-exec-exclude", "--follow=none,--launch=self,--start,"
				   "--dont-start," },
	{ "--launch=self", "--start,-m," },
	{ "--launch=ptrace", "-m," },
	{ "--start", "--dont-start,-m," },
	{ "--dont-start", "--control,-D,-m," },
	{ "--control", "-r,-m," },
	{ "-D", "-m," },
	{ "--show-time", "stat,--csv,--json,-x,-I,--timeout=short,"
			 "--timeout=long,-r," },
	{ "-x", "-m," },
	{ "-I", "--timeout=short,-r,-m," },
	{ "--timeout=short", "-m," },
	{ "--timeout=long", "-m," },
	{ "-r", "--per-thread,--per-process,-m,--textfile," },
	{ "--per-thread", "--textfile," },
	{ "--per-process", "--textfile," },
	{ "-g", "-M,-e,-d,--null,--no-merge,-m," },
	{ "-M", "-e,-d,--null,--no-merge,-m," },
	{ "-e", "-d," },
	{ "-d", "--null," },
	{ "--null", "-m," },
	{ "-m", "--textfile,--wait-all," },
	{ "--switch-events", "--switch-timeout,--reference=none," },
	{ "--textfile", "-o,--log-fd," },
	{ "-o", "--log-fd," },
};

/* Options that make no sense without one of others. */
static const struct refusal needed[] = {
	{ "-p", "" }, /* Not with a command at all. */
	{ "-t", "" },
	{ "--follow=kernel", "--follow-pthread," },
	{ "--follow=ptrace", "--follow-fork,--follow-vfork,--follow-pthread," },
	{ "--pin-command", "-a," },
	{ "-D -1", "--control," },
	{ "--interval-count", "-I," },
	{ "--interval-clear", "-I," },
	{ "-A", "-a," },
	{ "--per-core", "-a," },
	{ "--per-node", "-a," },
	{ "--append", "-o," },
};

static bool lists(const struct refusal *row, const char *name)
{
	size_t length = strlen(name);

	for (const char *word = row->others; *word;
	     word = strchr(word, ',') + 1)
		if (!strncmp(word, name, length) && word[length] == ',')
			return true;
	return false;
}

static bool is_refused(const char *one, const char *other)
{
	for (size_t i = 0; i < ARRAY_SIZE(refused); i++)
		if ((!strcmp(refused[i].name, one) &&
		     lists(&refused[i], other)) ||
		    (!strcmp(refused[i].name, other) &&
		     lists(&refused[i], one)))
			return true;
	return false;
}

/* Is an option without what it needs, if another one is all that it has? */
static bool lacks(const char *name, const char *other)
{
	for (size_t i = 0; i < ARRAY_SIZE(needed); i++)
		if (!strcmp(needed[i].name, name))
			return !lists(&needed[i], other);
	return false;
}

/* The verdict on a request; what it says has to be one line. */
static bool goes(const struct request *request, bool expected)
{
	int ret;

	message_catch();
	ret = words_conflicts(request);
	if (ret)
		message_expect(": ", NULL);
	else
		message_expect_none();
	assert_true(ret == 0 || ret == -1);
	return (ret == 0) == expected;
}

static void options_alone_need_what_they_need(void **state)
{
	(void)state;
	for (size_t i = 0; i < OPTIONS; i++) {
		struct request request;

		begin(&request);
		add(&request, &options[i]);
		if (!goes(&request, !lacks(options[i].name, "")))
			fail_msg("%s", options[i].name);
	}
}

static void each_pair_goes_together_or_does_not(void **state)
{
	(void)state;
	for (size_t i = 0; i < OPTIONS * OPTIONS; i++) {
		const struct option_set *one = &options[i / OPTIONS];
		const struct option_set *other = &options[i % OPTIONS];
		struct request request;

		if (one->offset == other->offset)
			continue;
		begin(&request);
		add(&request, one);
		add(&request, other);
		if (!goes(&request, !is_refused(one->name, other->name) &&
					    !lacks(one->name, other->name) &&
					    !lacks(other->name, one->name)))
			fail_msg("%s %s", one->name, other->name);
	}
}

static const struct option_set *option_of(const char *name)
{
	for (size_t i = 0; i < OPTIONS; i++)
		if (!strcmp(options[i].name, name))
			return &options[i];
	fail_msg("%s: not an option", name);
	return NULL;
}

/* More than two options, and requests without a command. */
static const struct several {
	const char *names[4];
	bool command;
	bool accepted;
} several[] = {
	{ { NULL }, true, true },
	{ { NULL }, false, false },
	{ { "-a" }, false, true },
	{ { "-p" }, false, true },
	{ { "-t" }, false, true },
	{ { "-a", "-p" }, false, false },
	{ { "-a", "-t" }, false, false },
	{ { "-p", "-t" }, false, true },
	{ { "-p", "--launch=self" }, false, false },
	{ { "-p", "--start" }, false, false },
	{ { "-p", "--dont-start" }, false, false },
	{ { "-p", "--show-time" }, false, false },
	{ { "-t", "--show-time" }, false, false },
	{ { "-a", "--show-time" }, false, false },
	{ { "-p", "-m" }, false, false },
	{ { "-p", "-r" }, false, false },
	{ { "-a", "-r" }, false, false },
	{ { "-p", "--follow-pthread", "--follow=kernel" }, false, true },
	{ { "-p", "--follow-fork", "--follow=kernel" }, false, false },
	{ { "-p", "--follow-fork", "--follow=ptrace" }, false, true },
	{ { "-t", "--follow-pthread", "--follow=kernel" }, false, false },
	{ { "-t", "--follow-pthread", "--follow=ptrace" }, false, false },
	{ { "-p", "-t", "--follow-pthread", "--follow=kernel" }, false, true },
	{ { "--follow-fork", "--follow-vfork", "--follow-pthread",
	    "--follow=kernel" },
	  true,
	  true },
	{ { "--follow-pthread", "--follow=ptrace", "--launch=self" },
	  true,
	  false },
	{ { "--follow-pthread", "--launch=self" }, true, true },
	{ { "--follow-pthread", "--launch=self", "--per-thread" }, true, false },
	{ { "--follow-fork", "--launch=ptrace" }, true, true },
	{ { "--follow-exec", "--launch=ptrace" }, true, true },
	{ { "-I", "--interval-clear", "stat" }, true, true },
	{ { "-I", "--interval-clear", "--csv" }, true, false },
	{ { "-I", "--interval-clear", "--json" }, true, false },
	{ { "-I", "--interval-clear", "-x" }, true, false },
	{ { "--control", "-D -1", "-m" }, true, false },
	{ { "-a", "-A", "-r" }, true, false },
	{ { "-a", "-A", "--textfile" }, true, true },
	{ { "-o", "--append", "--textfile" }, true, false },
};

static void several_go_together_or_do_not(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(several); i++) {
		const struct several *row = &several[i];
		struct request request;

		begin(&request);
		if (!row->command)
			request.command = NULL;
		for (size_t n = 0; n < ARRAY_SIZE(row->names); n++)
			if (row->names[n])
				add(&request, option_of(row->names[n]));
		if (!goes(&request, row->accepted))
			fail_msg("row %zu", i);
	}
}

/* A program runs beside threads that pfmon attaches to. */
static void a_command_beside_threads_is_their_end(void **state)
{
	static char *until[] = { "sleep", NULL };
	struct request request;

	(void)state;
	begin(&request);
	request.until = until;
	request.command = NULL;
	request.processes = a_text;
	assert_true(goes(&request, true));
	request.repeat = 3;
	assert_true(goes(&request, true));
	request.repeat = 1;
	request.wait_all = true;
	assert_true(goes(&request, false));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(options_alone_need_what_they_need),
		cmocka_unit_test(each_pair_goes_together_or_does_not),
		cmocka_unit_test(several_go_together_or_do_not),
		cmocka_unit_test(a_command_beside_threads_is_their_end),
	};

	return cmocka_run_group_tests_name("pfmon_conflicts", tests, NULL,
					   NULL);
}
