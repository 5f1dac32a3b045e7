// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/perfctr-probe: owns the slots and decides which is on which CPU.
 *
 * The interface is described in perfctr_probe.h, the locks in probe.h. A CPU
 * cannot go off line while the device is open, so that a slot on it stays
 * there.
 */
#include <linux/cpu.h>
#include <linux/errno.h>
#include <linux/fs.h>
#include <linux/irqflags.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "probe.h"

#define NO_CPU (-1)

static_assert(PERFCTR_PROBE_COUNTERS == PERFCTR_MAX_COUNTERS);
static_assert(PERFCTR_PROBE_PCINT == PERFCTR_FEATURE_PCINT);

static const char service[] = PERFCTR_PROBE_SERVICE;

static DEFINE_MUTEX(probe_lock);
static bool is_open;

struct probe_slot probe_slots[PERFCTR_PROBE_SLOTS];

static struct probe_slot *slot_at(unsigned long number)
{
	return number < PERFCTR_PROBE_SLOTS ? &probe_slots[number] : NULL;
}

/* The next two are called on the CPU itself with interrupts off. */
static void put_on(struct probe_slot *slot)
{
	slot->cpu = smp_processor_id();
	__this_cpu_write(probe_cpus.live, slot);
	perfctr_cpu_resume(&slot->state);
}

static void take_off(struct probe_slot *slot)
{
	__this_cpu_write(probe_cpus.live, NULL);
	perfctr_cpu_suspend(&slot->state);
	slot->cpu = NO_CPU;
}

/* Context: interrupts off. */
static int try_put_on(struct probe_slot *slot)
{
	if (perfctr_cpu_forbidden())
		return -EINVAL;
	if (slot->cpu != NO_CPU || __this_cpu_read(probe_cpus.live))
		return -EBUSY;
	put_on(slot);
	return 0;
}

static int resume_slot(struct probe_slot *slot)
{
	int err;

	if (!slot)
		return -EINVAL;
	local_irq_disable();
	err = try_put_on(slot);
	local_irq_enable();
	return err;
}

static int suspend_slot(struct probe_slot *slot)
{
	int err = -ESRCH;

	if (!slot)
		return -EINVAL;
	local_irq_disable();
	if (__this_cpu_read(probe_cpus.live) == slot) {
		take_off(slot);
		err = 0;
	}
	local_irq_enable();
	return err;
}

static int sample_slot(struct probe_slot *slot)
{
	int err = -ESRCH;

	if (!slot)
		return -EINVAL;
	local_irq_disable();
	if (__this_cpu_read(probe_cpus.live) == slot) {
		perfctr_cpu_sample(&slot->state);
		err = 0;
	}
	local_irq_enable();
	return err;
}

static void take_off_any(void *unused)
{
	struct probe_slot *slot = __this_cpu_read(probe_cpus.live);

	if (slot)
		take_off(slot);
}

static void set_counter(struct perfctr_cpu_control *control, unsigned int i,
			const struct perfctr_probe_counter *counter)
{
	control->pmc_map[i] = counter->map;
	control->evntsel[i] = counter->evntsel;
	control->evntsel_high[i] = counter->evntsel_high;
	control->p4.escr[i] = counter->escr;
	control->ireset[i] = counter->ireset;
}

static int set_control(const struct perfctr_probe_control __user *user)
{
	struct perfctr_probe_control from;
	struct perfctr_cpu_control *to;
	struct probe_slot *slot;
	unsigned int i;

	if (copy_from_user(&from, user, sizeof(from)))
		return -EFAULT;
	slot = slot_at(from.slot);
	if (!slot)
		return -EINVAL;
	if (slot->cpu != NO_CPU)
		return -EBUSY;
	memset(&slot->state, 0, sizeof(slot->state));
	to = &slot->state.control;
	to->tsc_on = from.tsc_on;
	to->nractrs = from.nractrs;
	to->nrictrs = from.nrictrs;
	to->p4.pebs_enable = from.pebs_enable;
	to->p4.pebs_matrix_vert = from.pebs_matrix_vert;
	for (i = 0; i < PERFCTR_PROBE_COUNTERS; i++)
		set_counter(to, i, &from.counter[i]);
	return perfctr_cpu_update_control(&slot->state, true);
}

static int get_sums(struct perfctr_probe_sums __user *user)
{
	struct perfctr_probe_sums sums = {};
	struct probe_slot *slot;
	unsigned int i;

	if (get_user(sums.slot, &user->slot))
		return -EFAULT;
	slot = slot_at(sums.slot);
	if (!slot)
		return -EINVAL;
	/* Those of a slot on another CPU would be half of an old value. */
	local_irq_disable();
	sums.tsc = slot->state.tsc_sum;
	for (i = 0; i < PERFCTR_PROBE_COUNTERS; i++)
		sums.pmc[i] = slot->state.pmc[i].sum;
	local_irq_enable();
	return copy_to_user(user, &sums, sizeof(sums)) ? -EFAULT : 0;
}

static int read_log(struct perfctr_probe_log __user *user)
{
	struct perfctr_probe_log log;
	int err;

	if (copy_from_user(&log, user, sizeof(log)))
		return -EFAULT;
	err = probe_log_read(&log);
	if (err)
		return err;
	return copy_to_user(user, &log, sizeof(log)) ? -EFAULT : 0;
}

