// SPDX-License-Identifier: GPL-2.0-only
/* pfmon script: a line for each sample, in the order of time. */
#include <inttypes.h>
#include <stdio.h>

#include "diag.h"
#include "report/plain.h"
#include "views/access.h"
#include "views/branches.h"
#include "views/calls.h"
#include "views/verbs.h"
#include "views/view.h"

#define NS_PER_SECOND 1000000000

static void usage(FILE *out)
{
	fputs("usage: pfmon script [OPTION...] [FILE]\n"
	      "\n"
	      "Prints a line for each sample of a file of pfmon record:\n"
	      "COMM TID/TGID [CPU] SECONDS: PERIOD EVENT: ADDRESS SYMBOL+0xOFFSET (FILE), and\n"
	      "PMDn=VALUE for what was read with it. \"interrupted\" is behind the place of a\n"
	      "precise sample whose own instruction is not known. With addresses of data (-d)\n"
	      "load or store follows, the address, where the data were, and the latency of a\n"
	      "miss. With stacks a line for each caller follows: a tab, ADDRESS SYMBOL+0xOFFSET (FILE), the innermost first;\n" CALLS_BROKEN
	      " if frame pointers do not tell who called the last one.\n"
	      "With branches (-b) a line for each follows, the newest first: a tab, branch,\n"
	      "ADDRESS SYMBOL+0xOFFSET -> ADDRESS SYMBOL+0xOFFSET, mispredicted, and the cycles\n"
	      "since the one before it.\n"
	      "\n",
	      out);
	fputs(view_usage, out);
}

static void print_values(const struct view *view,
			 const struct profile_sample *sample, FILE *out)
{
	const struct profile_event *event =
		&view->profile.events[sample->event];

	for (unsigned int i = 0; i < event->smpl_pmd_count; i++)
		fprintf(out, " PMD%u=%" PRIu64, event->smpl_pmds[i],
			view->profile.values[sample->values + i]);
}

/* As "load 404040 L2 latency 14"; of AMD the latency is the one of a miss. */
static void print_access(const struct profile *profile,
			 const struct profile_sample *sample, FILE *out)
{
	const struct profile_memory *memory = profile_memory(profile, sample);
	struct access access;

	if (!access_of(profile, sample, &access))
		return;
	fprintf(out, " %s%s%s", access.locked ? "locked " : "",
		access.load ? "load" : "",
		!access.store ? "" :
		access.load   ? "+store" :
				"store");
	if (memory->has_address)
		fprintf(out, " %" PRIx64, memory->address);
	fprintf(out, " %s", access_source_name(access.source));
	if (access.miss_latency)
		fprintf(out, " latency %" PRIu32, access.miss_latency);
}

static void print_place(const struct place *place, uint64_t ip,
			uint64_t distance, FILE *out)
{
	const struct function *function = place->function;

	fprintf(out, "%" PRIx64 " ", ip);
	plain_write(function->name, 0, out);
	if (function->has_symbol)
		fprintf(out, "+0x%" PRIx64,
			place->place - function->start + distance);
	if (!*function->file)
		return;
	fputs(" (", out);
	plain_write(function->file, 0, out);
	fputc(')', out);
}

/* Addresses are those that calls return to. */
static int print_callers(struct view *view, const struct profile_sample *sample)
{
	const uint64_t *ips = profile_stack(&view->profile, sample);
	unsigned int depth = functions_depth(view->functions, sample);
	FILE *out = view->output.stream;

	for (unsigned int i = 1; i < depth; i++) {
		fputc('\t', out);
		print_place(functions_caller(view->functions, i), ips[i],
			    i != sample->kernel_frames, out);
		fputc('\n', out);
	}
	if (functions_broken(view->functions))
		fputs("\t" CALLS_BROKEN "\n", out);
	return depth ? 0 : -1;
}

static void print_sample(const struct view *view,
			 const struct profile_sample *sample,
			 const struct place *place)
{
	const struct profile_event *event =
		&view->profile.events[sample->event];
	FILE *out = view->output.stream;
	char comm[PFMD_COMM_SIZE];

	fprintf(out,
		"%s %" PRIu32 "/%" PRIu32 " [%03u] %" PRIu64 ".%09" PRIu64
		": %" PRIu64 " %s: ",
		plain(functions_comm(view->functions, sample), comm,
		      sizeof(comm)),
		sample->tid, sample->tgid, sample->cpu,
		sample->time / NS_PER_SECOND, sample->time % NS_PER_SECOND,
		sample->period, event->name);
	print_place(place, sample->ip, 0, out);
	if (event->precise && !sample->exact && !sample->next)
		fputs(" interrupted", out);
	print_values(view, sample, out);
	print_access(&view->profile, sample, out);
	fputc('\n', out);
}

static int print_all(struct view *view)
{
	const struct profile_sample *sample;
	const struct place *place;
	char losses[256];
	int ret;

	if (*view_losses(view, losses, sizeof(losses)))
		diag("note: %s", losses);
	while ((ret = view_next(view, &sample, &place)) > 0) {
		print_sample(view, sample, place);
		if (print_callers(view, sample) || branches_print(view, sample))
			return -1;
	}
	if (!ret)
		view_tell_none(view);
	return ret;
}

int verb_script(int argc, char **argv)
{
	return view_run("script", argc, argv, usage, print_all);
}
