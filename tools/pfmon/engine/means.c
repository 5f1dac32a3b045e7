// SPDX-License-Identifier: GPL-2.0-only
/* By what means threads and children are followed, see means.h. */
#include "engine/means.h"

#include "diag.h"

const char *means_name(enum follow_means means)
{
	static const char *const names[] = {
		[FOLLOW_AUTO] = "auto",
		[FOLLOW_KERNEL] = "kernel",
		[FOLLOW_PTRACE] = "ptrace",
		[FOLLOW_NONE] = "none",
	};

	return names[means];
}

/* All new children, or all new threads: the kernel has no other choice. */
static bool rules_are_inherited(const struct follow_rules *rules)
{
	return rules->threads && rules->forks == rules->vforks;
}

const char *means_obstacle(const struct request *request)
{
	const struct follow_rules *rules = &request->follow;

	if (request->samples.saturate)
		return "--saturate-smpl-buffer: the kernel fills the buffers of a family anew; use --follow=ptrace";
	if (rules->only || rules->except)
		return "--follow-exec: the kernel does not look at programs; use --follow=ptrace";
	if (!rules_are_inherited(rules))
		return "--follow-fork or --follow-vfork: the kernel follows all, or threads only; use --follow-all or --follow=ptrace";
	if (request->grouping != GROUP_ALL)
		return "rows of threads or processes: the kernel tells one sum of all; use --follow=ptrace";
	if (request->switch_events)
		return "--switch-events: the kernel ends turns of sets by time only; use --switch-timeout";
	return NULL;
}

const char *means_obstacle_of_events(bool turns_by_events, bool of_one_kind,
				     bool makes_records)
{
	if (makes_records)
		return "precise samples of Intel's processors: the kernel takes them of single threads only; use --follow=ptrace";
	if (turns_by_events)
		return "sets whose turns end by events: the kernel ends them by time only; use --switch-timeout";
	if (of_one_kind)
		return "events of one kind of core: the kernel tells the time on it of single threads only; use --follow=ptrace";
	return NULL;
}

const char *means_obstacle_of_samples(const struct request *request, bool waits)
{
	const struct sample_wish *samples = &request->samples;

	if (!samples->wanted)
		return NULL;
	if (request->processes && request->means != FOLLOW_KERNEL)
		return "samples of what runs already: each thread would have a buffer for each CPU; use --follow=ptrace";
	if (waits || samples->block == BLOCK_NEVER)
		return NULL;
	if (samples->block == BLOCK_ALWAYS)
		return "--overflow-block: nobody waits where this kernel follows; use --follow=ptrace";
	/* What is lost then is told. */
	if (request->means == FOLLOW_KERNEL)
		return NULL;
	return "samples: nobody would wait for their reader; use --follow=ptrace";
}

/* The user wants what can be done by the kernel only. */
static int refuse(const struct request *request, const char *obstacle)
{
	const char *option = request->means == FOLLOW_KERNEL ?
				     "--follow=kernel" :
				     "--launch=self";

	if (obstacle)
		return diag("%s and %s", option, obstacle);
	return diag(
		"%s: this kernel does not count children by itself (E2); use %s",
		option,
		request->means == FOLLOW_KERNEL ? "--follow=ptrace" :
						  "--launch=ptrace");
}

int means_check_running(const struct request *request, bool reached)
{
	/* CPUs are reached by every kernel. */
	if (reached || request->system_wide)
		return 0;
	if (request->interval_ns)
		return diag(
			"-I: this kernel cannot read running threads (E1); use -a");
	if (request->delay_ns || request->control)
		return diag(
			"%s: this kernel cannot start running threads (E1); use -a",
			request->control ? "--control" : "-D");
	return 0;
}

int means_choose(const struct request *request, const char *further,
		 bool inherits, enum follow_means *means)
{
	const char *obstacle = means_obstacle(request);

	*means = FOLLOW_NONE;
	if (!request_follows(request))
		return 0;
	*means = FOLLOW_PTRACE;
	if (request->means == FOLLOW_PTRACE)
		return 0;
	if (!obstacle)
		obstacle = further;
	if (!obstacle && inherits)
		*means = FOLLOW_KERNEL;
	else if (request->means == FOLLOW_KERNEL ||
		 request->launch == LAUNCH_SELF)
		return refuse(request, obstacle);
	return 0;
}
