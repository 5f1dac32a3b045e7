/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Accounts: the memory that a user is charged for; see account.c.
 */
#ifndef _KERNEL_PERFMON_ACCOUNT_H
#define _KERNEL_PERFMON_ACCOUNT_H

#include <linux/types.h>

struct user_struct;

/**
 * struct perfmon_account - the user who is charged for an object's memory
 * @user: the user, with a reference; NULL: a creator with CAP_IPC_LOCK
 * @limit: RLIMIT_MEMLOCK of the creator, in pages
 * @bytes: charged to this account
 */
struct perfmon_account {
	struct user_struct *user;
	unsigned long limit;
	size_t bytes;
};

void perfmon_account_open(struct perfmon_account *account);
void perfmon_account_share(struct perfmon_account *account,
			   const struct perfmon_account *of);
bool perfmon_account_charge(struct perfmon_account *account, size_t bytes);
void perfmon_account_uncharge(struct perfmon_account *account, size_t bytes);
void perfmon_account_close(struct perfmon_account *account);

#endif /* _KERNEL_PERFMON_ACCOUNT_H */
