// SPDX-License-Identifier: GPL-2.0-only
/*
 * PEBS: its registers, and events that an instruction has several of, or that few have.
 */

#include "pebs_harness.h"

#define BOTH (USR | OS)
#define LOADS 0x81d0 /* all that load */
#define BRANCHES 0x4c4 /* all */

static unsigned int records(const struct guest *guest)
{
	return (guest->ds[DS_INDEX] - BUFFER) / (8 * REC_WORDS);
}

static uint64_t place(const struct guest *guest, unsigned int record)
{
	return guest->buffer[record * REC_WORDS + REC_REAL_IP] - CODE;
}

static struct guest *start(void)
{
	return start_guest("skylake", RECORDS, RECORDS + 1, REC_WORDS);
}

/*
 * Cycles: three in two instructions. What the recorded instruction has too much belongs
 * to the next period, so that no event is lost.
 */
static void no_event_is_lost_between_records(void **state)
{
	static const uint64_t periods[] = { 98, 99, 100, 101, 1000 };
	struct guest *guest;
	unsigned int i, k;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(periods); i++) {
		guest = start();
		start_records(guest, 0, 0x3c | BOTH, periods[i]);
		run_recorded(guest, 3000);
		assert_int_equal(records(guest), 4500 / (periods[i] + 1));
		for (k = 0; k < records(guest); k++) {
			const uint64_t event = (k + 1) * (periods[i] + 1);

			/* The first instruction with so many events. */
			assert_int_equal(place(guest, k), (2 * event + 2) / 3);
		}
		free(guest);
	}
}

/*
 * The owner counts loads and branches. Near the record each instruction may be the one,
 * and only those that are events are recorded.
 */
static void only_instructions_with_the_event_are_recorded(void **state)
{
	static const struct {
		uint64_t event;
		enum pmu_retired kind;
	} rows[] = { { LOADS, PMU_LOAD }, { BRANCHES, PMU_COND_TAKEN } };
	uint64_t retired[PMU_RETIRED_KINDS] = { 0 };
	struct guest *guest;
	unsigned int i, k, insn;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		guest = start();
		pmu_use_retired(&guest->pmu, retired);
		start_records(guest, 0, rows[i].event | BOTH, 9);
		/* Each seventh instruction. */
		for (insn = 1; insn <= 1000; insn++) {
			assert_true(pmu_distance(&guest->pmu));
			if (insn % 7 == 0)
				retired[rows[i].kind]++;
			run_recorded(guest, 1);
		}
		assert_int_equal(records(guest), 14);
		for (k = 0; k < 14; k++)
			assert_int_equal(place(guest, k), 70 * (k + 1));
		free(guest);
	}
}

/* Until then as many instructions at once as events are left. */
static void slices_are_long_while_the_record_is_far(void **state)
{
	uint64_t retired[PMU_RETIRED_KINDS] = { 0 };
	struct guest *guest = start();
	struct pmu *pmu = &guest->pmu;

	(void)state;
	pmu_use_retired(pmu, retired);
	start_records(guest, 0, LOADS | BOTH, 1000);
	assert_int_equal(pmu_distance(pmu), 1000);
	assert_false(pmu_wants_place(pmu));
	retired[PMU_LOAD] = 400;
	run(pmu, 1000);
	assert_false(pmu_has_record(pmu));
	assert_int_equal(pmu_distance(pmu), 600);
	retired[PMU_LOAD] = 1000;
	run(pmu, 600);
	assert_true(pmu_wants_place(pmu));
	assert_int_equal(pmu_distance(pmu), 1);
	run(pmu, 1);
	assert_true(pmu_wants_place(pmu));
	free(guest);
}

static void run_with_access(struct guest *guest,
			    const struct pmu_access *access)
{
	const struct pmu_place place = { .linear = CODE };

	assert_true(pmu_wants_place(&guest->pmu));
	pmu_set_place(&guest->pmu, &place);
	if (access)
		pmu_set_access(&guest->pmu, access);
	run(&guest->pmu, 1);
	assert_true(pmu_has_record(&guest->pmu));
	write_record(guest);
}

static void a_record_has_the_operand_in_memory(void **state)
{
	static const struct {
		struct pmu_access access;
		uint64_t address, source;
	} rows[] = {
		{ { .linear = 0x7fff12345678, .loads = true },
		  0x7fff12345678,
		  9 },
		{ { .linear = 0xffff8880000003c0, .stores = true },
		  0xffff8880000003c0,
		  15 },
		{ { .linear = 0, .loads = true, .stores = true }, 0, 0 },
		/* Without an operand: the number. */
		{ { .linear = 0x1000 }, 99, 99 },
	};
	struct guest *guest;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		guest = start();
		pmu_set_user(&guest->pmu, true);
		start_records(guest, 0, INSNS_EVENT | BOTH, 99);
		run_recorded(guest, 99);
		run_with_access(guest, &rows[i].access);
		assert_int_equal(guest->buffer[REC_DLA], rows[i].address);
		assert_int_equal(guest->buffer[REC_DSE], rows[i].source);
		assert_int_equal(guest->buffer[REC_LAT], 99);
		/* It is not the operand of the next one. */
		run_recorded(guest, 99);
		run_with_access(guest, NULL);
		assert_int_equal(guest->buffer[REC_WORDS + REC_DLA], 199);
		free(guest);
	}
}

