/* SPDX-License-Identifier: MIT */
/*
 * The sampling formats "pebs64_p4" and "pebs32_p4": records that the Pentium 4
 * writes itself, in the word size of the kernel.  The layout is v2.81's; the
 * kernel may not have the formats.
 */
#ifndef PERFMON_PERFMON_PEBS_P4_SMPL_H
#define PERFMON_PERFMON_PEBS_P4_SMPL_H

#include "perfmon.h"

#define PFM_PEBS_P4_SMPL_VERSION_MAJ 1U
#define PFM_PEBS_P4_SMPL_VERSION_MIN 0U
#define PFM_PEBS_P4_SMPL_VERSION \
	(PFM_PEBS_P4_SMPL_VERSION_MAJ << 16 | PFM_PEBS_P4_SMPL_VERSION_MIN)

#ifdef __i386__
#define PFM_PEBS_P4_SMPL_NAME "pebs32_p4"
#else
#define PFM_PEBS_P4_SMPL_NAME "pebs64_p4"
#endif

typedef struct {
	uint64_t cnt_reset; /* start value of the counter */
	size_t buf_size; /* bytes, header included */
	size_t intr_thres; /* entries before a notification */
	uint64_t reserved[6];
} pfm_pebs_p4_smpl_arg_t;

/* The area that the processor uses. */
typedef struct {
	unsigned long bts_buf_base;
	unsigned long bts_index;
	unsigned long bts_abs_max;
	unsigned long bts_intr_thres;
	unsigned long pebs_buf_base;
	unsigned long pebs_index;
	unsigned long pebs_abs_max;
	unsigned long pebs_intr_thres;
	uint64_t pebs_cnt_reset;
} pfm_ds_area_p4_t;

typedef struct {
	uint64_t overflows; /* how often the buffer was full */
	size_t buf_size;
	size_t start_offs; /* offset of the first entry */
	uint32_t version;
	uint32_t reserved1;
	uint64_t reserved2[5];
	pfm_ds_area_p4_t ds;
} pfm_pebs_p4_smpl_hdr_t;

typedef struct {
	unsigned long eflags;
	unsigned long ip;
	unsigned long eax;
	unsigned long ebx;
	unsigned long ecx;
	unsigned long edx;
	unsigned long esi;
	unsigned long edi;
	unsigned long ebp;
	unsigned long esp;
#ifndef __i386__
	unsigned long r8;
	unsigned long r9;
	unsigned long r10;
	unsigned long r11;
	unsigned long r12;
	unsigned long r13;
	unsigned long r14;
	unsigned long r15;
#endif
} pfm_pebs_p4_smpl_entry_t;

#endif /* PERFMON_PERFMON_PEBS_P4_SMPL_H */
