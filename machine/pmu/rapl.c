// SPDX-License-Identifier: GPL-2.0-only
/*
 * Energy counters (RAPL) of a processor that draws a constant power: each counts one
 * unit at the end of so many ns, whatever the CPUs do. Package N draws N + 1 times what
 * the first one does, so that a guest can tell them apart. The counters have 32 bits and
 * wrap. Called by pmu.c.
 *
 * The units are those by which Linux' driver reads them: 2^-14 J on Intel and 2^-16 J on
 * AMD, but 2^-16 J of memory on servers from Haswell to Ice Lake, whatever the unit
 * register says.
 */

#include "design.h"

/* Energy units in bits 12:8, and the usual ones of power and time. */
#define INTEL_UNITS 0xa0e03ull
#define AMD_UNITS 0xa1003ull

#define CPUID_POWER 0x80000007u
#define CPUID_POWER_RAPL (1u << 14) /* EDX */

#define BIT_OF(kind) (1u << (kind))
#define INTEL (BIT_OF(PMU_RAPL_CLIENT) | BIT_OF(PMU_RAPL_SERVER))
#define AMD BIT_OF(PMU_RAPL_AMD)

/*
 * 2^-14 J each 2^20 ns are 58.2 mW: so little that a unit takes longer than a guest needs
 * to read one counter behind another.
 */
static const struct {
	uint32_t msr;
	uint8_t kinds; /* bit mask of the processors that have it */
	uint8_t shift; /* a unit each 2^shift ns */
} domains[] = {
	{ 0x611, INTEL, 20 }, /* package */
	{ 0x639, INTEL, 21 }, /* cores */
	{ 0x619, BIT_OF(PMU_RAPL_CLIENT), 23 }, /* memory */
	{ 0x619, BIT_OF(PMU_RAPL_SERVER), 21 },
	{ 0xc001029b, AMD, 18 }, /* package */
	{ 0xc001029a, AMD, 20 }, /* core */
};

static bool is_units(const struct pmu *pmu, uint32_t msr)
{
	if (pmu->model->rapl == PMU_RAPL_AMD)
		return msr == 0xc0010299;
	return pmu->model->rapl && msr == 0x606;
}

/* The number of the domain, or how many there are. */
static unsigned int find_domain(const struct pmu *pmu, uint32_t msr)
{
	const unsigned int count = sizeof(domains) / sizeof(domains[0]);
	unsigned int i;

	for (i = 0; i < count; i++)
		if (domains[i].msr == msr &&
		    domains[i].kinds & BIT_OF(pmu->model->rapl))
			break;
	return i;
}

static bool is_counter(const struct pmu *pmu, uint32_t msr)
{
	return find_domain(pmu, msr) < sizeof(domains) / sizeof(domains[0]);
}

bool pmu_is_energy_msr(const struct pmu *pmu, uint32_t msr)
{
	return is_units(pmu, msr) || is_counter(pmu, msr);
}

enum pmu_result pmu_read_energy(const struct pmu *pmu, uint32_t msr,
				uint64_t *value)
{
	if (is_counter(pmu, msr))
		return PMU_ENERGY;
	*value = pmu->model->rapl == PMU_RAPL_AMD ? AMD_UNITS : INTEL_UNITS;
	return PMU_OK;
}

uint64_t pmu_energy(const struct pmu *pmu, uint32_t msr, uint64_t ns)
{
	const uint64_t units = ns >> domains[find_domain(pmu, msr)].shift;

	return (uint32_t)(units * (1 + pmu->package) - pmu->fault.energy);
}

void pmu_set_package(struct pmu *pmu, unsigned int package)
{
	pmu->package = package;
}

/* AMD's CPUID reports them; Linux knows Intel's by the model. */
bool pmu_energy_cpuid(const struct pmu *pmu, uint32_t leaf, uint32_t regs[4])
{
	if (leaf != CPUID_POWER || pmu->model->rapl != PMU_RAPL_AMD)
		return false;
	regs[3] |= CPUID_POWER_RAPL;
	return true;
}
