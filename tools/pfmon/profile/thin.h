/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples of an event whose period has doubled meanwhile (reg_smpl_rate of perfmon): of
 * those from before a doubling each second one is left out, so that all that are kept
 * stand for a period of the same mean.
 */
#ifndef PFMON_THIN_H
#define PFMON_THIN_H

#include <stdbool.h>
#include <stdint.h>

/* A period of 64 bits doubles less often. */
#define THIN_DOUBLED_MAX 63

/* What an event's samples are, as far as they were seen. */
struct thin {
	unsigned int doubled; /* the last period, which the samples are to have */
	/* How many are kept up to so many doublings, and no further. */
	uint64_t lasts[THIN_DOUBLED_MAX + 1];
};

/*
 * number: of the sample in its file, of all events, so that whoever reads the file keeps
 * the same ones; doubled: how often its period had, at most THIN_DOUBLED_MAX.
 */
void thin_see(struct thin *thin, uint32_t number, unsigned int doubled);

/* Whether a sample is kept, and how many are not, when all have been seen. */
bool thin_keeps(const struct thin *thin, uint32_t number, unsigned int doubled);
uint64_t thin_left_out(const struct thin *thin);

#endif /* PFMON_THIN_H */
