// SPDX-License-Identifier: GPL-2.0-only
/*
 * The symbols of a file of samples, see symbols.h. Another program finds them, which
 * has the libraries for it; its output is the chunks, without what holds them together.
 */
#include "record/symbols.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "diag.h"
#include "record/samples_file.h"
#include "verbs/profile.h"

/* More than the names of all functions of large programs. */
#define CHUNK_MAX (256UL << 20)

int symbols_copy(int fd)
{
	struct stat about;
	const char *folder;
	int copy;

	if (fstat(fd, &about) ||
	    (!S_ISFIFO(about.st_mode) && !S_ISSOCK(about.st_mode)))
		return -1;
	copy = samples_file_temporary(&folder);
	if (copy < 0)
		diag("note: no symbols will be stored: cannot keep samples in %s: %s; set TMPDIR",
		     folder, strerror(errno));
	return copy;
}

/* What can be read again, -1: nothing. */
static int readable(const struct writer *writer)
{
	struct stat about;

	if (writer->copy >= 0)
		return writer->copy;
	return !fstat(writer->fd, &about) && S_ISREG(about.st_mode) ?
		       writer->fd :
		       -1;
}

/*
 * Starts the process, which writes to the descriptor and knows the files that are open.
 * 0, or an error number.
 */
static int run_finder(const char *program, int samples, int kept, int out,
		      pid_t *pid)
{
	static char verb[] = "symbols", input[] = "-i", option[] = "--kept";
	char name[64];
	char *words[] = { (char *)(uintptr_t)program, verb, input, name,
			  kept >= 0 ? option : NULL,  NULL };
	int standard[3] = { kept, out, -1 };
	int error;

	if (access(program, X_OK))
		return errno;
	snprintf(name, sizeof(name), "/proc/%d/fd/%d", getpid(), samples);
	standard[2] = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (standard[2] < 0)
		return errno;
	error = profile_spawn(words, standard, pid);
	close(standard[2]);
	return error;
}

/* What is not for the file; 0. */
static int take_chains(struct chains *chains, FILE *in)
{
	struct chains whole;

	if (fread(&whole, sizeof(whole), 1, in))
		*chains = whole;
	return 0;
}

/* 1: one was added; 0: it is the last, or not a whole one; -1 with errno. */
static int add_chunk(struct writer *writer, struct chains *chains, FILE *in)
{
	struct pfmd_chunk chunk;
	size_t padded;
	char *payload;
	int ret = 0;

	if (!fread(&chunk, sizeof(chunk), 1, in))
		return 0;
	if (chunk.type == CHAINS_CHUNK)
		return take_chains(chains, in);
	if (chunk.type != PFMD_SYMBOLS || chunk.flags || !chunk.length ||
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

/* All that the process finds. 0, or -1 with errno: the file cannot be written. */
static int add_all(struct writer *writer, struct chains *chains, pid_t pid,
		   int from, const char *program)
{
	FILE *in = fdopen(from, "r");
	int ret, error, status = -1;

	do
		ret = in ? add_chunk(writer, chains, in) : 0;
	while (ret > 0);
	error = errno;
	if (in)
		fclose(in);
	else
		close(from);
	if ((waitpid(pid, &status, 0) != pid || status) && !ret)
		diag("note: not all symbols are stored: %s has failed",
		     program);
	errno = error;
	return ret;
}

int symbols_write(struct writer *writer, struct mapped_files *files,
		  struct chains *chains)
{
	char program[PROFILE_PATH_MAX];
	int samples = readable(writer), ends[2], kept, error;
	pid_t pid;

	if (samples < 0 || !writer->samples)
		return 0;
	if (writer->copy >= 0 && !writer->has_copy)
		diag("note: symbols are those of the first %lu MiB of samples",
		     WRITER_COPY_MAX >> 20);
	writer->has_copy = false;
	if (profile_program(program) || pipe2(ends, O_CLOEXEC)) {
		diag("note: no symbols are stored: %s", strerror(errno));
		return 0;
	}
	kept = mapped_files_list(files);
	error = run_finder(program, samples, kept, ends[1], &pid);
	close(ends[1]);
	if (kept >= 0)
		close(kept);
	if (!error)
		return add_all(writer, chains, pid, ends[0], program);
	close(ends[0]);
	diag("note: no symbols are stored: %s: %s", program, strerror(error));
	return 0;
}
