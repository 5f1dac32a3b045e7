/* SPDX-License-Identifier: GPL-2.0-only */
/* What pfmon makes of events by name, on models that are chosen. */
#ifndef PARSED_H
#define PARSED_H

#include <stddef.h>
#include <stdint.h>

#include "events/event.h"

#define CORE2 "36,6,15,0"
#define NEHALEM "40,6,26,0"
#define SANDY_BRIDGE "42,6,42,0"
#define IVY_BRIDGE "43,6,58,0"
#define BROADWELL "45,6,61,0"
#define SKYLAKE "46,6,94,0"
#define ICE_LAKE "47,6,125,0"
#define SAPPHIRE_RAPIDS "48,6,143,0"
#define SILVERMONT "49,6,55,0"
#define KNIGHTS_LANDING "52,6,87,0"
#define GRACEMONT "61,6,190,0"
#define HYBRID "82,6,151,0"
#define P6 "32"
#define PENTIUM_4 "33"
#define K8 "16,15,5,1"
#define ZEN1 "16,23,1,0"
#define ZEN2 "16,23,49,0"
#define ZEN4 "16,25,97,0"

/* What was parsed last; to be freed by who parses. */
extern struct event_list parsed_list;

/* The first event of a text, which is taken. */
const struct event *parse(const char *model, const char *text);

/* An event that is a value of a selector. */
struct value {
	const char *model, *text;
	uint64_t selector; /* without levels and enable */
	uint64_t extra;
	unsigned int fixed;
	const char *full_name; /* NULL: no matter */
};

void expect_values(const struct value *values, size_t count);

/* Each row is a model, an event, and what its refusal says. */
void expect_refusals(const char *const rows[][3], size_t count);

#endif /* PARSED_H */
