# SPDX-License-Identifier: GPL-2.0-only
#
# The sysroot for i386: packages of Debian's i386 archive, unpacked into a directory
# of ours. libpfm4 (mk/libpfm4.mk), and busybox and json-c of the 32-bit guests
# (mk/guest.mk), come from there.

SYSROOT_I386 := $(B)/sysroot-i386

$(SYSROOT_I386)/complete: scripts/foreign-packages scripts/apt-state
	$(call say,fetching the 32-bit packages)
	$(Q)scripts/foreign-packages '$(RELEASE)' i386 $(@D) busybox-static libjson-c-dev \
		libpfm4-dev
	$(Q)[ -e $(@D)/bin ] || ln -s usr/bin $(@D)/bin # busybox is there since Debian 13
	$(Q)touch $@
