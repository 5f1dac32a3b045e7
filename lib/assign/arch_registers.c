// SPDX-License-Identifier: MIT
/* Composes and emits selectors, fixed control and PMDs, see arch_counters.h. */
#include "arch_counters.h"

/* MSRs of counter 0; the others follow. */
#define PERFEVTSEL0 0x186
#define PERFCTR0 0xc1
#define FIXED_CTR0 0x309
#define FIXED_CTR_CTRL 0x38d

/* RDPMC takes this and the number of a fixed counter. */
#define RDPMC_FIXED 0x40000000

/* The field of a fixed counter in the control register. */
#define FIELD_BITS 4
#define FIELD_OS 0x1
#define FIELD_USR 0x2
#define FIELD_ANYTHR 0x4
#define FIELD_INT 0x8

#define CMASK_MAX 255
#define CMASK (255ULL << PFMLIB_SEL_CMASK_SHIFT)

/* Bits of unit masks of Core Duo and Core. */
#define UMASK_THIS_CORE (0x1ULL << 14)
#define UMASK_CORES (0x3ULL << 14)
#define UMASK_STATES (0xfULL << PFMLIB_SEL_UMASK_SHIFT)

uint64_t pfmlib_arch_code(const struct arch_call *call, unsigned int i)
{
	const pfmlib_event_t *event = &call->in->pfp_events[i];
	uint64_t code = call->pmu->events[event->event].code;
	uint64_t masks = pfmlib_mask_codes(call->pmu, event);

	return code | masks << PFMLIB_SEL_UMASK_SHIFT;
}

uint64_t pfmlib_arch_default_masks(uint64_t code, unsigned int bits)
{
	if (bits & ARCH_BY_CORE && !(code & UMASK_CORES))
		code |= UMASK_THIS_CORE;
	if (bits & ARCH_MESI && !(code & UMASK_STATES))
		code |= UMASK_STATES;
	return code;
}

int pfmlib_arch_modify(const struct arch_call *call, unsigned int i,
		       uint64_t code, uint64_t *value)
{
	const struct arch_modifiers *modifiers = &call->modifiers[i];

	*value = (code & (0xffff | PFMLIB_SEL_EDGE | PFMLIB_SEL_INV | CMASK)) |
		 PFMLIB_SEL_INT | PFMLIB_SEL_EN;
	if (modifiers->flags & ARCH_EDGE)
		*value |= PFMLIB_SEL_EDGE;
	if (modifiers->flags & ARCH_INV)
		*value |= PFMLIB_SEL_INV;
	if (!(code & CMASK)) {
		if (modifiers->cnt_mask > CMASK_MAX)
			return PFMLIB_ERR_INVAL;
		*value |= (uint64_t)modifiers->cnt_mask
			  << PFMLIB_SEL_CMASK_SHIFT;
	}
	return PFMLIB_SUCCESS;
}

int pfmlib_arch_select(struct arch_call *call, unsigned int i, uint64_t code)
{
	uint64_t value;
	int ret = pfmlib_arch_modify(call, i, code, &value);

	if (ret != PFMLIB_SUCCESS)
		return ret;
	value |= pfmlib_plm_bits(call->in, i);
	if (call->has_any_thread &&
	    (code & PFMLIB_SEL_ANY || call->modifiers[i].flags & ARCH_ANYTHR))
		value |= PFMLIB_SEL_ANY;
	call->selector[i] = value;
	return PFMLIB_SUCCESS;
}

static uint64_t fixed_field(const struct arch_call *call, unsigned int i)
{
	unsigned int plm = pfmlib_plm(call->in, i);
	uint64_t field = FIELD_INT;

	if (plm & PFM_PLM0)
		field |= FIELD_OS;
	if (plm & PFM_PLM3)
		field |= FIELD_USR;
	if (call->modifiers[i].flags & ARCH_ANYTHR)
		field |= FIELD_ANYTHR;
	return field << (call->counter[i] - ARCH_FIXED) * FIELD_BITS;
}

void pfmlib_arch_emit_fixed(const struct arch_call *call,
			    pfmlib_output_param_t *out)
{
	uint64_t control = 0;
	unsigned int i;

	for (i = 0; i < call->in->pfp_event_count; i++)
		if (pfmlib_arch_is_fixed(call, i))
			control |= fixed_field(call, i);
	if (control)
		pfmlib_emit_pmc(out, ARCH_FIXED, control, FIXED_CTR_CTRL);
}

void pfmlib_arch_emit_generic(const struct arch_call *call,
			      pfmlib_output_param_t *out)
{
	unsigned int i;

	for (i = 0; i < call->in->pfp_event_count; i++)
		if (pfmlib_arch_is_generic(call, i))
			pfmlib_emit_pmc(out, call->counter[i],
					call->selector[i],
					PERFEVTSEL0 + call->counter[i]);
}

void pfmlib_arch_emit_pmd(const struct arch_call *call, unsigned int i,
			  pfmlib_output_param_t *out)
{
	unsigned int counter = call->counter[i];

	if (pfmlib_arch_is_fixed(call, i))
		pfmlib_emit_pmd(out, counter,
				FIXED_CTR0 + (counter - ARCH_FIXED),
				RDPMC_FIXED + (counter - ARCH_FIXED));
	else
		pfmlib_emit_pmd(out, counter, PERFCTR0 + counter, counter);
}

void pfmlib_arch_emit_pmds(const struct arch_call *call,
			   pfmlib_output_param_t *out)
{
	unsigned int i;

	for (i = 0; i < call->in->pfp_event_count; i++)
		pfmlib_arch_emit_pmd(call, i, out);
}
