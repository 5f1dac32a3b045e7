// SPDX-License-Identifier: GPL-2.0-only
/*
 * The track: one block of assembly, and the addresses of its instructions as
 * the assembler sees them.
 */
#include "instruction_track.h"

#include <perfmon/perfmon.h>

#include "attr.h"

/* Instructions before the rounds, and from their end to the stop call. */
#define BEFORE 1
#define AFTER 2

#ifdef __x86_64__
#define CALL "syscall"
#define ARG1 "D"
#define ARG2 "S"
#define CALL_CLOBBERS "rcx", "r11"
#else
#define CALL "int	$0x80"
#define ARG1 "b"
#define ARG2 "c"
#define CALL_CLOBBERS "cc"
#endif

/* Of each instruction, and of what follows them, as a distance from here. */
extern const int32_t track_table[] __attribute__((visibility("hidden")));

/* Returns what the two calls returned, or-ed: negative if one has failed. */
static __attribute__((noinline, noclone)) int run(int fd, unsigned long rounds,
						  int start, int stop)
{
	int started;

	asm volatile(
		CALL "\n"
		     "1:	movl	%%eax, %[started]\n"
		     "2:	nop\n"
		     "3:	nop\n"
		     "4:	nop\n"
		     "5:	nop\n"
		     "6:	nop\n"
		     "7:	dec	%[rounds]\n"
		     "8:	jnz	2b\n"
		     "9:	movl	%[stop], %%eax\n"
		     "10:	" CALL "\n"
		     "11:\n"
		     ".pushsection .rodata\n"
		     ".balign	4\n"
		     ".globl	track_table\n"
		     ".hidden	track_table\n"
		     "track_table:\n"
		     ".long	1b - track_table, 2b - track_table\n"
		     ".long	3b - track_table, 4b - track_table\n"
		     ".long	5b - track_table, 6b - track_table\n"
		     ".long	7b - track_table, 8b - track_table\n"
		     ".long	9b - track_table, 10b - track_table\n"
		     ".long	11b - track_table\n"
		     ".popsection\n"
		: "+a"(start), [rounds] "+r"(rounds), [started] "=&r"(started)
		: ARG1(fd), ARG2(0), [stop] "r"(stop)
		: CALL_CLOBBERS, "memory");
	return started | start;
}

int track_run(int fd, unsigned long rounds)
{
	int base = (int)attr_number("syscall");
	int start = base + PFM_NR_START_SESSION;
	int stop = base + PFM_NR_STOP_SESSION;

	/* Once without a session: no instruction of the track faults later. */
	run(-1, 1, start, stop);
	return run(fd, rounds, start, stop) < 0 && fd >= 0 ? -1 : 0;
}

uint64_t track_length(unsigned long rounds)
{
	return BEFORE + TRACK_ROUND * (uint64_t)rounds + AFTER;
}

static uint64_t address(unsigned int entry)
{
	return (uintptr_t)track_table + (intptr_t)track_table[entry];
}

uint64_t track_ip(unsigned long rounds, uint64_t n)
{
	uint64_t end = BEFORE + TRACK_ROUND * (uint64_t)rounds;

	if (n <= BEFORE)
		return address((unsigned int)n - 1);
	if (n <= end)
		return address(BEFORE + (n - BEFORE - 1) % TRACK_ROUND);
	return address(BEFORE + TRACK_ROUND + (unsigned int)(n - end) - 1);
}

int track_position(uint64_t ip)
{
	int i;

	for (i = 0; i < TRACK_ROUND; i++)
		if (ip == address(BEFORE + i))
			return i;
	return -1;
}

int track_child(void *arg)
{
	(void)arg;
	for (;;)
		track_run(-1, 1000000000);
}
