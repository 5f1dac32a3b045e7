/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of perfctr_probe.ko share: device.c (the device and its
 * states), overflow.c (the interrupt and its log), measure.c (costs).
 *
 * Locks: probe_lock protects the slots. What is on a CPU, and the CPU's log, is
 * used by the overflow interrupt of that CPU without a lock; everybody else
 * touches them on the CPU itself with interrupts off.
 */
#ifndef PROBE_H
#define PROBE_H

#include <linux/percpu.h>
#include <linux/types.h>

#include <asm/perfctr.h>

#include "perfctr_probe.h"

/**
 * struct probe_slot - a state
 * @state: of the low-level core
 * @cpu: CPU that it is on, -1 for none
 */
struct probe_slot {
	struct perfctr_cpu_state state;
	int cpu;
};

/**
 * struct probe_cpu - what the overflow interrupt of a CPU needs
 * @live: slot on the CPU
 * @log: its records and counts since they were last read
 * @records: room for PERFCTR_PROBE_LOG_RECORDS
 */
struct probe_cpu {
	struct probe_slot *live;
	struct perfctr_probe_log log;
	struct perfctr_probe_record *records;
};

DECLARE_PER_CPU(struct probe_cpu, probe_cpus);

extern struct probe_slot probe_slots[PERFCTR_PROBE_SLOTS];

int probe_logs_alloc(void);
void probe_logs_free(void);
int probe_log_read(struct perfctr_probe_log *log);
void probe_log_reset(void);
void probe_interrupt(unsigned long ip);

bool probe_can_measure(void);
int probe_measure(struct perfctr_probe_cost *cost);

#endif
