// SPDX-License-Identifier: GPL-2.0-only
/*
 * The system calls below insmod and rmmod. Also built with nolibc, which has no
 * snprintf() and other names for the numbers of system calls.
 */
#include "module.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PATH_SIZE 64

static void append(char path[PATH_SIZE], const char *text)
{
	strncat(path, text, PATH_SIZE - strlen(path) - 1);
}

int module_load(const char *name, const char *parameters)
{
	char path[PATH_SIZE] = "/modules/";
	int fd, error;

	append(path, name);
	append(path, ".ko");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return errno;
	error = syscall(__NR_finit_module, fd, parameters, 0) ? errno : 0;
	close(fd);
	return error;
}

int module_unload(const char *name)
{
	return syscall(__NR_delete_module, name, O_NONBLOCK) ? errno : 0;
}
