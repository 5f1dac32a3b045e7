/* SPDX-License-Identifier: GPL-2.0-only */
/* Event sets: making them, and looking at them. */
#ifndef PFM_TEST_EVENT_SET_H
#define PFM_TEST_EVENT_SET_H

#include <stdbool.h>
#include <stdint.h>

#include <perfmon/perfmon.h>

/* Makes or changes a set. @timeout is in ns, for PFM_SETFL_TIME_SWITCH. */
int set_make(int fd, uint16_t id, uint32_t flags, uint64_t timeout);

int set_delete(int fd, uint16_t id);

/* Makes a set that counts user instructions on the first counter, from 0. */
int set_make_counting(int fd, uint16_t id, uint32_t flags, uint64_t timeout);

/* Writes the first counter's PMD of a set with attributes. */
int set_write_attr(int fd, uint16_t id, uint32_t reg_flags, uint64_t value,
		   const struct pfarg_pmd_attr *attr);

/* Reads the first counter's PMD of a set with attributes. */
int set_read_attr(int fd, uint16_t id, uint64_t *value,
		  struct pfarg_pmd_attr *attr);

/* The first counter's value in a set; it must be readable, see must.h. */
uint64_t set_value(int fd, uint16_t id);

int set_info(int fd, uint16_t id, struct pfarg_setinfo *info);

bool set_exists(int fd, uint16_t id);

/* One field of set_info(); the set must exist. */
uint64_t set_runs(int fd, uint16_t id);
uint64_t set_duration(int fd, uint16_t id);
uint64_t set_timeout(int fd, uint16_t id);

/* At least @ns, in whole units of the kernel's timers. */
uint64_t timer_round(uint64_t ns);

#endif
