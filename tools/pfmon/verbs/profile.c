// SPDX-License-Identifier: GPL-2.0-only
/* Executing the programs of some verbs, see profile.h. */
#include "verbs/profile.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diag.h"
#include "profile/pfmd.h"

/* Beside the directory of pfmon, where it is built and where it is installed. */
#define PROGRAMS "/../libexec/pfmon/"
#define OWN_OPTION "--pfmon="

static int own_path(char path[PROFILE_PATH_MAX])
{
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);

	if (length < 0)
		return -1;
	path[length] = '\0';
	return 0;
}

static int path_of(const char *program, char path[PROFILE_PATH_MAX])
{
	char *directory;

	if (own_path(path))
		return -1;
	directory = strrchr(path, '/');
	strcat(strcpy(directory ? directory : path, PROGRAMS), program);
	return 0;
}

int profile_program(char path[PROFILE_PATH_MAX])
{
	return path_of("profile", path);
}

int profile_spawn(char *const words[], const int standard[3], pid_t *pid)
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	sigset_t none;
	int error;

	sigemptyset(&none);
	posix_spawnattr_init(&attributes);
	posix_spawnattr_setsigmask(&attributes, &none);
	posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
	posix_spawn_file_actions_init(&actions);
	for (int i = 0; i < 3; i++) {
		if (standard[i] >= 0)
			posix_spawn_file_actions_adddup2(&actions, standard[i],
							 i);
	}
	error = posix_spawn(pid, words[0], &actions, &attributes, words,
			    environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attributes);
	return error;
}

static int execute(const char *program, const char *verb, int argc, char **argv)
{
	char path[PROFILE_PATH_MAX];
	char **words = calloc((size_t)argc + 2, sizeof(*words));

	if (path_of(program, path) || !words) {
		diag("%s: cannot find its program: %s", verb, strerror(errno));
		free(words);
		return STATUS_FAILED;
	}
	/* In the place of one that was closed is one that nobody can write to. */
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		fcntl(fd, F_SETFD, 0);
	words[0] = path;
	memcpy(words + 1, argv, (size_t)argc * sizeof(*words));
	execv(path, words);
	if (errno == ENOENT)
		diag("%s: not built in: %s is not there", verb, path);
	else
		diag("%s: cannot execute %s: %s", verb, path, strerror(errno));
	free(words);
	return STATUS_FAILED;
}

int verb_profile(int argc, char **argv)
{
	return execute("profile", argv[0], argc, argv);
}

bool profile_has_samples(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		char magic[sizeof(PFMD_MAGIC)] = "";
		struct stat about;
		FILE *file;
		bool is;

		/* Of a pipe the first bytes would be gone. */
		if (stat(argv[i], &about) || !S_ISREG(about.st_mode))
			continue;
		file = fopen(argv[i], "re");
		if (!file)
			continue;
		is = fread(magic, 1, sizeof(magic) - 1, file) ==
			     sizeof(magic) - 1 &&
		     !strcmp(magic, PFMD_MAGIC);
		fclose(file);
		if (is)
			return true;
	}
	return false;
}

int verb_top(int argc, char **argv)
{
	char own[sizeof(OWN_OPTION) + PROFILE_PATH_MAX] = OWN_OPTION;

	if (own_path(own + strlen(OWN_OPTION))) {
		diag("top: cannot find pfmon: %s", strerror(errno));
		return STATUS_FAILED;
	}
	/* In place of the verb, which it knows. */
	argv[0] = own;
	return execute("top", "top", argc, argv);
}

int profile_libraries(void)
{
	static char verb[] = "libraries";
	char *argv[] = { verb, NULL };

	fflush(stdout);
	return verb_profile(1, argv);
}
