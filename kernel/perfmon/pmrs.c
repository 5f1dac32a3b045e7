// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writing and reading PMC and PMD registers: pfm_write_pmrs(),
 * pfm_read_pmrs().
 *
 * An element is checked completely before any part of it is applied.  Changes
 * of the active set of a running session reach hardware before the call
 * returns.  Everything is protected by pfm_session.lock; values of a session
 * that counts its caller are touched with interrupts off.
 */
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/syscalls.h>
#include <linux/uaccess.h>

#include "perfmon.h"

#define PMD_FLAGS	(PFM_REGFL_OVFL_NOTIFY | PFM_REGFL_RANDOM)

static bool usable_by(const struct pfm_session *s,
		      const struct perfmon_reg *reg)
{
	return reg->type & (s->flags & PFM_FL_SYSTEM_WIDE ? PERFMON_REG_SYS :
							    PERFMON_REG_THR);
}

/* Position of a register that the session may use, or -EINVAL. */
static int pmc_position(const struct pfm_session *s, unsigned int num)
{
	int pos = perfmon_pmc_position(num);

	return pos >= 0 && usable_by(s, &perfmon_pmu.pmcs[pos]) ? pos : -EINVAL;
}

static int pmd_position(const struct pfm_session *s, unsigned int num)
{
	int pos = perfmon_pmd_position(num);

	return pos >= 0 && usable_by(s, &perfmon_pmu.pmds[pos]) ? pos : -EINVAL;
}

/* Is this set on the hardware of the calling thread right now? */
static bool counts_here(const struct perfmon_call *call,
			const struct pfm_set *set)
{
	return call->caller == PFM_CALLER_SELF &&
	       call->session->counting == set;
}

static int write_pmc(struct perfmon_call *call, const struct pfarg_pmr *pmr)
{
	struct pfm_session *s = call->session;
	const struct perfmon_reg *reg;
	struct pfm_set *set;
	u64 value;
	int pos;

	pos = pmc_position(s, pmr->reg_num);
	if (pos < 0)
		return pos;
	reg = &perfmon_pmu.pmcs[pos];
	if (pmr->reg_flags & ~PFM_REGFL_NO_EMUL64)
		return -EINVAL;
	set = perfmon_set_find(s, pmr->reg_set);
	if (!set)
		return -EINVAL;

	value = (pmr->reg_value & ~reg->rsvd) | (reg->dfl & reg->rsvd);
	if (pmr->reg_flags & PFM_REGFL_NO_EMUL64) {
		if (!(reg->type & PERFMON_REG_NO64))
			return -EINVAL;
		value &= ~reg->no64;
	}
	if ((value & reg->priv) && !perfmon_may_count_kernel(s))
		return -EPERM;

	set->pmcs[pos] = value;
	__set_bit(pos, set->used_pmcs);
	__assign_bit(pos, set->no64, pmr->reg_flags & PFM_REGFL_NO_EMUL64);
	set->dirty = true;
	return 0;
}

/* Do all bits of a vector name PMDs that the session may use? */
static bool mask_valid(const struct pfm_session *s, const u64 *bv,
		       u16 forbidden_type)
{
	unsigned int num;
	int pos;

	for (num = 0; num < PFM_MAX_PMDS; num++) {
		if (!(bv[num / 64] >> num % 64 & 1))
			continue;
		pos = pmd_position(s, num);
		if (pos < 0 || (perfmon_pmu.pmds[pos].type & forbidden_type))
			return false;
	}
	return true;
}

static bool attr_valid(const struct pfm_session *s,
		       const struct pfarg_pmd_attr *attr)
{
	return mask_valid(s, attr->reg_smpl_pmds, 0) &&
	       mask_valid(s, attr->reg_reset_pmds, PERFMON_REG_RO) &&
	       !memchr_inv(attr->reg_reserved, 0, sizeof(attr->reg_reserved));
}

static void use_pmd(struct pfm_set *set, unsigned int pos)
{
	if (!__test_and_set_bit(pos, set->used_pmds))
		set->dirty = true;
}

static void use_masked_pmds(struct pfm_set *set, const u64 *bv)
{
	unsigned int pos;

	for (pos = 0; pos < perfmon_pmu.nr_pmds; pos++) {
		unsigned int num = perfmon_pmu.pmds[pos].num;

		if (bv[num / 64] >> num % 64 & 1)
			use_pmd(set, pos);
	}
}

/* Attributes stay what they were when a PMD is written without them. */
static int store_attr(struct pfm_set *set, struct pfm_pmd *pmd,
		      const struct pfarg_pmd_attr *attr)
{
	if (!pmd->attr) {
		pmd->attr = kmalloc(sizeof(*pmd->attr), GFP_KERNEL_ACCOUNT);
		if (!pmd->attr)
			return -ENOMEM;
	}
	pmd->attr->user = *attr;
	pmd->attr->swcnt_left = attr->reg_ovfl_swcnt;
	use_masked_pmds(set, attr->reg_smpl_pmds);
	use_masked_pmds(set, attr->reg_reset_pmds);
	return 0;
}

