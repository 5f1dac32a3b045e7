/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where samples are written. A regular file has another name until something is
 * recorded, so that a command that cannot begin costs no older file.
 */
#ifndef PFMON_SAMPLES_FILE_H
#define PFMON_SAMPLES_FILE_H

#include <limits.h>
#include <stdbool.h>

struct samples_file {
	int fd; /* -1: not open */
	char name[PATH_MAX]; /* as messages have it */
	char temporary[PATH_MAX]; /* "": it has its name */
};

/* wanted as of -o. 0, or -1 after a message. */
int samples_file_open(struct samples_file *file, const char *wanted);

/*
 * One without a name, in a folder that $TMPDIR tells. It goes with pfmon, whatever
 * becomes of that. -1 with errno.
 */
int samples_file_temporary(const char **folder);

/* Gives it its name; what had it is kept with ".old" behind it. */
void samples_file_name(struct samples_file *file);

/* Closes it; without its name it goes. 0, or -1 after a message. */
int samples_file_close(struct samples_file *file);

#endif /* PFMON_SAMPLES_FILE_H */
