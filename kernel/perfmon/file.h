/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file descriptor of a session.
 */
#ifndef _KERNEL_PERFMON_FILE_H
#define _KERNEL_PERFMON_FILE_H

struct file;
struct perfmon_session;

/* Shown as the link of /proc/PID/fd/FD. */
#define PERFMON_FILE_NAME	"[pfmfd]"

struct file *perfmon_file_new(struct perfmon_session *s);
struct perfmon_session *perfmon_file_session(const struct file *file);

#endif /* _KERNEL_PERFMON_FILE_H */
