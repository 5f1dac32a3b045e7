# SPDX-License-Identifier: GPL-2.0-only
#
# Programs whose truth is known (tests/truth/), which pfmon_truth measures in a guest.

TRUTH_FILES := $(wildcard tests/truth/*.truth tests/truth/*.mk tests/truth/*.sh)
TRUTH_NAMES := $(basename $(notdir $(wildcard tests/truth/*.c tests/truth/*.cc)))
# Debian's make, which is not for 32-bit guests.
TRUTH_BUILD := tests/truth/build.truth tests/truth/build.mk
# One of them in other ways, too: see the flags.
TRUTH_WAYS := pie static-pie 32 stripped
# Those whose callers are known also without frame pointers.
TRUTH_CHAINS := recursion step tail throws
# throws-pie brings the library of C++, by which pfmon reads names.
TRUTH_OTHER_WAYS := $(addprefix step-,$(TRUTH_WAYS)) throws-pie
# In other languages, whose compilers make 64-bit programs.
TRUTH_LANGUAGES := goroutines panics
TRUTH_x86_64 := $(TRUTH_NAMES) $(TRUTH_OTHER_WAYS) $(TRUTH_CHAINS:%=%-nofp) $(TRUTH_LANGUAGES)
TRUTH_i386 := $(TRUTH_NAMES)

TRUTH_CFLAGS = $(USER_CFLAGS) -D_GNU_SOURCE -O1 -fno-omit-frame-pointer \
	-foptimize-sibling-calls -Wl,--build-id=sha1
TRUTH_CXXFLAGS = -std=gnu++17 \
	$(filter-out -std=% -Wstrict-prototypes -Wmissing-prototypes,$(TRUTH_CFLAGS))
TRUTH_FLAGS := -static -no-pie
TRUTH_FLAGS_pie := -fPIE -pie
TRUTH_FLAGS_static-pie := -fPIE -static-pie
TRUTH_FLAGS_32 := -m32 -static -no-pie
TRUTH_FLAGS_stripped := $(TRUTH_FLAGS)

truth-compile.c = $(CC) $(TRUTH_CFLAGS)
truth-compile.cc = $(CXX) $(TRUTH_CXXFLAGS)

# truth-program TARGET-PATTERN,SUFFIX OF THE SOURCE,FLAGS
define truth-program
$(TOOLS_DIR)/$(1): tests/truth/%$(2) tests/truth/truth.h mk/truth.mk | $(B)/deps/guest.stamp
	$$(call say,CC $$@)
	$$(Q)mkdir -p $$(@D)
	$$(Q)$$(truth-compile$(2)) $(3) -o $$@ $$<
endef
truth-programs = $(foreach suffix,.c .cc,$(eval $(call truth-program,$(1),$(suffix),$(2))))
$(call truth-programs,x86_64/truth/%,-m64 $(TRUTH_FLAGS))
$(call truth-programs,i386/truth/%,-m32 $(TRUTH_FLAGS))
TRUTH_NOFP := -fomit-frame-pointer -DNO_FRAME
$(call truth-programs,x86_64/truth/%-nofp,$(TRUTH_FLAGS) $(TRUTH_NOFP))
$(call truth-programs,x86_64/truth/%-nofp-pie,$(TRUTH_FLAGS_pie) $(TRUTH_NOFP))
$(foreach way,$(filter-out stripped,$(TRUTH_WAYS)),\
	$(call truth-programs,x86_64/truth/%-$(way),$(TRUTH_FLAGS_$(way))))

# Without the tables of lines, which nothing reads.
TRUTH_RUSTFLAGS := --edition 2021 -O -C force-frame-pointers=yes -C relocation-model=static \
	-C target-feature=+crt-static -C strip=debuginfo
$(TOOLS_DIR)/x86_64/truth/panics: tests/truth/panics.rs mk/truth.mk | $(B)/deps/languages.stamp
	$(call say,RUSTC $@)
	$(Q)mkdir -p $(@D)
	$(Q)$(RUSTC) $(TRUTH_RUSTFLAGS) -o $@ $<

GO ?= go
$(TOOLS_DIR)/x86_64/truth/goroutines: $(wildcard tests/truth/goroutines/*) mk/truth.mk \
		| $(B)/deps/languages.stamp
	$(call say,GO $@)
	$(Q)mkdir -p $(@D)
	$(Q)cd $(<D) && GOCACHE=$(CURDIR)/$(B)/go GO111MODULE=off GOFLAGS= CGO_ENABLED=0 \
		$(GO) build -trimpath -o $(CURDIR)/$@ .

# Its symbols are in a file beside it.
$(TOOLS_DIR)/x86_64/truth/step-stripped: $(TOOLS_DIR)/x86_64/truth/step
	$(call say,STRIP $@)
	$(Q)objcopy --only-keep-debug $< $@.debug
	$(Q)cd $(@D) && objcopy --strip-all --add-gnu-debuglink=step-stripped.debug step $(@F)

# What the start of one executes.
TRUTH_START := start/nothing
guest-truths = $(foreach program,$(TRUTH_$(1)), \
	/tests/truth/$(program)=$(TOOLS_DIR)/$(1)/truth/$(program)) \
	/tests/truth/nothing.start=$(TOOLS_DIR)/$(1)/truth/$(TRUTH_START) \
	$(foreach file,$(filter-out $(2),$(TRUTH_FILES)),/tests/truth/$(notdir $(file))=$(file))
GUEST_TOOLS_x86_64 += $(call guest-truths,x86_64) /usr/bin/make=/usr/bin/make \
	/tests/truth/step-stripped.debug=$(TOOLS_DIR)/x86_64/truth/step-stripped.debug
GUEST_TOOLS_i386 += $(call guest-truths,i386,\
	$(TRUTH_BUILD) $(TRUTH_LANGUAGES:%=tests/truth/%.truth))
$(TOOLS_DIR)/x86_64/truth/step-stripped.debug: $(TOOLS_DIR)/x86_64/truth/step-stripped ;
TOOL_PROGRAMS += $(addprefix $(TOOLS_DIR)/x86_64/truth/,$(TRUTH_x86_64) $(TRUTH_START)) \
	$(addprefix $(TOOLS_DIR)/i386/truth/,$(TRUTH_i386) $(TRUTH_START))
