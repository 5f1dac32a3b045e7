// SPDX-License-Identifier: GPL-2.0-only
/*
 * Intel's Pentium 4 (NetBurst): 18 counters of 40 bits, each with a CCCR that
 * switches it and chooses one of up to eight ESCRs, which name the event and
 * the levels. Counters are in four groups, BPU, MS, FLAME and IQ; each group
 * has ESCRs of its own, the first ones for one half of its counters and their
 * partners for the other half.
 *
 * A counter that overflows sets OVF in its CCCR and, if that has OVF_PMI_T0,
 * requests an interrupt until OVF is cleared; delivering one masks the LVTPC.
 * It also switches on a counter that waits for it with one of the cascade bits.
 * The enable bit of that counter reads as it was written; the next write to its
 * CCCR ends the cascade.
 *
 * With hyper-threading a struct pmu is what the first thread sees, while the
 * second one is halted: its levels never occur, its interrupts arrive elsewhere.
 *
 * Reserved bits and absent registers raise #GP. Thresholds, as everywhere in
 * this model, are compared with the events of an instruction, not of a clock.
 */

#include <string.h>

#include "design.h"

#define P4_COUNTERS 18
#define P4_CTR0 0x300u
#define P4_CCCR0 0x360u
#define P4_PEBS_ENABLE 0x3f1u
#define P4_PEBS_MATRIX_VERT 0x3f2u

#define CCCR_EXTENDED_CASCADE (1u << 11)
#define CCCR_ENABLE (1u << 12)
#define CCCR_SELECT_SHIFT 13
#define CCCR_THREAD_SHIFT 16
#define CCCR_COMPARE (1u << 18)
#define CCCR_COMPLEMENT (1u << 19)
#define CCCR_THRESHOLD_SHIFT 20
#define CCCR_EDGE (1u << 24)
#define CCCR_FORCE_OVF (1u << 25)
#define CCCR_OVF_PMI_T0 (1u << 26)
#define CCCR_OVF_PMI_T1 (1u << 27)
#define CCCR_CASCADE (1u << 30)
#define CCCR_OVF (1u << 31)
#define CCCR_RESERVED 0x300007ffull
/* What makes a counter count, now or later. */
#define CCCR_ACTIVE (CCCR_ENABLE | CCCR_CASCADE | CCCR_EXTENDED_CASCADE)

/* Values of ACTIVE_THREAD with which one running thread counts. */
#define THREAD_SINGLE 1u
#define THREAD_ANY 3u

#define ESCR_T1 0x3u
#define ESCR_T0_USR (1u << 2)
#define ESCR_T0_OS (1u << 3)
#define ESCR_MASK_SHIFT 9
#define ESCR_EVENT_SHIFT 25
#define ESCR_RESERVED (1u << 31)

/* Metrics 0-12, UOP_TAG, ENABLE_PEBS_MY_THR, ENABLE_PEBS_OTH_THR. */
#define PEBS_ENABLE_BITS 0x07001fffull
#define PEBS_MATRIX_VERT_BITS 0x13ull

#define GROUPS 4
#define SELECTS 8
#define ESCR_SSU 0x3beu /* has no partner */
#define ESCR_IQ 0x3bau /* exists up to model 2 */
#define LAST_MODEL_WITH_IQ 2
#define FIRST_MODEL_WITH_EXTENDED 2

/* The first of each pair of ESCRs, by group and ESCR SELECT. */
static const uint16_t escrs[GROUPS][SELECTS] = {
	/* BPU: BPU, IS, MOB, ITLB, PMH, IX, FSB, BSU */
	{ 0x3b2, 0x3b4, 0x3aa, 0x3b6, 0x3ac, 0x3c8, 0x3a2, 0x3a0 },
	/* MS: MS, TC, TBPU */
	{ 0x3c0, 0x3c4, 0x3c2 },
	/* FLAME: FLAME, FIRM, SAAT, U2L, -, DAC */
	{ 0x3a6, 0x3a4, 0x3ae, 0x3b0, 0, 0x3a8 },
	/* IQ: IQ, ALF, RAT, SSU, CRU0, CRU2, CRU4 */
	{ ESCR_IQ, 0x3ca, 0x3bc, ESCR_SSU, 0x3b8, 0x3cc, 0x3e0 },
};

