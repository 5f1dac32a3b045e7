// SPDX-License-Identifier: GPL-2.0-only
/*
 * Initialisation: what works before it, which PMU it chooses, what the
 * environment says, and that nothing is printed unless somebody asks.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "array_size.h"
#include "events/pfmlib_events.h"
#include "force_pmu.h"
#include "models/pfmlib_models.h"

#define NOINIT PFMLIB_ERR_NOINIT

static void expect_pmu(int type, const char *name)
{
	char buffer[64];
	int now;

	assert_int_equal(pfm_get_pmu_type(&now), PFMLIB_SUCCESS);
	assert_int_equal(now, type);
	assert_int_equal(pfm_get_pmu_name(buffer, sizeof(buffer)),
			 PFMLIB_SUCCESS);
	assert_string_equal(buffer, name);
}

/* Must be the first test: nothing ends the state of being initialised. */
static void nothing_is_known_before_initialisation(void **state)
{
	static pfmlib_input_param_t in;
	static pfmlib_output_param_t out;
	pfmlib_regmask_t mask;
	pfmlib_event_t event;
	unsigned int num;
	char text[8], *desc;
	size_t len;
	int code;

	(void)state;
	assert_int_equal(pfm_get_pmu_name(text, sizeof(text)), NOINIT);
	assert_int_equal(pfm_get_pmu_type(&code), NOINIT);
	assert_int_equal(pfm_is_pmu_supported(PFMLIB_CORE_PMU), NOINIT);
	assert_int_equal(pfm_find_event("X", &num), NOINIT);
	assert_int_equal(pfm_find_event_byname("X", &num), NOINIT);
	assert_int_equal(pfm_find_event_bycode(1, &num), NOINIT);
	assert_int_equal(pfm_find_event_bycode_next(1, 0, &num), NOINIT);
	assert_int_equal(pfm_find_event_mask(0, "X", &num), NOINIT);
	assert_int_equal(pfm_find_full_event("X", &event), NOINIT);
	assert_int_equal(pfm_get_max_event_name_len(&len), NOINIT);
	assert_int_equal(pfm_get_num_events(&num), NOINIT);
	assert_int_equal(pfm_get_num_event_masks(0, &num), NOINIT);
	assert_int_equal(pfm_get_event_name(0, text, sizeof(text)), NOINIT);
	assert_int_equal(pfm_get_full_event_name(&event, text, sizeof(text)),
			 NOINIT);
	assert_int_equal(pfm_get_event_code(0, &code), NOINIT);
	assert_int_equal(pfm_get_event_mask_code(0, 0, &num), NOINIT);
	assert_int_equal(pfm_get_event_counters(0, &mask), NOINIT);
	assert_int_equal(pfm_get_event_description(0, &desc), NOINIT);
	assert_int_equal(pfm_get_event_code_counter(0, 0, &code), NOINIT);
	assert_int_equal(pfm_get_event_mask_name(0, 0, text, sizeof(text)),
			 NOINIT);
	assert_int_equal(pfm_get_event_mask_description(0, 0, &desc), NOINIT);
	assert_int_equal(pfm_dispatch_events(&in, NULL, &out, NULL), NOINIT);
	assert_int_equal(pfm_get_impl_pmcs(&mask), NOINIT);
	assert_int_equal(pfm_get_impl_pmds(&mask), NOINIT);
	assert_int_equal(pfm_get_impl_counters(&mask), NOINIT);
	assert_int_equal(pfm_get_num_pmds(&num), NOINIT);
	assert_int_equal(pfm_get_num_pmcs(&num), NOINIT);
	assert_int_equal(pfm_get_num_counters(&num), NOINIT);
	assert_int_equal(pfm_get_hw_counter_width(&num), NOINIT);
	assert_int_equal(pfm_get_cycle_event(&event), NOINIT);
	assert_int_equal(pfm_get_inst_retired_event(&event), NOINIT);
	/* Wrong parameters do not come first. */
	assert_int_equal(pfm_get_num_events(NULL), NOINIT);
}

/* Exits with the number of words that strtok() finds around an initialisation. */
static void initialise_between_words(void)
{
	char list[] = "one,two,three";
	int words = 0;

	for (char *word = strtok(list, ","); word; word = strtok(NULL, ",")) {
		if (words++ == 0)
			force_pmu("36");
	}
	_exit(words);
}

