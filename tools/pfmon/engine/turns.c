// SPDX-License-Identifier: GPL-2.0-only
/* The registers of a session, see turns.h. */
#include "engine/turns.h"

#include <errno.h>
#include <perfmon/perfmon.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"

/* A set may change while it is read; then it is read again, so often. */
#define READS_MAX 100

/* Turns go through the sets by their numbers in the kernel. */
static uint16_t set_id(const struct event_sets *sets, unsigned int turn,
		       int set)
{
	unsigned int count = (unsigned int)sets->count;

	return (uint16_t)(((unsigned int)set + count - turn % count) % count);
}

/*
 * The calls want vectors that they could write to. What is behind the elements in use
 * is not set: there are many threads to do this for.
 */
static void copy_registers(struct pfarg_pmr *copy, const struct pfarg_pmr *regs,
			   int count, uint16_t id)
{
	for (int i = 0; i < count; i++) {
		copy[i] = regs[i];
		copy[i].reg_set = id;
	}
}

static int explain_pmc(const struct pfarg_pmr *pmc, const char *name)
{
	if (errno == EPERM)
		return diag(
			"event %s: no permission to count at kernel level; get CAP_PERFMON or count at user level (-u)",
			name);
	if (errno == EACCES)
		return diag(
			"event %s: a security module forbids to count at kernel level; count at user level (-u)",
			name);
	return diag("event %s: the kernel refuses 0x%llx in pmc%u: %s", name,
		    (unsigned long long)pmc->reg_value, pmc->reg_num,
		    strerror(errno));
}

static const char *name_of(const struct event_sets *sets,
			   const struct event_set *set, int place,
			   const struct event_list *events)
{
	int number = set->events[place];

	return number < 0 ? sets->reference->name : events->events[number].name;
}

/* One at a time: an error does not name the wrong element. */
static int write_pmcs(int fd, const struct event_sets *sets,
		      const struct event_set *set, uint16_t id,
		      const struct event_list *events)
{
	const struct plan *plan = &set->plan;
	struct pfarg_pmr pmc;

	for (int i = 0; i < plan->pmc_count; i++) {
		copy_registers(&pmc, &plan->pmcs[i], 1, id);
		if (!pfm_write_pmrs(fd, PFM_RWFL_PMC, &pmc, 1))
			continue;
		return explain_pmc(&pmc, name_of(sets, set, plan->pmc_event[i],
						 events));
	}
	return 0;
}

static int write_pmds(int fd, const struct plan *plan, uint16_t id)
{
	struct pfarg_pmr pmds[COUNTERS_MAX];

	copy_registers(pmds, plan->pmds, plan->pmd_count, id);
	return pfm_write_pmrs(fd, PFM_RWFL_PMD, pmds, plan->pmd_count);
}

/* The turn of a set ends when its counter of the reference overflows. */
static int arm_reference(int fd, const struct event_sets *sets,
			 const struct event_set *set, uint16_t id)
{
	struct pfarg_pmd_attr attr = {
		.reg_long_reset = -sets->switch_events,
		.reg_short_reset = -sets->switch_events,
		.reg_ovfl_swcnt = 1,
	};
	struct pfarg_pmr pmd;

	if (!sets_take_turns(sets) || !sets->switch_events ||
	    set->reference < 0)
		return 0;
	copy_registers(&pmd, &set->plan.pmds[set->reference], 1, id);
	pmd.reg_value = -sets->switch_events;
	return pfm_write_pmrs(fd, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR, &pmd, 1,
			      &attr);
}

static int create_set(int fd, const struct event_sets *sets, uint16_t id)
{
	struct pfarg_setdesc set = {
		.set_id = id,
		.set_flags = sets->switch_events ? PFM_SETFL_OVFL_SWITCH :
						   PFM_SETFL_TIME_SWITCH,
		.set_timeout = sets->switch_events ? 0 : sets->timeout_ns,
	};

	return sets_take_turns(sets) ? pfm_create_sets(fd, 0, &set, 1) : 0;
}

int turns_program(int fd, const struct event_sets *sets, unsigned int turn,
		  const struct event_list *events)
{
	for (int i = 0; i < sets->count; i++) {
		const struct event_set *set = &sets->list[i];
		uint16_t id = set_id(sets, turn, i);

		if (create_set(fd, sets, id))
			return diag("cannot make a set: %s", strerror(errno));
		if (write_pmcs(fd, sets, set, id, events))
			return -1;
		/* A counter that was never written cannot be read. */
		if (write_pmds(fd, &set->plan, id))
			return diag("cannot set the counters: %s",
				    strerror(errno));
		if (arm_reference(fd, sets, set, id))
			return diag(
				"cannot end turns by events: %s; use --switch-timeout",
				strerror(errno));
	}
	return 0;
}

