// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the low-level API promises of its structures: their layout, which user
 * space may see, and the operations on cstatus.
 */
#include "perfctr_test.h"

/* The structures as the API's document has them, without the kernel's part. */
struct documented_control {
	unsigned int tsc_on;
	unsigned int nractrs;
	unsigned int nrictrs;
	unsigned int pmc_map[18];
	unsigned int evntsel[18];
	struct {
		unsigned int escr[18];
		unsigned int pebs_enable;
		unsigned int pebs_matrix_vert;
	} p4;
	int ireset[18];
	unsigned int _reserved1;
	unsigned int _reserved2;
	unsigned int _reserved3;
	unsigned int _reserved4;
};

struct documented_state {
	unsigned int cstatus;
	struct {
		unsigned int id;
		int isuspend_cpu;
	} k1;
	unsigned int tsc_start;
	unsigned long long tsc_sum;
	struct {
		unsigned int map;
		unsigned int start;
		unsigned long long sum;
	} pmc[18];
};

struct documented_sum_ctrs {
	unsigned long long tsc;
	unsigned long long pmc[18];
};

struct layout {
	const char *field;
	size_t offset, size;
	size_t documented_offset, documented_size;
};

#define CONTROL(member)                                                       \
	{                                                                     \
		"control." #member,                                           \
			offsetof(struct perfctr_cpu_control, member),         \
			sizeof(((struct perfctr_cpu_control *)NULL)->member), \
			offsetof(struct documented_control, member),          \
			sizeof(((struct documented_control *)NULL)->member)   \
	}

#define STATE(member)                                                         \
	{                                                                     \
		"state." #member, offsetof(struct perfctr_cpu_state, member), \
			sizeof(((struct perfctr_cpu_state *)NULL)->member),   \
			offsetof(struct documented_state, member),            \
			sizeof(((struct documented_state *)NULL)->member)     \
	}

static const struct layout layouts[] = {
	CONTROL(tsc_on),
	CONTROL(nractrs),
	CONTROL(nrictrs),
	CONTROL(pmc_map),
	CONTROL(evntsel),
	CONTROL(p4),
	CONTROL(p4.escr),
	CONTROL(p4.pebs_enable),
	CONTROL(p4.pebs_matrix_vert),
	CONTROL(ireset),
	CONTROL(_reserved1),
	CONTROL(_reserved2),
	CONTROL(_reserved3),
	CONTROL(_reserved4),
	STATE(cstatus),
	STATE(k1.id),
	STATE(k1.isuspend_cpu),
	STATE(tsc_start),
	STATE(tsc_sum),
	STATE(pmc),
	STATE(pmc[0].map),
	STATE(pmc[0].start),
	STATE(pmc[0].sum),
	STATE(pmc[17].sum),
};

static void fields_are_where_the_documented_structures_have_them(void **unused)
{
	const struct layout *l;

	(void)unused;
	for (l = layouts; l < layouts + ARRAY_SIZE(layouts); l++) {
		if (l->offset != l->documented_offset ||
		    l->size != l->documented_size)
			fail_msg("%s: offset %zu, size %zu, not %zu, %zu",
				 l->field, l->offset, l->size,
				 l->documented_offset, l->documented_size);
	}
}

static void the_kernel_keeps_its_fields_behind_the_shown_ones(void **unused)
{
	(void)unused;
	assert_int_equal(offsetof(struct perfctr_cpu_control, evntsel_high),
			 sizeof(struct documented_control));
	assert_int_equal(offsetof(struct perfctr_cpu_state, control),
			 sizeof(struct documented_state));
	assert_int_equal(sizeof(struct perfctr_sum_ctrs),
			 sizeof(struct documented_sum_ctrs));
}

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
		cmocka_unit_test(
			fields_are_where_the_documented_structures_have_them),
		cmocka_unit_test(
			the_kernel_keeps_its_fields_behind_the_shown_ones),
		cmocka_unit_test(cstatus_tells_what_it_was_made_of),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