/*
 * Events of which tests know the number: instructions and clocks are what they
 * are called; one event for each of the other groups was given a simple rate.
 * The rate holds if one of these bits of the event mask is set; the others
 * count nothing.
 */
static const struct {
	uint16_t escr;
	uint8_t event;
	uint16_t mask;
	struct pmu_rate rate;
} events[] = {
	{ 0x3b8, 0x02, 0x1, { 1, 1, 0 } }, /* INSTR_RETIRED: NBOGUSNTAG */
	{ 0x3b8, 0x07, 0x1, { 1, 1, 0 } }, /* INSTR_COMPLETED: NBOGUS */
	{ 0x3a2, 0x13, 0x1, { 3, 2, 0 } }, /* GLOBAL_POWER_EVENTS: RUNNING */
	{ 0x3b2, 0x03, 0x1, { 1, 1, 0 } }, /* BPU_FETCH_REQUEST: TCMISS */
	{ 0x3c0, 0x09, 0x2, { 1, 1, 0 } }, /* UOP_QUEUE_WRITES: TC_DELIVER */
	{ 0x3a4, 0x04, 0x8000, { 1, 1, 0 } }, /* X87_FP_UOP: ALL */
};

/* Which counter bit 11 lets switch on this one; 0: there is no such bit. */
static const uint8_t extended_from[P4_COUNTERS] = {
	[12] = 16,
	[15] = 17,
	[16] = 17,
	[17] = 16,
};

static const struct pmu_event no_rows[] = { { 0 } };

static bool in_second_half(unsigned int i)
{
	return i < 16 ? i & 2 : i == 17;
}

static bool escr_pair_exists(const struct pmu *pmu, uint32_t first)
{
	return first &&
	       (first != ESCR_IQ || pmu->model->p4_model <= LAST_MODEL_WITH_IQ);
}

/* The ESCR that feeds a counter, 0 if the selection means none. */
static uint32_t selected_escr(const struct pmu *pmu, unsigned int i)
{
	const unsigned int group = i < 12 ? i / 4 : 3;
	const unsigned int select =
		pmu->counter[i].select >> CCCR_SELECT_SHIFT & 7;
	const uint32_t first = escrs[group][select];

	if (!escr_pair_exists(pmu, first))
		return 0;
	if (!in_second_half(i))
		return first;
	return first == ESCR_SSU ? 0 : first + 1;
}

static bool escr_exists(const struct pmu *pmu, uint32_t msr)
{
	unsigned int i;
	uint32_t first;

	for (i = 0; i < GROUPS * SELECTS; i++) {
		first = escrs[i / SELECTS][i % SELECTS];
		if (!escr_pair_exists(pmu, first))
			continue;
		if (msr == first || (msr == first + 1 && first != ESCR_SSU))
			return true;
	}
	return false;
}

static struct pmu_rate event_rate(uint32_t msr, uint32_t escr)
{
	const uint32_t event = escr >> ESCR_EVENT_SHIFT & 0x3f;
	const uint32_t mask = escr >> ESCR_MASK_SHIFT & 0xffff;
	/* Partners have even and odd addresses. */
	const uint32_t first = msr & ~1u;
	unsigned int i;

	if (!mask)
		return (struct pmu_rate){ 0, 1, 0 };
	for (i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		if (events[i].escr != first || events[i].event != event)
			continue;
		return mask & events[i].mask ? events[i].rate :
					       (struct pmu_rate){ 0, 1, 0 };
	}
	/* More than 16 bits, which have no rows in any table. */
	return pmu_event_rate(no_rows, first << 22 | event << 16 | mask);
}

static struct pmu_rate filtered_rate(struct pmu_rate rate, uint32_t cccr)
{
	const uint32_t threshold = cccr >> CCCR_THRESHOLD_SHIFT & 0xf;

	if (!(cccr & CCCR_COMPARE))
		return rate;
	/* More than the threshold, or with COMPLEMENT at most that. */
	return pmu_rate_filter(rate, threshold + 1, cccr & CCCR_COMPLEMENT,
			       cccr & CCCR_EDGE);
}

