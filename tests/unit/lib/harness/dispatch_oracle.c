// SPDX-License-Identifier: GPL-2.0-only
/*
 * See dispatch_oracle.h.  It knows which counters an event has from
 * pfm_get_event_counters(), and the rules that forbid more than that.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

#include "dispatch_oracle.h"

#define MAX_TABLE 1024 /* events of a model */
#define MAX_EVENTS 64 /* of a list */
#define MAX_PMDS 320
#define P4_MAX_EVENTS 64
#define P4_MAX_ESCRS 2

#define PMC_FIXED 16
#define PMD_REFERENCE_CYCLES 18
#define PMD_UNCORE_FIXED 20
#define NUM_UNCORE 8
#define PMC_IBS_FETCH 6
#define PMC_IBS_OP 7
#define PMD_IBS_FETCH 6
#define PMD_IBS_OP 9
#define LARGE_INCREMENTS 0x003
#define PMC_MATRIX_VERT 63
#define PMC_PEBS_ENABLE 64
#define REPLAY_TAGS 0x7fc
#define MAX_EXTRA 64 /* PMCs */

static int type;
static unsigned int num_counters;
static pfmlib_regmask_t generic;

/* Asked for once, as some models take long to say. */
static pfmlib_regmask_t counters_of_event[MAX_TABLE];

/* Of the Pentium 4, learned from events that are dispatched alone. */
static struct {
	unsigned int num_escrs;
	unsigned int escr[P4_MAX_ESCRS];
	uint64_t counters[P4_MAX_ESCRS];
} p4_events[P4_MAX_EVENTS];
static int p4_cccr[MAX_PMDS];

static bool usable(const pfmlib_input_param_t *in, int pmc)
{
	return pmc < 0 ||
	       !pfm_regmask_isset((pfmlib_regmask_t *)&in->pfp_unavail_pmcs,
				  (unsigned int)pmc);
}

/* Golden Cove, Gracemont and what came after them. */
static bool has_event_file(void)
{
	return (type >= PFMLIB_INTEL_GLC_PMU && type <= PFMLIB_INTEL_RWC_PMU) ||
	       (type >= PFMLIB_INTEL_CMT_PMU &&
		type <= PFMLIB_INTEL_HYBRID_PMU);
}

static bool is_intel_with_fixed(void)
{
	return type == PFMLIB_CORE_PMU || has_event_file() ||
	       (type >= PFMLIB_INTEL_ATOM_PMU &&
		type <= PFMLIB_INTEL_KNL_PMU) ||
	       type == PFMLIB_GEN_IA32_PMU;
}

/* The reference cycles of the newer ones have no code for other counters. */
static bool may_fall_back(void)
{
	return is_intel_with_fixed() &&
	       (type < PFMLIB_INTEL_SNB_PMU || type == PFMLIB_GEN_IA32_PMU);
}

static bool has_uncore(void)
{
	return type == PFMLIB_INTEL_NHM_PMU || type == PFMLIB_INTEL_WSM_PMU;
}

int oracle_control(unsigned int pmd)
{
	if (type == PFMLIB_TSC_PMU)
		return -1;
	if (type == PFMLIB_PENTIUM4_PMU)
		return p4_cccr[pmd];
	if (type == PFMLIB_AMD64_PMU && pmd == PMD_IBS_OP)
		return PMC_IBS_OP;
	if (is_intel_with_fixed() && pmd >= PMC_FIXED && pmd < PMD_UNCORE_FIXED)
		return PMC_FIXED;
	return (int)pmd;
}

static const char *event_name(unsigned int event)
{
	static char name[256];

	assert_int_equal(pfm_get_event_name(event, name, sizeof(name)), 0);
	return name;
}

static pfmlib_regmask_t event_counters(unsigned int event)
{
	return counters_of_event[event];
}

static unsigned int mask_codes(const pfmlib_event_t *event)
{
	unsigned int codes = 0, code, i;

	for (i = 0; i < event->num_masks; i++) {
		assert_int_equal(pfm_get_event_mask_code(event->event,
							 event->unit_masks[i],
							 &code),
				 0);
		codes |= code;
	}
	return codes;
}

static bool is_only(const pfmlib_regmask_t *counters, unsigned int pmd)
{
	unsigned int weight;

	pfm_regmask_weight((pfmlib_regmask_t *)counters, &weight);
	return weight == 1 &&
	       pfm_regmask_isset((pfmlib_regmask_t *)counters, pmd);
}

/*
 * An event that the reference cycle counter alone counts may use the others if
 * that one is taken away altogether.
 */