int turns_write(int fd, const struct event_sets *sets, unsigned int turn)
{
	for (int i = 0; i < sets->count; i++) {
		const struct event_set *set = &sets->list[i];
		uint16_t id = set_id(sets, turn, i);
		const struct plan *plan = &set->plan;
		struct pfarg_pmr pmcs[CONTROLS_MAX];

		copy_registers(pmcs, plan->pmcs, plan->pmc_count, id);
		if (create_set(fd, sets, id) ||
		    pfm_write_pmrs(fd, PFM_RWFL_PMC, pmcs, plan->pmc_count) ||
		    write_pmds(fd, plan, id) ||
		    arm_reference(fd, sets, set, id))
			return -1;
	}
	return 0;
}

static int close_and_fail(int fd)
{
	int error = errno;

	close(fd);
	errno = error;
	return -1;
}

int turns_attach(int fd, pid_t thread, bool running, bool idle)
{
	if (!pfm_attach_session(fd, running ? PFM_ATFL_RUNNING : 0, thread) &&
	    (idle || !pfm_start_session(fd, running ? PFM_STFL_RUNNING : 0)))
		return fd;
	return close_and_fail(fd);
}

int turns_join(int fd, const struct event_sets *sets, unsigned int turn,
	       pid_t thread, bool running, bool idle)
{
	if (turns_write(fd, sets, turn))
		return close_and_fail(fd);
	return turns_attach(fd, thread, running, idle);
}

/* Asks for all sets, in their order. False if the kernel does not tell. */
static bool ask_with(int fd, const struct event_sets *sets, unsigned int turn,
		     int flags, struct pfarg_setinfo infos[SETS_MAX])
{
	int count = sets->count ? sets->count : 1;
	bool told;

	memset(infos, 0, (size_t)count * sizeof(*infos));
	for (int i = 0; i < sets->count; i++)
		infos[i].set_id = set_id(sets, turn, i);
	told = !pfm_getinfo_sets(fd, flags, infos, count);
	if (!told)
		memset(infos, 0, (size_t)count * sizeof(*infos));
	return told;
}

static bool ask(int fd, const struct event_sets *sets, unsigned int turn,
		struct pfarg_setinfo infos[SETS_MAX])
{
	if (ask_with(fd, sets, turn, PFM_GIFL_LOSS, infos))
		return true;
	/* A kernel from before the flag tells the durations alone. */
	if (!ask_with(fd, sets, turn, 0, infos))
		return false;
	memset(infos->set_reserved3, 0, sizeof(infos->set_reserved3));
	return true;
}

bool turns_for_one_kind(const struct event_sets *sets)
{
	for (int i = 0; i < sets->count; i++) {
		const struct plan *plan = &sets->list[i].plan;

		for (int pmc = 0; pmc < plan->pmc_count; pmc++)
			if (plan->pmcs[pmc].reg_value &
			    (PFM_X86_PMC_CORE | PFM_X86_PMC_ATOM))
				return true;
	}
	return false;
}

/* Events of one kind are a share, and the time says of what. */
static void take_kinds(int fd, const struct event_sets *sets, unsigned int turn,
		       struct turns_counts *counts)
{
	struct pfarg_setinfo infos[SETS_MAX];

	if (!turns_for_one_kind(sets))
		return;
	memset(infos, 0, sizeof(infos));
	for (int i = 0; i < sets->count; i++)
		infos[i].set_id = set_id(sets, turn, i);
	if (pfm_getinfo_sets(fd, PFM_GIFL_KINDS, infos, sets->count))
		return;
	for (int i = 0; i < sets->count; i++) {
		counts->kind_ns[0] += infos[i].set_reserved3[PFM_KINDS_CORE_NS];
		counts->kind_ns[1] += infos[i].set_reserved3[PFM_KINDS_ATOM_NS];
	}
}

static void take_times(struct turns_counts *counts,
		       const struct pfarg_setinfo *infos, int count)
{
	counts->sets = count ? count : 1;
	for (int i = 0; i < counts->sets; i++) {
		counts->active_ns[i] = infos[i].set_act_duration;
		counts->runs[i] = infos[i].set_runs;
		counts->counted_ns += infos[i].set_act_duration;
	}
	counts->blind_ns = infos->set_reserved3[PFM_LOSS_BLIND_NS];
	counts->throttled_ns = infos->set_reserved3[PFM_LOSS_THROTTLED_NS];
	counts->missed = infos->set_reserved3[PFM_LOSS_OVERFLOWS];
	counts->left = (unsigned int)infos->set_reserved3[PFM_LOSS_LEFT];
}

/*
 * The reference events of a set whose turns end by them: each turn has had its
 * number but for what the counter, which began at minus that, lacks to zero.
 */
static uint64_t by_turns(uint64_t value, uint64_t runs, uint64_t each)
{
	return runs ? runs * each + value : 0;
}

static void set_count(struct turns_counts *counts, int event, uint64_t count)
{
	while (counts->events <= event)
		counts->counts[counts->events++] = 0;
	counts->counts[event] = count;
}

/* Without the counts of events, which are set as far as there are any. */
static void clear(struct turns_counts *counts)
{
	memset(counts, 0, offsetof(struct turns_counts, counts));
}

static int read_set(int fd, const struct event_sets *sets, int number,
		    const struct pfarg_setinfo *info, int flags,
		    struct turns_counts *counts)
{
	const struct event_set *set = &sets->list[number];
	struct pfarg_pmr pmds[COUNTERS_MAX];
	int event_count = set->plan.event_count;

