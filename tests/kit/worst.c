// SPDX-License-Identifier: GPL-2.0-only
/* System calls with the worst arguments. */
#include "worst.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "array_size.h"
#include "default_format.h"
#include "event_set.h"
#include "overflow_period.h"
#include "pmrs.h"

#define RUNS 4

/* Far enough away that nothing overflows. */
#define FAR (-1000000000ULL)

#define LAST_SET (WORST_SETS - 1)

static int make_sets(int fd)
{
	struct pfarg_setdesc *descs = calloc(WORST_SETS, sizeof(*descs));
	unsigned int i;
	int rc;

	if (!descs)
		return -1;
	for (i = 0; i < WORST_SETS; i++)
		descs[i].set_id = (uint16_t)i;
	rc = pfm_create_sets(fd, 0, descs, WORST_SETS);
	free(descs);
	return rc;
}

static int delete_sets(int fd)
{
	struct pfarg_setdesc *descs = calloc(WORST_SETS, sizeof(*descs));
	unsigned int i;
	int rc;

	if (!descs)
		return -1;
	for (i = 1; i < WORST_SETS; i++)
		descs[i - 1].set_id = (uint16_t)i;
	rc = pfm_create_sets(fd, PFM_SETS_DELETE, descs, WORST_SETS - 1);
	free(descs);
	return rc;
}

static void fill_attr(struct pfarg_pmd_attr *attr)
{
	const struct pmu *pmu = pmu_get();
	unsigned int i;

	attr->reg_long_reset = FAR;
	attr->reg_short_reset = FAR;
	attr->reg_ovfl_swcnt = 1;
	for (i = 0; i < pmu->counters; i++) {
		pmd_mark(attr->reg_smpl_pmds, pmu->counter[i].pmd);
		pmd_mark(attr->reg_reset_pmds, pmu->counter[i].pmd);
	}
}

static int make_vectors(struct worst *worst)
{
	const struct pmu *pmu = pmu_get();
	int i;

	worst->n = WORST_VECTOR / sizeof(*worst->pmcs);
	worst->n_attrs = WORST_VECTOR / sizeof(*worst->attrs);
	worst->pmcs = calloc(1, WORST_VECTOR);
	worst->pmds = calloc(1, WORST_VECTOR);
	worst->copy = calloc(1, WORST_VECTOR);
	worst->attrs = calloc(1, WORST_VECTOR);
	worst->read = calloc(1, WORST_VECTOR);
	if (!worst->read || !worst->pmcs || !worst->pmds || !worst->copy ||
	    !worst->attrs)
		return -1;
	for (i = 0; i < worst->n; i++) {
		const struct pmu_counter *counter =
			&pmu->counter[(unsigned int)i % pmu->counters];

		worst->pmcs[i].reg_num = counter->pmc;
		worst->pmcs[i].reg_value = counter->user;
		worst->pmds[i].reg_num = counter->pmd;
		worst->pmds[i].reg_value = FAR;
	}
	for (i = 0; i < worst->n_attrs; i++)
		fill_attr(&worst->attrs[i]);
	return 0;
}

/* All vectors name this set. */
static void name_set(struct worst *worst, uint16_t set)
{
	int i;

	for (i = 0; i < worst->n; i++) {
		worst->pmcs[i].reg_set = set;
		worst->pmds[i].reg_set = set;
	}
}

static int program(int fd, uint16_t set)
{
	const struct pmu *pmu = pmu_get();
	unsigned int i;

	for (i = 0; i < pmu->counters; i++)
		if (pmu_program_set(fd, set, &pmu->counter[i],
				    pmu->counter[i].user, FAR))
			return -1;
	return 0;
}

int worst_create(struct worst *worst, int flags)
{
	memset(worst, 0, sizeof(*worst));
	worst->flags = flags;
	worst->fd = pfm_create_session(flags);
	if (worst->fd < 0)
		return -1;
	if (make_sets(worst->fd) || program(worst->fd, 0) ||
	    program(worst->fd, LAST_SET) || make_vectors(worst)) {
		worst_destroy(worst);
		return -1;
	}
	return 0;
}

