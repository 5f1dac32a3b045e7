# SPDX-License-Identifier: GPL-2.0-only
#
# The Debian packages that the build needs, in sets (scripts/packages). A rule
# that needs a set has $(B)/deps/SET.stamp as an order-only prerequisite. On a Linux
# that has other packages the stamp means that their content was found
# (scripts/needs).

# debian, derivative or other. /etc/os-release tells.
DISTRIBUTION := $(shell scripts/distribution)

# What can be made without Debian.
ANYWHERE := help all lib built-lib lib32 mark tools module install install-% rpm \
	arch-package deps clean distclean $(B)/%
ifeq ($(DISTRIBUTION),other)
ifneq ($(filter-out $(ANYWHERE),$(MAKECMDGOALS)),)
$(error $(firstword $(filter-out $(ANYWHERE),$(MAKECMDGOALS))): needs Debian and its apt; \
	elsewhere make has: lib tools module install)
endif
endif

PACKAGE_SETS := $(shell sed -n 's/^\([a-z0-9-]*\):.*/\1/p' scripts/packages)

.PHONY: deps
# ACCEL=kvm is for few hosts; fuzz-lib, check-fleet, check-exports, check-libraries and
# packages of other Linuxes are for few people; i386-runs installs the set i386 where it
# is needed.
ifeq ($(DISTRIBUTION),other)
DEPS := $(patsubst %,$(B)/deps/%.stamp,lib tools module)
else
DEPS := $(patsubst %,$(B)/deps/%.stamp,$(filter-out i386 kvm fuzz papi fleet exports hosts npm \
	rpm arch packaging container,$(PACKAGE_SETS))) i386-runs
endif
deps: $(DEPS) ## [build] install the Debian packages that everything needs; elsewhere, look for them

# The stamp is renewed when the lists change; nothing else depends on its age.
$(PACKAGE_SETS:%=$(B)/deps/%.stamp): $(B)/deps/%.stamp: scripts/packages \
		$(if $(filter other,$(DISTRIBUTION)),scripts/needs)
	$(Q)CC='$(CC)' LIBPFM4='$(LIBPFM4)' $(phase) packages scripts/deps $*
	$(Q)mkdir -p $(@D) && touch $@
