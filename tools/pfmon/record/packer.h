/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compression of what is recorded, by libzstd, which is loaded only when it is asked
 * for: counting shall not pay for it.
 */
#ifndef PFMON_PACKER_H
#define PFMON_PACKER_H

#include "profile/writer.h"

/*
 * Loads the library, and lets the writer compress samples from now on. 0, or -1 after
 * a message.
 */
int packer_begin(struct writer *writer, int level);

#endif /* PFMON_PACKER_H */
