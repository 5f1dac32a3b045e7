# SPDX-License-Identifier: GPL-2.0-only
#
# The private copy of libpfm4 (package libpfm4-dev) that becomes a part of
# libpfm.so.3: $(LIB_DIR)/ARCH/libpfm4.a; and the tables that only its i386 package
# has: lib/eventfiles/, see i386_tables.h there.
#
# libpfm4 and libpfm.so.3 use the same names for different things, so every
# global symbol of the copy gets a prefix. So do the names of libc that the copy
# must not reach; lib/events/libpfm4.c defines what it sees instead.

LIBPFM4_SHIMS := getenv stderr stdout strtok

## LIBPFM4=DIR         a libpfm4 that has been compiled there, instead of the system's
# (B=DIR, too, then: what was built with another libpfm4 is not built again)
LIBPFM4 ?=
LIBPFM4_x86_64 = $(if $(LIBPFM4),$(LIBPFM4)/lib/libpfm.a,$(shell $(CC) -print-file-name=libpfm.a))
# Packagers name one of their own, and so do people without Debian's packages.
ifndef LIBPFM4_i386
LIBPFM4_i386 := $(SYSROOT_I386)/usr/lib/i386-linux-gnu/libpfm.a
$(B)/lib/i386/libpfm4.symbols: $(SYSROOT_I386)/complete
endif

$(B)/lib/%/libpfm4.symbols: mk/libpfm4.mk | $(B)/deps/lib.stamp
	@mkdir -p $(@D)
	$(Q)if [ ! -f "$(LIBPFM4_$*)" ]; then \
		echo '$(LIBPFM4_$*): no such archive of libpfm4; see LIBPFM4 in make help' >&2; \
		exit 1; \
	fi; \
	{ nm -g --defined-only "$(LIBPFM4_$*)" | \
		awk 'NF == 3 && $$3 !~ /^__x86/ { print $$3, "pfm4_" $$3 }'; \
	  printf '%s\n' $(foreach name,$(LIBPFM4_SHIMS),'$(name) pfm4_$(name)'); \
	} | LC_ALL=C sort -u > $@

.SECONDARY: $(B)/lib/x86_64/libpfm4.symbols $(B)/lib/i386/libpfm4.symbols

$(B)/lib/%/libpfm4.a: $(B)/lib/%/libpfm4.symbols
	$(call say,OBJCOPY $@)
	$(Q)objcopy --redefine-syms=$< "$(LIBPFM4_$*)" $@

# Debian's releases have different tables; rows of lib/events/patch_rows.c make the
# library's the same.

.PHONY: check-libpfm4
check-libpfm4: | $(B)/deps/lib.stamp ## [longer] the library's events, built with libpfm4 of Debian 12 and of 13, are the same
	+$(Q)MAKE='$(MAKE)' scripts/compare-libpfm4 $(B)/libpfm4 bookworm trixie

# The tables that libpfm4's i386 package has and the others lack are part of the
# repository as C source, so that the build executes no program for i386: not every
# host can. The program that makes them is for i386, because libpfm4 has the tables
# there only.

I386_TABLES_DIR := $(B)/lib/i386-tables
I386_TABLES := $(addprefix $(I386_TABLES_DIR)/,ppro.c pii.c p6.c pm.c coreduo.c)

.PHONY: lib-i386-events lint-i386-events
lib-i386-events: $(I386_TABLES) ## [maintain] make the library's tables of P6 events from libpfm4's i386 package
	$(Q)cp $^ lib/eventfiles

# The version in the comment does not count: Debian's releases differ in it alone.
lint-i386-events: $(I386_TABLES)
	$(call say,lint i386-events)
	$(Q)for table in $^; do \
		diff -u -I ' of libpfm4 [^ ]*, whose' lib/eventfiles/$${table##*/} $$table || \
			{ echo 'make lib-i386-events makes another table' >&2; exit 1; }; \
	done

$(I386_TABLES_DIR)/generator: lib/events/generator/tables.c lib/events/libpfm4.c \
		lib/events/libpfm4.h $(B)/lib/i386/libpfm4.a
	@mkdir -p $(@D)
	$(Q)$(CC) -m32 -D_GNU_SOURCE $(USER_CFLAGS) -o $@ $(filter %.c %.a,$^)

$(I386_TABLES): $(I386_TABLES_DIR)/%.c: $(I386_TABLES_DIR)/generator | i386-runs
	$(call say,GEN $@)
	$(Q)scripts/run-i386 $< $* \
		"$$(dpkg-query -W -f '$${source:Upstream-Version}' libpfm4-dev)" > $@
