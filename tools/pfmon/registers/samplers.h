/* SPDX-License-Identifier: GPL-2.0-only */
/* The registers of what makes precise samples. */
#ifndef PFMON_SAMPLERS_H
#define PFMON_SAMPLERS_H

#include "registers/assign.h"
#include "registers/available.h"

/* How many events of the list need no counter. */
int samplers_count(const struct event_list *list);

/* Whether an event has precise samples. */
bool samplers_any(const struct event_list *list);

/* Whether counters make records by themselves (PEBS). */
bool samplers_has_records(const struct event_list *list);

/* All are to be counted. 0, or -1 after a message: these cannot be. */
int samplers_check_counted(const struct event_list *list);

/* Gives these events their registers, before others. 0, or -1 after a message. */
int samplers_assign(struct plan *plan, const struct event_list *list,
		    const struct available *regs);

#endif /* PFMON_SAMPLERS_H */
