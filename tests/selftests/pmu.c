// SPDX-License-Identifier: GPL-2.0-only
/* The counters of the running processor, found through pmu_desc. */
#include "pmu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attr.h"
#include "pmrs.h"

#define MAX_PROGRAMMABLE 16
#define FIRST_FIXED 16

/* "Instructions retired" has this number on each x86 that has selectors. */
#define EVENT_INSTRUCTIONS 0xc0

/* Control field of the fixed counter 0, which counts instructions. */
#define FIXED0_KERNEL (1ULL << 0)
#define FIXED0_USER (1ULL << 1)

static const char *const kind_name[] = {
	[PMU_PMC] = "pmc",
	[PMU_PMD] = "pmd",
};

static bool reg_attr(enum pmu_kind kind, unsigned int num, const char *attr,
		     char *text, size_t size)
{
	char name[64];

	snprintf(name, sizeof(name), "pmu_desc/%s%u/%s", kind_name[kind], num,
		 attr);
	if (attr_read(name, text, size))
		return false;
	text[strcspn(text, "\n")] = '\0';
	return true;
}

static uint64_t reg_number(enum pmu_kind kind, unsigned int num,
			   const char *attr)
{
	char text[32];

	if (!reg_attr(kind, num, attr, text, sizeof(text)))
		return 0;
	return strtoull(text, NULL, 0);
}

bool pmu_reg(enum pmu_kind kind, unsigned int num, struct pmu_reg *reg)
{
	if (!reg_attr(kind, num, "name", reg->name, sizeof(reg->name)))
		return false;
	reg->dfl_val = reg_number(kind, num, "dfl_val");
	reg->rsvd_msk = reg_number(kind, num, "rsvd_msk");
	reg->addr = reg_number(kind, num, "addr");
	reg->width = (int)reg_number(kind, num, "width");
	return true;
}

static bool starts_with(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

static void add_programmable(struct pmu *pmu, unsigned int num)
{
	struct pmu_counter *counter = &pmu->counter[pmu->counters];
	struct pmu_reg pmc, pmd;

	if (!pmu_reg(PMU_PMC, num, &pmc) || !pmu_reg(PMU_PMD, num, &pmd))
		return;
	if (!starts_with(pmc.name, "PERFEVTSEL") &&
	    !starts_with(pmc.name, "PERFSEL"))
		return;
	counter->pmc = num;
	counter->pmd = num;
	counter->user = EVENT_INSTRUCTIONS | SEL_USER | SEL_ENABLE;
	counter->kernel = counter->user | SEL_KERNEL;
	counter->needs_pmc0 = num > 0 && (pmc.rsvd_msk & SEL_ENABLE);
	counter->width = pmd.width;
	pmu->counters++;
}

static void add_fixed(struct pmu *pmu)
{
	struct pmu_counter *counter = &pmu->counter[pmu->counters];
	struct pmu_reg pmc, pmd;

	if (!pmu_reg(PMU_PMC, FIRST_FIXED, &pmc) ||
	    !pmu_reg(PMU_PMD, FIRST_FIXED, &pmd))
		return;
	if (!starts_with(pmc.name, "FIXED_CTRL"))
		return;
	counter->pmc = FIRST_FIXED;
	counter->pmd = FIRST_FIXED;
	counter->user = FIXED0_USER;
	counter->kernel = FIXED0_USER | FIXED0_KERNEL;
	counter->fixed = true;
	counter->width = pmd.width;
	pmu->counters++;
}

const struct pmu *pmu_get(void)
{
	static struct pmu pmu;
	unsigned int num;

	if (pmu.counters)
		return &pmu;
	if (attr_read("pmu_desc/model", pmu.model, sizeof(pmu.model)))
		return NULL;
	pmu.model[strcspn(pmu.model, "\n")] = '\0';
	for (num = 0; num < MAX_PROGRAMMABLE; num++)
		add_programmable(&pmu, num);
	add_fixed(&pmu);
	return pmu.counters ? &pmu : NULL;
}

const struct pmu_counter *pmu_first(void)
{
	static const struct pmu_counter none;
	const struct pmu *pmu = pmu_get();

	return pmu ? &pmu->counter[0] : &none;
}

int pmu_program(int fd, const struct pmu_counter *counter, uint64_t sel,
		uint64_t preset)
{
	if (counter->needs_pmc0 && write_pmc(fd, 0, SEL_ENABLE))
		return -1;
	if (write_pmc(fd, counter->pmc, sel))
		return -1;
	return write_pmd(fd, counter->pmd, preset);
}

int pmu_count_user(int fd, const struct pmu_counter *counter, uint64_t preset)
{
	return pmu_program(fd, counter, counter->user, preset);
}

int pmu_session(uint64_t preset)
{
	int fd = pfm_create_session(0);

	if (fd < 0)
		return -1;
	if (pmu_count_user(fd, pmu_first(), preset)) {
		close(fd);
		return -1;
	}
	return fd;
}
