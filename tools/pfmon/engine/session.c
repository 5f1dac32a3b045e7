// SPDX-License-Identifier: GPL-2.0-only
/* The perfmon session of a run, see session.h. */
#include "engine/session.h"

#include <errno.h>
#include <fcntl.h>
#include <perfmon/perfmon_dfl_smpl.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "diag.h"
#include "engine/obstacles.h"
#include "command/refusal.h"

/* In which each half has room for a sample with all values. */
#define SMALLEST_BUFFER 4096

/* Not for the commands that pfmon executes. */
static int create_private(int flags)
{
	int fd = pfm_create_session(flags | PFM_FL_CLOEXEC);

	if (fd >= 0 || errno != EINVAL)
		return fd;
	/* A kernel from before that flag. */
	fd = pfm_create_session(flags);
	if (fd >= 0)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	return fd;
}

int session_create_silently(void)
{
	return create_private(0);
}

int session_create_inherited(bool threads_only)
{
	return create_private(PFM_FL_INHERIT |
			      (threads_only ? PFM_FL_INHERIT_THREAD : 0));
}

bool session_members_wait(void)
{
	struct pfm_dfl_smpl_arg arg = { .buf_size = SMALLEST_BUFFER,
					.buf_mode = PFM_DFL_SMPL_HALVES };
	int fd = pfm_create_session(PFM_FL_INHERIT | PFM_FL_NOTIFY_BLOCK |
					    PFM_FL_SMPL_FMT | PFM_FL_CLOEXEC,
				    PFM_DFL_SMPL_NAME, &arg, sizeof(arg));

	if (fd < 0)
		return false;
	close(fd);
	return true;
}

static int explain_create(const char *sysfs, bool system_wide)
{
	struct obstacles found;

	obstacles_here(&found, sysfs, system_wide, errno);
	for (int i = 0; i < found.count; i++)
		diag("%s", found.line[i]);
	return -1;
}

int session_create(const char *sysfs, bool system_wide)
{
	int fd = create_private(system_wide ? PFM_FL_SYSTEM_WIDE : 0);

	return fd >= 0 ? fd : explain_create(sysfs, system_wide);
}

int session_create_yielding(const char *sysfs)
{
	int fd = create_private(PFM_FL_SYSTEM_WIDE | PFM_FL_YIELD);

	return fd >= 0 ? fd : session_create(sysfs, true);
}

int session_info(int fd, struct pfarg_setinfo *info)
{
	memset(info, 0, sizeof(*info));
	if (pfm_getinfo_sets(fd, 0, info, 1))
		return diag("cannot ask for the available registers: %s",
			    strerror(errno));
	return 0;
}

int session_attach(int fd, pid_t thread)
{
	if (pfm_attach_session(fd, 0, thread))
		return refusal_of_command(errno);
	return 0;
}

int session_start_running(int fd)
{
	return pfm_start_session(fd, PFM_STFL_RUNNING);
}

bool session_reaches_running(int fd)
{
	/* Nothing to do, but for a kernel that does not know the flag. */
	return !pfm_detach_session(fd, PFM_ATFL_RUNNING);
}

bool session_has_ended(int fd)
{
	struct pollfd ready = { .fd = fd, .events = POLLIN };
	pfarg_msg_t message;

	while (poll(&ready, 1, 0) > 0 && ready.revents & POLLIN) {
		if (read(fd, &message, sizeof(message)) != sizeof(message))
			return false;
		if (message.type == PFM_MSG_END)
			return true;
	}
	return false;
}

int session_attach_cpu(int fd, int cpu)
{
	if (!pfm_attach_session(fd, 0, cpu))
		return 0;
	if (errno == EBUSY)
		return diag(
			"cannot count CPU %d: a session of a thread is active, or another of this CPU; end it first",
			cpu);
	if (errno == ENODEV || errno == EINVAL)
		return diag("cannot count CPU %d: it is not online", cpu);
	return diag("cannot count CPU %d: %s", cpu, strerror(errno));
}

int session_return(int fd, int cpu)
{
	if (pfm_attach_session(fd, 0, cpu))
		return -1;
	return pfm_start_session(fd, 0);
}

int session_start(int fd)
{
	if (pfm_start_session(fd, 0))
		return diag("cannot start counting: %s", strerror(errno));
	return 0;
}

int session_stop(int fd, bool running)
{
	return pfm_stop_session(fd, running ? PFM_STFL_RUNNING : 0);
}
