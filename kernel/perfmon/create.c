// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfm_create_session(): a session with its descriptor, its set 0 and its
 * sampling format.
 */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/pid_namespace.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/syscalls.h>

#include "access.h"
#include "family/family.h"
#include "file.h"
#include "notify/notify.h"
#include "owner.h"
#include "session.h"
#include "smpl/capture.h"
#include "smpl/smpl.h"
#include "syscall.h"

#define CREATE_INHERIT	(PFM_FL_INHERIT | PFM_FL_INHERIT_THREAD)

#define CREATE_FLAGS	(PFM_FL_NOTIFY_BLOCK | PFM_FL_SYSTEM_WIDE | \
			 PFM_FL_SMPL_FMT | PFM_FL_OVFL_NO_MSG | \
			 PFM_FL_OVFL_SIGINFO | PFM_FL_YIELD | PFM_FL_CLOEXEC | \
			 PFM_FL_NMI | CREATE_INHERIT)

/* A thread is interrupted by its own signals, a CPU has none. */
#define NOT_SYSTEM_WIDE	(PFM_FL_NOTIFY_BLOCK | PFM_FL_OVFL_SIGINFO | \
			 CREATE_INHERIT)

/* A part has no signals, and waits for room in a buffer only. */
static u32 create_not_inherited(u32 flags)
{
	return PFM_FL_OVFL_SIGINFO |
	       (flags & PFM_FL_SMPL_FMT ? 0 : PFM_FL_NOTIFY_BLOCK);
}

static bool create_flags_agree(u32 flags)
{
	u32 wrong = flags & PFM_FL_SYSTEM_WIDE ? NOT_SYSTEM_WIDE : PFM_FL_YIELD;

	wrong |= flags & PFM_FL_INHERIT ? create_not_inherited(flags) :
					  PFM_FL_INHERIT_THREAD;
	return !(flags & wrong);
}

/* NMIs show the kernel where it has interrupts off, and disturb it there. */
static int create_use_nmi(u32 flags)
{
	int err;

	if (!(flags & PFM_FL_NMI))
		return 0;
	if (!perfmon_arch_has_nmi())
		return -EINVAL;
	err = perfmon_may_count_kernel(flags);
	return err ?: perfmon_arch_use_nmi(perfmon_capture);
}

/*
 * perfmon_capable(), asked for later: nothing depends on it now, so that there
 * is no use of privileges to record and no denial to report.
 */
static bool create_capable(void)
{
	return has_capability_noaudit(current, CAP_PERFMON) ||
	       has_capability_noaudit(current, CAP_SYS_ADMIN);
}

static void create_note_creator(struct perfmon_creator *creator)
{
	creator->uid = current_uid();
	creator->tgid = current->tgid;
	/* May be renamed just now; it ends with a NUL in any case. */
	memcpy(creator->comm, current->comm, TASK_COMM_LEN);
}

/* A session of the caller's that does not hold the PMU yet. */
static struct perfmon_session *create_alloc(u32 flags)
{
	struct perfmon_set *set = perfmon_set_alloc(0);
	struct perfmon_session *s;

	if (!set)
		return NULL;
	s = perfmon_session_alloc(set);
	if (!s) {
		perfmon_set_free(set);
		return NULL;
	}
	s->flags = flags;
	s->owner_capable = create_capable();
	perfmon_account_open(&s->account);
	s->ns = get_pid_ns(task_active_pid_ns(current));
	perfmon_msgq_init(&s->msgq);
	perfmon_block_init(s);
	perfmon_siginfo_init(s);
	create_note_creator(&s->creator);
	if (!(flags & PFM_FL_INHERIT))
		return s;
	s->family = perfmon_family_alloc(s);
	if (s->family) {
		perfmon_room_init(s);
		return s;
	}
	perfmon_session_put(s);
	return NULL;
}

/* The sampling format of PFM_FL_SMPL_FMT, and a copy of its argument. */
struct fmt_args {
	struct pfm_smpl_fmt *fmt;
	void *arg;
};

