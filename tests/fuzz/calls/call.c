// SPDX-License-Identifier: GPL-2.0-only
/* The eight calls of the interface, and which call is made next. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <perfmon/perfmon.h>
#include <perfmon/perfmon_dfl_smpl.h>
#include <perfmon/perfmon_precise_smpl.h>
#include <perfmon/perfmon_stacks_smpl.h>

#include "calls.h"
#include "loop.h"
#include "pmu.h"

#define NR(array) (sizeof(array) / sizeof(*(array)))

/* A flags word that is not in the list must be refused before anything else. */
static const char *wrong_flags(int flags, const int *valid, unsigned int nr,
			       long rc)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (flags == valid[i])
			return NULL;
	return rc < 0 && errno == EINVAL ? NULL : "wrong flags were accepted";
}

static const int create_flags[] = {
	0,
	0,
	0,
	PFM_FL_NOTIFY_BLOCK,
	PFM_FL_SYSTEM_WIDE,
	PFM_FL_SMPL_FMT,
	PFM_FL_SMPL_FMT | PFM_FL_SYSTEM_WIDE,
	PFM_FL_SMPL_FMT | PFM_FL_NOTIFY_BLOCK,
	PFM_FL_OVFL_NO_MSG,
	PFM_FL_OVFL_SIGINFO,
	PFM_FL_OVFL_SIGINFO | PFM_FL_OVFL_NO_MSG,
	PFM_FL_CLOEXEC,
	PFM_FL_SYSTEM_WIDE | PFM_FL_YIELD,
	PFM_FL_INHERIT,
	PFM_FL_INHERIT | PFM_FL_INHERIT_THREAD,
	PFM_FL_INHERIT | PFM_FL_SMPL_FMT,
	PFM_FL_INHERIT | PFM_FL_SMPL_FMT | PFM_FL_NOTIFY_BLOCK,
	PFM_FL_NMI | PFM_FL_SMPL_FMT,
	PFM_FL_NMI | PFM_FL_SYSTEM_WIDE,
	PFM_FL_NMI | PFM_FL_INHERIT | PFM_FL_SMPL_FMT,
};

/* Moves a new session to where those of the fuzzer are. Returns its descriptor. */
static int move(int fd, int flags)
{
	int moved = fcntl(fd,
			  flags & PFM_FL_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD,
			  FUZZ_FIRST_FD);

	close(fd);
	return moved;
}

/* Fills the argument of a format; they have the same size. */
static const char *choose_format(struct fuzzer *f, struct pfm_dfl_smpl_arg *arg)
{
	struct pfm_precise_smpl_arg *precise = (void *)arg;
	struct pfm_stacks_smpl_arg *stacks = (void *)arg;
	bool halves = prng_one_in(&f->prng, 2);

	_Static_assert(sizeof(*stacks) == sizeof(*arg), "one argument");
	_Static_assert(sizeof(*precise) == sizeof(*arg), "one argument");
	/* Never so large that the guest is out of memory. */
	arg->buf_size = fuzz_rarely(f) ? prng_below(&f->prng, 65536) :
					 FUZZ_BUFFER;
	if (prng_one_in(&f->prng, 5)) {
		precise->buf_flags = prng_below(&f->prng, 5);
		precise->max_frames = prng_below(&f->prng, 130);
		precise->blocks = prng_below(&f->prng, 33);
		if (precise->blocks & PFM_PRECISE_SMPL_STACK)
			precise->stack_bytes = 8 * prng_below(&f->prng, 4200);
		precise->batch = prng_below(&f->prng, 3);
		return PFM_PRECISE_SMPL_NAME;
	}
	if (prng_one_in(&f->prng, 4)) {
		stacks->buf_flags = halves ? PFM_STACKS_SMPL_HALVES : 0;
		stacks->max_frames = prng_below(&f->prng, 130);
		if (prng_one_in(&f->prng, 3))
			stacks->stack_bytes = 8 * prng_below(&f->prng, 4200);
		return PFM_STACKS_SMPL_NAME;
	}
	arg->buf_flags = fuzz_value(f);
	arg->buf_mode = halves ? PFM_DFL_SMPL_HALVES : 0;
	return fuzz_rarely(f) ? "nosuch" : PFM_DFL_SMPL_NAME;
}

