# SPDX-License-Identifier: GPL-2.0-only
#
# check-exports: what pfmon export writes, read by the programs that it is for
# (checks/exports/): those of Debian, and speedscope, which npm has.

EXPORTS_DIR := $(B)/exports
EXPORTS_PROGRAMS := $(EXPORTS_DIR)/program $(EXPORTS_DIR)/library.so

.PHONY: check-exports

# Nobody runs them. Their lines and symbols are where the tests expect them.
$(EXPORTS_DIR)/program: tests/exports/program.S
$(EXPORTS_DIR)/program: EXPORTS_LINK := -static -no-pie -Wl,-Ttext=0x401000
$(EXPORTS_DIR)/library.so: tests/exports/library.S
$(EXPORTS_DIR)/library.so: EXPORTS_LINK := -shared
$(EXPORTS_PROGRAMS): mk/exports.mk | $(B)/deps/tools.stamp
	$(call say,LD $@)
	$(Q)mkdir -p $(@D)
	$(Q)gcc -m64 -g -nostdlib -Wl,--build-id=sha1 $(EXPORTS_LINK) -o $@ \
		$(filter %.S,$^)

# The npm of other distributors is part of their Node.js, beside which Debian's cannot be.
EXPORTS_NPM := $(if $(shell command -v npm),,$(B)/deps/npm.stamp)

# Only the page of speedscope is used: no package runs a program when it is installed.
$(EXPORTS_DIR)/npm.stamp: tests/exports/package.json | $(EXPORTS_NPM)
	$(call say,NPM $(EXPORTS_DIR)/node_modules)
	$(Q)mkdir -p $(@D) && cp $< $(@D)
	$(Q)cd $(@D) && npm install --ignore-scripts --no-package-lock --no-audit \
		--no-fund --no-update-notifier > npm.log 2>&1 || \
		{ cat npm.log >&2; exit 1; }
	$(Q)touch $@

check-exports: $(EXPORTS_PROGRAMS) $(EXPORTS_DIR)/npm.stamp $(PROFILE) | $(B)/deps/exports.stamp ## [longer] pfmon export, read by pprof, perf, callgrind_annotate, speedscope and Chromium
	$(Q)$(CHECKS).exports $(B) $(EXPORTS_DIR)/pictures
