// SPDX-License-Identifier: MIT
/*
 * The public functions that describe the library and the current PMU's registers.
 */
#include <string.h>

#include "pfmlib_pmu.h"

pfm_err_t pfm_get_version(unsigned int *version)
{
	if (!version)
		return PFMLIB_ERR_INVAL;
	*version = PFMLIB_VERSION;
	return PFMLIB_SUCCESS;
}

char *pfm_strerror(int code)
{
	static const char *const texts[] = {
		[-PFMLIB_SUCCESS] = "success",
		[-PFMLIB_ERR_NOTSUPP] = "not supported",
		[-PFMLIB_ERR_INVAL] = "invalid parameters",
		[-PFMLIB_ERR_NOINIT] = "pfmlib not initialized",
		[-PFMLIB_ERR_NOTFOUND] = "event not found",
		[-PFMLIB_ERR_NOASSIGN] = "cannot assign events to counters",
		[-PFMLIB_ERR_FULL] = "buffer is full or too small",
		[-PFMLIB_ERR_EVTMANY] = "event used more than once",
		[-PFMLIB_ERR_MAGIC] = "invalid model specific magic number",
		[-PFMLIB_ERR_FEATCOMB] =
			"invalid combination of model specific features",
		[-PFMLIB_ERR_EVTSET] = "incompatible event sets",
		[-PFMLIB_ERR_EVTINCOMP] = "incompatible events combination",
		[-PFMLIB_ERR_TOOMANY] = "too many events or unit masks",
		[-PFMLIB_ERR_IRRTOOBIG] = "code range too big",
		[-PFMLIB_ERR_IRREMPTY] = "empty code range",
		[-PFMLIB_ERR_IRRINVAL] = "invalid code range",
		[-PFMLIB_ERR_IRRTOOMANY] = "too many code ranges",
		[-PFMLIB_ERR_DRRINVAL] = "invalid data range",
		[-PFMLIB_ERR_DRRTOOMANY] = "too many data ranges",
		[-PFMLIB_ERR_BADHOST] = "not supported by host cpu",
		[-PFMLIB_ERR_IRRALIGN] = "code range is not bundle-aligned",
		[-PFMLIB_ERR_IRRFLAGS] =
			"code range requires some flags in rr_flags",
		[-PFMLIB_ERR_UMASK] = "invalid or missing unit mask",
		[-PFMLIB_ERR_NOMEM] = "out of memory",
	};

	if (code > 0 || code < PFMLIB_ERR_NOMEM)
		return (char *)"unknown error code";
	return (char *)texts[-code];
}

void pfmlib_copy_name(char *name, size_t size, const char *from)
{
	size_t len = strlen(from);

	if (len > size - 1)
		len = size - 1;
	memcpy(name, from, len);
	name[len] = '\0';
}

pfm_err_t pfm_get_pmu_name(char *name, int maxlen)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();

	if (!pmu)
		return PFMLIB_ERR_NOINIT;
	if (!name || maxlen < 1)
		return PFMLIB_ERR_INVAL;
	pfmlib_copy_name(name, (size_t)maxlen, pmu->name);
	return PFMLIB_SUCCESS;
}

pfm_err_t pfm_get_pmu_type(int *type)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();

	if (!pmu)
		return PFMLIB_ERR_NOINIT;
	if (!type)
		return PFMLIB_ERR_INVAL;
	*type = pmu->model->type;
	return PFMLIB_SUCCESS;
}

/*
 * Registers.
 */

static pfm_err_t get_mask(const pfmlib_regmask_t *from, pfmlib_regmask_t *mask)
{
	if (!mask)
		return PFMLIB_ERR_INVAL;
	*mask = *from;
	return PFMLIB_SUCCESS;
}

pfm_err_t pfm_get_impl_pmcs(pfmlib_regmask_t *impl_pmcs)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();

	if (!pmu)
		return PFMLIB_ERR_NOINIT;
	return get_mask(&pmu->impl_pmcs, impl_pmcs);
}

pfm_err_t pfm_get_impl_pmds(pfmlib_regmask_t *impl_pmds)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();

	if (!pmu)
		return PFMLIB_ERR_NOINIT;
	return get_mask(&pmu->impl_pmds, impl_pmds);
}

pfm_err_t pfm_get_impl_counters(pfmlib_regmask_t *impl_counters)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();

	if (!pmu)
		return PFMLIB_ERR_NOINIT;
	return get_mask(&pmu->impl_counters, impl_counters);
}

/* The number of registers is the number of bits in the mask. */
static pfm_err_t get_weight(const pfmlib_regmask_t *mask, unsigned int *num)
{
	pfmlib_regmask_t copy = *mask;

	return pfm_regmask_weight(&copy, num);
}

pfm_err_t pfm_get_num_pmcs(unsigned int *num)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();

	if (!pmu)
		return PFMLIB_ERR_NOINIT;
	return get_weight(&pmu->impl_pmcs, num);
}

pfm_err_t pfm_get_num_pmds(unsigned int *num)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();

	if (!pmu)
		return PFMLIB_ERR_NOINIT;
	return get_weight(&pmu->impl_pmds, num);
}

pfm_err_t pfm_get_num_counters(unsigned int *num)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();

	if (!pmu)
		return PFMLIB_ERR_NOINIT;
	if (!num)
		return PFMLIB_ERR_INVAL;
	*num = pmu->num_counters;
	return PFMLIB_SUCCESS;
}

pfm_err_t pfm_get_hw_counter_width(unsigned int *width)
{
	const struct pfmlib_pmu *pmu = pfmlib_current();

	if (!pmu)
		return PFMLIB_ERR_NOINIT;
	if (!width)
		return PFMLIB_ERR_INVAL;
	*width = pmu->width;
	return PFMLIB_SUCCESS;
}
