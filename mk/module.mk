# SPDX-License-Identifier: GPL-2.0-only
#
# perfmon as a module of unmodified kernels of Debian's (module/), and those
# kernels in the test machine. Nothing of them is installed: scripts/stock-kernel
# unpacks them below the cache, and the newest that apt offers is taken.

# The series; the kind of kernel of a guest is stock and the series.
STOCK_SERIES := 6.1 6.12

## STOCK=SERIES        of module and check-module: 6.1, 6.12 or debug, default: the first two
STOCK ?= $(STOCK_SERIES)

stock-ko = $(B)/stock/$(1)/tree/perfmon.ko
stock-guest = $(B)/guest/x86_64-stock$(1).cpio

.PHONY: module check-module results-stock

module: $(foreach series,$(STOCK),$(call stock-ko,$(series))) ## [build] build perfmon.ko for the newest kernels of Debian's (STOCK=)

# Those of the selftests that have passed there; the others have not been tried.
MODULE_PROGRAMS := create descriptor regs vectors order attach count lifetime execve exact controls sets attached_sets rotation ovflswitch cpuwide cpucount overflow random notify reused_ids block buffer sampling halves periods exclusion yield rdpmc statepage hotplug sysfs stats ctxsw running atexec race unload access account byname compat_counts enabled ended fdinfo leaks loss namespaces obstacles pieces stacks stacks_hostile stress suspend tickless verify inherit family_samples members lost_parts
MODULE_PROGRAMS_I386 := create attach count exact sets overflow notify sampling
MODULE_FILES_X86_64 := $(MODULE_PROGRAMS:%=$(B)/selftests/x86_64/%) $(BENCH_PROGRAM) \
	$(addprefix tests/tools/,pfmon_cli pfmon_follow pfmon_launch pfmon_profile pfmon_record \
		pfmon_running pfmon_stock pfmon_streams)
MODULE_FILES_I386 := $(MODULE_PROGRAMS_I386:%=$(B)/selftests/i386/%)

# The module as init loads it, and where modprobe looks for it.
stock-module-files = /modules/perfmon.ko=$(call stock-ko,$(1)) \
	/modules/msr.ko="$$(cat $(B)/stock/$(1)/kernel)/msr.ko" \
	/lib/modules/"$$(cat $(B)/stock/$(1)/release)"/updates/dkms/perfmon.ko=$(call stock-ko,$(1)) \
	/lib/modules/"$$(cat $(B)/stock/$(1)/release)"/modules.dep=$(B)/stock/$(1)/modules.dep

# Where the image, msr.ko and the headers of a series are.
define stock-kernel-rule
$(B)/stock/$(1)/kernel: FORCE | $(B)/deps/stock.stamp
	$(Q)mkdir -p $$(@D)
	$(Q)dir=$$$$(scripts/stock-kernel '$(PERFMON_CACHE)' $(1)) && \
	if [ "$$$$(cat $$@ 2>/dev/null)" != "$$$$dir" ]; then \
		rm -rf $$(@D)/tree && echo "$$$$dir" > $$@; fi
endef
$(foreach series,$(STOCK_SERIES),$(eval $(call stock-kernel-rule,$(series))))

# The kernel that looks at itself, from Linux' source as it is.
STOCK_DEBUG := $(B)/stock/debug
STOCK_DEBUG_CONFIG := $(patsubst %,tests/guest/kconfig/%.config,base x86_64 debug stockdebug)
stock-debug-make = $(MAKE) -C $(STOCK_DEBUG)/objects ARCH=x86_64 CC='$(KCC)' \
	KBUILD_BUILD_TIMESTAMP='Thu Jan  1 00:00:00 UTC 1970' \
	KBUILD_BUILD_USER=perfmon KBUILD_BUILD_HOST=perfmon \
	$(if $(filter 1,$(V)),V=1,-s) \
	$(if $(findstring jobserver,$(MAKEFLAGS)),,-j$(KJOBS))

$(STOCK_DEBUG)/config: $(STOCK_DEBUG_CONFIG) $(B)/linux/source
	$(Q)rm -rf $(@D) && mkdir -p $(@D)/objects
	$(Q)cat $(STOCK_DEBUG_CONFIG) > $@.fragment
	$(Q)$(MAKE) -s -C "$$(cat $(B)/linux/source)" O=$(CURDIR)/$(@D)/objects ARCH=x86_64 \
		KCONFIG_ALLCONFIG=$(CURDIR)/$@.fragment allnoconfig \
		> $@.log 2>&1 || { cat $@.log; exit 1; }
	$(Q)cp $(@D)/objects/.config $@

$(STOCK_DEBUG)/kernel: $(STOCK_DEBUG)/config | $(B)/deps/kernel.stamp
	$(call say,kernel without perfmon that looks at itself)
	+$(Q)$(stock-debug-make) bzImage modules
	$(Q)rm -rf $(@D)/image && mkdir $(@D)/image
	$(Q)ln -s ../objects/arch/x86/boot/bzImage $(@D)/image/vmlinuz
	$(Q)ln -s ../objects/arch/x86/kernel/msr.ko $(@D)/image/msr.ko
	$(Q)headers=linux-headers-$$($(MAKE) -s -C $(@D)/objects kernelrelease) && \
	ln -s ../objects $(@D)/image/$$headers && ln -s $$headers $(@D)/image/headers
	$(Q)echo $(CURDIR)/$(@D)/image > $@

