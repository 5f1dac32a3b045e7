// SPDX-License-Identifier: MIT
/*
 * Where a program spends its time, with the v2.81 calls: a sample after every
 * 10000 instructions.
 *
 *	cc -o sampling sampling.c $(pkg-config --cflags --libs libpfm)
 *	./sampling
 *
 * The kernel writes samples to a buffer that this program maps, and sends a
 * message when the buffer is full; PFM_FL_NOTIFY_BLOCK makes the sampled program
 * wait meanwhile. The sampled program is a child with one loop, so the number of
 * samples and their place are known.
 */
#define _GNU_SOURCE
#include <err.h>
#include <errno.h>
#include <inttypes.h>
#include <perfmon/perfmon.h>
#include <perfmon/perfmon_dfl_smpl.h>
#include <perfmon/pfmlib.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#define PERIOD 10000
#define SAMPLES 500
#define BUFFER_SIZE 8192 /* too small for all of them */
#define LOOP_INSTRUCTIONS 2ULL

/* Ends halfway between two samples. */
#define PASSES (PERIOD / LOOP_INSTRUCTIONS * SAMPLES + PERIOD / 4)

static const char *const events[] = { "instructions" };

static int samples, samples_in_work, full;

/* Each processor has its own names for events; two are looked up by meaning. */
static int find_event(const char *name, pfmlib_event_t *event)
{
	if (!strcmp(name, "instructions"))
		return pfm_get_inst_retired_event(event);
	if (!strcmp(name, "cycles"))
		return pfm_get_cycle_event(event);
	return pfm_find_full_event(name, event);
}

/*
 * Asks libpfm for registers that count the named events at user level. It may
 * use the control registers of avail_pmcs; the session does not get the others.
 */
static void choose_registers(const char *const *names, unsigned int count,
			     const uint64_t *avail_pmcs,
			     pfmlib_output_param_t *out)
{
	static pfmlib_input_param_t in; /* too large for some stacks */
	int rc = pfm_initialize();

	if (rc != PFMLIB_SUCCESS)
		errx(1, "libpfm: %s; it has no events for this processor",
		     pfm_strerror(rc));

	memset(&in, 0, sizeof(in));
	for (unsigned int i = 0; i < count; i++) {
		rc = find_event(names[i], &in.pfp_events[i]);
		if (rc != PFMLIB_SUCCESS)
			errx(1, "event %s: %s; pfmon -l lists the events",
			     names[i], pfm_strerror(rc));
	}
	in.pfp_event_count = count;
	in.pfp_dfl_plm = PFM_PLM3;
	for (unsigned int pmc = 0; pmc < PFM_MAX_PMCS; pmc++)
		if (!(avail_pmcs[pmc / 64] >> pmc % 64 & 1))
			pfm_regmask_set(&in.pfp_unavail_pmcs, pmc);

	rc = pfm_dispatch_events(&in, NULL, out, NULL);
	if (rc != PFMLIB_SUCCESS)
		errx(1, "the events do not fit together: %s; count fewer",
		     pfm_strerror(rc));
}

/*
 * Programs the events into an event set of a context. The counter of names[i]
 * becomes pmds[i], with the value 0.
 */
static void program_events(int fd, uint16_t set, const char *const *names,
			   unsigned int count, pfarg_pmd_t *pmds)
{
	static pfmlib_output_param_t out;
	pfarg_setinfo_t info = { .set_id = set };
	pfarg_pmc_t pmcs[PFM_MAX_PMCS] = { 0 };

	if (pfm_getinfo_evtsets(fd, &info, 1))
		err(1, "cannot list the registers of the context");
	choose_registers(names, count, info.set_avail_pmcs, &out);

	for (unsigned int i = 0; i < out.pfp_pmc_count; i++) {
		pmcs[i].reg_num = (uint16_t)out.pfp_pmcs[i].reg_num;
		pmcs[i].reg_set = set;
		pmcs[i].reg_value = out.pfp_pmcs[i].reg_value;
	}
	if (pfm_write_pmcs(fd, pmcs, (int)out.pfp_pmc_count))
		err(1, "cannot program the events");

	for (unsigned int i = 0; i < count; i++)
		pmds[i] = (pfarg_pmd_t){
			.reg_num = (uint16_t)out.pfp_pmds[i].reg_num,
			.reg_set = set,
		};
}

/* Ends with one line: what failed, why, and what helps. */
static _Noreturn void no_context(void)
{
	const char *advice =
		errno == ENOSYS ? "boot a kernel with perfmon" :
		errno == EBUSY	? "see /sys/kernel/perfmon/pmu_owner" :
		errno == ENOMEM ? "see ulimit -l" :
				  "see man pfm_create_context";

	if (errno == EPERM || errno == EACCES)
		advice = "see kernel.perf_event_paranoid, or become root";
	err(1, "cannot create a context (%s)", advice);
}

