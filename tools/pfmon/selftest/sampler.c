// SPDX-License-Identifier: GPL-2.0-only
/* Sampling of this thread, see sampler.h. */
#include "sampler.h"

#include <errno.h>
#include <perfmon/perfmon_dfl_smpl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Entries have one value each, or none. */
#define HEADER_SIZE sizeof(struct pfm_dfl_smpl_hdr)
#define ENTRY_SIZE sizeof(struct pfm_dfl_smpl_entry)
#define BUFFER_SIZE 16384ul
#define BUFFER_SIZE_OF_ALL 40960ul

_Static_assert(HEADER_SIZE + SAMPLER_ROOM * (ENTRY_SIZE + sizeof(uint64_t)) <
		       BUFFER_SIZE,
	       "room for the samples");
_Static_assert(HEADER_SIZE + SAMPLER_ROOM_OF_ALL * ENTRY_SIZE <
		       BUFFER_SIZE_OF_ALL,
	       "room for the samples of all counters");

void sampler_close(struct sampler *s)
{
	int error = errno;

	if (s->buffer != MAP_FAILED)
		munmap(s->buffer, s->size);
	close(s->fd);
	errno = error;
}

static bool has_reference(const struct sampler *s)
{
	return s->program.pmd_count > s->sampling;
}

/* Writes the counters with their periods, and the reference without one. */
static int write_counters(const struct sampler *s, const uint64_t *periods)
{
	struct program copy = s->program;
	struct pfarg_pmd_attr attrs[COUNTERS_MAX];

	memset(attrs, 0, sizeof(attrs));
	for (int i = 0; i < s->sampling; i++) {
		attrs[i].reg_long_reset = -periods[i];
		attrs[i].reg_short_reset = -periods[i];
		copy.pmds[i].reg_value = -periods[i];
	}
	if (has_reference(s))
		attrs[0].reg_smpl_pmds[copy.pmds[1].reg_num / 64] =
			1ull << copy.pmds[1].reg_num % 64;
	if (pfm_write_pmrs(s->fd, PFM_RWFL_PMC, copy.pmcs, copy.pmc_count))
		return -1;
	return pfm_write_pmrs(s->fd, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR,
			      copy.pmds, copy.pmd_count, attrs);
}

static int read_periods(struct sampler *s)
{
	struct program copy = s->program;

	if (pfm_read_pmrs(s->fd, PFM_RWFL_PMD, copy.pmds, s->sampling))
		return -1;
	for (int i = 0; i < s->sampling; i++)
		s->periods[i] = -copy.pmds[i].reg_value;
	return 0;
}

/* Makes the session of s->program with a buffer of s->size. */
static int open_session(struct sampler *s, const uint64_t *periods, int flags)
{
	struct pfm_dfl_smpl_arg arg = { .buf_size = s->size };

	s->buffer = MAP_FAILED;
	s->fd = pfm_create_session(PFM_FL_SMPL_FMT | PFM_FL_CLOEXEC | flags,
				   PFM_DFL_SMPL_NAME, &arg, sizeof(arg));
	if (s->fd < 0)
		return -1;
	s->buffer = mmap(NULL, s->size, PROT_READ, MAP_PRIVATE, s->fd, 0);
	if (s->buffer == MAP_FAILED || write_counters(s, periods) ||
	    read_periods(s) ||
	    pfm_attach_session(s->fd, 0, (int)syscall(SYS_gettid))) {
		sampler_close(s);
		return -1;
	}
	return 0;
}

int sampler_open(struct sampler *s, const struct pmu *pmu,
		 const struct counter *counter, const struct counter *reference,
		 uint64_t period, int flags)
{
	memset(s, 0, sizeof(*s));
	s->size = BUFFER_SIZE;
	s->sampling = 1;
	errno = EINVAL;
	if (program_add(&s->program, pmu, counter, &pmu->instructions,
			PFM_PLM3) ||
	    (reference && program_add(&s->program, pmu, reference,
				      &pmu->instructions, PFM_PLM3)))
		return -1;
	return open_session(s, &period, flags);
}

