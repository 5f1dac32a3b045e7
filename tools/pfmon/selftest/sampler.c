// SPDX-License-Identifier: GPL-2.0-only
/* Sampling of this thread, see sampler.h. */
#include "sampler.h"

#include <errno.h>
#include <perfmon/perfmon_dfl_smpl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The header, and entries with one value each. */
#define ENTRY_SIZE (sizeof(struct pfm_dfl_smpl_entry) + sizeof(uint64_t))
#define BUFFER_SIZE 16384ul

_Static_assert(sizeof(struct pfm_dfl_smpl_hdr) + SAMPLER_ROOM * ENTRY_SIZE <
		       BUFFER_SIZE,
	       "room for the samples");

void sampler_close(struct sampler *s)
{
	int error = errno;

	if (s->buffer != MAP_FAILED)
		munmap(s->buffer, BUFFER_SIZE);
	close(s->fd);
	errno = error;
}

/* The first counter with its period, the second with nothing but its value. */
static int write_counters(const struct sampler *s, uint64_t period)
{
	struct program copy = s->program;
	struct pfarg_pmd_attr attrs[COUNTERS_MAX];

	memset(attrs, 0, sizeof(attrs));
	attrs[0].reg_long_reset = -period;
	attrs[0].reg_short_reset = -period;
	copy.pmds[0].reg_value = -period;
	if (copy.pmd_count > 1)
		attrs[0].reg_smpl_pmds[copy.pmds[1].reg_num / 64] =
			1ull << copy.pmds[1].reg_num % 64;
	if (pfm_write_pmrs(s->fd, PFM_RWFL_PMC, copy.pmcs, copy.pmc_count))
		return -1;
	return pfm_write_pmrs(s->fd, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR,
			      copy.pmds, copy.pmd_count, attrs);
}

static int read_period(struct sampler *s)
{
	struct pfarg_pmr pmd = s->program.pmds[0];

	if (pfm_read_pmrs(s->fd, PFM_RWFL_PMD, &pmd, 1))
		return -1;
	s->period = -pmd.reg_value;
	return 0;
}

int sampler_open(struct sampler *s, const struct pmu *pmu,
		 const struct counter *counter, const struct counter *reference,
		 uint64_t period)
{
	struct pfm_dfl_smpl_arg arg = { .buf_size = BUFFER_SIZE };

	memset(s, 0, sizeof(*s));
	s->buffer = MAP_FAILED;
	errno = EINVAL;
	if (program_add(&s->program, pmu, counter, &pmu->instructions,
			PFM_PLM3) ||
	    (reference && program_add(&s->program, pmu, reference,
				      &pmu->instructions, PFM_PLM3)))
		return -1;
	s->fd = pfm_create_session(PFM_FL_SMPL_FMT | PFM_FL_CLOEXEC,
				   PFM_DFL_SMPL_NAME, &arg, sizeof(arg));
	if (s->fd < 0)
		return -1;
	s->buffer = mmap(NULL, BUFFER_SIZE, PROT_READ, MAP_PRIVATE, s->fd, 0);
	if (s->buffer == MAP_FAILED || write_counters(s, period) ||
	    read_period(s) ||
	    pfm_attach_session(s->fd, 0, (int)syscall(SYS_gettid))) {
		sampler_close(s);
		return -1;
	}
	return 0;
}

/* Calls "look" for each sample, with the value of the reference. */
static uint64_t for_each(const struct sampler *s,
			 void (*look)(uint64_t ip, uint64_t value, void *arg),
			 void *arg)
{
	const struct pfm_dfl_smpl_hdr *hdr = s->buffer;
	const char *at = (const char *)(hdr + 1);
	bool valued = s->program.pmd_count > 1;

	for (uint64_t i = 0; i < hdr->hdr_count; i++) {
		const struct pfm_dfl_smpl_entry *entry = (const void *)at;
		uint64_t value = 0;

		if (valued)
			memcpy(&value, entry + 1, sizeof(value));
		look(entry->ip, value, arg);
		at += sizeof(*entry) + (valued ? sizeof(value) : 0);
	}
	return hdr->hdr_count;
}

struct outside {
	bool (*inside)(uint64_t ip);
	uint64_t count;
};

static void look_at_address(uint64_t ip, uint64_t value, void *arg)
{
	struct outside *outside = arg;

	(void)value;
	outside->count += !outside->inside(ip);
}

struct skids {
	uint64_t *skids;
	int count;
	uint64_t period, last;
};

/* The counter was loaded anew when the last sample was taken. */
static void look_at_skid(uint64_t ip, uint64_t value, void *arg)
{
	struct skids *skids = arg;
	uint64_t due = skids->last + skids->period;

	(void)ip;
	if (skids->count < SAMPLER_ROOM)
		skids->skids[skids->count++] = value > due ? value - due : 0;
	skids->last = value;
}

int sampler_skids(const struct sampler *s, uint64_t *values)
{
	struct skids skids = { .skids = values, .period = s->period };

	if (s->program.pmd_count > 1)
		for_each(s, look_at_skid, &skids);
	return skids.count;
}

static uint64_t largest_skid(const struct sampler *s)
{
	uint64_t values[SAMPLER_ROOM], largest = 0;
	int count = sampler_skids(s, values);

	for (int i = 0; i < count; i++)
		largest = values[i] > largest ? values[i] : largest;
	return largest;
}

int sampler_result(const struct sampler *s, uint64_t executed,
		   bool (*inside)(uint64_t ip), struct sampled *sampled)
{
	struct outside outside = { inside, 0 };
	struct pfarg_setinfo info = { .set_id = 0 };
	struct program copy = s->program;

	if (pfm_read_pmrs(s->fd, PFM_RWFL_PMD, copy.pmds, copy.pmd_count) ||
	    pfm_getinfo_sets(s->fd, PFM_GIFL_LOSS, &info, 1))
		return -1;
	memset(sampled, 0, sizeof(*sampled));
	sampled->period = s->period;
	sampled->total = copy.pmd_count > 1 ? copy.pmds[1].reg_value : executed;
	sampled->samples = for_each(s, look_at_address, &outside);
	sampled->outside = outside.count;
	sampled->latest = largest_skid(s);
	sampled->throttled = info.set_reserved3[PFM_LOSS_THROTTLED_NS];
	return 0;
}