/* Only the first one reads libpfm4's lists, so it is in a process of its own. */
static void initialising_keeps_the_strtok_state_of_the_program(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		initialise_between_words();
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 3);
}

static char listed[4096];

__attribute__((format(printf, 1, 2))) static int collect(const char *fmt, ...)
{
	size_t used = strlen(listed);
	va_list args;

	va_start(args, fmt);
	vsnprintf(listed + used, sizeof(listed) - used, fmt, args);
	va_end(args);
	return 0;
}

/* Also before initialisation, so before tests that need it. */
static void models_are_listed_at_any_time(void **state)
{
	(void)state;
	assert_int_equal(pfm_list_supported_pmus(NULL), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_list_supported_pmus(collect), PFMLIB_SUCCESS);
	assert_ptr_equal(strstr(listed, "supported PMU models: [Intel Pentium "
					"II] [Intel Pentium Pro] "),
			 listed);
	assert_non_null(strstr(listed, " [VIA C3] "));
	assert_non_null(
		strstr(listed, "\ndetected host PMU: not detected yet\n"));

	force_pmu("36");
	*listed = '\0';
	assert_int_equal(pfm_list_supported_pmus(collect), PFMLIB_SUCCESS);
	assert_non_null(strstr(listed, "\ndetected host PMU: Intel Core\n"));
}

static void version_and_errors_need_no_initialisation(void **state)
{
	static const char *const texts[] = {
		"success",
		"not supported",
		"invalid parameters",
		"pfmlib not initialized",
		"event not found",
		"cannot assign events to counters",
		"buffer is full or too small",
		"event used more than once",
		"invalid model specific magic number",
		"invalid combination of model specific features",
		"incompatible event sets",
		"incompatible events combination",
		"too many events or unit masks",
		"code range too big",
		"empty code range",
		"invalid code range",
		"too many code ranges",
		"invalid data range",
		"too many data ranges",
		"not supported by host cpu",
		"code range is not bundle-aligned",
		"code range requires some flags in rr_flags",
		"invalid or missing unit mask",
		"out of memory",
	};
	unsigned int version;

	(void)state;
	for (int i = 0; i < (int)ARRAY_SIZE(texts); i++)
		assert_string_equal(pfm_strerror(-i), texts[i]);
	assert_string_equal(pfm_strerror(1), "unknown error code");
	assert_string_equal(pfm_strerror(-24), "unknown error code");
	assert_string_equal(pfm_strerror(INT32_MIN), "unknown error code");

	assert_int_equal(pfm_get_version(NULL), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_get_version(&version), PFMLIB_SUCCESS);
	assert_int_equal(version, 0x3000a);
	assert_int_equal(PFMLIB_MAJ_VERSION(version), 3);
	assert_int_equal(PFMLIB_MIN_VERSION(version), 10);
}

static void names_of_models_are_cut_to_the_buffer(void **state)
{
	char name[32];

	(void)state;
	assert_int_equal(pfm_get_pmu_name_bytype(36, name, sizeof(name)), 0);
	assert_string_equal(name, "Intel Core");
	assert_int_equal(pfm_get_pmu_name_bytype(36, name, 6), 0);
	assert_string_equal(name, "Intel");
	assert_int_equal(pfm_get_pmu_name_bytype(36, name, 0),
			 PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_get_pmu_name_bytype(36, NULL, 6),
			 PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_get_pmu_name_bytype(1, name, 6), PFMLIB_ERR_INVAL);

	force_pmu("36");
	assert_int_equal(pfm_get_pmu_name(name, 6), 0);
	assert_string_equal(name, "Intel");
	assert_int_equal(pfm_get_pmu_name(name, 0), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_get_pmu_name(NULL, 6), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_get_pmu_type(NULL), PFMLIB_ERR_INVAL);
	assert_int_equal(pfm_is_pmu_supported(32), PFMLIB_SUCCESS);
	assert_int_equal(pfm_is_pmu_supported(2), PFMLIB_ERR_NOTSUPP);
}

