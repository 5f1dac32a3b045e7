# SPDX-License-Identifier: GPL-2.0-only
#
# mutants: whether the tests notice the slips of tests/mutants/.

.PHONY: mutants lint-mutants

## MUTANTS=NAME,...    only these mutants; MUTANTS_GROUP=N: at most N in a kernel
MUTANTS ?=
MUTANTS_GROUP ?= 8

MUTANT_INPUTS = $(B)/machine/qemu-system-x86_64 $(UNIT_PROGRAMS) \
	$(foreach variant,x86_64 i386 x86_64-debug,$(B)/guest/$(variant).cpio)

mutants: $(MUTANT_INPUTS) ## [maintain] see whether the tests notice the mutants of tests/mutants
	$(Q)$(CHECKS).run_mutants --build $(B) --group $(MUTANTS_GROUP) $(MUTANTS)

lint-mutants: | $(B)/deps/lint.stamp
	$(call say,lint mutants)
	$(Q)$(CHECKS).check_mutants
