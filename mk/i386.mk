# SPDX-License-Identifier: GPL-2.0-only
#
# 32-bit programs of the host: some tests of the library, and the program that makes the
# library's tables of P6 events (mk/libpfm4.mk). A rule runs such a program by
# scripts/run-i386 and has i386-runs as an order-only prerequisite, which says how they
# run and installs qemu-user where the kernel runs 64-bit programs only. No rule of the
# build runs one; guests run theirs themselves.

.PHONY: i386-runs
i386-runs: | $(B)/deps/lib.stamp
	$(Q)scripts/run-i386 --how 2>/dev/null || \
		{ B=$(B) scripts/deps i386; scripts/run-i386 --how; }
