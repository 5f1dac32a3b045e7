// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon export firefox: the processed profile of the Firefox Profiler, with its
 * symbols and call chains inside. Each thread of the samples is a thread of it.
 *
 * Versions from 47 on have isMainThread and pids that are text: of older ones the
 * Profiler takes each thread whose pid is text for a main thread. It wants a category
 * that is grey, for stacks that it makes itself.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "export/firefox_thread.h"
#include "export/formats.h"
#include "export/markup.h"

static int by_thread(const void *one, const void *other)
{
	const struct firefox_sample *a = one, *b = other;

	if (a->sample->tgid != b->sample->tgid)
		return a->sample->tgid < b->sample->tgid ? -1 : 1;
	if (a->sample->tid != b->sample->tid)
		return a->sample->tid < b->sample->tid ? -1 : 1;
	return a->sample < b->sample ? -1 : a->sample > b->sample;
}

/* In the order of threads, then of time. NULL after a message. */
static struct firefox_sample *collect(struct view *view, size_t *count)
{
	struct firefox_sample *samples =
		calloc(view->profile.sample_count + 1, sizeof(*samples));
	struct firefox_sample next;
	int ret = samples ? 0 : diag("no memory for the samples");

	*count = 0;
	if (!ret)
		ret = view_rewind(view);
	while (!ret && (ret = view_next(view, &next.sample, &next.place)) > 0) {
		samples[(*count)++] = next;
		ret = 0;
	}
	if (ret) {
		free(samples);
		return NULL;
	}
	qsort(samples, *count, sizeof(*samples), by_thread);
	return samples;
}

static void print_meta(const struct view *view, FILE *out)
{
	const char *host = profile_meta(&view->profile, "host");
	const char *model = profile_meta(&view->profile, "model");

	fputs("{\"meta\":{\"version\":29,\"preprocessedProfileVersion\":48,"
	      "\"interval\":1,\"startTime\":0,\"processType\":0,\"product\":\"pfmon\","
	      "\"importedFrom\":\"pfmon\",\"stackwalk\":0,\"debug\":false,"
	      "\"symbolicated\":true,\"markerSchema\":[],\"extensions\":{\"length\":0,"
	      "\"baseURL\":[],\"id\":[],\"name\":[]},\"categories\":[{\"name\":\"User\","
	      "\"color\":\"yellow\",\"subcategories\":[\"Other\"]},{\"name\":\"Kernel\","
	      "\"color\":\"orange\",\"subcategories\":[\"Other\"]},{\"name\":\"Other\","
	      "\"color\":\"grey\",\"subcategories\":[\"Other\"]}],\"oscpu\":\"Linux\","
	      "\"misc\":",
	      out);
	markup_json(host ? host : "", out);
	fputs(",\"CPUName\":", out);
	markup_json(model ? model : "", out);
	fputs("},\"libs\":[],\"pages\":[],\"threads\":[", out);
}

int export_firefox(struct view *view)
{
	FILE *out = view->output.stream;
	struct firefox_sample *samples;
	size_t count, end;
	int ret = 0;

	samples = collect(view, &count);
	if (!samples)
		return -1;
	print_meta(view, out);
	for (size_t first = 0; !ret && first < count; first = end) {
		const struct profile_sample *one = samples[first].sample;

		for (end = first + 1; end < count; end++) {
			if (samples[end].sample->tid != one->tid ||
			    samples[end].sample->tgid != one->tgid)
				break;
		}
		if (first)
			fputc(',', out);
		ret = firefox_thread(view, samples + first, end - first, out);
	}
	fputs("],\"counters\":[]}\n", out);
	free(samples);
	return ret;
}
