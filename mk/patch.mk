# SPDX-License-Identifier: GPL-2.0-only
#
# What goes to other kernel trees: the patch, from the difference between a stock
# tree and a complete one. The complete tree is the patched one (mk/kernel.mk)
# with copies in the place of links, and with what no kernel is built from:
# documentation, the MAINTAINERS entry and selftests.

COMPLETE := $(B)/linux/complete
COMPLETE_INPUTS := $(KSRC_INPUTS) scripts/linux-extras scripts/linux-selftests \
	$(wildcard $(PATCHES)/extras/*.patch \
		include/linux/perfmon*.h include/uapi/perfmon*.h \
		arch/x86/include/asm/*.h) \
	$(shell find kernel arch/x86/perfmon Documentation/ABI \
		Documentation/admin-guide Documentation/arch \
		Documentation/userspace-api tests/kselftest $(wildcard tests/kit) \
		tests/selftests -type f)

PATCH := $(B)/perfmon-linux-$(LINUX).patch

.PHONY: patch htmldocs lint-patch lint-kselftest
patch: $(PATCH) ## [build] write one patch file for a stock Linux tree (KERNEL=patched-7.3)

$(COMPLETE).stamp: $(B)/linux/source $(COMPLETE_INPUTS)
	$(Q)scripts/linux-tree --copy "$$(cat $<)" $(COMPLETE)
	$(Q)scripts/linux-extras $(COMPLETE)
	$(Q)touch $@

$(PATCH): $(COMPLETE).stamp scripts/linux-patch
	$(Q)scripts/linux-patch "$$(cat $(B)/linux/source)" $(COMPLETE) $@
	$(call say,$@: apply it with patch -p1 in the kernel tree)

# The files name each other truly, and the documentation what there is.
lint-patch: $(PATCH) | $(B)/deps/lint.stamp
	$(call say,lint patch)
	$(Q)scripts/check-patch $(COMPLETE) $(PATCH)

# The selftests that go along compile with the headers of that tree.
KSELFTEST := $(abspath $(B)/linux/kselftest)

lint-kselftest: $(COMPLETE).stamp | $(B)/deps/kernel.stamp
	$(call say,lint selftests of the kernel tree)
	$(Q)rm -rf $(KSELFTEST) && mkdir -p $(KSELFTEST)
	+$(Q){ $(MAKE) -s -C $(COMPLETE) O=$(KSELFTEST) ARCH=x86_64 headers && \
		$(MAKE) -s -C $(COMPLETE)/tools/testing/selftests O=$(KSELFTEST) \
			TARGETS=perfmon FORCE_TARGETS=1 -j$(KJOBS); } > $(KSELFTEST)/log 2>&1 || \
		{ cat $(KSELFTEST)/log >&2; exit 1; }

htmldocs: $(PATCH) scripts/html-docs | $(B)/deps/docs.stamp ## [build] build our pages with the kernel's documentation tools
	$(Q)scripts/html-docs $(COMPLETE) $(PATCH) $(B)/htmldocs
	$(call say,$(B)/htmldocs/html/index.html)

# The same as a series of mails: what a reviewer reads, and git am takes.
SERIES := $(B)/series

.PHONY: patch-series check-series
patch-series: $(SERIES).stamp ## [build] write the patch as a numbered series, for git am

$(SERIES).stamp: $(PATCH) scripts/linux-series $(wildcard $(PATCHES)/series/*)
	$(Q)scripts/linux-series "$$(cat $(B)/linux/source)" $(COMPLETE) $(PATCH) $(SERIES)
	$(Q)touch $@
	$(call say,$(SERIES): apply it with git am in the kernel tree)

$(B)/series-config: $(call kconf,x86_64)
	$(Q)cat $^ > $@

check-series: $(SERIES).stamp $(B)/series-config | $(B)/deps/kernel.stamp ## [longer] apply the series one by one and build a kernel after each
	$(call say,a kernel after each patch of the series)
	+$(Q)scripts/check-series "$$(cat $(B)/linux/source)" $(COMPLETE) $(SERIES) \
		$(B)/check-series $(B)/series-config \
		$(MAKE) -s ARCH=x86_64 CC='$(KCC)' $(KPIGGY) -j$(KJOBS)
