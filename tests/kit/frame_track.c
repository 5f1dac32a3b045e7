// SPDX-License-Identifier: GPL-2.0-only
/* Code with known frame pointers, in assembly so that no compiler has its way. */
#include "frame_track.h"

#include <sys/syscall.h>

/*
 * The first argument is in COUNT, the second in the frame pointer, which is saved
 * meanwhile; TAKE takes both. TURN has the second in the stack pointer, which the frame
 * pointer keeps. GETPPID is a system call that does little.
 */
#ifdef __x86_64__
#define FP "%rbp"
#define SP "%rsp"
#define TAKE "push	%rbp\n mov	%rsi, %rbp\n mov	%rdi, %r12\n"
#define TURN \
	"push	%rbp\n mov	%rdi, %r12\n mov	%rsp, %rbp\n mov	%rsi, %rsp\n"
#define COUNT "%r12"
#define GETPPID "mov	$110, %eax\n syscall\n"
#define SAVE "push	%r12\n"
#define RESTORE "pop	%r12\n"
#define FIRST "mov	%rdi, %r12\n"
_Static_assert(SYS_getppid == 110, "GETPPID");
#else
#define FP "%ebp"
#define SP "%esp"
/* Two words are on the stack above the return address: the saved registers. */
/* clang-format off */
#define TAKE \
	"push	%ebp\n mov	16(%esp), %ebp\n mov	12(%esp), %esi\n"
#define TURN \
	"push	%ebp\n mov	12(%esp), %esi\n mov	16(%esp), %eax\n" \
	"mov	%esp, %ebp\n mov	%eax, %esp\n"
/* clang-format on */
#define COUNT "%esi"
#define GETPPID "mov	$64, %eax\n int	$0x80\n"
#define SAVE "push	%esi\n"
#define RESTORE "pop	%esi\n"
#define FIRST "mov	8(%esp), %esi\n"
_Static_assert(SYS_getppid == 64, "GETPPID");
#endif

#define FUNCTION(name)                                                      \
	".globl	" name "\n .hidden	" name "\n .type	" name ", " \
	"@function\n" name ":\n"

#define CALL(name, after)                                                 \
	"push	" FP "\n mov	" SP ", " FP "\n call	" name "\n" after \
	":\n"                                                             \
	"pop	" FP "\n ret\n"

asm(".text\n"
    /* */
    FUNCTION("track_frames") SAVE TAKE "frames_begin:\n"
				       "dec	" COUNT "\n"
				       "jnz	frames_begin\n"
				       "frames_end:\n"
				       "pop	" FP "\n" RESTORE "ret\n"
    /* */
    FUNCTION("track_stack") SAVE TURN "stack_begin:\n"
				      "dec	" COUNT "\n"
				      "jnz	stack_begin\n"
				      "stack_end:\n"
				      "mov	" FP ", " SP "\n"
				      "pop	" FP "\n" RESTORE "ret\n"
    /* */
    FUNCTION("track_system_calls") SAVE TAKE
    "1:" GETPPID "after_system_call:\n"
    "dec	" COUNT "\n"
    "jnz	1b\n"
    "pop	" FP "\n" RESTORE "ret\n"
    /* */
    "innermost:\n"
    "push	" FP "\n mov	" SP ", " FP "\n"
    "calls_begin:\n"
    "dec	" COUNT "\n"
    "jnz	calls_begin\n"
    "calls_end:\n"
    "pop	" FP "\n ret\n"
    /* */
    "middle:\n" CALL("innermost",
		     "after_innermost") "outer:\n" CALL("middle",
							"after_middle")
    /* */
    FUNCTION("track_calls") SAVE FIRST
    "push	" FP "\n"
    "xor	" FP ", " FP "\n"
    "call	outer\n"
    "after_outer:\n"
    "pop	" FP "\n" RESTORE "ret\n"
    /* Distances, so that they need no relocation. */
    ".pushsection .rodata\n"
    ".balign	4\n"
    ".globl	frame_table\n"
    ".hidden	frame_table\n"
    "frame_table:\n"
    ".long	frames_begin - frame_table, frames_end - frame_table\n"
    ".long	calls_begin - frame_table, calls_end - frame_table\n"
    ".long	after_system_call - frame_table\n"
    ".long	after_innermost - frame_table\n"
    ".long	after_middle - frame_table\n"
    ".long	after_outer - frame_table\n"
    ".long	stack_begin - frame_table, stack_end - frame_table\n"
    ".popsection\n");

extern const int32_t frame_table[] __attribute__((visibility("hidden")));

enum place {
	FRAMES_BEGIN,
	FRAMES_END,
	CALLS_BEGIN,
	CALLS_END,
	AFTER_SYSTEM_CALL,
	AFTER_INNERMOST,
	STACK_BEGIN = AFTER_INNERMOST + TRACK_CALLS,
	STACK_END,
};

static uintptr_t address(unsigned int place)
{
	return (uintptr_t)frame_table + (uintptr_t)(intptr_t)frame_table[place];
}

bool track_has_frames(uint64_t ip)
{
	return ip >= address(FRAMES_BEGIN) && ip < address(FRAMES_END);
}

bool track_has_calls(uint64_t ip)
{
	return ip >= address(CALLS_BEGIN) && ip < address(CALLS_END);
}

bool track_has_stack(uint64_t ip)
{
	return ip >= address(STACK_BEGIN) && ip < address(STACK_END);
}

uintptr_t track_after_system_call(void)
{
	return address(AFTER_SYSTEM_CALL);
}

uintptr_t track_return_address(unsigned int i)
{
	return address(AFTER_INNERMOST + i);
}
