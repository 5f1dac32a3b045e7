// SPDX-License-Identifier: GPL-2.0-only
/*
 * A security policy for a test: which uses of the PMU are denied.
 *
 * It stands where a security module with a policy would, behind
 * security_perf_event_open(), and replaces its answer.  The parameter "deny" has
 * a bit for each PERF_SECURITY_*, and may be written while the module is loaded;
 * "asked" counts the questions of each kind, in the order of those numbers.
 */
#include <linux/bits.h>
#include <linux/errno.h>
#include <linux/init.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/perf_event.h>
#include <linux/ptrace.h>

#define PERF_SECURITY_KINDS (PERF_SECURITY_TRACEPOINT + 1)

static unsigned int deny;
module_param(deny, uint, 0644);

static unsigned int asked[PERF_SECURITY_KINDS];
module_param_array(asked, uint, NULL, 0444);

/* The function has one argument, the kind of use. */
static int keep_kind(struct kretprobe_instance *instance, struct pt_regs *regs)
{
	*(unsigned long *)instance->data = regs_get_kernel_argument(regs, 0);
	return 0;
}

static int replace_answer(struct kretprobe_instance *instance,
			  struct pt_regs *regs)
{
	unsigned long kind = *(unsigned long *)instance->data;

	if (kind >= PERF_SECURITY_KINDS)
		return 0;
	asked[kind]++;
	if (READ_ONCE(deny) & BIT(kind))
		regs_set_return_value(regs, -EACCES);
	return 0;
}

static struct kretprobe question = {
	.kp.symbol_name = "security_perf_event_open",
	.entry_handler = keep_kind,
	.handler = replace_answer,
	.data_size = sizeof(unsigned long),
};

static int __init policy_init(void)
{
	return register_kretprobe(&question);
}

static void __exit policy_exit(void)
{
	unregister_kretprobe(&question);
}

module_init(policy_init);
module_exit(policy_exit);

MODULE_DESCRIPTION("A policy for security_perf_event_open(), for tests");
MODULE_LICENSE("GPL");
