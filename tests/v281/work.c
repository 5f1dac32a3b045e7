// SPDX-License-Identifier: GPL-2.0-only
/* Something to be counted, see work.h. */
#include "work.h"

extern const char work_begin[], work_end[];

/* There must be one copy only, because of the labels. */
__attribute__((noipa)) void work(unsigned long passes)
{
	__asm__ volatile(".globl work_begin, work_end\n"
			 "work_begin:\n\t"
			 "dec %0\n\t"
			 "jnz work_begin\n"
			 "work_end:"
			 : "+r"(passes)
			 :
			 : "cc");
}

/* The address of a sample is that of the instruction that comes next. */
bool is_in_work(uint64_t address)
{
	return address >= (uintptr_t)work_begin &&
	       address <= (uintptr_t)work_end;
}

_Noreturn void work_forever(unsigned long *passes)
{
	for (;;)
		__asm__ volatile("0:\n\t"
				 "incl %0\n\t"
				 "jmp 0b"
				 : "+m"(*passes)
				 :
				 : "cc");
}
