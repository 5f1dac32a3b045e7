// SPDX-License-Identifier: GPL-2.0-only
/* The file of samples as a file, see samples_file.h. */
#include "record/samples_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diag.h"
#include "report/output.h"

static int explain(const struct samples_file *file)
{
	return diag("-o %s: %s", file->name, strerror(errno));
}

static int open_standard(struct samples_file *file)
{
	struct stat about;
	int flags = fcntl(STDOUT_FILENO, F_GETFL);

	strcpy(file->name, "standard output");
	if (isatty(STDOUT_FILENO))
		return diag("-o -: standard output is a terminal; redirect it");
	if (flags < 0 || (flags & O_ACCMODE) == O_RDONLY ||
	    fstat(STDOUT_FILENO, &about))
		return diag("standard output: not open for writing");
	file->fd = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	return file->fd < 0 ? explain(file) : 0;
}

/* What is no regular file cannot be replaced: it is written to. */
static int open_in_place(struct samples_file *file)
{
	file->fd = open(file->name, O_WRONLY | O_CLOEXEC | O_NOCTTY);
	return file->fd < 0 ? explain(file) : 0;
}

/* Somebody records into the file that is to be replaced. */
static bool is_taken(const char *name)
{
	int fd = open(name, O_RDONLY | O_CLOEXEC);
	bool taken;

	if (fd < 0)
		return false;
	taken = flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;
	close(fd);
	return taken;
}

static int open_new(struct samples_file *file)
{
	if (snprintf(file->temporary, sizeof(file->temporary), "%s.tmp.%d",
		     file->name, getpid()) >= (int)sizeof(file->temporary) - 4)
		return diag("-o %s: the name is too long", file->name);
	file->fd = open(file->temporary,
			O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	if (file->fd < 0) {
		explain(file);
		file->temporary[0] = '\0';
		return -1;
	}
	flock(file->fd, LOCK_EX | LOCK_NB);
	return 0;
}

int samples_file_open(struct samples_file *file, const char *wanted)
{
	struct stat about;

	file->fd = -1;
	file->temporary[0] = '\0';
	if (!strcmp(wanted, "-"))
		return open_standard(file);
	if (output_expand(wanted, file->name, sizeof(file->name)))
		return -1;
	if (!stat(file->name, &about)) {
		if (!S_ISREG(about.st_mode))
			return open_in_place(file);
		if (access(file->name, W_OK))
			return explain(file);
		if (is_taken(file->name))
			return diag("-o %s: another pfmon writes to it",
				    file->name);
	}
	return open_new(file);
}

int samples_file_temporary(const char **folder)
{
	const char *wanted = getenv("TMPDIR");
	char name[PATH_MAX];
	int fd;

	*folder = wanted && *wanted ? wanted : "/tmp";
	fd = open(*folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0 || snprintf(name, sizeof(name), "%s/pfmon.XXXXXX",
				*folder) >= (int)sizeof(name))
		return fd;
	fd = mkostemp(name, O_CLOEXEC);
	if (fd >= 0)
		unlink(name);
	return fd;
}

void samples_file_name(struct samples_file *file)
{
	char old[PATH_MAX + 4];

	if (!file->temporary[0])
		return;
	snprintf(old, sizeof(old), "%s.old", file->name);
	if ((rename(file->name, old) && errno != ENOENT) ||
	    rename(file->temporary, file->name)) {
		diag("note: %s: %s; the samples are in %s", file->name,
		     strerror(errno), file->temporary);
		strcpy(file->name, file->temporary);
	}
	file->temporary[0] = '\0';
}

int samples_file_close(struct samples_file *file)
{
	int error = 0;

	if (file->fd < 0)
		return 0;
	if (close(file->fd))
		error = errno;
	file->fd = -1;
	if (file->temporary[0])
		unlink(file->temporary);
	errno = error;
	return error ? explain(file) : 0;
}
