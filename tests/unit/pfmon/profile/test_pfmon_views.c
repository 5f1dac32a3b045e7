// SPDX-License-Identifier: GPL-2.0-only
/* The texts that are made of files of samples, byte by byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "array_size.h"
#include "diag.h"
#include "message.h"
#include "profiled.h"
#include "samples.h"
#include "views/verbs.h"

#define RUN(verb, ...)                         \
	profiled_run(profiled_directory, verb, \
		     (const char *const[]){ __VA_ARGS__ }, NULL)

/* What it wrote, with the name of the directory replaced by D. */
static void expect(char *text, const char *expected)
{
	char *shown = calloc(1, strlen(text) + 1);
	size_t length = strlen(profiled_directory);
	char *out = shown;

	for (const char *c = text; *c;) {
		if (strncmp(c, profiled_directory, length) != 0) {
			*out++ = *c++;
			continue;
		}
		*out++ = 'D';
		c += length;
	}
	assert_string_equal(shown, expected);
	free(shown);
	free(text);
}

static void the_report_tells_where_the_samples_are(void **state)
{
	(void)state;
	profiled_write(profiled_directory);
	expect(RUN(verb_report, NULL),
	       "# instructions:u (RETIRED_INSTRUCTIONS): 1003 samples, 999991 events\n"
	       "   SAMPLES   SELF%        RANGE%    CUM%  SYMBOL  FILE\n"
	       "       601   59.92   54.74-64.89   59.92  fa      D/prof\n"
	       "       301   30.01   25.47-34.98   89.93  fb      D/prof\n"
	       "       101   10.07    7.35-13.65  100.00  fc      D/prof\n");
}

static void equal_functions_are_in_the_order_of_their_names(void **state)
{
	static const uint64_t ips[] = { PROFILED_FC, 0x5000,	  PROFILED_FA,
					0x4000,	     PROFILED_FB, 0 };
	char *path;

	(void)state;
	assert_true(asprintf(&path, "%s/prof", profiled_directory) > 0);
	profiled_write_ips(profiled_directory, path, NULL, ips);
	expect(RUN(verb_report, NULL),
	       "# instructions:u (RETIRED_INSTRUCTIONS): 5 samples, 4985 events\n"
	       "# only 5 samples, see RANGE%; a smaller -c or a greater -F takes more\n"
	       "   SAMPLES   SELF%        RANGE%    CUM%  SYMBOL            FILE\n"
	       "         1   20.00    1.58-79.53   20.00  [unknown 0x4000]  -\n"
	       "         1   20.00    1.58-79.53   40.00  [unknown 0x5000]  -\n"
	       "         1   20.00    1.58-79.53   60.00  fa                D/prof\n"
	       "         1   20.00    1.58-79.53   80.00  fb                D/prof\n"
	       "         1   20.00    1.58-79.53  100.00  fc                D/prof\n");
	free(path);
}

static void only_what_was_asked_for_is_reported(void **state)
{
	static const struct {
		const char *words[4];
		bool all; /* or nothing */
	} cases[] = {
		{ { "--comm=prof" }, true },
		{ { "--comm=sh" }, false },
		{ { "--pid=71", "--tid", "71" }, true },
		{ { "--pid=72" }, false },
		{ { "--tid=72" }, false },
		{ { "--dso=prof" }, true },
		{ { "--dso=libc.so.6" }, false },
		{ { "-e", "instructions" }, true },
		{ { "-e", "instructions:u" }, true },
	};

	(void)state;
	profiled_write(profiled_directory);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *text = profiled_run(profiled_directory, verb_report,
					  cases[i].words, NULL);

		assert_int_equal(strstr(text, ": 1003 samples") != NULL,
				 cases[i].all);
		assert_int_equal(strstr(text, ": 0 samples") != NULL,
				 !cases[i].all);
		free(text);
	}
}

