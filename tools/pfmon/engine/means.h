/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * By what means threads and children are followed. The kernel does it for nearly
 * nothing, by one session that they inherit, and knows one sum of all; as a tracer
 * pfmon sees each of them.
 */
#ifndef PFMON_MEANS_H
#define PFMON_MEANS_H

#include "request.h"

/*
 * Which part of the request a session that is inherited has no answer to, and what
 * helps; NULL: it answers all.
 */
const char *means_obstacle(const struct request *request);

/*
 * The same of the events, whose sets end their turns by other events, or some of which
 * are of one kind of core only, or have records (PEBS).
 */
const char *means_obstacle_of_events(bool turns_by_events, bool of_one_kind,
				     bool makes_records);

/* The same of samples; waits: the kernel lets those wait whose buffer is full. */
const char *means_obstacle_of_samples(const struct request *request,
				      bool waits);

/*
 * Chooses the means. further: an obstacle beside the request, or NULL; inherits: the
 * kernel lets sessions be inherited, and reaches threads that run. 0, or -1 after a
 * message: what the user wants cannot be.
 */
int means_choose(const struct request *request, const char *further,
		 bool inherits, enum follow_means *means);

/*
 * Whether the kernel can do with threads that run what the request needs; reached: it
 * reads, starts and stops them. 0, or -1 after a message.
 */
int means_check_running(const struct request *request, bool reached);

/* As the option has it. */
const char *means_name(enum follow_means means);

#endif /* PFMON_MEANS_H */
