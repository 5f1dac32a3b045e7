// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory that the processor writes records to: a debug store area and a buffer for each
 * CPU, while sessions use PEBS.
 *
 * The processor writes by linear addresses, through the page tables that are loaded: the
 * memory is where these always have it (area_builtin.c).  Users never map it: the area has
 * kernel addresses, and records have the registers of the kernel.
 *
 * Owns IA32_DS_AREA of CPUs whose PMU is ours, and keeps what was in PEBS_DATA_CFG before.
 * No lock but memory_lock is taken here: sessions are locked by callers, and CPU hotplug
 * may wait for them.
 */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/topology.h>

#include <asm/msr-index.h>
#include <asm/perfmon_compat.h>

#include "../perfctr_core.h"
#include "pebs.h"

static DEFINE_PER_CPU(struct pebs_memory, pebs_memory);
static DEFINE_MUTEX(memory_lock);
static unsigned int users; /* sessions, under memory_lock */
static bool ours; /* the PMU is, under memory_lock */

/**
 * pebs_memory_here - the memory of this CPU
 *
 * Context: may not leave the CPU.
 * Return: the memory; its @ds is NULL if there is none.
 */
struct pebs_memory *pebs_memory_here(void)
{
	return this_cpu_ptr(&pebs_memory);
}

static void *memory_alloc(unsigned int cpu, size_t bytes)
{
	struct page *page = alloc_pages_node(cpu_to_node(cpu),
					     GFP_KERNEL | __GFP_ZERO,
					     get_order(bytes));

	return page ? page_address(page) : NULL;
}

static void memory_free(struct pebs_memory *memory)
{
	free_pages((unsigned long)memory->records, get_order(PEBS_BYTES));
	if (memory->own_ds)
		free_pages((unsigned long)memory->ds,
			   get_order(sizeof(*memory->ds)));
	*memory = (struct pebs_memory){};
}

/* Until a set says how much room there is, there is none. */
static void memory_map(unsigned int cpu)
{
	const struct pebs_memory *memory = per_cpu_ptr(&pebs_memory, cpu);
	u64 base = pebs_area_map(cpu, memory->records);

	memory->ds->pebs_buffer_base = base;
	memory->ds->pebs_index = base;
	memory->ds->pebs_absolute_maximum = base;
	memory->ds->pebs_interrupt_threshold = base;
}

static void memory_map_all(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		if (per_cpu(pebs_memory, cpu).ds)
			memory_map(cpu);
}

static void memory_unmap_all(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		if (per_cpu(pebs_memory, cpu).ds)
			pebs_area_unmap(cpu);
}

static int memory_alloc_cpu(unsigned int cpu)
{
	struct pebs_memory memory = {
		.ds = pebs_area_ds(cpu),
		.records = memory_alloc(cpu, PEBS_BYTES),
	};

	memory.own_ds = !memory.ds;
	if (memory.own_ds)
		memory.ds = memory_alloc(cpu, sizeof(*memory.ds));
	if (!memory.ds || !memory.records) {
		memory_free(&memory);
		return -ENOMEM;
	}
	per_cpu(pebs_memory, cpu) = memory;
	return 0;
}

/* Context: interrupts off. */
static void memory_show(void *unused)
{
	if (perfctr_lvtpc_is_taken())
		perfctr_pebs_start_cpu();
}

static void memory_hide(void *unused)
{
	if (perfctr_lvtpc_is_taken())
		perfctr_pebs_stop_cpu();
}

/* CPUs that have left may have memory, too. */
static void memory_free_all(void)
{
	unsigned int cpu;

	for_each_possible_cpu(cpu)
		if (per_cpu(pebs_memory, cpu).ds)
			memory_free(per_cpu_ptr(&pebs_memory, cpu));
}

static int memory_alloc_all(void)
{
	unsigned int cpu;
	int err;

	for_each_online_cpu(cpu) {
		err = memory_alloc_cpu(cpu);
		if (err) {
			memory_free_all();
			return err;
		}
	}
	if (!ours)
		return 0;
	memory_map_all();
	on_each_cpu(memory_show, NULL, 1);
	return 0;
}

/**
 * pebs_memory_take - have memory on all CPUs, for a session
 *
 * Context: may sleep.
 * Return: 0, then pebs_memory_give() must follow; or -ENOMEM.
 */
int pebs_memory_take(void)
{
	int err = 0;

	mutex_lock(&memory_lock);
	if (!users)
		err = memory_alloc_all();
	if (!err)
		users++;
	mutex_unlock(&memory_lock);
	return err;
}

/** pebs_memory_give - undo pebs_memory_take(); no set of the session is on a CPU */
void pebs_memory_give(void)
{
	mutex_lock(&memory_lock);
	if (!--users) {
		on_each_cpu(memory_hide, NULL, 1);
		if (ours)
			memory_unmap_all();
		memory_free_all();
	}
	mutex_unlock(&memory_lock);
}

/**
 * perfctr_pebs_add_cpu - give memory to a CPU that comes up, if sessions use PEBS
 * @cpu: the calling CPU; its PMU is not ours yet
 *
 * A CPU without memory makes no records.
 *
 * Context: may sleep.
 */
void perfctr_pebs_add_cpu(unsigned int cpu)
{
	mutex_lock(&memory_lock);
	if (users && !per_cpu(pebs_memory, cpu).ds && !memory_alloc_cpu(cpu) &&
	    ours)
		memory_map(cpu);
	mutex_unlock(&memory_lock);
}

/** perfctr_pebs_taken - the PMU is about to be ours; context: may sleep */
void perfctr_pebs_taken(void)
{
	mutex_lock(&memory_lock);
	ours = true;
	memory_map_all();
	mutex_unlock(&memory_lock);
}

/** perfctr_pebs_given - the PMU is ours no more, on no CPU; context: may sleep */
void perfctr_pebs_given(void)
{
	mutex_lock(&memory_lock);
	if (ours)
		memory_unmap_all();
	ours = false;
	mutex_unlock(&memory_lock);
}

/** perfctr_pebs_start_cpu - the PMU of this CPU is ours; context: interrupts off */
void perfctr_pebs_start_cpu(void)
{
	struct pebs_memory *memory = pebs_memory_here();

	if (!memory->ds)
		return;
	wrmsrl(MSR_IA32_DS_AREA, (unsigned long)memory->ds);
	if (pebs_format >= PEBS_FORMAT_GROUPS) {
		rdmsrl(MSR_PEBS_DATA_CFG, memory->found_cfg);
		memory->data_cfg = memory->found_cfg;
	}
}

/** perfctr_pebs_stop_cpu - undo it; context: interrupts off */
void perfctr_pebs_stop_cpu(void)
{
	const struct pebs_memory *memory = pebs_memory_here();

	if (!memory->ds)
		return;
	wrmsrl(MSR_IA32_PEBS_ENABLE, 0);
	if (memory->data_cfg != memory->found_cfg)
		wrmsrl(MSR_PEBS_DATA_CFG, memory->found_cfg);
	wrmsrl(MSR_IA32_DS_AREA, 0);
}
