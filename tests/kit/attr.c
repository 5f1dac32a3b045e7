// SPDX-License-Identifier: GPL-2.0-only
/*
 * One-line files of sysfs, procfs and debugfs. Also built with nolibc, which
 * has no snprintf().
 */
#include "attr.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int file_read(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n;
	int err;

	text[0] = '\0';
	if (fd < 0)
		return errno;
	n = read(fd, text, size - 1);
	err = n < 0 ? errno : 0;
	text[n < 0 ? 0 : n] = '\0';
	close(fd);
	return err;
}

int file_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	int err;

	if (fd < 0)
		return errno;
	err = write(fd, text, strlen(text)) < 0 ? errno : 0;
	close(fd);
	return err;
}

int64_t file_number(const char *path)
{
	char text[64];
	char *end;
	long long value;

	if (file_read(path, text, sizeof(text)))
		return -1;
	value = strtoll(text, &end, 0);
	return end == text ? -1 : value;
}

/* The path of an attribute; names are short and come from the tests. */
struct attr_path {
	char text[128];
};

static struct attr_path attr_path(const char *name)
{
	struct attr_path path = { PERFMON_SYSFS };

	strncat(path.text, name, sizeof(path.text) - strlen(path.text) - 1);
	return path;
}

int attr_read(const char *name, char *text, size_t size)
{
	return file_read(attr_path(name).text, text, size);
}

int attr_write(const char *name, const char *text)
{
	return file_write(attr_path(name).text, text);
}

int64_t attr_number(const char *name)
{
	return file_number(attr_path(name).text);
}

bool perfmon_is_module(void)
{
	char device[64];

	return !attr_read("device", device, sizeof(device));
}
