# SPDX-License-Identifier: GPL-2.0-only
#
# The library (lib/) and its unit tests. Builds libpfm.so.3 and the static archive,
# for x86-64 and for i386.
#
# The variables that tools.mk uses as well: USER_WARN, USER_CFLAGS, LIB_CPPFLAGS,
# LIB_X86_64. WERROR=1 makes warnings errors, CFLAGS can be set as usual.

LIB_VERSION := 3.10.0
LIB_SONAME := libpfm.so.3
LIB_DIR := $(B)/lib
LIB_X86_64 := $(LIB_DIR)/x86_64
LIB_I386 := $(LIB_DIR)/i386
LIB_SOURCES := $(wildcard lib/*.c lib/*/*.c)
LIB_HEADERS := $(wildcard lib/include/perfmon/*.h)
LIB_MAN3 := $(wildcard lib/man/*.3)

CFLAGS ?= -O2 -g
USER_WARN = $(WARNINGS) -Wmissing-prototypes
USER_CFLAGS = -std=gnu11 $(USER_WARN) $(CFLAGS) $(PREFIX_MAP)
LIB_CPPFLAGS := -D_GNU_SOURCE -Ilib/include
LIB_CFLAGS = $(USER_CFLAGS) -fPIC -fvisibility=hidden -MMD -MP

# Sources name the headers of other rooms from lib/ on. libpfm4's header has the
# name of ours, see lib/events/libpfm4.h.
lib-cppflags = -D_GNU_SOURCE -Ilib \
	$(if $(filter lib/events/libpfm4.c,$(1)),,-Ilib/include)

# The calls of the kernel know nothing of events, and the other way round: a
# program that is linked statically gets what it uses.
LIB_KERNEL_SOURCES := $(wildcard lib/calls/*.c lib/compat_*.c)
LIB_EVENT_SOURCES := $(filter-out $(LIB_KERNEL_SOURCES),$(LIB_SOURCES))
lib-kernel-objects = $(LIB_KERNEL_SOURCES:lib/%.c=$(1)/obj/%.o)
lib-event-objects = $(LIB_EVENT_SOURCES:lib/%.c=$(1)/obj/%.o) \
	$(1)/obj/tables_generated.o $(1)/libpfm4.a
lib-objects = $(call lib-kernel-objects,$(1)) $(call lib-event-objects,$(1))

.PHONY: lib install-lib
lib: $(foreach arch,$(LIB_X86_64) $(LIB_I386),$(arch)/libpfm.so $(arch)/libpfm.a) ## [build] build libpfm.so.3 and libpfm.a

# All that depends on the architecture: directory, option.
define lib-rules
$(1)/obj/tables_generated.o: $(LIBPFM4_TABLES) | $(B)/deps/lib.stamp
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $(2) $$(LIB_CPPFLAGS) -Ilib $$(LIB_CFLAGS) -c -o $$@ $$<

$(1)/obj/%.o: lib/%.c | $(B)/deps/lib.stamp
	@mkdir -p $$(@D)
	$$(Q)$$(CC) $(2) $$(call lib-cppflags,$$<) $$(LIB_CFLAGS) -c -o $$@ $$<

# No symbol but the public ones leaves the static library either: what belongs
# together becomes one object, in which the others are local.
$(1)/libpfm-kernel.o: $$(call lib-kernel-objects,$(1))
$(1)/libpfm-events.o: $$(call lib-event-objects,$(1))
$(1)/libpfm-kernel.o $(1)/libpfm-events.o: lib/libpfm.map
	$$(Q)$$(CC) $(2) -r -nostdlib -o $$@ -Wl,--whole-archive \
		$$(filter %.o %.a,$$^) -Wl,--no-whole-archive
	$$(Q)sed -n 's/^\t\(pfm_[a-z0-9_]*\);$$$$/\1/p' $$(filter %.map,$$^) \
		> $$@.public
	$$(Q)objcopy --wildcard --keep-global-symbol='__x86.*' \
		--keep-global-symbols=$$@.public $$@

$(1)/libpfm.a: $(1)/libpfm-kernel.o $(1)/libpfm-events.o
	$$(call say,AR $$@)
	@rm -f $$@
	$$(Q)$$(AR) rcsD $$@ $$^

$(1)/libpfm.so.$(LIB_VERSION): lib/libpfm.map $$(call lib-objects,$(1))
	$$(call say,LD $$@)
	$$(Q)$$(CC) $(2) $$(USER_CFLAGS) $$(LDFLAGS) -shared -o $$@ \
		$$(filter %.o %.a,$$^) \
		-Wl,-soname,$(LIB_SONAME) -Wl,--version-script=$$< \
		-Wl,-Bsymbolic-functions \
		-Wl,-z,defs -Wl,-z,text -Wl,-z,relro -Wl,-z,now

$(1)/$(LIB_SONAME): $(1)/libpfm.so.$(LIB_VERSION)
$(1)/libpfm.so: $(1)/$(LIB_SONAME)
$(1)/$(LIB_SONAME) $(1)/libpfm.so:
	$$(Q)ln -sf libpfm.so.$(LIB_VERSION) $$@
endef

$(eval $(call lib-rules,$(LIB_X86_64),-m64))
$(eval $(call lib-rules,$(LIB_I386),-m32))

-include $(patsubst %.o,%.d,$(filter %.o,$(call lib-objects,$(LIB_X86_64)) \
	$(call lib-objects,$(LIB_I386))))

# Unit tests: compiled together with what they test, with the sanitizers.
# UNIT_LIB_NAME lists the objects that the program NAME consists of.

UNIT_LIB_DIR := $(B)/unit/lib
UNIT_LIB_CFLAGS = $(USER_CFLAGS) -O1 -fno-omit-frame-pointer \
	-fsanitize=address,undefined -fno-sanitize-recover=all -MMD -MP

# All of the library but the calls of the kernel; needs libpfm4.a.
UNIT_LIB_EVENTS := $(LIB_EVENT_SOURCES:%.c=%) lib/tables_generated

UNIT_LIB_pfmlib_detect := test_pfmlib_detect $(UNIT_LIB_EVENTS)
UNIT_LIB_pfmlib_init := test_pfmlib_init force_pmu $(UNIT_LIB_EVENTS)
UNIT_LIB_pfmlib_find := test_pfmlib_find force_pmu $(UNIT_LIB_EVENTS)
UNIT_LIB_pfmlib_info := test_pfmlib_info force_pmu $(UNIT_LIB_EVENTS)
UNIT_LIB_pfmlib_tables := test_pfmlib_tables force_pmu $(UNIT_LIB_EVENTS)
UNIT_LIB_pfmlib_threads := test_pfmlib_threads force_pmu $(UNIT_LIB_EVENTS)
UNIT_LIB_DISPATCH := cases input p6 amd64 p4 old
$(foreach test,$(UNIT_LIB_DISPATCH),$(eval UNIT_LIB_dispatch_$(test) := \
	test_dispatch_$(test) dispatched force_pmu $(UNIT_LIB_EVENTS)))
UNIT_LIB_dispatch_libpfm4 := test_dispatch_libpfm4 force_pmu $(UNIT_LIB_EVENTS)
UNIT_LIB_dispatch_random := test_dispatch_random dispatch_oracle force_pmu \
	$(UNIT_LIB_EVENTS)
UNIT_LIB_pfmlib_cpu := test_pfmlib_cpu
UNIT_LIB_event_counters := test_event_counters force_pmu $(UNIT_LIB_EVENTS)
UNIT_LIB_syscalls_v3 := test_syscalls_v3 scratch_dir \
	lib/calls/pfmlib_kernel lib/calls/syscalls_v3
UNIT_LIB_COMPAT := fake_kernel scratch_dir \
	lib/calls/pfmlib_kernel lib/calls/syscalls_v3 \
	lib/compat_v281 lib/compat_v281_regs lib/compat_v281_sets \
	lib/compat_v281_strict lib/compat_v3_draft lib/compat_vector
UNIT_LIB_pfmon_options := test_pfmon_options message pfmon/options pfmon/diag
UNIT_LIB_pfmon_events := test_pfmon_events message pfmon/event \
	pfmon/modifiers pfmon/tables pfmon/table_list pfmon/diag \
	$(UNIT_LIB_EVENTS)
UNIT_LIB_pfmon_assign := test_pfmon_assign message scratch_dir fake_pmu \
	pfmon/assign pfmon/available pfmon/regmap pfmon/event pfmon/modifiers \
	pfmon/tables pfmon/diag $(UNIT_LIB_EVENTS)
UNIT_LIB_pfmon_session := test_pfmon_session message scratch_dir \
	pfmon/session pfmon/regmap pfmon/diag
UNIT_LIB_pfmon_run := test_pfmon_run message scratch_dir pfmon/run pfmon/diag
UNIT_LIB_pfmon_report := test_pfmon_report pfmon/report

# Dispatches of Intel's models; they choose processors that nobody can force.
UNIT_LIB_INTEL_NAMES := dispatch_core dispatch_arch dispatch_nhm dispatch_intel \
	intel_registers intel_random model_functions
$(foreach name,$(UNIT_LIB_INTEL_NAMES),$(eval \
	UNIT_LIB_$(name) := test_$(name) dispatch_case $(UNIT_LIB_EVENTS)))
UNIT_LIB_intel_random += intel_reference

# Programs with UNIT_LIB_EVENTS.
UNIT_LIB_EVENT_NAMES := pfmlib_detect pfmlib_init pfmlib_find pfmlib_info \
	pfmlib_tables pfmlib_threads $(UNIT_LIB_DISPATCH:%=dispatch_%) \
	dispatch_random dispatch_libpfm4 event_counters \
	$(UNIT_LIB_INTEL_NAMES) pfmon_events pfmon_assign

UNIT_LIB_COMPAT_NAMES := compat_v281 compat_native compat_regs compat_sets \
	compat_draft

UNIT_LIB_NAMES := $(UNIT_LIB_EVENT_NAMES) $(UNIT_LIB_COMPAT_NAMES) \
	pfmlib_cpu syscalls_v3 pfmon_options \
	pfmon_session pfmon_run pfmon_report
$(foreach name,$(UNIT_LIB_COMPAT_NAMES),$(eval \
	UNIT_LIB_$(name) := test_$(name) $(UNIT_LIB_COMPAT)))
UNIT_LIB_PROGRAMS := $(UNIT_LIB_NAMES:%=$(UNIT_LIB_DIR)/test_%)
UNIT_LIB_ABI := $(UNIT_LIB_DIR)/test_lib_abi
UNIT_LIB_LINKED := $(UNIT_LIB_DIR)/test_lib_programs
UNIT_PROGRAMS += $(UNIT_LIB_PROGRAMS) $(UNIT_LIB_ABI) $(UNIT_LIB_LINKED)

# What the library would send to the kernel goes to the test.
$(UNIT_LIB_DIR)/test_syscalls_v3 $(UNIT_LIB_DIR)/test_compat_%: \
	UNIT_LIB_LIBS := -Wl,--wrap=syscall
$(UNIT_LIB_DIR)/test_compat_v281: UNIT_LIB_LIBS += -Wl,--wrap=uname
$(UNIT_LIB_DIR)/test_compat_regs: UNIT_LIB_LIBS += -Wl,--wrap=mmap \
	-Wl,--wrap=munmap -Wl,--wrap=malloc
$(UNIT_LIB_DIR)/test_pfmon_report: UNIT_LIB_LIBS := -ljson-c
UNIT_LIB_WITH_EVENTS := $(UNIT_LIB_EVENT_NAMES:%=$(UNIT_LIB_DIR)/test_%)
$(UNIT_LIB_WITH_EVENTS): $(LIB_X86_64)/libpfm4.a
$(UNIT_LIB_WITH_EVENTS): UNIT_LIB_LIBS := $(LIB_X86_64)/libpfm4.a
$(UNIT_LIB_INTEL_NAMES:%=$(UNIT_LIB_DIR)/test_%): UNIT_LIB_LIBS := \
	$(LIB_X86_64)/libpfm4.a -Wl,--wrap=pfmlib_current

.PHONY: check-unit-lib
check-unit-lib: $(UNIT_LIB_PROGRAMS) $(UNIT_LIB_ABI) $(UNIT_LIB_LINKED)
	$(Q)for program in $^; do ./$$program; done

# The tests that look at the library as it is installed.
$(UNIT_LIB_ABI): tests/unit/lib/check-abi $(LIB_X86_64)/$(LIB_SONAME)
	@mkdir -p $(@D)
	$(Q)printf '#!/bin/sh\nexec %s %s lib\n' $^ > $@ && chmod +x $@

$(UNIT_LIB_LINKED): tests/unit/lib/check-programs \
		$(foreach arch,$(LIB_X86_64) $(LIB_I386),$(arch)/libpfm.so \
			$(arch)/libpfm.a) | $(B)/deps/unit.stamp
	@mkdir -p $(@D)
	$(Q)printf '#!/bin/sh\nexec %s %s %s lib/include\n' $< $(LIB_X86_64) \
		$(LIB_I386) > $@ && chmod +x $@

$(UNIT_LIB_DIR)/obj/lib/%.o: lib/%.c | $(B)/deps/unit.stamp
	@mkdir -p $(@D)
	$(Q)$(CC) $(call lib-cppflags,$<) $(UNIT_LIB_CFLAGS) -c -o $@ $<

$(UNIT_LIB_DIR)/obj/lib/tables_generated.o: $(LIBPFM4_TABLES) \
		| $(B)/deps/unit.stamp
	@mkdir -p $(@D)
	$(Q)$(CC) $(LIB_CPPFLAGS) -Ilib $(UNIT_LIB_CFLAGS) -c -o $@ $<

$(UNIT_LIB_DIR)/obj/pfmon/%.o: tools/pfmon/%.c | $(B)/deps/unit.stamp \
		$(B)/deps/tools.stamp
	@mkdir -p $(@D)
	$(Q)$(CC) $(PFMON_CPPFLAGS) $(UNIT_LIB_CFLAGS) -c -o $@ $<

$(UNIT_LIB_DIR)/obj/%.o: tests/unit/lib/%.c | $(B)/deps/unit.stamp
	@mkdir -p $(@D)
	$(Q)$(CC) $(LIB_CPPFLAGS) -Ilib -Itools/pfmon $(UNIT_LIB_CFLAGS) \
		-c -o $@ $<

$(UNIT_LIB_DIR)/obj/%.o: tests/unit/pfmon/%.c | $(B)/deps/unit.stamp \
		$(B)/deps/tools.stamp
	@mkdir -p $(@D)
	$(Q)$(CC) $(LIB_CPPFLAGS) -Itests/unit/lib -Ilib -Itools/pfmon \
		$(UNIT_LIB_CFLAGS) -c -o $@ $<

define unit-lib-rule
$(UNIT_LIB_DIR)/test_$(1): $(UNIT_LIB_$(1):%=$(UNIT_LIB_DIR)/obj/%.o)
endef
$(foreach name,$(UNIT_LIB_NAMES),$(eval $(call unit-lib-rule,$(name))))

$(UNIT_LIB_PROGRAMS):
	$(call say,LD $@)
	$(Q)$(CC) $(UNIT_LIB_CFLAGS) -o $@ $(filter %.o,$^) $(UNIT_LIB_LIBS) \
		-lcmocka

-include $(wildcard $(UNIT_LIB_DIR)/obj/*.d $(UNIT_LIB_DIR)/obj/*/*.d \
	$(UNIT_LIB_DIR)/obj/*/*/*.d)

