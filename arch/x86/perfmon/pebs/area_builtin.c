// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory for records where page tables are isolated: the CPU's entry area is mapped while
 * a program runs, and has places for a debug store area and its buffer.
 *
 * perf_event uses these places, too, but only while it has the PMU.  A kernel that loads
 * the low-level core as a module cannot use them (area_module.c).
 */
#include <linux/build_bug.h>
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/string.h>

#include <asm/cpu_entry_area.h>
#include <asm/cpufeature.h>
#include <asm/pgtable.h>
#include <asm/tlbflush.h>

#include "pebs.h"

/* The places are as large as the memory. */
static_assert(PEBS_BYTES == PEBS_BUFFER_SIZE);

/** pebs_area_suffices - can there be memory that is always mapped? */
bool pebs_area_suffices(void)
{
	return true;
}

/**
 * pebs_area_ds - the place of a CPU's debug store area
 * @cpu: its number
 *
 * Return: NULL: the area may be anywhere.
 */
struct debug_store *pebs_area_ds(unsigned int cpu)
{
	if (!boot_cpu_has(X86_FEATURE_PTI))
		return NULL;
	return &get_cpu_entry_area(cpu)->cpu_debug_store;
}

/* Other CPUs may have looked at the addresses, although they never use them. */
static void area_set(unsigned int cpu, phys_addr_t physical, pgprot_t flags)
{
	char *buffer = get_cpu_entry_area(cpu)->cpu_debug_buffers.pebs_buffer;
	unsigned long offset, start = (unsigned long)buffer;

	preempt_disable();
	for (offset = 0; offset < PEBS_BYTES; offset += PAGE_SIZE)
		cea_set_pte(buffer + offset, physical ? physical + offset : 0,
			    flags);
	flush_tlb_kernel_range(start, start + PEBS_BYTES);
	preempt_enable();
}

/**
 * pebs_area_map - map the records of a CPU
 * @cpu: its number
 * @records: PEBS_BYTES of memory
 *
 * Context: may sleep; the PMU is ours.
 * Return: the address by which the processor knows them.
 */
u64 pebs_area_map(unsigned int cpu, void *records)
{
	if (!boot_cpu_has(X86_FEATURE_PTI))
		return (unsigned long)records;
	area_set(cpu, virt_to_phys(records), PAGE_KERNEL);
	return (unsigned long)get_cpu_entry_area(cpu)->cpu_debug_buffers.pebs_buffer;
}

/** pebs_area_unmap - undo pebs_area_map() */
void pebs_area_unmap(unsigned int cpu)
{
	if (!boot_cpu_has(X86_FEATURE_PTI))
		return;
	area_set(cpu, 0, PAGE_NONE);
	memset(pebs_area_ds(cpu), 0, sizeof(struct debug_store));
}
