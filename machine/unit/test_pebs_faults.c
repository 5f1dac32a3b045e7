// SPDX-License-Identifier: GPL-2.0-only
/*
 * PEBS: faults of its records.
 */

#include "pebs_harness.h"

#define FAULT (PMU_STAT_BASE + PMU_STAT_FAULT)
#define BOTH (USR | OS)

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
	return start_guest("skylake", RECORDS, 2, REC_WORDS);
}

static void a_fault_records_the_overflow_itself(void **state)
{
	struct guest *guest = start();

	(void)state;
	wr(&guest->pmu, FAULT, PMU_FAULT(PMU_FAULT_PEBS_DELAY, 0));
	start_records(guest, 0, INSNS_EVENT | BOTH, 100);
	run_recorded(guest, 1000);
	assert_int_equal(records(guest), 10);
	assert_int_equal(place(guest, 0), 100);
	assert_int_equal(place(guest, 9), 1000);
	wr(&guest->pmu, FAULT, PMU_FAULT_CLEAR);
	run_recorded(guest, 101);
	assert_int_equal(place(guest, 10), 1101);
	free(guest);
}

/* How a counter stops. */
static void stop(struct pmu *pmu, unsigned int how)
{
	if (how == 0)
		wr(pmu, GLOBAL_CTRL, 0);
	else if (how == 1)
		wr(pmu, SELECT0, 0);
	else
		wr(pmu, PEBS_ENABLE, 0);
}

static void a_late_record_comes_behind_the_stop(void **state)
{
	struct guest *guest;
	struct pmu *pmu;
	unsigned int how;

	(void)state;
	for (how = 0; how < 3; how++) {
		guest = start();
		pmu = &guest->pmu;
		wr(pmu, FAULT, PMU_FAULT(PMU_FAULT_PEBS_LATE, 30));
		start_records(guest, 0, INSNS_EVENT | BOTH, 99);
		run_recorded(guest, 100);
		assert_int_equal(records(guest), 0);
		/* The counter has been reloaded, its status bit cleared. */
		assert_int_equal(rd(pmu, PMC0), (1ull << 48) - 99);
		assert_int_equal(rd(pmu, GLOBAL_STATUS), 0);
		run_recorded(guest, 50);
		wr(pmu, PMC0 + 1, 0);
		stop(pmu, how);
		assert_int_equal(pmu_distance(pmu), 30);
		run_recorded(guest, 29);
		assert_int_equal(records(guest), 0);
		run_recorded(guest, 1);
		assert_int_equal(records(guest), 1);
		assert_int_equal(place(guest, 0), 100);
		assert_int_equal(guest->buffer[REC_IP], CODE + 101);
		assert_int_equal(guest->interrupts, 0);
		run_recorded(guest, 1000);
		assert_int_equal(records(guest), 1);
		free(guest);
	}
}

/* The next ones are on time, also while it has not come. */
static void one_record_is_late(void **state)
{
	struct guest *guest = start();
	struct pmu *pmu = &guest->pmu;

	(void)state;
	wr(pmu, FAULT, PMU_FAULT(PMU_FAULT_PEBS_LATE, 10));
	start_records(guest, 0, INSNS_EVENT | BOTH, 99);
	run_recorded(guest, 100);
	/* Another one, when this one has come. */
	wr(pmu, FAULT, PMU_FAULT(PMU_FAULT_PEBS_LATE, 10));
	run_recorded(guest, 100);
	assert_int_equal(records(guest), 1);
	assert_int_equal(place(guest, 0), 200);
	wr(pmu, GLOBAL_CTRL, 0);
	run_recorded(guest, 10);
	assert_int_equal(records(guest), 2);
	assert_int_equal(place(guest, 1), 100);
	/* It fills the buffer and interrupts. */
	assert_int_equal(guest->interrupts, 1);
	wr(pmu, GLOBAL_CTRL, 1);
	run_recorded(guest, 100);
	assert_int_equal(records(guest), 2);
	run_recorded(guest, 100);
	assert_int_equal(records(guest), 3);
	free(guest);
}

static void a_late_record_without_access_is_lost(void **state)
{
	struct guest *guest = start();
	struct pmu *pmu = &guest->pmu;

	(void)state;
	wr(pmu, FAULT, PMU_FAULT(PMU_FAULT_PEBS_LATE, 10));
	start_records(guest, 0, INSNS_EVENT | BOTH, 99);
	run_recorded(guest, 100);
	guest->refused = BUFFER;
	wr(pmu, GLOBAL_CTRL, 0);
	run_recorded(guest, 10);
	assert_int_equal(stat(pmu, PMU_STAT_DS_FAULT), 1);
	assert_int_equal(records(guest), 0);
	guest->refused = 0;
	run_recorded(guest, 100);
	assert_int_equal(records(guest), 0);
	free(guest);
}

static void records_may_be_without_status(void **state)
{
	struct guest *guest = start_guest("haswell", RECORDS, 9, 24);
	struct pmu *pmu = &guest->pmu;

	(void)state;
	wr(pmu, FAULT, PMU_FAULT(PMU_FAULT_PEBS_STATUS0, 2));
	start_records(guest, 1, INSNS_EVENT | BOTH, 99);
	run_recorded(guest, 300);
	assert_int_equal(guest->buffer[REC_STATUS], 0);
	assert_int_equal(guest->buffer[24 + REC_STATUS], 0);
	assert_int_equal(guest->buffer[2 * 24 + REC_STATUS], 2);
	assert_int_equal(guest->buffer[REC_REAL_IP], CODE + 100);
	/* The counter's own bit is gone, as ever. */
	assert_int_equal(rd(pmu, GLOBAL_STATUS), 0);
	free(guest);
}

static void faults_are_refused_where_they_cannot_be(void **state)
{
	static const struct {
		const char *model;
		uint64_t kind, arg;
	} rows[] = {
		{ "zen", PMU_FAULT_PEBS_DELAY, 0 },
		{ "skylake", PMU_FAULT_PEBS_DELAY, 2 },
		{ "gnr", PMU_FAULT_PEBS_LATE, 1 },
		{ "core2", PMU_FAULT_MISPREDICT, 1 },
		{ "zen", PMU_FAULT_PEBS_STATUS0, 1 },
		{ "core2", PMU_FAULT_PEBS_STATUS0, 1 },
		{ "skylake", PMU_FAULT_PEBS_STATUS0, 1 },
		{ "spr", PMU_FAULT_PEBS_STATUS0, 1 },
	};
	struct pmu pmu;
	unsigned int i;

	(void)state;
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		assert_true(pmu_init(&pmu, rows[i].model));
		wr_faults(&pmu, FAULT, PMU_FAULT(rows[i].kind, rows[i].arg));
	}
	assert_true(pmu_init(&pmu, "nehalem"));
	assert_true(pmu_set_boot_faults(
		&pmu, "pebs-status0:1+pebs-late:5+pebs-delay"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fault_records_the_overflow_itself),
		cmocka_unit_test(a_late_record_comes_behind_the_stop),
		cmocka_unit_test(one_record_is_late),
		cmocka_unit_test(a_late_record_without_access_is_lost),
		cmocka_unit_test(records_may_be_without_status),
		cmocka_unit_test(faults_are_refused_where_they_cannot_be),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
