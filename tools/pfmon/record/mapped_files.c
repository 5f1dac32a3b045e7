// SPDX-License-Identifier: GPL-2.0-only
/* Files that are mapped, see mapped_files.h. */
#include "record/mapped_files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/clocks.h"

/* Sessions need descriptors, too. */
#define KEPT_MOST 4096
#define KEPT_SHARE 4

#define DELETED " (deleted)"

/* One file; what the kernel tells of it is the first part. */
struct seen_file {
	struct {
		uint8_t build_id[PFMD_BUILD_ID_SIZE];
		uint32_t zero;
		uint64_t dev, ino; /* zeros where there is a build-id */
	} told;
	struct kept_file kept; /* descriptor -1: not open */
};

/* What is no file in a directory has a name in brackets, or one of these. */
static bool has_file(const char *path)
{
	return *path == '/' && path[1] != '/' &&
	       strncmp(path, "/memfd:", 7) != 0 &&
	       strncmp(path, "/dev/", 5) != 0;
}

static int compare(const struct seen_file *a, const struct seen_file *b)
{
	return memcmp(&a->told, &b->told, sizeof(a->told));
}

static int most_open(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return 0;
	return limit.rlim_cur / KEPT_SHARE < KEPT_MOST ?
		       (int)(limit.rlim_cur / KEPT_SHARE) :
		       KEPT_MOST;
}

static void close_file(struct mapped_files *files, struct seen_file *seen)
{
	if (seen->kept.fd < 0)
		return;
	close(seen->kept.fd);
	seen->kept.fd = -1;
	files->open--;
}

/* Without a build-id, what is written in its place is another file. */
static bool is_rewritten(const struct seen_file *seen)
{
	struct stat about;

	return seen->kept.fd >= 0 && seen->told.ino &&
	       !fstat(seen->kept.fd, &about) &&
	       seen->kept.file.mtime_ns !=
		       (uint64_t)about.st_mtim.tv_sec * NS_PER_S +
			       (uint64_t)about.st_mtim.tv_nsec;
}

static void look_at(struct mapped_files *files, struct seen_file *seen,
		    const struct file_mapping *mapping)
{
	struct opener_wish wish = {
		.pid = mapping->pid,
		.begin = mapping->map->addr,
		.end = mapping->map->addr + mapping->map->len,
		.path = mapping->path,
		.ino = mapping->ino,
	};
	struct opener_answer answer;

	memcpy(wish.build_id, seen->told.build_id, sizeof(wish.build_id));
	opener_ask(&files->opener, &wish, &answer);
	memcpy(seen->kept.build_id,
	       answer.fd < 0 ? wish.build_id : answer.build_id,
	       sizeof(wish.build_id));
	seen->kept.fd = answer.fd;
	/* What the kernel calls the device is what it calls it elsewhere. */
	seen->kept.file = answer.file;
	seen->kept.file.dev = seen->told.dev;
	seen->kept.file.ino = seen->told.ino;
	if (answer.fd < 0)
		return;
	files->open++;
	if (!files->most)
		files->most = most_open();
	if (!files->keep || files->open > files->most)
		close_file(files, seen);
}

/* Where it is in the list, or belongs. */
static size_t place_of(const struct mapped_files *files,
		       const struct seen_file *key)
{
	size_t low = 0, high = files->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare(files->list[middle], key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* A copy, at its place. NULL without memory. */
static struct seen_file *insert(struct mapped_files *files, size_t place,
				const struct seen_file *key)
{
	size_t capacity = files->capacity ? 2 * files->capacity : 64;
	struct seen_file **grown, *seen;

	if (files->count == files->capacity) {
		grown = reallocarray(files->list, capacity, sizeof(*grown));
		if (!grown)
			return NULL;
		files->list = grown;
		files->capacity = capacity;
	}
	seen = malloc(sizeof(*seen));
	if (!seen)
		return NULL;
	*seen = *key;
	memmove(files->list + place + 1, files->list + place,
		(files->count - place) * sizeof(struct seen_file *));
	files->list[place] = seen;
	files->count++;
	return seen;
}

/* NULL without memory. */
static struct seen_file *see(struct mapped_files *files,
			     const struct file_mapping *mapping)
{
	struct seen_file key = { .kept.fd = -1 }, *seen;
	size_t place;

	memcpy(key.told.build_id, mapping->map->build_id,
	       sizeof(key.told.build_id));
	key.told.dev = mapping->dev;
	key.told.ino = mapping->ino;
	place = place_of(files, &key);
	if (place < files->count && !compare(files->list[place], &key)) {
		seen = files->list[place];
		if (!is_rewritten(seen))
			return seen;
		close_file(files, seen);
	} else {
		seen = insert(files, place, &key);
	}
	if (seen)
		look_at(files, seen, mapping);
	return seen;
}

void mapped_files_see(struct mapped_files *files,
		      const struct file_mapping *mapping,
		      uint8_t build_id[PFMD_BUILD_ID_SIZE],
		      struct pfmd_file *file)
{
	const struct seen_file *seen =
		has_file(mapping->path) ? see(files, mapping) : NULL;

	*file = (struct pfmd_file){ .dev = mapping->dev, .ino = mapping->ino };
	if (!seen)
		return;
	memcpy(build_id, seen->kept.build_id, PFMD_BUILD_ID_SIZE);
	*file = seen->kept.file;
}

void mapped_files_cut(char *path)
{
	size_t length = strlen(path), behind = strlen(DELETED);

	if (*path == '/' && length > behind &&
	    !strcmp(path + length - behind, DELETED))
		path[length - behind] = '\0';
}

static bool write_row(int list, const struct kept_file *kept)
{
	return !fcntl(kept->fd, F_SETFD, 0) &&
	       write(list, kept, sizeof(*kept)) == sizeof(*kept);
}

int mapped_files_list(const struct mapped_files *files)
{
	int list = memfd_create("kept", MFD_CLOEXEC);
	bool written = list >= 0;

	for (size_t i = 0; written && i < files->count; i++) {
		if (files->list[i]->kept.fd >= 0)
			written = write_row(list, &files->list[i]->kept);
	}
	if (written && !lseek(list, 0, SEEK_SET))
		return list;
	if (list >= 0)
		close(list);
	return -1;
}

void mapped_files_close(struct mapped_files *files)
{
	for (size_t i = 0; i < files->count; i++) {
		close_file(files, files->list[i]);
		free(files->list[i]);
	}
	free(files->list);
	files->list = NULL;
	files->count = files->capacity = 0;
	opener_close(&files->opener);
}
