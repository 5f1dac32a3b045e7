// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kinds of retired instructions that each event counts, by model. Used by
 * models.c. Events of other codes, also unions of these, come at a rate of their own.
 *
 * Sources: libpfm4's tables of events (its file is named), and the event files of
 * Linux 6.12, tools/perf/pmu-events/arch/x86/ (the folder is named).
 */

#include "design.h"

/* All bits, where the event has no unit masks: none of them. */
#define ALL_BITS 0xfffffu
#define EVENT_BITS 0xf00ffu

#define KIND(kind) (1u << PMU_##kind)

#define CONDITIONAL (KIND(COND_TAKEN) | KIND(COND_NOT_TAKEN))
#define CALLS (KIND(CALL) | KIND(CALL_INDIRECT))
#define INDIRECT (KIND(JUMP_INDIRECT) | KIND(CALL_INDIRECT))
#define UNCONDITIONAL (KIND(JUMP) | KIND(JUMP_INDIRECT) | CALLS | KIND(RETURN))
#define NEAR_TAKEN (KIND(COND_TAKEN) | UNCONDITIONAL)
#define TAKEN (NEAR_TAKEN | KIND(FAR))
#define BRANCHES (TAKEN | KIND(COND_NOT_TAKEN))

#define LOADS (KIND(LOAD) | KIND(LOAD_STORE))
#define STORES (KIND(STORE) | KIND(LOAD_STORE))
#define MEMORY (LOADS | STORES)

/*
 * amd64_events_k8.h, amd64_events_fam10h.h, amd64_events_fam15h.h; amd64_events_k7.h
 * without the last one.
 */
const struct pmu_retired_event pmu_retired_k7[] = {
	{ 0xc2, EVENT_BITS, BRANCHES },
	{ 0xc4, EVENT_BITS, TAKEN },
	{ 0xc6, EVENT_BITS, KIND(FAR) },
	{ 0xc8, EVENT_BITS, KIND(RETURN) },
	{ 0, 0, 0 },
};

/* amdzen1 */
const struct pmu_retired_event pmu_retired_zen[] = {
	{ 0xc2, EVENT_BITS, BRANCHES },	   { 0xc4, EVENT_BITS, TAKEN },
	{ 0xc6, EVENT_BITS, KIND(FAR) },   { 0xc8, EVENT_BITS, KIND(RETURN) },
	{ 0xd1, EVENT_BITS, CONDITIONAL }, { 0, 0, 0 },
};

/* amdzen4, amdzen5 */
const struct pmu_retired_event pmu_retired_zen4[] = {
	{ 0xc2, EVENT_BITS, BRANCHES },
	{ 0xc4, EVENT_BITS, TAKEN },
	{ 0xc6, EVENT_BITS, KIND(FAR) },
	{ 0xc8, EVENT_BITS, KIND(RETURN) },
	{ 0xcc, EVENT_BITS, INDIRECT },
	{ 0xd1, EVENT_BITS, CONDITIONAL },
	{ 0x100c9, EVENT_BITS, UNCONDITIONAL | KIND(FAR) },
	{ 0, 0, 0 },
};

/* intel_p6_events.h, intel_coreduo_events.h */
const struct pmu_retired_event pmu_retired_p6[] = {
	{ 0xc4, EVENT_BITS, BRANCHES },
	{ 0xc9, EVENT_BITS, TAKEN },
	{ 0, 0, 0 },
};

/* intel_core_events.h: a branch is predicted or not, and taken or not. */
const struct pmu_retired_event pmu_retired_core2[] = {
	{ 0x00c4, ALL_BITS, BRANCHES },
	{ 0x03c4, ALL_BITS, KIND(COND_NOT_TAKEN) },
	{ 0x0cc4, ALL_BITS, TAKEN },
	{ 0x0fc4, ALL_BITS, BRANCHES },
	{ 0x01c0, ALL_BITS, LOADS },
	{ 0x02c0, ALL_BITS, STORES },
	{ 0, 0, 0 },
};