/* LIBPFM_FORCE_PMU, and the model that it is. */
static const struct {
	const char *force;
	int type;
	const char *name;
} forced_models[] = {
	{ "16", 16, "AMD64 (Family 10h RevB, Barcelona)" },
	{ "16,x", 16, "AMD64 (Family 10h RevB, Barcelona)" },
	{ "16,6,1", 16, "AMD64 (Family 10h RevB, Barcelona)" },
	{ "16,6,1,0,", 16, "AMD64 (Family 10h RevB, Barcelona)" },
	{ "16,6,1,0", 16, "AMD64 (K7)" },
	{ "16,15,5,1", 16, "AMD64 (K8 RevB)" },
	{ "16,15,4,0", 16, "AMD64 (K8 RevB)" },
	{ "16,15,5,2", 16, "AMD64 (K8 RevC)" },
	{ "16,15,20,0", 16, "AMD64 (K8 RevD)" },
	{ "16,15,33,0", 16, "AMD64 (K8 RevE)" },
	{ "16,15,65,0", 16, "AMD64 (K8 RevF)" },
	{ "16,15,193,0", 16, "AMD64 (K8 RevF)" },
	{ "16,15,104,0", 16, "AMD64 (K8 RevG)" },
	{ "16,15,240,0", 16, "AMD64 (K8 RevB)" },
	{ "16,16,4,2", 16, "AMD64 (Family 10h RevC, Shanghai)" },
	{ "16,16,8,0", 16, "AMD64 (Family 10h RevD, Istanbul)" },
	{ "16,16,10,0", 16, "AMD64 (Family 10h RevE)" },
	{ "16,17,3,0", 16, "AMD64 (Family 11h)" },
	{ "16,18,1,0", 16, "AMD64 (Family 12h)" },
	{ "16,20,2,0", 16, "AMD64 (Family 14h)" },
	{ "16,21,1,0", 16, "AMD64 (Family 15h RevB)" },
	{ "16,22,0,0", 16, "AMD64 (Family 16h)" },
	{ "16,23,1,2", 16, "AMD64 (Family 17h, Zen1)" },
	{ "16,23,49,0", 16, "AMD64 (Family 17h, Zen2)" },
	{ "16,25,1,1", 16, "AMD64 (Family 19h, Zen3)" },
	{ "16,25,17,1", 16, "AMD64 (Family 19h, Zen4)" },
	{ "16,26,2,0", 16, "AMD64 (Family 1Ah, Zen5)" },
	{ "16,27,2,0", 16, "AMD64 (Family 1bh, architectural events only)" },
	{ "33", 33, "Pentium4/Xeon/EM64T" },
	{ "37", 37, "Intel Pentium Pro" },
	{ "40,6,46,0", 40, "Intel Nehalem" },
	{ "41,6,44,0", 41, "Intel Westmere" },
	{ "46,6,85,7", 46, "Intel Skylake" },
	{ "48", 48, "Intel Sapphire Rapids" },
	{ "48,6,207,2", 48, "Intel Emerald Rapids" },
	{ "51,6,134,4", 51, "Intel Snow Ridge (Tremont)" },
	{ "59", 59, "x86 time-stamp counter" },
	{ "60", 60, "Intel Alder Lake (Golden Cove)" },
	{ "61", 61, "Intel Alder Lake N (Gracemont)" },
	{ "61,6,183,1", 61, "Intel Raptor Lake (Gracemont)" },
	{ "62", 62, "Intel Granite Rapids (Redwood Cove)" },
	{ "62,6,170,4", 62, "Intel Meteor Lake (Redwood Cove)" },
	{ "79", 79, "Intel Sierra Forest (Crestmont)" },
	{ "79,6,182,0", 79, "Intel Grand Ridge (Crestmont)" },
	{ "80", 80, "Intel Lunar Lake (Lion Cove)" },
	{ "80,6,198,2", 80, "Intel Arrow Lake (Lion Cove)" },
	{ "81", 81, "Intel Lunar Lake (Skymont)" },
	{ "82", 82, "Intel Alder Lake (hybrid)" },
	{ "82,6,198,2", 82, "Intel Arrow Lake (hybrid)" },
	{ "63", 63, "Intel architectural PMU" },
};

static void the_environment_forces_a_model(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(forced_models); i++) {
		force_pmu(forced_models[i].force);
		expect_pmu(forced_models[i].type, forced_models[i].name);
	}
}