static int create_get_fmt(struct fmt_args *fa, const char __user *name,
			  const void __user *arg, size_t size)
{
	struct pfm_smpl_fmt *fmt = perfmon_fmt_get(name);
	void *copy = NULL;

	if (IS_ERR(fmt))
		return PTR_ERR(fmt);
	if (size != fmt->arg_size)
		copy = ERR_PTR(-EINVAL);
	else if (size)
		copy = memdup_user(arg, size);
	if (IS_ERR(copy)) {
		perfmon_fmt_put(fmt);
		return PTR_ERR(copy);
	}
	fa->fmt = fmt;
	fa->arg = copy;
	return 0;
}

/* Takes @s over: on failure it is gone. */
static int create_install(struct perfmon_session *s, struct fmt_args *fa,
			  int fd_flags)
{
	int err, fd = get_unused_fd_flags(fd_flags);
	struct file *file;

	if (fd < 0) {
		perfmon_session_put(s);
		return fd;
	}
	file = perfmon_file_new(s);
	if (IS_ERR(file)) {
		put_unused_fd(fd);
		perfmon_session_put(s);
		return PTR_ERR(file);
	}
	if (fa->fmt) {
		err = perfmon_fmt_start(s, fa->fmt, fa->arg);
		fa->fmt = NULL;
		if (err) {
			put_unused_fd(fd);
			fput(file);
			return err;
		}
	}
	fd_install(fd, file);
	return fd;
}

static int create_session(int flags, struct fmt_args *fa)
{
	int err, fd_flags = flags & PFM_FL_CLOEXEC ? O_CLOEXEC : 0;
	struct perfmon_session *s;

	/* That flag is about the descriptor, not about the session. */
	s = create_alloc(flags & ~PFM_FL_CLOEXEC);
	if (!s)
		return -ENOMEM;
	err = perfmon_pmu_get(s);
	if (err) {
		perfmon_session_put(s);
		return err;
	}
	return create_install(s, fa, fd_flags);
}

/**
 * sys_pfm_create_session - create a session
 * @flags: PFM_FL_*
 * @smpl_name: sampling format, with PFM_FL_SMPL_FMT only
 * @smpl_arg: its argument, likewise
 * @smpl_size: size of the argument, likewise
 *
 * Return: a file descriptor, or
 *
 * * -ENOSYS: perfmon is not usable on this machine
 * * -EINVAL: unknown flag, flags that exclude each other, unknown format, size
 *   or contents of its argument; PFM_FL_INHERIT with a format that cannot have a
 *   buffer for each CPU, or buffers that are not in halves or too large together,
 *   or PFM_FL_NOTIFY_BLOCK with it and without a format; PFM_FL_NMI where
 *   overflow interrupts cannot be NMIs
 * * -EPERM: the caller may not create sessions of this kind, or may not count the
 *   kernel, with PFM_FL_NMI
 * * -EACCES: a security module forbids it
 * * -EFAULT: @smpl_name, @smpl_arg
 * * -EBUSY: another user holds the PMU, the kernel log and pmu_owner in sysfs
 *   tell who; or the administrator has written 0 to enabled in sysfs
 * * -EMFILE: the process has too many open files
 * * -ENFILE: the machine has too many open files
 * * -ENOMEM: memory; a buffer over smpl_buffer_mem_max or RLIMIT_MEMLOCK
 */
SYSCALL_DEFINE4(pfm_create_session, int, flags,
		const char __user *, smpl_name, void __user *, smpl_arg,
		size_t, smpl_size)
{
	struct fmt_args fa = { };
	int err, fd;

	if (!perfmon_usable)
		return -ENOSYS;
	if ((flags & ~CREATE_FLAGS) || !create_flags_agree(flags))
		return -EINVAL;
	err = perfmon_may_create(flags) ?: create_use_nmi(flags);
	if (err)
		return err;
	if (flags & PFM_FL_SMPL_FMT) {
		err = create_get_fmt(&fa, smpl_name, smpl_arg, smpl_size);
		if (err)
			return err;
	}
	fd = create_session(flags, &fa);
	perfmon_fmt_put(fa.fmt);
	kfree(fa.arg);
	return fd;
}
