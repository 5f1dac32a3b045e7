# SPDX-License-Identifier: GPL-2.0-only
#
# The modules of the tests (tests/modules/), one build for each variant of the
# kernel that has been built. mk/guest.mk puts them into the guests.
#
# Kbuild writes its objects beside the sources of a module, so each variant has
# a directory of links to them.

MODULE_FILES := $(wildcard tests/modules/* machine/pmu/pmu_stats.h)

# The modules of a variant.
test-modules = $(foreach name,perfctr_probe perfmon_histogram perf_policy planted_race \
	fork_window \
	planted_section planted_nmi,\
	$(B)/modules/$(1)/$(name).ko)

MODULE_OBJECTS := $(patsubst tests/modules/%.c,%.o,$(wildcard tests/modules/*.c))
module_make = $(call kmake,$(1)) M=$(CURDIR)/$(B)/modules/$(1)

define module_rules
$(B)/modules/$(1)/links: $(MODULE_FILES) mk/modules.mk \
		$$(call left-behind,$(B)/modules/$(1).mark)
	$(Q)scripts/unfinished $(B)/modules/$(1).mark 'modules $(1)' $$(@D)
	$(Q)mkdir -p $$(@D)
	$(Q)ln -sf $(MODULE_FILES:%=$(CURDIR)/%) $$(@D)
	$(Q)touch $$@

# What modules link against is written after the kernel's image.
$(call test-modules,$(1)) &: $(B)/modules/$(1)/links $(B)/kernel/$(1)/bzImage \
		$(MODULE_FILES)
	$(call say,modules $(1))
	+$(Q)$(phase) --log $(B)/modules/$(1).log --mark $(call kmark,$(1)) \
		'modules $(1)' $$(call kmake,$(1)) modules
	+$(Q)$(phase) --log $(B)/modules/$(1).log --mark $(B)/modules/$(1).mark \
		'modules $(1)' $$(call module_make,$(1)) modules
	$(Q)touch $(call test-modules,$(1))

.PHONY: module-lint-$(1)
module-lint-$(1): $(B)/modules/$(1)/links $(B)/kernel/$(1)/config \
		| $(B)/deps/lint.stamp
	$(call say,sparse and W=1 modules $(1))
	$(Q)rm -f $(B)/modules/$(1)/*.o
	+$(Q)$$(call kmake,$(1)) -s modules_prepare
	+$(Q)out=$$$$($$(call module_make,$(1)) -s W=1 C=2 $(MODULE_OBJECTS) 2>&1) || \
		{ echo "$$$$out"; exit 1; }; \
	if echo "$$$$out" | grep 'warning:\|error:'; then exit 1; fi
endef
$(foreach v,$(KVARIANTS),$(eval $(call module_rules,$(v))))

.PHONY: module-lint
module-lint: module-lint-x86_64 module-lint-i386
