# SPDX-License-Identifier: GPL-2.0-only
#
# pfmon (tools/pfmon/): built against libpfm.so.3 of this tree, and with a
# private copy of libpfm4 for the names of events.

TOOLS_DIR := $(B)/tools
PFMON_VERSION := $(LIB_VERSION)
PFMON_SOURCES := $(wildcard tools/pfmon/*.c)
PFMON_OBJECTS := $(PFMON_SOURCES:tools/pfmon/%.c=$(TOOLS_DIR)/obj/%.o)

# These include libpfm4's header, and so cannot see those of libpfm.so.3.
PFMON_TABLE_SOURCES := tools/pfmon/tables.c tools/pfmon/table_list.c

pfmon-cppflags = -D_GNU_SOURCE -DPFMON_VERSION='"$(PFMON_VERSION)"' \
	$(if $(filter $(PFMON_TABLE_SOURCES),$(1)),,-Ilib/include)
PFMON_LIBS := -ljson-c
comma := ,

.PHONY: tools install-tools
tools: $(TOOLS_DIR)/pfmon ## build pfmon

$(TOOLS_DIR)/obj/%.o: tools/pfmon/%.c | $(B)/deps/tools.stamp
	@mkdir -p $(@D)
	$(Q)$(CC) $(call pfmon-cppflags,$<) $(USER_CFLAGS) -fPIE -MMD -MP -c -o $@ $<

# It finds the library beside itself, in the build tree and where it is installed.
# Packagers, whose library is where the loader looks anyway, set PFMON_RPATH to
# nothing.
PFMON_RPATH ?= $$ORIGIN/../lib:$$ORIGIN/../lib/x86_64

$(TOOLS_DIR)/pfmon: $(PFMON_OBJECTS) $(TOOLS_DIR)/libpfm4.a \
		$(LIB_X86_64)/libpfm.so
	$(call say,LD $@)
	$(Q)$(CC) $(USER_CFLAGS) $(LDFLAGS) -pie -o $@ $(PFMON_OBJECTS) \
		$(TOOLS_DIR)/libpfm4.a $(LIB_X86_64)/libpfm.so $(PFMON_LIBS) \
		-Wl,-z,relro -Wl,-z,now \
		$(if $(PFMON_RPATH),-Wl$(comma)-rpath$(comma)'$(PFMON_RPATH)')

# libpfm4 and libpfm.so.3 share names, so every global symbol of the copy gets
# a prefix. getenv is renamed as well: tables.c decides what libpfm4 sees.
$(TOOLS_DIR)/libpfm4.symbols: | $(B)/deps/tools.stamp
	@mkdir -p $(@D)
	$(Q)archive=$$($(CC) -print-file-name=libpfm.a); \
	if [ ! -f "$$archive" ]; then \
		echo 'libpfm.a of libpfm4 not found; install libpfm4-dev' >&2; \
		exit 1; \
	fi; \
	nm -g --defined-only "$$archive" | \
		awk 'NF == 3 { print $$3, "pfm4_" $$3 }' | LC_ALL=C sort -u > $@; \
	echo 'getenv pfm4_getenv' >> $@

$(TOOLS_DIR)/libpfm4.a: $(TOOLS_DIR)/libpfm4.symbols
	$(call say,OBJCOPY $@)
	$(Q)objcopy --redefine-syms=$< "$$($(CC) -print-file-name=libpfm.a)" $@

-include $(PFMON_OBJECTS:.o=.d)

# Run in the guests: see the usage in the file.
GUEST_PROGRAMS_x86_64 += tests/tools/pfmon_cli
GUEST_PROGRAMS_i386 += tests/tools/pfmon_cli

install-tools: tools install-lib
	$(Q)install -d $(DESTDIR)$(PREFIX)/bin $(DESTDIR)$(MANDIR)/man1 \
		$(DESTDIR)$(PREFIX)/share/doc/pfmon
	$(Q)install -m 755 $(TOOLS_DIR)/pfmon $(DESTDIR)$(PREFIX)/bin
	$(Q)install -m 644 tools/pfmon/pfmon.1 $(DESTDIR)$(MANDIR)/man1
	$(Q)install -m 644 /usr/share/doc/libpfm4-dev/copyright \
		$(DESTDIR)$(PREFIX)/share/doc/pfmon/copyright.libpfm4
