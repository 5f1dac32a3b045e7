// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes a file of samples as of a large program that nobody has run, to the standard
 * output: threads whose call chains are random walks through its functions. With no
 * FRAMES there are addresses alone.
 *
 * usage: many_samples SAMPLES FRAMES
 */
#include <perfmon/perfmon_dfl_smpl.h>
#include <perfmon/perfmon_stacks_smpl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "profile/writer.h"

#define PROCESS 1000
#define THREADS 8
#define FUNCTIONS 4096
#define FUNCTION_SIZE 256
#define CALLEES 3 /* that a function has, at most */
#define BEGIN 0x401000ULL
#define BUFFER 65536
#define PERIOD 1000003
#define FRAMES_MAX 127
#define NAME_SIZE 16

#define META(frames)                                                               \
	"{\"version\":1,\"argv\":[\"pfmon\",\"record\"],\"command\":[\"/x/app\"]," \
	"\"host\":\"h\",\"kernel\":\"6.12\",\"clock\":\"sched\",\"streams\":"      \
	"\"threads\"," frames "\"events\":[{\"id\":0,\"name\":"                    \
	"\"instructions\",\"native\":\"RETIRED_INSTRUCTIONS\",\"level\":\"user\"," \
	"\"period\":1000003,\"pmd\":0,\"smpl_pmds\":[]}]}"

static uint64_t state = 88172645463325252ULL;

/* Xorshift: the same file each time. */
static uint64_t next_random(void)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

static void write_program(struct writer *writer)
{
	static const char path[] = "/x/app";
	static struct pfmd_symbol rows[FUNCTIONS];
	static char names[FUNCTIONS][NAME_SIZE];
	struct pfmd_symbols header = { .count = FUNCTIONS,
				       .path = sizeof(names) };
	struct iovec parts[] = { { &header, sizeof(header) },
				 { rows, sizeof(rows) },
				 { names, sizeof(names) },
				 { (void *)(uintptr_t)path, sizeof(path) } };
	const struct pfmd_task task = { 1, PROCESS, PROCESS, 0, PFMD_EXEC };
	const struct pfmd_map map = { .time = 1,
				      .addr = BEGIN,
				      .len = FUNCTIONS * FUNCTION_SIZE,
				      .pgoff = 0x1000,
				      .tgid = PROCESS,
				      .prot = 5 };

	for (uint32_t i = 0; i < FUNCTIONS; i++) {
		rows[i] = (struct pfmd_symbol){ .offset = 0x1000 +
							  i * FUNCTION_SIZE,
						.size = FUNCTION_SIZE,
						.name = i * NAME_SIZE };
		snprintf(names[i], sizeof(names[i]), "function_%u", i);
	}
	writer_task(writer, &task, "app");
	writer_map(writer, &map, path, NULL);
	writer_chunk(writer, PFMD_SYMBOLS, parts, 4);
}

/* Calls are at the same few places of a function. */
static size_t make_stack(char *to, uint64_t number, unsigned int frames)
{
	struct pfm_stacks_smpl_entry *entry = (void *)to;
	uint64_t *ips = (uint64_t *)(entry + 1);
	uint64_t function = 0;

	for (unsigned int i = frames; i; i--) {
		uint64_t callee = next_random() % CALLEES;

		ips[i - 1] = BEGIN + function * FUNCTION_SIZE + 16 * callee + 5;
		function = (function * CALLEES + callee + 1) % FUNCTIONS;
	}
	/* Where it is interrupted is anywhere. */
	ips[0] += next_random() % 32 * 4;
	*entry = (struct pfm_stacks_smpl_entry){
		.pid = (int)(PROCESS + number / 300 % THREADS),
		.tgid = PROCESS,
		.last_reset_val = (uint64_t)-PERIOD,
		.ip = ips[0],
		.tstamp = 1000 * number,
		.nr = (uint16_t)frames,
		.size = (uint16_t)(sizeof(*entry) + frames * sizeof(*ips)),
	};
	return entry->size;
}

static size_t make_plain(char *to, uint64_t number)
{
	uint64_t function = next_random() % FUNCTIONS;
	struct pfm_dfl_smpl_entry *entry = (void *)to;

	*entry = (struct pfm_dfl_smpl_entry){
		.pid = (int)(PROCESS + number / 300 % THREADS),
		.tgid = PROCESS,
		.last_reset_val = (uint64_t)-PERIOD,
		.ip = BEGIN + function * FUNCTION_SIZE + next_random() % 32 * 4,
		.tstamp = 1000 * number,
	};
	return sizeof(*entry);
}

static size_t make(char *to, uint64_t number, unsigned int frames)
{
	return frames ? make_stack(to, number, frames) : make_plain(to, number);
}

int main(int argc, char **argv)
{
	static char buffer[BUFFER + 4096];
	uint64_t samples = argc == 3 ? strtoull(argv[1], NULL, 10) : 0;
	unsigned long frames = argc == 3 ? strtoul(argv[2], NULL, 10) :
					   FRAMES_MAX + 1;
	struct pfmd_samples about = { .stream = PROCESS };
	struct writer writer;
	size_t used = 0;

	if (!samples || frames > FRAMES_MAX) {
		fputs("usage: many_samples SAMPLES FRAMES > FILE\n", stderr);
		return 2;
	}
	writer_begin(&writer, STDOUT_FILENO);
	writer_text(&writer, PFMD_META,
		    frames ? META("\"frames\":127,") : META(""));
	write_program(&writer);
	while (writer.samples < samples) {
		used += make(buffer + used, ++writer.samples,
			     (unsigned int)frames);
		if (used >= BUFFER - 2048 || writer.samples == samples) {
			struct iovec parts[] = { { &about, sizeof(about) },
						 { buffer, used } };

			writer_chunk(&writer,
				     frames ? PFMD_STACKS : PFMD_SAMPLES, parts,
				     2);
			used = 0;
		}
	}
	writer_end(&writer);
	if (!writer.error)
		return 0;
	perror("many_samples");
	return 1;
}
