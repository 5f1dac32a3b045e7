// SPDX-License-Identifier: GPL-2.0-only
/* Which formats of samples the running kernel has, see kernel_formats.h. */
#include "record/kernel_formats.h"

#include <perfmon/perfmon_precise_smpl.h>
#include <perfmon/perfmon_stacks_smpl.h>
#include <stdio.h>
#include <unistd.h>

#include "diag.h"
#include "registers/regmap.h"

#define FORMATS REGMAP_SYSFS "/formats/"

bool kernel_formats_copy(void)
{
	FILE *file = fopen(FORMATS PFM_STACKS_SMPL_NAME "/version", "re");
	unsigned int minor = 0;

	if (!file)
		return false;
	if (fscanf(file, "1.%u", &minor) != 1)
		minor = 0;
	fclose(file);
	return minor > 0;
}

bool kernel_formats_precise(void)
{
	return !access(FORMATS PFM_PRECISE_SMPL_NAME, F_OK);
}

static int check_precise(const struct sample_wish *wish)
{
	if (!kernel_formats_precise())
		return diag(
			"-e: this kernel has no sampling format \"precise\"; leave the p out");
	if (wish->stack_bytes && !wish->copies_if_possible)
		return diag(
			"--call-graph=dwarf: not with precise samples; use --call-graph=fp");
	return 0;
}

/* Only a kernel of this version or later copies stacks. */
int kernel_formats_check(const struct sample_wish *wish, bool precise)
{
	if (precise)
		return check_precise(wish);
	if (wish->stack_bytes && !wish->copies_if_possible &&
	    !kernel_formats_copy())
		return diag(
			"--call-graph=dwarf: this kernel copies no stacks; use --call-graph=fp");
	if (!wish->frames || !access(FORMATS PFM_STACKS_SMPL_NAME, F_OK))
		return 0;
	return diag(
		"-g: this kernel has no sampling format \"stacks\"; omit it");
}
