// SPDX-License-Identifier: GPL-2.0-only
/*
 * Running a command that counts its regions itself: nothing is attached to it, and
 * it is only waited for.
 */
#include "diag.h"
#include "command/launch.h"
#include "engine/clocks.h"
#include "engine/measure.h"
#include "engine/waiting.h"

int measure_marked(struct measurement *m)
{
	static const struct follow_ops no_ops;
	static const struct follow_rules no_rules;
	struct follow follow = { .rules = &no_rules, .ops = &no_ops };
	struct waiting waiting = { .follow = &follow, .signals = &m->signals };
	const struct launch launch = {
		.argv = m->request->command,
		.signals = &m->signals,
		.no_output = m->request->no_output,
	};
	struct outcome *outcome = &m->outcome;
	uint64_t start;
	pid_t pid;
	int status = launch_command(&launch, &pid);

	if (status)
		return status;
	start = clocks_now();
	if (follow_adopt(&follow, pid)) {
		launch_kill(pid);
		return STATUS_FAILED;
	}
	outcome->interrupted = waiting_run(&waiting) == WAITING_INTERRUPTED;
	outcome->elapsed_ns = clocks_now() - start;
	outcome->wait_status = follow.wait_status;
	outcome->user_ns = clocks_user(&follow.usage);
	outcome->sys_ns = clocks_system(&follow.usage);
	tasks_free(&follow.tasks);
	return 0;
}
