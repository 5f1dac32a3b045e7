/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A kernel with perfmon for the tests of the library, which are linked with
 * --wrap=syscall: what the library would send to the kernel is recorded here
 * and answered as version 3.0 does, as far as the library can see it. Of
 * version 2 there is only the record.
 */
#ifndef FAKE_KERNEL_H
#define FAKE_KERNEL_H

#include <perfmon/perfmon.h>
#include <stdbool.h>
#include <stddef.h>

#define FAKE_BASE 500
#define FAKE_MAX_ARGS 5
#define FAKE_MAX_CALLS 8
#define FAKE_MAX_ELEMENTS 600

/* Every other descriptor, register and set exists. */
#define FAKE_BAD_FD 99
#define FAKE_BAD_REG 9999
#define FAKE_BAD_SET 9999

/* What a read tells of the register num, and of the set id. */
#define FAKE_VALUE(num) (1000 + (num))
#define FAKE_LAST_VALUE(num) (2000 + (num))
#define FAKE_SWCNT(num) (3000 + (num))
#define FAKE_RUNS(id) (4000 + (id))

/* One system call. */
struct fake_call {
	int offset; /* of its number from FAKE_BASE */
	long args[FAKE_MAX_ARGS];
	int result;
	int error;
};

extern struct fake_kernel {
	int version; /* 2 or 3 */
	size_t arg_mem_max; /* bytes */

	/* If error is not 0, every call fails with it. */
	int error;
	long result; /* of calls that succeed */

	int count;
	struct fake_call calls[FAKE_MAX_CALLS];

	/* Elements that were applied or read, in order, over all calls. */
	int elements;
	pfarg_pmr_t pmrs[FAKE_MAX_ELEMENTS];
	pfarg_pmd_attr_t attrs[FAKE_MAX_ELEMENTS];
	pfarg_setdesc_t sets[FAKE_MAX_ELEMENTS];
	pfarg_setinfo_t infos[FAKE_MAX_ELEMENTS];

	/* If not 0, the descriptor in the block that versions 2.0 to 2.2 take. */
	int v22_context_fd;

	/* The sampling format and its argument or that block, as seen last. */
	char smpl_name[64];
	unsigned char smpl_arg[64];
} fake;

/* Setup and teardown of a cmocka test: a fresh kernel, seen by the library. */
int fake_setup_v3(void **state);
int fake_setup_v281(void **state);
int fake_teardown(void **state);

/* Writes the files that tell of the kernel; NULL: leaves the file alone. */
void fake_publish(const char *version, const char *base);
void fake_publish_interface(const char *interface);
void fake_remove_base(void);

/* That the last call was this one, and forgets the calls. */
void fake_assert_sent(int offset, const long args[FAKE_MAX_ARGS]);

/* That the library did not call. */
void fake_assert_silent(void);

/* Forgets the calls and elements. */
void fake_forget(void);

/* That call returned -1 with this errno. */
#define assert_fails(call, wanted)               \
	do {                                     \
		errno = 0;                       \
		assert_int_equal(call, -1);      \
		assert_int_equal(errno, wanted); \
	} while (0)

#endif /* FAKE_KERNEL_H */
