# SPDX-License-Identifier: GPL-2.0-only
#
# The fuzzer of the system calls (tests/fuzz/calls/): one program of several files,
# built from the parts of the selftests for both architectures.

FUZZ_CALLS_DIR := tests/fuzz/calls
FUZZ_CALLS_PARTS := $(basename $(notdir $(wildcard $(FUZZ_CALLS_DIR)/*.c)))

GUEST_PROGRAMS_x86_64 += $(B)/fuzz-calls/x86_64/fuzz
GUEST_PROGRAMS_i386 += $(B)/fuzz-calls/i386/fuzz

# fuzz-calls-rules ARCH COMPILER-FLAG: objects and program of one architecture.
define fuzz-calls-rules
$(B)/fuzz-calls/$(1)/obj/%.o: $(FUZZ_CALLS_DIR)/%.c mk/fuzz-calls.mk \
		| $(B)/linux/tree.stamp $(B)/deps/lib.stamp
	$$(Q)mkdir -p $$(@D)
	$$(Q)$$(CC) $(2) -I$$(SELFTEST_DIR) $$(SELFTEST_CPPFLAGS) \
		$$(SELFTEST_CFLAGS) -c -o $$@ $$<

$(B)/fuzz-calls/$(1)/fuzz: $(FUZZ_CALLS_PARTS:%=$(B)/fuzz-calls/$(1)/obj/%.o) \
		$(SELFTEST_PARTS:%=$(B)/selftests/$(1)/obj/%.o) \
		$(B)/lib/$(1)/libpfm.a
	$$(call say,LD $$@)
	$$(Q)$$(CC) $(2) $$(SELFTEST_CFLAGS) $$(LDFLAGS) -static -o $$@ $$^
endef

$(eval $(call fuzz-calls-rules,x86_64,-m64))
$(eval $(call fuzz-calls-rules,i386,-m32))

-include $(wildcard $(B)/fuzz-calls/*/obj/*.d)
