/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers that look like random ones and are the same in each run. */
#ifndef PFMON_SCATTER_H
#define PFMON_SCATTER_H

#include <stdint.h>

/* Each bit depends on all bits of the number: the finalizer of SplitMix64. */
static inline uint64_t scatter(uint64_t number)
{
	number += 0x9e3779b97f4a7c15;
	number = (number ^ number >> 30) * 0xbf58476d1ce4e5b9;
	number = (number ^ number >> 27) * 0x94d049bb133111eb;
	return number ^ number >> 31;
}

#endif /* PFMON_SCATTER_H */
