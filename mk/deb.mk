# SPDX-License-Identifier: GPL-2.0-only
#
# The Debian packages (debian/): the source package and libpfm3, libpfm3-dev (both
# for i386 as well), pfmon and perfmon-doc, in $(B)/deb.

DEB_DIR := $(B)/deb

.PHONY: deb check-deb
deb: $(LIBPFM4_TABLES) $(SYSROOT_I386)/complete | $(B)/deps/deb.stamp ## [install] build the Debian packages: libpfm3, libpfm3-dev, pfmon, perfmon-doc
	$(call say,deb)
	$(Q)scripts/build-deb $(DEB_DIR) $(LIBPFM4_TABLES) $(SYSROOT_I386)

check-deb: deb ## [install] install the packages beside libpfm4-dev and link programs with both
	$(Q)tests/deb/beside-libpfm4 $(DEB_DIR)
