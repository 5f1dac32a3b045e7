// SPDX-License-Identifier: GPL-2.0-only
/* Opening files in a thread, see opener.h. */
#include "record/opener.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "diag.h"
#include "engine/clocks.h"
#include "record/build_id.h"

/*
 * What the thread and its client share. It is the thread's from a byte in one pipe to a
 * byte in the other. The thread ends, and frees it, when nobody can ask any more.
 */
struct opener_work {
	int asked[2], answered[2];
	struct opener_wish wish;
	char path[PATH_MAX]; /* of the wish */
	struct opener_answer answer;
};

/* Whether it is what was mapped. Fills in the answer but for its descriptor. */
static bool examine(const struct opener_wish *wish, int fd,
		    struct opener_answer *answer)
{
	static const uint8_t none[PFMD_BUILD_ID_SIZE];
	struct stat about;

	if (fstat(fd, &about) || !S_ISREG(about.st_mode) ||
	    (wish->ino && about.st_ino != wish->ino))
		return false;
	build_id_read(fd, answer->build_id);
	if (memcmp(wish->build_id, none, sizeof(none)) != 0 &&
	    memcmp(wish->build_id, answer->build_id, sizeof(none)) != 0)
		return false;
	answer->file = (struct pfmd_file){
		.dev = (uint64_t)major(about.st_dev) << 32 |
		       minor(about.st_dev),
		.ino = about.st_ino,
		.mtime_ns = (uint64_t)about.st_mtim.tv_sec * NS_PER_S +
			    (uint64_t)about.st_mtim.tv_nsec,
		.size = (uint64_t)about.st_size,
	};
	return true;
}

static bool open_as(const char *path, const struct opener_wish *wish,
		    struct opener_answer *answer)
{
	answer->fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	if (answer->fd < 0)
		return false;
	if (examine(wish, answer->fd, answer))
		return true;
	close(answer->fd);
	answer->fd = -1;
	return false;
}

/*
 * By its name, as the process sees it; what is removed is still the program, or below
 * map_files, which is for root alone; of a process that has ended, by its name here.
 */
static void find(const struct opener_wish *wish, struct opener_answer *answer)
{
	char path[PATH_MAX + 32];

	*answer = (struct opener_answer){ .fd = -1 };
	snprintf(path, sizeof(path), "/proc/%d/root%s", wish->pid, wish->path);
	if (open_as(path, wish, answer))
		return;
	snprintf(path, sizeof(path), "/proc/%d/exe", wish->pid);
	if (open_as(path, wish, answer))
		return;
	snprintf(path, sizeof(path), "/proc/%d/map_files/%" PRIx64 "-%" PRIx64,
		 wish->pid, wish->begin, wish->end);
	if (open_as(path, wish, answer))
		return;
	open_as(wish->path, wish, answer);
}

static void *serve(void *arg)
{
	struct opener_work *work = arg;
	char byte;

	while (read(work->asked[0], &byte, 1) == 1) {
		find(&work->wish, &work->answer);
		if (write(work->answered[1], &byte, 1) != 1)
			break;
	}
	close(work->asked[0]);
	close(work->answered[0]);
	close(work->answered[1]);
	free(work);
	return NULL;
}

static bool open_pipes(struct opener_work *work)
{
	if (pipe2(work->asked, O_CLOEXEC))
		return false;
	if (!pipe2(work->answered, O_CLOEXEC))
		return true;
	close(work->asked[0]);
	close(work->asked[1]);
	return false;
}

/* The thread has the signals blocked that pfmon waits for. */
static bool begin(struct opener *opener)
{
	struct opener_work *work = calloc(1, sizeof(*work));
	pthread_t thread;

	if (!work || !open_pipes(work)) {
		free(work);
		return false;
	}
	if (pthread_create(&thread, NULL, serve, work)) {
		for (int i = 0; i < 2; i++) {
			close(work->asked[i]);
			close(work->answered[i]);
		}
		free(work);
		return false;
	}
	pthread_detach(thread);
	opener->asks = work->asked[1];
	opener->work = work;
	return true;
}

/* Whether the answer has come in time. */
static bool ask(const struct opener_work *work)
{
	struct pollfd news = { .fd = work->answered[0], .events = POLLIN };
	char byte = 0;

	return write(work->asked[1], &byte, 1) == 1 &&
	       poll(&news, 1, OPENER_SECONDS * 1000) == 1 &&
	       read(work->answered[0], &byte, 1) == 1;
}

void opener_ask(struct opener *opener, const struct opener_wish *wish,
		struct opener_answer *answer)
{
	struct opener_work *work;

	*answer = (struct opener_answer){ .fd = -1 };
	if (opener->stuck || strlen(wish->path) >= PATH_MAX ||
	    (!opener->work && !begin(opener)))
		return;
	work = opener->work;
	work->wish = *wish;
	strcpy(work->path, wish->path);
	work->wish.path = work->path;
	opener->stuck = !ask(work);
	if (!opener->stuck) {
		*answer = work->answer;
		return;
	}
	opener_close(opener);
	diag("note: %s: not opened within %d s; files that are removed from now on will have no symbols",
	     wish->path, OPENER_SECONDS);
}

void opener_close(struct opener *opener)
{
	if (opener->work)
		close(opener->asks);
	opener->work = NULL;
}
