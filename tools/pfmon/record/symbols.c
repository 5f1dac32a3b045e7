// SPDX-License-Identifier: GPL-2.0-only
/*
 * The symbols of a file of samples, see symbols.h. Another program finds them, which
 * has the libraries for it; its output is the chunks, without what holds them together.
 */
#include "record/symbols.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "verbs/profile.h"

/* More than the names of all functions of large programs. */
#define CHUNK_MAX (256UL << 20)

/* Returns its process, -1: there is none. It writes to the descriptor. */
static pid_t run_finder(int samples, int out)
{
	static char verb[] = "symbols", input[] = "-i";
	char program[PROFILE_PATH_MAX], name[64];
	char *words[] = { program, verb, input, name, NULL };
	int standard[3] = { -1, out, -1 };
	pid_t pid;

	if (profile_program(program) || access(program, X_OK))
		return -1;
	snprintf(name, sizeof(name), "/proc/%d/fd/%d", getpid(), samples);
	standard[2] = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (standard[2] < 0)
		return -1;
	if (profile_spawn(words, standard, &pid))
		pid = -1;
	close(standard[2]);
	return pid;
}

/* 1: one was added; 0: there is none, or not a whole one; -1 with errno. */
static int add_chunk(struct writer *writer, FILE *in)
{
	struct pfmd_chunk chunk;
	size_t padded;
	char *payload;
	int ret = 0;

	if (!fread(&chunk, sizeof(chunk), 1, in) ||
	    chunk.type != PFMD_SYMBOLS || chunk.flags || !chunk.length ||
	    chunk.length > CHUNK_MAX)
		return 0;
	padded = (chunk.length + PFMD_ALIGN - 1) / PFMD_ALIGN * PFMD_ALIGN;
	payload = malloc(padded);
	if (payload && fread(payload, padded, 1, in))
		ret = writer_chunk(writer, PFMD_SYMBOLS,
				   &(const struct iovec){ payload,
							  chunk.length },
				   1) ?
			      -1 :
			      1;
	free(payload);
	return ret;
}

int symbols_write(struct writer *writer)
{
	struct stat about;
	int ends[2];
	pid_t pid;
	FILE *in;
	int ret;

	if (fstat(writer->fd, &about) || !S_ISREG(about.st_mode) ||
	    pipe2(ends, O_CLOEXEC))
		return 0;
	pid = run_finder(writer->fd, ends[1]);
	close(ends[1]);
	in = fdopen(ends[0], "r");
	do
		ret = in && pid > 0 ? add_chunk(writer, in) : 0;
	while (ret > 0);
	if (in)
		fclose(in);
	else
		close(ends[0]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return ret;
}