static const char *create(struct fuzzer *f)
{
	struct pfm_dfl_smpl_arg *arg =
		arena_place(&f->arena, &f->prng, sizeof(*arg));
	int flags = fuzz_flags(f, create_flags, NR(create_flags));
	const char *name = choose_format(f, arg);
	size_t size = fuzz_rarely(f) ? fuzz_value(f) : sizeof(*arg);
	int fd;

	if (fuzz_rarely(f))
		arg->reserved[prng_below(&f->prng, 6)] = fuzz_value(f);
	arg = fuzz_pointer(f, arg);
	name = fuzz_pointer(f, (void *)name);
	TELL(f, "create(%#x, %p, %p, %zu)", flags, (const void *)name,
	     (void *)arg, size);
	pthread_mutex_lock(&f->fuzz->blocking);
	fd = pfm_create_session(flags, name, arg, size);
	if (fd >= 0)
		fd = move(fd, flags);
	if (fd >= 0)
		fcntl(fd, F_SETFL, O_NONBLOCK);
	pthread_mutex_unlock(&f->fuzz->blocking);
	if (fd >= 0) {
		if (fd < FUZZ_MAX_FD)
			f->fuzz->flags[fd] = flags;
		fuzz_setup(f, fd);
		fuzz_put_fd(f, fd);
	}
	return ANSWER(f, fd, EINVAL, EFAULT, ENOMEM, EMFILE, EBUSY);
}

static const int write_flags[] = {
	PFM_RWFL_PMC,
	PFM_RWFL_PMD,
	PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR,
};

static const int read_flags[] = {
	PFM_RWFL_PMC,
	PFM_RWFL_PMD,
	PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR,
	PFM_RWFL_PMC | PFM_RWFL_RUNNING,
	PFM_RWFL_PMD | PFM_RWFL_RUNNING,
	PFM_RWFL_PMD | PFM_RWFL_PMD_ATTR | PFM_RWFL_RUNNING,
	PFM_RWFL_PMD | PFM_RWFL_FAMILY,
	PFM_RWFL_PMD | PFM_RWFL_FAMILY | PFM_RWFL_RUNNING,
};

static void fill_pmr(struct fuzzer *f, int flags, struct pfarg_pmr *pmr)
{
	const struct pmu_counter *counter = fuzz_counter(f);
	bool pmc = flags & PFM_RWFL_PMC;

	pmr->reg_set = fuzz_set(f);
	pmr->reg_num = fuzz_register(f, pmc ? counter->pmc : counter->pmd);
	pmr->reg_value = fuzz_value(f);
	if (pmc && !fuzz_rarely(f))
		pmr->reg_value = prng_one_in(&f->prng, 2) ? counter->user :
							    counter->kernel;
	if (!pmc)
		pmr->reg_flags = prng_below(&f->prng, 4);
	else if (prng_one_in(&f->prng, 8))
		pmr->reg_flags = prng_one_in(&f->prng, 2) ?
					 PFM_REGFL_NO_EMUL64 :
					 PFM_REGFL_USER_ONLY;
	if (fuzz_rarely(f))
		pmr->reg_flags = fuzz_value(f);
}

static void fill_attr(struct fuzzer *f, struct pfarg_pmd_attr *attr)
{
	attr->reg_long_reset = fuzz_value(f);
	attr->reg_short_reset = fuzz_value(f);
	attr->reg_random_mask = prng_below(&f->prng, 4096);
	if (prng_one_in(&f->prng, 4))
		attr->reg_smpl_rate = prng_below(&f->prng, 2000);
	attr->reg_ovfl_swcnt = prng_below(&f->prng, 4);
	attr->reg_smpl_eventid = fuzz_value(f);
	if (prng_one_in(&f->prng, 3))
		attr->reg_smpl_pmds[0] = 1ULL << fuzz_counter(f)->pmd % 64;
	if (prng_one_in(&f->prng, 3))
		attr->reg_reset_pmds[0] = 1ULL << fuzz_counter(f)->pmd % 64;
	if (fuzz_rarely(f))
		attr->reg_smpl_pmds[prng_below(&f->prng, 5)] = fuzz_value(f);
	if (prng_one_in(&f->prng, 4))
		attr->reg_random_seed = fuzz_value(f);
	if (fuzz_rarely(f))
		attr->reg_reserved[prng_below(&f->prng, 6)] = fuzz_value(f);
}

