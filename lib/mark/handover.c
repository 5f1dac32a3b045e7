// SPDX-License-Identifier: MIT
/* The file from pfmon, see handover.h. */
#include "mark/handover.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

/* A thread needs only about ten instructions to change the sums. */
#define TRIES 1000

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

/* Programs close descriptors that they do not know, and open other files. */
static bool is_there(void)
{
	struct stat status;

	return file.fd >= 0 && !fstat(file.fd, &status) &&
	       status.st_dev == file.device && status.st_ino == file.inode;
}

/*
 * Reads sums that the thread may be changing. False: the thread stays in the middle of a
 * change; perhaps a signal has interrupted it, and its handler is running this.
 */
static bool read_sums(const struct region *region, struct region_sums *sums)
{
	for (int tries = 0; tries < TRIES; tries++) {
		unsigned int version =
			__atomic_load_n(&region->version, __ATOMIC_ACQUIRE);

		*sums = region->sums;
		__atomic_thread_fence(__ATOMIC_ACQUIRE);
		if (!(version & 1) &&
		    version ==
			    __atomic_load_n(&region->version, __ATOMIC_RELAXED))
			return true;
	}
	return false;
}

/*
 * Chooses the sums to write: they are copied here, so later changes by the thread do not
 * matter.
 */
static void choose(struct thread *thread, struct mark_process *process)
{
	const struct region_table *table = thread_table(thread);
	uint64_t unmatched = thread->unmatched;
	size_t size = sizeof(struct mark_thread);

	thread->telling = 0;
	for (unsigned int i = 0; i < table->room; i++) {
		struct region *region = thread_place(table, i);

		if (!region)
			continue;
		region->is_told =
			read_sums(region, &region->telling) &&
			(region->depth ||
			 region->telling.entries != region->told.entries);
		if (!region->is_told)
			continue;
		thread->telling++;
		size += sizeof(struct mark_region) +
			MARK_PADDED(strlen(region->name));
	}
	process->length += thread->telling ? size : 0;
	process->threads += thread->telling != 0;
	process->unmatched += unmatched - thread->unmatched_told;
	thread->unmatched_told = unmatched;
}

static char *put_region(char *at, struct region *region)
{
	const struct region_sums *sums = &region->telling;
	struct mark_region words = {
		.name_length = (uint32_t)strlen(region->name),
		.open = region->depth != 0,
		.entries = sums->entries - region->told.entries,
		.marks = sums->marks - region->told.marks,
		.time_ns = sums->time_ns - region->told.time_ns,
	};

	for (int i = 0; i < MARK_EVENTS_MAX; i++)
		words.counts[i] = sums->counts[i] - region->told.counts[i];
	memcpy(at, &words, sizeof(words));
	at += sizeof(words);
	memcpy(at, region->name, words.name_length);
	region->told = *sums;
	region->is_told = false;
	return at + MARK_PADDED(words.name_length);
}

/* The table may have grown since choose(); it still has all chosen regions. */
static char *put_thread(char *at, struct thread *thread)
{
	const struct region_table *table = thread_table(thread);
	struct mark_thread words = {
		.tid = thread->tid,
		.regions = thread->telling,
		.means = thread->means,
		.why = (uint32_t)thread->why,
	};

	if (!thread->telling)
		return at;
	memcpy(words.cost, thread->cost, sizeof(words.cost));
	memcpy(at, &words, sizeof(words));
	at += sizeof(words);
	for (unsigned int i = 0; i < table->room; i++) {
		struct region *region = thread_place(table, i);

		if (region && region->is_told)
			at = put_region(at, region);
	}
	return at;
}

/*
 * Prepares all data of a record in advance: one write writes it, or nothing is written.
 */
static void prepare(struct thread *threads, struct mark_process *process)
{
	*process = (struct mark_process){
		.magic = MARK_PROCESS_MAGIC,
		.length = sizeof(*process),
		.pid = (uint32_t)getpid(),
	};
	for (; threads; threads = threads->next)
		choose(threads, process);
	prctl(PR_GET_NAME, process->comm);
}

void handover_write(struct thread *threads)
{
	struct mark_process process;
	struct thread *thread;
	char *record, *at;
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
	for (thread = threads; thread; thread = thread->next)
		at = put_thread(at, thread);
	if (write(file.fd, record, (size_t)process.length) < 0)
		file.fd = -1;
	free(record);
	errno = error;
}
