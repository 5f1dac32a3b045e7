// SPDX-License-Identifier: GPL-2.0-only
/*
 * Addresses of a program that a process has loaded, see start_address.h. Another
 * program looks functions up, which has the libraries for it.
 */
#include "command/start_address.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "command/start.h"
#include "diag.h"
#include "verbs/profile.h"

union program_header {
	unsigned char ident[EI_NIDENT];
	Elf32_Ehdr of_32;
	Elf64_Ehdr of_64;
};

static int refuse(const char *where, const char *why)
{
	return diag("--start=%s: %s", where, why);
}

static FILE *open_of(pid_t pid, const char *name)
{
	char path[48];

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	return fopen(path, "re");
}

static int read_header(pid_t pid, union program_header *header)
{
	FILE *program = open_of(pid, "exe");
	size_t size = 0;

	memset(header, 0, sizeof(*header));
	if (program) {
		size = fread(header, 1, sizeof(*header), program);
		fclose(program);
	}
	return size < sizeof(Elf32_Ehdr) ||
			       memcmp(header->ident, ELFMAG, SELFMAG) != 0 ?
		       -1 :
		       0;
}

/* The kernel tells a process where its program is entered. */
static uint64_t entry_of(pid_t pid, bool is_64)
{
	FILE *vector = open_of(pid, "auxv");
	uint64_t entry = 0;
	Elf64_auxv_t of_64;
	Elf32_auxv_t of_32;

	while (vector && !entry) {
		if (is_64 ? !fread(&of_64, sizeof(of_64), 1, vector) :
			    !fread(&of_32, sizeof(of_32), 1, vector))
			break;
		if (is_64 && of_64.a_type == AT_ENTRY)
			entry = of_64.a_un.a_val;
		else if (!is_64 && of_32.a_type == AT_ENTRY)
			entry = of_32.a_un.a_val;
	}
	if (vector)
		fclose(vector);
	return entry;
}

/* Returns the process that looks it up and writes it to the descriptor, or -1. */
static pid_t run_finder(pid_t pid, const char *function, int out)
{
	static char verb[] = "address";
	char program[PROFILE_PATH_MAX], file[32];
	char *words[] = { program, verb, file, (char *)(uintptr_t)function,
			  NULL };
	const int standard[3] = { -1, out, -1 };
	pid_t finder;

	if (profile_program(program) || access(program, X_OK)) {
		diag("--start=%s: not built in: %s is not there", function,
		     program);
		return -1;
	}
	snprintf(file, sizeof(file), "/proc/%d/exe", pid);
	errno = profile_spawn(words, standard, &finder);
	if (errno) {
		diag("--start=%s: cannot execute %s: %s", function, program,
		     strerror(errno));
		return -1;
	}
	return finder;
}

/* As the file of the program has it. 0, or -1 after a message. */
static int find_function(pid_t pid, const char *function, uint64_t *address)
{
	int ends[2], status, found = 0;
	pid_t finder;
	FILE *in;

	if (pipe2(ends, O_CLOEXEC))
		return refuse(function, strerror(errno));
	finder = run_finder(pid, function, ends[1]);
	close(ends[1]);
	in = fdopen(ends[0], "r");
	if (in) {
		found = fscanf(in, "%" SCNx64, address);
		fclose(in);
	} else {
		close(ends[0]);
	}
	if (finder < 0)
		return -1;
	while (waitpid(finder, &status, 0) < 0) {
		if (errno != EINTR)
			return refuse(function, strerror(errno));
	}
	if (WIFSIGNALED(status))
		return refuse(function, "its finder was killed");
	/* It has said why. */
	return status || found != 1 ? -1 : 0;
}

int start_address(pid_t pid, const char *where, uint64_t *address)
{
	union program_header header;
	uint64_t entry, in_file;
	bool is_64;

	if (read_header(pid, &header))
		return refuse(where, "its program cannot be read");
	is_64 = header.ident[EI_CLASS] == ELFCLASS64;
	entry = entry_of(pid, is_64);
	if (!entry)
		return refuse(where, "the kernel does not tell its entry");
	*address = entry;
	if (!strcmp(where, START_ENTRY))
		return 0;
	if (find_function(pid, where, &in_file))
		return -1;
	*address +=
		in_file - (is_64 ? header.of_64.e_entry : header.of_32.e_entry);
	return 0;
}
