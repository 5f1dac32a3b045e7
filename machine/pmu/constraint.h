/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which programmable counters can count what a selector selects. The tables in
 * constraint_table.c are made from Linux' driver; models.c gives each model its
 * own. A counter whose selector chooses an event that it cannot count stands
 * still.
 *
 * Only pmu_model_counters() is for users of the model: tests that judge what
 * others have put on which counter.
 */
#ifndef PERFMON_TEST_PMU_CONSTRAINT_H
#define PERFMON_TEST_PMU_CONSTRAINT_H

#include <stdint.h>

/*
 * Bit n is set if programmable counter n of this model (a name of models.c) can
 * count what this selector selects: all counters if nothing restricts it, 0 for
 * no such model and for an event that none can count. It looks at the bits of
 * event and unit mask only, in the layout of the P6; models with other selectors
 * have no restrictions here.
 */
uint64_t pmu_model_counters(const char *model, uint64_t selector);

/*
 * A row holds for events first to last, of whose bits event_care matter (bits
 * 11:8 are the selector's 35:32, on AMD), with a unit mask that has the bits
 * umask where umask_care has ones.
 */
struct pmu_constraint {
	uint16_t first, last, event_care;
	uint8_t umask, umask_care;
	uint16_t counters; /* bit mask */
};

/* No event is behind 1 and before 0. */
/* clang-format off */
#define PMU_CONSTRAINTS_END { 1, 0, 0, 0, 0, 0 }
/* clang-format on */

extern const struct pmu_constraint pmu_constraints_p6[];
extern const struct pmu_constraint pmu_constraints_core_duo[];
extern const struct pmu_constraint pmu_constraints_core2[];
extern const struct pmu_constraint pmu_constraints_nehalem[];
extern const struct pmu_constraint pmu_constraints_westmere[];
extern const struct pmu_constraint pmu_constraints_sandy_bridge[];
extern const struct pmu_constraint pmu_constraints_ivy_bridge[];
extern const struct pmu_constraint pmu_constraints_haswell[];
extern const struct pmu_constraint pmu_constraints_broadwell[];
extern const struct pmu_constraint pmu_constraints_skylake[];
extern const struct pmu_constraint pmu_constraints_ice_lake[];
extern const struct pmu_constraint pmu_constraints_golden_cove[];
extern const struct pmu_constraint pmu_constraints_lion_cove[];
extern const struct pmu_constraint pmu_constraints_fam15h[];
extern const struct pmu_constraint pmu_constraints_zen[];

#endif
