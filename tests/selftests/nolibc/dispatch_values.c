// SPDX-License-Identifier: GPL-2.0-only
/*
 * dispatch-values PROCESSOR=MODEL...: writes the C file with the register
 * values of all events of the processors, each forced to the model (as in
 * LIBPFM_FORCE_PMU), which have no masks; cycles and instructions once more
 * with their number. For tests/selftests/nolibc/dispatched.c. Runs on the host.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <perfmon/pfmlib.h>

static pfmlib_input_param_t in;
static pfmlib_output_param_t out;

static int write_row(const char *processor, const pfmlib_event_t *event,
		     const char *rate)
{
	char name[256];
	unsigned int i;

	memset(&in, 0, sizeof(in));
	in.pfp_dfl_plm = PFM_PLM3;
	in.pfp_event_count = 1;
	in.pfp_events[0] = *event;
	if (pfm_get_full_event_name(&in.pfp_events[0], name, sizeof(name)) ||
	    pfm_dispatch_events(&in, NULL, &out, NULL))
		return -1;
	printf("\t{ \"%s\", \"%s\", %s, %u, %u, {", processor, name, rate,
	       out.pfp_pmds[0].reg_num, out.pfp_pmc_count);
	for (i = 0; i < out.pfp_pmc_count; i++)
		printf(" { %u, 0x%llx },", out.pfp_pmcs[i].reg_num,
		       out.pfp_pmcs[i].reg_value);
	printf(" } },\n");
	return 0;
}

static int write_processor(const char *processor, const char *model)
{
	pfmlib_event_t cycles, instructions, other;
	unsigned int num_events;

	setenv("LIBPFM_FORCE_PMU", model, 1);
	if (pfm_initialize() || pfm_get_cycle_event(&cycles) ||
	    pfm_get_inst_retired_event(&instructions))
		return -1;
	memset(&other, 0, sizeof(other));
	pfm_get_num_events(&num_events);
	for (other.event = 0; other.event < num_events; other.event++)
		if (write_row(processor, &other, "0, 1"))
			return -1;
	/* The test machine makes 2 instructions in 3 cycles. */
	return write_row(processor, &cycles, "3, 2") ||
	       write_row(processor, &instructions, "1, 1");
}

int main(int argc, char **argv)
{
	char *model;
	int i;

	printf("#include <stddef.h>\n\n#include \"dispatched.h\"\n\n"
	       "const struct dispatched dispatched_values[] = {\n");
	for (i = 1; i < argc; i++) {
		model = strchr(argv[i], '=');
		if (model)
			*model++ = '\0';
		if (!model || write_processor(argv[i], model)) {
			fprintf(stderr,
				"dispatch-values: %s: no cycles or no "
				"instructions\n",
				argv[i]);
			return 1;
		}
	}
	printf("\t{ NULL, NULL, 0, 0, 0, 0, { { 0, 0 } } },\n};\n");
	return 0;
}
