// SPDX-License-Identifier: MIT
/*
 * Finds out whether the running kernel has perfmon v3.0 and where its system
 * calls begin.  Used by every function that makes one.
 *
 * A base that was found never changes and is kept.  That none was found is not
 * kept: the files may be unreachable for a while only (no free descriptor, or
 * sysfs not yet mounted).  No locks: threads that look at the same time find
 * the same.  Only async-signal-safe functions are called.
 */
#include "pfmlib_kernel.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

/* Longer than any valid content of the files read here. */
#define ATTR_MAX 16

/* System call numbers are far below this on every x86 kernel. */
#define BASE_MAX 0xffff

static atomic_long v3_base = -1;
static const char *sysfs_dir = "/sys/kernel/perfmon";

/*
 * Opens without being a cancellation point: a thread that is cancelled in a
 * perfmon call must not leave a descriptor behind.
 */
static ssize_t read_file(const char *path, char *text, size_t size)
{
	int cancel_state;
	ssize_t len = -1;
	int fd;

	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		do {
			len = read(fd, text, size);
		} while (len < 0 && errno == EINTR);
		close(fd);
	}
	pthread_setcancelstate(cancel_state, NULL);
	return len;
}

/* Reads one line.  Returns 0, or -1 if there is no such complete line. */
static int read_attr(const char *name, char text[ATTR_MAX])
{
	size_t dir_len = strlen(sysfs_dir);
	size_t name_len = strlen(name);
	char path[256];
	ssize_t len;

	if (dir_len + name_len + 2 > sizeof(path))
		return -1;
	memcpy(path, sysfs_dir, dir_len);
	path[dir_len] = '/';
	memcpy(path + dir_len + 1, name, name_len + 1);

	len = read_file(path, text, ATTR_MAX);
	if (len < 2 || text[len - 1] != '\n')
		return -1;
	text[len - 1] = '\0';
	return 0;
}

/* Returns the number, or -1 unless text is a decimal number in range. */
static long parse_base(const char *text)
{
	long base = 0;

	if (!*text)
		return -1;
	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			return -1;
		base = base * 10 + (*text - '0');
		if (base > BASE_MAX)
			return -1;
	}
	return base > 0 ? base : -1;
}

static long find_base(void)
{
	char text[ATTR_MAX];

	if (read_attr("version", text) || strcmp(text, "3.0") != 0)
		return -1;
	if (read_attr("syscall", text))
		return -1;
	return parse_base(text);
}

long pfmlib_v3_base(void)
{
	long base = atomic_load_explicit(&v3_base, memory_order_relaxed);
	int saved_errno = errno;

	if (base > 0)
		return base;

	base = find_base();
	if (base < 0) {
		errno = ENOSYS;
		return -1;
	}
	atomic_store_explicit(&v3_base, base, memory_order_relaxed);
	errno = saved_errno;
	return base;
}

void pfmlib_use_sysfs_dir(const char *dir)
{
	sysfs_dir = dir;
	atomic_store_explicit(&v3_base, -1, memory_order_relaxed);
}
