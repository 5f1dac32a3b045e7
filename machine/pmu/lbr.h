/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the files of branch records share: lbr.c (which branches are recorded) and
 * lbr_registers.c (the registers).
 */
#ifndef PERFMON_TEST_PMU_LBR_H
#define PERFMON_TEST_PMU_LBR_H

#include "design.h"

/* Bits of DEBUGCTL. */
#define DEBUGCTL_LBR (1ull << 0)
#define DEBUGCTL_BTF (1ull << 1)
#define DEBUGCTL_FREEZE_LBRS (1ull << 11)

/* Bits of LBR_SELECT: branches that are left out, and the stack of calls. */
#define LBR_SELECT_KERNEL (1ull << 0)
#define LBR_SELECT_USER (1ull << 1)
#define LBR_SELECT_COND (1ull << 2)
#define LBR_SELECT_CALL (1ull << 3)
#define LBR_SELECT_CALL_INDIRECT (1ull << 4)
#define LBR_SELECT_RETURN (1ull << 5)
#define LBR_SELECT_JUMP_INDIRECT (1ull << 6)
#define LBR_SELECT_JUMP (1ull << 7)
#define LBR_SELECT_FAR (1ull << 8)
#define LBR_SELECT_KINDS 0x1ffull /* with the levels */
#define LBR_SELECT_CALL_STACK (1ull << 9)

/* AMD's DBG_EXTN_CFG switches recording on, and TO has a bit of a record that is valid. */
#define EXTENSION_LBR (1ull << 6)
#define LBR_TO_VALID (1ull << 63)
#define LBR_TO_FLAGS (7ull << 61)

/* Flags in the upper bits of FROM or INFO: mispredicted, in a transaction, abort. */
#define LBR_FLAG_MISPREDICTED (1ull << 63)
#define LBR_FLAGS_TSX (3ull << 61)
#define LBR_INFO_CYCLES 0xffffull
#define LBR_INFO_CYCLES_VALID (1ull << 60)
#define LBR_INFO_TYPE_SHIFT 56
#define LBR_INFO_TYPE (0xfull << LBR_INFO_TYPE_SHIFT)

/* The architectural control: branches that are wanted. */
#define LBR_CTL_ENABLE (1ull << 0)
#define LBR_CTL_BITS 0x7f000full

#define STATUS_LBR_FRZ (1ull << 58)

#endif
