/* SPDX-License-Identifier: GPL-2.0-only */
/* Loading and unloading the modules of the tests (tests/modules/). */
#ifndef PFM_TEST_MODULE_H
#define PFM_TEST_MODULE_H

/* Both return 0 or an errno. @parameters: "name=value ...". */
int module_load(const char *name, const char *parameters);
int module_unload(const char *name);

#endif
