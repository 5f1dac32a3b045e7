/* SPDX-License-Identifier: GPL-2.0-only */
/* Events of PMUs that there are several of, as uncore_imc_0 and uncore_imc_1. */
#ifndef PFMON_INSTANCES_H
#define PFMON_INSTANCES_H

#include "events/event.h"

/*
 * Puts an event for each instance, with its name, in the place of one that adds them up.
 * -1 after a message: no memory; the list is to be freed in both cases.
 */
int events_split_instances(struct event_list *list);

#endif /* PFMON_INSTANCES_H */
