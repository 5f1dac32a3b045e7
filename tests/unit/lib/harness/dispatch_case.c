// SPDX-License-Identifier: GPL-2.0-only
/* Dispatches written as text, see dispatch_case.h. */
#include "dispatch_case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <perfmon/pfmlib_core.h>
#include <perfmon/pfmlib_coreduo.h>
#include <perfmon/pfmlib_gen_ia32.h>
#include <perfmon/pfmlib_intel_atom.h>
#include <perfmon/pfmlib_intel_nhm.h>

#define TEXT_SIZE 2048

/* Whatever the model, its input is made of these. */
struct model_input {
	unsigned long cnt_mask[PMU_NHM_NUM_COUNTERS];
	unsigned int flags[PMU_NHM_NUM_COUNTERS];
	bool given;
	pfmlib_nhm_pebs_t pebs;
	pfmlib_nhm_lbr_t lbr;
};

static union {
	pfmlib_core_input_param_t core;
	pfmlib_coreduo_input_param_t coreduo;
	pfmlib_gen_ia32_input_param_t arch;
	pfmlib_intel_atom_input_param_t atom;
	pfmlib_nhm_input_param_t nhm;
} model_in;

static pfmlib_input_param_t in;
static pfmlib_output_param_t out;

static struct pfmlib_pmu changed;
static const struct pfmlib_pmu *chosen;

const struct pfmlib_pmu *__wrap_pfmlib_current(void);
const struct pfmlib_pmu *__real_pfmlib_current(void);

const struct pfmlib_pmu *__wrap_pfmlib_current(void)
{
	return chosen ? chosen : __real_pfmlib_current();
}

/* What follows KEY= in the words of text; false if there is no such word. */
static bool find_word(const char *text, const char *key, unsigned long *value)
{
	size_t length = strlen(key);

	while ((text = strstr(text, key))) {
		if (text[length] == '=') {
			*value = strtoul(text + length + 1, NULL, 0);
			return true;
		}
		text += length;
	}
	return false;
}

static bool change_cpu(struct pfmlib_cpu *cpu, const char *with)
{
	unsigned long value;
	bool is_changed = false;

	if (find_word(with, "version", &value)) {
		cpu->arch_version = value;
		is_changed = true;
	}
	if (find_word(with, "generic", &value)) {
		cpu->num_generic = value;
		is_changed = true;
	}
	if (find_word(with, "fixed", &value)) {
		cpu->num_fixed = value;
		is_changed = true;
	}
	if (find_word(with, "absent", &value)) {
		cpu->arch_unavail = value;
		is_changed = true;
	}
	if (find_word(with, "model", &value)) {
		cpu->model = value;
		is_changed = true;
	}
	return is_changed;
}

static void free_changed(void)
{
	free(changed.data);
	memset(&changed, 0, sizeof(changed));
}

const struct pfmlib_pmu *dispatch_use(int type, const char *with)
{
	const struct pfmlib_pmu *forced;

	chosen = NULL;
	assert_int_equal(pfm_force_pmu(type), PFMLIB_SUCCESS);
	forced = pfmlib_current();
	free_changed();
	changed.model = forced->model;
	changed.cpu = forced->cpu;
	if (!change_cpu(&changed.cpu, with))
		return forced;
	/* Events do not depend on what was changed. */
	changed.events = forced->events;
	changed.num_events = forced->num_events;
	assert_int_equal(changed.model->dispatch->setup(&changed),
			 PFMLIB_SUCCESS);
	chosen = &changed;
	return chosen;
}

static void read_option(struct model_input *input, unsigned int i,
			const char *text)
{
	unsigned long value = strtoul(text + 2, NULL, 16);

	assert_int_equal(text[1], '=');
	switch (text[0]) {
	case 'c':
		input->cnt_mask[i] = strtoul(text + 2, NULL, 0);
		input->given = true;
		break;
	case 'f':
		input->flags[i] = value;
		input->given = true;
		break;
	case 'p':
		in.pfp_events[i].plm = value;
		break;
	case 'e':
		in.pfp_events[i].flags = value;
		break;
	default:
		fail_msg("%s: no such option", text);
	}
}

static void read_events(const char *events, struct model_input *input)
{
	char text[TEXT_SIZE], *word, *rest = text;

	assert_true(strlen(events) < sizeof(text));
	strcpy(text, events);
	while ((word = strsep(&rest, " "))) {
		unsigned int i = in.pfp_event_count++;
		char *name = strsep(&word, ","), *option;

		if (pfm_find_full_event(name, &in.pfp_events[i]) !=
		    PFMLIB_SUCCESS)
			fail_msg("%s: no such event", name);
		while ((option = strsep(&word, ",")))
			read_option(input, i, option);
	}
}

