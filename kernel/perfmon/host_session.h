/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The host's own part of a session; see host.h.  A host with a field in
 * task_struct needs none.
 */
#ifndef _KERNEL_PERFMON_HOST_SESSION_H
#define _KERNEL_PERFMON_HOST_SESSION_H

struct perfmon_host_session {
};

#endif /* _KERNEL_PERFMON_HOST_SESSION_H */
