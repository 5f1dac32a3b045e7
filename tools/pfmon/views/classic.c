// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples of the classic command line: pfmon executes this when it has recorded them.
 * The formats are those of pfmon 3.9's module for the default sampling format, which
 * scripts read.
 */
#include "views/classic.h"

#include <inttypes.h>
#include <perfmon/perfmon_dfl_smpl.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "grammar/words.h"
#include "views/parts.h"
#include "views/verbs.h"

/* Of this run of the program. */
static struct classic_wish wish;

static int take_number(const char *word, unsigned int *number)
{
	return words_number(strchr(word, '=') + 1, "classic", 1, 1000000000,
			    number) ?
		       -1 :
		       1;
}

static int take(int argc, char **argv, void *arg)
{
	static const struct {
		const char *word;
		bool *flag;
	} flags[] = {
		{ "--aggregate", &wish.aggregate },
		{ "--header", &wish.header },
		{ "--ignore-pids", &wish.ignore_pids },
		{ "--per-function", &wish.per_function },
		{ "--resolve", &wish.resolve },
	};
	const char *word = argv[0];

	(void)arg;
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
		if (!strcmp(word, flags[i].word)) {
			*flags[i].flag = true;
			return 1;
		}
	}
	if (!strncmp(word, "--top=", 6))
		return take_number(word, &wish.top);
	if (!strncmp(word, "--cum-threshold=", 16))
		return take_number(word, &wish.cum_threshold);
	if (!strncmp(word, "--module=", 9)) {
		wish.module = word + 9;
		return 1;
	}
	if (!strcmp(word, "--split") && argc > 1) {
		wish.split = argv[1];
		return 2;
	}
	return 0;
}

/* The thread of a stream, as it was made: NULL if nobody has told. */
static const struct profile_task *task_of(const struct profile *profile,
					  uint32_t tid)
{
	for (size_t i = 0; i < profile->task_count; i++) {
		if (profile->tasks[i].tid == tid &&
		    profile->tasks[i].kind == PFMD_FORK)
			return &profile->tasks[i];
	}
	return NULL;
}

static void print_thread(const struct view *view,
			 const struct classic_section *section, FILE *out)
{
	const struct profile *profile = &view->profile;
	const struct profile_task *thread = task_of(profile, section->stream);
	uint32_t tgid = thread ? thread->tgid : section->stream;
	const struct profile_task *leader = thread ? task_of(profile, tgid) :
						     NULL;

	/* By the last name, which is that of the program. */
	fprintf(out, "# results for [%u:%u<-[%u]] (%s)\n", tgid,
		section->stream, leader ? leader->ptid : 0,
		functions_thread(view->functions, tgid, section->stream,
				 UINT64_MAX));
}

static void print_loss(const struct profile *profile, bool all, uint32_t stream,
		       FILE *out)
{
	struct pfmd_loss sum = { 0 };

	for (size_t i = 0; i < profile->loss_count; i++) {
		const struct pfmd_loss *loss = &profile->losses[i];

		if (!all && loss->stream != stream)
			continue;
		sum.lost += loss->lost;
		sum.blind_ns += loss->blind_ns;
		sum.throttled_ns += loss->throttled_ns;
	}
	if (sum.lost)
		fprintf(out, "# lost samples           : %" PRIu64 "\n",
			sum.lost);
	if (sum.blind_ns)
		fprintf(out, "# not sampled for        : %.6f ms\n",
			(double)sum.blind_ns / 1e6);
	if (sum.throttled_ns)
		fprintf(out, "# throttled for          : %.6f ms\n",
			(double)sum.throttled_ns / 1e6);
}

static void print_title(const struct view *view,
			const struct classic_section *section, FILE *out)
{
	if (wish.aggregate)
		fputs("# aggregated results\n", out);
	else if (section->cpu)
		fprintf(out, "# results for CPU%u\n", section->stream);
	else
		print_thread(view, section, out);
	fprintf(out, "# total samples          : %zu\n", section->count);
	print_loss(&view->profile, wish.aggregate, section->stream, out);
}

