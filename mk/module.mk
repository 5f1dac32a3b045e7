# SPDX-License-Identifier: GPL-2.0-only
#
# perfmon as a module of unmodified kernels of Debian's (module/), and those
# kernels in the test machine. Nothing of them is installed: scripts/stock-kernel
# unpacks them below the cache, and the newest that apt offers is taken; with a compiler
# if this system's cannot build for them. For any other kernel the module is built
# with the headers that HEADERS names.

# The kind of kernel of a guest is stock and the series (STOCK_SERIES, in Makefile).
# Other flavours of theirs, on demand.
STOCK_FLAVOURS := $(foreach flavour,cloud rt,$(STOCK_SERIES:%=%-$(flavour)) \
	$(STOCK_OTHERS:%=%-$(flavour)))

## STOCK=SERIES        of module and check-module: 6.1 (Debian 12), 6.12; 6.12-deb13, 7.2, 7.3 (Debian 13's, on 12 too); 6.12-cloud, 7.3-rt or the like; debug; default: those of the release
STOCK ?= $(STOCK_SERIES)

stock-ko = $(B)/stock/$(1)/tree/perfmon.ko
stock-guest = $(B)/guest/x86_64-stock$(1).cpio
# Modules of the tests, one of them with a sampling format: built as anybody's are.
STOCK_TEST_MODULES := perfmon_histogram planted_section planted_nmi
stock-test-modules = $(STOCK_TEST_MODULES:%=$(B)/stock/$(1)/tests/%.ko)

## HEADERS=DIR         of module: headers of another kernel; outside Debian those of the running one
HEADERS ?= $(if $(filter debian,$(DISTRIBUTION)),,/lib/modules/$(shell uname -r)/build)

.PHONY: module module-for-headers check-module results-stock results-newer install-module

module: $(if $(HEADERS),module-for-headers,$(foreach series,$(STOCK),$(call stock-ko,$(series)))) ## [build] build perfmon.ko for the newest kernels of Debian's (STOCK=), or for HEADERS=

module-for-headers: | $(B)/deps/module.stamp
	+$(Q)scripts/build-module '$(HEADERS)' $(B)/module

# DKMS looks for sources in /usr/src, and for others where it is told to.
## SRCDIR=DIR          where install puts the source of the module, default PREFIX/src
SRCDIR ?= $(PREFIX)/src
# The rules of udev are below.
UDEVDIR ?= $(PREFIX)/lib/udev
MODULE_SOURCE = $(DESTDIR)$(SRCDIR)/perfmon-$(LIB_VERSION)

install-module:
	$(Q)install -d $(MODULE_SOURCE) $(DESTDIR)$(UDEVDIR)/rules.d
	$(Q)scripts/module-tree --copy $(MODULE_SOURCE)
	$(Q)sed 's/#MODULE_VERSION#/$(LIB_VERSION)/' packaging/dkms.conf \
		> $(MODULE_SOURCE)/dkms.conf
	$(Q)chmod -R u=rwX,go=rX $(MODULE_SOURCE)
	$(Q)install -m 644 packaging/60-perfmon.rules $(DESTDIR)$(UDEVDIR)/rules.d

# All selftests but those of what a module has no part in: counters that programs read
# themselves, perfctr_ under another module, options of the boot, faults and races that
# only the project's own kernels can be made to have.
MODULE_PROGRAMS := create descriptor regs vectors order attach count lifetime execve exact \
	controls sets attached_sets rotation ovflswitch cpuwide cpucount overflow random notify \
	reused_ids block buffer sampling halves periods rate exclusion yield rdpmc statepage userread \
	userwrap pagelife isolation hotplug sysfs stats ctxsw running atexec race unload access account branches branches_targets byname compat_counts enabled ended \
	fdinfo ibs leaks loss namespaces nmi obstacles pieces pebs pebs_counters pebs_rules pebs_targets precise precise_room stacks stacks_copy stacks_hostile stress suspend tickless \
	verify inherit family_samples family_waits members lost_parts callbacks compat formats \
	hybrid irqs_off linger longperiod many pauses security throttle tsc wrap
