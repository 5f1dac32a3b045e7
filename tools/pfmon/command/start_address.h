/* SPDX-License-Identifier: GPL-2.0-only */
/* Addresses of a program that a process has loaded. */
#ifndef PFMON_START_ADDRESS_H
#define PFMON_START_ADDRESS_H

#include <stdint.h>
#include <sys/types.h>

/*
 * Where the loader enters the program of the process, or a function of it begins, as
 * start_reach() names it. 0, or -1 after a message.
 */
int start_address(pid_t pid, const char *where, uint64_t *address);

#endif /* PFMON_START_ADDRESS_H */
