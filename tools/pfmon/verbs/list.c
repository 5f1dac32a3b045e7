// SPDX-License-Identifier: GPL-2.0-only
/* pfmon list, see list.h. */
#include "verbs/list.h"

#include <errno.h>
#include <getopt.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "events/alias.h"
#include "events/coded.h"
#include "events/kernel_pmu.h"
#include "events/tables.h"
#include "grammar/words.h"
#include "metrics/formula_choice.h"
#include "metrics/groups.h"

#define NAME_MAX_LEN 256

enum {
	OPT_PMUS = 256,
	OPT_SYSTEM,
	OPT_GROUPS,
	OPT_METRICS,
	OPT_DESCRIBE,
	OPT_PMU,
};

static const struct option long_options[] = {
	{ "describe", required_argument, NULL, OPT_DESCRIBE },
	{ "groups", no_argument, NULL, OPT_GROUPS },
	{ "help", no_argument, NULL, 'h' },
	{ "json", no_argument, NULL, 'j' },
	{ "metrics", no_argument, NULL, OPT_METRICS },
	{ "pmu", required_argument, NULL, OPT_PMU },
	{ "pmus", no_argument, NULL, OPT_PMUS },
	{ "system", no_argument, NULL, OPT_SYSTEM },
	{ NULL, 0, NULL, 0 },
};

struct list_options {
	bool pmus, groups, metrics, system, json, help;
	const char *describe, *pmu, *pattern;
};

static void usage(FILE *out)
{
	fputs("usage: pfmon list [OPTION...] [PATTERN]\n"
	      "\n"
	      "Lists events with their descriptions: those whose names match PATTERN, an\n"
	      "extended regular expression (case ignored), or all.\n"
	      "\n"
	      "      --describe=EVENT  describe one event and its unit masks\n"
	      "      --groups          list groups of events and their metrics\n"
	      "      --metrics         list the manufacturers' metrics and the user's; PATTERN\n"
	      "                        is of their names and groups\n"
	      "      --system          list events of PMUs outside the cores, as the kernel\n"
	      "                        names them, which pfmon stat -a counts\n"
	      "      --pmus            list the models whose events are known\n"
	      "      --pmu=MODEL       use the events of this model\n"
	      "  -j, --json            one object for each event\n",
	      out);
}

static void print_mask(unsigned int event, unsigned int mask, FILE *out)
{
	char name[NAME_MAX_LEN], *text = NULL;

	if (pfm_get_event_mask_name(event, mask, name, sizeof(name)) !=
	    PFMLIB_SUCCESS)
		return;
	pfm_get_event_mask_description(event, mask, &text);
	fprintf(out, "Umask-%02u   : %s : %s\n", mask, name, text ? text : "");
	free(text);
}

/* A name that libpfm does not have: 0, or -1 after a message; 1: it is unknown. */
static int describe_coded(const char *event, FILE *out)
{
	struct coding coding;
	char *full_name, *spelled;
	enum coded_result result =
		coded_find(event, strlen(event), event, &coding, &full_name);

	if (result != CODED_FOUND)
		return result == CODED_REFUSED ? -1 : 1;
	spelled = coded_spell(&coding);
	fprintf(out, "Name       : %s\nCounted as : %s\n", event, full_name);
	if (spelled && strcmp(spelled, full_name) != 0)
		fprintf(out, "Code       : %s\n", spelled);
	free(spelled);
	free(full_name);
	return 0;
}

/* The same of names that do not depend on the model. */
static int describe_shared(const char *event, FILE *out)
{
	bool known;
	char *native = alias_native(event, strlen(event), &known);
	int ret;

	if (!native)
		return describe_coded(event, out);
	fprintf(out, "%s is %s:\n", event, native);
	native[strcspn(native, ":")] = '\0';
	ret = list_describe(native, out);
	free(native);
	return ret;
}

int list_describe(const char *event, FILE *out)
{
	char name[NAME_MAX_LEN], *text = NULL;
	unsigned int index, masks = 0;
	pfmlib_event_t found;
	char *full_name = NULL;
	int code = 0, ret;

	if (!tables_pmu() ||
	    pfm_find_event_byname(event, &index) != PFMLIB_SUCCESS) {
		ret = tables_pmu() ? describe_shared(event, out) : 1;
		if (ret <= 0)
			return ret;
		/* It explains, or the name has unit masks. */
		if (tables_find(event, event, &found, &full_name))
			return -1;
		free(full_name);
		index = found.event;
	}
	pfm_get_event_name(index, name, sizeof(name));
	pfm_get_event_code(index, &code);
	pfm_get_event_description(index, &text);
	fprintf(out, "Name       : %s\nCode       : 0x%x\n", name,
		(unsigned int)code);
	fprintf(out, "Description: %s\n", text ? text : "");
	free(text);
	pfm_get_num_event_masks(index, &masks);
	for (unsigned int mask = 0; mask < masks; mask++)
		print_mask(index, mask, out);
	return 0;
}

static int take_option(struct list_options *opts, int opt)
{
	switch (opt) {
	case OPT_PMUS:
		opts->pmus = true;
		break;
	case OPT_DESCRIBE:
		opts->describe = optarg;
		break;
	case OPT_PMU:
		opts->pmu = optarg;
		break;
	case OPT_SYSTEM:
		opts->system = true;
		break;
	case OPT_GROUPS:
		opts->groups = true;
		break;
	case OPT_METRICS:
		opts->metrics = true;
		break;
	case 'j':
		opts->json = true;
		break;
	case 'h':
		opts->help = true;
		break;
	}
	return 0;
}

static int parse(struct list_options *opts, int argc, char **argv)
{
	int opt;

	*opts = (struct list_options){ .pmus = false };
	words_begin("list");
	while ((opt = words_next(argc, argv, ":hj", long_options)) >= 0) {
		if (opt == WORDS_BAD)
			return -1;
		if (take_option(opts, opt))
			return -1;
	}
	if (optind < argc)
		opts->pattern = argv[optind++];
	if (optind < argc)
		return diag("%s: not expected here; see pfmon list --help",
			    argv[optind]);
	if (opts->json && (opts->pmus || opts->groups || opts->metrics ||
			   opts->describe || opts->system))
		return diag("--json: lists events only");
	return 0;
}

static int list(const struct list_options *opts)
{
	if (opts->system && !kernel_pmu_known())
		return diag("list: " KERNEL_PMU_UNKNOWN);
	if (opts->system) {
		kernel_pmu_list(stdout);
		return 0;
	}
	if (tables_init(opts->pmu))
		return -1;
	if (opts->pmus)
		return tables_list_pmus(stdout);
	if (opts->groups)
		return groups_list(stdout);
	if (opts->metrics)
		return formula_list(opts->pattern, stdout);
	if (opts->describe)
		return list_describe(opts->describe, stdout);
	if (opts->json)
		return tables_list_json(opts->pattern, stdout);
	return tables_list_events(opts->pattern, stdout);
}

int verb_list(int argc, char **argv)
{
	struct list_options opts;

	if (parse(&opts, argc, argv))
		return STATUS_FAILED;
	if (opts.help) {
		usage(stdout);
		return 0;
	}
	if (list(&opts))
		return STATUS_FAILED;
	if (fflush(stdout)) {
		diag("cannot write the list: %s", strerror(errno));
		return STATUS_FAILED;
	}
	return 0;
}
