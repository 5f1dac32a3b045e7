// SPDX-License-Identifier: GPL-2.0-only
/* The program that finds callers, see unwinding.h. */
#include "record/unwinding.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "profile/copies.h"
#include "verbs/profile.h"

/* In a process of its own, so that the program is no child that somebody waits for. */
static _Noreturn void start(const struct unwinding *unwinding, int samples,
			    int state, unsigned int level)
{
	static char verb[] = "unwind";
	char path[PROFILE_PATH_MAX], number[16], packed[16], copied[16];
	char *words[] = { path,
			  verb,
			  number,
			  packed,
			  unwinding->copy >= 0 ? copied : NULL,
			  NULL };
	const int standard[3] = { samples, unwinding->file, -1 };
	pid_t pid;

	/* What ends pfmon by the keyboard must not end this before it. */
	setsid();
	fcntl(state, F_SETFD, 0);
	if (unwinding->copy >= 0)
		fcntl(unwinding->copy, F_SETFD, 0);
	snprintf(number, sizeof(number), "%d", state);
	snprintf(packed, sizeof(packed), "%u", level);
	snprintf(copied, sizeof(copied), "%d", unwinding->copy);
	_exit(profile_program(path) || profile_spawn(words, standard, &pid));
}

static bool take_state(int fd, struct copies_state *state)
{
	ssize_t got;

	do
		got = read(fd, state, sizeof(*state));
	while (got < 0 && errno == EINTR);
	return got == sizeof(*state);
}

int unwinding_begin(struct unwinding *unwinding, int file, int copy,
		    unsigned int level)
{
	struct copies_state state;
	int samples[2], states[2];
	pid_t pid;

	if (pipe2(samples, O_CLOEXEC))
		return -1;
	if (pipe2(states, O_CLOEXEC)) {
		close(samples[0]);
		close(samples[1]);
		return -1;
	}
	*unwinding =
		(struct unwinding){ true, file, copy, samples[1], states[0] };
	fflush(NULL);
	pid = fork();
	if (!pid)
		start(unwinding, samples[0], states[1], level);
	close(samples[0]);
	close(states[1]);
	if (pid > 0 && waitpid(pid, NULL, 0) == pid &&
	    take_state(states[0], &state))
		return 0;
	unwinding_close(unwinding);
	errno = ENOSYS;
	return -1;
}

int unwinding_end(struct unwinding *unwinding, struct writer *writer)
{
	struct copies_state state;
	bool told;

	if (!unwinding->running)
		return 0;
	close(unwinding->samples);
	unwinding->samples = -1;
	told = take_state(unwinding->state, &state);
	unwinding_close(unwinding);
	errno = told ? (int)state.error : EPIPE;
	if (errno)
		return -1;
	writer->fd = unwinding->file;
	writer->copy = unwinding->copy;
	writer->has_copy = state.has_copy;
	writer->bytes = state.bytes;
	writer->crc = state.crc;
	writer->error = 0;
	return 0;
}

void unwinding_close(struct unwinding *unwinding)
{
	if (!unwinding->running)
		return;
	if (unwinding->samples >= 0)
		close(unwinding->samples);
	close(unwinding->state);
	unwinding->running = false;
}
