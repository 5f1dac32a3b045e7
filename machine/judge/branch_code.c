// SPDX-License-Identifier: GPL-2.0-only
/*
 * Code with a known number of branches, in assembler so that no compiler changes it.
 */

#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "judge.h"

#define PAGE 4096

/* The instructions that the branches of the loop go to, in their order. */
extern const char branches_first[], branches_second[], branches_third[];
extern const char branches_fourth[], branches_fifth[], branches_sixth[];
extern const char branches_seventh[], branches_eighth[], branches_start[];
extern const char branches_end[];

static const struct {
	const char *target;
	enum branch kind;
} turn[BRANCHES_A_TURN] = {
	{ branches_first, BRANCH_CALL },
	{ branches_second, BRANCH_RETURN },
	{ branches_third, BRANCH_CALL_INDIRECT },
	{ branches_fourth, BRANCH_RETURN },
	{ branches_fifth, BRANCH_JUMP },
	{ branches_sixth, BRANCH_JUMP_INDIRECT },
	{ branches_seventh, BRANCH_COND_NOT_TAKEN },
	{ branches_eighth, BRANCH_COND_TAKEN },
	{ branches_start, BRANCH_COND_TAKEN },
};

/* The last turn does not go back to the start, but on and over the callees. */
__attribute__((noinline, noclone)) void run_branches(uint32_t iterations)
{
	asm volatile(
		"	.globl branches_first, branches_second, branches_third\n"
		"	.globl branches_fourth, branches_fifth, branches_sixth\n"
		"	.globl branches_seventh, branches_eighth\n"
		"	.globl branches_start, branches_end\n"
		"branches_start:\n"
		"	call branches_first\n"
		"branches_second:\n"
		"	call *%[callee]\n"
		"branches_fourth:\n"
		"	jmp branches_fifth\n"
		"	nop\n"
		"branches_fifth:\n"
		"	jmp *%[label]\n"
		"	nop\n"
		"branches_sixth:\n"
		"	testl %[left], %[left]\n"
		"	jz branches_end\n"
		"branches_seventh:\n"
		"	jnz branches_eighth\n"
		"	nop\n"
		"branches_eighth:\n"
		"	decl %[left]\n"
		"	jnz branches_start\n"
		"	jmp branches_end\n"
		"branches_first:\n"
		"	ret\n"
		"branches_third:\n"
		"	ret\n"
		"branches_end:\n"
		: [left] "+r"(iterations)
		: [callee] "r"(branches_third), [label] "r"(branches_sixth)
		: "cc", "memory");
}

enum branch branch_before(unsigned int target)
{
	return turn[target].kind;
}

int branch_target(uint64_t address)
{
	int i;

	for (i = 0; i < BRANCHES_A_TURN; i++)
		if (address == (uintptr_t)turn[i].target)
			return i;
	return -1;
}

__attribute__((noinline)) void run_system_calls(uint32_t number)
{
	unsigned long result;

	for (; number; number--)
#ifdef __x86_64__
		asm volatile("syscall"
			     : "=a"(result)
			     : "0"(SYS_getppid)
			     : "rcx", "r11", "memory");
#else
		asm volatile("int $0x80"
			     : "=a"(result)
			     : "0"(SYS_getppid)
			     : "memory");
#endif
}

static void go_on(int number)
{
	(void)number;
}

/* Over the instruction of two bytes that has faulted. */
static void skip_instruction(int number, siginfo_t *info, void *context)
{
	ucontext_t *user = context;

	(void)number;
	(void)info;
#ifdef __x86_64__
	user->uc_mcontext.gregs[REG_RIP] += 2;
#else
	user->uc_mcontext.gregs[REG_EIP] += 2;
#endif
}

void catch_interrupts(void)
{
	const struct sigaction trap = { .sa_handler = go_on };
	const struct sigaction fault = { .sa_sigaction = skip_instruction,
					 .sa_flags = SA_SIGINFO };

	if (sigaction(SIGTRAP, &trap, NULL) ||
	    sigaction(SIGSEGV, &fault, NULL) || sigaction(SIGFPE, &fault, NULL))
		give_up("sigaction");
}

__attribute__((noinline)) void run_refused_interrupts(uint32_t number)
{
	for (; number; number--)
		asm volatile("int $0x42" : : : "memory");
}

__attribute__((noinline)) void run_breakpoints(uint32_t number)
{
	for (; number; number--)
		asm volatile("int3" : : : "memory");
}

/* The call is the first to touch its page: it faults, and is executed again. */
__attribute__((noinline)) void call_on_pages(uint32_t pages)
{
	char *stack = fresh_page_end(0);
	unsigned long own;

	asm volatile(
		"1:\n"
#ifdef __x86_64__
		"	movq %%rsp, %[own]\n"
		"	movq %[stack], %%rsp\n"
		"	call 2f\n"
		"	movq %[own], %%rsp\n"
#else
		"	movl %%esp, %[own]\n"
		"	movl %[stack], %%esp\n"
		"	call 2f\n"
		"	movl %[own], %%esp\n"
#endif
		"	add %[page], %[stack]\n"
		"	decl %[left]\n"
		"	jnz 1b\n"
		"	jmp 3f\n"
		"2:\n"
		"	ret\n"
		"3:\n"
		: [own] "=&r"(own), [stack] "+&r"(stack), [left] "+&r"(pages)
		: [page] "i"(PAGE)
		: "cc", "memory");
}
