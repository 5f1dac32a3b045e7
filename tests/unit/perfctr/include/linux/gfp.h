/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Pages. No test needs one.
 */
#ifndef PERFCTR_TEST_LINUX_GFP_H
#define PERFCTR_TEST_LINUX_GFP_H

#include <stdlib.h>

#include <linux/types.h>

#define GFP_KERNEL 0
#define __GFP_ZERO 0

struct page;

#define PAGE_SIZE 4096ul

static inline int get_order(unsigned long size)
{
	int order = 0;

	while (PAGE_SIZE << order < size)
		order++;
	return order;
}

static inline struct page *alloc_pages_node(int node, int flags, int order)
{
	(void)node;
	(void)flags;
	return calloc(1, PAGE_SIZE << order);
}

static inline void free_pages(unsigned long address, int order)
{
	(void)order;
	free((void *)address);
}

#define page_address(page) ((void *)(page))

#endif
