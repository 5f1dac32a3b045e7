// SPDX-License-Identifier: GPL-2.0-only
/*
 * Flags that an instruction leaves alone. QEMU keeps them in the operands of the
 * instruction that set them last, and whoever changes a single one has to find these:
 * an interrupt right after it stores all flags, and gives them back to the kernel.
 */
#include <cpuid.h>

#include "judge.h"

/* Its sum with itself carries and is negative. */
#define OPERAND (~0UL & ~0xffUL)

#ifdef __x86_64__
#define CMPXCHG_DOUBLE "lock cmpxchg16b %[memory]\n\t"
#else
#define CMPXCHG_DOUBLE "lock cmpxchg8b %[memory]\n\t"
#endif

struct pair {
	unsigned long low;
	unsigned long high;
} __attribute__((aligned(2 * sizeof(long))));

static bool can_exchange_doubles(void)
{
	unsigned int eax, ebx, ecx, edx;

	if (!__get_cpuid(1, &eax, &ebx, &ecx, &edx))
		return false;
	return sizeof(long) == 8 ? ecx & bit_CMPXCHG16B : edx & bit_CMPXCHG8B;
}

struct flags {
	unsigned char carry, sign, zero;
};

/*
 * Those of OPERAND + OPERAND after an exchange of doubles. The jump ends a piece of code
 * that QEMU translates, with other flags.
 */
static struct flags flags_after_exchange(bool succeeds)
{
	struct pair memory = { .low = succeeds ? 0 : 1 };
	unsigned long sum = OPERAND, low = 0, high = 0;
	struct flags flags;

	__asm__ volatile("test %[operand], %[operand]\n\t"
			 "jmp 1f\n"
			 "1:\t"
			 "add %[operand], %[sum]\n\t" CMPXCHG_DOUBLE
			 "setc %[carry]\n\t"
			 "sets %[sign]\n\t"
			 "setz %[zero]"
			 : [sum] "+&S"(sum), [memory] "+m"(memory), "+a"(low),
			   "+d"(high), [carry] "=m"(flags.carry),
			   [sign] "=m"(flags.sign), [zero] "=m"(flags.zero)
			 : [operand] "D"(OPERAND), "b"(0UL), "c"(0UL)
			 : "cc");
	return flags;
}

void judge_flags(void)
{
	static const char name[] =
		"an exchange of doubles changes no flag but zero";
	struct flags same, other;

	if (!can_exchange_doubles()) {
		skip(name, "this processor has no such instruction");
		return;
	}
	same = flags_after_exchange(true);
	other = flags_after_exchange(false);
	check(same.carry && same.sign && same.zero && other.carry &&
		      other.sign && !other.zero,
	      "%s", name);
}
