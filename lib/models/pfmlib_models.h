/* SPDX-License-Identifier: MIT */
/*
 * The models that the library supports (pfmlib_models.c), and their events
 * (pfmlib_init.c).
 */
#ifndef PFMLIB_MODELS_H
#define PFMLIB_MODELS_H

#include "pmu/pfmlib_pmu.h"

/* In the order of detection; ends with a row without a name. */
extern const struct pfmlib_model pfmlib_models[];

/* NULL if the type is not supported. */
const struct pfmlib_model *pfmlib_model_of(int type);

/*
 * The events of a type's default sub-model, independent of the current PMU;
 * NULL if the type is not supported or there is no memory.  Only the events are
 * set.
 */
const struct pfmlib_pmu *pfmlib_model_events(int type);

#endif /* PFMLIB_MODELS_H */
