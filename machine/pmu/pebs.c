// SPDX-License-Identifier: GPL-2.0-only
/*
 * Precise event-based sampling (PEBS) of Intel's processors: the processor itself writes
 * a record for each period of a counter, into memory that the DS area describes.
 *
 * When a counter with PEBS overflows it is armed. The instruction with its next event is
 * the one that is recorded: behind it the processor writes the record, clears the
 * counter's status bit and reloads the counter from the reset value in the DS area. So
 * records are P + 1 events apart, with P events from the reset value to the overflow.
 * Events that the recorded instruction has besides belong to the next period.
 *
 * What happens in an instruction is known when all of it has been done, so the record is
 * due at pmu_sync() and is written when the owner calls pmu_write_record(). Who drives
 * the model has to say where the instruction is: pmu_wants_place().
 *
 * Bits are as in Linux 6.12 (events/intel/ds.c, asm/intel_ds.h); pebs_record.c has the
 * records. Called by pmu.c, arch.c, arch_control.c and faults.c.
 */

#include <string.h>

#include "pebs.h"

#define MSR_ENABLE 0x3f1u
#define MSR_DATA_CFG 0x3f2u
#define MSR_DS_AREA 0x600u

#define CPUID_FEATURES 1u
#define FEATURES_ECX_DTES64 (1u << 2) /* the DS area has 64-bit fields */
#define FEATURES_EDX_DS (1u << 21)

/* Fields of the DS area, in words of eight bytes. */
#define DS_BYTES(word) (8ull * (word))
#define DS_INDEX 5 /* where the next record comes, then: */
#define DS_RESET 8 /* of the first counter */
#define DS_RESET_FIXED(format) \
	((format) < 5 ? 16 : 40) /* of the first fixed one */
enum { BOUND_INDEX, BOUND_MAXIMUM, BOUND_THRESHOLD, BOUNDS };

#define STATUS_OVF_BUF (1ull << 62)

bool pmu_has_pebs(const struct pmu *pmu)
{
	return pmu->model->pebs_mask;
}

/* Whether records are made of groups, and fixed counters write them, too. */
static bool has_baseline(const struct pmu *pmu)
{
	return pmu->model->capabilities & PEBS_BASELINE;
}

bool pmu_is_pebs_msr(const struct pmu *pmu, uint32_t msr)
{
	if (msr == MSR_DATA_CFG)
		return has_baseline(pmu);
	return pmu_has_pebs(pmu) && (msr == MSR_ENABLE || msr == MSR_DS_AREA);
}

void pmu_reset_pebs(struct pmu *pmu)
{
	memset(&pmu->pebs, 0, sizeof(pmu->pebs));
}

uint64_t pmu_read_pebs(const struct pmu *pmu, uint32_t msr)
{
	switch (msr) {
	case MSR_ENABLE:
		return pmu->pebs.enable;
	case MSR_DATA_CFG:
		return pmu->pebs.data_cfg;
	default:
		return pmu->pebs.area;
	}
}

static bool is_canonical(uint64_t address)
{
	return (uint64_t)((int64_t)(address << 16) >> 16) == address;
}

bool pmu_write_pebs(struct pmu *pmu, uint32_t msr, uint64_t value)
{
	switch (msr) {
	case MSR_ENABLE:
		if (value & ~pmu->model->pebs_mask)
			return false;
		pmu->pebs.enable = value;
		return true;
	case MSR_DATA_CFG:
		if (value & ~PEBS_GROUPS)
			return false;
		pmu->pebs.data_cfg = value;
		return true;
	default:
		if (!is_canonical(value))
			return false;
		pmu->pebs.area = value;
		return true;
	}
}

/* The counter's bit in the enable register, the status and the record. */
static unsigned int bit_of(const struct pmu_model *model, unsigned int i)
{
	return i < model->counters ? i : PEBS_FIXED + i - model->counters;
}

bool pmu_pebs_is_on(const struct pmu *pmu, unsigned int i)
{
	return pmu->pebs.enable >> bit_of(pmu->model, i) & 1 &&
	       (i < pmu->model->counters || has_baseline(pmu));
}

void pmu_pebs_disarm(struct pmu *pmu, unsigned int i)
{
	pmu->pebs.armed &= ~(1u << i);
}

