// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writing and reading PMC and PMD registers: pfm_write_pmrs(),
 * pfm_read_pmrs().
 *
 * An element is checked completely before any part of it is applied.  When the call
 * returns, changes of the active set of a running session are on the hardware.  The
 * elements are processed in pieces, each like a separate call, so that neither the CPU
 * that counts nor other callers on the session wait for long.  For each piece,
 * pmrs_check.c checks and allocates memory first; then pmrs_target.c applies it on the
 * target at once.
 */
#include <linux/errno.h>
#include <linux/sched.h>
#include <linux/syscalls.h>
#include <linux/uaccess.h>

#include "family/family.h"
#include "pmrs.h"
#include "syscall.h"

/* A call with its vectors copied to the kernel, and its progress. */
struct pmrs_args {
	int flags;
	int n;
	bool write;
	struct pfarg_pmr *pmrs;
	struct pfarg_pmd_attr *attrs; /* NULL without PFM_RWFL_PMD_ATTR */
	int done;		/* elements before the first bad one */
};

static __always_inline bool pmrs_flags_valid(int flags, bool write)
{
	if (!write)
		flags &= ~PFM_RWFL_RUNNING;
	/* With PFM_RWFL_FAMILY only plain values are read: only they can be added up. */
	if (!write && flags == (PFM_RWFL_PMD | PFM_RWFL_FAMILY))
		return true;
	return flags == PFM_RWFL_PMD || flags == PFM_RWFL_PMC ||
	       flags == (PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR);
}

static int pmrs_lock(struct perfmon_call *call, int flags)
{
	return flags & PFM_RWFL_RUNNING ?
		perfmon_call_lock_running(call, false) : perfmon_call_lock(call);
}

/* Additional work after PMDs of a session with a family were written or read. */
static noinline void pmrs_with_family(struct perfmon_call *call, int flags,
				      struct perfmon_piece *p)
{
	if (flags & PFM_RWFL_FAMILY)
		perfmon_family_read(call->session, p);
	else if (p->write && call->caller == PERFMON_CALLER_DETACHED)
		perfmon_family_forget(call->session, p);
}

/* The elements of one piece are processed without another call between them. */
static int pmrs_process_piece(struct perfmon_call *call, int flags,
			      struct perfmon_piece *p)
{
	int err, bad;

	err = pmrs_lock(call, flags);
	if (err) {
		p->n = 0;
		return err;
	}
	bad = perfmon_piece_check(call->session, p);
	if (p->n)
		perfmon_on_target(call->session, call->caller,
				  p->write ? perfmon_piece_write :
					     perfmon_piece_read, p);
	if (perfmon_family(call->session) && !p->pmc)
		pmrs_with_family(call, flags, p);
	perfmon_call_unlock(call);
	perfmon_piece_finish(p);
	return bad;
}

/* The middle part of both calls: both vectors are in the kernel. */
static int pmrs_process(struct perfmon_call *call, struct pmrs_args *args)
{
	/* Only the filled elements of its arrays are used. */
	struct perfmon_piece p __uninitialized;
	int err;

	p.pmc = args->flags & PFM_RWFL_PMC;
	p.write = args->write;
	p.kernel_known = false;
	for (;;) {
		p.n = min(args->n - args->done, PERFMON_PIECE);
		p.pmrs = args->pmrs + args->done;
		p.attrs = args->attrs ? args->attrs + args->done : NULL;
		err = pmrs_process_piece(call, args->flags, &p);
		args->done += p.n;
		if (err || args->done == args->n)
			return err;
		cond_resched();
	}
}

/* Copy out the values only: the user wrote the other fields. */
static int pmrs_put_values(struct pfarg_pmr __user *pmrs,
			   const struct pfarg_pmr *from, int n)
{
	int i;

	if (!user_write_access_begin(pmrs, n * sizeof(*pmrs)))
		return -EFAULT;
	for (i = 0; i < n; i++)
		unsafe_put_user(from[i].reg_value, &pmrs[i].reg_value, fault);
	user_write_access_end();
	return 0;
fault:
	user_write_access_end();
	return -EFAULT;
}

/* Copy out the values and attributes that were read, up to the first bad element. */
static int pmrs_copy_back(const struct pmrs_args *args,
			  struct pfarg_pmr __user *pmrs,
			  struct pfarg_pmd_attr __user *pmas)
{
	int done = args->done;

