// SPDX-License-Identifier: GPL-2.0-only
/*
 * The registers of PEBS: which bits they keep, by the format of the records.
 */

#include "judge.h"

#define CAPABILITIES 0x345
#define FORMAT(capabilities) ((capabilities) >> 8 & 0xf)
#define BASELINE (1ull << 14)

#define ANY_FORMAT 0xff

/* A value that a register keeps, or refuses. */
struct bits {
	uint8_t formats; /* bit mask */
	uint32_t msr;
	uint64_t value;
	bool refused;
};

static const struct bits bits[] = {
	{ ANY_FORMAT, 0x3f1, 1, false },
	{ 0x01, 0x3f1, 1 << 1, true },
	{ 0x0e, 0x3f1, 0xf0000000f, false },
	{ 0x0e, 0x3f1, 1ull << 4, true },
	{ 0x0c, 0x3f1, 1ull << 63, true },
	{ 0x30, 0x3f1, 0xf000000ff, false },
	{ 0x30, 0x3f1, 1ull << 36, true },
	{ 0x30, 0x3f2, 7, false },
	{ 0x30, 0x3f2, 0x1f00000f, false },
	{ 0x30, 0x3f2, 1ull << 4, true },
	{ 0x30, 0x187, 1ull << 34, false },
	{ 0x30, 0x38d, 0x111ull << 32, false },
	{ 0x30, 0x38d, 2ull << 32, true },
	{ ANY_FORMAT, 0x600, 0xffff800000001000, false },
	{ ANY_FORMAT, 0x600, 0x800000000000, true },
};

static bool are_as_told(const struct bits *b)
{
	uint64_t before, after = 0;
	bool refused;

	if (!read_msr(judge_cpu, b->msr, &before))
		return false;
	refused = !write_msr(judge_cpu, b->msr, b->value);
	read_msr(judge_cpu, b->msr, &after);
	write_msr(judge_cpu, b->msr, before);
	return refused == b->refused && after == (refused ? before : b->value);
}

unsigned int judge_pebs_registers(void)
{
	uint64_t capabilities = 0;
	unsigned int format, i;

	if (!have_msr_driver(judge_cpu))
		return 0;
	check(read_msr(judge_cpu, CAPABILITIES, &capabilities),
	      "a register tells the format of the records");
	format = FORMAT(capabilities);
	check(!(capabilities & BASELINE) == (format < 4),
	      "records of format %u, %s baseline", format,
	      capabilities & BASELINE ? "with" : "without");
	for (i = 0; i < sizeof(bits) / sizeof(bits[0]); i++)
		if (bits[i].formats >> format & 1)
			check(are_as_told(&bits[i]), "MSR %#x %s %#llx",
			      bits[i].msr,
			      bits[i].refused ? "refuses" : "keeps",
			      (unsigned long long)bits[i].value);
	return format;
}
