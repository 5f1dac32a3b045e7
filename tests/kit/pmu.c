// SPDX-License-Identifier: GPL-2.0-only
/*
 * The counters of the running processor, found through pmu_desc. Also built
 * with nolibc, which has no snprintf().
 */
#include "pmu.h"

#include <cpuid.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "attr.h"
#include "pmrs.h"

/* No register map has counters beyond. */
#define PMD_END 64

/* CPUID 1 in EAX: family 6, model 14. */
#define CPUID_FAMILY_AND_MODEL 0x0fff0ff0
#define CPUID_CORE_DUO 0x6e0

/* Room for the name of an attribute of a register. */
#define REG_ATTR_SIZE 64

static const char *const kind_name[] = {
	[PMU_PMC] = "pmc",
	[PMU_PMD] = "pmd",
};

static struct pmu all, instructions;

/* Ends the text at the end of its first line. */
static void cut_line(char *text)
{
	char *end = strchr(text, '\n');

	if (end)
		*end = '\0';
}

static void append(char name[REG_ATTR_SIZE], const char *text)
{
	strncat(name, text, REG_ATTR_SIZE - strlen(name) - 1);
}

static bool reg_attr(enum pmu_kind kind, unsigned int num, const char *attr,
		     char *text, size_t size)
{
	char name[REG_ATTR_SIZE] = "pmu_desc/";
	char digits[4] = { '0' + num / 100, '0' + num / 10 % 10,
			   '0' + num % 10 };

	append(name, kind_name[kind]);
	append(name, num >= 100 ? digits : num >= 10 ? digits + 1 : digits + 2);
	append(name, "/");
	append(name, attr);
	if (attr_read(name, text, size))
		return false;
	cut_line(text);
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

/* Its hardware has one enable bit, its map one in each selector. */
static bool is_core_duo(void)
{
	unsigned int eax, ebx, ecx, edx;

	return __get_cpuid(1, &eax, &ebx, &ecx, &edx) &&
	       (eax & CPUID_FAMILY_AND_MODEL) == CPUID_CORE_DUO;
}

static void add_counter(struct pmu *pmu, unsigned int num)
{
	struct pmu_counter *counter = &pmu->counter[pmu->counters];
	const struct known_event *known = known_event(pmu->model, num);
	struct pmu_reg pmc, pmd;

	if (!pmu_reg(PMU_PMD, num, &pmd) || pmu->counters == PMU_MAX_COUNTERS)
		return;
	/* Registers of instruction-based sampling do not count. */
	if (!strncmp(pmd.name, "IBS", 3) || !strncmp(pmd.name, "ICIBS", 5))
		return;
	pmu->counters++;
	counter->pmd = num;
	counter->width = pmd.width;
	if (!known)
		return;
	counter->known = known;
	counter->pmc = known->pmc + (known->shared ? 0 : num - known->first);
	counter->user = known->user;
	counter->kernel = known->kernel;
	counter->selector = known->selector;
	counter->fixed = known->fixed;
	counter->pmc2 = known->pmc2 + num - known->first;
	counter->value2 = known->value2;
	/* A selector without enable bit depends on that of the first (P6). */
	if (known->selector && pmu_reg(PMU_PMC, counter->pmc, &pmc) &&
	    counter->pmc > 0 &&
	    ((pmc.rsvd_msk & SEL_ENABLE) || is_core_duo())) {
		counter->pmc2 = 0;
		counter->value2 = SEL_ENABLE;
	}
}

static bool counts_user_instructions(const struct pmu_counter *counter)
{
	const struct known_event *known = counter->known;

	return known && known->num == known->den && !known->any_level;
}

/* Before anything else runs: threads find it done. */
static void __attribute__((constructor)) find_counters(void)
{
	unsigned int num, i;

	if (attr_read("pmu_desc/model", all.model, sizeof(all.model)))
		return;
	cut_line(all.model);
	for (num = 0; num < PMD_END; num++)
		add_counter(&all, num);
	memcpy(instructions.model, all.model, sizeof(all.model));
	for (i = 0; i < all.counters; i++)
		if (counts_user_instructions(&all.counter[i]))
			instructions.counter[instructions.counters++] =
				all.counter[i];
}

const struct pmu *pmu_all(void)
{
	return all.model[0] ? &all : NULL;
}

const struct pmu *pmu_get(void)
{
	return instructions.counters ? &instructions : NULL;
}

bool pmu_is_shared(void)
{
	const struct pmu *pmu = pmu_all();
	struct pmu_reg reg;

	/* The other half of the registers would be the second thread's. */
	return pmu && !strcmp(pmu->model, "Intel P4") &&
	       !pmu_reg(PMU_PMD, 9, &reg);
}

const struct pmu_counter *pmu_first(void)
{
	static const struct pmu_counter tsc = { .pmd = PMD_TSC, .width = 64 };
	const struct pmu *pmu = pmu_get();

	return pmu ? &pmu->counter[0] : &tsc;
}

int pmu_program_set(int fd, uint16_t set, const struct pmu_counter *counter,
		    uint64_t sel, uint64_t preset)
{
	if (counter->value2 &&
	    set_write_pmc(fd, set, counter->pmc2, counter->value2))
		return -1;
	if (counter->known && set_write_pmc(fd, set, counter->pmc, sel))
		return -1;
	return set_write_pmd(fd, set, counter->pmd, preset);
}

int pmu_program(int fd, const struct pmu_counter *counter, uint64_t sel,
		uint64_t preset)
{
	return pmu_program_set(fd, 0, counter, sel, preset);
}

int pmu_count_user(int fd, const struct pmu_counter *counter, uint64_t preset)
{
	return pmu_program(fd, counter, counter->user, preset);
}

bool pmu_interrupts(void)
{
	return pmu_get() && !pmu_first()->known->silent;
}

bool pmu_no_emulation(const struct pmu_counter *counter, struct pfarg_pmr *pmr,
		      uint64_t *interrupt)
{
	const struct known_event *known = counter->known;

	*interrupt = known ? known->interrupt : 0;
	*pmr = (struct pfarg_pmr){ .reg_flags = PFM_REGFL_NO_EMUL64 };
	if (known && known->value2) {
		pmr->reg_num = counter->pmc2;
		pmr->reg_value = known->value2;
	} else {
		pmr->reg_num = counter->pmc;
		pmr->reg_value = counter->user;
	}
	return *interrupt;
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

int pmu_cpu_session(void)
{
	int fd = pfm_create_session(PFM_FL_SYSTEM_WIDE);

	if (fd >= 0 && pmu_count_user(fd, pmu_first(), 0)) {
		close(fd);
		return -1;
	}
	return fd;
}
