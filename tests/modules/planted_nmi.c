// SPDX-License-Identifier: GPL-2.0-only
/*
 * NMIs without a cause: a number written to the parameter `send' sends so many to the CPU
 * of the writer. `unknown' counts the NMIs that no handler has claimed; the module claims
 * them, so that the kernel does not report them.
 */
#include <linux/atomic.h>
#include <linux/errno.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/nmi.h>
#include <linux/preempt.h>
#include <linux/smp.h>

#include <asm/apic.h>

#define MOST 1000

static atomic_t unknown_nmis;

static int unknown_nmi(unsigned int type, struct pt_regs *regs)
{
	atomic_inc(&unknown_nmis);
	return NMI_HANDLED;
}

static int set_send(const char *text, const struct kernel_param *param)
{
	unsigned int n;
	int err = kstrtouint(text, 0, &n);

	if (err)
		return err;
	if (n > MOST)
		return -EINVAL;
	preempt_disable();
	while (n--)
		apic->send_IPI(smp_processor_id(), NMI_VECTOR);
	preempt_enable();
	return 0;
}

static int get_unknown(char *text, const struct kernel_param *param)
{
	return sysfs_emit(text, "%d\n", atomic_read(&unknown_nmis));
}

static const struct kernel_param_ops send_ops = { .set = set_send };
static const struct kernel_param_ops unknown_ops = { .get = get_unknown };

module_param_cb(send, &send_ops, NULL, 0200);
MODULE_PARM_DESC(send, "send so many NMIs to this CPU");
module_param_cb(unknown, &unknown_ops, NULL, 0400);
MODULE_PARM_DESC(unknown, "NMIs that no handler has claimed");

static int __init planted_init(void)
{
	return register_nmi_handler(NMI_UNKNOWN, unknown_nmi, 0, "planted");
}
module_init(planted_init);

static void __exit planted_exit(void)
{
	unregister_nmi_handler(NMI_UNKNOWN, "planted");
}
module_exit(planted_exit);

MODULE_DESCRIPTION("NMIs without a cause");
MODULE_LICENSE("GPL");
