/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The file of samples, PFMD 1: what pfmon record writes and the other verbs read.
 *
 * A stream, little-endian, that nobody seeks in: the magic, and then chunks, each
 * at a multiple of 8 bytes. META is the first, END the last; nothing is said of
 * the order of the others, except that what samples need was written before them
 * as far as it was known. A reader skips types that it does not know, and checks
 * each length; a file without END is read up to its last whole chunk.
 *
 * Time is ns of the clock that stamps samples; if META's "clock" is "none", only
 * times of samples are of that clock, and all others are 0 or taken from samples.
 *
 * JSON of META: "version" 1, "argv" [words of pfmon's command line], "command"
 * [words; [] without one], "host", "kernel" (release), "model", "clock" ("sched" or
 * "none"), "start" (RFC 3339), "start_ns" (time), "rank" (number or null), "follow"
 * ("kernel", "ptrace", "none" or "cpus"), "mappings" ("perf" or "maps"), "streams"
 * ("threads" or "cpus"), "buffer" (bytes of a kernel's buffer), "frames" (addresses
 * that the stack of a sample has at most; 0 or nothing: STACKS are not there), "chains"
 * (how they were found: "fp" or nothing, frame pointers; "dwarf", tables: an address that
 * a signal interrupted has 1 added), "blocks" (PFM_PRECISE_SMPL_MEM and so on, that
 * entries of PRECISE may have; 0 or nothing: no entry has any), with MEM "ibs" {"caps":
 * (CPUID 8000001B EAX), "family":, "model":} or "pebs" {"family":, "model":}, by which they
 * are read, and "events", where each is
 *   "id"        its index
 *   "name"      as it was asked for
 *   "native"    as the tables have it, or null
 *   "level"     "user", "kernel" or "all"
 *   "period"    how many there are from sample to sample, in the mean if "varies"
 *               is true, 0: it is counted only
 *   "short"     the same after an overflow that did not fill the buffer
 *   "random"    mask of the bits that differ from period to period by chance, or 0
 *   "varies"    whether "period" is the mean; else these bits are added to it
 *   "rate"      samples a second at most, else the period doubles: "period" is the
 *               first one, samples tell how often theirs had doubled, and readers thin
 *               them out (thin.h); 0 or nothing: it stays
 *   "precise"   "ibs_op", "ibs_fetch" or "pebs", which has sampled it; nothing: the
 *               counter
 *   "access"    what samples of "pebs" say of memory: "latency" (a load, its source and
 *               its latency), "load" (a load) or "store" (a store, and whether it was in
 *               the first cache); nothing: nothing
 *   "after"     how many events more than last_reset_val of a sample says its period has,
 *               which come after the overflow (pebs); nothing: 0
 *   "pmd"       the counter; ovfl_pmd of its samples
 *   "pmcs"      [[number, value]...], what programs it
 *   "smpl_pmds" counters whose values follow a sample of it, ascending
 */
#ifndef PFMON_PFMD_H
#define PFMON_PFMD_H

#include <assert.h>
#include <inttypes.h>
#include <perfmon/perfmon_dfl_smpl.h>
#include <perfmon/perfmon_precise_smpl.h>
#include <perfmon/perfmon_stacks_smpl.h>
#include <stddef.h>
#include <stdint.h>

#define PFMD_MAGIC "PFMD0001"
#define PFMD_MAGIC_SIZE 8
#define PFMD_ALIGN 8
#define PFMD_BUILD_ID_SIZE 20
#define PFMD_COMM_SIZE 16 /* the end of it included */

enum pfmd_type {
	PFMD_META = 1, /* JSON without a final zero */
	PFMD_TASK = 2, /* struct pfmd_task and a name */
	PFMD_MAP =
		3, /* struct pfmd_map, a path, and perhaps a struct pfmd_file */
	PFMD_SAMPLES = 4, /* struct pfmd_samples and entries */
	PFMD_LOSS = 5, /* struct pfmd_loss */
	PFMD_COUNTS = 6, /* JSON as of pfmon stat -j, without a final zero */
	PFMD_SYMBOLS = 7, /* struct pfmd_symbols and what follows it */
	PFMD_END = 8, /* struct pfmd_end */
	PFMD_STACKS = 9, /* struct pfmd_samples and entries with stacks */
	PFMD_PRECISE =
		10, /* struct pfmd_samples and entries with exact addresses */
};

/* pfmd_chunk.flags; a reader skips chunks that have others. */
#define PFMD_ZSTD 0x01 /* the payload is one frame of zstd */

/*
 * More than this is never compressed, so that a reader knows how much memory a small
 * file can ask for.
 */
#define PFMD_UNPACKED_MAX (64UL << 20)

struct pfmd_chunk {
	uint32_t type; /* enum pfmd_type */
	uint32_t flags;
	uint64_t length; /* of the payload; zeros follow up to PFMD_ALIGN */
};

enum pfmd_task_kind {
	PFMD_FORK = 1, /* also of the threads that were there at the start */
	PFMD_EXEC = 2, /* the mappings of the process end here */
	PFMD_COMM = 3, /* the thread has another name */
	PFMD_EXIT = 4,
};

/* Followed by the name of the thread, which ends with a zero; "": not known. */
struct pfmd_task {
	uint64_t time;
	uint32_t tgid;
	uint32_t tid;
	uint32_t ptid; /* FORK: the thread that made it, 0: not known */
	uint32_t kind; /* enum pfmd_task_kind */
};

/* Process of what is mapped into the kernel: itself and its modules. */
#define PFMD_KERNEL UINT32_MAX

/*
 * What the process has from then on, until another mapping covers it, or EXEC. A
 * process begins with those of the one that made it. Mappings that were found only
 * when somebody looked are older than their time: an address that none covers is
 * that of the first later one.
 *
 * Followed, without a gap, by the path, which ends with a zero: as /proc/PID/maps
 * has it, "" of what is anonymous. A path that begins with "[" is no file.
 *
 * At the next multiple of 8 bytes from the start of the payload a struct pfmd_file
 * may follow.
 */
struct pfmd_map {
	uint64_t time;
	uint64_t addr;
	uint64_t len;
	uint64_t pgoff; /* bytes */
	uint32_t tgid;
	uint32_t prot; /* PROT_* of mmap(2) */
	uint8_t build_id[PFMD_BUILD_ID_SIZE]; /* zeros behind; all: not known */
	char path[]; /* sizeof() may be more than where it begins */
};
#define PFMD_MAP_PATH offsetof(struct pfmd_map, path)

/* Which file it was, where it has no build-id. */
struct pfmd_file {
	uint64_t dev; /* major << 32 | minor */
	uint64_t ino;
	uint64_t mtime_ns; /* since the epoch; 0 as the size: the file was not read */
	uint64_t size;
};

/*
 * Followed by struct pfm_dfl_smpl_entry as the kernel wrote them, each with one
 * uint64_t for each of the smpl_pmds of the event whose pmd is ovfl_pmd. What was
 * counted since the sample before it, its period, is -last_reset_val.
 *
 * In STACKS: by struct pfm_stacks_smpl_entry, each with its addresses and then these
 * values.
 *
 * In PRECISE: by struct pfm_precise_smpl_entry, of all events, each with its addresses,
 * its blocks if META has "blocks", and then these values.
 */
struct pfmd_samples {
	uint32_t stream; /* number of the thread or CPU: "streams" */
	uint32_t mask; /* 0: entries are of the events of META */
};

/* What a stream has missed, all since the start; the last one of a stream holds. */
struct pfmd_loss {
	uint32_t stream;
	uint32_t zero;
	uint64_t blind_ns; /* the thread ran, and nothing was counted */
	uint64_t throttled_ns; /* for interrupting too much */
	uint64_t lost; /* overflows without their sample */
};

/* The path of symbols of code that a process has made; the number is its own. */
#define PFMD_PROGRAM_MAP "perf-%" PRIu32 ".map"

/* pfmd_symbols.flags; a chunk that tells why there are no symbols has none. */
enum pfmd_symbols_flags {
	PFMD_SYMBOLS_FILE =
		0x01, /* a struct pfmd_file is the last of the chunk */
	PFMD_SYMBOLS_GONE =
		0x02, /* removed or replaced before it could be read */
	PFMD_SYMBOLS_DENIED = 0x04, /* the user may not read the file */
	PFMD_SYMBOLS_LIMIT = 0x08, /* it took too much time or memory */
};

/*
 * Symbols of a file that samples are in. Followed by count times struct
 * pfmd_symbol, ascending, and by the names, each of which ends with a zero.
 *
 * Of code that a process has made, the path is PFMD_PROGRAM_MAP, and offsets are
 * addresses.
 */
struct pfmd_symbols {
	uint8_t build_id[PFMD_BUILD_ID_SIZE]; /* zeros: it has none */
	uint32_t count;
	uint32_t path; /* offset among the names: as in pfmd_map */
	uint32_t flags; /* enum pfmd_symbols_flags */
};

struct pfmd_symbol {
	uint64_t offset; /* in the file: address - addr + pgoff */
	uint32_t size;
	uint32_t name; /* offset among the names */
};

struct pfmd_end {
	uint64_t samples; /* in all chunks before */
	uint32_t crc32c; /* of all bytes before the header of this chunk */
	uint32_t zero;
};

static_assert(sizeof(struct pfmd_chunk) == 16, "header of chunks");
static_assert(sizeof(struct pfmd_task) == 24, "TASK");
static_assert(PFMD_MAP_PATH == 60, "MAP");
static_assert(sizeof(struct pfmd_file) == 32, "the file of MAP");
static_assert(sizeof(struct pfmd_samples) == 8, "SAMPLES");
static_assert(sizeof(struct pfm_dfl_smpl_entry) == 40, "entry of SAMPLES");
static_assert(sizeof(struct pfm_stacks_smpl_entry) == 48, "entry of STACKS");
static_assert(sizeof(struct pfm_precise_smpl_entry) == 64, "entry of PRECISE");
static_assert(sizeof(struct pfmd_loss) == 32, "LOSS");
static_assert(sizeof(struct pfmd_symbols) == 32, "SYMBOLS");
static_assert(sizeof(struct pfmd_symbol) == 16, "row of SYMBOLS");
static_assert(sizeof(struct pfmd_end) == 16, "END");
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "as the file");

#endif /* PFMON_PFMD_H */
