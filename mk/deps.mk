# SPDX-License-Identifier: GPL-2.0-only
#
# The Debian packages that the build needs, in sets (scripts/packages). A rule
# that needs a set has $(B)/deps/SET.stamp as an order-only prerequisite.

PACKAGE_SETS := $(shell sed -n 's/^\([a-z0-9-]*\):.*/\1/p' scripts/packages)

.PHONY: deps
# ACCEL=kvm is for few hosts, fuzz-lib, check-fleet and check-exports for few people;
# i386-runs installs the set i386 where it is needed.
deps: $(patsubst %,$(B)/deps/%.stamp,$(filter-out i386 kvm fuzz fleet exports hosts npm,$(PACKAGE_SETS))) i386-runs ## [build] install the Debian packages that everything needs

# The stamp is renewed when the lists change; nothing else depends on its age.
$(PACKAGE_SETS:%=$(B)/deps/%.stamp): $(B)/deps/%.stamp: scripts/packages
	$(Q)$(phase) packages scripts/deps $*
	$(Q)mkdir -p $(@D) && touch $@