/* A vector that fits into half of the arena, whatever its length is said. */
static int real_count(int n, size_t element)
{
	int most = (int)(ARENA_SIZE / 2 / element);

	return n < 0 ? 0 : n > most ? most : n;
}

static const char *pmrs(struct fuzzer *f, bool write, const int *valid,
			unsigned int nr_valid)
{
	int flags = fuzz_flags(f, valid, nr_valid);
	bool with_attr = flags & PFM_RWFL_PMD_ATTR;
	int n = fuzz_count(f, with_attr ? 21 : 256);
	int real = real_count(n, with_attr ? sizeof(struct pfarg_pmd_attr) :
					     sizeof(struct pfarg_pmr));
	struct pfarg_pmr *regs;
	struct pfarg_pmd_attr *attrs;
	const char *wrong;
	int i, fd = fuzz_fd(f);
	long rc;

	/* One behind the other; the hole follows the second. */
	regs = arena_place(
		&f->arena, &f->prng,
		real * (sizeof(*regs) + (with_attr ? sizeof(*attrs) : 0)));
	attrs = (struct pfarg_pmd_attr *)(regs + real);
	for (i = 0; i < real; i++) {
		fill_pmr(f, flags, &regs[i]);
		if (with_attr)
			fill_attr(f, &attrs[i]);
	}
	regs = fuzz_pointer(f, regs);
	attrs = with_attr ? fuzz_pointer(f, attrs) : NULL;
	TELL(f, "%s_pmrs(%d, %#x, %p, %d, %p)", write ? "write" : "read", fd,
	     flags, (void *)regs, n, (void *)attrs);
	rc = write ? pfm_write_pmrs(fd, flags, regs, n, attrs) :
		     pfm_read_pmrs(fd, flags, regs, n, attrs);
	wrong = ANSWER(f, rc, EBADF, EFAULT, EINVAL, E2BIG, EPERM, ESRCH,
		       EBUSY);
	return wrong ?: wrong_flags(flags, valid, nr_valid, rc);
}

static const char *write_pmrs(struct fuzzer *f)
{
	return pmrs(f, true, write_flags, NR(write_flags));
}

static const char *read_pmrs(struct fuzzer *f)
{
	return pmrs(f, false, read_flags, NR(read_flags));
}

static const int attach_flags[] = {
	0,
	0,
	0,
	PFM_ATFL_RUNNING,
	PFM_ATFL_RUNNING,
	PFM_ATFL_PIDFD,
	PFM_ATFL_PIDFD | PFM_ATFL_RUNNING,
};

static const char *attach(struct fuzzer *f)
{
	int flags = fuzz_flags(f, attach_flags, NR(attach_flags));
	int fd = fuzz_fd(f), target = fuzz_target(f, fd), pidfd = -1;
	const char *wrong;
	long rc;

	if (flags & PFM_ATFL_PIDFD && !fuzz_rarely(f)) {
		pidfd = (int)syscall(SYS_pidfd_open, f->child, 0);
		target = pidfd;
	}
	TELL(f, "attach(%d, %#x, %d)", fd, flags, target);
	rc = pfm_attach_session(fd, flags, target);
	wrong = ANSWER(f, rc, EBADF, EINVAL, ESRCH, EPERM, EBUSY, EEXIST, ENOMEM) ?:
			wrong_flags(flags, attach_flags, NR(attach_flags), rc);
	if (pidfd >= 0)
		close(pidfd);
	return wrong;
}

