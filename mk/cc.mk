# SPDX-License-Identifier: GPL-2.0-only
#
# How C is compiled for user space: the warnings, and the one rule for objects.
#
# Headers come from Debian packages, and a rule that names none breaks only on a
# machine where nobody has installed them. object-rule therefore stops make unless
# it is given the package sets (scripts/packages) that bring the headers.

CC ?= cc
# Objects that another checkout has compiled from the same are taken from there. A
# machine that has no ccache yet has nothing in it either.
CCACHE := $(shell command -v ccache)
# It learns from the compiler which headers a file reads (-MD), and runs no
# preprocessor before. So the headers of Debian have to be among them: no -MMD.
export CCACHE_DEPEND ?= 1

WARNINGS = -Wall -Wextra -Wshadow -Wstrict-prototypes \
	$(if $(filter 1,$(WERROR)),-Werror)
# Keeps the name of the checkout out of what is built.
PREFIX_MAP = -ffile-prefix-map=$(CURDIR)=.

# object-rule OBJECT-PATTERN,SOURCE-PATTERN,COMPILER AND FLAGS,PACKAGE-SETS,
#   PREREQUISITES,ORDER-ONLY PREREQUISITES
# The last two may be absent. $$ in the flags is expanded when the object is made.
define object-rule
$(if $(filter $(PACKAGE_SETS),$(4)),,$(error $(1): which package set has its headers?))
$(if $(filter-out $(PACKAGE_SETS),$(4)),$(error $(1): no package set: $(4)))
$(1): $(2) $(5) | $(patsubst %,$(B)/deps/%.stamp,$(4)) $(6)
	$$(Q)mkdir -p $$(@D)
	$$(Q)$(CCACHE) $(3) -MD -MP -c -o $$@ $$<
endef
