// SPDX-License-Identifier: MIT
/*
 * The load function of AMD's processors since the K7, called by pfmlib_init.c: it chooses
 * libpfm4's table, or the event file, and the name of the revision by family, model and
 * stepping.
 */
#include <stdio.h>
#include <string.h>

#include "eventfiles/eventfiles.h"
#include "tables.h"

struct revision {
	const char *name;
	const char *pmu; /* libpfm4's name; NULL: it uses an event file */
	unsigned int patches;
};

enum k8_revision { K8_B, K8_C, K8_D, K8_E, K8_F, K8_G };

static const struct revision k8_revisions[] = {
	[K8_B] = { "AMD64 (K8 RevB)", "amd64_k8_revb", 0 },
	[K8_C] = { "AMD64 (K8 RevC)", "amd64_k8_revc", 0 },
	[K8_D] = { "AMD64 (K8 RevD)", "amd64_k8_revd", 0 },
	[K8_E] = { "AMD64 (K8 RevE)", "amd64_k8_reve", 0 },
	[K8_F] = { "AMD64 (K8 RevF)", "amd64_k8_revf", 0 },
	[K8_G] = { "AMD64 (K8 RevG)", "amd64_k8_revg", 0 },
};

static enum k8_revision k8_revision(const struct pfmlib_cpu *cpu)
{
	switch (cpu->model >> 4) {
	case 0:
		if ((cpu->model == 5 && cpu->stepping < 2) ||
		    (cpu->model == 4 && cpu->stepping == 0))
			return K8_B;
		return K8_C;
	case 1:
		return K8_D;
	case 2:
	case 3:
		return K8_E;
	case 4:
	case 5:
	case 0xc:
		return K8_F;
	case 6:
	case 7:
	case 8:
		return K8_G;
	default:
		return K8_B;
	}
}

static const struct revision *fam10h_revision(unsigned int model)
{
	static const struct revision rev_b = {
		"AMD64 (Family 10h RevB, Barcelona)",
		"amd64_fam10h_barcelona",
		PFMLIB_PATCH_FAM10H_BC,
	};
	static const struct revision rev_c = {
		"AMD64 (Family 10h RevC, Shanghai)",
		"amd64_fam10h_shanghai",
		PFMLIB_PATCH_FAM10H_BC,
	};
	static const struct revision rev_d = {
		"AMD64 (Family 10h RevD, Istanbul)",
		"amd64_fam10h_istanbul",
		PFMLIB_PATCH_FAM10H_DE,
	};
	static const struct revision rev_e = {
		"AMD64 (Family 10h RevE)",
		"amd64_fam10h_istanbul",
		PFMLIB_PATCH_FAM10H_DE,
	};

	switch (model) {
	case 4:
	case 5:
	case 6:
		return &rev_c;
	case 8:
	case 9:
		return &rev_d;
	case 10:
		return &rev_e;
	default:
		return &rev_b;
	}
}

static const struct revision *fam17h_revision(unsigned int model)
{
	static const struct revision zen1 = { "AMD64 (Family 17h, Zen1)",
					      "amd64_fam17h_zen1", 0 };
	static const struct revision zen2 = { "AMD64 (Family 17h, Zen2)",
					      "amd64_fam17h_zen2", 0 };

	return model < 0x30 ? &zen1 : &zen2;
}

/* NULL if libpfm4 has no table. */
static const struct revision *fam19h_revision(unsigned int model)
{
	static const struct revision zen3 = { "AMD64 (Family 19h, Zen3)",
					      "amd64_fam19h_zen3", 0 };
	static const struct revision zen4 = { "AMD64 (Family 19h, Zen4)",
					      "amd64_fam19h_zen4", 0 };

	switch (model >> 4) {
	case 0x0:
	case 0x2:
	case 0x3:
	case 0x4:
	case 0x5:
		return &zen3;
	case 0x1:
	case 0x6:
	case 0x7:
	case 0xa:
		return &zen4;
	default:
		return NULL;
	}
}