static bool falls_back(const pfmlib_input_param_t *in, unsigned int i)
{
	pfmlib_regmask_t counters = event_counters(in->pfp_events[i].event);

	return may_fall_back() && is_only(&counters, PMD_REFERENCE_CYCLES) &&
	       !usable(in, PMC_FIXED);
}

/*
 * libpfm 3.10 names the reference cycle counter only, because of the mask REF;
 * the other masks are counted elsewhere.
 */
static bool is_core_unhalted(const pfmlib_input_param_t *in, unsigned int i)
{
	return type == PFMLIB_CORE_PMU &&
	       !strcmp(event_name(in->pfp_events[i].event), "CPU_CLK_UNHALTED");
}

bool oracle_legal(const pfmlib_input_param_t *in, unsigned int i,
		  unsigned int pmd)
{
	pfmlib_regmask_t counters = event_counters(in->pfp_events[i].event);

	if (!usable(in, oracle_control(pmd)))
		return false;
	if ((falls_back(in, i) || is_core_unhalted(in, i)) &&
	    pfm_regmask_isset(&generic, pmd))
		return true;
	return pfm_regmask_isset(&counters, pmd);
}

/* Learns one ESCR of a Pentium 4 event, and the counters that go with it. */
static bool p4_learn_escr(pfmlib_input_param_t *in, unsigned int event)
{
	static pfmlib_output_param_t out;
	unsigned int e = p4_events[event].num_escrs, cccr, pmd, i;
	int escr = -1;

	for (;;) {
		if (pfm_dispatch_events(in, NULL, &out, NULL) ||
		    (escr >= 0 && out.pfp_pmcs[0].reg_num != (unsigned)escr))
			break;
		assert_int_equal(out.pfp_pmc_count, 2);
		escr = (int)out.pfp_pmcs[0].reg_num;
		cccr = out.pfp_pmcs[1].reg_num;
		pmd = out.pfp_pmds[0].reg_num;
		assert_true(e < P4_MAX_ESCRS);
		p4_events[event].escr[e] = (unsigned int)escr;
		p4_events[event].counters[e] |= 1ULL << pmd;
		p4_cccr[pmd] = (int)cccr;
		pfm_regmask_set(&in->pfp_unavail_pmcs, cccr);
	}
	memset(&in->pfp_unavail_pmcs, 0, sizeof(in->pfp_unavail_pmcs));
	if (escr < 0)
		return false;
	p4_events[event].num_escrs++;
	for (i = 0; i <= e; i++)
		pfm_regmask_set(&in->pfp_unavail_pmcs,
				p4_events[event].escr[i]);
	return true;
}

static void p4_learn(void)
{
	static pfmlib_input_param_t in;
	unsigned int num_events, masks, event;

	pfm_get_num_events(&num_events);
	assert_true(num_events <= P4_MAX_EVENTS);
	memset(p4_events, 0, sizeof(p4_events));
	for (event = 0; event < num_events; event++) {
		memset(&in, 0, sizeof(in));
		in.pfp_event_count = 1;
		in.pfp_dfl_plm = PFM_PLM3;
		in.pfp_events[0].event = event;
		pfm_get_num_event_masks(event, &masks);
		in.pfp_events[0].num_masks = masks ? 1 : 0;
		while (p4_learn_escr(&in, event))
			;
	}
}

void oracle_learn(void)
{
	pfmlib_regmask_t counters;
	unsigned int num_events, i;

	assert_int_equal(pfm_get_pmu_type(&type), 0);
	assert_int_equal(pfm_get_num_events(&num_events), 0);
	assert_true(num_events <= MAX_TABLE);
	for (i = 0; i < num_events; i++)
		assert_int_equal(
			pfm_get_event_counters(i, &counters_of_event[i]), 0);
	assert_int_equal(pfm_get_num_counters(&num_counters), 0);
	assert_int_equal(pfm_get_impl_counters(&counters), 0);
	memset(&generic, 0, sizeof(generic));
	for (i = 0; i < PMC_FIXED; i++)
		if (pfm_regmask_isset(&counters, i))
			pfm_regmask_set(&generic, i);
	if (type == PFMLIB_PENTIUM4_PMU)
		p4_learn();
}

/*
 * Depth first.  Counters that the same events can use are alike, so one of them
 * is enough to try.
 */
