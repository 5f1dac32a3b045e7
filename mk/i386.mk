# SPDX-License-Identifier: GPL-2.0-only
#
# 32-bit programs of the host: tests of the library are such programs, and what makes
# its tables of P6 events (mk/libpfm4.mk). A rule that runs one does it by
# scripts/run-i386 and has i386-runs as an order-only prerequisite, which says how they
# are run and installs qemu-user where the kernel runs 64-bit programs only. Guests run
# theirs themselves. No rule of the build itself runs one.

.PHONY: i386-runs
i386-runs: | $(B)/deps/lib.stamp
	$(Q)scripts/run-i386 --how 2>/dev/null || \
		{ B=$(B) scripts/deps i386; scripts/run-i386 --how; }
