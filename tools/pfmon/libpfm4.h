/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libpfm4's header, for the private copy of libpfm4 that is linked into pfmon.
 *
 * libpfm.so.3, which pfmon is linked to as well, and libpfm4 use the same
 * names for different functions. So each global symbol of the private copy has
 * the prefix pfm4_ (see mk/tools.mk). Files that include this one cannot
 * include the headers of libpfm.so.3.
 */
#ifndef PFMON_LIBPFM4_H
#define PFMON_LIBPFM4_H

#define pfm_get_event_attr_info pfm4_pfm_get_event_attr_info
#define pfm_get_event_info pfm4_pfm_get_event_info
#define pfm_get_event_next pfm4_pfm_get_event_next
#define pfm_get_os_event_encoding pfm4_pfm_get_os_event_encoding
#define pfm_get_pmu_info pfm4_pfm_get_pmu_info
#define pfm_initialize pfm4_pfm_initialize
#define pfm_strerror pfm4_pfm_strerror

#include <perfmon/pfmlib.h>

/* The table in use; PFM_PMU_NONE if there is none. Set by tables_init(). */
extern pfm_pmu_t tables_current;

#endif /* PFMON_LIBPFM4_H */
