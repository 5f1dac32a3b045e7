// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of PEBS: what they say, and which counters they are of. No processor is needed:
 * decode.c reads nothing but its arguments.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <linux/kernel.h>
#include <linux/perfmon_record.h>
#include <uapi/linux/perfmon_precise_smpl.h>

#include "pebs/pebs.h"

/* A record of format 3: its words have their numbers, times 16. */
static void make_record(u64 words[PEBS_WORDS], u64 status)
{
	unsigned int i;

	for (i = 0; i < PEBS_WORDS; i++)
		words[i] = 16 * i;
	words[PEBS_STATUS] = status;
}

/* Words of the basic group, and of others. */
enum { BASIC = 4, MEMORY = 4, GPRS = 18 };

#define SIZE(words) ((u64)(words)*8 << 48)

/* A record of these groups: its words have their numbers, times 16. */
static unsigned int make_groups(u64 words[PEBS_WORDS_MAX], u64 groups,
				u64 counters)
{
	unsigned int i, nr = BASIC;

	nr += groups & PEBS_GROUP_MEMORY ? MEMORY : 0;
	nr += groups & PEBS_GROUP_GPRS ? GPRS : 0;
	for (i = 0; i < nr; i++)
		words[i] = 16 * i;
	words[0] = groups | SIZE(nr) | 0xabcdull << 32;
	words[2] = counters;
	return nr;
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
		/* Fixed ones. */
		{ 1ull << 32 | 0x80, 1ull << 32 | 0x80, 1ull << 32 | 0x80 },
		{ 1ull << 33 | 0x80, 1ull << 32 | 0x80, 0x80 },
		/* The erratum: no bit, and one counter or several. */
		{ 0, 0x4, 0x4 },
		{ 0x1, 0x4, 0x4 },
		{ 0, 0x5, 0 },
		{ 0x2, 0x5, 0 },
		{ 0, 1ull << 32, 1ull << 32 },
		{ 0, 1ull << 32 | 1, 0 },
	};
	static const unsigned int formats[] = { 1, 2, 3, 4, 5 };
	struct pebs_record record;
	u64 words[PEBS_WORDS_MAX], counters;
	unsigned int nr;
	size_t i, j;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		for (j = 0; j < sizeof(formats) / sizeof(*formats); j++) {
			make_record(words, cases[i].status);
			nr = PEBS_WORDS;
			if (formats[j] >= PEBS_FORMAT_GROUPS)
				nr = make_groups(words, 0, cases[i].status);
			pebs_decode(formats[j], words, nr, cases[i].enabled,
				    &record);
			counters = cases[i].counters;
			/* Others may have overflowed as well. */
			if (formats[j] < 3 && counters & (counters - 1))
				counters = 0;
			assert_int_equal(record.hw.pmds, counters);
			assert_int_equal(record.hw.left_out,
					 counters ? 0 : PFM_HW_AMBIGUOUS);
		}
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
	struct pebs_record record;
	struct pfm_hw_record *hw = &record.hw;
	u64 words[PEBS_WORDS];
	size_t i;

	(void)state;
	assert_int_equal(pebs_bytes(3, PEBS_GROUP_GPRS), 200);
	for (i = 0; i < sizeof(layout) / sizeof(*layout); i++)
		assert_int_equal(8 * layout[i].word, layout[i].offset);
	make_record(words, 1);
	pebs_decode(3, words, PEBS_WORDS, 1, &record);
	assert_int_equal(hw->ip, 2 * 0xb0);
	assert_int_equal(hw->next_ip, 2 * 0x08);
	assert_int_equal(hw->daddr, 2 * 0x98);
	assert_int_equal(hw->source, 2 * 0xa0);
	assert_int_equal(hw->latency, 2 * 0xa8);
	assert_int_equal(hw->tsx, 2 * 0xb8);
	assert_int_equal(record.tsc, 2 * 0xc0);
	assert_int_equal(hw->flags,
			 PFM_PRECISE_SMPL_EXACT | PFM_PRECISE_SMPL_DADDR);
	assert_ptr_equal(hw->gprs, record.gprs);
	assert_memory_equal(hw->gprs, words, sizeof(record.gprs));
	assert_null(hw->raw);
}

