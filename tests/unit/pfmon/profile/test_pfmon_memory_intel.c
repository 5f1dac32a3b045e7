// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accesses to memory by records of Intel's PEBS. What perf has of each code is written here
 * as the values that Linux 6.12 makes of it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "array_size.h"
#include "views/access_intel.h"

#define INTEL(number)                                        \
	{                                                    \
		.family = 6, .model = (number), .pebs = true \
	}

static const struct profile_processor nehalem = INTEL(0x1a);
static const struct profile_processor haswell = INTEL(0x3c);
static const struct profile_processor skylake = INTEL(0x5e);
static const struct profile_processor skylake_server = INTEL(0x55);
static const struct profile_processor ice_lake = INTEL(0x7e);
static const struct profile_processor sapphire = INTEL(0x8f);

/* Fields of perf_mem_data_src: level, snoop, number of the level, remote, forwarded. */
#define LOAD 0x2ull
#define STORE 0x4ull
#define LVL(bits) ((uint64_t)(bits) << 5)
#define SNOOP(bits) ((uint64_t)(bits) << 19)
#define LOCKED (2ull << 24)
#define LOCK_NA (1ull << 24)
#define TLB(bits) ((uint64_t)(bits) << 26)
#define NUM(n) ((uint64_t)(n) << 33)
#define REMOTE (1ull << 37)
#define FWD (1ull << 38)
#define BLK(bits) ((uint64_t)(bits) << 40)

#define TLB_HIT TLB(0x2 | 0x8 | 0x10)
#define TLB_MISS TLB(0x4 | 0x10)
#define TLB_NA TLB(0x1)
#define BLK_NA BLK(1)

/* LVL: NA 1, HIT 2, MISS 4, L1 8, LFB 10, L2 20, L3 40, RAM 80, far RAM 100, 200, */
/* far caches 400, 800, I/O 1000, uncached 2000. SNOOP: NA 1, none 2, hit 4, miss 8, HITM 10. */
static const struct {
	const struct profile_processor *processor;
	unsigned int code;
	enum access_source source;
	uint64_t perf; /* without the fields that all have alike */
} codes[] = {
	{ &haswell, 0x0, ACCESS_UNKNOWN, LVL(4) | NUM(3) | SNOOP(1) },
	{ &haswell, 0x1, ACCESS_L1, LVL(0xa) | NUM(1) | SNOOP(2) },
	{ &haswell, 0x2, ACCESS_MISS_BUFFER, LVL(0x12) | NUM(0xc) | SNOOP(2) },
	{ &haswell, 0x3, ACCESS_L2, LVL(0x22) | NUM(2) | SNOOP(2) },
	{ &haswell, 0x4, ACCESS_L3_ALONE, LVL(0x42) | NUM(3) | SNOOP(2) },
	{ &haswell, 0x5, ACCESS_L3_ALONE, LVL(0x42) | NUM(3) | SNOOP(8) },
	{ &haswell, 0x6, ACCESS_L3_SHARED, LVL(0x42) | NUM(3) | SNOOP(4) },
	{ &haswell, 0x7, ACCESS_L3_CHANGED, LVL(0x42) | NUM(3) | SNOOP(0x10) },
	{ &haswell, 0x8, ACCESS_FAR, LVL(0x402) | NUM(3) | SNOOP(4) | REMOTE },
	{ &haswell, 0x9, ACCESS_FAR_CHANGED,
	  LVL(0x402) | NUM(3) | SNOOP(0x10) | REMOTE },
	{ &haswell, 0xa, ACCESS_MEMORY, LVL(0x82) | NUM(0xd) | SNOOP(4) },
	{ &haswell, 0xb, ACCESS_REMOTE_MEMORY,
	  LVL(0x102) | NUM(3) | SNOOP(4) | REMOTE },
	{ &haswell, 0xc, ACCESS_MEMORY, LVL(0x82) | NUM(0xd) | SNOOP(0xa) },
	{ &haswell, 0xd, ACCESS_REMOTE_MEMORY,
	  LVL(0x102) | NUM(0xd) | SNOOP(0xa) | REMOTE },
	{ &haswell, 0xe, ACCESS_IO, LVL(0x1002) | NUM(0xf) | SNOOP(2) },
	{ &haswell, 0xf, ACCESS_UNCACHED, LVL(0x2002) | NUM(0xf) | SNOOP(2) },
	{ &skylake, 0x7, ACCESS_L3_CHANGED, LVL(0x42) | NUM(3) | SNOOP(0x10) },
	{ &skylake, 0x8, ACCESS_L4, LVL(2) | NUM(4) | SNOOP(4) },
	{ &skylake, 0x9, ACCESS_L4, LVL(2) | NUM(4) | SNOOP(4) | REMOTE },
	{ &skylake, 0xa, ACCESS_MEMORY, LVL(0x82) | NUM(0xd) | SNOOP(4) },
	{ &skylake, 0xb, ACCESS_REMOTE_MEMORY,
	  LVL(2) | NUM(0xd) | SNOOP(2) | REMOTE },
	{ &skylake, 0xc, ACCESS_FAR, LVL(2) | NUM(0xb) | REMOTE | FWD },
	{ &skylake, 0xd, ACCESS_FAR_CHANGED,
	  LVL(2) | NUM(0xb) | SNOOP(0x10) | REMOTE },
	{ &ice_lake, 0x8, ACCESS_L4, LVL(2) | NUM(4) | SNOOP(4) },
	{ &skylake_server, 0x8, ACCESS_PERSISTENT,
	  LVL(2) | NUM(0xe) | SNOOP(4) },
	{ &skylake_server, 0x9, ACCESS_PERSISTENT,
	  LVL(2) | NUM(0xe) | SNOOP(4) | REMOTE },
	{ &skylake_server, 0xc, ACCESS_FAR, LVL(2) | NUM(0xb) | REMOTE | FWD },
};

