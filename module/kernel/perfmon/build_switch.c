// SPDX-License-Identifier: GPL-2.0-only
/*
 * The context switch in one translation unit: the compiler makes one function of the
 * table's part, the hooks' and the sets' (table_switch()), where a return is several
 * instructions on kernels that defend themselves against speculation.
 */
#include "host_table.c"
#include "ctxsw.c"
#include "run.c"
#include "../../arch/x86/perfmon/perfctr_ll.c"
