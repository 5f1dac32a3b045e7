/* SPDX-License-Identifier: GPL-2.0-only */
/* Files of samples for tests, in memory. A failure ends the test program. */
#ifndef SAMPLES_H
#define SAMPLES_H

#include <stdio.h>

#include "profile/read_profile.h"
#include "profile/writer.h"

/* One event, "instructions" at user level, with a sample each 997, on counter 0. */
#define SAMPLES_META                                                        \
	"{\"version\":1,\"argv\":[\"pfmon\",\"record\"],\"command\":"       \
	"[\"/x/prof\"],\"host\":\"h\",\"kernel\":\"6.12\",\"clock\":"       \
	"\"sched\",\"streams\":\"threads\",\"events\":[{\"id\":0,\"name\":" \
	"\"instructions\",\"native\":\"RETIRED_INSTRUCTIONS\",\"level\":"   \
	"\"user\",\"period\":997,\"varies\":true,\"pmd\":0,\"smpl_pmds\":[]}]}"

/* Two: the second samples cycles on counter 1, with the value of counter 0. */
#define SAMPLES_META_TWO                                                      \
	"{\"version\":1,\"host\":\"h\",\"kernel\":\"6.12\",\"events\":[{"     \
	"\"id\":0,\"name\":\"instructions\",\"native\":"                      \
	"\"RETIRED_INSTRUCTIONS\",\"level\":\"user\",\"period\":997,\"pmd\":" \
	"0,\"smpl_pmds\":[]},{\"id\":1,\"name\":\"cycles\",\"native\":"       \
	"\"CYCLES_NOT_IN_HALT\",\"level\":\"user\",\"period\":1000,"          \
	"\"pmd\":1,\"smpl_pmds\":[0]}]}"

/* Begins a file with this META. */
void samples_begin(struct writer *writer, const char *meta);

/* Parts of it. */
void samples_task(struct writer *writer, uint64_t time,
		  enum pfmd_task_kind kind, uint32_t tgid, uint32_t tid,
		  uint32_t ptid, const char *comm);
void samples_map(struct writer *writer, uint64_t time, uint32_t tgid,
		 uint64_t addr, uint64_t len, uint64_t pgoff, const char *path,
		 const uint8_t *build_id);

/* Samples of one stream, at addresses one behind the other, each 1 ns later. */
struct samples_of {
	uint32_t tgid, tid;
	uint64_t time; /* of the first */
	uint16_t pmd;
	uint64_t period;
	uint8_t doubled; /* how often it had */
	uint8_t repeat; /* how many more each stands for */
	const uint64_t *ips; /* up to 0 */
	const uint64_t *value; /* that each has, NULL: none */
};
void samples_add(struct writer *writer, const struct samples_of *samples);

/* One precise sample of a stream. */
void samples_add_precise(struct writer *writer, uint32_t stream,
			 const struct pfm_precise_smpl_entry *entry);

/* Symbols of one file, sizes and names up to NULL; they follow one another. */
void samples_symbols(struct writer *writer, const char *path,
		     const uint8_t *build_id, const struct pfmd_symbol *rows,
		     uint32_t count, const char *names, size_t names_size);

/* Ends the file, or leaves it open; what was written is bytes. */
void samples_end(struct writer *writer);
char *samples_bytes(struct writer *writer, size_t *size);

/* What was written becomes pfmon.data of the directory; the writer is closed. */
void samples_store(struct writer *writer, const char *directory);

/* Bytes as a file that can be read. */
FILE *samples_stream(const char *bytes, size_t size);

/* SAMPLES_META with a rate. */
const char *samples_meta_of_rate(void);

/* Reads the samples of a scanned profile twice: they are the kept ones, in their order. */
void samples_expect_kept(struct profile *scanned, const struct profile *kept);

#endif /* SAMPLES_H */