static const char *detach(struct fuzzer *f)
{
	int flags = prng_one_in(&f->prng, 2) ? PFM_ATFL_RUNNING : 0;
	int fd = fuzz_fd(f);

	TELL(f, "detach(%d, %#x)", fd, flags);
	return ANSWER(f, pfm_detach_session(fd, flags), EBADF, ESRCH, EPERM);
}

static const int start_flags[] = {
	0,
	0,
	PFM_STFL_RESTART,
	PFM_STFL_RESTART,
	PFM_STFL_RUNNING,
	PFM_STFL_RUNNING,
	PFM_STFL_AT_EXEC,
	PFM_STFL_AT_EXEC | PFM_STFL_RUNNING,
};

static const char *start(struct fuzzer *f)
{
	int flags = fuzz_flags(f, start_flags, NR(start_flags));
	int fd = fuzz_fd(f);
	const char *wrong;
	long rc;

	TELL(f, "start(%d, %#x)", fd, flags);
	rc = pfm_start_session(fd, flags);
	wrong = ANSWER(f, rc, EBADF, EINVAL, ESRCH, EPERM, EBUSY);
	return wrong ?: wrong_flags(flags, start_flags, NR(start_flags), rc);
}

static const int stop_flags[] = { 0, PFM_STFL_RUNNING };

static const char *stop(struct fuzzer *f)
{
	int flags = fuzz_flags(f, stop_flags, NR(stop_flags));
	int fd = fuzz_fd(f);
	const char *wrong;
	long rc;

	TELL(f, "stop(%d, %#x)", fd, flags);
	rc = pfm_stop_session(fd, flags);
	wrong = ANSWER(f, rc, EBADF, EINVAL, ESRCH, EPERM);
	return wrong ?: wrong_flags(flags, stop_flags, NR(stop_flags), rc);
}

static const int sets_flags[] = { 0, 0, PFM_SETS_DELETE };

static const char *create_sets(struct fuzzer *f)
{
	int flags = fuzz_flags(f, sets_flags, NR(sets_flags));
	struct pfarg_setdesc *descs;
	int n = fuzz_count(f, 64);
	int i, real = real_count(n, sizeof(*descs)), fd = fuzz_fd(f);
	const char *wrong;
	long rc;

	descs = arena_place(&f->arena, &f->prng, real * sizeof(*descs));
	for (i = 0; i < real; i++) {
		descs[i].set_id = fuzz_set(f);
		descs[i].set_flags = prng_below(&f->prng, 3);
		descs[i].set_timeout = f->fuzz->shortest_timeout
				       << prng_below(&f->prng, 12);
		if (fuzz_rarely(f))
			descs[i].set_timeout = fuzz_value(f);
		if (fuzz_rarely(f))
			descs[i].set_flags = fuzz_value(f);
		if (fuzz_rarely(f))
			descs[i].reserved[prng_below(&f->prng, 6)] = 1;
	}
	descs = fuzz_pointer(f, descs);
	TELL(f, "create_sets(%d, %#x, %p, %d)", fd, flags, (void *)descs, n);
	rc = pfm_create_sets(fd, flags, descs, n);
	wrong = ANSWER(f, rc, EBADF, EFAULT, EINVAL, E2BIG, EBUSY);
	return wrong ?: wrong_flags(flags, sets_flags, NR(sets_flags), rc);
}

static const int getinfo_flags[] = { 0, PFM_GIFL_LOSS, PFM_GIFL_KINDS,
				     PFM_GIFL_FAMILY,
				     PFM_GIFL_FAMILY | PFM_GIFL_LOSS };