static void what_cannot_be_forced_changes_nothing(void **state)
{
	static const char *const forces[] = {
		"0",	      "1",	    "17",	  "99",
		"16,7,0,0",   "40,6,31,0",  "41,6,26,0",  "42,6,58,0",
		"60,6,143,0", "62,6,189,0", "46,15,85,0", "99999999999999999999"
	};

	(void)state;
	force_pmu("36");
	for (size_t i = 0; i < ARRAY_SIZE(forces); i++) {
		setenv("LIBPFM_FORCE_PMU", forces[i], 1);
		if (pfm_initialize() != PFMLIB_ERR_NOTSUPP)
			fail_msg("%s was accepted", forces[i]);
		expect_pmu(36, "Intel Core");
	}
	unsetenv("LIBPFM_FORCE_PMU");
	assert_int_equal(pfm_force_pmu(2), PFMLIB_ERR_NOTSUPP);
	assert_int_equal(pfm_force_pmu(PFMLIB_NO_PMU), PFMLIB_ERR_NOTSUPP);
	expect_pmu(36, "Intel Core");
}

/* libpfm4 reads the same variable, and there it is a name. */
static void a_forced_name_means_nothing(void **state)
{
	int plain = pfm_initialize();
	char name[64] = "", again[64] = "";

	(void)state;
	pfm_get_pmu_name(name, sizeof(name));
	setenv("LIBPFM_FORCE_PMU", "skl", 1);
	assert_int_equal(pfm_initialize(), plain);
	unsetenv("LIBPFM_FORCE_PMU");
	pfm_get_pmu_name(again, sizeof(again));
	assert_string_equal(again, name);
}

/* A type that a program forces is as complete as one from the environment. */
static void a_program_can_force_every_model(void **state)
{
	static const int types[] = { 37, 38, 32, 35, 34, 16, 33, 36, 39, 40,
				     41, 42, 43, 44, 45, 46, 47, 48, 49, 50,
				     51, 52, 53, 54, 55, 56, 57, 58, 59, 60,
				     61, 62, 63, 79, 80, 81, 82 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(types); i++) {
		unsigned int events[2], counters[2];
		char forced[8];

		assert_int_equal(pfm_force_pmu(types[i]), PFMLIB_SUCCESS);
		assert_int_equal(pfm_get_num_events(&events[0]), 0);
		assert_int_equal(pfm_get_num_counters(&counters[0]), 0);
		assert_true(events[0] > 0);
		assert_true(counters[0] > 0);

		snprintf(forced, sizeof(forced), "%d", types[i]);
		force_pmu(forced);
		assert_int_equal(pfm_get_num_events(&events[1]), 0);
		assert_int_equal(pfm_get_num_counters(&counters[1]), 0);
		assert_int_equal(events[0], events[1]);
		assert_int_equal(counters[0], counters[1]);
	}
}

static void initialising_again_keeps_what_there_is(void **state)
{
	const struct pfmlib_pmu *first;

	(void)state;
	force_pmu("45");
	first = pfmlib_current();
	force_pmu("45");
	assert_ptr_equal(pfmlib_current(), first);
	force_pmu("36");
	assert_int_equal(pfm_force_pmu(45), PFMLIB_SUCCESS);
	assert_ptr_equal(pfmlib_current(), first);
}

static void the_events_of_a_type_need_no_current_pmu(void **state)
{
	const struct pfmlib_pmu *core = pfmlib_model_events(36);

	(void)state;
	force_pmu("16");
	assert_non_null(core);
	assert_ptr_equal(pfmlib_model_events(36), core);
	assert_true(pfmlib_event_index(core, "mem_load_retired",
				       strlen("mem_load_retired")) >= 0);
	assert_int_equal(
		pfmlib_event_index(core, "MEM_LOAD", strlen("MEM_LOAD")), -1);
	assert_null(pfmlib_model_events(3));
	expect_pmu(16, "AMD64 (Family 10h RevB, Barcelona)");
}

/*
 * Output: what one dispatch writes to a file descriptor.
 */

static void dispatch_cycles(void)
{
	static pfmlib_input_param_t in;
	static pfmlib_output_param_t out;

	memset(&in, 0, sizeof(in));
	in.pfp_event_count = 1;
	in.pfp_dfl_plm = PFM_PLM3;
	force_pmu("36");
	assert_int_equal(pfm_get_cycle_event(&in.pfp_events[0]), 0);
	assert_int_equal(pfm_dispatch_events(&in, NULL, &out, NULL), 0);
}

