// SPDX-License-Identifier: GPL-2.0-only
/*
 * The records of PEBS in the guest's memory. Copied to target/i386/tcg/system/ when the
 * test machine is built.
 *
 * The processor writes them as the kernel level would at this moment: through the page
 * tables that are loaded, at the present level's addresses, without an exception. A page
 * that is not there, or that this level may not access, gets nothing.
 */

#include "qemu/osdep.h"
#include "qemu/bswap.h"
#include "qemu/rcu.h"
#include "cpu.h"
#include "exec/exec-all.h"
#include "exec/target_page.h"
#include "pmu/pmu.h"

/* The longest access; it is in two pages at most. */
#define ACCESS_WORDS PMU_RECORD_WORDS
#define ACCESS_PAGES 2

struct piece {
	void *host;
	unsigned int bytes;
};

/* The memory of this access by page; false if one of them refuses. */
static bool find_pieces(CPUX86State *env, vaddr address, unsigned int bytes,
			MMUAccessType type, struct piece *piece)
{
	const int index = cpu_mmu_index_kernel(env);
	unsigned int i, left;

	for (i = 0; i < ACCESS_PAGES; i++) {
		left = -(address | TARGET_PAGE_MASK);
		piece[i].bytes = MIN(left, bytes);
		if (!bytes)
			continue;
		probe_access_flags(env, address, piece[i].bytes, type, index,
				   true, &piece[i].host, 0);
		if (!piece[i].host)
			return false;
		address += piece[i].bytes;
		bytes -= piece[i].bytes;
	}
	return true;
}

static bool load_words(void *owner, uint64_t address, uint64_t *words,
		       unsigned int number)
{
	struct piece piece[ACCESS_PAGES];
	uint8_t bytes[8 * ACCESS_WORDS];
	unsigned int i;

	if (!find_pieces(owner, address, 8 * number, MMU_DATA_LOAD, piece))
		return false;
	memcpy(bytes, piece[0].host, piece[0].bytes);
	if (piece[1].bytes)
		memcpy(bytes + piece[0].bytes, piece[1].host, piece[1].bytes);
	for (i = 0; i < number; i++)
		words[i] = ldq_le_p(bytes + 8 * i);
	return true;
}

static bool store_words(void *owner, uint64_t address, const uint64_t *words,
			unsigned int number)
{
	struct piece piece[ACCESS_PAGES];
	uint8_t bytes[8 * ACCESS_WORDS];
	unsigned int i;

	if (!find_pieces(owner, address, 8 * number, MMU_DATA_STORE, piece))
		return false;
	for (i = 0; i < number; i++)
		stq_le_p(bytes + 8 * i, words[i]);
	memcpy(piece[0].host, bytes, piece[0].bytes);
	if (piece[1].bytes)
		memcpy(piece[1].host, bytes + piece[0].bytes, piece[1].bytes);
	return true;
}

/* What the CPU's registers are between two instructions. */
static void read_registers(CPUX86State *env, struct pmu_registers *registers)
{
	static const unsigned int order[] = { R_EAX, R_EBX, R_ECX, R_EDX,
					      R_ESI, R_EDI, R_EBP, R_ESP };
	unsigned int i;

	registers->flags = cpu_compute_eflags(env);
	registers->ip = env->segs[R_CS].base + env->eip;
	for (i = 0; i < PMU_GPRS; i++)
		registers->gpr[i] =
			env->regs[i < ARRAY_SIZE(order) ? order[i] : i];
	for (i = 0; i < PMU_XMM_WORDS; i++)
		registers->xmm[i] = env->xmm_regs[i / 2].ZMM_Q(i % 2);
	registers->tsc = cpu_get_tsc(env) + env->tsc_offset;
}

void x86_pmu_write_record(X86CPU *cpu)
{
	const struct pmu_memory memory = {
		.owner = &cpu->env,
		.load = load_words,
		.store = store_words,
	};
	struct pmu_registers registers;

	if (!pmu_has_record(cpu->pmu))
		return;
	RCU_READ_LOCK_GUARD();
	read_registers(&cpu->env, &registers);
	pmu_write_record(cpu->pmu, &registers, &memory);
}