static void a_script_has_a_line_for_each_sample(void **state)
{
	static const uint64_t ips[] = { PROFILED_FA + 10, 0x5000, 0 };
	char *path;

	(void)state;
	assert_true(asprintf(&path, "%s/prof", profiled_directory) > 0);
	profiled_write_ips(profiled_directory, path, NULL, ips);
	expect(RUN(verb_script, NULL),
	       "prof 71/71 [001] 1.234567890: 997 instructions:u: 40100a fa+0xa (D/prof)\n"
	       "prof 71/71 [001] 1.234567891: 997 instructions:u: 5000 [unknown 0x5000]\n");
	free(path);
}

static void each_event_has_a_table_and_values_are_shown(void **state)
{
	const uint64_t value = 4711;
	const uint64_t ips[] = { 0x10, 0x20, 0 };
	struct writer writer;

	(void)state;
	samples_begin(&writer, SAMPLES_META_TWO);
	samples_add(&writer, &(struct samples_of){ .tgid = 7,
						   .tid = 8,
						   .pmd = 1,
						   .time = 1,
						   .period = 1000,
						   .ips = ips,
						   .value = &value });
	samples_add(&writer, &(struct samples_of){ .tgid = 7,
						   .tid = 7,
						   .time = 5,
						   .period = 997,
						   .ips = ips + 1 });
	samples_end(&writer);
	samples_store(&writer, profiled_directory);
	expect(RUN(verb_report, NULL),
	       "# instructions:u (RETIRED_INSTRUCTIONS): 1 samples, 997 events\n"
	       "# the periods did not vary: RANGE% holds unless the program repeats itself in step with them\n"
	       "# only 1 sample, see RANGE%; a smaller -c or a greater -F takes more\n"
	       "   SAMPLES   SELF%        RANGE%    CUM%  SYMBOL          FILE\n"
	       "         1  100.00   8.42-100.00  100.00  [unknown 0x20]  -\n"
	       "\n"
	       "# cycles:u (CYCLES_NOT_IN_HALT): 2 samples, 2000 events\n"
	       "# the periods did not vary: RANGE% holds unless the program repeats itself in step with them\n"
	       "# only 2 samples, see RANGE%; a smaller -c or a greater -F takes more\n"
	       "   SAMPLES   SELF%        RANGE%    CUM%  SYMBOL          FILE\n"
	       "         1   50.00    4.04-95.96   50.00  [unknown 0x10]  -\n"
	       "         1   50.00    4.04-95.96  100.00  [unknown 0x20]  -\n");
	expect(RUN(verb_script, "-e", "cycles", NULL),
	       "[unknown] 8/7 [001] 0.000000001: 1000 cycles:u: 10 [unknown 0x10] PMD0=4711\n"
	       "[unknown] 8/7 [001] 0.000000002: 1000 cycles:u: 20 [unknown 0x20] PMD0=4711\n");
}

static void what_was_lost_is_the_first_line(void **state)
{
	const struct pfmd_loss loss = { .stream = 7,
					.blind_ns = 1500000,
					.throttled_ns = 2000001,
					.lost = 3 };
	struct writer writer;
	char *text;

	(void)state;
	samples_begin(&writer, SAMPLES_META);
	writer_chunk(&writer, PFMD_LOSS,
		     (const struct iovec[]){
			     { (void *)(uintptr_t)&loss, sizeof(loss) } },
		     1);
	samples_store(&writer, profiled_directory);
	message_catch();
	text = RUN(verb_report, NULL);
	message_expect("breaks off", NULL);
	expect(text,
	       "# note: 3 samples were lost; nothing was sampled for 1.500000 ms at least; throttled for 2.000001 ms; the file breaks off\n"
	       "# instructions:u (RETIRED_INSTRUCTIONS): 0 samples, 0 events\n"
	       "   SAMPLES   SELF%        RANGE%    CUM%  SYMBOL  FILE\n");
}

/* Sums up the samples of all lines that have some. */
static unsigned int sum_of(const char *text)
{
	unsigned int sum = 0;

	for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
		if (strspn(line, " ") < 10)
			sum += (unsigned int)strtoul(line, NULL, 10);
	}
	return sum;
}

