// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writing and reading PMC and PMD registers: pfm_write_pmrs(),
 * pfm_read_pmrs().
 *
 * An element is checked completely before any part of it is applied.  Changes
 * of the active set of a running session reach hardware before the call
 * returns.  The elements are processed on the target (target.c), all at once;
 * what must be allocated or asked of the caller's credentials comes before.
 */
#include <linux/errno.h>
#include <linux/irqflags.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/syscalls.h>
#include <linux/uaccess.h>

#include "perfmon.h"

#define PMD_FLAGS	(PFM_REGFL_OVFL_NOTIFY | PFM_REGFL_RANDOM)

/* Position of a register that the session may use, or -EINVAL. */
static int pmc_position(const struct pfm_session *s, unsigned int num)
{
	int pos = perfmon_pmc_position(num);

	if (pos < 0 || !perfmon_reg_usable(s->flags, &perfmon_pmu.pmcs[pos]))
		return -EINVAL;
	return pos;
}

static __always_inline int pmd_position(const struct pfm_session *s,
					unsigned int num)
{
	int pos = perfmon_pmd_position(num);

	if (pos < 0 || !perfmon_reg_usable(s->flags, &perfmon_pmu.pmds[pos]))
		return -EINVAL;
	return pos;
}

/* What the two calls do, with everything in the kernel. */
struct pmrs_args {
	int flags;
	int n;
	bool write;
	struct pfarg_pmr *pmrs;
	struct pfarg_pmd_attr *attrs; /* NULL without PFM_RWFL_PMD_ATTR */
	int kernel_err;		/* of the right to count privileged levels */
	int done;		/* elements before the first bad one */
	int err;
};

/* Most calls are about the set that is active. */
static __always_inline struct pfm_set *find_set(struct pfm_session *s, u16 id)
{
	return likely(s->active->id == id) ? s->active :
					     perfmon_set_find(s, id);
}

/* Is this set on the hardware right now? */
static bool is_live(const struct pfm_session *s, const struct pfm_set *set)
{
	return set == s->counting && pfm_session_live(s);
}

static bool counts_kernel(const struct perfmon_reg *reg, u64 value)
{
	return (value & reg->priv) || reg->priv == PERFMON_PRIV_ALWAYS;
}

static int write_pmc(struct pfm_session *s, const struct pfarg_pmr *pmr,
		     int kernel_err)
{
	const struct perfmon_reg *reg;
	struct pfm_set *set;
	int pos, err;
	u64 value;

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
	if (counts_kernel(reg, value) && kernel_err)
		return kernel_err;
	if (reg->type & PERFMON_REG_WC) {
		err = perfmon_arch_check_pmc(reg, value);
		if (err)
			return err;
	}

	if (counts_kernel(reg, value))
		s->kernel_ip = true;
	set->pmcs[pos] = value;
	__set_bit(pos, set->used_pmcs);
	__assign_bit(pos, set->no64, pmr->reg_flags & PFM_REGFL_NO_EMUL64);
	set->some_no64 = !bitmap_empty(set->no64, PERFMON_ARCH_MAX_PMCS);
	set->dirty = true;
	return 0;
}

static bool mask_word_valid(const struct pfm_session *s, unsigned int first,
			    u64 word, u16 forbidden_type)
{
	for (; word; word &= word - 1) {
		int pos = pmd_position(s, first + __ffs64(word));

		if (pos < 0 ||
		    (perfmon_pmu.pmds[pos].type & forbidden_type))
			return false;
	}
	return true;
}

