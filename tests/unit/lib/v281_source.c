// SPDX-License-Identifier: GPL-2.0-only
/*
 * How programs that were written for v2.81 use its structures, constants and
 * functions: by the names of libpfm 3. Only compiled, as C and as C++, by check-abi.
 */
#include <perfmon/perfmon.h>
#include <perfmon/perfmon_dfl_smpl.h>
#include <perfmon/perfmon_pebs_smpl.h>
#include <inttypes.h>
#include <stdio.h>

/* A bit vector of their own, and one that perfmon.h has the size of. */
#define MANY_REGS 100

int use_v281(void);
int use_pebs(const pfm_pebs_smpl_hdr_t *hdr);

static void print_set(const pfarg_setinfo_t *info)
{
	const uint64_t *word = info->set_avail_pmds;

	printf("%u %" PRIu64 " %" PRIx64 "\n", info->set_id, info->set_runs,
	       word[0]);
}

static void print_sample(const pfm_dfl_smpl_entry_t *entry)
{
	const uint64_t *values = (const uint64_t *)(entry + 1);

	printf("%" PRIx64 " %" PRIu64 "\n", entry->ip, values[0]);
}

static void print_message(const pfarg_msg_t *msg)
{
	const uint64_t *pmds = msg->pfm_ovfl_msg.msg_ovfl_pmds;

	if (msg->type == PFM_MSG_OVFL)
		printf("%" PRIx64 "\n", pmds[0]);
}

static void print_sizes(void)
{
	uint64_t own[PFM_BVSIZE(MANY_REGS)] = { 0 };
	size_t sizes[] = { PFM_BPL, PFM_PMC_BV, PFM_PMD_BV };
	pid_t pid = 0; /* of <sys/types.h>, which perfmon.h includes */

	own[0] = (uint64_t)pid;
	printf("%zu %zu %zu\n", sizeof(PFM_BPL), sizeof(PFM_PMC_BV),
	       sizeof(PFM_PMD_BV));
	printf("%zu %zu %zu %" PRIu64 "\n", sizes[0], sizes[1], sizes[2],
	       own[0]);
#ifdef __x86_64__
	printf("%lu %lu %lu\n", PFM_BPL, PFM_PMC_BV, PFM_PMD_BV);
#endif
}

/* Refuses a buffer of another version, as readers of samples do. */
static int is_version(uint32_t version, unsigned int major)
{
	return PFM_VERSION_MAJOR(version) == major;
}

int use_pebs(const pfm_pebs_smpl_hdr_t *hdr)
{
	const pfm_pebs_nhm_smpl_entry_t *entry =
		(const pfm_pebs_nhm_smpl_entry_t *)(hdr + 1);
	unsigned int minors = PFM_PEBS_SMPL_VERSION_MIN +
			      PFM_PEBS_CORE_SMPL_VERSION_MIN +
			      PFM_PEBS_P4_SMPL_VERSION_MIN;

	printf("%" PRIx64 " %" PRIu64 " %u\n", entry->ia32_perf_global_status,
	       entry->latency, minors);
	return is_version(hdr->version, PFM_PEBS_SMPL_VERSION_MAJ) &&
	       is_version(PFM_PEBS_SMPL_VERSION, PFM_PEBS_SMPL_VERSION_MAJ) &&
	       is_version(PFM_PEBS_CORE_SMPL_VERSION,
			  PFM_PEBS_CORE_SMPL_VERSION_MAJ) &&
	       is_version(PFM_PEBS_P4_SMPL_VERSION,
			  PFM_PEBS_P4_SMPL_VERSION_MAJ);
}

int use_v281(void)
{
	static pfarg_ctx_t ctx;
	static pfarg_pmc_t pmcs[1];
	static pfarg_pmd_t pmds[1];
	static pfarg_load_t load;
	static pfarg_start_t start;
	static pfarg_setdesc_t desc;
	static pfarg_setinfo_t info;
	static pfm_dfl_smpl_arg_t arg;
	static pfm_dfl_smpl_hdr_t hdr;
	static pfarg_msg_t msg;
	static char name[] = PFM_DFL_SMPL_NAME;
	uint64_t *mask = pmds[0].reg_smpl_pmds;
	int fd;

	arg.buf_size = 4096;
	arg.res1 = 0;
	fd = pfm_create_context(&ctx, name, &arg, sizeof(arg));
	if (!is_version(hdr.hdr_version, PFM_DFL_SMPL_VERSION_MAJ) ||
	    PFM_VERSION_MINOR(PFM_DFL_SMPL_VERSION) != PFM_DFL_SMPL_VERSION_MIN)
		return -1;
	print_sizes();

	mask[0] = 1;
	pfm_write_pmcs(fd, pmcs, 1);
	pfm_write_pmds(fd, pmds, 1);
	pfm_create_evtsets(fd, &desc, 1);
	pfm_load_context(fd, &load);
	pfm_start(fd, &start);
	pfm_restart(fd);
	pfm_stop(fd);
	pfm_read_pmds(fd, pmds, 1);
	printf("%" PRIu64 " %" PRIu64 "\n", pmds[0].reg_value, hdr.hdr_count);
	pfm_getinfo_evtsets(fd, &info, 1);
	pfm_delete_evtsets(fd, &desc, 1);
	print_set(&info);
	print_message(&msg);
	print_sample((pfm_dfl_smpl_entry_t *)(&hdr + 1));
	return pfm_unload_context(fd);
}
