# SPDX-License-Identifier: GPL-2.0-only
#
# check-unit: the programs in UNIT_PROGRAMS (mk/machine.mk, mk/unit-lib.mk and
# others), which test in user space what is compiled into them. Their results
# go to $(B)/results/unit; they are run again each time.

# The tests of the package checks/ are modules of it.
CHECKS_TESTS := $(patsubst checks/unit/%.py,$(B)/unit/checks/%, \
	$(wildcard checks/unit/test_*.py))
UNIT_PROGRAMS += $(CHECKS_TESTS)

$(CHECKS_TESTS): $(B)/unit/checks/%: mk/unit.mk
	$(Q)mkdir -p $(@D)
	$(Q)printf '#!/bin/sh\ncd %s && exec %s\n' '$(CURDIR)' \
		'$(CHECKS).unit.$*' > $@ && chmod +x $@

# So are the tests of what lint finds.
UNIT_PROGRAMS += $(wildcard tests/unit/scripts/*_test)

.PHONY: check-unit results-unit

check-unit: results-unit ## [test] run the unit tests
	$(Q)$(CHECKS).results $(B)/results unit

# One of them installs what all builds.
results-unit: $(UNIT_PROGRAMS) | $(B)/deps/guest.stamp i386-runs all
	$(Q)$(call suite,unit,programs) $(CHECKS).run_unit $(if $(filter 1,$(V)),-v) $(B)/results/unit \
		$(UNIT_PROGRAMS)
