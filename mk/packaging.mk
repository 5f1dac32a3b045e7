# SPDX-License-Identifier: GPL-2.0-only
#
# The packages for other Linuxes than Debian (packaging/): RPMs in $(B)/rpm, those of
# Arch in $(B)/arch. Debian has rpmbuild and makepkg too, so they are checked there.

.PHONY: rpm arch-package check-packaging check-container
rpm: | $(B)/deps/rpm.stamp $(B)/deps/lib.stamp $(B)/deps/tools.stamp ## [install] build the RPM packages: libpfm3, libpfm3-devel, pfmon, perfmon-dkms
	$(call say,rpm)
	$(Q)scripts/build-rpm $(B)/rpm

arch-package: | $(B)/deps/arch.stamp $(B)/deps/tools.stamp ## [install] build the packages for Arch Linux: perfmon, perfmon-dkms
	$(call say,arch)
	$(Q)scripts/build-arch $(B)/arch

# libpfm4's source, as Debian has it.
LIBPFM4_TARBALL := $(B)/arch/libpfm-4.13.0.tar.gz
LIBPFM4_ORIG := pool/main/libp/libpfm4/libpfm4_4.13.0.orig.tar.gz
$(LIBPFM4_TARBALL):
	$(Q)mkdir -p $(@D)
	$(Q)/usr/lib/apt/apt-helper -o APT::Sandbox::User=root download-file \
		http://deb.debian.org/debian/$(LIBPFM4_ORIG) $@ > $@.log

check-packaging: $(B)/stock/$(STOCK_FIRST)/kernel | $(B)/deps/packaging.stamp \
		$(LIBPFM4_TARBALL) ## [longer] build the packages for other Linuxes, look into them, build their module
	+$(Q)$(MAKE) rpm
	+$(Q)$(MAKE) arch-package
	$(Q)tests/packaging/built $(B)/rpm $(B)/arch "$$(cat $<)/headers"

check-container: | $(B)/deps/container.stamp ## [longer] execute Containerfile in a Debian 13, as root
	$(Q)tests/packaging/containerfile $(B)/container