static void older_records_have_fewer_words(void **state)
{
	static const unsigned int bytes[] = { [1] = 176, [2] = 192, [3] = 200 };
	struct pebs_record record;
	const struct pfm_hw_record *hw = &record.hw;
	u64 words[PEBS_WORDS];
	unsigned int format;

	(void)state;
	make_record(words, 1);
	for (format = 1; format <= 3; format++) {
		const bool exact = format > 1;

		assert_int_equal(pebs_bytes(format, 0), bytes[format]);
		assert_ptr_equal(pebs_next(format, words, words + 100),
				 words + bytes[format] / 8);
		pebs_decode(format, words, bytes[format] / 8, 1, &record);
		assert_int_equal(hw->ip, exact ? 2 * 0xb0 : 2 * 0x08);
		assert_int_equal(hw->next_ip, exact ? 2 * 0x08 : 0);
		assert_int_equal(hw->daddr, 2 * 0x98);
		assert_int_equal(hw->source, 2 * 0xa0);
		assert_int_equal(hw->latency, 2 * 0xa8);
		assert_int_equal(hw->tsx, exact ? 2 * 0xb8 : 0);
		assert_int_equal(record.tsc, format > 2 ? 2 * 0xc0 : 0);
		assert_int_equal(hw->flags,
				 PFM_PRECISE_SMPL_DADDR |
					 (exact ? PFM_PRECISE_SMPL_EXACT :
						  PFM_PRECISE_SMPL_NEXT));
		assert_memory_equal(hw->gprs, words, sizeof(record.gprs));
	}
}

static void groups_have_the_words_of_the_manual(void **state)
{
	static const u64 groups[] = { 0, PEBS_GROUP_MEMORY, PEBS_GROUP_GPRS,
				      PEBS_GROUP_MEMORY | PEBS_GROUP_GPRS };
	static const unsigned int bytes[] = { 32, 64, 176, 208 };
	/* What the group of registers has: flags, ip, ax, cx, dx, bx, sp, bp, si, di. */
	static const u8 order[] = { 0, 1, 2, 5, 3, 4, 8, 9, 7, 6 };
	u64 words[PEBS_WORDS_MAX], first, expected;
	struct pebs_record record;
	struct pfm_hw_record *hw = &record.hw;
	unsigned int i, nr, n;
	bool memory;

	(void)state;
	for (i = 0; i < 4; i++) {
		memory = groups[i] & PEBS_GROUP_MEMORY;
		first = 16 * (BASIC + (memory ? MEMORY : 0));
		nr = make_groups(words, groups[i], 1);
		assert_int_equal(pebs_bytes(5, groups[i]), bytes[i]);
		assert_int_equal(8 * nr, bytes[i]);
		assert_ptr_equal(pebs_next(5, words, words + nr), words + nr);
		pebs_decode(5, words, nr, 1, &record);
		assert_int_equal(hw->ip, 16);
		assert_int_equal(record.tsc, 48);
		assert_int_equal(hw->daddr, memory ? 16 * 4 : 0);
		assert_int_equal(hw->source, memory ? 16 * 5 : 0);
		assert_int_equal(hw->latency, memory ? 16 * 6 : 0);
		assert_int_equal(hw->tsx, memory ? 16 * 7 : 0);
		assert_int_equal(hw->flags,
				 memory ? PFM_PRECISE_SMPL_EXACT |
						  PFM_PRECISE_SMPL_DADDR :
					  PFM_PRECISE_SMPL_EXACT);
		if (!(groups[i] & PEBS_GROUP_GPRS)) {
			assert_null(hw->gprs);
			assert_int_equal(hw->next_ip, 0);
			continue;
		}
		assert_int_equal(hw->next_ip, first + 16);
		for (n = 0; n < PEBS_GPRS; n++) {
			expected = n < sizeof(order) ? order[n] : n;
			assert_int_equal(hw->gprs[n], first + 16 * expected);
		}
	}
}

static void groups_that_are_not_there_are_not_read(void **state)
{
	static const u64 both = PEBS_GROUP_MEMORY | PEBS_GROUP_GPRS;
	u64 words[PEBS_WORDS_MAX];
	struct pebs_record record;
	unsigned int nr;

	(void)state;
	make_groups(words, both, 1);
	for (nr = BASIC; nr < PEBS_WORDS_MAX; nr++) {
		/* So that a read behind the record is an error. */
		u64 *copy = malloc(nr * sizeof(*copy));

		memcpy(copy, words, nr * sizeof(*copy));
		pebs_decode(4, copy, nr, 1, &record);
		assert_int_equal(record.hw.daddr, nr < 8 ? 0 : 64);
		/* Without room for the group of memory the other one comes first. */
		assert_int_equal(!!record.hw.gprs, false);
		free(copy);
	}
}

