# SPDX-License-Identifier: GPL-2.0-only
#
# check-unit: the programs in UNIT_PROGRAMS (mk/machine.mk, mk/lib.mk and
# others), which test in user space what is compiled into them. Their results
# go to $(B)/results/unit; they are run again each time.

# The tests of what the runner of the guests makes of their output are scripts.
UNIT_PROGRAMS += $(wildcard tests/unit/guest/*_test)

# So are the tests of what lint finds.
UNIT_PROGRAMS += $(wildcard tests/unit/scripts/*_test)

.PHONY: check-unit results-unit

check-unit: results-unit ## [test] run the unit tests
	$(Q)scripts/results $(B)/results unit

results-unit: $(UNIT_PROGRAMS) | $(B)/deps/guest.stamp
	$(Q)scripts/run-unit $(if $(filter 1,$(V)),-v) $(B)/results/unit \
		$(UNIT_PROGRAMS)
