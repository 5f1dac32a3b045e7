// SPDX-License-Identifier: GPL-2.0-only
/*
 * A program of the v2.81 interface as users have them: compiled with nothing
 * but its structures and linked with the shared library. The same 32-bit binary
 * runs on both kernels. For processors with event selectors like the P6's.
 */
#include <errno.h>
#include <inttypes.h>
#include <perfmon/perfmon.h>
#include <perfmon/perfmon_dfl_smpl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Retired instructions in user mode, with an interrupt at the overflow. */
#define SELECTOR 0x5100c0

#define LOOP 1000000UL
#define PERIOD 10000

#define BUFFER_SIZE 65536

static int tests;
static int failures;

static void check(bool right, const char *what)
{
	tests++;
	failures += !right;
	printf("%s %d - %s\n", right ? "ok" : "not ok", tests, what);
}

/* Two instructions each time. */
static void loop(void)
{
	unsigned long n = LOOP / 2;

	__asm__ volatile("1: dec %0; jnz 1b" : "+r"(n) : : "cc");
}

/* Programs the first counter of a set. */
static bool program(int fd, uint16_t set, uint32_t flags, uint64_t preset)
{
	pfarg_pmc_t pmc = { .reg_set = set, .reg_value = SELECTOR };
	pfarg_pmd_t pmd = { .reg_set = set,
			    .reg_flags = flags,
			    .reg_value = preset,
			    .reg_long_reset = preset,
			    .reg_short_reset = preset };

	return pfm_write_pmcs(fd, &pmc, 1) == 0 &&
	       pfm_write_pmds(fd, &pmd, 1) == 0;
}

static bool run(int fd)
{
	pfarg_load_t load = { .load_pid = (uint32_t)syscall(SYS_gettid) };

	if (pfm_load_context(fd, &load) || pfm_start(fd, NULL))
		return false;
	loop();
	return pfm_stop(fd) == 0;
}

static bool near_loop(uint64_t value)
{
	return value >= LOOP && value <= LOOP + LOOP / 100;
}

static void count(void)
{
	pfarg_ctx_t ctx = { .ctx_flags = 0 };
	pfarg_pmd_t pmd = { .reg_num = 0 };
	int fd = pfm_create_context(&ctx, NULL, NULL, 0);

	check(fd >= 0, "a context is created");
	check(program(fd, 0, 0, 0) && run(fd), "a thread counts itself");
	check(pfm_read_pmds(fd, &pmd, 1) == 0 && near_loop(pmd.reg_value),
	      "the count is that of the loop");
	printf("# %" PRIu64 " instructions\n", pmd.reg_value);
	check(pfm_unload_context(fd) == 0, "the context is unloaded");
	check(pfm_start(fd, NULL) == -1 && errno == EINVAL,
	      "an unloaded context is not started");
	close(fd);
}

static void use_sets(void)
{
	pfarg_ctx_t ctx = { .ctx_flags = 0 };
	pfarg_setdesc_t set = { .set_id = 1 };
	pfarg_setinfo_t info = { .set_id = 0 };
	int fd = pfm_create_context(&ctx, NULL, NULL, 0);

	check(pfm_getinfo_evtsets(fd, &info, 1) == 0 &&
		      (info.set_avail_pmds[0] & 1),
	      "the first counter may be used");
	check(pfm_create_evtsets(fd, &set, 1) == 0 && program(fd, 1, 0, 5),
	      "a set is made");
	check(pfm_delete_evtsets(fd, &set, 1) == 0 && !program(fd, 1, 0, 5),
	      "a set is deleted");
	close(fd);
}

static void sample(void)
{
	pfm_dfl_smpl_arg_t arg = { .buf_size = BUFFER_SIZE };
	pfarg_ctx_t ctx = { .ctx_flags = 0 };
	char format[] = PFM_DFL_SMPL_NAME;
	int fd = pfm_create_context(&ctx, format, &arg, sizeof(arg));
	const pfm_dfl_smpl_hdr_t *hdr =
		mmap(NULL, BUFFER_SIZE, PROT_READ, MAP_PRIVATE, fd, 0);

	check(hdr != MAP_FAILED, "the buffer is mapped");
	check(program(fd, 0, PFM_REGFL_OVFL_NOTIFY, -(uint64_t)PERIOD) &&
		      run(fd) && hdr->hdr_count == LOOP / PERIOD,
	      "each period gives a sample");
	munmap((void *)hdr, BUFFER_SIZE);
	close(fd);
}

static void notify(void)
{
	pfarg_ctx_t ctx = { .ctx_flags = 0 };
	int fd = pfm_create_context(&ctx, NULL, NULL, 0);
	pfarg_msg_t msg;

	check(program(fd, 0, PFM_REGFL_OVFL_NOTIFY, -(uint64_t)PERIOD) &&
		      run(fd) && read(fd, &msg, sizeof(msg)) == sizeof(msg),
	      "an overflow sends a message");
	check(msg.type == PFM_MSG_OVFL &&
		      msg.pfm_ovfl_msg.msg_ovfl_pmds[0] == 1 &&
		      msg.pfm_ovfl_msg.msg_ovfl_pid == (uint32_t)getpid(),
	      "the message tells of it");
	check(pfm_restart(fd) == 0 && pfm_restart(fd) == -1 && errno == EBUSY,
	      "it is resumed once");
	close(fd);
}

int main(void)
{
	printf("TAP version 13\n1..13\n");
	count();
	use_sets();
	sample();
	notify();
	return failures != 0;
}