static void a_record_without_data_has_no_address(void **state)
{
	struct pebs_record record;
	u64 words[PEBS_WORDS];

	(void)state;
	make_record(words, 1);
	words[PEBS_DLA] = 0;
	pebs_decode(3, words, PEBS_WORDS, 1, &record);
	assert_int_equal(record.hw.flags, PFM_PRECISE_SMPL_EXACT);
}

static void the_next_record_is_where_this_one_ends(void **state)
{
	static const struct {
		unsigned int format;
		u64 size; /* words that the record says */
		unsigned int left; /* words that there are */
		unsigned int next; /* 0: none */
	} cases[] = {
		{ 3, 0, 25, 25 },
		{ 3, 0, 24, 0 },
		{ 3, 0, 100, 25 },
		{ 4, 4, 4, 4 },
		{ 4, 4, 100, 4 },
		{ 4, 26, 26, 26 },
		{ 4, 26, 25, 0 },
		{ 5, 8, 9, 8 },
		{ 5, 4, 3, 0 },
		/* Made by something else, with groups that are not known. */
		{ 5, 60, 64, 60 },
		/* No record at all. */
		{ 4, 0, 100, 0 },
		{ 4, 3, 100, 0 },
		{ 4, 4, 0, 0 },
	};
	u64 words[100] = { 0 };
	const u64 *next;
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		words[0] = SIZE(cases[i].size);
		next = pebs_next(cases[i].format, words, words + cases[i].left);
		assert_ptr_equal(next,
				 cases[i].next ? words + cases[i].next : NULL);
	}
}

static void only_so_many_records_are_in_the_memory(void **state)
{
	struct debug_store ds = { .pebs_buffer_base = 0xffff888000000000 };
	struct pebs_memory memory = { .ds = &ds };

	(void)state;
	memory.records = calloc(1, PEBS_BYTES);
	pebs_format = 3;
	ds.pebs_index = ds.pebs_buffer_base;
	assert_int_equal(pebs_nr_records(&memory), 0);
	ds.pebs_index += 3 * 200;
	assert_int_equal(pebs_nr_records(&memory), 3);
	/* Somebody else has written it. */
	ds.pebs_index += 1ull << 30;
	assert_int_equal(pebs_nr_records(&memory), PEBS_BYTES / 200);
	/* Of several lengths. */
	pebs_format = 4;
	ds.pebs_index = ds.pebs_buffer_base + 32 + 208 + 64;
	memory.records[0] = SIZE(4);
	memory.records[4] = SIZE(26);
	memory.records[30] = SIZE(8);
	assert_int_equal(pebs_nr_records(&memory), 3);
	pebs_format = 0;
	free(memory.records);
}

static void counters_have_consecutive_indices(void **state)
{
	unsigned int n;

	(void)state;
	for (n = 0; n < PERFMON_PEBS_COUNTERS; n++)
		assert_int_equal(pebs_by_index(pebs_bit(n)), 1ul << n);
	assert_int_equal(pebs_by_index(0xf000000ff), 0xfff);
	/* Neither has a counter beyond these. */
	assert_int_equal(pebs_by_index(1ull << 36 | 1 << 8), 0);
	assert_int_equal(perfmon_pebs_rdpmc(7), 7);
	assert_int_equal(perfmon_pebs_rdpmc(8), 0x40000000);
	assert_int_equal(perfmon_pebs_rdpmc(11), 0x40000003);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_record_is_of_the_counters_that_it_names),
		cmocka_unit_test(a_record_has_the_words_of_the_manual),
		cmocka_unit_test(older_records_have_fewer_words),
		cmocka_unit_test(groups_have_the_words_of_the_manual),
		cmocka_unit_test(groups_that_are_not_there_are_not_read),
		cmocka_unit_test(a_record_without_data_has_no_address),
		cmocka_unit_test(the_next_record_is_where_this_one_ends),
		cmocka_unit_test(only_so_many_records_are_in_the_memory),
		cmocka_unit_test(counters_have_consecutive_indices),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
