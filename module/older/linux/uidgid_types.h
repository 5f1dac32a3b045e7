/* SPDX-License-Identifier: GPL-2.0-only */
/* Replaces a header that older kernels lack. */
#include <linux/uidgid.h>
