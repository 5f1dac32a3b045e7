/* SPDX-License-Identifier: GPL-2.0-only */
/* The branches before samples: pfmon report --branches, and lines of pfmon script. */
#ifndef PFMON_VIEWS_BRANCHES_H
#define PFMON_VIEWS_BRANCHES_H

#include "views/view.h"

/*
 * A table of the branches of each event, by where they come from and go to. 0, or -1 after
 * a message.
 */
int branches_report(struct view *view);

/* A line for each branch of a sample, newest first. 0, or -1 after a message. */
int branches_print(const struct view *view,
		   const struct profile_sample *sample);

#endif /* PFMON_VIEWS_BRANCHES_H */
