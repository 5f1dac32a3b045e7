// SPDX-License-Identifier: GPL-2.0-only
/*
 * A data race to be found: two threads on two CPUs count in one variable,
 * without lock or mark, until the module goes.
 */
#include <linux/err.h>
#include <linux/init.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/sched.h>

static unsigned long planted;
static struct task_struct *threads[2];

static noinline void planted_increment(void)
{
	planted++;
}

static int planted_thread(void *unused)
{
	while (!kthread_should_stop()) {
		planted_increment();
		cond_resched();
	}
	return 0;
}

static void stop_threads(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(threads); i++)
		if (!IS_ERR_OR_NULL(threads[i]))
			kthread_stop(threads[i]);
}

static int __init planted_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(threads); i++) {
		threads[i] = kthread_run_on_cpu(planted_thread, NULL, i,
						"planted/%u");
		if (IS_ERR(threads[i])) {
			stop_threads();
			return PTR_ERR(threads[i]);
		}
	}
	return 0;
}

static void __exit planted_exit(void)
{
	stop_threads();
}

module_init(planted_init);
module_exit(planted_exit);

MODULE_DESCRIPTION("A data race, for tests of the kernel that looks for them");
MODULE_LICENSE("GPL");
