/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Per-CPU variables: arrays that are indexed by the CPU on which the test
 * executes kernel code at the moment.
 */
#ifndef PERFCTR_TEST_LINUX_PERCPU_H
#define PERFCTR_TEST_LINUX_PERCPU_H

#include <linux/kernel.h>

#define NR_CPUS 3

unsigned int smp_processor_id(void);

#define DECLARE_PER_CPU(type, name) extern __typeof__(type) name[NR_CPUS]
#define DEFINE_PER_CPU(type, name) __typeof__(type) name[NR_CPUS]

#define per_cpu(name, cpu) ((name)[cpu])
#define per_cpu_ptr(pointer, cpu) (&(*(pointer))[cpu])
#define this_cpu_ptr(pointer) (&(*(pointer))[smp_processor_id()])
#define __this_cpu_read(name) ((name)[smp_processor_id()])
#define __this_cpu_write(name, value) ((name)[smp_processor_id()] = (value))
#define __this_cpu_inc(name) ((name)[smp_processor_id()]++)

#endif