static const struct profile_event *event_of(const struct view *view,
					    const struct classic_hit *hit)
{
	return &view->profile.events[hit->sample->event];
}

static const uint64_t *values_of(const struct view *view,
				 const struct classic_hit *hit)
{
	return profile_values(&view->profile, hit->sample);
}

/* The end of a line. */
static void print_resolved(const struct classic_hit *hit, FILE *out)
{
	if (wish.resolve) {
		fputc(' ', out);
		classic_symbol(hit->place, false, out);
	}
	fputc('\n', out);
}

static void print_compact(const struct view *view,
			  const struct classic_section *section, FILE *out)
{
	for (size_t i = 0; i < section->count; i++) {
		const struct classic_hit *hit = &section->hits[i];
		const struct profile_sample *sample = hit->sample;
		const struct profile_event *event = event_of(view, hit);

		fprintf(out,
			"%zu %u %u %u 0x%" PRIx64 " %u %" PRIu64
			" 0 0x%" PRIx64,
			i, sample->tgid, sample->tid, sample->cpu, sample->time,
			event->pmd, sample->period, sample->ip);
		for (unsigned int v = 0; v < event->smpl_pmd_count; v++)
			fprintf(out, " 0x%" PRIx64, values_of(view, hit)[v]);
		print_resolved(hit, out);
	}
}

static void print_detailed(const struct view *view,
			   const struct classic_section *section, FILE *out)
{
	for (size_t i = 0; i < section->count; i++) {
		const struct classic_hit *hit = &section->hits[i];
		const struct profile_sample *sample = hit->sample;
		const struct profile_event *event = event_of(view, hit);

		fprintf(out,
			"entry %zu PID:%u TID:%u CPU:%u STAMP:0x%" PRIx64
			" OVFL:%u LAST_VAL:%" PRIu64 " SET:0 IIP:0x%" PRIx64,
			i, sample->tgid, sample->tid, sample->cpu, sample->time,
			event->pmd, sample->period, sample->ip);
		print_resolved(hit, out);
		for (unsigned int v = 0; v < event->smpl_pmd_count; v++)
			fprintf(out, "\tPMD%-3u:0x%016" PRIx64 "\n",
				event->smpl_pmds[v], values_of(view, hit)[v]);
	}
}

static void print_raw(const struct view *view,
		      const struct classic_section *section, FILE *out)
{
	for (size_t i = 0; i < section->count; i++) {
		const struct classic_hit *hit = &section->hits[i];
		const struct profile_event *event = event_of(view, hit);
		const struct pfm_dfl_smpl_entry entry = {
			.pid = hit->sample->tid,
			.ovfl_pmd = (uint16_t)event->pmd,
			.last_reset_val = -hit->sample->period,
			.ip = hit->sample->ip,
			.tstamp = hit->sample->time,
			.cpu = hit->sample->cpu,
			.tgid = hit->sample->tgid,
		};

		fwrite(&entry, sizeof(entry), 1, out);
		fwrite(values_of(view, hit), sizeof(uint64_t),
		       event->smpl_pmd_count, out);
	}
}

/* What was asked of pfmon, behind marks of comments. */
static void print_header(const struct view *view, FILE *out)
{
	const struct profile *profile = &view->profile;
	struct json_object *words;

	if (!wish.header || !strcmp(wish.module, "raw"))
		return;
	fputs("# command line     :", out);
	if (json_object_object_get_ex(profile->meta, "argv", &words) &&
	    json_object_is_type(words, json_type_array)) {
		for (size_t i = 0; i < json_object_array_length(words); i++)
			fprintf(out, " %s",
				json_object_get_string(
					json_object_array_get_idx(words, i)));
	}
	fputc('\n', out);
	for (unsigned int i = 0; i < profile->event_count; i++) {
		const struct profile_event *event = &profile->events[i];

		fprintf(out, "# PMD%u: %s = %s", event->pmd,
			event->native ? event->native : event->name,
			event->level ? event->level : "user");
		if (event->period)
			fprintf(out, ", period %" PRIu64, event->period);
		fputc('\n', out);
	}
}

