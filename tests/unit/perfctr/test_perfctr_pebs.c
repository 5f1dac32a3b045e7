// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of PEBS: what they say, and which counters they are of. No processor is needed:
 * decode.c reads nothing but its arguments.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <linux/kernel.h>
#include <linux/perfmon_record.h>
#include <uapi/linux/perfmon_precise_smpl.h>

#include "pebs/pebs.h"

/* The words of the record have their numbers, times 16. */
static void make_record(u64 words[PEBS_WORDS], u64 status)
{
	unsigned int i;

	for (i = 0; i < PEBS_WORDS; i++)
		words[i] = 16 * i;
	words[PEBS_STATUS] = status;
}

static void a_record_is_of_the_counters_that_it_names(void **state)
{
	static const struct {
		u64 status;
		u64 enabled;
		u64 counters;
	} cases[] = {
		{ 0x1, 0x1, 0x1 },
		{ 0x8, 0xf, 0x8 },
		{ 0xa, 0xf, 0xa },
		/* Of counters that make none. */
		{ 0xb, 0x2, 0x2 },
		{ 1ull << 62 | 0x4, 0xf, 0x4 },
		/* The erratum: no bit, and one counter or several. */
		{ 0, 0x4, 0x4 },
		{ 0x1, 0x4, 0x4 },
		{ 0, 0x5, 0 },
		{ 0x2, 0x5, 0 },
	};
	struct pfm_hw_record hw;
	u64 words[PEBS_WORDS];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		make_record(words, cases[i].status);
		pebs_decode(words, cases[i].enabled, &hw);
		assert_int_equal(hw.pmds, cases[i].counters);
		assert_int_equal(hw.left_out,
				 cases[i].counters ? 0 : PFM_HW_AMBIGUOUS);
	}
}

static void a_record_has_the_words_of_the_manual(void **state)
{
	/* Offsets in bytes. */
	const struct {
		unsigned int offset;
		enum pebs_word word;
	} layout[] = {
		{ 0x00, PEBS_FLAGS },	    { 0x08, PEBS_IP },
		{ 0x10, PEBS_AX },	    { 0x48, PEBS_SP },
		{ 0x50, PEBS_R8 },	    { 0x88, PEBS_R15 },
		{ 0x90, PEBS_STATUS },	    { 0x98, PEBS_DLA },
		{ 0xa0, PEBS_DSE },	    { 0xa8, PEBS_LATENCY },
		{ 0xb0, PEBS_EVENTING_IP }, { 0xb8, PEBS_TSX },
		{ 0xc0, PEBS_TSC },
	};
	struct pfm_hw_record hw;
	u64 words[PEBS_WORDS];
	size_t i;

	(void)state;
	assert_int_equal(PEBS_RECORD_BYTES, 200);
	for (i = 0; i < sizeof(layout) / sizeof(*layout); i++)
		assert_int_equal(8 * layout[i].word, layout[i].offset);
	make_record(words, 1);
	pebs_decode(words, 1, &hw);
	assert_int_equal(hw.ip, 2 * 0xb0);
	assert_int_equal(hw.next_ip, 2 * 0x08);
	assert_int_equal(hw.daddr, 2 * 0x98);
	assert_int_equal(hw.source, 2 * 0xa0);
	assert_int_equal(hw.latency, 2 * 0xa8);
	assert_int_equal(hw.tsx, 2 * 0xb8);
	assert_int_equal(hw.flags,
			 PFM_PRECISE_SMPL_EXACT | PFM_PRECISE_SMPL_DADDR);
	assert_ptr_equal(hw.gprs, words);
	assert_null(hw.raw);
}

static void a_record_without_data_has_no_address(void **state)
{
	struct pfm_hw_record hw;
	u64 words[PEBS_WORDS];

	(void)state;
	make_record(words, 1);
	words[PEBS_DLA] = 0;
	pebs_decode(words, 1, &hw);
	assert_int_equal(hw.flags, PFM_PRECISE_SMPL_EXACT);
}

static void only_so_many_records_are_in_the_memory(void **state)
{
	struct debug_store ds = { .pebs_buffer_base = 0xffff888000000000 };

	(void)state;
	ds.pebs_index = ds.pebs_buffer_base;
	assert_int_equal(pebs_nr_records(&ds), 0);
	ds.pebs_index += 3 * PEBS_RECORD_BYTES;
	assert_int_equal(pebs_nr_records(&ds), 3);
	/* Somebody else has written it. */
	ds.pebs_index += 1ull << 30;
	assert_int_equal(pebs_nr_records(&ds), PEBS_BYTES / 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_record_is_of_the_counters_that_it_names),
		cmocka_unit_test(a_record_has_the_words_of_the_manual),
		cmocka_unit_test(a_record_without_data_has_no_address),
		cmocka_unit_test(only_so_many_records_are_in_the_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
