// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loads and stores: perf_event must count the instructions of a known program that
 * load, store, do both, or lock, exactly, also where they fault, and sample at the very
 * load.
 */

#define _GNU_SOURCE
#include <cpuid.h>
#include <stdlib.h>
#include <unistd.h>

#include "judge.h"

/* Of the instructions in one turn of run_memory(). */
#define LOADS 10 /* that do not store */
#define STORES 6 /* that do not load */
#define BOTH 5
#define LOCKED 2
#define SLED_LOADS 4 /* in one turn of run_loads() */

extern const char memory_after_first[], memory_after_second[];
extern const char memory_after_third[], memory_after_fourth[];

#ifdef __x86_64__
#define WORD "q"
#define XMM0 , "xmm0"
#else
#define WORD "l"
#define XMM0 /* no register that the compiler uses */
#endif

static unsigned long cells[16] __attribute__((aligned(16)));

__attribute__((noinline)) static void run_memory(uint32_t iterations)
{
	unsigned long a = 1;
	unsigned long *at = cells;
	double value;

	asm volatile("1:	mov (%[at]), %[a]\n" /* loads */
		     "	cmp %[a], (%[at])\n"
		     "	add 8(%[at]), %[a]\n"
		     "	testb $1, (%[at])\n"
		     "	fldl (%[at])\n"
		     "	fldt (%[at])\n"
		     "	movups (%[at]), %%xmm0\n"
		     "	mov %[a], (%[at])\n" /* stores */
		     "	movb $7, 16(%[at])\n"
		     "	fstpt 32(%[at])\n"
		     "	fstpl 24(%[at])\n"
		     "	movups %%xmm0, 48(%[at])\n"
		     "	push %[a]\n"
		     "	pop %[a]\n" /* a load */
		     "	add %[a], (%[at])\n" /* both */
		     "	incl 16(%[at])\n"
		     "	push" WORD " (%[at])\n"
		     "	pop %[a]\n" /* a load */
		     "	lock addl $1, 8(%[at])\n" /* both, and locked */
		     "	xchg %[a], (%[at])\n"
		     "	mov %[a], %[a]\n" /* none */
		     "	lea 8(%[at]), %[at]\n"
		     "	lea -8(%[at]), %[at]\n"
		     "	cmp (%[at]), %[a]\n" /* a load */
		     "	decl %[left]\n"
		     "	jnz 1b\n"
		     : [a] "+&r"(a), [at] "+&r"(at), [left] "+&r"(iterations),
		       "=m"(value)
		     :
		     : "cc", "memory", "st", "st(1)" XMM0);
}

static void run_turns_of_rep(uint32_t turns)
{
	static char from[4096], to[4096];
	const char *source = from;
	char *target = to;
	size_t count = turns;

	asm volatile("rep movsb"
		     : "+S"(source), "+D"(target), "+c"(count)
		     :
		     : "memory");
}

/* A division that faults has loaded, and has not retired. */
static void run_divisions(uint32_t number)
{
	static volatile uint32_t zero;
	uint32_t low;

	for (; number; number--) {
		low = number;
		asm volatile("divl (%[zero])"
			     : "+a"(low)
			     : "d"(0), [zero] "r"(&zero)
			     : "cc");
	}
}

enum memory { MEMORY_LOADS, MEMORY_STORES, MEMORY_LOCKED, MEMORY_KINDS };

static const char *const names[MEMORY_KINDS] = {
	"loads",
	"stores",
	"locked loads",
};
static const unsigned int in_a_turn[MEMORY_KINDS] = {
	LOADS + BOTH,
	STORES + BOTH,
	LOCKED,
};

/* The selectors of Intel's processors, 0 where there is none. */
static const uint64_t *find_selectors(void)
{
	static const uint64_t none[MEMORY_KINDS];
	static const uint64_t core2[MEMORY_KINDS] = { 0x1c0, 0x2c0, 0 };
	static const uint64_t nehalem[MEMORY_KINDS] = { 0x10b, 0x20b, 0 };
	static const uint64_t later[MEMORY_KINDS] = { 0x81d0, 0x82d0, 0x21d0 };
	unsigned int eax = 0, vendor = 0, ecx, edx, model;

	__get_cpuid(0, &eax, &vendor, &ecx, &edx);
	__get_cpuid(1, &eax, &ecx, &ecx, &edx);
	model = (eax >> 4 & 0xf) | (eax >> 12 & 0xf0);
	if (vendor != signature_INTEL_ebx || (eax >> 8 & 0xf) != 6 ||
	    model < 15)
		return none;
	if (model == 15 || model == 23)
		return core2;
	return model == 26 || model == 44 ? nehalem : later;
}

