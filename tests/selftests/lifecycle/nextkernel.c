// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernel after this one, started while sessions sample: by a crash or by
 * kexec.
 *
 *	nextkernel crash|kexec PROGRAM...
 *
 * Every CPU has a session that samples its kernel level when this kernel ends;
 * the next one runs the programs, which find out whether it has counters that
 * work. A crash needs memory for the next kernel: crashkernel=. The line
 * "# leave" tells the runner that this program has ended on purpose. Kernel and
 * initial file system lie in /tests/boot.
 */
#include <fcntl.h>
#include <linux/kexec.h>
#include <linux/reboot.h>
#include <stdio.h>
#include <string.h>
#include <sys/reboot.h>
#include <sys/syscall.h>
#include <termios.h>

#include "attr.h"
#include "default_format.h"
#include "loop.h"
#include "machine.h"
#include "pfm_test.h"
#include "pmrs.h"
#include "pmu.h"

#define KERNEL "/tests/boot/bzImage"
#define INITRD "/tests/boot/initrd.cpio"

/* Often enough for interrupts to be on their way all the time. */
#define PERIOD 20000
#define ENTRIES 50000
#define MAX_CPUS 8

/* 32-bit processes have no such call. */
#ifndef SYS_kexec_file_load
#define SYS_kexec_file_load -1
#endif

/* The test machine's own arguments, and those of the tests (checks/boot.py). */
#define ARGUMENTS                                                            \
	"console=ttyS0 panic=-1 no_timer_check nmi_watchdog=0 tsc=reliable " \
	"msr.allow_writes=on"

static bool crashes;
static struct sampler samplers[MAX_CPUS];

static int verdict(bool ok, const char *what)
{
	static int number;

	printf("%sok %d - %s\n", ok ? "" : "not ", ++number, what);
	return ok ? 0 : 1;
}

/* What init of the next kernel does is what it does in this one. */
static void compose(char *line, size_t size, char **programs)
{
	size_t used = snprintf(line, size, "%s%s -- test", ARGUMENTS,
			       crashes ? " maxcpus=1" : "");
	unsigned int i;

	for (i = 0; programs[i] && used < size; i++)
		used += snprintf(line + used, size - used, ",%s%s",
				 i ? "+" : "", programs[i]);
}

static int load(char **programs)
{
	int kernel = open(KERNEL, O_RDONLY), initrd = open(INITRD, O_RDONLY);
	char line[1024];

	if (kernel < 0 || initrd < 0)
		return errno;
	compose(line, sizeof(line), programs);
	return ERRNO(syscall(SYS_kexec_file_load, kernel, initrd,
			     strlen(line) + 1, line,
			     crashes ? KEXEC_FILE_ON_CRASH : 0));
}

/* Samples the kernel level of @cpu, the user level too. */
static int sample(struct sampler *sampler, int cpu)
{
	const struct pmu_counter *counter = pmu_first();
	struct pfarg_pmd_attr attr = { .reg_long_reset = -PERIOD,
				       .reg_short_reset = -PERIOD };

	if (sampler_open(sampler, PFM_FL_SYSTEM_WIDE, dfl_size(ENTRIES)) ||
	    pmu_program(sampler->fd, counter, counter->kernel, 0) ||
	    write_pmd_attr(sampler->fd, counter->pmd, 0, -PERIOD, &attr) ||
	    pfm_attach_session(sampler->fd, 0, cpu))
		return -1;
	return pfm_start_session(sampler->fd, 0);
}

static bool all_sample(void)
{
	int cpu, cpus = cpus_online();

	for (cpu = 0; cpu < cpus; cpu++) {
		if (sample(&samplers[cpu], cpu) || pin_to_cpu(cpu))
			return false;
		counted_loop(10 * PERIOD);
		if (!sampler_next(&samplers[cpu], NULL, 0))
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	crashes = !strcmp(argv[1], "crash");
	puts("TAP version 13\n1..2");
	if (verdict(!load(argv + 2), "the next kernel is loaded") ||
	    verdict(all_sample(), "every CPU is being sampled"))
		return 1;
	puts("# leave");
	fflush(stdout);
	tcdrain(STDOUT_FILENO);
	if (crashes)
		file_write("/proc/sysrq-trigger", "c");
	else
		reboot(LINUX_REBOOT_CMD_KEXEC);
	verdict(false, "this kernel has ended");
	return 1;
}
