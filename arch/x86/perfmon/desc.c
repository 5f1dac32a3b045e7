// SPDX-License-Identifier: GPL-2.0-only
/*
 * Register maps: which logical PMCs and PMDs this processor has.
 *
 * A map is chosen by vendor, family and model and filled at boot; it is
 * constant from then on and published below /sys/kernel/perfmon/pmu_desc.
 * The numbers are an ABI: libpfm and its users address registers with them.
 */
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/minmax.h>
#include <linux/perfmon_pmu.h>
#include <linux/printk.h>
#include <linux/string.h>

#include <asm/cpufeature.h>
#include <asm/msr-index.h>
#include <asm/perf_event.h>
#include <asm/processor.h>

#include "perfctr_core.h"
#include "desc.h"

#define SELECTOR_TYPE	(PERFMON_REG_NO64 | PERFMON_ANY_SESSION)
#define COUNTER_TYPE \
	(PERFMON_REG_C64 | PERFMON_REG_INTR | PERFMON_ANY_SESSION)

/* Bits 63:32, 21 and 20 of a selector; bit 20 (INT) is forced to one. */
#define SELECTOR_RSVD	0xffffffff00300000ULL

/* The same with AMD's event bits 35:32 and host/guest bits 41:40 free. */
#define AMD_WIDE_RSVD	0xfffffcf000300000ULL

/* Fixed counters and their control register start at this number. */
#define FIRST_FIXED	16

/* Four bits for each fixed counter: OS, USR, any thread, PMI. */
#define FIXED_FIELDS(pattern, n) \
	((pattern) * 0x1111111111111111ULL & ((1ULL << 4 * (n)) - 1))

bool perfmon_desc_shared_enable __ro_after_init;
u64 perfmon_desc_enable __ro_after_init = EVNTSEL_ENABLE;

struct perfmon_reg *__init perfmon_add_pmc(struct perfmon_pmu *pmu,
					   unsigned int num, u16 type)
{
	struct perfmon_reg *reg = &pmu->pmcs[pmu->nr_pmcs];

	pmu->pmc_pos[num] = pmu->nr_pmcs++;
	reg->num = num;
	reg->type = type;
	reg->width = 64;
	return reg;
}

struct perfmon_reg *__init perfmon_add_pmd(struct perfmon_pmu *pmu,
					   unsigned int num, unsigned int ctrl,
					   u16 type, u8 width)
{
	struct perfmon_reg *reg = &pmu->pmds[pmu->nr_pmds];

	pmu->pmd_pos[num] = pmu->nr_pmds++;
	reg->num = num;
	reg->type = type;
	reg->width = width;
	reg->ctrl = pmu->pmc_pos[ctrl];
	return reg;
}

/* Programmable counter @n and its selector, MSRs from the low-level design. */
static void __init add_counter(struct perfmon_pmu *pmu, unsigned int n,
			       u64 rsvd, u8 width, unsigned int hw_bits,
			       const char *selector, const char *counter)
{
	struct perfmon_reg *reg = perfmon_add_pmc(pmu, n, SELECTOR_TYPE);

	snprintf(reg->name, sizeof(reg->name), "%s%u", selector, n);
	reg->addr = perfctr_design->evntsel_msr(n);
	reg->dfl = EVNTSEL_INT;
	reg->no64 = EVNTSEL_INT;
	reg->priv = EVNTSEL_OS;
	reg->rsvd = rsvd;

	reg = perfmon_add_pmd(pmu, n, n, COUNTER_TYPE, width);
	snprintf(reg->name, sizeof(reg->name), "%s%u", counter, n);
	reg->addr = perfctr_design->counter_msr(n);
	reg->hw = n;
	reg->rsvd = hw_bits ? ~((1ULL << hw_bits) - 1) : 0;
}

static void __init fill_p6(struct perfmon_pmu *pmu)
{
	unsigned int n;

	pmu->model = "Intel P6 processor Family";
	for (n = 0; n < perfctr_design->nr_counters; n++)
		add_counter(pmu, n,
			    n ? SELECTOR_RSVD | EVNTSEL_ENABLE : SELECTOR_RSVD,
			    31, 0, "PERFEVTSEL", "PERFCTR");
	perfmon_desc_shared_enable = true;
}

static void __init fill_amd(struct perfmon_pmu *pmu)
{
	u64 rsvd = boot_cpu_data.x86 < 0x10 ? SELECTOR_RSVD : AMD_WIDE_RSVD;
	unsigned int n;

	pmu->model = boot_cpu_has(X86_FEATURE_PERFCTR_CORE) ?
		     "AMD Core Perfctr" : "AMD64";
	for (n = 0; n < perfctr_design->nr_counters; n++)
		add_counter(pmu, n, rsvd, 47, 48, "PERFSEL", "PERFCTR");
}

