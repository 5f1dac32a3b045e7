// SPDX-License-Identifier: GPL-2.0-only
/*
 * The track: one block of assembly, and the addresses of its branches as the assembler
 * sees them. What a call is: see instruction_track.c.
 */
#include "instruction_track.h"

#include <perfmon/perfmon.h>
#include <perfmon/perfmon_ioctl.h>
#include <sys/syscall.h>

#include "attr.h"

#ifdef __x86_64__

/* Instructions before the rounds, and from their end to the stop call. */
#define BEFORE 1
#define AFTER 2

/* Of each instruction in the order of execution, as a distance from here. */
extern const int32_t branch_table[] __attribute__((visibility("hidden")));

/* A call: number of the system call, and its second argument. */
struct way {
	int number;
	unsigned int argument;
};

/* Labels of the table that are no instructions of a round. */
enum { LABEL_FIRST = BRANCH_ROUND, LABEL_END };

static uint64_t label(unsigned int i)
{
	return (uintptr_t)branch_table + (intptr_t)branch_table[i];
}

/*
 * Below the stack pointer may be variables of the compiler, which the calls must not
 * overwrite. Returns what the two system calls returned, or-ed.
 */
static __attribute__((noinline, noclone)) int
run(int fd, unsigned long rounds, struct way start, struct way stop)
{
	static const struct pfm_ioc_args no_arguments;
	unsigned int argument = start.argument;
	int status = start.number, number = stop.number;

	asm volatile("lea	-128(%%rsp), %%rsp\n"
		     "syscall\n"
		     "1:	xchgl	%%eax, %[number]\n"
		     "2:	jmp	3f\n"
		     "nop\n"
		     "3:	call	20f\n"
		     "4:	cmp	%%eax, %%eax\n"
		     "5:	jz	6f\n"
		     "nop\n"
		     "6:	jnz	7f\n"
		     "7:	jmp	*%[target]\n"
		     "nop\n"
		     "8:	call	*%[callee]\n"
		     "9:	dec	%[rounds]\n"
		     "10:	jnz	2b\n"
		     "movl	%[stop], %k[argument]\n"
		     "syscall\n"
		     "jmp	21f\n"
		     "20:	ret\n"
		     "21:	lea	128(%%rsp), %%rsp\n"
		     ".pushsection .rodata\n"
		     ".balign	4\n"
		     ".globl	branch_table\n"
		     ".hidden	branch_table\n"
		     "branch_table:\n"
		     ".long	2b - branch_table, 3b - branch_table\n"
		     ".long	20b - branch_table, 4b - branch_table\n"
		     ".long	5b - branch_table, 6b - branch_table\n"
		     ".long	7b - branch_table, 8b - branch_table\n"
		     ".long	20b - branch_table, 9b - branch_table\n"
		     ".long	10b - branch_table\n"
		     ".long	1b - branch_table, 21b - branch_table\n"
		     ".popsection\n"
		     : "+&a"(status), [rounds] "+&r"(rounds),
		       [number] "+&r"(number), [argument] "+&S"(argument)
		     : "D"(fd), "d"(&no_arguments), [stop] "r"(stop.argument),
		       [target] "r"(label(7)), [callee] "r"(label(2))
		     : "rcx", "r11", "cc", "memory");
	/* Where the number was is what the first one returned. */
	return status | number;
}

static struct way way_of(int64_t base, int call, unsigned int ioctl)
{
	if (base > 0)
		return (struct way){ .number = (int)base + call };
	return (struct way){ .number = SYS_ioctl, .argument = ioctl };
}

bool branch_track_exists(void)
{
	return true;
}

int branch_track_run(int fd, unsigned long rounds)
{
	int64_t base = attr_number("syscall");
	struct way start = way_of(base, PFM_NR_START_SESSION, PFM_IOC_START);
	struct way stop = way_of(base, PFM_NR_STOP_SESSION, PFM_IOC_STOP);

	/* Once without a session: no instruction of the track faults later. */
	run(-1, 1, start, stop);
	return run(fd, rounds, start, stop) < 0 && fd >= 0 ? -1 : 0;
}

uint64_t branch_track_ip(uint64_t n)
{
	return label((n - BEFORE - 1) % BRANCH_ROUND);
}

bool branch_track_has(uint64_t address)
{
	return address >= label(LABEL_FIRST) && address < label(LABEL_END);
}

/* Instructions of a round that are branches and are taken, by label. */
static const struct {
	unsigned int to;
	uint64_t kind;
} branches_of_round[BRANCH_ROUND] = {
	[0] = { 1, LBR_NO_REL_JMP }, [1] = { 2, LBR_NO_REL_CALL },
	[2] = { 3, LBR_NO_RETURN },  [4] = { 5, LBR_NO_COND },
	[6] = { 7, LBR_NO_IND_JMP }, [7] = { 8, LBR_NO_IND_CALL },
	[8] = { 9, LBR_NO_RETURN },  [10] = { 0, LBR_NO_COND },
};

unsigned int branch_track_last(uint64_t n, uint64_t select,
			       struct track_branch *branches, unsigned int max)
{
	unsigned int i, nr = 0;

	for (; n > BEFORE && nr < max; n--) {
		i = (n - BEFORE - 1) % BRANCH_ROUND;
		if (!branches_of_round[i].kind ||
		    branches_of_round[i].kind & select)
			continue;
		branches[nr].from = label(i);
		branches[nr++].to = label(branches_of_round[i].to);
	}
	return nr;
}

uint64_t branch_track_length(unsigned long rounds)
{
	return BEFORE + BRANCH_ROUND * (uint64_t)rounds + AFTER;
}

#else

bool branch_track_exists(void)
{
	return false;
}

int branch_track_run(int fd, unsigned long rounds)
{
	(void)fd;
	(void)rounds;
	return -1;
}

uint64_t branch_track_ip(uint64_t n)
{
	return n;
}

bool branch_track_has(uint64_t address)
{
	return !address;
}

unsigned int branch_track_last(uint64_t n, uint64_t select,
			       struct track_branch *branches, unsigned int max)
{
	(void)n;
	(void)select;
	(void)branches;
	(void)max;
	return 0;
}

uint64_t branch_track_length(unsigned long rounds)
{
	return rounds;
}

#endif

int branch_track_child(void *arg)
{
	(void)arg;
	for (;;)
		branch_track_run(-1, 1000000000);
}
