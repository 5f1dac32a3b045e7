// SPDX-License-Identifier: GPL-2.0-only
/*
 * See dispatched.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "dispatched.h"

static pfmlib_input_param_t input;
static pfmlib_output_param_t output;
static char text[4096];

pfmlib_input_param_t *events_at(unsigned int plm, const char *list)
{
	char name[128];
	int used;

	memset(&input, 0, sizeof(input));
	input.pfp_dfl_plm = plm;
	while (sscanf(list, "%127s%n", name, &used) == 1) {
		if (pfm_find_full_event(
			    name, &input.pfp_events[input.pfp_event_count++]))
			fail_msg("no event %s", name);
		list += used;
	}
	return &input;
}

pfmlib_input_param_t *events(const char *list)
{
	return events_at(PFM_PLM0 | PFM_PLM3, list);
}

void without_pmc(pfmlib_input_param_t *in, unsigned int pmc)
{
	assert_int_equal(pfm_regmask_set(&in->pfp_unavail_pmcs, pmc), 0);
}

__attribute__((format(printf, 1, 2))) static void add(const char *fmt, ...)
{
	size_t len = strlen(text);
	va_list args;

	va_start(args, fmt);
	vsnprintf(text + len, sizeof(text) - len, fmt, args);
	va_end(args);
}

static void expect_zeros(const void *from, size_t len)
{
	const unsigned char *bytes = from;
	size_t i;

	for (i = 0; i < len; i++)
		if (bytes[i])
			fail_msg("byte %zu of %zu that are not used is set", i,
				 len);
}

static void expect_rest_is_zero(void)
{
	unsigned int i;

	for (i = 0; i < output.pfp_pmc_count; i++)
		assert_int_equal(output.pfp_pmcs[i].reg_reserved1, 0);
	for (i = 0; i < output.pfp_pmd_count; i++) {
		assert_int_equal(output.pfp_pmds[i].reg_reserved1, 0);
		assert_int_equal(output.pfp_pmds[i].reg_value, 0);
	}
	expect_zeros(&output.pfp_pmcs[output.pfp_pmc_count],
		     (PFMLIB_MAX_PMCS - output.pfp_pmc_count) *
			     sizeof(pfmlib_reg_t));
	expect_zeros(&output.pfp_pmds[output.pfp_pmd_count],
		     (PFMLIB_MAX_PMDS - output.pfp_pmd_count) *
			     sizeof(pfmlib_reg_t));
	expect_zeros(output.reserved, sizeof(output.reserved));
}

static const char *run(pfmlib_input_param_t *in, void *model_in,
		       void *model_out)
{
	int ret;

	text[0] = '\0';
	memset(&output, 0xa5, sizeof(output));
	ret = pfm_dispatch_events(in, model_in, &output, model_out);
	if (ret == PFMLIB_SUCCESS)
		expect_rest_is_zero();
	else
		add("error %d", ret);
	return ret == PFMLIB_SUCCESS ? NULL : text;
}

const char *dispatched_with(pfmlib_input_param_t *in, void *model_in,
			    void *model_out)
{
	unsigned int i;

	if (run(in, model_in, model_out))
		return text;
	for (i = 0; i < output.pfp_pmc_count; i++)
		add("%u=0x%llx ", output.pfp_pmcs[i].reg_num,
		    output.pfp_pmcs[i].reg_value);
	add("|");
	for (i = 0; i < output.pfp_pmd_count; i++)
		add(" %u", output.pfp_pmds[i].reg_num);
	return text;
}

const char *dispatched(pfmlib_input_param_t *in)
{
	return dispatched_with(in, NULL, NULL);
}

const char *addresses(pfmlib_input_param_t *in)
{
	unsigned int i;

	if (run(in, NULL, NULL))
		return text;
	for (i = 0; i < output.pfp_pmc_count; i++) {
		add("%u@0x%llx ", output.pfp_pmcs[i].reg_num,
		    output.pfp_pmcs[i].reg_addr);
		assert_int_equal(output.pfp_pmcs[i].reg_alt_addr,
				 output.pfp_pmcs[i].reg_addr);
	}
	add("|");
	for (i = 0; i < output.pfp_pmd_count; i++)
		add(" %u@0x%llx/0x%lx", output.pfp_pmds[i].reg_num,
		    output.pfp_pmds[i].reg_addr,
		    output.pfp_pmds[i].reg_alt_addr);
	return text;
}

const char *counters_of(const char *name)
{
	pfmlib_regmask_t counters;
	unsigned int event, i;

	text[0] = '\0';
	assert_int_equal(pfm_find_event(name, &event), PFMLIB_SUCCESS);
	assert_int_equal(pfm_get_event_counters(event, &counters),
			 PFMLIB_SUCCESS);
	for (i = 0; i < PFMLIB_MAX_PMDS; i++)
		if (pfm_regmask_isset(&counters, i))
			add("%s%u", text[0] ? " " : "", i);
	return text;
}
