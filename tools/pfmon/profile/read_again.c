// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples that are not kept in memory, see read_profile.h: the file is read as a whole
 * once, so that whatever is wrong with it is known, and then again for its samples, a
 * chunk at a time.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "diag.h"
#include "profile/read_parts.h"

struct samples_source {
	struct chunks chunks;
	off_t begin; /* of the file in its stream */
};

void part_empty(struct profile *profile)
{
	profile->sample_count = 0;
	profile->value_count = 0;
	profile->ip_count = 0;
	profile->memory_count = 0;
	profile->branch_count = 0;
}

void part_close(struct profile *profile)
{
	if (!profile->source)
		return;
	if (profile->source->chunks.copy)
		fclose(profile->source->chunks.copy);
	chunks_close(&profile->source->chunks);
	free(profile->source);
	profile->source = NULL;
}

/* Behind its magic, which was right. */
static int go_back(struct profile *profile)
{
	struct samples_source *source = profile->source;
	struct chunks *chunks = &source->chunks;

	chunks->again = true;
	chunks->complete = false;
	chunks->offset = PFMD_MAGIC_SIZE;
	profile->passed = 0;
	profile->entry_count = 0;
	profile->repeat_count = 0;
	profile->next = 0;
	part_empty(profile);
	if (fseeko(chunks->in, source->begin + PFMD_MAGIC_SIZE, SEEK_SET))
		return diag("%s: cannot be read again: %s", profile->name,
			    strerror(errno));
	diag_progress_end();
	progress_begin(&chunks->progress, chunks->in, true);
	return 0;
}

/* The copy takes the place of what was copied. */
static int take_copy(struct profile *profile)
{
	struct chunks *chunks = &profile->source->chunks;

	if (!chunks->copy)
		return 0;
	if (fflush(chunks->copy) || ferror(chunks->copy))
		return diag("%s: cannot be kept in a temporary file: %s",
			    profile->name, strerror(errno));
	if (chunks->in != stdin)
		fclose(chunks->in);
	chunks->in = chunks->copy;
	chunks->copy = NULL;
	profile->source->begin = 0;
	return 0;
}

/* What the magic was read from already is in the copy, too. */
static int make_copy(struct profile *profile)
{
	struct chunks *chunks = &profile->source->chunks;

	chunks->copy = tmpfile();
	if (!chunks->copy)
		return diag("%s: cannot be kept in a temporary file: %s",
			    profile->name, strerror(errno));
	fwrite(PFMD_MAGIC, 1, PFMD_MAGIC_SIZE, chunks->copy);
	return 0;
}

static int scan(struct profile *profile)
{
	struct samples_source *source = profile->source;
	off_t at = ftello(source->chunks.in);

	profile->name = source->chunks.name;
	source->begin = at - PFMD_MAGIC_SIZE;
	if ((at < 0 && make_copy(profile)) ||
	    part_add_all(profile, &source->chunks, false))
		return -1;
	return take_copy(profile) || go_back(profile) ? -1 : 0;
}

static int begin(struct profile *profile, const char *name)
{
	*profile = (struct profile){ .name = name };
	profile->source = calloc(1, sizeof(*profile->source));
	return profile->source ? 0 : diag("%s: no memory for it", name);
}

int profile_scan(struct profile *profile, const char *name)
{
	if (begin(profile, name) || chunks_open(&profile->source->chunks, name))
		return -1;
	return scan(profile);
}

int profile_scan_stream(struct profile *profile, FILE *in, const char *name)
{
	if (begin(profile, name) ||
	    chunks_open_stream(&profile->source->chunks, in, name))
		return -1;
	return scan(profile);
}

/* A chunk that has samples, perhaps none. */
static int read_more(struct profile *profile)
{
	struct chunk chunk;
	int ret;

	do {
		ret = chunks_next(&profile->source->chunks, &chunk);
		if (ret <= 0)
			return diag("%s: has changed while it was read",
				    profile->name);
	} while (chunk.type != PFMD_SAMPLES && chunk.type != PFMD_STACKS &&
		 chunk.type != PFMD_PRECISE);
	part_empty(profile);
	profile->next = 0;
	ret = part_add(profile, &chunk);
	profile->passed += profile->sample_count;
	return ret;
}

int profile_next(struct profile *profile, const struct profile_sample **sample)
{
	while (profile->next >= profile->sample_count) {
		if (profile->passed >= profile->sample_total) {
			diag_progress_end();
			return 0;
		}
		if (read_more(profile))
			return -1;
	}
	*sample = &profile->samples[profile->next++];
	return 1;
}

int profile_rewind(struct profile *profile)
{
	if (profile->source)
		return go_back(profile);
	profile->next = 0;
	return 0;
}
