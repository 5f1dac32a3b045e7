# SPDX-License-Identifier: GPL-2.0-only
#
# The way to a real machine: Debian packages of the patched kernel with the
# configuration of the kernel that runs. mk/deb.mk makes those of the library and
# the tool.

## CONFIG=FILE         of kernel-deb and check-config, default: the running kernel, Debian's
CONFIG ?=

KERNEL_DEB_DIR := $(B)/deb/kernel
CHECK_KERNEL_DEB := $(B)/check-kernel-deb

.PHONY: kernel-deb check-kernel-deb check-config

KERNEL_DEB_MAKE := $(MAKE) -s ARCH=x86_64 CC='$(KCC)' $(KPIGGY) -j$(KJOBS)

# kernel-packages CONFIG,WORK,OUTPUT
kernel-packages = scripts/kernel-deb $(COMPLETE) '$(1)' $(2) $(3) $(KERNEL_DEB_MAKE)

kernel-deb: $(COMPLETE).stamp | $(B)/deps/kernel.stamp $(B)/deps/kernel-deb.stamp ## [install] build a Debian package of the patched kernel, for this machine (CONFIG=)
	$(call say,kernel-deb)
	+$(Q)$(call kernel-packages,$(CONFIG),$(B)/linux/deb,$(KERNEL_DEB_DIR))

# The guest's configuration makes a kernel that the test machine can boot.
CHECK_KERNEL_DEB_INPUTS := $(COMPLETE).stamp $(B)/kernel/x86_64/config \
	$(B)/machine/qemu-system-x86_64 $(B)/guest/demo-x86_64.cpio

check-kernel-deb: $(CHECK_KERNEL_DEB_INPUTS) | $(B)/deps/kernel.stamp $(B)/deps/kernel-deb.stamp ## [install] build that package, boot its kernel in the test machine and count
	$(call say,kernel-deb with the configuration of the guests)
	+$(Q)$(call kernel-packages,$(B)/kernel/x86_64/config,$(CHECK_KERNEL_DEB),$(CHECK_KERNEL_DEB)/deb)
	$(Q)tests/deb/boot-kernel $(B) $(CHECK_KERNEL_DEB) $(CPU)

DEBIAN_CONFIG := /usr/src/linux-config-6.12/config.amd64_none_amd64.xz

check-config: $(PATCH) | $(B)/deps/kernel.stamp $(B)/deps/kernel-config.stamp ## [longer] compile our part of the kernel with a distribution's configuration (CONFIG=)
	$(call say,our part with the configuration of a distribution)
	+$(Q)scripts/check-config $(COMPLETE) $(PATCH) '$(or $(CONFIG),$(DEBIAN_CONFIG))' \
		$(B)/check-config $(KERNEL_DEB_MAKE)
