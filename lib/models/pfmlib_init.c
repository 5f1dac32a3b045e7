// SPDX-License-Identifier: MIT
/*
 * Chooses the PMU that the library uses: pfm_initialize(), pfm_force_pmu().
 *
 * A PMU is never freed: other threads may be using it, and a program that switches back
 * gets the same one again.  The mutex serialises threads that build one; readers of the
 * current PMU need no lock.
 */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "events/libpfm4.h"
#include "events/tables.h"
#include "pfmlib_models.h"

struct kept_pmu {
	struct pfmlib_pmu pmu;
	bool is_set_up; /* registers are described, too */
	struct kept_pmu *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct kept_pmu *kept; /* protected by the lock */
static bool libpfm4_started; /* protected by the lock */

static bool same_cpu(const struct pfmlib_cpu *a, const struct pfmlib_cpu *b)
{
	return a->vendor == b->vendor && a->family == b->family &&
	       a->model == b->model && a->stepping == b->stepping &&
	       a->arch_version == b->arch_version &&
	       a->num_generic == b->num_generic &&
	       a->num_fixed == b->num_fixed &&
	       a->arch_unavail == b->arch_unavail && a->is_host == b->is_host &&
	       a->has_core_ext == b->has_core_ext &&
	       a->is_hybrid == b->is_hybrid && a->has_tsc == b->has_tsc;
}

static struct kept_pmu *find_kept(const struct pfmlib_model *model,
				  const struct pfmlib_cpu *cpu, bool is_set_up)
{
	struct kept_pmu *entry = kept;

	while (entry &&
	       (entry->pmu.model != model || entry->is_set_up != is_set_up ||
		!same_cpu(&entry->pmu.cpu, cpu)))
		entry = entry->next;
	return entry;
}

static int fill_in(struct pfmlib_pmu *pmu, bool set_up)
{
	int ret;

	if (!libpfm4_started && pfmlib_libpfm4_start())
		return PFMLIB_ERR_NOTSUPP;
	libpfm4_started = true;

	ret = pmu->model->load_events(pmu);
	if (ret != PFMLIB_SUCCESS || !set_up)
		return ret;
	ret = pmu->model->dispatch->setup(pmu);
	if (ret != PFMLIB_SUCCESS) {
		free(pmu->data);
		pfmlib_table_free(pmu);
	}
	return ret;
}

/* Gets the PMU of the model for cpu; the lock is held. */
static int get_pmu(const struct pfmlib_model *model,
		   const struct pfmlib_cpu *cpu, bool set_up,
		   const struct pfmlib_pmu **pmu)
{
	struct kept_pmu *entry = find_kept(model, cpu, set_up);
	int ret;

	if (!entry) {
		entry = calloc(1, sizeof(*entry));
		if (!entry)
			return PFMLIB_ERR_NOMEM;
		entry->pmu.model = model;
		entry->pmu.cpu = *cpu;
		entry->is_set_up = set_up;
		snprintf(entry->pmu.name, sizeof(entry->pmu.name), "%s",
			 model->name);
		ret = fill_in(&entry->pmu, set_up);
		if (ret != PFMLIB_SUCCESS) {
			free(entry);
			return ret;
		}
		entry->next = kept;
		kept = entry;
	}
	*pmu = &entry->pmu;
	return PFMLIB_SUCCESS;
}

static int select_pmu(const struct pfmlib_model *model,
		      const struct pfmlib_cpu *cpu)
{
	const struct pfmlib_pmu *pmu;
	int ret = get_pmu(model, cpu, true, &pmu);

	if (ret != PFMLIB_SUCCESS) {
		pfmlib_debug("%s: cannot be used: %s\n", model->name,
			     pfm_strerror(ret));
		return ret;
	}
	pfmlib_debug("%s: family %u, model %u, stepping %u: %u events\n",
		     pmu->name, cpu->family, cpu->model, cpu->stepping,
		     pmu->num_events);
	pfmlib_make_current(pmu);
	return PFMLIB_SUCCESS;
}

/* cpu: zeros, or the wanted sub-model. */
static int select_forced(int type, struct pfmlib_cpu *cpu)
{
	const struct pfmlib_model *model = pfmlib_model_of(type);

	if (!model)
		return PFMLIB_ERR_NOTSUPP;
	model->force(cpu);
	return select_pmu(model, cpu);
}

static int select_host(struct pfmlib_cpu *cpu)
{
	const struct pfmlib_model *model = pfmlib_models;

	pfmlib_read_cpu(cpu);
	while (model->name && !model->detect(cpu))
		model++;
	return model->name ? select_pmu(model, cpu) : PFMLIB_ERR_NOTSUPP;
}

/* Reads a comma and a number, and moves text past them. */
static bool read_number(const char **text, unsigned int *number)
{
	unsigned long value;
	char *end;

	if ((*text)[0] != ',' || !pfmlib_is_digit((*text)[1]))
		return false;
	value = strtoul(*text + 1, &end, 10);
	if (value > INT_MAX)
		return false;
	*number = (unsigned int)value;
	*text = end;
	return true;
}

/*
 * LIBPFM_FORCE_PMU: "TYPE" or "TYPE,FAMILY,MODEL,STEPPING".  False if it is not set or
 * does not begin with a number; without a complete sub-model, cpu is all zeros.
 */
static bool read_forced(int *type, struct pfmlib_cpu *cpu)
{
	const char *text = getenv("LIBPFM_FORCE_PMU");
	struct pfmlib_cpu sub_model = { 0 };

	memset(cpu, 0, sizeof(*cpu));
	if (!text || !pfmlib_is_digit(*text))
		return false;
	*type = (int)strtol(text, NULL, 10);

	text += strspn(text, "0123456789");
	if (read_number(&text, &sub_model.family) &&
	    read_number(&text, &sub_model.model) &&
	    read_number(&text, &sub_model.stepping) && !*text)
		*cpu = sub_model;
	return true;
}

pfm_err_t pfm_initialize(void)
{
	struct pfmlib_cpu cpu;
	int type, ret;

	pthread_mutex_lock(&lock);
	pfmlib_read_options();
	if (read_forced(&type, &cpu))
		ret = select_forced(type, &cpu);
	else
		ret = select_host(&cpu);
	pthread_mutex_unlock(&lock);
	return ret;
}

pfm_err_t pfm_force_pmu(int type)
{
	struct pfmlib_cpu cpu = { 0 };
	int ret;

	pthread_mutex_lock(&lock);
	ret = select_forced(type, &cpu);
	pthread_mutex_unlock(&lock);
	return ret;
}

const struct pfmlib_pmu *pfmlib_model_events(int type)
{
	const struct pfmlib_model *model = pfmlib_model_of(type);
	const struct pfmlib_pmu *pmu = NULL;
	struct pfmlib_cpu cpu = { 0 };

	if (!model)
		return NULL;
	model->force(&cpu);
	pthread_mutex_lock(&lock);
	if (get_pmu(model, &cpu, false, &pmu) != PFMLIB_SUCCESS)
		pmu = NULL;
	pthread_mutex_unlock(&lock);
	return pmu;
}
