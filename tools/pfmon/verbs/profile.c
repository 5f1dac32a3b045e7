// SPDX-License-Identifier: GPL-2.0-only
/* Executing the verbs that read files of samples, see profile.h. */
#include "verbs/profile.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"

/* Beside the directory of pfmon, where it is built and where it is installed. */
#define PROGRAM "/../libexec/pfmon/profile"

int profile_program(char path[PROFILE_PATH_MAX])
{
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);
	char *directory;

	if (length < 0)
		return -1;
	path[length] = '\0';
	directory = strrchr(path, '/');
	strcpy(directory ? directory : path, PROGRAM);
	return 0;
}

int verb_profile(int argc, char **argv)
{
	char path[PROFILE_PATH_MAX];
	char **words = calloc((size_t)argc + 2, sizeof(*words));

	if (profile_program(path) || !words) {
		diag("%s: cannot find its program: %s", argv[0],
		     strerror(errno));
		free(words);
		return STATUS_FAILED;
	}
	memcpy(words + 1, argv, (size_t)argc * sizeof(*words));
	words[0] = path;
	execv(path, words);
	if (errno == ENOENT)
		diag("%s: not built in: %s is not there", argv[0], path);
	else
		diag("%s: cannot execute %s: %s", argv[0], path,
		     strerror(errno));
	free(words);
	return STATUS_FAILED;
}

int profile_libraries(void)
{
	static char verb[] = "libraries";
	char *argv[] = { verb, NULL };

	fflush(stdout);
	return verb_profile(1, argv);
}
