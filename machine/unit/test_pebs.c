// SPDX-License-Identifier: GPL-2.0-only
/*
 * PEBS: which instruction is recorded, what the record says, and where it is written.
 */

#include "pebs_harness.h"

#define BOTH (USR | OS)

static struct guest *start(unsigned int most, unsigned int threshold)
{
	return start_guest("skylake", most, threshold, REC_WORDS);
}

static unsigned int records(const struct guest *guest)
{
	return (guest->ds[DS_INDEX] - BUFFER) / (8 * REC_WORDS);
}

static uint64_t word(const struct guest *guest, unsigned int record,
		     unsigned int i)
{
	return guest->buffer[record * REC_WORDS + i];
}

static void records_are_a_period_and_an_event_apart(void **state)
{
	static const uint64_t periods[] = { 1, 2, 15, 100, 499 };
	struct guest *guest;
	unsigned int i, k, expected;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(periods); i++) {
		guest = start(RECORDS, RECORDS + 1);
		start_records(guest, 0, INSNS_EVENT | BOTH, periods[i]);
		expected = i ? 1000 / (periods[i] + 1) : RECORDS;
		run_recorded(guest, i ? 1000 : 2 * RECORDS);
		if (expected > RECORDS)
			expected = RECORDS;
		assert_int_equal(records(guest), expected);
		for (k = 0; k < expected; k++)
			assert_int_equal(word(guest, k, REC_REAL_IP),
					 CODE + (k + 1) * (periods[i] + 1));
		free(guest);
	}
}

static void a_record_has_the_cpu_behind_the_instruction(void **state)
{
	struct guest *guest = start(RECORDS, RECORDS + 1);
	unsigned int i;

	(void)state;
	start_records(guest, 2, INSNS_EVENT | BOTH, 100);
	run_recorded(guest, 150);
	assert_int_equal(records(guest), 1);
	assert_int_equal(word(guest, 0, REC_FLAGS), 0x246);
	assert_int_equal(word(guest, 0, REC_IP), CODE + 102);
	for (i = 0; i < PMU_GPRS; i++)
		assert_int_equal(word(guest, 0, REC_AX + i),
				 (i + 1ull) << 32 | 101);
	assert_int_equal(word(guest, 0, REC_STATUS), 1 << 2);
	assert_int_equal(word(guest, 0, REC_REAL_IP), CODE + 101);
	assert_int_equal(word(guest, 0, REC_TSX), 0);
	assert_int_equal(word(guest, 0, REC_TSC), 1101);
	/* Nothing behind it. */
	assert_int_equal(word(guest, 1, 0), 0);
	assert_int_equal(stat(&guest->pmu, PMU_STAT_PEBS), 1);
	free(guest);
}

static void the_latency_is_the_user_instructions_before(void **state)
{
	static const unsigned int words[] = { REC_DLA, REC_DSE, REC_LAT };
	static const struct {
		unsigned int user; /* of the period of 99, then the kernel */
		bool recorded_user;
	} rows[] = { { 0, false }, { 1, false }, { 60, false }, { 99, true } };
	struct guest *guest;
	unsigned int i, k;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		guest = start(RECORDS, RECORDS + 1);
		pmu_set_user(&guest->pmu, true);
		run(&guest->pmu, 11);
		start_records(guest, 0, INSNS_EVENT | BOTH, 99);
		run_recorded(guest, rows[i].user);
		pmu_set_user(&guest->pmu, rows[i].recorded_user);
		run_recorded(guest, 100 - rows[i].user);
		assert_int_equal(records(guest), 1);
		for (k = 0; k < ARRAY_SIZE(words); k++)
			assert_int_equal(word(guest, 0, words[k]),
					 11 + rows[i].user);
		free(guest);
	}
}

/* The instructions of the other level are no events and are not asked for. */
static void only_the_level_of_the_counter_is_recorded(void **state)
{
	struct guest *guest = start(RECORDS, RECORDS + 1);
	unsigned int i;

	(void)state;
	start_records(guest, 0, INSNS_EVENT | USR, 100);
	for (i = 0; i < 40; i++) {
		pmu_set_user(&guest->pmu, i % 2);
		run_recorded(guest, 50);
	}
	/* 1000 instructions of the program. */
	assert_int_equal(records(guest), 9);
	assert_int_equal(guest->places, 9);
	for (i = 0; i < 9; i++)
		assert_int_equal(word(guest, i, REC_LAT), 101 * (i + 1) - 1);
	free(guest);
}

