// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon export pprof: the profile of pprof, compressed. Each event has two values,
 * its samples and the events that they stand for; threads, host and rank are labels.
 */
#include "export/formats.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#include "diag.h"
#include "export/pprof_parts.h"

#ifdef HAVE_ZLIB
/* What one sample of pprof is a sum of. */
struct key {
	const struct place **stack; /* the innermost first */
	unsigned int depth; /* at least 1 */
	const char *comm;
	uint32_t tgid, tid;
	uint64_t *values; /* two of each event */
};

static int compare(const void *one, const void *other)
{
	const struct key *a = one, *b = other;

	for (unsigned int i = 0; i < a->depth && i < b->depth; i++) {
		if (a->stack[i]->index != b->stack[i]->index)
			return a->stack[i]->index < b->stack[i]->index ? -1 : 1;
	}
	if (a->depth != b->depth)
		return a->depth < b->depth ? -1 : 1;
	if (a->tgid != b->tgid)
		return a->tgid < b->tgid ? -1 : 1;
	if (a->tid != b->tid)
		return a->tid < b->tid ? -1 : 1;
	return strcmp(a->comm, b->comm);
}

static struct key *key_of(void **tree, const struct key *wanted, size_t values)
{
	struct key **node = tfind(wanted, tree, compare);
	struct key *kept;

	if (node)
		return *node;
	kept = calloc(1, sizeof(*kept) + values * sizeof(*kept->values) +
				 wanted->depth * sizeof(const void *));
	if (!kept)
		return NULL;
	*kept = *wanted;
	kept->values = (uint64_t *)(kept + 1);
	kept->stack = (const struct place **)(kept->values + values);
	memcpy(kept->stack, wanted->stack,
	       wanted->depth * sizeof(const void *));
	if (tsearch(kept, tree, compare))
		return kept;
	free(kept);
	return NULL;
}

/* To where it says. -1 after a message. */
static int fill_stack(struct key *key, struct view *view,
		      const struct profile_sample *sample)
{
	key->depth = functions_depth(view->functions, sample);
	for (unsigned int i = 0; i < key->depth; i++)
		key->stack[i] = functions_caller(view->functions, i);
	return key->depth ? 0 : -1;
}

/* process: of the first sample; as it was if there is none. */
static int sum(struct view *view, void **tree, uint32_t *process)
{
	static const struct place *stack[UINT16_MAX];
	const struct profile_sample *sample;
	const struct place *place;
	int ret;

	if (view_rewind(view))
		return -1;
	while ((ret = view_next(view, &sample, &place)) > 0) {
		struct key wanted = {
			.stack = stack,
			.comm = functions_comm(view->functions, sample),
			.tgid = sample->tgid,
			.tid = sample->tid,
		};
		struct key *key;

		if (fill_stack(&wanted, view, sample))
			return -1;
		if (!*tree)
			*process = sample->tgid;
		key = key_of(tree, &wanted, 2UL * view->profile.event_count);
		if (!key)
			return diag("no memory for the sums");
		key->values[2 * sample->event]++;
		key->values[2 * sample->event + 1] +=
			profile_worth(&view->profile, sample);
	}
	return ret;
}

static struct pprof *walked;

static void add_sample(const void *node, VISIT visit, int depth)
{
	const struct key *key = *(struct key *const *)node;

	(void)depth;
	if (visit == postorder || visit == leaf)
		pprof_sample(walked, key->stack, key->depth, key->values,
			     &(struct pprof_labels){ .comm = key->comm,
						     .pid = key->tgid,
						     .tid = key->tid });
}

/* 31 is a window of 32 KiB with the header of gzip. */
static int compress_all(const struct message *message, FILE *out)
{
	z_stream stream = { 0 };
	static uint8_t packed[64 * 1024];
	int ret;

	if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, 31, 9,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		return diag("no memory for compression");
	stream.next_in = message->bytes;
	stream.avail_in = (uInt)message->size;
	do {
		stream.next_out = packed;
		stream.avail_out = sizeof(packed);
		ret = deflate(&stream, Z_FINISH);
		fwrite(packed, 1, sizeof(packed) - stream.avail_out, out);
	} while (ret == Z_OK);
	deflateEnd(&stream);
	return ret == Z_STREAM_END ? 0 : diag("compression failed");
}

int export_pprof(struct view *view)
{
	struct pprof pprof;
	uint32_t process = 0;
	void *tree = NULL;
	int ret = sum(view, &tree, &process);

	pprof_begin(&pprof, &view->profile);
	pprof_program(&pprof, process);
	walked = &pprof;
	if (!ret)
		twalk(tree, add_sample);
	tdestroy(tree, free);
	if (!ret && pprof_end(&pprof))
		ret = diag("no memory for the profile");
	if (!ret && pprof.profile.size > UINT32_MAX)
		ret = diag("the profile is too large for pprof");
	if (!ret)
		ret = compress_all(&pprof.profile, view->output.stream);
	pprof_free(&pprof);
	return ret;
}
#else
int export_pprof(struct view *view)
{
	(void)view;
	return diag("export pprof: not built in: zlib");
}
#endif