static void load_pmd(struct perfmon_call *call, struct pfm_set *set,
		     unsigned int pos, u64 value)
{
	unsigned long long *sum;
	unsigned long flags;

	set->pmds[pos].last = value;
	set->pmds[pos].value = value;
	sum = perfmon_arch_sum(&set->arch, pos);
	if (!sum)
		return;

	/* Counting goes on from the new value, not from an older start. */
	local_irq_save(flags);
	if (counts_here(call, set))
		perfmon_arch_sample(&set->arch);
	*sum = value;
	local_irq_restore(flags);
}

static int write_pmd(struct perfmon_call *call, const struct pfarg_pmr *pmr,
		     const struct pfarg_pmd_attr *attr)
{
	struct pfm_session *s = call->session;
	struct pfm_set *set;
	int pos, err;

	pos = pmd_position(s, pmr->reg_num);
	if (pos < 0)
		return pos;
	if (pmr->reg_flags & ~PMD_FLAGS)
		return -EINVAL;
	if (attr && !attr_valid(s, attr))
		return -EINVAL;
	set = perfmon_set_find(s, pmr->reg_set);
	if (!set)
		return -EINVAL;
	if (attr) {
		err = store_attr(set, &set->pmds[pos], attr);
		if (err)
			return err;
	}

	set->pmds[pos].flags = pmr->reg_flags;
	use_pmd(set, pos);
	load_pmd(call, set, pos, pmr->reg_value);
	return 0;
}

static int read_pmc(struct perfmon_call *call, struct pfarg_pmr *pmr)
{
	int pos = pmc_position(call->session, pmr->reg_num);
	struct pfm_set *set;

	if (pos < 0)
		return pos;
	set = perfmon_set_find(call->session, pmr->reg_set);
	if (!set)
		return -EINVAL;
	pmr->reg_value = set->pmcs[pos];
	return 0;
}

static u64 present_value(struct perfmon_call *call, struct pfm_set *set,
			 unsigned int pos)
{
	unsigned long flags;
	u64 value;

	if (!counts_here(call, set) || !perfmon_arch_sum(&set->arch, pos))
		return pfm_pmd_value(set, pos);

	/* The tick must not take the difference between our two reads. */
	local_irq_save(flags);
	value = perfmon_arch_read(&set->arch, pos);
	local_irq_restore(flags);
	return value;
}

/*
 * Without 64-bit emulation only the low W bits count; the others keep what was
 * written.
 */
static u64 shown_value(const struct pfm_set *set, unsigned int pos, u64 value)
{
	const struct perfmon_reg *reg = &perfmon_pmu.pmds[pos];
	u64 low;

	if (!(reg->type & PERFMON_REG_C64) || !test_bit(reg->ctrl, set->no64))
		return value;
	low = (1ULL << reg->width) - 1;
	return (set->pmds[pos].last & ~low) | (value & low);
}

static void show_attr(const struct pfm_pmd *pmd, struct pfarg_pmd_attr *attr)
{
	if (pmd->attr) {
		*attr = pmd->attr->user;
		attr->reg_ovfl_swcnt = pmd->attr->swcnt_left;
	} else {
		memset(attr, 0, sizeof(*attr));
	}
	attr->reg_last_value = pmd->last;
}

static int read_pmd(struct perfmon_call *call, struct pfarg_pmr *pmr,
		    struct pfarg_pmd_attr *attr)
{
	int pos = pmd_position(call->session, pmr->reg_num);
	struct pfm_set *set;

	if (pos < 0)
		return pos;
	set = perfmon_set_find(call->session, pmr->reg_set);
	if (!set || !test_bit(pos, set->used_pmds))
		return -EINVAL;
	pmr->reg_value = shown_value(set, pos, present_value(call, set, pos));
	if (attr)
		show_attr(&set->pmds[pos], attr);
	return 0;
}

struct pmrs_args {
	int flags;
	int n;
	struct pfarg_pmr *pmrs;
	struct pfarg_pmd_attr *attrs; /* NULL without PFM_RWFL_PMD_ATTR */
};

/* Both return 0 or the error of the first bad element, with *done before it. */
static int write_elements(struct perfmon_call *call,
			  const struct pmrs_args *args, int *done)
{
	int i, err = 0;

	for (i = 0; i < args->n; i++) {
		if (args->flags & PFM_RWFL_PMC)
			err = write_pmc(call, &args->pmrs[i]);
		else
			err = write_pmd(call, &args->pmrs[i],
					args->attrs ? &args->attrs[i] : NULL);
		if (err)
			break;
	}
	*done = 0; /* nothing goes back to the caller */
	perfmon_reload(call->session, call->caller);
	return err;
}

static int read_elements(struct perfmon_call *call,
			 const struct pmrs_args *args, int *done)
{
	int i, err = 0;

	for (i = 0; i < args->n; i++) {
		if (args->flags & PFM_RWFL_PMC)
			err = read_pmc(call, &args->pmrs[i]);
		else
			err = read_pmd(call, &args->pmrs[i],
				       args->attrs ? &args->attrs[i] : NULL);
		if (err)
			break;
	}
	*done = i;
	return err;
}

