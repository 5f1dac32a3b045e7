# SPDX-License-Identifier: GPL-2.0-only
#
# The selftests (tests/selftests/): static programs that run in the guest, each
# built for both architectures. tests/selftests/README.md says what each tests.

SELFTEST_DIR := tests/selftests
# A program of its own, with the shared library.
DYNAMIC_V281_SOURCE := $(SELFTEST_DIR)/library/dynamic_v281.c
# Each file of the folders of subjects is a program, FOLDER/NAME.
SELFTEST_SOURCES := $(filter-out $(SELFTEST_DIR)/nolibc/% $(SELFTEST_DIR)/v281/% \
	$(DYNAMIC_V281_SOURCE),$(wildcard $(SELFTEST_DIR)/*/*.c))
SELFTEST_PATHS := $(SELFTEST_SOURCES:$(SELFTEST_DIR)/%.c=%)
SELFTESTS := $(notdir $(SELFTEST_PATHS))
SELFTEST_X86_64 := $(SELFTESTS:%=$(B)/selftests/x86_64/%)
SELFTEST_I386 := $(SELFTESTS:%=$(B)/selftests/i386/%)

GUEST_PROGRAMS_x86_64 += $(SELFTEST_X86_64)
GUEST_PROGRAMS_i386 += $(SELFTEST_I386)

# What runs in the kernel that this one leaves the machine to.
NEXTKERNEL_PROGRAMS := $(patsubst %,$(B)/selftests/x86_64/%,exclusion count)

.PHONY: selftests
selftests: $(SELFTEST_X86_64) $(SELFTEST_I386) ## [build] build the programs that test the kernel in the guest

# selftest-rules ARCH: objects and programs of one architecture.
define selftest-rules
$(call kit-object-rule,$(B)/selftests/$(1)/obj/%.o,$(SELFTEST_DIR)/%.c,$(1),,\
	mk/selftests.mk)

$(SELFTESTS:%=$(B)/selftests/$(1)/%): $(call kit,$(1)) $(B)/lib/$(1)/libpfm.a
	$$(call say,LD $$@)
	$$(Q)$$(call kit-link,$(1)) -s -o $$@ $$(filter %.o,$$^) $$(filter %.a,$$^)
endef

# selftest-program ARCH FOLDER/NAME
define selftest-program
$(B)/selftests/$(1)/$(notdir $(2)): $(B)/selftests/$(1)/obj/$(2).o
endef

$(foreach arch,x86_64 i386,$(eval $(call selftest-rules,$(arch))) \
	$(foreach path,$(SELFTEST_PATHS),$(eval $(call selftest-program,$(arch),$(path)))))

# The same tests through the v2.81 interface: the compiler reads a shim first.
V281_SELFTESTS := create descriptor regs vectors order attach count lifetime execve \
	exact overflow random notify reused_ids block buffer sampling sets attached_sets \
	rotation ovflswitch cpuwide cpucount exclusion
V281_DIR := $(SELFTEST_DIR)/v281
V281_PATHS := $(foreach name,$(V281_SELFTESTS),$(filter %/$(name),$(SELFTEST_PATHS)))

GUEST_PROGRAMS_x86_64 += $(V281_SELFTESTS:%=$(B)/selftests/x86_64/%_v281)
GUEST_PROGRAMS_i386 += $(V281_SELFTESTS:%=$(B)/selftests/i386/%_v281)

# v281-rules ARCH: the kit is compiled once more, its calls are the shim's.
define v281-rules
$(call kit-object-rule,$(B)/selftests/$(1)/v281/obj/%.o,$(SELFTEST_DIR)/%.c,$(1),\
	-DPFM_TEST_V281 -include $(V281_DIR)/program.h,mk/selftests.mk)

$(call kit-object-rule,$(B)/selftests/$(1)/v281/kit/%.o,$(KIT_DIR)/%.c,$(1),\
	-DPFM_TEST_V281 -include $(V281_DIR)/shim.h,mk/selftests.mk)

$(call kit-object-rule,$(B)/selftests/$(1)/v281/shim.o,$(V281_DIR)/shim.c,$(1),,\
	mk/selftests.mk)

$(B)/selftests/$(1)/v281/libkit.a: $(B)/selftests/$(1)/v281/shim.o \
		$(KIT_SOURCES:$(KIT_DIR)/%.c=$(B)/selftests/$(1)/v281/kit/%.o)
	$$(Q)rm -f $$@
	$$(Q)$$(AR) rcsD $$@ $$^

$(V281_SELFTESTS:%=$(B)/selftests/$(1)/%_v281): \
		$(B)/selftests/$(1)/v281/libkit.a $(B)/lib/$(1)/libpfm.a
	$$(call say,LD $$@)
	$$(Q)$$(call kit-link,$(1)) -s -o $$@ $$(filter %.o,$$^) $$(filter %.a,$$^)
endef

# v281-program ARCH FOLDER/NAME
define v281-program
$(B)/selftests/$(1)/$(notdir $(2))_v281: $(B)/selftests/$(1)/v281/obj/$(2).o
endef

$(foreach arch,x86_64 i386,$(eval $(call v281-rules,$(arch))) \
	$(foreach path,$(V281_PATHS),$(eval $(call v281-program,$(arch),$(path)))))

# Programs that also run on processors without CMOV: without the C library,
# and with the parts of the kit that need none (mk/nolibc.mk has the flags).
NOLIBC_SELFTESTS := counters dispatched
NOLIBC_KIT := nolibc/calls.c attr.c counter_check.c known_events.c loop.c pmu.c

GUEST_PROGRAMS_x86_64 += $(NOLIBC_SELFTESTS:%=$(B)/selftests/x86_64/%)
GUEST_PROGRAMS_i386 += $(NOLIBC_SELFTESTS:%=$(B)/selftests/i386/%)

define nolibc-selftest-rules
$(B)/selftests/$(1)/counters: $(SELFTEST_DIR)/nolibc/counters.c \
		$(SELFTEST_DIR)/nolibc/processors.c
$(B)/selftests/$(1)/dispatched: $(SELFTEST_DIR)/nolibc/dispatched.c \
		$(B)/selftests/dispatched_values.c

$(NOLIBC_SELFTESTS:%=$(B)/selftests/$(1)/%): \
		$(NOLIBC_KIT:%=$(KIT_DIR)/%) $(KIT_NOLIBC_HEADERS) \
		$(wildcard $(SELFTEST_DIR)/nolibc/*.h) \
		mk/selftests.mk mk/nolibc.mk | $(KIT_NEEDS)
	$$(call say,LD $$@)
	$$(Q)mkdir -p $$(@D)
	$$(Q)$$(call nolibc-program,$(1),-I$(SELFTEST_DIR)/nolibc $(KIT_NOLIBC_CPPFLAGS))
endef

$(eval $(call nolibc-selftest-rules,x86_64))
$(eval $(call nolibc-selftest-rules,i386))

# Where the library does not run, the build host dispatches the events. The
# processors of machine/cpus without CMOV, and their models.
DISPATCHED_MODELS := p5=53 p5mmx=54 winchip=56 winchip2=57 winchip3=57

$(B)/selftests/dispatch-values: $(SELFTEST_DIR)/nolibc/dispatch_values.c \
		$(LIB_X86_64)/libpfm.a | $(B)/deps/lib.stamp
	$(call say,LD $@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(KIT_CPPFLAGS) $(USER_CFLAGS) $(LDFLAGS) -o $@ \
		$(filter %.c %.a,$^)

$(B)/selftests/dispatched_values.c: $(B)/selftests/dispatch-values mk/selftests.mk
	$(Q)$< $(DISPATCHED_MODELS) > $@.tmp && mv $@.tmp $@

-include $(wildcard $(B)/selftests/*/obj/*/*.d $(B)/selftests/*/v281/*.d \
	$(B)/selftests/*/v281/*/*.d $(B)/selftests/*/v281/obj/*/*.d)

# A program of the v2.81 interface as users have them, with the shared library;
# the one 32-bit binary runs on both kernels.
DYNAMIC_V281 := $(foreach arch,x86_64 i386,$(B)/selftests/$(arch)/dynamic_v281)
GUEST_PROGRAMS_x86_64 += $(B)/selftests/x86_64/dynamic_v281
GUEST_PROGRAMS_i386 += $(B)/selftests/i386/dynamic_v281

$(B)/selftests/i386/dynamic_v281: DYNAMIC_FLAGS := -m32
$(DYNAMIC_V281): $(B)/selftests/%/dynamic_v281: $(DYNAMIC_V281_SOURCE) \
		$(LIB_HEADERS) $(LIB_DIR)/%/libpfm.so
	$(call say,CC $@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(DYNAMIC_FLAGS) -DPFM_HIDE_V30 $(LIB_CPPFLAGS) $(USER_CFLAGS) \
		$(LDFLAGS) -o $@ $(filter %.c %.so,$^)

# What the harness and the shim make of a test that is skipped late is tested on
# the build host (tests/unit/selftests/).
LATE_SKIP := $(B)/unit/selftests/late_skip
UNIT_PROGRAMS += $(B)/unit/selftests/test_late_skip

$(LATE_SKIP)_v281: LATE_SKIP_FLAGS := -DPFM_TEST_V281 -include $(V281_DIR)/program.h
$(LATE_SKIP)_v281: $(B)/selftests/x86_64/v281/shim.o
$(LATE_SKIP) $(LATE_SKIP)_v281: tests/unit/selftests/late_skip.c \
		$(wildcard $(V281_DIR)/*.h) $(KIT_DIR)/include/pfm_test.h \
		$(LIB_X86_64)/libpfm.a mk/selftests.mk mk/kit.mk | $(KIT_NEEDS)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(LATE_SKIP_FLAGS) $(KIT_CPPFLAGS) \
		$(KIT_CFLAGS) -o $@ \
		$(filter %.c,$^) $(filter %.o,$^) $(filter %.a,$^)

$(B)/unit/selftests/test_late_skip: tests/unit/selftests/check-late-skip \
		$(LATE_SKIP) $(LATE_SKIP)_v281
	$(Q)printf '#!/bin/sh\nexec %s %s %s\n' $^ > $@ && chmod +x $@
