# SPDX-License-Identifier: GPL-2.0-only
#
# The Debian packages (debian/): the source package and libpfm3, libpfm3-dev (both
# for i386 as well), pfmon, perfmon-dkms and perfmon-doc, in $(B)/deb.

DEB_DIR := $(B)/deb

.PHONY: deb check-deb check-deb-clean check-dkms
deb: $(SYSROOT_I386)/complete | $(B)/deps/deb.stamp ## [install] build the Debian packages: libpfm3, libpfm3-dev, pfmon, perfmon-dkms, perfmon-doc
	$(call say,deb)
	$(Q)scripts/build-deb $(DEB_DIR) $(SYSROOT_I386)

check-deb: deb | i386-runs ## [install] install the packages beside libpfm4-dev and link programs with both
	$(Q)tests/deb/beside-libpfm4 $(DEB_DIR)

check-deb-clean: deb | i386-runs ## [install] install the packages above this machine's root and compile the documentation's programs there (root)
	$(Q)tests/deb/clean-machine $(DEB_DIR)

# In a root of Debian's own, with the kernels of check-module.
check-dkms: deb $(GUEST_MACHINE) $(B)/guest/init-x86_64 \
		$(foreach series,$(STOCK),$(B)/stock/$(series)/release \
		$(B)/kernel/x86_64-stock$(series)/bzImage) \
		| $(B)/deps/dkms.stamp ## [longer] install the packages in a Debian, boot its kernels with the module, as root (STOCK=)
	$(call say,packages in a Debian with the headers of Linux $(STOCK))
	$(Q)tests/deb/dkms-root $(B) '$(PERFMON_CACHE)' $(DEB_DIR) $(CPU) $(STOCK)
