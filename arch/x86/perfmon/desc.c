// SPDX-License-Identifier: GPL-2.0-only
/*
 * Register maps: which logical PMCs and PMDs this processor has.
 *
 * A map is chosen by vendor, family and model and filled at boot; it is
 * constant from then on and published below /sys/kernel/perfmon/pmu_desc.
 * The numbers are an ABI: libpfm and its users address registers with them.
 * Here is what the maps have in common; desc_intel.c and desc_amd.c fill them.
 */
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/jump_label.h>
#include <linux/perfmon_pmu.h>
#include <linux/string.h>

#include <asm/mmu_context.h>

#include "perfctr_core.h"
#include "desc.h"

struct perfmon_pmu perfmon_pmu __ro_after_init;

bool perfmon_desc_shared_enable __ro_after_init;
u64 perfmon_desc_enable __ro_after_init = EVNTSEL_ENABLE;
u8 perfmon_desc_extra[PERFCTR_MAX_EXTRA] __ro_after_init;

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
void __init perfmon_add_counter(struct perfmon_pmu *pmu, unsigned int n,
				u64 rsvd, u8 width, unsigned int hw_bits,
				const char *selector, const char *counter)
{
	struct perfmon_reg *reg = perfmon_add_pmc(pmu, n, SELECTOR_TYPE);

	snprintf(reg->name, sizeof(reg->name), "%s%u", selector, n);
	reg->addr = perfctr_design->evntsel_msr(n);
	reg->dfl = EVNTSEL_INT;
	reg->no64 = EVNTSEL_INT;
	reg->priv = EVNTSEL_OS | (EVNTSEL_ANY & ~rsvd);
	reg->rsvd = rsvd;

	reg = perfmon_add_pmd(pmu, n, n, COUNTER_TYPE, width);
	snprintf(reg->name, sizeof(reg->name), "%s%u", counter, n);
	reg->addr = perfctr_design->counter_msr(n);
	reg->hw = n;
	reg->rsvd = hw_bits ? ~((1ULL << hw_bits) - 1) : 0;
}

static void __init fill(struct perfmon_pmu *pmu)
{
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
	case PERFCTR_X86_INTEL_PII:
	case PERFCTR_X86_INTEL_PIII:
	case PERFCTR_X86_INTEL_PENTM:
		perfmon_fill_p6(pmu);
		break;
	case PERFCTR_X86_INTEL_CORE:
		perfmon_fill_core_duo(pmu);
		break;
	case PERFCTR_X86_INTEL_CORE2:
	case PERFCTR_X86_INTEL_ARCH:
		perfmon_fill_intel(pmu);
		break;
	default:
		perfmon_fill_amd(pmu);
		break;
	}
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

int __init perfmon_arch_init(void)
{
	struct perfmon_pmu *pmu = &perfmon_pmu;
	int err = perfctr_cpu_init();

	if (err)
		return err;

	memset(pmu->pmc_pos, PERFMON_NO_REG, sizeof(pmu->pmc_pos));
	memset(pmu->pmd_pos, PERFMON_NO_REG, sizeof(pmu->pmd_pos));
	memset(perfmon_desc_extra, PERFMON_NO_REG, sizeof(perfmon_desc_extra));
	fill(pmu);
	add_tsc(pmu);
	return 0;
}

void __init perfmon_arch_exit(void)
{
	perfctr_cpu_exit();
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

void perfmon_arch_offer(void)
{
	if (perfctr_design->nr_counters)
		perfctr_cpu_offer(service);
}

bool perfmon_arch_retain(void)
{
	return !perfctr_design->nr_counters || perfctr_cpu_retain(service);
}

unsigned long perfmon_arch_rest(void)
{
	return perfctr_cpu_rest();
}

bool perfmon_arch_all_read(void)
{
	return perfctr_design->nr_counters &&
	       static_key_enabled(&rdpmc_always_available_key);
}

const char *perfmon_arch_owner(void)
{
	return perfctr_cpu_owner();
}
