// SPDX-License-Identifier: GPL-2.0-only
/*
 * The overflow interrupt and what it leaves behind: a log for each CPU.
 *
 * The handler takes no lock. device.c installs it and decides what is on a CPU.
 */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/uaccess.h>

#include "probe.h"

DEFINE_PER_CPU(struct probe_cpu, probe_cpus);

static void record(struct probe_cpu *cpu, unsigned long ip,
		   unsigned int overflowed)
{
	const struct perfctr_cpu_state *state = &cpu->live->state;
	struct perfctr_probe_record *record;
	unsigned int i;

	if (cpu->log.recorded == PERFCTR_PROBE_LOG_RECORDS) {
		cpu->log.lost++;
		return;
	}
	record = &cpu->records[cpu->log.recorded++];
	record->ip = ip;
	record->slot = cpu->live - probe_slots;
	record->overflowed = overflowed;
	for (i = 0; i < PERFCTR_PROBE_RECORD_SUMS; i++)
		record->sum[i] = state->pmc[i].sum;
}

/* Context: hard interrupt. */
void probe_interrupt(unsigned long ip)
{
	struct probe_cpu *cpu = this_cpu_ptr(&probe_cpus);
	struct perfctr_cpu_state *state;
	unsigned int overflowed;

	if (!cpu->live) {
		cpu->log.late++;
		return;
	}
	state = &cpu->live->state;
	perfctr_cpu_suspend(state);
	overflowed = perfctr_cpu_identify_overflow(state);
	if (overflowed) {
		record(cpu, ip, overflowed);
		perfctr_cpu_ireload(state);
	} else {
		cpu->log.spurious++;
	}
	perfctr_cpu_resume(state);
}

static void clear_log(void *unused)
{
	struct probe_cpu *cpu = this_cpu_ptr(&probe_cpus);

	memset(&cpu->log, 0, sizeof(cpu->log));
}

/* Where the log of a CPU goes, which is copied on the CPU itself. */
struct log_copy {
	struct perfctr_probe_log log;
	struct perfctr_probe_record *records;
};

static void take_log(void *arg)
{
	struct probe_cpu *cpu = this_cpu_ptr(&probe_cpus);
	struct log_copy *copy = arg;

	copy->log = cpu->log;
	memcpy(copy->records, cpu->records,
	       cpu->log.recorded * sizeof(*copy->records));
	clear_log(NULL);
}

/**
 * probe_log_read - take the log of a CPU
 * @log: request and result of PERFCTR_PROBE_LOG
 */
int probe_log_read(struct perfctr_probe_log *log)
{
	struct log_copy copy;
	unsigned int n;
	int err;

	copy.records = kvmalloc_array(PERFCTR_PROBE_LOG_RECORDS,
				      sizeof(*copy.records), GFP_KERNEL);
	if (!copy.records)
		return -ENOMEM;
	err = -EINVAL;
	if (log->cpu < nr_cpu_ids)
		err = smp_call_function_single(log->cpu, take_log, &copy, 1);
	if (!err) {
		n = min(copy.log.recorded, log->capacity);
		log->lost = copy.log.lost + copy.log.recorded - n;
		log->recorded = n;
		log->spurious = copy.log.spurious;
		log->late = copy.log.late;
		if (copy_to_user(u64_to_user_ptr(log->records), copy.records,
				 n * sizeof(*copy.records)))
			err = -EFAULT;
	}
	kvfree(copy.records);
	return err;
}

/** probe_log_reset - forget what all CPUs have recorded */
void probe_log_reset(void)
{
	on_each_cpu(clear_log, NULL, 1);
}

void probe_logs_free(void)
{
	int cpu;

	for_each_possible_cpu(cpu) kvfree(per_cpu(probe_cpus, cpu).records);
}

static int alloc_log(int cpu)
{
	struct probe_cpu *c = per_cpu_ptr(&probe_cpus, cpu);

	c->records = kvcalloc(PERFCTR_PROBE_LOG_RECORDS, sizeof(*c->records),
			      GFP_KERNEL);
	return c->records ? 0 : -ENOMEM;
}

int probe_logs_alloc(void)
{
	int cpu, err = 0;

	for_each_possible_cpu(cpu) err = err ?: alloc_log(cpu);
	if (err)
		probe_logs_free();
	return err;
}
