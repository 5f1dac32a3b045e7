# SPDX-License-Identifier: GPL-2.0-only
#
# The private copy of libpfm4 (package libpfm4-dev) that becomes a part of
# libpfm.so.3: $(LIB_DIR)/ARCH/libpfm4.a, and the tables that its i386 package
# has and the others lack, as C source: $(LIBPFM4_TABLES).
#
# libpfm4 and libpfm.so.3 use the same names for different things, so every
# global symbol of the copy gets a prefix. So do the names of libc that the copy
# must not reach; lib/events/libpfm4.c defines what it sees instead.

LIBPFM4_SHIMS := getenv stderr stdout strtok
# Packagers bring the file along, for they cannot fetch the i386 package.
LIBPFM4_TABLES ?= $(B)/lib/tables_generated.c

LIBPFM4_x86_64 = $(shell $(CC) -print-file-name=libpfm.a)
LIBPFM4_i386 ?= $(SYSROOT_I386)/usr/lib/i386-linux-gnu/libpfm.a

$(B)/lib/i386/libpfm4.symbols: $(SYSROOT_I386)/complete
$(B)/lib/%/libpfm4.symbols: mk/libpfm4.mk | $(B)/deps/lib.stamp
	@mkdir -p $(@D)
	$(Q)if [ ! -f "$(LIBPFM4_$*)" ]; then \
		echo 'libpfm.a of libpfm4 not found; install libpfm4-dev' >&2; \
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

# A program for i386 reads the i386 package.
LIBPFM4_TABLE_NAMES := ppro pii p6 pm coreduo

$(B)/lib/generator: lib/events/generator/tables.c lib/events/libpfm4.c \
		lib/events/libpfm4.h $(B)/lib/i386/libpfm4.a
	$(Q)$(CC) -m32 -D_GNU_SOURCE $(USER_CFLAGS) -o $@ $(filter %.c %.a,$^)

$(B)/lib/tables_generated.c: $(B)/lib/generator
	$(call say,GEN $@)
	$(Q)$< $(LIBPFM4_TABLE_NAMES) > $@
