# SPDX-License-Identifier: GPL-2.0-only
#
# pfmon (tools/pfmon/): built against libpfm.so.3 of this tree.

TOOLS_DIR := $(B)/tools
PFMON_VERSION := $(LIB_VERSION)

# The verbs that read files of samples are a program of their own, which pfmon
# executes: see Documentation/project/profiles.md.
PROFILE_PARTS := tools/pfmon/profile/read_% tools/pfmon/symbols/% \
	tools/pfmon/unwind/% tools/pfmon/views/% tools/pfmon/export/%
PFMON_ALL := $(wildcard tools/pfmon/*.c tools/pfmon/*/*.c)
# So is pfmon top, which needs a terminal.
TOP_PARTS := tools/pfmon/top/%
# Loads libzstd when samples are to be compressed.
PACKER_PARTS := tools/pfmon/record/packer.c
PFMON_SOURCES := $(filter-out $(PROFILE_PARTS) $(TOP_PARTS),$(PFMON_ALL))
TOP_SOURCES := $(filter $(TOP_PARTS),$(PFMON_ALL)) tools/pfmon/diag.c \
	tools/pfmon/grammar/words.c tools/pfmon/report/plain.c
TOP_OBJECTS := $(TOP_SOURCES:tools/pfmon/%.c=$(TOOLS_DIR)/obj/%.o)
TOP := $(B)/libexec/pfmon/top
PROFILE_SOURCES := $(filter $(PROFILE_PARTS),$(PFMON_ALL)) tools/pfmon/diag.c \
	$(addprefix tools/pfmon/,profile/crc32c.c profile/thin.c profile/writer.c record/packer.c \
	grammar/words.c report/output.c report/plain.c report/rank.c report/json_text.c)
PROFILE_OBJECTS := $(PROFILE_SOURCES:tools/pfmon/%.c=$(TOOLS_DIR)/obj/%.o)
PROFILE := $(B)/libexec/pfmon/profile
PFMON_OBJECTS := $(PFMON_SOURCES:tools/pfmon/%.c=$(TOOLS_DIR)/obj/%.o)

PFMON_CPPFLAGS := -D_GNU_SOURCE -DPFMON_VERSION='"$(PFMON_VERSION)"' \
	-Ilib/include -Itools/pfmon
PFMON_LIBS := -ljson-c

# pfmon-cppflags SOURCE: libraries that may be absent are asked for when the packages
# are there.
pfmon-cppflags = $(PFMON_CPPFLAGS) \
	$(if $(filter $(PROFILE_PARTS),$(1)),$$(scripts/profile-libraries cflags)) \
	$(if $(filter $(PACKER_PARTS),$(1)),$$(scripts/profile-libraries cflags)) \
	$(if $(filter $(TOP_PARTS),$(1)),$$(scripts/profile-libraries cflags top))
PROFILE_LIBS = $(PFMON_LIBS) -lm $$(scripts/profile-libraries libs) -ldl
comma := ,

.PHONY: tools install-tools
tools: $(TOOLS_DIR)/pfmon $(PROFILE) $(TOP) ## [build] build pfmon

$(eval $(call object-rule,$(TOOLS_DIR)/obj/%.o,tools/pfmon/%.c,\
	$$(CC) $$(call pfmon-cppflags,$$<) $$(USER_CFLAGS) -fPIE,tools))

# It finds the library beside itself, in the build tree and where it is installed.
# Packagers, whose library is where the loader looks anyway, set PFMON_RPATH to
# nothing.
PFMON_RPATH ?= $$ORIGIN/../lib:$$ORIGIN/../lib/x86_64

$(TOOLS_DIR)/pfmon: $(PFMON_OBJECTS) $(LIB_X86_64)/libpfm.so
	$(call say,LD $@)
	$(Q)$(CC) $(USER_CFLAGS) $(LDFLAGS) -pie -o $@ $(PFMON_OBJECTS) \
		$(LIB_X86_64)/libpfm.so $(PFMON_LIBS) \
		-Wl,-z,relro -Wl,-z,now \
		$(if $(PFMON_RPATH),-Wl$(comma)-rpath$(comma)'$(PFMON_RPATH)')

