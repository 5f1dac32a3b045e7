// SPDX-License-Identifier: GPL-2.0-only
/*
 * A sampling format in a module: a histogram of the sampled addresses.  It sums up
 * in the kernel, so that nobody need read samples while they come; with the flag
 * PFM_FMTFL_CPUS (flags=2) also those of all threads and children of a program, in a
 * histogram for each CPU.
 *
 * perfmon_histogram.h describes argument and buffer.  Parameters give the
 * format another name, version and so on, or leave its handler out, to see
 * which formats the kernel refuses.
 */
#include <linux/atomic.h>
#include <linux/build_bug.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/overflow.h>
#include <linux/perfmon_fmt.h>

#include "perfmon_histogram.h"

static_assert(HISTOGRAM_NOTIFY == PFM_OVFL_CTRL_NOTIFY);
static_assert(HISTOGRAM_RESET == PFM_OVFL_CTRL_RESET);
static_assert(HISTOGRAM_MASK == PFM_OVFL_CTRL_MASK);
static_assert(HISTOGRAM_SWITCH == PFM_OVFL_CTRL_SWITCH);

static int histogram_validate(u32 session_flags, unsigned int nr_pmds,
			      const void *data)
{
	const struct histogram_arg *arg = data;

	if (arg->reserved)
		return -EINVAL;
	return arg->buckets > HISTOGRAM_MAX_BUCKETS ? -ERANGE : 0;
}

static int histogram_getsize(u32 session_flags, const void *data, size_t *size)
{
	const struct histogram_arg *arg = data;
	struct histogram_buffer *hist;

	*size = arg->buckets ? struct_size(hist, count, arg->buckets) : 0;
	return 0;
}

/* Buffers that are in use. */
static atomic_t in_use = ATOMIC_INIT(0);

static int histogram_init(void *buf, u32 session_flags, unsigned int nr_pmds,
			  const void *data)
{
	const struct histogram_arg *arg = data;
	struct histogram_buffer *hist = buf;

	if (arg->init_error)
		return -(int)arg->init_error;
	if (hist) {
		hist->arg = *arg;
		hist->flags = session_flags;
		hist->pmds = nr_pmds;
	}
	atomic_inc(&in_use);
	return 0;
}

static void record(struct histogram_buffer *hist,
		   const struct pfm_ovfl_arg *ovfl)
{
	u64 bucket = ovfl->ip - hist->arg.first;

	if (bucket < hist->arg.buckets)
		hist->count[bucket]++;
	else
		hist->outside++;
	hist->ovfl_pmd = ovfl->ovfl_pmd;
	hist->set = ovfl->set;
	hist->eventid = ovfl->eventid;
	hist->last_value = ovfl->last_value;
	hist->nr_values = ovfl->nr_values;
	hist->value = ovfl->nr_values ? ovfl->smpl_values[0] : 0;
	hist->samples++;
}

static int histogram_handler(void *buf, const struct pfm_ovfl_arg *ovfl,
			     u32 *ctrl)
{
	struct histogram_buffer *hist = buf;

	if (!hist) {
		*ctrl = PFM_OVFL_CTRL_RESET;
		return 0;
	}
	record(hist, ovfl);
	*ctrl = hist->samples == hist->arg.full ? hist->arg.full_ctrl :
						  hist->arg.ctrl;
	return -(int)hist->arg.handler_error;
}

static int histogram_restart(bool active, u32 *ctrl, void *buf)
{
	struct histogram_buffer *hist = buf;

	/* Without a buffer nobody is notified, so nobody restarts. */
	if (WARN_ON_ONCE(!hist))
		return -EINVAL;
	hist->restarts++;
	hist->active_restarts += active;
	hist->samples = 0;
	*ctrl = hist->arg.restart_ctrl;
	return -(int)hist->arg.restart_error;
}

static void histogram_exit(void *buf)
{
	atomic_dec(&in_use);
}

static char *name = "histogram";
module_param(name, charp, 0444);
MODULE_PARM_DESC(name, "of the format");

static uint version = 0x00020007;
module_param(version, uint, 0444);
MODULE_PARM_DESC(version, "major << 16 | minor");

static ulong arg_size = sizeof(struct histogram_arg);
module_param(arg_size, ulong, 0444);
MODULE_PARM_DESC(arg_size, "bytes; what the registration is told");

static uint queue_depth;
module_param(queue_depth, uint, 0444);
MODULE_PARM_DESC(queue_depth, "messages");

static bool no_handler;
module_param(no_handler, bool, 0444);
MODULE_PARM_DESC(no_handler, "leave the handler out");

static bool no_owner;
module_param(no_owner, bool, 0444);
MODULE_PARM_DESC(no_owner, "leave the owner out");

static uint flags;
module_param(flags, uint, 0444);
MODULE_PARM_DESC(flags, "of the format");

static int in_use_get(char *buffer, const struct kernel_param *kp)
{
	return sysfs_emit(buffer, "%d\n", atomic_read(&in_use));
}

static const struct kernel_param_ops in_use_ops = { .get = in_use_get };
module_param_cb(in_use, &in_use_ops, NULL, 0444);
MODULE_PARM_DESC(in_use, "sessions that were initialised and still exist");

static struct pfm_smpl_fmt format = {
	.validate = histogram_validate,
	.getsize = histogram_getsize,
	.init = histogram_init,
	.handler = histogram_handler,
	.restart = histogram_restart,
	.exit = histogram_exit,
};

static int __init histogram_load(void)
{
	format.name = name;
	format.version = version;
	format.arg_size = arg_size;
	format.queue_depth = queue_depth;
	format.flags = flags;
	format.owner = no_owner ? NULL : THIS_MODULE;
	if (no_handler)
		format.handler = NULL;
	return pfm_register_smpl_fmt(&format);
}

static void __exit histogram_unload(void)
{
	WARN_ON(pfm_unregister_smpl_fmt(&format));
	/* It is unknown now. */
	WARN_ON(pfm_unregister_smpl_fmt(&format) != -EINVAL);
}

module_init(histogram_load);
module_exit(histogram_unload);
MODULE_DESCRIPTION("perfmon sampling format: histogram of addresses");
MODULE_LICENSE("GPL");
