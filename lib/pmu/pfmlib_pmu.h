/* SPDX-License-Identifier: MIT */
/*
 * The structures that the parts of libpfm share: a processor, a model, its PMU with
 * the event table, and the dispatcher, which assigns events to registers.
 *
 * models/pfmlib_init.c selects a model (the host's or a forced one), lets events/ build
 * its table and assign/ describe its registers, and publishes the result as the current
 * PMU.  From then on a struct pfmlib_pmu is read only, so every function that takes one
 * is thread safe.  The exception are the unit masks of an event, which are loaded when
 * they are first needed (pfmlib_load_masks()).
 */
#ifndef PFMLIB_PMU_H
#define PFMLIB_PMU_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Events and registers do not need the kernel interface. */
#define __PFMLIB_OS_COMPILE
#include <perfmon/pfmlib.h>

#include "array_size.h"

enum pfmlib_vendor {
	PFMLIB_VENDOR_OTHER,
	PFMLIB_VENDOR_INTEL,
	PFMLIB_VENDOR_AMD,
	PFMLIB_VENDOR_CYRIX,
	PFMLIB_VENDOR_CENTAUR,
};

/* Early processors of version 2 have this many fixed counters and report none. */
#define PFMLIB_DEFAULT_FIXED 3

/*
 * A processor: the host, or a forced sub-model.  Family and model are the displayed ones
 * of CPUID leaf 1, including extended parts.
 */
struct pfmlib_cpu {
	enum pfmlib_vendor vendor;
	unsigned int family;
	unsigned int model;
	unsigned int stepping;
	/* CPUID leaf 0xa; version 0 if there is none. */
	unsigned int arch_version;
	unsigned int num_generic;
	unsigned int num_fixed;
	unsigned int arch_unavail; /* bit n: architectural event n is absent */
	/* false: a forced sub-model, CPUID was not read */
	bool is_host;
	bool has_core_ext; /* AMD core counter extension (6 counters) */
	bool is_hybrid; /* other CPUs have another kind of core */
	bool has_tsc;
};

struct pfmlib_file_row;

struct pfmlib_mask {
	const char *name;
	const char *desc;
	unsigned int code; /* reported by pfm_get_event_mask_code() */
	unsigned int flags; /* PFMLIB_MASK_* */
	/* Its index in libpfm4, if the event has one; -1: not from libpfm4. */
	int libpfm4;
	/* The row of event and mask in an event file; NULL: from elsewhere. */
	const struct pfmlib_file_row *row;
};

/* An event with this mask can be sampled precisely (libpfm4's models). */
#define PFMLIB_MASK_PRECISE 0x1
/* In an event string, no number means this mask. */
#define PFMLIB_MASK_BY_NAME 0x2

/* The event has unit masks, but may be used without one. */
#define PFMLIB_EV_MASK_OPTIONAL 0x1
/* The event is counted outside the cores (Nehalem, Westmere: UNC_*). */
#define PFMLIB_EV_UNCORE 0x2
/* It can be sampled precisely, according to libpfm4. */
#define PFMLIB_EV_PRECISE 0x4
/* libpfm4 must be asked whether the unit mask is optional, and for the default. */
#define PFMLIB_EV_ASK_LIBPFM4 0x8
/* The event has unit masks; without this flag it may have some, too. */
#define PFMLIB_EV_MASKS 0x10

struct pfmlib_event_desc {
	const char *name;
	const char *desc;
	unsigned int code; /* reported by pfm_get_event_code() */
	unsigned int flags; /* PFMLIB_EV_* */
	/*
	 * True: no masks are loaded yet; call pfmlib_load_masks() before the two fields
	 * below are read.
	 */
	atomic_bool lacks_masks;
	unsigned int mask_patches; /* PFMLIB_PATCH_* to apply then */
	unsigned int num_masks;
	const struct pfmlib_mask *masks;
	/* With MASK_OPTIONAL: the unit mask (8 bits) to use if none is given. */
	unsigned int default_code;
	/*
	 * In our own tables (P5, Cyrix, WinChip, C3): bit n if PMD n can count it. 0: the
	 * model's rules apply.
	 */
	unsigned int counters;
	/* Its index in libpfm4, for pfmlib_encode(); -1: not from libpfm4. */
	int libpfm4;
	/* The row without a mask in an event file; NULL: from elsewhere. */
	const struct pfmlib_file_row *row;
};

