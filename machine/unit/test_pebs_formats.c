// SPDX-License-Identifier: GPL-2.0-only
/*
 * PEBS: the formats of the records, and what comes with their groups: fixed counters,
 * longer records for counters that ask for them.
 */

#include "pebs_harness.h"

#define BOTH (USR | OS)
#define ADAPTIVE (1ull << 34)
#define DATA_CFG 0x3f2
#define MEMORY 0x1
#define GPRS 0x2
#define XMMS 0x4
#define BRANCHES 0x8

static const struct pmu_access access_at = { .linear = 0x7fff12345678,
					     .loads = true };

/* Up to the instruction that is recorded, which accesses memory. */
static void run_to_record(struct guest *guest, uint64_t period)
{
	const struct pmu_place place = { .linear = CODE + period + 1 };

	run_recorded(guest, period);
	assert_true(pmu_wants_place(&guest->pmu));
	pmu_set_place(&guest->pmu, &place);
	pmu_set_access(&guest->pmu, &access_at);
	run(&guest->pmu, 1);
	assert_true(pmu_has_record(&guest->pmu));
	write_record(guest);
}

static void formats_have_the_fields_of_those_before(void **state)
{
	static const struct {
		const char *model;
		unsigned int words;
	} rows[] = {
		{ "core2", 18 },       { "nehalem", 22 },   { "westmere", 22 },
		{ "sandybridge", 22 }, { "ivybridge", 22 }, { "haswell", 24 },
		{ "broadwell", 24 },   { "skylake", 25 },   { "skylake-8", 25 },
	};
	struct guest *guest;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		guest = start_guest(rows[i].model, 1, 1, rows[i].words);
		/* Above the words: nothing may be there. */
		memset(guest->buffer, 0xee, sizeof(guest->buffer));
		start_records(guest, 0, INSNS_EVENT | BOTH, 99);
		run_to_record(guest, 99);
		assert_int_equal(guest->ds[DS_INDEX],
				 BUFFER + 8 * rows[i].words);
		assert_int_equal(guest->buffer[REC_IP], CODE + 101);
		assert_int_equal(guest->buffer[REC_AX], 1ull << 32 | 100);
		if (rows[i].words > REC_LAT) {
			assert_int_equal(guest->buffer[REC_STATUS], 1);
			assert_int_equal(guest->buffer[REC_DLA],
					 access_at.linear);
			assert_int_equal(guest->buffer[REC_LAT], 0);
		}
		if (rows[i].words > REC_REAL_IP)
			assert_int_equal(guest->buffer[REC_REAL_IP],
					 CODE + 100);
		if (rows[i].words > REC_TSC)
			assert_int_equal(guest->buffer[REC_TSC], 1100);
		assert_int_equal(guest->buffer[rows[i].words],
				 0xeeeeeeeeeeeeeeee);
		free(guest);
	}
}

/* A record of format 1 or 2 has the status of other counters, too. */
static void the_status_is_exact_since_format_3(void **state)
{
	static const struct {
		const char *model;
		unsigned int words;
		uint64_t status;
	} rows[] = { { "nehalem", 22, 3 },
		     { "haswell", 24, 3 },
		     { "skylake", 25, 1 } };
	struct guest *guest;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		guest = start_guest(rows[i].model, 9, 10, rows[i].words);
		start_records(guest, 0, INSNS_EVENT | BOTH, 99);
		wr(&guest->pmu, SELECT0 + 1, INSNS_EVENT | BOTH | EN);
		wr(&guest->pmu, PMC0 + 1, -50ull);
		run_recorded(guest, 100);
		assert_int_equal(guest->buffer[REC_STATUS], rows[i].status);
		assert_int_equal(rd(&guest->pmu, GLOBAL_STATUS), 2);
		free(guest);
	}
}

/* Of a group of sixteen registers the first words: ax, cx, dx, bx, sp, bp, si, di. */
static void check_gprs(const uint64_t *group)
{
	static const unsigned int order[] = { 1, 3, 4, 2, 8, 7, 5, 6, 9 };
	unsigned int i;

	assert_int_equal(group[0], 0x246);
	assert_int_equal(group[1], CODE + 101);
	for (i = 0; i < ARRAY_SIZE(order); i++)
		assert_int_equal(group[2 + i], (uint64_t)order[i] << 32 | 100);
	assert_int_equal(group[17], 16ull << 32 | 100);
}

