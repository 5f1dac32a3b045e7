/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Static calls: function pointers.
 */
#ifndef PERFCTR_TEST_LINUX_STATIC_CALL_H
#define PERFCTR_TEST_LINUX_STATIC_CALL_H

#define DEFINE_STATIC_CALL(name, function) \
	static __typeof__(&(function)) name = (function)

#define static_call(name) (name)
#define static_call_update(name, function) ((name) = (function))

#endif
