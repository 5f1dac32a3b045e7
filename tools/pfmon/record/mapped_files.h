/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which files are mapped. Each is opened when its first mapping is seen, as the process
 * has it, and stays open until the recording ends: what is removed or replaced later
 * can still be read for its symbols. Opening happens in a thread (opener.h), so that a
 * file system that does not answer stops no recording.
 */
#ifndef PFMON_MAPPED_FILES_H
#define PFMON_MAPPED_FILES_H

#include <stdbool.h>
#include <sys/types.h>

#include "profile/kept.h"
#include "record/opener.h"

struct seen_file;

struct mapped_files {
	bool keep; /* they stay open; else they are looked at alone */
	struct seen_file **list; /* ascending by what the kernel tells of them */
	size_t count, capacity;
	int open, most; /* how many are, and may be, open */
	struct opener opener;
};

/* What the kernel tells of a mapping of a file, and which process has it. */
struct file_mapping {
	pid_t pid;
	const struct pfmd_map *map; /* with the build-id, or zeros */
	const char *path;
	uint64_t dev, ino; /* 0: not known; then there is a build-id */
};

/*
 * Fills in the build-id, and what file it is if that has none. Of a file that cannot be
 * read any more it is what was told.
 */
void mapped_files_see(struct mapped_files *files,
		      const struct file_mapping *mapping,
		      uint8_t build_id[PFMD_BUILD_ID_SIZE],
		      struct pfmd_file *file);

/* Takes off what the kernel puts behind the path of a file that was removed. */
void mapped_files_cut(char *path);

/*
 * A file with a row for each that is open, whose descriptors programs inherit from now
 * on; to be closed. -1 with errno.
 */
int mapped_files_list(const struct mapped_files *files);

void mapped_files_close(struct mapped_files *files);

#endif /* PFMON_MAPPED_FILES_H */
