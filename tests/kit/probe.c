// SPDX-License-Identifier: GPL-2.0-only
/*
 * The test module's device, and the run of known instructions. Also built with
 * nolibc.
 */
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "module.h"
#include "pmu.h"

#define MODULE "perfctr_probe"

int probe_load(void)
{
	int error = module_load(MODULE, "");

	/* A test that was killed leaves the module, but not the device open. */
	return error && error != EEXIST ? -1 : 0;
}

int probe_unload(void)
{
	return module_unload(MODULE) ? -1 : 0;
}

int probe_open(void)
{
	return open(PERFCTR_PROBE_DEVICE, O_RDWR | O_CLOEXEC);
}

static const char *why_not(int fd, uint32_t features)
{
	struct perfctr_probe_info info;

	if (ioctl(fd, PERFCTR_PROBE_INFO, &info))
		return NULL;
	if (!info.can_measure)
		return "this is not the test machine";
	if (features & ~info.cpu_features)
		return "this processor has no overflow interrupt";
	return NULL;
}

int probe_start(uint32_t features, const char **skip)
{
	int fd;

	*skip = pmu_get() ? NULL : "this processor has no counters";
	if (*skip || probe_load())
		return -1;
	fd = probe_open();
	if (fd < 0)
		return -1;
	*skip = why_not(fd, features);
	if (!*skip)
		return fd;
	close(fd);
	probe_unload();
	return -1;
}

/* Fixed counters: numbers for RDPMC; interrupt bit of their control fields. */
#define FIXED_MAP 0x40000000
#define FIXED_PMD 16
#define FIXED_INTERRUPT 0x8

/* Counters of the P4: MSR of the first; read the low half only, and faster. */
#define P4_FIRST_COUNTER 0x300
#define P4_FAST_RDPMC (1U << 31)

/* CCCR of the P4: both bits of the other thread's state; interrupt. */
#define P4_ANY_THREAD (3U << 16)
#define P4_INTERRUPT (1U << 26)

/* A selector whose enable bit is that of the first one (P6). */
static bool needs_first(const struct pmu_counter *counter)
{
	return counter->selector && counter->value2;
}

static bool any_needs_first(const struct pmu_counter *const list[])
{
	int i;

	for (i = 0; i < PROBE_COUNTERS && list[i]; i++)
		if (needs_first(list[i]))
			return true;
	return false;
}

static bool has_first(const struct pmu_counter *const list[])
{
	int i;

	for (i = 0; i < PROBE_COUNTERS && list[i]; i++)
		if (list[i]->pmd == pmu_first()->pmd)
			return true;
	return false;
}

/* perfmon numbers the counters of the P4 so that each thread has a half. */
static uint32_t p4_map(const struct pmu_counter *counter)
{
	struct pmu_reg pmd;

	if (!pmu_reg(PMU_PMD, counter->pmd, &pmd))
		return UINT32_MAX;
	return ((uint32_t)pmd.addr - P4_FIRST_COUNTER) | P4_FAST_RDPMC;
}

/* The low-level API has selectors where perfmon has PMCs: nearly the same. */
static void translate(struct perfctr_probe_counter *to,
		      const struct pmu_counter *from, bool kernel, bool i_mode)
{
	const uint64_t value = kernel ? from->kernel : from->user;

	to->map = from->pmd;
	if (from->fixed) {
		to->map = FIXED_MAP + from->pmd - FIXED_PMD;
		to->evntsel = (uint32_t)(value >> 4 * (from->pmd - FIXED_PMD));
		to->evntsel |= i_mode ? FIXED_INTERRUPT : 0;
	} else if (from->value2 && !from->selector) {
		to->map = p4_map(from);
		to->escr = (uint32_t)value;
		to->evntsel = (uint32_t)from->value2 | P4_ANY_THREAD;
		to->evntsel |= i_mode ? P4_INTERRUPT : 0;
	} else {
		to->evntsel = (uint32_t)value;
		to->evntsel |= i_mode ? SEL_INTERRUPT : 0;
		if (needs_first(from))
			to->evntsel &= ~SEL_ENABLE;
	}
}

static void add(struct perfctr_probe_control *to,
		const struct probe_control *control,
		const struct pmu_counter *counter, int period)
{
	struct perfctr_probe_counter *c =
		&to->counter[to->nractrs + to->nrictrs];

	translate(c, counter, control->kernel, period);
	c->ireset = -period;
	if (period)
		to->nrictrs++;
	else
		to->nractrs++;
}

int probe_set(int fd, int slot, const struct probe_control *control)
{
	struct perfctr_probe_control to = { .slot = (uint32_t)slot,
					    .tsc_on = control->tsc };
	int i;

	if ((any_needs_first(control->a_mode) ||
	     any_needs_first(control->i_mode)) &&
	    !has_first(control->a_mode) && !has_first(control->i_mode))
		add(&to, control, pmu_first(), 0);
	for (i = 0; i < PROBE_COUNTERS && control->a_mode[i]; i++)
		add(&to, control, control->a_mode[i], 0);
	for (i = 0; i < PROBE_COUNTERS && control->i_mode[i]; i++)
		add(&to, control, control->i_mode[i], control->period[i]);
	if (ioctl(fd, PERFCTR_PROBE_CONTROL, &to))
		return -1;
	return (int)to.nractrs;
}

