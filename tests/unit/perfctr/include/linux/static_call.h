/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code that the kernel patches: function pointers and flags.
 */
#ifndef PERFCTR_TEST_LINUX_STATIC_CALL_H
#define PERFCTR_TEST_LINUX_STATIC_CALL_H

#include <linux/types.h>

#define DEFINE_STATIC_CALL(name, function) \
	static __typeof__(&(function)) name = (function)

#define static_call(name) (name)
#define static_call_update(name, function) ((name) = (function))

struct static_key_false {
	bool enabled;
};

#define DECLARE_STATIC_KEY_FALSE(name) extern struct static_key_false name
#define DEFINE_STATIC_KEY_FALSE(name) struct static_key_false name
#define static_key_enabled(key) ((key)->enabled)
#define static_branch_unlikely(key) ((key)->enabled)
#define static_branch_enable(key) ((void)((key)->enabled = true))
/* With the lock of the CPUs held. */
#define static_branch_enable_cpuslocked(key) static_branch_enable(key)

#endif
