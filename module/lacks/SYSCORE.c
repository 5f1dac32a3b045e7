// SPDX-License-Identifier: GPL-2.0-only
/*
 * struct syscore for kernels whose syscore operations have no argument: one
 * operation of such a kernel calls all of ours, first registered first resumed.
 *
 * The list changes only at the start and the end of the module, never during
 * system suspend, which freezes the program that loads or unloads it.
 */
#include <linux/list.h>

/* compat.h uses this name for ours. */
#undef syscore_ops

static LIST_HEAD(registered);

static int lacks_suspend(void)
{
	struct syscore *syscore;
	int err;

	list_for_each_entry_reverse(syscore, &registered, node) {
		err = syscore->ops->suspend(syscore->data);
		if (err)
			return err;
	}
	return 0;
}

static void lacks_resume(void)
{
	struct syscore *syscore;

	list_for_each_entry(syscore, &registered, node)
		syscore->ops->resume(syscore->data);
}

static struct syscore_ops lacks_ops = {
	.suspend = lacks_suspend,
	.resume = lacks_resume,
};

void register_syscore(struct syscore *syscore)
{
	bool first = list_empty(&registered);

	list_add_tail(&syscore->node, &registered);
	if (first)
		register_syscore_ops(&lacks_ops);
}

void unregister_syscore(struct syscore *syscore)
{
	list_del(&syscore->node);
	if (list_empty(&registered))
		unregister_syscore_ops(&lacks_ops);
}
