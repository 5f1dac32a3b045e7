/* SPDX-License-Identifier: MIT */
/*
 * The functions of libpfm.so.3.  PAPI's component perf_event is linked with libpfm.so.4,
 * which has functions of the same names, so this library is opened at run time, and
 * called through pointers: perfmon_lib.pfm_initialize().
 */
#ifndef PERFMON_LIBRARY_H
#define PERFMON_LIBRARY_H

#include <perfmon/pfm_state.h>
#include <perfmon/pfmlib.h>
#include <stddef.h>

#define PERFMON_FUNCTIONS(each)                                                           \
	each(pfm_initialize) each(pfm_strerror) each(pfm_get_version) each(               \
		pfm_get_pmu_name) each(pfm_get_pmu_type) each(pfm_get_num_counters)       \
		each(pfm_get_num_events) each(pfm_get_num_event_masks) each(              \
			pfm_get_event_description) each(pfm_get_event_mask_description)   \
			each(pfm_get_event_name) each(pfm_get_full_event_name) each(      \
				pfm_find_event) each(pfm_find_full_event)                 \
				each(pfm_dispatch_events) each(pfm_create_session) each(  \
					pfm_write_pmrs) each(pfm_read_pmrs)               \
					each(pfm_attach_session) each(                    \
						pfm_start_session) each(pfm_stop_session) \
						each(pfm_create_sets) each(               \
							pfm_getinfo_sets)                 \
							each(pfm_map_state) each(         \
								pfm_unmap_state)          \
								each(pfm_state_index)

#define PERFMON_POINTER(name) __typeof__(name) *name;
struct perfmon_library {
	PERFMON_FUNCTIONS(PERFMON_POINTER)
};
#undef PERFMON_POINTER

extern struct perfmon_library perfmon_lib;

/*
 * Opens the library once and initializes it for this processor.  PAPI_OK, or
 * PAPI_ENOSUPP with the reason in @reason.
 */
int perfmon_library_open(char *reason, size_t size);

#endif /* PERFMON_LIBRARY_H */
