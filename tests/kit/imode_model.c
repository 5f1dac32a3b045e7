// SPDX-License-Identifier: GPL-2.0-only
/* A model of interrupt-mode counters that count user instructions. */
#include "imode_model.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int predict_set(int fd, int slot, const struct probe_control *control,
		struct predicted *p)
{
	int i;

	memset(p, 0, sizeof(*p));
	p->slot = (uint32_t)slot;
	p->first = probe_set(fd, slot, control);
	if (p->first < 0)
		return -1;
	for (i = 0; i < PROBE_COUNTERS && control->i_mode[i]; i++) {
		p->period[i] = control->period[i];
		p->left[i] = (uint64_t)control->period[i];
	}
	p->n = i;
	return 0;
}

/* Instructions to the next overflow. */
static uint64_t distance(const struct predicted *p)
{
	uint64_t nearest = UINT64_MAX;
	int i;

	for (i = 0; i < p->n; i++)
		if (p->left[i] < nearest)
			nearest = p->left[i];
	return nearest;
}

/* Goes on; those elements that overflow begin anew. Returns their bits. */
static uint32_t advance(struct predicted *p, uint64_t instructions)
{
	uint32_t overflowed = 0;
	int i;

	p->sum += instructions;
	for (i = 0; i < p->n; i++) {
		p->left[i] -= instructions;
		if (p->left[i])
			continue;
		p->left[i] = (uint64_t)p->period[i];
		overflowed |= 1U << (p->first + i);
	}
	return overflowed;
}

static bool right_sums(const struct predicted *p,
		       const struct perfctr_probe_record *record)
{
	int i;

	for (i = p->first; i < p->first + p->n; i++)
		if (i < PERFCTR_PROBE_RECORD_SUMS && record->sum[i] != p->sum)
			return false;
	return true;
}

/*
 * In a run, how many overflows at user level may be found in the kernel: there
 * another interrupt has come at the same instruction and is handled first.
 */
#define MAX_SECOND 2

static bool right_address(uint64_t address,
			  const struct perfctr_probe_record *record,
			  unsigned int *second)
{
	if (address && record->ip == address)
		return true;
	return probe_in_kernel(record->ip) &&
	       (!address || ++*second <= MAX_SECOND);
}

const char *predict_run(struct predicted *p, unsigned long iterations,
			const struct perfctr_probe_record *records,
			unsigned int n)
{
	const uint64_t length = probe_run_length(iterations);
	uint64_t executed = 0, address = 0;
	static char wrong[256];
	unsigned int i = 0, second = 0;
	uint32_t overflowed;

	while (distance(p) <= length - executed) {
		executed += distance(p);
		overflowed = advance(p, distance(p));
		address = probe_run_address(iterations, executed);
		if (i < n && records[i].slot == p->slot &&
		    records[i].overflowed == overflowed &&
		    right_sums(p, &records[i]) &&
		    right_address(address, &records[i], &second)) {
			i++;
			continue;
		}
		snprintf(
			wrong, sizeof(wrong),
			"overflow %u of %u: instruction %llu, elements %x, "
			"address %llx; got elements %x, address %llx, sum %llu",
			i, n, (unsigned long long)p->sum, overflowed,
			(unsigned long long)address,
			i < n ? records[i].overflowed : 0,
			i < n ? (unsigned long long)records[i].ip : 0,
			i < n ? (unsigned long long)records[i].sum[p->first] :
				0);
		return wrong;
	}
	advance(p, length - executed);
	if (i == n)
		return NULL;
	snprintf(wrong, sizeof(wrong), "%u overflows instead of %u", n, i);
	return wrong;
}