# Installation. The development files of libpfm4 have the same names, so ours
# live in directories of their own; libpfm.pc leads compilers there.

PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR ?= $(PREFIX)/share/man
# Something longer where libpfm4's pages are in the same directory.
MAN3EXT ?= 3

# What is installed; the rest of "lib" is for the guests.
LIB_INSTALLED := $(LIB_X86_64)/libpfm.so $(LIB_X86_64)/libpfm.a

install-lib: $(LIB_INSTALLED)
	$(Q)install -d $(DESTDIR)$(LIBDIR)/libpfm3 $(DESTDIR)$(LIBDIR)/pkgconfig \
		$(DESTDIR)$(INCLUDEDIR)/libpfm3/perfmon \
		$(DESTDIR)$(PREFIX)/share/doc/libpfm3
	$(Q)install -m 755 $(LIB_X86_64)/libpfm.so.$(LIB_VERSION) $(DESTDIR)$(LIBDIR)
	$(Q)ln -sf libpfm.so.$(LIB_VERSION) $(DESTDIR)$(LIBDIR)/$(LIB_SONAME)
	$(Q)ln -sf ../$(LIB_SONAME) $(DESTDIR)$(LIBDIR)/libpfm3/libpfm.so
	$(Q)install -m 644 $(LIB_X86_64)/libpfm.a $(DESTDIR)$(LIBDIR)/libpfm3
	$(Q)install -m 644 $(LIB_HEADERS) \
		$(DESTDIR)$(INCLUDEDIR)/libpfm3/perfmon
	$(Q)install -m 644 /usr/share/doc/libpfm4-dev/copyright \
		$(DESTDIR)$(PREFIX)/share/doc/libpfm3/copyright.libpfm4
	$(Q)scripts/install-man3 $(MAN3EXT) $(DESTDIR)$(MANDIR)/man3 $(LIB_MAN3)
	$(Q)sed -e 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|' \
		-e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' lib/libpfm.pc.in \
		> $(DESTDIR)$(LIBDIR)/pkgconfig/libpfm.pc
