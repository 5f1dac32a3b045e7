// SPDX-License-Identifier: GPL-2.0-only
/*
 * The context switch in one translation unit: the compiler makes one function of the
 * table's part, the hook's and the set's (table_switch()), because each return takes
 * several instructions on kernels with mitigations against speculation.
 */
#include "host_table.c"
#include "ctxsw.c"
#include "run.c"
#include "../../arch/x86/perfmon/perfctr_ll.c"