int sampler_open_all(struct sampler *s, const struct program *program,
		     const uint64_t *periods)
{
	memset(s, 0, sizeof(*s));
	s->size = BUFFER_SIZE_OF_ALL;
	s->program = *program;
	s->sampling = program->pmd_count;
	return open_session(s, periods, 0);
}

/* A sample, with the value of the reference. */
struct sample {
	const struct pfm_dfl_smpl_entry *entry;
	uint64_t value;
};

/* Calls "look" for each sample of counter i. Returns how many there are. */
static uint64_t for_each(const struct sampler *s, int i,
			 void (*look)(const struct sample *sample, void *arg),
			 void *arg)
{
	const struct pfm_dfl_smpl_hdr *hdr = s->buffer;
	const char *at = (const char *)(hdr + 1);
	bool valued = has_reference(s);
	uint64_t count = 0;

	for (uint64_t n = 0; n < hdr->hdr_count; n++) {
		struct sample sample = { (const void *)at, 0 };

		if (valued)
			memcpy(&sample.value, sample.entry + 1,
			       sizeof(sample.value));
		at += sizeof(*sample.entry) +
		      (valued ? sizeof(sample.value) : 0);
		if (sample.entry->ovfl_pmd != s->program.pmds[i].reg_num)
			continue;
		look(&sample, arg);
		count++;
	}
	return count;
}

/* The addresses and times of samples. */
struct survey {
	bool (*inside)(uint64_t ip);
	uint64_t outside;
	uint64_t first, last, longest; /* ns */
};

static void look_at_entry(const struct sample *sample, void *arg)
{
	struct survey *survey = arg;
	uint64_t now = sample->entry->tstamp;

	survey->outside += !survey->inside(sample->entry->ip);
	if (!survey->first)
		survey->first = now;
	else if (now - survey->last > survey->longest)
		survey->longest = now - survey->last;
	survey->last = now;
}

struct skids {
	uint64_t *skids;
	int count;
	uint64_t period, last;
};

/* The kernel has reloaded the counter when it took the last sample. */
static void look_at_skid(const struct sample *sample, void *arg)
{
	struct skids *skids = arg;
	uint64_t due = skids->last + skids->period;

	if (skids->count < SAMPLER_ROOM)
		skids->skids[skids->count++] =
			sample->value > due ? sample->value - due : 0;
	skids->last = sample->value;
}

int sampler_skids(const struct sampler *s, uint64_t *values)
{
	struct skids skids = { .skids = values, .period = s->periods[0] };

	if (has_reference(s))
		for_each(s, 0, look_at_skid, &skids);
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

int sampler_result(const struct sampler *s, int i, uint64_t executed,
		   bool (*inside)(uint64_t ip), struct sampled *sampled)
{
	struct survey survey = { .inside = inside };
	struct pfarg_setinfo info = { .set_id = 0 };
	struct program copy = s->program;

	if (pfm_read_pmrs(s->fd, PFM_RWFL_PMD, copy.pmds, copy.pmd_count) ||
	    pfm_getinfo_sets(s->fd, PFM_GIFL_LOSS, &info, 1))
		return -1;
	memset(sampled, 0, sizeof(*sampled));
	sampled->period = s->periods[i];
	sampled->total = has_reference(s) ? copy.pmds[1].reg_value : executed;
	sampled->samples = for_each(s, i, look_at_entry, &survey);
	sampled->outside = survey.outside;
	sampled->latest = largest_skid(s);
	sampled->throttled = info.set_reserved3[PFM_LOSS_THROTTLED_NS];
	sampled->beside = s->sampling - 1;
	sampled->longest_ns = survey.longest;
	if (sampled->samples > 1)
		sampled->average_ns =
			(survey.last - survey.first) / (sampled->samples - 1);
	return 0;
}
