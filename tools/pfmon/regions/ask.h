/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Asking programs to count their regions: a file without a name that the command
 * gets as an open descriptor, with the registers in front of what processes add.
 */
#ifndef PFMON_ASK_H
#define PFMON_ASK_H

#include "registers/sets.h"

/*
 * The file, with its descriptor in the environment. -1 after a message. The events
 * have one set.
 */
int ask_regions(const struct event_sets *sets);

#endif /* PFMON_ASK_H */
