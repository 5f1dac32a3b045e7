/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the unit tests of PEBS: registers, a memory with a DS area and a buffer, and
 * the model as the machine drives it.
 */
#ifndef PERFMON_PEBS_HARNESS_H
#define PERFMON_PEBS_HARNESS_H

#include <stdlib.h>

#include "pmu_harness.h"

#define PMC0 0xc1
#define SELECT0 0x186
#define PEBS_ENABLE 0x3f1
#define DS_AREA 0x600
#define OVF_BUF (1ull << 62)

#define DS_ADDRESS 0xffff888000001000ull
#define BUFFER 0xffff888000010000ull
#define CODE 0x401000ull /* the instruction with number n is at CODE + n */
#define RECORDS 64 /* room for so many */
#define MOST_WORDS 32 /* of a record */

/* Words of the DS area. */
#define DS_BASE 4
#define DS_INDEX 5
#define DS_MAXIMUM 6
#define DS_THRESHOLD 7
#define DS_RESET 8
#define DS_WORDS 64

/* Words of a record of format 3. */
enum {
	REC_FLAGS,
	REC_IP,
	REC_AX,
	REC_STATUS = 18,
	REC_DLA,
	REC_DSE,
	REC_LAT,
	REC_REAL_IP,
	REC_TSX,
	REC_TSC,
	REC_WORDS
};

struct guest {
	struct pmu pmu;
	uint64_t ds[DS_WORDS];
	uint64_t buffer[RECORDS * MOST_WORDS];
	uint64_t refused; /* an access to this address */
	uint64_t begin; /* instructions before number 1 */
	unsigned int interrupts;
	unsigned int places; /* that were asked for */
};

static inline uint64_t *find_word(struct guest *guest, uint64_t address)
{
	if (address == guest->refused)
		return NULL;
	if (address - DS_ADDRESS < sizeof(guest->ds))
		return &guest->ds[(address - DS_ADDRESS) / 8];
	if (address - BUFFER < sizeof(guest->buffer))
		return &guest->buffer[(address - BUFFER) / 8];
	return NULL;
}

static inline bool load(void *owner, uint64_t address, uint64_t *words,
			unsigned int number)
{
	const uint64_t *from = find_word(owner, address);

	if (from)
		memcpy(words, from, 8 * number);
	return from;
}

static inline bool store(void *owner, uint64_t address, const uint64_t *words,
			 unsigned int number)
{
	uint64_t *to = find_word(owner, address);

	if (to)
		memcpy(to, words, 8 * number);
	return to;
}

/* The register with number i holds i + 1 in its upper half, and the instruction. */
static inline void write_record(struct guest *guest)
{
	const uint64_t number = guest->pmu.insns - guest->begin;
	const struct pmu_memory memory = { guest, load, store };
	struct pmu_registers registers = {
		.flags = 0x246,
		.ip = CODE + number + 1,
		.tsc = 1000 + number,
	};
	unsigned int i;

	for (i = 0; i < PMU_XMM_WORDS; i++)
		registers.xmm[i] = 0x100 + i;
	for (i = 0; i < PMU_GPRS; i++)
		registers.gpr[i] = (uint64_t)(i + 1) << 32 | number;
	pmu_write_record(&guest->pmu, &registers, &memory);
}

/* As the machine drives the model, with the slices that it asks for. */
static inline void run_recorded(struct guest *guest, uint64_t insns)
{
	struct pmu *pmu = &guest->pmu;
	const uint64_t end = pmu->insns + insns;
	struct pmu_place place = { 0 };
	uint64_t step;

	while (pmu->insns < end) {
		step = pmu_distance(pmu);
		if (pmu_wants_place(pmu)) {
			place.linear = CODE + pmu->insns - guest->begin + 1;
			pmu_set_place(pmu, &place);
			assert_int_equal(step, 1);
			guest->places++;
		}
		if (step > end - pmu->insns)
			step = end - pmu->insns;
		assert_true(step);
		run(pmu, step);
		if (pmu_has_record(pmu))
			write_record(guest);
		guest->interrupts += pmu_take_pmi(pmu);
	}
}

/* A buffer for so many records, with an interrupt when so many are there. */
static inline struct guest *start_guest(const char *model, unsigned int most,
					unsigned int threshold,
					unsigned int words)
{
	struct guest *guest = calloc(1, sizeof(*guest));

	assert_non_null(guest);
	assert_true(pmu_init(&guest->pmu, model));
	/* Some instructions before; PEBS knows nothing of them. */
	run(&guest->pmu, 7);
	guest->begin = guest->pmu.insns;
	guest->ds[DS_BASE] = BUFFER;
	guest->ds[DS_INDEX] = BUFFER;
	guest->ds[DS_MAXIMUM] = BUFFER + (uint64_t)most * words * 8;
	guest->ds[DS_THRESHOLD] = BUFFER + (uint64_t)threshold * words * 8;
	wr(&guest->pmu, DS_AREA, DS_ADDRESS);
	return guest;
}

/* Counter i has records with this period, now and from the reset value. */
static inline void start_records(struct guest *guest, unsigned int i,
				 uint64_t select, uint64_t period)
{
	struct pmu *pmu = &guest->pmu;

	wr(pmu, SELECT0 + i, select | EN);
	wr(pmu, PMC0 + i, -period);
	guest->ds[DS_RESET + i] = -period;
	wr(pmu, PEBS_ENABLE, rd(pmu, PEBS_ENABLE) | 1ull << i);
}

#endif
