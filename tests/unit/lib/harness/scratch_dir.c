// SPDX-License-Identifier: GPL-2.0-only
/* Temporary directories for tests, see scratch_dir.h. */
#include "scratch_dir.h"

#include <err.h>
#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *scratch_make(void)
{
	const char *parent = getenv("TMPDIR");
	char *dir;

	if (asprintf(&dir, "%s/perfmon-test-XXXXXX", parent ? parent : "/tmp") <
		    0 ||
	    !mkdtemp(dir))
		err(1, "cannot make a temporary directory");
	return dir;
}

static int remove_entry(const char *path, const struct stat *st, int type,
			struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

void scratch_remove(char *dir)
{
	if (nftw(dir, remove_entry, 8, FTW_DEPTH | FTW_PHYS))
		err(1, "cannot remove %s", dir);
	free(dir);
}

static char *join(const char *dir, const char *path)
{
	char *full;

	if (asprintf(&full, "%s/%s", dir, path) < 0)
		err(1, "out of memory");
	return full;
}

void scratch_write(const char *dir, const char *path, const char *text)
{
	char *full = join(dir, path);
	char *slash = full + strlen(dir);
	FILE *file;

	while ((slash = strchr(slash + 1, '/'))) {
		*slash = '\0';
		if (mkdir(full, 0777) && errno != EEXIST)
			err(1, "cannot make %s", full);
		*slash = '/';
	}
	file = fopen(full, "w");
	if (!file || fputs(text, file) < 0 || fclose(file))
		err(1, "cannot write %s", full);
	free(full);
}

void scratch_unlink(const char *dir, const char *path)
{
	char *full = join(dir, path);

	if (unlink(full))
		err(1, "cannot remove %s", full);
	free(full);
}
