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
 * The events of a type's default sub-model, whatever the current PMU is; NULL
 * if it is not supported or memory is short.  Nothing but the events is set.
 */
const struct pfmlib_pmu *pfmlib_model_events(int type);

#endif /* PFMLIB_MODELS_H */
