/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The Pentium 4 as the manuals describe it, for the tests of its driver:
 * registers, the way from a counter to its ESCR, and control data that obeys
 * the rules. Written from the manuals, not from the code under test.
 */
#ifndef PERFCTR_P4_HARNESS_H
#define PERFCTR_P4_HARNESS_H

#include "perfctr_harness.h"

#define P4_NR_COUNTERS 18u
#define CTR0 0x300u
#define CCCR0 0x360u
#define PEBS_ENABLE 0x3f1u
#define MATRIX_VERT 0x3f2u

#define FAST 0x80000000u /* RDPMC of 32 bits */

/* Fields of a CCCR. */
#define EXTENDED (1u << 11)
#define ENABLE (1u << 12)
#define SELECT(n) ((u32)(n) << 13)
#define THREADS (3u << 16)
#define COMPARE (1u << 18)
#define FORCE_OVF (1u << 25)
#define PMI_T0 (1u << 26)
#define PMI_T1 (1u << 27)
#define CASCADE (1u << 30)
#define OVF (1u << 31)

/* Fields of an ESCR. */
#define T1_LEVELS 3u
#define T0_USR (1u << 2)
#define T0_OS (1u << 3)
#define ESCR(event, mask) ((u32)(event) << 25 | (u32)(mask) << 9)

/* The models of a Pentium 4, the last one with hyper-threading. */
extern const struct processor p4_processors[];
extern const unsigned int nr_p4_processors;

/* As run_rules(), on these. */
int run_p4_rules(const struct rule *rules, size_t n,
		 void (*start)(const struct processor *p));

bool p4_has_threads(const struct processor *p);
bool p4_has_one_thread(const struct processor *p);
bool p4_has_iq_escr(const struct processor *p);
bool p4_lacks_iq_escr(const struct processor *p);

/* Address of the ESCR that feeds a counter, 0 if there is none. */
u32 p4_escr(const struct processor *p, unsigned int counter,
	    unsigned int select);

/*
 * Append a counter that counts one event for each instruction. With a restart
 * value it is in i-mode, and no a-mode element may follow.
 */
void p4_add(struct perfctr_cpu_state *state, unsigned int counter, u32 levels,
	    int ireset);

/* An accepted state of one counter, or of all. */
void p4_make_one(struct perfctr_cpu_state *state, unsigned int counter,
		 int ireset);
void p4_make_all(struct perfctr_cpu_state *state, int ireset);

/* p4_random.c: of struct design_rules, for random controls. */
bool p4_choose(struct perfctr_cpu_control *control, unsigned int i, u32 levels,
	       u32 *seed);
bool p4_obeyed(const struct perfctr_cpu_control *control, bool is_global);

/* The current CPU's registers have the first n elements of a control. */
void p4_assert_programmed(const struct perfctr_cpu_control *control,
			  unsigned int n);

/* A register of the current CPU. */
u64 p4_register(u32 msr);

#endif