static void __init add_fixed_counters(struct perfmon_pmu *pmu,
				      unsigned int hw_bits)
{
	unsigned int n, nr_fixed = perfctr_design->nr_fixed;
	struct perfmon_reg *reg;

	if (!nr_fixed)
		return;

	reg = perfmon_add_pmc(pmu, FIRST_FIXED, PERFMON_ANY_SESSION);
	strscpy(reg->name, "FIXED_CTRL");
	reg->addr = MSR_ARCH_PERFMON_FIXED_CTR_CTRL;
	reg->dfl = FIXED_FIELDS(0x8, nr_fixed);
	reg->rsvd = ~FIXED_FIELDS(0x3, nr_fixed);
	reg->priv = FIXED_FIELDS(0x1, nr_fixed);

	for (n = 0; n < nr_fixed; n++) {
		reg = perfmon_add_pmd(pmu, FIRST_FIXED + n, FIRST_FIXED,
				      COUNTER_TYPE, 31);
		snprintf(reg->name, sizeof(reg->name), "FIXED_CTR%u", n);
		reg->addr = MSR_ARCH_PERFMON_FIXED_CTR0 + n;
		reg->hw = PERFCTR_FIXED + n;
		reg->rsvd = ~((1ULL << hw_bits) - 1);
	}
}

static const char *__init intel_model_name(void)
{
	if (boot_cpu_data.x86 != 6)
		return "Intel architectural";
	switch (boot_cpu_data.x86_model) {
	case 15:
	case 23:
	case 29:
		return "Intel Core";
	case 28:
		return "Intel Atom";
	default:
		return "Intel architectural";
	}
}

static void __init fill_intel(struct perfmon_pmu *pmu)
{
	unsigned int n, hw_bits = (cpuid_eax(10) >> 16) & 0xff;

	/* No known one is narrower; a zero here would be a BIOS bug. */
	hw_bits = clamp(hw_bits, 40, 63);
	pmu->model = intel_model_name();
	for (n = 0; n < perfctr_design->nr_counters; n++)
		add_counter(pmu, n, SELECTOR_RSVD, 31, hw_bits, "PERFEVTSEL",
			    "PMC");
	add_fixed_counters(pmu, hw_bits);
}

/* The time stamp counter as a data register, without a control register. */
#define TSC_PMD	256

static void __init add_tsc(struct perfmon_pmu *pmu)
{
	struct perfmon_reg *reg;

	if (!(perfctr_info.cpu_features & PERFCTR_FEATURE_RDTSC))
		return;
	reg = &pmu->pmds[pmu->nr_pmds];
	pmu->pmd_pos[TSC_PMD] = pmu->nr_pmds++;
	strscpy(reg->name, "TSC");
	reg->num = TSC_PMD;
	reg->type = PERFMON_REG_V | PERFMON_ANY_SESSION;
	reg->width = 64;
	reg->ctrl = PERFMON_NO_REG;
	reg->hw = PERFMON_HW_TSC;
}

int __init perfmon_arch_init(struct perfmon_pmu *pmu)
{
	int err = perfctr_cpu_init();

	if (err)
		return err;

	memset(pmu->pmc_pos, PERFMON_NO_REG, sizeof(pmu->pmc_pos));
	memset(pmu->pmd_pos, PERFMON_NO_REG, sizeof(pmu->pmd_pos));
	switch (perfctr_design->cpu_type) {
	case PERFCTR_X86_GENERIC:
		pmu->model = "Generic x86 TSC";
		break;
	case PERFCTR_X86_INTEL_P5:
	case PERFCTR_X86_INTEL_P5MMX:
	case PERFCTR_X86_CYRIX_MII:
	case PERFCTR_X86_WINCHIP_C6:
	case PERFCTR_X86_WINCHIP_2:
		perfmon_desc_fill_p5(pmu);
		break;
	case PERFCTR_X86_VIA_C3:
		perfmon_desc_fill_c3(pmu);
		break;
	case PERFCTR_X86_INTEL_P4:
	case PERFCTR_X86_INTEL_P4M2:
	case PERFCTR_X86_INTEL_P4M3:
		perfmon_desc_fill_p4(pmu);
		break;
	case PERFCTR_X86_INTEL_P6:
		fill_p6(pmu);
		break;
	case PERFCTR_X86_INTEL_ARCH:
		fill_intel(pmu);
		break;
	default:
		fill_amd(pmu);
	}
	add_tsc(pmu);
	return 0;
}

static const char service[] = "perfmon";

/* Without counters there is nothing to be had. */
const char *perfmon_arch_acquire(void (*ihandler)(unsigned long ip))
{
	const char *holder;

	if (!perfctr_design->nr_counters)
		return NULL;
	holder = perfctr_cpu_reserve(service);
	if (!holder)
		perfctr_cpu_set_ihandler(ihandler);
	return holder;
}

void perfmon_arch_release(void)
{
	if (perfctr_design->nr_counters)
		perfctr_cpu_release(service);
}

const char *perfmon_arch_owner(void)
{
	return perfctr_cpu_owner();
}
