# SPDX-License-Identifier: GPL-2.0-only
#
# The patched kernel, of the series LINUX, in several variants: ARCH or ARCH-KIND. The
# kinds are
#
#   debug	looks at memory, locks and contexts, and can fail on demand (DEBUG=1)
#   distro	has what a distribution's kernel has, mitigations above all
#   rt		PREEMPT_RT
#   kcsan	looks for data races in perfmon
#   gcov	tells which lines of perfmon were executed, for make covering
#   fleet	has a disk and a network, for make check-fleet
#   bench	is what make bench measures, and does not change
#
# Object directories lie directly below the source tree: Kbuild then calls the
# compiler with relative paths only, and ccache hits wherever the checkout is.
# What changed since the last build is Kbuild's own business, so the image of a
# variant depends on the phony target `FORCE`; an unchanged image keeps its time.
# A build that was killed may have left an object that is half written. Its mark
# (scripts/phase) tells, and the object directory is made anew, from ccache.

KTREE := $(B)/linux/tree
KSRC_INPUTS := $(wildcard $(PATCHES)/*.patch) scripts/linux-tree \
	scripts/linux-source scripts/linux-patches
KVARIANTS := x86_64 i386 x86_64-debug i386-debug x86_64-bench i386-bench \
	x86_64-distro x86_64-rt x86_64-kcsan x86_64-gcov x86_64-fleet

karch = $(firstword $(subst -, ,$(1)))
kkind = $(word 2,$(subst -, ,$(1)))
kdir = $(KTREE)/o-$(1)
# The kind bench has a foundation of its own, the others build on the common one.
kconf = $(patsubst %,tests/guest/kconfig/%.config,\
	$(if $(filter bench,$(call kkind,$(1))),bench,base) $(call karch,$(1)) \
	$(filter-out bench,$(call kkind,$(1))))
kmake = $(MAKE) -C $(call kdir,$(1)) ARCH=$(call karch,$(1)) \
	KBUILD_BUILD_TIMESTAMP='Thu Jan  1 00:00:00 UTC 1970' \
	KBUILD_BUILD_USER=perfmon KBUILD_BUILD_HOST=perfmon \
	CC='$(KCC)' $(if $(filter 1,$(V)),V=1) \
	$(KPIGGY) \
	$(if $(filter kcsan,$(call kkind,$(1))),KCSAN_SANITIZE='$(KCSAN_SUBJECT)') \
	$(if $(filter gcov,$(call kkind,$(1))),GCOV_PROFILE='$(KCSAN_SUBJECT)') \
	$(JOBS)

# piggy.S includes the compressed kernel (.incbin), and the compiler tells ccache
# nothing of it: ccache would take an older kernel of the same length. So the command
# has the sum of the kernel. An expression for Kbuild.
KPIGGY := AFLAGS_piggy.o='-DKERNEL_SUM=$$(firstword $$(shell \
	cat arch/x86/boot/compressed/vmlinux.bin.*z* 2>/dev/null | cksum))'

# The races that we look for are our own: the other files are compiled without,
# and so many more of our accesses can be watched. The lines that gcov counts are our
# own, too. An expression for Kbuild.
KCSAN_SUBJECT := $$(if $$(filter kernel/perfmon kernel/perfmon/% \
	arch/x86/perfmon arch/x86/perfmon/% %/modules/x86_64-kcsan,$$(obj)),y,n)

# People type make without -j; the kernel is the one build that must not wait.
KJOBS := $(shell nproc)

# In the package set of the kernel, so it exists when a compiler is called.
KCC := ccache gcc
export CCACHE_DIR ?= $(PERFMON_CACHE)/ccache
export CCACHE_BASEDIR ?= $(CURDIR)
export CCACHE_NOHASHDIR ?= 1

kmark = $(call kdir,$(1)).mark
# FORCE if the mark was left behind.
left-behind = $(if $(wildcard $(1)),$(shell flock -n $(1) echo FORCE))

# How many files a whole build compiles: as many as the last one did.
kfiles = $(PERFMON_CACHE)/files-of-kernel-$(if $(LINUX_OTHER),$(LINUX)-)$(1)

KVARIANT = $(ARCH)$(patsubst %,-%,$(filter-out plain,$(KIND)))
KERNEL_IMAGE = $(B)/kernel/$(KVARIANT)/bzImage

.PHONY: kernel kernel-lint FORCE
FORCE:

kernel: $(KERNEL_IMAGE) ## [build] build the patched Linux (ARCH=, DEBUG=1, LINUX_SRC=, KERNEL=patched-7.3)

# The tree is made anew when the patch or the source changes.
$(B)/linux/source: FORCE | $(B)/deps/kernel.stamp
	$(Q)mkdir -p $(@D)
	$(Q)tree=$$($(phase) 'Linux source' \
		scripts/linux-source '$(PERFMON_CACHE)' $(LINUX) '$(LINUX_SRC)') && \
	if [ "$$(cat $@ 2>/dev/null)" != "$$tree" ]; then echo "$$tree" > $@; fi

# New header files need a link of their own, hence their names as a key.
KOVERLAY := $(wildcard include/linux/perfmon*.h include/uapi/perfmon*.h \
	arch/x86/include/asm/*.h)

$(B)/linux/tree.stamp: $(B)/linux/source $(KSRC_INPUTS) $(B)/linux/overlay
	$(call say,preparing the kernel tree)
	$(Q)$(phase) 'Linux source' scripts/linux-tree "$$(cat $<)" $(KTREE)
	$(Q)touch $@

$(B)/linux/overlay: FORCE
	$(Q)mkdir -p $(@D)
	$(Q)echo '$(KOVERLAY)' | cmp -s - $@ || echo '$(KOVERLAY)' > $@

define kernel_rules
$(B)/kernel/$(1)/config: $$(call kconf,$(1)) $(B)/linux/tree.stamp \
		$$(call left-behind,$$(call kmark,$(1)))
	$(Q)scripts/unfinished $(call kmark,$(1)) 'kernel $(1)' $(call kdir,$(1))
	$(Q)mkdir -p $(call kdir,$(1)) $$(@D)
	$(Q)cat $$(call kconf,$(1)) > $$@.fragment
	+$(Q)$(phase) --log $$@.log 'kernel $(1)' \
		$(MAKE) -s -C $(KTREE) O=o-$(1) ARCH=$(call karch,$(1)) \
		KCONFIG_ALLCONFIG=$(CURDIR)/$$@.fragment allnoconfig
	$(Q)cp $(call kdir,$(1))/.config $$@.new && mv $$@.new $$@

$(B)/kernel/$(1)/bzImage: $(B)/kernel/$(1)/config FORCE | $(B)/deps/kernel.stamp
	$(call say,kernel $(1))
	+$(Q)whole=; [ -e $(call kdir,$(1))/vmlinux ] || whole=1; \
	files=$$$$([ -z "$$$$whole" ] || cat '$(call kfiles,$(1))' 2>/dev/null || true); \
	$(phase) --log $$(@D)/log --far "objects $$(@D)/log $$$$files" \
		--mark $(call kmark,$(1)) 'kernel $(1)' $$(call kmake,$(1)) bzImage; \
	[ -z "$$$$whole" ] || grep -cE '^  (CC|AS) ' $$(@D)/log > '$(call kfiles,$(1))' || true
	$(Q)cmp -s $(call kdir,$(1))/arch/x86/boot/bzImage $$@ || \
		cp $(call kdir,$(1))/arch/x86/boot/bzImage $$@
endef
$(foreach v,$(KVARIANTS),$(eval $(call kernel_rules,$(v))))

# Recompile our files with all warnings and sparse; any output is a failure.
# Both word sizes, since a type error may show in one of them only; the debug kernel
# has what the others are configured without: tracepoints, KASAN.
KLINT_VARIANTS := x86_64 i386 x86_64-debug
KLINT_DIRS := kernel/perfmon/ arch/x86/perfmon/

define kernel_lint_rule
.PHONY: kernel-lint-$(1)
kernel-lint-$(1): $(B)/kernel/$(1)/config | $(B)/deps/lint.stamp
	$(call say,sparse and W=1 $(1))
	$(Q)find $(KLINT_DIRS:%=$(call kdir,$(1))/%) -name '*.o' -delete 2>/dev/null || true
	+$(Q)out=$$$$($$(call kmake,$(1)) -s W=1 C=2 $(KLINT_DIRS) 2>&1) || \
		{ echo "$$$$out"; exit 1; }; \
	if echo "$$$$out" | grep 'warning:\|error:'; then exit 1; fi
endef
$(foreach v,$(KLINT_VARIANTS),$(eval $(call kernel_lint_rule,$(v))))

kernel-lint: $(KLINT_VARIANTS:%=kernel-lint-%)