MODULE_PROGRAMS_V281 := attach_v281 attached_sets_v281 block_v281 buffer_v281 count_v281 \
	cpucount_v281 cpuwide_v281 create_v281 descriptor_v281 dynamic_v281 exact_v281 exclusion_v281 \
	execve_v281 lifetime_v281 notify_v281 order_v281 overflow_v281 ovflswitch_v281 random_v281 \
	regs_v281 reused_ids_v281 rotation_v281 sampling_v281 sets_v281 vectors_v281
MODULE_PROGRAMS_I386 := create attach count exact sets overflow notify sampling
MODULE_FILES_X86_64 := $(BENCH_PROGRAM) \
	$(addprefix $(B)/selftests/x86_64/,$(MODULE_PROGRAMS) $(MODULE_PROGRAMS_V281)) \
	tests/tools/examples_run $(wildcard tests/tools/pfmon_*)
MODULE_FILES_I386 := $(MODULE_PROGRAMS_I386:%=$(B)/selftests/i386/%)

# The module as init loads it, and where modprobe looks for it.
stock-module-files = /modules/perfmon.ko=$(call stock-ko,$(1)) \
	/modules/msr.ko="$$(cat $(B)/stock/$(1)/kernel)/msr.ko" \
	/lib/modules/"$$(cat $(B)/stock/$(1)/release)"/updates/dkms/perfmon.ko=$(call stock-ko,$(1)) \
	/lib/modules/"$$(cat $(B)/stock/$(1)/release)"/modules.dep=$(B)/stock/$(1)/modules.dep

# Kbuild with the headers of a series: what has changed is its own business. ccache
# would make of the links in the tree what they lead to, and take the host's files
# from there.
stock-kbuild = CCACHE_BASEDIR= PATH="$$(cat $(B)/stock/$(1)/kernel)/tools:$$PATH" \
	$(MAKE) -C "$$(cat $(B)/stock/$(1)/kernel)/headers" CC='$(KCC)' \
	CONFIG_DEBUG_INFO_BTF_MODULES= $(if $(filter 1,$(V)),V=1,-s)

# Where the image, msr.ko and the headers of a series are.
define stock-kernel-rule
$(B)/stock/$(1)/kernel: FORCE | $(B)/deps/stock.stamp
	$(Q)mkdir -p $$(@D)
	$(Q)dir=$$$$(scripts/stock-kernel '$(PERFMON_CACHE)' $(1)) && \
	if [ "$$$$(cat $$@ 2>/dev/null)" != "$$$$dir" ]; then \
		rm -rf $$(@D)/tree && echo "$$$$dir" > $$@; fi
endef
$(foreach series,$(STOCK_SERIES) $(STOCK_OTHERS) $(STOCK_FLAVOURS),\
	$(eval $(call stock-kernel-rule,$(series))))

# The kernel that looks at itself, from Linux' source as it is.
STOCK_DEBUG := $(B)/stock/debug
STOCK_DEBUG_CONFIG := $(patsubst %,tests/guest/kconfig/%.config,base x86_64 debug stockdebug)
stock-debug-make = $(MAKE) -C $(STOCK_DEBUG)/objects ARCH=x86_64 CC='$(KCC)' $(KPIGGY) \
	KBUILD_BUILD_TIMESTAMP='Thu Jan  1 00:00:00 UTC 1970' \
	KBUILD_BUILD_USER=perfmon KBUILD_BUILD_HOST=perfmon \
	$(if $(filter 1,$(V)),V=1,-s) \
	$(JOBS)

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

$(call stock-ko,$(1)): $(B)/stock/$(1)/kernel FORCE
	$(call say,perfmon.ko for Linux $(1))
	$(Q)scripts/module-tree $$(@D)
	+$(Q)$$(call stock-kbuild,$(1)) M=$(CURDIR)/$$(@D) $$(JOBS) modules

$(B)/stock/$(1)/tests/links: $(MODULE_FILES) mk/module.mk
	$(Q)mkdir -p $$(@D)
	$(Q)ln -sf $(MODULE_FILES:%=$(CURDIR)/%) $$(@D)
	$(Q)touch $$@