static const char *getinfo_sets(struct fuzzer *f)
{
	int flags = fuzz_flags(f, getinfo_flags, NR(getinfo_flags));
	struct pfarg_setinfo *infos;
	int n = fuzz_count(f, 20);
	int i, real = real_count(n, sizeof(*infos)), fd = fuzz_fd(f);
	const char *wrong;
	long rc;

	infos = arena_place(&f->arena, &f->prng, real * sizeof(*infos));
	for (i = 0; i < real; i++) {
		infos[i].set_id = fuzz_set(f);
		if (fuzz_rarely(f))
			infos[i].set_reserved3[prng_below(&f->prng, 6)] = 1;
	}
	infos = fuzz_pointer(f, infos);
	TELL(f, "getinfo_sets(%d, %#x, %p, %d)", fd, flags, (void *)infos, n);
	rc = pfm_getinfo_sets(fd, flags, infos, n);
	wrong = ANSWER(f, rc, EBADF, EFAULT, EINVAL, E2BIG);
	return wrong ?:
		       wrong_flags(flags, getinfo_flags, NR(getinfo_flags), rc);
}

static const struct {
	const char *name;
	const char *(*make)(struct fuzzer *f);
	unsigned int weight;
} calls[FUZZ_CALLS] = {
	{ "pfm_create_session", create, 16 },
	{ "pfm_write_pmrs", write_pmrs, 50 },
	{ "pfm_read_pmrs", read_pmrs, 36 },
	{ "pfm_attach_session", attach, 64 },
	{ "pfm_detach_session", detach, 12 },
	{ "pfm_start_session", start, 56 },
	{ "pfm_stop_session", stop, 20 },
	{ "pfm_create_sets", create_sets, 20 },
	{ "pfm_getinfo_sets", getinfo_sets, 20 },
	{ "poll and read", fuzz_read, 24 },
	{ "mmap", fuzz_map, 16 },
	{ "state page", fuzz_page, 20 },
	{ "fcntl", fuzz_control, 12 },
	{ "dup", fuzz_duplicate, 8 },
	{ "fdinfo", fuzz_look, 4 },
	{ "close", fuzz_close, 8 },
	{ "ptrace", fuzz_trace, 6 },
	{ "fork, exec and exit", fuzz_fork, 1 },
	{ "end of all sessions", fuzz_take_back, 1 },
};

static unsigned int draw_call(struct fuzzer *f)
{
	unsigned int i, at, sum = 0;

	for (i = 0; i < FUZZ_CALLS; i++)
		sum += calls[i].weight;
	at = prng_below(&f->prng, sum);
	for (i = 0; at >= calls[i].weight; i++)
		at -= calls[i].weight;
	return i;
}

/*
 * A process takes a slow kernel as long as hundreds of calls; and sessions must
 * live long enough for something to happen to them.
 */
static bool is_due(struct fuzzer *f, unsigned int i)
{
	if (calls[i].make == fuzz_fork)
		return !f->fuzz->slow || prng_one_in(&f->prng, 4);
	if (calls[i].make == fuzz_take_back)
		return prng_one_in(&f->prng, 2);
	return true;
}

static unsigned int next_call(struct fuzzer *f)
{
	unsigned int i;

	do
		i = draw_call(f);
	while (!is_due(f, i));
	return i;
}

/* So that something is counted, and the others get their turn. */
static void work(struct fuzzer *f)
{
	struct timespec time = { .tv_nsec = prng_below(&f->prng, 50000) };

	if (prng_one_in(&f->prng, 8))
		nanosleep(&time, NULL);
	counted_loop(2 + 2 * prng_below(&f->prng, 20000));
}

const char *fuzz_call(struct fuzzer *f)
{
	unsigned int i = next_call(f);
	const char *wrong;

	if (prng_one_in(&f->prng, 8))
		work(f);
	f->err = 0;
	wrong = calls[i].make(f);
	f->results[i][f->err]++;
	if (!wrong && !arena_intact(&f->arena))
		wrong = "memory beside the argument was changed";
	return wrong;
}

const char *fuzz_call_name(unsigned int call)
{
	return calls[call].name;
}

const char *fuzz_answer(struct fuzzer *f, const char *call, const int *allowed,
			long rc)
{
	static __thread char text[64];

	if (rc >= 0)
		return NULL;
	f->err = errno < FUZZ_ERRNOS ? errno : FUZZ_ERRNOS - 1;
	for (; *allowed; allowed++)
		if (errno == *allowed)
			return NULL;
	snprintf(text, sizeof(text), "%s: unexpected errno %d", call, errno);
	return text;
}
