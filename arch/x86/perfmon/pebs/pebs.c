// SPDX-License-Identifier: GPL-2.0-only
/*
 * Processor event-based sampling (PEBS) of Intel processors: driving it.
 *
 * At a start the counters of a set get their values, and the processor the place for
 * records.  It interrupts when they have filled that up to the threshold.  At a stop, or
 * in the interrupt, the core takes the records (records_pebs.c) before another set can
 * make any: so they are of the set and of its thread.
 *
 * PEBS_ENABLE is 0 whenever no set that makes records is on the CPU: other sets may use
 * the same counters, and guests have other page tables.
 */
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/minmax.h>
#include <linux/perfmon_record.h>
#include <linux/perfmon_pmu.h>
#include <linux/smp.h>

#include <asm/msr-index.h>
#include <asm/perfmon_compat.h>
#include <asm/processor-flags.h>
#include <asm/special_insns.h>

#include "../intel.h"
#include "../perfctr_core.h"
#include "pebs.h"

static_assert(PERFMON_PEBS_RDPMC == PERFCTR_FIXED);
static_assert(PEBS_FIXED_BIT == PERFCTR_FIXED_SHIFT);

/* The tick has found the threshold reached, without an interrupt since. */
static DEFINE_PER_CPU(bool, pebs_waits);

/*
 * While the CPU may enter guests, records could be written through a guest's page tables.
 */
static bool pebs_has_guests(void)
{
	return native_read_cr4() & X86_CR4_VMXE;
}

/* The PMU may have been given back, as for a reboot. */
static bool pebs_may_run(void)
{
	return pebs_memory_here()->ds && perfctr_lvtpc_is_taken() &&
	       !pebs_has_guests();
}

/*
 * Records that are found now were in flight when the last set was stopped.  The interrupt
 * comes after as many records as the session has room for; if that is none they will be
 * counted as lost.
 */
static void pebs_prepare_memory(struct perfmon_pebs *pebs)
{
	struct pebs_memory *memory = pebs_memory_here();
	struct debug_store *ds = memory->ds;
	u32 wanted = perfmon_records_wanted();
	/* The other half is for the time until the interrupt is taken. */
	u32 batch = pebs->room / 2;
	u64 base = ds->pebs_buffer_base;

	if (unlikely(ds->pebs_index != base))
		pebs->stray += pebs_nr_records(memory);
	if (!wanted || wanted > batch)
		wanted = batch;
	ds->pebs_index = base;
	ds->pebs_interrupt_threshold = base + wanted * pebs->bytes;
	ds->pebs_absolute_maximum = base + pebs->room * pebs->bytes;
	if (pebs_format >= PEBS_FORMAT_GROUPS &&
	    memory->data_cfg != pebs->data_cfg) {
		memory->data_cfg = pebs->data_cfg;
		wrmsrl(MSR_PEBS_DATA_CFG, memory->data_cfg);
	}
}

static void pebs_write_selectors(const struct perfmon_pebs *pebs,
				 struct perfctr_cache *cache, bool on)
{
	unsigned long left = pebs->counters & (BIT(PERFMON_PEBS_FIXED) - 1);
	unsigned int n;
	u64 fixed;

	for_each_set_bit(n, &left, PERFMON_PEBS_FIXED)
		perfctr_cache_write(cache, n, MSR_ARCH_PERFMON_EVENTSEL0 + n,
				    on ? pebs->selector[n] : 0);
	if (!pebs->fixed_fields)
		return;
	fixed = cache->evntsel[CACHE_FIXED_CTRL] & ~pebs->fixed_fields;
	perfctr_cache_write(cache, CACHE_FIXED_CTRL,
			    MSR_ARCH_PERFMON_FIXED_CTR_CTRL,
			    fixed | (on ? pebs->fixed_ctrl : 0));
}

/* Where the debug store area has the reset value of a counter. */
static unsigned int pebs_reset_slot(unsigned int n)
{
	if (n < PERFMON_PEBS_FIXED)
		return n;
	n -= PERFMON_PEBS_FIXED;
	return n + (pebs_format > PEBS_FORMAT_GROUPS ? MAX_PEBS_EVENTS :
						       MAX_PEBS_EVENTS_FMT4);
}

/*
 * Write a counter, which does not run meanwhile.  A value that is not negative has
 * overflowed without a record: the next event makes up for it.
 */
static void pebs_load(struct perfmon_pebs *pebs, unsigned int n)
{
	u64 mask = n < PERFMON_PEBS_FIXED ? perfctr_design->counter_mask :
					    perfctr_design->fixed_mask;
	struct debug_store *ds = pebs_memory_here()->ds;
	u64 value = pebs->value[n];

	if ((s64)value >= 0)
		value = -1;
	ds->pebs_event_reset[pebs_reset_slot(n)] = (s64)pebs->reset[n] & mask;
	wrmsrl(pebs_counter_msr[n], value & mask);
}

