// SPDX-License-Identifier: MIT
/*
 * Where a program spends its time: a sample after every so many instructions.
 *
 *	sampling
 *
 * The kernel writes samples to a buffer that we map. It tells us by a message
 * when the buffer is full; meanwhile the program waits, because we have asked for
 * that. The program is a child with one loop, so that it is known how many
 * samples there have to be and where.
 */
#include <err.h>
#include <inttypes.h>
#include <perfmon/perfmon.h>
#include <perfmon/perfmon_dfl_smpl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "program.h"
#include "tracee.h"
#include "work.h"

#define PERIOD 10000
#define SAMPLES 500
#define BUFFER_SIZE 8192 /* for less than all of them */

/* In the middle between two samples. */
#define PASSES (PERIOD / WORK_INSTRUCTIONS * SAMPLES + PERIOD / 4)

static const char *const events[] = { "instructions" };

static int samples, samples_in_work, full;

/* The samples that are in the buffer; nothing is added to it meanwhile. */
static void take_samples(const struct pfm_dfl_smpl_hdr *hdr, pid_t child)
{
	/* Entries have no values of other PMDs behind them: we asked for none. */
	const struct pfm_dfl_smpl_entry *entry = (const void *)(hdr + 1);

	for (uint64_t i = 0; i < hdr->hdr_count; i++, entry++) {
		if (entry->pid != (uint32_t)child)
			errx(1, "a sample of another thread");
		samples++;
		if (is_in_work(entry->ip))
			samples_in_work++;
	}
}

static int open_session(const struct pfm_dfl_smpl_hdr **hdr)
{
	struct pfm_dfl_smpl_arg arg = { .buf_size = BUFFER_SIZE };
	pfarg_pmd_attr_t attr = { .reg_long_reset = -(uint64_t)PERIOD,
				  .reg_short_reset = -(uint64_t)PERIOD };
	pfarg_pmr_t counter;
	int fd = pfm_create_session(PFM_FL_NOTIFY_BLOCK | PFM_FL_SMPL_FMT |
					    PFM_FL_CLOEXEC,
				    PFM_DFL_SMPL_NAME, &arg, sizeof(arg));

	if (fd < 0)
		err(1, "cannot create a session");
	*hdr = mmap(NULL, BUFFER_SIZE, PROT_READ, MAP_PRIVATE, fd, 0);
	if (*hdr == MAP_FAILED)
		err(1, "cannot map the samples");

	program_events(fd, 0, events, 1, &counter);
	counter.reg_value = -(uint64_t)PERIOD;
	counter.reg_flags = PFM_REGFL_OVFL_NOTIFY;
	if (pfm_write_pmrs(fd, PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR, &counter, 1,
			   &attr))
		err(1, "cannot set the period");
	return fd;
}

static void sample(int fd, const struct pfm_dfl_smpl_hdr *hdr, pid_t child)
{
	union pfarg_msg msg;

	for (;;) {
		if (read(fd, &msg, sizeof(msg)) != sizeof(msg))
			err(1, "no message");
		take_samples(hdr, child);
		if (msg.type == PFM_MSG_END)
			return;
		full++;
		/* Empties the buffer and lets the child go on. */
		if (pfm_start_session(fd, PFM_STFL_RESTART))
			err(1, "cannot go on");
	}
}

int main(void)
{
	const struct pfm_dfl_smpl_hdr *hdr;
	int fd = open_session(&hdr);
	pid_t child = start_function(work, PASSES);

	if (pfm_attach_session(fd, 0, child) || pfm_start_session(fd, 0))
		err(1, "cannot sample the child");
	release_thread(child);
	sample(fd, hdr, child);
	if (!wait_for_child(child))
		errx(1, "the child has failed");
	close(fd);

	printf("%d samples, %d of them in the loop; the buffer was full %d "
	       "times\n",
	       samples, samples_in_work, full);
	/* Real processors interrupt a little late. */
	if (abs(samples - SAMPLES) > SAMPLES / 100 ||
	    samples_in_work < samples * 99 / 100)
		errx(1, "there should have been %d in the loop", SAMPLES);
	return 0;
}