static void instructions_have_the_samples_of_their_function(void **state)
{
	char *text;

	(void)state;
	profiled_write(profiled_directory);
	text = RUN(verb_annotate, "fa", NULL);
	assert_non_null(strstr(text,
			       "       200   33.28    401000  movl $3, %eax\n"
			       "                    prof.c:2  { while (--n)\n"
			       "       200   33.28    401005  decl %eax\n"
			       "       201   33.44    401007  jne 0x401005\n"
			       "                    prof.c:3  }\n"
			       "                      401009  retq\n"));
	assert_null(strstr(text, "# fb"));
	assert_int_equal(sum_of(text), 601);
	free(text);
	text = RUN(verb_annotate, NULL);
	assert_int_equal(sum_of(text), 1003);
	free(text);
}

/* What is not there any more is told by its addresses. */
static void samples_of_a_file_that_is_gone_have_addresses(void **state)
{
	static const uint64_t ips[] = { 0x4010f5, 0x4010f1, 0x4010f5, 0 };
	char *text;

	(void)state;
	profiled_write_ips(profiled_directory, "/gone", NULL, ips);
	text = RUN(verb_annotate, "[gone+0x10f5]", NULL);
	assert_int_equal(sum_of(text), 2);
	assert_non_null(strstr(text, "  4010f5  \n"));
	free(text);
}

/* What pfmon record adds: the file is of use without the program. */
static void symbols_that_were_hit_go_into_the_file(void **state)
{
	char *text;

	(void)state;
	profiled_write(profiled_directory);
	/* The file has an end, which what is added has to be before. */
	profiled_shell(profiled_directory,
		       "head -c -32 pfmon.data > part && mv part pfmon.data");
	text = RUN(verb_symbols, NULL);
	free(text);
	profiled_shell(profiled_directory,
		       "cat out >> pfmon.data && mv prof kept");
	message_catch();
	text = RUN(verb_report, NULL);
	message_expect("breaks off", NULL);
	profiled_shell(profiled_directory, "mv kept prof");
	assert_non_null(
		strstr(text, "       601   59.92   54.74-64.89   59.92  fa "));
	assert_non_null(
		strstr(text, "       101   10.07    7.35-13.65  100.00  fc "));
	free(text);
}

static void words_of_perf_report_mean_the_same(void **state)
{
	static const char *const words[][4] = {
		{ "--sort", "symbol", NULL },
		{ "--sort=sym", NULL },
		{ "--by=symbol", NULL },
		{ "-s", "dso,symbol", NULL },
		{ "-s", "overhead,sym", NULL },
		{ "--no-children", NULL },
		{ "--stdio", NULL },
		{ "--stdio2", NULL },
		{ "-n", NULL },
		{ "--show-nr-samples", NULL },
		{ "-f", NULL },
		{ "--comms=prof", NULL },
		{ "-c", "prof", NULL },
		{ "-d", "prof", NULL },
		{ "--dsos", "prof", NULL },
		{ "-gnone", NULL },
		{ "--no-inline", "--demangle", "--force", NULL },
	};
	char *plain, *text;

	(void)state;
	profiled_write(profiled_directory);
	plain = RUN(verb_report, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		text = profiled_run(profiled_directory, verb_report, words[i],
				    NULL);
		assert_string_equal(text, plain);
		free(text);
	}
	free(plain);
	text = RUN(verb_report, "--symbols=fb", NULL);
	assert_null(strstr(text, " fa "));
	assert_non_null(
		strstr(text, "       301   30.01   25.47-34.98   89.93  fb "));
	free(text);
}

