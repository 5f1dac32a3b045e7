/* SPDX-License-Identifier: GPL-2.0-only */
/* Stands in for a header that older kernels lack. */
#include <linux/uidgid.h>
