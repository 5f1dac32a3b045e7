// SPDX-License-Identifier: GPL-2.0-only
/*
 * Code of a known number of instructions, in assembler so that no compiler
 * changes it.
 */

#include <stddef.h>
#include <sys/mman.h>

#include "judge.h"

#define PAGE 4096

#ifdef __x86_64__
#define CALL_KERNEL "syscall"
#define CALL_CLOBBERS "rcx", "r11"
#else
#define CALL_KERNEL "int $0x80"
#define CALL_CLOBBERS "ecx"
#endif

extern const char sled_start[], sled_dec[], sled_jump[];

/* Not inlined: the instructions around the loop are the same everywhere. */
__attribute__((noinline)) void run_loop(uint32_t iterations)
{
	asm volatile("1:	decl %0\n"
		     "	jnz 1b"
		     : "+r"(iterations)
		     :
		     : "cc");
}

/*
 * A loop in which each instruction but the last two is one byte long, so that
 * an address tells the number of the instruction.
 */
__attribute__((noinline, noclone)) void run_sled(uint32_t iterations)
{
	asm volatile("	.globl sled_start, sled_dec, sled_jump\n"
		     "sled_start:\n"
		     "	.rept 97\n"
		     "	nop\n"
		     "	.endr\n"
		     "sled_dec:\n"
		     "	decl %0\n"
		     "sled_jump:\n"
		     "	jnz sled_start"
		     : "+r"(iterations)
		     :
		     : "cc");
}

__attribute__((noinline)) void run_rep(uint32_t bytes)
{
	static char buffer[65536];
	char *to = buffer;
	size_t count = bytes;

	asm volatile("rep stosb" : "+D"(to), "+c"(count) : "a"(0) : "memory");
}

static volatile char *fresh_pages;

void map_fresh_pages(uint32_t pages)
{
	void *map = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (map == MAP_FAILED)
		give_up("mmap");
	fresh_pages = map;
}

__attribute__((noinline)) void touch_pages(uint32_t pages)
{
	uint32_t i;

	for (i = 0; i < pages; i++)
		fresh_pages[i * PAGE] = 1;
}

char *fresh_page_end(uint32_t page)
{
	return (char *)fresh_pages + (page + 1) * PAGE;
}

int sled_position(uint64_t address)
{
	const uint64_t start = (uintptr_t)sled_start;
	const uint64_t dec = (uintptr_t)sled_dec;

	if (address >= start && address <= dec)
		return (int)(address - start);
	if (address == (uintptr_t)sled_jump)
		return (int)(dec - start) + 1;
	return -1;
}

/* Each instruction that is longer than one byte has a label. */
extern const char mix_start[], mix_number[], mix_call[], mix_store[];
extern const char mix_add[], mix_count[], mix_rep[], mix_dec[], mix_jump[];

__attribute__((noinline, noclone)) void run_mix(uint32_t iterations)
{
	static char buffer[MIX_MOST * MIX_REPEATS];
	volatile char *to = fresh_pages;
	char *end = buffer;

	asm volatile("	.globl mix_start, mix_number, mix_call, mix_store\n"
		     "	.globl mix_add, mix_count, mix_rep, mix_dec\n"
		     "	.globl mix_jump\n"
		     "mix_start:\n"
		     "	.rept 40\n"
		     "	nop\n"
		     "	.endr\n"
		     "mix_number:\n"
		     "	movl $-1, %%eax\n" /* there is no call of that number */
		     "mix_call:\n"
		     "	" CALL_KERNEL "\n"
		     "mix_store:\n"
		     "	movb $1, (%0)\n"
		     "mix_add:\n"
		     "	add %3, %0\n"
		     "mix_count:\n"
		     "	movl %4, %%ecx\n"
		     "mix_rep:\n"
		     "	rep stosb\n"
		     "mix_dec:\n"
		     "	decl %1\n"
		     "mix_jump:\n"
		     "	jnz mix_start"
		     : "+S"(to), "+b"(iterations), "+D"(end)
		     : "i"(MIX_STEP), "i"(MIX_REPEATS)
		     : "cc", "memory", "eax", CALL_CLOBBERS);
}

int mix_position(uint64_t address)
{
	static const char *const longer[] = { mix_call,	 mix_store, mix_add,
					      mix_count, mix_rep,   mix_dec,
					      mix_jump };
	const uint64_t start = (uintptr_t)mix_start;
	const uint64_t number = (uintptr_t)mix_number;
	unsigned int i;

	if (address >= start && address <= number)
		return (int)(address - start);
	for (i = 0; i < sizeof(longer) / sizeof(longer[0]); i++)
		if (address == (uintptr_t)longer[i])
			return (int)(number - start + 1 + i);
	return -1;
}

__attribute__((noinline)) uint32_t rdpmc_around_loop(uint32_t index,
						     uint32_t iterations)
{
	uint32_t before, after;

	asm volatile("	rdpmc\n"
		     "	movl %%eax, %1\n"
		     "1:	decl %2\n"
		     "	jnz 1b\n"
		     "	rdpmc"
		     : "=a"(after), "=&r"(before), "+&r"(iterations)
		     : "c"(index)
		     : "cc", "edx");
	return after - before;
}
