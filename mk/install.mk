# SPDX-License-Identifier: GPL-2.0-only
#
# install: the library with its headers, pkg-config file and manual pages, the tool,
# and the module's source. DESTDIR and PREFIX as usual; what goes where is said beside
# the parts themselves (mk/lib.mk, mk/tools.mk, mk/module.mk). The packages are made of
# what it installs (debian/, packaging/).

## PREFIX=DIR          where install puts things, default /usr/local
PREFIX ?= /usr/local
## LIBDIR32=DIR        where install-lib32 puts libraries, default lib/i386-linux-gnu
## DESTDIR=DIR         put before every installed path, for packagers
DESTDIR ?=

.PHONY: all install install-man
all: $(LIB_INSTALLED) tools ## [build] build what install installs

install: install-lib install-tools install-man install-module ## [install] install library, headers, manual pages, tool and source of the module

# The pages of the system calls and the overview.
install-man:
	$(Q)install -d $(DESTDIR)$(MANDIR)/man2 $(DESTDIR)$(MANDIR)/man7
	$(Q)install -m 644 man/man2/*.2 $(DESTDIR)$(MANDIR)/man2
	$(Q)install -m 644 man/man7/*.7 $(DESTDIR)$(MANDIR)/man7
