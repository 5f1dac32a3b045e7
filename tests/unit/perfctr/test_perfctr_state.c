// SPDX-License-Identifier: GPL-2.0-only
/*
 * The operations on cstatus: the re-encoding of what a control counts.
 */
#include "perfctr_harness.h"

struct cstatus {
	unsigned int tsc_on, nractrs, nrictrs;
};

static const struct cstatus cstatuses[] = {
	{ 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 },	    { 0, 0, 1 },
	{ 1, 1, 0 }, { 1, 0, 1 }, { 0, 18, 0 },	    { 0, 0, 18 },
	{ 1, 9, 9 }, { 0, 2, 1 }, { 0xff00, 2, 0 }, { ~0u, 0, 0 },
};

static void cstatus_tells_what_it_was_made_of(void **unused)
{
	unsigned int i;

	(void)unused;
	for (i = 0; i < ARRAY_SIZE(cstatuses); i++) {
		const struct cstatus *c = &cstatuses[i];
		const unsigned int cstatus =
			perfctr_mk_cstatus(c->tsc_on, c->nractrs, c->nrictrs);

		assert_int_equal(!!perfctr_cstatus_enabled(cstatus),
				 c->tsc_on || c->nractrs || c->nrictrs);
		assert_int_equal(!!perfctr_cstatus_has_tsc(cstatus),
				 !!c->tsc_on);
		assert_int_equal(perfctr_cstatus_nrctrs(cstatus),
				 c->nractrs + c->nrictrs);
		assert_int_equal(!!perfctr_cstatus_has_ictrs(cstatus),
				 !!c->nrictrs);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cstatus_tells_what_it_was_made_of),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
