# SPDX-License-Identifier: GPL-2.0-only
#
# The library (lib/): libpfm.so.3 and the static archive, for x86-64 and for i386.
# mk/unit-lib.mk has its unit tests.
#
# The variables that tools.mk uses as well: USER_WARN, USER_CFLAGS, LIB_CPPFLAGS,
# LIB_X86_64. WERROR=1 makes warnings errors, CFLAGS can be set as usual.

LIB_VERSION := 3.10.0
LIB_SONAME := libpfm.so.3
LIB_DIR := $(B)/lib
LIB_X86_64 := $(LIB_DIR)/x86_64
LIB_I386 := $(LIB_DIR)/i386
LIB_SOURCES := $(filter-out lib/mark/%,$(wildcard lib/*.c lib/*/*.c))
LIB_HEADERS := $(wildcard lib/include/perfmon/*.h)
LIB_MAN3 := $(wildcard lib/man/*.3)

CFLAGS ?= -O2 -g
USER_WARN = $(WARNINGS) -Wmissing-prototypes
USER_CFLAGS = -std=gnu11 $(USER_WARN) $(CFLAGS) $(PREFIX_MAP)
LIB_CPPFLAGS := -D_GNU_SOURCE -Ilib/include
LIB_CFLAGS = $(USER_CFLAGS) -fPIC -fvisibility=hidden

# Sources name the headers of other rooms from lib/ on. libpfm4's header has the
# name of ours, see lib/events/libpfm4.h.
lib-cppflags = -D_GNU_SOURCE -Ilib \
	$(if $(filter lib/events/libpfm4.c,$(1)),$(LIBPFM4:%=-I%/include),-Ilib/include)

# The calls of the kernel know nothing of events, and the other way round: a
# program that is linked statically gets what it uses.
LIB_KERNEL_SOURCES := $(wildcard lib/calls/*.c lib/compat_*.c)
LIB_EVENT_SOURCES := $(filter-out $(LIB_KERNEL_SOURCES),$(LIB_SOURCES))
lib-kernel-objects = $(LIB_KERNEL_SOURCES:lib/%.c=$(1)/obj/%.o)
lib-event-objects = $(LIB_EVENT_SOURCES:lib/%.c=$(1)/obj/%.o) \
	$(1)/libpfm4.a
lib-objects = $(call lib-kernel-objects,$(1)) $(call lib-event-objects,$(1))

.PHONY: lib lib32 built-lib install-lib install-lib32
lib: $(LIB_X86_64)/libpfm.so $(LIB_X86_64)/libpfm.a ## [build] build libpfm.so.3 and libpfm.a, in Debian for 32-bit programs too
lib32: $(LIB_I386)/libpfm.so $(LIB_I386)/libpfm.a ## [build] build them for 32-bit programs, elsewhere with LIBPFM4_i386=FILE
# libpfm4 for i386 comes from Debian, without being installed.
ifeq ($(DISTRIBUTION),debian)
lib: lib32
endif

# All that depends on the architecture: directory, option.
define lib-rules
$(call object-rule,$(1)/obj/%.o,lib/%.c,\
	$$(CC) $(2) $$(call lib-cppflags,$$<) $$(LIB_CFLAGS),lib)

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

# Which counters count which events, and the events of new processors, from the
# sources of Linux.

.PHONY: lib-constraints lib-events
lib-constraints: $(B)/linux/source ## [maintain] make the library's table of counter constraints from Linux' sources
	$(Q)$(CHECKS).lib_constraints write "$$(cat $<)"

lib-events: $(B)/linux/source ## [maintain] make the library's tables of new processors' events from Linux' sources
	$(Q)$(CHECKS).lib_events write "$$(cat $<)"

# Installation. The development files of libpfm4 have the same names, so ours
# live in directories of their own; libpfm.pc leads compilers there.

PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
MANDIR ?= $(PREFIX)/share/man
# Something longer where libpfm4's pages are in the same directory.
MAN3EXT ?= 3

# The word size that install-lib installs, into LIBDIR; the rest of "lib" is for the
# guests. install-lib32 has the other one.
INSTALLED_ARCH := x86_64
INSTALLED_DIR := $(LIB_DIR)/$(INSTALLED_ARCH)
LIB_INSTALLED := $(INSTALLED_DIR)/libpfm.so $(INSTALLED_DIR)/libpfm.a \
	$(INSTALLED_DIR)/libpfmark.so $(INSTALLED_DIR)/libpfmark.a

built-lib: $(LIB_INSTALLED)
install-lib: $(LIB_INSTALLED)
	$(Q)install -d $(DESTDIR)$(LIBDIR)/libpfm3 $(DESTDIR)$(LIBDIR)/pkgconfig \
		$(DESTDIR)$(INCLUDEDIR)/libpfm3/perfmon \
		$(DESTDIR)$(PREFIX)/share/doc/libpfm3
	$(Q)install -m 755 $(INSTALLED_DIR)/libpfm.so.$(LIB_VERSION) $(DESTDIR)$(LIBDIR)
	$(Q)ln -sf libpfm.so.$(LIB_VERSION) $(DESTDIR)$(LIBDIR)/$(LIB_SONAME)
	$(Q)ln -sf ../$(LIB_SONAME) $(DESTDIR)$(LIBDIR)/libpfm3/libpfm.so
	$(Q)install -m 644 $(INSTALLED_DIR)/libpfm.a $(DESTDIR)$(LIBDIR)/libpfm3
	$(Q)install -m 644 $(LIB_HEADERS) \
		$(DESTDIR)$(INCLUDEDIR)/libpfm3/perfmon
	$(Q)install -m 644 debian/copyright $(DESTDIR)$(PREFIX)/share/doc/libpfm3
	$(Q)scripts/install-man3 $(MAN3EXT) $(DESTDIR)$(MANDIR)/man3 $(LIB_MAN3)
	$(Q)sed -e 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|' \
		-e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' lib/libpfm.pc.in \
		> $(DESTDIR)$(LIBDIR)/pkgconfig/libpfm.pc
	$(Q)chmod 644 $(DESTDIR)$(LIBDIR)/pkgconfig/libpfm.pc
	+$(Q)$(MAKE) install-mark INSTALLED_ARCH=$(INSTALLED_ARCH)

# Where a 64-bit Debian with libc6:i386 looks for 32-bit libraries.
LIBDIR32 ?= $(PREFIX)/lib/i386-linux-gnu

install-lib32: ## [install] install the library for 32-bit programs, beside the other or alone
	+$(Q)$(MAKE) install-lib INSTALLED_ARCH=i386 LIBDIR='$(LIBDIR32)'