/* NULL if there is no table. */
static const struct revision *revision_of(const struct pfmlib_cpu *cpu)
{
	static const struct revision k7 = { "AMD64 (K7)", "amd64_k7", 0 };
	static const struct revision fam11h = { "AMD64 (Family 11h)",
						"amd64_fam11h_turion", 0 };
	static const struct revision fam12h = { "AMD64 (Family 12h)",
						"amd64_fam12h_llano", 0 };
	static const struct revision fam14h = { "AMD64 (Family 14h)",
						"amd64_fam14h_bobcat", 0 };
	static const struct revision fam15h = { "AMD64 (Family 15h RevB)",
						"amd64_fam15h_interlagos", 0 };
	static const struct revision fam16h = { "AMD64 (Family 16h)",
						"amd64_fam16h", 0 };
	static const struct revision fam1ah = { "AMD64 (Family 1Ah, Zen5)",
						NULL, 0 };

	switch (cpu->family) {
	case 6:
		return &k7;
	case 0xf:
		return &k8_revisions[k8_revision(cpu)];
	case 0x10:
		return fam10h_revision(cpu->model);
	case 0x11:
		return &fam11h;
	case 0x12:
		return &fam12h;
	case 0x14:
		return &fam14h;
	case 0x15:
		return &fam15h;
	case 0x16:
		return &fam16h;
	case 0x17:
		return fam17h_revision(cpu->model);
	case 0x19:
		return fam19h_revision(cpu->model);
	case 0x1a:
		return &fam1ah;
	default:
		return NULL;
	}
}

bool pfmlib_is_amd(const struct pfmlib_cpu *cpu)
{
	return cpu->vendor == PFMLIB_VENDOR_AMD &&
	       (revision_of(cpu) || cpu->has_core_ext);
}

/*
 * The events with the same code on every processor with the core counter extension, under
 * the names in libpfm4's newest table.  Event files have other names for them.
 */
static const struct pfmlib_event_desc architectural[] = {
	{ .name = "CYCLES_NOT_IN_HALT",
	  .desc = "Cycles in which the thread is not halted",
	  .code = 0x76 },
	{ .name = "RETIRED_INSTRUCTIONS",
	  .desc = "Instructions retired",
	  .code = 0xc0 },
	{ .name = "RETIRED_BRANCH_INSTRUCTIONS",
	  .desc = "Branch instructions retired",
	  .code = 0xc2 },
	{ .name = "RETIRED_BRANCH_INSTRUCTIONS_MISPREDICTED",
	  .desc = "Branch instructions retired that were mispredicted",
	  .code = 0xc3 },
};

/* True since family 11h, which libpfm 3.10 did not know. */
static bool accepts_defaults(unsigned int family)
{
	return family > 0x10 && family != 0x15;
}

int pfmlib_load_amd(struct pfmlib_pmu *pmu)
{
	const struct revision *revision = revision_of(&pmu->cpu);
	struct pfmlib_table table = { 0 };

	pmu->inst_event = "RETIRED_INSTRUCTIONS";
	pmu->cycle_event = pmu->cpu.family >= 0x17 ? "CYCLES_NOT_IN_HALT" :
						     "CPU_CLK_UNHALTED";
	if (revision && !revision->pmu) {
		snprintf(pmu->name, sizeof(pmu->name), "%s", revision->name);
		pfmlib_table_add_file(&table, &pfmlib_file_amdzen5);
		pfmlib_table_add(&table, architectural,
				 ARRAY_SIZE(architectural));
	} else if (revision) {
		snprintf(pmu->name, sizeof(pmu->name), "%s", revision->name);
		pfmlib_table_add_libpfm4(&table, revision->pmu,
					 PFMLIB_CODES_AS_THEY_ARE);
		pfmlib_table_patch(&table, revision->patches);
		if (accepts_defaults(pmu->cpu.family))
			pfmlib_table_use_defaults(&table, false);
	} else if (pmu->cpu.has_core_ext) {
		snprintf(pmu->name, sizeof(pmu->name),
			 "AMD64 (Family %xh, architectural events only)",
			 pmu->cpu.family);
		pfmlib_table_add(&table, architectural,
				 ARRAY_SIZE(architectural));
	} else {
		return PFMLIB_ERR_NOTSUPP;
	}
	return pfmlib_table_finish(&table, pmu);
}
