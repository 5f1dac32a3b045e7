// SPDX-License-Identifier: GPL-2.0-only
/*
 * State pages: each thread keeps one mapped while it makes other calls, and looks
 * at it, whether it is its own or that of another thread.
 */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

#include <perfmon/pfm_state.h>

#include "attr.h"
#include "calls.h"

/* The thread executes RDPMC, perhaps without the right to. */
static __thread sigjmp_buf fault;
static __thread volatile bool reads;

static void on_fault(int sig)
{
	if (reads)
		siglongjmp(fault, 1);
	signal(sig, SIG_DFL);
}

void fuzz_pages_start(void)
{
	signal(SIGSEGV, on_fault);
}

/* What is usable is so for one thread of the process: the others die of it. */
static void read_as_if_usable(const struct pfm_state *state, unsigned int n)
{
	reads = true;
	if (!sigsetjmp(fault, 1))
		while (n-- > 0)
			pfm_state_read(state, n);
	reads = false;
}

static const char *look(const struct pfm_state *state)
{
	unsigned int i, n = state->nr_counters;

	if (state->version != PFM_STATE_VERSION)
		return "a state page of another version";
	if (n > PFM_STATE_COUNTERS)
		return "more counters than there is room for";
	for (i = 0; i < n; i++)
		pfm_state_sum(state, i);
	read_as_if_usable(state, n);
	return NULL;
}

void fuzz_page_end(struct fuzzer *f)
{
	if (f->page)
		pfm_unmap_state(f->page);
	f->page = NULL;
}

static const char *map(struct fuzzer *f)
{
	int fd = fuzz_fd(f);

	fuzz_page_end(f);
	TELL(f, "pfm_map_state(%d)", fd);
	f->page = pfm_map_state(fd);
	if (!f->page)
		return ANSWER(f, -1, EBADF, EINVAL, ENODEV, ENOMEM);
	if (!mprotect((void *)(uintptr_t)f->page, 1, PROT_READ | PROT_WRITE))
		return "the state page became writable";
	return NULL;
}

/* The administrator changes his mind. */
static const char *change_mode(struct fuzzer *f)
{
	static const char *const modes[] = { "0", "1", "1", "2" };
	const char *mode = modes[prng_below(&f->prng, 4)];

	TELL(f, "%s in rdpmc", mode);
	return attr_write("rdpmc", mode) ? "rdpmc cannot be written" : NULL;
}

const char *fuzz_page(struct fuzzer *f)
{
	const char *wrong = NULL;

	if (fuzz_rarely(f))
		wrong = change_mode(f);
	else if (!f->page || prng_one_in(&f->prng, 8))
		wrong = map(f);
	TELL(f, "a look at a state page");
	return wrong || !f->page ? wrong : look(f->page);
}