	if (args->write || !done)
		return 0;
	if (pmrs_put_values(pmrs, args->pmrs, done) ||
	    (pmas && copy_to_user(pmas, args->attrs, done * sizeof(*pmas))))
		return -EFAULT;
	return 0;
}

static int pmrs_copy_and_process(struct perfmon_call *call,
				 struct pmrs_args *args,
				 struct pfarg_pmr __user *pmrs,
				 struct pfarg_pmd_attr __user *pmas)
{
	/* Only the elements that are copied in are used. */
	struct perfmon_vec vec __uninitialized, avec __uninitialized;
	int err;

	err = perfmon_vec_get(&vec, pmrs, args->n, sizeof(*pmrs));
	if (err)
		return err;
	args->pmrs = vec.data;
	if (pmas) {
		err = perfmon_vec_get(&avec, pmas, args->n, sizeof(*pmas));
		if (err)
			goto out;
		args->attrs = avec.data;
	}

	err = pmrs_process(call, args);
	if (pmrs_copy_back(args, pmrs, pmas))
		err = -EFAULT;

	if (pmas)
		perfmon_vec_put(&avec);
out:
	perfmon_vec_put(&vec);
	return err;
}

/* The first part of both calls; perfmon_call_close() must follow success. */
static __always_inline int pmrs_open(struct perfmon_call *call, perfmon_fd fd,
				     int flags, int n, bool write)
{
	int err;

	if (!perfmon_usable)
		return -ENOSYS;
	if (!pmrs_flags_valid(flags, write))
		return -EINVAL;
	if (flags & PFM_RWFL_PMD_ATTR &&
	    perfmon_check_count(n, sizeof(struct pfarg_pmd_attr)))
		return -EINVAL;
	err = perfmon_check_count(n, sizeof(struct pfarg_pmr));
	if (err)
		return err;
	err = perfmon_call_open(call, fd);
	if (err)
		return err;
	err = perfmon_vec_fits(n, sizeof(struct pfarg_pmr));
	if (!err && unlikely(flags & PFM_RWFL_FAMILY) &&
	    !perfmon_family(call->session))
		err = -EINVAL;
	if (err)
		perfmon_call_close(call);
	return err;
}

/* Up to so many elements are copied to the stack. */
#define PMRS_FEW	16

static_assert(PMRS_FEW <= PERFMON_PIECE);

/* The usual call: a few registers without attributes, which fit in one piece. */
static int pmrs_transfer_few(struct perfmon_call *call, int flags,
			     struct pfarg_pmr __user *pmrs, int n, bool write)
{
	/* Only elements that were copied in and checked are used. */
	struct pfarg_pmr few[PMRS_FEW] __uninitialized;
	struct perfmon_piece p __uninitialized;
	int err;

	if (copy_from_user(few, pmrs, n * sizeof(*few)))
		return -EFAULT;
	p.n = n;
	p.pmrs = few;
	p.attrs = NULL;
	p.pmc = flags & PFM_RWFL_PMC;
	p.write = write;
	p.kernel_known = false;
	err = pmrs_process_piece(call, flags, &p);
	if (!write && p.n && pmrs_put_values(pmrs, few, p.n))
		err = -EFAULT;
	return err;
}

static int pmrs_transfer_many(struct perfmon_call *call, int flags,
			      struct pfarg_pmr __user *pmrs, int n,
			      struct pfarg_pmd_attr __user *pmas, bool write)
{
	struct pmrs_args args = { .flags = flags, .n = n, .write = write };
	int err;

	if (!(flags & PFM_RWFL_PMD_ATTR))
		return pmrs_copy_and_process(call, &args, pmrs, NULL);
	err = perfmon_vec_fits(n, sizeof(*pmas));
	if (err)
		return err;
	/* Checked here: pmrs_copy_and_process() takes NULL to mean no attributes. */
	if (!pmas && n)
		return -EFAULT;
	return pmrs_copy_and_process(call, &args, pmrs, pmas);
}

/* The long path: elements are copied in, processed, and copied out. */
static noinline int pmrs_transfer(struct perfmon_call *call, int flags,
				  struct pfarg_pmr __user *pmrs, int n,
				  struct pfarg_pmd_attr __user *pmas,
				  bool write)
{
	if (n <= PMRS_FEW && !(flags & PFM_RWFL_PMD_ATTR))
		return pmrs_transfer_few(call, flags, pmrs, n, write);
	return pmrs_transfer_many(call, flags, pmrs, n, pmas, write);
}