static void judge_kind(enum memory kind, uint64_t select)
{
	static const uint32_t turns[] = { 2, 1000, 100000 };
	const int fd = open_selector(select, LEVEL_USER);
	const uint64_t once = count_code(fd, run_memory, 1);
	const uint64_t of_rep = kind != MEMORY_LOCKED;
	uint64_t count, want;
	unsigned int i;

	for (i = 0; i < sizeof(turns) / sizeof(turns[0]); i++) {
		count = count_code(fd, run_memory, turns[i]) - once;
		want = in_a_turn[kind] * (turns[i] - 1ull);
		check(count == want, "%s: %llu in %u turns more: %+lld",
		      names[kind], (unsigned long long)want, turns[i] - 1,
		      (long long)(count - want));
	}
	count = count_code(fd, run_turns_of_rep, 4001) -
		count_code(fd, run_turns_of_rep, 1);
	check(count == 4000 * of_rep, "%s: 4000 turns of a REP MOVS are %llu",
	      names[kind], (unsigned long long)count);
	close(fd);
}

/* 64 stores; each is the first to touch its page. */
static void judge_page_faults(uint64_t select)
{
	const int fd = open_selector(select, LEVEL_USER);
	uint64_t fresh, again;

	map_fresh_pages(64);
	fresh = count_code(fd, touch_pages, 64);
	again = count_code(fd, touch_pages, 64);
	check(fresh == again && fresh >= 64,
	      "64 stores that fault are counted once: %llu, %+lld",
	      (unsigned long long)again, (long long)(fresh - again));
	close(fd);
}

/* Handler and return load and store as they do for INT3; the division adds nothing. */
static void judge_divisions(uint64_t select)
{
	const int fd = open_selector(select, LEVEL_USER);
	const uint64_t trapped = count_code(fd, run_breakpoints, 300) -
				 count_code(fd, run_breakpoints, 100);
	const uint64_t refused = count_code(fd, run_refused_interrupts, 300) -
				 count_code(fd, run_refused_interrupts, 100);
	const uint64_t divided = count_code(fd, run_divisions, 300) -
				 count_code(fd, run_divisions, 100);

	note("loads of 200: INT3 %llu, INT %llu, division %llu",
	     (unsigned long long)trapped, (unsigned long long)refused,
	     (unsigned long long)divided);
	check(divided == refused,
	      "200 divisions that fault after their load do not count: %+lld",
	      (long long)(divided - refused));
	close(fd);
}

__attribute__((noinline, noclone)) static void run_loads(uint32_t iterations)
{
	unsigned long a;

	asm volatile("	.globl memory_after_first, memory_after_second\n"
		     "	.globl memory_after_third, memory_after_fourth\n"
		     "1:	nop\n"
		     "	mov (%[at]), %[a]\n"
		     "memory_after_first:\n"
		     "	nop\n"
		     "	nop\n"
		     "	cmp (%[at]), %[a]\n"
		     "memory_after_second:\n"
		     "	mov %[a], (%[at])\n"
		     "	mov (%[at]), %[a]\n"
		     "memory_after_third:\n"
		     "	add %[a], (%[at])\n"
		     "memory_after_fourth:\n"
		     "	decl %[left]\n"
		     "	jnz 1b\n"
		     : [a] "=&r"(a), [left] "+&r"(iterations)
		     : [at] "r"(cells)
		     : "cc", "memory");
}

static int load_before(uint64_t address)
{
	const char *const after[SLED_LOADS] = {
		memory_after_first,
		memory_after_second,
		memory_after_third,
		memory_after_fourth,
	};
	int i;

	for (i = 0; i < SLED_LOADS; i++)
		if (address == (uintptr_t)after[i])
			return i;
	return -1;
}

static void judge_load_samples(uint64_t select, uint64_t period)
{
	struct samples samples;
	const uint64_t count =
		sample_code(open_selector_sampler(select, period), run_loads,
			    20000, &samples);
	const int first = samples.number ? load_before(samples.address[0]) : -1;
	uint32_t k, wrong = first < 0;

	for (k = 1; k < samples.number && first >= 0; k++)
		wrong += load_before(samples.address[k]) !=
			 (int)((first + k * period) % SLED_LOADS);
	check(count >= 20000 * SLED_LOADS && samples.number == count / period &&
		      !samples.lost && !wrong,
	      "period %llu, %llu loads: %u samples, %u lost, %u a load off",
	      (unsigned long long)period, (unsigned long long)count,
	      samples.number, samples.lost, wrong);
	free(samples.address);
}

void judge_memory(void)
{
	const uint64_t *selectors = find_selectors();
	unsigned int kind;

	if (no_perf_pmu() || !selectors[MEMORY_LOADS]) {
		skip("loads and stores",
		     no_perf_pmu() ? no_perf_pmu() :
				     "this processor has no events for them");
		return;
	}
	catch_interrupts();
	for (kind = 0; kind < MEMORY_KINDS; kind++)
		if (selectors[kind])
			judge_kind(kind, selectors[kind]);
	judge_page_faults(selectors[MEMORY_STORES]);
	judge_divisions(selectors[MEMORY_LOADS]);
	judge_load_samples(selectors[MEMORY_LOADS], 997);
	judge_load_samples(selectors[MEMORY_LOADS], 10001);
}
