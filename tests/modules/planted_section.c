// SPDX-License-Identifier: GPL-2.0-only
/*
 * A section with interrupts off whose length is known exactly, for whoever
 * measures such sections: writing a number of instructions to the parameter
 * `instructions' executes them on the CPU of the writer, between CLI and the
 * end of STI.
 */
#include <linux/errno.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

/* Some seconds. */
#define LONGEST 500000000

/* Odd lengths: the loop and STI. */
static noinline void planted_odd(unsigned long turns)
{
	asm volatile("cli\n"
		     "1: dec %0\n"
		     "jnz 1b\n"
		     "sti"
		     : "+r"(turns)
		     :
		     : "cc", "memory");
}

/* Even ones: interrupts come back as the flags are restored. */
static noinline void planted_even(unsigned long turns)
{
	asm volatile("pushf\n"
		     "cli\n"
		     "1: dec %0\n"
		     "jnz 1b\n"
		     "nop\n"
		     "popf"
		     : "+r"(turns)
		     :
		     : "cc", "memory");
}

static int set_instructions(const char *text, const struct kernel_param *param)
{
	unsigned int n;
	int err = kstrtouint(text, 0, &n);

	if (err)
		return err;
	if (n < 4 || n > LONGEST)
		return -EINVAL;
	if (n & 1)
		planted_odd(n / 2);
	else
		planted_even(n / 2 - 1);
	return 0;
}

static const struct kernel_param_ops instructions_ops = {
	.set = set_instructions,
};

module_param_cb(instructions, &instructions_ops, NULL, 0200);
MODULE_PARM_DESC(instructions, "execute so many with interrupts off");

MODULE_DESCRIPTION("Known sections with interrupts off");
MODULE_LICENSE("GPL");
