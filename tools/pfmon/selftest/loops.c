// SPDX-License-Identifier: GPL-2.0-only
/* The known loops, see loops.h. */
#include "loops.h"

#include <cpuid.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define COPY_SIZE 256

/* Leaf 7 of CPUID, and a bit of its EBX. */
#define EXTENDED_FEATURES 7
#define FEATURE_RTM (1u << 11)

/* The compiler neither inlines the loops nor adapts them to a caller. */
#define KERNEL_OF_A_TEST __attribute__((noinline, noclone))

extern const char pfmon_count_begin[] __attribute__((visibility("hidden")));
extern const char pfmon_count_end[] __attribute__((visibility("hidden")));
extern const char pfmon_nops_begin[] __attribute__((visibility("hidden")));
extern const char pfmon_nops_end[] __attribute__((visibility("hidden")));

static unsigned char small_memory[LOOP_SMALL];
static unsigned char *memory = small_memory;
static size_t memory_size = LOOP_SMALL;

/* A label in the assembly of a function that is compiled once. */
#define LABEL(name)         \
	".globl " name "\n" \
	".hidden " name "\n" name ":\n"

static KERNEL_OF_A_TEST void run_count(unsigned long turns)
{
	asm volatile(
		LABEL("pfmon_count_begin") "	dec	%0\n"
					   "	jnz	pfmon_count_begin\n" LABEL(
						   "pfmon_count_end")
		: "+r"(turns)
		:
		: "cc");
}

static KERNEL_OF_A_TEST void run_nops(unsigned long turns)
{
	asm volatile(
		LABEL("pfmon_nops_begin") ".rept	100\n"
					  "	nop\n"
					  ".endr\n"
					  "	dec	%0\n"
					  "	jnz	pfmon_nops_begin\n" LABEL(
						  "pfmon_nops_end")
		: "+r"(turns)
		:
		: "cc");
}

static KERNEL_OF_A_TEST void run_copy(unsigned long turns)
{
	static unsigned char from[COPY_SIZE], to[COPY_SIZE];
	const unsigned char *source;
	unsigned char *target;
	unsigned long size;

	asm volatile("1:	mov	%[from], %[source]\n"
		     "	mov	%[to], %[target]\n"
		     "	mov	%[all], %[size]\n"
		     "	rep movsb\n"
		     "	dec	%[turns]\n"
		     "	jnz	1b\n"
		     : [turns] "+r"(turns), [source] "=&S"(source),
		       [target] "=&D"(target), [size] "=&c"(size)
		     : [from] "r"(from), [to] "r"(to), [all] "i"(COPY_SIZE)
		     : "cc", "memory");
}

static KERNEL_OF_A_TEST void run_load(unsigned long turns)
{
	unsigned long offset = 0, value, mask = memory_size - 1;

	asm volatile(
		"1:	mov	(%[memory], %[offset]), %[value]\n"
		"	add	$64, %[offset]\n"
		"	and	%[mask], %[offset]\n"
		"	dec	%[turns]\n"
		"	jnz	1b\n"
		: [turns] "+r"(turns), [offset] "+r"(offset), [value] "=&r"(value)
		: [memory] "r"(memory), [mask] "rm"(mask)
		: "cc", "memory");
}

static KERNEL_OF_A_TEST void run_calls(unsigned long turns)
{
	unsigned long number = SYS_getpid, result;

#ifdef __x86_64__
	asm volatile("1:	mov	%[number], %[result]\n"
		     "	syscall\n"
		     "	dec	%[turns]\n"
		     "	jnz	1b\n"
		     : [turns] "+r"(turns), [result] "=&a"(result)
		     : [number] "r"(number)
		     : "cc", "memory", "rcx", "r11");
#else
	asm volatile("1:	mov	%[number], %[result]\n"
		     "	int	$0x80\n"
		     "	dec	%[turns]\n"
		     "	jnz	1b\n"
		     : [turns] "+r"(turns), [result] "=&a"(result)
		     : [number] "r"(number)
		     : "cc", "memory");
#endif
}

/* A turn that is aborted has fewer instructions. */
static KERNEL_OF_A_TEST void run_transactions(unsigned long turns)
{
	asm volatile("1:	xbegin	2f\n"
		     "	incl	(%[memory])\n"
		     "	xend\n"
		     "2:	dec	%[turns]\n"
		     "	jnz	1b\n"
		     : [turns] "+r"(turns)
		     : [memory] "r"(small_memory)
		     : "cc", "memory", "eax");
}

const struct loop loop_count = { "dec, jnz", run_count, 2, 1, 0 };
const struct loop loop_nops = { "100 NOPs", run_nops, LOOP_SLED + 2, 1, 0 };
const struct loop loop_copy = { "rep movsb", run_copy, 6, 1, 0 };
const struct loop loop_load = { "loads", run_load, 5, 1, 0 };
const struct loop loop_calls = { "getpid", run_calls, 4, 1, 1 };
const struct loop loop_transactions = { "transactions", run_transactions, 0, 0,
					0 };

/* For events whose number per turn is not known. */
static KERNEL_OF_A_TEST void run_mixture(unsigned long turns)
{
	run_count(10 * turns);
	run_nops(turns);
	run_copy(turns);
	run_load(10 * turns);
	run_calls(turns);
}

const struct loop loop_mixture = { "mixture", run_mixture, 0, 0, 0 };

bool loop_has_transactions(void)
{
	unsigned int eax, ebx, ecx, edx;

	return __get_cpuid_count(EXTENDED_FEATURES, 0, &eax, &ebx, &ecx,
				 &edx) &&
	       ebx & FEATURE_RTM;
}

int loop_memory(size_t size)
{
	unsigned char *wanted = small_memory;

	if (size > LOOP_SMALL) {
		wanted = mmap(NULL, size, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		if (wanted == MAP_FAILED)
			return -1;
	}
	/* Pages that were never written are all the same one. */
	memset(wanted, 1, size);
	if (memory != small_memory)
		munmap(memory, memory_size);
	memory = wanted;
	memory_size = size;
	return 0;
}

static bool is_between(uint64_t ip, const char *begin, const char *end)
{
	return ip >= (uintptr_t)begin && ip <= (uintptr_t)end;
}

bool loop_is_in_count(uint64_t ip)
{
	return is_between(ip, pfmon_count_begin, pfmon_count_end);
}

bool loop_is_in_nops(uint64_t ip)
{
	return is_between(ip, pfmon_nops_begin, pfmon_nops_end);
}