/* Events of an armed counter that come before its record, with the recorded one. */
static unsigned int events_when_armed(const struct pmu *pmu)
{
	return pmu->fault.pebs_prompt ? 0 : 1;
}

void pmu_pebs_counted(struct pmu *pmu, unsigned int i, bool overflowed)
{
	const struct pmu_counter *c = &pmu->counter[i];

	if (overflowed)
		pmu->pebs.armed |= 1u << i;
	if (!(pmu->pebs.armed >> i & 1) || c->value < events_when_armed(pmu))
		return;
	pmu->pebs.due |= 1u << i;
	/* The recorded instruction has been counted. */
	pmu->pebs.user_insns = pmu->stat[PMU_STAT_USER_INSNS] - pmu->user;
}

/*
 * Instructions up to the one that is recorded, or less: of branches, loads and stores one
 * instruction has one at most.
 */
static uint64_t record_distance(const struct pmu *pmu)
{
	const uint8_t level = pmu->user ? PMU_COUNT_USER : PMU_COUNT_KERNEL;
	uint64_t distance = PMU_NEVER, insns, events;
	const struct pmu_counter *c;
	unsigned int i;

	if (!pmu->pebs.enable)
		return PMU_NEVER;
	for (i = 0; i < PMU_MAX_COUNTERS; i++) {
		c = &pmu->counter[i];
		if (!(c->flags & PMU_COUNT_PEBS) || !(c->flags & level))
			continue;
		events = events_when_armed(pmu);
		if (!(pmu->pebs.armed >> i & 1))
			events += c->mask - c->value + 1;
		insns = pmu_insns_to_events(c, events);
		if (insns < distance)
			distance = insns;
	}
	return distance;
}

bool pmu_pebs_wants_place(const struct pmu *pmu)
{
	return !pmu->pebs.due && record_distance(pmu) <= 1;
}

/* The recorded instruction is on its own. */
static uint64_t sample_distance(const struct pmu *pmu)
{
	const uint64_t distance = record_distance(pmu);

	if (distance == PMU_NEVER)
		return distance;
	return distance > 1 ? distance - 1 : 1;
}

uint64_t pmu_pebs_distance(const struct pmu *pmu)
{
	const uint64_t distance = sample_distance(pmu);
	uint64_t late;

	if (pmu_has_record(pmu))
		return 0;
	if (!pmu->pebs.late.at)
		return distance;
	late = pmu->pebs.late.at - pmu->insns;
	return late < distance ? late : distance;
}

/* Those that the record is of, as bits of the status. */
static uint64_t status_of_due(const struct pmu *pmu)
{
	uint64_t status = 0;
	unsigned int i;

	for (i = 0; pmu->pebs.due >> i; i++)
		if (pmu->pebs.due >> i & 1)
			status |= 1ull << bit_of(pmu->model, i);
	return status;
}

/* Writes a record where the DS area says, if there is room. False: no access. */
static bool store_record(struct pmu *pmu, const uint64_t *record,
			 unsigned int words, const struct pmu_memory *memory)
{
	const uint64_t at = pmu->pebs.area + DS_BYTES(DS_INDEX);
	const uint64_t bytes = sizeof(record[0]) * words;
	uint64_t bound[BOUNDS], next;

	if (!memory->load(memory->owner, at, bound, BOUNDS))
		return false;
	next = bound[BOUND_INDEX] + bytes;
	if (next > bound[BOUND_MAXIMUM]) {
		pmu->stat[PMU_STAT_PEBS_DROPPED]++;
		return true;
	}
	if (!memory->store(memory->owner, bound[BOUND_INDEX], record, words) ||
	    !memory->store(memory->owner, at, &next, 1))
		return false;
	pmu->stat[PMU_STAT_PEBS]++;
	if (next >= bound[BOUND_THRESHOLD]) {
		pmu->global_status |= STATUS_OVF_BUF;
		pmu_raise(pmu);
	}
	return true;
}

/* The status that the record has: a fault may take it away. */
static uint64_t take_status(struct pmu *pmu)
{
	if (!pmu->fault.pebs_status0)
		return status_of_due(pmu);
	pmu->fault.pebs_status0--;
	return 0;
}

