# SPDX-License-Identifier: GPL-2.0-only
#
# install: the library with its headers, pkg-config file and manual pages, and
# the tool. DESTDIR and PREFIX as usual; what goes where is said beside the
# parts themselves (mk/lib.mk, mk/tools.mk).

## PREFIX=DIR          where install puts things, default /usr/local
PREFIX ?= /usr/local
## DESTDIR=DIR         put before every installed path, for packagers
DESTDIR ?=

.PHONY: install install-man
install: install-lib install-tools install-man ## install library, headers, manual pages and tool

# The pages of the system calls and the overview.
install-man:
	$(Q)install -d $(DESTDIR)$(PREFIX)/share/man/man2 $(DESTDIR)$(PREFIX)/share/man/man7
	$(Q)install -m 644 man/man2/*.2 $(DESTDIR)$(PREFIX)/share/man/man2
	$(Q)install -m 644 man/man7/*.7 $(DESTDIR)$(PREFIX)/share/man/man7
