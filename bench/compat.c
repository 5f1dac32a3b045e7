// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the calls of the v2.81 interface cost beside their v3.0 equivalents: the
 * instructions in user mode, which are the library's, and all of them. Exact:
 * from the statistics of the test machine. `make bench` shows the table.
 *
 * Fails if a translation costs more than it may: MAX_ADDED user instructions
 * for one register or none, and for each further one.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <perfmon/perfmon.h>

#include "array_size.h"
#include "meter.h"
#include "pmrs.h"
#include "pmu.h"

#define ROUNDS 50
#define MAX_ADDED 300
#define MAX_ADDED_EACH 150

/* The longest vector that is translated without taking memory. */
#define MANY 16

/* What the calls work on: the first counter, again and again. */
static struct {
	int fd;
	struct pfarg_pmr pmcs[MANY], pmds[MANY];
	struct pfarg_pmd_attr attrs[MANY];
	struct pfarg_setdesc set;
	struct pfarg_setinfo info;
	pfarg_ctx_t ctx;
	pfarg_load_t load;
	pfarg_pmc_t v281_pmcs[MANY];
	pfarg_pmd_t v281_pmds[MANY];
} s;

static int old_create(int n)
{
	return n ? pfm_create_context(&s.ctx, NULL, NULL, 0) : -1;
}

static int new_create(int n)
{
	return n ? pfm_create_session(0) : -1;
}

static int old_write_pmcs(int n)
{
	return pfm_write_pmcs(s.fd, s.v281_pmcs, n);
}

static int new_write_pmcs(int n)
{
	return pfm_write_pmrs(s.fd, PFM_RWFL_PMC, s.pmcs, n);
}

static int old_write_pmds(int n)
{
	return pfm_write_pmds(s.fd, s.v281_pmds, n);
}

static int new_write_pmds(int n)
{
	return pfm_write_pmrs(s.fd, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR, s.pmds, n,
			      s.attrs);
}

static int old_read_pmds(int n)
{
	return pfm_read_pmds(s.fd, s.v281_pmds, n);
}

static int new_read_pmds(int n)
{
	return pfm_read_pmrs(s.fd, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR, s.pmds, n,
			     s.attrs);
}

static int old_load(int n)
{
	return n ? pfm_load_context(s.fd, &s.load) : -1;
}

static int new_load(int n)
{
	return n ? pfm_attach_session(s.fd, 0, (int)s.load.load_pid) : -1;
}

static int old_unload(int n)
{
	return n ? pfm_unload_context(s.fd) : -1;
}

static int new_unload(int n)
{
	return n ? pfm_detach_session(s.fd, 0) : -1;
}

static int old_start(int n)
{
	return n ? pfm_start(s.fd, NULL) : -1;
}

static int new_start(int n)
{
	return n ? pfm_start_session(s.fd, 0) : -1;
}

static int old_stop(int n)
{
	return n ? pfm_stop(s.fd) : -1;
}

static int new_stop(int n)
{
	return n ? pfm_stop_session(s.fd, 0) : -1;
}

static int old_restart(int n)
{
	return n ? pfm_restart(s.fd) : -1;
}

static int new_restart(int n)
{
	return n ? pfm_start_session(s.fd, PFM_STFL_RESTART) : -1;
}

static int old_create_sets(int n)
{
	return pfm_create_evtsets(s.fd, &s.set, n);
}

static int new_create_sets(int n)
{
	return pfm_create_sets(s.fd, 0, &s.set, n);
}

static int old_delete_sets(int n)
{
	return pfm_delete_evtsets(s.fd, &s.set, n);
}

static int new_delete_sets(int n)
{
	return pfm_create_sets(s.fd, PFM_SETS_DELETE, &s.set, n);
}

static int old_getinfo(int n)
{
	return pfm_getinfo_evtsets(s.fd, &s.info, n);
}

static int new_getinfo(int n)
{
	return pfm_getinfo_sets(s.fd, 0, &s.info, n);
}

/* What comes before and after a call, without being measured. */

static void attach(void)
{
	pfm_attach_session(s.fd, 0, gettid());
}

static void attach_and_start(void)
{
	attach();
	pfm_start_session(s.fd, 0);
}

static void detach(void)
{
	pfm_detach_session(s.fd, 0);
}

static void make_set(void)
{
	pfm_create_sets(s.fd, 0, &s.set, 1);
}

static void delete_set(void)
{
	pfm_create_sets(s.fd, PFM_SETS_DELETE, &s.set, 1);
}

static void nothing(void)
{
}

typedef int call_fn(int n);

