/* SPDX-License-Identifier: GPL-2.0-only */
/* Makes libpfm work for a processor of the test's choice. */
#ifndef FORCE_PMU_H
#define FORCE_PMU_H

/* As a user would: LIBPFM_FORCE_PMU, and pfm_initialize(), which must succeed. */
void force_pmu(const char *pmu);

#endif /* FORCE_PMU_H */