	if (!event_count)
		return 0;
	copy_registers(pmds, set->plan.pmds, event_count, info->set_id);
	if (pfm_read_pmrs(fd, flags, pmds, event_count))
		return diag("after the run: cannot read the counters: %s",
			    strerror(errno));
	for (int i = 0; i < event_count; i++) {
		uint64_t count = pmds[i].reg_value;

		if (sets_take_turns(sets) && i == set->reference) {
			if (sets->switch_events)
				count = by_turns(count, info->set_runs,
						 sets->switch_events);
			counts->reference[number] = count;
		}
		if (set->events[i] >= 0)
			set_count(counts, set->events[i], count);
	}
	return 0;
}

static bool same_runs(const struct pfarg_setinfo *one,
		      const struct pfarg_setinfo *other, int count)
{
	for (int i = 0; i < count; i++) {
		if (one[i].set_runs != other[i].set_runs)
			return false;
	}
	return true;
}

int turns_read(int fd, const struct event_sets *sets, unsigned int turn,
	       bool running, struct turns_counts *counts)
{
	int flags = PFM_RWFL_PMD | (running ? PFM_RWFL_RUNNING : 0);
	struct pfarg_setinfo infos[SETS_MAX], again[SETS_MAX];

	clear(counts);
	ask(fd, sets, turn, infos);
	for (int try = 0; try < READS_MAX; try++) {
		for (int i = 0; i < sets->count; i++) {
			if (read_set(fd, sets, i, &infos[i], flags, counts))
				return -1;
		}
		if (!sets_take_turns(sets) || !ask(fd, sets, turn, again) ||
		    same_runs(infos, again, sets->count))
			break;
		memcpy(infos, again, sizeof(infos));
	}
	take_times(counts, infos, sets->count);
	take_kinds(fd, sets, turn, counts);
	return 0;
}

int turns_read_family(int fd, const struct event_sets *sets,
		      struct turns_counts *counts)
{
	int flags = PFM_RWFL_PMD | PFM_RWFL_RUNNING | PFM_RWFL_FAMILY;
	struct pfarg_setinfo infos[SETS_MAX];

	clear(counts);
	ask_with(fd, sets, 0, PFM_GIFL_LOSS | PFM_GIFL_FAMILY, infos);
	for (int i = 0; i < sets->count; i++) {
		infos[i].set_id = set_id(sets, 0, i);
		if (read_set(fd, sets, i, &infos[i], flags, counts))
			return -1;
	}
	take_times(counts, infos, sets->count);
	/* Which of the two it was is not told. */
	counts->departed = counts->left;
	counts->left = 0;
	counts->parts = (unsigned int)infos->set_reserved3[PFM_LOSS_PARTS];
	counts->lost = (unsigned int)infos->set_reserved3[PFM_LOSS_LOST];
	return 0;
}

uint64_t turns_own_ns(int fd, const struct event_sets *sets)
{
	struct pfarg_setinfo infos[SETS_MAX];
	struct turns_counts counts = { .counted_ns = 0 };

	ask_with(fd, sets, 0, 0, infos);
	take_times(&counts, infos, sets->count);
	return counts.counted_ns;
}

void turns_add(struct turns_counts *sum, const struct turns_counts *other)
{
	for (int i = 0; i < other->events; i++)
		set_count(sum, i,
			  other->counts[i] +
				  (i < sum->events ? sum->counts[i] : 0));
	if (sum->sets < other->sets)
		sum->sets = other->sets;
	for (int i = 0; i < other->sets; i++) {
		sum->reference[i] += other->reference[i];
		sum->active_ns[i] += other->active_ns[i];
		sum->runs[i] += other->runs[i];
	}
	sum->counted_ns += other->counted_ns;
	sum->blind_ns += other->blind_ns;
	sum->throttled_ns += other->throttled_ns;
	sum->missed += other->missed;
	sum->unknown += other->unknown;
	for (int i = 0; i < 2; i++)
		sum->kind_ns[i] += other->kind_ns[i];
	sum->left += other->left;
	sum->departed += other->departed;
	sum->parts += other->parts;
	sum->lost += other->lost;
}

void turns_subtract(struct turns_counts *counts,
		    const struct turns_counts *before)
{
	for (int i = 0; i < before->events; i++)
		counts->counts[i] -= before->counts[i];
	for (int i = 0; i < before->sets; i++) {
		counts->reference[i] -= before->reference[i];
		counts->active_ns[i] -= before->active_ns[i];
		counts->runs[i] -= before->runs[i];
	}
	counts->counted_ns -= before->counted_ns;
	counts->blind_ns -= before->blind_ns;
	counts->throttled_ns -= before->throttled_ns;
	counts->missed -= before->missed;
	counts->unknown -= before->unknown;
	for (int i = 0; i < 2; i++)
		counts->kind_ns[i] -= before->kind_ns[i];
	counts->left -= before->left;
	counts->departed -= before->departed;
	counts->parts -= before->parts;
	counts->lost -= before->lost;
}
