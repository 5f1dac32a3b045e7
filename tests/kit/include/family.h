/* SPDX-License-Identifier: GPL-2.0-only */
/* Sessions with PFM_FL_INHERIT, and programs whose members inherit them. */
#ifndef PFM_TEST_FAMILY_H
#define PFM_TEST_FAMILY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A session that is inherited and counts user instructions, or -1. */
int family_session(int flags);

/* What all of the family have counted in a set, or in set 0. */
uint64_t family_set_value(int fd, uint16_t set);
uint64_t family_value(int fd);

/* PFM_LOSS_*. */
uint64_t family_loss(int fd, int which);

/*
 * Are so many sessions and parts attached? A module makes the part of a child when
 * this begins to run, so it is waited for there.
 */
bool family_attached(long n);

/* At most so many words of a crowd. */
#define FAMILY_WORDS 5

/*
 * Starts a child that is counted from its execve() of tests/tools/crowd.c on, whose
 * words @args are; NULL ends them.
 */
pid_t family_start(int fd, const char *const *args);

/*
 * The same, attached by the caller: the target of a session with PFM_FL_NOTIFY_BLOCK
 * may not attach it to itself.
 */
pid_t family_start_attached(int fd, const char *const *args);

#endif