static void other_words_of_perf_report_get_a_hint(void **state)
{
	static const struct {
		const char *word, *said;
	} cases[] = {
		{ "--sort=comm",
		  "--sort=comm: a line is a function; use --comm" },
		{ "--sort=comm,dso,symbol", "use --comm=NAME" },
		{ "--sort=dso", "use --dso=FILE" },
		{ "--sort=weight", "use --sort=symbol" },
		{ "--sort=", "use --sort=symbol" },
		{ "--by=srcline", "use pfmon annotate" },
		{ "-g", "-g: use --callers or --callees" },
		{ "--call-graph=caller", "use --callers or --callees" },
		{ "-G", "-G: use --callers" },
		{ "--tui", "--tui: the report is text" },
		{ "-D", "-D: use pfmon script" },
		{ "--percent-limit=1", "--percent-limit: all functions" },
		{ "--comms=a,b", "--comms=a,b: takes one name" },
		{ "--vmlinux=x", "use --sysmap-file" },
		{ "-Tn", "-T: use --tid" },
		{ "--itrace", "unknown option; see pfmon report --help" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *argv[] = { (char *)"report",
				 (char *)(uintptr_t)cases[i].word, NULL };

		message_catch();
		assert_int_equal(verb_report(2, argv), STATUS_FAILED);
		message_expect(cases[i].said, NULL);
	}
}

static void wrong_words_are_refused(void **state)
{
	static const struct {
		int (*verb)(int argc, char **argv);
		const char *words[4];
		const char *message;
	} cases[] = {
		{ verb_report, { "a", "b" }, "takes one file" },
		{ verb_report, { "--pid=x" }, "not a number" },
		{ verb_report, { "--nonsense" }, "unknown option" },
		{ verb_report, { "/nonexistent" }, "cannot be opened" },
		{ verb_script, { "a", "b" }, "takes one file" },
		{ verb_annotate,
		  { "a", "b", "c" },
		  "takes a file and a symbol" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char *argv[5] = { (char *)"verb" };
		int argc = 1;

		for (; cases[i].words[argc - 1]; argc++)
			argv[argc] =
				(char *)(uintptr_t)cases[i].words[argc - 1];
		message_catch();
		assert_int_equal(cases[i].verb(argc, argv), STATUS_FAILED);
		message_expect(cases[i].message, NULL);
	}
}

static void an_address_is_of_what_was_mapped_then(void **state)
{
	static const uint64_t ips[] = { 0x401000, 0x401000, 0 };
	struct writer writer;
	char *text;

	(void)state;
	samples_begin(&writer, SAMPLES_META);
	samples_map(&writer, 1, 71, 0x401000, 0x1000, 0, "/x/one", NULL);
	samples_map(&writer, 10, 71, 0x401000, 0x1000, 0, "/x/two", NULL);
	for (uint64_t time = 5; time < 20; time += 10)
		samples_add(&writer, &(struct samples_of){ .tgid = 71,
							   .tid = 71,
							   .time = time,
							   .period = 997,
							   .ips = ips });
	samples_end(&writer);
	samples_store(&writer, profiled_directory);
	text = RUN(verb_report, NULL);
	assert_non_null(strstr(
		text, "\n         2   50.00    7.24-92.76   50.00  [one+0x0]"));
	assert_non_null(strstr(
		text, "\n         2   50.00    7.24-92.76  100.00  [two+0x0]"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_address_is_of_what_was_mapped_then),
		cmocka_unit_test(the_report_tells_where_the_samples_are),
		cmocka_unit_test(
			equal_functions_are_in_the_order_of_their_names),
		cmocka_unit_test(only_what_was_asked_for_is_reported),
		cmocka_unit_test(a_script_has_a_line_for_each_sample),
		cmocka_unit_test(each_event_has_a_table_and_values_are_shown),
		cmocka_unit_test(what_was_lost_is_the_first_line),
		cmocka_unit_test(
			instructions_have_the_samples_of_their_function),
		cmocka_unit_test(samples_of_a_file_that_is_gone_have_addresses),
		cmocka_unit_test(symbols_that_were_hit_go_into_the_file),
		cmocka_unit_test(words_of_perf_report_mean_the_same),
		cmocka_unit_test(other_words_of_perf_report_get_a_hint),
		cmocka_unit_test(wrong_words_are_refused),
	};

	return cmocka_run_group_tests(tests, profiled_set_up,
				      profiled_tear_down);
}
