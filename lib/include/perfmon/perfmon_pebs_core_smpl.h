/* SPDX-License-Identifier: MIT */
/*
 * The sampling format "pebs_core": records that Core processors write
 * themselves.  The layout is v2.81's; the kernel may not have the format.  The
 * header contains size_t, so its layout depends on the word size.
 */
#ifndef PERFMON_PERFMON_PEBS_CORE_SMPL_H
#define PERFMON_PERFMON_PEBS_CORE_SMPL_H

#include "perfmon.h"

#define PFM_PEBS_CORE_SMPL_VERSION_MAJ 1U
#define PFM_PEBS_CORE_SMPL_VERSION_MIN 0U
#define PFM_PEBS_CORE_SMPL_VERSION \
	(PFM_PEBS_CORE_SMPL_VERSION_MAJ << 16 | PFM_PEBS_CORE_SMPL_VERSION_MIN)

#define PFM_PEBS_CORE_SMPL_NAME "pebs_core"

typedef struct {
	uint64_t cnt_reset; /* start value of the counter */
	uint64_t buf_size; /* bytes, header included */
	uint64_t intr_thres; /* entries before a notification */
	uint64_t reserved[6];
} pfm_pebs_core_smpl_arg_t;

/* The area that the processor uses. */
typedef struct {
	uint64_t bts_buf_base;
	uint64_t bts_index;
	uint64_t bts_abs_max;
	uint64_t bts_intr_thres;
	uint64_t pebs_buf_base;
	uint64_t pebs_index;
	uint64_t pebs_abs_max;
	uint64_t pebs_intr_thres;
	uint64_t pebs_cnt_reset;
} pfm_ds_area_core_t;

typedef struct {
	uint64_t overflows; /* how often the buffer was full */
	size_t buf_size;
	size_t start_offs; /* offset of the first entry */
	uint32_t version;
	uint32_t reserved1;
	uint64_t reserved2[5];
	pfm_ds_area_core_t ds;
} pfm_pebs_core_smpl_hdr_t;

typedef struct {
	uint64_t eflags;
	uint64_t ip;
	uint64_t eax;
	uint64_t ebx;
	uint64_t ecx;
	uint64_t edx;
	uint64_t esi;
	uint64_t edi;
	uint64_t ebp;
	uint64_t esp;
	uint64_t r8;
	uint64_t r9;
	uint64_t r10;
	uint64_t r11;
	uint64_t r12;
	uint64_t r13;
	uint64_t r14;
	uint64_t r15;
} pfm_pebs_core_smpl_entry_t;

#endif /* PERFMON_PERFMON_PEBS_CORE_SMPL_H */
