// SPDX-License-Identifier: GPL-2.0-only
/*
 * Injected faults: what perf_event makes of a late, a lost and an invented
 * overflow interrupt shows that the machine does inject them.
 */

#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "judge.h"
#include "pmu_stats.h"

#define PERIOD 100000
#define ITERATIONS 10101 /* of the sled: ten periods */
#define SHORT_PERIOD 20000
#define RING_PAGES 1
#define SAMPLE_SIZE 16 /* header and address */

static void inject(uint64_t fault)
{
	if (!write_msr(judge_cpu, PMU_STAT_BASE + PMU_STAT_FAULT, fault))
		give_up("asking for a fault");
}

/* Only the late sample is somewhere else; the next ones are on time. */
static void judge_delay(void)
{
	const uint32_t delay = 50;
	struct samples normal, late;
	uint32_t k, same = 0;

	sample_sled(PERIOD, ITERATIONS, &normal);
	inject(PMU_FAULT(PMU_FAULT_DELAY, delay));
	sample_sled(PERIOD, ITERATIONS, &late);
	check(normal.number && normal.number == late.number &&
		      (sled_position(normal.address[0]) + delay) % SLED_INSNS ==
			      (uint32_t)sled_position(late.address[0]),
	      "a sample whose interrupt is late is %u instructions further on",
	      delay);
	for (k = 1; k < normal.number && k < late.number; k++)
		same += normal.address[k] == late.address[k];
	check(same + 1 == normal.number,
	      "samples after a late one are on time");
	free(normal.address);
	free(late.address);
}

static long context_switches(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage))
		give_up("getrusage");
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

struct loss {
	uint64_t count;
	uint32_t samples;
	uint32_t later; /* with those after an invented interrupt */
};

/*
 * One and a half periods with the loss of the given number of interrupts, and
 * then one without a cause. A context switch would set the counter up again
 * and so make up for the loss: false if there was one.
 */
static bool measure_loss(uint32_t interrupts, struct loss *loss)
{
	const int fd = open_sampler(SHORT_PERIOD);
	const struct perf_event_mmap_page *page = map_event(fd, RING_PAGES);
	const long switches = context_switches();
	uint64_t size;
	bool quiet;

	inject(PMU_FAULT(PMU_FAULT_LOSE, interrupts));
	start_event(fd);
	run_sled(SHORT_PERIOD * 3 / 2 / SLED_INSNS);
	size = page->data_head;
	/* With nothing to find it would be an unknown NMI. */
	if (interrupts && context_switches() == switches)
		inject(PMU_FAULT(PMU_FAULT_SPURIOUS, 0));
	stop_event(fd);
	quiet = context_switches() == switches;
	inject(PMU_FAULT_CLEAR);
	loss->count = read_event(fd);
	loss->samples = size / SAMPLE_SIZE;
	loss->later = page->data_head / SAMPLE_SIZE;
	munmap((void *)page, (1 + RING_PAGES) * getpagesize());
	close(fd);
	return quiet;
}

static void judge_loss(void)
{
	struct loss normal, lost;
	int attempt = 0;

	while (!measure_loss(0, &normal) || !measure_loss(1, &lost)) {
		if (++attempt == 10) {
			skip("lost interrupts", "context switches interfere");
			return;
		}
	}
	check(normal.samples == 1 && normal.later == 1,
	      "one and a half periods give one sample: %u", normal.samples);
	check(lost.samples == 0, "no sample if its interrupt is lost: %u",
	      lost.samples);
	check(lost.later == 1,
	      "the sample comes with an interrupt without a cause: %u",
	      lost.later);
	check(lost.count >= SHORT_PERIOD * 3 / 2 - SLED_INSNS,
	      "a lost interrupt does not lose counts: %llu",
	      (unsigned long long)lost.count);
}

void judge_faults(void)
{
	if (!have_msr_driver(judge_cpu)) {
		skip("fault injection", "no msr driver");
		return;
	}
	if (no_perf_pmu()) {
		skip("fault injection", no_perf_pmu());
		return;
	}
	judge_delay();
	judge_loss();
}
