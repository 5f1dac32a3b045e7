// SPDX-License-Identifier: GPL-2.0-only
/*
 * The layout of the structures that the low-level documents show to user space:
 * whether this compiles, for 64 and for 32 bits, is the test.
 */
#include <asm/perfctr.h>

#include <stddef.h>

/* The structures as the documents have them, without the kernel's part. */
struct documented_cpu_control {
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

struct documented_cpu_state {
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

#define SIZE(type, member) sizeof(((type *)0)->member)

#define SAME(type, member)                                                     \
	_Static_assert(offsetof(struct perfctr_##type, member) ==              \
				       offsetof(struct documented_##type,      \
						member) &&                     \
			       SIZE(struct perfctr_##type, member) ==          \
				       SIZE(struct documented_##type, member), \
		       #type "." #member " is not where it is documented")

SAME(sum_ctrs, tsc);
SAME(sum_ctrs, pmc);
SAME(cpu_control, tsc_on);
SAME(cpu_control, nractrs);
SAME(cpu_control, nrictrs);
SAME(cpu_control, pmc_map);
SAME(cpu_control, evntsel);
SAME(cpu_control, p4);
SAME(cpu_control, p4.escr);
SAME(cpu_control, p4.pebs_enable);
SAME(cpu_control, p4.pebs_matrix_vert);
SAME(cpu_control, ireset);
SAME(cpu_control, _reserved1);
SAME(cpu_control, _reserved2);
SAME(cpu_control, _reserved3);
SAME(cpu_control, _reserved4);
SAME(cpu_state, cstatus);
SAME(cpu_state, k1);
SAME(cpu_state, k1.id);
SAME(cpu_state, k1.isuspend_cpu);
SAME(cpu_state, tsc_start);
SAME(cpu_state, tsc_sum);
SAME(cpu_state, pmc);
SAME(cpu_state, pmc[0].map);
SAME(cpu_state, pmc[0].start);
SAME(cpu_state, pmc[0].sum);
SAME(cpu_state, pmc[17].sum);

/* What is the kernel's own comes behind what is shown. */
_Static_assert(offsetof(struct perfctr_cpu_control, evntsel_high) ==
		       sizeof(struct documented_cpu_control),
	       "the kernel's part of the control");
_Static_assert(offsetof(struct perfctr_cpu_state, control) ==
		       sizeof(struct documented_cpu_state),
	       "the kernel's part of the state");
_Static_assert(sizeof(struct perfctr_sum_ctrs) ==
		       sizeof(struct documented_sum_ctrs),
	       "the container of sums");