static void a_full_buffer_interrupts(void **state)
{
	struct guest *guest = start(RECORDS, 3);
	struct pmu *pmu = &guest->pmu;

	(void)state;
	start_records(guest, 0, INSNS_EVENT | BOTH, 99);
	run_recorded(guest, 299);
	assert_int_equal(records(guest), 2);
	assert_int_equal(guest->interrupts, 0);
	assert_false(rd(pmu, GLOBAL_STATUS) & OVF_BUF);
	run_recorded(guest, 1);
	assert_int_equal(guest->interrupts, 1);
	assert_int_equal(rd(pmu, GLOBAL_STATUS), OVF_BUF);
	wr(pmu, GLOBAL_OVF_CTRL, OVF_BUF);
	assert_int_equal(rd(pmu, GLOBAL_STATUS), 0);
	/* Each record above the threshold asks again. */
	run_recorded(guest, 200);
	assert_int_equal(guest->interrupts, 3);
	assert_int_equal(rd(pmu, GLOBAL_STATUS), OVF_BUF);
	free(guest);
}

static void a_record_without_room_is_dropped(void **state)
{
	struct guest *guest = start(2, 2);
	struct pmu *pmu = &guest->pmu;

	(void)state;
	/* One byte is missing for the second one. */
	guest->ds[DS_MAXIMUM]--;
	start_records(guest, 0, INSNS_EVENT | BOTH, 99);
	run_recorded(guest, 450);
	assert_int_equal(records(guest), 1);
	assert_int_equal(word(guest, 1, REC_IP), 0);
	assert_int_equal(stat(pmu, PMU_STAT_PEBS), 1);
	assert_int_equal(stat(pmu, PMU_STAT_PEBS_DROPPED), 3);
	assert_int_equal(guest->interrupts, 0);
	/* The counter continues from its reset value. */
	assert_int_equal(rd(pmu, PMC0), width_mask(&models[18]) - 99 + 1 + 50);
	/* With room there are records again. */
	guest->ds[DS_INDEX] = BUFFER;
	run_recorded(guest, 50);
	assert_int_equal(word(guest, 0, REC_REAL_IP), CODE + 500);
	free(guest);
}

static void memory_that_refuses_gets_no_record(void **state)
{
	static const struct {
		uint64_t refused;
		bool written, reloaded;
	} rows[] = {
		{ DS_ADDRESS + 8 * DS_INDEX, false, true },
		{ BUFFER, false, true },
		{ DS_ADDRESS + 8 * DS_RESET, true, false },
	};
	struct guest *guest;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		guest = start(RECORDS, RECORDS + 1);
		guest->refused = rows[i].refused;
		start_records(guest, 0, INSNS_EVENT | BOTH, 99);
		run_recorded(guest, 150);
		assert_int_equal(records(guest), rows[i].written);
		assert_int_equal(stat(&guest->pmu, PMU_STAT_DS_FAULT), 1);
		assert_int_equal(stat(&guest->pmu, PMU_STAT_PEBS),
				 rows[i].written);
		/* Else from its overflow: in 2^48 instructions again. */
		assert_int_equal(pmu_distance(&guest->pmu),
				 rows[i].reloaded ? 49 : (1ull << 48) - 51);
		free(guest);
	}
}

/* The reset value may differ from what the counter was started with. */
static void the_next_period_is_that_of_the_ds_area(void **state)
{
	struct guest *guest = start(RECORDS, RECORDS + 1);

	(void)state;
	start_records(guest, 1, INSNS_EVENT | BOTH, 99);
	guest->ds[DS_RESET + 1] = -9ull;
	/* Of other counters. */
	guest->ds[DS_RESET] = -1ull;
	guest->ds[DS_RESET + 2] = -1ull;
	run_recorded(guest, 125);
	assert_int_equal(records(guest), 3);
	assert_int_equal(word(guest, 1, REC_REAL_IP), CODE + 110);
	assert_int_equal(word(guest, 2, REC_REAL_IP), CODE + 120);
	free(guest);
}

