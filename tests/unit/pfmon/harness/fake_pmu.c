// SPDX-License-Identifier: GPL-2.0-only
/* Register maps for tests, see fake_pmu.h. */
#include "fake_pmu.h"

#include <err.h>
#include <stdio.h>
#include <string.h>

#include "array_size.h"
#include "scratch_dir.h"

struct fake_pmu {
	const char *name;
	const char *model;
	int general;
	int fixed;
	const char *selector; /* names of the registers */
	const char *counter;
	unsigned long long reserved;
};

static const struct fake_pmu pmus[] = {
	{ "zen", "AMD Core Perfctr", 6, 0, "PERFSEL", "PERFCTR",
	  0xfffffcf000300000 },
	{ "ibs", "AMD Core Perfctr", 6, 0, "PERFSEL", "PERFCTR",
	  0xfffffcf000300000 },
	{ "k8", "AMD64", 4, 0, "PERFSEL", "PERFCTR", 0xffffffff00300000 },
	{ "core2", "Intel Core", 2, 3, "PERFEVTSEL", "PMC",
	  0xffffffff00300000 },
	{ "nehalem", "Intel architectural", 4, 3, "PERFEVTSEL", "PMC",
	  0xffffffff00300000 },
	{ "skylake", "Intel architectural", 4, 3, "PERFEVTSEL", "PMC",
	  0xffffffff00300000 },
	/* Without hyper-threads; four of the counters make records. */
	{ "pebs", "Intel architectural", 8, 3, "PERFEVTSEL", "PMC",
	  0xffffffff00300000 },
	/* All of them make records, and fixed ones, too. */
	{ "groups", "Intel architectural", 8, 4, "PERFEVTSEL", "PMC",
	  0xffffffff00300000 },
	{ "p6", "Intel P6 processor Family", 2, 0, "PERFEVTSEL", "PERFCTR",
	  0xffffffff00300000 },
};

/* What qualifies selectors, and lets counters make records. */
static const struct {
	const char *pmu;
	int pmc;
	const char *name;
	unsigned long long reserved;
} extra[] = {
	{ "skylake", 19, "OFFCORE_RSP0", 0 },
	{ "skylake", 31, "OFFCORE_RSP1", 0 },
	{ "skylake", 32, "PEBS_FRONTEND", 0 },
	{ "pebs", 17, "PEBS_ENABLE", ~0xf0000000full },
	{ "pebs", 18, "LD_LAT", ~0xffffull },
	{ "pebs", 32, "PEBS_FRONTEND", 0 },
	{ "groups", 17, "PEBS_ENABLE", ~0xf000000ffull },
	{ "groups", 18, "LD_LAT", ~0xffffull },
};

/* Of instruction-based sampling, with the bits that its PMCs do not have. */
static const struct {
	int pmc, pmd;
	const char *name;
	unsigned long long reserved;
} units[] = {
	{ 6, 6, "IBSFETCHCTL", ~(1ull << 57 | 1ull << 48 | 0xffff) },
	{ 7, 9, "IBSOPCTL",
	  ~(0x7full << 20 | 1ull << 19 | 1ull << 17 | 0xffff) },
};

static const struct fake_pmu *find(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(pmus); i++) {
		if (!strcmp(pmus[i].name, name))
			return &pmus[i];
	}
	errx(1, "no fake PMU %s", name);
}

static void write_attr(const char *sysfs, const char *reg, int index,
		       const char *attr, const char *format,
		       unsigned long long value)
{
	char path[128], text[64];

	snprintf(path, sizeof(path), "pmu_desc/%s%d/%s", reg, index, attr);
	snprintf(text, sizeof(text), format, value);
	scratch_write(sysfs, path, text);
}

static void write_reg(const char *sysfs, const char *reg, int index,
		      const char *name, unsigned long long reserved,
		      unsigned long long value)
{
	char path[128], line[64];

	snprintf(path, sizeof(path), "pmu_desc/%s%d/name", reg, index);
	snprintf(line, sizeof(line), "%s\n", name);
	scratch_write(sysfs, path, line);
	write_attr(sysfs, reg, index, "rsvd_msk", "0x%llx\n", reserved);
	write_attr(sysfs, reg, index, "dfl_val", "0x%llx\n", value);
	write_attr(sysfs, reg, index, "width", "%llu\n", 31);
	write_attr(sysfs, reg, index, "addr", "0x%llx\n", 0x186);
}

void fake_pmu_write(const char *sysfs, const char *name)
{
	const struct fake_pmu *pmu = find(name);
	char text[64];

	snprintf(text, sizeof(text), "%s\n", pmu->model);
	scratch_write(sysfs, "pmu_desc/model", text);
	for (int i = 0; i < pmu->general; i++) {
		unsigned long long reserved = pmu->reserved;

		/* The second selector of P6 has no enable bit. */
		if (i && !strcmp(name, "p6"))
			reserved |= 1 << 22;
		snprintf(text, sizeof(text), "%s%d", pmu->selector, i);
		write_reg(sysfs, "pmc", i, text, reserved, 0x100000);
		snprintf(text, sizeof(text), "%s%d", pmu->counter, i);
		write_reg(sysfs, "pmd", i, text, 0, 0);
	}
	for (int i = 0; i < pmu->fixed; i++) {
		snprintf(text, sizeof(text), "FIXED_CTR%d", i);
		write_reg(sysfs, "pmd", 16 + i, text, 0, 0);
	}
	if (pmu->fixed)
		write_reg(sysfs, "pmc", 16, "FIXED_CTRL", 0xfffffffffffffccc,
			  0x888);
	for (size_t i = 0; i < ARRAY_SIZE(extra); i++)
		if (!strcmp(name, extra[i].pmu))
			write_reg(sysfs, "pmc", extra[i].pmc, extra[i].name,
				  extra[i].reserved, 0);
	if (!strcmp(name, "groups"))
		scratch_write(sysfs, "pmu_desc/pebs", "5 0xf000000ff\n");
	for (size_t i = 0; !strcmp(name, "ibs") && i < ARRAY_SIZE(units); i++) {
		write_reg(sysfs, "pmc", units[i].pmc, units[i].name,
			  units[i].reserved, 0);
		write_reg(sysfs, "pmd", units[i].pmd, units[i].name, 0, 0);
	}
}

struct pfarg_setinfo fake_pmu_info(const char *name)
{
	const struct fake_pmu *pmu = find(name);
	struct pfarg_setinfo info = { 0 };

	info.set_avail_pmcs[0] = (1ull << pmu->general) - 1;
	info.set_avail_pmds[0] = info.set_avail_pmcs[0];
	if (pmu->fixed) {
		info.set_avail_pmcs[0] |= 1ull << 16;
		info.set_avail_pmds[0] |= ((1ull << pmu->fixed) - 1) << 16;
	}
	for (size_t i = 0; i < ARRAY_SIZE(extra); i++)
		if (!strcmp(name, extra[i].pmu))
			info.set_avail_pmcs[0] |= 1ull << extra[i].pmc;
	for (size_t i = 0; !strcmp(name, "ibs") && i < ARRAY_SIZE(units); i++) {
		info.set_avail_pmcs[0] |= 1ull << units[i].pmc;
		info.set_avail_pmds[0] |= 1ull << units[i].pmd;
	}
	return info;
}
