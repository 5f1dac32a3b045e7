/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The two ways to count and sample the calling thread that are compared. Both
 * count user instructions on the first counters of the processor.
 */
#ifndef BENCH_INTERFACE_H
#define BENCH_INTERFACE_H

#include <stdbool.h>

#define BENCH_COUNTERS 4

/* A counter that is to overflow once in a while, or never. */
#define NEVER 4000000000UL

/* What samples have beside the address. */
enum sample_kind {
	SAMPLE_ADDRESS,
	SAMPLE_CHAIN,
	SAMPLE_COPY, /* of registers and SAMPLE_COPY_BYTES of the stack */
	SAMPLE_RATE, /* the address, after periods that the kernel chooses */
	SAMPLE_NMI, /* the address, by an NMI; perfmon only */
};

#define SAMPLE_COPY_BYTES 8192

struct interface {
	const char *name;
	/* System calls of create() and destroy() for @n counters. */
	int (*create_calls)(int n);
	int (*destroy_calls)(int n);
	/* All return -1 on failure. Descriptor of @n counters, not counting. */
	int (*create)(int n);
	int (*start)(int fd);
	int (*stop)(int fd);
	int (*read)(int fd, int n);
	int (*destroy)(int fd, int n);
	/*
	 * Pages that let the caller read the counters by itself, and that read.
	 * usable() returns 1 if they never are on this kernel.
	 */
	int (*map)(int fd, int n);
	int (*usable)(int n);
	int (*unmap)(int n);
	void (*user_read)(int n);
	/* Whether readers may find counts of others; NULL: there is no choice. */
	int (*share)(bool on);
	/* The first of @n counters takes samples with the values of all. */
	int (*create_sampling)(int n, unsigned long period,
			       enum sample_kind kind);
	int (*destroy_sampling)(int fd, int n);
	/* Twice @n events on the counters, in turns of @ms milliseconds. */
	int (*create_turns)(int n, int ms);
	int (*destroy_turns)(int fd, int n);
	/* Whether the PMU and the hooks stay for a while after the last one. */
	int (*linger)(bool on);
	/* Keeps the PMU, so that taking it is not measured. */
	int (*hold)(void);
};

extern const struct interface perfmon_interface, perf_interface;

#endif
