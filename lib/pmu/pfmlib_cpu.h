/* SPDX-License-Identifier: MIT */
/* The processor that the program runs on (pfmlib_cpu.c), for initialisation. */
#ifndef PFMLIB_CPU_H
#define PFMLIB_CPU_H

#include "pfmlib_model.h"

/* All that CPUID tells; vendor OTHER and no TSC on a processor without it. */
void pfmlib_read_cpu(struct pfmlib_cpu *cpu);

#endif /* PFMLIB_CPU_H */
