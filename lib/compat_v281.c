// SPDX-License-Identifier: MIT
/*
 * The v2.81 interface on a v3.0 kernel: sessions, which v2.81 calls contexts.
 * Registers are in compat_v281_regs.c, sets in compat_v281_sets.c.
 *
 * A call keeps the errno of the v3.0 call that it makes.  No state is kept for a
 * descriptor: each can be used through both interfaces.
 */
#include <errno.h>
#include <perfmon/perfmon.h>
#include <perfmon/perfmon_dfl_smpl.h>
#include <string.h>
#include <unistd.h>

#include "compat_v281.h"

/* The flags of v2.81; it ignored all others. */
#define CTX_FLAGS \
	(PFM_FL_NOTIFY_BLOCK | PFM_FL_SYSTEM_WIDE | PFM_FL_OVFL_NO_MSG)

/* The argument in the first kernels with twelve calls, 2.0 to 2.2. */
struct v22_context {
	uint8_t format[16]; /* number of the sampling format, 0 for none */
	uint32_t flags;
	int32_t fd; /* out */
	uint64_t mmap_size; /* out */
	uint64_t reserved[12];
};

_Static_assert(sizeof(struct v22_context) == 128, "as the kernel has it");

/* In these kernels, formats have no names. */
static int create_v22(const struct pfmlib_kernel *kernel,
		      const pfarg_ctx_t *ctx, const char *smpl_name)
{
	struct v22_context context = { .fd = -1 };
	long rc;

	if (!ctx)
		return pfmlib_fail(EFAULT);
	if (smpl_name)
		return pfmlib_fail(EINVAL);
	context.flags = ctx->ctx_flags;
	rc = syscall(kernel->base + V281_CREATE_CONTEXT, &context, NULL, 0L);
	return rc < 0 ? (int)rc : context.fd;
}

/* Clears fields of the format's argument that v2.81 ignored and v3.0 checks. */
static int create_with_format(int flags, char *smpl_name, void *smpl_arg,
			      size_t smpl_size)
{
	pfm_dfl_smpl_arg_t copy;

	if (smpl_arg && smpl_size == sizeof(copy) &&
	    strcmp(smpl_name, PFM_DFL_SMPL_NAME) == 0) {
		memcpy(&copy, smpl_arg, sizeof(copy));
		copy.reserved1 = 0;
		memset(copy.reserved, 0, sizeof(copy.reserved));
		smpl_arg = &copy;
	}
	return pfm_create_session(flags | PFM_FL_SMPL_FMT, smpl_name, smpl_arg,
				  smpl_size);
}

os_err_t pfm_create_context(pfarg_ctx_t *ctx, char *smpl_name, void *smpl_arg,
			    size_t smpl_size)
{
	struct pfmlib_kernel kernel;
	int flags;

	if (pfmlib_kernel(&kernel))
		return -1;
	if (is_native(&kernel) && kernel.minor <= 2)
		return create_v22(&kernel, ctx, smpl_name);
	if (is_native(&kernel))
		return (int)syscall(kernel.base + V281_CREATE_CONTEXT, ctx,
				    smpl_name, smpl_arg, smpl_size);
	if (!ctx)
		return pfmlib_fail(EFAULT);

	flags = (int)(ctx->ctx_flags & CTX_FLAGS);
	if (smpl_name)
		return create_with_format(flags, smpl_name, smpl_arg,
					  smpl_size);
	return pfm_create_session(flags);
}

os_err_t pfm_load_context(int fd, pfarg_load_t *load)
{
	int target, rc;

	if (v281_native(&rc, V281_LOAD_CONTEXT, fd, (long)load, 0))
		return rc;
	if (!load)
		return pfmlib_fail(EFAULT);
	if (load->load_set)
		return pfmlib_fail(EINVAL);

	/*
	 * No thread has this number, but in v3.0 it means detach: use another invalid
	 * one.
	 */
	target = (int)load->load_pid;
	if (target == PFM_NO_TARGET)
		target--;
	return pfm_attach_session(fd, 0, target);
}

os_err_t pfm_unload_context(int fd)
{
	int rc;

	if (v281_native(&rc, V281_UNLOAD_CONTEXT, fd, 0, 0))
		return rc;
	return pfm_attach_session(fd, 0, PFM_NO_TARGET);
}

os_err_t pfm_start(int fd, pfarg_start_t *start)
{
	int rc;

	if (v281_native(&rc, V281_START, fd, (long)start, 0))
		return rc;
	if (start && (start->start_set || pfmlib_v281_strict()))
		return pfmlib_fail(EINVAL);
	return pfm_start_session(fd, 0);
}

os_err_t pfm_stop(int fd)
{
	int rc;

	if (v281_native(&rc, V281_STOP, fd, 0, 0))
		return rc;
	return pfm_stop_session(fd, 0);
}

os_err_t pfm_restart(int fd)
{
	int rc;

	if (v281_native(&rc, V281_RESTART, fd, 0, 0))
		return rc;
	return pfm_start_session(fd, PFM_STFL_RESTART);
}