void worst_destroy(struct worst *worst)
{
	free(worst->pmcs);
	free(worst->pmds);
	free(worst->copy);
	free(worst->attrs);
	free(worst->read);
	if (worst->fd >= 0)
		close(worst->fd);
	worst->fd = -1;
}

static int name_running_set(struct worst *worst)
{
	name_set(worst, 0);
	return 0;
}

static int name_last_set(struct worst *worst)
{
	name_set(worst, LAST_SET);
	return 0;
}

/* One after the other and back, so that no set is near the one before. */
static int name_all_sets(struct worst *worst)
{
	int i;

	for (i = 0; i < worst->n; i++)
		worst->pmcs[i].reg_set =
			(uint16_t)(i & 1 ? LAST_SET - i / 2 % WORST_SETS :
					   i / 2 % WORST_SETS);
	return 0;
}

static int write_pmcs(struct worst *worst)
{
	return pfm_write_pmrs(worst->fd, PFM_RWFL_PMC, worst->pmcs, worst->n);
}

static int write_pmds(struct worst *worst)
{
	return pfm_write_pmrs(worst->fd, PFM_RWFL_PMD, worst->pmds, worst->n);
}

/* What is said of no piece: the greatest vector that is processed at once. */
static int write_64_pmds(struct worst *worst)
{
	return pfm_write_pmrs(worst->fd, PFM_RWFL_PMD, worst->pmds, 64);
}

static int write_attrs(struct worst *worst)
{
	return pfm_write_pmrs(worst->fd, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR,
			      worst->pmds, worst->n_attrs, worst->attrs);
}

static int read_pmcs(struct worst *worst)
{
	memcpy(worst->copy, worst->pmcs, WORST_VECTOR);
	return pfm_read_pmrs(worst->fd, PFM_RWFL_PMC, worst->copy, worst->n);
}

static int read_pmds(struct worst *worst)
{
	memcpy(worst->copy, worst->pmds, WORST_VECTOR);
	return pfm_read_pmrs(worst->fd, PFM_RWFL_PMD, worst->copy, worst->n);
}

static int read_attrs(struct worst *worst)
{
	memcpy(worst->copy, worst->pmds, WORST_VECTOR);
	return pfm_read_pmrs(worst->fd, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR,
			     worst->copy, worst->n_attrs, worst->read);
}

static int getinfo(struct worst *worst)
{
	struct pfarg_setinfo *infos = (struct pfarg_setinfo *)worst->copy;
	int i, n = WORST_VECTOR / sizeof(*infos);

	memset(infos, 0, WORST_VECTOR);
	for (i = 0; i < n; i++)
		infos[i].set_id = (uint16_t)(i & 1 ? LAST_SET - i % WORST_SETS :
						     i % WORST_SETS);
	return pfm_getinfo_sets(worst->fd, 0, infos, n);
}

const struct worst_call worst_calls[] = {
	{ "write PMCs of the running set", name_running_set, write_pmcs, NULL },
	{ "write PMCs of all sets", name_all_sets, write_pmcs, NULL },
	{ "write PMDs of the running set", name_running_set, write_pmds, NULL },
	{ "write 64 PMDs of it", name_running_set, write_64_pmds, NULL },
	{ "write PMDs of the last set", name_last_set, write_pmds, NULL },
	{ "write PMDs with attributes", name_running_set, write_attrs, NULL },
	{ "read PMCs of the last set", name_last_set, read_pmcs, NULL },
	{ "read PMDs of the running set", name_running_set, read_pmds, NULL },
	{ "read PMDs of the last set", name_last_set, read_pmds, NULL },
	{ "read PMDs with attributes", name_running_set, read_attrs, NULL },
	{ "getinfo of all sets", NULL, getinfo, NULL },
};
const unsigned int worst_nr_calls = ARRAY_SIZE(worst_calls);

