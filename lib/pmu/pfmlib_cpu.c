// SPDX-License-Identifier: MIT
/* Reads a struct pfmlib_cpu from CPUID; called by pfmlib_init.c. */
#include "pfmlib_pmu.h"

#include <cpuid.h>
#include <string.h>

#define LEAF_FEATURES 7
#define LEAF_ARCH_PMU 0xa
#define LEAF_EXTENDED_FEATURES 0x80000001

#define FEATURE_TSC (1U << 4) /* leaf 1, EDX */
#define FEATURE_HYBRID (1U << 15) /* leaf 7, EDX */
#define FEATURE_CORE_EXT (1U << 23) /* LEAF_EXTENDED_FEATURES, ECX */

static enum pfmlib_vendor vendor_of(unsigned int ebx, unsigned int edx,
				    unsigned int ecx)
{
	static const struct {
		const char *name;
		enum pfmlib_vendor vendor;
	} vendors[] = {
		{ "GenuineIntel", PFMLIB_VENDOR_INTEL },
		{ "AuthenticAMD", PFMLIB_VENDOR_AMD },
		{ "HygonGenuine", PFMLIB_VENDOR_AMD },
		{ "CyrixInstead", PFMLIB_VENDOR_CYRIX },
		{ "CentaurHauls", PFMLIB_VENDOR_CENTAUR },
	};
	char name[12];

	memcpy(name, &ebx, sizeof(ebx));
	memcpy(name + 4, &edx, sizeof(edx));
	memcpy(name + 8, &ecx, sizeof(ecx));
	for (size_t i = 0; i < ARRAY_SIZE(vendors); i++) {
		if (!memcmp(name, vendors[i].name, sizeof(name)))
			return vendors[i].vendor;
	}
	return PFMLIB_VENDOR_OTHER;
}

/* Family and model as CPUID leaf 1 displays them in EAX. */
static void read_signature(struct pfmlib_cpu *cpu, unsigned int eax)
{
	cpu->stepping = eax & 0xf;
	cpu->model = eax >> 4 & 0xf;
	cpu->family = eax >> 8 & 0xf;
	/* Intel's family 6 has extended models, AMD's does not. */
	if (cpu->family == 0xf ||
	    (cpu->family == 6 && cpu->vendor == PFMLIB_VENDOR_INTEL))
		cpu->model |= eax >> 12 & 0xf0;
	if (cpu->family == 0xf)
		cpu->family += eax >> 20 & 0xff;
}

static void read_arch_pmu(struct pfmlib_cpu *cpu)
{
	unsigned int eax, ebx, ecx, edx;

	if (!__get_cpuid(LEAF_ARCH_PMU, &eax, &ebx, &ecx, &edx))
		return;
	cpu->arch_version = eax & 0xff;
	cpu->num_generic = eax >> 8 & 0xff;
	cpu->arch_unavail = ebx;
	if (cpu->arch_version < 2)
		return;
	cpu->num_fixed = edx & 0x1f;
	if (!cpu->num_fixed)
		cpu->num_fixed = PFMLIB_DEFAULT_FIXED;
}

static void read_hybrid(struct pfmlib_cpu *cpu)
{
	unsigned int eax, ebx, ecx, edx;

	if (__get_cpuid_count(LEAF_FEATURES, 0, &eax, &ebx, &ecx, &edx))
		cpu->is_hybrid = edx & FEATURE_HYBRID;
}

void pfmlib_read_cpu(struct pfmlib_cpu *cpu)
{
	unsigned int eax, ebx, ecx, edx;

	memset(cpu, 0, sizeof(*cpu));
	cpu->is_host = true;
	if (!__get_cpuid(0, &eax, &ebx, &ecx, &edx))
		return;
	cpu->vendor = vendor_of(ebx, edx, ecx);
	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx))
		return;
	read_signature(cpu, eax);
	cpu->has_tsc = edx & FEATURE_TSC;
	if (cpu->vendor == PFMLIB_VENDOR_INTEL) {
		read_arch_pmu(cpu);
		read_hybrid(cpu);
	}
	if (cpu->vendor == PFMLIB_VENDOR_AMD &&
	    __get_cpuid(LEAF_EXTENDED_FEATURES, &eax, &ebx, &ecx, &edx))
		cpu->has_core_ext = ecx & FEATURE_CORE_EXT;
}