$(call stock-test-modules,$(1)) &: $(B)/stock/$(1)/tests/links $(call stock-ko,$(1)) \
		$(MODULE_FILES)
	$(call say,test modules for Linux $(1))
	+$(Q)$$(call stock-kbuild,$(1)) M=$(CURDIR)/$$(@D) \
		KBUILD_EXTRA_SYMBOLS=$(CURDIR)/$(B)/stock/$(1)/tree/Module.symvers \
		KCFLAGS='$(addprefix -I$(CURDIR)/$(B)/stock/$(1)/tree/,include arch/x86/include)' \
		TEST_MODULES='$(STOCK_TEST_MODULES)' modules
	$(Q)touch $(call stock-test-modules,$(1))

$(B)/kernel/x86_64-stock$(1)/bzImage: $(B)/stock/$(1)/kernel
	$(Q)mkdir -p $$(@D)
	$(Q)cp "$$$$(cat $$<)/vmlinuz" $$@.new && mv $$@.new $$@

$(call stock-guest,$(1)): mk/module.mk $(call stock-ko,$(1)) $(B)/stock/$(1)/release \
		$(B)/stock/$(1)/modules.dep $(B)/guest/init-x86_64 \
		$(call stock-test-modules,$(1)) $(GUEST_SCRIPTS) $(MODULE_FILES_X86_64) $(MODULE_FILES_I386) \
		$(B)/tools/pfmon $(PROFILE) $(LIB_X86_64)/libpfm.so.3 $(EXAMPLES) \
		$(TOOL_PROGRAMS) tests/tools/tap tests/tools/recorded $(TRUTH_FILES) $(PFMON_GROUPS)
	$(call say,guest x86_64-stock$(1))
	$(Q)$(CHECKS).mkinitramfs --output $$@ --busybox /bin/busybox \
		--library-path $(CURDIR)/$(LIB_X86_64) \
		/init=$(B)/guest/init-x86_64 /usr/bin/pfmon=$(B)/tools/pfmon \
		/usr/libexec/pfmon/profile=$(PROFILE) $$(guest_capstone) \
		$(GUEST_TOOLS_x86_64) \
		$$(call stock-module-files,$(1)) \
		$(call guest_tests,/modules,$(call stock-test-modules,$(1))) \
		$(GUEST_EXAMPLES_x86_64) \
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
$(foreach series,$(STOCK_SERIES) $(STOCK_OTHERS) $(STOCK_FLAVOURS) debug,\
	$(eval $(call stock-rules,$(series))))

check-module: $(foreach series,$(STOCK),$(B)/kernel/x86_64-stock$(series)/bzImage \
	$(call stock-guest,$(series)))

# The rows of the plan of these series.
empty :=
module-choice = --only $(subst $(empty) $(empty),$(comma),$(STOCK:%=stock%))

check-module: $(GUEST_MACHINE) ## [longer] run selftests with the module on unmodified kernels of Debian's (STOCK=)
	$(Q)$(CHECKS).run_guest module --build $(B) --accel $(ACCEL) \
		$(module-choice) $(GUEST_CHOICE)
	$(Q)$(CHECKS).results $(B)/results module

# make check has a boot of each vendor's, and a short one of each newer kernel.
STOCK_INPUTS := $(GUEST_MACHINE) $(foreach series,$(STOCK_FIRST) $(STOCK_NEWER),\
	$(B)/kernel/x86_64-stock$(series)/bzImage $(call stock-guest,$(series)))

results-stock: $(STOCK_INPUTS)
	$(Q)$(call suite,module) $(CHECKS).run_guest module --build $(B) --accel $(ACCEL) \
		--only stock$(STOCK_FIRST) --cpu zen1,skylake --smp 1

results-newer: $(STOCK_INPUTS)
	$(Q)$(call suite,newer) $(CHECKS).run_guest newer --build $(B) --accel $(ACCEL) \
		--only $(subst $(empty) $(empty),$(comma),$(STOCK_NEWER:%=stock%))
