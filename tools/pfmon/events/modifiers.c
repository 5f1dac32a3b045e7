// SPDX-License-Identifier: GPL-2.0-only
/* Modifiers of events, see modifiers.h. */
#include "events/modifiers.h"

#include <ctype.h>
#include <stdlib.h>

#include "diag.h"
#include "events/event.h"

#define THRESHOLD_MAX 255
#define PRECISE_MAX 3
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

static bool parse_threshold(struct modifiers *modifiers, const char *text,
			    size_t len)
{
	unsigned long value;
	char *end;

	if (len < 3 || text[1] != '=' || !isdigit((unsigned char)text[2]))
		return false;
	value = strtoul(text + 2, &end, 0);
	if (end != text + len || value > THRESHOLD_MAX)
		return false;
	modifiers->threshold = (unsigned int)value;
	return true;
}

static bool parse_letter(struct modifiers *modifiers, char letter)
{
	switch (tolower((unsigned char)letter)) {
	case 'u':
		modifiers->levels |= LEVEL_USER;
		return true;
	case 'k':
		modifiers->levels |= LEVEL_KERNEL;
		return true;
	case 'e':
		return modifiers->edge = true;
	case 'i':
		return modifiers->invert = true;
	case 't':
		return modifiers->any_thread = true;
	case 'g':
		return modifiers->guest = true;
	case 'h':
		return modifiers->host = true;
	case 'p':
		return ++modifiers->precise <= PRECISE_MAX;
	default:
		return false;
	}
}

/* Nothing is changed unless all letters are modifiers. */
bool modifiers_parse(struct modifiers *modifiers, const char *text, size_t len)
{
	struct modifiers changed = *modifiers;

	if (!len)
		return false;
	if (tolower((unsigned char)*text) == 'c')
		return parse_threshold(modifiers, text, len);
	for (size_t i = 0; i < len; i++) {
		if (!parse_letter(&changed, text[i]))
			return false;
	}
	*modifiers = changed;
	return true;
}

int modifiers_refuse(const char *event, const char *text, const char *known)
{
	return diag("event %s: unknown modifier %s; %s", event, text, known);
}

bool modifiers_any(const struct modifiers *modifiers)
{
	return modifiers->threshold || modifiers->edge || modifiers->invert ||
	       modifiers->any_thread || modifiers->guest || modifiers->host;
}

/* The modifiers of a family, as flags of its input structure. */
struct flags {
	unsigned int invert, edge, any_thread, guest, host;
};

static bool translate(const struct flags *known,
		      const struct modifiers *modifiers, unsigned int *flags)
{
	if ((modifiers->any_thread && !known->any_thread) ||
	    (modifiers->guest && !known->guest) ||
	    (modifiers->host && !known->host))
		return false;
	*flags = (modifiers->invert ? known->invert : 0) |
		 (modifiers->edge ? known->edge : 0) |
		 (modifiers->any_thread ? known->any_thread : 0) |
		 (modifiers->guest ? known->guest : 0) |
		 (modifiers->host ? known->host : 0);
	return true;
}

/*
 * Puts the threshold into the structure of a family and returns where the flags
 * belong, or leaves the function that it is used in.
 */
#define TAKE(counters)                                  \
	do {                                            \
		if (index >= ARRAY_SIZE(counters))      \
			return NULL;                    \
		(counters)[index].cnt_mask = threshold; \
		return &(counters)[index].flags;        \
	} while (0)

static bool is_nehalem_or_later(int type)
{
	return (type >= PFMLIB_INTEL_NHM_PMU && type <= PFMLIB_INTEL_KNL_PMU) ||
	       (type >= PFMLIB_INTEL_GLC_PMU && type <= PFMLIB_INTEL_RWC_PMU) ||
	       (type >= PFMLIB_INTEL_CMT_PMU &&
		type <= PFMLIB_INTEL_HYBRID_PMU);
}

/* NULL: no such counter, or a family without modifiers. */
static unsigned int *take_counter(union modifiers_input *input, int type,
				  unsigned int index, unsigned int threshold)
{
	switch (type) {
	case PFMLIB_INTEL_PPRO_PMU:
	case PFMLIB_INTEL_PII_PMU:
	case PFMLIB_I386_P6_PMU:
	case PFMLIB_I386_PM_PMU:
		TAKE(input->p6.pfp_i386_p6_counters);
	case PFMLIB_AMD64_PMU:
		TAKE(input->amd64.pfp_amd64_counters);
	case PFMLIB_CORE_PMU:
		TAKE(input->core.pfp_core_counters);
	case PFMLIB_COREDUO_PMU:
		TAKE(input->coreduo.pfp_coreduo_counters);
	case PFMLIB_INTEL_ATOM_PMU:
		TAKE(input->atom.pfp_intel_atom_counters);
	case PFMLIB_GEN_IA32_PMU:
		TAKE(input->arch.pfp_gen_ia32_counters);
	default:
		if (!is_nehalem_or_later(type))
			return NULL;
		TAKE(input->nhm.pfp_nhm_counters);
	}
}

static const struct flags *flags_of(int type)
{
	static const struct flags p6 = { PFM_I386_P6_SEL_INV,
					 PFM_I386_P6_SEL_EDGE, 0, 0, 0 };
	static const struct flags core = { PFM_CORE_SEL_INV, PFM_CORE_SEL_EDGE,
					   0, 0, 0 };
	static const struct flags coreduo = { PFM_COREDUO_SEL_INV,
					      PFM_COREDUO_SEL_EDGE, 0, 0, 0 };
	static const struct flags amd = { PFM_AMD64_SEL_INV, PFM_AMD64_SEL_EDGE,
					  0, PFM_AMD64_SEL_GUEST,
					  PFM_AMD64_SEL_HOST };
	static const struct flags atom = { PFM_INTEL_ATOM_SEL_INV,
					   PFM_INTEL_ATOM_SEL_EDGE,
					   PFM_INTEL_ATOM_SEL_ANYTHR, 0, 0 };
	static const struct flags arch = { PFM_GEN_IA32_SEL_INV,
					   PFM_GEN_IA32_SEL_EDGE,
					   PFM_GEN_IA32_SEL_ANYTHR, 0, 0 };
	static const struct flags nhm = { PFM_NHM_SEL_INV, PFM_NHM_SEL_EDGE,
					  PFM_NHM_SEL_ANYTHR, 0, 0 };

	switch (type) {
	case PFMLIB_AMD64_PMU:
		return &amd;
	case PFMLIB_CORE_PMU:
		return &core;
	case PFMLIB_COREDUO_PMU:
		return &coreduo;
	case PFMLIB_INTEL_ATOM_PMU:
		return &atom;
	case PFMLIB_GEN_IA32_PMU:
		return &arch;
	case PFMLIB_INTEL_PPRO_PMU:
	case PFMLIB_INTEL_PII_PMU:
	case PFMLIB_I386_P6_PMU:
	case PFMLIB_I386_PM_PMU:
		return &p6;
	default:
		return &nhm;
	}
}

bool modifiers_add(union modifiers_input *input, int type, unsigned int index,
		   const struct modifiers *modifiers)
{
	unsigned int *flags =
		take_counter(input, type, index, modifiers->threshold);

	return flags && translate(flags_of(type), modifiers, flags);
}