static bool search(const pfmlib_input_param_t *in, unsigned int i,
		   const uint64_t *users, bool *taken)
{
	uint64_t tried[MAX_PMDS];
	unsigned int num_tried = 0, pmd, t;

	if (i == in->pfp_event_count)
		return true;
	for (pmd = 0; pmd < MAX_PMDS; pmd++) {
		if (taken[pmd] || !(users[pmd] >> i & 1))
			continue;
		for (t = 0; t < num_tried && tried[t] != users[pmd]; t++)
			;
		if (t < num_tried)
			continue;
		tried[num_tried++] = users[pmd];
		taken[pmd] = true;
		if (search(in, i + 1, users, taken))
			return true;
		taken[pmd] = false;
	}
	return false;
}

static bool p4_search(const pfmlib_input_param_t *in, unsigned int i,
		      uint64_t escrs, uint64_t counters)
{
	unsigned int event = in->pfp_events[i].event, e, escr, pmd;

	if (i == in->pfp_event_count)
		return true;
	for (e = 0; e < p4_events[event].num_escrs; e++) {
		escr = p4_events[event].escr[e];
		if (escrs >> escr & 1 || !usable(in, (int)escr))
			continue;
		/* All counters of an ESCR are alike: one is enough to try. */
		for (pmd = 0; pmd < num_counters; pmd++)
			if ((p4_events[event].counters[e] & ~counters) >> pmd &
				    1 &&
			    usable(in, p4_cccr[pmd]))
				break;
		if (pmd < num_counters &&
		    p4_search(in, i + 1, escrs | 1ULL << escr,
			      counters | 1ULL << pmd))
			return true;
	}
	return false;
}

/* Since Zen, SSE and AVX operations; on older ones any counter has event 3. */
bool oracle_is_pair(unsigned int event)
{
	pfmlib_regmask_t counters = event_counters(event);
	int code;

	assert_int_equal(pfm_get_event_code(event, &code), 0);
	return type == PFMLIB_AMD64_PMU && code == LARGE_INCREMENTS &&
	       pfm_regmask_isset(&counters, 0) &&
	       !pfm_regmask_isset(&counters, 1);
}

/*
 * The one register that an event needs beside its counter's, such as the
 * offcore response; false if it needs none.
 */
static bool extra_register(const pfmlib_output_param_t *out, unsigned int *pmc,
			   uint64_t *value)
{
	int control = oracle_control(out->pfp_pmds[0].reg_num);
	unsigned int i;

	for (i = 0; i < out->pfp_pmc_count; i++)
		if ((int)out->pfp_pmcs[i].reg_num != control) {
			*pmc = out->pfp_pmcs[i].reg_num;
			*value = out->pfp_pmcs[i].reg_value;
			return true;
		}
	return false;
}

/* What the Intel models refuse although counters are free. */
static const char *intel_rule(const pfmlib_input_param_t *in)
{
	uint64_t extra[MAX_EXTRA], value;
	bool has_extra[MAX_EXTRA] = { false };
	static pfmlib_input_param_t one;
	static pfmlib_output_param_t out;
	unsigned int fallen = 0, i, pmc, plm;
	int ret;

	for (i = 0; i < in->pfp_event_count; i++) {
		memset(&one, 0, sizeof(one));
		one.pfp_dfl_plm = in->pfp_dfl_plm;
		one.pfp_event_count = 1;
		one.pfp_events[0] = in->pfp_events[i];
		plm = (one.pfp_events[0].plm ? one.pfp_events[0].plm :
					       in->pfp_dfl_plm);
		ret = pfm_dispatch_events(&one, NULL, &out, NULL);
		if (ret) {
			if (ret != PFMLIB_ERR_NOASSIGN)
				continue;
			if (one.pfp_events[0].num_masks > 1)
				return "masks may not combine";
			if (has_uncore() && plm != (PFM_PLM0 | PFM_PLM3) &&
			    !strncmp(event_name(one.pfp_events[0].event),
				     "UNC_", 4))
				return "uncore counts at all levels";
			continue;
		}
		fallen += falls_back(in, i);
		if (!extra_register(&out, &pmc, &value))
			continue;
		assert_true(pmc < MAX_EXTRA);
		if (!usable(in, (int)pmc))
			return "a register that the event needs is missing";
		if (has_extra[pmc] && extra[pmc] != value)
			return "one register, two values";
		extra[pmc] = value;
		has_extra[pmc] = true;
	}
	return fallen > 1 ? "one event for reference cycles" : NULL;
}

/*
 * Which counters are there for the event with its masks, which can be less than
 * for the event: it is dispatched alone, again and again, each time without the
 * counters that it got before.
 */
