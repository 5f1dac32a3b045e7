/* SPDX-License-Identifier: MIT */
/*
 * The sampling format "pebs", common to all processors that write records
 * themselves; the header's entry_size tells which entries they are.  The kernel
 * may not have the format.
 */
#ifndef PERFMON_PERFMON_PEBS_SMPL_H
#define PERFMON_PERFMON_PEBS_SMPL_H

#include "perfmon_pebs_core_smpl.h"
#include "perfmon_pebs_p4_smpl.h"

#define PFM_PEBS_SMPL_NAME "pebs"

#define PFM_PEBS_SMPL_VERSION_MAJ 1U
#define PFM_PEBS_SMPL_VERSION_MIN 0U
#define PFM_PEBS_SMPL_VERSION \
	(PFM_PEBS_SMPL_VERSION_MAJ << 16 | PFM_PEBS_SMPL_VERSION_MIN)

/* The number of counters that can write records. */
#define PFM_PEBS_NUM_CNT_RESET 8

typedef struct {
	uint64_t buf_size; /* bytes, header included */
	uint64_t cnt_reset[PFM_PEBS_NUM_CNT_RESET];
	uint64_t reserved2[23];
} pfm_pebs_smpl_arg_t;

typedef struct {
	uint64_t overflows; /* how often the buffer was full */
	uint64_t count; /* entries in the buffer */
	uint64_t buf_size;
	uint64_t pebs_size; /* bytes of the entries */
	uint32_t version;
	uint32_t entry_size;
	uint64_t reserved2[11];
} pfm_pebs_smpl_hdr_t;

/* An entry of Nehalem and Westmere. */
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
	__extension__ union {
		uint64_t ia32_perf_global_status; /* libpfm 3 */
		uint64_t global_status;
	};
	uint64_t daddr;
	uint64_t dsrc_enc;
	uint64_t latency;
} pfm_pebs_nhm_smpl_entry_t;

#endif /* PERFMON_PERFMON_PEBS_SMPL_H */
