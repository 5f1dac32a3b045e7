// SPDX-License-Identifier: GPL-2.0-only
/*
 * How programs that were written for v2.81 use its structures and functions.
 * Only compiled, as C and as C++, by check-abi.
 */
#include <inttypes.h>
#include <perfmon/perfmon.h>
#include <perfmon/perfmon_dfl_smpl.h>
#include <stdio.h>

int use_v281(void);

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
	int fd = pfm_create_context(&ctx, name, &arg, sizeof(arg));

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
