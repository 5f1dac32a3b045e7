// SPDX-License-Identifier: MIT
/*
 * Chooses registers for events, see perfmon_plan.h.  With multiplexing an event set of
 * the kernel takes the events that fit, in their order, and the next one the rest.
 */
#include <stdlib.h>
#include <string.h>

#include "papi.h"

#include "perfmon_events.h"
#include "perfmon_plan.h"

pfmlib_regmask_t perfmon_unavailable;

/* Too large for the stacks of some threads. */
struct assignment {
	pfmlib_input_param_t in;
	pfmlib_output_param_t out;
};

void perfmon_plan_free(struct perfmon_plan *plan)
{
	if (!plan)
		return;
	free(plan->pmcs.pmrs);
	free(plan->pmds.pmrs);
	free(plan);
}

static int add_registers(struct perfmon_registers *to, const pfmlib_reg_t *regs,
			 unsigned int count, int set)
{
	size_t all = (size_t)to->count + count;
	pfarg_pmr_t *more = realloc(to->pmrs, (all + 1) * sizeof(*more));

	if (!more)
		return PAPI_ENOMEM;
	to->pmrs = more;
	for (unsigned int i = 0; i < count; i++)
		more[to->count++] = (pfarg_pmr_t){
			.reg_num = (uint16_t)regs[i].reg_num,
			.reg_set = (uint16_t)set,
			.reg_value = regs[i].reg_value,
		};
	return PAPI_OK;
}

/* Is there a counter for each of these events at the same time? */
static int assign(struct assignment *a, const struct perfmon_wanted *wanted,
		  int first, int count)
{
	for (int i = 0; i < count; i++) {
		int rc = perfmon_event_of(wanted->codes[first + i],
					  &a->in.pfp_events[i]);

		if (rc != PAPI_OK)
			return rc;
	}
	a->in.pfp_event_count = (unsigned int)count;
	return perfmon_library_error(
		perfmon_lib.pfm_dispatch_events(&a->in, NULL, &a->out, NULL));
}

/* The PMDs are to be written with 0, whatever libpfm left in their values. */
static int add_set(struct perfmon_plan *plan, struct assignment *a, int count)
{
	int set = plan->nr_sets++;
	int rc;

	for (unsigned int i = 0; i < a->out.pfp_pmd_count; i++)
		a->out.pfp_pmds[i].reg_value = 0;
	rc = add_registers(&plan->pmcs, a->out.pfp_pmcs, a->out.pfp_pmc_count,
			   set);
	if (rc == PAPI_OK)
		rc = add_registers(&plan->pmds, a->out.pfp_pmds,
				   a->out.pfp_pmd_count, set);
	for (int i = 0; rc == PAPI_OK && i < count; i++)
		plan->events[plan->count++] = (pfarg_pmr_t){
			.reg_num = (uint16_t)a->out.pfp_pmds[i].reg_num,
			.reg_set = (uint16_t)set,
		};
	return rc;
}

/* The longest list from @first on that fits; 0 if not even one event does. */
static int longest(struct assignment *a, const struct perfmon_wanted *wanted,
		   int first)
{
	int count = 0;

	while (first + count < wanted->count &&
	       assign(a, wanted, first, count + 1) == PAPI_OK)
		count++;
	return count;
}

static int fill(struct perfmon_plan *plan, struct assignment *a,
		const struct perfmon_wanted *wanted)
{
	int rc = PAPI_OK;

	for (int first = 0; rc == PAPI_OK && first < wanted->count;) {
		int count = wanted->count;

		if (wanted->is_multiplexed)
			count = longest(a, wanted, first);
		rc = assign(a, wanted, first, count ? count : 1);
		if (rc == PAPI_OK)
			rc = add_set(plan, a, count);
		first += count;
	}
	return rc;
}

int perfmon_plan_make(const struct perfmon_wanted *wanted,
		      struct perfmon_plan **plan)
{
	struct perfmon_plan *new = calloc(1, sizeof(*new));
	struct assignment *a = calloc(1, sizeof(*a));
	int rc = PAPI_ENOMEM;

	if (new &&a) {
		a->in.pfp_dfl_plm =
			(wanted->domain & PAPI_DOM_USER ? PFM_PLM3 : 0) |
			(wanted->domain & PAPI_DOM_KERNEL ? PFM_PLM0 : 0);
		a->in.pfp_unavail_pmcs = perfmon_unavailable;
		memcpy(new->positions, wanted->positions,
		       sizeof(new->positions));
		rc = fill(new, a, wanted);
	}
	free(a);
	if (rc != PAPI_OK) {
		perfmon_plan_free(new);
		return rc;
	}
	*plan = new;
	return PAPI_OK;
}