static int print_section(struct view *view,
			 const struct classic_section *section, FILE *out)
{
	if (!strcmp(wish.module, "raw")) {
		print_raw(view, section, out);
		return 0;
	}
	if (!strcmp(wish.module, "compact")) {
		print_compact(view, section, out);
		return 0;
	}
	if (!strcmp(wish.module, "detailed")) {
		print_detailed(view, section, out);
		return 0;
	}
	print_title(view, section, out);
	return classic_histogram(view, &wish, section, out);
}

/* Into a file of its own. */
static int print_split(struct view *view, const struct classic_section *section)
{
	const struct profile_task *thread =
		task_of(&view->profile, section->stream);
	char name[PATH_MAX];
	const struct destination destination = { .file = name, .fd = -1 };
	struct output output;
	int length, ret;

	length = section->cpu ?
			 snprintf(name, sizeof(name), "%s.cpu%u", wish.split,
				  section->stream) :
			 snprintf(name, sizeof(name), "%s.%u.%u", wish.split,
				  thread ? thread->tgid : section->stream,
				  section->stream);
	if (length >= (int)sizeof(name))
		return diag("--smpl-outfile: the name is too long");
	ret = output_open(&output, &destination);
	if (!ret) {
		print_header(view, output.stream);
		ret = print_section(view, section, output.stream);
	}
	return output_close(&output, !ret) || ret ? -1 : 0;
}

static int compare_hits(const void *one, const void *other)
{
	const struct classic_hit *a = one, *b = other;

	if (a->section != b->section)
		return a->section < b->section ? -1 : 1;
	return a->number < b->number ? -1 : 1;
}

/* By their stream, which has fewer than there are samples. */
static int collect(struct view *view, struct classic_hit *hits, size_t *count)
{
	const struct profile_sample *sample;
	const struct place *place;
	int ret;

	while ((ret = view_next(view, &sample, &place)) > 0) {
		hits[*count] = (struct classic_hit){
			.sample = sample,
			.place = place,
			.section = wish.aggregate ? 0 : sample->stream,
			.number = *count,
		};
		++*count;
	}
	qsort(hits, *count, sizeof(*hits), compare_hits);
	return ret;
}

/* Of the first that was to be sampled, if nothing was. */
static uint32_t first_stream(const struct profile *profile)
{
	return profile->task_count ? profile->tasks[0].tid : 0;
}

static int print_sections(struct view *view, struct classic_hit *hits,
			  size_t count)
{
	const char *streams = profile_meta(&view->profile, "streams");
	bool cpus = streams && !strcmp(streams, "cpus");
	size_t first = 0;

	do {
		struct classic_section section = { .hits = hits + first,
						   .cpu = cpus };
		int ret;

		section.stream = count ? hits[first].sample->stream :
				 cpus  ? 0 :
					 first_stream(&view->profile);
		while (first + section.count < count &&
		       hits[first + section.count].section ==
			       hits[first].section)
			section.count++;
		ret = wish.split ? print_split(view, &section) :
				   print_section(view, &section,
						 view->output.stream);
		if (ret)
			return ret;
		first += section.count;
	} while (first < count);
	return 0;
}

static int print_all(struct view *view)
{
	struct classic_hit *hits =
		calloc(view->profile.sample_count + 1, sizeof(*hits));
	size_t count = 0;
	int ret;

	if (!hits)
		return diag("no memory for the samples");
	if (!wish.split)
		print_header(view, view->output.stream);
	ret = collect(view, hits, &count);
	if (!ret)
		ret = print_sections(view, hits, count);
	free(hits);
	return ret;
}

static void usage(FILE *out)
{
	fputs("pfmon executes this; see pfmon --help\n", out);
}

int verb_classic(int argc, char **argv)
{
	wish = (struct classic_wish){ .module = "inst-hist" };
	argc = parts_own_words(argc, argv, take, NULL);
	if (argc < 0)
		return STATUS_FAILED;
	return view_run("classic", argc, argv, usage, print_all);
}
