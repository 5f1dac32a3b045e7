// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of instructions that have an interrupt or a trap right behind them: their
 * registers are those before it.
 */

#define _GNU_SOURCE
#include <signal.h>
#include <string.h>

#include "pebs.h"

#define BOUNDARY_RUNS 32 /* with longer and longer periods */
#define BOUNDARY_TURNS 200
#define ENTRY_BYTES 32
#define STEPPED_TURNS 2000

static struct record_run run;

/*
 * No record has the entry of the interrupt as next instruction. Ticks that come while
 * perf_event reads the records are taken behind its IRET.
 */
static void judge_ticks(void)
{
	const uint64_t tick = find_symbol("asm_sysvec_apic_timer_interrupt");
	struct precise p = { "precise 1, beside ticks",
			     INSTRUCTIONS,
			     0,
			     1,
			     false,
			     LEVEL_KERNEL };
	uint32_t k, number = 0, wrong = 0, ticks = 0, lost = 0;

	for (p.period = 32; p.period < 32 + BOUNDARY_RUNS; p.period++) {
		map_fresh_pages(BOUNDARY_TURNS);
		record_code(&p, run_mix, BOUNDARY_TURNS, &run);
		for (k = 0; k < run.number; k++) {
			wrong += run.record[k].ip == tick;
			ticks += run.record[k].ip - tick < ENTRY_BYTES;
		}
		number += run.number;
		lost += run.lost;
	}
	check(tick && ticks && !wrong && !lost,
	      "%s: %u of %u records are in the entry of the interrupt, %u before it",
	      p.name, ticks, number, wrong);
}

#ifdef __x86_64__
#define STACK_POINTER "%%rsp"
#else
#define STACK_POINTER "%%esp"
#endif

/* A trap behind each instruction. */
static __attribute__((noinline, noclone)) void run_stepped(uint32_t turns)
{
	asm volatile("	pushf\n"
		     "	orl $0x100, (" STACK_POINTER ")\n"
		     "	popf\n"
		     "1:	nop\n"
		     "	decl %0\n"
		     "	jnz 1b\n"
		     "	pushf\n"
		     "	andl $~0x100, (" STACK_POINTER ")\n"
		     "	popf"
		     : "+r"(turns)
		     :
		     : "cc", "memory");
}

static void do_nothing(int sig)
{
	(void)sig;
}

/* Nor has one the entry of the exception. */
static void judge_steps(void)
{
	const struct precise p = { "precise 1, single steps",
				   INSTRUCTIONS,
				   100,
				   1,
				   false,
				   LEVEL_USER };
	const uint64_t trap = find_symbol("asm_exc_debug");
	struct sigaction action = { .sa_handler = do_nothing };
	uint32_t k, wrong = 0;

	if (sigaction(SIGTRAP, &action, NULL))
		give_up("sigaction");
	record_code(&p, run_stepped, STEPPED_TURNS, &run);
	for (k = 0; k < run.number; k++)
		wrong += run.record[k].ip == trap;
	check(trap && run.number > 100 && !wrong && !run.lost,
	      "%s: %u of %u records are before the exception", p.name, wrong,
	      run.number);
	signal(SIGTRAP, SIG_DFL);
}

void judge_record_boundaries(void)
{
	judge_ticks();
	judge_steps();
}