static const struct {
	const char *name;
	call_fn *old_call, *new_call;
	int n; /* elements */
	int error; /* what it must fail with, 0: succeed */
	void (*before)(void), (*after)(void);
} rows[] = {
	{ "create_context", old_create, new_create, 1, 0, nothing, nothing },
	{ "write_pmcs", old_write_pmcs, new_write_pmcs, 1, 0, nothing,
	  nothing },
	{ "write_pmcs", old_write_pmcs, new_write_pmcs, 4, 0, nothing,
	  nothing },
	{ "write_pmcs", old_write_pmcs, new_write_pmcs, MANY, 0, nothing,
	  nothing },
	{ "write_pmds", old_write_pmds, new_write_pmds, 1, 0, nothing,
	  nothing },
	{ "write_pmds", old_write_pmds, new_write_pmds, 4, 0, nothing,
	  nothing },
	{ "write_pmds", old_write_pmds, new_write_pmds, MANY, 0, nothing,
	  nothing },
	{ "read_pmds", old_read_pmds, new_read_pmds, 1, 0, nothing, nothing },
	{ "read_pmds", old_read_pmds, new_read_pmds, 4, 0, nothing, nothing },
	{ "read_pmds", old_read_pmds, new_read_pmds, MANY, 0, nothing,
	  nothing },
	{ "create_evtsets", old_create_sets, new_create_sets, 1, 0, nothing,
	  delete_set },
	{ "getinfo_evtsets", old_getinfo, new_getinfo, 1, 0, nothing, nothing },
	{ "delete_evtsets", old_delete_sets, new_delete_sets, 1, 0, make_set,
	  nothing },
	{ "load_context", old_load, new_load, 1, 0, nothing, detach },
	{ "start", old_start, new_start, 1, 0, attach, detach },
	{ "stop", old_stop, new_stop, 1, 0, attach_and_start, detach },
	/* Refused: nothing is to be resumed. The translation is the same. */
	{ "restart", old_restart, new_restart, 1, EBUSY, attach, detach },
	{ "unload_context", old_unload, new_unload, 1, 0, attach, nothing },
};

/* The cheapest of many calls, less the cost of measuring. */
static int measure(unsigned int row, call_fn *call, struct cost *least)
{
	struct meter meter;
	int i;

	*least = DEAREST;
	for (i = 0; i < ROUNDS; i++) {
		int rc;

		rows[row].before();
		errno = 0;
		meter_start(&meter);
		rc = call(rows[row].n);
		keep_least(least, meter_stop(&meter));
		if (rc < 0 ? errno != rows[row].error : rows[row].error)
			return -1;
		if (rc > 0)
			close(rc);
		rows[row].after();
	}
	return 0;
}

static int print(unsigned int row, const struct cost *old,
		 const struct cost *new)
{
	long added = (long)(old->user - new->user);

	printf("%-18s%9d%10lu%10lu%8ld%12lu%10lu\n", rows[row].name,
	       rows[row].n, (unsigned long)old->user, (unsigned long)new->user,
	       added, (unsigned long)old->instructions,
	       (unsigned long)new->instructions);
	if (added < MAX_ADDED + (rows[row].n - 1) * MAX_ADDED_EACH)
		return 0;
	fflush(stdout);
	fprintf(stderr, "compat: this is too much\n");
	return -1;
}

static int prepare(void)
{
	const struct pmu_counter *counter = pmu_first();
	int i;

	s.fd = pmu_session(0);
	s.set.set_id = 1;
	s.load.load_pid = (uint32_t)gettid();
	for (i = 0; i < MANY; i++) {
		s.pmcs[i].reg_num = s.v281_pmcs[i].reg_num = counter->pmc;
		s.pmcs[i].reg_value = s.v281_pmcs[i].reg_value = counter->user;
		s.pmds[i].reg_num = s.v281_pmds[i].reg_num = counter->pmd;
	}
	return s.fd < 0 ? -1 : 0;
}

int main(void)
{
	struct cost old, new;
	unsigned int i;
	int rc = 0;

	if (!pmu_get() || meter_open() || prepare()) {
		fprintf(stderr, "compat: this is not the test machine\n");
		return 1;
	}
	printf("\n%s: instructions of the v2.81 calls and of v3.0\n",
	       pmu_get()->model);
	printf("%-18s%9s%10s%10s%8s%12s%10s\n", "call", "elements", "v2.81",
	       "v3.0", "added", "v2.81, all", "v3.0, all");
	for (i = 0; i < ARRAY_SIZE(rows); i++) {
		if (measure(i, rows[i].old_call, &old) ||
		    measure(i, rows[i].new_call, &new)) {
			fprintf(stderr, "compat: %s: %s\n", rows[i].name,
				strerror(errno));
			return 1;
		}
		rc |= print(i, &old, &new);
	}
	return rc ? 1 : 0;
}