static int attach(struct worst *worst)
{
	return pfm_attach_session(worst->fd, 0, worst->target);
}

static int detach(struct worst *worst)
{
	return pfm_attach_session(worst->fd, 0, PFM_NO_TARGET);
}

static int start(struct worst *worst)
{
	return pfm_start_session(worst->fd, 0);
}

static int stop(struct worst *worst)
{
	return pfm_stop_session(worst->fd, 0);
}

static int attach_and_start(struct worst *worst)
{
	return attach(worst) || start(worst) ? -1 : 0;
}

static int create(struct worst *worst)
{
	worst->fd = pfm_create_session(worst->flags);
	return worst->fd < 0 ? -1 : 0;
}

static int end(struct worst *worst)
{
	int fd = worst->fd;

	worst->fd = -1;
	return close(fd);
}

int worst_renew(struct worst *worst)
{
	return create(worst) || make_sets(worst->fd) || program(worst->fd, 0) ||
			       program(worst->fd, LAST_SET) ?
		       -1 :
		       0;
}

static int create_running(struct worst *worst)
{
	return worst_renew(worst) || attach_and_start(worst) ? -1 : 0;
}

static int create_anew(struct worst *worst)
{
	return end(worst) || create(worst) ? -1 : 0;
}

#define BUFFER (4UL << 20)

static int create_buffer(struct worst *worst)
{
	worst->buffer = dfl_create(0, BUFFER);
	return worst->buffer < 0 ? -1 : 0;
}

static int close_buffer(struct worst *worst)
{
	return close(worst->buffer);
}

static int map_buffer(struct worst *worst)
{
	worst->mapped =
		mmap(NULL, BUFFER, PROT_READ, MAP_PRIVATE, worst->buffer, 0);
	return worst->mapped == MAP_FAILED ? -1 : 0;
}

static int unmap_buffer(struct worst *worst)
{
	return munmap(worst->mapped, BUFFER);
}

static int create_mapped(struct worst *worst)
{
	return create_buffer(worst) || map_buffer(worst) ? -1 : 0;
}

static int unmap_and_close(struct worst *worst)
{
	return unmap_buffer(worst) || close_buffer(worst) ? -1 : 0;
}

static int create_sets(struct worst *worst)
{
	return make_sets(worst->fd);
}

static int remove_sets(struct worst *worst)
{
	return delete_sets(worst->fd);
}

/*
 * They follow each other: each finds what the one before has left. The last
 * one leaves a session that is not attached.
 */
const struct worst_call worst_owner_calls[] = {
	{ "create with a buffer", NULL, create_buffer, close_buffer },
	{ "map a buffer", create_buffer, map_buffer, unmap_and_close },
	{ "unmap a buffer", create_mapped, unmap_buffer, close_buffer },
	{ "close with a buffer", create_buffer, close_buffer, NULL },
	{ "stop", NULL, stop, start },
	{ "start", stop, start, NULL },
	{ "detach", NULL, detach, attach_and_start },
	{ "attach", detach, attach, start },
	{ "close", NULL, end, create_running },
	{ "create", end, create, NULL },
	{ "create 1024 sets", create_anew, create_sets, NULL },
	{ "delete 1023 sets", create_sets, remove_sets, NULL },
};
const unsigned int worst_nr_owner_calls = ARRAY_SIZE(worst_owner_calls);

struct section worst_section(const struct worst_call *call, struct worst *worst,
			     const struct sections *sections)
{
	struct section failed = { .length = UINT64_MAX };
	struct section least = failed;
	int i;

	for (i = 0; i < RUNS; i++) {
		if (call->before && call->before(worst))
			return failed;
		sections_clear(sections, VECTOR_CALL);
		if (call->call(worst))
			return failed;
		least = shorter_section(least, sections_longest(sections));
		if (call->after && call->after(worst))
			return failed;
	}
	return least;
}