static void an_instruction_that_two_counters_record_has_one_record(void **state)
{
	struct guest *guest = start(RECORDS, RECORDS + 1);

	(void)state;
	start_records(guest, 0, INSNS_EVENT | BOTH, 99);
	start_records(guest, 3, INSNS_EVENT | BOTH, 49);
	run_recorded(guest, 100);
	assert_int_equal(records(guest), 2);
	assert_int_equal(word(guest, 0, REC_STATUS), 1 << 3);
	assert_int_equal(word(guest, 1, REC_STATUS), 1 << 3 | 1);
	assert_int_equal(stat(&guest->pmu, PMU_STAT_PEBS), 2);
	free(guest);
}

static void the_status_shows_an_overflow_until_the_record(void **state)
{
	struct guest *guest = start(RECORDS, RECORDS + 1);

	(void)state;
	start_records(guest, 1, INSNS_EVENT | BOTH, 99);
	run_recorded(guest, 99);
	assert_int_equal(rd(&guest->pmu, GLOBAL_STATUS), 1 << 1);
	assert_int_equal(records(guest), 0);
	run_recorded(guest, 1);
	assert_int_equal(rd(&guest->pmu, GLOBAL_STATUS), 0);
	assert_int_equal(records(guest), 1);
	assert_int_equal(guest->interrupts, 0);
	free(guest);
}

/* An overflow with INT interrupts as without PEBS, and the record follows. */
static void a_counter_may_interrupt_as_well(void **state)
{
	struct guest *guest = start(RECORDS, RECORDS + 1);

	(void)state;
	start_records(guest, 0, INSNS_EVENT | BOTH | INT, 99);
	run_recorded(guest, 99);
	assert_int_equal(guest->interrupts, 1);
	assert_int_equal(records(guest), 0);
	run_recorded(guest, 901);
	assert_int_equal(guest->interrupts, 10);
	assert_int_equal(records(guest), 10);
	free(guest);
}

static void an_armed_counter_waits_for_its_next_event(void **state)
{
	struct guest *guest = start(RECORDS, RECORDS + 1);
	struct pmu *pmu = &guest->pmu;

	(void)state;
	start_records(guest, 0, INSNS_EVENT | BOTH, 99);
	run_recorded(guest, 99);
	/* Switched off and on, it is armed still. */
	wr(pmu, PEBS_ENABLE, 0);
	wr(pmu, GLOBAL_CTRL, 0);
	run_recorded(guest, 1000);
	wr(pmu, PEBS_ENABLE, 1);
	wr(pmu, GLOBAL_CTRL, 1);
	run_recorded(guest, 1);
	assert_int_equal(records(guest), 1);
	/* A write of the counter begins a new period. */
	run_recorded(guest, 99);
	wr(pmu, PMC0, -5ull);
	run_recorded(guest, 5);
	assert_int_equal(records(guest), 1);
	run_recorded(guest, 1);
	assert_int_equal(records(guest), 2);
	run_recorded(guest, 99);
	wr(pmu, FULL_WIDTH_PMC0, 0);
	run_recorded(guest, 50);
	assert_int_equal(records(guest), 2);
	free(guest);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(records_are_a_period_and_an_event_apart),
		cmocka_unit_test(a_record_has_the_cpu_behind_the_instruction),
		cmocka_unit_test(the_latency_is_the_user_instructions_before),
		cmocka_unit_test(only_the_level_of_the_counter_is_recorded),
		cmocka_unit_test(a_full_buffer_interrupts),
		cmocka_unit_test(a_record_without_room_is_dropped),
		cmocka_unit_test(memory_that_refuses_gets_no_record),
		cmocka_unit_test(the_next_period_is_that_of_the_ds_area),
		cmocka_unit_test(
			an_instruction_that_two_counters_record_has_one_record),
		cmocka_unit_test(the_status_shows_an_overflow_until_the_record),
		cmocka_unit_test(a_counter_may_interrupt_as_well),
		cmocka_unit_test(an_armed_counter_waits_for_its_next_event),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
