// SPDX-License-Identifier: MIT
/* The file of pfmon, see handover.h. */
#include "mark/handover.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

static struct {
	int fd;
	dev_t device;
	ino_t inode;
} file = { .fd = -1 };

int handover_open(struct mark_setup *setup)
{
	const char *text = secure_getenv(MARK_VARIABLE);
	struct stat status;
	char *end;
	long fd;

	if (!text)
		return -1;
	fd = strtol(text, &end, 10);
	if (end == text || *end || fd < 0 || fd > 65535 ||
	    fstat((int)fd, &status) ||
	    pread((int)fd, setup, sizeof(*setup), 0) != sizeof(*setup) ||
	    setup->magic != MARK_SETUP_MAGIC || setup->size != sizeof(*setup) ||
	    setup->counters > MARK_EVENTS_MAX ||
	    setup->events > setup->counters ||
	    setup->controls > MARK_CONTROLS_MAX)
		return -1;
	file.fd = (int)fd;
	file.device = status.st_dev;
	file.inode = status.st_ino;
	return 0;
}

/* Programs close what they do not know, and open other files. */
static bool is_there(void)
{
	struct stat status;

	return file.fd >= 0 && !fstat(file.fd, &status) &&
	       status.st_dev == file.device && status.st_ino == file.inode;
}

/* What was added since it was told; the other threads may run. */
static struct region_sums untold(const struct region *region)
{
	struct region_sums sums = region->sums;

	sums.entries -= region->told.entries;
	sums.marks -= region->told.marks;
	sums.time_ns -= region->told.time_ns;
	for (int i = 0; i < MARK_EVENTS_MAX; i++)
		sums.counts[i] -= region->told.counts[i];
	return sums;
}

static bool is_worth_it(const struct region *region)
{
	return region &&
	       (region->depth || region->sums.entries != region->told.entries);
}

/* Bytes of its record, and how many regions are in it; none without regions. */
static size_t size_of(const struct thread *thread, uint32_t *regions)
{
	size_t size = sizeof(struct mark_thread);

	*regions = 0;
	for (unsigned int i = 0; i < thread->region_room; i++) {
		const struct region *region = thread->regions[i];

		if (!is_worth_it(region))
			continue;
		++*regions;
		size += sizeof(struct mark_region) +
			MARK_PADDED(strlen(region->name));
	}
	return *regions ? size : 0;
}

static char *put_region(char *at, struct region *region)
{
	struct region_sums sums = untold(region);
	struct mark_region words = {
		.name_length = (uint32_t)strlen(region->name),
		.open = region->depth != 0,
		.entries = sums.entries,
		.marks = sums.marks,
		.time_ns = sums.time_ns,
	};

	memcpy(words.counts, sums.counts, sizeof(words.counts));
	memcpy(at, &words, sizeof(words));
	at += sizeof(words);
	memcpy(at, region->name, words.name_length);
	return at + MARK_PADDED(words.name_length);
}

/* In the same order as size_of(). */
static char *put_thread(char *at, struct thread *thread, uint32_t regions)
{
	struct mark_thread words = {
		.tid = thread->tid,
		.regions = regions,
		.means = thread->means,
		.why = (uint32_t)thread->why,
	};

	memcpy(words.cost, thread->cost, sizeof(words.cost));
	memcpy(at, &words, sizeof(words));
	at += sizeof(words);
	for (unsigned int i = 0; regions && i < thread->region_room; i++) {
		if (!is_worth_it(thread->regions[i]))
			continue;
		at = put_region(at, thread->regions[i]);
		regions--;
	}
	return at;
}

static void set_told(struct thread *thread)
{
	thread->unmatched = 0;
	for (unsigned int i = 0; i < thread->region_room; i++) {
		if (thread->regions[i])
			thread->regions[i]->told = thread->regions[i]->sums;
	}
}

/* All that a record needs is known before: it is one write or none. */
static void prepare(struct thread *threads, struct mark_process *process)
{
	uint32_t regions;

	*process = (struct mark_process){
		.magic = MARK_PROCESS_MAGIC,
		.length = sizeof(*process),
		.pid = (uint32_t)getpid(),
	};
	for (; threads; threads = threads->next) {
		process->length += size_of(threads, &regions);
		process->unmatched += threads->unmatched;
		process->threads += regions != 0;
	}
	prctl(PR_GET_NAME, process->comm);
}

void handover_write(struct thread *threads)
{
	struct mark_process process;
	struct thread *thread;
	char *record, *at;
	uint32_t regions;
	int error = errno;

	if (!threads || !is_there())
		return;
	prepare(threads, &process);
	if (!process.threads && !process.unmatched)
		return;
	record = calloc(1, (size_t)process.length);
	if (!record)
		return;
	memcpy(record, &process, sizeof(process));
	at = record + sizeof(process);
	for (thread = threads; thread; thread = thread->next) {
		size_of(thread, &regions);
		if (regions)
			at = put_thread(at, thread, regions);
		set_told(thread);
	}
	if (write(file.fd, record, (size_t)process.length) < 0)
		file.fd = -1;
	free(record);
	errno = error;
}
