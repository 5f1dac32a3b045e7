/* SPDX-License-Identifier: GPL-2.0-only */
/* What becomes of the tasks that are sampled, and what they have mapped. */
#ifndef PFMON_TARGETS_H
#define PFMON_TARGETS_H

#include "record/recording.h"

/* A thread has got its session; -1 with errno if nobody will tell of it. */
int targets_thread(struct recording *recording, const struct task *task);

/* All that is there, since CPUs run anything. -1 with errno. */
int targets_everybody(struct recording *recording);

/* A thread executes another program. */
void targets_executed(struct recording *recording, const struct task *task);

/* A thread exits, or has. */
void targets_leaving(struct recording *recording, const struct task *task);
void targets_gone(struct recording *recording, const struct task *task);

/* Samples of the process were taken. */
void targets_look(struct recording *recording, pid_t pid);

/* The kernel and its modules. */
void targets_kernel(struct recording *recording);

#endif /* PFMON_TARGETS_H */
