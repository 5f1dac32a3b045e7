/* SPDX-License-Identifier: MIT */
/* The models that the library supports (pfmlib_models.c). */
#ifndef PFMLIB_MODELS_H
#define PFMLIB_MODELS_H

#include "pmu/pfmlib_model.h"

/* In the order of detection; ends with a row without a name. */
extern const struct pfmlib_model pfmlib_models[];

/* NULL: not supported. */
const struct pfmlib_model *pfmlib_model_of(int type);

#endif /* PFMLIB_MODELS_H */