static void add_user(const pfmlib_input_param_t *in, unsigned int i,
		     uint64_t *users)
{
	static pfmlib_input_param_t one;
	static pfmlib_output_param_t out;
	unsigned int pmd, tries;
	int control;

	memset(&one, 0, sizeof(one));
	one.pfp_dfl_plm = in->pfp_dfl_plm;
	one.pfp_event_count = 1;
	one.pfp_events[0] = in->pfp_events[i];
	one.pfp_unavail_pmcs = in->pfp_unavail_pmcs;
	for (tries = 0; tries < MAX_EVENTS; tries++) {
		if (pfm_dispatch_events(&one, NULL, &out, NULL))
			break;
		pmd = out.pfp_pmds[0].reg_num;
		if (oracle_legal(in, i, pmd))
			users[pmd] |= 1ULL << i;
		control = oracle_control(pmd);
		if (control < 0)
			break;
		pfm_regmask_set(&one.pfp_unavail_pmcs, (unsigned int)control);
	}
	/* Without masks there is nothing but the event. */
	for (pmd = 0; !one.pfp_events[0].num_masks && pmd < MAX_PMDS; pmd++)
		if (oracle_legal(in, i, pmd))
			assert_true(users[pmd] >> i & 1);
}

static const char *no_matching(const pfmlib_input_param_t *in)
{
	uint64_t users[MAX_PMDS] = { 0 };
	bool taken[MAX_PMDS] = { false };
	unsigned int i;

	for (i = 0; i < in->pfp_event_count; i++)
		add_user(in, i, users);
	return search(in, 0, users, taken) ? NULL : "no assignment";
}

/* Events of IBS have registers of their own. */
static bool amd_search(const pfmlib_input_param_t *in, unsigned int i,
		       const uint64_t *users, uint64_t taken)
{
	unsigned int event, pmd;
	pfmlib_regmask_t counters;
	uint64_t wanted;

	if (i == in->pfp_event_count)
		return true;
	event = in->pfp_events[i].event;
	counters = event_counters(event);
	if (is_only(&counters, PMD_IBS_FETCH) || is_only(&counters, PMD_IBS_OP))
		return amd_search(in, i + 1, users, taken);
	for (pmd = 0; pmd < num_counters; pmd++) {
		wanted = (oracle_is_pair(event) ? 3ULL : 1ULL) << pmd;
		if (users[pmd] >> i & 1 && !(taken & wanted) &&
		    amd_search(in, i + 1, users, taken | wanted))
			return true;
	}
	return false;
}

/* There is one set of registers for each kind of IBS. */
static const char *amd_no_assignment(const pfmlib_input_param_t *in)
{
	unsigned int fetch = 0, op = 0, i;
	uint64_t users[MAX_PMDS] = { 0 }, taken = 0;
	pfmlib_regmask_t counters;

	for (i = 0; i < in->pfp_event_count; i++) {
		counters = event_counters(in->pfp_events[i].event);
		fetch += is_only(&counters, PMD_IBS_FETCH);
		op += is_only(&counters, PMD_IBS_OP);
	}
	if (fetch > 1 || op > 1)
		return "one kind of IBS twice";
	if ((fetch && !usable(in, PMC_IBS_FETCH)) ||
	    (op && !usable(in, PMC_IBS_OP)))
		return "no IBS";
	for (i = 0; i < num_counters; i++)
		taken |= usable(in, (int)i) ? 0 : 1ULL << i;
	for (i = 0; i < in->pfp_event_count; i++)
		add_user(in, i, users);
	return amd_search(in, 0, users, taken) ? NULL : "no assignment";
}

/* Tags of replayed micro-operations need two more registers. */
static bool p4_lacks_tags(const pfmlib_input_param_t *in)
{
	unsigned int i;

	if (usable(in, PMC_MATRIX_VERT) && usable(in, PMC_PEBS_ENABLE))
		return false;
	for (i = 0; i < in->pfp_event_count; i++)
		if (!strcmp(event_name(in->pfp_events[i].event),
			    "REPLAY_EVENT") &&
		    mask_codes(&in->pfp_events[i]) & REPLAY_TAGS)
			return true;
	return false;
}

const char *oracle_no_assignment(const pfmlib_input_param_t *in)
{
	const char *rule = NULL;

	assert_true(in->pfp_event_count < MAX_EVENTS);
	if (in->pfp_event_count > num_counters)
		return "too few counters";
	if (type == PFMLIB_AMD64_PMU)
		return amd_no_assignment(in);
	if (type == PFMLIB_PENTIUM4_PMU && p4_lacks_tags(in))
		return "no registers for tags";
	if (type == PFMLIB_PENTIUM4_PMU)
		return p4_search(in, 0, 0, 0) ? NULL : "no assignment";
	if (is_intel_with_fixed())
		rule = intel_rule(in);
	return rule ? rule : no_matching(in);
}