/* Do all bits of a vector name PMDs that the session may use? */
static bool mask_valid(const struct pfm_session *s, const u64 *bv,
		       u16 forbidden_type)
{
	unsigned int word;

	for (word = 0; word < PFM_PMD_BV; word++)
		if (!mask_word_valid(s, 64 * word, bv[word], forbidden_type))
			return false;
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

/* By position from now on; to be named is to be used. */
static void use_masked_pmds(struct pfm_set *set, unsigned long *mask,
			    const u64 *bv)
{
	unsigned int pos;

	bitmap_zero(mask, PERFMON_ARCH_MAX_PMDS);
	for (pos = 0; pos < perfmon_pmu.nr_pmds; pos++) {
		unsigned int num = perfmon_pmu.pmds[pos].num;

		if (!(bv[num / 64] >> num % 64 & 1))
			continue;
		__set_bit(pos, mask);
		use_pmd(set, pos);
	}
}

/* The memory was allocated before. */
static void store_attr(struct pfm_set *set, struct pfm_pmd_attr *attr,
		       const struct pfarg_pmd_attr *user)
{
	bool negative = (s64)attr->user.reg_long_reset < 0 ||
			(s64)attr->user.reg_short_reset < 0;

	attr->written = true;
	attr->user = *user;
	attr->swcnt_left = user->reg_ovfl_swcnt;
	use_masked_pmds(set, attr->smpl, user->reg_smpl_pmds);
	use_masked_pmds(set, attr->reset, user->reg_reset_pmds);
	/* Negative values need a counter that interrupts. */
	if (negative != ((s64)user->reg_long_reset < 0 ||
			 (s64)user->reg_short_reset < 0))
		set->dirty = true;
}

/* Counting goes on from the new value, not from an older start. */
static void load_pmd(struct pfm_session *s, struct pfm_set *set,
		     unsigned int pos, u64 value)
{
	bool live = is_live(s, set);

	if (live && perfmon_arch_interrupts(&set->arch, pos)) {
		perfmon_arch_suspend(&set->arch);
		pfm_pmd_load(set, pos, value);
		perfmon_arm_pmd(set, pos);
		perfmon_arch_resume(&set->arch);
		return;
	}
	if (live)
		perfmon_arch_restart(&set->arch, pos);
	pfm_pmd_load(set, pos, value);
	if (perfmon_arch_interrupts(&set->arch, pos))
		perfmon_arm_pmd(set, pos);
	else if ((s64)value < 0)
		set->dirty = true; /* wants to interrupt, perhaps */
}

static int write_pmd(struct pfm_session *s, const struct pfarg_pmr *pmr,
		     const struct pfarg_pmd_attr *attr)
{
	struct pfm_set *set;
	struct pfm_pmd *pmd;
	int pos;

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

	pmd = &set->pmds[pos];
	/* No memory: there are none so far, and these would say nothing. */
	if (attr && pmd->attr)
		store_attr(set, pmd->attr, attr);
	pmd->flags = pmr->reg_flags;
	use_pmd(set, pos);
	/* An overflow of the old value does not matter any more. */
	__clear_bit(pos, set->armed);
	__clear_bit(pos, set->ovfl_pmds);
	load_pmd(s, set, pos, pmr->reg_value);
	return 0;
}

static int read_pmc(struct pfm_session *s, struct pfarg_pmr *pmr)
{
	int pos = pmc_position(s, pmr->reg_num);
	struct pfm_set *set;

	if (pos < 0)
		return pos;
	set = perfmon_set_find(s, pmr->reg_set);
	if (!set)
		return -EINVAL;
	pmr->reg_value = set->pmcs[pos];
	return 0;
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

/* @live: the set that is on the hardware, NULL for none */
static __always_inline int read_pmd(struct pfm_session *s,
				    const struct pfm_set *live,
				    struct pfarg_pmr *pmr,
				    struct pfarg_pmd_attr *attr)
{
	int pos = pmd_position(s, pmr->reg_num);
	struct pfm_set *set;

	if (pos < 0)
		return pos;
	set = find_set(s, pmr->reg_set);
	if (!set || !test_bit(pos, set->used_pmds))
		return -EINVAL;
	pmr->reg_value = shown_value(set, pos,
				     pfm_pmd_present(set, pos, set == live));
	if (attr)
		show_attr(&set->pmds[pos], attr);
	return 0;
}

static void read_on_target(struct pfm_session *s, void *arg)
{
	const struct pfm_set *live = pfm_session_live(s) ? s->counting : NULL;
	struct pmrs_args *args = arg;
	int i, err = 0;

	for (i = 0; i < args->n; i++) {
		if (args->flags & PFM_RWFL_PMC)
			err = read_pmc(s, &args->pmrs[i]);
		else
			err = read_pmd(s, live, &args->pmrs[i],
				       args->attrs ? &args->attrs[i] : NULL);
		if (err)
			break;
	}
	args->done = i;
	args->err = err;
}

static void write_on_target(struct pfm_session *s, void *arg)
{
	struct pmrs_args *args = arg;
	int i, err = 0;

	for (i = 0; i < args->n; i++) {
		if (args->flags & PFM_RWFL_PMC)
			err = write_pmc(s, &args->pmrs[i],
					args->kernel_err);
		else
			err = write_pmd(s, &args->pmrs[i],
					args->attrs ? &args->attrs[i] : NULL);
		if (err)
			break;
	}
	args->err = err;
	perfmon_reload(s);
}

/* The PMD that an element names, NULL if there is none. */
static struct pfm_pmd *find_pmd(struct pfm_session *s,
				const struct pfarg_pmr *pmr)
{
	struct pfm_set *set = perfmon_set_find(s, pmr->reg_set);
	int pos = pmd_position(s, pmr->reg_num);

	return set && pos >= 0 ? &set->pmds[pos] : NULL;
}

/* Bad elements are found later, and do not matter here. */
static bool alloc_attr(struct pfm_session *s, const struct pfarg_pmr *pmr,
		       const struct pfarg_pmd_attr *user)
{
	struct pfm_pmd *pmd = find_pmd(s, pmr);

	if (!pmd || pmd->attr || !memchr_inv(user, 0, sizeof(*user)))
		return true;
	if (!perfmon_account_charge(&s->account, sizeof(*pmd->attr)))
		return false;
	pmd->attr = kzalloc(sizeof(*pmd->attr), GFP_KERNEL_ACCOUNT);
	if (!pmd->attr)
		perfmon_account_uncharge(&s->account, sizeof(*pmd->attr));
	return pmd->attr;
}

static void forget_attr(struct pfm_session *s, void *pmd)
{
	((struct pfm_pmd *)pmd)->attr = NULL;
}

/* After an error: attributes of elements that were not reached. */
static void free_unwritten_attrs(struct perfmon_call *call,
				 const struct pmrs_args *args)
{
	struct pfm_session *s = call->session;
	struct pfm_pmd_attr *attr;
	struct pfm_pmd *pmd;
	int i;

	for (i = 0; i < args->n; i++) {
		pmd = find_pmd(s, &args->pmrs[i]);
		attr = pmd ? pmd->attr : NULL;
		if (!attr || attr->written)
			continue;
		/* An overflow may be looking at them. */
		perfmon_on_target(s, call->caller, forget_attr, pmd);
		kfree(attr);
		perfmon_account_uncharge(&s->account, sizeof(*attr));
	}
}

static bool asks_for_kernel(struct pfm_session *s, const struct pfarg_pmr *pmr)
{
	int pos = pmc_position(s, pmr->reg_num);

	return pos >= 0 && counts_kernel(&perfmon_pmu.pmcs[pos],
					 pmr->reg_value);
}

/* What cannot be done on the target; changes nothing that can be seen. */
static int prepare_write(struct pfm_session *s, struct pmrs_args *args)
{
	bool pmc = args->flags & PFM_RWFL_PMC;
	int i;

	if (s->ended)
		return -EBUSY;
	for (i = 0; i < args->n; i++) {
		if (pmc && asks_for_kernel(s, &args->pmrs[i])) {
			args->kernel_err = perfmon_may_count_kernel(s);
			break;
		}
		if (args->attrs && !alloc_attr(s, &args->pmrs[i],
					       &args->attrs[i]))
			return -ENOMEM;
	}
	return 0;
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
static int process(struct perfmon_call *call, struct pmrs_args *args)
{
	int err = perfmon_call_lock(call);

	if (err)
		return err;
	if (args->write)
		err = prepare_write(call->session, args);
	if (!err && args->n) {
		perfmon_on_target(call->session, call->caller,
				  args->write ? write_on_target :
						read_on_target, args);
		err = args->err;
	}
	if (err && args->write && args->attrs)
		free_unwritten_attrs(call, args);
	perfmon_call_unlock(call);
	return err;
}

/* Only the values: the other fields are inputs. */
static int put_values(struct pfarg_pmr __user *pmrs, const struct pfarg_pmr *from,
		      int n)
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

/* What was read goes back, up to the first bad element. */
static int copy_back(const struct pmrs_args *args,
		     struct pfarg_pmr __user *pmrs,
		     struct pfarg_pmd_attr __user *pmas)
{
	int done = args->done;

	if (args->write || !done)
		return 0;
	if (put_values(pmrs, args->pmrs, done) ||
	    (pmas && copy_to_user(pmas, args->attrs, done * sizeof(*pmas))))
		return -EFAULT;
	return 0;
}

static int copy_and_process(struct perfmon_call *call, struct pmrs_args *args,
			    struct pfarg_pmr __user *pmrs,
			    struct pfarg_pmd_attr __user *pmas)
{
	struct perfmon_vec vec, avec;
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

	err = process(call, args);
	if (copy_back(args, pmrs, pmas))
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
	struct pmrs_args args = {
		.flags = flags,
		.n = n,
		.write = write,
		.kernel_err = -EPERM,
	};
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
	if (!err && !write && flags == PFM_RWFL_PMD &&
	    perfmon_selfread(call.session, pmrs, n))
		goto out;
	if (!err && with_attr)
		err = perfmon_vec_fits(n, sizeof(*pmas));
	/* A NULL vector of attributes that were promised must be EFAULT. */
	if (!err && with_attr && !pmas && n)
		err = -EFAULT;
	if (!err)
		err = copy_and_process(&call, &args, pmrs,
				       with_attr ? pmas : NULL);
out:
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
 * Legal for the target itself, for the tracer of a stopped target, for anybody
 * while the session is detached or attached to a CPU; while it is masked, for
 * whoever could trace the target.
 *
 * Return: 0, or
 * * -ENOSYS: perfmon is not usable on this machine
 * * -EINVAL: flags, bad @n, no such register or set, a flag that the register
 *   does not know, a mask with a bit that is no PMD, reserved field not zero,
 *   a PMC value that the hardware cannot be given
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
 * * -EBUSY: the session was ended by the administrator
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
 * Return: 0, or
 * * -ENOSYS: perfmon is not usable on this machine
 * * -EINVAL: flags, bad @n, no such register or set, a PMD that was never
 *   written nor named in a mask
 * * -EBADF: @fd is no session
 * * -E2BIG: a vector over arg_mem_max
 * * -ENOMEM: memory for the vectors
 * * -EFAULT: copying them
 * * -ESRCH: attached to a thread that is not stopped by the caller's ptrace,
 *   and not masked
 * * -EPERM: attached to such a thread, masked or not, that the caller may not
 *   trace
 */
SYSCALL_DEFINE5(pfm_read_pmrs, int, fd, int, flags,
		struct pfarg_pmr __user *, pmrs, int, n,
		struct pfarg_pmd_attr __user *, pmas)
{
	return pmrs_call(fd, flags, pmrs, n, pmas, false);
}
