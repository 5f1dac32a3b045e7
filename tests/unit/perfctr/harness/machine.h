/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The machine in which the tests execute the low-level core: CPUs with a PMU
 * model each (machine.c, apic.c), and the kernel around the core (services.c). The
 * kernel's view of both is in include/; this is the test's.
 *
 * A test says which CPU executes kernel code, lets instructions retire, and
 * makes CPUs come and go. All that happens by itself are overflow interrupts,
 * after the instruction that causes them or when interrupts are on again.
 */
#ifndef PERFCTR_MACHINE_H
#define PERFCTR_MACHINE_H

#include <linux/percpu.h>

#include "pmu.h"
#include "processors.h"

/* Registers of the processor that are none of the PMU's. */
enum machine_side {
	SIDE_EFER,
	SIDE_DEBUGCTL,
	SIDE_PEBS_ENABLE,
	SIDE_FORCE_ABORT,
	MACHINE_SIDES
};

struct machine_cpu {
	struct pmu pmu;
	u64 side[MACHINE_SIDES];
	u64 tsc_offset; /* the TSC is this, and 2 for each instruction */
	u32 lvtpc;
	bool online;
	unsigned int eois;
	unsigned int lvtpc_writes;
	u64 counter_at_write; /* the first counter when it was last written */
	unsigned int self_ipis; /* sent so far */
	bool requested; /* the interrupt, by whomever; not taken yet */
	unsigned int interrupts; /* taken by itself */
	unsigned int nmis; /* of all causes */
	unsigned int unclaimed; /* of them: that the handler does not know */
	bool icr_idle; /* nothing has been sent that was not waited for */
	u64 events[PMU_MAX_COUNTERS]; /* that each counter has counted, ever */
	unsigned int perf_zeroed; /* calls of perf_clear_dirty_counters() */
	bool pce; /* programs may read counters */
};

/* How MSRs of the PMU behave; the others do as the model says. */
enum pmu_kind {
	PMU_WORKS,
	PMU_FAULTS, /* every access raises #GP */
	PMU_SWALLOWS, /* writes are ignored, reads give zero */
};

/* A register in the kernel's allocator; a null holder marks the end. */
struct claim {
	u32 msr;
	bool selector;
	const char *holder;
};

#define MACHINE_CLAIMS 64

struct machine {
	const struct processor *processor;
	struct machine_cpu cpu[NR_CPUS];
	unsigned int current_cpu; /* executes kernel code */
	bool irqs_off;
	enum pmu_kind pmu_kind;
	bool has_sides; /* all of them; else EFER alone */
	u32 refused_msr; /* writes to it raise #GP; 0: none */
	bool tsc_off; /* there is none, or the kernel does not use it */
	int maxlvt; /* of the local APICs */
	u32 more_features; /* of the CPUs, besides those of the processor */
	unsigned int mask_on_delivery; /* so many interrupts mask the entry */
	unsigned int access_insns; /* kernel instructions around each access */

	/* CPUID leaf 10 in place of the model's if the first one is set */
	bool own_cpuid10;
	u32 cpuid10[4];
	bool own_cpuid35;
	u32 cpuid35[2][4]; /* its subleaves */
	bool has_misc_enable;
	u64 misc_enable;

	bool perf_uses_pmu;
	bool hotplug_runs; /* somebody else has the lock of the CPUs */
	u64 ticks; /* jiffies */
	bool perf_knows_cpu; /* perf_event has a driver for it */
	struct claim claims[MACHINE_CLAIMS];
	unsigned int cpus_locked; /* cpus_read_lock() less _unlock() */
	int hotplug_error; /* of cpuhp_setup_state_nocalls(), 0: none */
	int (*online)(unsigned int cpu);
	int (*offline)(unsigned int cpu);
	struct syscore *syscore;
	u32 suspended_lvtpc; /* as firmware got it in the last suspend */
	struct notifier_block *reboot;
	struct pt_regs *irq_regs;
	int (*nmi_handler)(unsigned int type, struct pt_regs *regs);
	bool in_nmi;
	bool nmi_is_late; /* NMIs of overflows come by machine_nmi() only */
	unsigned int late_nmis; /* that have to be */
	u64 skip_ids; /* added once by the next atomic64_inc_return() */
	char log[4096];
	unsigned int warnings;
};

extern struct machine machine;

/* All CPUs of one kind, online, as firmware leaves them. */
void machine_power_on(const struct processor *p);

/* Kernel code executes on this CPU from now on. */
void machine_on(unsigned int cpu);

static inline struct machine_cpu *machine_this_cpu(void)
{
	return &machine.cpu[machine.current_cpu];
}

/* Retire instructions on the current CPU, at user or kernel level. */
void machine_run(u64 insns, bool user);

/* Take what waits in the current CPU's APIC, if interrupts are on. */
void machine_take_interrupts(void);
/* Set machine.irqs_off to have them off. */
void machine_irqs_on(void);

/* Hotplug: a CPU that comes up has been reset and then used by firmware. */
void machine_cpu_down(unsigned int cpu);
void machine_cpu_up(unsigned int cpu);

/* System suspend: CPU 0, which must be alone, loses its registers. */
void machine_suspend(void);

/* The kernel is going to end, but still runs. */
void machine_reboot(void);

/* perf_event wants the PMU, perhaps in a callback of hotplug. */
void machine_perf_wants_pmu(void);

/* An NMI that no overflow has caused, on the current CPU. */
void machine_nmi(void);

/* An interrupt that no overflow explains; Intel's APICs mask the entry. */
void machine_interrupt(unsigned int cpu, unsigned long ip);

/* The counter or selector belongs to another driver from now on. */
void machine_claim(u32 msr, bool selector, const char *holder);
unsigned int machine_claims_of(const char *holder);

/* All events that a counter of the model has counted, on all CPUs. */
u64 machine_events(unsigned int counter);

/* A statistic of the PMU models (PMU_STAT_*), all CPUs together. */
u64 machine_stat(unsigned int stat);

#endif