/* The event of CPUID's leaf 10. lunarlake has no other ones, either. */
const struct pmu_retired_event pmu_retired_arch[] = {
	{ 0x00c4, ALL_BITS, BRANCHES },
	{ 0, 0, 0 },
};

/* nehalemep, westmereep-sp */
const struct pmu_retired_event pmu_retired_nehalem[] = {
	{ 0x00c4, ALL_BITS, BRANCHES },
	{ 0x01c4, ALL_BITS, CONDITIONAL },
	{ 0x02c4, ALL_BITS, CALLS },
	{ 0x04c4, ALL_BITS, BRANCHES },
	{ 0x010b, ALL_BITS, LOADS },
	{ 0x020b, ALL_BITS, STORES },
	{ 0x100b, ALL_BITS, LOADS }, /* above a latency */
	{ 0, 0, 0 },
};

/* sandybridge, ivybridge, haswell, broadwell, skylake: some call them micro-operations. */
const struct pmu_retired_event pmu_retired_sandy_bridge[] = {
	{ 0x00c4, ALL_BITS, BRANCHES },
	{ 0x01c4, ALL_BITS, CONDITIONAL },
	{ 0x02c4, ALL_BITS, CALLS },
	{ 0x04c4, ALL_BITS, BRANCHES },
	{ 0x08c4, ALL_BITS, KIND(RETURN) },
	{ 0x10c4, ALL_BITS, KIND(COND_NOT_TAKEN) },
	{ 0x20c4, ALL_BITS, NEAR_TAKEN },
	{ 0x40c4, ALL_BITS, KIND(FAR) },
	{ 0x01cd, ALL_BITS, LOADS }, /* above a latency */
	{ 0x21d0, ALL_BITS, KIND(LOCKED) },
	{ 0x81d0, ALL_BITS, LOADS },
	{ 0x82d0, ALL_BITS, STORES },
	{ 0, 0, 0 },
};

/* icelakex, sapphirerapids, graniterapids, alderlake's cpu_core */
const struct pmu_retired_event pmu_retired_ice_lake[] = {
	{ 0x00c4, ALL_BITS, BRANCHES },
	{ 0x01c4, ALL_BITS, KIND(COND_TAKEN) },
	{ 0x02c4, ALL_BITS, CALLS },
	{ 0x08c4, ALL_BITS, KIND(RETURN) },
	{ 0x10c4, ALL_BITS, KIND(COND_NOT_TAKEN) },
	{ 0x11c4, ALL_BITS, CONDITIONAL },
	{ 0x20c4, ALL_BITS, NEAR_TAKEN },
	{ 0x40c4, ALL_BITS, KIND(FAR) },
	{ 0x80c4, ALL_BITS, INDIRECT },
	{ 0x01cd, ALL_BITS, LOADS }, /* above a latency */
	{ 0x21d0, ALL_BITS, KIND(LOCKED) },
	{ 0x81d0, ALL_BITS, LOADS },
	{ 0x82d0, ALL_BITS, STORES },
	{ 0x83d0, ALL_BITS, MEMORY },
	{ 0, 0, 0 },
};

/* alderlake's cpu_atom, sierraforest */
const struct pmu_retired_event pmu_retired_gracemont[] = {
	{ 0x00c4, ALL_BITS, BRANCHES },
	{ 0x7ec4, ALL_BITS, CONDITIONAL },
	{ 0xbfc4, ALL_BITS, KIND(FAR) },
	{ 0xc0c4, ALL_BITS, NEAR_TAKEN },
	{ 0xebc4, ALL_BITS, INDIRECT },
	{ 0xf7c4, ALL_BITS, KIND(RETURN) },
	{ 0xf9c4, ALL_BITS, CALLS },
	{ 0xfbc4, ALL_BITS, KIND(CALL_INDIRECT) },
	{ 0xfdc4, ALL_BITS, KIND(CALL) },
	{ 0xfec4, ALL_BITS, KIND(COND_TAKEN) },
	{ 0x21d0, ALL_BITS, KIND(LOCKED) },
	{ 0x81d0, ALL_BITS, LOADS },
	{ 0x82d0, ALL_BITS, STORES },
	{ 0, 0, 0 },
};
