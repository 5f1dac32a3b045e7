# SPDX-License-Identifier: GPL-2.0-only
#
# mutants: whether the tests notice the slips of tests/mutants/, and others at random.

.PHONY: mutants mutants-random covering coverage-programs lint-mutants

## MUTANTS=NAME,...    only these mutants; MUTANTS_GROUP=N: at most N in a kernel
MUTANTS ?=
MUTANTS_GROUP ?= 8

MUTANT_INPUTS = $(B)/machine/qemu-system-x86_64 $(UNIT_PROGRAMS) \
	$(foreach variant,x86_64 i386 x86_64-debug,$(B)/guest/$(variant).cpio)

mutants: $(MUTANT_INPUTS) ## [maintain] see whether the tests notice the mutants of tests/mutants
	$(Q)$(CHECKS).run_mutants --build $(B) --group $(MUTANTS_GROUP) $(MUTANTS)

## SEED=N COUNT=N      of mutants-random: which slips, and how many; default 1 and 20
SEED ?= 1
COUNT ?= 20
## FILES=NAME,...      of mutants-random: only sources whose names begin so
FILES ?=
## TESTS=unit,guest    of mutants-random: only these kinds of tests, and files that have them
TESTS ?=
## SECONDS_EACH=N      of mutants-random: no further program for a slip after so long, default 900
SECONDS_EACH ?= 900
## AGAIN=1             of mutants-random: the slips that lived in the run before, instead of a seed's
AGAIN ?=

mutants-random: $(B)/machine/qemu-system-x86_64 $(UNIT_PROGRAMS) $(B)/guest/x86_64.cpio ## [maintain] see whether the tests notice slips at random (SEED=, COUNT=, FILES=, TESTS=)
	$(Q)$(CHECKS).slips.run --build $(B) --seed $(SEED) --count $(COUNT) \
		--budget $(SECONDS_EACH) --kinds '$(TESTS)' \
		$(if $(AGAIN),--again $(B)/results/mutants-random/lived) $(FILES)

# What executes each source. The programs of the host are compiled once more, without the
# sanitizers, and so is the kernel.
COVERAGE_DIR := $(B)/unit/coverage

covering: $(B)/kernel/x86_64-gcov/bzImage $(B)/guest/x86_64-gcov.cpio \
		$(PERFCTR_COVERAGE_TESTS) ## [maintain] make the table of what covers each source, tests/mutants/covering
	+$(Q)$(MAKE) UNIT_LIB_DIR=$(COVERAGE_DIR) UNIT_SANITIZERS=--coverage \
		coverage-programs
	$(Q)$(CHECKS).slips.coverage $(B) $(UNIT_LIB_NAMES:%=$(COVERAGE_DIR)/test_%) \
		$(PERFCTR_COVERAGE_TESTS)

coverage-programs: $(UNIT_LIB_PROGRAMS)

lint-mutants: | $(B)/deps/lint.stamp
	$(call say,lint mutants)
	$(Q)$(CHECKS).check_mutants
	$(Q)$(CHECKS).slips.covering
