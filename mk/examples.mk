# SPDX-License-Identifier: GPL-2.0-only
#
# The examples (examples/): each exists for the v3.0 calls and, in v281/, for the
# v2.81 ones. They are static, so that they run in any guest or container; the
# guests run them as tests (tests/tools/examples_run), as 32-bit programs too.

EXAMPLE_NAMES := self task attach system-wide multiplex notify sampling
EXAMPLE_NAMES += $(EXAMPLE_NAMES:%=v281/%)

# What they are made of besides.
EXAMPLE_PARTS := examples/events.c examples/tracee.c examples/work.c
EXAMPLE_HEADERS := $(wildcard examples/*.h examples/v281/*.h)

EXAMPLES := $(EXAMPLE_NAMES:%=$(B)/examples/%)
EXAMPLES_I386 := $(EXAMPLE_NAMES:%=$(B)/examples/i386/%)
GUEST_PROGRAMS_x86_64 += tests/tools/examples_run
GUEST_PROGRAMS_i386 += tests/tools/examples_run

# In the guest they have a directory of their own: some are called as selftests.
example-guest-paths = $(foreach name,$(EXAMPLE_NAMES),$(1)/$(name)=$(2)/$(name))
GUEST_EXAMPLES_x86_64 := $(call example-guest-paths,/tests/examples,$(B)/examples)
GUEST_EXAMPLES_i386 := $(call example-guest-paths,/tests/examples,$(B)/examples/i386)
GUEST_EXAMPLES_32 := $(call example-guest-paths,/tests/32/examples,$(B)/examples/i386)

.PHONY: examples
examples: $(EXAMPLES) $(EXAMPLES_I386) ## [build] build the example programs

# Each uses the program.c that is beside it.
example-sources = examples/$(1).c $(dir examples/$(1))program.c $(EXAMPLE_PARTS)

# example-rule NAME
define example-rule
$(B)/examples/$(1): $(call example-sources,$(1)) $(EXAMPLE_HEADERS) \
		$(LIB_HEADERS) $(LIB_X86_64)/libpfm.a
$(B)/examples/i386/$(1): $(call example-sources,$(1)) $(EXAMPLE_HEADERS) \
		$(LIB_HEADERS) $(LIB_I386)/libpfm.a
endef
$(foreach name,$(EXAMPLE_NAMES),$(eval $(call example-rule,$(name))))

$(EXAMPLES_I386): EXAMPLE_FLAGS := -m32
$(EXAMPLES) $(EXAMPLES_I386):
	$(call say,CC $@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(EXAMPLE_FLAGS) $(LIB_CPPFLAGS) $(USER_CFLAGS) $(LDFLAGS) \
		-static -o $@ $(filter %.c %.a,$^)
