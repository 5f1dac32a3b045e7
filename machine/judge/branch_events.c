// SPDX-License-Identifier: GPL-2.0-only
/*
 * The events of retired branches, by processor, as libpfm4 and Linux' event files
 * have them: written down here a second time, apart from the model's table.
 */

#include <cpuid.h>
#include <stddef.h>

#include "judge.h"

#define K(kind) (1u << BRANCH_##kind)
#define COND (K(COND_TAKEN) | K(COND_NOT_TAKEN))
#define CALLS (K(CALL) | K(CALL_INDIRECT))
#define INDIRECT (K(JUMP_INDIRECT) | K(CALL_INDIRECT))
#define NEAR_TAKEN (BRANCHES_ALL & ~(K(FAR) | K(COND_NOT_TAKEN)))
#define TAKEN (BRANCHES_ALL & ~K(COND_NOT_TAKEN))

#define AMD_EVENTS                                                             \
	{ "branches", 0xc2, BRANCHES_ALL }, { "taken branches", 0xc4, TAKEN }, \
	{                                                                      \
		"far transfers", 0xc6, K(FAR)                                  \
	}

static const struct branch_event k7[] = {
	AMD_EVENTS,
	{ NULL, 0, 0 },
};

static const struct branch_event k8[] = {
	AMD_EVENTS,
	{ "near returns", 0xc8, K(RETURN) },
	{ NULL, 0, 0 },
};

static const struct branch_event zen[] = {
	AMD_EVENTS,
	{ "near returns", 0xc8, K(RETURN) },
	{ "conditional branches", 0xd1, COND },
	{ NULL, 0, 0 },
};

static const struct branch_event zen4[] = {
	AMD_EVENTS,
	{ "near returns", 0xc8, K(RETURN) },
	{ "indirect branches", 0xcc, INDIRECT },
	{ "conditional branches", 0xd1, COND },
	{ "unconditional branches", 0x1000000c9, BRANCHES_ALL & ~COND },
	{ NULL, 0, 0 },
};

static const struct branch_event p6[] = {
	{ "branches", 0xc4, BRANCHES_ALL },
	{ "taken branches", 0xc9, TAKEN },
	{ NULL, 0, 0 },
};

static const struct branch_event core2[] = {
	{ "branches", 0xc4, BRANCHES_ALL },
	{ "branches not taken", 0x3c4, K(COND_NOT_TAKEN) },
	{ "taken branches", 0xcc4, TAKEN },
	{ NULL, 0, 0 },
};

static const struct branch_event nehalem[] = {
	{ "branches", 0xc4, BRANCHES_ALL },
	{ "conditional branches", 0x1c4, COND },
	{ "near calls", 0x2c4, CALLS },
	{ NULL, 0, 0 },
};

static const struct branch_event haswell[] = {
	{ "branches", 0xc4, BRANCHES_ALL },
	{ "conditional branches", 0x1c4, COND },
	{ "near calls", 0x2c4, CALLS },
	{ "near returns", 0x8c4, K(RETURN) },
	{ "branches not taken", 0x10c4, K(COND_NOT_TAKEN) },
	{ "near taken branches", 0x20c4, NEAR_TAKEN },
	{ "far branches", 0x40c4, K(FAR) },
	{ NULL, 0, 0 },
};

static const struct branch_event ice_lake[] = {
	{ "branches", 0xc4, BRANCHES_ALL },
	{ "conditional taken branches", 0x1c4, K(COND_TAKEN) },
	{ "near calls", 0x2c4, CALLS },
	{ "near returns", 0x8c4, K(RETURN) },
	{ "branches not taken", 0x10c4, K(COND_NOT_TAKEN) },
	{ "conditional branches", 0x11c4, COND },
	{ "near taken branches", 0x20c4, NEAR_TAKEN },
	{ "far branches", 0x40c4, K(FAR) },
	{ "indirect branches", 0x80c4, INDIRECT },
	{ NULL, 0, 0 },
};

static const struct branch_event gracemont[] = {
	{ "branches", 0xc4, BRANCHES_ALL },
	{ "conditional branches", 0x7ec4, COND },
	{ "far branches", 0xbfc4, K(FAR) },
	{ "indirect branches", 0xebc4, INDIRECT },
	{ "near returns", 0xf7c4, K(RETURN) },
	{ "near calls", 0xf9c4, CALLS },
	{ "indirect calls", 0xfbc4, K(CALL_INDIRECT) },
	{ "conditional taken branches", 0xfec4, K(COND_TAKEN) },
	{ NULL, 0, 0 },
};

/* Intel's family 6, by the models of machine/cpus. */
static const struct {
	unsigned int model;
	const struct branch_event *events;
} intel[] = {
	{ 1, p6 },	    { 3, p6 },	       { 5, p6 },
	{ 6, p6 },	    { 7, p6 },	       { 8, p6 },
	{ 13, p6 },	    { 14, p6 },	       { 15, core2 },
	{ 23, core2 },	    { 26, nehalem },   { 44, nehalem },
	{ 60, haswell },    { 94, haswell },   { 106, ice_lake },
	{ 143, ice_lake },  { 151, ice_lake }, { 173, ice_lake },
	{ 175, gracemont }, { 207, ice_lake },
};

static const struct branch_event *find_intel(unsigned int model)
{
	size_t i;

	if (find_kind() == KIND_ATOM)
		return gracemont;
	for (i = 0; i < sizeof(intel) / sizeof(intel[0]); i++)
		if (intel[i].model == model)
			return intel[i].events;
	return NULL;
}

static const struct branch_event *find_amd(unsigned int family,
					   unsigned int model)
{
	switch (family) {
	case 6:
		return k7;
	case 0x0f:
	case 0x10:
	case 0x15:
		return k8;
	case 0x17:
		return zen;
	case 0x19: /* Zen 3 is one, too */
		return model >= 0x10 && model < 0x20 ? zen4 : zen;
	case 0x1a:
		return zen4;
	default:
		return NULL;
	}
}

struct processor {
	unsigned int vendor, family, model;
};

static struct processor find_processor(void)
{
	unsigned int eax = 0, vendor = 0, ecx, edx, family;

	__get_cpuid(0, &eax, &vendor, &ecx, &edx);
	__get_cpuid(1, &eax, &ecx, &ecx, &edx);
	family = (eax >> 8 & 0xf) +
		 ((eax >> 8 & 0xf) == 15 ? eax >> 20 & 0xff : 0);
	return (struct processor){ vendor, family,
				   (eax >> 4 & 0xf) | (eax >> 12 & 0xf0) };
}

const struct branch_event *find_branch_events(void)
{
	const struct processor cpu = find_processor();

	if (cpu.vendor == signature_AMD_ebx)
		return find_amd(cpu.family, cpu.model);
	if (cpu.vendor == signature_INTEL_ebx && cpu.family == 6)
		return find_intel(cpu.model);
	return NULL;
}

/* Intel's and later AMD's counters stand still unless a global control has them. */
uint32_t spare_selector(void)
{
	const struct processor cpu = find_processor();

	if (cpu.vendor != signature_AMD_ebx || cpu.family > 0x17)
		return 0;
	return cpu.family < 0x15 ? 0xc0010003 : 0xc001020a;
}

const struct branch_event *find_branch_event(uint32_t kinds)
{
	const struct branch_event *event = find_branch_events();

	for (; event && event->name; event++)
		if (event->kinds == kinds)
			return event;
	return NULL;
}
