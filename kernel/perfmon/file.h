/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file descriptor of a session.
 */
#ifndef _KERNEL_PERFMON_FILE_H
#define _KERNEL_PERFMON_FILE_H

struct file;
struct file_operations;
struct pfm_session;

extern const struct file_operations perfmon_fops;
struct pfm_session *perfmon_file_session(struct file *file);

#endif /* _KERNEL_PERFMON_FILE_H */