/* The code that is counted: a loop of two instructions, at a known place. */
static __attribute__((noipa)) void work(unsigned long passes)
{
	__asm__ volatile(".globl work_begin, work_end\n"
			 "work_begin:\n\t"
			 "dec %0\n\t"
			 "jnz work_begin\n"
			 "work_end:"
			 : "+r"(passes)
			 :
			 : "cc");
}

extern const char work_begin[], work_end[];

/* A sample has the address of the instruction that comes next. */
static bool is_in_work(uint64_t address)
{
	return address >= (uintptr_t)work_begin &&
	       address <= (uintptr_t)work_end;
}

/* Makes a child that is stopped, and calls work(passes) once it is released. */
static pid_t start_work(unsigned long passes)
{
	pid_t child = fork();
	int status;

	if (child < 0)
		err(1, "cannot make a child (see ulimit -u)");
	if (!child) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		raise(SIGSTOP);
		work(passes);
		_exit(0);
	}
	if (waitpid(child, &status, 0) < 0 || !WIFSTOPPED(status))
		errx(1, "the child has ended early");
	return child;
}

/* Reads the samples of the buffer, to which the kernel adds nothing meanwhile. */
static void take_samples(const pfm_dfl_smpl_hdr_t *hdr, pid_t child)
{
	/* No values follow the entries: reg_smpl_pmds of the counter is 0. */
	const pfm_dfl_smpl_entry_t *entry = (const void *)(hdr + 1);

	for (uint64_t i = 0; i < hdr->hdr_count; i++, entry++) {
		if (entry->pid != (uint32_t)child)
			errx(1, "a sample of another thread");
		samples++;
		if (is_in_work(entry->ip))
			samples_in_work++;
	}
}

static int open_context(const pfm_dfl_smpl_hdr_t **hdr)
{
	pfm_dfl_smpl_arg_t arg = { .buf_size = BUFFER_SIZE };
	pfarg_ctx_t ctx = { .ctx_flags = PFM_FL_NOTIFY_BLOCK };
	pfarg_pmd_t counter;
	int fd = pfm_create_context(&ctx, PFM_DFL_SMPL_NAME, &arg, sizeof(arg));

	if (fd < 0)
		no_context();
	*hdr = mmap(NULL, BUFFER_SIZE, PROT_READ, MAP_PRIVATE, fd, 0);
	if (*hdr == MAP_FAILED)
		err(1, "cannot map the samples");

	program_events(fd, 0, events, 1, &counter);
	counter.reg_value = -(uint64_t)PERIOD;
	counter.reg_long_reset = -(uint64_t)PERIOD;
	counter.reg_short_reset = -(uint64_t)PERIOD;
	counter.reg_flags = PFM_REGFL_OVFL_NOTIFY;
	if (pfm_write_pmds(fd, &counter, 1))
		err(1, "cannot set the period (can this processor interrupt?)");
	return fd;
}

static void sample(int fd, const pfm_dfl_smpl_hdr_t *hdr, pid_t child)
{
	pfarg_msg_t msg;

	for (;;) {
		if (read(fd, &msg, sizeof(msg)) != sizeof(msg))
			err(1, "cannot read a message");
		take_samples(hdr, child);
		if (msg.type == PFM_MSG_END)
			return;
		full++;
		/* A restart empties the buffer and lets the child go on. */
		if (pfm_restart(fd))
			err(1, "cannot restart");
	}
}

int main(void)
{
	const pfm_dfl_smpl_hdr_t *hdr;
	int fd = open_context(&hdr);
	pid_t child = start_work(PASSES);
	pfarg_load_t load = { .load_pid = (uint32_t)child };
	int status;

	if (pfm_load_context(fd, &load) || pfm_start(fd, NULL))
		err(1, "cannot sample the child");
	ptrace(PTRACE_DETACH, child, NULL, NULL);
	sample(fd, hdr, child);
	if (waitpid(child, &status, 0) != child || status)
		errx(1, "the child has failed");
	close(fd);

	printf("%d samples, %d of them in the loop; the buffer was full %d "
	       "times\n",
	       samples, samples_in_work, full);
	/* Real processors interrupt a little late. */
	if (abs(samples - SAMPLES) > SAMPLES / 100 ||
	    samples_in_work < samples * 99 / 100)
		errx(1, "%d samples in the loop were expected", SAMPLES);
	return 0;
}