/* Counters whose overflow switches this one on, as its CCCR is now. */
static uint32_t cascade_sources(const struct pmu *pmu, unsigned int i)
{
	const uint32_t cccr = pmu->counter[i].select;
	uint32_t sources = 0;

	/*
	 * The same counter of the other half; the third ones of IQ can only
	 * come after the first ones of the second half.
	 */
	if (cccr & CCCR_CASCADE)
		sources |= i < 16 ? 1u << (i ^ 2) : 1u << (i - 2);
	if (cccr & CCCR_EXTENDED_CASCADE)
		sources |= 1u << extended_from[i];
	return sources;
}

static bool counts_now(const struct pmu *pmu, unsigned int i)
{
	return pmu->counter[i].select & CCCR_ENABLE ||
	       pmu->p4.cascaded >> i & 1;
}

static uint8_t level_flags(uint32_t cccr, uint32_t escr)
{
	const uint32_t thread = cccr >> CCCR_THREAD_SHIFT & 3;
	uint8_t flags = 0;

	if (thread != THREAD_ANY && thread != THREAD_SINGLE)
		return 0;
	if (escr & ESCR_T0_USR)
		flags |= PMU_COUNT_USER;
	if (escr & ESCR_T0_OS)
		flags |= PMU_COUNT_KERNEL;
	return flags;
}

static void update_counter(struct pmu *pmu, unsigned int i)
{
	struct pmu_counter *c = &pmu->counter[i];
	const uint32_t msr = selected_escr(pmu, i);
	const uint32_t cccr = c->select;
	struct pmu_rate rate;
	uint32_t escr;

	c->flags = 0;
	if (!msr || !counts_now(pmu, i))
		return;
	escr = pmu->p4.escr[msr - PMU_P4_FIRST_ESCR];
	rate = filtered_rate(event_rate(msr, escr), cccr);
	if (!rate.num)
		return;
	pmu_set_rate(c, rate);
	c->flags = level_flags(cccr, escr);
	if (cccr & CCCR_OVF_PMI_T0)
		c->flags |= PMU_COUNT_IRQ;
	if (cccr & CCCR_FORCE_OVF)
		c->flags |= PMU_COUNT_FORCE;
}

static void update_all(struct pmu *pmu)
{
	uint32_t sources = 0;
	unsigned int i;

	for (i = 0; i < P4_COUNTERS; i++) {
		update_counter(pmu, i);
		if (!counts_now(pmu, i))
			sources |= cascade_sources(pmu, i);
	}
	for (i = 0; i < P4_COUNTERS; i++)
		if (sources >> i & 1)
			pmu->counter[i].flags |= PMU_COUNT_CHAIN;
}

static void p4_reset(struct pmu *pmu)
{
	memset(&pmu->p4, 0, sizeof(pmu->p4));
}

static struct pmu_reg p4_decode(const struct pmu *pmu, uint32_t msr)
{
	if (msr >= P4_CTR0 && msr < P4_CTR0 + P4_COUNTERS)
		return (struct pmu_reg){ PMU_REG_COUNTER, msr - P4_CTR0 };
	if (msr >= P4_CCCR0 && msr < P4_CCCR0 + P4_COUNTERS)
		return (struct pmu_reg){ PMU_REG_SELECT, msr - P4_CCCR0 };
	if (escr_exists(pmu, msr) || msr == P4_PEBS_ENABLE ||
	    msr == P4_PEBS_MATRIX_VERT)
		return (struct pmu_reg){ PMU_REG_CONTROL, 0 };
	return PMU_NO_REG;
}

static int p4_rdpmc(const struct pmu *pmu, uint32_t index)
{
	const uint32_t counter = index & INT32_MAX;

	(void)pmu;
	return counter < P4_COUNTERS ? (int)counter : -1;
}

static enum pmu_result p4_write_counter(struct pmu *pmu, unsigned int i,
					uint64_t value)
{
	if (value & ~pmu->counter[i].mask)
		return PMU_GP;
	pmu->counter[i].value = value;
	return PMU_OK;
}

