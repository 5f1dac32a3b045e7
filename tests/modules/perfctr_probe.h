/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * /dev/perfctr-probe: the low-level counter API in the hands of a test.
 *
 * The module perfctr_probe.ko is a second high-level driver beside perfmon. Who
 * opens the device owns the PMU (EBUSY if somebody else does) until the last
 * close; one process at a time. It has a few states ("slots"), which it puts on
 * and takes off the CPU that it runs on, in global mode: everything that
 * executes on the CPU counts. Shared by the module and the selftests; the
 * layouts are the same for 32-bit and 64-bit programs.
 *
 * On each overflow interrupt the module suspends the state of the CPU, asks
 * which counters it was, writes a record to the CPU's log, reloads and resumes.
 */
#ifndef PERFCTR_PROBE_H
#define PERFCTR_PROBE_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define PERFCTR_PROBE_SERVICE "perfctr-probe"
#define PERFCTR_PROBE_DEVICE "/dev/perfctr-probe"

#define PERFCTR_PROBE_SLOTS 4
#define PERFCTR_PROBE_COUNTERS 18
#define PERFCTR_PROBE_RECORD_SUMS 4
#define PERFCTR_PROBE_LOG_RECORDS 2048

/* What the low-level core has found, and whether MEASURE works. */
struct perfctr_probe_info {
	char cpu_name[32];
	__u32 cpu_type;
	__u32 cpu_features; /* PERFCTR_PROBE_*, and others */
	__u32 can_measure; /* this is the test machine */
	__u32 reserved;
};

#define PERFCTR_PROBE_PCINT 0x04 /* interrupt-mode counters work */

/* One element of struct perfctr_cpu_control. */
struct perfctr_probe_counter {
	__u32 map;
	__u32 evntsel;
	__u32 evntsel_high;
	__u32 escr;
	__s32 ireset;
};

/* Everything of struct perfctr_cpu_control; accumulation-mode ones first. */
struct perfctr_probe_control {
	__u32 slot;
	__u32 tsc_on;
	__u32 nractrs;
	__u32 nrictrs;
	__u32 pebs_enable;
	__u32 pebs_matrix_vert;
	struct perfctr_probe_counter counter[PERFCTR_PROBE_COUNTERS];
};

struct perfctr_probe_sums {
	__u32 slot;
	__u32 reserved;
	__u64 tsc;
	__u64 pmc[PERFCTR_PROBE_COUNTERS];
};

/* An overflow: where, which elements (one bit each), sums of the first. */
struct perfctr_probe_record {
	__u64 ip;
	__u32 slot;
	__u32 overflowed;
	__u64 sum[PERFCTR_PROBE_RECORD_SUMS];
};

/* The log of a CPU since the last call. */
struct perfctr_probe_log {
	__u32 cpu;
	__u32 capacity; /* of the array at @records */
	__u64 records; /* pointer to struct perfctr_probe_record */
	__u32 recorded; /* records copied */
	__u32 lost; /* overflows that the log had no room for */
	__u32 spurious; /* interrupts of no counter of the state on the CPU */
	__u32 late; /* interrupts without a state on the CPU */
};

/*
 * With interrupts off: put a slot on the CPU, execute a loop of @instructions
 * (even) in the kernel, take it off; with @stay, put it on again.
 */
struct perfctr_probe_loop {
	__u32 slot;
	__u32 stay;
	__u32 instructions;
	__u32 reserved;
};

/* Operations that can be measured, all on the CPU of the caller. */
enum perfctr_probe_operation {
	PERFCTR_PROBE_OP_SUSPEND, /* suspend @slot */
	PERFCTR_PROBE_OP_RESUME, /* resume @slot, which was there last */
	PERFCTR_PROBE_OP_RETURN, /* resume @slot; @other was there last */
	PERFCTR_PROBE_OP_SAMPLE, /* sample @slot */
	PERFCTR_PROBE_OP_SWITCH, /* suspend @slot, resume @other */
	PERFCTR_PROBE_OPERATIONS,
};

/*
 * Executes an operation @times in the steady state with interrupts off. The
 * results are sums. Instructions are those beyond a call of an empty function.
 */
struct perfctr_probe_cost {
	__u32 operation;
	__u32 slot;
	__u32 other;
	__u32 times;
	__u64 instructions;
	__u64 wrmsr;
	__u64 rdmsr;
	__u64 rdpmc;
};

#define PERFCTR_PROBE_MAX_TIMES 1000

/*
 * EBUSY: the slot, or for RESUME the CPU, is in use. ESRCH: the slot is not on
 * this CPU. EINVAL: no such slot, or what perfctr_cpu_update_control() says.
 */
#define PERFCTR_PROBE_INFO _IOR('p', 0xe0, struct perfctr_probe_info)
/* Give a slot new control and zero sums; it must not be on a CPU. */
#define PERFCTR_PROBE_CONTROL _IOW('p', 0xe1, struct perfctr_probe_control)
/* Put a slot on this CPU, take it off, bring its sums up to date. */
#define PERFCTR_PROBE_RESUME _IO('p', 0xe2)
#define PERFCTR_PROBE_SUSPEND _IO('p', 0xe3)
#define PERFCTR_PROBE_SAMPLE _IO('p', 0xe4)
#define PERFCTR_PROBE_SUMS _IOWR('p', 0xe5, struct perfctr_probe_sums)
#define PERFCTR_PROBE_LOG _IOWR('p', 0xe6, struct perfctr_probe_log)
#define PERFCTR_PROBE_LOOP _IOW('p', 0xe7, struct perfctr_probe_loop)
#define PERFCTR_PROBE_MEASURE _IOWR('p', 0xe8, struct perfctr_probe_cost)

#endif
