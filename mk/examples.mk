# SPDX-License-Identifier: GPL-2.0-only
#
# The examples (examples/), one file each, the programs that pages show, and the
# programs of the v2.81 calls that are tests only (tests/v281/). They are static, so
# that they run in any guest or container; the guests run them as tests
# (tests/tools/examples_run), as 32-bit programs too.

EXAMPLE_NAMES := self rdpmc task attach system-wide multiplex notify sampling
EXAMPLE_NAMES += v281/self v281/multiplex v281/sampling

# With the v2.81 examples these are all programs above, as perfmon2 had them.
V281_PROGRAM_DIR := tests/v281
V281_PROGRAM_PARTS := $(addprefix $(V281_PROGRAM_DIR)/,program.c events.c \
	tracee.c work.c)
V281_PROGRAM_HEADERS := $(wildcard $(V281_PROGRAM_DIR)/*.h)
V281_PROGRAM_NAMES := v281/task v281/attach v281/system-wide v281/notify

# Pages with a program.
PAGE_OF_readme := README.md
PAGE_OF_pfm_dispatch_events := lib/man/pfm_dispatch_events.3
PAGE_PROGRAM_NAMES := pages/readme pages/pfm_dispatch_events

ALL_EXAMPLE_NAMES := $(EXAMPLE_NAMES) $(PAGE_PROGRAM_NAMES) $(V281_PROGRAM_NAMES)
EXAMPLES := $(ALL_EXAMPLE_NAMES:%=$(B)/examples/%)
EXAMPLES_I386 := $(ALL_EXAMPLE_NAMES:%=$(B)/examples/i386/%)
GUEST_PROGRAMS_x86_64 += tests/tools/examples_run
GUEST_PROGRAMS_i386 += tests/tools/examples_run

# In the guest they have a directory of their own: some are called as selftests.
example-guest-paths = $(foreach name,$(ALL_EXAMPLE_NAMES),$(1)/$(name)=$(2)/$(name))
GUEST_EXAMPLES_x86_64 := $(call example-guest-paths,/tests/examples,$(B)/examples)
GUEST_EXAMPLES_i386 := $(call example-guest-paths,/tests/examples,$(B)/examples/i386)
GUEST_EXAMPLES_32 := $(call example-guest-paths,/tests/32/examples,$(B)/examples/i386)

# In C++ and Rust, for 64-bit programs.
OTHER_EXAMPLES := $(addprefix $(B)/examples/,counters benchmark counters-rs)
GUEST_EXAMPLES_x86_64 += $(foreach file,$(OTHER_EXAMPLES),$(file:$(B)/%=/tests/%)=$(file))

.PHONY: examples
examples: $(EXAMPLES) $(EXAMPLES_I386) $(OTHER_EXAMPLES) ## [build] build the example programs

$(EXAMPLE_NAMES:%=$(B)/examples/%): $(B)/examples/%: examples/%.c
$(EXAMPLE_NAMES:%=$(B)/examples/i386/%): $(B)/examples/i386/%: examples/%.c

$(PAGE_PROGRAM_NAMES:%=$(B)/examples/%): $(B)/examples/%: $(B)/examples/%.c
$(PAGE_PROGRAM_NAMES:%=$(B)/examples/i386/%): $(B)/examples/i386/%: $(B)/examples/%.c

define page-program-rule
$(B)/examples/pages/$(1).c: $(PAGE_OF_$(1)) scripts/page-program
	$$(Q)mkdir -p $$(@D)
	$$(Q)scripts/page-program $$< > $$@
endef
$(foreach name,$(notdir $(PAGE_PROGRAM_NAMES)),$(eval \
	$(call page-program-rule,$(name))))

$(V281_PROGRAM_NAMES:%=$(B)/examples/%): $(B)/examples/v281/%: \
	$(V281_PROGRAM_DIR)/%.c $(V281_PROGRAM_PARTS) $(V281_PROGRAM_HEADERS)
$(V281_PROGRAM_NAMES:%=$(B)/examples/i386/%): $(B)/examples/i386/v281/%: \
	$(V281_PROGRAM_DIR)/%.c $(V281_PROGRAM_PARTS) $(V281_PROGRAM_HEADERS)

# The v2.81 programs rely on it, the examples define it themselves.
$(V281_PROGRAM_NAMES:%=$(B)/examples/%): EXAMPLE_FLAGS := -D_GNU_SOURCE
$(V281_PROGRAM_NAMES:%=$(B)/examples/i386/%): EXAMPLE_FLAGS := -D_GNU_SOURCE

$(EXAMPLES): $(LIB_HEADERS) $(LIB_X86_64)/libpfm.a
$(EXAMPLES_I386): $(LIB_HEADERS) $(LIB_I386)/libpfm.a
$(EXAMPLES_I386): EXAMPLE_WORD := -m32
$(EXAMPLES) $(EXAMPLES_I386):
	$(call say,CC $@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(EXAMPLE_WORD) $(EXAMPLE_FLAGS) -Ilib/include $(USER_CFLAGS) \
		$(LDFLAGS) -static -o $@ $(filter %.c %.a,$^)

# With the shared library, as people would build them; Debian has no other one of Google
# Benchmark.
EXAMPLE_CXXFLAGS = -std=c++17 $(filter-out -std=% -Wstrict-prototypes \
	-Wmissing-prototypes,$(USER_CFLAGS))
$(B)/examples/counters $(B)/examples/benchmark: $(B)/examples/%: examples/%.cc \
		examples/counters.hh $(LIB_HEADERS) $(LIB_X86_64)/libpfm.so | $(B)/deps/languages.stamp
	$(call say,CXX $@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CXX) -m64 -Ilib/include $(EXAMPLE_CXXFLAGS) $(LDFLAGS) -o $@ $< \
		-L$(LIB_X86_64) -lpfm $(EXAMPLE_LIBS)
$(B)/examples/benchmark: EXAMPLE_LIBS := -lbenchmark -lpthread

RUSTC ?= rustc
$(B)/examples/counters-rs: examples/counters.rs $(LIB_X86_64)/libpfm.so | $(B)/deps/languages.stamp
	$(call say,RUSTC $@)
	$(Q)mkdir -p $(@D)
	$(Q)$(RUSTC) --edition 2021 -O -C strip=debuginfo -L native=$(LIB_X86_64) -l pfm -o $@ $<
EXAMPLES += $(OTHER_EXAMPLES)
