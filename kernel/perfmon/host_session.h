/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The host's own fields of a session; see host.h.  The built-in host has none,
 * as it has a field in task_struct.
 */
#ifndef _KERNEL_PERFMON_HOST_SESSION_H
#define _KERNEL_PERFMON_HOST_SESSION_H

struct perfmon_host_session {
};

#endif /* _KERNEL_PERFMON_HOST_SESSION_H */