int probe_resume(int fd, int slot)
{
	return ioctl(fd, PERFCTR_PROBE_RESUME, (void *)(long)slot);
}

int probe_suspend(int fd, int slot)
{
	return ioctl(fd, PERFCTR_PROBE_SUSPEND, (void *)(long)slot);
}

int probe_sample(int fd, int slot)
{
	return ioctl(fd, PERFCTR_PROBE_SAMPLE, (void *)(long)slot);
}

uint64_t probe_sum(int fd, int slot, int element)
{
	struct perfctr_probe_sums sums = { .slot = (uint32_t)slot };

	if (ioctl(fd, PERFCTR_PROBE_SUMS, &sums))
		return UINT64_MAX;
	return sums.pmc[element];
}

int probe_log(int fd, int cpu, struct perfctr_probe_record *records,
	      struct perfctr_probe_log *log)
{
	memset(log, 0, sizeof(*log));
	log->cpu = (uint32_t)cpu;
	log->capacity = PERFCTR_PROBE_LOG_RECORDS;
	log->records = (uintptr_t)records;
	return ioctl(fd, PERFCTR_PROBE_LOG, log);
}

int probe_kernel_loop(int fd, int slot, unsigned int instructions, bool stay)
{
	struct perfctr_probe_loop loop = {
		.slot = (uint32_t)slot,
		.stay = stay,
		.instructions = instructions,
	};

	return ioctl(fd, PERFCTR_PROBE_LOOP, &loop);
}

int probe_measure(int fd, enum perfctr_probe_operation operation, int times,
		  struct perfctr_probe_cost *cost)
{
	memset(cost, 0, sizeof(*cost));
	cost->operation = operation;
	cost->slot = 0;
	cost->other = 1;
	cost->times = (uint32_t)times;
	return ioctl(fd, PERFCTR_PROBE_MEASURE, cost);
}

/*
 * The run. Its first instruction at user level is behind the first system
 * call, its last one is the second system call.
 */
long probe_run_code(long fd, long resume, long slot, unsigned long iterations,
		    long suspend);

extern const char probe_run_dec[], probe_run_jnz[], probe_run_tail0[],
	probe_run_tail1[], probe_run_tail2[];

#ifdef __x86_64__
asm(".pushsection .text\n"
    "probe_run_code:\n"
    "	push	%rbx\n"
    "	mov	%rcx, %rbx\n"
    "	mov	$16, %eax\n" /* ioctl */
    "	syscall\n"
    "probe_run_dec:\n"
    "	dec	%rbx\n"
    "probe_run_jnz:\n"
    "	jnz	probe_run_dec\n"
    "probe_run_tail0:\n"
    "	mov	%r8, %rsi\n"
    "probe_run_tail1:\n"
    "	mov	$16, %eax\n"
    "probe_run_tail2:\n"
    "	syscall\n"
    "	pop	%rbx\n"
    "	ret\n"
    ".popsection\n");
#else
asm(".pushsection .text\n"
    "probe_run_code:\n"
    "	push	%ebx\n"
    "	push	%esi\n"
    "	push	%edi\n"
    "	mov	16(%esp), %ebx\n"
    "	mov	20(%esp), %ecx\n"
    "	mov	24(%esp), %edx\n"
    "	mov	28(%esp), %esi\n"
    "	mov	32(%esp), %edi\n"
    "	mov	$54, %eax\n" /* ioctl */
    "	int	$0x80\n"
    "probe_run_dec:\n"
    "	dec	%esi\n"
    "probe_run_jnz:\n"
    "	jnz	probe_run_dec\n"
    "probe_run_tail0:\n"
    "	mov	%edi, %ecx\n"
    "probe_run_tail1:\n"
    "	mov	$54, %eax\n"
    "probe_run_tail2:\n"
    "	int	$0x80\n"
    "	pop	%edi\n"
    "	pop	%esi\n"
    "	pop	%ebx\n"
    "	ret\n"
    ".popsection\n");
#endif

#define TAIL 3

long probe_run(int fd, int slot, unsigned long iterations)
{
	return probe_run_code(fd, PERFCTR_PROBE_RESUME, slot, iterations,
			      PERFCTR_PROBE_SUSPEND);
}

uint64_t probe_run_length(unsigned long iterations)
{
	return 2ULL * iterations + TAIL;
}

uint64_t probe_run_address(unsigned long iterations, uint64_t executed)
{
	const char *const tail[TAIL] = { probe_run_tail0, probe_run_tail1,
					 probe_run_tail2 };
	const uint64_t loop = 2ULL * iterations;

	if (executed < loop)
		return (uintptr_t)(executed & 1 ? probe_run_jnz :
						  probe_run_dec);
	if (executed < loop + TAIL)
		return (uintptr_t)tail[executed - loop];
	return 0;
}

/* Static programs lie below the end of the user's part on both. */
bool probe_in_kernel(uint64_t address)
{
	return address >= 0xc0000000;
}