$(PROFILE): $(PROFILE_OBJECTS) scripts/profile-libraries
	$(call say,LD $@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(USER_CFLAGS) $(LDFLAGS) -pie -o $@ $(PROFILE_OBJECTS) \
		$(PROFILE_LIBS) -Wl,-z,relro -Wl,-z,now

$(TOP): $(TOP_OBJECTS) scripts/profile-libraries
	$(call say,LD $@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(USER_CFLAGS) $(LDFLAGS) -pie -o $@ $(TOP_OBJECTS) $(PFMON_LIBS) \
		$$(scripts/profile-libraries libs top) -Wl,-z,relro -Wl,-z,now

-include $(PFMON_OBJECTS:.o=.d) $(PROFILE_OBJECTS:.o=.d) $(TOP_OBJECTS:.o=.d)

# Run in the guests: see the usages in the files. In tools/ beside them is what
# they share, and the program whose instructions are known (mk/nolibc.mk).
# pfmon_stock is for kernels of Debian's (mk/module.mk).
PFMON_TESTS := $(addprefix tests/tools/,pfmon_cli pfmon_control \
	pfmon_follow pfmon_groups pfmon_hybrid pfmon_launch pfmon_lines pfmon_names pfmon_record pfmon_regions \
	pfmon_results pfmon_running pfmon_selftest pfmon_sets pfmon_signals pfmon_startup \
	pfmon_streams pfmon_system pfmon_truth)
GUEST_PROGRAMS_x86_64 += $(PFMON_TESTS) tests/tools/pfmon_classic \
	tests/tools/pfmon_branches tests/tools/pfmon_precise \
	tests/tools/pfmon_energy tests/tools/pfmon_profile tests/tools/pfmon_start tests/tools/pfmon_symbols \
	tests/tools/pfmon_top
GUEST_PROGRAMS_i386 += $(PFMON_TESTS)

TOOL_NAMES := crowd energy perf_total samples vanish
# Their functions are where the tests expect them.
KNOWN_PROGRAMS := access astray chain leap prof
TOOL_PROGRAMS := $(foreach arch,x86_64 i386,\
	$(TOOL_NAMES:%=$(TOOLS_DIR)/$(arch)/%) \
	$(KNOWN_PROGRAMS:%=$(TOOLS_DIR)/$(arch)/%) $(TOOLS_DIR)/$(arch)/marked) $(TOOLS_DIR)/x86_64/prof-pie

define tool-program
$(foreach arch,x86_64 i386,$(TOOLS_DIR)/$(arch)/$(1)): \
		$(TOOLS_DIR)/%/$(1): tests/tools/$(1).c mk/nolibc.mk | \
		$(B)/linux/tree.stamp $(B)/deps/guest.stamp
	$$(call say,LD $$@)
	$$(Q)mkdir -p $$(@D)
	$$(Q)$$(call nolibc-program,$$*,-Itests/kit/include -Iinclude/uapi -Imachine/pmu)
endef
$(foreach name,$(TOOL_NAMES),$(eval $(call tool-program,$(name))))
$(foreach arch,x86_64 i386,$(TOOLS_DIR)/$(arch)/crowd): \
	tests/kit/loop.c tests/kit/include/loop.h

define known-program
$(foreach arch,x86_64 i386,$(TOOLS_DIR)/$(arch)/$(1)): $(TOOLS_DIR)/%/$(1): \
		tests/tools/$(1).S mk/nolibc.mk
	$$(call say,LD $$@)
	$$(Q)mkdir -p $$(@D)
	$$(Q)gcc $$(NOLIBC_FLAGS_$$*) $$(PREFIX_MAP) -nostdlib -static -no-pie \
		-Wl,--build-id=sha1,-Ttext=0x401000 -o $$@ $$<
endef
$(foreach name,$(KNOWN_PROGRAMS),$(eval $(call known-program,$(name))))

# The same, where the loader puts it.
$(TOOLS_DIR)/x86_64/prof-pie: tests/tools/prof.S mk/tools.mk
	$(call say,LD $@)
	$(Q)mkdir -p $(@D)
	$(Q)gcc -m64 $(PREFIX_MAP) -nostdlib -static-pie -Wl,--build-id=sha1 -o $@ $<

# It marks regions, with the C library and all that it needs inside.
define marked-program
$(TOOLS_DIR)/$(1)/marked: tests/tools/marked.c $(MARK_HEADERS) \
		$(LIB_DIR)/$(1)/libpfmark.a $(LIB_DIR)/$(1)/libpfm.a
	$$(call say,CC $$@)
	$$(Q)mkdir -p $$(@D)
	$$(Q)$$(CC) $(2) -D_GNU_SOURCE -Ilib/include/mark $$(USER_CFLAGS) $$(LDFLAGS) \
		-static -o $$@ $$(filter %.c %.a,$$^)
endef
$(eval $(call marked-program,x86_64,-m64))
$(eval $(call marked-program,i386,-m32))

# The names of events that libpfm does not have, from the sources of Linux.
.PHONY: pfmon-names
pfmon-names: $(B)/linux/source ## [maintain] make pfmon's tables of generic events and of manufacturers' names from Linux' sources
	$(Q)$(CHECKS).generic_events write "$$(cat $<)"
	$(Q)$(CHECKS).makers_events write "$$(cat $<)"

# Their metrics, from the newest Linux: they count by the names of any version.
.PHONY: pfmon-metrics
pfmon-metrics: $(B)/linux/source ## [maintain] make pfmon's file of the manufacturers' metrics (with KERNEL=patched-7.3)
	$(Q)$(CHECKS).makers_metrics write "$$(cat $<)"

# Packages of Debian have a folder of their own there.
ZSH_FUNCTIONS ?= $(PREFIX)/share/zsh/site-functions

# systemd looks for units there, and below /usr and /, where distributions have theirs.
## UNITDIR=DIR         where install puts the unit of pfmon's service for systemd
UNITDIR ?= $(PREFIX)/lib/systemd/system

# man pfmon-stat and its like show the page of all.
PFMON_VERBS := check diff list merge record stat top
# Those of files of samples have one of their own, pfmon-report(1).
PROFILE_VERBS := annotate export script

# Groups of events: files that are data.
PFMON_GROUPS := $(wildcard tools/pfmon/groups/*/*)

.PHONY: likwid-groups
likwid-groups: $(TOOLS_DIR)/pfmon | $(B)/deps/tools.stamp ## [longer] compare pfmon's groups with LIKWID's (LIKWID= its folder)
	$(Q)[ -n "$(LIKWID)" ] || scripts/foreign-packages sid amd64 $(abspath $(B)/likwid) likwid
	$(Q)LD_LIBRARY_PATH=$(LIB_X86_64) python3 -m checks.likwid_groups --pfmon $(TOOLS_DIR)/pfmon \
		--likwid $(or $(LIKWID),$(B)/likwid/usr/share/likwid)/perfgroups \
		--page Documentation/pfmon-for-likwid-users.rst

# And the manufacturers' metrics.
PFMON_FORMULAS := tools/pfmon/formulas/makers
GUEST_GROUPS := $(foreach file,$(PFMON_GROUPS) $(PFMON_FORMULAS),\
	/usr/share/pfmon/$(file:tools/pfmon/%=%)=$(file))

GUEST_TOOLS_x86_64 := $(GUEST_GROUPS) /tests/tools/tap=tests/tools/tap \
	/tests/tools/covered=tests/tools/covered \
	/tests/tools/recorded=tests/tools/recorded \
	/tests/tools/crowd=$(TOOLS_DIR)/x86_64/crowd \
	/tests/tools/energy=$(TOOLS_DIR)/x86_64/energy \
	/tests/tools/marked=$(TOOLS_DIR)/x86_64/marked \
	/tests/tools/perf_total=$(TOOLS_DIR)/x86_64/perf_total \
	/tests/tools/access=$(TOOLS_DIR)/x86_64/access \
	/tests/tools/astray=$(TOOLS_DIR)/x86_64/astray \
	/tests/tools/chain=$(TOOLS_DIR)/x86_64/chain \
	/tests/tools/leap=$(TOOLS_DIR)/x86_64/leap \
	/tests/tools/prof=$(TOOLS_DIR)/x86_64/prof \
	/tests/tools/prof-pie=$(TOOLS_DIR)/x86_64/prof-pie \
	/tests/tools/samples=$(TOOLS_DIR)/x86_64/samples \
	/tests/tools/vanish=$(TOOLS_DIR)/x86_64/vanish \
	/tests/tools/chain-32=$(TOOLS_DIR)/i386/chain \
	/tests/tools/crowd-32=$(TOOLS_DIR)/i386/crowd \
	/tests/tools/prof-32=$(TOOLS_DIR)/i386/prof
GUEST_TOOLS_i386 := $(GUEST_GROUPS) /tests/tools/tap=tests/tools/tap \
	/tests/tools/recorded=tests/tools/recorded \
	/tests/tools/chain=$(TOOLS_DIR)/i386/chain \
	/tests/tools/crowd=$(TOOLS_DIR)/i386/crowd \
	/tests/tools/marked=$(TOOLS_DIR)/i386/marked \
	/tests/tools/perf_total=$(TOOLS_DIR)/i386/perf_total \
	/tests/tools/prof=$(TOOLS_DIR)/i386/prof \
	/tests/tools/samples=$(TOOLS_DIR)/i386/samples

install-tools: tools install-lib
	$(Q)install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(MANDIR)/man1
	$(Q)install -m 755 $(TOOLS_DIR)/pfmon $(DESTDIR)$(PREFIX)/bin
	$(Q)install -d $(DESTDIR)$(PREFIX)/libexec/pfmon
	$(Q)install -m 755 $(PROFILE) $(TOP) $(DESTDIR)$(PREFIX)/libexec/pfmon
	$(Q)install -m 644 tools/pfmon/pfmon.1 tools/pfmon/pfmon-report.1 \
		$(DESTDIR)$(MANDIR)/man1
	$(Q)for verb in $(PFMON_VERBS); do \
		echo '.so man1/pfmon.1' \
			> $(DESTDIR)$(MANDIR)/man1/pfmon-$$verb.1; done
	$(Q)for verb in $(PROFILE_VERBS); do \
		echo '.so man1/pfmon-report.1' \
			> $(DESTDIR)$(MANDIR)/man1/pfmon-$$verb.1; done
	$(Q)chmod 644 $(foreach verb,$(PFMON_VERBS) $(PROFILE_VERBS),$(DESTDIR)$(MANDIR)/man1/pfmon-$(verb).1)
	$(Q)install -d $(DESTDIR)$(PREFIX)/share/bash-completion/completions \
		$(DESTDIR)$(ZSH_FUNCTIONS)
	$(Q)install -m 644 tools/pfmon/completion/pfmon.bash \
		$(DESTDIR)$(PREFIX)/share/bash-completion/completions/pfmon
	$(Q)install -m 644 tools/pfmon/completion/_pfmon \
		$(DESTDIR)$(ZSH_FUNCTIONS)
	$(Q)install -d $(DESTDIR)$(PREFIX)/share/pfmon/groups/all
	$(Q)install -m 644 tools/pfmon/groups/all/* \
		$(DESTDIR)$(PREFIX)/share/pfmon/groups/all
	$(Q)install -d $(DESTDIR)$(PREFIX)/share/pfmon/formulas
	$(Q)install -m 644 $(PFMON_FORMULAS) \
		$(DESTDIR)$(PREFIX)/share/pfmon/formulas
	$(Q)install -d $(DESTDIR)$(UNITDIR) $(DESTDIR)$(MANDIR)/man8
	$(Q)install -m 644 tools/pfmon/pfmon.service.8 $(DESTDIR)$(MANDIR)/man8
	$(Q)sed 's|@bindir@|$(PREFIX)/bin|' tools/pfmon/systemd/pfmon.service.in \
		> $(DESTDIR)$(UNITDIR)/pfmon.service
	$(Q)chmod 644 $(DESTDIR)$(UNITDIR)/pfmon.service
