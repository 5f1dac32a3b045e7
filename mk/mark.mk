# SPDX-License-Identifier: GPL-2.0-only
#
# The library of programs that mark their regions (lib/mark/): libpfmark.so.1 and the
# static archive, for x86-64 and for i386.

MARK_VERSION := 1.0.0
MARK_SONAME := libpfmark.so.1
MARK_SOURCES := $(wildcard lib/mark/*.c)
MARK_HEADERS := lib/include/mark/pfmon-mark.h lib/include/mark/likwid-marker.h
mark-objects = $(MARK_SOURCES:lib/%.c=$(1)/obj/%.o)

.PHONY: mark install-mark
mark: $(LIB_X86_64)/libpfmark.so $(LIB_X86_64)/libpfmark.a ## [build] build libpfmark, for programs that mark their regions
lib: mark
lib32: $(LIB_I386)/libpfmark.so $(LIB_I386)/libpfmark.a

# mark-rules DIRECTORY,OPTION; the objects have the rule of the library's.
define mark-rules
$(1)/libpfmark.a: $$(call mark-objects,$(1))
	$$(call say,AR $$@)
	@rm -f $$@
	$$(Q)$$(AR) rcsD $$@ $$^

$(1)/libpfmark.so.$(MARK_VERSION): lib/mark/libpfmark.map \
		$$(call mark-objects,$(1)) $(1)/libpfm.so
	$$(call say,LD $$@)
	$$(Q)$$(CC) $(2) $$(USER_CFLAGS) $$(LDFLAGS) -shared -o $$@ \
		$$(filter %.o %.so,$$^) \
		-Wl,-soname,$(MARK_SONAME) -Wl,--version-script=$$< \
		-Wl,-z,defs -Wl,-z,text -Wl,-z,relro -Wl,-z,now

$(1)/$(MARK_SONAME): $(1)/libpfmark.so.$(MARK_VERSION)
$(1)/libpfmark.so: $(1)/$(MARK_SONAME)
$(1)/$(MARK_SONAME) $(1)/libpfmark.so:
	$$(Q)ln -sf libpfmark.so.$(MARK_VERSION) $$@
endef

$(eval $(call mark-rules,$(LIB_X86_64),-m64))
$(eval $(call mark-rules,$(LIB_I386),-m32))


-include $(patsubst %.o,%.d,$(call mark-objects,$(LIB_X86_64)) \
	$(call mark-objects,$(LIB_I386)))

# The headers have LIKWID's names, so they are in a directory of their own.
install-mark: $(INSTALLED_DIR)/libpfmark.so $(INSTALLED_DIR)/libpfmark.a
	$(Q)install -d $(DESTDIR)$(LIBDIR)/pkgconfig \
		$(DESTDIR)$(INCLUDEDIR)/libpfm3/mark $(DESTDIR)$(LIBDIR)/libpfm3
	$(Q)install -m 755 $(INSTALLED_DIR)/libpfmark.so.$(MARK_VERSION) \
		$(DESTDIR)$(LIBDIR)
	$(Q)ln -sf libpfmark.so.$(MARK_VERSION) $(DESTDIR)$(LIBDIR)/$(MARK_SONAME)
	$(Q)ln -sf ../$(MARK_SONAME) $(DESTDIR)$(LIBDIR)/libpfm3/libpfmark.so
	$(Q)install -m 644 $(INSTALLED_DIR)/libpfmark.a $(DESTDIR)$(LIBDIR)/libpfm3
	$(Q)install -m 644 $(MARK_HEADERS) $(DESTDIR)$(INCLUDEDIR)/libpfm3/mark
	$(Q)scripts/install-man3 $(MAN3EXT) $(DESTDIR)$(MANDIR)/man3 \
		lib/mark/pfmon-mark.3
	$(Q)sed -e 's|@PREFIX@|$(PREFIX)|; s|@LIBDIR@|$(LIBDIR)|' \
		-e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' lib/mark/libpfmark.pc.in \
		> $(DESTDIR)$(LIBDIR)/pkgconfig/libpfmark.pc
	$(Q)chmod 644 $(DESTDIR)$(LIBDIR)/pkgconfig/libpfmark.pc