static bool make_record(struct pmu *pmu, const struct pmu_registers *registers,
			const struct pmu_memory *memory)
{
	uint64_t record[PMU_RECORD_WORDS];
	const unsigned int words =
		pebs_build_record(pmu, take_status(pmu), registers, record);

	if (!pmu->fault.pebs_late || pmu->pebs.late.words)
		return store_record(pmu, record, words, memory);
	memcpy(pmu->pebs.late.record, record, sizeof(record));
	pmu->pebs.late.words = words;
	pmu->pebs.late.counters = pmu->pebs.due;
	pmu->pebs.late.delay = pmu->fault.pebs_late;
	pmu->fault.pebs_late = 0;
	return true;
}

void pmu_pebs_registers_written(struct pmu *pmu)
{
	unsigned int i;

	if (!pmu->pebs.late.words || pmu->pebs.late.at)
		return;
	for (i = 0; pmu->pebs.late.counters >> i; i++)
		if (pmu->pebs.late.counters >> i & 1 &&
		    pmu->counter[i].flags & PMU_COUNT_PEBS)
			return;
	pmu->pebs.late.at = pmu->insns + pmu->pebs.late.delay;
}

static bool late_record_is_due(const struct pmu *pmu)
{
	return pmu->pebs.late.at && pmu->pebs.late.at <= pmu->insns;
}

static uint64_t reset_address(const struct pmu *pmu, unsigned int i)
{
	const struct pmu_model *model = pmu->model;
	const unsigned int word = i < model->counters ?
					  DS_RESET + i :
					  DS_RESET_FIXED(pebs_format(model)) +
						  i - model->counters;

	return pmu->pebs.area + DS_BYTES(word);
}

bool pmu_may_record(const struct pmu *pmu)
{
	return pmu->pebs.enable || pmu->pebs.due || pmu->pebs.late.words;
}

bool pmu_has_record(const struct pmu *pmu)
{
	return pmu->pebs.due || late_record_is_due(pmu);
}

/* Without its reset value the counter counts on from its overflow. */
static bool reload(struct pmu *pmu, unsigned int i,
		   const struct pmu_memory *memory)
{
	struct pmu_counter *c = &pmu->counter[i];
	uint64_t reset;

	pmu_pebs_disarm(pmu, i);
	if (!memory->load(memory->owner, reset_address(pmu, i), &reset, 1))
		return false;
	/* With what the recorded instruction has counted too much. */
	c->value = (reset + c->value - events_when_armed(pmu)) & c->mask;
	c->room = c->mask - c->value + 1;
	return true;
}

static void store_late_record(struct pmu *pmu, const struct pmu_memory *memory)
{
	if (!store_record(pmu, pmu->pebs.late.record, pmu->pebs.late.words,
			  memory))
		pmu->stat[PMU_STAT_DS_FAULT]++;
	memset(&pmu->pebs.late, 0, sizeof(pmu->pebs.late));
}

void pmu_write_record(struct pmu *pmu, const struct pmu_registers *registers,
		      const struct pmu_memory *memory)
{
	bool accessible;
	unsigned int i;

	if (late_record_is_due(pmu))
		store_late_record(pmu, memory);
	if (!pmu->pebs.due)
		return;
	accessible = make_record(pmu, registers, memory);
	for (i = 0; pmu->pebs.due >> i; i++)
		if (pmu->pebs.due >> i & 1)
			accessible = reload(pmu, i, memory) && accessible;
	if (!accessible)
		pmu->stat[PMU_STAT_DS_FAULT]++;
	pmu->global_status &= ~status_of_due(pmu);
	pmu->pebs.due = 0;
	pmu_forget_sampled(pmu);
}

bool pmu_has_inexact_pebs(const struct pmu *pmu)
{
	const unsigned int format = pebs_format(pmu->model);

	return pmu_has_pebs(pmu) && (format == 1 || format == 2);
}

void pmu_cpuid_pebs(const struct pmu *pmu, uint32_t leaf, uint32_t regs[4])
{
	if (leaf != CPUID_FEATURES || !pmu_has_pebs(pmu))
		return;
	regs[2] |= FEATURES_ECX_DTES64;
	regs[3] |= FEATURES_EDX_DS;
}
