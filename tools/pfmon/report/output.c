// SPDX-License-Identifier: GPL-2.0-only
/* Where reports are written, see output.h. */
#include "report/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "diag.h"
#include "report/rank.h"

#define FULL_DEVICE makedev(1, 7)

/* What a letter stands for. False if it is none. */
static bool expand(char letter, char *part, size_t size)
{
	const char *rank = rank_own(), *job = rank_job();

	switch (letter) {
	case 'h':
		gethostname(part, size - 1);
		return true;
	case 'j':
		snprintf(part, size, "%s", job ? job : "0");
		return true;
	case 'p':
		snprintf(part, size, "%d", getpid());
		return true;
	case 'r':
		snprintf(part, size, "%s", rank ? rank : "0");
		return true;
	case '%':
		return true;
	default:
		return false;
	}
}

/* Without the rank in its name, each rank would write over the others' file. */
static bool needs_rank(const char *name)
{
	return rank_own() && !strstr(name, "%r") &&
	       strncmp(name, "/dev/", 5) != 0;
}

int output_expand(const char *name, char *text, size_t size)
{
	size_t used = 0;

	for (const char *c = name; *c; c++) {
		char part[256] = { *c };

		if (*c == '%' && !expand(*++c, part, sizeof(part)))
			return diag(
				"-o %s: %%%s is not known; %%h, %%p, %%r, %%j and %%%% are",
				name, *c ? (char[]){ *c, '\0' } : "");
		used += (size_t)snprintf(text + used, size - used, "%s", part);
		if (used >= size)
			return diag("-o %s: the name is too long", name);
	}
	if (needs_rank(name))
		used += (size_t)snprintf(text + used, size - used, ".%s",
					 rank_own());
	if (used >= size)
		return diag("-o %s: the name is too long", name);
	return 0;
}

/* Only one pfmon writes to a file at a time. */
static int lock(int fd, const char *name)
{
	struct stat about;

	if (fstat(fd, &about) || !S_ISREG(about.st_mode) ||
	    !flock(fd, LOCK_EX | LOCK_NB))
		return 0;
	return diag("-o %s: another pfmon writes to it", name);
}

static int open_stream(struct output *output, int fd, const char *what)
{
	output->stream = fd < 0 ? NULL : fdopen(fd, "w");
	if (output->stream)
		return 0;
	return diag("%s: %s", what, strerror(errno));
}

/* What is no regular file cannot be replaced: it is written to. */
static int open_in_place(struct output *output, int flags)
{
	int fd = open(output->name,
		      O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | flags, 0666);
	char what[PATH_MAX + 4];

	snprintf(what, sizeof(what), "-o %s", output->name);
	if (open_stream(output, fd, what) || lock(fd, output->name))
		return -1;
	output->name[0] = '\0';
	return 0;
}

static int open_new(struct output *output)
{
	char what[PATH_MAX + 4];
	int fd;

	if (snprintf(output->temporary, sizeof(output->temporary), "%s.tmp.%d",
		     output->name, getpid()) >= (int)sizeof(output->temporary))
		return diag("-o %s: the name is too long", output->name);
	fd = open(output->temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
		  0666);
	snprintf(what, sizeof(what), "-o %s", output->name);
	return open_stream(output, fd, what);
}

static int open_file(struct output *output,
		     const struct destination *destination)
{
	struct stat about;

	if (output_expand(destination->file, output->name,
			  sizeof(output->name)))
		return -1;
	if (destination->append)
		return open_in_place(output, O_APPEND);
	if (!stat(output->name, &about)) {
		if (!S_ISREG(about.st_mode))
			return open_in_place(output, 0);
		if (access(output->name, W_OK))
			return diag("-o %s: %s", output->name, strerror(errno));
	}
	return open_new(output);
}

/* A copy that the command does not inherit. */
static int open_copy(struct output *output, int fd, const char *what)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	int flags = copy < 0 ? -1 : fcntl(copy, F_GETFL);
	struct stat about;

	/* The device that is always full can be known before. */
	if (copy >= 0 && !fstat(copy, &about) && S_ISCHR(about.st_mode) &&
	    about.st_rdev == FULL_DEVICE) {
		close(copy);
		return diag("%s: %s", what, strerror(ENOSPC));
	}
	if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY) {
		close(copy);
		return diag("%s: not open for writing", what);
	}
	return open_stream(output, copy, what);
}

int output_open(struct output *output, const struct destination *destination)
{
	char what[32];

	*output = (struct output){ 0 };
	if (destination->fd >= 0) {
		snprintf(what, sizeof(what), "--log-fd %d", destination->fd);
		return open_copy(output, destination->fd, what);
	}
	if (destination->file && strcmp(destination->file, "-") != 0)
		return open_file(output, destination);
	output->is_stderr = !destination->file && destination->standard_error;
	return output->is_stderr ?
		       open_copy(output, STDERR_FILENO, "standard error") :
		       open_copy(output, STDOUT_FILENO, "standard output");
}

int output_close(struct output *output, bool complete)
{
	int error = 0;

	if (!output->stream)
		return 0;
	if (fclose(output->stream))
		error = errno;
	output->stream = NULL;
	if (output->name[0] && output->temporary[0]) {
		if (complete && !error &&
		    rename(output->temporary, output->name))
			error = errno;
		if (!complete || error)
			unlink(output->temporary);
	}
	if (error)
		return diag("cannot write the counts: %s", strerror(error));
	return 0;
}