static void groups_are_there_if_they_are_asked_for(void **state)
{
	static const char *const names[] = { "icelake", "spr" };
	struct guest *guest;
	unsigned int i, cfg, words;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		for (cfg = 0; cfg < 8; cfg++) {
			guest = start_guest(names[i], 1, 2, MOST_WORDS * 2);
			wr(&guest->pmu, DATA_CFG, cfg);
			start_records(guest, 5, INSNS_EVENT | BOTH | ADAPTIVE,
				      99);
			run_to_record(guest, 99);
			words = 4;
			if (cfg & MEMORY) {
				assert_int_equal(guest->buffer[words],
						 access_at.linear);
				assert_int_equal(guest->buffer[words + 1], 9);
				words += 4;
			}
			if (cfg & GPRS) {
				check_gprs(&guest->buffer[words]);
				words += 18;
			}
			if (cfg & XMMS) {
				assert_int_equal(guest->buffer[words], 0x100);
				assert_int_equal(guest->buffer[words + 31],
						 0x11f);
				words += 32;
			}
			assert_int_equal(guest->ds[DS_INDEX],
					 BUFFER + 8 * words);
			assert_int_equal(guest->buffer[0],
					 8ull * words << 48 | cfg);
			assert_int_equal(guest->buffer[1], CODE + 100);
			assert_int_equal(guest->buffer[2], 1 << 5);
			assert_int_equal(guest->buffer[3], 1100);
			free(guest);
		}
	}
}

/* The newest first, and none where there are no more. */
static void branches_are_the_last_group(void **state)
{
	static const struct {
		const char *model;
		uint32_t enable;
		uint64_t on, info;
	} rows[] = {
		{ "icelake", 0x1d9, 1, 1 },
		{ "spr", 0x14ce, 0x7f0007, 2ull << 56 | 1ull << 60 | 1 },
	};
	struct pmu_branch taken = { .kind = PMU_JUMP };
	struct guest *guest;
	unsigned int i, k;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		guest = start_guest(rows[i].model, 1, 2, 120);
		wr(&guest->pmu, rows[i].enable, rows[i].on);
		for (k = 1; k <= 3; k++) {
			taken.from = 0x1000 + k;
			taken.to = 0x2000 + k;
			taken.insns = guest->pmu.insns + k;
			pmu_record_branch(&guest->pmu, &taken);
		}
		wr(&guest->pmu, DATA_CFG, MEMORY | BRANCHES | 3 << 24);
		start_records(guest, 0, INSNS_EVENT | BOTH | ADAPTIVE, 99);
		run_to_record(guest, 99);
		assert_int_equal(guest->buffer[0] & ~(0xffffull << 32),
				 (4 + 4 + 12) * 8ull << 48 | MEMORY | BRANCHES |
					 3 << 24);
		for (k = 0; k < 3; k++) {
			const uint64_t *entry = &guest->buffer[8 + 3 * k];

			assert_int_equal(entry[0], 0x1003 - k);
			assert_int_equal(entry[1], 0x2003 - k);
			assert_in_range(entry[2], rows[i].info,
					rows[i].info + 1);
		}
		assert_int_equal(guest->buffer[17], 0);
		free(guest);
	}
}

static void records_are_short_unless_their_counter_asks(void **state)
{
	struct guest *guest = start_guest("icelake", RECORDS, RECORDS + 1, 32);

	(void)state;
	wr(&guest->pmu, DATA_CFG, GPRS);
	start_records(guest, 0, INSNS_EVENT | BOTH, 99);
	start_records(guest, 1, INSNS_EVENT | BOTH | ADAPTIVE, 199);
	run_recorded(guest, 200);
	assert_int_equal(guest->buffer[0], 32ull << 48);
	/* Of both counters. */
	assert_int_equal(guest->buffer[4], 176ull << 48 | GPRS);
	assert_int_equal(guest->buffer[6], 3);
	free(guest);
}

/* Format 5 has it in the basic group as well. */
static void the_latencies_are_the_number(void **state)
{
	static const struct {
		const char *model;
		uint64_t basic;
	} rows[] = { { "icelake", 0 }, { "spr", 99ull << 32 } };
	struct guest *guest;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		guest = start_guest(rows[i].model, 1, 2, 32);
		pmu_set_user(&guest->pmu, true);
		wr(&guest->pmu, DATA_CFG, MEMORY);
		start_records(guest, 0, INSNS_EVENT | BOTH | ADAPTIVE, 99);
		run_recorded(guest, 100);
		assert_int_equal(guest->buffer[0],
				 64ull << 48 | rows[i].basic | MEMORY);
		assert_int_equal(guest->buffer[4], 99);
		assert_int_equal(guest->buffer[6], 99);
		assert_int_equal(guest->buffer[7], 0);
		free(guest);
	}
}

