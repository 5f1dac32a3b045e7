// SPDX-License-Identifier: GPL-2.0-only
/*
 * The right of programs to execute RDPMC (<asm/perfmon_reader.h>): after a change,
 * updates the CPUs that execute the program.
 *
 * When the kernel loads a mm, it sets CR4.PCE if the mm's perf_rdpmc_allowed, a count of
 * perf_event's, is not 0, and clears it otherwise.  If it sets CR4.PCE, it also zeroes
 * counters that perf_event has left dirty.  Therefore a CPU loads the mm once before it
 * counts for a reading program (host_table.c).
 */
#include <linux/cpumask.h>
#include <linux/mm_types.h>
#include <linux/perfmon_module.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>
#include <linux/smp.h>

#include <asm/processor-flags.h>
#include <asm/special_insns.h>
#include <asm/tlbflush.h>

static void reader_gain_here(void *mm)
{
	if (current->active_mm != mm)
		return;
	cr4_set_bits_irqsoff(X86_CR4_PCE);
	perfmon_reader_isolate_here();
}

static void reader_lose_here(void *mm)
{
	if (current->active_mm == mm)
		cr4_clear_bits_irqsoff(X86_CR4_PCE);
}

/* Make CPUs load another mm, so that they load @mm again for its next thread. */
static void reader_reload(const struct cpumask *cpus, struct mm_struct *mm)
{
	struct task_struct *first = perfmon_host_first_program();
	struct mm_struct *other = first ? get_task_mm(first) : NULL;
	unsigned int cpu;

	if (other && other != mm)
		for_each_cpu_and(cpu, cpus, cpu_online_mask)
			perfctr_host_load_mm(cpu, other);
	if (other)
		mmput(other);
	if (first)
		put_task_struct(first);
}

/* Update other CPUs that run the program, which would keep their CR4 otherwise. */
static void reader_follow(struct mm_struct *mm, smp_call_func_t here)
{
	on_each_cpu_mask(mm_cpumask(mm), here, mm, true);
	if (!PERFMON_WRITES_CR4)
		reader_reload(mm_cpumask(mm), mm);
}

/**
 * perfctr_reader_gain - give the right to the caller's program
 *
 * Its perf_rdpmc_allowed is not 0.  The program's mm is first reloaded on this CPU.  So
 * the kernel decides whether any program may read (perf_event's file rdpmc), and a
 * session need not wait for the first load before it counts.
 *
 * Context: may sleep.
 */
void perfctr_reader_gain(void)
{
	struct mm_struct *mm = current->mm;

	reader_reload(cpumask_of(raw_smp_processor_id()), mm);
	if (native_read_cr4() & X86_CR4_PCE)
		reader_follow(mm, reader_gain_here);
}

/**
 * perfctr_reader_lose - take the right from a program
 * @mm: its mm, whose perf_rdpmc_allowed has become 0
 *
 * Context: may sleep.
 */
void perfctr_reader_lose(struct mm_struct *mm)
{
	reader_follow(mm, reader_lose_here);
}