static uint64_t cccr_reserved(const struct pmu *pmu, unsigned int i)
{
	uint64_t reserved = ~(uint64_t)UINT32_MAX | CCCR_RESERVED;

	if (!extended_from[i] ||
	    pmu->model->p4_model < FIRST_MODEL_WITH_EXTENDED)
		reserved |= CCCR_EXTENDED_CASCADE;
	if (!pmu->model->p4_threads)
		reserved |= CCCR_OVF_PMI_T1;
	return reserved;
}

static bool p4_requests_irq(const struct pmu *pmu)
{
	const uint32_t both = CCCR_OVF | CCCR_OVF_PMI_T0;
	unsigned int i;

	for (i = 0; i < P4_COUNTERS; i++)
		if ((pmu->counter[i].select & both) == both)
			return true;
	return false;
}

static enum pmu_result p4_write_cccr(struct pmu *pmu, unsigned int i,
				     uint64_t value)
{
	const uint32_t thread = value >> CCCR_THREAD_SHIFT & 3;

	if (value & cccr_reserved(pmu, i))
		return PMU_GP;
	/* Without hyper-threading the field is fixed. */
	if (!pmu->model->p4_threads && (value & CCCR_ACTIVE) &&
	    thread != THREAD_ANY)
		return PMU_GP;
	pmu->counter[i].select = value;
	pmu->p4.cascaded &= ~(1u << i);
	update_all(pmu);
	if (!p4_requests_irq(pmu))
		pmu->pmi_pending = false;
	else if (value & CCCR_OVF)
		pmu_raise(pmu);
	return PMU_OK;
}

static enum pmu_result p4_read_control(const struct pmu *pmu, uint32_t msr,
				       uint64_t *value)
{
	switch (msr) {
	case P4_PEBS_ENABLE:
		*value = pmu->p4.pebs_enable;
		break;
	case P4_PEBS_MATRIX_VERT:
		*value = pmu->p4.pebs_matrix_vert;
		break;
	default:
		*value = pmu->p4.escr[msr - PMU_P4_FIRST_ESCR];
		break;
	}
	return PMU_OK;
}

static enum pmu_result write_bits(uint32_t *reg, uint64_t value, uint64_t bits)
{
	if (value & ~bits)
		return PMU_GP;
	*reg = (uint32_t)value;
	return PMU_OK;
}

static enum pmu_result p4_write_control(struct pmu *pmu, uint32_t msr,
					uint64_t value)
{
	uint64_t bits = UINT32_MAX & ~ESCR_RESERVED;
	enum pmu_result result;

	if (msr == P4_PEBS_ENABLE)
		return write_bits(&pmu->p4.pebs_enable, value,
				  PEBS_ENABLE_BITS);
	if (msr == P4_PEBS_MATRIX_VERT)
		return write_bits(&pmu->p4.pebs_matrix_vert, value,
				  PEBS_MATRIX_VERT_BITS);
	if (!pmu->model->p4_threads)
		bits &= ~(uint64_t)ESCR_T1;
	result =
		write_bits(&pmu->p4.escr[msr - PMU_P4_FIRST_ESCR], value, bits);
	update_all(pmu);
	return result;
}

static void p4_overflow(struct pmu *pmu, unsigned int i)
{
	unsigned int other;

	pmu->counter[i].select |= CCCR_OVF;
	if (!(pmu->counter[i].flags & PMU_COUNT_CHAIN))
		return;
	for (other = 0; other < P4_COUNTERS; other++)
		if (cascade_sources(pmu, other) >> i & 1)
			pmu->p4.cascaded |= 1u << other;
	update_all(pmu);
}

const struct pmu_design pmu_p4 = {
	.lvt_automask = true,
	.fast_rdpmc = true,
	.reset = p4_reset,
	.decode = p4_decode,
	.rdpmc = p4_rdpmc,
	.write_counter = p4_write_counter,
	.write_select = p4_write_cccr,
	.read_control = p4_read_control,
	.write_control = p4_write_control,
	.overflow = p4_overflow,
	.requests_irq = p4_requests_irq,
};