static void codes_are_as_linux_reads_them(void **state)
{
	struct access access;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(codes); i++) {
		const struct profile_memory memory = { .source = codes[i].code,
						       .latency = 41 };

		assert_true(access_decode_intel(codes[i].processor,
						PROFILE_ACCESS_LATENCY, &memory,
						&access));
		assert_true(access.load && !access.store && !access.locked);
		assert_int_equal(access.miss_latency, 41);
		if (access.source != codes[i].source)
			fail_msg("row %zu: %s", i,
				 access_source_name(access.source));
		if (access_for_perf(&access) !=
		    (codes[i].perf | LOAD | TLB_HIT | BLK_NA))
			fail_msg("row %zu: %llx", i,
				 (unsigned long long)access_for_perf(&access));
	}
}

static void old_processors_differ(void **state)
{
	static const struct {
		unsigned int source;
		enum access_source expected;
		uint64_t perf;
	} rows[] = {
		{ 0x5, ACCESS_L3_SHARED, LVL(0x42) | NUM(3) | SNOOP(4) },
		{ 0x6, ACCESS_L3_CHANGED, LVL(0x42) | NUM(3) | SNOOP(0x10) },
		{ 0x7, ACCESS_L3_CHANGED, LVL(0x42) | NUM(3) | SNOOP(0x10) },
		{ 0x31, ACCESS_L1, LVL(0xa) | NUM(1) | SNOOP(2) },
	};
	struct access access;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct profile_memory memory = { .source =
							       rows[i].source };

		assert_true(access_decode_intel(
			&nehalem, PROFILE_ACCESS_LATENCY, &memory, &access));
		assert_int_equal(access.source, rows[i].expected);
		assert_int_equal(access.tlb, ACCESS_TLB_UNKNOWN);
		assert_false(access.locked);
		assert_int_equal(access_for_perf(&access),
				 rows[i].perf | LOAD | TLB_NA | LOCK_NA);
	}
}

static void other_bits_are_read(void **state)
{
	static const struct {
		const struct profile_processor *processor;
		unsigned int source;
		enum access_tlb tlb;
		bool locked;
		uint64_t perf;
	} rows[] = {
		{ &skylake, 0x11, ACCESS_TLB_WALK, false, TLB_MISS | BLK_NA },
		{ &skylake, 0x21, ACCESS_TLB_L2, true,
		  TLB_HIT | LOCKED | BLK_NA },
		{ &skylake, 0xc1, ACCESS_TLB_L2, false, TLB_HIT | BLK_NA },
		{ &sapphire, 0x01, ACCESS_TLB_L2, false, TLB_HIT | BLK_NA },
		{ &sapphire, 0x41, ACCESS_TLB_L2, false, TLB_HIT | BLK(2) },
		{ &sapphire, 0xf1, ACCESS_TLB_WALK, true,
		  TLB_MISS | LOCKED | BLK(6) },
	};
	struct access access;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
		const struct profile_memory memory = { .source = rows[i].source,
						       .latency = 9,
						       .miss_latency = 4 };

		assert_true(access_decode_intel(rows[i].processor,
						PROFILE_ACCESS_LATENCY, &memory,
						&access));
		assert_int_equal(access.tlb, rows[i].tlb);
		assert_int_equal(access.locked, rows[i].locked);
		assert_int_equal(access.miss_latency, 4);
		assert_int_equal(access_for_perf(&access),
				 rows[i].perf | LOAD | LVL(0xa) | NUM(1) |
					 SNOOP(2));
	}
}

static void other_events_say_less(void **state)
{
	const struct profile_memory hit = { .source = 0x1, .latency = 9 };
	const struct profile_memory miss = { .source = 0x2, .latency = 9 };
	const uint64_t unknown = SNOOP(1) | LOCK_NA | TLB_NA | NUM(0xf);
	struct access access;

	(void)state;
	assert_true(access_decode_intel(&skylake, PROFILE_ACCESS_STORE, &hit,
					&access));
	assert_true(access.store && !access.load && !access.miss_latency);
	assert_int_equal(access.source, ACCESS_L1);
	assert_int_equal(access_for_perf(&access), STORE | LVL(0xa) | unknown);
	assert_true(access_decode_intel(&skylake, PROFILE_ACCESS_STORE, &miss,
					&access));
	assert_int_equal(access.source, ACCESS_BEHIND_L1);
	assert_int_equal(access_for_perf(&access), STORE | LVL(0xc) | unknown);
	assert_true(access_decode_intel(&skylake, PROFILE_ACCESS_LOAD, &hit,
					&access));
	assert_true(access.load && !access.store && !access.miss_latency);
	assert_int_equal(access.source, ACCESS_UNKNOWN);
	assert_int_equal(access_for_perf(&access), LOAD | LVL(1) | unknown);
	assert_false(access_decode_intel(&skylake, PROFILE_ACCESS_NONE, &hit,
					 &access));
	assert_false(access_decode_intel(&skylake, PROFILE_ACCESS_LOAD, NULL,
					 &access));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(codes_are_as_linux_reads_them),
		cmocka_unit_test(old_processors_differ),
		cmocka_unit_test(other_bits_are_read),
		cmocka_unit_test(other_events_say_less),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
