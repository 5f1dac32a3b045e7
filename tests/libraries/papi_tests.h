/* SPDX-License-Identifier: GPL-2.0-only */
/* The parts of papi_counts that are in files of their own. */
#ifndef PAPI_TESTS_H
#define PAPI_TESTS_H

/* papi_names.c */
void test_names(void);
void test_removal(void);
void test_full(void);
void test_multiplexing(void);

/* papi_processes.c */
void test_other_processes(void);
void test_forks(void);
void test_overflow(void);

#endif /* PAPI_TESTS_H */
