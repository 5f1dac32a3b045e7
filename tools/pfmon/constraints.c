// SPDX-License-Identifier: GPL-2.0-only
/* Which counters an event needs, see constraints.h. Vendor documents say so. */
#include "constraints.h"

#include <stddef.h>
#include <string.h>

#include "selector.h"

#define ANY_UMASK 0x100u
#define ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* Rows apply to all tables NAME and NAME_*, such as snb and snb_ep. */
struct constraint {
	const char *family;
	uint8_t event;
	uint16_t umask; /* or ANY_UMASK */
	uint8_t counters;
};

/* clang-format off */
static const struct constraint constraints[] = {
	{ "p6", 0x10, ANY_UMASK, 0x01 },		/* FP_COMP_OPS_EXE */
	{ "p6", 0x11, ANY_UMASK, 0x02 },		/* FP_ASSIST */
	{ "p6", 0x12, ANY_UMASK, 0x02 },		/* MUL */
	{ "p6", 0x13, ANY_UMASK, 0x02 },		/* DIV */
	{ "p6", 0x14, ANY_UMASK, 0x01 },		/* CYCLES_DIV_BUSY */
	{ "p6", 0xc1, ANY_UMASK, 0x01 },		/* FLOPS */

	{ "core", 0x10, ANY_UMASK, 0x01 },	/* FP_COMP_OPS_EXE */
	{ "core", 0x11, ANY_UMASK, 0x02 },	/* FP_ASSIST */
	{ "core", 0x12, ANY_UMASK, 0x02 },	/* MUL */
	{ "core", 0x13, ANY_UMASK, 0x02 },	/* DIV */
	{ "core", 0x14, ANY_UMASK, 0x01 },	/* CYCLES_DIV_BUSY */
	{ "core", 0x18, ANY_UMASK, 0x01 },	/* IDLE_DURING_DIV */
	{ "core", 0x19, ANY_UMASK, 0x02 },	/* DELAYED_BYPASS */
	{ "core", 0xa1, ANY_UMASK, 0x01 },	/* RS_UOPS_DISPATCHED_CYCLES */
	{ "core", 0xcb, ANY_UMASK, 0x01 },	/* MEM_LOAD_RETIRED */

	{ "nhm", 0x40, ANY_UMASK, 0x03 },	/* L1D_CACHE_LD */
	{ "nhm", 0x41, ANY_UMASK, 0x03 },	/* L1D_CACHE_ST */
	{ "nhm", 0x42, ANY_UMASK, 0x03 },	/* L1D_CACHE_LOCK */
	{ "nhm", 0x43, ANY_UMASK, 0x03 },	/* L1D_ALL_REF */
	{ "nhm", 0x4c, ANY_UMASK, 0x03 },	/* LOAD_HIT_PRE */
	{ "nhm", 0x4e, ANY_UMASK, 0x03 },	/* L1D_PREFETCH */
	{ "nhm", 0x51, ANY_UMASK, 0x03 },	/* L1D */
	{ "nhm", 0x52, ANY_UMASK, 0x03 },	/* L1D_..._LOCK_FB_HIT */
	{ "nhm", 0x53, ANY_UMASK, 0x03 },	/* L1D_CACHE_LOCK_FB_HIT */
	{ "nhm", 0x63, ANY_UMASK, 0x03 },	/* CACHE_LOCK_CYCLES */

	{ "wsm", 0x4c, ANY_UMASK, 0x03 },	/* LOAD_HIT_PRE */
	{ "wsm", 0x4e, ANY_UMASK, 0x03 },	/* L1D_PREFETCH */
	{ "wsm", 0x51, ANY_UMASK, 0x03 },	/* L1D */
	{ "wsm", 0x52, ANY_UMASK, 0x03 },	/* L1D_..._LOCK_FB_HIT */
	{ "wsm", 0x60, ANY_UMASK, 0x01 },	/* OFFCORE_REQUESTS_... */
	{ "wsm", 0x63, ANY_UMASK, 0x03 },	/* CACHE_LOCK_CYCLES */
	{ "wsm", 0xb3, ANY_UMASK, 0x01 },	/* SNOOPQ_REQUESTS_... */

	{ "snb", 0x48, ANY_UMASK, 0x04 },	/* L1D_PEND_MISS */
	{ "snb", 0xa3, 0x02, 0x04 },		/* CYCLES_L1D_PENDING */
	{ "snb", 0xa3, 0x06, 0x04 },		/* STALLS_L1D_PENDING */
	{ "snb", 0xc0, 0x01, 0x02 },		/* INST_RETIRED:PREC_DIST */
	{ "snb", 0xcd, ANY_UMASK, 0x08 },	/* MEM_TRANS_RETIRED */

	{ "ivb", 0x48, ANY_UMASK, 0x04 },
	{ "ivb", 0xa3, 0x08, 0x04 },
	{ "ivb", 0xa3, 0x0c, 0x04 },
	{ "ivb", 0xc0, 0x01, 0x02 },
	{ "ivb", 0xcd, ANY_UMASK, 0x08 },

	{ "hsw", 0x48, 0x01, 0x04 },
	{ "hsw", 0xa3, 0x08, 0x04 },
	{ "hsw", 0xa3, 0x0c, 0x04 },
	{ "hsw", 0xc0, 0x01, 0x02 },
	{ "hsw", 0xcd, ANY_UMASK, 0x08 },

	{ "bdw", 0x48, 0x01, 0x04 },
	{ "bdw", 0xa3, 0x06, 0x04 },		/* STALLS_LDM_PENDING */
	{ "bdw", 0xa3, 0x08, 0x04 },
	{ "bdw", 0xa3, 0x0c, 0x04 },
	{ "bdw", 0xc0, 0x01, 0x02 },
	{ "bdw", 0xc0, 0x02, 0x02 },		/* INST_RETIRED:X87 */
	{ "bdw", 0xcd, ANY_UMASK, 0x08 },

	{ "skl", 0x48, 0x01, 0x04 },
	{ "skl", 0xa3, 0x0c, 0x04 },
	{ "skl", 0xc0, 0x01, 0x02 },
	{ "skl", 0xcd, ANY_UMASK, 0x08 },

	{ "spr", 0xcd, ANY_UMASK, 0xfe },
	{ "spr", 0xce, ANY_UMASK, 0x01 },	/* AMX_OPS_RETIRED */
};
/* clang-format on */

/* Tables whose processors have the constraints of another one. */
static const struct {
	const char *pmu;
	const char *family;
} aliases[] = {
	{ "clx", "skl" }, { "pii", "p6" },  { "pm", "p6" },
	{ "ppro", "p6" }, { "skx", "skl" },
};

static const char *family_of(const char *pmu)
{
	for (size_t i = 0; i < ARRAY_SIZE(aliases); i++) {
		if (!strcmp(pmu, aliases[i].pmu))
			return aliases[i].family;
	}
	return pmu;
}

static int is_family(const char *pmu, const char *family)
{
	size_t len = strlen(family);

	return !strncmp(pmu, family, len) &&
	       (pmu[len] == '\0' || pmu[len] == '_');
}

uint32_t constraints_counters(const char *pmu, uint64_t selector)
{
	if (!pmu)
		return UINT32_MAX;
	pmu = family_of(pmu);
	for (size_t i = 0; i < ARRAY_SIZE(constraints); i++) {
		const struct constraint *c = &constraints[i];

		if (is_family(pmu, c->family) &&
		    c->event == SEL_EVENT(selector) &&
		    (c->umask == ANY_UMASK || c->umask == SEL_UMASK(selector)))
			return c->counters;
	}
	return UINT32_MAX;
}
