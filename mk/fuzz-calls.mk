# SPDX-License-Identifier: GPL-2.0-only
#
# The fuzzer of the system calls (tests/fuzz/calls/): one program of several files,
# which links the kit (mk/kit.mk), for both architectures.

FUZZ_CALLS_DIR := tests/fuzz/calls
FUZZ_CALLS_PARTS := $(basename $(notdir $(wildcard $(FUZZ_CALLS_DIR)/*.c)))

GUEST_PROGRAMS_x86_64 += $(B)/fuzz-calls/x86_64/fuzz
GUEST_PROGRAMS_i386 += $(B)/fuzz-calls/i386/fuzz

# fuzz-calls-rules ARCH: objects and program of one architecture.
define fuzz-calls-rules
$(B)/fuzz-calls/$(1)/obj/%.o: $(FUZZ_CALLS_DIR)/%.c mk/fuzz-calls.mk mk/kit.mk \
		| $(KIT_NEEDS)
	$$(Q)mkdir -p $$(@D)
	$$(Q)$$(call kit-cc,$(1)) -c -o $$@ $$<

$(B)/fuzz-calls/$(1)/fuzz: $(FUZZ_CALLS_PARTS:%=$(B)/fuzz-calls/$(1)/obj/%.o) \
		$(call kit,$(1)) $(B)/lib/$(1)/libpfm.a
	$$(call say,LD $$@)
	$$(Q)$$(call kit-link,$(1)) -o $$@ $$^
endef

$(eval $(call fuzz-calls-rules,x86_64))
$(eval $(call fuzz-calls-rules,i386))

-include $(wildcard $(B)/fuzz-calls/*/obj/*.d)
