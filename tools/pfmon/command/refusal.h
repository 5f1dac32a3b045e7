/* SPDX-License-Identifier: GPL-2.0-only */
/* What pfmon says when the kernel refuses to count the command. */

#ifndef PFMON_REFUSAL_H
#define PFMON_REFUSAL_H

/**
 * refusal_of_command() - say why the command cannot be counted
 *
 * @error is the errno of pfm_attach_session(), wherever it was called: here, or
 * in the child that attached itself. Returns what diag() returns, -1.
 */
int refusal_of_command(int error);

#endif
