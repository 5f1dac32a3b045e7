# SPDX-License-Identifier: GPL-2.0-only
#
# perf-beside-truth: what Debian's perf and pfmon say of the programs of tests/truth/, in
# one boot, as a page of Documentation/project/.

# By copies of stacks perf finds no callers in static programs at fixed addresses: those with
# known callers are there with shared libraries, too.
BESIDE := $(TRUTH_x86_64) $(filter-out $(TRUTH_x86_64),$(TRUTH_CHAINS:%=%-pie)) \
	$(TRUTH_CHAINS:%=%-nofp-pie)
BESIDE_PAGE := Documentation/project/perf-beside.md
BESIDE_FILES := $(BESIDE:%=$(TOOLS_DIR)/x86_64/truth/%)

$(B)/guest/perf-beside.cpio: $(B)/guest/init-x86_64 $(GUEST_SCRIPTS) $(B)/tools/pfmon \
		$(PROFILE) $(LIB_X86_64)/libpfm.so.3 $(BESIDE_FILES) $(TRUTH_FILES) \
		tests/tools/tap tests/tools/perf_beside | $(B)/deps/perf.stamp
	$(call say,guest with perf)
	$(Q)$(CHECKS).mkinitramfs --output $@ --busybox /bin/busybox \
		--library-path $(CURDIR)/$(LIB_X86_64) /init=$(B)/guest/init-x86_64 \
		/usr/bin/pfmon=$(B)/tools/pfmon /usr/libexec/pfmon/profile=$(PROFILE) \
		/usr/bin/perf=/usr/bin/perf /usr/bin/make=/usr/bin/make \
		/tests/perf_beside=tests/tools/perf_beside /tests/tools/tap=tests/tools/tap \
		$(call guest_tests,/tests/truth,$(BESIDE_FILES) $(TRUTH_FILES)) \
		/tests/truth/step-stripped.debug=$(TOOLS_DIR)/x86_64/truth/step-stripped.debug

.PHONY: perf-beside-truth
perf-beside-truth: $(GUEST_MACHINE) $(KERNEL_IMAGE) $(B)/guest/perf-beside.cpio ## [maintain] measure known programs with perf and pfmon, and write Documentation/project/perf-beside.md
	$(call say,$(CPU): known programs by pfmon and by perf)
	$(Q)mkdir -p $(B)/results
	$(Q)$(CHECKS).run_command $(GUEST_OPTIONS) --name perf-beside --cpu $(CPU) --arch x86_64 \
		--smp 1 --timeout 1200 --files perf-beside /tests/perf_beside > $(B)/results/perf-beside.tsv
	$(Q)$(CHECKS).perf_beside $(CPU) $(B)/results/perf-beside.tsv $(BESIDE_PAGE)
