/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Modifiers of events (":e", ":c=2"), and the input of libpfm that carries
 * them: a structure of its own for each family of processors.
 */
#ifndef PFMON_MODIFIERS_H
#define PFMON_MODIFIERS_H

#include <perfmon/pfmlib_amd64.h>
#include <perfmon/pfmlib_core.h>
#include <perfmon/pfmlib_coreduo.h>
#include <perfmon/pfmlib_gen_ia32.h>
#include <perfmon/pfmlib_i386_p6.h>
#include <perfmon/pfmlib_intel_atom.h>
#include <perfmon/pfmlib_intel_nhm.h>
#include <stdbool.h>
#include <stddef.h>

struct modifiers {
	unsigned int levels; /* LEVEL_* that the event chooses itself */
	unsigned int threshold; /* 0 to 255 */
	bool edge;
	bool invert;
	bool any_thread;
	bool guest;
	bool host;
	unsigned int precise; /* how many letters p, 0 to 3 */
};

/* Model input of pfm_dispatch_events(). */
union modifiers_input {
	pfmlib_i386_p6_input_param_t p6;
	pfmlib_amd64_input_param_t amd64;
	pfmlib_core_input_param_t core;
	pfmlib_coreduo_input_param_t coreduo;
	pfmlib_intel_atom_input_param_t atom;
	pfmlib_gen_ia32_input_param_t arch;
	pfmlib_nhm_input_param_t nhm;
};

/*
 * Takes the modifiers that len characters are: several letters, or a threshold.
 * False if they are none.
 */
bool modifiers_parse(struct modifiers *modifiers, const char *text, size_t len);

/* Says that the text is no modifier of an event, and which ones it takes. Returns -1. */
int modifiers_refuse(const char *event, const char *text, const char *known);

/* Whether a counter has to be told of a modifier; levels are in the event. */
bool modifiers_any(const struct modifiers *modifiers);

/*
 * Adds the modifiers of event number index to the input of a model (of type
 * PFMLIB_*_PMU). False if the model cannot count so.
 */
bool modifiers_add(union modifiers_input *input, int type, unsigned int index,
		   const struct modifiers *modifiers);

#endif /* PFMON_MODIFIERS_H */