/* The set's other counters have been started, and may have the cache's identity. */
static void pebs_start_counters(struct perfmon_arch_set *set)
{
	struct perfctr_cache *cache = this_cpu_ptr(&perfctr_cache);
	struct perfmon_pebs *pebs = &set->pebs;
	u64 counters = pebs->enable & pebs_counters;
	unsigned long left = pebs->counters;
	unsigned int n;

	if (cache->id != perfmon_arch_id(set))
		cache->id = 0;
	/* In both masks fixed counters have the same place. */
	cache->used |= counters;
	if (!perfctr_cstatus_nrctrs(set->state.cstatus) &&
	    set->state.control.extra_used)
		perfctr_intel_write_extra(&set->state.control, cache);
	/* Another set may have left them running. */
	pebs_write_selectors(pebs, cache, false);
	for_each_set_bit(n, &left, PERFMON_PEBS_COUNTERS)
		pebs_load(pebs, n);
	if (cache->had_actrs)
		perfctr_intel_ack_records(counters);
	wrmsrl(MSR_IA32_PEBS_ENABLE, pebs->enable);
	pebs_write_selectors(pebs, cache, true);
}

/**
 * perfmon_pebs_start - let the counters of a set make records on this CPU
 * @set: its other counters run
 *
 * They stay off if the session has something to do first, and on CPUs where records could
 * not be written.
 *
 * Context: interrupts off.
 */
void perfmon_pebs_start(struct perfmon_arch_set *set)
{
	struct perfmon_pebs *pebs = &set->pebs;

	if (!pebs_may_run())
		return;
	if (!perfctr_cstatus_has_ictrs(set->state.cstatus) &&
	    static_branch_unlikely(&perfctr_nmi_key))
		perfctr_lvtpc_deliver(false);
	perfctr_lvtpc_open();
	if (unlikely(pebs->pending)) {
		pebs->pending = false;
		perfctr_lvtpc_raise();
		return;
	}
	pebs_prepare_memory(pebs);
	pebs_start_counters(set);
	__this_cpu_write(pebs_waits, false);
	pebs->running = true;
	pebs->unread = true;
}

static u64 pebs_read_counter(unsigned int n)
{
	u64 value;

	rdpmcl(perfmon_pebs_rdpmc(n), value);
	return (s64)(s32)value;
}

/**
 * perfmon_pebs_stop - stop and read the counters of a set
 * @pebs: of the set, which is on this CPU
 *
 * The records stay where they are.
 *
 * Context: interrupts off.
 */
void perfmon_pebs_stop(struct perfmon_pebs *pebs)
{
	struct perfctr_cache *cache = this_cpu_ptr(&perfctr_cache);
	const struct debug_store *ds = pebs_memory_here()->ds;
	unsigned long left = pebs->counters;
	unsigned int n;

	if (!pebs->running)
		return;
	pebs->running = false;
	pebs_write_selectors(pebs, cache, false);
	wrmsrl(MSR_IA32_PEBS_ENABLE, 0);
	for_each_set_bit(n, &left, PERFMON_PEBS_COUNTERS)
		pebs->value[n] = pebs_read_counter(n);
	if (ds->pebs_index >= ds->pebs_interrupt_threshold)
		perfctr_intel_ack_records(0);
}

/**
 * perfmon_pebs_leave - take a set with records off this CPU
 * @set: its counters that make records are stopped already
 *
 * Context: interrupts off; used under the run-queue lock.
 */
void perfmon_pebs_leave(struct perfmon_arch_set *set)
{
	struct perfmon_pebs *pebs = &set->pebs;
	const struct debug_store *ds = pebs_memory_here()->ds;

	/* It has run and made none, as in most switches. */
	if (pebs->unread && !pebs->stray &&
	    ds->pebs_index == ds->pebs_buffer_base) {
		pebs->unread = false;
		return;
	}
	pebs->late = true;
	pebs->pending |= perfmon_records_left(set);
	pebs->late = false;
}

/**
 * perfmon_pebs_read - present value of a PMD that makes records
 * @pebs: of the set, which is on this CPU
 * @counter: the counter of the PMD
 *
 * Context: interrupts off.
 */
u64 perfmon_pebs_read(const struct perfmon_pebs *pebs, unsigned int counter)
{
	return pebs->running ? pebs_read_counter(counter) : pebs->value[counter];
}

/**
 * perfmon_pebs_tick - look for what ended sampling on this CPU
 * @set: is on this CPU
 *
 * If one tick finds the threshold reached and the next one finds it so still, the
 * interrupt was lost and is raised anew.
 *
 * Context: the tick.
 */
void perfmon_pebs_tick(struct perfmon_arch_set *set)
{
	struct perfmon_pebs *pebs = &set->pebs;
	const struct debug_store *ds = pebs_memory_here()->ds;
	bool waits;

	if (!pebs->running)
		return;
	if (pebs_has_guests()) {
		perfmon_pebs_stop(pebs);
		return;
	}
	waits = ds->pebs_index >= ds->pebs_interrupt_threshold;
	if (waits && __this_cpu_read(pebs_waits))
		perfctr_lvtpc_replay();
	__this_cpu_write(pebs_waits, waits);
}

static void pebs_look_for_guests(void *found)
{
	if (pebs_has_guests())
		*(bool *)found = true;
}

/**
 * perfmon_pebs_claim - claim PEBS for a session
 *
 * Context: may sleep.
 * Return: 0, then perfmon_pebs_unclaim() must follow; -EBUSY: CPUs may have guests;
 * -ENOMEM.
 */
int perfmon_pebs_claim(void)
{
	bool guests = false;

	on_each_cpu(pebs_look_for_guests, &guests, 1);
	return guests ? -EBUSY : pebs_memory_take();
}

/** perfmon_pebs_unclaim - undo perfmon_pebs_claim() */
void perfmon_pebs_unclaim(void)
{
	pebs_memory_give();
}