/**
 * sys_pfm_write_pmrs - write PMC or PMD registers
 * @fd: session
 * @flags: PFM_RWFL_PMC, PFM_RWFL_PMD, or PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR
 * @pmrs: registers, processed in order; those before a bad one stay written
 * @n: their number
 * @pmas: attributes, element by element, with PFM_RWFL_PMD_ATTR only
 *
 * Legal for the target itself, and for the tracer of a stopped target; for any caller
 * while the session is detached or attached to a CPU; while it is masked, for any caller
 * who may trace the target.
 *
 * Return: 0, or
 *
 * * -ENOSYS: perfmon is not usable on this machine
 * * -EINVAL: flags, bad @n, no such register or set, a flag that the register
 *   does not know, a mask with a bit that is no PMD, reserved field not zero,
 *   a PMC value that the hardware cannot be given; with PFM_FL_INHERIT:
 *   reg_ovfl_swcnt, PFM_REGFL_NO_EMUL64, and without a format a PMD that would
 *   have to interrupt, or attributes
 * * -EBADF: @fd is no session
 * * -E2BIG: a vector over arg_mem_max
 * * -ENOMEM: memory for vectors or attributes, or these are over
 *   RLIMIT_MEMLOCK of the creator of the session
 * * -EFAULT: copying the vectors
 * * -ESRCH: attached to a thread that is not stopped by the caller's ptrace,
 *   and not masked
 * * -EPERM: attached to such a thread, masked or not, that the caller may not
 *   trace; or the PMC would count at privileged level
 * * -EACCES: the PMC would do so, and a security module forbids it
 * * -EBUSY: the session was ended by the administrator; it has PFM_FL_INHERIT and
 *   is attached: PMCs, attributes, and PMDs that interrupt or were never written
 */
SYSCALL_DEFINE5(pfm_write_pmrs, int, fd, int, flags,
		struct pfarg_pmr __user *, pmrs, int, n,
		struct pfarg_pmd_attr __user *, pmas)
{
	struct perfmon_call call __uninitialized;
	int err = pmrs_open(&call, fd, flags, n, true);

	if (err)
		return err;
	err = pmrs_transfer(&call, flags, pmrs, n, pmas, true);
	perfmon_call_close(&call);
	return err;
}

/**
 * sys_pfm_read_pmrs - read PMC or PMD registers
 * @fd: session
 * @flags: as for sys_pfm_write_pmrs(), with PFM_RWFL_RUNNING or without; or
 *	PFM_RWFL_PMD | PFM_RWFL_FAMILY, likewise
 * @pmrs: registers; reg_value is filled in those before the first bad one
 * @n: their number
 * @pmas: filled, with PFM_RWFL_PMD_ATTR only
 *
 * With PFM_RWFL_RUNNING the target may be in any state: the values are the present ones,
 * for any caller who may look at the target (as at its /proc/PID/maps).
 *
 * With PFM_RWFL_FAMILY the values are sums over the target and each thread that has
 * inherited the session; each thread is counted once, alive or not.  The parts of a sum
 * are not read at one instant; a sum is never less than in an earlier call.
 *
 * Return: 0, or
 *
 * * -ENOSYS: perfmon is not usable on this machine
 * * -EINVAL: flags, bad @n, no such register or set, a PMD that was never
 *   written nor named in a mask; PFM_RWFL_FAMILY without PFM_FL_INHERIT
 * * -EBADF: @fd is no session
 * * -E2BIG: a vector over arg_mem_max
 * * -ENOMEM: memory for the vectors
 * * -EFAULT: copying them
 * * -ESRCH: attached to a thread that is not stopped by the caller's ptrace,
 *   and not masked; not with PFM_RWFL_RUNNING
 * * -EPERM: attached to such a thread, masked or not, that the caller may not
 *   trace; with PFM_RWFL_RUNNING, one that the caller may not look at
 */
SYSCALL_DEFINE5(pfm_read_pmrs, int, fd, int, flags,
		struct pfarg_pmr __user *, pmrs, int, n,
		struct pfarg_pmd_attr __user *, pmas)
{
	struct perfmon_call call __uninitialized;
	int err = pmrs_open(&call, fd, flags, n, false);

	if (err)
		return err;
	/* The fast path; it leaves all unusual cases to the long path. */
	if (flags != PFM_RWFL_PMD || !perfmon_selfread(call.session, pmrs, n))
		err = pmrs_transfer(&call, flags, pmrs, n, pmas, false);
	perfmon_call_close(&call);
	return err;
}