static void fixed_counters_have_records_with_a_baseline(void **state)
{
	static const struct {
		const char *model;
		unsigned int reset; /* word of the DS area */
	} rows[] = { { "icelake", 16 }, { "spr", 40 } };
	struct guest *guest;
	struct pmu *pmu;
	unsigned int i, fixed;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		for (fixed = 0; fixed < 2; fixed++) {
			guest = start_guest(rows[i].model, 9, 10, 32);
			pmu = &guest->pmu;
			wr(pmu, DATA_CFG, GPRS);
			wr(pmu, FIXED_CTRL, (1ull << 32 | 3) << 4 * fixed);
			wr(pmu, GLOBAL_CTRL, 1ull << (32 + fixed));
			wr(pmu, FIXED_CTR0 + fixed, (1ull << 48) - 299);
			wr(pmu, PEBS_ENABLE, 1ull << (32 + fixed));
			guest->ds[rows[i].reset + fixed] = -149ull;
			run_recorded(guest, 400);
			/* Instructions, and cycles: three in two of them. */
			assert_int_equal(stat(pmu, PMU_STAT_PEBS),
					 fixed ? 3 : 1);
			assert_int_equal(guest->buffer[2],
					 1ull << (32 + fixed));
			assert_int_equal(guest->buffer[0], 176ull << 48 | GPRS);
			assert_int_equal(guest->buffer[1],
					 CODE + (fixed ? 200 : 300));
			free(guest);
		}
	}
}

static void the_enable_of_latencies_is_none_of_fixed_counters(void **state)
{
	struct guest *guest = start_guest("skylake", 9, 10, REC_WORDS);
	struct pmu *pmu = &guest->pmu;

	(void)state;
	wr(pmu, FIXED_CTRL, 3);
	wr(pmu, GLOBAL_CTRL, 1ull << 32);
	wr(pmu, FIXED_CTR0, (1ull << 48) - 99);
	wr(pmu, PEBS_ENABLE, 1ull << 32);
	run_recorded(guest, 500);
	assert_int_equal(stat(pmu, PMU_STAT_PEBS), 0);
	assert_int_equal(guest->places, 0);
	free(guest);
}

/* The bit is no part of the event, as those beside it are on AMD's processors. */
static void the_adaptive_bit_changes_no_event(void **state)
{
	static const uint64_t events[] = { INSNS_EVENT, 0x3c, 0x81d0, 0x1cd };
	struct guest *guest;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(events); i++) {
		guest = start_guest("icelake", 9, 10, 32);
		wr(&guest->pmu, SELECT0, events[i] | BOTH | EN);
		wr(&guest->pmu, SELECT0 + 1, events[i] | BOTH | EN | ADAPTIVE);
		run(&guest->pmu, 100000);
		assert_int_equal(rd(&guest->pmu, PMC0),
				 rd(&guest->pmu, PMC0 + 1));
		free(guest);
	}
}

static void registers_have_the_bits_of_their_format(void **state)
{
	static const struct {
		const char *model;
		uint32_t msr;
		uint64_t kept, refused;
	} rows[] = {
		{ "core2", PEBS_ENABLE, 1, 1 << 1 },
		{ "nehalem", PEBS_ENABLE, 0xf0000000f, 1ull << 63 },
		{ "ivybridge", PEBS_ENABLE, 1ull << 63, 1 << 4 },
		{ "haswell", PEBS_ENABLE, 0xf0000000f, 1ull << 63 },
		{ "icelake", PEBS_ENABLE, 0xf000000ff, 1ull << 36 },
		{ "icelake", DATA_CFG, 0x1f00000f, 1 << 4 },
		{ "icelake", DATA_CFG, 7, 1 << 29 },
		{ "icelake", SELECT0, 1ull << 34, 1ull << 35 },
		{ "icelake", FIXED_CTRL, 0x1111ull << 32, 2ull << 32 },
		{ "spr", PEBS_ENABLE, 0xf000000ff, 1ull << 8 },
		{ "spr", SELECT0, 1ull << 34, 1ull << 33 },
	};
	struct guest *guest;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		guest = start_guest(rows[i].model, 1, 1, 32);
		wr(&guest->pmu, rows[i].msr, rows[i].kept);
		wr_faults(&guest->pmu, rows[i].msr, rows[i].refused);
		assert_int_equal(rd(&guest->pmu, rows[i].msr), rows[i].kept);
		free(guest);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(formats_have_the_fields_of_those_before),
		cmocka_unit_test(the_status_is_exact_since_format_3),
		cmocka_unit_test(groups_are_there_if_they_are_asked_for),
		cmocka_unit_test(branches_are_the_last_group),
		cmocka_unit_test(records_are_short_unless_their_counter_asks),
		cmocka_unit_test(the_latencies_are_the_number),
		cmocka_unit_test(fixed_counters_have_records_with_a_baseline),
		cmocka_unit_test(
			the_enable_of_latencies_is_none_of_fixed_counters),
		cmocka_unit_test(the_adaptive_bit_changes_no_event),
		cmocka_unit_test(registers_have_the_bits_of_their_format),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
