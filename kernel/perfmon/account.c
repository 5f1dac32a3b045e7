// SPDX-License-Identifier: GPL-2.0-only
/*
 * Accounts for the memory of sessions: sampling buffers, event sets but set 0,
 * and the attributes of PMDs.
 *
 * The user who created the session pays, in locked memory and within the
 * RLIMIT_MEMLOCK of that moment.  The charge lasts as long as the memory
 * exists, whichever process holds the descriptor.  The charge cannot be the
 * process's: it would end with its mm, at the next execve(), while descriptors
 * stay.  A creator with CAP_IPC_LOCK pays nothing.
 *
 * Each account belongs to one object, a session or a buffer.  Only system calls
 * use it, with perfmon_session.lock held or before the object is published; the
 * user's sum is atomic.
 */
#include <linux/atomic.h>
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/overflow.h>
#include <linux/pfn.h>
#include <linux/sched/signal.h>
#include <linux/sched/user.h>

#include "account.h"

/**
 * perfmon_account_open - open the account of a session
 * @account: filled; perfmon_account_close() must follow
 *
 * The caller's user pays, within the caller's present RLIMIT_MEMLOCK.
 */
void perfmon_account_open(struct perfmon_account *account)
{
	account->user = NULL;
	account->bytes = 0;
	account->limit = rlimit(RLIMIT_MEMLOCK) >> PAGE_SHIFT;
	/*
	 * No audit record: the capability permits nothing here, it decides who
	 * pays.
	 */
	if (!has_capability_noaudit(current, CAP_IPC_LOCK))
		account->user = get_uid(current_user());
}

/**
 * perfmon_account_share - open an account that the same user pays for
 * @account: filled; perfmon_account_close() must follow
 * @of: account of the same user, which may be closed earlier
 */
void perfmon_account_share(struct perfmon_account *account,
			   const struct perfmon_account *of)
{
	account->user = of->user ? get_uid(of->user) : NULL;
	account->limit = of->limit;
	account->bytes = 0;
}

static bool account_charge_user(struct user_struct *user, unsigned long pages,
				unsigned long limit)
{
	unsigned long sum;
	long old = atomic_long_read(&user->locked_vm);

	do {
		if (check_add_overflow((unsigned long)old, pages, &sum) ||
		    sum > limit)
			return false;
	} while (!atomic_long_try_cmpxchg(&user->locked_vm, &old, sum));
	return true;
}

/**
 * perfmon_account_charge - charge memory before it is allocated
 * @account: account
 * @bytes: how much; the user is charged for the sum of the account in whole
 *	pages
 *
 * Return: false if the user may not lock that much; nothing has changed then.
 */
bool perfmon_account_charge(struct perfmon_account *account, size_t bytes)
{
	unsigned long pages;
	size_t sum;

	if (!account->user)
		return true;
	if (check_add_overflow(account->bytes, bytes, &sum))
		return false;
	pages = PFN_UP(sum) - PFN_UP(account->bytes);
	if (pages && !account_charge_user(account->user, pages, account->limit))
		return false;
	account->bytes = sum;
	return true;
}

/**
 * perfmon_account_uncharge - undo the charge of memory that is freed
 * @account: account
 * @bytes: how much
 */
void perfmon_account_uncharge(struct perfmon_account *account, size_t bytes)
{
	unsigned long before = PFN_UP(account->bytes);

	if (!account->user)
		return;
	account->bytes -= bytes;
	atomic_long_sub(before - PFN_UP(account->bytes),
			&account->user->locked_vm);
}

/**
 * perfmon_account_close - undo all charges and drop the reference to the user
 * @account: account
 */
void perfmon_account_close(struct perfmon_account *account)
{
	perfmon_account_uncharge(account, account->bytes);
	if (account->user)
		free_uid(account->user);
}