struct pfmlib_pmu;

/* Assigns the events of a model; defined by assign/dispatch_*.c. */
struct pfmlib_dispatch {
	/*
	 * Called once when the model becomes the current one, after its events
	 * were filled in: describes the registers (impl_*, width) and looks up
	 * the constraints of the events (data).  Returns a PFMLIB error.
	 */
	int (*setup)(struct pfmlib_pmu *pmu);
	/*
	 * Called after the common checks.  in may be NULL only if takes_model_in_alone is
	 * set; out is never NULL and has been cleared.
	 */
	int (*dispatch)(const struct pfmlib_pmu *pmu,
			const pfmlib_input_param_t *in, const void *model_in,
			pfmlib_output_param_t *out, void *model_out);
	/* Adds to a cleared mask the PMDs that can count the event. */
	void (*event_counters)(const struct pfmlib_pmu *pmu, unsigned int event,
			       pfmlib_regmask_t *counters);
	/*
	 * Returns whether the event can be sampled precisely (PEBS) with all of its
	 * masks.  Only the models of model_functions.c have this function.
	 */
	bool (*is_precise)(const struct pfmlib_pmu *pmu,
			   const pfmlib_event_t *event);
	/* The AMD models: the model's input alone can ask for IBS. */
	bool takes_model_in_alone;
};

/* One type (PFMLIB_*_PMU) that the library supports. */
struct pfmlib_model {
	int type;
	const char *name;
	const struct pfmlib_dispatch *dispatch;
	bool (*detect)(const struct pfmlib_cpu *cpu);
	/*
	 * Completes a forced sub-model: cpu has the family, model and stepping of
	 * LIBPFM_FORCE_PMU, or zeros, which become the default of the type.
	 */
	void (*force)(struct pfmlib_cpu *cpu);
	/* Fills in name, events and num_events, and the two events below. */
	int (*load_events)(struct pfmlib_pmu *pmu);
};

/* The current model.  All fields are constant once it is published. */
struct pfmlib_pmu {
	const struct pfmlib_model *model;
	struct pfmlib_cpu cpu;
	char name[64];

	const struct pfmlib_event_desc *events;
	unsigned int num_events;
	/* "EVENT" or "EVENT:MASK:MASK"; NULL if there is none. */
	const char *cycle_event;
	const char *inst_event;

	pfmlib_regmask_t impl_pmcs;
	pfmlib_regmask_t impl_pmds;
	pfmlib_regmask_t impl_counters;
	unsigned int num_counters;
	unsigned int width; /* bits of a hardware counter */

	void *data; /* the dispatcher's constraints, by event */
};

/* The current PMU; NULL before initialisation (PFMLIB_ERR_NOINIT). */
const struct pfmlib_pmu *pfmlib_current(void);

/* Publishes a PMU, which must not change any more. */
void pfmlib_make_current(const struct pfmlib_pmu *pmu);

/* Copies as much as fits into size characters (at least 1), including the NUL. */
void pfmlib_copy_name(char *name, size_t size, const char *from);

/* Reads the host's CPUID; without CPUID: vendor OTHER and no TSC. */
void pfmlib_read_cpu(struct pfmlib_cpu *cpu);

/* Prints text (with its newline) if LIBPFM_VERBOSE or LIBPFM_DEBUG asks for it. */
__attribute__((format(printf, 1, 2))) void pfmlib_verbose(const char *fmt, ...);
__attribute__((format(printf, 1, 2))) void pfmlib_debug(const char *fmt, ...);

/* Reads LIBPFM_VERBOSE, LIBPFM_DEBUG and LIBPFM_DEBUG_STDOUT; at initialisation. */
void pfmlib_read_options(void);

static inline bool pfmlib_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

#endif /* PFMLIB_PMU_H */