static int check_flags(int flags)
{
	switch (flags) {
	case PFM_RWFL_PMD:
	case PFM_RWFL_PMC:
	case PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR:
		return 0;
	default:
		return -EINVAL;
	}
}

/* The locked middle of both calls, with both vectors in the kernel. */
static int process(struct perfmon_call *call, const struct pmrs_args *args,
		   bool write, int *done)
{
	int err = perfmon_call_lock(call);

	*done = 0;
	if (err)
		return err;
	err = write ? write_elements(call, args, done) :
		      read_elements(call, args, done);
	perfmon_call_unlock(call);
	return err;
}

static int copy_and_process(struct perfmon_call *call, int flags,
			    struct pfarg_pmr __user *pmrs, int n,
			    struct pfarg_pmd_attr __user *pmas, bool write)
{
	struct pmrs_args args = { .flags = flags, .n = n };
	struct perfmon_vec vec, avec;
	int err, done;

	err = perfmon_vec_get(&vec, pmrs, n, sizeof(*pmrs));
	if (err)
		return err;
	args.pmrs = vec.data;
	if (pmas) {
		err = perfmon_vec_get(&avec, pmas, n, sizeof(*pmas));
		if (err)
			goto out;
		args.attrs = avec.data;
	}

	err = process(call, &args, write, &done);
	if (copy_to_user(pmrs, args.pmrs, done * sizeof(*pmrs)) ||
	    (pmas && copy_to_user(pmas, args.attrs, done * sizeof(*pmas))))
		err = -EFAULT;

	if (pmas)
		perfmon_vec_put(&avec);
out:
	perfmon_vec_put(&vec);
	return err;
}

static int pmrs_call(int fd, int flags, struct pfarg_pmr __user *pmrs, int n,
		     struct pfarg_pmd_attr __user *pmas, bool write)
{
	bool with_attr = flags & PFM_RWFL_PMD_ATTR;
	struct perfmon_call call;
	int err;

	if (!perfmon_usable())
		return -ENOSYS;
	err = check_flags(flags);
	if (!err)
		err = perfmon_check_count(n, sizeof(*pmrs));
	if (!err && with_attr)
		err = perfmon_check_count(n, sizeof(*pmas));
	if (!err)
		err = perfmon_call_open(&call, fd);
	if (err)
		return err;
	err = perfmon_vec_fits(n, sizeof(*pmrs));
	if (!err && with_attr)
		err = perfmon_vec_fits(n, sizeof(*pmas));
	/* A NULL vector of attributes that were promised must be EFAULT. */
	if (!err && with_attr && !pmas && n)
		err = -EFAULT;
	if (!err)
		err = copy_and_process(&call, flags, pmrs, n,
				       with_attr ? pmas : NULL, write);
	perfmon_call_close(&call);
	return err;
}

/**
 * sys_pfm_write_pmrs - write PMC or PMD registers
 * @fd: session
 * @flags: PFM_RWFL_PMC, PFM_RWFL_PMD, or PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR
 * @pmrs: registers, processed in order; those before a bad one stay written
 * @n: their number
 * @pmas: attributes, element by element, with PFM_RWFL_PMD_ATTR only
 *
 * Context: of a traced thread, or of the target itself.
 * Return: 0, or
 * * -ENOSYS: perfmon is not usable on this machine
 * * -EINVAL: flags, bad @n, no such register or set, a flag that the register
 *   does not know, a mask with a bit that is no PMD, reserved field not zero
 * * -EBADF: @fd is no session
 * * -E2BIG: a vector over arg_mem_max
 * * -ENOMEM, -EFAULT: copying the vectors, or memory for attributes
 * * -ESRCH: attached to a thread that is not stopped by the caller's ptrace
 * * -EPERM: the same, and the caller may not trace it; or the PMC would count
 *   at privileged level
 */
SYSCALL_DEFINE5(pfm_write_pmrs, int, fd, int, flags,
		struct pfarg_pmr __user *, pmrs, int, n,
		struct pfarg_pmd_attr __user *, pmas)
{
	return pmrs_call(fd, flags, pmrs, n, pmas, true);
}

/**
 * sys_pfm_read_pmrs - read PMC or PMD registers
 * @fd: session
 * @flags: as for sys_pfm_write_pmrs()
 * @pmrs: registers; reg_value is filled in those before the first bad one
 * @n: their number
 * @pmas: filled, with PFM_RWFL_PMD_ATTR only
 *
 * Return: 0, or as sys_pfm_write_pmrs(); -EINVAL also for a PMD that was never
 * written nor named in a mask.
 */
SYSCALL_DEFINE5(pfm_read_pmrs, int, fd, int, flags,
		struct pfarg_pmr __user *, pmrs, int, n,
		struct pfarg_pmd_attr __user *, pmas)
{
	return pmrs_call(fd, flags, pmrs, n, pmas, false);
}
