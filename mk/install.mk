# SPDX-License-Identifier: GPL-2.0-only
#
# install: the library with its headers, pkg-config file and manual pages, and
# the tool. DESTDIR and PREFIX as usual; what goes where is said beside the
# parts themselves (mk/lib.mk, mk/tools.mk).

## PREFIX=DIR          where install puts things, default /usr/local
PREFIX ?= /usr/local
## DESTDIR=DIR         put before every installed path, for packagers
DESTDIR ?=

.PHONY: install
install: install-lib install-tools ## install library, headers, manual pages and tool
