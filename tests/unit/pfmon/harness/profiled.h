/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program whose samples are known, and files of them, in a directory of its own.
 * A failure ends the test program.
 */
#ifndef PROFILED_H
#define PROFILED_H

#include <stddef.h>
#include <stdint.h>

#include "profile/pfmd.h"
#include "symbols/images.h"

/* Where its functions are. */
#define PROFILED_FA 0x401000ULL
#define PROFILED_FB 0x401040ULL
#define PROFILED_FC 0x401080ULL
#define PROFILED_SIZE 0x30ULL /* of each; 16 bytes follow that are of none */
#define PROFILED_FAR 0x4010d5ULL /* behind a call to where nothing is */
#define PROFILED_RETURN \
	0x20ULL /* where a call returns to in each; its end, too */

/* Its variable "board", of 128 bytes; 64 bytes follow that are of none. */
#define PROFILED_BOARD 0x405000ULL

/* Its name, from profiled_set_up() to profiled_tear_down(): of a group of tests. */
extern char *profiled_directory;

/* Makes the directory with the program "prof", and removes it. */
int profiled_set_up(void **state);
int profiled_tear_down(void **state);

/* Runs a command of the shell in the directory; it has to succeed. */
void profiled_shell(const char *directory, const char *command);

/* All of a file there, with a zero behind it; to be freed. size may be NULL. */
char *profiled_read(const char *directory, const char *name, size_t *size);

/* The build-id of the program. */
void profiled_build_id(const char *directory,
		       uint8_t build_id[PFMD_BUILD_ID_SIZE]);

/*
 * Writes "pfmon.data" of a process 71, "prof": 601 samples of fa, 301 of fb, 101 of
 * fc, each of 997 instructions.
 */
void profiled_write(const char *directory);

/* The same, of any addresses, up to 0, with the mapping of this path. */
void profiled_write_ips(const char *directory, const char *path,
			const uint8_t *build_id, const uint64_t *ips);

/*
 * The same, of precise entries (struct pfm_precise_smpl_entry): each takes so many bytes of
 * the table, and says how many of them it has. The file has this META.
 */
void profiled_write_precise(const char *directory, const char *meta,
			    const void *entries, size_t count, size_t each);

/* The name that the first of the samples of "pfmon.data" has. */
const char *profiled_name(const struct image_options *options);

/*
 * Runs a verb with "-o DIRECTORY/out" and these words, up to NULL. Returns what it
 * wrote, to be freed; size may be NULL.
 */
char *profiled_run(const char *directory, int (*verb)(int argc, char **argv),
		   const char *const *words, size_t *size);

#endif /* PROFILED_H */
