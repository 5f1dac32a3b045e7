/* SPDX-License-Identifier: MIT */
/*
 * The sampling format "default" for programs: the kernel's structures under
 * their libpfm names.
 */
#ifndef PERFMON_PERFMON_DFL_SMPL_H
#define PERFMON_PERFMON_DFL_SMPL_H

#include "perfmon.h"

/* As in perfmon.h: C's 64-bit type, so that pointers to it fit. */
#define __u64 uint64_t
#include "perfmon_dfl_smpl_kernel.h"
#undef __u64

#define PFM_DFL_SMPL_VERSION_MAJ 1U
#define PFM_DFL_SMPL_VERSION_MIN 0U

#ifdef PFMLIB_OLD_PFMV2
/* The format's number: in version 2.2, formats have no names. */
/* clang-format off */
#define PFM_DFL_SMPL_UUID { \
	  0xd1, 0x39, 0xb2, 0x9e, 0x62, 0xe8, 0x40, 0xe4, \
	  0xb4, 0x02, 0x73, 0x07, 0x87, 0x92, 0xe9, 0x37 }
/* clang-format on */
#endif

/* struct pfm_dfl_smpl_arg; one of its members has three names. */
typedef struct {
	uint64_t buf_size; /* bytes, header included */
	uint32_t buf_flags; /* repeated in the header */
	__extension__ union {
		uint32_t buf_mode; /* 0 or PFM_DFL_SMPL_HALVES */
		uint32_t reserved1; /* perfmon 2 */
		uint32_t res1; /* libpfm 3 */
	};
	uint64_t reserved[6];
} pfm_dfl_smpl_arg_t;

typedef struct pfm_dfl_smpl_hdr pfm_dfl_smpl_hdr_t;
typedef struct pfm_dfl_smpl_entry pfm_dfl_smpl_entry_t;

#endif /* PERFMON_PERFMON_DFL_SMPL_H */