/* At most a few milliseconds, in which no interrupt is taken. */
#define MAX_LOOP 1000000

static int run_loop(const struct perfctr_probe_loop __user *user)
{
	struct perfctr_probe_loop loop;
	struct probe_slot *slot;
	unsigned long n;
	int err;

	if (copy_from_user(&loop, user, sizeof(loop)))
		return -EFAULT;
	slot = slot_at(loop.slot);
	n = loop.instructions / 2;
	if (!slot || !n || loop.instructions > MAX_LOOP)
		return -EINVAL;
	local_irq_disable();
	err = try_put_on(slot);
	if (!err) {
		asm volatile("1: dec %0\n"
			     "jnz 1b"
			     : "+r"(n)
			     :
			     : "cc");
		take_off(slot);
		if (loop.stay)
			put_on(slot);
	}
	local_irq_enable();
	return err;
}

static int measure(struct perfctr_probe_cost __user *user)
{
	struct probe_slot *slot, *other;
	struct perfctr_probe_cost cost;
	int err;

	if (copy_from_user(&cost, user, sizeof(cost)))
		return -EFAULT;
	slot = slot_at(cost.slot);
	other = slot_at(cost.other);
	if (!slot || !other)
		return -EINVAL;
	if (slot->cpu != NO_CPU || other->cpu != NO_CPU)
		return -EBUSY;
	local_irq_disable();
	err = __this_cpu_read(probe_cpus.live) ? -EBUSY : probe_measure(&cost);
	local_irq_enable();
	if (err)
		return err;
	return copy_to_user(user, &cost, sizeof(cost)) ? -EFAULT : 0;
}

static int get_info(struct perfctr_probe_info __user *user)
{
	struct perfctr_probe_info info = {
		.cpu_type = perfctr_info.cpu_type,
		.cpu_features = perfctr_info.cpu_features,
		.can_measure = probe_can_measure(),
	};

	strscpy(info.cpu_name, perfctr_cpu_name, sizeof(info.cpu_name));
	return copy_to_user(user, &info, sizeof(info)) ? -EFAULT : 0;
}

static long do_ioctl(unsigned int cmd, unsigned long arg)
{
	void __user *user = (void __user *)arg;

	switch (cmd) {
	case PERFCTR_PROBE_INFO:
		return get_info(user);
	case PERFCTR_PROBE_CONTROL:
		return set_control(user);
	case PERFCTR_PROBE_RESUME:
		return resume_slot(slot_at(arg));
	case PERFCTR_PROBE_SUSPEND:
		return suspend_slot(slot_at(arg));
	case PERFCTR_PROBE_SAMPLE:
		return sample_slot(slot_at(arg));
	case PERFCTR_PROBE_SUMS:
		return get_sums(user);
	case PERFCTR_PROBE_LOG:
		return read_log(user);
	case PERFCTR_PROBE_LOOP:
		return run_loop(user);
	case PERFCTR_PROBE_MEASURE:
		return measure(user);
	default:
		return -ENOTTY;
	}
}

static long probe_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	long ret;

	mutex_lock(&probe_lock);
	ret = do_ioctl(cmd, arg);
	mutex_unlock(&probe_lock);
	return ret;
}

static int take_pmu(void)
{
	unsigned int i;

	if (!perfctr_cpu_name)
		return -ENODEV;
	if (perfctr_cpu_reserve(service))
		return -EBUSY;
	cpu_hotplug_disable();
	for (i = 0; i < PERFCTR_PROBE_SLOTS; i++) {
		memset(&probe_slots[i].state, 0, sizeof(probe_slots[i].state));
		probe_slots[i].cpu = NO_CPU;
	}
	probe_log_reset();
	perfctr_cpu_set_ihandler(probe_interrupt);
	return 0;
}

static int probe_open(struct inode *inode, struct file *file)
{
	int err = -EBUSY;

	mutex_lock(&probe_lock);
	if (!is_open)
		err = take_pmu();
	if (!err)
		is_open = true;
	mutex_unlock(&probe_lock);
	return err;
}

static int probe_release(struct inode *inode, struct file *file)
{
	mutex_lock(&probe_lock);
	on_each_cpu(take_off_any, NULL, 1);
	perfctr_cpu_release(service);
	cpu_hotplug_enable();
	is_open = false;
	mutex_unlock(&probe_lock);
	return 0;
}

static const struct file_operations probe_fops = {
	.owner = THIS_MODULE,
	.open = probe_open,
	.release = probe_release,
	.unlocked_ioctl = probe_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
};

static struct miscdevice probe_device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = PERFCTR_PROBE_SERVICE,
	.fops = &probe_fops,
	.mode = 0600,
};

static int __init probe_init(void)
{
	int err = probe_logs_alloc();

	if (err)
		return err;
	err = misc_register(&probe_device);
	if (err)
		probe_logs_free();
	return err;
}
module_init(probe_init);

static void __exit probe_exit(void)
{
	misc_deregister(&probe_device);
	probe_logs_free();
}
module_exit(probe_exit);

MODULE_DESCRIPTION("Tests of the low-level performance counter core");
MODULE_LICENSE("GPL");