static size_t output_of(int fd, void (*call)(void))
{
	FILE *file = tmpfile();
	int saved = dup(fd);
	long written;

	assert_non_null(file);
	fflush(NULL);
	dup2(fileno(file), fd);
	call();
	fflush(NULL);
	dup2(saved, fd);
	close(saved);
	written = lseek(fileno(file), 0, SEEK_END);
	fclose(file);
	return (size_t)written;
}

static void dispatch_without_stdout(void)
{
	output_of(STDOUT_FILENO, dispatch_cycles);
}

static void nothing_is_printed_unless_asked_for(void **state)
{
	pfmlib_options_t quiet = { 0 };

	(void)state;
	assert_int_equal(pfm_set_options(&quiet), PFMLIB_SUCCESS);
	assert_int_equal(output_of(STDERR_FILENO, dispatch_cycles), 0);
	assert_int_equal(output_of(STDOUT_FILENO, dispatch_cycles), 0);
}

static void the_environment_asks_for_output(void **state)
{
	(void)state;
	setenv("LIBPFM_VERBOSE", "1", 1);
	assert_true(output_of(STDERR_FILENO, dispatch_cycles) > 0);
	setenv("LIBPFM_DEBUG_STDOUT", "", 1);
	assert_true(output_of(STDOUT_FILENO, dispatch_cycles) > 0);
	assert_int_equal(output_of(STDERR_FILENO, dispatch_without_stdout), 0);
	unsetenv("LIBPFM_DEBUG_STDOUT");
	setenv("LIBPFM_VERBOSE", "2", 1);
	assert_int_equal(output_of(STDERR_FILENO, dispatch_cycles), 0);
	unsetenv("LIBPFM_VERBOSE");

	setenv("LIBPFM_DEBUG", "1", 1);
	assert_true(output_of(STDERR_FILENO, dispatch_cycles) > 0);
	setenv("LIBPFM_DEBUG", "0", 1);
	assert_int_equal(output_of(STDERR_FILENO, dispatch_cycles), 0);
	setenv("LIBPFM_DEBUG", "yes", 1);
	assert_int_equal(output_of(STDERR_FILENO, dispatch_cycles), 0);
	unsetenv("LIBPFM_DEBUG");
}

static void a_program_asks_for_output_if_the_environment_does_not(void **state)
{
	pfmlib_options_t verbose = { .pfm_verbose = 1 };
	pfmlib_options_t quiet = { 0 };

	(void)state;
	assert_int_equal(pfm_set_options(NULL), PFMLIB_ERR_INVAL);
	setenv("LIBPFM_VERBOSE", "0", 1);
	dispatch_cycles();
	assert_int_equal(pfm_set_options(&verbose), PFMLIB_SUCCESS);
	assert_int_equal(output_of(STDERR_FILENO, dispatch_cycles), 0);
	unsetenv("LIBPFM_VERBOSE");

	dispatch_cycles();
	assert_int_equal(pfm_set_options(&verbose), PFMLIB_SUCCESS);
	assert_true(output_of(STDERR_FILENO, dispatch_cycles) > 0);
	assert_int_equal(pfm_set_options(&quiet), PFMLIB_SUCCESS);
	assert_int_equal(output_of(STDERR_FILENO, dispatch_cycles), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_known_before_initialisation),
		cmocka_unit_test(
			initialising_keeps_the_strtok_state_of_the_program),
		cmocka_unit_test(models_are_listed_at_any_time),
		cmocka_unit_test(version_and_errors_need_no_initialisation),
		cmocka_unit_test(names_of_models_are_cut_to_the_buffer),
		cmocka_unit_test(the_environment_forces_a_model),
		cmocka_unit_test(what_cannot_be_forced_changes_nothing),
		cmocka_unit_test(a_forced_name_means_nothing),
		cmocka_unit_test(a_program_can_force_every_model),
		cmocka_unit_test(initialising_again_keeps_what_there_is),
		cmocka_unit_test(the_events_of_a_type_need_no_current_pmu),
		cmocka_unit_test(nothing_is_printed_unless_asked_for),
		cmocka_unit_test(the_environment_asks_for_output),
		cmocka_unit_test(
			a_program_asks_for_output_if_the_environment_does_not),
	};

	unsetenv("LIBPFM_FORCE_PMU");
	unsetenv("LIBPFM_VERBOSE");
	unsetenv("LIBPFM_DEBUG");
	unsetenv("LIBPFM_DEBUG_STDOUT");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
