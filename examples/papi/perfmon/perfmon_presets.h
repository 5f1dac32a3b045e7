/* SPDX-License-Identifier: MIT */
#ifndef PERFMON_PRESETS_H
#define PERFMON_PRESETS_H

/*
 * Loads PAPI's preset events of this processor for component @cidx.  Presets are the
 * first component's, so this is for a PAPI in which perfmon comes first.
 */
void perfmon_load_presets(int cidx);

#endif /* PERFMON_PRESETS_H */