define stock-rules
# The headers are called after the kernel.
$(B)/stock/$(1)/release: $(B)/stock/$(1)/kernel
	$(Q)readlink "$$$$(cat $$<)/headers" | sed 's/.*linux-headers-//' > $$@

# depmod's, for this one.
$(B)/stock/$(1)/modules.dep: $(B)/stock/$(1)/kernel
	$(Q)echo updates/dkms/perfmon.ko: > $$@

# What has changed is Kbuild's own business. ccache would make of the links in the
# tree what they lead to, and take the host's files from there.
$(call stock-ko,$(1)): $(B)/stock/$(1)/kernel FORCE
	$(call say,perfmon.ko for Linux $(1))
	$(Q)scripts/module-tree $$(@D)
	+$(Q)CCACHE_BASEDIR= $(MAKE) -C "$$$$(cat $$<)/headers" M=$(CURDIR)/$$(@D) CC='$(KCC)' \
		CONFIG_DEBUG_INFO_BTF_MODULES= $(if $(filter 1,$(V)),V=1,-s) \
		$$(if $$(findstring jobserver,$$(MAKEFLAGS)),,-j$(KJOBS)) modules

$(B)/kernel/x86_64-stock$(1)/bzImage: $(B)/stock/$(1)/kernel
	$(Q)mkdir -p $$(@D)
	$(Q)cp "$$$$(cat $$<)/vmlinuz" $$@

$(call stock-guest,$(1)): mk/module.mk $(call stock-ko,$(1)) $(B)/stock/$(1)/release \
		$(B)/stock/$(1)/modules.dep $(B)/guest/init-x86_64 \
		$(GUEST_SCRIPTS) $(MODULE_FILES_X86_64) $(MODULE_FILES_I386) \
		$(B)/tools/pfmon $(PROFILE) $(LIB_X86_64)/libpfm.so.3 \
		$(TOOL_PROGRAMS) tests/tools/tap tests/tools/recorded $(PFMON_GROUPS)
	$(call say,guest x86_64-stock$(1))
	$(Q)$(CHECKS).mkinitramfs --output $$@ --busybox /bin/busybox \
		--library-path $(CURDIR)/$(LIB_X86_64) \
		/init=$(B)/guest/init-x86_64 /usr/bin/pfmon=$(B)/tools/pfmon \
		/usr/libexec/pfmon/profile=$(PROFILE) $$(guest_capstone) \
		$(GUEST_TOOLS_x86_64) \
		$$(call stock-module-files,$(1)) \
		$(call guest_tests,/tests,$(MODULE_FILES_X86_64)) \
		$(call guest_tests,/tests/32,$(MODULE_FILES_I386))

# For make run.
$(B)/guest/demo-x86_64-stock$(1).cpio: $(call stock-ko,$(1)) \
		$(B)/stock/$(1)/release $(B)/stock/$(1)/modules.dep \
		$(B)/guest/init-x86_64 $(GUEST_SCRIPTS) \
		$(B)/tools/pfmon $(LIB_X86_64)/libpfm.so.3
	$(Q)$(CHECKS).mkinitramfs --output $$@ --busybox /bin/busybox \
		--library-path $(CURDIR)/$(LIB_X86_64) \
		/usr/bin/pfmon=$(B)/tools/pfmon /init=$(B)/guest/init-x86_64 \
		/usr/bin/demo=tests/guest/demo \
		/etc/demo-events=tests/guest/demo-events \
		$$(call stock-module-files,$(1))
endef
$(foreach series,$(STOCK_SERIES) debug,$(eval $(call stock-rules,$(series))))

check-module: $(foreach series,$(STOCK),$(B)/kernel/x86_64-stock$(series)/bzImage \
	$(call stock-guest,$(series)))

# The rows of the plan of these series.
empty :=
module-choice = --only $(subst $(empty) $(empty),$(comma),$(STOCK:%=stock%))

check-module: $(GUEST_MACHINE) ## [longer] run selftests with the module on unmodified kernels of Debian's (STOCK=)
	$(Q)$(CHECKS).run_guest module --build $(B) --accel $(ACCEL) \
		$(module-choice) $(GUEST_CHOICE)
	$(Q)$(CHECKS).results $(B)/results module

# make check has one boot of them.
STOCK_INPUTS := $(GUEST_MACHINE) $(B)/kernel/x86_64-stock6.1/bzImage \
	$(call stock-guest,6.1)

results-stock: $(STOCK_INPUTS)
	$(Q)$(CHECKS).run_guest module --build $(B) --accel $(ACCEL) \
		--only stock6.1 --cpu zen1 --smp 1
