// SPDX-License-Identifier: GPL-2.0-only
/* Where the folders of groups and of metric files are, see folders.h. */
#include "metrics/folders.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void folder_of_user(char *path, size_t size, const char *name)
{
	const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");

	if (config && *config == '/')
		snprintf(path, size, "%s/pfmon/%s", config, name);
	else
		snprintf(path, size, "%s/.config/pfmon/%s", home ? home : "",
			 name);
}

void folder_of_pfmon(char *path, size_t size, const char *name,
		     const char *variable)
{
	const char *given = getenv(variable);
	char program[PATH_MAX], *slash;
	ssize_t len;

	path[0] = '\0';
	if (given) {
		snprintf(path, size, "%s", given);
		return;
	}
	len = readlink("/proc/self/exe", program, sizeof(program) - 1);
	program[len > 0 ? len : 0] = '\0';
	slash = strrchr(program, '/');
	if (slash)
		snprintf(path, size, "%.*s/../share/pfmon/%s",
			 (int)(slash - program), program, name);
}
