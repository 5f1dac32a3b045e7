// SPDX-License-Identifier: GPL-2.0-only
/* How far the reading of a file is, see read_progress.h. */
#include "profile/read_progress.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diag.h"

void progress_begin(struct progress *progress, FILE *in, bool again)
{
	struct stat about;

	*progress = (struct progress){
		.wanted = isatty(fileno(stderr)),
		.again = again,
	};
	if (!fstat(fileno(in), &about) && S_ISREG(about.st_mode))
		progress->size = (uint64_t)about.st_size;
}

/* Its last part: the line should not be longer than that of the terminal. */
static const char *base_of(const char *name)
{
	const char *slash = strrchr(name, '/');

	return slash ? slash + 1 : name;
}

void progress_tell(struct progress *progress, const char *name, uint64_t offset)
{
	uint64_t size = progress->size;
	uint64_t now;

	if (!progress->wanted || (size && size < PROGRESS_LARGE))
		return;
	now = size ? offset * 100 / size : offset / PROGRESS_LARGE;
	if (now == progress->shown)
		return;
	progress->shown = now;
	if (size)
		diag_progress("%s: %" PRIu64 " %% read%s", base_of(name), now,
			      progress->again ? " again" : "");
	else
		diag_progress("%s: %" PRIu64 " MiB read", base_of(name),
			      offset >> 20);
}