static void read_call(const char *with, struct model_input *input)
{
	unsigned long value;
	const char *word = with;

	in.pfp_dfl_plm = find_word(with, "plm", &value) ? value : PFM_PLM3;
	while ((word = strstr(word, "unavail="))) {
		word += strlen("unavail=");
		pfm_regmask_set(&in.pfp_unavail_pmcs, strtoul(word, NULL, 0));
	}
	if (strstr(with, "pebs"))
		input->pebs.pebs_used = 1;
	if (find_word(with, "lat", &value))
		input->pebs.ld_lat_thres = value;
	if (find_word(with, "lbr", &value)) {
		input->lbr.lbr_used = 1;
		input->lbr.lbr_plm = value;
	}
	if (find_word(with, "filter", &value))
		input->lbr.lbr_filter = value;
	input->given |= input->pebs.pebs_used || input->pebs.ld_lat_thres ||
			input->lbr.lbr_used;
}

#define FILL(counters, input)                                                \
	do {                                                                 \
		for (size_t i_ = 0;                                          \
		     i_ < ARRAY_SIZE(counters) && i_ < PMU_NHM_NUM_COUNTERS; \
		     i_++) {                                                 \
			(counters)[i_].cnt_mask = (input)->cnt_mask[i_];     \
			(counters)[i_].flags = (input)->flags[i_];           \
		}                                                            \
	} while (0)

static void *build_model_in(int type, const struct model_input *input)
{
	memset(&model_in, 0, sizeof(model_in));
	if (!input->given)
		return NULL;
	switch (type) {
	case PFMLIB_COREDUO_PMU:
		FILL(model_in.coreduo.pfp_coreduo_counters, input);
		break;
	case PFMLIB_CORE_PMU:
		FILL(model_in.core.pfp_core_counters, input);
		model_in.core.pfp_core_pebs.pebs_used = input->pebs.pebs_used;
		break;
	case PFMLIB_INTEL_ATOM_PMU:
		FILL(model_in.atom.pfp_intel_atom_counters, input);
		model_in.atom.pfp_intel_atom_pebs_used = input->pebs.pebs_used;
		break;
	case PFMLIB_GEN_IA32_PMU:
		FILL(model_in.arch.pfp_gen_ia32_counters, input);
		break;
	default:
		FILL(model_in.nhm.pfp_nhm_counters, input);
		model_in.nhm.pfp_nhm_pebs = input->pebs;
		model_in.nhm.pfp_nhm_lbr = input->lbr;
		break;
	}
	return &model_in;
}

static const char *error_name(int error)
{
	switch (error) {
	case PFMLIB_ERR_NOTSUPP:
		return "NOTSUPP";
	case PFMLIB_ERR_INVAL:
		return "INVAL";
	case PFMLIB_ERR_NOASSIGN:
		return "NOASSIGN";
	case PFMLIB_ERR_FEATCOMB:
		return "FEATCOMB";
	case PFMLIB_ERR_UMASK:
		return "UMASK";
	default:
		return pfm_strerror(error);
	}
}

/* Runs of more than two PMDs in a row as "31-63". */
static void print_pmds(FILE *text)
{
	const pfmlib_reg_t *pmds = out.pfp_pmds;
	unsigned int i, last;

	for (i = 0; i < out.pfp_pmd_count; i = last + 1) {
		last = i;
		while (last + 1 < out.pfp_pmd_count &&
		       pmds[last + 1].reg_num == pmds[last].reg_num + 1)
			last++;
		if (last < i + 8)
			last = i;
		fprintf(text, " %u", pmds[i].reg_num);
		if (last > i)
			fprintf(text, "-%u", pmds[last].reg_num);
	}
}

static void print_result(char *result, size_t size, int error)
{
	FILE *text = fmemopen(result, size, "w");
	unsigned int i;

	assert_non_null(text);
	if (error) {
		fputs(error_name(error), text);
	} else {
		for (i = 0; i < out.pfp_pmc_count; i++)
			fprintf(text, "%u=0x%llx ", out.pfp_pmcs[i].reg_num,
				out.pfp_pmcs[i].reg_value);
		fputc('|', text);
		print_pmds(text);
	}
	fclose(text);
}

void dispatch_case_test(void **state)
{
	const struct dispatch_case *dispatch = *state;
	const char *with = dispatch->with ? dispatch->with : "";
	struct model_input input = { 0 };
	char result[TEXT_SIZE];
	void *model;
	int error;

	memset(&in, 0, sizeof(in));
	memset(&out, 0xff, sizeof(out));
	dispatch_use(dispatch->type, with);
	if (*dispatch->events)
		read_events(dispatch->events, &input);
	read_call(with, &input);
	model = build_model_in(dispatch->type, &input);
	error = pfm_dispatch_events(&in, model, &out, NULL);
	print_result(result, sizeof(result), error);
	assert_string_equal(result, dispatch->result);
	chosen = NULL;
	free_changed();
}

int dispatch_run_cases(const char *group, const struct dispatch_case *cases,
		       size_t count)
{
	struct CMUnitTest *tests = calloc(count, sizeof(*tests));
	size_t i;
	int failed;

	if (!tests)
		return 1;
	for (i = 0; i < count; i++) {
		tests[i].name = cases[i].behaviour;
		tests[i].test_func = dispatch_case_test;
		tests[i].initial_state = (void *)&cases[i];
	}
	failed = _cmocka_run_group_tests(group, tests, count, NULL, NULL);
	free(tests);
	return failed;
}
