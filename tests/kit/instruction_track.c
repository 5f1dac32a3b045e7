// SPDX-License-Identifier: GPL-2.0-only
/*
 * The track: one block of assembly, and the addresses of its instructions as
 * the assembler sees them.
 *
 * A call is a perfmon system call of (session, flags), or an ioctl() of (session,
 * number, arguments) where perfmon is a module.  From one to the other the number
 * of the system call changes in the first case, the second argument in the other;
 * the track sets both, so that its instructions are as many.
 */
#include "instruction_track.h"

#include <perfmon/perfmon.h>
#include <perfmon/perfmon_ioctl.h>
#include <sys/syscall.h>

#include "attr.h"

/* Instructions before the rounds, and from their end to the stop call. */
#define BEFORE 1
#define AFTER 2

#ifdef __x86_64__
#define CALL "syscall"
#define ARG1 "D"
#define ARG2 "S"
#define ARG3 "d"
#define CALL_CLOBBERS "rcx", "r11"
#else
#define CALL "int	$0x80"
#define ARG1 "b"
#define ARG2 "c"
#define ARG3 "d"
#define CALL_CLOBBERS "cc"
#endif

/* Of each instruction, and of what follows them, as a distance from here. */
extern const int32_t track_table[] __attribute__((visibility("hidden")));

/* A call: number of the system call, and its second argument. */
struct way {
	int number;
	unsigned int argument;
};

/* Returns what the two calls returned, or-ed: negative if one has failed. */
static __attribute__((noinline, noclone)) int
run(int fd, unsigned long rounds, struct way start, struct way stop)
{
	static const struct pfm_ioc_args no_arguments;
	unsigned int argument = start.argument;
	int status = start.number, number = stop.number;

	asm volatile(CALL "\n"
			  "1:	xchgl	%%eax, %[number]\n"
			  "2:	nop\n"
			  "3:	nop\n"
			  "4:	nop\n"
			  "5:	nop\n"
			  "6:	nop\n"
			  "7:	dec	%[rounds]\n"
			  "8:	jnz	2b\n"
			  "9:	movl	%[stop], %k[argument]\n"
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
		     : "+&a"(status), [rounds] "+&r"(rounds),
		       [number] "+&r"(number), [argument] "+&" ARG2(argument)
		     : ARG1(fd), ARG3(&no_arguments), [stop] "rm"(stop.argument)
		     : CALL_CLOBBERS, "memory");
	/* Where the number was is what the first one returned. */
	return status | number;
}

static struct way way_of(int64_t base, int call, unsigned int ioctl)
{
	if (base > 0)
		return (struct way){ .number = (int)base + call };
	return (struct way){ .number = SYS_ioctl, .argument = ioctl };
}

int track_run(int fd, unsigned long rounds)
{
	int64_t base = attr_number("syscall");
	struct way start = way_of(base, PFM_NR_START_SESSION, PFM_IOC_START);
	struct way stop = way_of(base, PFM_NR_STOP_SESSION, PFM_IOC_STOP);

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
