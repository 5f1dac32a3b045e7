# SPDX-License-Identifier: GPL-2.0-only
#
# The releases of Debian on which everything has to work, each in a fresh root.

HOSTS_DIR := $(B)/hosts

## HOSTS=RELEASE...    of check-hosts, default: bookworm trixie
HOSTS ?= bookworm trixie
## HOSTS_CACHE=DIR     what check-hosts has as its cache, default PERFMON_CACHE; none: an empty one
HOSTS_CACHE ?= $(PERFMON_CACHE)

.PHONY: check-hosts
check-hosts: | $(B)/deps/hosts.stamp ## [longer] do everything in a clone in fresh roots of Debian 12 and 13, as root (HOSTS=)
	$(Q)failed=0; for release in $(HOSTS); do \
		tests/hosts/fresh-root $(HOSTS_DIR) '$(HOSTS_CACHE)' "$$release" run \
			'run KERNEL=stock' check 'deb check-deb check-deb-clean' \
			check-dkms lint || failed=1; \
	done; exit $$failed