/* A store that faults is not what the handler's first instruction does. */
static void what_has_not_retired_has_no_operand(void **state)
{
	const struct pmu_access access = { .linear = 0x1000, .stores = true };
	const struct pmu_place place = { .linear = CODE + 5 };
	struct guest *guest = start();

	(void)state;
	start_records(guest, 0, INSNS_EVENT | BOTH, 9);
	run_recorded(guest, 9);
	pmu_set_place(&guest->pmu, &place);
	pmu_set_access(&guest->pmu, &access);
	run_with_access(guest, NULL);
	assert_int_equal(guest->buffer[REC_REAL_IP], CODE);
	assert_int_equal(guest->buffer[REC_DLA], 0);
	free(guest);
}

/* A slice that is too long costs the place. */
static void an_instruction_without_a_place_has_none(void **state)
{
	struct guest *guest = start();

	(void)state;
	start_records(guest, 0, INSNS_EVENT | BOTH, 9);
	run_recorded(guest, 10);
	assert_int_equal(place(guest, 0), 10);
	run(&guest->pmu, 10);
	write_record(guest);
	assert_int_equal(records(guest), 2);
	assert_int_equal(guest->buffer[REC_WORDS + REC_REAL_IP], 0);
	free(guest);
}

static void without_pebs_nothing_is_sampled(void **state)
{
	struct guest *guest = start();
	struct pmu *pmu = &guest->pmu;

	(void)state;
	start_records(guest, 0, INSNS_EVENT | BOTH | INT, 99);
	wr(pmu, PEBS_ENABLE, 1 << 1);
	assert_int_equal(pmu_distance(pmu), 99);
	run_recorded(guest, 99);
	assert_int_equal(guest->interrupts, 1);
	run_recorded(guest, 10);
	assert_int_equal(rd(pmu, PMC0), 10);
	assert_int_equal(rd(pmu, GLOBAL_STATUS), 1);
	assert_int_equal(records(guest), 0);
	assert_int_equal(guest->places, 0);
	free(guest);
}

static void registers_keep_the_bits_that_they_have(void **state)
{
	struct guest *guest = start();
	struct pmu *pmu = &guest->pmu;

	(void)state;
	wr(pmu, PEBS_ENABLE, 0xf0000000f);
	assert_int_equal(rd(pmu, PEBS_ENABLE), 0xf0000000f);
	wr_faults(pmu, PEBS_ENABLE, 1 << 4);
	wr_faults(pmu, PEBS_ENABLE, 1ull << 63);
	assert_int_equal(rd(pmu, PEBS_ENABLE), 0xf0000000f);
	wr(pmu, DS_AREA, 0x7ffffffff000);
	wr_faults(pmu, DS_AREA, 0x800000000000);
	assert_int_equal(rd(pmu, DS_AREA), 0x7ffffffff000);
	rd_faults(pmu, 0x3f2);
	pmu_reset(pmu);
	assert_int_equal(rd(pmu, PEBS_ENABLE), 0);
	assert_int_equal(rd(pmu, DS_AREA), 0);
	free(guest);
}

static void cpuid_announces_the_ds_area(void **state)
{
	uint32_t regs[4] = { 1, 2, 0, 8 };
	unsigned int i;
	uint64_t value;
	struct pmu pmu;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(models); i++) {
		assert_true(pmu_init(&pmu, models[i].name));
		assert_int_equal(pmu_has_pebs(&pmu), models[i].pebs != 0);
		if (!models[i].pebs) {
			/* Of no PMU then. */
			assert_int_equal(pmu_rdmsr(&pmu, DS_AREA, &value),
					 PMU_NOT_MINE);
			continue;
		}
		memset(regs, 0, sizeof(regs));
		assert_true(pmu_cpuid(&pmu, 1, 0, regs));
		assert_int_equal(regs[2], 1 << 2 | 1 << 15);
		assert_int_equal(regs[3], 1 << 21);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_event_is_lost_between_records),
		cmocka_unit_test(only_instructions_with_the_event_are_recorded),
		cmocka_unit_test(slices_are_long_while_the_record_is_far),
		cmocka_unit_test(a_record_has_the_operand_in_memory),
		cmocka_unit_test(what_has_not_retired_has_no_operand),
		cmocka_unit_test(an_instruction_without_a_place_has_none),
		cmocka_unit_test(without_pebs_nothing_is_sampled),
		cmocka_unit_test(registers_keep_the_bits_that_they_have),
		cmocka_unit_test(cpuid_announces_the_ds_area),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
