/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * CPUs that come and go, calls on each of them, and what keeps others out.
 */
#ifndef PERFCTR_TEST_LINUX_CPU_H
#define PERFCTR_TEST_LINUX_CPU_H

#include <linux/percpu.h>

void cpus_read_lock(void);
void cpus_read_unlock(void);

typedef void (*smp_call_func_t)(void *info);
void on_each_cpu(smp_call_func_t function, void *info, int wait);

int smp_call_function_single(int cpu, smp_call_func_t function, void *info,
			     int wait);

bool cpu_online(unsigned int cpu);

#define for_each_online_cpu(cpu)                  \
	for ((cpu) = 0; (cpu) < NR_CPUS; (cpu)++) \
		if (cpu_online(cpu))

/* CPUs that leave stay possible. */
#define for_each_possible_cpu(cpu) for ((cpu) = 0; (cpu) < NR_CPUS; (cpu)++)

unsigned long machine_irq_save(void);
void machine_irq_restore(unsigned long flags);

#define local_irq_save(flags) ((flags) = machine_irq_save())
#define local_irq_restore(flags) machine_irq_restore(flags)

struct mutex {
	bool locked;
};

#define DEFINE_MUTEX(name) struct mutex name

void mutex_lock(struct mutex *mutex);
void mutex_unlock(struct mutex *mutex);

/* The dynamic states start anywhere above zero. */
#define CPUHP_AP_ONLINE_DYN 100

typedef int (*cpuhp_callback_t)(unsigned int cpu);
int cpuhp_setup_state_nocalls(int state, const char *name,
			      cpuhp_callback_t online,
			      cpuhp_callback_t offline);
void cpuhp_remove_state_nocalls(int state);

/* Sets of CPUs. */
typedef struct cpumask {
	unsigned long bits;
} cpumask_t;

static inline bool cpumask_test_cpu(unsigned int cpu, const cpumask_t *mask)
{
	return mask->bits >> cpu & 1;
}

static inline void cpumask_set_cpu(unsigned int cpu, cpumask_t *mask)
{
	mask->bits |= 1ul << cpu;
}

/* System suspend: the boot CPU is alone, with interrupts off. */
struct syscore_ops {
	int (*suspend)(void *data);
	void (*resume)(void *data);
};

struct syscore {
	const struct syscore_ops *ops;
	void *data;
};

void register_syscore(struct syscore *syscore);
void unregister_syscore(struct syscore *syscore);

/* The end: an event and what to do then. */
struct notifier_block {
	int (*notifier_call)(struct notifier_block *nb, unsigned long event,
			     void *data);
	int priority;
};

#define NOTIFY_DONE 0
#define SYS_RESTART 1

int register_reboot_notifier(struct notifier_block *nb);
int unregister_reboot_notifier(struct notifier_block *nb);

#define WATCHDOG_HARDLOCKUP_ENABLED 1

extern unsigned long watchdog_enabled;

#endif
